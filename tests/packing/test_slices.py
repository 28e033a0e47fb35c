"""PackedArray by index and by slice: rows that begin and end with a byte, sharing the data."""

import numpy as np
import pytest

from castufunc import PackedArray, pack

from .forms import PACKED, codes_of, every_packed, random_array

# Rows of whole bytes, for every width of codes.
ALIGNED = [(7, 4), (5, 8), (6, 2, 4), (4, 4, 3), (3, 12)]


def make(name, shape):
    x = random_array(name, shape)
    return x, PackedArray(pack(x), name, shape)


def check(part, expected, whole):
    assert type(part) is PackedArray
    assert part.dtype == whole.dtype
    assert part.shape == expected.shape
    assert codes_of(part.unpack()).tolist() == codes_of(expected).tolist()
    assert part.nbytes == 0 or np.shares_memory(part.data, whole.data)
    assert not part.data.flags.writeable
    assert part == PackedArray.from_array(expected)


def bounds(rows):
    return [None, *range(-rows - 2, rows + 3), 10**30, -(10**30)]


@every_packed
def test_slices_of_whole_rows(name):
    for shape in ALIGNED:
        x, p = make(name, shape)
        for start in bounds(shape[0]):
            for stop in bounds(shape[0]):
                for step in None, 1:
                    check(p[start:stop:step], x[start:stop:step], p)


@every_packed
def test_indices_of_whole_rows(name):
    for shape in ALIGNED:
        x, p = make(name, shape)
        for i in range(-shape[0], shape[0]):
            for index in i, np.int8(i), np.array(i):
                check(p[index], x[i], p)
            if len(shape) == 3 and x[i][0].size * PACKED[name] % 8 == 0:
                check(p[i][-1], x[i][-1], p)
        for i in shape[0], -shape[0] - 1, 10**30, np.int64(99):
            with pytest.raises(IndexError, match=f"is out of bounds for {shape[0]} rows"):
                p[i]


@every_packed
def test_the_last_row_may_end_within_a_byte(name):
    """Odd sizes: what begins and ends with a byte can be had, the rest is an error."""
    bits = PACKED[name]
    for shape in (9,), (5, 3), (11, 1), (3, 5), (4, 2, 3), (13,):
        x, p = make(name, shape)
        rows, row_bits = shape[0], x[0].size * bits
        for start in range(rows):
            for stop in range(start + 1, rows + 1):
                whole = start * row_bits % 8 == 0 and (stop * row_bits % 8 == 0 or stop == rows)
                if whole:
                    check(p[start:stop], x[start:stop], p)
                else:
                    told = f"rows {start} to {stop} of {row_bits} bits each do not begin and end"
                    with pytest.raises(ValueError, match=told):
                        p[start:stop]
            if start * row_bits % 8 == 0 and (row_bits % 8 == 0 or start == rows - 1):
                check(p[start], x[start, ...], p)
            else:
                with pytest.raises(ValueError, match="do not begin and end with a byte"):
                    p[start]
        check(p[:], x, p)


@every_packed
def test_empty_slices(name):
    """They ask for no rows, so none can lie across a byte."""
    for shape in (9,), (5, 3), (4, 4):
        x, p = make(name, shape)
        for at in range(shape[0] + 1):
            check(p[at:at], x[at:at], p)
            check(p[at : at - shape[0] - 1], x[:0], p)
        check(p[shape[0] :], x[shape[0] :], p)


@every_packed
def test_arrays_without_elements(name):
    for shape in (0,), (0, 3), (4, 0), (4, 0, 3):
        x, p = make(name, shape)
        for part in slice(None), slice(1, 3), slice(2, None), slice(3, 1), slice(-1, None):
            check(p[part], x[part], p)
        if shape[0]:
            check(p[1], x[1], p)
        else:
            with pytest.raises(IndexError, match="out of bounds for 0 rows"):
                p[0]


def test_a_slice_of_a_slice():
    x, p = make("int4", (12, 6))
    check(p[2:10][1:5][-2:], x[2:10][1:5][-2:], p)
    check(p[2:10][3], x[2:10][3], p)


def test_other_indices_are_refused():
    _, p = make("uint4", (6, 4))
    for step in 2, 3, -1, -2, 100:
        with pytest.raises(ValueError, match=f"slices of step 1, not {step}"):
            p[::step]
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        p[::0]
    for index in (..., None, (0, 1), (0,), (), 1.0, "0", b"0", [0], np.array([0, 1]), np.array(0.0),
                  (slice(None), 0), slice):  # fmt: skip
        with pytest.raises(TypeError):
            p[index]
    for part in slice("a", None), slice(None, 1.5), slice(None, None, "b"):
        with pytest.raises(TypeError):
            p[part]
    with pytest.raises(IndexError, match="without dimensions cannot be indexed"):
        PackedArray.from_array(3, "uint4")[0]
    with pytest.raises(IndexError, match="without dimensions cannot be indexed"):
        PackedArray.from_array(3, "uint4")[...]


@every_packed
def test_iteration(name):
    """Over the rows, if they are whole bytes; else the first that is not is an error."""
    x, p = make(name, (5, 4))
    rows = list(p)
    assert len(rows) == len(p) == 5
    for row, expected in zip(rows, x, strict=True):
        check(row, expected, p)
    assert [codes_of(row.unpack()).tolist() for row in reversed(p)] == codes_of(x)[::-1].tolist()
    assert rows[2] in p
    _, p = make(name, (5, 3))
    with pytest.raises(ValueError, match="do not begin and end with a byte"):
        list(p)
    assert list(make(name, (0, 3))[1]) == []


def test_without_dimensions_there_is_nothing_to_iterate_over():
    with pytest.raises(TypeError):
        list(PackedArray.from_array(3, "uint4"))
