"""ONNX's own backend suite: the node cases of our operators and of their function bodies."""

from __future__ import annotations

import re
import warnings

import pytest

pytest.importorskip("onnx")

from onnx import TensorProto
from onnx.backend.test import BackendTest
from onnx.backend.test.case.node import collect_testcases

from castufunc.onnx import backend, to_array

from .models import same_bits

OURS = re.compile(r"test_(cast|castlike|bitcast)_")


def suite():
    """Our cases on the CPU; of the thousands of others and on CUDA none, instead of skips."""
    whole = BackendTest(backend, __name__).test_cases["OnnxBackendNodeModelTest"]
    tests = {
        name: test
        for name, test in vars(whole).items()
        if OURS.match(name) and name.endswith("_cpu")
    }
    return type("TestSuite", whole.__bases__, tests)


with warnings.catch_warnings():
    # The suite makes all its cases at this point, and warnings while it does.
    warnings.simplefilter("ignore")
    TestSuite = suite()
    CASES = [case for case in collect_testcases(None) if OURS.match(case.name)]


def test_all_cases_are_there():
    tests = {name for name in vars(TestSuite) if name.startswith("test_")}
    assert tests == {f"{case.name}_cpu" for case in CASES}
    counts = [
        sum(case.name.startswith(f"test_{name}_") for case in CASES)
        for name in ("cast", "castlike", "bitcast")
    ]
    expanded = sum("_expanded" in case.name for case in CASES)
    assert expanded == counts[1] / 2
    assert counts[0] >= 50
    assert counts[1] >= 90


def array(data):
    return to_array(data, as_ml_dtypes=True) if isinstance(data, TensorProto) else data


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bit_for_bit(case):
    """The suite allows a tolerance, two units in the last place for bfloat16."""
    for inputs, outputs in case.data_sets:
        results = backend.run_model(case.model, [array(data) for data in inputs])
        for result, output in zip(results, outputs, strict=True):
            assert same_bits(result, array(output))
