"""Arrays of JAX, both ways through the types of ml_dtypes."""

import numpy as np
import pytest

import castufunc as cu
from neighbours.samples import codes, same, sample, twin

jax = pytest.importorskip("jax")
jnp = jax.numpy

# Of the float6 types it has names, but no arrays.
HELD = [info for info in cu.FORMATS.values() if info.bits != 6]
each_held = pytest.mark.parametrize("info", HELD, ids=lambda info: info.name)


def values(info):
    """Codes with the high bits zero, and of NaN only the one that is written."""
    x = sample(info)
    return cu.cast(x.astype(np.float64), info.dtype) if info.kind == "float" else x


@each_held
def test_both_ways(info):
    x = values(info)
    there = jnp.asarray(cu.to_ml_dtypes(x))
    assert there.dtype.name == info.ml_dtypes
    assert there.shape == x.shape
    back = cu.from_ml_dtypes(np.asarray(there))
    assert back.dtype == info.dtype
    mask = (1 << info.bits) - 1
    assert ((codes(back) & mask) == codes(x)).all()


@pytest.mark.parametrize("info", [info for info in HELD if info.kind == "float"])
def test_computed_there(info):
    x = cu.cast(np.linspace(0.5, 6, 32), info.dtype)
    wide = jnp.asarray(cu.to_ml_dtypes(x)).astype(jnp.float32)
    assert np.array_equal(np.asarray(wide), x.astype(np.float32))
    doubled = (wide * 2).astype(info.ml_dtypes)
    assert same(cu.from_ml_dtypes(np.asarray(doubled)), cu.cast(x.astype("f4") * 2, info.dtype))


def test_casts_take_its_arrays():
    x = jnp.linspace(-2, 2, 9)
    expected = cu.cast(np.asarray(x), "float8e5m2")
    assert same(cu.cast(x, "float8e5m2"), expected)
    assert same(cu.cast(x.astype(jnp.bfloat16), "float8e5m2"), expected)
    assert cu.cast_like([1.5], x.astype(jnp.bfloat16)).dtype == jnp.bfloat16


@each_held
def test_casts_take_arrays_of_every_type(info):
    x = values(info)
    there = jnp.asarray(cu.to_ml_dtypes(x))
    for to in "float32", "float8e4m3fn", "int8":
        assert same(cu.cast(there, to), cu.cast(x, to))
    assert cu.cast(there, "string").tolist() == cu.cast(x, "string").tolist()
    assert cu.cast_like([1.5], there).dtype == twin(info)
    assert cu.cast([1.5], getattr(jnp, info.ml_dtypes)).dtype == twin(info)
    objects = np.empty(2, object)
    objects[:] = list(there.ravel()[:2])
    assert same(cu.cast(objects, "float64"), cu.cast(x.ravel()[:2], "float64"))


def test_our_dtype_is_not_taken_as_it_is():
    with pytest.raises(TypeError):
        jnp.asarray(np.ones(2, cu.bfloat16))
