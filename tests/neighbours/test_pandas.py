"""
Series and DataFrames of every type give what pandas gives for the same numbers in a wide type.

What pandas refuses is here too, with the way out that docs/neighbours/pandas.md names, so that a
release of pandas which changes it is noticed.
"""

import operator

import numpy as np
import pytest

import castufunc as cu
from neighbours.samples import every_type, same, sample

pd = pytest.importorskip("pandas", minversion="3.0")

integers = pytest.mark.parametrize(
    "info", [i for i in cu.FORMATS.values() if i.kind == "integer"], ids=lambda i: i.name
)
floats = pytest.mark.parametrize(
    "info", [i for i in cu.FORMATS.values() if i.kind == "float"], ids=lambda i: i.name
)
KEYS = [*"abcabcddccbb"] * 2
# What pandas says where it takes a dtype that it does not know for one of several fields.
COMPOUND = "compound dtypes are not implemented"


def numbers(info):
    """Numbers of the type, among them duplicates, extremes, and NaN if the type has it."""
    x = np.random.default_rng(info.onnx).integers(-6, 7, len(KEYS)) / 2
    x[3], x[4], x[5] = info.max, info.min, 1
    if info.kind == "float" and info.nan is not None:
        x[[2, 9]] = np.nan
    if info.name in ("bfloat16", "float8e8m0"):
        x = np.clip(np.abs(x) if info.name == "float8e8m0" else x, -1024, 1024)
    return cu.cast(x, info.dtype)


def wide_dtype(info):
    return "int64" if info.kind == "integer" else "float32"


def pair(info):
    """A Series, and the same numbers in a type that pandas knows."""
    x = numbers(info)
    return pd.Series(x, name="v"), pd.Series(x.astype(wide_dtype(info)), name="v")


def frames(info):
    return [pd.DataFrame({"k": KEYS, "v": s}) for s in pair(info)]


def equal(got, expected, rtol=0.0):
    """The same labels and numbers, in whatever dtype."""
    if isinstance(expected, pd.Series):
        pd.testing.assert_index_equal(got.index, expected.index, exact=False)
        got, expected = got.tolist(), expected.tolist()
    np.testing.assert_allclose(np.asarray(got, float), np.asarray(expected, float), rtol=rtol)


@every_type
def test_construct_keeps_every_code(info):
    x = sample(info)
    for s in [pd.Series(x[0]), pd.Series(x[:, 3]), pd.Series(x[0], list(x[1]))]:
        assert s.dtype == info.dtype
    assert same(pd.Series(x[0]).to_numpy(), x[0])
    assert same(np.asarray(pd.Series(x[0])), x[0])
    frame = pd.DataFrame({"a": x[0], "b": x[1]})
    assert frame.dtypes.tolist() == [info.dtype] * 2
    assert same(frame["b"].to_numpy(), x[1])
    assert same(pd.DataFrame(x).to_numpy(), x)
    assert same(pd.DataFrame(x)[3].to_numpy(), x[:, 3])
    assert pd.Series(x[0]).memory_usage(index=False) == x[0].nbytes
    with pytest.raises(NotImplementedError, match=COMPOUND):
        pd.Series([1, 2], dtype=info.dtype)
    assert same(pd.Series(np.array([1, 2]).astype(info.dtype)).to_numpy(),
                cu.cast([1, 2], info.dtype))  # fmt: skip


@every_type
def test_astype_both_ways(info):
    values = np.random.default_rng(1).normal(scale=4, size=50).astype(np.float32)
    expected = cu.cast(values, info.dtype)
    wide = pd.Series(values)
    for dtype in [info.dtype, info.type, str(info.dtype)]:
        assert same(wide.astype(dtype).to_numpy(), expected)
    narrow = wide.astype(info.dtype)
    for dtype in ["float32", "float64", "int64", "bool"]:
        assert same_numbers(narrow.astype(dtype).to_numpy(), cu.cast(expected, dtype))
    for other in [cu.bfloat16, cu.int4]:
        assert same(narrow.astype(other).to_numpy(), cu.cast(expected, other))
    frame = pd.DataFrame({"a": wide, "b": wide}).astype({"b": info.dtype})
    assert frame.dtypes.tolist() == [np.float32, info.dtype]
    assert same(frame.astype(info.dtype)["a"].to_numpy(), expected)
    assert [float(text) for text in narrow.astype(str)] == expected.tolist()
    assert same(pd.Series(["1", "2"]).astype(info.dtype).to_numpy(), cu.cast([1, 2], info.dtype))


