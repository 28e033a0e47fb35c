"""Every short length and those about the kernels' blocks, into guarded memory at any address."""

import numpy as np

from oracle import code_type, modes
from oracle.samples import mixed_codes

from .harness import array_of, assert_codes, cast, every_pair, expected_codes

LENGTHS = [*range(131), *range(255, 261), *range(1023, 1026), *range(4095, 4098)]
GUARD = 64  # bytes on both sides


@every_pair
def test_lengths(source, target):
    codes = np.resize(mixed_codes(source, target, 997), LENGTHS[-1] + 16)
    for mode in modes(target):
        answers = expected_codes(source, target, codes, mode)
        for length in LENGTHS:
            check_length(source, target, mode, codes, answers, length)


def check_length(source, target, mode, codes, answers, length):
    # Where an element starts, in elements of the source and in bytes of the destination: aligned
    # and not.
    first, offset = length % 13, length % 5
    given, expected = codes[first : first + length], answers[first : first + length]
    size = length * code_type(target).itemsize
    memory = np.full(GUARD + offset + size + GUARD, 0xA5, np.uint8)
    out = memory[GUARD + offset :][:size].view(code_type(target))
    cast(array_of(source, given), target, mode, out=array_of(target, out))
    assert_codes(source, target, given, expected, out, f"cast {mode}, length {length}")
    guards = np.concatenate([memory[: GUARD + offset], memory[GUARD + offset + size :]])
    assert (guards == 0xA5).all(), f"{source} -> {target}, {mode}, length {length}: wrote outside"
