"""Arrays of dask: lazy casts with the right chunks and dtype, under every scheduler."""

import numpy as np
import pytest

import castufunc as cu
from castufunc import ufuncs
from neighbours.samples import codes, every_type, same, sample, twin

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

X = np.random.default_rng(3).normal(size=(50, 40)).astype(np.float32) * 3


def lazy(x=X, chunks=(20, 15)):
    return da.from_array(x, chunks=chunks)


def never(dtype):
    """An array that cannot be computed."""

    def fail(block):
        raise AssertionError("computed")

    return da.zeros((4,), chunks=2).map_blocks(fail, dtype=dtype, meta=np.empty(0, dtype))


@every_type
def test_every_way_to_cast(info):
    x = lazy()
    expected = cu.cast(X, info.dtype)
    for result in [
        x.astype(info.dtype),
        x.astype(info.type),
        cu.cast(x, info.dtype),
        cu.cast(x, info.name),
        cu.cast(x, info.onnx),
        cu.cast_like(x, np.zeros(2, info.dtype)),
        cu.cast_like(x, never(info.dtype)),
        getattr(ufuncs, f"to_{info.name}")(x),
    ]:
        assert isinstance(result, da.Array)
        assert result.dtype == info.dtype
        assert result.chunks == x.chunks
        assert same(result.compute(scheduler="sync"), expected)
    wide = cu.cast(da.from_array(expected, chunks=(20, 15)), "float32")
    assert wide.dtype == np.float32
    assert np.array_equal(wide.compute(), expected.astype(np.float32), equal_nan=True)
    there = cu.cast(x, twin(info))
    assert there.dtype == twin(info)
    assert same(cu.from_ml_dtypes(there.compute()), expected)


def test_nothing_is_computed_before_it_is_asked_for():
    for info in cu.FORMATS.values():
        assert cu.cast(never(np.float32), info.dtype).dtype == info.dtype
        assert never(np.float32).astype(info.dtype).dtype == info.dtype
        assert cu.cast(never(info.dtype), "float64").dtype == np.float64
    assert cu.cast_like(np.array([1.5]), never(cu.int4)).tolist() == [1]


@pytest.mark.parametrize(
    ("to", "arguments"),
    [
        ("float8e4m3fn", {"saturate": False}),
        ("float8e8m0", {"round_mode": "down"}),
        ("float8e8m0", {"round_mode": "nearest", "saturate": False}),
        ("uint8", {}),
    ],
)
def test_arguments(to, arguments):
    x = X * 1000
    result = cu.cast(lazy(x), to, **arguments)
    assert same(result.compute(), cu.cast(x, to, **arguments))


def test_ufuncs_take_out_and_where():
    out = da.zeros(X.shape, chunks=(20, 15), dtype=cu.int4)
    assert same(ufuncs.to_int4(lazy(), out=out).compute(), cu.cast(X, "int4"))
    chosen = ufuncs.to_int4(lazy(), where=lazy() > 0, out=da.zeros(X.shape, dtype=cu.int4))
    expected = np.where(X > 0, codes(cu.cast(X, "int4")), 0)
    assert (codes(chosen.compute()) == expected).all()


def test_names_tell_the_types_apart():
    from dask.base import tokenize

    zeros = np.zeros(8, np.uint8)
    one_byte = [info for info in cu.FORMATS.values() if info.itemsize == 1]
    for things in [
        [zeros.view(info.dtype) for info in one_byte],
        [zeros.view(info.dtype)[0] for info in one_byte],
        [info.dtype for info in cu.FORMATS.values()],
        [info.type for info in cu.FORMATS.values()],
        [getattr(ufuncs, name) for name in ufuncs.__all__],
        [cu.PackedArray.from_array(np.zeros(4, i.dtype)) for i in one_byte if i.bits < 8],
    ]:
        assert len({tokenize(thing) for thing in things}) == len(things)
        assert [tokenize(thing) for thing in things] == [tokenize(thing) for thing in things]


