"""The names an expression may use, once for a type under test and once for its stand-in."""

import io
import pickle
from pathlib import Path

import ml_dtypes
import numpy as np

import castufunc as cu

# Twelve numbers each, exact in the type: the first six with doubles and, if there is one, a zero;
# the last six without, and the first four of those an invertible matrix.
_FLOAT = [3, -1.5, 0, 6, -1.5, 0.5, 2, 1.5, -6, 4, -0.5, 1]
VALUES = {
    "bfloat16": _FLOAT,
    "float8e4m3fn": _FLOAT,
    "float8e4m3fnuz": _FLOAT,
    "float8e5m2": _FLOAT,
    "float8e5m2fnuz": _FLOAT,
    "float6e2m3": _FLOAT,
    "float6e3m2": _FLOAT,
    "float4e2m1": _FLOAT,
    "float8e8m0": [2, 0.5, 8, 1, 0.5, 4, 1, 16, 0.25, 2, 4, 0.5],
    "int4": [3, -8, 0, 7, -8, -1, 2, 1, -6, 4, -3, 5],
    "uint4": [3, 15, 0, 7, 15, 1, 2, 1, 6, 4, 3, 5],
    "int2": [1, -2, 0, 1, -2, -1, -1, 1, -2, 1, -1, 1],
    "uint2": [2, 3, 0, 1, 3, 1, 2, 1, 3, 1, 2, 3],
}


def stand_in(type_name, which):
    """The NumPy scalar type that stands for an own one; see rows.Like."""
    info = cu.FORMATS[type_name]
    if info.kind == "float" or which == "float32":
        return np.float32
    if which == "wide":
        return np.int64
    return np.int8 if info.signed else np.uint8


def names(type_name, scalar_type, folder):
    """
    The names, for arrays of `scalar_type`; `type_name` is the own type, with the numbers it has.

    t, twin: the scalar type and its equal in ml_dtypes; name: of the type under test
    a, b: six numbers, those of b without zero
    s: a in ascending order; m: a as 2 x 3; q: 2 x 2 and invertible; x: the scalar a[0]; o: 0-d
    n, v: a with two NaN, b with two infinities at the end, for types that have them
    h, i: booleans and indices for a; big, small: the largest and the smallest number
    st: a structured array with the fields p of this type and r; ma, mm: a and m with masks
    path: where a file may be written
    """
    values = VALUES[type_name]
    info = cu.FORMATS[type_name]
    is_own = scalar_type is info.type
    a, b = np.array(values[:6], scalar_type), np.array(values[6:], scalar_type)
    mask = np.array([False, True, False, False, False, True])
    found = {
        "np": np, "cu": cu, "ml_dtypes": ml_dtypes, "io": io, "pickle": pickle,
        "t": scalar_type, "name": type_name,
        "twin": getattr(ml_dtypes, info.ml_dtypes, None) if is_own else scalar_type,
        "a": a, "b": b,
        "s": np.array(sorted(values[:6]), scalar_type),
        "m": a.reshape(2, 3).copy(), "q": b[:4].reshape(2, 2).copy(),
        "x": a[0], "o": np.array(values[0], scalar_type),
        "h": np.array([True, False, True, True, False, True]), "i": np.array([2, 0, 5]),
        "big": scalar_type(info.max), "small": scalar_type(info.min),
        "ma": np.ma.array(a, mask=mask),
        "mm": np.ma.array(a.reshape(2, 3), mask=mask.reshape(2, 3)),
        "path": Path(folder),
    }  # fmt: skip
    if info.nan is not None:
        found["n"] = a.copy()
        found["n"][[1, 5]] = np.nan
    if info.inf is not None:
        infinite = np.array([*values[6:10], np.inf, -np.inf])
        # Assigned, they would saturate where the own type does so.
        found["v"] = cu.cast(infinite, scalar_type, saturate=False)
    found["st"] = np.zeros(6, [("p", scalar_type), ("r", "<i4")])
    found["st"]["p"], found["st"]["r"] = a, range(6)
    return found