def same_numbers(a, b):
    return a.dtype == b.dtype and np.array_equal(a, b)


@every_type
def test_cast_of_a_series_is_a_series(info):
    narrow, wide = pair(info)
    back = cu.cast(narrow, "float32")
    assert isinstance(back, pd.Series)
    equal(back, wide)
    assert back.name == "v"
    frame = cu.cast(pd.DataFrame({"v": wide}).astype("float32"), info.dtype)
    assert isinstance(frame, pd.DataFrame)
    assert same(frame["v"].to_numpy(), narrow.to_numpy())


@every_type
def test_missing_values(info):
    narrow, wide = pair(info)
    assert narrow.isna().tolist() == wide.isna().tolist() == np.isnan(wide).tolist()
    assert narrow.notna().tolist() == wide.notna().tolist()
    assert narrow.count() == wide.count()
    assert same(narrow.dropna().to_numpy(), narrow.to_numpy()[~np.isnan(wide)])
    frame = pd.DataFrame({"k": KEYS, "v": narrow})
    assert same(frame.dropna()["v"].to_numpy(), narrow.dropna().to_numpy())
    assert frame.isna().sum().tolist() == [0, wide.isna().sum()]


@every_type
def test_fillna(info):
    """pandas fills in a wide type, says that it will not always, and refuses elsewhere."""
    narrow, wide = pair(info)
    filled = wide.fillna(1).astype(info.dtype)
    assert same(filled.to_numpy(), np.where(wide.isna(), np.ones(1, info.dtype), narrow))
    if wide.isna().any():
        with pytest.warns(pd.errors.Pandas4Warning, match="is not supported as a fill value"):
            equal(narrow.fillna(1), wide.fillna(1))
        with pytest.raises(TypeError):
            narrow.ffill()
    else:
        assert same(narrow.fillna(1).to_numpy(), narrow.to_numpy())


@every_type
def test_arithmetic_is_in_a_wide_type(info):
    narrow, wide = pair(info)
    for operate in [operator.add, operator.sub, operator.mul]:
        for got, expected in [
            (operate(narrow, narrow), operate(wide, wide)),
            (operate(narrow, wide), operate(wide, wide)),
            (operate(wide, narrow), operate(wide, wide)),
            (operate(narrow, 2), operate(wide, 2)),
            (operate(2, narrow), operate(2, wide)),
        ]:
            assert got.dtype == wide_dtype(info)
            equal(got, expected)
    as_float = wide.astype("float32")
    with np.errstate(divide="ignore", invalid="ignore"):
        for got, expected in [(narrow / 2, as_float / 2), (narrow * 1.5, as_float * 1.5),
                              (2 / narrow, 2 / as_float)]:  # fmt: skip
            assert got.dtype == np.float32
            equal(got, expected)
    equal(-narrow, -wide)
    equal(abs(narrow), abs(wide))
    equal(np.square(narrow), wide * wide)
    frame = pd.DataFrame({"v": narrow}) * 3
    equal(frame["v"], wide * 3)
    assert frame["v"].dtype == wide_dtype(info)
    equal(narrow.add(narrow[2:], fill_value=1), wide.add(wide[2:], fill_value=1))


@every_type
def test_comparison(info):
    narrow, wide = pair(info)
    others = [1, -0.5, 1000, np.nan, info.type(1)]
    for compare in [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]:
        for other in others:
            assert compare(narrow, other).tolist() == compare(wide, float(other)).tolist()
        turned = [s[::-1].reset_index(drop=True) for s in (narrow, wide)]
        assert compare(narrow, turned[0]).tolist() == compare(wide, turned[1]).tolist()
    assert same(narrow[narrow > 1].to_numpy(), narrow.to_numpy()[wide > 1])
    assert narrow.isin([1, 2]).tolist() == wide.isin([1, 2]).tolist()
    assert narrow.between(0, 2).tolist() == wide.between(0, 2).tolist()
    assert narrow.equals(narrow.copy())


@every_type
@pytest.mark.parametrize("skipna", [True, False])
def test_extremes(info, skipna):
    narrow, wide = pair(info)
    for name in ["min", "max"]:
        equal(getattr(narrow, name)(skipna=skipna), getattr(wide, name)(skipna=skipna))
        got = getattr(pd.DataFrame({"v": narrow, "w": narrow}), name)(skipna=skipna)
        equal(got, getattr(pd.DataFrame({"v": wide, "w": wide}), name)(skipna=skipna))
    assert [narrow.idxmin(), narrow.idxmax()] == [wide.idxmin(), wide.idxmax()]


