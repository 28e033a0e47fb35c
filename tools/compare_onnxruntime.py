"""Compare the Cast, CastLike and BitCast models of onnxruntime with ours, element by element.

::

    pip install . onnx onnxruntime
    python tools/compare_onnxruntime.py

Fails if they differ in anything that docs/onnxruntime.md does not list, or no longer differ where
it does. The page holds for the versions that it names.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

import onnx
import onnxruntime
from onnxruntime_models.comparing import all_versions, compare, versions_that_differ
from onnxruntime_models.page import comparable, page, sections

from castufunc.onnx import VERSIONS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "onnxruntime.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write docs/onnxruntime.md anew")
    update = parser.parse_args().update

    results = {version: compare(version) for version in all_versions()}
    newest = {operator: results[versions[-1]] for operator, versions in VERSIONS.items()}
    lines = sections(newest["Cast"].differences)
    faults = [f"without a reason: {line}" for line in lines.pop("")]
    faults += versions_that_differ(results)
    facts = {
        "onnx": onnx.__version__,
        "onnxruntime": onnxruntime.__version__,
        "models": sum(one.models for one in results.values()),
        "elements": sum(one.elements for one in results.values()),
    }
    text = page(lines, newest, facts)
    if update:
        PAGE.write_text(text, encoding="utf-8")
    old, new = comparable(PAGE.read_text(encoding="utf-8")), comparable(text)
    faults += difflib.unified_diff(old, new, "listed", "found", lineterm="", n=0)
    if faults:
        print(*faults, sep="\n")
    known = sum(map(len, lines.values()))
    print(f"{facts['elements']} elements of {facts['models']} models, {known} lines of differences")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
