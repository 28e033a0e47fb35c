"""
A backend as ``onnx.backend.base`` defines one.

Cast, CastLike and BitCast are this package's; other operators of a model are run by onnx's
reference implementation. All of it runs on the CPU.

Examples
--------
>>> import numpy as np
>>> from onnx import helper
>>> from castufunc.onnx import backend
>>> node = helper.make_node("Cast", ["x"], ["y"], to=22)
>>> print(*backend.run_node(node, [np.array([1.9, -9, 200], np.float32)]))
[1 7 -8]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import (
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TypeProto,
    ValueInfoProto,
    defs,
    helper,
)
from onnx.backend.base import Backend, BackendRep, namedtupledict
from onnx.inliner import inline_local_functions
from onnx.reference import ReferenceEvaluator

from .elements import ELEMENTS, element_of
from .operators import OPS

__all__ = [
    "CastufuncBackend",
    "CastufuncBackendRep",
    "is_compatible",
    "prepare",
    "run_model",
    "run_node",
    "supports_device",
]

Inputs = npt.NDArray[Any] | Sequence[Any] | Mapping[str, Any]


class _Evaluator(ReferenceEvaluator):
    """onnx's evaluator with our operators, in the functions of a model too."""

    def __init__(self, proto: Any, *, new_ops: Any = None, **kwargs: Any) -> None:
        super().__init__(proto, new_ops=[*OPS, *(new_ops or [])], **kwargs)


def _nodes(proto: GraphProto | FunctionProto) -> Iterator[NodeProto]:
    for node in proto.node:
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                yield from _nodes(graph)


def _in_default_domain(model: ModelProto) -> ModelProto:
    """The model with its imports from "ai.onnx" under the name that the evaluator knows."""
    if all(opset.domain != "ai.onnx" for opset in model.opset_import):
        return model
    copy = ModelProto()
    copy.CopyFrom(model)
    for opset in copy.opset_import:
        opset.domain = "" if opset.domain == "ai.onnx" else opset.domain
    return copy


def _inlined(model: ModelProto) -> ModelProto:
    """The model without functions: of their attributes the evaluator knows no defaults."""
    if not model.functions:
        return model
    copy = ModelProto()
    copy.CopyFrom(model)
    functions = {(function.domain, function.name): function for function in copy.functions}
    for node in chain.from_iterable(map(_nodes, (copy.graph, *copy.functions))):
        function = functions.get((node.domain, node.op_type))
        given = {attribute.name for attribute in node.attribute}
        for default in function.attribute_proto if function else ():
            if default.name not in given:  # which the inliner wouldn't see to, either
                node.attribute.append(default)
    return inline_local_functions(copy)


def _by_name(names: Sequence[str], inputs: Inputs) -> dict[str, Any]:
    if isinstance(inputs, Mapping):
        return dict(inputs)
    values = [inputs] if isinstance(inputs, np.ndarray) else list(inputs)
    if len(values) != len(names):
        raise ValueError(f"{len(values)} inputs are given for {len(names)}: {', '.join(names)}")
    return dict(zip(names, values, strict=True))


