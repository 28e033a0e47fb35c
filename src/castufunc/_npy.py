"""Float arrays of .npy and .npz files, read in pieces: a file may be larger than memory."""

from __future__ import annotations

import io
import math
import os
import tokenize
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from castufunc._files import open_regular
from castufunc._messages import short
from castufunc._progress import Progress
from castufunc.packing import MAX_DIMENSIONS
from castufunc.report import _CHUNK, is_float

__all__ = ["InputError", "StreamedArray", "read_arrays"]

_MAGIC = b"\x93NUMPY"

# As np.load has it. The header of an array of floats takes a tenth of it.
_MAX_HEADER = 10_000

# Whole chunks of a Meter, so that figures do not depend on how an array is stored.
_PIECE = 4 * _CHUNK

# np.savez writes no others. Those that zipfile reads besides give it no limit on how much comes
# out of a few bytes at once.
_METHODS = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED

_LONGEST_NAME = 200

# What NumPy's parser makes of headers that are damaged or made up.
_HEADER_ERRORS = (
    ValueError, EOFError, RuntimeError, MemoryError, SyntaxError, tokenize.TokenError, TypeError,
    LookupError, ArithmeticError, AttributeError,
)  # fmt: skip
# What comes of archives that are.
_ARCHIVE_ERRORS = (
    OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, MemoryError,
    LookupError,
)  # fmt: skip


class InputError(Exception):
    """The file cannot be read; the text says why."""


@dataclass(frozen=True)
class StreamedArray:
    """
    An array in a file.

    Attributes
    ----------
    name : str
        In the archive; empty for the one of a .npy file.
    dtype : numpy.dtype
    shape : tuple of int
    pieces : iterator of ndarray
        All its elements, in the order of the file. To be used before the next array is.
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    pieces: Iterator[npt.NDArray[Any]]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize


def read_arrays(file: Path, skipped: list[str], progress: Progress) -> Iterator[StreamedArray]:
    """
    The float arrays of a file, one after the other.

    Parameters
    ----------
    file : Path
    skipped : list of str
        Takes in what else is in the file, and why it is no such array.
    progress : Progress
        Is told of what is read.

    Raises
    ------
    InputError
        If it is not such a file, or damaged. Damage to the data of an array shows only when its
        last piece was read.
    """
    stream, start = _opened(file)
    with stream:
        if start == _MAGIC:
            yield _only_array(file, stream, skipped, progress)
        elif start.startswith(b"PK"):
            yield from _members(file, stream, skipped, progress)
        else:
            raise InputError(f"{file}: not a .npy or .npz file")


def _opened(file: Path) -> tuple[IO[bytes], bytes]:
    """The file, and its first bytes, which tell what it is."""
    try:
        stream = open_regular(str(file))
        return stream, stream.read(len(_MAGIC))
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(str(error)) from error


# --- the .npy format ------------------------------------------------------------------------


_Read = Callable[[int], bytes]


def _exactly(read: _Read, size: int) -> bytes:
    data = read(size)
    if len(data) < size:
        raise ValueError("it ends within the header")
    return data


def _header(read: _Read) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The dtype and the shape of the array whose data are next to read; the magic number was."""
    version = tuple(_exactly(read, 2))
    if version not in {(1, 0), (2, 0), (3, 0)}:
        raise ValueError(f"version {version[0]}.{version[1]} of the .npy format is unknown")
    # Versions 2 and 3 are alike, but for the encoding of the names of fields.
    parse = np.lib.format.read_array_header_2_0
    width = 4
    if version == (1, 0):
        parse, width = np.lib.format.read_array_header_1_0, 2
    prefix = _exactly(read, width)
    length = int.from_bytes(prefix, "little")
    if length > _MAX_HEADER:
        raise ValueError(
            f"its header has {length} bytes, and that of an array of floats at most {_MAX_HEADER}"
        )
    text = _exactly(read, length)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shape, _, dtype = parse(io.BytesIO(prefix + text), max_header_size=_MAX_HEADER)
    except _HEADER_ERRORS as error:
        raise ValueError(f"its header is not that of an array: {short(text.strip())}") from error
    if dtype.hasobject:
        raise ValueError("an object array, which only pickle could load, is refused")
    if any(size < 0 for size in shape):
        raise ValueError(f"its shape, {short(shape)}, has a negative size")
    if len(shape) > MAX_DIMENSIONS:
        raise ValueError(f"it has {len(shape)} dimensions, an array has at most {MAX_DIMENSIONS}")
    if math.prod(size for size in shape if size) * dtype.itemsize > np.iinfo(np.intp).max:
        raise ValueError(f"its shape, {short(shape)}, is too large for an array")
    return dtype, tuple(int(size) for size in shape)


