"""
What pandas sums in the type of the column: right for bfloat16, refused for narrower types.

pandas asks for a sum in the column's own type and divides that for a mean.
"""

import numpy as np
import pytest

import castufunc as cu

pd = pytest.importorskip("pandas", minversion="3.0")

NARROW = [info for info in cu.FORMATS.values() if info.bits <= 8]
each_narrow = pytest.mark.parametrize("info", NARROW, ids=lambda info: info.name)
KEYS = [*"abcabcddccbb"]
# A sum in bfloat16 is rounded to it once, and a mean is that over a count.
PRECISION = 2.0**-8


def series(dtype=cu.bfloat16, gaps=True):
    x = cu.cast(np.random.default_rng(1).integers(-8, 9, len(KEYS)) / 2, dtype)
    if gaps and dtype is cu.bfloat16:
        x[3] = np.nan
    return pd.Series(x, name="v")


@pytest.mark.parametrize("skipna", [True, False])
@pytest.mark.parametrize("gaps", [True, False])
def test_sum_and_mean(skipna, gaps):
    narrow = series(gaps=gaps)
    wide = narrow.astype("float32")
    total = narrow.sum(skipna=skipna)
    assert np.array_equal(total, wide.sum(skipna=skipna), equal_nan=True)
    got, expected = narrow.mean(skipna=skipna), wide.mean(skipna=skipna)
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    frame = pd.DataFrame({"v": narrow, "w": narrow})
    np.testing.assert_array_equal(frame.sum(skipna=skipna).tolist(), [float(total)] * 2)
    np.testing.assert_allclose(frame.mean(skipna=skipna).tolist(), [expected] * 2, rtol=1e-6)


def test_long_sums_do_not_stop_growing():
    """Summed in bfloat16 itself, ones stop at 256, and hundreds at 32768."""
    assert pd.Series(np.ones(5000, cu.bfloat16)).sum() == cu.bfloat16(5000)
    hundreds = pd.Series(np.full(1000, 100, cu.bfloat16))
    assert hundreds.sum() == cu.bfloat16(100_000) == 99840
    assert hundreds.mean() == 99.84
    assert hundreds.astype("float32").mean() == 100
    values = np.random.default_rng(2).normal(1, 1, 20_000).astype(np.float32)
    narrow = pd.Series(values).astype(cu.bfloat16)
    exact = narrow.to_numpy().astype(np.float64).sum()
    assert abs(float(narrow.sum()) - exact) <= PRECISION * exact
    assert abs(float(narrow.mean()) - exact / 20_000) <= PRECISION * exact / 20_000


def test_describe():
    narrow = series()
    wide = narrow.astype("float32")
    np.testing.assert_allclose(narrow.describe().tolist(), wide.describe().tolist(), rtol=1e-6)
    assert narrow.describe().index.tolist() == wide.describe().index.tolist()
    frame = pd.DataFrame({"v": narrow}).describe()
    np.testing.assert_allclose(frame["v"].tolist(), wide.describe().tolist(), rtol=1e-6)


@pytest.mark.parametrize("name", ["sum", "mean"])
def test_groups(name):
    narrow, wide = (
        getattr(pd.DataFrame({"k": KEYS, "v": s}).groupby("k")["v"], name)()
        for s in (series(), series().astype("float32"))
    )
    assert narrow.index.tolist() == wide.index.tolist()
    np.testing.assert_allclose(narrow.astype("float64").tolist(), wide.tolist(), rtol=1e-6)


@each_narrow
@pytest.mark.parametrize("name", ["sum", "mean", "describe"])
def test_narrower_types_are_refused(info, name):
    """A float8 sum of a thousand hundreds would saturate, and a mean be 0.448."""
    narrow = series(info.dtype)
    wide = narrow.astype("float32")
    frame = pd.DataFrame({"k": KEYS, "v": narrow})
    for refused in [getattr(narrow, name), getattr(frame[["v"]], name)]:
        with pytest.raises(TypeError, match=f"do not reduce or accumulate in {info.name}"):
            refused()
    with pytest.raises(TypeError, match=r"agg function failed|do not reduce or accumulate"):
        getattr(frame.groupby("k")["v"], name)()
    widened = frame.astype({"v": "float32"}).groupby("k")["v"]
    expected = getattr(wide.groupby(KEYS), name)()
    np.testing.assert_array_equal(getattr(widened, name)(), expected)
    assert narrow.to_numpy().sum() == wide.sum()
