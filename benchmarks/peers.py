"""Other libraries' casts of the same numbers, each into memory of its own choice.

A peer is a class with a `name`, the `modules` that it needs, and `call(operands)`: something to
call that casts once, with all preparation done, or an error (of any kind) if it has no such cast.
`installed()` names those that are there.
"""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

import numpy as np

import castufunc

from .operands import Operands, twin
from .timing import Call

OPSET = 25  # the first one with the types of 2 bits


class Peer(Protocol):
    name: str
    modules: tuple[str, ...]

    def call(self, operands: Operands) -> Call: ...


class MlDtypes:
    """Its loops, as `astype` and `np.copyto` reach them, into the same memory as ours."""

    name = "ml_dtypes"
    modules = ("ml_dtypes",)

    def call(self, operands: Operands) -> Call:
        x, out = operands.twins
        return partial(np.copyto, out, x, casting="unsafe")


class NumPy:
    """Its own types among themselves."""

    name = "numpy"
    modules = ("numpy",)

    def call(self, operands: Operands) -> Call:
        if {operands.cast.source, operands.cast.target} & {*castufunc.FORMATS}:
            raise TypeError("not a type of NumPy")
        return partial(np.copyto, operands.out, operands.x, casting="unsafe")


class Table:
    """`np.take` from a table of all results, for sources of one and two bytes."""

    name = "table"
    modules = ("numpy",)

    def call(self, operands: Operands) -> Call:
        codes, out = operands.codes
        if codes.itemsize > 2:
            raise TypeError("too many results")
        every_code = np.arange(1 << (8 * codes.itemsize), dtype=codes.dtype)
        results = castufunc.cast(
            every_code.view(operands.x.dtype), operands.out.dtype, **operands.cast.mode
        )
        # Any mode but "raise" writes into `out` without a detour.
        return partial(np.take, results.view(out.dtype), codes, out=out, mode="wrap")


class Torch:
    """`copy_` into an existing tensor."""

    name = "torch"
    modules = ("torch",)

    def __init__(self) -> None:
        self.torch = import_module("torch")
        self.torch.set_num_threads(1)

    def call(self, operands: Operands) -> Call:
        x, out = map(self.tensor, operands.twins)
        return partial(out.copy_, x)

    def tensor(self, array: np.ndarray) -> object:
        bits = self.torch.from_numpy(array.view(f"i{array.itemsize}"))
        return bits.view(getattr(self.torch, array.dtype.name))


class Jax:
    """Compiled for the shape; every call makes its result."""

    name = "jax"
    modules = ("jax", "jaxlib")

    def __init__(self) -> None:
        self.jax = import_module("jax")
        self.jax.config.update("jax_platforms", "cpu")
        self.jax.config.update("jax_enable_x64", True)
        self.jax.config.update("jax_cpu_enable_async_dispatch", False)

    def call(self, operands: Operands) -> Call:
        target = twin(operands.cast.target)
        x = self.jax.numpy.asarray(operands.twins[0])
        compiled = self.jax.jit(lambda a: a.astype(target)).lower(x).compile()
        return lambda: compiled(x).block_until_ready()


class TensorFlow:
    """The eager operator, without Python around it; every call makes its result."""

    name = "tensorflow"
    modules = ("tensorflow",)

    def __init__(self) -> None:
        self.tensorflow = import_module("tensorflow")

    def call(self, operands: Operands) -> Call:
        x = self.tensorflow.convert_to_tensor(operands.twins[0])
        target = self.tensorflow.dtypes.as_dtype(twin(operands.cast.target))
        return partial(self.tensorflow.raw_ops.Cast, x=x, DstT=target)


class OnnxRuntime:
    """A model of one Cast, bound to the same memory as ours, or for types of 4 bits to packed."""

    name = "onnxruntime"
    modules = ("onnx", "onnxruntime")

    def __init__(self) -> None:
        self.onnx = import_module("onnx")
        self.runtime = import_module("onnxruntime")

    def call(self, operands: Operands) -> Call:
        source, x = self.tensor(operands.cast.source, operands.x)
        target, out = self.tensor(operands.cast.target, operands.out)
        session = self.session(source, target)
        binding = session.io_binding()
        binding.bind_input("x", "cpu", 0, source, operands.x.shape, x.ctypes.data)
        binding.bind_output("y", "cpu", 0, target, operands.x.shape, out.ctypes.data)

        def run(memory: tuple[np.ndarray, ...] = (x, out)) -> None:
            session.run_with_iobinding(binding)

        return run

    def tensor(self, name: str, array: np.ndarray) -> tuple[int, np.ndarray]:
        """The number of ONNX's type, and memory as ONNX has it."""
        info = castufunc.FORMATS.get(name)
        if info is None:
            return self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(name)), array
        return info.onnx, castufunc.pack(array) if info.bits < 8 else array

    def session(self, source: int, target: int) -> object:
        helper = self.onnx.helper
        ends = [
            helper.make_tensor_value_info(name, number, ["n"])
            for name, number in (("x", source), ("y", target))
        ]
        node = helper.make_node("Cast", ["x"], ["y"], to=target)
        graph = helper.make_graph([node], "cast", ends[:1], ends[1:])
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(
            graph, opset_imports=opsets, ir_version=helper.find_min_ir_version_for(opsets)
        )
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        return self.runtime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )


PEERS: dict[str, type[Peer]] = {
    peer.name: peer for peer in (MlDtypes, NumPy, Table, Torch, OnnxRuntime, Jax, TensorFlow)
}


def installed() -> list[str]:
    return [name for name, peer in PEERS.items() if all(map(find_spec, peer.modules))]


@cache
def peer(name: str) -> Peer:
    return PEERS[name]()
