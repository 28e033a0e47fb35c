"""Arrays of over a million elements, the same codes over and over; no block divides the length."""

import numpy as np
import pytest

from oracle import modes
from oracle.samples import mixed_codes

from .harness import array_of, assert_codes, cast, codes_of, expected_codes

PAIRS = [
    ("float32", "float8e4m3fn"),
    ("float32", "float8e8m0"),
    ("float32", "bfloat16"),
    ("float64", "float8e5m2fnuz"),
    ("int64", "float6e3m2"),
    ("float16", "float8e4m3fnuz"),
    ("bfloat16", "float4e2m1"),
    ("float8e5m2", "float32"),
    ("float8e4m3fn", "float8e5m2"),
    ("float4e2m1", "float16"),
    ("uint64", "float32"),
    ("float32", "int64"),
    ("uint8", "int2"),
]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_big_array(source, target):
    size = 1_000_003
    some = mixed_codes(source, target, 997)
    codes = np.resize(some, size)
    for mode in modes(target):
        expected = np.resize(expected_codes(source, target, some, mode), size)
        got = codes_of(cast(array_of(source, codes), target, mode))
        assert_codes(source, target, codes, expected, got, f"cast {mode}")
