"""Decimals as exact values and back, by whole numbers; nothing here is the package's.

Reading: the text as a fraction, which the oracle encodes. Printing: the shortest decimal is
searched for among all of one digit, of two, and so on, and laid out as Python's `repr` does it.
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np

from oracle import FORMATS, INF, NAN, Float, Integer, Scale, Value, encode, value
from oracle.values import max_key

WHITE_SPACE = " \t\n\v\f\r"


def value_of(text):
    """The exact value that a text of the grammar spells, with its sign."""
    number = Decimal(text.strip(WHITE_SPACE))
    if number.is_nan():
        return Value(number.is_signed(), NAN)
    if number.is_infinite():
        return Value(number.is_signed(), INF)
    return Value(number.is_signed(), Fraction(number.copy_abs()))


def code_of(name, text, mode=(True, "up")):
    """The code of a text in a type."""
    return encode(name, value_of(text), *mode)


def codes_of_texts(name, texts, mode=(True, "up")):
    """The codes of many texts as an array."""
    bits = max(8, FORMATS[name].bits)
    return np.array([code_of(name, text, mode) for text in texts], f"u{bits // 8}")


# --- exact decimals -------------------------------------------------------------------------


def digits_of(x):
    """A whole number and a count of places, such that x is ``digits / 10**places``, exactly.

    For fractions whose denominator is a power of two.
    """
    places = x.denominator.bit_length() - 1
    assert x.denominator == 1 << places
    return x.numerator * 5**places, places


def positional(digits, places):
    """A string of digits with the point so many places from its end."""
    digits = digits.rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def scientific(digits, places):
    return f"{digits}e{-places}"


def around(x, zeros, layout=positional):
    """A little below x, x itself and a little above, all exact.

    Below: one unit less in the last of x's digits and `zeros` more. Above: a digit 1 behind x's
    digits and `zeros` zeros.
    """
    digits, places = digits_of(x)
    below, exact = f"{digits - 1}" + "9" * (zeros + 1), f"{digits}"
    further = places + zeros + 1
    return layout(below, further), layout(exact, places), layout(f"{digits}{'0' * zeros}1", further)


# --- printing -------------------------------------------------------------------------------


def floor_log10(x):
    """The largest e with 10**e <= x."""
    e = len(str(x.numerator)) - len(str(x.denominator))
    return e if Fraction(10) ** e <= x else e - 1


def shortest(name, x):
    """The shortest digits that read back to a positive value of a type, and their exponent.

    Of several with as few digits the nearest to the value, and of two as near the even one, as
    Python's `repr` has it. The exponent is that of the first digit.
    """
    key = encode(name, Value(False, x))
    exponent = floor_log10(x)
    for count in range(1, 18):
        unit = Fraction(10) ** (exponent - count + 1)
        candidates = [
            n for n in (x // unit, x // unit + 1) if encode(name, Value(False, n * unit)) == key
        ]
        if candidates:
            best = str(min(candidates, key=lambda n: (abs(n * unit - x), n % 2)))
            return best.rstrip("0"), exponent + len(best) - count
    raise AssertionError(f"no decimal of 17 digits reads back to {x}")


def layout(digits, exponent):
    """Positional if the exponent is in -4 .. 15, else scientific."""
    if not -4 <= exponent <= 15:
        fraction = f".{digits[1:]}" if digits[1:] else ""
        return f"{digits[0]}{fraction}e{exponent:+03d}"
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole, fraction = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :]
    return f"{whole}.{fraction}" if fraction else whole


def printed_as(name):
    """The type whose shortest decimals a float type is printed with."""
    return "float64" if name == "float64" else "float32"


def text_of(name, code):
    """The text of a code, by the rules."""
    v = value(name, int(code))
    if v.magnitude == NAN:
        return "NaN"
    sign = "-" if v.negative else ""
    if v.magnitude == INF:
        return f"{sign}INF"
    if v.magnitude == 0 or isinstance(FORMATS[name], Integer):
        return f"{sign}{v.magnitude}"
    return sign + layout(*shortest(printed_as(name), v.magnitude))


def largest(name):
    """The largest finite value."""
    fmt = FORMATS[name]
    key = max_key(name) - (isinstance(fmt, Integer) and fmt.signed)
    return value(name, key).magnitude


FLOATS = tuple(name for name, fmt in FORMATS.items() if isinstance(fmt, (Float, Scale)))
