"""The operators for onnx's reference evaluator."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
from onnx import NodeProto
from onnx.reference.op_run import OpRun

from .. import _core
from .._messages import class_name
from .elements import ELEMENTS, Element, element_of
from .versions import version_at, version_with

__all__ = ["OPS"]

_PYTHON_TYPES = {"INT": int, "STRING": str}


class _Operator(OpRun):
    """
    An operator, in the version that the model imports.

    The evaluator has one class for all versions of an operator, named as the operator is, and
    hands it the defaults of the newest. So what the node itself says is looked at; the rest
    stands in the table of versions.
    """

    op_domain = ""

    def __init__(
        self, onnx_node: NodeProto, run_params: dict[str, Any], schema: Any = None
    ) -> None:
        self._where = f"node {onnx_node.name or ', '.join(onnx_node.output)!r}"
        try:
            self._version = version_at(onnx_node.op_type, run_params["opsets"][self.op_domain])
        except ValueError as error:
            raise ValueError(f"{self._where}: {error}") from None
        self._own = [attribute.name for attribute in onnx_node.attribute]
        for name in self._own:
            if name not in self._version.attributes:
                self._refuse(f"attribute {name!r}", attribute=name)
        for name, attribute in self._version.attributes.items():
            if attribute.default is None and name not in self._own:
                self._fail(f"attribute {name!r} is missing")
        super().__init__(onnx_node, run_params, schema)
        self._check_values(
            {a.name: getattr(self, a.name) for a in onnx_node.attribute if not a.ref_attr_name}
        )

    def run(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        inherited: Any = super().run
        try:
            result: tuple[Any, ...] = inherited(*args, **kwargs)
        except (TypeError, ValueError) as error:
            # The evaluator's own words would hide which type was wrong.
            cause = error.__cause__ if isinstance(error.__cause__, TypeError) else error
            if self._where not in str(cause):
                cause.add_note(f"in {self._version}, {self._where}")
            raise cause from None
        return result

    # --- errors -----------------------------------------------------------------------------

    def _fail(self, what: str, error: type[Exception] = ValueError) -> NoReturn:
        raise error(f"{self._version}, {self._where}: {what}")

    def _refuse(
        self, what: str, error: type[Exception] = ValueError, *, type: str = "", attribute: str = ""
    ) -> NoReturn:
        """Refuse a type or an attribute, and tell where it can be had."""
        first = version_with(self._version.operator, type=type, attribute=attribute)
        self._fail(f"there is no {what} in this version; {first or 'no version'} has it", error)

    # --- what the model says ----------------------------------------------------------------

    def _check_values(self, given: dict[str, Any]) -> None:
        for name, value in given.items():
            wanted = self._version.attributes[name].type
            if not isinstance(value, _PYTHON_TYPES[wanted]):
                self._fail(f"attribute {name!r} must be of type {wanted}, not {value!r}")
        if given.get("saturate", 1) not in (0, 1):
            self._fail(f"attribute 'saturate' must be 0 or 1, not {given['saturate']}")
        if given.get("round_mode", "up") not in ("up", "down", "nearest"):
            self._fail(
                "attribute 'round_mode' must be 'up', 'down' or 'nearest', "
                f"not {given['round_mode']!r}"
            )
        if "to" in given:
            self._target(given["to"])

    def _values(self, given: dict[str, Any]) -> dict[str, Any]:
        """All attributes of this version; some may come from the call of a function."""
        own = {name: value for name, value in given.items() if name in self._own}
        self._check_values(own)
        return {name: a.default for name, a in self._version.attributes.items()} | own

    def _target(self, to: int | str) -> Element:
        """The type that `to` stands for, a number or from the times of Cast 1 a name."""
        for element in ELEMENTS.values():
            if to == element.number or str(to).lower() == element.name:
                return self._checked(element, ValueError)
        self._fail(f"attribute 'to' is {to!r}, which is no element type")

    # --- what comes in ----------------------------------------------------------------------

    def _checked(self, element: Element, error: type[Exception]) -> Element:
        if element.name not in self._version.types:
            self._refuse(f"type {element.name}", error, type=element.name)
        return element

    def _element(self, x: object, which: str) -> Element:
        if not isinstance(x, (np.ndarray, np.generic)):
            self._fail(f"the {which} is no tensor but {class_name(x)}", TypeError)
        element = element_of(x.dtype)
        if element is None:
            self._fail(f"the {which} has dtype {x.dtype}, which is no element type", TypeError)
        return self._checked(element, TypeError)

    def _cast(self, x: Any, target: Element, values: dict[str, Any]) -> tuple[npt.NDArray[Any]]:
        self._element(x, "input")
        saturate = bool(values.get("saturate", 1))
        round_mode = values.get("round_mode", "up")
        array = np.asarray(x)
        return (_core.cast(array, target.twin, saturate=saturate, round_mode=round_mode),)


class Cast(_Operator):
    """Cast 1, 6, 9, 13, 19, 21, 23, 24, 25 and 28."""

    def _run(self, x: Any, **given: Any) -> tuple[npt.NDArray[Any]]:
        values = self._values(given)
        return self._cast(x, self._target(values["to"]), values)


class CastLike(_Operator):
    """CastLike 15, 19, 21, 23, 24 and 25. Only the type of the second input is looked at."""

    def _run(self, x: Any, target: Any, **given: Any) -> tuple[npt.NDArray[Any]]:
        return self._cast(x, self._element(target, "target"), self._values(given))


class BitCast(_Operator):
    """BitCast 26."""

    def _run(self, x: Any, **given: Any) -> tuple[npt.NDArray[Any]]:
        target = self._target(self._values(given)["to"])
        source = self._element(x, "input")
        if source.bits != target.bits:
            self._fail(
                f"{source.name} has {source.bits} bits, {target.name} has {target.bits}; "
                "the widths must be the same",
                TypeError,
            )
        return (_core.bit_cast(np.asarray(x), target.twin),)


OPS: list[type[OpRun]] = [Cast, CastLike, BitCast]
