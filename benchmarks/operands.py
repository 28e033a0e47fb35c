"""Sources full of fresh numbers, and destinations, in several layouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import ml_dtypes
import numpy as np

import castufunc

from .cases import Cast

SIZES = {"1": 1} | {
    f"{n}{unit}": n << shift
    for unit, shift in (("k", 10), ("M", 20))
    for n in (1, 4, 16, 32, 64, 256)
}
FRESH = 1 << 20  # different values at most: the larger sizes repeat them
COLUMNS = 16
PAGE, BEHIND = 4096, 16  # where NumPy has large arrays: so many bytes behind the start of a page


def empty(shape: int | tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Memory whose place in its page does not depend on chance."""
    size = int(np.prod(shape)) * dtype.itemsize
    memory = np.empty(size + PAGE + BEHIND, np.uint8)
    start = -memory.ctypes.data % PAGE + BEHIND
    return memory[start:][:size].view(dtype).reshape(shape)


def placed(array: np.ndarray) -> np.ndarray:
    copy = empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def codes_of(array: np.ndarray) -> np.ndarray:
    return array.view(f"u{array.itemsize}")


def twin(name: str) -> np.dtype:
    """Return the dtype of the same meaning in ml_dtypes, or in NumPy itself."""
    info = castufunc.FORMATS.get(name)
    return np.dtype(name if info is None else getattr(ml_dtypes, info.ml_dtypes))


@lru_cache(maxsize=4)
def numbers(name: str, size: int) -> np.ndarray:
    """Values without a pattern that a processor could learn.

    Of a type of one byte all codes. Of wider floats numbers from below the smallest subnormals of
    the narrow formats to beyond their overflow, and of integers all of theirs: each power of two
    as often as the next.
    """
    dtype = castufunc.dtype(name)
    rng = np.random.default_rng(1)
    fresh = min(size, FRESH)
    if dtype.itemsize == 1:
        info = castufunc.FORMATS.get(name)
        codes = 2 if name == "bool" else 1 << (info.bits if info else 8)
        values = rng.integers(0, codes, fresh, np.uint8).view(dtype)
    elif dtype.kind in "iu":
        bits = rng.integers(-(1 << 63), 1 << 63, fresh)
        values = (bits >> rng.integers(64 - 8 * dtype.itemsize, 64, fresh)).astype(dtype)
    else:
        magnitudes = np.exp2(rng.uniform(-20, 18, fresh))
        values = castufunc.cast(magnitudes * rng.choice((-1, 1), fresh), dtype)
    array = empty(size, codes_of(values).dtype)
    for start in range(0, size, fresh):
        array[start:][:fresh] = codes_of(values)[: size - start]
    return array.view(dtype)


def contiguous(codes: np.ndarray, to: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    return codes, empty(codes.size, to)


def every_second(codes: np.ndarray, to: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    return placed(np.repeat(codes, 2))[::2], empty(codes.size, to)


def backwards(codes: np.ndarray, to: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    return codes[::-1], empty(codes.size, to)


def transposed(codes: np.ndarray, to: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    rows = 1 << (isqrt(codes.size).bit_length() - 1)
    turned = codes.reshape(rows, -1).T
    return turned, empty(turned.shape, to)


def column(codes: np.ndarray, to: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    return placed(np.repeat(codes, COLUMNS)).reshape(-1, COLUMNS)[:, 3], empty(codes.size, to)


def into_every_second(codes: np.ndarray, to: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    return codes, empty(2 * codes.size, to)[::2]


INPUT_LAYOUTS = {
    "every second": every_second,
    "backwards": backwards,
    "transposed": transposed,
    "column": column,
}
OUTPUT_LAYOUTS = {"into every second": into_every_second}
LAYOUTS: dict[str, Callable[[np.ndarray, np.dtype], tuple[np.ndarray, np.ndarray]]] = {
    "contiguous": contiguous,
    **INPUT_LAYOUTS,
    **OUTPUT_LAYOUTS,
}


@dataclass(frozen=True, eq=False)
class Operands:
    """A source and a destination of this package's types, or NumPy's."""

    cast: Cast
    layout: str
    x: np.ndarray
    out: np.ndarray

    @classmethod
    def of(cls, cast: Cast, size: int, layout: str = "contiguous") -> Operands:
        return cls.from_values(cast, numbers(cast.source, size), layout)

    @classmethod
    def from_values(cls, cast: Cast, values: np.ndarray, layout: str = "contiguous") -> Operands:
        target = castufunc.dtype(cast.target)
        x, out = LAYOUTS[layout](codes_of(values), np.dtype(f"u{target.itemsize}"))
        out[...] = 0  # the system hands out memory at the first touch
        return cls(cast, layout, x.view(values.dtype), out.view(target))

    @property
    def codes(self) -> tuple[np.ndarray, np.ndarray]:
        return codes_of(self.x), codes_of(self.out)

    @property
    def twins(self) -> tuple[np.ndarray, np.ndarray]:
        """The same memory as arrays of NumPy's and ml_dtypes' types."""
        return self.x.view(twin(self.cast.source)), self.out.view(twin(self.cast.target))
