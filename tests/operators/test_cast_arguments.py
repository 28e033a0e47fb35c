"""Arguments of `cast` and `cast_like`: what they do, and the words of every refusal."""

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED

X = np.array([[1.0, -2.5, 1e6], [np.nan, np.inf, 0.0]], np.float32)


def codes(array):
    return np.asarray(array).view(f"u{array.dtype.itemsize}").tolist()


def test_saturate_takes_bools_and_0_and_1():
    for yes, no in [(True, False), (1, 0), (np.True_, np.False_), (np.int8(1), np.uint8(0))]:
        assert codes(cu.cast([1e6], "float8e5m2", saturate=yes)) == [0x7B]
        assert codes(cu.cast([1e6], "float8e5m2", saturate=no)) == [0x7C]
    for bad in [None, 2, -1, "true", 1.0, 0.0, [], np.float32(1), np.array([True, False])]:
        with pytest.raises(TypeError, match="saturate must be a bool, 0 or 1, not "):
            cu.cast(X, "float8e5m2", saturate=bad)
        with pytest.raises(TypeError, match="saturate must be a bool, 0 or 1, not "):
            cu.cast(X, "int8", saturate=bad)


def test_round_mode_is_one_of_three_for_every_target():
    assert codes(cu.cast([1.5], "float8e8m0", round_mode="up")) == [128]
    assert codes(cu.cast([1.5], "float8e8m0", round_mode="down")) == [127]
    assert codes(cu.cast([1.25], "float8e8m0", round_mode="nearest")) == [127]
    for bad in [None, "UP", "", "ceil", 1, b"up", ["up"]]:
        for to in ["float8e8m0", "float32", "int4"]:
            with pytest.raises(ValueError, match="round_mode must be 'up', 'down' or 'nearest'"):
                cu.cast(X, to, round_mode=bad)


def test_attributes_are_accepted_where_they_mean_nothing():
    for to in ["int8", "float32", "bfloat16", "bool", "float4e2m1"]:
        default = codes(cu.cast(X, to))
        assert codes(cu.cast(X, to, saturate=False, round_mode="down")) == default
    assert codes(cu.cast([3.0], "float8e5m2", round_mode="down")) == codes(
        cu.cast([3.0], "float8e5m2"))  # fmt: skip


def test_result_has_the_shape_and_order_of_x():
    for x in [X, X.T, X[:, ::2], X[::-1], X[:0], np.float32(3), 3.0, [1.0, 2.0], ((1,), (2,))]:
        result = cu.cast(x, "bfloat16")
        assert type(result) is np.ndarray
        assert result.shape == np.shape(x)
    assert cu.cast(np.asfortranarray(X), "int8").flags.f_contiguous
    assert cu.cast(X, "int8").flags.c_contiguous
    assert cu.cast(X.T, "int8").flags.f_contiguous


def test_out_is_filled_and_returned():
    for out in [np.empty((2, 3), cu.int4), np.empty((3, 2), cu.int4).T,
                np.empty((4, 3), cu.int4)[::2], np.empty((2, 3), ml_dtypes.int4)]:  # fmt: skip
        assert cu.cast(X, "int4", out=out) is out
        assert codes(out.astype("i1")) == codes(cu.cast(X, "int4").astype("i1"))
    assert cu.cast(X, ml_dtypes.int4, out=np.empty((2, 3), cu.int4)).dtype == cu.int4
    broad = np.empty((4, 2, 3), cu.bfloat16)
    cu.cast(X, "bfloat16", out=broad)
    assert (broad.view("u2") == cu.cast(X, "bfloat16").view("u2")).all()


def test_out_that_does_not_fit_is_refused_and_left_alone():
    for out, words in [
        (np.zeros((2, 3), np.int8), "out has dtype int8, the result has castufunc.int4"),
        (np.zeros((2, 3), cu.uint4), "out has dtype castufunc.uint4"),
        ([0] * 6, "out must be an array, not list"),
        ((np.zeros((2, 3), cu.int4),), "out must be an array, not tuple"),
        (0, "out must be an array, not int"),
    ]:
        with pytest.raises(TypeError, match=words):
            cu.cast(X, "int4", out=out)
        assert not np.any(np.asarray(out).astype(bool))
    with pytest.raises(TypeError, match="out has dtype >f8, the result has float64"):
        cu.cast(X, "float64", out=np.zeros((2, 3), f"{SWAPPED}f8"))
    read_only = np.zeros((2, 3), cu.int4)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        cu.cast(X, "int4", out=read_only)
    for shape in [(3,), (2, 2), (3, 2), ()]:
        out = np.zeros(shape, cu.int4)
        with pytest.raises(ValueError, match="shape"):
            cu.cast(X, "int4", out=out)
        assert not out.any()


def test_where_casts_only_there():
    for mask in [np.array([[True, False, True], [False, True, True]]), [True, False, True], False]:
        out = np.full((2, 3), -8, cu.int4)
        assert cu.cast(X, "int4", out=out, where=mask) is out
        expected = np.where(mask, cu.cast(X, "int4").astype("i1"), -8)
        assert out.astype("i1").tolist() == expected.tolist()
    out = np.zeros((2, 3), cu.int4)
    cu.cast(X.tolist(), "int4", out=out, where=[True, False, True])
    assert out.astype(bool).any()
    objects = np.array([1, 2, 3], object)
    with pytest.raises(TypeError, match="where is not taken with text"):
        cu.cast(objects, "int4", out=np.zeros(3, cu.int4), where=[True, False, True])


