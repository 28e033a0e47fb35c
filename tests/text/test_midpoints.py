"""Every boundary between two results of a narrow float, as an exact decimal and just beside it.

The boundaries are the oracle's steps: halfway between two numbers, the overflow, and of float8e8m0
in each round mode the powers of two or what is halfway between them, and both ends of the range.
Each is written in full, with one unit less in the last of hundreds of digits, and with a digit 1
behind hundreds of zeros. One rounding tells the three apart; two, or a float64, do not.
"""

from itertools import groupby, islice

import numpy as np
import pytest

from exactness.harness import assert_codes, cast, codes_of
from oracle import FORMATS, TYPES, Scale, code_type, modes
from oracle.formats import ROUND_MODES
from oracle.steps import results, steps

from .containers import STRING
from .decimals import around, code_of, positional, scientific

TARGETS = [name for name in TYPES if "float" in name and FORMATS[name].bits <= 16]
MODES = [(target, *mode) for target in TARGETS for mode in modes(target)]

ZEROS = 300
CHUNK = 4096


def rounding_of(target, round_mode):
    return round_mode if isinstance(FORMATS[target], Scale) else ROUND_MODES[0]


def thresholds(target, round_mode):
    """Each threshold, and how many steps are passed below it, at it and above it.

    Of float8e8m0 a round mode's first or last step may be where the range begins or ends.
    """
    below = 0
    every_step = steps(target, rounding_of(target, round_mode))
    for threshold, group in groupby(every_step, key=lambda step: step.threshold):
        there = list(group)
        at, above = below + sum(step.inclusive for step in there), below + len(there)
        yield threshold, (below, at, above)
        below = above
    assert below == len(every_step)


def chunks(target, round_mode, zeros, both_signs=False, limit=None):
    """Texts and, for each, its sign and the number of steps passed, some thousands at a time.

    Of about `limit` thresholds, if that is given.
    """
    every = max(1, (1 << FORMATS[target].bits - 1) // limit | 1) if limit else 1
    numbered = islice(enumerate(thresholds(target, round_mode)), None, None, every)
    while chunk := list(islice(numbered, CHUNK)):
        rows = []
        for i, (threshold, passed) in chunk:
            texts = around(threshold, zeros, (positional, scientific)[i // 2 % 2])
            for text, count in zip(texts, passed, strict=True):
                for negative in (False, True) if both_signs else (i % 2 == 1,):
                    rows.append(("-" * negative + text, negative, count))
        texts, negative, passed = zip(*rows, strict=True)
        yield list(texts), np.array(negative, np.intp), np.array(passed)


def check(target, saturate, round_mode, texts, expected, as_array):
    got = codes_of(cast(as_array(texts), target, (saturate, round_mode)))
    if not np.array_equal(got, expected):
        wrong = np.flatnonzero(got != expected)[:4]
        shown = [(texts[i][:80], hex(got[i]), hex(expected[i])) for i in wrong]
        raise AssertionError(f"{target}, {saturate}, {round_mode}: text, got, expected: {shown}")


def objects(texts):
    return np.array(texts, object)


@pytest.mark.parametrize(("target", "saturate", "round_mode"), MODES)
def test_every_boundary(target, saturate, round_mode, amount):
    few = FORMATS[target].bits <= 8
    for texts, negative, passed in chunks(target, round_mode, ZEROS, few or amount(False, True)):
        expected = results(target, saturate)[negative, passed]
        check(target, saturate, round_mode, texts, expected, objects)


@pytest.mark.parametrize("zeros", [0, 1, 5, 17, 20, 60, 760, 780, 2000])
@pytest.mark.parametrize(("target", "saturate", "round_mode"), MODES)
def test_any_number_of_zeros(target, saturate, round_mode, zeros):
    """About 17, 19 and 768 digits libraries change their way of reading."""
    for texts, negative, passed in chunks(target, round_mode, zeros, limit=500):
        expected = results(target, saturate)[negative, passed]
        check(target, saturate, round_mode, texts, expected, objects)


@pytest.mark.parametrize("dtype", ["U", "S", STRING], ids=str)
@pytest.mark.parametrize("target", TARGETS)
def test_other_containers(target, dtype):
    def as_array(texts):
        return np.array(texts, dtype)

    for texts, negative, passed in chunks(target, "up", 40):
        expected = results(target, True)[negative, passed]
        check(target, True, "up", texts, expected, as_array)


@pytest.mark.parametrize(("target", "saturate", "round_mode"), MODES)
def test_the_steps_are_what_the_fractions_say(target, saturate, round_mode):
    """The other half of the oracle, which rounds one value at a time."""
    for texts, negative, passed in chunks(target, round_mode, 30, both_signs=True, limit=100):
        expected = results(target, saturate)[negative, passed]
        codes = [code_of(target, text, (saturate, round_mode)) for text in texts]
        codes = np.array(codes, code_type(target))
        assert_codes(target, target, expected, expected, codes, "fractions")
