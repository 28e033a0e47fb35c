"""The bar of ``report``: on a terminal only, never in the way of anything else."""

from __future__ import annotations

import doctest
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from castufunc import _progress
from castufunc._progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(text: str) -> str:
    """What is left in a line after carriage returns."""
    cells: list[str] = []
    for part in text.split("\r"):
        cells[: len(part)] = part
    return "".join(cells).rstrip()


def test_doctest() -> None:
    result = doctest.testmod(_progress)
    assert result.attempted
    assert result.failed == 0


def test_bar() -> None:
    terminal = Terminal()
    progress = Progress(terminal, delay=0, period=0)
    progress.start(2_500_000_000)
    seen = []
    for _ in range(4):
        progress.add(625_000_000)
        seen.append(screen(terminal.getvalue()))
    assert seen == [
        "[######                  ]  25 %  625.0 MB of 2.5 GB",
        "[############            ]  50 %  1.2 GB of 2.5 GB",
        "[##################      ]  75 %  1.9 GB of 2.5 GB",
        "[########################] 100 %  2.5 GB of 2.5 GB",
    ]
    progress.add(10**12)  # more than was announced
    assert screen(terminal.getvalue()) == seen[-1]
    progress.clear()
    assert screen(terminal.getvalue()) == ""
    assert terminal.getvalue().endswith(" \r")
    assert "\n" not in terminal.getvalue()


@pytest.mark.parametrize(
    ("nbytes", "text"),
    [(1, "1 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"),
     (999_951, "1.0 MB"), (10**16, "10000.0 TB")],
)  # fmt: skip
def test_amounts(nbytes: int, text: str) -> None:
    terminal = Terminal()
    progress = Progress(terminal, delay=0)
    progress.start(nbytes)
    progress.add(nbytes)
    assert terminal.getvalue().endswith(f"100 %  {text} of {text}")


def test_seldom_and_not_at_once() -> None:
    time = [0.0]
    terminal = Terminal()
    progress = Progress(terminal, delay=0.5, period=0.1, clock=lambda: time[0])
    progress.start(1000)
    for _ in range(1000):
        time[0] += 0.001
        progress.add(1)
    assert 5 <= terminal.getvalue().count("\r") <= 6


def test_nothing_without_a_terminal() -> None:
    for stream in io.StringIO(), None:
        with Progress(stream, delay=0, period=0) as progress:
            progress.start(10)
            progress.add(5)
        assert stream is None or stream.getvalue() == ""


def test_nothing_of_nothing() -> None:
    terminal = Terminal()
    with Progress(terminal, delay=0, period=0) as progress:
        progress.start(0)
        progress.add(0)
    assert terminal.getvalue() == ""


def test_narrow_terminals(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal = Terminal()
    progress = Progress(terminal, delay=0)
    progress.start(10)
    progress.add(5)
    assert terminal.getvalue() == "\r[############      "[:20]


def test_cleared_when_something_is_raised() -> None:
    terminal = Terminal()

    def work() -> None:
        with Progress(terminal, delay=0) as progress:
            progress.start(10)
            progress.add(5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert screen(terminal.getvalue()) == ""


REPORT = """
import sys
from castufunc import _progress, cli
_progress.Progress.__init__.__kwdefaults__.update(delay=0, period=0)
raise SystemExit(cli.main(["report", *sys.argv[1:]]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
@pytest.mark.parametrize("form", ["npy", "npz"])
def test_report(form: str, tmp_path: Path) -> None:
    x = np.linspace(-9, 9, 1_000_000, dtype=np.float32)
    file = tmp_path / f"x.{form}"
    np.save(file, x) if form == "npy" else np.savez_compressed(file, x, x[:3])
    for terminal in True, False:
        ours, theirs = os.openpty() if terminal else os.pipe()
        done = subprocess.run(
            [sys.executable, "-c", REPORT, str(file)],
            stdout=subprocess.PIPE, stderr=theirs, text=True, check=False,
        )  # fmt: skip
        os.close(theirs)
        try:
            shown = os.read(ours, 100_000).decode()
        except OSError:
            shown = ""  # Linux says so at the end of a terminal
        os.close(ours)
        assert done.returncode == 0
        assert "float32, shape (1000000,)" in done.stdout
        assert "#" not in done.stdout
        if terminal:
            assert shown.count("\r") > 5
            assert " of 4.0 MB" in shown
            assert screen(shown) == ""
        else:
            assert shown == ""
