"""Packed forms by other means: one whole number holds all the codes of a tensor.

ONNX, onnx.in.proto, TensorProto.raw_data and the pages onnx/technical/int4, int2, float4, float6:
the first element in the lowest bits, no gaps, zero bits at the end of the last byte. As bytes in
little-endian order that is just the number whose digits, in base 2**bits, are the codes.
"""

import ml_dtypes
import numpy as np
import pytest

import castufunc
from oracle import FORMATS, OURS
from oracle.samples import generator

# Names, and widths as the oracle has them.
PACKED = {name: FORMATS[name].bits for name in OURS if FORMATS[name].bits < 8}
WIDTHS = {bits: name for name, bits in PACKED.items()}

every_packed = pytest.mark.parametrize("name", PACKED)


def bytes_of(codes, bits):
    """The packed form of codes, in the order given: the number's digits are written last first."""
    digits = [f"{int(code) & (1 << bits) - 1:0{bits}b}" for code in codes]
    whole = int("".join(reversed(digits)) or "0", 2)
    return whole.to_bytes((len(digits) * bits + 7) // 8, "little")


def codes_of_bytes(data, bits, count):
    """The first codes of a packed form."""
    digits = f"{int.from_bytes(data, 'little'):0{8 * len(data)}b}"[::-1]
    return [int(digits[i * bits : (i + 1) * bits][::-1], 2) for i in range(count)]


def size_of(bits, count):
    return -(-count * bits // 8)


def own(name):
    return castufunc.dtype(name)


def twin(name):
    return np.dtype(getattr(ml_dtypes, castufunc.FORMATS[name].ml_dtypes))


def random_codes(name, shape):
    """Codes of any value, one a byte, high bits clear."""
    return generator("packing", name).integers(0, 1 << PACKED[name], shape, np.uint8)


def random_array(name, shape):
    return random_codes(name, shape).view(own(name))


def codes_of(array):
    """The codes of an array of a type of less than 8 bits."""
    return np.asarray(array).view(np.uint8)
