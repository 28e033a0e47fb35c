"""workers=: the same bits from several threads, in children of a fork too."""

import os

import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED
from castufunc import _workers
from exactness.threads import THREADS, run_together

SIZE = 5 * _workers.ELEMENTS_PER_WORKER + 13


def sample(shape):
    random = np.random.default_rng(7)
    with np.errstate(over="ignore"):
        return random.standard_normal(shape).astype(np.float32) * np.float32(1e3)


@pytest.mark.parametrize("to", ["float8e4m3fn", "bfloat16", "int64", "float32", "bool"])
@pytest.mark.parametrize("workers", [None, 1, 2, 3, 7, -1, np.int64(2)])
def test_same_bits(to, workers):
    x = sample(SIZE)
    assert cu.cast(x, to, workers=workers).tobytes() == cu.cast(x, to).tobytes()
    out = np.empty(SIZE, cu.dtype(to))
    assert cu.cast(x, to, workers=workers, out=out) is out
    assert out.tobytes() == cu.cast(x, to).tobytes()


def test_every_layout_has_the_same_result():
    x = sample((2, 3, SIZE // 6))
    for layout in [x, x.T, np.asfortranarray(x), x[:, ::2], x[..., ::-1], x[:, :, :0], x[0, 0, 0]]:
        expected = cu.cast(layout, "float8e5m2")
        result = cu.cast(layout, "float8e5m2", workers=2)
        assert result.shape == expected.shape
        assert result.flags.f_contiguous == expected.flags.f_contiguous
        assert result.tobytes() == expected.tobytes()
        out = np.empty(layout.shape[::-1], cu.float8e5m2).T
        assert cu.cast(layout, "float8e5m2", workers=2, out=out) is out
        assert out.tobytes() == expected.tobytes()
    swapped = x.astype(f"{SWAPPED}f4")
    assert cu.cast(swapped, "int8", workers=2).tobytes() == cu.cast(x, "int8").tobytes()
    broad = np.empty((4, *x.shape), np.int8)
    assert (cu.cast(x, "int8", workers=2, out=broad)[3] == cu.cast(x, "int8")).all()


def test_overlapping_memory_is_not_split():
    x = sample(SIZE)
    expected = cu.cast(x, "float16").tobytes()
    assert cu.cast(x, "float16", workers=3, out=x.view(np.float16)[:SIZE]).tobytes() == expected


def test_cast_like_and_other_sources_take_it_too():
    x = sample(SIZE)
    like = cu.cast_like(x, cu.int4(0), workers=2)
    assert like.tobytes() == cu.cast(x, "int4").tobytes()
    assert cu.cast(["1.5"], "int4", workers=2).tolist() == [1]
    assert cu.cast([1.5], "string", workers=2).tolist() == ["1.5"]


@pytest.mark.parametrize("bad", [0, -(os.cpu_count() or 1) - 1])
def test_too_few_are_a_value_error(bad):
    with pytest.raises(ValueError, match=f"workers must be at least 1, .* not {bad}"):
        cu.cast([1.0], "int4", workers=bad)


@pytest.mark.parametrize("bad", [True, 1.5, "2", [2]])
def test_other_things_are_a_type_error(bad):
    with pytest.raises(TypeError, match="workers must be an int or None"):
        cu.cast([1.0], "int4", workers=bad)


def test_from_several_threads_at_once():
    x = sample(SIZE)
    expected = cu.cast(x, "bfloat16").tobytes()
    results = []
    run_together(lambda _: results.append(cu.cast(x, "bfloat16", workers=4).tobytes()))
    assert results == [expected] * THREADS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_has_a_pool_of_its_own():
    x = sample(SIZE)
    expected = cu.cast(x, "int4", workers=2).tobytes()  # the parent's pool runs
    child = os.fork()
    if child == 0:
        os._exit(0 if cu.cast(x, "int4", workers=2).tobytes() == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
