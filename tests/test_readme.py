"""The README: its examples, its table, and its commands."""

from __future__ import annotations

import doctest
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_examples() -> None:
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted > 10
    assert result.failed == 0


def test_table_is_the_one_that_follows_from_the_formats() -> None:
    table = runpy.run_path(str(ROOT / "tools" / "format_table.py"))["format_table"]()
    assert f"\n\n{table}\n\n" in README.read_text(encoding="utf-8")


def test_ci_runs_the_test_command_as_it_stands_here() -> None:
    command = 'pip install ".[test]" && pytest'
    assert f"```sh\n{command}\n```" in README.read_text(encoding="utf-8")
    assert f"'{command}'" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_links_lead_somewhere() -> None:
    links = [part.split(")")[0] for part in README.read_text(encoding="utf-8").split("](")[1:]]
    local = [link for link in links if "://" not in link]
    assert local
    assert [link for link in local if not (ROOT / link).exists()] == []
