"""Without the onnx package all else works, and what needs it says so."""

from __future__ import annotations

import subprocess
import sys

WITHOUT_ONNX = """
import sys
sys.modules["onnx"] = None  # as if it were not installed
import castufunc
assert castufunc.cast([1.5], "float8e5m2").tolist() == [1.5]
try:
    import castufunc.onnx
except ModuleNotFoundError as error:
    assert 'pip install "castufunc[onnx]"' in str(error), error
else:
    raise AssertionError("castufunc.onnx was imported")
"""

NOT_IMPORTED = """
import sys
import castufunc
assert "onnx" not in sys.modules
"""


def test_it_says_what_to_install() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_ONNX], check=True)


def test_onnx_is_not_imported_by_castufunc() -> None:
    subprocess.run([sys.executable, "-c", NOT_IMPORTED], check=True)
