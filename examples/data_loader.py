"""
Batches of float32 from a file of narrow numbers that is mapped into memory.

    pip install castufunc
    python examples/data_loader.py --records 1000000 --width 1024

A record is a row of numbers: a byte each of float8, or half a byte each of int4. A batch takes its
records from all over the file, as training does, and widens them into memory that is used again and
again. Threads can do this, since casts do not hold the interpreter; and so can processes, which
write into memory that they share.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import castufunc

Indices = npt.NDArray[np.intp]
Batch = npt.NDArray[np.float32]


class Records:
    """The records of a file: rows of `width` numbers, packed if a number has less than 8 bits."""

    def __init__(self, path: Path, name: str, width: int) -> None:
        self.path, self.name, self.width = path, name, width
        bits = castufunc.FORMATS[name].bits
        self.packed = bits < 8
        if width * bits % 8:
            raise ValueError(f"a record of {width} times {bits} bits does not end with a byte")
        self._codes = np.memmap(path, np.uint8, "r").reshape(-1, width * bits // 8)

    def __reduce__(self) -> tuple[object, ...]:
        # Another process maps the file itself.
        return Records, (self.path, self.name, self.width)

    def __len__(self) -> int:
        return len(self._codes)

    def read(self, indices: Indices, out: Batch) -> None:
        """Widen the records of these indices into `out`."""
        codes = self._codes[indices]
        if self.packed:
            castufunc.unpack_cast(codes, self.name, out.shape, "float32", out=out)
        else:
            castufunc.cast(codes.view(castufunc.dtype(self.name)), "float32", out=out)


def write_records(path: Path, name: str, records: int, width: int) -> None:
    """A file of normally distributed numbers, a block of records at a time."""
    random = np.random.default_rng(0)
    with open(path, "wb") as file:
        for start in range(0, records, 4096):
            block = random.standard_normal((min(4096, records - start), width), np.float32)
            if castufunc.FORMATS[name].bits < 8:
                codes = castufunc.cast_pack(block, name)
            else:
                codes = castufunc.cast(block, name).view(np.uint8)
            file.write(codes.data)


def batches(
    order: Indices, slots: Batch, submit: Callable[[int, Indices], Future[None]]
) -> Iterator[Batch]:
    """
    The batches in order, all of full size. One is good until the next is asked for: its slot of
    memory is filled anew then.
    """
    size = slots.shape[1]
    parts = iter(order[: len(order) // size * size].reshape(-1, size))
    pending = deque[tuple[int, Future[None]]]()

    def fill(slot: int) -> None:
        part = next(parts, None)
        if part is not None:
            pending.append((slot, submit(slot, part)))

    for slot in range(len(slots)):
        fill(slot)
    while pending:
        slot, done = pending.popleft()
        done.result()
        yield slots[slot]
        fill(slot)


@contextlib.contextmanager
def in_threads(
    records: Records, size: int, workers: int
) -> Iterator[Callable[[Indices], Iterator[Batch]]]:
    """A function from an order of indices to batches, read by threads."""
    slots = np.zeros((2 * workers, size, records.width), np.float32)
    with ThreadPoolExecutor(workers) as pool:
        yield lambda order: batches(
            order, slots, lambda slot, part: pool.submit(records.read, part, slots[slot])
        )


@contextlib.contextmanager
def in_processes(
    records: Records, size: int, workers: int
) -> Iterator[Callable[[Indices], Iterator[Batch]]]:
    """A function from an order of indices to batches, read by processes into shared memory."""
    shape = (2 * workers, size, records.width)
    context = get_context("spawn")
    memory = context.RawArray("f", math.prod(shape))
    slots = np.frombuffer(memory, np.float32).reshape(shape)
    with ProcessPoolExecutor(workers, context, _start_process, (records, memory, shape)) as pool:
        yield lambda order: batches(
            order, slots, lambda slot, part: pool.submit(_read_in_process, slot, part)
        )


# Of a worker process.
_records: Records
_slots: Batch


def _start_process(records: Records, memory: Any, shape: tuple[int, ...]) -> None:
    global _records, _slots
    _records, _slots = records, np.frombuffer(memory, np.float32).reshape(shape)


def _read_in_process(slot: int, indices: Indices) -> None:
    _records.read(indices, _slots[slot])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--types", nargs="+", default=["float8e4m3fn", "int4"],
                        choices=list(castufunc.FORMATS))  # fmt: skip
    arguments = parser.parse_args()

    order = np.random.default_rng(1).permutation(arguments.records)
    for name in arguments.types:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "records")
            write_records(path, name, arguments.records, arguments.width)
            records = Records(path, name, arguments.width)
            print(f"{len(records)} records of {arguments.width} x {name}: "
                  f"{path.stat().st_size / 1e6:.0f} MB")  # fmt: skip
            for kind in (in_threads, in_processes):
                with kind(records, arguments.batch, arguments.workers) as load:
                    # Once for nothing: the workers start, the memory is touched.
                    deque(load(order[: 4 * arguments.workers * arguments.batch]), 0)
                    start = time.perf_counter()
                    read = sum(len(batch) for batch in load(order))
                    seconds = time.perf_counter() - start
                rate = read / seconds
                print(f"  {arguments.workers} {kind.__name__.removeprefix('in_'):9} "
                      f"{rate:12.0f} records/s {rate * 4 * arguments.width / 1e6:8.0f} MB/s "
                      "of float32")  # fmt: skip


if __name__ == "__main__":
    main()
