"""
Files of safetensors, with the types that safetensors' own module for NumPy does not know.

`load_file` maps a file into memory, after that library has checked it. `save_file` writes one,
float6 types too, which the library can read but not write.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import _core
from ..formats import FORMATS
from ..packed_array import PackedArray
from ..packing import pack
from ._twins import _OWN

__all__ = ["load_file", "save_file"]

Path: TypeAlias = str | os.PathLike[str]

_NAMES = {
    "bool": "BOOL", "complex64": "C64",
    "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "float16": "F16", "float32": "F32", "float64": "F64",
    "bfloat16": "BF16",
    "float8e4m3fn": "F8_E4M3", "float8e4m3fnuz": "F8_E4M3FNUZ",
    "float8e5m2": "F8_E5M2", "float8e5m2fnuz": "F8_E5M2FNUZ",
    "float8e8m0": "F8_E8M0",
    "float6e2m3": "F6_E2M3", "float6e3m2": "F6_E3M2",
    "float4e2m1": "F4",
}  # fmt: skip
_TYPES = {name: _core.dtype(own) for own, name in _NAMES.items()}
_NAME_OF = {dtype: name for name, dtype in _TYPES.items()}
_BITS = {info.dtype: info.bits for info in FORMATS.values()}
# The header begins behind its own length, and ends so that the data are aligned.
_LENGTH = 8
_MAX_HEADER = 100_000_000


def _bits(dtype: np.dtype[Any]) -> int:
    return _BITS.get(dtype, 8 * dtype.itemsize)


# --- reading --------------------------------------------------------------------------------


def _check(path: Path) -> None:
    library = importlib.import_module("safetensors")
    try:
        with library.safe_open(path, framework="np"):
            pass
    except library.SafetensorError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from error


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("the header has a key twice")
    return names


def _dtype_of(name: str, entry: object) -> np.dtype[Any]:
    if not isinstance(entry, dict):
        raise ValueError(f"tensor {name!r}: the header has no record of it but {entry!r}")
    code = entry["dtype"]
    if not isinstance(code, str):
        raise ValueError(f"tensor {name!r}: the dtype is {code!r}, not a name")
    if code not in _TYPES:
        raise TypeError(f"tensor {name!r}: there is no dtype for {code}")
    return _TYPES[code]


def load_file(path: Path, *, unpack: bool = False) -> dict[str, npt.NDArray[Any] | PackedArray]:
    """
    The tensors of a safetensors file, mapped into memory.

    Parameters
    ----------
    path : str or path-like
    unpack : bool, default False
        Whether the tensors of F4 and F6 types are unpacked, which takes a byte per element.

    Returns
    -------
    dict of str to ndarray or PackedArray
        In the order of the header. F4, F6_E2M3 and F6_E3M2 are PackedArrays, unless `unpack` is
        set. Nothing is read before it is used. Arrays can be written to; that changes memory, and
        never the file.

    Raises
    ------
    ValueError
        If the file is not what the format demands: the header is too long, no JSON, or has a key
        twice; a type is unknown; data are missing, overlap, or are left over. The library
        safetensors checks all but the keys.
    OSError
        If the file cannot be opened.
    ImportError
        If safetensors is not installed.

    Examples
    --------
    >>> from castufunc.interop.safetensors import load_file
    >>> load_file("model.safetensors")["scale"].dtype  # doctest: +SKIP
    castufunc.float8e8m0
    """
    _check(path)
    # Copy-on-write: a tensor of torch, for one, can share memory that can be written to only.
    file = np.asarray(np.memmap(path, np.uint8, "c"))
    start = _LENGTH + int.from_bytes(file[:_LENGTH].tobytes(), "little")
    header = json.loads(file[_LENGTH:start].tobytes(), object_pairs_hook=_without_duplicates)
    header.pop("__metadata__", None)
    tensors: dict[str, npt.NDArray[Any] | PackedArray] = {}
    for name, entry in header.items():
        dtype = _dtype_of(name, entry)
        begin, end = entry["data_offsets"]
        data = file[start + begin : start + end]
        if _bits(dtype) >= 8:
            tensors[name] = data.view(dtype.newbyteorder("<")).reshape(entry["shape"])
        else:
            packed = PackedArray(data, dtype, entry["shape"])
            tensors[name] = packed.unpack() if unpack else packed
    return tensors


# --- writing --------------------------------------------------------------------------------


def _tensor(name: object, x: npt.ArrayLike | PackedArray) -> npt.NDArray[Any] | PackedArray:
    if not isinstance(name, str) or name == "__metadata__":
        raise ValueError(f"{name!r} cannot be the name of a tensor")
    if isinstance(x, PackedArray):
        return PackedArray(x.data, _OWN.get(x.dtype, x.dtype), x.shape)
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"tensor {name!r}: a tensor has no mask: give the masked array's data")
    array = np.asarray(x)
    return array.view(_OWN[array.dtype]) if array.dtype in _OWN else array


def _plain(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """In native byte order, and of a fixed width."""
    try:
        return _core.dtype(dtype)
    except TypeError:
        return dtype


def _entry(name: str, x: npt.NDArray[Any] | PackedArray) -> dict[str, Any]:
    dtype = _plain(x.dtype)
    if dtype not in _NAME_OF:
        raise TypeError(f"tensor {name!r}: safetensors has no type for dtype {x.dtype}")
    bits = math.prod(x.shape) * _bits(dtype)
    if bits % 8:
        raise ValueError(
            f"tensor {name!r}: safetensors wants whole bytes, and {x.size} elements of "
            f"{_bits(dtype)} bits are {bits} bits"
        )
    return {"dtype": _NAME_OF[dtype], "shape": list(x.shape), "size": bits // 8}


def _content(x: npt.NDArray[Any] | PackedArray) -> memoryview:
    if isinstance(x, PackedArray):
        data = x.data
    elif _bits(x.dtype) < 8:
        data = pack(x)
    else:
        little = x.astype(x.dtype.newbyteorder("<"), order="C", copy=False)
        data = little.reshape(-1).view(np.uint8)
    return data.data


def _header(
    tensors: Mapping[str, npt.NDArray[Any] | PackedArray], metadata: Mapping[str, str] | None
) -> bytes:
    header: dict[str, Any] = {}
    if metadata is not None:
        if not all(isinstance(s, str) for pair in metadata.items() for s in pair):
            raise TypeError("metadata must map str to str")
        header["__metadata__"] = dict(metadata)
    end = 0
    for name, x in tensors.items():
        entry = _entry(name, x)
        begin, end = end, end + entry.pop("size")
        header[name] = {**entry, "data_offsets": [begin, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > _MAX_HEADER:
        raise ValueError(f"the header has {len(text)} bytes, safetensors takes {_MAX_HEADER}")
    return len(text).to_bytes(_LENGTH, "little") + text


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` once it is complete."""
    target = os.path.realpath(path)
    temporary = f"{target}.{secrets.token_hex(8)}"
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def save_file(
    tensors: Mapping[str, npt.ArrayLike | PackedArray],
    path: Path,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """
    Write tensors to a safetensors file, which appears at once, when it is complete.

    Parameters
    ----------
    tensors : mapping of str to array_like or PackedArray
        Of any of this package's float types, of the equivalent types of ml_dtypes, or of NumPy's
        types up to complex64. float4e2m1 and the float6 types are packed if they are not yet.
    path : str or path-like
        A file that is there is replaced; arrays that `load_file` mapped from it stay as they are.
    metadata : mapping of str to str, optional

    Raises
    ------
    TypeError
        If safetensors has no such type, as for int4.
    ValueError
        If the elements of a packed type do not fill whole bytes, as the format demands, or a name
        or the header's length is not allowed.
    OSError
        If the file cannot be written; one that was there is unchanged.

    Examples
    --------
    >>> import castufunc
    >>> from castufunc.interop.safetensors import save_file
    >>> w = castufunc.cast([[0.5, -6.0], [1.0, 3.0]], "float4e2m1")
    >>> save_file({"w": w}, "model.safetensors")  # doctest: +SKIP
    """
    arrays = {name: _tensor(name, x) for name, x in tensors.items()}
    # The widest first, so that all are aligned.
    ordered = dict(sorted(arrays.items(), key=lambda item: (-_bits(item[1].dtype), item[0])))
    header = _header(ordered, metadata)
    with _replacing(path) as file:
        file.write(header)
        for x in ordered.values():
            file.write(_content(x))
