"""What the package reads: one variable of the environment, and no pickle."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import castufunc

SOURCE = Path(__file__).parents[2] / "src" / "castufunc"
ENVIRONMENT = re.compile(r"\bos\.environ|\b(secure_)?getenv\b|\bputenv\b")
UNPICKLING = re.compile(r"\b(import|from)\s+(pickle|marshal|shelve|dill|cloudpickle)\b"
                        r"|allow_pickle\s*=\s*(?!False)|\beval\(|\bexec\(")  # fmt: skip


def lines_of_the_package():
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in {".py", ".pyx", ".c", ".h", ".cpp", ".def"}:
            for line in path.read_text(encoding="utf-8").splitlines():
                yield path.relative_to(SOURCE).as_posix(), line


@pytest.mark.skipif(not SOURCE.is_dir(), reason="needs the source tree")
def test_sources_name_one_variable():
    found = [(path, line) for path, line in lines_of_the_package() if ENVIRONMENT.search(line)]
    assert found
    for path, line in found:
        assert "CASTUFUNC_TARGET" in line, (path, line)


@pytest.mark.skipif(not SOURCE.is_dir(), reason="needs the source tree")
def test_sources_load_no_pickle():
    loads = [(path, line) for path, line in lines_of_the_package() if "np.load(" in line]
    for path, line in loads:
        assert "allow_pickle=False" in line, (path, line)
    found = [(path, line) for path, line in lines_of_the_package() if UNPICKLING.search(line)]
    assert not found


WATCH = """
import os, sys
import numpy, ml_dtypes
seen = set()
packages = "castufunc", "importlib"
def watched(read):
    def with_key(self, key, *rest):
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__") in ("os", "_collections_abc"):
            frame = frame.f_back
        name = frame.f_globals.get("__name__") or ""
        if name.split(".")[0] in packages or name == "__main__":
            seen.add(key if isinstance(key, str) else os.fsdecode(key))
        return read(self, key, *rest)
    return with_key
for method in "__getitem__", "__contains__", "get":
    setattr(os._Environ, method, watched(getattr(os._Environ, method)))
import castufunc
import castufunc.cli, castufunc.interop, castufunc.report
castufunc.show_config()
castufunc.cast([1, 2], "int4")
castufunc.cast(["1", "2"], "int4")
castufunc.cast(numpy.ones(300_000), "int4", workers=-1)
castufunc.PackedArray.from_array([1, 2], "int4").unpack()
castufunc.cli.main(["report", sys.argv[1]])
print("seen:", *sorted(seen))
"""


def test_one_variable_is_read(tmp_path):
    np.save(tmp_path / "x.npy", np.ones(3, np.float32))
    command = [sys.executable, "-c", WATCH, str(tmp_path / "x.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "seen: CASTUFUNC_TARGET"


class Bomb:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.fixture
def bomb(tmp_path):
    """An array that makes a folder when it is unpickled, and the folder."""
    array = np.empty(1, object)
    array[0] = Bomb(tmp_path / "unpickled")
    return array, tmp_path / "unpickled"


@pytest.mark.parametrize("suffix", ["npy", "npz"])
def test_the_report_unpickles_nothing(bomb, tmp_path, suffix):
    array, trace = bomb
    path = tmp_path / f"x.{suffix}"
    if suffix == "npy":
        np.save(path, array, allow_pickle=True)
    else:
        np.savez(path, x=array)
    command = [sys.executable, "-m", "castufunc", "report", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert not trace.exists()
    loaded = np.load(path, allow_pickle=True)
    assert suffix == "npy" or loaded["x"].size == 1
    assert trace.exists(), "the array does nothing when it is unpickled"


def test_unpacking_takes_a_pickle_for_bytes(bomb):
    array, trace = bomb
    data = array.dumps()
    assert castufunc.unpack(data, "int4", 2 * len(data)).size == 2 * len(data)
    assert not trace.exists()


def test_load_file_unpickles_nothing(bomb, tmp_path):
    array, trace = bomb
    path = tmp_path / "x.safetensors"
    path.write_bytes(array.dumps())
    safetensors = pytest.importorskip("safetensors")
    from castufunc.interop import safetensors as ours

    with pytest.raises((ValueError, safetensors.SafetensorError)):
        ours.load_file(path)
    assert not trace.exists()
