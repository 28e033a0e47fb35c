"""The extension module is linked and compiled so that a fault of memory is hard to use."""

import pytest

from castufunc import _core

from . import binary

PATH = _core.__file__


@pytest.fixture(autouse=True)
def _readable():
    reason = binary.why_not(PATH)
    if reason:
        pytest.skip(reason)


def test_the_extension():
    assert not binary.faults(PATH)


def test_it_runs_nothing_and_loads_nothing():
    names = binary.imported(PATH)
    assert "PyType_FromSpec" in names or "PyLong_FromLong" in names
    forbidden = {"system", "popen", "execve", "execv", "execvp", "fork", "dlopen", "socket",
                 "getenv", "setenv", "gets", "strcpy", "sprintf", "tmpnam"}  # fmt: skip
    assert not names & forbidden
    assert not [name for name in names if name.startswith("PyMarshal")]
