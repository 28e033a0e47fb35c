"""
Subclasses of ndarray that answer wrongly for themselves, as `out`, `data` and `x`.

Whatever they say, either the result is right or an error comes, and no byte beside them is touched.
"""

import numpy as np
import pytest

import castufunc
from castufunc import PackedArray, _core, cast_pack, pack, unpack, unpack_cast

N = 2000
X = castufunc.cast(np.arange(N) % 16 - 8, "int4")
DATA = pack(X)
FILL = 0xAA


class _Flags:
    c_contiguous = contiguous = f_contiguous = writeable = aligned = owndata = True


def _resized(self, _):
    if self is not None:
        self.__dict__["shape"] = (N,)


LIES = {
    "shape": {"shape": property(lambda self: (N // 2,))},
    "shape of the result": {"shape": property(lambda self: (N,))},
    "flags": {"flags": property(lambda self: _Flags())},
    "dtype": {"dtype": property(lambda self: np.dtype(np.uint8))},
    "dtype of the result": {"dtype": property(lambda self: np.dtype(castufunc.int4))},
    "view": {"view": lambda self, *args: np.zeros(N, np.uint8)},
    "size": {"size": property(lambda self: N), "__len__": lambda self: N},
    "nbytes": {"nbytes": property(lambda self: N), "itemsize": property(lambda self: 1)},
    "strides": {"strides": property(lambda self: (1,)), "ndim": property(lambda self: 1)},
    "copies": {
        name: lambda self, *args, **kwargs: np.zeros(1, np.uint8)
        for name in ("reshape", "ravel", "copy", "astype", "flatten")
    },
    "__array_finalize__": {"__array_finalize__": _resized},
    "protocols": {
        "__array__": lambda self, *args, **kwargs: np.zeros(1, np.uint8),
        "__array_interface__": property(lambda self: {"shape": (N,)}),
        "__array_function__": lambda self, *args, **kwargs: True,
        "__array_ufunc__": lambda self, *args, **kwargs: True,
    },
    "class": {"__class__": property(lambda self: np.ndarray)},
}


def lying(lie, array):
    return array.view(type("Lying", (np.ndarray,), LIES[lie]))


def true(array):
    return np.ndarray.view(array, np.ndarray)


every_lie = pytest.mark.parametrize("lie", LIES)

PACKERS = {
    "pack": lambda out: pack(X, out=out),
    "cast_pack": lambda out: cast_pack(X.astype(np.float32), "int4", out=out),
    "cast_pack of text": lambda out: cast_pack(castufunc.cast(X, "string"), "int4", out=out),
}
UNPACKERS = {
    "unpack": (castufunc.int4, lambda out: unpack(DATA, "int4", N, out=out)),
    "unpack_cast": (np.float32, lambda out: unpack_cast(DATA, "int4", N, "float32", out=out)),
    "PackedArray": (castufunc.int4, lambda out: PackedArray(DATA, "int4", N).unpack(out=out)),
    "PackedArray.astype": (
        np.int64, lambda out: PackedArray(DATA, "int4", N).astype("int64", out=out)),
}  # fmt: skip
READERS = {
    "unpack": lambda data: unpack(data, "int4", N),
    "unpack_cast": lambda data: unpack_cast(data, "int4", N, "float32"),
    "unpack_cast to text": lambda data: unpack_cast(data, "int4", N, "U"),
    "PackedArray": lambda data: PackedArray(data, "int4", N).unpack(),
}


def memory():
    return np.full(40 * N, FILL, np.uint8)


def places(whole, dtype, n):
    """Where n elements of a type go, then places that are no good, in the middle of memory."""
    size = np.dtype(dtype).itemsize
    middle = whole[8 * N :]
    yield middle[: n * size].view(dtype)
    yield middle[: 4 * size].view(dtype)
    yield middle[: (n + 1) * size].view(dtype)
    yield middle[:0].view(dtype)
    yield middle[: n * size].view(dtype).reshape(2, -1)
    read_only = middle[: n * size].view(dtype)
    read_only.flags.writeable = False
    yield read_only
    for other in {1: "i1 u2 f4 V1", 4: "u4 i4 u1 >f4", 8: "u8 u1 f8 >i8"}[size].split():
        yield middle[: n * np.dtype(other).itemsize].view(other)
        yield middle[: n * size].view(other)


@every_lie
@pytest.mark.parametrize("name", PACKERS)
def test_out_of_packing(name, lie):
    whole = memory()
    good, *others = places(whole, np.uint8, N // 2)
    out = lying(lie, good)
    assert PACKERS[name](out) is out
    assert (true(good) == DATA).all()
    good[:] = FILL
    for other in others:
        with pytest.raises((ValueError, TypeError), match=r"^out "):
            PACKERS[name](lying(lie, other))
        assert (whole == FILL).all()
    for strided in whole[8 * N :: 2][: N // 2], whole[8 * N :: -1][: N // 2]:
        with pytest.raises(ValueError, match="out must be contiguous"):
            PACKERS[name](lying(lie, strided))
        assert (whole == FILL).all()


@every_lie
@pytest.mark.parametrize("name", UNPACKERS)
def test_out_of_unpacking(name, lie):
    dtype, call = UNPACKERS[name]
    whole = memory()
    good, *others = places(whole, dtype, N)
    out = lying(lie, good)
    assert call(out) is out
    assert (true(good) == X.astype(dtype)).all()
    whole[:] = FILL
    for other in others:
        with pytest.raises((ValueError, TypeError), match=r"^out "):
            call(lying(lie, other))
        assert (whole == FILL).all()


@every_lie
@pytest.mark.parametrize("name", READERS)
def test_data(name, lie):
    call = READERS[name]
    expected = call(DATA).tolist()
    assert call(lying(lie, DATA)).tolist() == expected
    assert call(lying(lie, np.repeat(DATA, 3)[::3])).tolist() == expected
    for short in DATA[:4], DATA[:0], np.repeat(DATA[:4], 3)[::3]:
        with pytest.raises(ValueError, match=r"^data has [04] bytes"):
            call(lying(lie, short.copy()))
    for dtype in "i1", "u2", "V1":
        with pytest.raises(TypeError, match="an array of uint8, not of"):
            call(lying(lie, DATA.view(dtype)))


@every_lie
def test_data_of_a_packed_array_is_no_subclass(lie):
    packed = PackedArray(lying(lie, DATA.copy()), "int4", N)
    assert type(packed.data) is np.ndarray
    assert not packed.data.flags.writeable
    assert packed == PackedArray(DATA, "int4", N)
    assert packed[: N // 2].unpack().tolist() == X[: N // 2].tolist()


@every_lie
def test_x(lie):
    assert (pack(lying(lie, X)) == DATA).all()
    assert (cast_pack(lying(lie, X.astype(np.float32)), "int4") == DATA).all()
    assert (PackedArray.from_array(lying(lie, X)).data == DATA).all()


def test_a_large_lie():
    class Lie(np.ndarray):
        shape = property(lambda self: (10_000_000,))

    with pytest.raises(ValueError, match=r"out has shape \(4,\)"):
        cast_pack(np.zeros(20_000_000, np.float32), "int4", out=np.zeros(4, np.uint8).view(Lie))


# --- what the C functions see for themselves -------------------------------------------------

INT4 = castufunc.dtype("int4")


def test_sizes_types_and_layouts_in_c():
    whole = memory()
    middle = whole[8 * N :]
    read_only = middle[: N // 2]
    read_only = read_only.view()
    read_only.flags.writeable = False
    for packed in middle[:4], middle[:N], middle[:0], middle[: N // 2].view("i1"), \
            middle[:N].view("u2"), middle[:N:2], middle[: N // 2][::-1], read_only:  # fmt: skip
        with pytest.raises(ValueError, match=r"^castufunc: |read-only"):
            _core._pack(X, packed, INT4)
        with pytest.raises(ValueError, match=r"^castufunc: |read-only"):
            _core._pack(X.astype(np.float32), packed, INT4, casts=True)
        assert (whole == FILL).all()
    good = middle[: N // 2]
    for x in X.view(np.int8), X.astype(np.float32), X.astype(object), X.astype(np.complex64):
        with pytest.raises(ValueError, match=r"^castufunc: "):
            _core._pack(x, good, INT4)
    for x in X.astype(object), X.astype(np.complex64), X.astype(">f4"), X.astype("U4"):
        with pytest.raises(ValueError, match=r"^castufunc: "):
            _core._pack(x, good, INT4, casts=True)
    for dtype in np.int8, bool, np.float32, castufunc.float8e5m2:
        with pytest.raises(ValueError, match=r"^castufunc: .* no packed form"):
            _core._pack(X.astype(dtype), good, np.dtype(dtype))
    assert (whole == FILL).all()

    outs = [middle[: N - 8], middle[:N].view("i1"), middle[:N].view(castufunc.uint4), read_only]
    for packed in DATA[:4], DATA[:0], DATA.view("i1"), DATA[::2], np.repeat(DATA, 2)[::2]:
        with pytest.raises(ValueError, match=r"^castufunc: "):
            _core._unpack(packed, INT4, middle[:N].view(INT4))
        with pytest.raises(ValueError, match=r"^castufunc: "):
            _core._unpack(packed, INT4, middle[: 4 * N].view("f4"), np.dtype("f4"))
    for out in outs:
        with pytest.raises(ValueError, match=r"^castufunc: |read-only"):
            _core._unpack(DATA, INT4, out)
    with pytest.raises(ValueError, match=r"^castufunc: "):
        _core._unpack(DATA, INT4, middle[: 4 * N].view(">f4"), np.dtype("f4"))
    with pytest.raises(ValueError, match=r"^castufunc: "):
        _core._unpack(DATA, np.dtype(np.int8), middle[: N // 2].view("i1"))
    assert (whole == FILL).all()


def test_none_and_other_things_in_c():
    out = np.zeros(N // 2, np.uint8)
    for call in [
        lambda: _core._pack(None, out, INT4),
        lambda: _core._pack(X, None, INT4),
        lambda: _core._pack(X, out, None),
        lambda: _core._pack(X, out, np.dtype(object)),
        lambda: _core._unpack(None, INT4, X),
        lambda: _core._unpack(out, INT4, None),
        lambda: _core._unpack(out, None, X),
        lambda: _core._unpack(out, np.dtype("V3"), X),
        lambda: _core._unpack(out, INT4, X, 5),
        lambda: _core._check_source(None),
        lambda: _core._check_result(None, INT4),
        lambda: _core._check_result(X, None),
        lambda: _core._check_result(X, np.dtype("M8[s]")),
        lambda: _core._packable_bits(None),
        lambda: _core._refuse_missing(None),
        lambda: _core._refuse_missing(np.zeros(3)),
        lambda: _core._texts_of_objects(None),
        lambda: _core._texts_of_objects(np.zeros(3)),
    ]:
        with pytest.raises(TypeError):
            call()
