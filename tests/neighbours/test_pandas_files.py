"""DataFrames with columns of every type, to files and back."""

import io
import pickle

import numpy as np
import pytest

import castufunc as cu
from castufunc.interop import from_arrow, to_arrow
from neighbours.samples import codes, every_type, fresh, same, sample, twin

pd = pytest.importorskip("pandas", minversion="3.0")
pa = pytest.importorskip("pyarrow")
# With paths, never with file objects: see test_arrow.py.
pq = pytest.importorskip("pyarrow.parquet")


def frame(info, **others):
    x = sample(info, (2, 20))
    return pd.DataFrame({"k": [*"abcde"] * 4, "x": x[0], "n": range(20), "y": x[1], **others})


def same_frames(got, expected, *columns):
    for name in columns:
        assert same(got[name].to_numpy(), expected[name].to_numpy())
    rest = [name for name in expected if name not in columns]
    pd.testing.assert_frame_equal(got[rest], expected[rest])
    assert got.columns.tolist() == expected.columns.tolist()
    return True


@every_type
def test_csv(info):
    """Every number is written in full. Codes of NaN are all read as the same NaN."""
    given = frame(info)
    text = given.to_csv(index=False)
    read = pd.read_csv(io.StringIO(text)).astype({"x": info.dtype, "y": info.dtype})
    numbers = given["x"].notna()
    # Of float8e8m0, the shortest text of a float64 can lie above the number, and rounds up.
    wide = pd.read_csv(io.StringIO(text))["x"].to_numpy("float32")
    assert np.array_equal(wide, given["x"].to_numpy("float32"), equal_nan=True)
    narrow = cu.cast(wide, info.dtype, saturate=False)
    assert same(narrow[numbers], given["x"].to_numpy()[numbers])
    assert read["x"].isna().tolist() == given["x"].isna().tolist()


@every_type
def test_pickle(info, tmp_path):
    given = frame(info)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert same_frames(pickle.loads(pickle.dumps(given, protocol)), given, "x", "y")
    given.to_pickle(tmp_path / "p")
    code = (
        "import sys, pandas\n"
        "read = pandas.read_pickle(sys.argv[1])\n"
        "x = read['x'].to_numpy()\n"
        "print(x.dtype, x.view(f'u{x.itemsize}').tolist())"
    )
    expected = f"{info.dtype} {codes(given['x'].to_numpy()).tolist()}\n"
    assert fresh(code, tmp_path / "p") == expected


@every_type
def test_parquet(info, tmp_path):
    given = frame(info)
    with pytest.raises(NotImplementedError, match=r"Unsupported numpy type \d+"):
        given.to_parquet(tmp_path / "t.parquet")
    table = to_arrow(given)
    assert [str(kind) for kind in table.schema.types if "castufunc" in str(kind)] == [
        f"extension<castufunc.{info.name}<{info.name}>>"
    ] * 2
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=7)
    for read in [table, pq.read_table(tmp_path / "t.parquet"), table.to_batches()[0]]:
        assert same_frames(from_arrow(read), given, "x", "y")
    part = from_arrow(pq.read_table(tmp_path / "t.parquet", columns=["y", "n"]))
    assert same_frames(part, given[["y", "n"]], "y")


@every_type
def test_what_read_parquet_gives_elsewhere(info, tmp_path):
    """To pandas itself, or where castufunc is not installed, the columns are codes."""
    given = frame(info)
    pq.write_table(to_arrow(given), tmp_path / "t.parquet")
    read = pq.read_table(tmp_path / "t.parquet").to_pandas()
    assert read["x"].dtype == f"u{info.itemsize}"
    assert read["x"].tolist() == codes(given["x"].to_numpy()).tolist()
    assert read["k"].tolist() == given["k"].tolist()


