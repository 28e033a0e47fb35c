"""Data of tensors that lie in a file of their own."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from .._files import open_regular
from .._messages import short, short_path

if TYPE_CHECKING:
    from onnx import TensorProto

__all__ = ["Folders", "Place", "external_bytes"]

Place: TypeAlias = str | os.PathLike[str]
Folders: TypeAlias = Place | Iterable[Place]

# Of a number of bytes that a file can have.
_MAX_DIGITS = 20


def _number(entries: dict[str, str], key: str) -> int | None:
    text = entries.get(key)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise ValueError(
            f"the {key} of the external data is {short(text)}, which is no number of bytes"
        )
    return int(text)


def _is_in(path: str, folder: str) -> bool:
    return PurePath(path).is_relative_to(folder)


class _Folder:
    """
    The folder of a model, in which its data must lie: a model must not lead anywhere else.

    Where it leads by a link, that may be in another folder, if the caller says so: the one of the
    model's real file, or one of `link_dirs`.
    """

    def __init__(self, base_dir: Place, link_dirs: Folders) -> None:
        base = os.fsdecode(base_dir)
        places = [link_dirs] if isinstance(link_dirs, (str, bytes, os.PathLike)) else link_dirs
        # An empty name is none; to the system it would be the folder the process is in.
        names = [name for place in places if (name := os.fsdecode(place))]
        self.links_to = [os.path.realpath(name) for name in names]
        if os.path.isfile(base):
            self.links_to.append(os.path.dirname(os.path.realpath(base)))
            base = os.path.dirname(base)
        self.path = os.path.realpath(base)

    def find(self, location: str) -> str:
        """The file, without links in its name; ValueError if it must not be read."""
        path = os.path.join(self.path, location)
        real = os.path.realpath(path)
        if not location or PurePosixPath(location).is_absolute():
            raise ValueError(f"that is no place in {self}")
        if not _is_in(real, self.path):
            if not _is_in(os.path.normpath(path), self.path):
                raise ValueError(f"that is no place in {self}")
            if not any(_is_in(real, folder) for folder in self.links_to):
                raise ValueError(
                    f"a link leads out of {self}, to {short_path(real)!r}. If that is right, give "
                    "as base_dir the file of the model, where that is a link into the same "
                    "folder as its data, or give the folder of the data as link_dirs"
                )
        return real

    def open(self, location: str) -> BinaryIO:
        if "\0" in location:
            raise ValueError("a name cannot have a NUL")
        try:
            return open_regular(self.find(location), getattr(os, "O_NOFOLLOW", 0))
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR):
                raise FileNotFoundError(f"no such file in {self}") from None
            if error.errno == errno.ELOOP:
                raise ValueError("links lead in a circle") from None
            if error.errno == errno.ENAMETOOLONG:
                raise ValueError("the name is too long") from None
            raise

    def __str__(self) -> str:
        return repr(short_path(self.path))


def external_bytes(
    tensor: TensorProto, size: int, base_dir: Place, link_dirs: Folders
) -> npt.NDArray[np.uint8]:
    """
    The bytes of a tensor, as a read-only map of the file.

    `size` is how many its type and shape want; it counts where the tensor gives no length, or 0.

    Raises
    ------
    ValueError
        If the location leads out of the folder, or to something else than a file, or the file ends
        too early.
    FileNotFoundError
    """
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    offset = _number(entries, "offset") or 0
    length = _number(entries, "length") or size
    try:
        with _Folder(base_dir, link_dirs).open(location) as file:
            available = os.fstat(file.fileno()).st_size
            if offset + length > available:
                raise ValueError(
                    f"the file has {available} bytes, too few for {length} from byte {offset}"
                )
            if not length:
                return np.empty(0, np.uint8)
            mapped = np.memmap(file, np.uint8, mode="r", offset=offset, shape=(length,))
            return np.asarray(mapped)
    except (ValueError, FileNotFoundError) as error:
        kind = ValueError if isinstance(error, ValueError) else FileNotFoundError
        raise kind(f"external data at {short(location)}: {error}") from error
