"""
Arrays as other libraries know them, and back. Each library is imported when it is first needed.

Of the module `castufunc.interop.safetensors`, ``load_file``, ``save_file``, ``load`` and ``save``
stand in for those of the library of that name.
"""

from __future__ import annotations

import importlib

from ._arrow import from_arrow, to_arrow
from ._torch import from_torch, to_torch
from ._twins import _TWINS as _TWINS  # for castufunc.onnx
from ._twins import from_ml_dtypes, to_ml_dtypes

__all__ = [
    "from_arrow", "from_ml_dtypes", "from_torch", "register_zarr",
    "to_arrow", "to_ml_dtypes", "to_torch",
]  # fmt: skip


def register_zarr() -> None:
    """
    Make this package's types data types of zarr 3, once in each process.

    Arrays can then be created with them, and arrays that hold them opened. In the store they have
    the names that the registry zarr-extensions gives them, which are ml_dtypes' names. Format 3
    only.

    Raises
    ------
    ImportError
        If zarr is not installed, or older than 3.1.

    Notes
    -----
    zarr does not store a chunk whose elements all equal the fill value, and takes -0 for equal to
    0. To keep chunks of nothing but zeros of both signs, create the array with
    ``config={"write_empty_chunks": True}``. bfloat16 is stored with the byte order of this machine
    only.

    Examples
    --------
    >>> import castufunc
    >>> import zarr  # doctest: +SKIP
    >>> castufunc.interop.register_zarr()  # doctest: +SKIP
    >>> z = zarr.create_array("x.zarr", shape=9, dtype=castufunc.bfloat16)  # doctest: +SKIP
    """
    importlib.import_module("._zarr", __name__).register()
