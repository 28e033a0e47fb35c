"""The library that is built from failing.c, called from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

Run = Callable[[Callable[[], Any], int, int], tuple[Any, int]]


def by_library(path: str) -> Run:
    """run(call, first, last): the result and the number of allocations."""
    function = ctypes.PyDLL(path).cuf_run
    function.argtypes = [ctypes.py_object, ctypes.c_long, ctypes.c_long, ctypes.c_void_p]
    function.restype = ctypes.py_object
    count = ctypes.c_long()
    address = ctypes.addressof(count)

    def run(call: Callable[[], Any], first: int, last: int) -> tuple[Any, int]:
        try:
            return function(call, first, last, address), count.value
        except BaseException as error:
            return error, count.value

    return run
