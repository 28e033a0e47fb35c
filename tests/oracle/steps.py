"""Float targets of up to 16 bits as step functions of the source's magnitude.

No rounding is done here: the steps come from the target's list of values. Between two neighbouring
values lies a step, halfway; the tie belongs to the neighbour whose code is even. A source then
needs only the smallest of its own keys at or past each step.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .arrays import canonical_codes, code_type, split
from .formats import FORMATS, Scale
from .values import first_key, magnitude, max_key, nan_code, overflow_code, signed


class Step(NamedTuple):
    threshold: Fraction
    inclusive: bool  # is the threshold itself past the step?


@cache
def steps(name, round_mode="up"):
    """The steps in order; past step i (from 0) the key is i + 1, past the last one it is too large.

    For a Scale the first step is the start of the range, and the key past step i is i.
    """
    top = max_key(name)
    values = [magnitude(name, key) for key in range(top + 1)]
    if isinstance(FORMATS[name], Scale):
        return _scale_steps(values, round_mode)
    # What comes after the largest value if the exponent has no upper end: the same distance again,
    # or for a largest value just below a power of two that power, which is the same.
    values.append(2 * values[-1] - values[-2])
    return [
        Step((low + high) / 2, inclusive=key % 2 == 1)
        for key, (low, high) in enumerate(pairwise(values))
    ]


def _scale_steps(values, round_mode):
    inside = {
        "up": [Step(low, inclusive=False) for low in values[:-1]],
        "down": [Step(high, inclusive=True) for high in values[1:]],
        "nearest": [Step((low + high) / 2, inclusive=True) for low, high in pairwise(values)],
    }
    return [Step(values[0], True), *inside[round_mode], Step(values[-1], False)]


@cache
def results(name, saturate):
    """Codes by number of steps passed, for both signs: two rows."""
    top = max_key(name)
    rows = []
    for negative in (False, True):
        over = overflow_code(name, negative, saturate)
        if not isinstance(FORMATS[name], Scale):
            rows.append([signed(name, negative, key) for key in range(top + 1)] + [over])
            continue
        under = 0 if saturate else nan_code(name, negative)
        rows.append([under] * (top + 3) if negative else [under, *range(top + 1), over])
    return np.array(rows, code_type(name))


@cache
def cuts(source, target, round_mode="up"):
    """The source's smallest key past each step, as far as it has such keys."""
    keys = [first_key(source, *step) for step in steps(target, round_mode)]
    return np.array([key for key in keys if key <= max_key(source)], np.uint64)


def cast_by_steps(source, target, codes, saturate, round_mode):
    """Codes of a float or scale target of up to 16 bits."""
    negative, key, nan, inf = split(source, codes)
    passed = np.searchsorted(cuts(source, target, round_mode), key, side="right")
    passed[inf] = len(steps(target, round_mode))
    out = results(target, saturate)[negative.astype(np.intp), passed]
    return np.where(
        nan, np.where(negative, nan_code(target, True), nan_code(target, False)), out
    ).astype(out.dtype)


def runs(source, target, saturate, round_mode):
    """The cast of every code of a float source, as runs: first source codes, and target codes.

    Neighbouring runs differ. Runs go over the whole unsigned code space of the source, negatives
    after NaN.
    """
    half = 1 << (FORMATS[source].bits - 1)
    edge = np.concatenate(
        [[0], cuts(source, target, round_mode), max_key(source) + np.arange(1, 3)]
    )
    starts = np.unique(edge.astype(np.uint64))
    starts = np.concatenate([starts, starts + np.uint64(half)])
    codes = cast_by_steps(source, target, canonical_codes(source, starts), saturate, round_mode)
    new = np.concatenate([[True], codes[1:] != codes[:-1]])
    return starts[new], codes[new]
