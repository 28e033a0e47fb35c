"""The comparison itself: a single wrong bit is found."""

import numpy as np
import pytest

from . import harness


def one_wrong_bit(*args):
    codes = harness.cast_codes(*args)
    codes[200] ^= codes.dtype.type(1)
    return codes


@pytest.mark.parametrize(
    ("source", "target"), [("uint8", "float8e5m2"), ("float8e4m3fn", "float64"), ("int8", "int64")]
)
def test_wrong_bit_is_found(monkeypatch, source, target):
    codes = np.arange(256, dtype=np.uint8)
    harness.check(source, target, codes)
    monkeypatch.setattr(harness, "expected_codes", one_wrong_bit)
    with pytest.raises(AssertionError, match=r"1 of 256 differ\n\[200\] 0xc8 -> "):
        harness.check(source, target, codes)


def test_nans_are_one_only_between_numpys_own_floats():
    quiet, other, negative = (
        np.array([code], np.uint32) for code in (0x7FC00000, 0x7F800001, 0xFF800001)
    )
    assert harness.comparable("float16", "float32", other) == quiet
    assert harness.comparable("float64", "float32", negative) == quiet | np.uint32(1 << 31)
    assert harness.comparable("bfloat16", "float32", other) == other
    assert harness.comparable("float32", "float32", other) == other
    infinity = np.array([0xFF800000], np.uint32)
    assert harness.comparable("float16", "float32", infinity) == infinity
