"""Measure the cases of rows, and write them as a table."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.metadata import packages_distributions, version
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import geometric_mean

import castufunc
from castufunc import _core

from .cells import Case, Row, Wish, ratio
from .peers import PEERS
from .processes import measure
from .timing import Times


@dataclass(frozen=True)
class Result:
    """A row, the figures of those of its cases that there are, and how near the roof they were."""

    row: Row
    figures: dict[str, float]
    of_roof: dict[str, float]

    @property
    def worst(self) -> tuple[str, float]:
        pick = max if self.row.at_most else min
        return pick(self.figures.items(), key=lambda item: item[1])

    @property
    def mean(self) -> float:
        return geometric_mean(self.figures.values())

    @property
    def misses(self) -> dict[str, float]:
        figures = {"geometric mean": self.mean} if self.row.of_mean else self.figures
        return {case: figure for case, figure in figures.items() if not self.row.meets(figure)}


def wishes_of(rows: Iterable[Row]) -> list[Wish]:
    return [wish for row in rows for case in row.cases for wish in case.wishes]


def result_of(row: Row, answers: Mapping[Wish, Times]) -> Result:
    def figure(case: Case) -> float | None:
        return case.figure(*(answers[wish] for wish in case.wishes))

    figures = {case.label: figure(case) for case in row.cases}
    return Result(
        row,
        {label: value for label, value in figures.items() if value is not None},
        {
            case.label: ratio("roof", "ours")(answers[case.wishes[0]])
            for case in row.cases
            if {"roof", "ours"} <= answers[case.wishes[0]].keys()
        },
    )


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


def heading(peers: Iterable[str]) -> str:
    """When, where and with what."""
    modules = dict.fromkeys(module for name in peers for module in PEERS[name].modules)
    packages = packages_distributions()
    versions = [f"{name} {version(packages[name][0])}" for name in modules]
    return (
        f"{date.today()}. {processor()}, {platform.system()}; castufunc {castufunc.__version__} "
        f"by {_core._compiler()}, best target {_core._target_in_use()}; "
        f"Python {platform.python_version()}, {', '.join(versions)}."
    )


def number(figure: float | None) -> str:
    if figure is None:
        return ""
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def table(results: Iterable[Result]) -> str:
    columns = [
        "what",
        "target",
        "goal",
        "worst",
        "where",
        "of roof there",
        "mean",
        "cases",
        "missed",
    ]
    return table_of(columns, map(cells_of, results))


def cells_of(result: Result) -> list[str]:
    row = result.row
    where, worst = result.worst
    return [
        row.what,
        row.target or "best",
        f"{'<=' if row.at_most else '>='} {number(row.goal)} {row.unit}".strip(),
        number(worst),
        where,
        number(result.of_roof.get(where)),
        number(result.mean),
        str(len(result.figures)),
        str(len(result.misses) or ""),
    ]


def misses(results: Iterable[Result]) -> str:
    """A table of the cases that miss their goal, the worst of a row first."""
    rows = [
        [result.row.what, result.row.target or "best", case, number(figure), number(roof)]
        for result in results
        for case, figure in sorted(result.misses.items(), key=itemgetter(1))
        for roof in [result.of_roof.get(case)]
    ]
    return table_of(["what", "target", "where", "measured", "of roof"], rows)


def table_of(columns: list[str], rows: Iterable[list[str]]) -> str:
    """In Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
