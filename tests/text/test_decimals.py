"""The decimals that the other tests compare with, against Python's floats and known decimals."""

import struct
from fractions import Fraction

import numpy as np
import pytest

from oracle import INF, NAN, Value, encode
from oracle.samples import generator

from .decimals import around, code_of, digits_of, layout, positional, scientific, text_of, value_of


def test_values():
    assert value_of(" -1.5e1\t") == Value(True, Fraction(15))
    assert value_of("-0") == Value(True, Fraction(0))
    assert value_of(".5") == value_of("5.e-1") == Value(False, Fraction(1, 2))
    assert value_of("-inf") == Value(True, INF)
    assert value_of("nan") == Value(False, NAN)
    assert value_of("9" * 5000).magnitude == Fraction(10**5000 - 1)


def test_exact_decimals():
    assert digits_of(Fraction(3, 8)) == (375, 3)
    assert positional("375", 3) == "0.375"
    assert scientific("375", 3) == "375e-3"
    assert around(Fraction(3, 8), 2) == ("0.374999", "0.375", "0.375001")
    assert around(Fraction(7), 0) == ("6.9", "7", "7.1")
    for x in Fraction(1, 1 << 149), Fraction(3, 2) * Fraction(2) ** 100:
        for write in positional, scientific:
            below, exact, above = (value_of(text).magnitude for text in around(x, 300, write))
            assert below < x == exact < above
            assert above - below < x / 10**290


def float64(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def test_reading_and_printing_float64_as_python_does():
    """Python's two conversions are exact too."""
    codes = generator("repr").integers(0, 1 << 64, 1000, np.uint64)
    numbers = [x for x in codes.view(np.float64).tolist() if abs(x) < np.inf]
    numbers += [5e-324, 2.0**-1022, 1.7976931348623157e308, 1e15, 1e16, 1e-4, 1e-5, 123456.0, 0.1]
    for number in numbers:
        text = repr(number).removesuffix(".0")
        assert text_of("float64", float64(number)) == text
        assert code_of("float64", text) == float64(number)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (2.0**-149, "1e-45"),
        (16777216.0, "16777216"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (3.4028235e38, "3.4028235e+38"),
        (4194303.75, "4194303.8"),  # as near as .7
        # The shortest decimals of 2^-44 and 2^-103 lie above them, in the wider half of what
        # rounds to the power; Steele and White, and Ryu (Adams, PLDI 2018), tell of the case.
        (2.0**-44, "5.684342e-14"),
        (2.0**-103, "9.8607613e-32"),
    ],
)
def test_printing_float32(number, text):
    code = struct.unpack("<I", struct.pack("<f", number))[0]
    assert text_of("float32", code) == text
    assert encode("float32", value_of(text)) == code


def test_layout():
    assert layout("15", 0) == "1.5"
    assert layout("15", -1) == "0.15"
    assert layout("15", 3) == "1500"
    assert layout("15", 16) == "1.5e+16"
    assert layout("1", -5) == "1e-05"
    assert layout("1", 100) == "1e+100"
