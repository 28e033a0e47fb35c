"""Arrays of objects: texts, bytes and numbers side by side, and what else is refused."""

import sys
from datetime import date
from decimal import Decimal

import ml_dtypes
import numpy as np
import pytest

import castufunc
from exactness.harness import codes_of
from oracle import OURS, TYPES

from .decimals import codes_of_texts

NAN = float("nan")
INF = float("inf")

# Objects, and the text whose number they are.
NUMBERS = [
    (True, "1"), (False, "0"), (0, "0"), (-3, "-3"), (10**30, "1000000000000000000000000000000"),
    (1.5, "1.5"), (-0.0, "-0"), (0.1, format(Decimal.from_float(0.1), "f")), (NAN, "nan"),
    (-INF, "-inf"), (1e300, str(int(1e300))), (np.True_, "1"), (np.int8(-7), "-7"),
    (np.uint64(2**64 - 1), str(2**64 - 1)), (np.float16(65504), "65504"), (np.float32(2.5), "2.5"),
    (np.float64(-1e6), "-1000000"), (np.longdouble(0.5), "0.5"), (castufunc.int4(-3), "-3"),
    (castufunc.bfloat16(1.0078125), "1.0078125"), (castufunc.float8e8m0(0.25), "0.25"),
    (ml_dtypes.float8_e5m2(-96), "-96"), (ml_dtypes.uint2(3), "3"), (np.array(6, np.int16), "6"),
    ("1.5", "1.5"), (" -3e2\n", "-300"), (np.str_("7"), "7"), (b"2.5", "2.5"),
    (np.bytes_(b"8"), "8"), ("-inf", "-inf"), (b"NaN", "nan"),
]  # fmt: skip
REFUSED = [None, 1j, np.complex64(1), [1], (), {}, object(),
           date.today(), np.datetime64(0, "s"), np.timedelta64(1, "s"), int, np.float32,
           bytearray(b"1"), memoryview(b"1"), np.array([1]), np.array(["1"]), np.void(b"1"),
           range(1), print, Ellipsis, NotImplemented]  # fmt: skip


def objects(items):
    array = np.empty(len(items), object)
    for i, item in enumerate(items):
        array[i] = item
    return array


def expected_codes_of(name):
    return codes_of_texts(name, [text for _, text in NUMBERS]).tolist()


@pytest.mark.parametrize("name", TYPES)
def test_numbers(name):
    got = castufunc.cast(objects([item for item, _ in NUMBERS]), name)
    assert codes_of(got).tolist() == expected_codes_of(name)


@pytest.mark.parametrize("name", OURS)
def test_numbers_by_astype(name):
    """`astype` means the defaults of `cast`."""
    array = objects([item for item, _ in NUMBERS])
    got = array.astype(getattr(castufunc, name))
    assert codes_of(got).tolist() == expected_codes_of(name)


@pytest.mark.parametrize("name", OURS)
def test_texts_by_astype(name):
    texts = ["1.5", " -3e2\n", np.str_("7"), "1e400", "-0", "nan", "1.00390625000000000000000001"]
    expected = codes_of_texts(name, texts).tolist()
    dtype = castufunc.dtype(name)
    for got in objects(texts).astype(dtype), np.array(texts, dtype), np.array(texts).astype(dtype):
        assert codes_of(got).tolist() == expected
    for text, code in zip(texts, expected, strict=True):
        one = np.zeros(3, dtype)
        one[1] = text
        assert codes_of(one)[1] == code
        assert codes_of(np.asarray(dtype.type(text))) == code
        assert codes_of(np.full(2, text, dtype)).tolist() == [code, code]


def test_bytes_are_text_for_scalars_of_numpy_too():
    """np.bytes_ is a NumPy scalar, and what an array of S has for elements."""
    for dtype in map(castufunc.dtype, OURS):
        array = np.zeros(2, dtype)
        array[0] = np.array([b"1.0"])[0]
        assert array[0] == 1
        assert np.array([np.bytes_(b"1")], dtype)[0] == 1


