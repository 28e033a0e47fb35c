"""
Packed forms of the types of less than 8 bits, as ONNX keeps them in ``TensorProto.raw_data``.

4-bit types: two codes a byte, the first in the low nibble; 2-bit types: four, the first in the
low bits; 6-bit types: four codes in three bytes, the lowest bits first. Flat C order over the
whole tensor, and zero bits at the end of the last byte.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _core
from ._messages import class_name, short, short_text
from ._text import check_out

if TYPE_CHECKING:
    from ._core import RoundMode, Target

__all__ = ["cast_pack", "pack", "unpack", "unpack_cast"]

Shape: TypeAlias = SupportsIndex | Iterable[SupportsIndex]
Data: TypeAlias = bytes | bytearray | memoryview | npt.NDArray[np.uint8]


def _packable(descr: np.dtype[Any]) -> int:
    bits: int = _core._packable_bits(descr)
    if not bits:
        raise TypeError(
            f"dtype {short_text(descr)} has no packed form: only types of less than 8 bits have"
        )
    return bits


def _array(x: npt.ArrayLike) -> npt.NDArray[Any]:
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("a masked array has no packed form: pack its data")
    return _core._as_array(x)


def _base(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same elements without the subclass, which may answer for its shape as it likes."""
    return np.ndarray.view(array, np.ndarray)


def _destination(size: int, out: npt.NDArray[Any] | None) -> npt.NDArray[np.uint8]:
    if out is None:
        return np.empty(size, np.uint8)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array of uint8, not {class_name(out)}")
    base = _base(out)
    if base.dtype != np.uint8:
        raise TypeError(f"out must be an array of uint8, not of {short_text(base.dtype)}")
    if base.shape != (size,):
        raise ValueError(f"out has shape {base.shape}, the packed data have ({size},)")
    if not base.flags.c_contiguous or not base.flags.writeable:
        raise ValueError("out must be contiguous and writeable")
    return base


