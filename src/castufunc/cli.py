"""The command line: ``python -m castufunc``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import castufunc
from castufunc._npy import InputError, StreamedArray, read_arrays
from castufunc._progress import Progress
from castufunc.report import Meter, format_table

__all__ = ["main"]

_SAMPLE = "digits_classifier.npz"

_COLUMNS = """\
columns:
  packed bytes  bytes of all values; types of less than 8 bits without gaps
  max error     largest abs(x - q), q being x after the cast; x and q finite
  mean error    mean of abs(x - q)
  SNR/dB        10 log10(sum x^2 / sum (x - q)^2); inf: no error
  saturated     values out of range, brought to its nearest end (bfloat16: to infinity)
  to 0          values other than 0 that became 0 (also NaN, where a type has none)
  NaN           values that are NaN after the cast

A .npz file gets a table for each array of floats; its other arrays are skipped."""

_NOTE = """
Every value is cast as it is, without scaling. float8e8m0 rounds to the nearest power of two and
has neither zero nor sign: zeros and negative values count as saturated, at 2^-127."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process if left out.

    Returns
    -------
    int
        The exit code: 0; 2 if the input is no good; 1 if the output cannot be written. Wrong
        arguments raise `SystemExit` with code 2.
    """
    arguments = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        # Names of files and arrays may hold what the terminal's encoding does not.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        if arguments.command == "config":
            castufunc.show_config()
        else:
            _report(arguments.file, together=arguments.together)
        sys.stdout.flush()
    except InputError as error:
        print(f"castufunc report: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        # Nobody reads any more, or the disk is full; nor may the interpreter try again at its end.
        if not isinstance(error, BrokenPipeError):
            print(f"castufunc: cannot write: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m castufunc",
        description="Casts of ONNX's narrow number types as NumPy dtypes.",
    )
    parser.add_argument("--version", action="version", version=castufunc.__version__)
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    report = commands.add_parser(
        "report",
        help="show what an array of floats loses in every narrow float type",
        description="Show what an array of floats loses in every narrow float type.",
        epilog=_COLUMNS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    report.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        type=Path,
        help="a .npy or .npz file (default: the weights of a small classifier of digits)",
    )
    report.add_argument(
        "--together",
        action="store_true",
        help="one table over all arrays of a .npz file, instead of a table each",
    )
    commands.add_parser(
        "config",
        help="show how castufunc was built and what it uses here",
        description="Show how castufunc was built and what it uses here.",
    )
    return parser


def _report(file: Path | None, *, together: bool) -> None:
    with ExitStack() as stack:
        if file is None:
            sample = resources.files("castufunc") / "data" / _SAMPLE
            file = stack.enter_context(resources.as_file(sample))
            label, together = f"{_SAMPLE} (shipped sample)", True
        else:
            label = str(file)
        skipped: list[str] = []
        progress = stack.enter_context(Progress(sys.stderr))
        show = _one_table if together else _tables
        found = show(label, read_arrays(file, skipped, progress), progress)
    if skipped:
        print("\nskipped:", *skipped, sep="\n  ")
    if not found:
        raise InputError(f"{label}: no array of floats in it")
    print(_NOTE)


def _tables(label: str, arrays: Iterator[StreamedArray], progress: Progress) -> bool:
    """Print a table per array, with an empty line between them."""
    found = False
    for x in arrays:
        meter = Meter()
        for piece in x.pieces:
            meter.add(piece)
        progress.clear()
        if found:
            print()
        found = True
        where = f"{label}, {x.name}" if x.name else label
        print(f"{where}: {x.dtype.name}, shape {x.shape}, {_amount(x.size, x.nbytes)}")
        print(format_table(meter.measurements()))
    return found


def _one_table(label: str, arrays: Iterator[StreamedArray], progress: Progress) -> bool:
    """Print one table over all arrays."""
    meter = Meter()
    count = size = nbytes = 0
    for x in arrays:
        for piece in x.pieces:
            meter.add(piece)
        count, size, nbytes = count + 1, size + x.size, nbytes + x.nbytes
    progress.clear()
    if count:
        plural = "s" if count > 1 else ""
        print(f"{label}: {count} array{plural} of floats, {_amount(size, nbytes)}")
        print(format_table(meter.measurements()))
    return count > 0


def _amount(size: int, nbytes: int) -> str:
    return f"{size} value{'' if size == 1 else 's'} in {nbytes} bytes"
