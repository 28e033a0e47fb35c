"""Containers of other libraries, by small models of what they do; tests/neighbours has some."""

import subprocess
import sys

import numpy as np
import pytest

import castufunc as cu


class Fails:
    """Knows some ufuncs only, as a Series of polars does, and makes an array."""

    error = AttributeError("no such ufunc")

    def __init__(self, values):
        self.values = np.asarray(values)

    @property
    def dtype(self):
        return self.values.dtype

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __array_ufunc__(self, *arguments, **keywords):
        raise self.error


class Declines(Fails):
    def __array_ufunc__(self, *arguments, **keywords):
        return NotImplemented


class OptsOut(Fails):
    __array_ufunc__ = None


class OtherType(Fails):
    dtype = "its own"


CONTAINERS = [Fails, Declines, OptsOut, OtherType]
in_each = pytest.mark.parametrize("container", CONTAINERS)


@in_each
def test_cast(container):
    x = container([1.5, 300.0])
    for to in "bfloat16", "int4", "float32":
        assert cu.cast(x, to).tolist() == cu.cast(x.values, to).tolist()
    assert cu.cast(x, "string").tolist() == ["1.5", "300"]
    assert cu.cast(x, "U").tolist() == ["1.5", "300"]
    out = np.zeros(2, np.int8)
    assert cu.cast(x, "int8", out=out, where=[True, False]) is out
    assert out.tolist() == [1, 0]
    assert cu.cast_like(x, cu.int4(0)).tolist() == [1, -4]
    assert cu.cast_like([1.5], container(np.zeros(1, cu.int4))).dtype == cu.int4


@in_each
def test_text(container):
    for values in np.array(["1.5", "-7"]), np.array(["1.5", -7], object):
        x = container(values)
        assert cu.cast(x, "float8e5m2").tolist() == [1.5, -7]
        assert cu.cast(x, "string").tolist() == ["1.5", "-7"]
    with pytest.raises(ValueError, match="at index 1"):
        cu.cast(container(np.array(["1", "x"])), "int4")


@in_each
def test_bit_cast_and_packed_forms(container):
    assert cu.bit_cast(container(np.float32([1])), "uint32").tolist() == [0x3F800000]
    assert cu.pack(container(np.array([1, -1], cu.int4))).tolist() == [0xF1]
    assert cu.cast_pack(container([1.0, -1.0]), "int4").tolist() == [0xF1]
    assert cu.PackedArray.from_array(container([1, -1]), "int4").nbytes == 1


@pytest.mark.parametrize("cls", [*CONTAINERS, object])
def test_what_makes_no_array(cls):
    class Nothing(cls):
        __array__ = property()  # an AttributeError, as if there were none
        __init__ = object.__init__

    message = "cannot (cast|make a (number|text).* of) Nothing"
    for to in "bfloat16", "string":
        with pytest.raises(TypeError, match=message) as caught:
            cu.cast(Nothing(), to)
        assert "ufunc" not in str(caught.value)


def test_lack_of_memory_is_not_hidden():
    class Hungry(Fails):
        error = MemoryError("too large")

    with pytest.raises(MemoryError, match="too large"):
        cu.cast(Hungry([1.0]), "int4")


class Arrow:
    def __init__(self, values, null_count):
        self.values, self.null_count = values, null_count

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)


class Pandas(Fails):
    dtype = "Int64"
    ndim = 1

    def isna(self):
        return np.isnan(self.values)


class Table:
    def __init__(self, *columns):
        self.columns = columns

    def itercolumns(self):
        return iter(self.columns)

    def __array__(self, dtype=None, copy=None):
        return np.array([column.values for column in self.columns], dtype).T


@pytest.mark.parametrize("x", [Arrow([1, np.nan], 1), Arrow([1, np.nan], lambda: 1),
                               Pandas([1, np.nan]), Table(Arrow([2], 0), Arrow([np.nan], 1))],
                         ids=["arrow", "polars", "pandas", "table"])  # fmt: skip
def test_missing_values_are_refused(x):
    """NumPy makes NaN of them, and a cast to an integer zero."""
    message = rf"cannot cast {type(x).__name__} with 1 missing value: fill or drop it first"
    for to in "int4", "float32", "string":
        with pytest.raises(TypeError, match=message):
            cu.cast(x, to)
    for function in cu.pack, lambda x: cu.bit_cast(x, "int64"), lambda x: cu.cast_pack(x, "int4"):
        with pytest.raises(TypeError, match=message):
            function(x)


def test_without_missing_values():
    for x in Arrow([1, 2], 0), Arrow([1, 2], lambda: 0), Pandas([1, 2]), Table(Arrow([1, 2], 0)):
        assert cu.cast(x, "int4").ravel().tolist() == [1, 2]


def test_no_library_is_imported():
    code = (
        "import sys, numpy, castufunc; castufunc.cast([1, 2.5], 'int4'); "
        "castufunc.cast(numpy.array([1, 'x', None])[:1], 'int4'); "
        "assert not {'torch', 'pandas', 'polars', 'pyarrow', 'dask'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


class LazyBlocks:
    """As dask's: computed only when it is asked for."""

    dtype = np.dtype(np.float32)

    def __dask_graph__(self):
        return {}

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("computed")

    def __array_ufunc__(self, *arguments, **keywords):
        raise AssertionError("computed")


def test_what_is_computed_later_has_no_packed_form():
    for function in [cu.pack, lambda x: cu.cast_pack(x, "int4"), cu.PackedArray.from_array,
                     lambda x: cu.PackedArray.from_array(x, "int4")]:  # fmt: skip
        with pytest.raises(TypeError, match="LazyBlocks is computed later"):
            function(LazyBlocks())


def test_missing_values_in_lists():
    for columns in [Arrow([1, 2], 0), Arrow([3, np.nan], 1)], [[Arrow([1, np.nan], 1)]]:
        with pytest.raises(TypeError, match="cannot cast Arrow with 1 missing value"):
            cu.cast(columns, "int8")
    assert cu.cast([Arrow([1, 2], 0), Arrow([3, 4], 0)], "int8").tolist() == [[1, 2], [3, 4]]


def test_an_out_is_what_comes_back():
    class Wraps(Fails):
        def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
            getattr(ufunc, method)(self.values, out=out, **keywords)
            return Wraps(out[0] if out else self.values)

    out = np.zeros(2, np.int8)
    assert cu.cast(Wraps([1.5, 300.0]), "int8", out=out) is out
    assert out.tolist() == [1, 44]


@pytest.mark.parametrize("bad", [None, "float32", "FLOAT", np.str_("int8"), "float", np.float32,
                                 np.dtype("i1"), type("x" * 10**6, (), {})], ids=type)  # fmt: skip
def test_cast_like_wants_an_array(bad):
    with pytest.raises(TypeError, match="target must be an array or a scalar") as caught:
        cu.cast_like([1.5], bad)
    assert len(str(caught.value)) < 1000
    assert cu.cast_like([1.5], "no type").tolist() == ["1.5"]
