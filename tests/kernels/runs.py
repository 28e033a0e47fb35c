"""Every short length at every place in guarded memory.

As a program: reads the names of operations and the answers to them from the file that is its
argument. Before an operation its name is printed, so that the last line tells where a fault was,
and after it the differences, if there are any.
"""

import json
import sys

import numpy as np

from castufunc import _core

from .guarded import Page
from .operations import KINDS

BLOCK = 64  # elements that a kernel converts at a time, at most
LENGTHS = range(3 * BLOCK + 2)
OFFSETS = 64
FILL = 0xA5


def places(length, given_size, wanted_size, source, destination, dense):
    """Pairs of memory: at all offsets, and against the guards on either side."""
    for size, page in ((given_size, source), (wanted_size, destination)):
        assert size + OFFSETS <= page.bytes.size
    for given in (source.from_start(0, given_size), source.to_end(given_size)):
        yield given, destination.from_start(0, wanted_size)
        yield given, destination.to_end(wanted_size)
    for given, wanted in offsets(length, dense):
        yield source.from_start(given, given_size), destination.from_start(wanted, wanted_size)


def offsets(length, dense):
    """All pairs, or a quarter of the offsets on each side, the others with the next lengths."""
    if dense:
        return [(given, wanted) for given in range(OFFSETS) for wanted in range(OFFSETS)]
    return [(i, (5 * i + 7 * length) % OFFSETS) for i in range(length % 4, OFFSETS, 4)]


def first_difference(operation, source, destination, dense):
    """A description, or None."""
    room = destination.bytes
    outside = bytes([FILL]) * room.size
    for length in LENGTHS:
        given_bytes, wanted_bytes = operation.example(length)
        given_data = np.frombuffer(given_bytes, np.uint8)
        sizes = len(given_bytes), len(wanted_bytes)
        for given, wanted in places(length, *sizes, source, destination, dense):
            room[...] = FILL
            given[...] = given_data
            operation.run(given, wanted, length)
            start = wanted.ctypes.data - room.ctypes.data if length else 0
            if room.tobytes() != outside[:start] + wanted_bytes + outside[start + sizes[1] :]:
                return describe(length, wanted, wanted_bytes)
    return None


def describe(length, wanted, wanted_bytes):
    wrong = np.flatnonzero(wanted != np.frombuffer(wanted_bytes, np.uint8))
    what = f"byte {wrong[0]} of {wanted.size} differs" if wrong.size else "wrote outside"
    return f"length {length}: {what}"


def main(path):
    source, destination = Page(), Page()
    print("target:", _core._target_in_use())
    with np.load(path) as stored:
        for name, dense in json.loads(str(stored["operations"])):
            print(*name, flush=True)
            kind, *arguments = name
            operation = KINDS[kind](stored[" ".join(map(str, arguments))], *arguments)
            difference = first_difference(operation, source, destination, dense)
            if difference:
                print("!", difference, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
