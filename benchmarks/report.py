"""Measure the cases of rows, and write them as a table."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path
from statistics import geometric_mean

import numpy as np

from castufunc import _core

from .cells import Case, Row, Wish
from .processes import measure
from .timing import Times


@dataclass(frozen=True)
class Result:
    """A row and the figures of those of its cases that there are."""

    row: Row
    figures: dict[str, float]

    @property
    def worst(self) -> tuple[str, float]:
        pick = max if self.row.at_most else min
        return pick(self.figures.items(), key=lambda item: item[1])

    @property
    def mean(self) -> float:
        return geometric_mean(self.figures.values())

    @property
    def misses(self) -> dict[str, float]:
        missing = {
            case: figure for case, figure in self.figures.items() if not self.row.meets(figure)
        }
        if self.row.of_mean:
            return {} if self.row.meets(self.mean) else missing
        return missing


def fulfil(rows: Iterable[Row]) -> list[Result]:
    rows = list(rows)
    answers = answers_to(wish for row in rows for case in row.cases for wish in case.wishes)

    def figure(case: Case) -> float | None:
        return case.figure(*(answers[wish] for wish in case.wishes))

    results = []
    for row in rows:
        figures = {case.label: figure(case) for case in row.cases}
        results.append(Result(row, {k: v for k, v in figures.items() if v is not None}))
    return results


def process_of(wish: Wish) -> tuple[str, str]:
    return wish.target or "", wish.peer or ""


def answers_to(wishes: Iterable[Wish]) -> dict[Wish, Times]:
    """Each wish once, those for the same process together."""
    unique = sorted(dict.fromkeys(wishes), key=process_of)
    answers = {}
    for (target, _), group in groupby(unique, key=process_of):
        some = list(group)
        requests = ({"task": wish.task, **dict(wish.arguments)} for wish in some)
        answers.update(zip(some, measure(target or None, requests), strict=True))
    return answers


def processor() -> str:
    """The name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def heading() -> str:
    python = ".".join(map(str, sys.version_info[:3]))
    return (
        f"{date.today()}, {processor()}, {platform.system()}; {_core._compiler()}, "
        f"target {_core._target_in_use()} unless another is named; "
        f"Python {python}, NumPy {np.__version__}\n"
    )


def number(figure: float) -> str:
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def table(results: Iterable[Result], *, misses: bool) -> str:
    lines = [
        "| what | target | goal | worst | where | mean | cases | missed |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for result in results:
        if not result.figures:
            continue
        row = result.row
        where, worst = result.worst
        goal = f"{'<=' if row.at_most else '>='} {number(row.goal)}{row.unit and ' ' + row.unit}"
        cells = [
            row.what,
            row.target or "best",
            goal,
            number(worst),
            where,
            number(result.mean),
            str(len(result.figures)),
            str(len(result.misses) or ""),
        ]
        lines.append(f"| {' | '.join(cells)} |")
        if misses:
            for case, figure in sorted(result.misses.items(), key=lambda item: item[1]):
                lines.append(f"    {number(figure)} {case}")
    return "\n".join(lines)
