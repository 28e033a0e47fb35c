"""Every public call in eight threads at once, with shared arrays and with own ones.

Each thread goes through all calls in an order of its own; what it gets must be what one thread
alone got.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from exactness.threads import run_together

from .calls import Call, calls
from .inputs import Inputs, digest
from .refusals import refusals

SIZE = 1501  # long enough for loops to run without the GIL


def wrong(
    number: int, rounds: int, jobs: dict[str, Call], shared: Inputs, alone: dict[str, Any]
) -> list[str]:
    """What thread `number` gets otherwise than alone."""
    own = shared.copy()
    found = []
    for order in range(rounds):
        names = random.Random(f"{number} {order}").sample(sorted(jobs), len(jobs))
        for name in names:
            for whose, given in ("shared", shared), ("own", own):
                try:
                    result = digest(jobs[name](given))
                except Exception as error:  # a thread has nobody to raise to
                    found.append(f"{name}, {whose}: {error!r}")
                    continue
                if result != alone[name]:
                    found.append(f"{name}, {whose}: {result}, alone {alone[name]}")
    return found


@pytest.mark.usefixtures("eager_switching")
@pytest.mark.parametrize("kind", ["calls", "refusals"])
def test_results_are_those_of_one_thread(kind: str, amount) -> None:
    jobs = calls() if kind == "calls" else refusals()
    shared = Inputs(SIZE)
    alone = {name: digest(call(shared)) for name, call in jobs.items()}
    found: list[str] = []

    def work(number: int) -> None:
        found.extend(wrong(number, amount(3, 60), jobs, shared, alone))

    run_together(work)
    assert not found, f"{len(found)} differ, the first of them {found[0]}"
    assert {name: digest(call(shared)) for name, call in jobs.items()} == alone
