"""Digits and exponents of any length: judged exactly, in time and memory of the text's length."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import castufunc
from exactness.harness import codes_of
from oracle import FORMATS, TYPES, Integer, Value, encode, modes

from .containers import CONTAINERS, array_of_texts, every_container
from .decimals import codes_of_texts

MANY = 10_000
ZEROS = 100_000

ONES = [
    "0." + "0" * ZEROS + "1e" + str(ZEROS + 1),
    "0" * ZEROS + "1",
    "0" * ZEROS + "." + "0" * ZEROS + "1e" + str(ZEROS + 1),
    "1" + "0" * ZEROS + "e-" + str(ZEROS),
    "1." + "0" * ZEROS,
    "1" + "0" * ZEROS + "." + "0" * ZEROS + "e-" + str(ZEROS),
    "1e" + "0" * ZEROS,
    "1e-" + "0" * ZEROS,
    "0.001e" + "0" * ZEROS + "3",
]


def each(name, texts, mode=(True, "up")):
    saturate, round_mode = mode
    got = castufunc.cast(np.array(texts, object), name, saturate=saturate, round_mode=round_mode)
    return codes_of(got).tolist()


@pytest.mark.parametrize("name", TYPES)
def test_many_digits(name):
    texts = ["9" * MANY, "-" + "7" * MANY, "0." + "3" * MANY, "1." + "6" * MANY]
    texts += ["1" * MANY + "e-" + str(MANY - 2), "123456789" * 1111 + ".5"]
    texts += ["-2." + "4" * MANY + "e1"]
    assert each(name, texts) == codes_of_texts(name, texts).tolist()


@pytest.mark.parametrize("name", TYPES)
def test_one_written_at_length(name):
    expected = codes_of_texts(name, ["1"]).tolist()
    assert each(name, ONES) == expected * len(ONES)


@every_container
def test_one_written_at_length_in_containers(container):
    """U takes four bytes a character, so a shorter one will do."""
    texts = ["0." + "0" * 9000 + "15e9001", "-1" + "0" * 9000 + "e-9000"]
    got = castufunc.cast(array_of_texts(container, texts), "float8e5m2")
    assert got.tolist() == [1.5, -1.0]


HUGE = ["400", "99999", "999999999", "2147483648", "4294967297", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551617", "9" * 50,
        "9" * 5000, "1" + "0" * 5000]  # fmt: skip


def far(name, mode, negative, exponent_sign):
    """The code of a number other than zero with an exponent beyond all bounds."""
    fmt = FORMATS[name]
    if isinstance(fmt, Integer) and name != "bool":
        return 0
    magnitude = Fraction(10) ** (2000 if exponent_sign != "-" else -2000)
    return encode(name, Value(negative, magnitude), *mode)


@pytest.mark.parametrize("name", TYPES)
def test_huge_exponents(name):
    """Of every size that some integer type just does or does not hold."""
    for mode in modes(name):
        for negative, sign in [(False, ""), (False, "+"), (False, "-"), (True, ""), (True, "-")]:
            for digits in "1", "0.001", "123456.789", "9" * 30:
                texts = [f"{'-' * negative}{digits}e{sign}{exponent}" for exponent in HUGE]
                assert each(name, texts, mode) == [far(name, mode, negative, sign)] * len(texts)


@pytest.mark.parametrize("name", TYPES)
def test_zero_times_anything_is_zero(name):
    texts = [
        f"{zero}e{sign}{exponent}"
        for zero in ("0", "0.000", "0" * 50, ".0")
        for sign in ("", "-")
        for exponent in HUGE
    ]
    for mode in modes(name):
        expected = encode(name, Value(False, Fraction(0)), *mode)
        assert each(name, texts, mode) == [expected] * len(texts)
        negative = encode(name, Value(True, Fraction(0)), *mode)
        assert each(name, ["-" + text for text in texts], mode) == [negative] * len(texts)


def test_exponents_and_digits_that_balance():
    """Each half is out of every range; together they are not."""
    texts = [f"{'7' * n}{'0' * 2000}e-{n + 1999}" for n in (1, 10, 400, 3000)]
    texts += [f"0.{'0' * 3000}{'7' * n}e3001" for n in (1, 10, 400, 3000)]
    for name in "float64", "float32", "float16", "bfloat16", "float8e4m3fn", "int64", "uint4":
        assert each(name, texts) == codes_of_texts(name, texts).tolist()


def test_far_digits_decide_a_tie():
    """Half of float16's smallest number, and the tie between 1 and its neighbour above."""
    for tie, below, above in [("1.00048828125", 0x3C00, 0x3C01),
                              ("2.98023223876953125e-8", 0x0000, 0x0001)]:  # fmt: skip
        digits, _, exponent = tie.partition("e")
        exponent = f"e{exponent}" if exponent else ""
        texts = [tie, f"{digits}{'0' * MANY}{exponent}", f"{digits}{'0' * MANY}1{exponent}",
                 f"{digits[:-1]}{int(digits[-1]) - 1}{'9' * MANY}{exponent}"]  # fmt: skip
        assert each("float16", texts) == [below, below, above, below]


@pytest.mark.parametrize("name", ["float64", "bfloat16", "float8e8m0", "int4", "bool"])
def test_memory(name):
    """An exponent costs none, however large the number is that it stands for."""
    texts = [
        np.array([text], container)
        for container in ("U", "S", object)
        for text in ("1e999999999999", "1e-999999999999", "1" * 200 + "e99999999")
    ]
    castufunc.cast(texts[0], name)
    tracemalloc.start()
    for text in texts:
        castufunc.cast(text, name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16_000


def test_time_is_in_proportion_to_the_length():
    """A megabyte of digits, whose square would take minutes."""
    n = 1_000_000
    texts = ["1" * n, "1." + "3" * n, "0." + "0" * n + "1", "9" * n + f"e-{n}"]
    for name in TYPES:
        castufunc.cast(np.array(texts, object), name)
    assert castufunc.cast(np.array(texts[1:2], object), "float16").item() == np.float16(4 / 3)


def test_refused_at_the_far_end():
    for container in CONTAINERS:
        texts = array_of_texts(container, ["1", "1" * MANY + "x"])
        for name in "float32", "int8", "float8e5m2":
            with pytest.raises(ValueError, match=r"cannot read b?'1{40}'\.\.\. as .*, at index 1"):
                castufunc.cast(texts, name)
