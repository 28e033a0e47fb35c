"""The same bits on every instruction-set target of this processor, each in its own process."""

import json

import pytest

from castufunc import _core
from oracle.samples import mixed_codes

from .digests import digests, save
from .harness import PAIRS
from .processes import python


@pytest.fixture(scope="module")
def reference(amount, tmp_path_factory):
    """A file of inputs for every pair, and the digests that this process has for them."""
    inputs = {
        f"{source} {target}": mixed_codes(source, target, amount(1999, 60_001))
        for source, target in PAIRS
    }
    path = tmp_path_factory.mktemp("targets") / "inputs.npz"
    save(path, inputs)
    return path, digests(inputs)


@pytest.mark.parametrize("name", _core._targets())
def test_same_bits(name, reference):
    path, expected = reference
    run = python("-m", "exactness.digests", str(path), target=name)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert result["in_use"] == name
    different = [pair for pair, digest in expected.items() if result["digests"][pair] != digest]
    assert not different, (
        f"{len(different)} of {len(expected)} differ with {name}: {different[:20]}"
    )


@pytest.mark.parametrize("name", ["x86_v9", "BASELINE", "v3 "])
def test_unknown_target(name):
    run = python("-c", "import castufunc", target=name)
    assert run.returncode != 0
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith(("ImportError", "ValueError")), last
    assert "baseline" in last, f"the message names no allowed target: {last}"
