"""From codes to the package's arrays and back, and the comparison with the oracle."""

from itertools import product

import numpy as np
import pytest

import castufunc
from oracle import (
    DEFAULT_MODE,
    FORMATS,
    NATIVE,
    OURS,
    TYPES,
    Float,
    cast_codes,
    code_bytes,
    code_type,
    effective_mode,
    modes,
)

PAIRS = tuple(product(TYPES, TYPES))

every_pair = pytest.mark.parametrize(
    ("source", "target"), PAIRS, ids=["-".join(pair) for pair in PAIRS]
)
every_target = pytest.mark.parametrize("target", TYPES)
NATIVE_FLOATS = {name for name in NATIVE if isinstance(FORMATS[name], Float)}


def dtype_of(name):
    return np.dtype(getattr(castufunc, name) if name in OURS else name)


def array_of(name, codes):
    """Codes as an array of the type, in the same memory and layout. Codes may be big-endian."""
    dtype = dtype_of(name)
    return codes.view(dtype if codes.dtype.isnative else dtype.newbyteorder())


def codes_of(array):
    """The codes of an array in native byte order, in the same memory."""
    array = np.asarray(array)
    return array.view(f"u{array.dtype.itemsize}")


def has_astype(source, target):
    """NumPy's casts between its own types are its own affair."""
    return source in OURS or target in OURS


def cast(array, target, mode=DEFAULT_MODE, **kwargs):
    saturate, round_mode = mode
    return castufunc.cast(array, target, saturate=saturate, round_mode=round_mode, **kwargs)


def comparable(source, target, codes):
    """The codes; between two of NumPy's own float types with one NaN for all NaNs of a sign."""
    if source == target or not {source, target} <= NATIVE_FLOATS:
        return codes
    nan = cast_codes("float8e5m2", target, np.array([0x7E], np.uint8))[0]
    sign = codes & codes.dtype.type(1 << (FORMATS[target].bits - 1))
    infinity = cast_codes("float8e5m2", target, np.array([0x7C], np.uint8))[0]
    return np.where(codes - sign > infinity, nan | sign, codes)


def assert_codes(source, target, given, expected, got, how):
    """Equal codes in an equal shape, or a message with the first differences.

    Parameters
    ----------
    given, expected, got : array of codes
    how : str
        The call and the mode, for the message.
    """
    assert got.dtype == code_type(target), (source, target, how, got.dtype)
    assert got.shape == expected.shape, (source, target, how, got.shape, expected.shape)
    got = comparable(source, target, got)
    if np.array_equal(expected, got):
        return
    wrong = np.flatnonzero((expected != got).ravel())
    given, expected, got = (np.broadcast_to(a, got.shape).ravel() for a in (given, expected, got))
    lines = [f"{source} -> {target}, {how}: {wrong.size} of {got.size} differ"]
    columns = (source, given), (target, got), (target, expected)
    for i in wrong[:8]:
        row = [hexadecimal(name, codes[i]) for name, codes in columns]
        lines.append("[{}] {} -> {}, expected {}".format(i, *row))
    raise AssertionError("\n".join(lines))


def hexadecimal(name, code):
    return f"{int(code):#0{2 + 2 * code_bytes(name)}x}"


def expected_codes(source, target, codes, mode=DEFAULT_MODE):
    """The oracle's answer, of the same shape."""
    return cast_codes(source, target, codes, *mode)


def check(source, target, codes, among=None):
    """Cast a 1-D array of codes in each mode (default: those that can differ) and compare.

    Where the package has the `astype` of the pair, that too.
    """
    array = array_of(source, codes)
    answers = {}
    for mode in among or modes(target):
        effective = effective_mode(target, *mode)
        if effective not in answers:
            answers[effective] = expected_codes(source, target, codes, effective)
        got = codes_of(cast(array, target, mode))
        assert_codes(source, target, codes, answers[effective], got, f"cast {mode}")
    if has_astype(source, target):
        got = codes_of(array.astype(dtype_of(target)))
        assert_codes(source, target, codes, answers[DEFAULT_MODE], got, "astype")
