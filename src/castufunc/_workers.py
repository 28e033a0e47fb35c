"""Large contiguous casts, split over a pool of threads."""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any

import numpy.typing as npt

from ._messages import short

# Less than this for each worker is not worth handing over.
ELEMENTS_PER_WORKER = 1 << 16

# More are no mistake, but of no use.
_MOST = 4096

_pool: ThreadPoolExecutor | None = None
_making = threading.Lock()


def _forget_pool() -> None:
    """A child process has none of its parent's threads, which may have held the lock."""
    global _pool, _making
    _pool = None
    _making = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def _executor() -> ThreadPoolExecutor:
    global _pool
    with _making:
        if _pool is None:
            _pool = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="castufunc")
        return _pool


def count(workers: Any) -> int:
    """
    How many workers the argument asks for, by the rule of scipy.fft.

    None is one; negative numbers count from the number of processors upwards: -1 is all of them.
    """
    if workers is None:
        return 1
    if isinstance(workers, bool):
        raise TypeError(f"workers must be an int or None, not {short(workers)}")
    try:
        number = operator.index(workers)
    except TypeError:
        raise TypeError(f"workers must be an int or None, not {short(workers)}") from None
    processors = os.cpu_count() or 1
    if number < 0:
        number += 1 + processors
    if number > _MOST:
        return _MOST
    if number < 1:
        raise ValueError(
            f"workers must be at least 1, or from -{processors} to -1, not {short(workers)}"
        )
    return number


def split(
    convert: Callable[[npt.NDArray[Any], npt.NDArray[Any]], object],
    source: npt.NDArray[Any],
    result: npt.NDArray[Any],
    workers: int,
) -> None:
    """Convert flat arrays of the same length, a share for each worker."""
    workers = min(workers, source.size // ELEMENTS_PER_WORKER)
    if workers < 2:
        convert(source, result)
        return
    bounds = [source.size * i // workers for i in range(workers + 1)]
    shares = [slice(*pair) for pair in pairwise(bounds)]
    others: list[Future[object]] = []
    try:
        # The calling thread takes a share itself, and what nobody else takes: while the
        # interpreter goes down there is no more work for threads.
        own = [shares.pop(0)]
        try:
            while shares:
                others.append(_executor().submit(convert, source[shares[-1]], result[shares[-1]]))
                shares.pop()
        except RuntimeError:
            own += shares
        for share in own:
            convert(source[share], result[share])
    finally:
        wait(others)
    for other in others:
        other.result()
