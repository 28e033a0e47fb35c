"""
An array that does not fit in memory, cast chunk by chunk from one zarr store to another.

    pip install castufunc dask "zarr>=3.1"
    python examples/dask_to_zarr.py --gigabytes 8 --to float8e4m3fn

The first store is made here, of random float32 numbers. dask reads a chunk, casts it and writes it
on each of its threads, and never holds the array; the memory that is printed shows it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

import dask
import dask.array as da
import zarr

import castufunc

ROWS_OF_A_CHUNK = 1024
COLUMNS = 1024


def peak_memory() -> float:
    """The most that this process has had at a time, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def make_store(path: Path, rows: int) -> None:
    chunks = (ROWS_OF_A_CHUNK, COLUMNS)
    numbers = da.random.default_rng(0).standard_normal((rows, COLUMNS), chunks=chunks)
    store = zarr.create_array(
        path, shape=numbers.shape, chunks=chunks, dtype="float32", compressors=None
    )
    numbers.astype("float32").store(store, lock=False)


def cast_store(source: Path, target: Path, to: str) -> None:
    """The whole example: the rest of this file feeds and measures it."""
    castufunc.interop.register_zarr()
    numbers = da.from_zarr(source)
    narrow = castufunc.cast(numbers, to)
    store = zarr.create_array(
        target, shape=narrow.shape, chunks=narrow.chunksize, dtype=narrow.dtype, compressors=None
    )
    narrow.store(store, lock=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--gigabytes", type=float, default=1.0, help="size of the float32 array")
    parser.add_argument("--to", default="float8e4m3fn", choices=list(castufunc.FORMATS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", help="where the two stores go (default: a temporary folder)")
    arguments = parser.parse_args()

    chunks = max(1, round(arguments.gigabytes * 1e9 / (4 * ROWS_OF_A_CHUNK * COLUMNS)))
    rows = chunks * ROWS_OF_A_CHUNK
    megabytes = rows * COLUMNS * 4 / 1e6
    with (
        tempfile.TemporaryDirectory(dir=arguments.folder) as folder,
        dask.config.set(scheduler="threads", num_workers=arguments.threads),
    ):
        source, target = Path(folder, "float32.zarr"), Path(folder, f"{arguments.to}.zarr")
        make_store(source, rows)
        before = peak_memory()
        start = time.perf_counter()
        cast_store(source, target, arguments.to)
        seconds = time.perf_counter() - start
        growth = peak_memory() - before
        stored = sum(file.stat().st_size for file in target.rglob("*")) / 1e6
        first = zarr.open_array(target)[0, :4]
    print(f"array:      {megabytes:.0f} MB of float32 in {chunks} chunks")
    print(f"store:      {stored:.0f} MB of {first.dtype}, it begins {first.tolist()}")
    print(f"throughput: {megabytes / seconds:.0f} MB/s")
    print(f"memory:     {growth:.0f} MB more at the peak, for the cast of the array")


if __name__ == "__main__":
    main()
