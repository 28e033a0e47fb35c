"""Every public call while memory is refused, one allocation after another.

A call gives a MemoryError or its result, and the next one works. What NumPy does not survive itself
is left out, where a plain call of its own shows that it does not.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from exactness.processes import TESTS

from .driver import MODES, STATE, jobs

SOURCE = Path(__file__).with_name("failing.c")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="preloads a library, with glibc")

# By a part of the call's name: what NumPy does that ends the process or gives a SystemError.
NUMPYS_OWN = {
    "StringDType": "np.zeros(9, np.dtypes.StringDType())",
    "cast-T-": "np.zeros(9, np.dtypes.StringDType())",
    "missing-text": "np.zeros(9, np.dtypes.StringDType())",
    "masked": "np.negative(masked)",
    "astype-complex": "np.ones(3, complex).astype(float)",
    "where": "np.negative(x, out=y, where=y > 0, casting='unsafe')",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("there is no C compiler to build the library that refuses memory")
    path = tmp_path_factory.mktemp("failing") / "failing.so"
    done = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", path, SOURCE, "-ldl"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode and "__libc_" in done.stderr:
        pytest.skip("this C library has other names than glibc for its allocation")
    assert done.returncode == 0, done.stderr
    return path


def environment(how: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    found = {**os.environ, "PYTHONPATH": path}
    return found if how == "python" else {**found, "LD_PRELOAD": how, "PYTHONMALLOC": "malloc"}


class Driver:
    """Runs driver.py, again after each fault that ended it."""

    def __init__(self, how: str, folder: Path) -> None:
        self.how = how
        self.state = folder / "state"

    def faults(self, names: list[str]) -> list[list[object]]:
        self.state.write_bytes(STATE.pack(0, 0, 0))
        found: list[list[object]] = []
        for _ in range(100):
            done = self.run(names)
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            found += [line for line in lines if line != "done"]
            if "done" in lines:
                assert done.returncode == 0, done.stderr
                return found
            number, mode, n = STATE.unpack(self.state.read_bytes())
            assert done.returncode < 0, done.stderr
            how = signal.Signals(-done.returncode).name
            found.append([names[number], MODES[mode], n, how])
        return [*found, ["", "", 0, "and so on"]]

    def run(self, names: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "no_memory.driver", self.how, self.state, *names],
            env=environment(self.how), capture_output=True, text=True, check=False,
        )  # fmt: skip


def numpy_fails(how: str, code: str) -> bool:
    """Whether a call of NumPy's own ends the process or gives anything but a MemoryError."""
    program = (
        "import sys\n"
        "import numpy as np\n"
        "from no_memory.driver import by_library, by_python\n"
        "x, y = np.zeros(9, np.float32), np.zeros(9)\n"
        "masked = np.ma.array(x, mask=y > 0)\n"
        "how = sys.argv[1]\n"
        "run = by_python() if how == 'python' else by_library(how)\n"
        f"call = lambda: {code}\n"
        "for n in (sys.maxsize, sys.maxsize, *range(1, 60)):\n"
        "    for last in n, sys.maxsize:\n"
        "        result, _ = run(call, n, last)\n"
        "        assert not isinstance(result, SystemError), result\n"
    )
    command = [sys.executable, "-c", program, how]
    done = subprocess.run(command, env=environment(how), capture_output=True, check=False)
    return done.returncode != 0


def names_to_try(how: str, is_long: bool) -> list[str]:
    own = [part for part, code in NUMPYS_OWN.items() if numpy_fails(how, code)]
    names = [name for name in jobs() if not any(part in name for part in own)]
    if is_long:
        return names
    few = [name for name in names if "int4" in name or "bfloat16" in name or "string" in name]
    return [name for name in few if "pickle" not in name][::3]


def check(how: str, folder: Path, is_long: bool) -> None:
    names = names_to_try(how, is_long)
    found = Driver(how, folder).faults(names)
    assert not found, f"{len(found)} of {len(names)} calls:\n" + "\n".join(map(str, found[:20]))


def test_every_call(library: Path, tmp_path: Path, amount) -> None:
    check(str(library), tmp_path, amount(False, True))


@pytest.mark.skipif(
    importlib.util.find_spec("_testcapi") is None, reason="CPython's _testcapi is not there"
)
def test_every_call_by_pythons_own_means(tmp_path: Path, amount) -> None:
    check("python", tmp_path, amount(False, True))


def test_a_fault_is_seen(library: Path) -> None:
    """The check itself finds what no call may make of a lack of memory."""
    program = (
        "import json, sys, numpy as np\n"
        "from no_memory.driver import by_library, faults\n"
        "def swallows():\n"
        "    try:\n"
        "        return np.zeros(3000).size\n"
        "    except MemoryError:\n"
        "        return 0\n"
        "def confuses():\n"
        "    try:\n"
        "        return np.zeros(3000)\n"
        "    except MemoryError:\n"
        "        raise SystemError from None\n"
        "run = by_library(sys.argv[1])\n"
        "for call in swallows, confuses, lambda: np.zeros(3000):\n"
        "    print(len(list(faults(run, call, 'one', 1, lambda n: None))))\n"
    )
    command = [sys.executable, "-c", program, str(library)]
    done = subprocess.run(
        command, env=environment(str(library)), capture_output=True, text=True, check=False
    )
    swallows, confuses, right = map(int, done.stdout.split())
    assert swallows > 0, done.stderr
    assert confuses > 0
    assert right == 0


IMPORTS = """
import os, sys
import ml_dtypes, numpy, numpy.ma, numpy.exceptions
from no_memory.library import by_library

run, tries = by_library(sys.argv[1]), int(sys.argv[2])

def load():
    import castufunc

def in_child(first, last):
    reading, writing = os.pipe()
    if not os.fork():
        result, count = run(load, first, last)
        good = result is None or isinstance(result, (MemoryError, ImportError))
        os.write(writing, f"{count} {'' if good else repr(result)}".encode())
        os._exit(0)
    os.close(writing)
    status = os.waitstatus_to_exitcode(os.wait()[1])
    with os.fdopen(reading) as pipe:
        count, _, wrong = pipe.read().partition(" ")
    if status or wrong:
        print("allocation", first, "to", last, "exit", status, wrong)
    return int(count or 0)

count = in_child(sys.maxsize, sys.maxsize)
assert count > 1000, count
for i in range(tries):
    n = 1 + i * count // tries
    in_child(n, n if i % 2 else sys.maxsize)
"""


def test_import(library: Path, amount) -> None:
    """An import without memory is a MemoryError or an ImportError, wherever it was lacking."""
    command = [sys.executable, "-c", IMPORTS, str(library), str(amount(40, 3000))]
    done = subprocess.run(
        command, env=environment(str(library)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stdout, done.stdout[:3000]
