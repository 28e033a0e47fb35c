"""ONNX's Cast for NumPy: narrow number types as dtypes, right to the last bit."""

import numpy as _np
import numpy.ma  # before the names below: it asks np.iinfo of every integer it finds there

from ._core import __version__, cast, dtype
from .config import show_config
from .formats import FORMATS, FormatInfo, finfo, iinfo

__all__ = [
    "FORMATS",
    "FormatInfo",
    "__version__",
    "cast",
    "dtype",
    "finfo",
    "iinfo",
    "show_config",
    *FORMATS,
]

for _info in FORMATS.values():
    globals()[_info.name] = _info.type
    # np.dtype("castufunc.float8e5m2") looks here, and np.load through it.
    _np.sctypeDict[_info.dtype.str] = _info.type
del _info
