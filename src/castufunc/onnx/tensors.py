"""Tensors of models as arrays, and back."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from .. import _core
from .._messages import class_name, short
from ..packed_array import PackedArray
from ..packing import MAX_DIMENSIONS, pack, unpack
from .elements import ELEMENTS, Element, element_of
from .external import Folders, Place, external_bytes
from .fields import FIELDS, check_size, decoded, encoded, entries_of, field_of, from_entries

__all__ = ["from_array", "to_array"]


def to_array(
    tensor: TensorProto,
    base_dir: Place = "",
    *,
    strict: bool = True,
    as_ml_dtypes: bool = False,
    link_dirs: Folders = (),
) -> npt.NDArray[Any]:
    """
    The array of a tensor of a model, of any of ONNX's 28 element types.

    Parameters
    ----------
    tensor : onnx.TensorProto
        With its data in ``raw_data``, in the field of its type, or in a file of their own.
    base_dir : str or path, default: the working directory
        The folder of the model, in which such a file must lie. Or the model's own file: then a
        link in its folder may also lead to the folder in which that file really is, as links in
        the cache of a hub do.
    strict : bool, default True
        Whether surplus data, bits other than zero behind the last element, and entries of
        ``int32_data`` or ``uint64_data`` that are too large for the type are an error.
    as_ml_dtypes : bool, default False
        Whether types that NumPy lacks are given as those of ml_dtypes, as
        ``onnx.numpy_helper.to_array`` does it, not as those of this package.
    link_dirs : str or path, or several of them
        Further folders to which links in the folder of the model may lead.

    Returns
    -------
    ndarray
        Text is an array of str objects. From ``raw_data`` and files, elements of 8 bits and more
        are not copied: the array is read-only, and follows the file if that is changed.

    Raises
    ------
    TypeError
        If it is no tensor, or of no element type.
    ValueError
        If data are truncated, surplus or in the wrong field; the message tells the sizes. If a
        text is not UTF-8, or the shape is none that an array can have. If the file is outside of
        `base_dir`, or not a regular file.
    FileNotFoundError
        If the file is not there.

    Notes
    -----
    A file must not be cut short while an array is mapped from it: using what is gone ends the
    process. Use ``to_array(...).copy()`` where that can happen.

    Examples
    --------
    >>> import castufunc.onnx
    >>> from onnx import TensorProto
    >>> tensor = TensorProto(data_type=TensorProto.INT4, dims=[3], raw_data=bytes([0xF1, 0x07]))
    >>> a = castufunc.onnx.to_array(tensor)
    >>> a.tolist(), a.dtype
    ([1, -1, 7], castufunc.int4)
    """
    if not isinstance(tensor, TensorProto):
        raise TypeError(f"to_array takes a TensorProto, not {class_name(tensor)}")
    try:
        array = _read(tensor, base_dir, link_dirs, strict)
    except (TypeError, ValueError, FileNotFoundError) as error:
        kind = next(k for k in (TypeError, FileNotFoundError, ValueError) if isinstance(error, k))
        raise kind(f"tensor {short(tensor.name)}: {error}") from error
    except OSError as error:
        error.add_note(f"in the tensor {short(tensor.name)}")
        raise
    return array.view(ELEMENTS[tensor.data_type].twin) if as_ml_dtypes else array


def _shape(tensor: TensorProto, element: Element) -> tuple[int, ...]:
    shape = tuple(tensor.dims)
    if any(size < 0 for size in shape):
        raise ValueError(f"dims {short(shape)} has a negative size")
    if len(shape) > MAX_DIMENSIONS:
        raise ValueError(f"dims has {len(shape)} dimensions, an array has at most {MAX_DIMENSIONS}")
    if math.prod(n for n in shape if n) * element.dtype.itemsize > np.iinfo(np.intp).max:
        raise ValueError(f"dims {short(shape)} is too large for an array")
    return shape


def _read(
    tensor: TensorProto, base_dir: Place, link_dirs: Folders, strict: bool
) -> npt.NDArray[Any]:
    element = ELEMENTS.get(tensor.data_type)
    if element is None:
        raise TypeError(f"data_type {tensor.data_type} is no element type")
    shape = _shape(tensor, element)
    if tensor.HasField("segment"):
        raise ValueError("a tensor in segments is not supported")

    field = field_of(element)
    if tensor.data_location == TensorProto.EXTERNAL:
        field = "external_data"
    elif tensor.HasField("raw_data"):
        field = "raw_data"
    if element.is_text and field != "string_data":
        raise ValueError(f"text must be in string_data, not in {field}")
    for other in ("raw_data", *FIELDS):
        if strict and other != field and len(getattr(tensor, other)):
            raise ValueError(f"the data are to be in {field}, but there are some in {other}")

    if field == "external_data":
        size = _size(element, shape)
        data = external_bytes(tensor, size, base_dir, link_dirs)
        return _from_bytes(data, field, element, shape, strict)
    if field == "raw_data":
        data = np.frombuffer(tensor.raw_data, np.uint8)
        return _from_bytes(data, field, element, shape, strict)
    read = decoded if element.is_text else from_entries
    return read(getattr(tensor, field), element, shape, strict)


def _size(element: Element, shape: tuple[int, ...]) -> int:
    """Bytes in ``raw_data`` or a file."""
    return (math.prod(shape) * element.bits + 7) // 8


def _from_bytes(
    data: npt.NDArray[np.uint8], field: str, element: Element, shape: tuple[int, ...], strict: bool
) -> npt.NDArray[Any]:
    size = _size(element, shape)
    check_size(data.size, size, "bytes", field, math.prod(shape), element, strict)
    if element.bits < 8:
        return unpack(data, element.dtype, shape, strict=strict)
    array: npt.NDArray[Any] = data[:size].view(element.dtype)
    return (array if sys.byteorder == "little" else _swapped(array)).reshape(shape)


def _swapped(flat: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy with the bytes of each element, or each part of a complex one, in reverse."""
    size = flat.itemsize // (2 if flat.dtype.kind == "c" else 1)
    swapped: npt.NDArray[Any] = flat.view(f"u{size}").byteswap().view(flat.dtype)
    return swapped


