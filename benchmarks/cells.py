"""The parts of the table of goals: rows, their cases, and how a case becomes a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from .timing import Times

Figure = Callable[..., float | None]
NET = ("ours", "roof", "ours of one", "roof of one")
PARITY, NEAR_ROOF = 0.95, 1.1


@dataclass(frozen=True)
class Wish:
    """A task for a process with a target (None: the best), in which only this peer is loaded."""

    task: str
    arguments: tuple[tuple[str, Any], ...]
    target: str | None = None
    peer: str | None = None


@dataclass(frozen=True)
class Case:
    """What to measure for a row, and the figure that comes out; None if nobody has the cast."""

    label: str
    wishes: tuple[Wish, ...]
    figure: Figure


@dataclass(frozen=True)
class Row:
    """A goal: at least (or at most) so much, for every case, or for their geometric mean."""

    what: str
    goal: float
    cases: list[Case] = field(repr=False)
    target: str | None = None
    at_most: bool = False
    of_mean: bool = False
    unit: str = ""

    def meets(self, figure: float) -> bool:
        return figure <= self.goal if self.at_most else figure >= self.goal


@dataclass(frozen=True)
class Scope:
    """How much to measure."""

    dram: str
    seconds: float  # for a case, unless its rounds take longer
    limit: int | None  # casts of a row at most
    peers: tuple[str, ...]

    def some(self, things: Iterable[Any], times: int = 1) -> list[Any]:
        """As many as the limit (times a number) allows, from all over the range."""
        things = list(things)
        if self.limit is None or len(things) <= times * self.limit:
            return things
        last = times * self.limit - 1
        return [things[round(i / last * (len(things) - 1))] for i in range(last + 1)]


def of_roof(times: Times) -> float:
    """The speed as a part of the roof's; what a call costs is taken off on both sides."""
    return median(
        (roof - roof_of_one) / (ours - ours_of_one)
        for ours, roof, ours_of_one, roof_of_one in zip(*(times[n] for n in NET), strict=True)
    )


def ratio(slower: str, faster: str) -> Figure:
    """How many times as fast."""

    def figure(times: Times) -> float | None:
        if slower not in times:
            return None
        return median(a / b for a, b in zip(times[slower], times[faster], strict=True))

    return figure


def over_best_peer(peers: Iterable[str], *, handicap: bool) -> Figure:
    """How many times as fast as the fastest peer; each peer has raced in a process of its own.

    With a handicap a peer that is as good as at the roof counts a little slower, so that parity
    with it gives 1.
    """

    def of_peer(peer: str, times: Times) -> float:
        near = handicap and median(times[peer]) <= NEAR_ROOF * median(times["roof"])
        return ratio(peer, "ours")(times) / (PARITY if near else 1)

    def figure(*answers: Times) -> float | None:
        entered = zip(peers, answers, strict=True)
        return min((of_peer(peer, times) for peer, times in entered if peer in times), default=None)

    return figure


def slowdown(times: Times) -> float:
    """Of the slowest kind of values against the fastest one."""
    medians = [median(kind) for kind in times.values()]
    return max(medians) / min(medians)


def seconds(name: str) -> Figure:
    return lambda times: median(times[name])
