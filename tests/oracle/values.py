"""Codes to exact values and back, one element at a time, with fractions.

This half of the oracle is meant to be checked by reading it beside the standards; `steps` and
`wide` are fast and are tested against it.
"""

from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from .formats import FORMATS, Float, Integer, Scale

INF = "inf"
NAN = "nan"


class Value(NamedTuple):
    """A sign and an exact magnitude, or INF or NAN in place of the magnitude."""

    negative: bool
    magnitude: Fraction | str


def power_of_two(exponent):
    return Fraction(2) ** exponent


def floor_log2(x):
    """The largest e with 2**e <= x."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if power_of_two(e) <= x else e - 1


def canonical(name, code):
    """The code with unused high bits cleared; bool as 0 or 1."""
    return int(code != 0) if name == "bool" else code & ((1 << FORMATS[name].bits) - 1)


def sign_bit(name):
    return 1 << (FORMATS[name].bits - 1)


def inf_key(fmt):
    """The code of +inf, for IEEE style types."""
    return ((1 << fmt.exponent) - 1) << fmt.mantissa


def max_key(name):
    """The largest key of a finite value.

    A key is a code without the sign (of an integer, the magnitude): in order of magnitude.
    """
    fmt = FORMATS[name]
    match fmt:
        case Integer():
            return 1 if name == "bool" else (1 << fmt.bits - fmt.signed) - (not fmt.signed)
        case Scale():
            return (1 << fmt.bits) - 2
        case Float(specials="ieee"):
            return inf_key(fmt) - 1
        case Float(specials="fn"):
            return sign_bit(name) - 2
    return sign_bit(name) - 1


def magnitude(name, key):
    """The exact magnitude of a key (integers: the key itself)."""
    fmt = FORMATS[name]
    match fmt:
        case Integer():
            return Fraction(key)
        case Scale():
            return power_of_two(key - fmt.bias)
    field, fraction = divmod(key, 1 << fmt.mantissa)
    if field == 0:
        return fraction * power_of_two(1 - fmt.bias - fmt.mantissa)
    return (fraction + (1 << fmt.mantissa)) * power_of_two(field - fmt.bias - fmt.mantissa)


def value(name, code):
    """The exact value of a code."""
    fmt = FORMATS[name]
    code = canonical(name, code)
    if isinstance(fmt, Integer):
        negative = fmt.signed and code >= sign_bit(name)
        return Value(negative, Fraction((1 << fmt.bits) - code if negative else code))
    if isinstance(fmt, Scale):
        return Value(False, NAN if code > max_key(name) else magnitude(name, code))
    if fmt.specials == "fnuz" and code == sign_bit(name):
        return Value(True, NAN)
    negative = code >= sign_bit(name)
    key = code & (sign_bit(name) - 1)
    if key <= max_key(name):
        return Value(negative, magnitude(name, key))
    return Value(negative, INF if fmt.specials == "ieee" and key == inf_key(fmt) else NAN)


def nan_code(name, negative):
    """What NaN becomes."""
    fmt = FORMATS[name]
    match fmt:
        case Integer():
            return int(name == "bool")
        case Scale():
            return max_key(name) + 1
        case Float(specials="fnuz"):
            return sign_bit(name)
        case Float(specials="finite"):  # a zero of the other sign: ONNX's test data
            return 0 if negative else sign_bit(name)
        case Float(specials="fn"):
            key = max_key(name) + 1
        case _:  # quiet, no payload
            key = inf_key(fmt) | 1 << (fmt.mantissa - 1)
    return key | (sign_bit(name) if negative else 0)


def overflow_code(name, negative, saturate):
    """What a float or scale target gives for a value above its range, and for infinity."""
    fmt = FORMATS[name]
    if isinstance(fmt, Scale):
        if not saturate:
            return nan_code(name, negative)
        return 0 if negative else max_key(name)
    if fmt.overflow == "max" or (fmt.overflow == "choice" and saturate):
        return signed(name, negative, max_key(name))
    return (
        signed(name, negative, inf_key(fmt)) if fmt.specials == "ieee" else nan_code(name, negative)
    )


def signed(name, negative, key):
    """A float key with its sign; "fnuz" has no -0."""
    if not negative or (key == 0 and FORMATS[name].specials == "fnuz"):
        return key
    return key | sign_bit(name)


def round_magnitude(fmt, x):
    """The key of x rounded to nearest, ties to even, as if the exponent had no upper end.

    ``round`` of a Fraction is to even. A fraction that rounds up to the next power of two carries
    into the exponent.
    """
    if x == 0:
        return 0
    exponent = max(floor_log2(x), 1 - fmt.bias)
    fraction = round(x / power_of_two(exponent - fmt.mantissa))
    return fraction + ((exponent - 1 + fmt.bias) << fmt.mantissa)


def encode_integer(name, v):
    """Truncate toward zero, then keep the low bits of the exact integer."""
    if v.magnitude in (INF, NAN):
        return 0
    integer = floor(v.magnitude)
    return (-integer if v.negative else integer) % (1 << FORMATS[name].bits)


def encode_scale(name, v, saturate, round_mode):
    """Powers of two; what is out of range is judged before rounding."""
    fmt = FORMATS[name]
    smallest, largest = power_of_two(-fmt.bias), power_of_two(max_key(name) - fmt.bias)
    if v.magnitude == NAN:
        return nan_code(name, v.negative)
    if v.magnitude == INF or v.magnitude > largest:
        return overflow_code(name, v.negative, saturate)
    if v.negative or v.magnitude < smallest:
        return 0 if saturate else nan_code(name, v.negative)
    exponent = floor_log2(v.magnitude)
    ratio = v.magnitude / power_of_two(exponent)
    above = {"up": ratio > 1, "down": False, "nearest": ratio >= Fraction(3, 2)}[round_mode]
    return exponent + above + fmt.bias


def encode(name, v, saturate=True, round_mode="up"):
    """The code of an exact value."""
    fmt = FORMATS[name]
    if name == "bool":
        return int(v.magnitude != 0)
    if isinstance(fmt, Integer):
        return encode_integer(name, v)
    if isinstance(fmt, Scale):
        return encode_scale(name, v, saturate, round_mode)
    if v.magnitude == NAN:
        return nan_code(name, v.negative)
    key = None if v.magnitude == INF else round_magnitude(fmt, v.magnitude)
    if key is None or key > max_key(name):
        return overflow_code(name, v.negative, saturate)
    return signed(name, v.negative, key)


def cast_code(source, target, code, saturate=True, round_mode="up"):
    """What a code of one type becomes in another; the same type copies it."""
    code = canonical(source, code)
    return code if source == target else encode(target, value(source, code), saturate, round_mode)


def first_key(name, threshold, inclusive=True):
    """The smallest key whose magnitude is at or above (inclusive) or above a positive threshold.

    May lie past ``max_key``: then no finite value reaches the threshold.
    """
    fmt = FORMATS[name]
    round_up = ceil if inclusive else lambda x: floor(x) + 1
    match fmt:
        case Integer():
            return round_up(threshold)
        case Scale():
            exponent = max(floor_log2(threshold), -fmt.bias)
            return exponent + fmt.bias + round_up(threshold / power_of_two(exponent)) - 1
    exponent = max(floor_log2(threshold), 1 - fmt.bias)
    return round_up(threshold / power_of_two(exponent - fmt.mantissa)) + (
        (exponent - 1 + fmt.bias) << fmt.mantissa
    )
