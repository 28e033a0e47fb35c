"""ONNX's Cast for NumPy: narrow number types as dtypes, right to the last bit."""

import numbers as _numbers

import numpy as _np
import numpy.ma  # before the names below: it asks np.iinfo of every integer it finds there

from . import interop
from ._core import __version__, bit_cast, cast, cast_like, dtype
from .config import show_config
from .formats import FORMATS, FormatInfo, finfo, iinfo
from .interop import from_ml_dtypes, to_ml_dtypes
from .packed_array import PackedArray
from .packing import cast_pack, pack, unpack, unpack_cast

__all__ = [
    "FORMATS",
    "FormatInfo",
    "PackedArray",
    "__version__",
    "bit_cast",
    "cast",
    "cast_like",
    "cast_pack",
    "dtype",
    "finfo",
    "from_ml_dtypes",
    "iinfo",
    "interop",
    "pack",
    "show_config",
    "to_ml_dtypes",
    "ufuncs",
    "unpack",
    "unpack_cast",
    *FORMATS,
]

for _info in FORMATS.values():
    globals()[_info.name] = _info.type
    # np.dtype("castufunc.float8e5m2") looks here, and np.load through it. On a big-endian machine
    # the text without a mark is that of files in the other order: np.dtype names it and refuses.
    _text = f"castufunc.{_info.name}"
    _np.sctypeDict[_text] = f"{_text} in little-endian byte order"
    _np.sctypeDict[_info.dtype.str] = _info.type
    # ONNX's name alone, where nobody else has it: "bfloat16" and "int4" are ml_dtypes' types.
    if _info.name != _info.ml_dtypes:
        _np.sctypeDict.setdefault(_info.name, _info.type)
    # What a masked element counts as in np.ma's max, min, sort and median.
    numpy.ma.core.max_filler[_info.type] = _info.min
    numpy.ma.core.min_filler[_info.type] = _info.max
    if _info.kind == "float":
        _numbers.Real.register(_info.type)
del _info, _text


def __getattr__(name):
    # The ufuncs are made when they are first asked for; castufunc.onnx needs the onnx package.
    if name in ("onnx", "ufuncs"):
        import importlib

        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name[:80]!r}")
