"""Large contiguous casts, split over a pool of threads."""

from __future__ import annotations

import contextlib
import operator
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, TypeAlias

import numpy.typing as npt

from ._messages import short

# Less than this for each worker is not worth handing over.
ELEMENTS_PER_WORKER = 1 << 16

# More are no mistake, but of no use.
_MOST = 4096

_Convert: TypeAlias = Callable[[npt.NDArray[Any], npt.NDArray[Any]], object]

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


class _Share:
    """A part of the elements, which one thread converts and the calling one waits for."""

    def __init__(
        self, convert: _Convert, source: npt.NDArray[Any], result: npt.NDArray[Any]
    ) -> None:
        self.work = convert, source, result
        self.error: BaseException | None = None
        # Taken from now on until the part is done: to tell that takes no memory.
        self.pending = threading.Lock()
        self.pending.acquire()

    def run(self) -> None:
        try:
            convert, source, result = self.work
            convert(source, result)
        except BaseException as error:
            self.error = error
        finally:
            self.pending.release()


def _run_one(left: list[_Share]) -> bool:
    """Run a share that no thread has taken yet; False if there is none."""
    try:
        share = left.pop()
    except IndexError:
        return False
    share.run()
    return True


def split(
    convert: _Convert, source: npt.NDArray[Any], result: npt.NDArray[Any], workers: int
) -> None:
    """Convert flat arrays of the same length, a share for each worker."""
    workers = min(workers, source.size // ELEMENTS_PER_WORKER)
    if workers < 2:
        convert(source, result)
        return
    bounds = [source.size * i // workers for i in range(workers + 1)]
    parts = [slice(*pair) for pair in pairwise(bounds)]
    shares = [_Share(convert, source[part], result[part]) for part in parts]
    left = shares.copy()
    others: list[Future[bool]] = []
    try:
        for _ in shares[1:]:
            others.append(_executor().submit(_run_one, left))
    except (RuntimeError, MemoryError):
        # No thread can be had, or none any more while the interpreter goes down. What was
        # submitted may still run, even after this call, and then finds nothing left to take.
        pass
    finally:
        # The calling thread takes what nobody else has taken yet, and so never waits in vain.
        while _run_one(left):
            pass
        for share in shares:
            share.pending.acquire()
        # They have nothing left to take. Unless they are waited for, calls in a row would make the
        # pool's queue grow.
        with contextlib.suppress(MemoryError):
            wait(others)
    for share in shares:
        if share.error is not None:
            raise share.error
