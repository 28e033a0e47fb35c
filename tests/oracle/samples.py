"""Codes worth trying, for a source and a target: where the result changes, and random ones.

Everything is a function of the names and a count: two runs, or two processes, try the same codes.
"""

from fractions import Fraction
from functools import cache
from zlib import crc32

import numpy as np

from .arrays import canonical_codes, code_type, join
from .formats import FORMATS, ROUND_MODES, Float, Integer, Scale
from .steps import steps
from .values import first_key, floor_log2, inf_key, magnitude, max_key, sign_bit


def generator(*names):
    return np.random.default_rng(crc32(" ".join(names).encode()))


def all_codes(name):
    """Every code of a type of up to 16 bits; bool as 0 and 1."""
    return np.arange(2 if name == "bool" else 1 << FORMATS[name].bits, dtype=code_type(name))


@cache
def thresholds(target):
    """Magnitudes at which the result changes: all for floats of up to 16 bits, else a choice."""
    fmt = FORMATS[target]
    if isinstance(fmt, Integer):
        return _integer_thresholds(fmt)
    if fmt.bits <= 16:
        modes = ROUND_MODES if isinstance(fmt, Scale) else ROUND_MODES[:1]
        return sorted({step.threshold for mode in modes for step in steps(target, mode)})
    return _wide_float_thresholds(target)


def _integer_thresholds(fmt):
    """Small numbers and powers of two beyond the widest integer, halves and wholes beside them."""
    wholes = {*range(20)} | {(1 << n) + d for n in range(2, 68) for d in (-1, 0, 1)}
    return sorted(
        {Fraction(2 * n + half, 2) for n in wholes for half in (-1, 0, 1) if 2 * n + half > 0}
    )


def _wide_float_thresholds(target, count=400):
    """Values and midpoints: at both ends of the range, about the powers of two, and at random."""
    fmt = FORMATS[target]
    top = max_key(target)
    chosen = {1, 2, 3, top - 1, top}
    chosen.update(
        p + d
        for field in range(1, 1 << fmt.exponent, 7)
        if 2 < (p := field << fmt.mantissa) < top
        for d in (-1, 0, 1)
    )
    # Half of them where the integers are, so that integer sources meet ties.
    low, high = first_key(target, Fraction(1 << fmt.mantissa)), first_key(target, Fraction(1 << 64))
    rng = generator("thresholds", target)
    chosen.update(
        map(int, rng.integers(low, high, count // 2)), map(int, rng.integers(1, top, count // 2))
    )
    found = set()
    for key in chosen:
        low = magnitude(target, key)
        high = magnitude(target, key + 1) if key < top else 2 * low - magnitude(target, key - 1)
        found.update((low, (low + high) / 2))
    return sorted(found)


@cache
def special_codes(name):
    """Zeros, ends of the subnormal and normal ranges, infinities, several NaNs, of both signs."""
    fmt = FORMATS[name]
    if fmt.bits <= 8:
        return all_codes(name)
    top = sign_bit(name)
    keys = {0, 1, 2, 3, top - 1, top - 2}
    if isinstance(fmt, Float):
        normal, infinity, quiet = 1 << fmt.mantissa, inf_key(fmt), 1 << (fmt.mantissa - 1)
        middles = (normal, infinity, infinity + quiet)
        keys |= {middle + d for middle in middles for d in (-1, 0, 1)}
    return np.array(sorted(key | sign for key in keys for sign in (0, top)), code_type(name))


def _thin(values, limit):
    """Every so many-th of a sequence, so that about `limit` remain."""
    return values if limit is None else values[:: max(1, len(values) // limit)]


@cache
def edge_codes(source, target, limit=None):
    """The source's neighbours of each threshold of the target, and its special codes.

    For each of `thresholds`: the source's value at it or next above, one ULP below, one above;
    with both signs.
    """
    if FORMATS[source].bits <= 8:
        return all_codes(source)
    keys = {
        first_key(source, threshold) + d
        for threshold in _thin(thresholds(target), limit)
        for d in (-1, 0, 1)
    }
    return codes_of_keys(source, keys)


def codes_of_keys(source, keys):
    """Codes of both signs of those keys that are finite, and the source's special codes."""
    keys = np.array(sorted(key for key in keys if 0 <= key <= max_key(source)), np.uint64)
    both = np.arange(2 * keys.size) >= keys.size
    return np.unique(np.concatenate([join(source, both, np.tile(keys, 2)), special_codes(source)]))


def random_codes(source, target, count):
    """Random bits, log-uniform magnitudes about the target's range, numbers about powers of two.

    A third of each, shuffled.
    """
    rng = generator("random", source, target)
    part = count // 3
    bits = rng.integers(0, 1 << FORMATS[source].bits, count - 2 * part, np.uint64)
    keys = np.concatenate(
        [_log_uniform(rng, source, target, part), _near_powers_of_two(rng, source, part)]
    )
    negative = rng.random(keys.size) < 0.5
    codes = np.concatenate([bits.astype(code_type(source)), join(source, negative, keys)])
    return rng.permutation(canonical_codes(source, codes))


def _log_uniform(rng, source, target, count):
    """Keys with exponents spread evenly over the target's range and beyond it on both sides."""
    low, high = _exponent_range(target)
    source_low, source_high = _exponent_range(source)
    low, high = max(low - 3, source_low), min(high + 3, source_high)
    if low > high:
        low, high = source_low, source_high
    at = [first_key(source, Fraction(2) ** e) for e in range(low, high + 2)]
    which = rng.integers(0, len(at) - 1, count)
    starts, ends = np.array(at[:-1], object)[which], np.array(at[1:], object)[which]
    parts = rng.random(count)
    top = max_key(source)
    return np.array(
        [min(top, s + int(p * (e - s))) for s, e, p in zip(starts, ends, parts, strict=True)],
        np.uint64,
    )


def _exponent_range(name):
    smallest = magnitude(name, 0) or magnitude(name, 1)
    return floor_log2(smallest), floor_log2(magnitude(name, max_key(name)))


def _near_powers_of_two(rng, source, count):
    """Keys of whole numbers near powers of two, where integers wrap, and a few ULPs away."""
    exponents = rng.integers(0, 66, count)
    offsets = rng.integers(-3, 4, count)
    ulps = rng.integers(-2, 3, count)
    keys = [
        first_key(source, Fraction(max(1, 2 ** int(e) + int(d)))) + int(u)
        for e, d, u in zip(exponents, offsets, ulps, strict=True)
    ]
    return np.array([min(max(key, 0), max_key(source)) for key in keys], np.uint64)


def mixed_codes(source, target, count):
    """About `count` codes, edges and random ones, for tests whose subject is something else."""
    edges = edge_codes(source, target, limit=max(1, count // 12))
    edges = _thin(edges, max(1, count // 2))
    codes = np.concatenate([edges, random_codes(source, target, max(3, count - len(edges)))])
    return generator("mixed", source, target).permutation(codes)
