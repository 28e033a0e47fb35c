"""Each target's kernels against casts of one element at a time, beside memory that faults.

In processes of their own: the target is chosen at import, and a fault ends the process.
"""

import json

import numpy as np
import pytest

from castufunc import _core
from exactness.processes import start_python

from .guarded import HAS_PAGES
from .operations import ALL_CASTS, ALL_PACKINGS, DENSE, FEW_CASTS, FEW_PACKINGS, answers

pytestmark = pytest.mark.skipif(not HAS_PAGES, reason="the system has no mprotect")

every_target = pytest.mark.parametrize("target", _core._targets())


class Runs:
    """The same operations with all targets, at the same time."""

    def __init__(self, path, operations, alignments):
        arguments = {" ".join(map(str, name[1:])): name[1:] for name in operations}
        results = {key: answers(*cast) for key, cast in arguments.items()}
        listed = json.dumps([[name, alignments] for name in operations])
        np.savez(path, operations=listed, **results)
        self.count = len(operations)
        self.processes = {
            target: start_python("-m", "kernels.runs", str(path), target=target)
            for target in _core._targets()
        }

    def check(self, target):
        """Tell the first few operations that differ or fault."""
        process = self.processes[target]
        output, errors = process.communicate()
        lines = output.splitlines()
        assert lines[:1] == [f"target: {target}"], errors
        assert process.returncode == 0, f"{lines[-1]}: exit {process.returncode}\n{errors}"
        wrong = [" ".join(lines[i - 1 : i + 1]) for i, line in enumerate(lines) if line[0] == "!"]
        assert not wrong, "\n".join([f"{len(wrong)} of {self.count}:", *wrong[:10]])
        assert len(lines) == 1 + self.count

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():  # of tests that were not selected, too
            with process:
                process.kill()


@pytest.fixture(scope="module")
def casts(tmp_path_factory, amount):
    path = tmp_path_factory.mktemp("kernels") / "casts.npz"
    with Runs(path, amount(FEW_CASTS, ALL_CASTS), amount("some", "each")) as runs:
        yield runs


@pytest.fixture(scope="module")
def packings(tmp_path_factory, amount):
    path = tmp_path_factory.mktemp("kernels") / "packings.npz"
    with Runs(path, amount(FEW_PACKINGS, ALL_PACKINGS), amount("some", "each")) as runs:
        yield runs


@pytest.fixture(scope="module")
def dense(tmp_path_factory):
    with Runs(tmp_path_factory.mktemp("kernels") / "dense.npz", DENSE, "pairs") as runs:
        yield runs


@every_target
def test_casts(casts, target):
    casts.check(target)


@every_target
def test_packings(packings, target):
    packings.check(target)


@pytest.mark.long
@every_target
def test_every_offset(dense, target):
    dense.check(target)
