"""Views of arrays as the equivalent types of ml_dtypes, and back."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ..formats import FORMATS

__all__ = ["from_ml_dtypes", "to_ml_dtypes"]

_TWINS: dict[np.dtype[Any], np.dtype[Any]] = {
    info.dtype: np.dtype(getattr(ml_dtypes, info.ml_dtypes))
    for info in FORMATS.values()
    if hasattr(ml_dtypes, info.ml_dtypes)
}
_OWN = {twin: own for own, twin in _TWINS.items()}
_ALL_OWN = {info.dtype for info in FORMATS.values()}


def _view(
    x: npt.ArrayLike,
    views: dict[np.dtype[Any], np.dtype[Any]],
    kept: Container[np.dtype[Any]],
    owner: str,
) -> npt.NDArray[Any]:
    array = np.asanyarray(x)
    if array.dtype in kept:
        return array
    if array.dtype not in views:
        raise TypeError(f"dtype {array.dtype} has no equivalent in {owner}")
    return array.view(views[array.dtype])


def to_ml_dtypes(x: npt.ArrayLike) -> npt.NDArray[Any]:
    """
    View an array of one of this package's types as the equivalent type of ml_dtypes.

    Parameters
    ----------
    x : array_like
        Of one of this package's types. One of an equivalent ml_dtypes type is returned as it is.

    Returns
    -------
    ndarray
        Of the same shape, sharing x's memory.

    Raises
    ------
    TypeError
        If there is no equivalent type, or this release of ml_dtypes does not have it.

    Examples
    --------
    >>> import numpy as np
    >>> import castufunc
    >>> castufunc.to_ml_dtypes(np.ones(2, castufunc.bfloat16)).dtype
    dtype(bfloat16)
    """
    return _view(x, _TWINS, _OWN, "ml_dtypes")


def from_ml_dtypes(x: npt.ArrayLike) -> npt.NDArray[Any]:
    """
    View an array of an ml_dtypes type as the equivalent type of this package.

    Parameters
    ----------
    x : array_like
        Of an ml_dtypes type. One of this package's types is returned as it is.

    Returns
    -------
    ndarray
        Of the same shape, sharing x's memory.

    Raises
    ------
    TypeError
        If there is no equivalent type.

    Examples
    --------
    >>> import ml_dtypes
    >>> import numpy as np
    >>> import castufunc
    >>> castufunc.from_ml_dtypes(np.ones(2, ml_dtypes.int4)).dtype
    castufunc.int4
    """
    return _view(x, _OWN, _ALL_OWN, "castufunc")
