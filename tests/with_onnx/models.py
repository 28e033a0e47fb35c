"""Small models, and arrays for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, helper

from castufunc.onnx.elements import ELEMENTS, Element

BY_NAME = {element.name: element for element in ELEMENTS.values()}
IR_VERSION = 10
TEXTS = ["1.5", "-3", "NaN", "INF", "-1e9", "0", "65504", "1e-7"]


def node(operator: str, target: str, **attributes: Any) -> NodeProto:
    """x of `target`'s type goes to y; of CastLike the second input is called like."""
    inputs = ["x", "like"] if operator == "CastLike" else ["x"]
    if operator != "CastLike":
        attributes.setdefault("to", BY_NAME[target].number)
    return helper.make_node(operator, inputs, ["y"], name="a_node", **attributes)


def value(name: str, element: Element) -> Any:
    """An input or output; of one axis, but no one looks at that."""
    return helper.make_tensor_value_info(name, element.number, ["N"])


def model(
    operator: str, opset: int, source: str, target: str, domain: str = "", **attributes: Any
) -> ModelProto:
    """A model of one node."""
    the_node = node(operator, target, **attributes)
    types = dict.fromkeys(the_node.input, source) | {"like": target}
    graph = helper.make_graph(
        [the_node],
        "one_node",
        [value(name, BY_NAME[types[name]]) for name in the_node.input],
        [value("y", BY_NAME[target])],
    )
    opsets = [helper.make_opsetid(domain, opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)


def sample(name: str, shape: tuple[int, ...] = (3, 5), seed: int = 1) -> np.ndarray:
    """An array as onnx has it; any codes, or texts that are numbers."""
    element = BY_NAME[name]
    n = int(np.prod(shape, dtype=int))
    if element.is_text:
        return np.array((TEXTS * n)[:n], object).reshape(shape)
    random = np.random.default_rng(seed)
    if name == "bool":
        return random.integers(0, 2, shape).astype(bool)
    codes = random.integers(0, 256, (n, element.dtype.itemsize), np.uint8)
    if element.bits < 8:
        codes &= (1 << element.bits) - 1
    return codes.view(element.twin).reshape(shape)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays have the same dtype, shape, and bytes or texts."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype == object:
        return [(type(x), x) for x in a.flat] == [(type(x), x) for x in b.flat]
    return a.tobytes() == b.tobytes()
