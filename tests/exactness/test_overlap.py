"""Source and destination in the same memory: the result is that of a copy of the source.

With `out=` always. `np.copyto` hands 1-D memory to the cast loop as it lies, so that even NumPy's
own types give other results where an element is overwritten before it is read.
"""

from itertools import product

import numpy as np
import pytest

from oracle import DEFAULT_MODE, code_type
from oracle.samples import mixed_codes

from .harness import PAIRS, array_of, assert_codes, cast, every_pair, expected_codes, has_astype

LENGTHS = (5, 37, 150)
STEPS = (1, -1, 2)

every_own_pair = pytest.mark.parametrize(
    ("source", "target"), [pair for pair in PAIRS if has_astype(*pair)]
)


def window(memory, offset, length, step, dtype):
    """`length` elements, `step` elements apart, from byte `offset` on; below 0 goes backwards."""
    span = memory[offset:][: length * abs(step) * dtype.itemsize].view(dtype)
    return span[::step][:length]


def offsets(source_size, target_size, length):
    """Same start, one byte or element away, half way, same end: places of source and target."""
    source_bytes, target_bytes = source_size * length, target_size * length
    pairs = [
        (0, 0),
        (1, 0),
        (0, 1),
        (source_size, 0),
        (0, target_size),
        (source_bytes // 2, 0),
        (0, target_bytes // 2),
    ]
    end = max(source_bytes, target_bytes)
    return {*pairs, (end - source_bytes, end - target_bytes)}


def overlapping(source, target):
    """Windows on fresh memory: the source's, the destination's, and where they are."""
    from_type, to_type = code_type(source), code_type(target)
    for length, from_step, to_step in product(LENGTHS, STEPS, STEPS):
        for from_offset, to_offset in offsets(from_type.itemsize, to_type.itemsize, length):
            memory = np.zeros(64 + 4 * length * max(from_type.itemsize, to_type.itemsize), np.uint8)
            given = window(memory, from_offset, length, from_step, from_type)
            out = window(memory, to_offset, length, to_step, to_type)
            where = (
                f"length {length}, steps {from_step} {to_step}, offsets {from_offset} {to_offset}"
            )
            yield given, out, where


def check_overlap(source, target, how, move, wanted=lambda given, out: True):
    """Compare for every overlap that is wanted; `move` casts from one window to the other."""
    codes = mixed_codes(source, target, LENGTHS[-1])
    answers = expected_codes(source, target, codes, DEFAULT_MODE)
    for given, out, where in overlapping(source, target):
        if wanted(given, out):
            given[...] = kept = codes[: given.size]
            move(array_of(source, given), array_of(target, out))
            assert_codes(source, target, kept, answers[: out.size], out, f"{how}, {where}")


def copyto(array, out):
    np.copyto(out, array, casting="unsafe")


def in_order_is_safe(given, out):
    """Whether one element after the other, in NumPy's order, each is read before it is overwritten.

    The order is NumPy's for 1-D memory (raw_array_assign_array): by address of the destination,
    upwards unless the source begins below the destination and reaches into it. It copies sources of
    opposite direction.
    """
    reads, writes = (
        np.arange(a.size) * a.strides[0] + a.__array_interface__["data"][0] for a in (given, out)
    )
    if given.strides[0] * out.strides[0] < 0:
        return True
    if out.strides[0] < 0:
        reads, writes = reads[::-1], writes[::-1]
    if reads[0] < writes[0] < reads[0] + reads.size * abs(given.strides[0]):
        reads, writes = reads[::-1], writes[::-1]
    read, write = reads[None, :], writes[:, None]
    hit = (write < read + given.itemsize) & (read < write + out.itemsize)
    return not np.triu(hit, 1).any()


@every_pair
def test_out_overlaps(source, target):
    check_overlap(source, target, "cast", lambda array, out: cast(array, target, out=out))


@every_own_pair
def test_copyto_overlaps_where_order_is_safe(source, target):
    check_overlap(source, target, "copyto", copyto, wanted=in_order_is_safe)


@every_own_pair
def test_copyto_overlaps(source, target):
    check_overlap(source, target, "copyto", copyto)
