"""A read-only array in its packed form."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from . import _core
from ._messages import class_name, short
from .packing import _array, _packable, _shape, _source, cast_pack, pack, unpack, unpack_cast

if TYPE_CHECKING:
    from ._core import RoundMode, Target
    from .packing import Data, Shape

__all__ = ["PackedArray"]


class PackedArray:
    """
    An array of a type of less than 8 bits, kept in its packed form. Read-only; no arithmetic.

    Parameters
    ----------
    data : bytes-like or ndarray of uint8
        The packed elements, exactly as `pack` makes them. Not copied.
    dtype : dtype, scalar type, str or int
        A type that `pack` takes; see `castufunc.dtype`.
    shape : int or tuple of int

    Attributes
    ----------
    data : ndarray of uint8
        The packed elements, read-only.
    dtype : numpy.dtype
    shape : tuple of int
    ndim, size, nbytes : int
        nbytes is that of the packed form.

    Raises
    ------
    TypeError, ValueError
        As `unpack` with ``strict=True``.

    Examples
    --------
    >>> import castufunc
    >>> p = castufunc.PackedArray.from_array([[1, -2], [3, 4]], "int4")
    >>> p
    PackedArray(dtype=castufunc.int4, shape=(2, 2), nbytes=2)
    >>> print(p[1].unpack(), p.astype("float32").sum())
    [3 4] 6.0
    """

    __slots__ = ("data", "dtype", "shape")

    data: npt.NDArray[np.uint8]
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def __new__(cls, data: Data, dtype: Target, shape: Shape) -> Self:
        descr = _core.dtype(dtype)
        sizes = _shape(shape)
        packed = _source(data, _packable(descr), sizes, strict=True).view()
        packed.flags.writeable = False
        self = super().__new__(cls)
        for name, value in [("data", packed), ("dtype", descr), ("shape", sizes)]:
            object.__setattr__(self, name, value)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"PackedArray is read-only: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"PackedArray is read-only: cannot delete {name}")

    @classmethod
    def from_array(
        cls,
        x: npt.ArrayLike,
        dtype: Target | None = None,
        *,
        saturate: bool = True,
        round_mode: RoundMode = "up",
    ) -> PackedArray:
        """
        Pack an array, cast to `dtype` first if that is given. Arguments as for `cast_pack`.

        Returns
        -------
        PackedArray
        """
        array = _array(x)
        if dtype is None:
            return cls(pack(array), array.dtype, array.shape)
        packed = cast_pack(array, dtype, saturate=saturate, round_mode=round_mode)
        return cls(packed, dtype, array.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return int(self.data.nbytes)

    def unpack(self, *, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """The array itself, as `castufunc.unpack` gives it."""
        return unpack(self.data, self.dtype, self.shape, out=out)

    def astype(
        self,
        to: Target,
        *,
        saturate: bool = True,
        round_mode: RoundMode = "up",
        out: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[Any]:
        """The array cast to another type, as `castufunc.unpack_cast` gives it."""
        return unpack_cast(
            self.data, self.dtype, self.shape, to,
            saturate=saturate, round_mode=round_mode, out=out,
        )  # fmt: skip

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("a PackedArray cannot be seen as an array without a copy")
        array = self.unpack()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a PackedArray without dimensions")
        return self.shape[0]

    def __iter__(self) -> Iterator[PackedArray]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, index: object) -> PackedArray:
        """
        An index or a slice (of step 1) of the first axis, sharing the packed data.

        Raises
        ------
        ValueError
            If the rows that are asked for do not begin and end with a byte.
        IndexError, TypeError
            For an index out of bounds, or any other kind of index.
        """
        if not self.shape:
            raise IndexError("a PackedArray without dimensions cannot be indexed")
        rows = self.shape[0]
        if isinstance(index, slice):
            start, stop, step = index.indices(rows)
            if step != 1:
                raise ValueError(f"a PackedArray takes slices of step 1, not {short(step)}")
            # No rows, wherever they are, have the first row's place.
            start, stop = (start, stop) if start < stop else (0, 0)
            shape = (stop - start, *self.shape[1:])
        else:
            try:
                start = operator.index(index)  # type: ignore[arg-type]
            except TypeError:
                raise TypeError(
                    "a PackedArray takes an index or a slice of its first axis, "
                    f"not {class_name(index)}"
                ) from None
            if not -rows <= start < rows:
                raise IndexError(f"index {short(start)} is out of bounds for {rows} rows")
            start %= rows
            stop = start + 1
            shape = self.shape[1:]
        row_bits = math.prod(self.shape[1:]) * _packable(self.dtype)
        first, last = start * row_bits, stop * row_bits
        if first % 8 or (last % 8 and stop != rows):
            raise ValueError(
                f"rows {start} to {stop} of {row_bits} bits each do not begin and end with a byte"
            )
        return PackedArray(self.data[first // 8 : (last + 7) // 8], self.dtype, shape)

    def __eq__(self, other: object) -> bool:
        """Whether type, shape and all codes are the same; not element for element."""
        if not isinstance(other, PackedArray):
            return NotImplemented
        return (
            self.dtype == other.dtype
            and self.shape == other.shape
            and bool(np.array_equal(self.data, other.data))
        )

    def __hash__(self) -> int:
        return hash((str(self.dtype), self.shape, self.data.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedArray, (self.data.tobytes(), self.dtype, self.shape)

    def __repr__(self) -> str:
        return f"PackedArray(dtype={self.dtype}, shape={self.shape}, nbytes={self.nbytes})"
