"""Faults that were found by trying to break the package, one test each."""

import ctypes
import ctypes.util
import gc
import pickle
import subprocess
import sys
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import castufunc as cu
from castufunc import _core, _workers


def python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.skipif(sys.platform == "win32", reason="by the C library of Unix")
@pytest.mark.parametrize("mode", [0x400, 0x800, 0xC00])
def test_longdouble_does_not_follow_the_rounding_mode_of_x87(mode):
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    x = np.array([1, 2, 16777217], np.longdouble) / 3
    expected = [cu.cast(x, to).tobytes() for to in ["float32", "float64", "bfloat16", "int8"]]
    before = library.fegetround()
    if library.fesetround(mode):
        pytest.skip("no such mode here")
    try:
        got = [cu.cast(x, to).tobytes() for to in ["float32", "float64", "bfloat16", "int8"]]
        assert library.fegetround() == mode
    finally:
        library.fesetround(before)
    assert got == expected


@pytest.mark.skipif(sys.platform == "win32", reason="by the C library of Unix")
def test_longdouble_leaves_no_flag():
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    x = np.array([1], np.longdouble) / 3
    library.feclearexcept(0x3F)
    for to in ["float32", "bfloat16", "int64"]:
        cu.cast(x, to)
    assert library.fetestexcept(0x3F) == 0


def test_methods_of_int_subclasses_have_no_say():
    class Odd(int):
        def __lt__(self, other):
            return True

        def __abs__(self):
            return self

        def __rshift__(self, other):
            return 2**90

    assert cu.float8e5m2(Odd(2**80)).item() == 57344
    assert cu.bfloat16(Odd(2**80)).item() == 2.0**80


def test_workers_at_the_end_of_the_interpreter():
    done = python(
        "import threading, time, numpy as np, castufunc as c\n"
        "def late():\n"
        "    time.sleep(.3)\n"
        "    print(c.cast(np.ones(300000, 'f4'), 'bfloat16', workers=2).sum())\n"
        "threading.Thread(target=late).start()\n"
    )
    assert done.returncode == 0
    assert done.stdout.strip() == "300000.0", done.stderr


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_workers_with_an_out_that_shapes_itself():
    x = np.arange(400_000, dtype=np.float32)
    for shape in [(1, -1), (-1, 1), (2, -1)]:
        out = np.asmatrix(np.zeros(x.size, np.float32).reshape(shape))
        cu.cast(x.reshape(shape), "float32", out=out, workers=2)
        assert (np.asarray(out).ravel() == x).all()


@pytest.mark.parametrize("name", [",", "\ud800", "f4,f4", "x" * 1000, "(2,)f4"])
def test_odd_names_are_type_errors_with_a_short_message(name):
    with pytest.raises(TypeError, match="is no element type") as info:
        cu.dtype(name)
    assert len(str(info.value)) < 800


def test_arguments_of_odd_kinds():
    class Opaque:
        __array_ufunc__ = None

    out = np.zeros(2, cu.int4)
    with pytest.raises(TypeError, match="where must be an array of bool"):
        cu.cast([1, 2], "int4", out=out, where=Opaque())
    with pytest.raises(TypeError, match="saturate"):
        cu.cast([1, 2], "int4", saturate=np.timedelta64(1, "s"))
    for x in [["1"], np.ma.array([1.0]), np.ones(2)]:
        with pytest.raises(TypeError, match="workers"):
            cu.cast(x, "int4", workers="x")
    with pytest.raises(TypeError, match="workers"):
        cu.cast([1.0], "string", workers=object())
    assert cu.cast([1.0], "int4", workers=10**30).tolist() == [1]
    with pytest.raises(TypeError, match="cannot cast from dtype"):
        cu.cast(np.zeros(2, [("a", "i4")]).view(np.recarray), "int4")


def test_what_array_ufunc_makes_is_returned():
    class Counts:
        def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
            return 7

    assert cu.cast(Counts(), "int4") == 7


def test_a_nul_at_the_end_of_a_text_is_not_lost():
    texts = np.array(["a", "b\0"], object)
    for to in ["U", "S", "U9"]:
        with pytest.raises(ValueError, match=r"NUL at its end in [US], at index 1"):
            cu.cast(texts, to)
    assert cu.cast(texts, np.dtypes.StringDType()).tolist() == ["a", "b\0"]
    assert cu.cast(texts, "string").tolist() == ["a", "b\0"]


def test_printing_does_not_follow_ftz_and_daz():
    expected = [repr(np.zeros((), cu.float8e8m0)[()]), repr(cu.finfo("float8e8m0"))]
    before = _core._fp_state()
    try:
        _core._set_fp_state(_core._make_fp_state(flush=True, denormals_zero=True))
        got = [repr(np.zeros((), cu.float8e8m0)[()]), repr(cu.finfo("float8e8m0"))]
    finally:
        _core._set_fp_state(before)
    assert got == expected
    assert "5.877472e-39" in got[0]


def test_state_cannot_be_set_into_a_dtype():
    cu.bfloat16.dtype.__setstate__((3, "<", None, None, None, -1, -1, 0))
    assert cu.bfloat16.dtype.itemsize == 2
    assert pickle.loads(pickle.dumps(cu.bfloat16.dtype)) is cu.bfloat16.dtype