@every_type
def test_pandas_with_arrow_s_own_columns(info):
    """Asked for Arrow's types, pandas keeps the names: cast takes the numbers."""
    x = sample(info, (20,))
    given = pa.table({"x": to_arrow(x)}).to_pandas(types_mapper=pd.ArrowDtype)
    assert given["x"].dtype.pyarrow_dtype.extension_name == str(info.dtype)
    assert same(cu.cast(given["x"], info.dtype), x)
    assert np.array_equal(cu.cast(given["x"], "float32"), x.astype("float32"), equal_nan=True)
    with pytest.raises(TypeError, match=f"DataFrame has columns of {info.dtype}"):
        cu.cast(given, "float32")


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(5, 105, 5), pd.Index([*"abcdefghijklmnopqrst"], name="letter"),
        pd.MultiIndex.from_product([[1, 2], [*"abcdefghij"]], names=["n", None]),
        pd.DatetimeIndex(pd.date_range("2026-01-01", periods=20), freq=None),
    ],
)  # fmt: skip
def test_the_index_is_kept(index, tmp_path):
    given = frame(cu.FORMATS["float8e4m3fn"]).set_index(index)
    pq.write_table(to_arrow(given), tmp_path / "t.parquet")
    read = from_arrow(pq.read_table(tmp_path / "t.parquet"))
    assert same_frames(read, given, "x", "y")
    pd.testing.assert_index_equal(read.index, index)


def test_names_of_columns_are_kept(tmp_path):
    x = sample(cu.FORMATS["bfloat16"], (4, 6))
    for columns in [[1, 2, 3, 4, 5, 6], pd.MultiIndex.from_product([[*"ab"], [1, 2, 3]])]:
        given = pd.DataFrame(x, columns=columns)
        pq.write_table(to_arrow(given), tmp_path / "t.parquet")
        read = from_arrow(pq.read_table(tmp_path / "t.parquet"))
        assert read.columns.tolist() == given.columns.tolist()
        assert same(read.to_numpy(), x)


def test_the_frame_is_not_changed():
    given = frame(cu.FORMATS["int4"])
    copy = given.copy()
    to_arrow(given)
    assert same_frames(given, copy, "x", "y")
    table = to_arrow(given)
    read = from_arrow(table)
    read.loc[:, "n"] = 0
    assert table["n"].to_pylist() == [*range(20)]
    assert from_arrow(pa.table(table)).shape == (20, 4)


def test_all_types_side_by_side():
    given = pd.DataFrame({name: sample(info, (9,)) for name, info in cu.FORMATS.items()})
    assert same_frames(from_arrow(to_arrow(given)), given, *cu.FORMATS)
    twins = given.copy()
    for place, info in enumerate(cu.FORMATS.values()):
        twins.isetitem(place, given[info.name].to_numpy().view(twin(info)))
    assert same_frames(from_arrow(to_arrow(twins)), given, *cu.FORMATS)


def test_frames_without_such_columns_or_rows():
    plain = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    pd.testing.assert_frame_equal(from_arrow(to_arrow(plain)), plain)
    empty = pd.DataFrame({"a": np.zeros(0, cu.bfloat16)})
    assert from_arrow(to_arrow(empty))["a"].dtype == cu.bfloat16
    assert from_arrow(pa.table({})).shape == (0, 0)


def test_an_index_of_codes_is_refused():
    table = pa.table({"x": to_arrow(np.ones(3, cu.int4)), "n": [1, 2, 3]})
    claimed = pa.table(pd.DataFrame({"n": [1, 2, 3]}, pd.Index([1, 2, 3], name="x")))
    table = table.replace_schema_metadata(claimed.schema.metadata)
    with pytest.raises(TypeError, match=r"no index of castufunc.int4, the type of column 'x'"):
        from_arrow(table)


def test_a_series_goes_by_its_array():
    s = pd.Series(np.ones(3, cu.float6e2m3), [7, 8, 9], name="s")
    assert same(from_arrow(to_arrow(s)), s.to_numpy())


def test_columns_of_objects_are_pyarrow_s():
    with pytest.raises(pa.ArrowInvalid, match="castufunc"):
        to_arrow(pd.DataFrame({"x": [cu.bfloat16(1), None]}))
    assert to_arrow(pd.DataFrame({"x": [cu.int4(-1), None]}))["x"].to_pylist() == [-1, None]
