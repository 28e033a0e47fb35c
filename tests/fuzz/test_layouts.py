"""A short run of the fuzzer of layouts, with another seed each time; and that it sees faults."""

import random

import numpy as np
import pytest

import castufunc

from . import layouts


def test_random_layouts(amount):
    seed = random.SystemRandom().getrandbits(32)
    print(f"python -m fuzz.layouts --seed {seed}")
    found = layouts.differences(seed, amount(3000, 100_000))
    assert not found, "\n".join([f"{len(found)} differ:", *found[:10]])


@pytest.mark.parametrize("name", ["cast", "unpack_cast", "cast_pack"])
def test_a_fault_is_seen(name, monkeypatch):
    """One that wants an array that is not contiguous, and one that wants an `out`."""
    right = getattr(castufunc, name)

    def wrong(x, *arguments, **keywords):
        result = right(x, *arguments, **keywords)
        given = keywords.get("out") if name == "unpack_cast" else x
        if not given.flags.c_contiguous and given.size > 9:
            first = (0,) * result.ndim
            result[first] = 1 if result[first] == 0 else 0
        return result

    monkeypatch.setattr(castufunc, name, wrong)
    assert layouts.differences(1, 600)


def test_layouts_are_of_all_kinds():
    make = layouts.Maker(3)
    made = [make.laid_out((5, 7), np.dtype(np.float32)) for _ in range(400)]
    assert any(x.flags.c_contiguous for x in made)
    assert any(x.flags.f_contiguous for x in made)
    assert any(not x.flags.aligned for x in made)
    assert any(min(x.strides) < 0 for x in made)
    assert any(x.strides[0] % 4 for x in made)
    assert all(x.shape == (5, 7) for x in made)
