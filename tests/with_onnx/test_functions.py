"""Attributes that come from the call of a function."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")

from onnx import helper
from onnx.reference import ReferenceEvaluator

from castufunc.onnx import OPS


def function(operator, inputs, attributes, opset=24):
    node = helper.make_node(operator, inputs, ["y"])
    for name, kind in attributes.items():
        node.attribute.add(name=name, type=kind, ref_attr_name=name)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_function("local", "F", inputs, ["y"], [node], opsets, list(attributes))


INT, STRING = 2, 3  # of AttributeProto


def run(proto, feeds, **attributes):
    evaluator = ReferenceEvaluator(proto, new_ops=OPS)
    return evaluator.run(None, feeds, attributes=attributes)[0]


def test_all_attributes():
    proto = function("Cast", ["x"], {"to": INT, "saturate": INT, "round_mode": STRING})
    x = {"x": np.float32([1.25, 1e38])}
    for to, saturate, mode, codes in [(24, 1, "down", [127, 253]), (24, 0, "up", [128, 254]),
                                      (19, 0, "up", [61, 124])]:  # fmt: skip
        result = run(proto, x, to=to, saturate=saturate, round_mode=mode)
        assert result.view(np.uint8).tolist() == codes


def test_the_rest_has_defaults_of_the_version():
    proto = function("CastLike", ["x", "t"], {"saturate": INT}, opset=19)
    like = run(function("Cast", ["x"], {"to": INT}), {"x": np.float32([0])}, to=17)
    for saturate, code in [(1, 0x7E), (0, 0x7F)]:
        result = run(proto, {"x": np.float32([1000]), "t": like}, saturate=saturate)
        assert result.view(np.uint8).tolist() == [code]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"to": 28}, "there is no type float6e3m2 in this version; Cast 28 has it"),
        ({"to": "FLOAT"}, "'to' must be of type INT, not 'FLOAT'"),
        ({"to": 0}, "'to' is 0, which is no element type"),
    ],
)
def test_values_are_checked_when_they_are_known(given, words):
    with pytest.raises(ValueError, match=f"Cast 24, node 'y': .*{words}"):
        run(function("Cast", ["x"], {"to": INT}), {"x": np.float32([1])}, **given)
