"""Arrays of text of every container, byte order, shape and layout; and from text to text."""

from itertools import product

import numpy as np
import pytest

import castufunc
from byte_order import SWAPPED
from exactness.harness import codes_of
from oracle import OURS

from .containers import CONTAINERS, STRING, array_of_texts, every_container, kind_of, texts_of
from .decimals import codes_of_texts

TEXTS = [["1.5", "-2", "inf"], ["4e2", ".5", "-0"], ["100", "7", "1e-3"], ["0.1", "nan", "3"]]
FLAT = [text for row in TEXTS for text in row]

LAYOUTS = {
    "whole": lambda x: x,
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-1],
    "strided": lambda x: x[::2, ::2],
    "column": lambda x: x[:, 1],
    "row": lambda x: x[1],
    "broadcast": lambda x: np.broadcast_to(x[:1], (5, 3)),
    "fortran": np.asfortranarray,
    "0-d": lambda x: x[1, 1, ...],
    "empty": lambda x: x[:0],
    "empty column": lambda x: x[:, :0].T,
    "3-d": lambda x: x.reshape(2, 3, 2).transpose(2, 0, 1),
}
every_layout = pytest.mark.parametrize("layout", LAYOUTS)


@every_layout
@every_container
def test_parse(container, layout):
    texts = LAYOUTS[layout](array_of_texts(container, TEXTS))
    flat = texts_of(texts)
    for name in "float64", "float32", "int32", "bool", *OURS:
        expected = codes_of_texts(name, flat).reshape(texts.shape)
        results = [castufunc.cast(texts, name)]
        if name in OURS:
            results.append(texts.astype(getattr(castufunc, name)))
        for got in results:
            assert got.dtype == castufunc.dtype(name)
            assert got.shape == texts.shape
            assert codes_of(got).tolist() == expected.tolist()


@every_layout
@every_container
def test_print(container, layout):
    for name in "float64", "float32", "int16", *OURS:
        array = castufunc.cast(np.array(TEXTS), name)
        whole = castufunc.cast(array, "string")
        numbers, expected = LAYOUTS[layout](array), LAYOUTS[layout](whole)
        results = [castufunc.cast(numbers, CONTAINERS[container])]
        if name in OURS and container != "object":
            results.append(numbers.astype(CONTAINERS[container]))
        for got in results:
            assert type(got) is np.ndarray
            assert got.dtype.kind == kind_of(container)
            assert got.shape == numbers.shape
            assert texts_of(got) == texts_of(expected)


@pytest.mark.parametrize("layout", ["whole", "transposed", "strided", "row", "0-d"])
def test_swapped(layout):
    texts = LAYOUTS[layout](np.array(TEXTS).astype(np.array(TEXTS).dtype.newbyteorder()))
    native = texts.astype(texts.dtype.newbyteorder("="))
    for name in "float32", "int16", *OURS:
        dtype = castufunc.dtype(name)
        expected = codes_of(castufunc.cast(native, name)).tolist()
        assert codes_of(castufunc.cast(texts, name)).tolist() == expected
        if name in OURS:
            assert codes_of(texts.astype(dtype)).tolist() == expected
            numbers = castufunc.cast(texts, name)
            printed = numbers.astype(f"{SWAPPED}U30")
            assert printed.dtype == f"{SWAPPED}U30"
            assert (printed == castufunc.cast(numbers, "U")).all()
    # A result is in native order, whatever is asked for.
    for x in texts, [1.5]:
        assert castufunc.cast(x, f"{SWAPPED}U30").dtype == "=U30"


def test_swapped_numbers():
    numbers = np.array([1.5, -2, 1e300, 0.1])
    whole = np.array([1, -2, 10**15])
    for array in numbers, whole:
        swapped = array.astype(array.dtype.newbyteorder())
        for to in CONTAINERS.values():
            got, expected = castufunc.cast(swapped, to), castufunc.cast(array, to)
            assert texts_of(got) == texts_of(expected)


def test_unaligned():
    fields = np.zeros(5, [("pad", "u1"), ("text", "U5"), ("number", castufunc.bfloat16)])
    fields["text"] = ["1", "2.5", "-3", "4e1", "inf"]
    assert castufunc.cast(fields["text"], "float32").tolist() == [1, 2.5, -3, 40, np.inf]
    fields["number"] = fields["text"].astype(castufunc.bfloat16)
    assert fields["number"].tolist() == [1, 2.5, -3, 40, np.inf]
    fields["text"] = fields["number"].astype("U5")
    assert fields["text"].tolist() == ["1", "2.5", "-3", "40", "INF"]


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 512, 5000])
@every_container
def test_sizes(container, size):
    """Texts are read and written some hundreds at a time."""
    numbers = np.arange(size) * 3 - 100
    texts = castufunc.cast(numbers, CONTAINERS[container])
    assert texts_of(texts) == [str(n) for n in numbers.tolist()]
    assert castufunc.cast(texts, "int64").tolist() == numbers.tolist()
    small = castufunc.cast(texts, "int4")
    assert codes_of(small).tolist() == (numbers & 15).tolist()
    again = castufunc.cast(small[::-1], CONTAINERS[container])
    assert texts_of(again) == [str(n) for n in small[::-1].tolist()]


