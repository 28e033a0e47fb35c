"""The words of every refusal: which text, which type, which place."""

import numpy as np
import pytest

import castufunc
from oracle import OURS, TYPES

from .containers import CONTAINERS, STRING, array_of_texts, every_container

TARGETS = ["float64", "float32", "int8", "bool", *OURS]


def message(call, exception=ValueError):
    with pytest.raises(exception) as info:
        call()
    assert type(info.value) is exception
    return str(info.value)


@every_container
def test_text_type_and_index(container):
    prefix = "b" if container == "S" else ""
    for name in TARGETS:
        texts = array_of_texts(container, ["1", "2", "1abc", "3", "x"])
        told = message(lambda texts=texts, name=name: castufunc.cast(texts, name))
        assert told == f"cannot read {prefix}'1abc' as {name}, at index 2"
        if name in OURS:
            dtype = castufunc.dtype(name)
            told = message(lambda texts=texts, dtype=dtype: texts.astype(dtype))
            assert told == f"cannot read {prefix}'1abc' as {name}"


@every_container
def test_a_text_is_shortened_to_40_characters(container):
    prefix = "b" if container == "S" else ""
    for length, shown in [(39, "x" * 39), (40, "x" * 40), (41, "x" * 40), (1000, "x" * 40)]:
        texts = array_of_texts(container, ["x" * length])
        dots = "..." if length > 40 else ""
        told = message(lambda texts=texts: castufunc.cast(texts, "float8e5m2"))
        assert told == f"cannot read {prefix}'{shown}'{dots} as float8e5m2, at index 0"
        told = message(lambda texts=texts: texts.astype(castufunc.int4))
        assert told == f"cannot read {prefix}'{shown}'{dots} as int4"


def test_texts_are_shown_as_python_writes_them():
    for text in ["a\nb", "it's", 'say "x"', "\\", "\x00x", "\x7f", "é", "漢字", "\U0001f600"]:
        texts = np.array(["1", text], object)
        told = message(lambda texts=texts: castufunc.cast(texts, "float32"))
        assert told == f"cannot read {text!r} as float32, at index 1"
        for container in "U", "StringDType":
            texts = array_of_texts(container, ["1", text])
            told = message(lambda texts=texts: castufunc.cast(texts, "float32"))
            assert told == f"cannot read {text!r} as float32, at index 1"
    for text in "\ud800", "1\udcff2":
        for texts in np.array(["1", text], object), np.array(["1", text]):
            told = message(lambda texts=texts: castufunc.cast(texts, "float32"))
            assert told == f"cannot read {text!r} as float32, at index 1"
    told = message(lambda: castufunc.cast(np.array([b"1", b"\xff"]), "float32"))
    assert told == r"cannot read b'\xff' as float32, at index 1"
    # 40 characters, not 40 bytes.
    for container in "object", "U", "StringDType":
        texts = array_of_texts(container, ["漢" * 41])
        told = message(lambda texts=texts: castufunc.cast(texts, "float32"))
        assert told == f"cannot read {'漢' * 40!r}... as float32, at index 0"


@every_container
def test_the_index_is_that_of_the_first_in_c_order(container):
    rows = [["1", "2", "3", "4"], ["5", "6", "x7", "8"], ["9", "x10", "11", "x12"]]
    x = array_of_texts(container, rows)
    for array, index in [
        (x, "(1, 2)"),
        (x.T, "(1, 2)"),
        (x[::-1], "(0, 1)"),
        (x[:, ::-1], "(1, 1)"),
        (x[1:, 2:], "(0, 0)"),
        (x.reshape(-1), "6"),
        (x[1], "2"),
        (x.reshape(2, 1, 2, 3), "(1, 0, 0, 0)"),
        (x[1, 2, ...], "()"),
        (np.broadcast_to(x[2], (3, 4)), "(0, 1)"),
        (np.asfortranarray(x), "(1, 2)"),
    ]:
        for name in "float32", "int4":
            told = message(lambda array=array, name=name: castufunc.cast(array, name))
            assert told.endswith(f" as {name}, at index {index}")


def test_the_index_of_an_empty_text_and_beyond_the_first_block():
    for container in CONTAINERS:
        for at in 0, 1, 255, 256, 257, 999:
            texts = array_of_texts(container, ["1"] * 1000)
            texts[at] = ""
            told = message(lambda texts=texts: castufunc.cast(texts, "int8"))
            assert told.endswith(f"'' as int8, at index {at}")