def from_array(
    array: npt.ArrayLike | PackedArray, name: str | None = None, *, raw: bool = True
) -> TensorProto:
    """
    A tensor for a model with the values of an array.

    Parameters
    ----------
    array : array_like or PackedArray
        Of this package's types, NumPy's or ml_dtypes'; or text in any of NumPy's containers.
    name : str, optional
    raw : bool, default True
        Whether the data go to ``raw_data``, as ``onnx.numpy_helper.from_array`` does it, or to
        the field of the type, as ``onnx.helper.make_tensor`` does. Text always goes to its field.

    Returns
    -------
    onnx.TensorProto
        Types of less than 8 bits are packed; but float6 in ``int32_data`` is not.

    Raises
    ------
    TypeError
        If the type is none of ONNX's, or an array of objects holds anything but text.
    ValueError
        If a text cannot be written as UTF-8.

    Examples
    --------
    >>> import numpy as np
    >>> import castufunc.onnx
    >>> castufunc.onnx.from_array(np.array([1, -1, 7], castufunc.int4), "weights").raw_data
    b'\\xf1\\x07'
    """
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("a tensor has no mask: give the masked array's data")
    values = array if isinstance(array, PackedArray) else np.asarray(array)
    element = element_of(values.dtype)
    if element is None:
        raise TypeError(f"an array of {values.dtype} cannot be a tensor: that is no element type")
    tensor = TensorProto(data_type=element.number, dims=values.shape)
    if name:
        tensor.name = name
    if isinstance(values, np.ndarray):
        if element.is_text:
            tensor.string_data.extend(encoded(values))
            return tensor
        values = _plain(values)
    if raw:
        tensor.raw_data = _raw(values, element)
    else:
        getattr(tensor, field_of(element)).extend(entries_of(values, element))
    return tensor


def _plain(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same in native byte order, and every bool as 0 or 1."""
    if values.dtype == np.bool_:
        return _core.cast(values, np.bool_)
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _raw(values: npt.NDArray[Any] | PackedArray, element: Element) -> bytes:
    if isinstance(values, PackedArray):
        return values.data.tobytes()
    if element.bits < 8:
        return pack(values).tobytes()
    return (values if sys.byteorder == "little" else _swapped(values.reshape(-1))).tobytes()
