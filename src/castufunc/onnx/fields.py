"""The fields of a TensorProto that hold the elements one by one, not as raw bytes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .._messages import class_name
from ..packed_array import PackedArray
from ..packing import pack, unpack
from .elements import Element

__all__ = ["FIELDS", "check_size", "decoded", "encoded", "entries_of", "field_of", "from_entries"]

_FIELD_TYPES: dict[str, np.dtype[Any]] = {
    "float_data": np.dtype(np.float32),
    "double_data": np.dtype(np.float64),
    "int32_data": np.dtype(np.int32),
    "int64_data": np.dtype(np.int64),
    "uint64_data": np.dtype(np.uint64),
    "string_data": np.dtype(object),
}
FIELDS = tuple(_FIELD_TYPES)

_FIELD_OF = {
    "float": "float_data",
    "complex64": "float_data",
    "double": "double_data",
    "complex128": "double_data",
    "int64": "int64_data",
    "uint32": "uint64_data",
    "uint64": "uint64_data",
    "string": "string_data",
}


def field_of(element: Element) -> str:
    """The field for a type."""
    return _FIELD_OF.get(element.name, "int32_data")


def _is_packed(element: Element) -> bool:
    """Whether an entry is a byte of the packed form; one of float6 is a code all the same."""
    return element.bits in (2, 4)


def check_size(
    has: int, wants: int, unit: str, where: str, n: int, element: Element, strict: bool
) -> None:
    """Raise ValueError for too few entries or bytes, or if `strict` for too many."""
    if has < wants or (strict and has > wants):
        raise ValueError(f"{where} has {has} {unit}, {n} elements of {element.name} have {wants}")


# --- numbers --------------------------------------------------------------------------------


def from_entries(
    entries: Any, element: Element, shape: tuple[int, ...], strict: bool
) -> npt.NDArray[Any]:
    """The array of the entries of its field."""
    n = math.prod(shape)
    field = field_of(element)
    size = (n * element.bits + 7) // 8 if _is_packed(element) else n
    size *= 2 if element.dtype.kind == "c" else 1
    check_size(len(entries), size, "entries", field, n, element, strict)
    numbers = np.fromiter(entries, _FIELD_TYPES[field], len(entries))[:size]
    if numbers.dtype.kind != "f":
        if strict:
            _check_range(numbers, field, element)
        if _is_packed(element):
            return unpack(numbers.astype(np.uint8), element.dtype, shape, strict=strict)
        numbers = _codes(numbers, element)
    array: npt.NDArray[Any] = numbers.view(element.dtype)
    return array.reshape(shape)


def _check_range(numbers: npt.NDArray[Any], field: str, element: Element) -> None:
    """Codes stand there unsigned; but of 8 bits and more sign-extended ones are seen too."""
    width = 8 if _is_packed(element) else element.bits
    if width == 8 * numbers.itemsize:
        return
    low = -(1 << (width - 1)) if numbers.dtype.kind == "i" and width >= 8 else 0
    outside = (numbers < low) | (numbers >= 1 << width)
    if outside.any():
        i = int(outside.argmax())
        raise ValueError(f"entry {i} of {field} is {numbers[i]}, which is no {element.name}")


def _codes(numbers: npt.NDArray[Any], element: Element) -> npt.NDArray[Any]:
    if element.name == "bool":
        return numbers.astype(np.bool_)
    codes: npt.NDArray[Any] = numbers.astype(f"u{element.dtype.itemsize}")
    return codes & np.uint8((1 << element.bits) - 1) if element.bits < 8 else codes


def entries_of(values: npt.NDArray[Any] | PackedArray, element: Element) -> npt.NDArray[Any]:
    """The entries for an array, which is in native byte order; numbers that protobuf takes."""
    if _is_packed(element):
        return values.data if isinstance(values, PackedArray) else pack(values)
    flat: npt.NDArray[Any] = np.asarray(values).reshape(-1)
    field_type = _FIELD_TYPES[field_of(element)]
    if element.dtype.kind in "iu" or element.dtype == field_type:
        return flat
    view = field_type if element.dtype.kind == "c" else np.dtype(f"u{element.dtype.itemsize}")
    codes: npt.NDArray[Any] = flat.view(view)
    return codes & np.uint8((1 << element.bits) - 1) if element.bits < 8 else codes


# --- text -----------------------------------------------------------------------------------


def decoded(entries: Any, element: Element, shape: tuple[int, ...], strict: bool) -> Any:
    """The array of str of the entries of ``string_data``."""
    n = math.prod(shape)
    check_size(len(entries), n, "entries", "string_data", n, element, strict)
    array = np.empty(n, object)
    for i in range(n):
        try:
            array[i] = entries[i].decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"entry {i} of string_data is not UTF-8: {error.reason}") from None
    return array.reshape(shape)


def encoded(texts: npt.NDArray[Any]) -> list[bytes]:
    """The entries for an array of text."""
    entries = []
    for i, text in enumerate(texts.reshape(-1).tolist()):
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"element {i} is no text but {class_name(text)}")
        try:
            entry = text.encode("utf-8") if isinstance(text, str) else text
            entry.decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError) as error:
            raise ValueError(f"element {i} is no UTF-8: {error.reason}") from None
        entries.append(entry)
    return entries
