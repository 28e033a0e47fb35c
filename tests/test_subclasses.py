"""Subclasses of ndarray whose attributes say what is not so: `out` of a cast is judged in C."""

import numpy as np
import pytest

import castufunc as cu
from castufunc import _workers

LARGE = 4 * _workers.ELEMENTS_PER_WORKER


def lying(**attributes):
    """A subclass of ndarray with these attributes."""
    return type("Lying", (np.ndarray,), attributes)


SHAPE = lying(shape=property(lambda self: (LARGE,)))
SIZE = lying(size=LARGE, nbytes=LARGE, itemsize=4)
STRIDES = lying(strides=(4,), flags=np.ones(3).flags)
VIEW = lying(view=lambda self, *_: np.zeros(LARGE, np.uint8))
RESHAPE = lying(reshape=lambda self, *_: np.zeros(LARGE, np.uint8), T=np.zeros(LARGE, np.uint8))
DTYPE = lying(dtype=np.dtype(np.float32))
EVERY = lying(**{name: value for cls in (SIZE, STRIDES, VIEW, RESHAPE) for name, value in
                 vars(cls).items() if not name.startswith("__")})  # fmt: skip


@pytest.mark.parametrize("workers", [None, 2])
@pytest.mark.parametrize("cls", [SHAPE, SIZE, STRIDES, VIEW, RESHAPE, EVERY])
def test_an_out_that_is_too_small(cls, workers):
    x = np.ones(LARGE, np.float32)
    memory = np.zeros(8, np.uint8)
    with pytest.raises(ValueError, match=r"shape|broadcast"):
        cu.cast(x, "uint8", out=memory[2:6].view(cls), workers=workers)
    assert memory.tolist() == [0] * 8


@pytest.mark.parametrize("workers", [None, 2])
def test_an_out_of_another_type(workers):
    memory = np.zeros(2 * LARGE, np.uint8)
    out = memory[:LARGE].view(DTYPE)
    for to in "float32", "float64", "int8":
        with pytest.raises(TypeError, match="out has dtype"):
            cu.cast(np.ones(LARGE, np.float16), to, out=out, workers=workers)
    assert not memory.any()


@pytest.mark.parametrize("workers", [None, 2])
@pytest.mark.parametrize("cls", [SHAPE, SIZE, STRIDES, VIEW, RESHAPE, DTYPE, EVERY])
def test_an_out_that_fits(cls, workers):
    x = np.arange(LARGE, dtype=np.float32)
    memory = np.zeros(LARGE, np.uint8)
    out = memory.view(cls)
    assert cu.cast(x, "uint8", out=out, workers=workers) is out
    assert (memory == x.astype(np.int64).astype(np.uint8)).all()


@pytest.mark.parametrize("cls", [SHAPE, SIZE, STRIDES, VIEW, RESHAPE, DTYPE, EVERY])
def test_a_source(cls):
    x = np.arange(5, dtype=np.float32)
    for source in x.view(cls), x.astype(object).view(cls), x.astype(">f4").view(cls):
        try:
            result = cu.cast(source, "int8")
        except (TypeError, ValueError):
            continue  # the subclass's own doing, as with any ufunc
        assert np.ndarray.view(np.asarray(result), np.ndarray).tolist() == [0, 1, 2, 3, 4]