def test_long_and_short_texts_in_one_array():
    """A StringDType keeps short texts in the element, middling ones beside, long ones apart."""
    texts = [f"{'0' * n}1.5" for n in (0, 5, 10, 14, 15, 16, 200, 251, 252, 253, 254, 255, 256, 300,
                                       3, 5000, 1)]  # fmt: skip
    for container in CONTAINERS:
        array = array_of_texts(container, texts)
        assert castufunc.cast(array, "float8e5m2").tolist() == [1.5] * len(texts)
    shorter = array_of_texts("StringDType", texts)
    shorter[:] = castufunc.cast(np.arange(len(texts)), STRING)
    assert castufunc.cast(shorter, "int32").tolist() == list(range(len(texts)))


# --- text to text ---------------------------------------------------------------------------

WORDS = ["a", "", "1.50", " padded ", "no number", "tab\tand\nline", "x" * 300]
BEYOND_ASCII = ["é", "漢字", "\U0001f600", "²"]


@pytest.mark.parametrize(("container", "to"), list(product(CONTAINERS, CONTAINERS)))
def test_text_to_text_is_unchanged(container, to):
    texts = WORDS if "S" in (container, to) else WORDS + BEYOND_ASCII
    array = array_of_texts(container, texts)
    got = castufunc.cast(array, CONTAINERS[to])
    assert got.dtype.kind == kind_of(to)
    assert texts_of(got) == texts
    assert got is not array
    columns = array[:6].reshape(2, 3).T
    got = castufunc.cast(columns, CONTAINERS[to])
    assert got.shape == (3, 2)
    assert texts_of(got) == texts_of(columns)
    assert castufunc.cast(array[:0], CONTAINERS[to]).shape == (0,)
    assert texts_of(castufunc.cast(array[2, ...], CONTAINERS[to])) == ["1.50"]


@pytest.mark.parametrize("container", ["object", "U", "StringDType"])
def test_what_is_not_ascii_cannot_be_bytes(container):
    for text in BEYOND_ASCII:
        with pytest.raises(UnicodeError):
            castufunc.cast(array_of_texts(container, ["a", text]), "S")


@pytest.mark.parametrize("to", ["string", "U", STRING], ids=str)
def test_bytes_that_are_not_ascii_are_no_text(to):
    for array in np.array([b"a", b"1\xff"]), np.array([b"a", b"\xc3\xa9"], object):
        with pytest.raises(ValueError, match=r"ascii.*index 1"):
            castufunc.cast(array, to)


def test_width_is_that_of_the_longest_text():
    assert castufunc.cast(["a", "abc"], "S").dtype == "S3"
    assert castufunc.cast(np.array(["a", "abc"], object), "U").dtype == "U3"
    assert castufunc.cast(np.array(["abc"], STRING), "U5").dtype == "U5"


@every_container
def test_too_narrow_for_a_text(container):
    array = array_of_texts(container, [["a", "ab"], ["abc", "abcd"]])
    for to in "U3", "S3":
        with pytest.raises(ValueError, match=rf"'abcd' does not fit in {to}, at index \(1, 1\)"):
            castufunc.cast(array, to)
        assert texts_of(castufunc.cast(array[:, :1], to)) == ["a", "abc"]


@pytest.mark.parametrize("kind", [np.memmap, np.matrix, np.recarray], ids=lambda k: k.__name__)
def test_subclasses(kind, tmp_path):
    """A file of texts, mapped into memory, is an array of texts like any other."""
    if kind is np.memmap:
        array = np.memmap(tmp_path / "texts", "S4", "w+", shape=(1, 2))
    else:
        array = np.zeros((1, 2), "U4").view(kind)
    array[...] = np.array([["1.5", "2"]], array.dtype)
    assert castufunc.cast(array, "int8").tolist() == [[1, 2]]
    assert castufunc.cast(array, "string").tolist() == [["1.5", "2"]]
    assert array.astype(castufunc.bfloat16).tolist() == [[1.5, 2]]
