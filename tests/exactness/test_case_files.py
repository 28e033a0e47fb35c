"""Collected cases: designed inputs per pair, the operators' documents, ONNX's own node tests.

Cases with text and BitCast cases belong to other tests. Where a case's code isn't the one of this
project's rules, the case stands in DIFFERENCES with the reason, and the rules' code is asserted
instead.
"""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from oracle import TYPES, code_type

from .harness import array_of, assert_codes, cast, codes_of, expected_codes

DATA = Path(__file__).parents[1] / "data"

PRINTED = "the document prints no sign of NaN and the code was rebuilt as positive; "
SIGN_KEPT = PRINTED + "the sign is kept"
FNUZ_NAN = PRINTED + "a FNUZ NaN is negative"
DIFFERENCES = {
    # case: (reason, {position: code by the rules})
    "doc/Cast-21/test_cast_no_saturate_FLOAT_to_FLOAT8E4M3FN": (SIGN_KEPT, {11: 0xFF, 14: 0xFF}),
    "doc/Cast-21/test_cast_no_saturate_FLOAT16_to_FLOAT8E4M3FN": (SIGN_KEPT, {11: 0xFF, 14: 0xFF}),
    "doc/Cast-21/test_cc_cast_FLOAT8E4M3FNUZ_to_FLOAT": (FNUZ_NAN, {8: 0xFFC00000}),
    "doc/Cast-21/test_cc_cast_FLOAT8E4M3FNUZ_to_FLOAT16": (FNUZ_NAN, {8: 0xFE00}),
    "doc/Cast-21/test_cc_cast_FLOAT8E5M2FNUZ_to_FLOAT": (FNUZ_NAN, {8: 0xFFC00000}),
    "doc/Cast-21/test_cc_cast_FLOAT8E5M2FNUZ_to_FLOAT16": (FNUZ_NAN, {8: 0xFE00}),
}
LONG_NAMES = {"FLOAT": "float32", "DOUBLE": "float64"}


def load(name):
    return json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))["cases"]


def type_name(name):
    return LONG_NAMES.get(name, name.lower())


def numeric(cases):
    """Cast and CastLike cases between numeric types; both are casts to the type of the output."""
    return [
        case
        for case in cases
        if case["op"] in ("Cast", "CastLike")
        and {type_name(case["input"]["dtype"]), type_name(case["expected"]["dtype"])} <= set(TYPES)
    ]


def mode_of(attributes):
    return bool(attributes.get("saturate", 1)), attributes.get("round_mode", "up")


PAIR_MATRIX = load("pair_matrix")
OPERATOR_CASES = numeric(load("document_cases")) + numeric(load("onnx_node_cases"))


def check_case(source, target, mode, given, expected, shape):
    given = np.array(given, code_type(source)).reshape(shape)
    expected = np.array(expected, code_type(target)).reshape(shape)
    assert_codes(
        source,
        target,
        given,
        expected_codes(source, target, given, mode),
        expected,
        f"case file {mode}",
    )
    assert_codes(
        source,
        target,
        given,
        expected,
        codes_of(cast(array_of(source, given), target, mode)),
        f"cast {mode}",
    )


def test_no_case_was_dropped():
    assert len(PAIR_MATRIX) == 419
    assert sum(len(case["input"]) for case in PAIR_MATRIX) == 60_945
    assert len(OPERATOR_CASES) == 148 + 120 + 116 + 56
    assert set(DIFFERENCES) <= {case["id"] for case in OPERATOR_CASES}


@pytest.mark.parametrize(
    "case",
    PAIR_MATRIX,
    ids=lambda c: "-".join([c["from"], c["to"], *map(str, c["attrs"].values())]),
)
def test_pair_matrix(case):
    check_case(
        case["from"], case["to"], mode_of(case["attrs"]), case["input"], case["expected"], -1
    )


@pytest.mark.parametrize("case", OPERATOR_CASES, ids=lambda case: case["id"])
def test_operator_case(case):
    source, target = type_name(case["input"]["dtype"]), type_name(case["expected"]["dtype"])
    assert type_name(case["to"]) == target
    expected = list(case["expected"]["bits"])
    reason, corrections = DIFFERENCES.get(case["id"], ("", {}))
    for position, code in corrections.items():
        assert expected[position] != code, f"no longer different: {reason}"
        expected[position] = code
    check_case(
        source,
        target,
        mode_of(case["attrs"]),
        case["input"]["bits"],
        expected,
        case["expected"]["shape"],
    )
