"""docs/limits.md lists what the rows say cannot be had or differs, and nothing else."""

import re
from pathlib import Path

import pytest

from .rows import SEE_ELSEWHERE, Error, Surprise
from .tables import ROWS

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
HEADINGS = {Error: "What raises", Surprise: "What gives something else"}


def entries(heading):
    """The first column of the table under a heading."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [line.split(" | ")[0].removeprefix("| ") for line in lines[2:]]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if not row.works], ids=lambda row: row.id)  # fmt: skip
def test_the_page_lists_the_row(row):
    assert any(row.see in entry for entry in entries(HEADINGS[type(row.outcome)]))


@pytest.mark.parametrize("entry", [e for heading in HEADINGS.values() for e in entries(heading)])
def test_there_is_a_row_for_the_entry(entry):
    assert any(see in entry for see in SEE_ELSEWHERE.union(row.see for row in ROWS if row.see))
