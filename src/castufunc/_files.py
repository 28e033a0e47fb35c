"""Regular files, and nothing else: opened without waiting, and replaced as a whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from typing import BinaryIO

from ._messages import short_path

__all__ = ["open_regular", "replacing", "require_regular", "same_file"]

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


def same_file(opened: BinaryIO, name: str) -> str:
    """A name of a file that is open, the one of that very file where the system has such names."""
    mirror = f"/proc/self/fd/{opened.fileno()}"
    with contextlib.suppress(OSError):
        if os.path.samestat(os.stat(mirror), os.fstat(opened.fileno())):
            return mirror
    return name


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path`, or of what that links to, once it is complete."""
    name = os.fsdecode(path)
    # What is not a file, such as a device, is not ours to remove.
    with contextlib.suppress(FileNotFoundError):
        require_regular(name, os.stat(name).st_mode)
    target = os.path.realpath(name)
    temporary = os.path.join(os.path.dirname(target), f".castufunc-{secrets.token_hex(8)}")
    try:
        with _new_file(temporary, name) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _new_file(temporary: str, name: str) -> BinaryIO:
    try:
        return open(temporary, "xb")
    except OSError as error:
        # Its own name would say nothing to the caller.
        raise type(error)(error.errno, error.strerror, name) from None
