"""Arrays of every type, and what the tests of all neighbours need to look at them."""

from __future__ import annotations

import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu

every_type = pytest.mark.parametrize("info", cu.FORMATS.values(), ids=lambda info: info.name)
packable = pytest.mark.parametrize(
    "info", [info for info in cu.FORMATS.values() if info.bits < 8], ids=lambda info: info.name
)


def sample(info, shape=(6, 8)):
    """Random codes, so NaN and infinities too."""
    random = np.random.default_rng(info.onnx)
    return random.integers(0, 1 << info.bits, shape, f"u{info.itemsize}").view(info.dtype)


def codes(array):
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def same(a, b):
    """Whether dtype, shape and all codes are the same; the high bits of narrow types too."""
    return a.dtype == b.dtype and a.shape == b.shape and bool((codes(a) == codes(b)).all())


def twin(info):
    return np.dtype(getattr(ml_dtypes, info.ml_dtypes))


def fresh(code, *arguments, **variables):
    """What a Python process of its own prints, with all warnings as errors."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        capture_output=True, text=True, timeout=100, env={**os.environ, **variables},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout
