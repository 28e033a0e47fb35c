"""What it costs to make a new array for a result, instead of using one that is there."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from .cells import Scope, Wish
from .operands import SIZES
from .report import number, table_of
from .timing import Times

CASTS = ("float32 to float8e4m3fn", "float8e4m3fn to float32", "float8e4m3fn to bfloat16")


def wishes(scope: Scope) -> dict[tuple[str, str], Wish]:
    """By cast and size."""
    fixed = {"names": ("ours", "fresh"), "seconds": scope.seconds}
    return {
        (cast, size): Wish("race", tuple({"cast": cast, "size": size, **fixed}.items()))
        for cast in CASTS
        for size in ("1k", "1M", scope.dram)
    }


def table(scope: Scope, answers: Mapping[Wish, Times]) -> str:
    rows = []
    for (cast, size), wish in wishes(scope).items():
        existing, new = (median(answers[wish][name]) for name in ("ours", "fresh"))
        speeds = [number(SIZES[size] / time / 1e9) for time in (existing, new)]
        rows.append([cast, size, *speeds, number(existing / new)])
    return table_of(["what", "elements", "`out=`, 10⁹/s", "new array, 10⁹/s", "ratio"], rows)
