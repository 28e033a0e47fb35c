"""What the calls are given, and their results in a form that can be compared."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

import castufunc
from byte_order import SWAPPED
from exactness.harness import array_of
from oracle import TYPES
from oracle.samples import mixed_codes

SIZE = 48  # a few vectors and a remainder


class Inputs:
    """Arrays of every type and container. Calls read them and change none."""

    def __init__(self, size: int = SIZE) -> None:
        self.of = {name: array_of(name, mixed_codes(name, "float8e4m3fn", size)) for name in TYPES}
        self.numbers = np.array([1.5, -3, 250, 0.0], np.float32)
        self.mask = np.array([True, False, True, True])
        self.swapped = self.numbers.astype(f"{SWAPPED}f4")
        self.objects = np.array([1, -2.5, True, 10**30, np.float16(3), castufunc.int4(-3)], object)
        self.texts = ["1.5", " -3 ", "1e400", "nan", "0"]

    def copy(self) -> Inputs:
        other = Inputs.__new__(Inputs)
        other.of = {name: array.copy() for name, array in self.of.items()}
        other.numbers, other.mask = self.numbers.copy(), self.mask.copy()
        other.swapped, other.objects = self.swapped.copy(), self.objects.copy()
        other.texts = list(self.texts)
        return other


def twin(name: str) -> Any:
    """The equivalent class of ml_dtypes."""
    return getattr(ml_dtypes, castufunc.FORMATS[name].ml_dtypes)


def digest(result: Any) -> Any:
    """A result as something that is equal to the digest of the same result, NaNs and all."""
    if isinstance(result, np.ma.MaskedArray):
        return "masked", digest(result.data), digest(np.ma.getmaskarray(result))
    if isinstance(result, np.ndarray):
        # A longdouble has bytes that mean nothing.
        has_bytes = result.dtype.char not in "OTgG"
        data = result.tobytes() if has_bytes else repr(result.tolist())
        return result.dtype.str, result.shape, data
    if isinstance(result, np.generic):
        return type(result).__name__, result.tobytes()
    if isinstance(result, (list, tuple)):
        return tuple(digest(item) for item in result)
    return repr(result)
