"""What is a number: a sign, digits, a point, an exponent, or a word; and what isn't."""

from itertools import product

import numpy as np
import pytest

import castufunc
from exactness.harness import codes_of
from oracle import OURS, TYPES

from .containers import CONTAINERS, array_of_texts, every_container
from .decimals import WHITE_SPACE, codes_of_texts

GOOD = [
    "0", "-0", "+0", "1", "+1", "-1", "007", "1.", ".1", "-.5", "+5.", "0.0", "1e5", "1E5", "1e+5",
    "1e-5", ".5e1", "5.e1", "-5.E-1", "1e05", "1e+000000000000000000000000000001", "00000.5",
    "1e-0", "0e0", "1e400", "1e-400", "123456789012345678901234567890",
]  # fmt: skip
WORDS = ["inf", "infinity", "nan"]
BAD = [
    # empty and almost empty
    "", " ", "\t\n", ".", "+", "-", "e", "e5", ".e5", "+.", "-e5", "+-1", "--1", "- 1", "1-", "1+",
    # points and exponents
    "1..", "1.2.3", "..5", "1e", "1e+", "1e-", "1e5.", "1e.5", "1e5e5", "1e 5", "1 e5", "1e+-5",
    # other notations
    "1_000", "1,5", "1'000", "0x10", "0x1p3", "0b1", "0o7", "1abc", "abc", "1d3", "1f", "1L", "1j",
    "1%", "$1", "(1)", "1/2", "1 2", "½", "²", "1e²", "#1",
    # other words
    "i", "in", "infi", "infinit", "infinityy", "infinite", "na", "nann", "nan(1)", "nan1", "+-inf",
    "inf inf", "NaN%", "1.#INF", "1.#QNAN", "snan", "qnan", "none", "null", "True", "False",
    "\u0131nf", "\u0130nf", "\u0131NFINITY", "∞", "ﬁ", "i\x00nf",
    # digits and white space beyond ASCII
    "٣", "\uff11", "१", "\U0001d7cf", "1٣", "1e٣", "\u00a01", "1\u2003", "\u30001",
    "\ufeff1", "\u22121", "1\u200b",
    # bytes that are no ASCII white space, which Python's strip takes for it
    "1\x1c", "\x1d1", "\x1e1", "1\x1f", "\x851", "1\x00" + "2", "\x001", "1\x7f", "\x1b1", "1\b",
    # halves of a character
    "\ud800", "1\udc80", "\udfff1", "\ud83d\ude00",
]  # fmt: skip


def has_surrogate(text):
    return any(0xD800 <= ord(c) <= 0xDFFF for c in text)


def can_hold(container, text):
    if container == "S":
        return text.isascii()
    return not (container == "StringDType" and has_surrogate(text))


@every_container
@pytest.mark.parametrize("name", TYPES)
def test_numbers(name, container):
    got = castufunc.cast(array_of_texts(container, GOOD), name)
    assert codes_of(got).tolist() == codes_of_texts(name, GOOD).tolist()


def spellings(word):
    """Every mixture of upper and lower case of the first four letters."""
    for cases in product((str.lower, str.upper), repeat=min(4, len(word))):
        head = "".join(case(letter) for case, letter in zip(cases, word, strict=False))
        yield head + word[4:]
        yield head + word[4:].upper()


@every_container
@pytest.mark.parametrize("name", TYPES)
def test_words(name, container):
    texts = [sign + s for word in WORDS for s in spellings(word) for sign in ("", "+", "-")]
    for mode in (True, "up"), (False, "nearest"):
        saturate, round_mode = mode
        got = castufunc.cast(
            array_of_texts(container, texts), name, saturate=saturate, round_mode=round_mode
        )
        assert codes_of(got).tolist() == codes_of_texts(name, texts, mode).tolist()


@every_container
def test_white_space_around_is_ignored(container):
    texts = [before + text + after
             for before in ["", *WHITE_SPACE, WHITE_SPACE * 3]
             for after in ["", *WHITE_SPACE, WHITE_SPACE * 50]
             for text in ["1.5", "-inf", "+2e0"]]  # fmt: skip
    for name in "float32", "int8", "float8e5m2":
        got = castufunc.cast(array_of_texts(container, texts), name)
        assert codes_of(got).tolist() == codes_of_texts(name, texts).tolist()


@every_container
@pytest.mark.parametrize("name", ["float64", "float16", "bool", "int64", "uint8", *OURS])
def test_anything_else_is_refused(name, container):
    for text in BAD:
        if not can_hold(container, text):
            continue
        texts = array_of_texts(container, ["1", "2", text])
        with pytest.raises(ValueError, match=f"cannot read .* as {name}, at index 2"):
            castufunc.cast(texts, name)
        if name in OURS and container != "object":
            with pytest.raises(ValueError, match=f"cannot read .* as {name}"):
                texts.astype(getattr(castufunc, name))


def test_every_byte_beside_a_number():
    """In front, behind and between: which bytes may stand there."""
    texts = {f"{a}{chr(c)}{b}" for c in range(1, 128) for a in ("", "1", "1.") for b in ("", "5")}
    for text in sorted(texts):
        try:
            float(text.strip(WHITE_SPACE))
            # Python's float takes underscores, and more for white space.
            good = "_" not in text and not set(text) & set("\x1c\x1d\x1e\x1f")
        except ValueError:
            good = False
        for container in CONTAINERS:
            try:
                castufunc.cast(array_of_texts(container, [text]), "float32")
                taken = True
            except ValueError:
                taken = False
            assert taken == good, (text, container)


@pytest.mark.parametrize("container", ["U", "S"])
def test_fixed_width_texts_end_before_their_zeros(container):
    """NumPy's U and S cannot tell them from padding. In a str or a StringDType they are read."""
    got = castufunc.cast(array_of_texts(container, ["1\0\0", "25"]), "int8")
    assert got.tolist() == [1, 25]
    for other in "object", "StringDType":
        with pytest.raises(ValueError, match=r"cannot read '1\\x00' as int8, at index 0"):
            castufunc.cast(array_of_texts(other, ["1\0", "25"]), "int8")


def test_empty_fixed_width_texts():
    for empty in np.zeros(2, "U3"), np.zeros(2, "S3"), np.zeros(2, "U0"), np.zeros(2, "S0"):
        with pytest.raises(ValueError, match=r"cannot read b?'' as float32, at index 0"):
            castufunc.cast(empty, "float32")
