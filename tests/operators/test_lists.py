"""Lists and other sequences of numbers: nothing passes through a float64 that is not exact."""

from collections import UserList, deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import castufunc as cu
from exactness.harness import codes_of, every_target
from oracle import Value, encode


def test_both_sides_of_int64():
    """numpy/numpy#16030, #14883, #20905."""
    numbers = [2573020360226874006, 13687853399390180967]
    assert cu.cast(numbers, "uint64").tolist() == numbers
    assert cu.cast([2**64 - 1, 1], "int8").tolist() == [-1, 1]
    assert cu.cast([2**64 - 1, 1], "string").tolist() == ["18446744073709551615", "1"]
    assert cu.cast([2**60 + 2**52 + 1, 0.5], "bfloat16").tolist() == [2.0**60 * 1.0078125, 0.5]
    assert cu.cast_pack([2**64 - 1, -1], "int4").tolist() == [255]
    assert cu.cast_like([2**64 - 1, 1], np.int8(0)).tolist() == [-1, 1]
    packed = cu.PackedArray.from_array([2**64 - 1, -1], "int4")
    assert packed.unpack().tolist() == [-1, -1]


NUMBERS = [2**64 - 1, -1, 2**60 + 2**52 + 1, 0.5, True, 2**53 + 1, -(2**63), 1e300]
FORMS = {
    "list": list,
    "tuple": tuple,
    "nested": lambda numbers: [numbers[:4], tuple(numbers[4:])],
    "deque": deque,
    "user": UserList,
    "users in a list": lambda numbers: [UserList(numbers)],
    "scalars": lambda numbers: [
        np.uint64(x) if isinstance(x, int) and x >= 2**63 else np.array([x])[0] for x in numbers
    ],
    "arrays": lambda numbers: [np.array([x]) for x in numbers],
    "decimals": lambda numbers: [*numbers[:-1], Decimal(numbers[-1])],
}


@every_target
@pytest.mark.parametrize("form", FORMS)
def test_forms(target, form):
    expected = [encode(target, Value(x < 0, abs(Fraction(x)))) for x in NUMBERS]
    got = cu.cast(FORMS[form](NUMBERS), target)
    assert codes_of(got).ravel().tolist() == expected


def test_what_is_exact_stays_an_array_of_numbers():
    """A cast without `to` of its own shows it: no objects for small numbers."""
    for numbers in [1, 2.5], [2**53, -0.5], [[True, 1.5]], [np.float32(1), 2]:
        with pytest.raises(TypeError, match="float"):
            cu.bit_cast(numbers, "int8")


def test_out_and_where():
    out = np.zeros(2, np.int8)
    assert cu.cast([2**64 - 1, 5], "int8", out=out, where=[True, False]) is out
    assert out.tolist() == [-1, 0]
    cu.cast([2**64 - 1, 5], "int8", out=out)
    assert out.tolist() == [-1, 5]
    with pytest.raises(TypeError, match="where is not taken with text"):
        cu.cast([2**64 - 1, "5"], "int8", out=out, where=[True, False])


def test_bit_cast_has_no_type_for_them():
    with pytest.raises(TypeError, match="object"):
        cu.bit_cast([2**64 - 1, 1], "uint64")
    assert cu.bit_cast([2**64 - 1], "int64").tolist() == [-1]


@pytest.mark.parametrize("to", ["float32", "int4", "string"])
def test_masked_elements(to):
    some = np.ma.array([1, 2], mask=[False, True])
    for numbers, index in [([1.5, np.ma.masked], "1"), ([[1], (np.ma.masked,)], r"\(1, 0\)"),
                           ([np.array([3, 4]), some], "1")]:  # fmt: skip
        with pytest.raises(TypeError, match=f"a masked element has no value, at index {index}$"):
            cu.cast(numbers, to)
    assert cu.cast([np.ma.array([1, 2])], "int4").tolist() == [[1, 2]]


def test_lists_that_are_no_array():
    with pytest.raises(ValueError, match="inhomogeneous"):
        cu.cast([[2**64, 1], [0.5]], "int8")
    endless = []
    endless.append(endless)
    with pytest.raises((ValueError, TypeError, RecursionError)):
        cu.cast(endless, "int8")


def test_a_list_that_shrinks_while_it_is_read():
    numbers = [1.0, None, 2.0, 3.0]

    class Shrinks(np.ma.MaskedArray):
        @property
        def mask(self):
            numbers.clear()
            return False

        @mask.setter
        def mask(self, mask):
            pass

    numbers[1] = np.array(1.0).view(Shrinks)
    assert cu.cast(numbers, "float32").size == 0


def as_objects(items):
    array = np.empty(len(items), object)
    for i, item in enumerate(items):
        array[i] = item
    return array


@pytest.mark.parametrize(
    "items",
    [[True, "1.5"], [np.float32(0.1), "2"], [np.float16(0.1), b"2"], [cu.bfloat16(0.1), "1"],
     [np.nan, "2"], [-0.0, "2"], [1e400, "1"], [np.longdouble(1) / 3, "1"], [2**70, "-1e3"],
     ["a" * 0 + "7", np.int8(3)]],
    ids=repr)  # fmt: skip
def test_numbers_and_texts_together(items):
    """Each by its own value, not by the text that NumPy would make of a number."""
    for to in "float64", "float32", "bfloat16", "int8", "bool", "string":
        expected = cu.cast(as_objects(items), to)
        for form in list(items), tuple(items), deque(items):
            got = cu.cast(form, to)
            assert got.dtype == expected.dtype
            assert got.tobytes() == expected.tobytes() or got.tolist() == expected.tolist()
        assert cu.cast([items, items], to).shape == (2, 2)


def test_lists_of_texts_alone_are_texts():
    assert cu.cast(["1", "2.5"], "U").dtype == np.dtype("U3")
    assert cu.cast([b"1", b"2"], "int4").tolist() == [1, 2]
    with pytest.raises(ValueError, match="at index 1"):
        cu.cast(["1", "x"], "int4")
