"""The package in a process that begins, forks and ends, with threads in the middle of casts."""

import os
import subprocess
import sys

import pytest

# Casts of every kind: by one thread and several, of numbers, text and objects.
CASTS = """
import threading
import numpy as np
import castufunc as cu

numbers = np.linspace(-300, 300, 300_000, dtype=np.float32)
texts = np.array(["1.5", "-3", "1e9", "nan"] * 500)
objects = np.array([1, 2.5, "3", 10**30, cu.int4(2)] * 200, object)
strings = texts.astype(np.dtypes.StringDType())

def casts():
    yield cu.cast(numbers, "float8e4m3fn")
    yield cu.cast(numbers[::3], "bfloat16")
    yield cu.cast(numbers, "int4", workers=4)
    yield cu.cast(texts, "float8e5m2")
    yield cu.cast(strings.copy(), "float8e5m2")
    yield cu.cast(objects, "float6e3m2")
    yield cu.cast(numbers[:2000], "string")
    yield cu.cast(numbers[:2000], "bfloat16").astype("U")
    yield cu.ufuncs.to_float16(numbers)
    yield cu.unpack_cast(cu.cast_pack(numbers, "int4"), "int4", numbers.size, "float32")

def digests():
    return [hash(x.tobytes() if x.dtype.char not in "OT" else tuple(x.tolist())) for x in casts()]
"""


def run(code):
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def test_import_by_sixteen_threads():
    run(
        "import threading\n"
        "together = threading.Barrier(16)\n"
        "found = []\n"
        "def load():\n"
        "    together.wait()\n"
        "    import castufunc\n"
        "    found.append(castufunc.cast([1.5, -3], 'int4').tolist())\n"
        "threads = [threading.Thread(target=load) for _ in range(16)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert found == [[1, -3]] * 16, found\n"
    )


@pytest.mark.parametrize("seconds", [0, 0.05, 0.3])
def test_exit_with_daemon_threads_in_the_middle_of_casts(seconds):
    run(
        CASTS + "import time\n"
        "def forever():\n"
        "    while True:\n"
        "        digests()\n"
        "for _ in range(8): threading.Thread(target=forever, daemon=True).start()\n"
        f"time.sleep({seconds})\n"
    )


def test_exit_with_live_arrays_and_scalars():
    out = run(
        "import atexit, sys\n"
        "import numpy as np\n"
        "import castufunc as cu\n"
        "class Late:\n"
        "    def __del__(self):\n"
        "        print(self.x.dtype, self.x.tolist(), self.y)\n"
        "late = Late()\n"
        "late.me = late\n"  # a cycle
        "late.x, late.y = np.ones(3, cu.bfloat16), cu.int4(-3)\n"
        "np.kept = [np.ones(2, info.type) for info in cu.FORMATS.values()]\n"
        "sys.kept = [info.type(1) for info in cu.FORMATS.values()]\n"
        "packed = cu.PackedArray.from_array([1, 2], 'int4')\n"
        "atexit.register(lambda: print(cu.cast(['1.5'], 'float8e5m2'), packed.unpack()))\n"
    )
    assert out == "[1.5] [1 2]\ncastufunc.bfloat16 [1.0, 1.0, 1.0] -3\n"


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

FORKS = """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12's, of threads and forks

def child_is_right():
    child = os.fork()
    if not child:
        os._exit(0 if digests() == expected else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@needs_fork
def test_children_of_a_fork_before_any_cast():
    run(
        CASTS + FORKS + "reading, writing = os.pipe()\n"
        "if not os.fork():\n"
        "    os.write(writing, repr(digests()[:3]).encode())\n"
        "    os._exit(0)\n"
        "found = os.read(reading, 1000).decode()\n"
        "assert found == repr(digests()[:3])\n"  # the same seed for the hash of bytes
    )


@needs_fork
def test_children_of_a_fork_after_casts_by_workers():
    run(
        CASTS + FORKS + "expected = digests()\n"
        "assert all(child_is_right() for _ in range(5))\n"
        "assert digests() == expected\n"
    )


def test_a_second_interpreter_is_refused():
    """One that shares the GIL, into which NumPy can be imported; the first one goes on."""
    out = run(
        "import castufunc as cu\n"
        "try:\n"
        "    import _interpreters as interpreters\n"
        "    other = interpreters.create('legacy')\n"
        "except ImportError:\n"
        "    import _xxsubinterpreters as interpreters\n"
        "    other = interpreters.create(isolated=False)\n"
        "code = '''\n"
        "import warnings\n"
        'warnings.simplefilter("ignore")\n'  # NumPy's, of other interpreters
        "try:\n"
        "    import castufunc\n"
        "except ImportError as error:\n"
        "    found = type(error).__name__\n"
        "else:\n"
        '    found = "imported"\n'
        "import os\n"
        "os.write(1, found.encode())\n"
        "'''\n"
        "interpreters.run_string(other, code)\n"
        "interpreters.destroy(other)\n"
        "assert cu.cast([1.5], 'int4').tolist() == [1]\n"
    )
    assert out == "ImportError"


def test_a_cast_where_no_thread_can_be_had():
    """The caller converts everything, and no thread writes into its array later."""
    run(
        CASTS + "from castufunc import _workers\n"
        "started = threading.Thread.start\n"
        'def refuse(thread): raise RuntimeError("can\'t start new thread")\n'
        "threading.Thread.start = refuse\n"
        "expected = cu.cast(numbers, 'int4')\n"
        "out = np.zeros(numbers.size, cu.int4)\n"
        "cu.cast(numbers, 'int4', workers=4, out=out)\n"
        "assert (out == expected).all()\n"
        "out[:] = 0\n"
        "threading.Thread.start = started\n"
        "_workers._executor().submit(int).result()\n"  # behind all that was left in the queue
        "assert not out.astype(bool).any()\n"
    )