def _check_float(dtype: np.dtype[Any]) -> None:
    if is_float(dtype):
        return
    name = str(dtype)
    reason = (
        f"{name if len(name) <= 80 else name[:77] + '...'} is no float type that can be measured"
    )
    if dtype.kind == "V" and dtype.names is None:
        # What NumPy makes of an ml_dtypes array when it is saved.
        reason += " (.npy files keep the types of castufunc, but not those of ml_dtypes)"
    raise ValueError(reason)


def _surplus(dtype: np.dtype[Any], shape: tuple[int, ...], available: int) -> int:
    """How many bytes follow the array, if not too few are there."""
    needed = math.prod(shape) * dtype.itemsize
    if available < needed:
        raise ValueError(
            f"it ends within the data: {needed} bytes are needed, {available} are there"
        )
    return available - needed


def _pieces(
    read: _Read, dtype: np.dtype[Any], size: int, progress: Progress, where: str
) -> Iterator[npt.NDArray[Any]]:
    for start in range(0, size, _PIECE):
        wanted = min(_PIECE, size - start) * dtype.itemsize
        data = read(wanted)
        if len(data) < wanted:
            raise InputError(f"{where}: it ends within the data")
        yield np.frombuffer(data, dtype)
        progress.add(wanted)


def _only_array(
    file: Path, stream: IO[bytes], skipped: list[str], progress: Progress
) -> StreamedArray:
    def read(size: int) -> bytes:
        try:
            return stream.read(size)
        except OSError as error:
            raise InputError(f"{file}: {error.strerror}") from error

    try:
        dtype, shape = _header(read)
        _check_float(dtype)
        surplus = _surplus(dtype, shape, os.fstat(stream.fileno()).st_size - stream.tell())
    except ValueError as error:
        raise InputError(f"{file}: {error}") from error
    if surplus:
        skipped.append(f"{surplus} bytes behind the array")
    size = math.prod(shape)
    progress.start(size * dtype.itemsize)
    return StreamedArray("", dtype, shape, _pieces(read, dtype, size, progress, str(file)))


# --- the .npz format ------------------------------------------------------------------------


def _printable(name: str) -> str:
    """The name without what a terminal would take for orders."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)


def _names(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    """What members are called here: arrays without .npy, and no two alike."""
    seen: Counter[str] = Counter()
    for info in infos:
        name = _printable(info.filename.removesuffix(".npy"))
        name = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 3] + "..."
        seen[name] += 1
        yield f"{name} (no. {seen[name]} of this name)" if seen[name] > 1 else name


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return _printable(text)[:300]


def _members(
    file: Path, stream: IO[bytes], skipped: list[str], progress: Progress
) -> Iterator[StreamedArray]:
    try:
        if not zipfile.is_zipfile(stream):
            raise InputError(f"{file}: File is not a zip file")
        archive = zipfile.ZipFile(stream)
    except _ARCHIVE_ERRORS as error:
        raise InputError(f"{file}: {_reason(error)}") from error
    with archive:
        infos = archive.infolist()
        progress.start(sum(info.file_size for info in infos))
        for name, info in zip(_names(infos), infos, strict=True):
            try:
                array, surplus = _member(archive, info, name, f"{file}, {name}", progress)
            except ValueError as error:
                skipped.append(f"{name}: {error}")
                progress.add(info.file_size)
            else:
                if surplus:
                    skipped.append(f"{name}: {surplus} bytes behind the array")
                yield array


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, where: str, progress: Progress
) -> tuple[StreamedArray, int]:
    """The array of a member, and how many bytes follow it. ValueError if there is none."""
    if info.flag_bits & 1:
        raise ValueError("it is encrypted")
    if info.compress_type not in _METHODS:
        raise ValueError(f"its compression, method {info.compress_type}, is none that NumPy writes")
    try:
        stream = archive.open(info)
    except _ARCHIVE_ERRORS as error:
        raise InputError(f"{where}: {_reason(error)}") from error

    def read(size: int) -> bytes:
        try:
            return stream.read(size)
        except _ARCHIVE_ERRORS as error:
            raise InputError(f"{where}: {_reason(error)}") from error

    if read(len(_MAGIC)) != _MAGIC:
        raise ValueError("not an array")
    dtype, shape = _header(read)
    _check_float(dtype)
    surplus = _surplus(dtype, shape, info.file_size - stream.tell())

    def pieces() -> Iterator[npt.NDArray[Any]]:
        yield from _pieces(read, dtype, math.prod(shape), progress, where)
        # The checksum is compared where the member ends.
        while data := read(_PIECE):
            progress.add(len(data))

    return StreamedArray(name, dtype, shape, pieces()), surplus
