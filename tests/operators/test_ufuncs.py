"""castufunc.ufuncs: every public column as a real ufunc with the results of `cast`."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu
from castufunc import ufuncs

NUMPY = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64"]  # fmt: skip
SOURCES = [np.dtype(name) for name in NUMPY] + [f.dtype for f in cu.FORMATS.values()]


def columns():
    """Name of the ufunc -> target and arguments of `cast`, from what modes a format has."""
    for name in NUMPY:
        yield f"to_{name}", name, {}
    for info in cu.FORMATS.values():
        rounds = ["up", "down", "nearest"] if info.modes == "round" else [None]
        saturates = [True] if info.modes == "plain" else [True, False]
        for saturate in saturates:
            for mode in rounds:
                suffix = "" if mode in (None, "up") else f"_{mode}"
                arguments = {"saturate": saturate, "round_mode": mode or "up"}
                yield f"to_{info.name}{suffix}{'' if saturate else '_nosat'}", info.name, arguments


COLUMNS = list(columns())
each = pytest.mark.parametrize(("name", "to", "arguments"), COLUMNS, ids=[c[0] for c in COLUMNS])


def sample(dtype, size=99):
    random = np.random.default_rng(5)
    bits = random.integers(0, 256, size * dtype.itemsize, np.uint8)
    if dtype.kind == "b":
        bits %= 2
    return bits.view(dtype)


def codes(array):
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def test_thirty_four():
    assert len(COLUMNS) == 34
    assert set(ufuncs.__all__) == {name for name, _, _ in COLUMNS}
    assert cu.ufuncs is ufuncs


@each
def test_results_are_those_of_cast(name, to, arguments):
    ufunc = getattr(ufuncs, name)
    assert isinstance(ufunc, np.ufunc)
    for source in SOURCES:
        x = sample(source)
        for layout in [x, x[::2], x[::-1], x.reshape(3, 33).T]:
            result = ufunc(layout)
            assert result.dtype == cu.dtype(to)
            assert (codes(result) == codes(cu.cast(layout, to, **arguments))).all()
    for info in cu.FORMATS.values():
        x = sample(info.dtype)
        twin = x.view(getattr(ml_dtypes, info.ml_dtypes))
        assert (codes(ufunc(twin)) == codes(ufunc(x))).all()
    assert ufunc(np.longdouble(1)) == 1


@each
def test_out_where_and_broadcasting(name, to, arguments):
    ufunc = getattr(ufuncs, name)
    x = np.array([1.0, 0.0, 3.0])
    out = np.ones((2, 3), cu.dtype(to))
    before = codes(out).copy()
    mask = np.array([[True, False, True], [False, False, True]])
    assert ufunc(x, out=out, where=mask) is out
    expected = np.where(mask, codes(cu.cast(x, to, **arguments)), before)
    assert (codes(out) == expected).all()
    assert ufunc(x, out=(out,)) is out


@each
def test_pickle_and_copy_give_the_same_object(name, to, arguments):
    ufunc = getattr(ufuncs, name)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(ufunc, protocol)) is ufunc
    assert copy.deepcopy(ufunc) is ufunc


@each
def test_docs_tell_the_arguments(name, to, arguments):
    doc = getattr(ufuncs, name).__doc__
    assert f"`castufunc.cast` to {to}" in doc
    modes = cu.FORMATS[to].modes if to in cu.FORMATS else "plain"
    told = {"saturate": f"saturate={arguments.get('saturate')}",
            "round_mode": f'round_mode="{arguments.get("round_mode")}"'}  # fmt: skip
    heeded = {"plain": [], "saturate": ["saturate"], "round": ["saturate", "round_mode"]}[modes]
    for argument, words in told.items():
        assert (words in doc) == (argument in doc) == (argument in heeded)


@each
def test_no_floating_point_warnings(name, to, arguments):
    x = np.array([np.nan, np.inf, -np.inf, 1e300, 1e-300, 5e-324, 0.0, -0.0])
    with np.errstate(all="raise"):
        getattr(ufuncs, name)(x)
        getattr(ufuncs, name)(x[::2])


@pytest.mark.parametrize("bad", [[1j], ["a"], [None], np.array(["2000"], "M8[Y]")], ids=repr)
def test_other_sources_are_type_errors(bad):
    with pytest.raises(TypeError, match="to_int4"):
        ufuncs.to_int4(bad)


class Wrapped:
    """An array type with its own __array_ufunc__, as dask's and others have."""

    def __init__(self, array):
        self.array = array

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
        arrays = [x.array if isinstance(x, Wrapped) else x for x in inputs]
        return Wrapped(getattr(ufunc, method)(*arrays, **keywords))

    @property
    def dtype(self):
        return self.array.dtype

    def astype(self, dtype):
        return Wrapped(self.array.astype(dtype))


class Lazy(Wrapped):
    """One that is computed only when it is asked for."""

    def __dask_graph__(self):
        return {}

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("computed")


def test_cast_goes_through_array_ufunc():
    x = Wrapped(np.array([1.5, 1e6, -1.0]))
    assert isinstance(ufuncs.to_int4(x), Wrapped)
    for name, to, arguments in COLUMNS:
        result = cu.cast(x, to, **arguments)
        assert isinstance(result, Wrapped), name
        assert (codes(result.array) == codes(cu.cast(x.array, to, **arguments))).all()
    twin = cu.cast(x, ml_dtypes.int4)
    assert isinstance(twin, Wrapped)
    assert twin.dtype == ml_dtypes.int4
    assert cu.cast_like([1.5, 2.5], Wrapped(np.ones(1, cu.int4))).tolist() == [1, 2]
    with pytest.raises(TypeError, match="cannot make an array of it"):
        cu.cast(x, ml_dtypes.float8_e3m4)
    with pytest.raises(TypeError, match="no ufunc"):
        cu.cast(Lazy(x.array), ml_dtypes.float8_e3m4)


def test_subclasses_stay():
    masked = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
    result = cu.cast(masked, "int4")
    assert isinstance(result, np.ma.MaskedArray)
    assert result.mask.tolist() == [False, True, False]
    assert result.dtype == cu.int4
    assert result.tolist() == [1, None, 3]


def test_memmap_is_a_source(tmp_path):
    mapped = np.memmap(tmp_path / "x", np.float32, "w+", shape=5)
    mapped[:] = [1, 2, 3, 4, 5]
    assert cu.cast(mapped, "int4").tolist() == [1, 2, 3, 4, 5]


def test_text_is_refused_for_other_array_types():
    for to in ["string", "U", "S", np.dtypes.StringDType()]:
        with pytest.raises(TypeError, match=r"text has no ufunc .* Lazy: .*map_blocks"):
            cu.cast(Lazy(np.array([1.5])), to)
        with pytest.raises(TypeError, match="cannot cast Wrapped"):
            cu.cast(Wrapped(np.array([1.5])), to)
    for texts in [np.array(["1"]), np.array(["1"], object)]:
        with pytest.raises(TypeError, match=r"text has no ufunc .* Lazy"):
            cu.cast(Lazy(texts), "int4")
        with pytest.raises(TypeError, match="cannot cast Wrapped"):
            cu.cast(Wrapped(texts), "int4")
    masked = np.ma.array(["1", "x"], mask=[0, 1])
    with pytest.raises(TypeError, match="masked array of text"):
        cu.cast(masked, "int4")
    with pytest.raises(TypeError, match="masked array of text"):
        cu.cast(np.ma.array([1.5, 2.5], mask=[0, 1]), "string")
