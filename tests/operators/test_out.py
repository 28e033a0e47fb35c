"""`cast` into arrays that exist: every order, place and kind of `out`, with the same results."""

import sys
import warnings
from itertools import product

import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED

PAIRS = [
    ("float32", "float8e4m3fn"),
    ("float8e4m3fn", "float32"),
    ("float8e5m2", "float8e4m3fnuz"),
    ("float64", "bfloat16"),
    ("int64", "int64"),
    ("bfloat16", "float16"),
]
SHAPES = [(), (1,), (0,), (0, 3), (7,), (1, 1), (5, 3), (1, 9), (4, 3, 2), (130, 70)]

every_pair = pytest.mark.parametrize(("source", "target"), PAIRS)


def numbers(shape, name):
    values = np.random.default_rng(5).normal(0, 40, shape)
    return np.array(cu.cast(values, name))


def codes(array):
    return np.ascontiguousarray(array).view(f"u{array.itemsize}").tolist()


def unaligned(array):
    memory = np.zeros(array.nbytes + 1, np.uint8)
    moved = np.ndarray(array.shape, array.dtype, memory, 1)
    moved[...] = array
    return moved


ORDERS = {
    "C": np.array,
    "F": lambda array: np.array(array, order="F"),
    "unaligned": unaligned,
    "axes turned": lambda array: np.array(array.T, order="C").T,
    "gaps": lambda array: np.repeat(array[None], 2, axis=0)[0] if array.ndim else np.array(array),
    "backwards": lambda array: array[::-1].copy()[::-1] if array.ndim else np.array(array),
}


@every_pair
def test_every_order_into_every_order(source, target):
    for shape in SHAPES:
        values = numbers(shape, source)
        expected = codes(cu.cast(values, target))
        for from_order, to_order in product(ORDERS, ORDERS):
            x = ORDERS[from_order](values)
            out = ORDERS[to_order](np.zeros(shape, cu.dtype(target)))
            counts = sys.getrefcount(x), sys.getrefcount(out), sys.getrefcount(out.dtype)
            result = cu.cast(x, target, out=out)
            assert result is out
            assert codes(out) == expected, (shape, from_order, to_order)
            assert codes(x) == codes(values)
            del result
            assert counts == (sys.getrefcount(x), sys.getrefcount(out), sys.getrefcount(out.dtype))


@every_pair
def test_other_shapes_are_broadcast_or_refused(source, target):
    row = numbers((1, 6), source)
    for x, shape in [(row, (4, 6)), (row[0], (1, 6)), (row[0], (4, 6)), (row[0, :1], (3,)),
                     (row[0, 0], (2, 3)), (row[:0], (0, 6))]:  # fmt: skip
        out = np.zeros(shape, cu.dtype(target))
        assert cu.cast(x, target, out=out) is out
        assert codes(out) == codes(np.broadcast_to(cu.cast(x, target), shape))
    for x, shape in [(row, (6,)), (row, (6, 1)), (row, (2, 3)), (row, ()), (row[:0], (0,)),
                     (row[:0], (6, 0)), (row[:0], (1, 6))]:  # fmt: skip
        out = np.zeros(shape, cu.dtype(target))
        with pytest.raises(ValueError, match="shape"):
            cu.cast(x, target, out=out)
        assert not np.any(out.view(f"u{out.itemsize}"))


@every_pair
@pytest.mark.parametrize("size", [1, 5, 64, 1000, 20000])
def test_shared_memory(source, target, size):
    """From the same place on, and some bytes before and behind, in either order."""
    from_type, to_type = cu.dtype(source), cu.dtype(target)
    values = numbers(size, source)
    expected = codes(cu.cast(values, target))
    for from_offset, to_offset in [(0, 0), (0, 1), (1, 0), (0, 8), (8, 0), (3, 64), (8 * size, 0)]:
        memory = np.zeros(64 + 16 * size, np.uint8)
        x = memory[from_offset:][: size * from_type.itemsize].view(from_type)
        out = memory[to_offset:][: size * to_type.itemsize].view(to_type)
        x[...] = values
        assert cu.cast(x, target, out=out) is out
        assert codes(out) == expected, (from_offset, to_offset)


def test_same_array():
    for name in ["int64", "float8e5m2", "float32"]:
        for shape in [(), (0,), (3, 4), (200, 50)]:
            x = numbers(shape, name)
            for same in [x, x.T]:
                expected = codes(same)
                assert cu.cast(same, name, out=same) is same
                assert codes(same) == expected


def test_square_onto_its_transpose():
    x = numbers((40, 40), "int32")
    expected = x.T.tolist()
    assert cu.cast(x.T, "int32", out=x) is x
    assert x.tolist() == expected


class Subclass(np.ndarray):
    def __array_finalize__(self, parent):
        self.made_from = parent


@pytest.mark.parametrize("kind", [Subclass, np.matrix, np.recarray])
def test_out_of_a_subclass_is_returned_as_it_is(kind):
    x = numbers((5, 3), "float32")
    expected = codes(cu.cast(x, "float16"))
    out = np.zeros((5, 3), np.float16).view(kind)
    before = dict(out.__dict__)
    assert cu.cast(x, "float16", out=out) is out
    assert type(out) is kind
    assert codes(np.asarray(out)) == expected
    assert out.__dict__.keys() == before.keys()


def test_masked_out_is_written_everywhere_and_keeps_its_mask():
    x = numbers(6, "float32")
    mask = [True, False] * 3
    out = np.ma.array(np.zeros(6, np.float16), mask=mask)
    assert cu.cast(x, "float16", out=out) is out
    assert codes(out.data) == codes(cu.cast(x, "float16"))
    assert out.mask.tolist() == mask


@pytest.mark.parametrize("shape", [(5, 3), (130, 70)])
def test_swapped_sources(shape):
    x = numbers(shape, "float32")
    expected = codes(cu.cast(x, "float8e5m2"))
    for swapped in [x.astype(f"{SWAPPED}f4"), np.asfortranarray(x.astype(f"{SWAPPED}f4"))]:
        for out in [np.zeros(shape, cu.float8e5m2), np.zeros(shape[::-1], cu.float8e5m2).T]:
            assert cu.cast(swapped, "float8e5m2", out=out) is out
            assert codes(out) == expected


def test_out_that_numpy_warns_of_is_warned_of():
    x = numbers((1, 3), "float32")
    _, out = np.broadcast_arrays(np.zeros((1, 3)), np.zeros(3, np.float16))
    assert out.flags.c_contiguous
    count = sys.getrefcount(out)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning, match="broadcast"):
            cu.cast(x, "float16", out=out)
    assert not out.any()
    assert sys.getrefcount(out) == count
