"""Every instruction-set target of this processor passes the tests of lengths; all, with --long.

Each in a process of its own; the one in use is tested anyway. The kernels differ from target to
target, and with them the lengths at which a remainder is left for another way.
"""

import pytest

from castufunc import _core
from exactness.processes import TESTS, python

LENGTHS = TESTS / "packing" / "test_every_length.py"
OTHERS = [name for name in _core._targets() if name != _core._target_in_use()]


def test_the_names_have_effect():
    for name in OTHERS:
        run = python(
            "-c", "from castufunc import _core; print(_core._target_in_use())", target=name
        )
        assert run.stdout.strip() == name


@pytest.mark.parametrize("name", OTHERS)
def test_target(name, amount):
    rest = (LENGTHS.with_name("test_layouts.py"), LENGTHS.with_name("test_casts.py"))
    files = map(str, (LENGTHS, *amount((), rest)))
    run = python("-m", "pytest", "-q", "-x", *files, target=name)
    assert run.returncode == 0, run.stdout
