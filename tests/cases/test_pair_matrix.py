"""The designed inputs per pair of types: every code, in `cast` and in the oracle."""

import numpy as np
import pytest

from exactness.harness import array_of, assert_codes, cast, codes_of, expected_codes
from oracle import code_type

from .store import load, mode_of

PAIR_MATRIX = load("pair_matrix")


def test_no_case_was_dropped():
    assert len(PAIR_MATRIX) == 419
    assert sum(len(case["input"]) for case in PAIR_MATRIX) == 60_945


@pytest.mark.parametrize(
    "case",
    PAIR_MATRIX,
    ids=lambda c: "-".join([c["from"], c["to"], *map(str, c["attrs"].values())]),
)
def test_pair_matrix(case):
    source, target, mode = case["from"], case["to"], mode_of(case["attrs"])
    given = np.array(case["input"], code_type(source))
    expected = np.array(case["expected"], code_type(target))
    oracle = expected_codes(source, target, given, mode)
    assert_codes(source, target, given, oracle, expected, f"case file {mode}")
    package = codes_of(cast(array_of(source, given), target, mode))
    assert_codes(source, target, given, expected, package, f"cast {mode}")
