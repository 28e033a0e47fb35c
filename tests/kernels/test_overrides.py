"""Each target's kernels against casts of one element at a time, beside memory that faults.

In processes of their own: the target is chosen at import, and a fault ends the process.
"""

import json

import numpy as np
import pytest

from castufunc import _core
from exactness.processes import python

from .guarded import HAS_PAGES
from .operations import ALL_CASTS, ALL_PACKINGS, DENSE, FEW_CASTS, FEW_PACKINGS, answers

pytestmark = pytest.mark.skipif(not HAS_PAGES, reason="the system has no mprotect")

every_target = pytest.mark.parametrize("target", _core._targets())


def check(path, operations, target, dense=False):
    """Run the operations with a target, and tell the first few that differ or fault."""
    arguments = {" ".join(map(str, name[1:])): name[1:] for name in operations}
    results = {key: answers(*cast) for key, cast in arguments.items()}
    listed = json.dumps([[name, dense] for name in operations])
    np.savez(path, operations=listed, **results)
    run = python("-m", "kernels.runs", str(path), target=target)
    lines = run.stdout.splitlines()
    assert lines[:1] == [f"target: {target}"], run.stderr
    assert run.returncode == 0, f"{lines[-1]}: exit {run.returncode}\n{run.stderr}"
    wrong = [" ".join(lines[i - 1 : i + 1]) for i, line in enumerate(lines) if line[0] == "!"]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(operations)}:", *wrong[:10]])
    assert len(lines) == 1 + len(operations)


@every_target
def test_casts(tmp_path, target, amount):
    check(tmp_path / "casts.npz", amount(FEW_CASTS, ALL_CASTS), target)


@every_target
def test_packings(tmp_path, target, amount):
    check(tmp_path / "packings.npz", amount(FEW_PACKINGS, ALL_PACKINGS), target)


@pytest.mark.long
@every_target
def test_every_offset(tmp_path, target):
    check(tmp_path / "dense.npz", DENSE, target, dense=True)
