"""All 2**32 float32 values to every narrow type in every mode, on every instruction-set target."""

import pytest

from castufunc import _core
from oracle import OURS, modes

from .processes import python

CASES = [
    (name, target, mode)
    for name in _core._targets()
    for target in ("float16", *OURS)
    for mode in modes(target)
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "target", "mode"), CASES, ids=["-".join(map(str, (n, t, *m))) for n, t, m in CASES]
)
def test_every_float32(name, target, mode):
    saturate, round_mode = mode
    run = python(
        "-m", "exactness.every_float32", target, str(int(saturate)), round_mode, target=name
    )
    assert run.returncode == 0, run.stderr
