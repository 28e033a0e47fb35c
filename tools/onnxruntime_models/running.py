"""One model, run by onnxruntime and by castufunc."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import onnxruntime
from onnx import ModelProto, helper

import castufunc
from castufunc.onnx import backend, from_array

from .inputs import BY_NAME

IR_VERSION = 10

_options = onnxruntime.SessionOptions()
# Nothing may be folded or fused away: the kernel of the node itself is asked.
_options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
_options.log_severity_level = 4


def model(
    operator: str, opset: int, x: np.ndarray, target: str, attributes: dict[str, Any]
) -> ModelProto:
    """One node whose inputs are stored in the model, so that every type can be one."""
    inputs = [from_array(x, "x")]
    if operator == "CastLike":
        inputs.append(from_array(np.empty(0, BY_NAME[target].dtype), "like"))
    else:
        attributes = attributes | {"to": BY_NAME[target].number}
    node = helper.make_node(operator, [tensor.name for tensor in inputs], ["y"], **attributes)
    output = helper.make_tensor_value_info("y", BY_NAME[target].number, x.shape)
    graph = helper.make_graph([node], "one_node", [], [output], inputs)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)


def by_onnxruntime(proto: ModelProto) -> np.ndarray | None:
    """The result, of this package's types; None if the model or an element is refused."""
    output = proto.graph.output[0].type.tensor_type
    element = castufunc.onnx.elements.ELEMENTS[output.elem_type]
    shape = [dim.dim_value for dim in output.shape.dim]
    try:
        session = onnxruntime.InferenceSession(
            proto.SerializeToString(), _options, ["CPUExecutionProvider"]
        )
        if element.is_text:
            return session.run(None, {})[0]
        (result,) = session.run_with_ort_values(None, {})
    except Exception:  # they have no common base
        return None
    # No array can be had of the narrow types, but the memory can be read.
    n = int(np.prod(shape, dtype=int))
    data = ctypes.string_at(result.data_ptr(), (n * element.bits + 7) // 8)
    if element.bits < 8:
        return castufunc.unpack(data, element.dtype, shape, strict=False)
    return np.frombuffer(data, element.dtype).reshape(shape)


def by_castufunc(proto: ModelProto) -> np.ndarray | None:
    """The same of our backend; None if a text is no number."""
    try:
        (result,) = backend.run_model(proto, [])
    except ValueError:
        return None
    element = castufunc.onnx.elements.element_of(result.dtype)
    return result if element is None or element.is_text else result.view(element.dtype)
