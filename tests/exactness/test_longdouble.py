"""longdouble: as a source a bit far below what float64 keeps decides a tie; as a target exact."""

from fractions import Fraction

import numpy as np
import pytest

import castufunc
from oracle import DEFAULT_MODE, INF, NAN, OURS, TYPES, Value, code_type, encode, modes, value
from oracle.samples import all_codes, thresholds

from .harness import array_of, cast, codes_of, dtype_of

LONG = np.longdouble


def exact(x):
    """The oracle's value of a longdouble."""
    negative = bool(np.signbit(x))
    if np.isnan(x):
        return Value(negative, NAN)
    if np.isinf(x):
        return Value(negative, INF)
    return Value(negative, abs(Fraction(*x.as_integer_ratio())))


def numbers(target, count):
    """Thresholds of the target, their neighbours, and what is no number."""
    chosen = thresholds(target)
    found = []
    for threshold in chosen[:: max(1, len(chosen) // count)]:
        x = np.ldexp(LONG(threshold.numerator), 1 - threshold.denominator.bit_length())
        found += [np.nextafter(x, LONG(0)), x, np.nextafter(x, LONG("inf"))]
    found += [LONG(0), LONG("inf"), LONG("nan"), np.finfo(LONG).max, np.finfo(LONG).tiny]
    found = np.array(found, LONG)
    return np.concatenate([found, -found])


@pytest.mark.parametrize("target", TYPES)
def test_from_longdouble(target, amount):
    array = numbers(target, amount(40, 100_000))
    values = [exact(x) for x in array]
    for mode in modes(target):
        expected = np.array([encode(target, v, *mode) for v in values], code_type(target))
        got = {
            "cast": cast(array, target, mode),
            "strided": cast(np.repeat(array, 2)[::2], target, mode),
        }
        if mode == DEFAULT_MODE and target in OURS:
            got["astype"] = array.astype(dtype_of(target))
        for how, result in got.items():
            codes = codes_of(result)
            # Of NumPy's own types any NaN of the sign will do, float to float.
            same = (codes == expected) | (
                np.isnan(array) & (target in ("float16", "float32", "float64"))
            )
            wrong = np.flatnonzero(~same)
            assert not wrong.size, (
                how,
                mode,
                array[wrong[0]],
                hex(codes[wrong[0]]),
                hex(expected[wrong[0]]),
            )


@pytest.mark.parametrize("source", OURS)
def test_to_longdouble(source):
    codes = all_codes(source)
    for code, x in zip(codes.tolist(), array_of(source, codes).astype(LONG), strict=True):
        assert exact(x) == value(source, code), hex(code)


def test_cast_has_no_longdouble_target():
    with pytest.raises(TypeError):
        castufunc.cast(np.zeros(3, np.float32), LONG)
