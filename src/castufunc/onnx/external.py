"""Data of tensors that lie in a file of their own."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from onnx import TensorProto

__all__ = ["external_bytes"]


def _number(entries: dict[str, str], key: str) -> int | None:
    text = entries.get(key)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"the {key} of the external data is {text!r}, which is no number of bytes")
    return int(text)


def _path(location: str, base_dir: str | os.PathLike[str]) -> Path:
    """The file, which must lie in the folder: a model must not lead anywhere else."""
    base = Path(base_dir).resolve()
    path = (base / location).resolve()
    if not location or PurePosixPath(location).is_absolute() or not path.is_relative_to(base):
        raise ValueError(f"external data at {location!r}: that is no place in {str(base)!r}")
    if not path.is_file():
        raise FileNotFoundError(f"external data at {location!r}: no such file in {str(base)!r}")
    return path


def external_bytes(tensor: TensorProto, base_dir: str | os.PathLike[str]) -> npt.NDArray[np.uint8]:
    """
    The bytes of a tensor, as a read-only map of the file.

    Raises
    ------
    ValueError
        If the location leads out of the folder, or the file ends too early.
    FileNotFoundError
    """
    entries = {entry.key: entry.value for entry in tensor.external_data}
    offset = _number(entries, "offset") or 0
    length = _number(entries, "length")
    path = _path(entries.get("location", ""), base_dir)
    size = path.stat().st_size
    if length is None:
        length = max(size - offset, 0)
    if offset + length > size:
        raise ValueError(
            f"external data at {entries['location']!r}: the file has {size} bytes, "
            f"too few for {length} from byte {offset}"
        )
    if not length:
        return np.empty(0, np.uint8)
    return np.asarray(np.memmap(path, np.uint8, mode="r", offset=offset, shape=(length,)))
