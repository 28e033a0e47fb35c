"""What is cast: for each type the codes where libraries go astray, or all of them."""

from __future__ import annotations

import numpy as np

import castufunc
from castufunc.onnx.elements import ELEMENTS, Element

BY_NAME = {element.name: element for element in ELEMENTS.values()}

INTEGERS = (
    0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 127, 128, 200, 255, 256, 300, 449, 464, 465, 2049, 32767,
    65503, 65519, 65520, 65535, 2**24 + 1, 16973823, 2**31 - 1, 2**53 + 1, 2**62 + 1,
    1103806595073,
)  # fmt: skip

FLOATS = (
    0, 0.5, 1, 1.5, 2.5, 3.5, 1.0625, 1.0626, 1.125, 7.6, 8.5, 9, 15.9, 31.9, 100.5, 127, 128,
    200, 240, 247.9, 248, 255, 256, 300, 448, 464, 464.1, 480, 488, 57344, 61439, 61440, 65504,
    65519, 65520, 65535, 1e-3, 2**-9, 2**-10, 1.1 * 2**-10, 2**-17, 2**-127, 2**-133, 2**-149,
    3e9, 2**31, 2**32 + 5, 2**63, 2**64, 1e20, 3e38, 2.0**128 - 2.0**119, np.inf, np.nan,
    # These lie just above a tie, which float32 does not know.
    1.0039062500009095, 1.0000000000009095, 1.0004882812509095,
)  # fmt: skip

TEXTS = (
    "0", "-0", "1.5", "-3", "3.7", "300", "1e3", "NaN", "nan", "INF", "+inf", "-INF", "1e-7",
    "65520", "464", "1e400", "1e-400", "9007199254740993", "18446744073709551615", " 1 ", "1.",
    "0x10", "1_0", "one", "1.00390625000000000000000000001",
)  # fmt: skip


def numbers(element: Element) -> np.ndarray:
    """The inputs of a type; texts are tried one by one."""
    if element.name == "bool":
        return np.array([False, True])
    if element.bits <= 8:
        return np.arange(1 << element.bits, dtype=np.uint8).view(element.dtype)
    if element.dtype.kind in "iu":
        info = np.iinfo(element.dtype)
        both = {sign * n for n in INTEGERS for sign in (1, -1)}
        return np.array(sorted(n for n in both if info.min <= n <= info.max), element.dtype)
    if element.dtype.kind == "c":
        return numbers(BY_NAME["double"]).astype(element.dtype)
    both = np.array([np.copysign(x, sign) for x in FLOATS for sign in (1, -1)])
    codes = castufunc.cast(both, element.dtype).view(f"u{element.dtype.itemsize}")
    return np.unique(codes).view(element.dtype)
