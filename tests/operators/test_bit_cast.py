"""BitCast: same width, same bits, same memory."""

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED

# By width in bits; the rule of ONNX's BitCast-26, and float6 as an extension.
GROUPS = {
    2: ["int2", "uint2"],
    4: ["int4", "uint4", "float4e2m1"],
    6: ["float6e2m3", "float6e3m2"],
    8: ["int8", "uint8", "bool", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
        "float8e5m2fnuz", "float8e8m0"],
    16: ["int16", "uint16", "float16", "bfloat16"],
    32: ["int32", "uint32", "float32"],
    64: ["int64", "uint64", "float64", "complex64"],
    128: ["complex128"],
}  # fmt: skip
WIDTH = {name: width for width, names in GROUPS.items() for name in names}


def sample(name, shape=(4, 6)):
    dtype = cu.dtype(name)
    random = np.random.default_rng(3)
    high = 2 if name == "bool" else 1 << min(WIDTH[name], 8)
    data = random.integers(0, high, (*shape, dtype.itemsize), np.uint8)
    return data.reshape(*shape[:-1], -1).view(dtype)


@pytest.mark.parametrize("source", WIDTH)
@pytest.mark.parametrize("target", WIDTH)
def test_every_pair(source, target):
    x = sample(source)
    if WIDTH[source] != WIDTH[target]:
        words = rf"\({WIDTH[source]} bits\) to .*\({WIDTH[target]} bits\)"
        with pytest.raises(TypeError, match=words):
            cu.bit_cast(x, target)
        return
    for layout in [x, x.T, x[::2, ::-1], x[1], x[:0]]:
        result = cu.bit_cast(layout, target)
        assert result.dtype == cu.dtype(target)
        assert result.shape == layout.shape
        assert result.tobytes() == layout.tobytes()
        assert layout.size == 0 or np.shares_memory(result, layout)
        assert cu.bit_cast(result, source).tobytes() == layout.tobytes()


def test_values():
    assert cu.bit_cast(np.float32(1), "int32") == 0x3F800000
    assert cu.bit_cast(np.array([-1, 7], cu.int4), "uint4").tolist() == [15, 7]
    assert cu.bit_cast(np.array([2], np.uint8), "bool").view(np.uint8).tolist() == [2]
    assert cu.bit_cast([1.0], "uint64").tolist() == [0x3FF0000000000000]
    assert cu.bit_cast(np.ones(2, ml_dtypes.bfloat16), np.uint16).tolist() == [0x3F80] * 2
    assert cu.bit_cast(np.ones(2, cu.int4), ml_dtypes.uint4).dtype == ml_dtypes.uint4


def test_swapped_sources_are_copied_to_native_order():
    x = np.array([1.0, -2.5], f"{SWAPPED}f4")
    result = cu.bit_cast(x, "uint32")
    assert result.tolist() == [0x3F800000, 0xC0200000]
    assert not np.shares_memory(result, x)


def test_read_only_stays_read_only():
    x = np.ones(3, np.float32)
    x.flags.writeable = False
    assert not cu.bit_cast(x, "int32").flags.writeable


@pytest.mark.parametrize("bad", [["a"], np.ones(1, "g"), np.ones(1, "M8[s]"), np.ones(1, "O"),
                                 np.ones(1, ml_dtypes.float8_e3m4), np.zeros(1, "V8")],
                         ids=repr)  # fmt: skip
def test_what_has_no_onnx_number_is_refused(bad):
    with pytest.raises(TypeError, match="no element type of BitCast"):
        cu.bit_cast(bad, "int8")


def test_targets_without_an_onnx_number():
    for to in [np.longdouble, ml_dtypes.float8_e3m4]:
        with pytest.raises(TypeError, match=r"\(8 bits\) to .*no element type of BitCast"):
            cu.bit_cast(np.ones(2, np.int8), to)
    for text in ["string", "U", object]:
        with pytest.raises(TypeError, match=r"\(8 bits\) to .*no element type of BitCast"):
            cu.bit_cast(np.ones(2, np.int8), text)


def test_array_types_with_other_dtypes():
    class Foreign:
        dtype = "float32"

        def __array_ufunc__(self, *_):
            raise AssertionError

    class Lazy(Foreign):
        def __dask_graph__(self):
            return {}

    with pytest.raises(TypeError, match="cannot cast Foreign: NumPy cannot make an array"):
        cu.bit_cast(Foreign(), "int32")
    with pytest.raises(TypeError, match="cannot bit_cast a Lazy: it has no dtype of NumPy's"):
        cu.bit_cast(Lazy(), "int32")