@pytest.mark.parametrize("missing", [None, float("nan"), "none", object()], ids=repr)
def test_missing_values(missing):
    texts = np.array(["1", "2", missing], np.dtypes.StringDType(na_object=missing))
    for name in TYPES:
        told = message(lambda name=name: castufunc.cast(texts, name))
        assert told == f"cannot read a missing value as {name}, at index 2"
        if name in OURS:
            told = message(lambda name=name: texts.astype(castufunc.dtype(name)))
            assert told == f"cannot read a missing value as {name}"
    square = np.array([["1", missing]], texts.dtype).T
    assert message(lambda: castufunc.cast(square, "int8")).endswith("at index (1, 0)")
    assert castufunc.cast(texts[:2], "int8").tolist() == [1, 2]
    for to in [*CONTAINERS.values(), texts.dtype]:
        told = message(lambda to=to: castufunc.cast(texts, to))
        assert told == "a missing value is no text, at index 2"
    # A result may be of such a dtype: nothing of it is missing.
    printed = castufunc.cast(np.array([1.5, np.nan]), texts.dtype)
    assert printed.dtype == texts.dtype
    assert castufunc.cast(printed, "string").tolist() == ["1.5", "NaN"]


@pytest.mark.parametrize("kind", ["U", "S"])
def test_too_narrow_a_width(kind):
    """A number is never cut off. A cast inside `astype` does not know the index."""
    array = np.array([[1, 2], [1024, 3]], castufunc.bfloat16)
    told = message(lambda: castufunc.cast(array, f"{kind}3"))
    assert told == f"the text '1024' of a bfloat16 does not fit in {kind}3, at index (1, 0)"
    told = message(lambda: array.astype(f"{kind}3"))
    assert told == f"the text '1024' of a bfloat16 does not fit in {kind}3"
    assert castufunc.cast(array, f"{kind}4").dtype == f"{kind}4"
    assert array.astype(f"{kind}4").dtype == f"{kind}4"
    for name, number in [("float32", 0.001), ("int64", -100), ("float64", -np.inf), ("int8", -99)]:
        numbers = castufunc.cast([0, 1, number], name)
        for width in 0, 1, 2:
            if width:
                told = message(lambda n=numbers, w=width: castufunc.cast(n, f"{kind}{w}"))
                assert told.endswith(f"of a {name} does not fit in {kind}{width}, at index 2")
    out = np.zeros(2, f"{kind}3")
    with pytest.raises(ValueError, match=f"does not fit in {kind}3, at index 1"):
        castufunc.cast([1, 1.25], kind, out=out)
    with pytest.raises(ValueError, match=f"does not fit in {kind}3"):
        np.zeros(2, f"{kind}3")[:] = array[1]


def test_arguments():
    for texts in np.array(["1"]), np.array(["1"], object), np.array(["1"], STRING):
        for call in (
            lambda texts=texts: castufunc.cast(texts, "int8", out=np.zeros(1, "i1"), where=[True]),
            lambda texts=texts: castufunc.cast(texts, "U", out=np.zeros(1, "U3"), where=[True]),
            lambda: castufunc.cast([1], "string", out=np.zeros(1, object), where=[True]),
        ):
            assert message(call, TypeError) == "where is not taken with text"
        for to in "int8", "string", "U":
            with pytest.raises(ValueError, match="round_mode must be"):
                castufunc.cast(texts, to, round_mode="even")
            with pytest.raises(TypeError, match="saturate must be"):
                castufunc.cast(texts, to, saturate=2)
        with pytest.raises(TypeError, match="no target"):
            castufunc.cast(texts, "complex64")
        with pytest.raises(TypeError, match="no target"):
            castufunc.cast(texts, "longdouble")
    for dtype in complex, "M8[s]", "V4", "U1,i4":
        array = np.zeros(1, dtype)
        for to in CONTAINERS.values():
            with pytest.raises(TypeError, match="cannot cast from dtype"):
                castufunc.cast(array, to)
    with pytest.raises(TypeError):
        castufunc.bit_cast(np.array(["1"]), "float32")
    with pytest.raises(TypeError):
        castufunc.bit_cast(np.zeros(1, np.float32), "string")


def test_scalars():
    for dtype in map(castufunc.dtype, OURS):
        name = str(dtype).removeprefix("castufunc.")
        for call in (
            lambda dtype=dtype: dtype.type("1x"),
            lambda dtype=dtype: np.zeros(2, dtype).fill("1x"),
            lambda dtype=dtype: np.array(["1x"], dtype),
            lambda dtype=dtype: np.array(["1", "1x"], object).astype(dtype),
        ):
            assert message(call) == f"cannot read '1x' as {name}"
        with pytest.raises(ValueError, match=f"cannot read '1x' as {name}"):
            np.zeros(2, dtype)[1] = "1x"
