"""Times of several calls, taken in turns: what slows the machine down slows all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil
from time import perf_counter
from timeit import Timer

Call = Callable[[], object]
Times = dict[str, list[float]]

GRAIN = 200e-6  # seconds that a sample takes at least, by repeating the call
ROUNDS = 5


def interleave(calls: Mapping[str, Call], seconds: float, rounds: int = ROUNDS) -> Times:
    """Seconds per call, one number for each round; at least `rounds` and for about `seconds`."""
    timers = {name: Timer(call) for name, call in calls.items()}
    repeats = {name: max(1, ceil(GRAIN / _once(timer))) for name, timer in timers.items()}
    times: Times = {name: [] for name in calls}
    end = perf_counter() + seconds
    done = 0
    while done < rounds or perf_counter() < end:
        for name, timer in timers.items():
            times[name].append(timer.timeit(repeats[name]) / repeats[name])
        done += 1
    return times


def _once(timer: Timer) -> float:
    timer.timeit(1)
    return min(timer.timeit(1), timer.timeit(1))
