"""DataArrays of every type: what works, and what has to be widened first."""

import operator

import numpy as np
import pytest

import castufunc as cu
from neighbours.samples import every_type, same, sample

xr = pytest.importorskip("xarray")


def pair(info):
    """A DataArray, and the same numbers in a type that xarray knows."""
    x = cu.cast(np.random.default_rng(info.onnx).integers(0, 7, (4, 6)) / 2, info.dtype)
    wide = x.astype("int64" if info.kind == "integer" else "float32")
    options = {"dims": ("r", "c"), "coords": {"r": [*"badc"]}, "attrs": {"unit": "m"}, "name": "v"}
    return xr.DataArray(x, **options), xr.DataArray(wide, **options)


@every_type
def test_codes_are_kept(info):
    x = sample(info, (4, 6))
    a = xr.DataArray(x, dims=("r", "c"), coords={"r": [*"badc"]})
    assert a.dtype == info.dtype
    assert same(a.values, x)
    assert same(a.sel(r="d").values, x[2])
    assert same(a.isel(c=slice(1, 4)).values, x[:, 1:4])
    assert same(a.transpose().values, x.T)
    assert same(a.sortby("r").values, x[[1, 0, 3, 2]])
    assert same(xr.concat([a, a], "r").values, np.concatenate([x, x]))
    merged = xr.merge([a.rename("a"), a.rename("b")])
    assert same(merged["b"].values, x)
    assert same(a.rename("a").to_dataframe()["a"].to_numpy(), x.reshape(-1))


@every_type
def test_cast_gives_a_data_array(info):
    narrow, wide = pair(info)
    for got, expected in [
        (cu.cast(wide, info.dtype), narrow.values),
        (cu.cast(narrow, "float32"), narrow.values.astype("float32")),
        (wide.astype(info.dtype), narrow.values),
        (narrow.astype("float64"), wide.values.astype("float64")),
    ]:
        assert isinstance(got, xr.DataArray)
        assert got.dtype == expected.dtype
        assert np.array_equal(got.values, expected)
        assert got.r.values.tolist() == [*"badc"]
    assert cu.cast(narrow, "float32").attrs == {"unit": "m"}


@every_type
def test_arithmetic_and_comparison(info):
    narrow, wide = pair(info)
    for operate in [operator.add, operator.sub, operator.mul, operator.lt, operator.eq]:
        for left, right in [((narrow, narrow), (wide, wide)), ((narrow, 2), (wide, 2))]:
            xr.testing.assert_equal(operate(*left), operate(*right))
    xr.testing.assert_equal(narrow.diff("c"), wide.diff("c"))
    xr.testing.assert_equal(narrow.clip(1, 2), wide.clip(1, 2))
    xr.testing.assert_allclose(narrow.quantile([0.1, 0.5], "c"), wide.quantile([0.1, 0.5], "c"))
    largest = xr.apply_ufunc(np.max, narrow, input_core_dims=[["r", "c"]])
    assert largest == wide.max()


REFUSED = {
    "sum": lambda a: a.sum("c"), "mean": lambda a: a.mean("c"), "max": lambda a: a.max(),
    "std": lambda a: a.std(), "median": lambda a: a.median("c"), "count": lambda a: a.count("c"),
    "isnull": lambda a: a.isnull(), "fillna": lambda a: a.fillna(0),
    "where": lambda a: a.where(a > 1), "shift": lambda a: a.shift(c=1),
    "cumsum": lambda a: a.cumsum("c"), "groupby": lambda a: a.groupby("r").sum(),
}  # fmt: skip


@every_type
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_works_in_a_wide_type(info, name):
    narrow, wide = pair(info)
    with pytest.raises(TypeError, match="must be a NumPy dtype"):
        REFUSED[name](narrow)
    xr.testing.assert_equal(
        REFUSED[name](narrow.astype("float32")), REFUSED[name](wide.astype("float32"))
    )


@every_type
def test_equals_is_false_in_silence(info):
    narrow, _ = pair(info)
    other = narrow.copy(data=narrow.values.copy())
    assert not narrow.equals(other)
    assert not narrow.identical(other)
    assert bool((narrow == other).all())
    assert narrow.astype("float32").equals(other.astype("float32"))
    with pytest.raises(xr.MergeError, match="conflicting values"):
        xr.merge([narrow, other], compat="no_conflicts", join="outer")


@every_type
def test_netcdf_wants_codes(info, tmp_path):
    narrow, _ = pair(info)
    with pytest.raises(ValueError, match="does not support type castufunc"):
        narrow.to_netcdf(tmp_path / "x.nc", engine="scipy")
    stored = narrow.copy(data=narrow.values.view(f"u{info.itemsize}"))
    back = stored.copy(data=stored.values.view(str(info.dtype)))
    assert same(back.values, narrow.values)


@every_type
def test_zarr_and_dask(info, tmp_path):
    pytest.importorskip("zarr", minversion="3.1")
    pytest.importorskip("dask.array")
    cu.interop.register_zarr()
    x = sample(info, (4, 6))
    a = xr.DataArray(x, dims=("r", "c"), name="v")
    a.to_zarr(tmp_path / "x.zarr", zarr_format=3, consolidated=False)
    opened = xr.open_zarr(tmp_path / "x.zarr", consolidated=False)["v"]
    assert opened.dtype == info.dtype
    assert same(opened.values, x)
    lazy = cu.cast(a.chunk({"r": 1}), "float32")
    assert lazy.chunks is not None
    assert np.array_equal(lazy.compute().values, x.astype("float32"), equal_nan=True)
