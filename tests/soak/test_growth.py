"""Nothing is left behind by any call, the refused ones included."""

from __future__ import annotations

import contextlib
import ctypes
import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import castufunc

from .calls import calls
from .growth import STATM, leftovers, other_objects_set_aside, watched
from .inputs import Inputs
from .refusals import refusals

CALLS = calls(
    sources=("float32", "float64", "int4", "float8e8m0", "bool"),
    targets=("bfloat16", "float8e5m2", "float8e8m0", "float4e2m1", "int4", "float16", "int8"),
)
REFUSALS = refusals()
MIN_CALLS = 200

Times = Callable[[Callable[[], Any]], int]


@pytest.fixture(scope="module")
def given() -> Inputs:
    return Inputs()


@pytest.fixture(scope="module", autouse=True)
def quiet_collector(given: Inputs) -> Iterator[None]:
    with other_objects_set_aside():
        yield


@pytest.fixture
def times(amount) -> Times:
    """How often to call something: in a short run at most for some hundredths of a second."""

    def count(call: Callable[[], Any]) -> int:
        call()
        start = perf_counter()
        for _ in range(3):
            call()
        for_a_while = int(0.02 * 3 / max(perf_counter() - start, 1e-6))
        return amount(max(MIN_CALLS, min(2_000, for_a_while)), 20_000)

    return count


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str, given: Inputs, times: Times) -> None:
    call = partial(CALLS[name], given)
    assert leftovers(call, times(call), watched(given)) == []


@pytest.mark.parametrize("name", REFUSALS)
def test_refused_calls(name: str, given: Inputs, times: Times) -> None:
    call = partial(REFUSALS[name], given)
    assert leftovers(call, times(call), watched(given)) == []


def test_show_config(given: Inputs, times: Times) -> None:
    def call() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            castufunc.show_config()

    assert leftovers(call, times(call), watched(given)) == []


# --- the check itself ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leak", "words"),
    [
        (lambda kept: kept.append([]), "objects"),
        (lambda kept: kept.append(float(len(kept))), "blocks"),
        (lambda kept: kept.append(castufunc.int4(1)), "references to class int4"),
        (lambda kept: kept.append(castufunc.cast([1], "int4")), "references to dtype int4"),
        pytest.param(
            lambda kept: kept.append(np.ones(1024)),
            "bytes",
            marks=pytest.mark.skipif(not STATM.exists(), reason="only the most memory is known"),
        ),
    ],
    ids=["list", "number", "scalar", "array", "memory"],
)
def test_a_leak_is_seen(leak, words: str, given: Inputs) -> None:
    kept: list[object] = []
    found = leftovers(lambda: leak(kept), 2_000, watched(given))
    assert any(words in line for line in found), found


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="needs CPython's references")
@pytest.mark.parametrize("change", ["Py_IncRef", "Py_DecRef"])
def test_a_wrong_reference_count_is_seen(change: str, given: Inputs) -> None:
    dtype = castufunc.int4.dtype
    kept = [dtype] * 20_000  # so that there is something to give up
    function = getattr(ctypes.pythonapi, change)
    function.argtypes = [ctypes.py_object]
    function.restype = None
    back = ctypes.pythonapi["Py_DecRef" if change == "Py_IncRef" else "Py_IncRef"]
    back.argtypes, back.restype = [ctypes.py_object], None
    made = 0

    def call() -> None:
        nonlocal made
        made += 1
        function(dtype)

    try:
        found = leftovers(call, 2_000, watched(given))
    finally:
        for _ in range(made):
            back(dtype)
    assert any("references to dtype int4" in line for line in found), found
    assert kept[0] is dtype
