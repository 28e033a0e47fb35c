"""Columns of polars under the names of the types, and Series as what is cast."""

import numpy as np
import pytest

import castufunc as cu
from castufunc.interop import from_arrow, to_arrow
from neighbours.samples import codes, every_type, same, sample

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
# With paths, never with file objects: see test_arrow.py.
pq = pytest.importorskip("pyarrow.parquet")

KEYS = [*"abcabcddccbb"]


def frame(info):
    x = sample(info, (12,))
    return x, pl.DataFrame({"k": KEYS, "n": range(12), "x": pl.Series(to_arrow(x))})


def back(series):
    return from_arrow(series.to_arrow())


@every_type
def test_a_column_under_the_type_s_name(info):
    x, given = frame(info)
    kind = given.schema["x"]
    assert kind.ext_name() == f"castufunc.{info.name}"
    assert kind.ext_storage() == (pl.UInt8 if info.itemsize == 1 else pl.UInt16)
    assert same(back(given["x"]), x)
    assert given["x"].ext.storage().to_list() == codes(x).tolist()
    assert same(from_arrow(given.to_arrow()["x"]), x)


@every_type
def test_rows_are_selected_and_put_together(info):
    x, given = frame(info)
    found = np.array([k == "b" for k in KEYS])
    assert same(back(given.filter(pl.col("k") == "b")["x"]), x[found])
    assert same(back(given.sort("n", descending=True)["x"]), x[::-1])
    assert same(back(pl.concat([given, given])["x"]), np.tile(x, 2))
    assert same(back(given.slice(3, 4)["x"]), x[3:7])
    joined = given.join(pl.DataFrame({"k": ["d", "a"], "m": [1, 2]}), on="k", maintain_order="left")
    assert same(back(joined["x"]), x[[k in "da" for k in KEYS]])
    first = given.group_by("k", maintain_order=True).agg(pl.col("x").first())
    assert same(back(first["x"]), x[[0, 1, 2, 6]])
    gaps = pl.DataFrame({"k": ["a", "z"]}).join(given, on="k", how="left", maintain_order="left")
    with pytest.raises(ValueError, match="index 2 is null"):
        back(gaps["x"])
    assert same(back(gaps.drop_nulls()["x"]), x[[0, 3]])


@every_type
def test_files(info, tmp_path):
    x, given = frame(info)
    given.write_parquet(tmp_path / "p.parquet")
    given.write_ipc(tmp_path / "p.ipc")
    lazy = pl.scan_parquet(tmp_path / "p.parquet").filter(pl.col("n") > 3).collect()
    assert same(back(pl.read_parquet(tmp_path / "p.parquet")["x"]), x)
    assert same(back(pl.read_ipc(tmp_path / "p.ipc")["x"]), x)
    assert same(back(lazy["x"]), x[4:])
    assert same(from_arrow(pq.read_table(tmp_path / "p.parquet")["x"]), x)
    pq.write_table(pa.table({"x": to_arrow(x)}), tmp_path / "a.parquet")
    assert same(back(pl.read_parquet(tmp_path / "a.parquet")["x"]), x)


@every_type
def test_numbers_are_had_by_widening(info):
    """To polars the elements are codes: it does not compute with them, but sorts them."""
    x, given = frame(info)
    for refused in [given["x"].sum, given["x"].max, given["x"].is_nan]:
        with pytest.raises(pl.exceptions.InvalidOperationError, match="not supported"):
            refused()
    with pytest.raises(pl.exceptions.SchemaError):
        given.filter(pl.col("x") > 1)
    assert codes(back(given["x"].sort())).tolist() == sorted(codes(x).tolist())
    wide = pl.Series("x", cu.cast(given["x"], "float32"))
    numbers = given.with_columns(wide).sort("x", maintain_order=True)["x"].to_numpy()
    assert np.array_equal(numbers, np.sort(x.astype("float32")), equal_nan=True)


@every_type
def test_columns_are_cast_as_the_numbers_that_they_hold(info):
    x, given = frame(info)
    for to in ["float32", "int8", cu.bfloat16, cu.int4]:
        assert np.array_equal(cu.cast(given["x"], to), cu.cast(x, to), equal_nan=True)
    assert cu.cast(given["x"], "string").tolist() == cu.cast(x, "string").tolist()
    assert cu.cast_like([1.5], given["x"]).dtype == info.dtype
    assert same(cu.cast([given["x"]] * 2, info.dtype), np.stack([x, x]))
    with pytest.raises(TypeError, match=f"DataFrame has columns of {info.dtype}"):
        cu.cast(given, "float32")
    gaps = pl.concat([given, pl.DataFrame({"k": ["z"]})], how="diagonal")["x"]
    with pytest.raises(TypeError, match="1 missing value"):
        cu.cast(gaps, "float32")
    assert cu.cast_like([1.5], gaps).dtype == info.dtype


def test_polars_itself_makes_objects_of_them():
    series = pl.Series("x", np.ones(3, cu.bfloat16))
    assert series.dtype == pl.Object
    with pytest.raises(pl.exceptions.InvalidOperationError):
        series.sum()


@every_type
def test_a_series_of_numbers_is_cast(info):
    x = np.random.default_rng(1).normal(scale=4, size=50)
    for kind in [pl.Float64, pl.Float32, pl.Int32, pl.UInt8]:
        series = pl.Series("x", np.abs(x)).cast(kind)
        got = cu.cast(series, info.dtype)
        assert type(got) is np.ndarray
        assert same(got, cu.cast(series.to_numpy(), info.dtype))
    assert same(cu.cast_like(pl.Series(x), np.zeros(1, info.dtype)), cu.cast(x, info.dtype))
    assert same(cu.cast(pl.Series(["1", "0.5"]), info.dtype), cu.cast([1, 0.5], info.dtype))
    with pytest.raises(TypeError, match="1 missing value: fill or drop it"):
        cu.cast(pl.Series([1, None, 2]), info.dtype)


@pytest.mark.parametrize("target", ["int8", "bool", "float16", "float64", "string"])
def test_a_series_is_cast_to_numpy_s_types(target):
    x = [1.5, -300.25, 0.0]
    assert cu.cast(pl.Series(x), target).tolist() == cu.cast(np.array(x), target).tolist()
