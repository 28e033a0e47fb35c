"""`pack` and `unpack`: every length, and lengths about the sizes of the blocks that are used."""

import numpy as np
import pytest

import castufunc
from castufunc import pack, unpack

from .forms import (
    PACKED,
    bytes_of,
    codes_of,
    codes_of_bytes,
    every_packed,
    own,
    random_array,
    size_of,
    twin,
)

SHORT = range(71)
ABOUT_BLOCKS = [n + d for n in (128, 256, 512, 2048, 4096, 8192) for d in (-9, -8, -1, 0, 1, 7, 8)]
LONG = 65_536 + 5


@every_packed
def test_every_length(name):
    bits = PACKED[name]
    for n in [*SHORT, *ABOUT_BLOCKS]:
        x = random_array(name, n)
        packed = pack(x)
        assert type(packed) is np.ndarray
        assert (packed.dtype, packed.shape) == (np.uint8, (size_of(bits, n),))
        assert packed.tobytes() == bytes_of(codes_of(x), bits)
        back = unpack(packed, name, n)
        assert (back.dtype, back.shape) == (own(name), (n,))
        assert codes_of(back).tolist() == codes_of_bytes(packed.tobytes(), bits, n)
        assert codes_of(back).tolist() == codes_of(x).tolist()


@every_packed
def test_twins(name):
    """Twin in, the same bytes; twin asked for, twin out."""
    for n in [*SHORT, 4099]:
        x = random_array(name, n)
        packed = pack(x)
        assert pack(x.view(twin(name))).tobytes() == packed.tobytes()
        for asked in twin(name), twin(name).type:
            back = unpack(packed, asked, n)
            assert back.dtype == twin(name)
            assert codes_of(back).tolist() == codes_of(x).tolist()


@every_packed
def test_long(name):
    x = random_array(name, LONG)
    packed = pack(x)
    assert packed.tobytes() == bytes_of(codes_of(x), PACKED[name])
    assert (codes_of(unpack(packed, name, LONG)) == codes_of(x)).all()


@every_packed
def test_every_code_at_every_place(name):
    """A code among zeros and among ones, at each place of a group of eight and of the last."""
    bits = PACKED[name]
    for n in 1, 3, 4, 8, 11, 16, 19:
        for place in range(n):
            for others in 0, (1 << bits) - 1:
                codes = np.full((1 << bits, n), others, np.uint8)
                codes[:, place] = np.arange(1 << bits)
                for row in codes:
                    packed = pack(row.view(own(name)))
                    assert packed.tobytes() == bytes_of(row, bits)
                    assert codes_of(unpack(packed, name, n)).tolist() == row.tolist()


@every_packed
def test_high_bits_are_ignored_and_come_back_clear(name):
    bits = PACKED[name]
    for n in 1, 7, 8, 63, 64, 65, 2051:
        x = codes_of(random_array(name, n))
        garbage = x | np.arange(1, n + 1, dtype=np.uint8) << bits
        assert (garbage != x).any()
        for dtype in own(name), twin(name):
            packed = pack(garbage.view(dtype))
            assert packed.tobytes() == bytes_of(x, bits)
            assert codes_of(unpack(packed, dtype, n)).tolist() == x.tolist()
        # With a stride, elements go another way.
        spread = np.zeros(3 * n, np.uint8)
        spread[::3] = garbage
        assert pack(spread.view(own(name))[::3]).tobytes() == bytes_of(x, bits)


@pytest.mark.parametrize(("name", "bits"), [("int4", 4), ("int2", 2)])
def test_negative_integers(name, bits):
    """Sign-extended in value; the code that is stored keeps zero high bits."""
    values = np.arange(-(1 << bits - 1), 1 << bits - 1)
    back = unpack(pack(castufunc.cast(values, name)), name, values.size)
    assert back.astype(int).tolist() == values.tolist()
    assert codes_of(back).tolist() == [v % (1 << bits) for v in values.tolist()]
    assert codes_of(back).max() < 1 << bits
    assert unpack(bytes([0xFF]), name, 1, strict=False).item() == -1


@every_packed
def test_0_d_is_one_byte(name):
    x = random_array(name, 9)[5, ...]
    packed = pack(x)
    assert packed.tolist() == [codes_of(x).item()]
    for shape in (), []:
        back = unpack(packed, name, shape)
        assert back.shape == ()
        assert codes_of(back) == codes_of(x)
    # A scalar, and nested lists of scalars.
    assert pack(x[()]).tolist() == packed.tolist()
    assert pack([[x[()], x[()]]]).tobytes() == bytes_of([codes_of(x).item()] * 2, PACKED[name])


def test_docstrings_example():
    assert pack(np.array([1, -1, 7], castufunc.int4)).tolist() == [241, 7]
