"""From text to text: between NumPy's containers, nothing cut off and nothing made up."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._messages import class_name


def check_out(out: Any, descr: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of `out`, if it is an array of the container that is asked for."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, not {class_name(out)}")
    if out.dtype.kind != descr.kind or not out.dtype.isnative:
        raise TypeError(f"out has dtype {out.dtype}, the result has {descr}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    found: np.dtype[Any] = out.dtype
    return found


def _index(array: npt.NDArray[Any], flat: int) -> object:
    index = tuple(int(i) for i in np.unravel_index(flat, array.shape)) if array.ndim else ()
    return index[0] if array.ndim == 1 else index


def _refuse_beyond_unicode(array: npt.NDArray[np.str_]) -> None:
    """Python makes a SystemError of what bytes of a file may hold, viewed as `U`."""
    points = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))).reshape(-1)
    if array.dtype.itemsize and points.size:
        beyond = (points.view(np.uint32).reshape(points.size, -1) > sys.maxunicode).any(axis=1)
        if beyond.any():
            flat = int(beyond.argmax())
            raise ValueError(
                f"an element of dtype {array.dtype} holds a code point beyond U+10FFFF, "
                f"at index {_index(array, flat)}"
            )


def _as_str(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if array.dtype.kind == "U":
        _refuse_beyond_unicode(array)
    if array.dtype.kind == "T":
        _core._refuse_missing(array)
        return array.astype(object)
    return _core._texts_of_objects(array.astype(object))


def text_to_text(array: npt.NDArray[Any], descr: np.dtype[Any]) -> npt.NDArray[Any]:
    """
    The texts of an array (objects, U, S or StringDType) in another container.

    Raises ValueError, with the index, for a missing value and for a text that does not fit in the
    width of `descr`; and UnicodeError where one is not ASCII and an S is to be made.
    """
    texts = _as_str(array)
    if descr.kind == "O":
        return texts
    if descr.kind in "US":
        for flat, text in enumerate(texts.flat):
            if text.endswith("\0"):
                raise ValueError(
                    f"{text[:40]!r} would lose the NUL at its end in {descr.kind}, "
                    f"at index {_index(array, flat)}"
                )
    if descr.kind in "US" and descr.itemsize:
        width = descr.itemsize // (4 if descr.kind == "U" else 1)
        for flat, text in enumerate(texts.flat):
            if len(text) > width:
                raise ValueError(
                    f"{text[:40]!r} does not fit in {descr.kind}{width}, "
                    f"at index {_index(array, flat)}"
                )
    return texts.astype(descr)
