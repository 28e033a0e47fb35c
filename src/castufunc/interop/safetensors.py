"""
Files of safetensors, with the types that safetensors' own module for NumPy does not know.

`load_file` maps a file into memory, after that library has checked it. `save_file` writes one,
float6 types too, which the library can read but not write. `load` and `save` do the same with bytes
in memory.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import sys
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from .. import _core
from .._files import open_regular, replacing, same_file
from .._messages import class_name, short, short_path
from ..formats import FORMATS
from ..packed_array import PackedArray
from ..packing import MAX_DIMENSIONS, Data, pack
from ._safetensors_check import _LENGTH, _MAX_HEADER, check, header_length, the_library
from ._twins import _OWN

__all__ = ["load", "load_file", "save", "save_file"]

Path: TypeAlias = str | os.PathLike[str]
Tensors: TypeAlias = dict[str, npt.NDArray[Any] | PackedArray]

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


def _bits(dtype: np.dtype[Any]) -> int:
    return _BITS.get(dtype, 8 * dtype.itemsize)


def _swaps(dtype: np.dtype[Any]) -> bool:
    """Whether an own type, whose dtype tells no byte order, lies in files in the other one."""
    return dtype in _BITS and dtype.itemsize > 1 and sys.byteorder == "big"


def _from_little_endian(data: npt.NDArray[np.uint8], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    if dtype in _BITS:
        return data.view(dtype).byteswap() if _swaps(dtype) else data.view(dtype)
    return data.view(dtype.newbyteorder("<"))


def _to_little_endian(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if x.dtype in _BITS:
        return x.byteswap() if _swaps(x.dtype) else np.ascontiguousarray(x)
    return x.astype(x.dtype.newbyteorder("<"), order="C", copy=False)


# --- reading --------------------------------------------------------------------------------


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("the header has a key twice")
    return names


def _dtype_of(name: str, entry: object) -> np.dtype[Any]:
    if not isinstance(entry, dict):
        raise ValueError(f"tensor {short(name)}: the header has no record of it but {short(entry)}")
    code = entry["dtype"]
    if not isinstance(code, str):
        raise ValueError(f"tensor {short(name)}: the dtype is {short(code)}, not a name")
    if code not in _TYPES:
        raise TypeError(f"tensor {short(name)}: there is no dtype for {short(code)[1:-1]}")
    return _TYPES[code]


def _check_shape(name: str, shape: list[int], dtype: np.dtype[Any]) -> None:
    """Raise ValueError for a shape that the format allows, but no array can have."""
    if len(shape) > MAX_DIMENSIONS:
        raise ValueError(
            f"tensor {short(name)} has {len(shape)} dimensions, an array has at most "
            f"{MAX_DIMENSIONS}"
        )
    if math.prod(n for n in shape if n) * dtype.itemsize > np.iinfo(np.intp).max:
        raise ValueError(
            f"tensor {short(name)}: shape {short(tuple(shape))} is too large for an array"
        )


def _tensors(file: npt.NDArray[np.uint8], unpack: bool) -> Tensors:
    """The tensors of a file that the library has checked, in its memory."""
    start = _LENGTH + header_length(file)
    header = json.loads(file[_LENGTH:start].tobytes(), object_pairs_hook=_without_duplicates)
    header.pop("__metadata__", None)
    tensors: Tensors = {}
    for name, entry in header.items():
        dtype = _dtype_of(name, entry)
        _check_shape(name, entry["shape"], dtype)
        begin, end = entry["data_offsets"]
        data = file[start + begin : start + end]
        if _bits(dtype) >= 8:
            tensors[name] = _from_little_endian(data, dtype).reshape(entry["shape"])
        else:
            packed = PackedArray(data, dtype, entry["shape"])
            tensors[name] = packed.unpack() if unpack else packed
    return tensors


def load_file(path: Path, *, unpack: bool = False) -> Tensors:
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
        safetensors checks all but the keys. If a tensor has more than 64 dimensions, or what is
        there is not a regular file but a folder, a FIFO or a device.
    OSError
        If the file cannot be opened.
    ImportError
        If safetensors is not installed.

    See Also
    --------
    load : the same of bytes in memory.

    Notes
    -----
    A file must not be cut short while arrays are mapped from it: using what is gone ends the
    process. Use ``load(pathlib.Path(path).read_bytes())`` where that can happen.

    Examples
    --------
    >>> from castufunc.interop.safetensors import load_file
    >>> load_file("model.safetensors")["scale"].dtype  # doctest: +SKIP
    castufunc.float8e8m0
    """
    library = the_library()
    name = os.fsdecode(path)
    with open_regular(name) as opened:
        # Copy-on-write: a tensor of torch, for one, can share memory that can be written to only.
        # An empty file cannot be mapped.
        size = os.fstat(opened.fileno()).st_size
        file = np.asarray(np.memmap(opened, np.uint8, "c")) if size else np.empty(0, np.uint8)

        def open_it() -> None:
            with library.safe_open(same_file(opened, name), framework="np"):
                pass

        check(short_path(name), file, open_it)
    return _tensors(file, unpack)


