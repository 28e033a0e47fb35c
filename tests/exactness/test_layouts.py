"""Sources and destinations of every memory layout."""

import numpy as np
import pytest

from oracle import DEFAULT_MODE, NATIVE, code_type, modes
from oracle.samples import mixed_codes

from .harness import (
    PAIRS,
    array_of,
    assert_codes,
    cast,
    codes_of,
    dtype_of,
    every_pair,
    expected_codes,
    has_astype,
)

COUNT = 210  # divisible by the shapes below


def unaligned(codes):
    raw = np.zeros(codes.nbytes + 1, np.uint8)
    array = raw[1:].view(codes.dtype)
    array[...] = codes
    return array


def spread(step):
    """Every step-th element of a larger array; a negative step goes backwards."""

    def place(codes):
        room = np.zeros(max(1, codes.size * abs(step)), codes.dtype)
        array = room[::step][: codes.size]
        array[...] = codes
        return array

    return place


def transposed(codes):
    return codes.reshape(7, -1).T.copy().T


def column(codes):
    table = np.zeros((codes.size, 3), codes.dtype)
    table[:, 1] = codes
    return table[:, 1]


def blocks(codes):
    """Three dimensions, all with gaps, the last two swapped."""
    room = np.zeros((7, 10, 12), codes.dtype)
    array = room[1:, ::2, 2:9].transpose(0, 2, 1)
    array[...] = codes.reshape(array.shape)
    return array


WRITABLE = {
    "contiguous": np.copy,
    "unaligned": unaligned,
    "strided by 2": spread(2),
    "strided by 3": spread(3),
    "reversed": spread(-1),
    "reversed by 2": spread(-2),
    "transposed": transposed,
    "column": column,
    "blocks": blocks,
}


def broadcast(codes):
    return np.broadcast_to(codes[:10].reshape(2, 1, 5), (2, 6, 5))


def repeated(codes):
    return np.broadcast_to(codes[7:8], 50)


def read_only(codes):
    codes = codes.copy()
    codes.flags.writeable = False
    return codes


READABLE = {
    **WRITABLE,
    "broadcast": broadcast,
    "one element repeated": repeated,
    "read-only": read_only,
    "0-d": lambda codes: codes[3:4].reshape(()),
    "one element": lambda codes: codes[3:4],
    "empty": lambda codes: codes[:0],
    "empty 2-D": lambda codes: codes[:0].reshape(3, 0),
}


def calls(source, target, array):
    for mode in modes(target):
        yield mode, f"cast {mode}", cast(array, target, mode)
    if has_astype(source, target):
        yield DEFAULT_MODE, "astype", array.astype(dtype_of(target))


def check_layout(source, target, codes, name):
    """Cast an array of codes as it lies, in the byte order that it has."""
    array = array_of(source, codes)
    native = codes.astype(code_type(source))
    for mode, how, got in calls(source, target, array):
        expected = expected_codes(source, target, native, mode)
        assert_codes(source, target, native, expected, codes_of(got), f"{how}, {name}")


@every_pair
def test_source_layouts(source, target):
    codes = mixed_codes(source, target, 2 * COUNT)[:COUNT]
    for name, place in READABLE.items():
        placed = place(codes)
        before = placed.copy()
        check_layout(source, target, placed, name)
        assert np.array_equal(placed, before), (
            f"{source} -> {target}, {name}: the source was changed"
        )


@pytest.mark.parametrize(
    ("source", "target"), [p for p in PAIRS if p[0] in NATIVE and code_type(p[0]).itemsize > 1]
)
def test_swapped_sources(source, target):
    codes = mixed_codes(source, target, 2 * COUNT)[:COUNT].astype(code_type(source).newbyteorder())
    for name, place in READABLE.items():
        check_layout(source, target, place(codes), f"swapped, {name}")


@every_pair
def test_destination_layouts(source, target):
    """`out=` of every writable layout; what lies between its elements stays."""
    codes = mixed_codes(source, target, 2 * COUNT)[:COUNT]
    for name, place in WRITABLE.items():
        out = place(np.full(COUNT, 0xA5, np.uint64).astype(code_type(target)))
        shaped = codes.reshape(out.shape)
        around, untouched = surroundings(out)
        for mode in modes(target):
            result = cast(array_of(source, shaped), target, mode, out=array_of(target, out))
            assert np.shares_memory(result, out)
            expected = expected_codes(source, target, shaped, mode)
            assert_codes(source, target, shaped, expected, out, f"cast {mode}, out {name}")
        inside = out.copy()
        out[...] = 0
        assert np.array_equal(around, untouched), f"{source} -> {target}, out {name}: wrote outside"
        out[...] = inside


def surroundings(view):
    """The memory that a view looks into, and a copy of it with the view's own elements zero."""
    owner = view
    while owner.base is not None:
        owner = owner.base
    saved = view.copy()
    view[...] = 0
    untouched = owner.copy()
    view[...] = saved
    return owner, untouched


def test_layouts_are_what_they_are_called():
    codes = np.arange(COUNT, dtype=np.uint32)
    for name, place in WRITABLE.items():
        assert np.array_equal(place(codes).ravel(), codes), name
    assert not unaligned(codes).flags.aligned
    assert transposed(codes).flags.f_contiguous
    assert spread(-2)(codes).strides == (-8,)
    assert {0} < set(broadcast(codes).strides)
