"""Other libraries' casts, asked from a process of their own: ``python peers.py NAME``.

Reads one question a line from standard input and writes one answer a line, both JSON. A question
is an operator, two types (each with its names), codes and attributes. The answer holds the codes
the library gave, or the name of the error it raised; the first answer is the library's version.
Nothing of castufunc is imported here, so that nothing of it can have a hand in the answers.
"""

from __future__ import annotations

import ctypes
import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

COPIES = 67  # more than any vector, and no multiple of one
OPSET = 28

Codes = np.ndarray
Question = dict[str, Any]
Ask = Callable[[Question, Codes], Codes]


class NotOffered(Exception):
    """The library has no such conversion, or not this type."""


def code_type(of: Question) -> np.dtype[Any]:
    return np.dtype(f"u{of['itemsize']}")


def numpy_type(of: Question) -> np.dtype[Any]:
    """NumPy's dtype, or ml_dtypes' for the narrow types."""
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, of["ml_dtypes"]) if of["ml_dtypes"] else of["name"])


def codes_of(array: Any, of: Question) -> Codes:
    array = np.asarray(array)
    if array.dtype != numpy_type(of):
        raise NotOffered(f"gave {array.dtype}")
    return array.view(code_type(of))


# --- NumPy and ml_dtypes ----------------------------------------------------------------------


def _astype(question: Question, codes: Codes, narrow: bool) -> Codes:
    source, target = question["source"], question["target"]
    if question["op"] != "Cast" or narrow != bool(source["ml_dtypes"] or target["ml_dtypes"]):
        raise NotOffered
    return codes_of(codes.view(numpy_type(source)).astype(numpy_type(target)), target)


def numpy_peer() -> tuple[str, Ask]:
    return np.__version__, lambda question, codes: _astype(question, codes, narrow=False)


def ml_dtypes_peer() -> tuple[str, Ask]:
    import ml_dtypes

    return ml_dtypes.__version__, lambda question, codes: _astype(question, codes, narrow=True)


# --- ONNX models, for its reference implementation and onnxruntime ------------------------------


def packed(codes: Codes, bits: int) -> bytes:
    """The bytes of a TensorProto: elements of less than 8 bits from the low bits up."""
    if bits >= 8:
        return codes.tobytes()
    number = sum(int(code) << (bits * i) for i, code in enumerate(codes))
    return number.to_bytes((codes.size * bits + 7) // 8, "little")


def unpacked(data: bytes, count: int, of: Question) -> Codes:
    if of["bits"] >= 8:
        return np.frombuffer(data, code_type(of))
    number, mask = int.from_bytes(data, "little"), (1 << of["bits"]) - 1
    return np.array([number >> (of["bits"] * i) & mask for i in range(count)], np.uint8)


def model(question: Question, codes: Codes) -> Any:
    """One node whose inputs are stored in the model, so that every type can be one."""
    from onnx import helper

    source, target, op = question["source"], question["target"], question["op"]
    inputs = [
        helper.make_tensor(
            "x", source["onnx"], codes.shape, packed(codes, source["bits"]), raw=True
        )
    ]
    attributes = dict(question["attributes"])
    if op == "CastLike":
        inputs.append(helper.make_tensor("like", target["onnx"], [0], b"", raw=True))
    else:
        attributes["to"] = target["onnx"]
    node = helper.make_node(op, [tensor.name for tensor in inputs], ["y"], **attributes)
    output = helper.make_tensor_value_info("y", target["onnx"], codes.shape)
    graph = helper.make_graph([node], "one_node", [], [output], inputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])


def reference_peer() -> tuple[str, Ask]:
    import onnx
    from onnx.reference import ReferenceEvaluator

    def ask(question: Question, codes: Codes) -> Codes:
        (result,) = ReferenceEvaluator(model(question, codes)).run(None, {})
        return codes_of(result, question["target"])

    return onnx.__version__, ask


def onnxruntime_peer() -> tuple[str, Ask]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Nothing may be folded or fused away: the kernel of the node itself is asked.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4

    def ask(question: Question, codes: Codes) -> Codes:
        target = question["target"]
        session = onnxruntime.InferenceSession(
            model(question, codes).SerializeToString(), options, ["CPUExecutionProvider"]
        )
        (result,) = session.run_with_ort_values(None, {})
        # No NumPy array can be had of the narrow types, but the memory can be read.
        size = (codes.size * target["bits"] + 7) // 8
        return unpacked(ctypes.string_at(result.data_ptr(), size), codes.size, target)

    return onnxruntime.__version__, ask


# --- torch ------------------------------------------------------------------------------------


def torch_peer() -> tuple[str, Ask]:
    import torch

    def torch_type(of: Question) -> Any:
        found = getattr(torch, of["ml_dtypes"] or of["name"], None)
        if found is None:
            raise NotOffered
        return found

    def ask(question: Question, codes: Codes) -> Codes:
        source, target = question["source"], question["target"]
        if question["op"] != "Cast":
            raise NotOffered
        # Through bytes: torch has no operations on unsigned integers, but views of them.
        x = torch.frombuffer(bytearray(codes.tobytes()), dtype=torch_type(source))
        y = x.to(torch_type(target))
        return y.view(torch.uint8).numpy().view(code_type(target))

    return torch.__version__.split("+")[0], ask


PEERS: dict[str, Callable[[], tuple[str, Ask]]] = {
    "NumPy": numpy_peer,
    "ml_dtypes": ml_dtypes_peer,
    "onnx.reference": reference_peer,
    "onnxruntime": onnxruntime_peer,
    "torch": torch_peer,
}


def answer(ask: Ask, question: Question) -> dict[str, Any]:
    """All results for one code: of one element, and at every place of a longer array."""
    one = np.array([question["code"]], code_type(question["source"]))
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            results = np.concatenate([ask(question, one), ask(question, one.repeat(COPIES))])
    except Exception as error:  # whatever it is, it is the answer
        return {"error": type(error).__name__}
    return {"codes": sorted(set(results.tolist()))}


def main() -> None:
    try:
        version, ask = PEERS[sys.argv[1]]()
    except ImportError:
        print(json.dumps({"absent": True}))
        return
    print(json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(ask, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
