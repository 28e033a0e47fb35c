"""Arrays as tensors of torch, and back, in the same memory."""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .._messages import class_name
from ..formats import FORMATS
from ..packed_array import PackedArray
from ._twins import _OWN

__all__ = ["from_torch", "to_torch"]

# torch has these types under ml_dtypes' names. Those of its int4 and the like are names only.
_NAMES = {
    info.dtype: info.ml_dtypes
    for info in FORMATS.values()
    if info.kind == "float" and info.bits >= 8
}
_FLOAT4 = FORMATS["float4e2m1"]
# Two elements of float4 in a byte, along the last dimension.
_PAIRS = f"{_FLOAT4.ml_dtypes}_x2"


def _type(torch: Any, name: str) -> Any:
    found = getattr(torch, name, None)
    if found is None:
        raise TypeError(f"torch {torch.__version__} has no type {name}")
    return found


def _bits(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(np.uint8 if dtype.itemsize == 1 else np.int16)


def _obstacle(array: npt.NDArray[Any]) -> str | None:
    """Why no tensor can share the array's memory."""
    if not array.flags.writeable:
        return "it is read-only"
    if any(stride < 0 for stride in array.strides):
        return "it has a negative stride"
    if not array.flags.aligned or any(stride % array.itemsize for stride in array.strides):
        return "its elements are not aligned"
    if not array.dtype.isnative:
        return "its byte order is not this machine's"
    return None


def _shared(torch: Any, array: npt.NDArray[Any], copy: bool | None) -> Any:
    obstacle = _obstacle(array)
    if obstacle and copy is False:
        raise ValueError(f"a tensor cannot share the memory of this array: {obstacle}")
    if obstacle or copy:
        array = np.array(array, array.dtype.newbyteorder("="), order="C")
    return torch.from_numpy(array)


def _to_pairs(torch: Any, x: PackedArray, copy: bool | None) -> Any:
    if _OWN.get(x.dtype, x.dtype) != _FLOAT4.dtype:
        raise TypeError(f"torch has no type for packed {x.dtype}, only for {_FLOAT4.dtype}")
    if not x.shape or x.shape[-1] % 2:
        raise ValueError(f"shape {x.shape}: {_PAIRS} needs a last dimension of even size")
    pairs = x.data.reshape(*x.shape[:-1], x.shape[-1] // 2)
    # Unless the memory itself is read-only, and not just the PackedArray's view of it.
    with contextlib.suppress(ValueError):
        pairs.flags.writeable = True
    return _shared(torch, pairs, copy).view(_type(torch, _PAIRS))


def to_torch(x: npt.ArrayLike | PackedArray, *, copy: bool | None = None) -> Any:
    """
    A tensor of torch with an array's elements, in the same memory if that can be.

    Parameters
    ----------
    x : array_like or PackedArray
        Of bfloat16, a float8 type or float8e8m0, of the equivalent type of ml_dtypes, or of a type
        of NumPy's that torch has. A PackedArray of float4e2m1 with a last dimension of even size.
    copy : bool, optional
        True: copy. False: never. By default only if the memory cannot be shared: if x is
        read-only, which no tensor can be, or has a negative stride, elements that are not
        aligned, or another byte order.

    Returns
    -------
    torch.Tensor
        Of x's shape, and of the torch type of the same format. For a PackedArray it is
        ``float4_e2m1fn_x2`` with half the last dimension; write to neither of the two then.

    Raises
    ------
    TypeError
        If torch, or the release that is installed, has no such type.
    ValueError
        If `copy` is False and the memory cannot be shared, or the last dimension is odd.
    ImportError
        If torch is not installed.

    Examples
    --------
    >>> import castufunc
    >>> x = castufunc.cast([1.5, 300.0], "float8e5m2")
    >>> castufunc.interop.to_torch(x)  # doctest: +SKIP
    tensor([  1.5000, 320.0000], dtype=torch.float8_e5m2)
    """
    torch = importlib.import_module("torch")
    if isinstance(x, PackedArray):
        return _to_pairs(torch, x, copy)
    array = np.asarray(x)
    own = _OWN.get(array.dtype, array.dtype)
    if own in _NAMES:
        kind = _type(torch, _NAMES[own])
        return _shared(torch, array.view(_bits(own)), copy).view(kind)
    if own in _OWN.values():
        hint = "; it has one for a PackedArray of it" if own == _FLOAT4.dtype else ""
        raise TypeError(f"torch has no type for dtype {own}{hint}")
    return _shared(torch, array, copy)


def _from_pairs(torch: Any, t: Any) -> PackedArray:
    if not t.ndim:
        raise ValueError(f"a tensor of {_PAIRS} without dimensions has no shape in elements")
    pairs = t.view(torch.uint8).numpy()
    return PackedArray(pairs, _FLOAT4.dtype, (*pairs.shape[:-1], 2 * pairs.shape[-1]))


def from_torch(t: Any) -> npt.NDArray[Any] | PackedArray:
    """
    An array with the elements of a tensor of torch, in the same memory.

    Parameters
    ----------
    t : torch.Tensor
        In the memory of the CPU, dense, and detached from the graph of gradients; of any strides.

    Returns
    -------
    ndarray or PackedArray
        Of t's shape, and of this package's or NumPy's type of the same format. For
        ``float4_e2m1fn_x2`` a PackedArray with twice the last dimension; it shares t's memory if t
        is contiguous.

    Raises
    ------
    TypeError
        If t is no such tensor, or of a type that has no equivalent.
    ValueError
        If t requires gradients: call ``detach`` first.
    ImportError
        If torch is not installed.

    Examples
    --------
    >>> import castufunc
    >>> import torch  # doctest: +SKIP
    >>> castufunc.interop.from_torch(torch.ones(2, dtype=torch.bfloat16))  # doctest: +SKIP
    array([1.0, 1.0], dtype=castufunc.bfloat16)
    """
    torch = importlib.import_module("torch")
    if not isinstance(t, torch.Tensor):
        raise TypeError(f"expected a tensor of torch, not {class_name(t)}")
    if t.layout is not torch.strided:
        raise TypeError(f"a tensor of layout {t.layout} is no array: call to_dense() first")
    if t.requires_grad:
        raise ValueError("the tensor requires gradients: call detach() first")
    if t.dtype == getattr(torch, _PAIRS, None):
        return _from_pairs(torch, t)
    for own, name in _NAMES.items():
        if t.dtype == getattr(torch, name, None):
            bits: npt.NDArray[Any] = t.view(getattr(torch, _bits(own).name)).numpy()
            return bits.view(own)
    array: npt.NDArray[Any] = t.numpy()
    return array
