"""Results written out by hand, so that oracle and package can't be wrong together.

Each row: source, target, saturate, round_mode, number given, code wanted. Numbers stand for the
source's code of that value and are exact in the source.
"""

from fractions import Fraction

import numpy as np
import pytest

from oracle import Value, cast_code, code_type, encode, value

from .harness import array_of, assert_codes, cast, codes_of

TWO = Fraction(2)
BIG = TWO**127

ANCHORS = [
    # First values that overflow, and the last ones that don't.
    ("float32", "float8e4m3fn", False, "up", 464, 0x7E),
    ("float32", "float8e4m3fn", False, "up", 464 + TWO**-15, 0x7F),
    ("float64", "float8e4m3fn", False, "up", -464 - TWO**-44, 0xFF),
    ("float32", "float8e4m3fn", True, "up", 465, 0x7E),
    ("float32", "float8e4m3fnuz", False, "up", 248, 0x80),
    ("float32", "float8e4m3fnuz", True, "up", 248, 0x7F),
    ("float64", "float8e4m3fnuz", False, "up", 248 - TWO**-45, 0x7F),
    ("float32", "float8e5m2", False, "up", 61440, 0x7C),
    ("float32", "float8e5m2", True, "up", 61440, 0x7B),
    ("float64", "float8e5m2", False, "up", 61440 - TWO**-37, 0x7B),
    ("int32", "float8e5m2", False, "up", -61440, 0xFC),
    ("int32", "float8e5m2", False, "up", -61439, 0xFB),
    ("float32", "float8e5m2fnuz", False, "up", 61440, 0x80),
    ("float32", "float8e5m2fnuz", True, "up", -61440, 0xFF),
    ("float32", "float16", True, "up", 65520, 0x7C00),
    ("float64", "float16", True, "up", 65520 - TWO**-37, 0x7BFF),
    ("float32", "bfloat16", True, "up", TWO**128 - TWO**119, 0x7F80),
    ("float64", "bfloat16", True, "up", TWO**128 - TWO**119 - TWO**75, 0x7F7F),
    ("float64", "float32", True, "up", TWO**128 - TWO**103, 0x7F800000),
    ("float64", "float32", True, "up", TWO**128 - TWO**103 - TWO**75, 0x7F7FFFFF),
    ("float32", "float4e2m1", True, "up", -1000, 0xF),
    ("float32", "float6e2m3", True, "up", 1000, 0x1F),
    ("float32", "float6e3m2", True, "up", 1000, 0x1F),
    # A way through float32 would meet a tie that isn't there.
    ("float64", "float8e4m3fn", True, "up", TWO**-10, 0x00),
    ("float64", "float8e4m3fn", True, "up", TWO**-10 + TWO**-62, 0x01),
    ("float64", "bfloat16", True, "up", 1 + TWO**-8 + TWO**-52, 0x3F81),
    ("float64", "float16", True, "up", -1 - TWO**-11 - TWO**-52, 0xBC01),
    ("int64", "bfloat16", True, "up", 2**62 + 2**54 + 1, 0x5E81),
    ("uint64", "float8e8m0", True, "up", 2**63 + 1, 0xBF),
    ("int64", "float32", True, "up", 2**62 + 2**38 + 1, 0x5E800001),
    ("uint64", "float64", True, "up", 2**64 - 1, 0x43F0000000000000),
    # Signs of zero.
    ("float32", "float8e4m3fn", True, "up", -(TWO**-20), 0x80),
    ("float32", "float8e4m3fnuz", True, "up", -(TWO**-20), 0x00),
    ("float32", "float4e2m1", True, "up", -TWO / 8, 0x8),
    ("float32", "float8e5m2", True, "up", TWO**-17, 0x00),
    ("float32", "float8e5m2", True, "up", 3 * TWO**-18, 0x01),
    # float8e8m0.
    ("float32", "float8e8m0", True, "up", Fraction(5, 4), 128),
    ("float32", "float8e8m0", True, "down", Fraction(7, 4), 127),
    ("float32", "float8e8m0", True, "nearest", Fraction(3, 2), 128),
    ("float64", "float8e8m0", True, "nearest", Fraction(3, 2) - TWO**-52, 127),
    ("float64", "float8e8m0", True, "up", 1 + TWO**-52, 128),
    ("float32", "float8e8m0", False, "up", TWO**-127, 0),
    ("float32", "float8e8m0", True, "up", TWO**-149, 0),
    ("float32", "float8e8m0", False, "up", TWO**-149, 0xFF),
    ("float32", "float8e8m0", True, "nearest", TWO**-127 + TWO**-128, 1),
    ("float32", "float8e8m0", False, "down", BIG, 0xFE),
    ("float32", "float8e8m0", False, "down", BIG * 5 / 4, 0xFF),
    ("float32", "float8e8m0", True, "nearest", BIG * 5 / 4, 0xFE),
    ("float32", "float8e8m0", True, "up", -1, 0),
    ("float32", "float8e8m0", False, "up", -1, 0xFF),
    ("bool", "float8e8m0", True, "up", 0, 0),
    ("bool", "float8e8m0", False, "up", 0, 0xFF),
    ("bool", "float8e8m0", False, "up", 1, 127),
    ("float8e8m0", "bool", True, "up", TWO**-127, 1),
    ("float8e8m0", "float32", True, "up", TWO**-127, 0x00400000),
    # Integers wrap.
    ("int16", "int4", True, "up", 200, 8),
    ("int4", "uint8", True, "up", -1, 255),
    ("float32", "int4", True, "up", -9, 7),
    ("float32", "uint8", True, "up", Fraction(-3, 2), 255),
    ("float32", "uint16", True, "up", -3, 65533),
    ("float32", "int32", True, "up", 3_000_000_000, 2**32 - 1_294_967_296),
    ("float32", "uint64", True, "up", TWO**63, 2**63),
    ("float32", "uint64", True, "up", TWO**64, 0),
    ("float64", "int64", True, "up", -(TWO**64), 0),
    ("float64", "int8", True, "up", TWO**1023, 0),
    ("float16", "bool", True, "up", TWO**-24, 1),
    ("float8e5m2", "int2", True, "up", -2, 2),
]