def load(data: Data, *, unpack: bool = False) -> Tensors:
    """
    The tensors of a safetensors file whose content is in memory.

    Parameters
    ----------
    data : bytes-like or ndarray of uint8
        The whole content.
    unpack : bool, default False
        As for `load_file`.

    Returns
    -------
    dict of str to ndarray or PackedArray
        As of `load_file`. The arrays share the memory of `data`, so those of ``bytes`` are
        read-only.

    Raises
    ------
    TypeError
        If `data` is not made of bytes.
    ValueError
        As `load_file`, or if `data` is not contiguous.
    ImportError
        If safetensors is not installed.

    Examples
    --------
    >>> import castufunc
    >>> from castufunc.interop.safetensors import load, save
    >>> content = save({"scale": castufunc.cast([0.25, 2], "float8e8m0")})
    >>> load(content)["scale"].dtype
    castufunc.float8e8m0
    """
    library, content = the_library(), cast(Any, data)
    try:
        view = memoryview(content)
    except (TypeError, ValueError):
        raise TypeError(f"data must be bytes, not {class_name(data)}") from None
    if not view.c_contiguous or view.itemsize != 1:
        raise ValueError("data must be contiguous, and made of single bytes")
    file = np.frombuffer(view, np.uint8) if view.nbytes else np.empty(0, np.uint8)
    # The library takes bytes only, and makes copies; they are gone when it has looked at them.
    copy = data if type(data) is bytes else bytes(view)
    check("data", file, lambda: library.deserialize(copy))
    return _tensors(file, unpack)


# --- writing --------------------------------------------------------------------------------


def _name(name: object) -> str:
    if not isinstance(name, str) or name == "__metadata__":
        raise ValueError(f"{short(name)} cannot be the name of a tensor")
    plain = str.__str__(name)
    if not _is_text(plain):
        raise ValueError(f"tensor {short(plain)}: the name has surrogates, which UTF-8 has not")
    return plain


def _is_text(text: str) -> bool:
    """Whether UTF-8 has it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _tensor(name: str, x: npt.ArrayLike | PackedArray) -> npt.NDArray[Any] | PackedArray:
    if isinstance(x, PackedArray):
        return PackedArray(x.data, _OWN.get(x.dtype, x.dtype), x.shape)
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"tensor {short(name)}: a tensor has no mask: give the masked array's data")
    try:
        array = _core._as_array(x)
    except TypeError as error:
        raise TypeError(f"tensor {short(name)}: {error}") from error
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
        raise TypeError(f"tensor {short(name)}: safetensors has no type for dtype {x.dtype}")
    bits = math.prod(x.shape) * _bits(dtype)
    if bits % 8:
        raise ValueError(
            f"tensor {short(name)}: safetensors wants whole bytes, and {x.size} elements of "
            f"{_bits(dtype)} bits are {bits} bits"
        )
    return {"dtype": _NAME_OF[dtype], "shape": list(x.shape), "size": bits // 8}


def _content(x: npt.NDArray[Any] | PackedArray) -> memoryview:
    if isinstance(x, PackedArray):
        data = x.data
    elif _bits(x.dtype) < 8:
        data = pack(x)
    else:
        data = _to_little_endian(x).reshape(-1).view(np.uint8)
    return data.data


def _metadata(metadata: Mapping[str, str]) -> dict[str, str]:
    pairs = list(metadata.items())
    for text in itertools.chain.from_iterable(pairs):
        if not isinstance(text, str):
            raise TypeError(f"metadata must map str to str, not hold {short(text)}")
        if not _is_text(text):
            raise ValueError(f"metadata: {short(text)} has surrogates, which UTF-8 has not")
    return dict(pairs)


def _header(
    tensors: Mapping[str, npt.NDArray[Any] | PackedArray], metadata: Mapping[str, str] | None
) -> bytes:
    header: dict[str, Any] = {}
    if metadata is not None:
        header["__metadata__"] = _metadata(metadata)
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


def _laid_out(
    tensors: Mapping[str, npt.ArrayLike | PackedArray], metadata: Mapping[str, str] | None
) -> tuple[bytes, list[npt.NDArray[Any] | PackedArray]]:
    """The header, and the tensors whose data follow it."""
    arrays: Tensors = {}
    for given, x in tensors.items():
        name = _name(given)
        if name in arrays:
            raise ValueError(f"{short(name)} is the name of two tensors")
        arrays[name] = _tensor(name, x)
    # The widest first, so that all are aligned.
    ordered = dict(sorted(arrays.items(), key=lambda item: (-_bits(item[1].dtype), item[0])))
    return _header(ordered, metadata), list(ordered.values())


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
        A link is followed: the file that it leads to is replaced, or made if there is none.
    metadata : mapping of str to str, optional

    Raises
    ------
    TypeError
        If safetensors has no such type, as for int4.
    ValueError
        If the elements of a packed type do not fill whole bytes, as the format demands, or a name
        or the header's length is not allowed. If what is at `path` is not a regular file but a
        folder, a FIFO or a device.
    OSError
        If the file cannot be written; one that was there is unchanged.

    See Also
    --------
    save : the same to bytes in memory.

    Examples
    --------
    >>> import castufunc
    >>> from castufunc.interop.safetensors import save_file
    >>> w = castufunc.cast([[0.5, -6.0], [1.0, 3.0]], "float4e2m1")
    >>> save_file({"w": w}, "model.safetensors")  # doctest: +SKIP
    """
    header, arrays = _laid_out(tensors, metadata)
    with replacing(path) as file:
        file.write(header)
        for x in arrays:
            file.write(_content(x))


def save(
    tensors: Mapping[str, npt.ArrayLike | PackedArray],
    metadata: Mapping[str, str] | None = None,
) -> bytes:
    """
    The content of a safetensors file, as `save_file` writes it.

    Parameters
    ----------
    tensors, metadata
        As for `save_file`.

    Returns
    -------
    bytes

    Raises
    ------
    TypeError, ValueError
        As `save_file`.

    Examples
    --------
    >>> import castufunc
    >>> from castufunc.interop.safetensors import save
    >>> content = save({"w": castufunc.cast([0.5, -6.0], "float4e2m1")})
    >>> content[8:-1]
    b'{"w":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}}   '
    """
    header, arrays = _laid_out(tensors, metadata)
    return b"".join([header, *map(_content, arrays)])
