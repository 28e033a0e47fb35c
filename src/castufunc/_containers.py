"""Arrays of other libraries, and those of their elements that have no value."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._messages import class_name


def _torch_class(name: str) -> Any:
    """A class of torch, if that is imported: nobody else can have made an instance of it."""
    return getattr(sys.modules.get("torch"), name, ())


def from_tensor(x: Any) -> Any:
    """The array in the memory of a tensor of torch or of a column; anything else as it is.

    NumPy does not know the narrow types of torch, which refuses to convert them.
    """
    if isinstance(x, _torch_class("Tensor")):
        from .interop import from_torch

        return from_torch(x)
    return from_column(x)


def _is_of(x: Any, module: str, *names: str) -> bool:
    """Whether x is of one of these classes of a module, which then must have been imported."""
    found = (getattr(sys.modules.get(module), name, None) for name in names)
    return any(isinstance(x, cls) for cls in found if isinstance(cls, type))


def _types(x: Any) -> list[Any]:
    """The types of the columns of what Arrow, polars and pandas have of columns and tables."""
    if _is_of(x, "pyarrow", "Array", "ChunkedArray"):
        return [x.type]
    if _is_of(x, "pyarrow", "Table", "RecordBatch"):
        return list(x.schema.types)
    if _is_of(x, "polars", "Series") or _is_of(x, "pandas", "Series", "Index"):
        return [x.dtype]
    if _is_of(x, "polars", "DataFrame") or _is_of(x, "pandas", "DataFrame"):
        return list(x.dtypes)
    return []


def _name(kind: Any) -> str:
    kind = getattr(kind, "pyarrow_dtype", kind)  # of pandas' ArrowDtype
    name = kind.ext_name() if hasattr(kind, "ext_name") else getattr(kind, "extension_name", "")
    return name if name.startswith("castufunc.") else ""


def column_dtype(x: Any) -> np.dtype[Any] | None:
    """The type whose name a column of Arrow, polars or pandas has; None for anything else.

    To these, and so to NumPy, the elements are codes: `castufunc.interop.to_arrow` makes them.
    """
    types = _types(x)
    names = {name for kind in types if (name := _name(kind))}
    if not names:
        return None
    if len(types) > 1 or len(x.shape if hasattr(x, "shape") else [0]) > 1:
        raise TypeError(f"{class_name(x)} has columns of {min(names)[:80]}: cast one by one")
    from . import _core

    return _core.dtype(names.pop())


def from_column(x: Any) -> Any:
    """The array that such a column holds; anything else as it is."""
    dtype = column_dtype(x)
    if dtype is None:
        return x
    refuse_missing_values(x)
    return np.asarray(x, f"u{dtype.itemsize}").view(dtype)


def with_arrays(x: Any) -> Any:
    """A nested list or tuple with arrays in place of its tensors and columns."""
    if isinstance(x, (list, tuple)):
        return [with_arrays(item) for item in x]
    array = from_tensor(x)
    refuse_missing_values(array)
    return array


def _columns(x: Any) -> list[Any] | None:
    if _is_of(x, "pyarrow", "Table", "RecordBatch"):
        return list(x.itercolumns())
    if _is_of(x, "polars", "DataFrame"):
        return list(x.get_columns())
    if _is_of(x, "pandas", "DataFrame"):
        return [x.iloc[:, i] for i in range(x.shape[1])]
    return None


def array_of_table(x: Any, array_of: Callable[[Any], npt.NDArray[Any]]) -> Any:
    """
    The array of a table whose columns are of different types; anything else as it is.

    NumPy would look for one type that nearly holds all of them. They are objects here.
    """
    if _is_of(x, "polars", "Series") and x.dtype.is_nested():
        return x.to_list()  # missing values within are None then
    columns = _columns(x)
    if not columns or len({str(kind) for kind in _types(x)}) == 1:
        return x
    arrays = [array_of(column) for column in columns]
    table = np.empty((len(arrays[0]), len(arrays)), object)
    for i, array in enumerate(arrays):
        table[:, i] = array
    return table


def torch_type_name(dtype: Any) -> str | None:
    """The name of an element type of torch, or None for anything else.

    That of ``float4_e2m1fn_x2``, which is two elements in a byte, is the name of one.
    """
    if not isinstance(dtype, _torch_class("dtype")):
        return None
    return str(dtype).removeprefix("torch.").removesuffix("_x2")


def is_type_of_pandas(dtype: Any) -> bool:
    """Whether this is an element type that pandas has besides NumPy's."""
    api = getattr(sys.modules.get("pandas"), "api", None)
    return isinstance(dtype, getattr(getattr(api, "extensions", None), "ExtensionDtype", ()))


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
