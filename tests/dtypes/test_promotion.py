"""Common dtypes and casting levels, typed from the rules and not from the package's table."""

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu

FLOATS = [f for f in cu.FORMATS.values() if f.kind == "float"]
INTEGERS = [f for f in cu.FORMATS.values() if f.kind == "integer"]
LEVELS = ["no", "equiv", "safe", "same_kind", "unsafe"]
FOREIGN_FLOATS = [ml_dtypes.float8_e3m4, ml_dtypes.float8_e4m3, ml_dtypes.float8_e4m3b11fnuz]

# What int8 gives with NumPy's integers, and uint8; NumPy itself is the reference here.
STAND_IN = {True: np.int8, False: np.uint8}


def twin(info):
    return getattr(ml_dtypes, info.ml_dtypes)


def both_orders(a, b):
    first, second = np.promote_types(a, b), np.promote_types(b, a)
    assert first == second
    assert np.result_type(np.zeros(2, a), np.zeros(2, b)) == first
    assert np.concatenate([np.ones(1, a), np.ones(1, b)]).dtype == first
    return first


def level(a, b):
    """The strictest casting that allows a to b."""
    return next(rule for rule in LEVELS if np.can_cast(a, b, rule))


def pairs(first, second):
    return pytest.mark.parametrize(
        ("a", "b"), [(a, b) for a in first for b in second if a is not b],
        ids=lambda info: info.name)  # fmt: skip


def names(infos):
    return pytest.mark.parametrize("info", infos, ids=lambda info: info.name)


@names(cu.FORMATS.values())
def test_itself_and_twin_are_itself(info):
    assert np.promote_types(info.type, info.type) == info.dtype
    for pair in [(info.type, twin(info)), (twin(info), info.type)]:
        assert np.promote_types(*pair) is info.dtype
        assert level(*pair) == "equiv"
    assert level(info.type, info.type) == "no"
    with pytest.raises(np.exceptions.DTypePromotionError):
        np.promote_types(info.type, "M8[s]")


@pairs(FLOATS, FLOATS)
def test_two_own_floats_meet_in_float32(a, b):
    assert both_orders(a.type, b.type) == np.float32
    assert both_orders(a.type, twin(b)) == np.float32
    assert level(a.type, b.type) == "same_kind"


@names(FLOATS)
def test_floats_with_numpy(info):
    own = info.type
    expected = {
        np.float16: np.float32,
        np.bool_: own,
        **dict.fromkeys([np.int8, np.uint8, np.int16, np.uint16], np.float32),
        **dict.fromkeys([np.int32, np.uint32, np.int64, np.uint64], np.float64),
        **dict.fromkeys([np.longlong, np.ulonglong, np.long, np.ulong], np.float64),
        **{w: w for w in [np.float32, np.float64, np.longdouble]},
        **{w: w for w in [np.complex64, np.complex128, np.clongdouble]},
        np.object_: np.object_,
    }
    for other, common in expected.items():
        assert both_orders(own, other) == common, other
    for foreign in FOREIGN_FLOATS:
        assert both_orders(own, foreign) == np.float32
    array = np.ones(3, own)
    for number, common in [(1, own), (1.5, own), (True, own), (1j, np.complex64)]:
        assert np.result_type(array, number) == common


@pairs(INTEGERS, INTEGERS)
def test_two_own_integers_meet_in_eight_bits(a, b):
    common = np.int8 if a.signed or b.signed else np.uint8
    assert both_orders(a.type, b.type) == common
    assert level(a.type, b.type) == "same_kind"


@pairs(INTEGERS, FLOATS)
def test_an_own_integer_and_an_own_float_meet_in_float32(a, b):
    assert both_orders(a.type, b.type) == np.float32
    assert level(a.type, b.type) == "same_kind"
    assert level(b.type, a.type) == "unsafe"


@names(INTEGERS)
def test_integers_with_numpy(info):
    own = info.type
    for other in [np.int8, np.int16, np.int32, np.int64, np.longlong, np.uint8, np.uint16,
                  np.uint32, np.uint64, np.ulonglong]:  # fmt: skip
        assert both_orders(own, other) == np.promote_types(STAND_IN[info.signed], other)
    expected = {
        np.bool_: own,
        np.float16: np.float32,
        **{w: w for w in [np.float32, np.float64, np.longdouble, np.complex64, np.complex128]},
        np.object_: np.object_,
    }
    for other, common in expected.items():
        assert both_orders(own, other) == common, other
    array = np.ones(3, own)
    for number, common in [(1, own), (True, own), (1.5, np.float64), (1j, np.complex128)]:
        assert np.result_type(array, number) == common


@names(cu.FORMATS.values())
@pytest.mark.parametrize(
    ("number", "stands_for"), [(1, np.uint8), (1.5, np.float16), (1j, np.complex64)]
)
def test_a_python_number_before_an_array_counts_as_numpys_stand_in(info, number, stands_for):
    # NumPy asks its own abstract DType first, and that one asks a legacy user type about a small
    # type in the number's stead. See docs/limits.md.
    common = np.promote_types(info.type, stands_for)
    assert np.result_type(number, np.ones(3, info.type)) == common


@names(FLOATS)
def test_levels_of_floats(info):
    own = info.type
    for wide in [np.float32, np.float64, np.longdouble, np.complex64, np.complex128]:
        assert level(own, wide) == "safe"
    assert level(own, np.object_) == "safe"
    assert level(own, np.float16) == "same_kind"
    for number in [np.bool_, np.int8, np.uint64, np.float16, np.float32, np.float64, np.longdouble]:
        assert level(number, own) == "same_kind"
    for unsafe in [np.bool_, np.int8, np.uint64]:
        assert level(own, unsafe) == "unsafe"
    assert level(np.complex64, own) == "unsafe"
    assert level(np.object_, own) == "unsafe"


@names(INTEGERS)
def test_levels_of_integers(info):
    own = info.type
    for wide in [np.int64, np.longlong, np.float32, np.float64, np.longdouble, np.complex64]:
        assert level(own, wide) == "safe"
    assert level(own, np.uint64) == ("same_kind" if info.signed else "safe")
    for same_kind in [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.float16]:
        assert level(own, same_kind) == "same_kind"
    for number in [np.bool_, np.int8, np.uint64]:
        assert level(number, own) == "same_kind"
    for number in [np.float16, np.float32, np.float64, np.complex64]:
        assert level(number, own) == "unsafe"
    assert level(own, np.bool_) == "unsafe"
