"""A cluster of dask with two worker processes."""

import os

import numpy as np
import pytest

import castufunc as cu
from neighbours.samples import every_type, same, sample

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_two_processes(client):
    assert len(set(client.run(os.getpid).values()) - {os.getpid()}) == 2


@every_type
def test_casts(client, info):
    x = np.random.default_rng(4).normal(size=(60, 40))
    lazy = da.from_array(x, chunks=(20, 15))
    result = cu.cast(lazy, info.dtype)
    assert same(result.compute(), cu.cast(x, info.dtype))
    total = result.astype("float64").sum().compute()
    assert np.isclose(total, cu.cast(x, info.dtype).astype("float64").sum(), rtol=1e-12)


@every_type
def test_arrays_travel(client, info):
    x = sample(info, (30, 20))
    for layout in [x, x.T, x[::2, ::-1], x[:0], x[3, 4, ...], np.broadcast_to(x[0], (5, 20))]:
        there = client.scatter(layout, broadcast=True)
        assert client.submit(lambda a: str(a.dtype), there).result() == str(info.dtype)
        assert same(client.submit(lambda a: a, there, pure=False).result(), layout)
    scalar = client.submit(lambda a: a, info.type(1)).result()
    assert type(scalar) is info.type
    exchanged = da.from_array(x, chunks=(7, 20)).rechunk((30, 3)).compute()
    assert same(exchanged, x)


def test_packed_arrays_travel(client):
    packed = cu.PackedArray.from_array(sample(cu.FORMATS["float4e2m1"]))
    assert client.submit(lambda p: p, packed).result() == packed


def test_store_written_by_the_workers(client, tmp_path):
    zarr = pytest.importorskip("zarr", minversion="3.1")
    cu.interop.register_zarr()
    x = np.random.default_rng(5).normal(size=(60, 40))
    z = zarr.create_array(tmp_path / "z", shape=x.shape, chunks=(20, 20), dtype=cu.float8e4m3fn)
    cu.cast(da.from_array(x, chunks=(20, 20)), z.dtype).store(z, lock=False)
    assert same(z[...], cu.cast(x, cu.float8e4m3fn))
    lazy = da.from_zarr(z)
    assert same(lazy.compute(), z[...])
