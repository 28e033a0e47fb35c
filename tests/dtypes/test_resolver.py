"""castufunc.dtype: every form of a target, and a clear refusal of the rest."""

import ml_dtypes
import numpy as np
import onnx_numbers
import pytest

import castufunc as cu


@pytest.mark.parametrize("name", onnx_numbers.NUMBERS)
def test_onnx_names_and_numbers(name):
    number = onnx_numbers.NUMBERS[name]
    expected = np.dtype(getattr(cu, name, None) or {"float": "f4", "double": "f8"}.get(name, name))
    assert cu.dtype(number) == expected
    assert cu.dtype(np.int64(number)) == expected
    assert cu.dtype(f"tensor({name})") == expected
    assert cu.dtype(f"TENSOR({name.upper()})") == expected
    if name != "float":
        assert cu.dtype(name) == cu.dtype(name.upper()) == cu.dtype(name.title()) == expected


@pytest.mark.parametrize("info", cu.FORMATS.values(), ids=lambda info: info.name)
def test_own_and_ml_dtypes_forms(info):
    twin = getattr(ml_dtypes, info.ml_dtypes)
    for own in [info.type, info.dtype, info.name, f"castufunc.{info.name}", info.ml_dtypes]:
        assert cu.dtype(own) is info.dtype
    for theirs in [twin, np.dtype(twin)]:
        assert cu.dtype(theirs) is np.dtype(twin)
        assert cu.cast([1.0], theirs).dtype is np.dtype(twin)


@pytest.mark.parametrize("info", cu.FORMATS.values(), ids=lambda info: info.name)
def test_names_in_numpy(info):
    """ONNX's name alone is this package's where it is nobody else's."""
    twin = getattr(ml_dtypes, info.ml_dtypes)
    assert np.dtype(f"castufunc.{info.name}") is info.dtype
    assert np.dtype(info.ml_dtypes) == np.dtype(twin)
    assert np.ones(1).astype(info.name).dtype == np.dtype(
        info.type if info.name != info.ml_dtypes else twin
    )


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (np.float32, "f4"), ("float32", "f4"), ("single", "f4"), ("<f4", "f4"), (">f4", "f4"),
        (np.dtype(">i8"), "i8"), (np.intc, "i4"), (np.longlong, "i8"), ("long", "i8"),
        (np.ulonglong, "u8"), (bool, "?"), (int, "i8"), (float, "f8"), ("half", "f2"),
        (np.bool_, "?"), ("?", "?"), (np.complex64, "c8"), ("longdouble", "g"),
        (ml_dtypes.float8_e3m4, ml_dtypes.float8_e3m4),
    ],
)  # fmt: skip
def test_numpy_forms(to, expected):
    found = cu.dtype(to)
    assert found == np.dtype(expected)
    assert found.isnative
    assert found.num == np.dtype(expected).num


@pytest.mark.parametrize(
    "bad",
    [None, True, False, np.True_, 0, 99, -1, 1.0, "", "float9", "e5m2", b"float32", "M8[s]",
     "float8_e3m4", np.dtype("V4"), np.dtype([("a", "i4")]), np.zeros(2), [],
     {}, np.generic, np.inexact],
    ids=repr)  # fmt: skip
def test_anything_else_is_a_type_error(bad):
    with pytest.raises(TypeError, match="allowed are"):
        cu.dtype(bad)
    with pytest.raises(TypeError, match="allowed are"):
        cu.cast([1.0], bad)


def test_float_is_ambiguous():
    for name in ["float", "FLOAT", "Float"]:
        with pytest.raises(TypeError, match="ambiguous"):
            cu.dtype(name)


def test_text():
    for to in ["string", "STRING", "tensor(string)", 8, str, object, np.object_, "O", "object"]:
        assert cu.dtype(to) == np.dtype(object)
    for to, expected in [("U", "U"), ("U5", "U5"), (">U5", "U5"), ("<U5", "U5"),
                         (np.str_, "U"), ("S3", "S3"), (bytes, "S"), ("str", "U")]:  # fmt: skip
        assert cu.dtype(to) == np.dtype(expected)
    assert cu.dtype(np.dtypes.StringDType()) == np.dtypes.StringDType()
