"""Every public call in eight threads at once, with shared arrays and with own ones.

Each thread goes through all calls in an order of its own; what it gets must be what one thread
alone got.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from .calls import Call, calls
from .inputs import Inputs, digest
from .refusals import refusals

THREADS = 8
SIZE = 1501  # long enough for loops to run without the GIL


@pytest.fixture
def eager_switching() -> Iterator[None]:
    """Threads that change places as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


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
    together = threading.Barrier(THREADS)
    found: list[str] = []

    def work(number: int) -> None:
        together.wait()
        found.extend(wrong(number, amount(3, 60), jobs, shared, alone))

    threads = [threading.Thread(target=work, args=[number]) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not found, f"{len(found)} differ, the first of them {found[0]}"
    assert {name: digest(call(shared)) for name, call in jobs.items()} == alone
