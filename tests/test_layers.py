"""The layers point down: what a file may include, read off its text."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "castufunc"

pytestmark = pytest.mark.skipif(not SOURCE.is_dir(), reason="needs the source tree")


def includes(folder):
    for path in sorted((SOURCE / folder).glob("*.[chd]*")):
        for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', path.read_text(), re.MULTILINE):
            yield path.name, name


def test_core_knows_neither_python_nor_numpy():
    found = list(includes("core"))
    assert len(found) > 20
    c = {"stddef.h", "stdint.h", "string.h", "math.h", "float.h", "fenv.h"}
    intrinsics = {"cpuid.h", "xmmintrin.h", "immintrin.h"}
    cpp = {"cfloat", "charconv", "cstddef", "cstdint", "cstring", "limits", "system_error"}
    standard = c | intrinsics | cpp
    for path, name in found:
        assert name in standard or (SOURCE / "core" / name).exists(), (path, name)


def test_core_takes_no_memory_and_keeps_no_errno():
    for path in (SOURCE / "core").glob("*.[ch]"):
        assert not re.search(r"\b(malloc|calloc|realloc|free)\s*\(|\berrno\b", path.read_text()), (
            path
        )


def test_npy_reaches_core_only_through_its_front():
    front = [
        "arithmetic.h",
        "formats.h",
        "formats.def",
        "limits.h",
        "pack.h",
        "plan.h",
        "fpenv.h",
        "text.h",
        "targets.h",
    ]
    allowed = {f"core/{name}" for name in front}
    found = [(path, name) for path, name in includes("npy") if name.startswith("core/")]
    assert found
    for path, name in found:
        assert name in allowed, (path, name)


def test_no_file_but_the_table_has_a_row():
    table = (SOURCE / "core" / "formats.def").read_text()
    twins = set(re.findall(r'"(float\d_e\w+|bfloat16|u?int[24])"', table))
    assert len(twins) > 10
    for path in (SOURCE / "core").glob("*.[ch]"):
        for twin in twins:
            assert f'"{twin}"' not in path.read_text(), (path, twin)
