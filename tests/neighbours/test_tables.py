"""Tables whose columns have types that no type of NumPy's holds: every number stays exact."""

import numpy as np
import pytest

import castufunc as cu

LARGE = [2**64 - 1, 2**53 + 1]
MIXED = {"a": np.array(LARGE, np.uint64), "b": np.array([-1, -(2**53) - 1]), "c": [0.5, 1.5]}


def pandas():
    return pytest.importorskip("pandas").DataFrame(MIXED)


def polars():
    return pytest.importorskip("polars").DataFrame(MIXED)


def arrow():
    return pytest.importorskip("pyarrow").table(MIXED)


@pytest.mark.parametrize("table", [pandas, polars, arrow])
def test_columns_of_different_types(table):
    x = table()
    rows = [[a, b, c] for a, b, c in zip(*map(list, MIXED.values()), strict=True)]
    objects = np.array(rows, object)
    for to in "int64", "uint64", "int4", "bfloat16":
        assert np.asarray(cu.cast(x, to)).tolist() == cu.cast(objects, to).tolist()
    assert cu.cast(x, "string").tolist() == cu.cast(objects, "string").tolist()
    assert cu.cast_pack(x, "int4").tolist() == cu.cast_pack(objects, "int4").tolist()
    packed = cu.PackedArray.from_array(x, "int4")
    assert packed.unpack().tolist() == cu.cast(objects, "int4").tolist()


def test_missing_values_of_polars_within():
    pl = pytest.importorskip("polars")
    nested = pl.Series([[1, None], [3, 4]], dtype=pl.Array(pl.Int64, 2))
    with pytest.raises(TypeError, match="NoneType"):
        cu.cast(nested, "int64")
    with pytest.raises(TypeError, match="missing"):
        cu.cast([pl.Series([1, 2]), pl.Series([3, None])], "int64")
    whole = pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2))
    assert cu.cast(whole, "int8").tolist() == [[1, 2], [3, 4]]


def test_types_of_others_are_no_targets_of_cast_like():
    torch = pytest.importorskip("torch")
    pd = pytest.importorskip("pandas")
    for bad in torch.float32, torch.bfloat16, pd.Int8Dtype():
        with pytest.raises(TypeError, match="target must be an array"):
            cu.cast_like(1, bad)
