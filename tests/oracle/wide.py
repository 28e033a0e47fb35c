"""Whole arrays to integers, and to the float types that are too wide for a list of their values.

Integer arithmetic only, so the processor's float mode can't matter: a finite element is significand
* 2**exponent with an unsigned 64-bit significand. NumPy defines shifts by 64 and more to give 0.
"""

import numpy as np

from .arrays import code_type, split
from .formats import FORMATS, Float, Scale
from .values import inf_key, max_key, nan_code, sign_bit


def significands(name, key):
    """Keys as significands and exponents."""
    fmt = FORMATS[name]
    if isinstance(fmt, Scale):
        return np.ones_like(key), key.astype(np.int64) - fmt.bias
    if not isinstance(fmt, Float):
        return key, np.zeros(key.shape, np.int64)
    field = (key >> np.uint64(fmt.mantissa)).astype(np.int64)
    fraction = key & np.uint64((1 << fmt.mantissa) - 1)
    hidden = (field > 0).astype(np.uint64) << np.uint64(fmt.mantissa)
    return fraction + hidden, np.maximum(field, 1) - fmt.bias - fmt.mantissa


def shift_left(x, count):
    """x * 2**count toward zero, modulo 2**64; count of either sign."""
    left, right = np.maximum(count, 0).astype(np.uint64), np.maximum(-count, 0).astype(np.uint64)
    return (x << left) >> right


def bit_length(x):
    length = np.zeros(x.shape, np.int64)
    for step in (32, 16, 8, 4, 2, 1):
        long = x >= np.uint64(1 << step)
        length += step * long
        x = np.where(long, x >> np.uint64(step), x)
    return length + (x > 0)


def cast_to_integer(source, target, codes):
    """Toward zero, modulo two to the width."""
    negative, key, nan, inf = split(source, codes)
    integer = shift_left(*significands(source, key))
    integer = np.where(negative, np.uint64(0) - integer, integer)
    integer[nan | inf] = 0
    return (integer & np.uint64((1 << FORMATS[target].bits) - 1)).astype(code_type(target))


def cast_to_bool(source, codes):
    _, key, nan, _ = split(source, codes)
    zero = (key == 0) & ~nan & (not isinstance(FORMATS[source], Scale))
    return (~zero).astype(np.uint8)


def cast_to_wide_float(source, target, codes):
    """Round to nearest, ties to even; too large is infinity."""
    fmt = FORMATS[target]
    negative, key, nan, inf = split(source, codes)
    significand, exponent = significands(source, key)
    # The exponent of the target's last bit, and what lies below it.
    exponent = np.where(significand == 0, -fmt.bias, exponent)
    last = np.maximum(bit_length(significand) - 1 + exponent, 1 - fmt.bias) - fmt.mantissa
    kept = shift_left(significand, exponent - last)
    below = np.clip(last - exponent, 0, 64)
    rest = significand & (shift_left(np.uint64(1), below) - np.uint64(1))
    half = np.where(below > 0, shift_left(np.uint64(1), below - 1), np.uint64(0))
    odd = (kept & np.uint64(1)).astype(bool)
    up = (below > 0) & (last - exponent <= 64) & ((rest > half) | ((rest == half) & odd))
    rounded = (
        kept
        + up
        + ((last + fmt.mantissa - 1 + fmt.bias).astype(np.uint64) << np.uint64(fmt.mantissa))
    )
    rounded[inf | (rounded > max_key(target))] = inf_key(fmt)
    rounded[nan] = nan_code(target, False)
    return (
        rounded | negative.astype(np.uint64) << np.uint64(sign_bit(target).bit_length() - 1)
    ).astype(code_type(target))
