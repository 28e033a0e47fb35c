"""Digests of casts, to compare processes that differ in something that must not matter.

As a program: reads the inputs that `save` wrote, prints the digests and the target in use as JSON.
"""

import contextlib
import hashlib
import io
import json
import re
import sys

import numpy as np

import castufunc
from oracle import modes

from .harness import array_of, cast, codes_of, comparable


def digests(inputs):
    """Per pair and mode the SHA-256 of the codes; `inputs` maps "source target" to codes."""
    found = {}
    for pair, codes in inputs.items():
        source, target = pair.split()
        array = array_of(source, codes)
        for mode in modes(target):
            # From an odd address and with a stride too: each takes its own way through the kernels.
            whole, part = (codes_of(cast(a, target, mode)) for a in (array, array[1::2]))
            result = comparable(source, target, np.concatenate([whole, part]))
            found[" ".join([pair, *map(str, mode)])] = hashlib.sha256(result.tobytes()).hexdigest()
    return found


def save(path, inputs):
    np.savez(path, **inputs)


def target_in_use():
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        castufunc.show_config()
    return re.search(r"in use:\s*(\S+)", text.getvalue())[1]


if __name__ == "__main__":
    with np.load(sys.argv[1]) as stored:
        json.dump({"digests": digests(dict(stored)), "in_use": target_in_use()}, sys.stdout)
