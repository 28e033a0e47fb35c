"""Flat C order over the whole tensor, whatever its layout in memory: no row is padded."""

from itertools import product

import numpy as np
import pytest

from castufunc import cast_pack, pack, unpack, unpack_cast
from oracle.samples import generator

from .forms import PACKED, bytes_of, codes_of, every_packed, own, random_array, twin

SHAPES = [
    (1,),
    (3, 5),
    (7, 5, 3),
    (2, 1, 9),
    (1, 1, 1, 1),
    (5, 0, 3),
    (0,),
    (17, 129),
    (3, 4, 5, 6),
]

LAYOUTS = {
    "c": lambda x: x,
    "fortran": np.asfortranarray,
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1],
    "reversed twice": lambda x: x[..., ::-1][::-1],
    "every other": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "every third row": lambda x: np.repeat(x, 3, axis=0)[::3],
    "offset": lambda x: np.concatenate([x[..., :1], x], axis=-1)[..., 1:],
    "swapped axes": lambda x: x.swapaxes(0, -1),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@every_packed
def test_pack(name, layout):
    for shape in SHAPES:
        x = LAYOUTS[layout](random_array(name, shape))
        expected = bytes_of(codes_of(x.copy("C")).ravel(), PACKED[name])
        assert pack(x).tobytes() == expected
        assert pack(x.view(twin(name))).tobytes() == expected
        assert cast_pack(x, name).tobytes() == expected
        back = unpack(expected, name, x.shape)
        assert back.flags.c_contiguous
        assert (codes_of(back) == codes_of(x.copy("C"))).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@every_packed
def test_unpack_into(name, layout):
    for shape in SHAPES:
        out = LAYOUTS[layout](np.zeros(shape, own(name)))
        expected = random_array(name, out.shape)
        data = bytes_of(codes_of(expected).ravel(), PACKED[name])
        assert unpack(data, name, out.shape, out=out) is out
        assert (codes_of(out.copy("C")) == codes_of(expected)).all()
        floats = LAYOUTS[layout](np.zeros(shape, np.float32))
        assert unpack_cast(data, name, out.shape, "float32", out=floats) is floats
        assert (floats == expected.astype(np.float32)).all()


@every_packed
def test_random_shapes_and_axes(name, amount):
    rng = generator("layouts", name)
    for _ in range(amount(60, 2000)):
        shape = tuple(rng.integers(0, 7, rng.integers(1, 6)))
        x = random_array(name, shape).transpose(rng.permutation(len(shape)))
        steps = tuple(slice(None, None, int(s)) for s in rng.choice([-3, -2, -1, 1, 2], x.ndim))
        x = x[steps]
        packed = pack(x)
        assert packed.tobytes() == bytes_of(codes_of(x.copy("C")).ravel(), PACKED[name])
        back = unpack(packed, name, x.shape)
        assert (codes_of(back) == codes_of(x.copy("C"))).all()


@every_packed
def test_broadcast(name):
    x = random_array(name, (1, 5))
    wide = np.broadcast_to(x, (3, 5))
    assert pack(wide).tobytes() == bytes_of(codes_of(x).ravel().tolist() * 3, PACKED[name])
    same = np.broadcast_to(x[0, 0], (11,))
    assert pack(same).tobytes() == bytes_of(codes_of(x)[0, :1].tolist() * 11, PACKED[name])


def test_long_inner_runs_that_are_no_multiple_of_eight():
    """Runs of the iterator begin in the middle of a byte, and of a block."""
    for name, (rows, columns) in product(PACKED, [(3, 2049), (2049, 3), (5, 4095), (2, 8191)]):
        x = random_array(name, (rows, columns + 1))[:, :columns]
        packed = pack(x)
        assert packed.tobytes() == bytes_of(codes_of(x.copy()).ravel(), PACKED[name])
        out = np.zeros((rows, columns + 1), own(name))[:, :columns]
        unpack(packed, name, x.shape, out=out)
        assert (codes_of(out.copy()) == codes_of(x.copy())).all()
