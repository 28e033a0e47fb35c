"""docs/differences.md: what it says of this package is so. The other libraries aren't needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import castufunc
from cases.differences import CATEGORIES

PAGE = (Path(__file__).parents[1] / "docs" / "differences.md").read_text(encoding="utf-8")
COLUMNS = ["input", "bits", "from", "to", "call", "castufunc"]


def rows() -> Iterator[dict[str, str]]:
    """The lines of all tables, by heading."""
    headings: list[str] = []
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
            headings = []
        elif not headings:
            headings = cells
            assert headings[: len(COLUMNS)] == COLUMNS
        elif set(cells) != {"---"}:
            yield dict(zip(headings, cells, strict=True))


ROWS = list(rows())


def in_code(cell: str) -> str:
    return re.search("`(.*)`", cell)[1]


def array_of(row: dict[str, str]) -> np.ndarray:
    dtype = castufunc.dtype(row["from"])
    return np.array([int(in_code(row["bits"]), 16)], f"u{dtype.itemsize}").view(dtype)


def called(row: dict[str, str]) -> np.ndarray:
    """What castufunc gives now, by the call as it is written."""
    name, *words = in_code(row["call"]).split()
    keywords = dict(word.split("=") for word in words)
    if "saturate" in keywords:
        keywords["saturate"] = {"True": True, "False": False}[keywords["saturate"]]
    target = row["to"] if name != "cast_like" else np.empty(0, castufunc.dtype(row["to"]))
    return getattr(castufunc, name)(array_of(row), target, **keywords)


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) > 100
    assert {in_code(row["call"]).split()[0] for row in ROWS} == {"cast", "cast_like", "bit_cast"}


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: "-".join([in_code(row["bits"]), row["from"], row["to"]])
)
def test_our_results(row: dict[str, str]) -> None:
    if row["castufunc"] == "TypeError":
        with pytest.raises(TypeError):
            called(row)
        return
    result = called(row)
    assert result.dtype == castufunc.dtype(row["to"])
    code = result.view(f"u{result.itemsize}")[0]
    assert code == int(in_code(row["castufunc"]), 16)


def test_each_row_differs() -> None:
    for row in ROWS:
        others = set(list(row.values())[len(COLUMNS) :])
        assert others - {"same", "-", "another mode"}, row
        assert row["castufunc"] not in others, row


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_reason_for_a_differing_case_is_told(category: str) -> None:
    assert f"\n`{category}`: " in PAGE


def test_the_page_was_made_with_all_libraries() -> None:
    assert "not installed" not in PAGE
    for library in ["NumPy", "ml_dtypes", "onnx.reference", "onnxruntime", "torch"]:
        assert re.search(rf"\b{re.escape(library)} \d+\.\d+", PAGE)
