"""Views between our types and ml_dtypes'."""

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu


@pytest.mark.parametrize("info", cu.FORMATS.values(), ids=lambda info: info.name)
def test_views_both_ways(info):
    twin = np.dtype(getattr(ml_dtypes, info.ml_dtypes))
    own = np.arange(12, dtype=f"u{info.itemsize}").view(info.dtype).reshape(3, 4)[:, ::-1]
    there = cu.to_ml_dtypes(own)
    assert there.dtype == twin
    assert there.shape == own.shape
    assert np.shares_memory(there, own)
    back = cu.from_ml_dtypes(there)
    assert back.dtype == info.dtype
    assert np.shares_memory(back, own)
    assert cu.to_ml_dtypes(there) is there
    assert cu.from_ml_dtypes(own) is own
    assert cu.from_ml_dtypes(twin.type(1)).item() == 1
    assert isinstance(cu.to_ml_dtypes(np.ma.array(own)), np.ma.MaskedArray)


def test_types_without_a_twin_are_refused():
    with pytest.raises(TypeError, match="float8_e3m4 has no equivalent in castufunc"):
        cu.from_ml_dtypes(np.ones(2, ml_dtypes.float8_e3m4))
    with pytest.raises(TypeError, match="float32 has no equivalent in ml_dtypes"):
        cu.to_ml_dtypes(np.ones(2, np.float32))
    with pytest.raises(TypeError, match="int64 has no equivalent"):
        cu.from_ml_dtypes([1])
