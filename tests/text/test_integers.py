"""Text to integers and bool: cut off at the point, wrapped; by Python's integers."""

from fractions import Fraction

import numpy as np
import pytest

import castufunc
from exactness.harness import codes_of
from oracle import FORMATS, TYPES, Integer
from oracle.samples import generator

from .containers import CONTAINERS, array_of_texts, every_container
from .decimals import codes_of_texts
from .reading import check

INTEGERS = [name for name in TYPES if isinstance(FORMATS[name], Integer) and name != "bool"]
each_integer = pytest.mark.parametrize("name", INTEGERS)


@each_integer
def test_about_the_powers_of_two(name):
    numbers = [2**e + d for e in [*range(70), 127, 128, 255, 1000] for d in (-1, 0, 1)]
    check(name, [f"{sign}{n}" for n in numbers for sign in ("", "-", "+")])


@each_integer
def test_random_decimals(name, amount):
    """Up to 80 digits; a point anywhere and exponents that move it anywhere."""
    rng = generator("integers", name)
    texts = []
    for _ in range(amount(1500, 50_000)):
        digits = "".join(map(str, rng.integers(0, 10, rng.integers(1, 80))))
        places = int(rng.integers(0, len(digits) + 1))
        exponent = f"e{rng.integers(-90, 90)}" if rng.random() < 0.7 else ""
        texts.append(f"{rng.choice(['', '-', '+'])}{digits[:places]}.{digits[places:]}{exponent}")
    check(name, texts)


@each_integer
def test_powers_of_ten(name):
    """10^k is a multiple of 2^k."""
    texts = [f"{n}e{k}" for k in range(200) for n in ("1", "-3", "18446744073709551617", "0.7")]
    check(name, texts + [f"12345{'0' * k}e-{k}" for k in range(0, 200, 7)])


@each_integer
def test_fractions_are_cut_off(name):
    texts = ["2.718", "-2.718", "0.999999999999999999999", "-0.5", "1.5e0", "15e-1", "-129.99"]
    texts += [
        "3.",
        ".9",
        "255.99999999999999999",
        "123456789e-5",
        "-9.0000000000000000000001e0",
        "-0",
    ]
    check(name, texts)
    whole = castufunc.cast(["2.718", "-2.718", "0.9", "-0.9"], name)
    assert (whole == castufunc.cast(np.array([2, -2, 0, 0]), name)).all()


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        ("uint16", "-3", 65533),
        ("int64", "18446744073709551615", -1),
        ("int64", "9223372036854775808", -(2**63)),
        ("uint64", "18446744073709551616", 0),
        ("uint64", "-1", 2**64 - 1),
        ("int16", "1e3", 1000),
        ("int8", "2.718", 2),
        ("int32", "1e400", 0),
        ("int64", "-1e400", 0),
        ("uint8", "1e-400", 0),
        ("int4", "200", -8),
        ("int2", "3", -1),
        ("uint2", "-5", 3),
        ("uint4", "3.9e1", 7),
        ("int64", "1e18", 10**18),
        ("int64", "1e19", 10**19 - 2**64),
    ],
)
def test_known_numbers(name, text, number):
    assert castufunc.cast([text], name).item() == number


@every_container
@each_integer
def test_infinity_and_nan_are_0(name, container):
    texts = array_of_texts(container, ["inf", "-INF", "+Infinity", "nan", "-NaN", "7"])
    got = castufunc.cast(texts, name)
    assert got.tolist() == [0] * 5 + castufunc.cast([7], name).tolist()


@every_container
def test_bool(container):
    """False for zero only, however small the number is."""
    zeros = ["0", "-0", "+0.000", "0e5", "0e-999999999999999999999", "0.0E400", "-.0", "0.", "00"]
    others = ["1", "-1", "0.5", "1e-400", "-1e-99999", "nan", "-nan", "inf", "-inf", "2", "0.001"]
    others += ["0." + "0" * 3000 + "1", "1e400", "1e-18446744073709551617"]
    others += ["1e18446744073709551617"]
    got = castufunc.cast(array_of_texts(container, zeros + others), "bool")
    assert got.tolist() == [False] * len(zeros) + [True] * len(others)
    # The byte itself: another than 0 and 1 reads as True too.
    assert set(codes_of(got).tolist()) == {0, 1}


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2"])
@pytest.mark.parametrize("container", [c for c in CONTAINERS if c != "object"])
def test_astype(name, container):
    numbers = [*range(-70, 70), 10**30 + 5, -(10**25) + 3]
    got = array_of_texts(container, [str(n) for n in numbers]).astype(getattr(castufunc, name))
    expected = codes_of_texts(name, [str(n) for n in numbers])
    assert codes_of(got).tolist() == expected.tolist()
    assert all(Fraction(x) == x for x in got.tolist())
