"""Packed forms into memory that is there already: against NumPy's slicing and a plain copy.

One type for each width; the others of a width run the same code. What is fused is compared with
its two steps, which need an array of unpacked codes between them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import castufunc

Array = np.ndarray[Any, Any]

NAMES = {2: "uint2", 4: "uint4", 6: "float6e3m2"}
SIZES = {"1k": 1 << 10, "32k": 1 << 15, "1M": 1 << 20}


def codes_of(bits: int, size: int) -> Array:
    return np.random.default_rng(1).integers(0, 1 << bits, size, np.uint8)


def pack_by_slicing(codes: Array, bits: int, packed: Array) -> None:
    """Pack as is usual in NumPy, for sizes that are multiples of 4."""
    if bits == 4:
        np.bitwise_or(codes[::2], codes[1::2] << 4, out=packed)
        return
    a, b, c, d = (codes[i::4] for i in range(4))
    if bits == 2:
        np.bitwise_or(a | b << 2, c << 4 | d << 6, out=packed)
        return
    packed[0::3] = a | b << 6
    packed[1::3] = b >> 2 | c << 4
    packed[2::3] = c >> 4 | d << 2


def unpack_by_slicing(packed: Array, bits: int, codes: Array) -> None:
    """Unpack as is usual in NumPy, for sizes that are multiples of 4."""
    if bits == 6:
        a, b, c = (packed[i::3] for i in range(3))
        codes[0::4] = a & 63
        codes[1::4] = (a >> 6 | b << 2) & 63
        codes[2::4] = (b >> 4 | c << 4) & 63
        codes[3::4] = c >> 2
        return
    for i in range(8 // bits):
        codes[i :: 8 // bits] = packed >> bits * i & (1 << bits) - 1


class Packing:
    """`pack` and `unpack` of contiguous arrays, and the same by other means."""

    params = (tuple(NAMES), tuple(SIZES))
    param_names = ("bits", "size")

    def setup(self, bits: int, size: str) -> None:
        self.name = NAMES[bits]
        self.codes = codes_of(bits, SIZES[size])
        self.x = self.codes.view(castufunc.dtype(self.name))
        self.packed = castufunc.pack(self.x)
        self.out = np.empty_like(self.x)
        self.out_codes = self.out.view(np.uint8)
        # Words of as many bytes as are packed into one; for 6 bits there are none.
        self.words = self.codes.view({2: "u4", 4: "u2", 6: "u1"}[bits])
        self.low_bytes = np.empty(self.words.shape, np.uint8)
        self.out_words = np.empty_like(self.words)

        by_slicing = np.empty_like(self.packed)
        pack_by_slicing(self.codes, bits, by_slicing)
        unpack_by_slicing(self.packed, bits, self.out_codes)
        if not (by_slicing == self.packed).all() or not (self.out_codes == self.codes).all():
            raise AssertionError("slicing gives something else")

    def time_pack(self, bits: int, size: str) -> None:
        castufunc.pack(self.x, out=self.packed)

    def time_pack_strided(self, bits: int, size: str) -> None:
        castufunc.pack(self.x[::-1], out=self.packed)

    def time_pack_by_slicing(self, bits: int, size: str) -> None:
        pack_by_slicing(self.codes, bits, self.packed)

    def time_pack_copy(self, bits: int, size: str) -> None:
        # Reads and writes as much as packing does; of 6 bits it writes a third more.
        np.copyto(self.low_bytes, self.words, casting="unsafe")

    def time_unpack(self, bits: int, size: str) -> None:
        castufunc.unpack(self.packed, self.name, self.x.shape, strict=False, out=self.out)

    def time_unpack_by_slicing(self, bits: int, size: str) -> None:
        unpack_by_slicing(self.packed, bits, self.out_codes)

    def time_unpack_copy(self, bits: int, size: str) -> None:
        np.copyto(self.out_words, self.low_bytes)


class Fused:
    """`cast_pack` and `unpack_cast` with a wide type, and both steps of each."""

    params = (tuple(NAMES), ("float32", "bfloat16"), tuple(SIZES))
    param_names = ("bits", "wide", "size")

    def setup(self, bits: int, wide: str, size: str) -> None:
        self.name, self.wide = NAMES[bits], wide
        self.codes = codes_of(bits, SIZES[size]).view(castufunc.dtype(self.name))
        self.packed = castufunc.pack(self.codes)
        self.x = castufunc.cast(self.codes, wide)

    def time_cast_pack(self, bits: int, wide: str, size: str) -> None:
        castufunc.cast_pack(self.x, self.name, out=self.packed)

    def time_cast_then_pack(self, bits: int, wide: str, size: str) -> None:
        castufunc.pack(castufunc.cast(self.x, self.name, out=self.codes), out=self.packed)

    def time_unpack_cast(self, bits: int, wide: str, size: str) -> None:
        castufunc.unpack_cast(self.packed, self.name, self.x.shape, self.wide, out=self.x)

    def time_unpack_then_cast(self, bits: int, wide: str, size: str) -> None:
        castufunc.unpack(self.packed, self.name, self.x.shape, out=self.codes)
        castufunc.cast(self.codes, self.wide, out=self.x)
