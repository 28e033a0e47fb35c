"""The examples, with little data: they run, print what they promise, and are right."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from neighbours.samples import fresh

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="needs the source tree")


def run(name, *arguments):
    result = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name, *arguments],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def test_data_loader_prints_its_throughput():
    printed = run("data_loader.py", "--records", "5000", "--width", "64", "--types", "bfloat16",
                  "float8e5m2", "float6e2m3", "int4", "uint2")  # fmt: skip
    assert "5000 records of 64 x int4: 0 MB\n" in printed
    rates = re.findall(r"2 (threads|processes) +(\d+) records/s +(\d+) MB/s", printed)
    assert [kind for kind, _, _ in rates] == ["threads", "processes"] * 5
    assert all(int(rate) > 0 for _, rate, _ in rates)


def test_data_loader_loads_the_data(tmp_path):
    code = """
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import data_loader as example
import numpy as np
import castufunc

if __name__ == "__main__":
    order = np.random.default_rng(1).permutation(1000)
    for name in ["bfloat16", "float8e4m3fn", "float6e3m2", "int4"]:
        path = Path(sys.argv[2], name)
        example.write_records(path, name, 1000, 24)
        numbers = np.random.default_rng(0).standard_normal((1000, 24), np.float32)
        expected = castufunc.cast(castufunc.cast(numbers, name), "float32")[order]
        records = example.Records(path, name, 24)
        for kind in example.in_threads, example.in_processes:
            with kind(records, 64, 2) as load:
                for _ in range(2):
                    loaded = np.concatenate([batch.copy() for batch in load(order)])
                    assert np.array_equal(loaded, expected[: 1000 // 64 * 64])
                assert not list(load(order[:63]))
    try:
        example.Records(path, "int4", 3)
    except ValueError as error:
        print(error)
"""
    printed = fresh(code, EXAMPLES, tmp_path)
    assert printed == "a record of 3 times 4 bits does not end with a byte\n"


def test_dask_to_zarr_needs_less_memory_than_the_array():
    pytest.importorskip("dask.array")
    pytest.importorskip("zarr", minversion="3.1")
    printed = run("dask_to_zarr.py", "--gigabytes", "0.4", "--to", "float8e5m2")
    size, chunks = map(int, re.search(r"array: +(\d+) MB of float32 in (\d+)", printed).groups())
    assert size == 398
    assert chunks == 95
    assert "store:      100 MB of castufunc.float8e5m2, it begins [" in printed
    assert int(re.search(r"throughput: (\d+) MB/s", printed)[1]) > 0
    assert int(re.search(r"memory: +(\d+) MB", printed)[1]) < size / 4


def test_every_example_is_run_here():
    tested = Path(__file__).read_text(encoding="utf-8")
    examples = [name for name in os.listdir(EXAMPLES) if name.endswith(".py")]
    assert examples
    assert all(f'run("{name}"' in tested for name in examples)
