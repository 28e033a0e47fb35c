"""Files to read: regular ones only, and opened without waiting for anything."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

from ._messages import short_path

__all__ = ["open_regular", "require_regular"]

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def require_regular(path: str, mode: int) -> None:
    """Raise ValueError if what is there, of this ``st_mode``, is not a regular file."""
    if not stat.S_ISREG(mode):
        kind = next((name for test, name in _KINDS if test(mode)), "something else")
        raise ValueError(f"{short_path(path)}: this is {kind}, not a regular file")


def open_regular(path: str, flags: int = 0) -> BinaryIO:
    """
    Open a regular file for reading, with further flags of ``os.open``.

    Raises ValueError for anything else that is there: a folder, a FIFO that would wait for its
    writer, or a device, whose opening alone can have effects.
    """
    require_regular(path, os.stat(path).st_mode)
    # It can have become a FIFO since.
    flags |= getattr(os, "O_NONBLOCK", 0)
    file = open(path, "rb", opener=lambda name, given: os.open(name, given | flags))  # noqa: SIM115
    try:
        require_regular(path, os.fstat(file.fileno()).st_mode)
    except BaseException:
        file.close()
        raise
    return file
