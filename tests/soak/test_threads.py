"""Every public call in eight threads at once, with shared arrays and with own ones.

Each thread goes through all calls in an order of its own, again and again for a minute with --long;
what it gets must be what one thread alone got.
"""

from __future__ import annotations

import random
from itertools import count
from time import monotonic
from typing import Any

import pytest

from exactness.threads import run_together

from .calls import Call, calls
from .inputs import Inputs, digest
from .refusals import refusals

SIZE = 1501  # long enough for loops to run without the GIL


def wrong(seed: str, jobs: dict[str, Call], shared: Inputs, alone: dict[str, Any]) -> list[str]:
    """What a thread gets otherwise than alone, in an order of its own."""
    own = shared.copy()
    found = []
    for name in random.Random(seed).sample(sorted(jobs), len(jobs)):
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
    end = monotonic() + amount(0.5, 60)

    def work(number: int) -> None:
        for order in count():
            found.extend(wrong(f"{number} {order}", jobs, shared, alone))
            if monotonic() > end:
                break

    run_together(work)
    assert not found, f"{len(found)} differ, the first of them {found[0]}"
    assert {name: digest(call(shared)) for name, call in jobs.items()} == alone