@pytest.mark.parametrize("bad", REFUSED, ids=lambda bad: type(bad).__name__)
def test_anything_else_is_refused(bad):
    array = objects([1, "2", bad, None])
    for name in TYPES:
        with pytest.raises(TypeError, match=r", at index 2$"):
            castufunc.cast(array, name)
    with pytest.raises(TypeError, match=r"cannot make a text of .*, at index 2$"):
        castufunc.cast(array, "string")
    with pytest.raises(TypeError, match=r", at index \(1, 0\)$"):
        castufunc.cast(array.reshape(2, 2), "float32")


@pytest.mark.parametrize("name", OURS)
def test_anything_else_is_refused_by_astype(name):
    """NumPy casts its own scalars, without asking what they are put into."""
    for bad in [bad for bad in REFUSED if not isinstance(bad, (np.complex64, np.void))]:
        with pytest.raises(TypeError):
            objects([1, bad]).astype(getattr(castufunc, name))


def test_bad_texts_among_numbers():
    for bad, shown in [("x", "'x'"), (b"1\xff", r"b'1\\xff'"), ("\xe9", "'é'"), ("", "''")]:
        for name in "float32", "int4", "bool":
            with pytest.raises(ValueError, match=f"cannot read {shown} as {name}, at index 3"):
                castufunc.cast(objects([1, "2", 3.5, bad, None]), name)


def test_texts_and_numbers_in_every_order():
    """Texts wait in a block to be cast together; a number between them must not lose any."""
    rng = np.random.default_rng(0)
    numbers = rng.integers(-100, 100, 5000)
    for share in 0, 0.001, 0.5, 0.999, 1:
        items = [str(n) if rng.random() < share else int(n) for n in numbers]
        for name in "float32", "int16", "float8e4m3fn", "int4":
            got = castufunc.cast(objects(items), name)
            assert codes_of(got).tolist() == codes_of(castufunc.cast(numbers, name)).tolist()


def test_objects_to_text():
    got = castufunc.cast(objects([item for item, _ in NUMBERS]), "string")
    assert got.dtype == object
    assert {type(text) for text in got} == {str}
    assert got.tolist() == [
        "1", "0", "0", "-3", "1" + "0" * 30, "1.5", "-0", "0.1", "NaN", "-INF", "1e+300", "1", "-7",
        str(2**64 - 1), "65504", "2.5", "-1000000", "0.5", "-3", "1.0078125", "0.25", "-96", "3",
        "6", "1.5", " -3e2\n", "7", "2.5", "8", "-inf", "NaN",
    ]  # fmt: skip


class Whole(int):
    def __str__(self):
        return "not this"

    __repr__ = __str__


class Real(float):
    def __str__(self):
        return "not this"

    __repr__ = __str__


class Word(str):
    __slots__ = ()


def test_subclasses_are_taken_by_their_value():
    array = objects([Whole(3), Real(1.5), Word("2.5")])
    assert castufunc.cast(array, "float32").tolist() == [3, 1.5, 2.5]
    for item, text in [(Whole(3), "3"), (Word("2.5"), "2.5"), (Real(1.5), "1.5")]:
        got = castufunc.cast(objects([item]), "string").item()
        assert got == text
        assert type(got) is str


def test_numbers_of_any_length():
    """Integers beyond Python's limit for printing are numbers too."""
    digits = sys.get_int_max_str_digits() + 100 if sys.get_int_max_str_digits() else 5000
    array = objects([10**digits + 3, -(10**digits) - 3])
    assert castufunc.cast(array, "uint8").tolist() == [3, 253]
    assert castufunc.cast(array, "float32").tolist() == [INF, -INF]
    assert castufunc.cast(array, "string")[0] == "1" + "0" * (digits - 1) + "3"


def test_a_new_array_of_objects_holds_none():
    with pytest.raises(TypeError, match="NoneType, at index 0"):
        castufunc.cast(np.empty(3, object), "float32")


def test_lists_become_what_numpy_makes_of_them():
    assert castufunc.cast(["1.5", "2"], "float32").tolist() == [1.5, 2]
    assert castufunc.cast("1.5", "float32").shape == ()
    assert castufunc.cast(b"1.5", "float32") == 1.5
