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

LENGTHS = range(201)  # a kernel converts 64 elements at a time, at most
OFFSETS = 64
FILL = 0xA5


def places(length, given_size, wanted_size, source, destination, alignments):
    """Pairs of memory: at all offsets, and against the guards on either side."""
    for size, page in ((given_size, source), (wanted_size, destination)):
        assert size + OFFSETS <= page.bytes.size
    for given in (source.at(0, given_size), source.to_end(given_size)):
        yield given, destination.at(0, wanted_size)
        yield given, destination.to_end(wanted_size)
    for given, wanted in offsets(length, alignments):
        yield source.at(given, given_size), destination.at(wanted, wanted_size)


def offsets(length, alignments):
    """Those of source and destination: "pairs" of all; "each" once; "some", a quarter of these.

    The others of "some" come with the next lengths.
    """
    if alignments == "pairs":
        return [(given, wanted) for given in range(OFFSETS) for wanted in range(OFFSETS)]
    step = 1 if alignments == "each" else 4
    return [(i, (5 * i + 7 * length) % OFFSETS) for i in range(length % step, OFFSETS, step)]


def first_difference(operation, source, destination, alignments):
    """A description, or None."""
    room = destination.bytes
    filled = np.full(room.size, FILL, np.uint8)
    expected = filled.copy()
    for length in LENGTHS:
        given_bytes, wanted_bytes = operation.example(length)
        given_data = np.frombuffer(given_bytes, np.uint8)
        wanted_data = np.frombuffer(wanted_bytes, np.uint8)
        sizes = given_data.size, wanted_data.size
        for (_, given), (start, wanted) in places(length, *sizes, source, destination, alignments):
            room[...] = filled
            given[...] = given_data
            operation.run(given, wanted, length)
            expected[start : start + sizes[1]] = wanted_data
            if room.tobytes() != expected.tobytes():
                return describe(length, wanted, wanted_bytes)
            expected[start : start + sizes[1]] = FILL
    return None


def describe(length, wanted, wanted_bytes):
    wrong = np.flatnonzero(wanted != np.frombuffer(wanted_bytes, np.uint8))
    what = f"byte {wrong[0]} of {wanted.size} differs" if wrong.size else "wrote outside"
    return f"length {length}: {what}"


def main(path):
    source, destination = Page(), Page()
    print("target:", _core._target_in_use())
    with np.load(path) as stored:
        for name, alignments in json.loads(str(stored["operations"])):
            print(*name, flush=True)
            kind, *arguments = name
            operation = KINDS[kind](stored[" ".join(map(str, arguments))], *arguments)
            difference = first_difference(operation, source, destination, alignments)
            if difference:
                print("!", difference, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
