"""Casts into memory that is there already, against ml_dtypes and a copy of the same byte shape.

A pair is float32 or bfloat16 and a narrower type, in either direction.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

import castufunc

WIDE = ("float32", "bfloat16")
NARROW = tuple(name for name in castufunc.FORMATS if name != "bfloat16")
COUPLES = [*((wide, narrow) for wide in WIDE for narrow in NARROW), ("float32", "bfloat16")]
PAIRS = tuple(f"{a} to {b}" for couple in COUPLES for a, b in (couple, couple[::-1]))
SIZES = {"1k": 1 << 10, "32k": 1 << 15, "1M": 1 << 20}


def numbers(size: int, name: str) -> np.ndarray:
    """Return values that reach from the subnormals of the narrow types to their overflow."""
    rng = np.random.default_rng(1)
    if name.startswith("float8e8m0"):
        spread = np.exp2(rng.uniform(-20, 20, size))
    else:
        spread = rng.standard_normal(size) * np.exp2(rng.uniform(-12, 10, size))
    return castufunc.cast(spread, name)


def twin(name: str) -> np.dtype:
    """Return the dtype of the same meaning in ml_dtypes, or in NumPy itself."""
    info = castufunc.FORMATS.get(name)
    return np.dtype(name if info is None else getattr(ml_dtypes, info.ml_dtypes))


class Casts:
    """One pair at one size, with ``time_ours`` to be compared with the other two."""

    params = (PAIRS, tuple(SIZES))
    param_names = ("pair", "size")

    def setup(self, pair: str, size: str) -> None:
        source, self.target = pair.split(" to ")
        self.x = numbers(SIZES[size], source)
        self.out = np.empty(self.x.shape, castufunc.dtype(self.target))
        self.twin_x = self.x.view(twin(source))
        self.twin_out = self.out.view(twin(self.target))
        self.codes = self.x.view(f"u{self.x.itemsize}")
        self.low_bytes = self.out.view(f"u{self.out.itemsize}")

    def time_ours(self, pair: str, size: str) -> None:
        castufunc.cast(self.x, self.target, out=self.out)

    def time_ml_dtypes(self, pair: str, size: str) -> None:
        np.copyto(self.twin_out, self.twin_x, casting="unsafe")

    def time_copy(self, pair: str, size: str) -> None:
        # Reads and writes as much as the cast does, and keeps the low bytes.
        np.copyto(self.low_bytes, self.codes, casting="unsafe")
