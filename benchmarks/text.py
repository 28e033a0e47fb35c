"""Numbers to text and back in NumPy's four containers, against what else can do it.

A hundred thousand elements each; an object array holds one Python str per element. NumPy has its
own casts between its numbers and ``U``, ``S`` and StringDType; for objects it goes by ``U``.
onnxruntime's Python interface takes and gives strings as arrays of objects, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import castufunc

Array = np.ndarray[Any, Any]

SIZE = 100_000
STRING = 8  # ONNX's number
CONTAINERS: dict[str, Any] = {
    "object": object,
    "U": "U",
    "S": "S",
    "StringDType": np.dtypes.StringDType(),
}
PEERS = ("castufunc", "numpy", "onnxruntime")


def numbers(name: str) -> Array:
    """Return values of all sizes that a type has, most with as many digits as it can have."""
    rng = np.random.default_rng(1)
    return castufunc.cast(rng.standard_normal(SIZE) * np.exp2(rng.uniform(-20, 20, SIZE)), name)


def onnxruntime_cast(x: Array, to: int) -> Callable[[Array], Array]:
    """Return onnxruntime's Cast of arrays of x's type."""
    try:
        helper, onnxruntime = import_module("onnx.helper"), import_module("onnxruntime")
    except ImportError as error:
        raise NotImplementedError("onnxruntime is not installed") from error
    kind = STRING if x.dtype.kind == "O" else helper.np_dtype_to_tensor_dtype(x.dtype)
    node = helper.make_node("Cast", ["x"], ["y"], to=to)
    ends = [helper.make_tensor_value_info(n, t, [None]) for n, t in [("x", kind), ("y", to)]]
    graph = helper.make_graph([node], "cast", ends[:1], ends[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return lambda array: session.run(None, {"x": array})[0]


def printer(peer: str, x: Array, container: str) -> Callable[[Array], Array]:
    """Return what makes texts of numbers."""
    to = CONTAINERS[container]
    if peer == "castufunc":
        return lambda array: castufunc.cast(array, to)
    if peer == "onnxruntime":
        if container != "object":
            raise NotImplementedError("onnxruntime gives strings as objects")
        return onnxruntime_cast(x, STRING)
    if container == "object":
        return lambda array: array.astype("U").astype(object)
    return lambda array: array.astype(to)


def parser(peer: str, texts: Array, name: str) -> Callable[[Array], Array]:
    """Return what makes numbers of texts."""
    if peer == "castufunc":
        return lambda array: castufunc.cast(array, name)
    if peer == "onnxruntime":
        if texts.dtype.kind != "O":
            raise NotImplementedError("onnxruntime takes strings as objects")
        return onnxruntime_cast(texts, {"float32": 1, "int64": 7, "float64": 11}[name])
    return lambda array: array.astype(name)


class Native:
    """NumPy's types by each of the peers."""

    params = (("float32", "float64", "int64"), tuple(CONTAINERS), PEERS)
    param_names = ("type", "container", "peer")

    def setup(self, name: str, container: str, peer: str) -> None:
        self.x = numbers(name)
        self.texts = castufunc.cast(self.x, CONTAINERS[container])
        self.print = printer(peer, self.x, container)
        self.parse = parser(peer, self.texts, name)
        self.print(self.x)
        self.parse(self.texts)

    def time_print(self, name: str, container: str, peer: str) -> None:
        self.print(self.x)

    def time_parse(self, name: str, container: str, peer: str) -> None:
        self.parse(self.texts)


class Own:
    """Types of this package, which the peers do not have or do not print; and their `astype`."""

    params = (("bfloat16", "float8e4m3fn", "float8e8m0", "int4"), tuple(CONTAINERS))
    param_names = ("type", "container")

    def setup(self, name: str, container: str) -> None:
        self.x = numbers(name)
        self.to = CONTAINERS[container]
        self.texts = castufunc.cast(self.x, self.to)

    def time_print(self, name: str, container: str) -> None:
        castufunc.cast(self.x, self.to)

    def time_parse(self, name: str, container: str) -> None:
        castufunc.cast(self.texts, name)

    def time_astype(self, name: str, container: str) -> None:
        self.texts.astype(self.x.dtype)


class Decimals:
    """float32 from decimals of some lengths, on a tie of float16 and elsewhere."""

    params = ((4, 17, 40, 400), ("float32", "float16"))
    param_names = ("digits", "type")

    def setup(self, digits: int, name: str) -> None:
        rng = np.random.default_rng(1)
        random = rng.integers(0, 10, (10_000, digits)).astype("U1")
        self.texts = np.array(["0." + "".join(row) for row in random])
        self.ties = np.full(10_000, "1.00048828125".ljust(digits + 2, "0"))

    def time_random(self, digits: int, name: str) -> None:
        castufunc.cast(self.texts, name)

    def time_tie(self, digits: int, name: str) -> None:
        castufunc.cast(self.ties, name)