@every_type
@pytest.mark.parametrize("name", ["median", "std", "var", "sem", "skew", "kurt", "prod"])
def test_reductions_without_a_sum_in_the_type(info, name):
    narrow, wide = pair(info)
    rtol = 0 if name == "median" else 1e-5
    equal(getattr(narrow, name)(), getattr(wide, name)(), rtol)
    got = getattr(pd.DataFrame({"v": narrow}), name)()
    equal(got, getattr(pd.DataFrame({"v": wide}), name)(), rtol)


@every_type
def test_quantiles_and_cumulation(info):
    narrow, wide = pair(info)
    for q in [0.5, [0.1, 0.25, 0.9]]:
        equal(narrow.quantile(q), wide.quantile(q), 1e-6)
    for name in ["cumsum", "cummax", "cummin"]:
        got = getattr(narrow, name)()
        assert got.dtype == wide_dtype(info)
        equal(got, getattr(wide, name)())
    equal(narrow.rolling(3).mean(), wide.rolling(3).mean())
    equal(narrow.corr(narrow[::-1].reset_index(drop=True)),
          wide.corr(wide[::-1].reset_index(drop=True)), 1e-6)  # fmt: skip


@every_type
@pytest.mark.parametrize(
    "name", ["count", "size", "min", "max", "median", "first", "last", "var", "prod", "any"]
)
def test_groupby_of_one_column(info, name):
    narrow, wide = (getattr(frame.groupby("k")["v"], name)() for frame in frames(info))
    equal(narrow, wide, 1e-6 if name in ("var", "prod") else 0)


@every_type
def test_groupby_and_functions_of_one_s_own(info):
    narrow, wide = (frame.groupby("k")["v"] for frame in frames(info))
    equal(narrow.agg(lambda v: v.max()), wide.agg(lambda v: v.max()))
    equal(narrow.agg(["min", "max"])["max"], wide.max())
    equal(narrow.transform("max"), wide.transform("max"))
    assert same(narrow.head(1).to_numpy(), narrow.obj.to_numpy()[wide.head(1).index])


@every_type
def test_groupby_that_pandas_refuses(info):
    narrow, wide = (frame.groupby("k") for frame in frames(info))
    with pytest.raises(NotImplementedError, match=COMPOUND):
        narrow.max()
    for name in ["std", "cumsum", "rank"]:
        with pytest.raises(TypeError, match=f"{name} is not supported for {info.dtype}"):
            getattr(narrow["v"], name)()
        way_out = narrow.obj.astype({"v": wide_dtype(info)}).groupby("k")["v"]
        equal(getattr(way_out, name)(), getattr(wide["v"], name)())


@every_type
def test_sorting_moves_codes(info):
    narrow, wide = pair(info)
    for ascending in [True, False]:
        options = {"ascending": ascending, "kind": "stable"}
        got = narrow.sort_values(**options)
        equal(got, wide.sort_values(**options))
        assert same(got.to_numpy(), narrow.to_numpy()[got.index])
    assert narrow.nlargest(3).tolist() == wide.nlargest(3).tolist()
    frame, reference = frames(info)
    got = frame.sort_values("v", kind="stable")
    assert got["k"].tolist() == reference.sort_values("v", kind="stable")["k"].tolist()


@floats
def test_counting_floats(info):
    narrow, wide = pair(info)
    equal(narrow.value_counts().sort_index(), wide.value_counts().sort_index())
    assert narrow.nunique() == wide.nunique()
    equal(narrow.unique(), wide.unique())
    assert narrow.unique().dtype == info.dtype
    assert narrow.duplicated().tolist() == wide.duplicated().tolist()
    assert narrow.factorize()[0].tolist() == wide.factorize()[0].tolist()
    frame, reference = frames(info)
    equal(frame.groupby("v").size(), reference.groupby("v").size())
    assert (
        narrow.astype("category").cat.codes.tolist() == wide.astype("category").cat.codes.tolist()
    )
    equal(narrow.rank(), wide.rank())