def _apart(x: npt.NDArray[Any], out: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return x.copy() if np.may_share_memory(x, out) else x


# Of an array in NumPy 2.
MAX_DIMENSIONS = 64


def _shape(shape: Shape) -> tuple[int, ...]:
    several = shape if isinstance(shape, Iterable) else (shape,)
    sizes = tuple(operator.index(n) for n in itertools.islice(several, MAX_DIMENSIONS + 1))
    if len(sizes) > MAX_DIMENSIONS:
        raise ValueError(
            f"shape {short(sizes)} has more than {MAX_DIMENSIONS} dimensions, as many as an array "
            "can have"
        )
    if any(n < 0 for n in sizes):
        raise ValueError(f"shape {short(sizes)} has a negative size")
    if math.prod(n for n in sizes if n) > np.iinfo(np.intp).max:
        raise ValueError(f"shape {short(sizes)} has more elements than an array can have")
    return sizes


def _source(data: Data, bits: int, shape: tuple[int, ...], strict: bool) -> npt.NDArray[np.uint8]:
    if isinstance(data, np.ma.MaskedArray):
        raise TypeError("data must not be masked")
    if isinstance(data, np.ndarray):
        base = _base(data)
        if base.dtype != np.uint8:
            raise TypeError(
                f"data must be bytes or an array of uint8, not of {short_text(base.dtype)}"
            )
        packed = np.ascontiguousarray(base).reshape(-1)
    else:
        try:
            view = memoryview(data)
        except TypeError:
            raise TypeError(
                f"data must be bytes or an array of uint8, not {class_name(data)}"
            ) from None
        if not view.c_contiguous:
            raise ValueError("data must be contiguous")
        packed = np.frombuffer(view, np.uint8) if view.nbytes else np.empty(0, np.uint8)
    n = math.prod(shape)
    size = _core._packed_size(bits, n)
    if packed.size < size or (strict and packed.size > size):
        raise ValueError(f"data has {packed.size} bytes, {n} elements of {bits} bits have {size}")
    rest = n * bits % 8
    if strict and rest and packed[size - 1] >> rest:
        raise ValueError(f"data has bits other than zero behind its {n} elements of {bits} bits")
    return packed


def pack(x: npt.ArrayLike, *, out: npt.NDArray[Any] | None = None) -> npt.NDArray[np.uint8]:
    """
    The packed form of an array of a type of less than 8 bits.

    Parameters
    ----------
    x : array_like
        Of float4e2m1, float6e2m3, float6e3m2, int4, uint4, int2 or uint2, or of the equivalent
        type of ml_dtypes; of any shape and layout.
    out : ndarray of uint8, optional
        Where the result goes; contiguous, of just its size.

    Returns
    -------
    ndarray of uint8
        Flat, of ``ceil(x.size * bits / 8)`` bytes: the elements in C order, the first in the
        lowest bits, and zero bits at the end. (ONNX, TensorProto.raw_data.)

    Raises
    ------
    TypeError
        If x is of another type, or `out` is no array of uint8.
    ValueError
        If `out` is of another shape, not contiguous or read-only.

    Examples
    --------
    >>> import numpy as np
    >>> import castufunc
    >>> castufunc.pack(np.array([1, -1, 7], castufunc.int4)).tolist()
    [241, 7]
    """
    array = _array(x)
    size = _core._packed_size(_packable(array.dtype), array.size)
    packed = _destination(size, out)
    _core._pack(_apart(array, packed), packed, array.dtype)
    return packed if out is None else out


def cast_pack(
    x: npt.ArrayLike,
    to: Target,
    *,
    saturate: bool = True,
    round_mode: RoundMode = "up",
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[np.uint8]:
    """
    ``pack(cast(x, to))`` in one pass, without an array of the unpacked codes.

    Parameters
    ----------
    x, to, saturate, round_mode
        As for `cast`; `to` is a type that `pack` takes.
    out
        As for `pack`.

    Returns
    -------
    ndarray of uint8
        As of `pack`.

    Raises
    ------
    TypeError, ValueError
        As `cast` and `pack`.

    Examples
    --------
    >>> import castufunc
    >>> castufunc.cast_pack([1.2, -0.9, 7.0], "int4").tolist()
    [1, 7]
    """
    descr = _core.dtype(to)
    bits = _packable(descr)
    array = _array(x)
    if array.dtype.kind in "OUST":
        return pack(_core.cast(array, descr, saturate=saturate, round_mode=round_mode), out=out)
    _core._check_source(array)
    packed = _destination(_core._packed_size(bits, array.size), out)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    _core._pack(_apart(array, packed), packed, descr, saturate, round_mode, casts=True)
    return packed if out is None else out


def unpack(
    data: Data,
    dtype: Target,
    shape: Shape,
    *,
    strict: bool = True,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """
    The array whose packed form is given.

    Parameters
    ----------
    data : bytes-like or ndarray of uint8
        The packed elements. A memory map is read where it is.
    dtype : dtype, scalar type, str or int
        A type that `pack` takes; see `castufunc.dtype`.
    shape : int or tuple of int
    strict : bool, default True
        Whether surplus bytes, and bits other than zero behind the last element, are an error.
    out : ndarray, optional
        Where the result goes; of that type or its ml_dtypes twin, and of that shape.

    Returns
    -------
    ndarray
        Of one byte per element, the code in the low bits; `out` if it was given.

    Raises
    ------
    TypeError
        If the type has no packed form, or `data` or `out` is no such thing.
    ValueError
        If there are too few bytes, or, with `strict`, too many, or if a size is negative or too
        large; the message tells the sizes. If `out` is of another shape or read-only.

    Examples
    --------
    >>> import castufunc
    >>> castufunc.unpack(bytes([241, 7]), "int4", (3,)).tolist()
    [1, -1, 7]
    """
    descr = _core.dtype(dtype)
    sizes = _shape(shape)
    packed = _source(data, _packable(descr), sizes, strict)
    result = _result(sizes, descr, out)
    _core._unpack(_apart(packed, result), descr, result)
    return result if out is None else out


def _result(
    shape: tuple[int, ...], descr: np.dtype[Any], out: npt.NDArray[Any] | None
) -> npt.NDArray[Any]:
    if out is None:
        return np.empty(shape, descr)
    _core._check_result(out, descr)
    base = _base(out)
    if base.shape != shape:
        raise ValueError(f"out has shape {base.shape}, not {shape}")
    return base


def unpack_cast(
    data: Data,
    dtype: Target,
    shape: Shape,
    to: Target,
    *,
    saturate: bool = True,
    round_mode: RoundMode = "up",
    strict: bool = True,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """
    ``cast(unpack(data, dtype, shape), to)`` in one pass, without an array of unpacked codes.

    Parameters
    ----------
    data, dtype, shape, strict
        As for `unpack`.
    to, saturate, round_mode, out
        As for `cast`; `out` of just that shape.

    Returns
    -------
    ndarray
        As of `cast`.

    Raises
    ------
    TypeError, ValueError
        As `unpack` and `cast`.

    Examples
    --------
    >>> import castufunc
    >>> castufunc.unpack_cast(bytes([241, 7]), "int4", 3, "float32").tolist()
    [1.0, -1.0, 7.0]
    """
    descr = _core.dtype(dtype)
    target = _core.dtype(to)
    sizes = _shape(shape)
    if target.kind in "OUST":
        if out is not None:
            check_out(out, target)
            if _base(out).shape != sizes:
                raise ValueError(f"out has shape {_base(out).shape}, not {sizes}")
        codes = unpack(data, descr, sizes, strict=strict)
        return _core.cast(codes, target, saturate=saturate, round_mode=round_mode, out=out)
    packed = _source(data, _packable(descr), sizes, strict)
    result = _result(sizes, target, out)
    _core._unpack(_apart(packed, result), descr, result, target, saturate, round_mode)
    return result if out is None else out
