"""Eight threads at once, all pairs, each thread in an order of its own, arrays shared and not."""

import random

import numpy as np

from oracle import code_type, modes
from oracle.samples import mixed_codes

from .harness import (
    PAIRS,
    array_of,
    assert_codes,
    cast,
    codes_of,
    dtype_of,
    expected_codes,
    has_astype,
)
from .threads import run_together


class Job:
    """A pair and a mode with its input, shared by the threads, and the answer."""

    def __init__(self, source, target, mode, count):
        self.source, self.target, self.mode = source, target, mode
        self.codes = mixed_codes(source, target, count)
        self.array = array_of(source, self.codes)
        self.expected = expected_codes(source, target, self.codes, mode)

    def run(self):
        own = self.array.copy()
        out = np.empty(own.shape, code_type(self.target))
        self.compare("shared", cast(self.array, self.target, self.mode))
        self.compare("own", cast(own, self.target, self.mode, out=array_of(self.target, out)))
        if has_astype(self.source, self.target):
            default = cast(self.array[::3], self.target)
            assert np.array_equal(
                codes_of(default), codes_of(self.array[::3].astype(dtype_of(self.target)))
            )

    def compare(self, how, got):
        assert_codes(
            self.source, self.target, self.codes, self.expected, codes_of(got), f"{how} {self.mode}"
        )


def test_threads(eager_switching, amount):
    jobs = [Job(s, t, mode, amount(301, 5003)) for s, t in PAIRS for mode in modes(t)]
    failures = []

    def work(number):
        order = random.Random(number).sample(jobs, len(jobs))
        for job in order:
            try:
                job.run()
            except Exception as error:  # all of them are counted
                failures.append(error)

    run_together(work)
    assert not failures, f"{len(failures)} failures, first: {failures[0]}"
