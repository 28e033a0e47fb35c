"""Arrays and tables of pyarrow: codes, with the type's name in the metadata of the field."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._messages import class_name
from ..formats import FORMATS
from ._twins import _OWN

if TYPE_CHECKING:
    from .._core import Target

__all__ = ["from_arrow", "to_arrow"]

_DTYPES = {str(info.dtype): info.dtype for info in FORMATS.values()}
# Where pyarrow leaves the name of an extension type that it does not know when it reads a file.
_KEY = b"ARROW:extension:name"


def _modules() -> tuple[Any, dict[np.dtype[Any], Any]]:
    """Pyarrow, and the extension types; importing these registers them."""
    types = importlib.import_module("._arrow_types", __package__)
    return importlib.import_module("pyarrow"), types.TYPES


def _own(dtype: Any) -> np.dtype[Any] | None:
    own = _OWN.get(dtype, dtype)
    return own if own in _DTYPES.values() else None


def _column(pa: Any, array: npt.NDArray[Any], kind: Any) -> Any:
    # pyarrow shares memory that is not aligned too, and promises nothing for it.
    codes = np.require(array.view(f"u{array.dtype.itemsize}"), requirements="A")
    return pa.ExtensionArray.from_storage(kind, pa.array(codes))


def _to_table(frame: Any) -> Any:
    pa, types = _modules()
    columns = {}
    frame = frame.copy(deep=False)
    for place, dtype in enumerate(frame.dtypes):
        if own := _own(dtype):
            array = frame.iloc[:, place].to_numpy()
            columns[place] = _column(pa, array, types[own])
            frame.isetitem(place, array.view(f"u{dtype.itemsize}"))
    table = pa.Table.from_pandas(frame)
    for place, column in columns.items():
        table = table.set_column(place, table.field(place).with_type(column.type), column)
    return table


def to_arrow(x: Any) -> Any:
    """
    An array of pyarrow with an array's elements, or a table with the columns of a DataFrame.

    Parameters
    ----------
    x : array_like or pandas.DataFrame
        An array with one dimension, of one of this package's types or of the equivalent type of
        ml_dtypes. Or a DataFrame, some of whose columns may be of these types.

    Returns
    -------
    pyarrow.ExtensionArray or pyarrow.Table
        Of an extension type with the name that the dtype has, such as ``castufunc.bfloat16``. It
        is stored as codes: uint16 for bfloat16, uint8 for all others, in x's memory if x is
        contiguous. Columns of other types, and the index, are as pyarrow makes them.

    Raises
    ------
    TypeError
        If x is of another type.
    ValueError
        If x does not have one dimension, or has masked elements.
    ImportError
        If pyarrow is not installed.

    See Also
    --------
    from_arrow

    Examples
    --------
    >>> import castufunc
    >>> x = castufunc.cast([1.5, 300.0], "float8e5m2")
    >>> castufunc.interop.to_arrow(x).type  # doctest: +SKIP
    float8e5m2(extension<castufunc.float8e5m2<float8e5m2>>)
    """
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(x, pandas.DataFrame):
        return _to_table(x)
    array = np.asanyarray(x)
    own = _own(array.dtype)
    if own is None:
        raise TypeError(f"expected an array of a type of castufunc, not of dtype {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"an array of pyarrow has one dimension, this one has {array.ndim}")
    if np.ma.is_masked(array):
        raise ValueError("the array has masked elements: call filled() or compressed() first")
    pa, types = _modules()
    return _column(pa, np.asarray(array), types[own])


def _named(kind: Any, metadata: Any = None) -> np.dtype[Any] | None:
    """Which type a field's type or metadata names, if one of this package's."""
    name = getattr(kind, "extension_name", None) or (metadata or {}).get(_KEY, b"").decode()
    if not name.startswith("castufunc."):
        return None
    if name not in _DTYPES:
        raise TypeError(f"this release of castufunc has no type {name[:80]}")
    dtype = _DTYPES[name]
    storage = getattr(kind, "storage_type", kind)
    if str(storage) != f"uint{8 * dtype.itemsize}":
        raise TypeError(f"{dtype} is stored as uint{8 * dtype.itemsize}, not as {storage}")
    return dtype


def _storage(pa: Any, x: Any) -> Any:
    """Codes, without a copy; a ChunkedArray may have many pieces."""
    if not hasattr(x.type, "storage_type"):
        return x
    if isinstance(x, pa.ChunkedArray):
        return pa.chunked_array([piece.storage for piece in x.chunks], x.type.storage_type)
    return x.storage


def _array(pa: Any, x: Any, dtype: np.dtype[Any], where: str = "") -> npt.NDArray[Any]:
    if x.null_count:
        index = x.is_null().index(True).as_py()
        raise ValueError(f"the element at index {index}{where} is null, which {dtype} cannot be")
    codes: npt.NDArray[Any] = _storage(pa, x).to_numpy()
    return codes.view(dtype)


def _nested(field: Any) -> Iterator[Any]:
    for number in range(field.type.num_fields):
        child = field.type.field(number)
        yield child
        yield from _nested(child)


def _to_frame(pa: Any, table: Any) -> Any:
    importlib.import_module("pandas")
    index = (table.schema.pandas_metadata or {}).get("index_columns", [])
    arrays, place = {}, 0
    for number, field in enumerate(table.schema):
        where = f" of column {field.name[:80]!r}"
        if any(_named(child.type, child.metadata) for child in _nested(field)):
            raise TypeError(f"the elements{where} are {str(field.type)[:200]}: take them out first")
        if dtype := _named(field.type, field.metadata):
            if field.name in index:
                raise TypeError(f"pandas has no index of {dtype}, the type{where}")
            arrays[place] = _array(pa, table.column(number), dtype, where)
            codes = _storage(pa, table.column(number))
            table = table.set_column(number, field.name, codes)
        place += field.name not in index
    frame = table.to_pandas()
    for place, array in arrays.items():
        frame.isetitem(place, array)
    return frame


def from_arrow(x: Any, dtype: Target | None = None) -> Any:
    """
    An array with the elements of an array of pyarrow, or a DataFrame with a table's columns.

    Parameters
    ----------
    x : pyarrow.Array, ChunkedArray, Table or RecordBatch
        What `to_arrow` gives, or what was read from a file that it was written to.
    dtype : dtype, scalar type, str or int, optional
        The type of the elements of an array that does not tell it itself: one of codes in uint8
        or uint16.

    Returns
    -------
    ndarray or pandas.DataFrame
        An array of one of this package's types; read-only and in x's memory, unless x is in
        several chunks. A DataFrame has such columns; all else in it is as pyarrow makes it.

    Raises
    ------
    TypeError
        If x is not of these types and there is no `dtype`, or the two differ.
    ValueError
        If an element is null.
    ImportError
        If pyarrow, or for a table pandas, is not installed.

    See Also
    --------
    to_arrow

    Examples
    --------
    >>> import castufunc
    >>> import pyarrow as pa  # doctest: +SKIP
    >>> castufunc.interop.from_arrow(pa.array([1, 7], pa.uint8()), "float4e2m1")  # doctest: +SKIP
    array([0.5, 6.0], dtype=castufunc.float4e2m1)
    """
    pa, types = _modules()
    if isinstance(x, (pa.Table, pa.RecordBatch)):
        if dtype is not None:
            raise TypeError("a table tells the types of its columns: dtype is for arrays")
        return _to_frame(pa, x if isinstance(x, pa.Table) else pa.Table.from_batches([x]))
    if not isinstance(x, (pa.Array, pa.ChunkedArray)):
        raise TypeError(f"expected an array or a table of pyarrow, not {class_name(x)}")
    told = _named(x.type)
    if dtype is None:
        if told is None:
            raise TypeError(
                f"an array of {str(x.type)[:200]} does not tell which type of castufunc it holds: "
                "pass dtype, or the table it is from"
            )
        return _array(pa, x, told)
    wanted = _own(_core.dtype(dtype))
    if wanted is None:
        raise TypeError(f"expected a type of castufunc, not {_core.dtype(dtype)}")
    if x.type not in (types[wanted], types[wanted].storage_type):
        raise TypeError(f"an array of {str(x.type)[:200]} does not hold {wanted}")
    return _array(pa, x, wanted)