def test_a_packed_array_cannot_be_made_anew():
    packed = cu.PackedArray.from_array([1, 2], "int4")
    packed.__init__(b"", "int4", 0)
    assert packed.shape == (2,)
    assert packed.unpack().tolist() == [1, 2]


def test_masks_are_not_dropped_in_silence():
    masked = np.ma.array([1, 2, 3], mask=[1, 0, 0])
    for call in [lambda: cu.PackedArray.from_array(masked, "int4"),
                 lambda: cu.unpack(np.ma.array([33], np.uint8, mask=[1]), "int4", 2)]:  # fmt: skip
        with pytest.raises(TypeError, match="mask"):
            call()


def test_an_element_of_u_that_is_no_code_point():
    bad = np.array([0x31, 0x110000], np.uint32).view("U1")
    with pytest.raises(ValueError, match=r"cannot read '\ufffd' as float32, at index 1"):
        cu.cast(bad, "float32")
    with pytest.raises(ValueError, match="cannot read"):
        bad.astype(cu.int4)


def test_code_points_beyond_unicode_in_texts():
    bad = np.array([[0x31, 0], [0x32, 0x110000]], np.uint32).view("U2")
    for array in bad, bad.astype(bad.dtype.newbyteorder()), np.repeat(bad, 2, axis=1)[:, ::2]:
        for to in "string", "U", "S", "U9", np.dtypes.StringDType():
            with pytest.raises(ValueError, match=r"beyond U\+10FFFF, at index \(1, 0\)"):
                cu.cast(array, to)
    assert cu.cast(bad[:1], "string").tolist() == [["1"]]
    assert cu.cast(np.array(["", "\U0010ffff"]), "string").tolist() == ["", "\U0010ffff"]


@pytest.mark.parametrize("thing", ["x" * 10**6, 10**5000, -(10**5000), [0] * 10**6], ids=type)
def test_messages_are_short(thing):
    class Silent:
        def __repr__(self):
            raise ZeroDivisionError

    for bad in thing, Silent(), type("N" * 10**6, (), {})():
        for arguments in {"to": bad}, {"saturate": bad}, {"round_mode": bad}, {"workers": bad}:
            if bad == 10**5000 and "workers" in arguments:
                continue  # as many as there are
            with pytest.raises((TypeError, ValueError)) as caught:
                cu.cast([1.0], **{"to": "int4", **arguments})
            assert len(str(caught.value)) < 1000
        with pytest.raises((TypeError, ValueError)) as caught:
            cu.cast([1.0], "int4", out=bad)
        assert len(str(caught.value)) < 1000


def test_classes_are_not_kept_alive():
    cls = type("Made", (np.float32,), {})
    assert cu.dtype(cls) == np.float32
    with pytest.raises(TypeError):
        cu.dtype(type("Other", (), {}))
    alive = weakref.ref(cls)
    del cls
    gc.collect()
    assert alive() is None


def test_format_takes_a_str():
    for number in cu.bfloat16(1), cu.int4(1):
        for spec in 1, b"", None:
            with pytest.raises(TypeError, match="must be str, not"):
                number.__format__(spec)


def test_the_pool_is_made_once(monkeypatch):
    made = []

    class Slow(_workers.ThreadPoolExecutor):
        def __init__(self, *arguments, **keywords):
            time.sleep(0.05)
            made.append(self)
            super().__init__(*arguments, **keywords)

    monkeypatch.setattr(_workers, "_pool", None)
    monkeypatch.setattr(_workers, "ThreadPoolExecutor", Slow)
    with ThreadPoolExecutor(8) as pool:
        pools = set(pool.map(lambda _: _workers._executor(), range(8)))
    assert len(pools) == len(made) == 1
    made[0].shutdown()


def test_methods_of_str_subclasses_have_no_say():
    class Odd(str):
        __getitem__ = __len__ = __repr__ = None

    array = np.empty(1, object)
    array[0] = Odd("z" * 50)
    with pytest.raises(ValueError, match=rf"cannot read '{'z' * 40}'\.\.\. as float32, at index 0"):
        cu.cast(array, "float32")


def test_unpack_cast_to_text_looks_at_its_arguments_once():
    with pytest.raises(TypeError, match="out must be an array, not list"):
        cu.unpack_cast(b"\x21", "int4", 2, "string", out=[0, 0])
    out = np.empty(2, object)
    assert cu.unpack_cast(b"\x21", "int4", iter([2]), "string", out=out).tolist() == ["1", "2"]


def test_what_a_class_property_raises_comes_through():
    class Unsure:
        @property
        def __class__(self):
            raise ZeroDivisionError

    for call in [
        lambda: cu.cast(Unsure(), "int4"),
        lambda: cu.cast([1], Unsure()),
        lambda: cu.cast([1], "int4", saturate=Unsure()),
        lambda: cu.cast_like([1], Unsure()),
        lambda: cu.bit_cast(Unsure(), "int8"),
        lambda: cu.pack(Unsure()),
    ]:
        with pytest.raises(ZeroDivisionError):
            call()
