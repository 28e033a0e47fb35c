"""Refuses memory to one call after another, at one allocation after another.

As a program: `driver.py HOW STATE NAMES...` tries the calls of these names, or all without any,
and prints a line of JSON for each fault. HOW is the path of the preloaded library, or `python` for
CPython's own means, which knows of its own allocations only. STATE is a file that tells where a
fault was that ended the process: the number of the call, the mode and the number of the allocation.
"""

from __future__ import annotations

import gc
import json
import mmap
import re
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from soak.calls import calls
from soak.growth import watched
from soak.inputs import Inputs, digest
from soak.refusals import refusals

from .library import Run, by_library

# NumPy's own functions over our types: of what they do without memory only a crash is ours.
NUMPYS_FUNCTIONS = (
    "argsort-", "arithmetic-", "assign-", "compare-", "deepcopy-", "dtype-pickle-", "items-",
    "limits-", "make-", "npz", "pickle-", "print-", "reduce-", "refused-einsum", "report",
    "save-", "scalar-use-", "search-", "sort-",
)  # fmt: skip
MOST = 3000  # allocations of a call; more are only looked at here and there
SECONDS = 60  # for a call with all its failures
PASSES = 4  # references are lost if they are so in each of them
MODES = ("one", "all")  # a single allocation fails, or that and all that follow
STATE = struct.Struct("=qqq")

SOURCES = ("float32", "float64", "int4", "float8e8m0", "bool")
TARGETS = ("bfloat16", "float8e8m0", "float4e2m1", "int4", "int8")


def by_python() -> Run:
    from _testcapi import remove_mem_hooks, set_nomemory

    def run(call: Callable[[], Any], first: int, last: int) -> tuple[Any, int]:
        result: Any = None
        if first < sys.maxsize:
            set_nomemory(first, last + 1 if last < sys.maxsize else 0)
        try:
            result = call()
        except BaseException as error:
            result = error
        finally:
            remove_mem_hooks()
        return result, -1

    return run


def jobs() -> dict[str, Callable[[Inputs], Any]]:
    found = calls(SOURCES, TARGETS)
    return {**found, **{f"refused-{name}": call for name, call in refusals().items()}}


def digest_of(result: Any) -> Any:
    if isinstance(result, BaseException):
        return "raised", type(result).__name__, str(result)
    return digest(result)


def is_of_others(result: Any) -> bool:
    """Whether an error is what NumPy or the interpreter makes of a lack of memory."""
    if isinstance(result, SystemError):
        # CPython's loop, where a traceback cannot be made, and NumPy's iterators in its ufuncs.
        return str(result) == "error return without exception set" or bool(
            re.fullmatch(r"<ufunc '\w+'> returned NULL without setting an exception", str(result))
        )
    # What NumPy cannot cast it says with the reason as the cause.
    return isinstance(result, BaseException) and isinstance(result.__cause__, MemoryError)


def faults(
    run: Run,
    call: Callable[[], Any],
    mode: str,
    start: int,
    tell: Callable[[int], None],
    lenient: bool = False,
) -> Iterator[tuple[int, str]]:
    """Numbers of allocations, and what happened there that must not."""
    never = sys.maxsize
    for _ in range(3):
        expected = digest_of(run(call, never, never)[0])
    same = 0
    for n in range(start, MOST):
        tell(n)
        result, count = run(call, n, n if mode == "one" else never)
        if isinstance(result, MemoryError):
            same = 0
            result = None
            continue
        got = digest_of(result)
        if got != expected and not lenient and not is_of_others(result):
            yield n, f"{got!r:.300}, not {expected!r:.300}"
        # Without a count: the last allocations are behind us when nothing more fails.
        same = same + 1 if got == expected else 0
        if count < n if count >= 0 else same > 30:
            return


def main(how: str, state_path: str, names: list[str]) -> None:
    run = by_python() if how == "python" else by_library(how)
    with Path(state_path).open("r+b") as file:
        state = mmap.mmap(file.fileno(), STATE.size)
    at, mode_at, start = STATE.unpack(state[:])
    found = jobs()
    given = Inputs()
    before = digest(list(given.of.values()))
    gc.collect()
    gc.freeze()  # so that collecting is quick
    # Not of None and its like: the interpreter itself loses some where memory is lacking.
    things = {k: thing for k, thing in watched(given).items() if k not in ("None", "True", "False")}
    for number, name in enumerate(names or found):
        if number < at:
            continue
        lenient = name.startswith(NUMPYS_FUNCTIONS)
        for m, mode in enumerate(MODES[: 1 if lenient else 2]):
            if number == at and m < mode_at:
                continue
            first = start + 1 if (number, m) == (at, mode_at) else 1

            def tell(n: int, number: int = number, m: int = m) -> None:
                STATE.pack_into(state, 0, number, m, n)

            signal.alarm(SECONDS)
            call = found[name]
            lost: set[str] = set(things)
            for _ in range(PASSES):
                gc.collect()
                counts = {thing: sys.getrefcount(things[thing]) for thing in lost}
                for n, what in faults(
                    run, lambda call=call: call(given), mode, first, tell, lenient
                ):
                    print(json.dumps([name, mode, n, what]), flush=True)
                gc.collect()
                lost = {thing for thing in lost if sys.getrefcount(things[thing]) != counts[thing]}
                first = 1
                if not lost:
                    break
            if lost and not lenient:
                print(json.dumps([name, mode, 0, f"references to {sorted(lost)} change"]))
    signal.alarm(0)
    if digest(list(given.of.values())) != before:
        print(json.dumps(["", "", 0, "inputs were changed"]))
    print(json.dumps("done"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
