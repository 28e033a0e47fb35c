"""The collected cases with text on either side: every one passes, or its difference is listed."""

from collections import Counter

import numpy as np
import pytest

import castufunc
from cases.files import ALL
from cases.store import load, mode_of, type_name
from exactness.harness import array_of, codes_of, dtype_of
from oracle import FORMATS, NAN, code_type, value

from .containers import CONTAINERS, array_of_texts, texts_of
from .decimals import code_of, codes_of_texts, text_of, value_of

COUNTS = {"document_cases": 44, "onnx_node_cases": 0, "ort_cases": 19, "reported_cases": 11}

# Cases whose file has another text or code than the rules: id, reason, place: what the rules want.
EIGHT_DIGITS = (
    "onnxruntime writes float32 with 8 digits; the shortest that read back are fewer, or 9"
)
ROUNDED = "onnxruntime rounds to the nearest integer, as from a float; the rules truncate"
DIFFERENCES = {
    "ort/cast_op_test.cc/ToString": (EIGHT_DIGITS, {3: "0.2961402"}),
    "ort/cast_op_test.cc/FloatStringToInt4x2": (ROUNDED, {0: 0x6, 4: 0x6}),
    "ort/cast_op_test.cc/FloatStringToInt2x4": (ROUNDED, {0: 0x2, 3: 0x3, 4: 0x3}),
}


def is_about_text(case):
    if "id" in case and case["id"].startswith("B"):
        return case["op"] == "cast" and "string" in (case["from"], case["to"])
    return "STRING" in (case["input"]["dtype"], case["expected"]["dtype"])


CASES = {file: list(filter(is_about_text, load(file))) for file in COUNTS}
COLLECTED = [case for file in CASES for case in CASES[file] if file != "reported_cases"]
FROM_TEXT = [case for case in COLLECTED if case["input"]["dtype"] == "STRING"]
TO_TEXT = [case for case in COLLECTED if case["expected"]["dtype"] == "STRING"]
REPORTED = CASES["reported_cases"]


def by_id(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["id"])


def test_counts():
    assert {file: len(cases) for file, cases in CASES.items()} == COUNTS
    assert (len(FROM_TEXT), len(TO_TEXT)) == (34, 29)
    assert Counter(case["op"] for case in COLLECTED) == {"Cast": 41, "CastLike": 22}
    assert set(DIFFERENCES) <= {case["id"] for case in COLLECTED}


def test_they_are_the_cases_that_the_other_tests_leave_out():
    here = [case["id"] for cases in CASES.values() for case in cases]
    assert sorted(here) == sorted(case.id for case in ALL if case.left_out == "text")


def call(case, array, target_type):
    """Cast, or CastLike with a second input of the type; text in every container."""
    if case["op"] == "Cast":
        saturate, round_mode = mode_of(case["attrs"])
        to = case["attrs"].get("to", target_type)
        return castufunc.cast(array, to, saturate=saturate, round_mode=round_mode)
    assert case["attrs"] == {}
    like = np.zeros(case["target"]["shape"], castufunc.dtype(target_type))
    return castufunc.cast_like(array, like)


def by_the_rules(case, items):
    """What the file wants, with what the rules want where the two are known to differ."""
    items = items.copy()
    for place, item in DIFFERENCES.get(case["id"], ("", {}))[1].items():
        assert items[place] != item, f"place {place} of the file no longer differs"
        items[place] = item
    return items


@by_id(FROM_TEXT)
def test_from_text(case):
    name, texts = type_name(case["expected"]["dtype"]), case["input"]["values"]
    expected = by_the_rules(case, np.array(case["expected"]["bits"], code_type(name)))
    assert codes_of_texts(name, texts).tolist() == expected.tolist()
    for container in CONTAINERS:
        array = array_of_texts(container, texts).reshape(case["input"]["shape"])
        got = call(case, array, name)
        assert got.dtype == dtype_of(name)
        assert got.shape == tuple(case["expected"]["shape"])
        assert codes_of(got).ravel().tolist() == expected.tolist()


@by_id(TO_TEXT)
def test_to_text(case):
    name = type_name(case["input"]["dtype"])
    codes = np.array(case["input"]["bits"], code_type(name))
    # All of them read back, whatever their layout.
    assert codes_of_texts(name, case["expected"]["values"]).tolist() == codes.tolist()
    texts = by_the_rules(case, case["expected"]["values"])
    assert [text_of(name, code) for code in codes] == texts
    array = array_of(name, codes).reshape(case["input"]["shape"])
    got = call(case, array, "string")
    assert got.dtype == object
    assert got.shape == tuple(case["expected"]["shape"])
    assert texts_of(got) == texts
    for container in CONTAINERS.values():
        assert texts_of(castufunc.cast(array, container)) == texts


def code_by(name, number, text):
    """A code of the file; where it has "nan", any NaN."""
    if number == "nan":
        code = code_of(name, text)
        assert value(name, code).magnitude == NAN
        return code
    return int(number, 16)


@by_id([case for case in REPORTED if case["from"] == "string"])
def test_reported_from_text(case):
    name, texts = case["to"], case["input"]["strings"]
    pairs = zip(case["expected"]["bits"], texts, strict=True)
    expected = [code_by(name, number, text) for number, text in pairs]
    assert codes_of_texts(name, texts, mode_of(case["attributes"])).tolist() == expected
    for container in CONTAINERS:
        got = castufunc.cast(array_of_texts(container, texts), name)
        assert codes_of(got).tolist() == expected


@by_id([case for case in REPORTED if case["to"] == "string"])
def test_reported_to_text(case):
    """The files leave the texts open: they have to read back, and be the shortest that do."""
    name = case["from"]
    codes = np.array([int(number, 16) for number in case["input"]["bits"]], code_type(name))
    assert set(case["expected"]["strings"]) == {None}
    got = castufunc.cast(array_of(name, codes), "string")
    assert got.tolist() == [text_of(name, code) for code in codes]
    back = castufunc.cast(got, name)
    for code, text, again in zip(codes, got, codes_of(back), strict=True):
        assert again == code
        assert value(name, int(code)) == value_of(text)._replace(
            magnitude=value(name, int(again)).magnitude
        )


def test_reported_plain_notation():
    """B106a and B106b ask for it: so it is, up to 16 places before the point."""
    got = castufunc.cast([1 / 3, 123456789.0, 16777217.0], "string").tolist()
    assert got == ["0.3333333333333333", "123456789", "16777217"]
    got = castufunc.cast(np.array([1e6, 2**24, 1e20, 1e-5, 0.1], np.float32), "string").tolist()
    assert got == ["1000000", "16777216", "1e+20", "1e-05", "0.1"]


def test_every_type_of_the_cases_is_known():
    names = {type_name(case[side]["dtype"]) for case in COLLECTED for side in ("input", "expected")}
    assert names - set(FORMATS) == {"string"}