def _fed(name: str, value: Any, type_proto: TypeProto) -> Any:
    """An input as onnx's operators know it, once its type is found to be the declared one."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    element = element_of(value.dtype)
    declared = ELEMENTS.get(type_proto.tensor_type.elem_type)
    if declared and element is not declared:
        raise TypeError(
            f"input {name!r} is declared tensor({declared.name}), "
            f"but is given an array of {value.dtype}"
        )
    if element and value.dtype == element.dtype:
        return np.asarray(value).view(element.twin)
    return value


class CastufuncBackendRep(BackendRep):
    """
    A model that is ready to run.

    Parameters
    ----------
    evaluator : onnx.reference.ReferenceEvaluator
    """

    def __init__(self, evaluator: ReferenceEvaluator) -> None:
        self._evaluator = evaluator
        types = evaluator.input_types or []
        self._types = dict(zip(evaluator.input_names, types, strict=True))
        self._outputs = namedtupledict("Outputs", evaluator.output_names)

    def run(self, inputs: Inputs, **kwargs: Any) -> tuple[Any, ...]:
        """
        Run the model.

        Parameters
        ----------
        inputs : array, sequence or mapping
            The inputs in the model's order, with or without those that the model has an
            initializer for; or by name; or the only one. Arrays of NumPy's, ml_dtypes' and this
            package's types, and for text object arrays of str.
        **kwargs
            Not used.

        Returns
        -------
        namedtuple
            The outputs in the model's order, by name too. Arrays as onnx has them: of ml_dtypes'
            types where NumPy has none.

        Raises
        ------
        TypeError
            If an input is of another type than the model declares.
        ValueError
            If there are too many or too few inputs.
        """
        names = list(self._types)
        if not isinstance(inputs, (Mapping, np.ndarray)) and len(inputs) != len(names):
            names = [name for name in names if name not in self._evaluator.rt_inits_]
        feeds = _by_name(names, inputs)
        for name, value in feeds.items():
            if name not in self._types:
                raise ValueError(f"there is no input {name!r}, only {', '.join(self._types)}")
            feeds[name] = _fed(name, value, self._types[name])
        return self._outputs(*self._evaluator.run(None, feeds))


class CastufuncBackend(Backend):
    """The backend; its methods are functions of this module too."""

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether it is the CPU."""
        return device.split(":")[0] == "CPU"

    @classmethod
    def is_compatible(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """
        Whether `prepare` takes a model.

        Returns
        -------
        bool
            False if the model is not valid, or has an operator that is not implemented, or has
            one of ours in a version that lacks what the node asks for.
        """
        try:
            cls.prepare(model, device, **kwargs)
        except Exception:
            return False
        return True

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> CastufuncBackendRep:
        """
        Check a model and make it ready to run.

        Parameters
        ----------
        model : onnx.ModelProto
        device : str
            ``"CPU"``.
        **kwargs
            Not used.

        Returns
        -------
        CastufuncBackendRep

        Raises
        ------
        ValueError
            For another device, or if a node asks for what the version of its operator lacks.
        onnx.checker.ValidationError
            If the model is not valid.

        Examples
        --------
        >>> import numpy as np
        >>> import castufunc.onnx
        >>> from onnx import parser
        >>> model = parser.parse_model('''
        ... <ir_version: 10, opset_import: ["" : 21]>
        ... agraph (float[N] x, uint4[M] t) => (uint4[N] y) { y = CastLike (x, t) }
        ... ''')
        >>> prepared = castufunc.onnx.backend.prepare(model)
        >>> outputs = prepared.run([np.float32([15.9, -1]), np.ones(1, castufunc.uint4)])
        >>> outputs["y"].tolist()
        [15, 15]
        """
        if not cls.supports_device(device):
            raise ValueError(f"there is no device {device!r}, only 'CPU'")
        model = _in_default_domain(model)
        super().prepare(model, device, **kwargs)
        return CastufuncBackendRep(_Evaluator(_inlined(model)))

    @classmethod
    def run_model(
        cls, model: ModelProto, inputs: Inputs, device: str = "CPU", **kwargs: Any
    ) -> tuple[Any, ...]:
        """``prepare(model, device).run(inputs)``."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: NodeProto,
        inputs: Inputs,
        device: str = "CPU",
        outputs_info: Any = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """
        Run a single node.

        Parameters
        ----------
        node : onnx.NodeProto
        inputs : array, sequence or mapping
            As for `CastufuncBackendRep.run`.
        device : str
            ``"CPU"``.
        outputs_info
            Not used.
        opset_version : int, optional
            By default the newest that onnx has.

        Returns
        -------
        namedtuple

        Raises
        ------
        ValueError, TypeError, onnx.checker.ValidationError
            As `prepare` and `CastufuncBackendRep.run`.
        """
        if not cls.supports_device(device):
            raise ValueError(f"there is no device {device!r}, only 'CPU'")
        super().run_node(node, inputs, device, outputs_info, **kwargs)
        opset = kwargs.get("opset_version", defs.onnx_opset_version())
        names = [name for name in node.input if name]
        feeds = _by_name(names, inputs)
        graph = helper.make_graph(
            [node],
            "node",
            [ValueInfoProto(name=name) for name in dict.fromkeys(names)],
            [ValueInfoProto(name=name) for name in node.output if name],
        )
        evaluator = _Evaluator(graph, opsets={node.domain: opset})
        return CastufuncBackendRep(evaluator).run(feeds)


is_compatible = CastufuncBackend.is_compatible
prepare = CastufuncBackend.prepare
run_model = CastufuncBackend.run_model
run_node = CastufuncBackend.run_node
supports_device = CastufuncBackend.supports_device