@integers
def test_counting_integers(info):
    """Pandas takes them for integers of its own and has no table for their names."""
    narrow, wide = pair(info)
    for name in ["value_counts", "nunique", "unique", "duplicated", "factorize", "rank"]:
        with pytest.raises((KeyError, TypeError), match=f"{info.name}|No matching signature"):
            getattr(narrow, name)()
    frame, _ = frames(info)
    for refused in [lambda: frame.groupby("v").size(), lambda: frame.sort_values(["v", "k"])]:
        with pytest.raises(KeyError, match=info.name):
            refused()
    eight = narrow.astype("int8")
    equal(eight.value_counts(), wide.value_counts())
    assert eight.unique().tolist() == wide.unique().tolist()


@every_type
def test_merge(info):
    frame, reference = frames(info)
    other = pd.DataFrame({"k": ["a", "d", "z"], "w": numbers(info)[:3]})
    assert frame.merge(other, on="k").dtypes.tolist()[1:] == [info.dtype] * 2
    inner = frame.merge(other, on="k")
    places = reference.reset_index().merge(other[["k"]], on="k")["index"]
    assert same(inner["v"].to_numpy(), frame["v"].to_numpy()[places])
    by_value = frame.dropna().merge(pd.DataFrame({"v": numbers(info)[5:6], "n": [7]}), on="v")
    assert by_value["k"].tolist() == [
        k for k, v in zip(KEYS, reference["v"], strict=True) if v == 1
    ]


@every_type
def test_merge_that_leaves_gaps_gives_objects(info):
    frame, _ = frames(info)
    other = pd.DataFrame({"k": ["a", "d", "z"], "w": cu.cast([1, 0.5, 2], info.dtype)})
    left = frame.merge(other, on="k", how="left")
    assert same(left["v"].to_numpy(), frame["v"].to_numpy())
    assert left["w"].dtype == object
    assert left["w"].isna().tolist() == [k not in "ad" for k in KEYS]
    filled = left["w"].astype("float32").fillna(2).astype(info.dtype)
    places = [{"a": 0, "d": 1}.get(k, 2) for k in KEYS]
    assert same(filled.to_numpy(), other["w"].to_numpy()[places])


@every_type
def test_concat(info):
    narrow, wide = pair(info)
    assert same(pd.concat([narrow, narrow[:5]]).to_numpy(),
                np.concatenate([narrow.to_numpy(), narrow.to_numpy()[:5]]))  # fmt: skip
    side = pd.concat([narrow, narrow], axis=1)
    assert side.dtypes.tolist() == [info.dtype] * 2
    equal(pd.concat([narrow, pd.Series([1000.5])]), pd.concat([wide, pd.Series([1000.5])]))


@every_type
def test_concat_of_frames_goes_column_by_column(info):
    frame, _ = frames(info)
    with pytest.raises(NotImplementedError):
        pd.concat([frame, frame])
    whole = pd.DataFrame({name: pd.concat([frame[name], frame[name]]) for name in frame})
    assert same(whole["v"].to_numpy(), np.tile(frame["v"].to_numpy(), 2))
    assert whole["k"].tolist() == KEYS * 2
    assert whole.index.tolist() == [*range(len(KEYS))] * 2


@every_type
def test_setting_elements_goes_by_the_array(info):
    narrow, wide = pair(info)
    with pytest.raises((TypeError, AssertionError), match=r"Invalid value|gone wrong"):
        narrow.iloc[0] = info.type(1)
    x = narrow.to_numpy().copy()
    x[wide > 1] = 1
    equal(pd.Series(x), wide.mask(wide > 1, 1))
    assert same(narrow.mask(narrow > 1, 1).astype(narrow.dtype).to_numpy(), x)


@every_type
def test_what_goes_wrong_in_silence(info):
    """The page warns of these three; in a wide type they are right."""
    far = [512, -1] if info.name == "bfloat16" else [info.max, info.min]
    x = cu.cast([*far, 1, 1.5], info.dtype)
    narrow, wide = pd.Series(x), pd.Series(x.astype("float32"))
    assert same(narrow.replace(1, 2).to_numpy(), x)
    assert narrow.astype("float32").replace(1, 2)[2] == 2
    assert same(narrow.round().to_numpy(), x)
    equal(narrow.astype("float32").round(), np.round(wide))
    assert narrow.diff().dtype == info.dtype
    assert narrow.diff()[1] != np.float32(far[1]) - np.float32(far[0])
    equal(narrow.astype("float32").diff(), wide.diff())
