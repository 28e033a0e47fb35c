"""
Casts as ufuncs: one for each target type in each of its modes.

``to_<type>``, with ``_nosat`` for ``saturate=False`` where the type has it, and with ``_down`` or
``_nearest`` before that for the rounding modes of float8e8m0. As ufuncs they broadcast, take
``out=`` and ``where=``, and go through ``__array_ufunc__``, so that they work on dask arrays and
others. Their results are those of `castufunc.cast`.

Examples
--------
>>> import numpy as np
>>> from castufunc import ufuncs
>>> print(ufuncs.to_float8e5m2_nosat(np.array([1.1, 1e6])))
[1.0 inf]
"""

from . import _core

# A module of their own: ufuncs are pickled by name, and looked up by it.
_ufuncs = _core._make_ufuncs()
globals().update(_ufuncs)
__all__ = list(_ufuncs)