NANS = [
    # source, target, saturate, code given, code wanted
    ("float32", "float8e4m3fn", True, 0x7FC00000, 0x7F),
    ("float32", "float8e4m3fn", True, 0xFFC00001, 0xFF),
    ("float32", "float8e5m2", False, 0x7F800001, 0x7E),
    ("float32", "float8e5m2", True, 0xFFC00000, 0xFE),
    ("float32", "float8e4m3fnuz", True, 0x7FC00000, 0x80),
    ("float32", "float4e2m1", True, 0x7FC00000, 0x8),
    ("float32", "float4e2m1", True, 0xFFC00000, 0x0),
    ("float32", "float6e3m2", True, 0x7FC00000, 0x20),
    ("float8e4m3fnuz", "float32", True, 0x80, 0xFFC00000),
    ("float8e4m3fnuz", "float4e2m1", True, 0x80, 0x0),
    ("float8e8m0", "float32", True, 0xFF, 0x7FC00000),
    ("float8e8m0", "float8e5m2fnuz", True, 0xFF, 0x80),
    ("float8e5m2", "bfloat16", True, 0xFD, 0xFFC0),
    ("bfloat16", "float8e8m0", True, 0xFF81, 0xFF),
    ("float16", "bfloat16", True, 0x7C01, 0x7FC0),
    ("bfloat16", "float64", True, 0x7F81, 0x7FF8000000000000),
    ("bfloat16", "bfloat16", True, 0xFF81, 0xFF81),
    ("float8e5m2", "float8e5m2", True, 0x7F, 0x7F),
    ("float8e5m2", "float8e5m2", True, 0x7C, 0x7C),
    ("float32", "uint8", True, 0x7FC00000, 0),
    ("float32", "int64", True, 0x7F800000, 0),
    ("float8e4m3fn", "bool", True, 0x7F, 1),
    # Infinities.
    ("float32", "float8e4m3fn", True, 0xFF800000, 0xFE),
    ("float32", "float8e4m3fn", False, 0xFF800000, 0xFF),
    ("float32", "float8e4m3fnuz", True, 0x7F800000, 0x7F),
    ("float32", "float8e5m2", False, 0x7F800000, 0x7C),
    ("float16", "float6e2m3", True, 0xFC00, 0x3F),
    ("float16", "float8e8m0", True, 0x7C00, 0xFE),
    ("float16", "float8e8m0", False, 0x7C00, 0xFF),
    ("float16", "float8e8m0", True, 0xFC00, 0x00),
    ("float32", "float8e5m2fnuz", True, 0x80000000, 0x00),
    ("float32", "float8e5m2", True, 0x80000000, 0x80),
]


def rows():
    for source, target, saturate, round_mode, number, wanted in ANCHORS:
        exact = Value(number < 0, abs(Fraction(number)))
        code = encode(source, exact)
        assert value(source, code) == exact
        yield source, target, (saturate, round_mode), code, wanted
    for source, target, saturate, code, wanted in NANS:
        yield source, target, (saturate, "up"), code, wanted


@pytest.mark.parametrize(("source", "target", "mode", "code", "wanted"), list(rows()))
def test_anchor(source, target, mode, code, wanted):
    assert cast_code(source, target, code, *mode) == wanted
    given = np.array([code], code_type(source))
    got = codes_of(cast(array_of(source, given), target, mode))
    assert_codes(source, target, given, np.array([wanted], code_type(target)), got, f"cast {mode}")
