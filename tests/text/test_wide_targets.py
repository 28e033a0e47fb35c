"""Text to float32 and float64: boundaries as exact decimals and beside them, and both ends."""

from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

import castufunc
from exactness.harness import codes_of
from oracle import FORMATS
from oracle.samples import generator, thresholds
from oracle.values import magnitude, max_key

from .decimals import around, code_of, positional, scientific, value_of
from .reading import check

WIDE = ["float32", "float64"]
wide = pytest.mark.parametrize("name", WIDE)


def midpoints(name, count):
    """Halfway between two random neighbours, and where subnormals are."""
    rng = generator("midpoints", name)
    top = max_key(name)
    subnormal = 1 << FORMATS[name].mantissa
    keys = {*map(int, rng.integers(0, top, count)), *map(int, rng.integers(0, subnormal, count))}
    keys |= {0, 1, 2, subnormal - 1, subnormal, top - 1}
    return [(magnitude(name, key) + magnitude(name, key + 1)) / 2 for key in sorted(keys)]


@pytest.mark.parametrize("zeros", [0, 40, 700])
@wide
def test_midpoints(name, zeros, amount):
    points = midpoints(name, amount(60, 3000))
    texts = chain.from_iterable(
        around(x, zeros, (positional, scientific)[i % 2]) for i, x in enumerate(points)
    )
    check(name, ["-" * (i % 2) + text for i, text in enumerate(texts)])


@wide
def test_values_and_midpoints_over_the_whole_range(name):
    check(name, [text for x in thresholds(name)[::4] for text in around(x, 30, scientific)])


@wide
def test_random_decimals(name, amount):
    """Up to 40 digits; exponents over the whole range and beyond it."""
    rng = generator("decimals", name)
    ends = {"float32": (-60, 50), "float64": (-350, 320)}[name]
    texts = []
    for _ in range(amount(2000, 100_000)):
        digits = "".join(map(str, rng.integers(0, 10, rng.integers(1, 40))))
        places = int(rng.integers(0, len(digits) + 1))
        exponent = int(rng.integers(*ends))
        texts.append(f"{digits[:places]}.{digits[places:]}e{exponent:+d}")
    check(name, texts)
    if name == "float64":
        # Python's own reading is exact as well.
        got = castufunc.cast(np.array(texts, object), name)
        assert got.tolist() == [float(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1.7976931348623157e308", 0x7FEFFFFFFFFFFFFF),
        ("1.7976931348623158e308", 0x7FEFFFFFFFFFFFFF),
        ("1.7976931348623159e308", 0x7FF0000000000000),
        (str(2**1024 - 2**970 - 1), 0x7FEFFFFFFFFFFFFF),
        (str(2**1024 - 2**970), 0x7FF0000000000000),
        (str(2**1024 - 2**970) + "." + "0" * 500 + "1", 0x7FF0000000000000),
        (str(2**1024), 0x7FF0000000000000),
        ("1e400", 0x7FF0000000000000),
        ("-1e400", 0xFFF0000000000000),
        ("1e-400", 0),
        ("-1e-400", 0x8000000000000000),
        ("5e-324", 1),
        ("2.4703282292062327e-324", 0),
        ("2.4703282292062328e-324", 1),
        ("2.2250738585072014e-308", 0x0010000000000000),
        ("2.2250738585072011e-308", 0x000FFFFFFFFFFFFF),  # once an endless loop in PHP and Java
        ("9007199254740993", 0x4340000000000000),
        ("9007199254740993.0000000000000000000000000000001", 0x4340000000000001),
    ],
)  # fmt: skip
def test_known_float64(text, code):
    assert codes_of(castufunc.cast([text], "float64")).tolist() == [code]
    assert code_of("float64", text) == code


def test_ends_of_float64():
    """Half the smallest subnormal is a tie that goes to zero; half as much again, one to two."""
    tiny = Fraction(2) ** -1074
    for zeros in 0, 1, 30, 400:
        texts = around(tiny / 2, zeros)
        got = codes_of(castufunc.cast(np.array([*texts, f"-{texts[2]}"], object), "float64"))
        assert got.tolist() == [0, 0, 1, 1 | 1 << 63]
        got = codes_of(castufunc.cast(np.array(around(3 * tiny / 2, zeros), object), "float64"))
        assert got.tolist() == [1, 2, 2]
        over = around(Fraction(2) ** 1024 - Fraction(2) ** 970, zeros)
        got = codes_of(castufunc.cast(np.array(over, object), "float64"))
        assert got.tolist() == [(0x7FF << 52) - 1, 0x7FF << 52, 0x7FF << 52]


def test_ends_of_float32():
    tiny = Fraction(2) ** -149
    for zeros in 0, 1, 30, 400:
        got = codes_of(castufunc.cast(np.array(around(tiny / 2, zeros), object), "float32"))
        assert got.tolist() == [0, 0, 1]
        over = around(Fraction(2) ** 128 - Fraction(2) ** 103, zeros)
        got = codes_of(castufunc.cast(np.array(over, object), "float32"))
        assert got.tolist() == [0x7F7FFFFF, 0x7F800000, 0x7F800000]


def test_float32_is_not_rounded_twice():
    """The float64 nearest to each of these is a midpoint of two float32."""
    for text in "1.00000005960464477539062500000001", "0.9999999701976776123046874999999999":
        assert value_of(text).magnitude != Fraction(float(text))
        check("float32", [text])
