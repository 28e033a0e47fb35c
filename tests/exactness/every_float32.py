"""Every float32 code to one type in one mode, as a program: target, saturate (0 or 1), round_mode.

The result is compared by whole runs of equal codes (`oracle.steps.runs`); for integers, whose runs
are short, number by number. Prints what differs, and exits with 1.
"""

import sys

import numpy as np

from oracle import FORMATS, Integer, cast_codes, code_type
from oracle.steps import runs

from .harness import array_of, assert_codes, cast, codes_of

BINADE = 1 << 23  # float32 codes with the same sign and exponent field


def expected_by_runs(target, mode):
    """A function from the first code of a binade to the expected codes of all of it."""
    starts, codes = runs("float32", target, *mode)
    starts = starts.astype(np.int64)

    def expected(first):
        low = np.searchsorted(starts, first, side="right") - 1
        high = np.searchsorted(starts, first + BINADE)
        ends = np.append(starts[low + 1 : high], first + BINADE)
        lengths = np.diff(np.concatenate([[first], ends]))
        return np.repeat(codes[low:high], lengths)

    return expected


def expected_integers(target, mode):
    """The same for an integer target: below 1 and where all kept bits are zero, zeros."""

    def expected(first):
        exponent = (first // BINADE) % 256 - 127 - 23  # of the last bit of the significand
        if exponent <= -24 or exponent >= FORMATS[target].bits:
            return np.zeros(BINADE, code_type(target))
        return cast_codes(
            "float32", target, np.arange(first, first + BINADE, dtype=np.uint32), *mode
        )

    return expected


def compare(target, mode):
    expected = (expected_integers if isinstance(FORMATS[target], Integer) else expected_by_runs)(
        target, mode
    )
    for first in range(0, 1 << 32, BINADE):
        codes = np.arange(first, first + BINADE, dtype=np.uint32)
        got = codes_of(cast(array_of("float32", codes), target, mode))
        assert_codes("float32", target, codes, expected(first), got, f"cast {mode}")


if __name__ == "__main__":
    try:
        compare(sys.argv[1], (sys.argv[2] == "1", sys.argv[3]))
    except AssertionError as error:
        sys.exit(str(error))
