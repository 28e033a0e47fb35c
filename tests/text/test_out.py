"""`out=` with text on either side."""

import numpy as np
import pytest

import castufunc
from byte_order import SWAPPED
from exactness.harness import codes_of
from oracle import OURS

from .containers import CONTAINERS, STRING, array_of_texts, every_container, texts_of

NUMBERS = np.array([[1.5, -2, 448], [0.25, 1, 0]], np.float32)
TEXTS = ["1.5", "-2", "448", "0.25", "1", "0"]


def destinations(container):
    make = {"object": object, "U": "U12", "S": "S12", "StringDType": STRING}[container]
    yield np.zeros((2, 3), make)
    yield np.zeros((3, 2), make).T
    yield np.zeros((4, 6), make)[::2, ::-2]


@every_container
def test_text_out(container):
    for numbers in NUMBERS, NUMBERS.T.copy().T, castufunc.cast(NUMBERS, "float8e4m3fn"):
        for out in destinations(container):
            assert castufunc.cast(numbers, CONTAINERS[container], out=out) is out
            assert texts_of(out) == TEXTS
    for source in CONTAINERS:
        texts = array_of_texts(source, TEXTS).reshape(2, 3)
        for out in destinations(container):
            assert castufunc.cast(texts, CONTAINERS[container], out=out) is out
            assert texts_of(out) == TEXTS


@every_container
def test_number_out(container):
    texts = array_of_texts(container, TEXTS).reshape(2, 3)
    for name in "float64", "int8", *OURS:
        dtype = castufunc.dtype(name)
        expected = codes_of(castufunc.cast(texts, name)).tolist()
        large = np.zeros((4, 6), dtype)
        for out in np.zeros((2, 3), dtype), np.zeros((3, 2), dtype).T, large[::2, ::2]:
            assert castufunc.cast(texts, name, out=out) is out
            assert codes_of(out).tolist() == expected
        if name in OURS:
            out = castufunc.to_ml_dtypes(np.zeros((2, 3), dtype))
            assert castufunc.cast(texts, name, out=out) is out
            assert codes_of(out).tolist() == expected


def test_objects_in_place():
    array = np.array([1, "2", 2.5, b"x"], object)
    assert castufunc.cast(array, "string", out=array) is array
    assert array.tolist() == ["1", "2", "2.5", "x"]


def test_out_is_broadcast_to():
    out = np.zeros((2, 2), "U5")
    castufunc.cast([1.5, 2], "U", out=out)
    assert out.tolist() == [["1.5", "2"]] * 2
    codes = np.zeros((2, 2), castufunc.int4)
    castufunc.cast(["1", "2"], "int4", out=codes)
    assert codes.tolist() == [[1, 2]] * 2


def test_out_keeps_its_string_dtype():
    dtype = np.dtypes.StringDType(na_object=None, coerce=False)
    out = np.empty(6, dtype)
    castufunc.cast(NUMBERS.ravel(), STRING, out=out)
    assert out.dtype == dtype
    assert texts_of(out) == TEXTS


def test_what_does_not_fit_is_refused():
    for to, out in [
        ("string", np.zeros(2, "U9")),
        ("string", np.zeros(2, STRING)),
        ("U", np.zeros(2, object)),
        ("U", np.zeros(2, "S9")),
        ("S", np.zeros(2, "U9")),
        (STRING, np.zeros(2, "U9")),
        ("string", np.zeros(2)),
        ("U", np.zeros(2, f"{SWAPPED}U9")),
    ]:
        for x in [1, 2], ["1", "2"]:
            with pytest.raises(TypeError, match="out has dtype"):
                castufunc.cast(x, to, out=out)
    for to in CONTAINERS.values():
        with pytest.raises(TypeError, match="out must be an array, not list"):
            castufunc.cast([1, 2], to, out=[1, 2])
    for x, to, out in [([1, 2], "U", np.zeros(2, "U9")), (["1", "2"], "int8", np.zeros(2, "i1")),
                       (["1", "2"], "string", np.zeros(2, object))]:  # fmt: skip
        out.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            castufunc.cast(x, to, out=out)
    for x, to, out in [([1, 2], "U", np.zeros(3, "U9")),
                       (["1", "2"], "int8", np.zeros((2, 3), "i1")),
                       ([[1], [2]], "string", np.zeros(2, object))]:  # fmt: skip
        with pytest.raises(ValueError, match="broadcast"):
            castufunc.cast(x, to, out=out)
    with pytest.raises(TypeError, match="no second conversion"):
        castufunc.cast(["1", "2"], "int8", out=np.zeros(2, "u1"))


def test_cast_like_takes_the_container():
    """Of U and S only the kind: the width is that of the numbers."""
    for dtype, shape in [(object, 0), ("U20", (2, 3)), ("S1", 1), (STRING, (0, 2))]:
        target = np.zeros(shape, dtype)
        got = castufunc.cast_like(NUMBERS, target)
        assert got.dtype.kind == target.dtype.kind
        assert got.dtype.kind in "US" or got.dtype == target.dtype
        assert got.shape == NUMBERS.shape
        assert texts_of(got) == TEXTS
    for container in CONTAINERS:
        texts = array_of_texts(container, TEXTS)
        got = castufunc.cast_like(texts, castufunc.float8e5m2(0), saturate=False)
        expected = castufunc.cast(NUMBERS.ravel(), "float8e5m2", saturate=False)
        assert codes_of(got).tolist() == codes_of(expected).tolist()
