"""The oracle against itself: the fast half against the slow, the slow against what codes mean."""

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from oracle import (
    FORMATS,
    INF,
    NAN,
    Float,
    Integer,
    Scale,
    cast_code,
    cast_codes,
    code_type,
    encode,
    modes,
    value,
)
from oracle.samples import all_codes, edge_codes, random_codes, thresholds
from oracle.steps import runs
from oracle.values import first_key, floor_log2, magnitude, max_key

EVERY = tuple(FORMATS)
FLOATS = [name for name in EVERY if not isinstance(FORMATS[name], Integer)]
SMALL_FLOATS = [name for name in FLOATS if FORMATS[name].bits <= 16]


@pytest.mark.parametrize("target", EVERY)
@pytest.mark.parametrize("source", EVERY)
def test_fast_is_slow(source, target, amount):
    limit = amount(12, None)
    codes = np.concatenate(
        [edge_codes(source, target, limit), random_codes(source, target, amount(30, 3000))]
    )
    codes = codes[:: amount(max(1, codes.size // 100), 1)]
    for mode in modes(target):
        slow = [cast_code(source, target, int(code), *mode) for code in codes]
        fast = cast_codes(source, target, codes, *mode)
        assert fast.dtype == code_type(target)
        wrong = np.flatnonzero(fast != np.array(slow, fast.dtype))
        assert not wrong.size, (
            mode,
            hex(codes[wrong[0]]),
            hex(fast[wrong[0]]),
            hex(slow[wrong[0]]),
        )


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_encode_inverts_value(name):
    for code in all_codes(name).tolist():
        v = value(name, code)
        if v.magnitude not in (INF, NAN):
            assert encode(name, v) == code


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_keys_are_in_order_and_the_rest_is_not_finite(name):
    values = [magnitude(name, key) for key in range(max_key(name) + 1)]
    assert all(low < high for low, high in pairwise(values))
    kinds = [value(name, code).magnitude for code in all_codes(name).tolist()]
    signs = 1 if isinstance(FORMATS[name], Scale) else 2
    unsigned_zero = isinstance(FORMATS[name], Float) and FORMATS[name].specials == "fnuz"
    assert len(kinds) - kinds.count(INF) - kinds.count(NAN) == signs * len(values) - unsigned_zero


# Largest finite, smallest normal, smallest above zero: OFP8 1.0, MX 1.0, IEEE 754-2019,
# arXiv:2206.02915.
RANGES = {
    "float16": (65504, -14, -24),
    "bfloat16": (Fraction(2) ** 128 - Fraction(2) ** 120, -126, -133),
    "float32": (Fraction(2) ** 128 - Fraction(2) ** 104, -126, -149),
    "float64": (Fraction(2) ** 1024 - Fraction(2) ** 971, -1022, -1074),
    "float8e4m3fn": (448, -6, -9),
    "float8e5m2": (57344, -14, -16),
    "float8e4m3fnuz": (240, -7, -10),
    "float8e5m2fnuz": (57344, -15, -17),
    "float6e2m3": (Fraction(15, 2), 0, -3),
    "float6e3m2": (28, -2, -4),
    "float4e2m1": (6, 0, -1),
    "float8e8m0": (Fraction(2) ** 127, -127, -127),
    "float8_e3m4": (Fraction(31, 2), -2, -6),
    "float8_e4m3": (240, -6, -9),
    "float8_e4m3b11fnuz": (30, -10, -13),
}


@pytest.mark.parametrize("name", FLOATS)
def test_ranges_of_the_standards(name):
    largest, smallest_normal, smallest = RANGES[name]
    fmt = FORMATS[name]
    assert magnitude(name, max_key(name)) == largest
    if isinstance(fmt, Scale):
        assert magnitude(name, 0) == Fraction(2) ** smallest
    else:
        assert magnitude(name, 1 << fmt.mantissa) == Fraction(2) ** smallest_normal
        assert magnitude(name, 1) == Fraction(2) ** smallest


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("target", ["float8e4m3fn", "float8e8m0", "float64"])
def test_first_key_by_bisection(name, target):
    top = max_key(name) + 1
    for threshold in thresholds(target)[::9]:
        for inclusive, bisect in ((True, bisect_left), (False, bisect_right)):
            found = bisect(range(top), threshold, key=lambda key: magnitude(name, key))
            assert min(first_key(name, threshold, inclusive), top) == found


@pytest.mark.parametrize(
    ("source", "target"),
    [(s, t) for s in ("float16", "bfloat16") for t in SMALL_FLOATS if s != t],  # s to s is a copy
)
def test_runs_are_the_casts(source, target):
    codes = all_codes(source)
    for mode in modes(target):
        starts, results = runs(source, target, *mode)
        assert (results[1:] != results[:-1]).all()
        lengths = np.diff(np.append(starts.astype(np.int64), codes.size))
        assert np.array_equal(np.repeat(results, lengths), cast_codes(source, target, codes, *mode))


def test_floor_log2():
    for exponent in range(-1100, 1100, 7):
        power = Fraction(2) ** exponent
        assert floor_log2(power) == exponent
        assert floor_log2(power * 3 / 2) == exponent
        assert floor_log2(power - power / 2**70) == exponent - 1
