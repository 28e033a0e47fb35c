"""No kernel has lost its speed in silence: a loop that no longer vectorises is ten times slower.

Against a copy of as many bytes, in turns. Of many samples the best counts, and the floors are low,
so that a busy machine doesn't matter.
"""

import platform
from timeit import Timer

import numpy as np
import pytest

import castufunc
from castufunc import _core

ELEMENTS = 1 << 15
SAMPLES, REPEATS = 60, 5

PAIRS = [("float32", "float8e4m3fn"), ("float8e4m3fn", "float32"), ("float16", "float8e5m2")]
# Parts of the copy's speed, for each pair. Without intrinsics it is the compiler that vectorises,
# and what it makes of this differs from one kind of processor to the next.
FLOORS = {
    "baseline": (0.05, 0.1, 0.03),
    "x86_v3": (0.15, 0.1, 0.05),
    "x86_v4": (0.1, 0.1, 0.05),
    "x86_vbmi": (0.15, 0.3, 0.06),
}
pytestmark = pytest.mark.skipif(
    platform.machine().lower() not in {"x86_64", "amd64"}, reason="floors are known for x86-64 only"
)


def copy_of(x, out):
    codes = x.view(f"u{x.itemsize}"), out.view(f"u{out.itemsize}")
    if hasattr(_core, "_roof"):
        return lambda: _core._roof(*codes)
    return lambda: np.copyto(*reversed(codes), casting="unsafe")


def part_of_copy(source, target):
    x = castufunc.cast(np.random.default_rng(1).standard_normal(ELEMENTS), source)
    out = np.zeros(ELEMENTS, castufunc.dtype(target))
    timers = Timer(copy_of(x, out)), Timer(lambda: castufunc.cast(x, out.dtype, out=out))
    copy, cast = zip(*([t.timeit(REPEATS) for t in timers] for _ in range(SAMPLES)), strict=True)
    return min(copy) / min(cast)


@pytest.mark.parametrize(
    ("pair", "floor"),
    list(zip(PAIRS, FLOORS.get(_core._target_in_use(), FLOORS["baseline"]), strict=True)),
    ids=["-".join(pair) for pair in PAIRS],
)
def test_speed(pair, floor):
    part = max(part_of_copy(*pair) for _ in range(3))
    assert part >= floor, f"{part:.3f} of a copy, the floor is {floor}"
