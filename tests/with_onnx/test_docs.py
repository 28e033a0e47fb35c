"""The examples in docs/onnx.md and in docstrings, and the page's tables."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("onnx")

from onnx import defs

import castufunc.onnx
from castufunc.onnx import VERSIONS

PAGE = Path(__file__).parents[2] / "docs" / "onnx.md"
TEXT = PAGE.read_text(encoding="utf-8")
MODULES = ["", ".backend", ".tensors", ".versions"]


def table(heading):
    """The cells of the table that has a heading."""
    _, _, *rows = TEXT[TEXT.index(heading) :].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in rows]


@pytest.mark.skipif(defs.onnx_opset_version() < 28, reason="shows the newest types")
def test_page():
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 20
    assert result.failed == 0


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    result = doctest.testmod(importlib.import_module(f"castufunc.onnx{module}"))
    assert result.attempted
    assert result.failed == 0


def test_versions():
    assert dict(table("| operator | versions |")) == {
        name: ", ".join(str(version.since) for version in versions)
        for name, versions in VERSIONS.items()
    }


HELPERS = table("| helper | now |")
NAMES = {
    "np": np,
    "castufunc": castufunc,
    "x": np.float32([[0.3, 7.6], [-9, 2.5]]),
    "low": np.float32(1.5),
    "high": np.float32(-9),
    "scale": 2.0,
    "s": False,
    "mode": "nearest",
    "dtype": ml_dtypes.float8_e5m2,
    "codes": np.arange(256, dtype=np.uint8),
    "codes16": np.arange(256, dtype=np.uint16),
    "data": np.uint8([0xF1, 0x07]),
    "dims": (2, 2),
    "byte": 0xF1,
    "c": np.complex64([1 + 2j]),
}


@pytest.mark.parametrize("row", HELPERS, ids=lambda row: row[0])
def test_what_takes_the_place_of_a_helper_runs(row):
    assert isinstance(eval(re.fullmatch("`(.*)`", row[1])[1], NAMES), np.ndarray)


def test_links_lead_somewhere():
    docs = PAGE.parent
    for page in ("onnx.md", "onnxruntime.md"):
        text = (docs / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)]+)\)", text):
            name, _, anchor = link.partition("#")
            headings = re.findall("^## (.*)", (docs / name).read_text(encoding="utf-8"), re.M)
            anchors = [re.sub("[^a-z0-9 -]", "", h.lower()).replace(" ", "-") for h in headings]
            assert not anchor or anchor in anchors, link


def test_helpers_are_all_there():
    named = {re.match(r"`(\w+)\(", row[0])[1] for row in HELPERS}
    assert named == {
        # onnx.helper
        "float32_to_bfloat16", "float32_to_float8e4m3", "float32_to_float8e5m2",
        "pack_float32_to_4bit", "pack_float32_to_float4e2m1", "split_complex_to_pairs",
        # onnx.numpy_helper
        "bfloat16_to_float32", "float8e4m3_to_float32", "float8e5m2_to_float32", "unpack_int4",
        "unpack_float4e2m1", "unpacked_float4e2m1_to_float32", "combine_pairs_to_complex",
        "to_float8e8m0", "saturate_cast",
        # onnx.subbyte
        "float32_to_4bit_unpacked", "float32x2_to_4bitx2", "unpack_4bitx2",
        "unpack_single_4bitx2", "float32_to_float4e2m1_unpacked", "float32x2_to_float4e2m1x2",
    }  # fmt: skip
