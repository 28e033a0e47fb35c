"""Large arrays of text: found faults, inputs left alone, and memory given back."""

import gc
import sys
import tracemalloc

import numpy as np
import pytest

import castufunc
from exactness.harness import codes_of

from .containers import CONTAINERS, STRING, array_of_texts, every_container, texts_of

MILLION = 1_000_000
AT = MILLION - 3


def million(container):
    numbers = np.arange(MILLION) % 1000
    dtype = {"U": "U4", "S": "S4", "object": object, "StringDType": STRING}[container]
    return castufunc.cast(numbers, dtype)


@every_container
def test_bad_text_in_a_million(container):
    texts = million(container)
    texts[AT] = "1x"
    before = texts.copy()
    for name in "float32", "float8e5m2", "int4":
        with pytest.raises(ValueError, match=f"cannot read b?'1x' as {name}, at index {AT}$"):
            castufunc.cast(texts, name)
    with pytest.raises(ValueError, match=r"cannot read b?'1x' as float8e5m2$"):
        texts.astype(castufunc.float8e5m2)
    out = np.zeros(MILLION, np.int16)
    with pytest.raises(ValueError, match=f"at index {AT}$"):
        castufunc.cast(texts, "int16", out=out)
    assert (texts == before).all()
    texts[AT] = "7"
    assert castufunc.cast(texts, "int16", out=out)[AT] == 7
    assert (out[:AT] == np.arange(AT) % 1000).all()


def test_bad_object_in_a_million():
    texts = million("object")
    texts[AT] = None
    before = texts.copy()
    with pytest.raises(TypeError, match=f"NoneType, at index {AT}$"):
        castufunc.cast(texts, "float32")
    with pytest.raises(TypeError, match=f"NoneType, at index {AT}$"):
        castufunc.cast(texts, "string")
    assert all(a is b for a, b in zip(texts, before, strict=True))


def test_number_that_does_not_fit_in_a_million():
    numbers = np.ones(MILLION, np.float32)
    numbers[AT] = 0.123
    before = numbers.copy()
    for to in "U4", "S4":
        with pytest.raises(ValueError, match=f"the text '0.123' .* {to}, at index {AT}$"):
            castufunc.cast(numbers, to)
        with pytest.raises(ValueError, match=f"does not fit in {to}$"):
            castufunc.cast(numbers, "bfloat16").astype(to)
    assert (numbers == before).all()


def growth(call, rounds=8):
    """How much more memory is held after some more calls of the same kind."""
    call()
    tracemalloc.start()
    try:
        call()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(rounds):
            call()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


COUNT = 8_000
# Long enough for memory of its own in a StringDType, and for a buffer beyond the first in U.
LONG = "0" * 400 + "1"


def calls(container):
    texts = array_of_texts(container, ["1.5", "-2", "3e1", LONG] * (COUNT // 4))
    bad = texts.copy()
    bad[-1] = LONG[:-1] + "x"
    numbers = np.arange(COUNT) % 777 / 8
    own = castufunc.cast(numbers, "bfloat16")
    to = CONTAINERS[container]

    def refused(call):
        # pytest.raises would keep the exception until the next collection.
        try:
            call()
        except ValueError:
            return
        raise AssertionError("not refused")

    yield lambda: castufunc.cast(texts, "float32")
    yield lambda: castufunc.cast(texts, "int4")
    yield lambda: texts.astype(castufunc.bfloat16)
    yield lambda: refused(lambda: castufunc.cast(bad, "float32"))
    yield lambda: refused(lambda: bad.astype(castufunc.bfloat16))
    yield lambda: castufunc.cast(numbers, to)
    yield lambda: castufunc.cast(own, to)
    yield lambda: own.astype(to)
    yield lambda: castufunc.cast(texts, to)
    for other in CONTAINERS.values():
        yield lambda other=other: castufunc.cast(texts, other)
    if container in "US":
        yield lambda: refused(lambda: castufunc.cast(numbers, f"{container}2"))
        yield lambda: refused(lambda: own.astype(f"{container}2"))
    out = castufunc.cast(numbers, f"{container}9" if container in "US" else to)
    yield lambda: castufunc.cast(numbers, out.dtype, out=out)
    yield lambda: castufunc.cast(own, out.dtype, out=out)


@every_container
def test_no_memory_is_kept(container):
    for i, call in enumerate(calls(container)):
        # An array of one byte an element would be COUNT.
        assert growth(call) < COUNT, f"call {i}"


def test_objects_are_not_kept():
    """References to the items, to strings that are made, and to dtypes."""
    word, number = "1234.5678", 98765432109876543210
    items = np.array([word, number, word, 2.5, b"17"], object)
    bad = np.array([word, number, object()], object)
    string = np.dtypes.StringDType()
    texts = np.array([word], string)

    def calls():
        castufunc.cast(items, "float32")
        castufunc.cast(items, "string")
        castufunc.cast(items[:2], string)
        castufunc.cast(texts, "string")
        castufunc.cast(texts, "float8e5m2")
        castufunc.cast([1.5], string)
        np.array([1.5], castufunc.bfloat16).astype(string)
        texts.astype(castufunc.bfloat16)
        np.array([word, 2.5], object).astype(castufunc.int4)
        for to in "float32", "string":
            with pytest.raises(TypeError):
                castufunc.cast(bad, to)
        with pytest.raises(ValueError, match="cannot read"):
            castufunc.cast(np.array(["x" + word], object), "int8")
        with pytest.raises(ValueError, match="does not fit"):
            castufunc.cast([1000], "U2")

    counted = [word, number, string, np.dtype(object), bad[2], castufunc.dtype("bfloat16"), None]
    calls()
    before = [sys.getrefcount(item) for item in counted]
    for _ in range(100):
        calls()
    after = [sys.getrefcount(item) for item in counted]
    assert all(b - a < 50 for a, b in zip(before, after, strict=True)), (before, after)


def test_results_do_not_share_strings_memory():
    """A result outlives its source, and the source its result."""
    numbers = castufunc.cast(np.arange(1000), "bfloat16")
    texts = numbers.astype(STRING)
    expected = castufunc.cast(numbers, "string").tolist()
    copies = [castufunc.cast(texts, STRING), castufunc.cast(texts, "string")]
    texts[:] = "another text, and one that needs memory of its own" * 3
    del texts, numbers
    gc.collect()
    for copy in copies:
        assert texts_of(copy) == expected
        assert codes_of(castufunc.cast(copy, "bfloat16")).size == 1000
