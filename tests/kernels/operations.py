"""What the kernels do, byte for byte: casts, packing, and both at once.

An operation has a name, as a list of words; `example(n)`, the bytes of n elements and of what
becomes of them; and `run(given, wanted, n)`, which does it from one array of bytes to another.
What becomes of an element is known from casts of one element at a time, in another process.
"""

from functools import cache, cached_property

import numpy as np

import castufunc
from exactness.harness import array_of, cast, codes_of, dtype_of
from oracle import DEFAULT_MODE, FORMATS, OURS, TYPES, code_bytes, modes
from oracle.samples import all_codes, generator, random_codes

ELEMENTS = 1000
PACKABLE = [name for name in OURS if FORMATS[name].bits < 8]


def some_codes(source):
    """Of a type of one byte each code several times, of the others random ones."""
    if code_bytes(source) > 1:
        return random_codes(source, "float8e5m2", ELEMENTS)
    codes = all_codes(source)
    return generator("kernels", source).permutation(np.resize(codes, ELEMENTS))


def packed(name, codes):
    """The packed form, a bit at a time."""
    bits = np.unpackbits(codes[:, None], axis=1, bitorder="little")[:, : FORMATS[name].bits]
    return np.packbits(bits, bitorder="little")


@cache
def answers(source, target, *mode):
    """The results for `some_codes`, an element at a time, each far from its neighbours."""
    codes = some_codes(source)
    given = np.zeros(3 * codes.size, codes.dtype)[::3]
    given[...] = codes
    x = array_of(source, given)
    out = np.zeros(3 * codes.size, dtype_of(target))[::3]
    for i in range(codes.size):
        cast(x[i : i + 1], target, mode, out=out[i : i + 1])
    together = codes_of(cast(x, target, mode))
    assert np.array_equal(codes_of(out), together), f"{source} to {target}, {mode}: strided"
    return together


class Cast:
    """`results` are the answers."""

    packs = unpacks = False

    def __init__(self, results, source, target, *mode):
        self.results, self.source, self.target = results, source, target
        self.mode = dict(zip(("saturate", "round_mode"), mode, strict=True))
        self.dtypes = dtype_of(source), dtype_of(target)

    @cached_property
    def codes(self):
        return some_codes(self.source)

    def example(self, n):
        first = 37 * n % (ELEMENTS - n)
        codes, results = self.codes[first:][:n], self.results[first:][:n]
        given = packed(self.source, codes) if self.unpacks else codes
        wanted = packed(self.target, results) if self.packs else results
        return given.tobytes(), wanted.tobytes()

    def run(self, given, wanted, n):
        source, target = self.dtypes
        castufunc.cast(given.view(source), target, out=wanted.view(target), **self.mode)


class CastPack(Cast):
    packs = True

    def run(self, given, wanted, n):
        source, target = self.dtypes
        if source is target:
            castufunc.pack(given.view(source), out=wanted)
        else:
            castufunc.cast_pack(given.view(source), target, out=wanted, **self.mode)


class UnpackCast(Cast):
    unpacks = True

    def run(self, given, wanted, n):
        source, target = self.dtypes
        if source is target:
            castufunc.unpack(given, source, n, out=wanted.view(target))
        else:
            castufunc.unpack_cast(given, source, n, target, out=wanted.view(target), **self.mode)


KINDS = {kind.__name__: kind for kind in (Cast, CastPack, UnpackCast)}


def casts(sources, targets):
    """Names of operations, in every mode."""
    return [
        ["Cast", source, target, *mode]
        for source in sources
        for target in targets
        for mode in modes(target)
    ]


def packings(types):
    """Names of the operations with packed forms on either side; of a type to itself no cast."""
    to_packed = [["CastPack", source, target] for target in PACKABLE for source in types]
    from_packed = [["UnpackCast", source, target] for source in PACKABLE for target in types]
    same = [[kind, name, name] for name in PACKABLE for kind in ("CastPack", "UnpackCast")]
    unique = {tuple(name): name for name in [*to_packed, *from_packed, *same]}
    return [[*name, *DEFAULT_MODE] for name in unique.values()]


# One of each family of kernels: what is read and written differs in width, sign, special codes or
# rounding.
FEW_CASTS = [
    *casts(
        ["float32", "float16", "bfloat16", "float64", "int16", "uint16", "int32", "uint32"],
        ["float8e4m3fn", "float8e5m2fnuz", "float6e3m2", "float4e2m1", "bfloat16"],
    ),
    *casts(["int64", "uint64"], ["float8e4m3fn", "float8e8m0", "float16", "bfloat16"]),
    *casts(
        ["int4", "int8", "uint8", "bool", "uint16", "int32", "uint64"],
        ["bool", "int2", "int4", "int8", "uint16", "uint32", "int64"],
    ),
    *casts(["float32", "float16", "bfloat16", "float64"], ["float8e5m2", "float8e8m0", "float16"]),
    *casts(
        ["float8e4m3fnuz", "float8e5m2", "float6e3m2", "float4e2m1"],
        ["float32", "float16", "bfloat16"],
    ),
    *casts(
        ["float8e4m3fn", "float8e8m0", "int4", "uint8", "bool"],
        ["float32", "float16", "bfloat16", "float64", "float8e5m2", "int2"],
    ),
    *casts(
        ["float32", "float16", "bfloat16", "float64", "int16", "uint64"],
        ["int2", "int4", "int8", "bool", "int16", "int32", "uint64"],
    ),
]
ALL_CASTS = casts(TYPES, TYPES)
FEW_PACKINGS = packings(["float32", "float16", "int8"])
ALL_PACKINGS = packings(TYPES)
# Those of which every pair of offsets is tried.
DENSE = [
    *casts(["float32", "float64", "float16"], ["float8e4m3fn"]),
    *casts(["float8e4m3fn"], ["float32", "float16", "float64", "float8e5m2"]),
    *casts(["float32"], ["int4", "bfloat16"]),
]
