"""The records of the table against ml_dtypes and against the codes themselves."""

from dataclasses import FrozenInstanceError

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu

ORDER = [
    "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0",
    "float6e2m3", "float6e3m2", "float4e2m1", "int4", "uint4", "int2", "uint2",
]  # fmt: skip
FLOATS = [f for f in cu.FORMATS.values() if f.kind == "float"]
INTEGERS = [f for f in cu.FORMATS.values() if f.kind == "integer"]


def by_name(infos):
    return pytest.mark.parametrize("info", infos, ids=lambda info: info.name)


def numbers(info):
    codes = np.arange(1 << info.bits, dtype=f"u{info.itemsize}")
    return codes.view(info.dtype).astype(np.float64)


def test_thirteen_formats_in_the_tables_order():
    assert list(cu.FORMATS) == ORDER
    assert set(ORDER) <= set(cu.__all__)


def test_records_cannot_be_changed():
    with pytest.raises(TypeError):
        cu.FORMATS["bfloat16"] = None
    with pytest.raises(FrozenInstanceError):
        cu.FORMATS["bfloat16"].bits = 3


@by_name(cu.FORMATS.values())
def test_facts_are_those_of_the_codes(info):
    values = numbers(info)
    finite = values[np.isfinite(values)]
    assert info.max == finite.max()
    assert info.min == finite.min()
    assert info.has_zero == bool((finite == 0).any())
    assert info.has_negative_zero == bool(np.signbit(finite[finite == 0]).any())
    assert info.type is getattr(cu, info.name)
    assert info.dtype == np.dtype(info.type)
    assert info.itemsize == info.dtype.itemsize
    for special, is_special in [(info.nan, np.isnan), (info.inf, np.isposinf)]:
        assert (special is not None) == bool(is_special(values).any())
        assert special is None or is_special(values[special])


@by_name(FLOATS)
def test_float_facts_are_those_of_the_codes(info):
    positive = np.unique(np.abs(numbers(info)))
    positive = positive[(positive > 0) & np.isfinite(positive)]
    assert positive[0] == (info.smallest_subnormal or info.smallest_normal)
    one = np.searchsorted(positive, 1.0)
    assert float(cu.finfo(info.dtype).eps) == positive[one + 1] - positive[one]
    # The spacing is the same from 0 to twice the smallest normal number.
    if info.smallest_subnormal:
        steps = np.diff(positive)
        doubled = positive[:-1] >= 2 * info.smallest_normal
        assert (steps[~doubled] == info.smallest_subnormal).all()
        assert doubled.all() or (steps[doubled] > info.smallest_subnormal).all()


@by_name(FLOATS)
def test_finfo_agrees_with_ml_dtypes(info):
    ours, theirs = cu.finfo(info.name), ml_dtypes.finfo(getattr(ml_dtypes, info.ml_dtypes))
    for name in ["bits", "eps", "epsneg", "machep", "negep", "max", "min", "maxexp", "minexp",
                 "nexp", "iexp", "nmant", "smallest_normal", "smallest_subnormal",
                 "tiny"]:  # fmt: skip
        assert float(getattr(ours, name)) == float(getattr(theirs, name)), name
    assert isinstance(ours.max, info.type)
    assert info.name in repr(ours)


@by_name(INTEGERS)
def test_iinfo_agrees_with_ml_dtypes(info):
    ours, theirs = cu.iinfo(info.dtype), ml_dtypes.iinfo(getattr(ml_dtypes, info.ml_dtypes))
    assert (ours.bits, ours.min, ours.max, ours.kind) == (
        theirs.bits, theirs.min, theirs.max, theirs.kind)  # fmt: skip
    assert info.name in repr(ours)


def test_finfo_and_iinfo_take_scalars_and_arrays_and_refuse_the_rest():
    assert cu.finfo(np.ones(2, cu.bfloat16)).bits == 16
    assert cu.iinfo(cu.int4(1)).bits == 4
    for bad in [np.float32, cu.int4, "float16"]:
        with pytest.raises(TypeError, match="finfo takes this package's float types"):
            cu.finfo(bad)
    for bad in [np.int8, cu.bfloat16]:
        with pytest.raises(TypeError, match="iinfo takes this package's integer types"):
            cu.iinfo(bad)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.5.0", reason="NumPy 2.5's protocol")
@by_name(FLOATS)
def test_numpy_finfo_agrees(info):
    ours, theirs = cu.finfo(info.dtype), np.finfo(info.dtype)
    for name in ["eps", "max", "min", "maxexp", "minexp", "nmant", "precision",
                 "smallest_normal", "smallest_subnormal"]:  # fmt: skip
        assert float(getattr(ours, name)) == float(getattr(theirs, name)), name
