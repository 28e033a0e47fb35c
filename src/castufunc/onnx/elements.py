"""The element types of ONNX: their numbers, their names, and the arrays that hold them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..formats import FORMATS
from ..interop import _TWINS

__all__ = ["ELEMENTS", "Element", "element_of"]

# Where ONNX's name is not that of the dtype.
_NAMES = {"float32": "float", "float64": "double", "object": "string"}


@dataclass(frozen=True, eq=False)
class Element:
    """
    An element type.

    Attributes
    ----------
    number : int
        In ``TensorProto.DataType``.
    name : str
        As in ``"tensor(float)"``.
    dtype : numpy.dtype
        This package's or NumPy's.
    twin : numpy.dtype
        That of the arrays that onnx itself has: ml_dtypes' or NumPy's.
    bits : int
        Of an element in ``raw_data``; 0 for text, which has no place there.
    """

    number: int
    name: str
    dtype: np.dtype[Any]
    twin: np.dtype[Any]
    bits: int

    @property
    def is_text(self) -> bool:
        return not self.bits

    def __str__(self) -> str:
        return self.name


_OWN = {info.dtype: info for info in FORMATS.values()}


def _element(number: int) -> Element:
    dtype = _core.dtype(number)
    own = _OWN.get(dtype)
    if own:
        return Element(number, own.name, dtype, _TWINS[dtype], own.bits)
    bits = 0 if dtype.kind == "O" else 8 * dtype.itemsize
    return Element(number, _NAMES.get(dtype.name, dtype.name), dtype, dtype, bits)


# The numbers have no gaps; 0 is UNDEFINED.
ELEMENTS = {number: _element(number) for number in range(1, 29)}

_BY_DTYPE = {
    dtype: element for element in ELEMENTS.values() for dtype in (element.dtype, element.twin)
}


def element_of(dtype: np.dtype[Any]) -> Element | None:
    """The element type of an array's dtype: text in any container is STRING. None if none is."""
    if dtype.kind in "OUST":
        return _BY_DTYPE[np.dtype(object)]
    try:
        # In native byte order, and C's integer types by their width.
        return _BY_DTYPE.get(_core.dtype(dtype))
    except TypeError:
        return None
