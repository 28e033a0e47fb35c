"""Scalars: made from numbers as `cast` makes them, and back to Python's numbers."""

import copy
import math
import pickle

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED

FLOATS = [f for f in cu.FORMATS.values() if f.kind == "float"]
INTEGERS = [f for f in cu.FORMATS.values() if f.kind == "integer"]
ALL = list(cu.FORMATS.values())


def by_name(infos):
    return pytest.mark.parametrize("info", infos, ids=lambda info: info.name)


def code(scalar):
    return int.from_bytes(scalar.tobytes(), "little")


def every_scalar(info):
    codes = np.arange(1 << info.bits, dtype=f"u{info.itemsize}").view(info.dtype)
    return [codes[i] for i in range(0, codes.size, 1 + codes.size // 4096)]


@by_name(ALL)
def test_without_argument_is_code_zero(info):
    assert code(info.type()) == 0


@by_name(ALL)
def test_every_scalar_comes_back_through_its_python_number(info):
    for scalar in every_scalar(info):
        number = scalar.item()
        assert type(number) is (float if info.kind == "float" else int)
        if info.has_zero or number != number or not math.isinf(number):
            back = info.type(number)
            same = code(back) == code(scalar)
            assert same or number != number or math.isinf(number)


@by_name(ALL)
def test_hash_and_equality_are_those_of_the_number(info):
    for scalar in every_scalar(info):
        number = scalar.item()
        if number == number:
            assert hash(scalar) == hash(number)
            assert scalar == number
            assert (scalar != number) == False  # noqa: E712
        else:
            assert hash(scalar) == hash(scalar)
            assert scalar != scalar


@by_name(ALL)
def test_pickle_and_copy_keep_the_code(info):
    for scalar in every_scalar(info)[::7]:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(scalar, protocol))
            assert type(again) is info.type
            assert code(again) == code(scalar)
        assert code(copy.deepcopy(scalar)) == code(scalar)


@by_name(FLOATS)
def test_repr_is_pythons_of_the_shortest_float32_decimal(info):
    for scalar in every_scalar(info):
        shortest = np.format_float_scientific(np.float32(scalar.item()), unique=True)
        assert repr(scalar) == str(scalar) == repr(float(shortest))


@by_name(INTEGERS)
def test_integers_print_and_index_as_integers(info):
    for scalar in every_scalar(info):
        assert repr(scalar) == str(scalar.item())
        assert range(-8, 16).index(scalar) == scalar.item() + 8
        assert f"{scalar:03d}" == f"{scalar.item():03d}"


def test_format_takes_a_spec():
    assert f"{cu.bfloat16(1.5):.3f}" == "1.500"
    assert f"{cu.bfloat16(1.5)}" == "1.5"
    assert f"{cu.bfloat16(1.5)!s:>6}" == "   1.5"
    with pytest.raises(ValueError, match="format"):
        format(cu.bfloat16(1.5), "q")


@pytest.mark.parametrize(
    ("made", "number"),
    [
        (lambda: cu.int4(200), -8),
        (lambda: cu.int4(-9), 7),
        (lambda: cu.uint4(-1), 15),
        (lambda: cu.int2(2), -2),
        (lambda: cu.int4(2**70 + 3), 3),
        (lambda: cu.int4(-(2**70) - 3), -3),
        (lambda: cu.int4(1.9e3), int(1.9e3) % 16 - 16 if int(1.9e3) % 16 > 7 else 12),
        (lambda: cu.int4(float("nan")), 0),
        (lambda: cu.uint4(True), 1),
        (lambda: cu.float8e5m2(math.inf), 57344.0),
        (lambda: cu.float8e4m3fn(-1e300), -448.0),
        (lambda: cu.float8e4m3fn(10**400), 448.0),
        (lambda: cu.bfloat16(10**400), math.inf),
        (lambda: cu.bfloat16(-(10**400)), -math.inf),
        (lambda: cu.bfloat16(True), 1.0),
        (lambda: cu.float8e8m0(3), 4.0),
        (lambda: cu.bfloat16(np.float16(0.1)), 0.10009765625),
        (lambda: cu.bfloat16(np.int64(-3)), -3.0),
        (lambda: cu.bfloat16(np.uint64(2**64 - 1)), 2.0**64),
        (lambda: cu.bfloat16(np.longdouble("1.5")), 1.5),
        (lambda: cu.bfloat16(np.True_), 1.0),
        (lambda: cu.bfloat16(ml_dtypes.float8_e4m3b11fnuz(1.5)), 1.5),
        (lambda: cu.bfloat16(ml_dtypes.int4(-3)), -3.0),
        (lambda: cu.bfloat16(cu.float8e5m2(1.75)), 1.75),
        (lambda: cu.int4(cu.float8e5m2(-1.75)), -1),
        (lambda: cu.bfloat16(np.array(2.5)), 2.5),
        (lambda: cu.bfloat16(np.array(2.5, f"{SWAPPED}f8")), 2.5),
    ],
)
def test_made_as_cast_makes_it(made, number):
    assert made().item() == number


def nearest_bfloat16(n):
    """The bfloat16 nearest to a positive int, ties to even, by exact arithmetic."""
    unit = 1 << max(n.bit_length() - 8, 0)
    low, rest = divmod(n, unit)
    if 2 * rest > unit or (2 * rest == unit and low % 2):
        low += 1
    return float(low * unit)


@pytest.mark.parametrize("bits", [54, 60, 63, 64, 65, 90, 125])
def test_a_python_int_of_any_size_is_rounded_once(bits):
    tie = (0b10000000_1 << bits) >> 8
    for n in [tie - 1, tie, tie + 1, (tie << 1) + 1, 3 * tie, 3 * tie + 1, 1 << bits]:
        assert cu.bfloat16(n).item() == nearest_bfloat16(n), n
        assert cu.bfloat16(-n).item() == -nearest_bfloat16(n), n


@by_name(ALL)
@pytest.mark.parametrize(
    "thing", [None, 1j, np.complex64(1), [1], (), object(), np.zeros(2),
              np.datetime64("2000-01-01"), np.timedelta64(3, "s")],
    ids=lambda thing: type(thing).__name__)  # fmt: skip
def test_anything_else_is_a_type_error(info, thing):
    with pytest.raises(TypeError, match=rf"of type {info.name} of .*{type(thing).__name__}"):
        info.type(thing)
    array = np.ones(2, info.dtype)
    # NumPy makes a text of bytes before it assigns them, and numbers of its own scalars.
    if not isinstance(thing, (list, tuple, np.ndarray, complex, np.generic, bytes)):
        with pytest.raises((TypeError, ValueError)):
            array[0] = thing
    assert array.tolist() == [1, 1]


def test_bad_calls():
    with pytest.raises(TypeError, match="at most 1 argument"):
        cu.int4(1, 2)
    with pytest.raises(TypeError, match="no keyword arguments"):
        cu.int4(value=1)
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("sub", (cu.int4,), {})


def test_rounds_and_splits_like_a_python_number():
    assert round(cu.bfloat16(2.5)) == 2
    assert round(cu.bfloat16(2.25), 1) == 2.2
    assert cu.bfloat16(2.5).as_integer_ratio() == (5, 2)
    assert cu.int4(-3).as_integer_ratio() == (-3, 1)
    assert cu.bfloat16(3).is_integer()
    assert not cu.bfloat16(3.5).is_integer()
    assert not cu.bfloat16(math.inf).is_integer()
    assert math.floor(cu.bfloat16(2.5)) == 2
    assert complex(cu.bfloat16(2.5)) == 2.5
    with pytest.raises(OverflowError):
        int(cu.bfloat16(math.inf))
    with pytest.raises(ValueError, match="NaN"):
        int(cu.bfloat16(math.nan))


def test_arithmetic_of_scalars_is_in_float32_or_int64():
    result = cu.bfloat16(1.5) + cu.bfloat16(2.0**-20)
    assert result.dtype == np.float32
    assert result == np.float32(1.5 + 2.0**-20)
    assert (cu.int4(7) + cu.int4(7)) == 14
    assert (cu.int4(7) + cu.int4(7)).dtype == np.int64
    assert -cu.uint4(3) == -3
    assert cu.float8e5m2(1.5) < cu.bfloat16(2)


def test_place_in_numpy_hierarchy():
    assert issubclass(cu.bfloat16, np.inexact)
    assert not issubclass(cu.bfloat16, np.floating)
    assert issubclass(cu.int4, np.signedinteger)
    assert issubclass(cu.uint2, np.unsignedinteger)
    assert cu.bfloat16.__module__ == "castufunc"