def test_where_needs_out_and_a_mask():
    for mask in [[True, False, True], False, np.ones((2, 3), bool)]:
        with pytest.raises(ValueError, match="where needs out"):
            cu.cast(X, "int4", where=mask)
    with pytest.raises(ValueError, match="broadcast"):
        cu.cast(X, "int4", where=[True, False], out=np.zeros((2, 3), cu.int4))
    for bad in ["yes", [1, 0, 1], np.ones(3), None, cu.int4(1)]:
        with pytest.raises(TypeError, match="where must be an array of bool, not of"):
            cu.cast(X, "int4", where=bad, out=np.zeros((2, 3), cu.int4))


@pytest.mark.parametrize(
    "bad", [np.array(["2000"], "M8[Y]"), np.zeros(2, [("a", "i4")]), [1j],
            np.zeros(2, np.clongdouble), np.zeros(1, "V3")],
    ids=repr)  # fmt: skip
def test_sources_that_are_no_numbers_are_named(bad):
    with pytest.raises(TypeError, match="cannot cast from dtype "):
        cu.cast(bad, "int4")


def test_complex_and_longdouble_are_no_targets():
    for to in ["complex64", np.complex128, np.longdouble, np.clongdouble]:
        with pytest.raises(TypeError, match="no target of ONNX's Cast"):
            cu.cast(X, to)


def test_wrong_calls():
    with pytest.raises(TypeError):
        cu.cast(X)
    with pytest.raises(TypeError):
        cu.cast(X, "int4", True)
    with pytest.raises(TypeError):
        cu.cast(X, "int4", mode="up")


def test_cast_like_takes_the_dtype_of_target():
    for target, dtype in [
        (np.zeros((7, 0), cu.float8e5m2), cu.float8e5m2), (np.zeros(2, f"{SWAPPED}i8"), np.int64),
        (cu.int4(3), cu.int4), (1.5, np.float64), ([1, 2], np.int64), (True, np.bool_),
        (np.zeros(1, ml_dtypes.int4), ml_dtypes.int4), (np.float16(0), np.float16),
    ]:  # fmt: skip
        result = cu.cast_like(X, target)
        assert result.dtype == np.dtype(dtype)
        assert result.dtype.isnative
        assert codes(result) == codes(cu.cast(X, dtype))


def test_cast_like_never_looks_at_the_data_of_target():
    class OnlyDtype:
        dtype = np.dtype(cu.int4)

        def __array__(self, *arguments, **keywords):
            raise AssertionError("looked at")

    assert cu.cast_like([1.0], OnlyDtype()).dtype == cu.int4


def test_cast_like_honours_all_arguments():
    target = np.zeros(0, cu.float8e8m0)
    assert codes(cu.cast_like([1.25], target, round_mode="down")) == [127]
    assert codes(cu.cast_like([0.0], target, saturate=False)) == [255]
    out = np.ones(2, cu.float8e8m0)
    assert cu.cast_like([4.0, 4.0], target, out=out, where=[False, True]) is out
    assert out.tolist() == [1.0, 4.0]


def test_cast_like_refuses_types():
    for bad in [np.float32, np.dtype("f4"), cu.int4, cu.int4.dtype, float]:
        with pytest.raises(TypeError, match="target must be an array or a scalar, not"):
            cu.cast_like(X, bad)
    for bad in [np.datetime64("2000"), np.zeros(1, "V3")]:
        with pytest.raises(TypeError, match="allowed are"):
            cu.cast_like(X, bad)


def test_objects_are_cast_one_by_one():
    items = [1, 2.5, True, 2**100, -(2**100) - 1, np.float32(3), np.uint64(2**63), cu.int4(-3),
             ml_dtypes.bfloat16(1.5), np.longdouble(2), np.array(4), 10**400, -0.0]  # fmt: skip
    array = np.empty((13,), object)
    array[:] = items
    for to in ["bfloat16", "int4", "float32", "uint64", "bool", "float8e4m3fn", "float64"]:
        result = cu.cast(array, to, saturate=False)
        scalars = [cu.cast(np.asarray(item), to, saturate=False) for item in items
                   if not isinstance(item, int) or abs(item) < 2**63]  # fmt: skip
        small = [not isinstance(item, int) or abs(item) < 2**63 for item in items]
        assert codes(result[small]) == [codes(scalar) for scalar in scalars]
    assert cu.cast(array, "uint64")[3:5].tolist() == [0, 2**64 - 1]
    assert cu.cast(array, "float32")[11] == np.inf
    assert cu.cast([2**100, 1], "float32").tolist() == [2.0**100, 1.0]


@pytest.mark.parametrize("thing", [None, 1j, np.complex64(1), [], object()], ids=repr)
def test_an_object_that_is_no_number_is_told_with_its_index(thing):
    line = np.empty(5, object)
    line[:] = 1
    line[3] = thing
    out = np.zeros(5, cu.int4)
    with pytest.raises(TypeError, match=r"of type int4 of .*, at index 3$"):
        cu.cast(line, "int4", out=out)
    assert not out.any()
    square = np.empty((2, 3), object)
    square[:] = 1
    square[1, 2] = thing
    with pytest.raises(TypeError, match=r"at index \(1, 2\)$"):
        cu.cast(square, "float32")
    with pytest.raises(TypeError, match=r"at index \(2, 1\)$"):
        cu.cast(square.T, "float32")
    zero = np.empty((), object)
    zero[()] = thing
    with pytest.raises(TypeError, match=r"at index \(\)$"):
        cu.cast(zero, "float32")
