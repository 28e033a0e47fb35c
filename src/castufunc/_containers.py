"""Arrays of other libraries, and those of their elements that have no value."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ._messages import class_name


def _torch_class(name: str) -> Any:
    """A class of torch, if that is imported: nobody else can have made an instance of it."""
    return getattr(sys.modules.get("torch"), name, ())


def from_tensor(x: Any) -> Any:
    """The array in the memory of a tensor of torch; anything else as it is.

    NumPy does not know the narrow types of torch, which refuses to convert them.
    """
    if isinstance(x, _torch_class("Tensor")):
        from .interop import from_torch

        return from_torch(x)
    return x


def with_arrays(x: Any) -> Any:
    """A nested list or tuple with arrays in place of its tensors."""
    if isinstance(x, (list, tuple)):
        return [with_arrays(item) for item in x]
    return from_tensor(x)


def torch_type_name(dtype: Any) -> str | None:
    """The name of an element type of torch, or None for anything else.

    That of ``float4_e2m1fn_x2``, which is two elements in a byte, is the name of one.
    """
    if not isinstance(dtype, _torch_class("dtype")):
        return None
    return str(dtype).removeprefix("torch.").removesuffix("_x2")


def is_lazy(x: Any) -> bool:
    """Whether x is computed only when it is asked for, as dask's collections are."""
    graph = getattr(type(x), "__dask_graph__", None)
    # xarray's arrays have the method whatever they hold, and give None for what is in memory.
    return graph is not None and graph(x) is not None


def _missing(x: Any) -> int:
    if hasattr(x, "itercolumns"):  # a table of Arrow
        return sum(column.null_count for column in x.itercolumns())
    count = getattr(x, "null_count", None)  # of Arrow's arrays and polars
    if count is not None:
        return int(np.sum(np.asarray(count() if callable(count) else count)))
    # pandas: in NumPy's own types NaN is a number, in all others it means a missing value.
    types = x.dtypes if hasattr(x, "dtypes") and x.ndim == 2 else [getattr(x, "dtype", None)]
    if hasattr(x, "isna") and not all(isinstance(t, np.dtype) for t in types):
        return int(np.count_nonzero(x.isna()))
    return 0


def refuse_missing_values(x: Any) -> None:
    """TypeError if x is a container of polars, Arrow or pandas in which values are missing.

    NumPy would make NaN of them, and a cast to an integer zero.
    """
    missing = _missing(x)
    if missing:
        values = "value: fill or drop it" if missing == 1 else "values: fill or drop them"
        raise TypeError(f"cannot cast {class_name(x)} with {missing} missing {values} first")
