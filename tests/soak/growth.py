"""Does a call leave something behind? Memory of the process, blocks, objects, references.

Everything is counted before and after many calls. A leak grows with every call; noise doesn't, so
a count only stands if it is seen again in a second and a third run.
"""

from __future__ import annotations

import gc
import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import castufunc
from castufunc import ufuncs
from oracle import NATIVE, OURS

from .inputs import Inputs, twin

STATM = Path("/proc/self/statm")
WARM_UP = 50
RUNS = 3
NOISE = 256 * 1024  # bytes: what allocators may take without any leak
# Of every so many calls one may leave something: interned words, free lists, and other caches.
SELDOM = 10


def numpy_keeps_object_dtypes() -> bool:
    """Whether NumPy itself does not give back a reference (before 2.4, for some memory orders)."""
    objects = np.zeros((2, 2), object).T
    before = sys.getrefcount(objects.dtype)
    for _ in range(9):
        np.empty_like(objects)
    return sys.getrefcount(objects.dtype) > before + 1


def watched(given: Inputs) -> dict[str, Any]:
    """What the calls take references to: singletons, dtypes, types, ufuncs and the inputs."""
    things: dict[str, Any] = {
        "None": None, "True": True, "False": False, "NotImplemented": NotImplemented,
        "int": int, "float": float, "str": str, "ndarray": np.ndarray, "ufunc": np.ufunc,
        "str dtype": np.dtype("U"), "bfloat16 of ml_dtypes": ml_dtypes.bfloat16,
    }  # fmt: skip
    if not numpy_keeps_object_dtypes():
        things["object dtype"] = np.dtype(object)
    for name in NATIVE:
        things[f"dtype {name}"] = np.dtype(name)
        things[f"class {name}"] = np.dtype(name).type
    for name in OURS:
        info = castufunc.FORMATS[name]
        things[f"dtype {name}"], things[f"class {name}"] = info.dtype, info.type
        things[f"DType {name}"], things[f"twin {name}"] = type(info.dtype), np.dtype(twin(name))
    things |= {name: getattr(ufuncs, name) for name in ufuncs.__all__}
    things |= {f"input {name}": array for name, array in given.of.items()}
    things |= {f"input {name}": value for name, value in vars(given).items()}
    things |= {f"object {i}": item for i, item in enumerate(given.objects)}
    return things


class Counts:
    """Everything that is counted, as of now."""

    def __init__(self, things: Mapping[str, Any]) -> None:
        gc.collect()
        self.objects = len(gc.get_objects())
        self.blocks = sys.getallocatedblocks()
        self.references = [sys.getrefcount(thing) for thing in things.values()]
        self.bytes = resident()

    def grown_since(self, before: Counts, things: Mapping[str, Any], calls: int) -> list[str]:
        """In words; a count that shrinks tells of a reference that was given up twice."""
        allowed = calls // SELDOM
        found = []
        for what in "objects", "blocks":
            growth = getattr(self, what) - getattr(before, what)
            if growth > allowed:
                found.append(f"{growth} {what}")
        for name, new, old in zip(things, self.references, before.references, strict=True):
            if abs(new - old) > allowed:
                found.append(f"{new - old} references to {name}")
        if self.bytes - before.bytes > NOISE:
            found.append(f"{self.bytes - before.bytes} bytes")
        return found


def resident() -> int:
    """Bytes of memory that the process holds; where the system doesn't tell, the most it held."""
    if STATM.exists():
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def leftovers(call: Callable[[], Any], calls: int, things: Mapping[str, Any]) -> list[str]:
    """What `calls` calls leave behind, in words; nothing if it isn't so in each of three runs."""
    for _ in range(min(WARM_UP, calls)):
        call()
    found: list[str] = []
    for _ in range(RUNS):
        before = Counts(things)
        for _ in range(calls):
            call()
        found = Counts(things).grown_since(before, things, calls)
        if not found:
            break
    return found


@contextmanager
def other_objects_set_aside() -> Iterator[None]:
    """Keep the collector, and its list of objects, to what is made from here on."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
