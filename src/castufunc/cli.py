"""The command line: ``python -m castufunc``."""

from __future__ import annotations

import argparse
import io
import os
import sys
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import castufunc
from castufunc.report import Meter, format_table, is_float

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

# What np.load makes of files that are damaged or made up: its header parser raises most of these.
_READ_ERRORS = (
    OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, MemoryError,
    SyntaxError, tokenize.TokenError, TypeError, LookupError, ArithmeticError,
)  # fmt: skip


class _InputError(Exception):
    """The file cannot be reported on; the text says why."""


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
    except _InputError as error:
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
        show = _one_table if together else _tables
        found = show(label, _arrays(file, skipped))
    if skipped:
        print("\nskipped:", *skipped, sep="\n  ")
    if not found:
        raise _InputError(f"{label}: no array of floats in it")
    print(_NOTE)


_Named = Iterator[tuple[str, npt.NDArray[Any]]]


def _tables(label: str, arrays: _Named) -> bool:
    """Print a table per array, with an empty line between them."""
    found = False
    for name, x in arrays:
        if found:
            print()
        found = True
        meter = Meter()
        meter.add(x)
        where = f"{label}, {name}" if name else label
        print(f"{where}: {x.dtype.name}, shape {x.shape}, {_amount(x.size, x.nbytes)}")
        print(format_table(meter.measurements()))
    return found


def _one_table(label: str, arrays: _Named) -> bool:
    """Print one table over all arrays."""
    meter = Meter()
    count = size = nbytes = 0
    for _, x in arrays:
        meter.add(x)
        count, size, nbytes = count + 1, size + x.size, nbytes + x.nbytes
    if count:
        plural = "s" if count > 1 else ""
        print(f"{label}: {count} array{plural} of floats, {_amount(size, nbytes)}")
        print(format_table(meter.measurements()))
    return count > 0


def _amount(size: int, nbytes: int) -> str:
    return f"{size} value{'' if size == 1 else 's'} in {nbytes} bytes"


def _arrays(file: Path, skipped: list[str]) -> _Named:
    """Yield the float arrays of a file with their names; note in ``skipped`` all others."""
    try:
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise _InputError(f"{file}: only a regular file can be mapped into memory")
        with file.open("rb") as stream:
            start = stream.read(6)
        if start == b"\x93NUMPY":
            yield "", _floats(_mapped(file))
        elif start.startswith(b"PK"):
            if not zipfile.is_zipfile(file):
                raise _InputError(f"{file}: File is not a zip file")
            yield from _members(file, skipped)
        else:
            raise _InputError(f"{file}: not a .npy or .npz file")
    except _READ_ERRORS as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise _InputError(f"{file}: {reason}") from error


def _mapped(file: Path) -> npt.NDArray[Any]:
    """Return the array of a .npy file without reading it: it may be larger than memory."""
    with file.open("rb") as stream:
        if np.lib.format.read_magic(stream) == (1, 0):
            _, _, dtype = np.lib.format.read_array_header_1_0(stream)
            if dtype.hasobject:
                raise ValueError("an object array, which only pickle could load, is refused")
    with warnings.catch_warnings():
        # of a size that overflows; an error follows
        warnings.simplefilter("ignore", RuntimeWarning)
        array: npt.NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    return array


def _members(file: Path, skipped: list[str]) -> _Named:
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as members:
        for name in members.files:
            try:
                x = _floats(members[name])
            except (ValueError, MemoryError) as error:
                skipped.append(f"{name}: {error}")
            else:
                yield name, x


def _floats(x: Any) -> npt.NDArray[Any]:
    """Return ``x`` if it is an array of floats; the error of all else says what it is."""
    if not isinstance(x, np.ndarray):
        raise ValueError("not an array")
    if is_float(x.dtype):
        return x
    reason = f"{x.dtype} is no float type that can be measured"
    if x.dtype.kind == "V" and x.dtype.names is None:
        # What NumPy makes of an ml_dtypes array when it is saved.
        reason += " (.npy files keep the types of castufunc, but not those of ml_dtypes)"
    raise ValueError(reason)
