"""Whether a file is what the safetensors format demands, by the library of that name."""

from __future__ import annotations

import contextlib
import importlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["check", "header_length", "the_library"]

# The header begins behind its own length, and ends so that the data are aligned.
_LENGTH = 8
_MAX_HEADER = 100_000_000

# What a header raises that is wrong in other ways; the library has found these.
_HEADER_ERRORS = ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError


def header_length(file: npt.NDArray[np.uint8]) -> int:
    return int.from_bytes(file[:_LENGTH].tobytes(), "little")


def _cut_short(file: npt.NDArray[np.uint8]) -> str | None:
    """What is missing, if a file ends too early."""
    if file.size < _LENGTH:
        return (
            f"a file of {file.size} bytes is too short for the header length, which has {_LENGTH}"
        )
    length, rest = header_length(file), file.size - _LENGTH
    if rest < length <= _MAX_HEADER:
        return (
            f"the file ends within the header: the header length is {length}, {rest} bytes follow"
        )
    with contextlib.suppress(*_HEADER_ERRORS):
        header = json.loads(file[_LENGTH : _LENGTH + length].tobytes())
        header.pop("__metadata__", None)
        end = max(int(entry["data_offsets"][1]) for entry in header.values())
        if rest - length < end < 1 << 64:
            return (
                f"the file ends within the data: {end} bytes are needed, {rest - length} are there"
            )
    return None


def the_library() -> Any:
    """The module safetensors, or ImportError."""
    return importlib.import_module("safetensors")


def check(where: str, file: npt.NDArray[np.uint8], open_it: Callable[[], object]) -> None:
    """Raise ValueError if the library refuses a file, which `open_it` lets it open."""
    try:
        open_it()
    except the_library().SafetensorError as error:
        reason = _cut_short(file) or str(error)
        raise ValueError(f"{where}: {reason[:400]}") from error