def test_two_types_in_one_graph():
    bits = np.arange(16, dtype=np.uint8)
    every = {
        info.name: da.from_array(bits.view(info.dtype), chunks=5)
        for info in cu.FORMATS.values()
        if info.itemsize == 1 and info.bits >= 4
    }
    computed = dask.compute(every)[0]
    for name, x in computed.items():
        assert x.dtype == cu.FORMATS[name].dtype
    total = (every["int4"] + every["uint4"]).compute()
    assert total.dtype == np.int64
    four_bits = zip(computed["int4"].tolist(), computed["uint4"].tolist(), strict=True)
    assert total.tolist() == [signed + unsigned for signed, unsigned in four_bits]
    joined = da.concatenate([every["int4"], every["uint4"]])
    assert joined.dtype == joined.compute().dtype == np.int8


@every_type
def test_reductions(info):
    x = cu.cast(lazy(abs(X) + 1), info.dtype)
    whole = x.compute()
    wide = whole.astype(np.float64)
    for name in ["sum", "mean", "std", "var", "any", "all", "argmax", "argmin"]:
        lazily = getattr(x, name)(axis=0)
        got = lazily.compute()
        assert got.dtype == lazily.dtype == getattr(whole, name)(axis=0).dtype, name
        assert np.allclose(got, getattr(wide, name)(axis=0), rtol=1e-5, atol=1e-5), name
    # dask announces x's own dtype for these two, and NumPy gives the wider one.
    assert (x.max(axis=0).compute() == wide.max(axis=0)).all()
    assert (x.min().compute() == wide.min()).all()
    assert x.astype("float64").max().dtype == np.float64


@every_type
def test_shapes_change_as_usual(info):
    whole = sample(info, (30, 20))
    x = da.from_array(whole, chunks=(7, 6))
    for got, expected in [
        (x.T, whole.T),
        (x[::2, ::-1], whole[::2, ::-1]),
        (x.rechunk((30, 3)), whole),
        (x.reshape(600), whole.reshape(600)),
        (da.stack([x, x]), np.stack([whole, whole])),
        (da.concatenate([x, x], axis=1), np.concatenate([whole, whole], axis=1)),
        (x.view(f"u{info.itemsize}"), codes(whole)),
        (x.view(f"u{info.itemsize}").view(info.dtype), whole),
        (x.persist(), whole),
    ]:
        assert got.dtype == expected.dtype
        assert same(got.compute(), expected)
    for make in [da.zeros, da.ones]:
        made = make((3, 4), chunks=2, dtype=info.dtype)
        assert same(made.compute(), getattr(np, make.__name__)((3, 4), info.dtype))


@every_type
def test_npy_stack(info, tmp_path):
    x = sample(info, (30, 20))
    da.to_npy_stack(tmp_path, da.from_array(x, chunks=(8, 20)))
    stack = da.from_npy_stack(tmp_path)
    assert stack.dtype == info.dtype
    assert stack.chunks == ((8, 8, 8, 6), (20,))
    assert same(stack.compute(), x)


def test_text_goes_through_map_blocks():
    x = lazy()
    texts = x.map_blocks(cu.cast, "string", dtype=object)
    assert texts.chunks == x.chunks
    assert texts.compute().tolist() == cu.cast(X, "string").tolist()
    back = texts.map_blocks(cu.cast, "bfloat16", dtype=cu.bfloat16)
    assert back.dtype == cu.bfloat16
    assert same(back.compute(), cu.cast(X, "bfloat16"))
    with pytest.raises(TypeError):
        cu.cast(texts, "bfloat16")


def test_bits_through_map_blocks():
    x = cu.cast(lazy(), "int4")
    expected = cu.bit_cast(x.compute(), "uint4")
    assert same(x.view(cu.uint4).compute(), expected)
    assert same(x.map_blocks(cu.bit_cast, "uint4", dtype=cu.uint4).compute(), expected)


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_schedulers(scheduler):
    casts = {name: cu.cast(lazy(), name) for name in cu.FORMATS}
    with dask.config.set(scheduler=scheduler, num_workers=2):
        for name, result in dask.compute(casts)[0].items():
            assert same(result, cu.cast(X, name)), name


def test_zarr_stores(tmp_path):
    pytest.importorskip("zarr", minversion="3.1")
    cu.interop.register_zarr()
    for name in cu.FORMATS:
        x = cu.cast(lazy(), name)
        da.to_zarr(x, str(tmp_path / name))
        stored = da.from_zarr(str(tmp_path / name))
        assert stored.dtype == x.dtype
        assert stored.chunks == x.chunks
        assert same(stored.compute(), cu.cast(X, name))
