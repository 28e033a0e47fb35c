"""Arrays of the own dtypes under NumPy: each result against the same operation on float64."""

import copy
import io
import pickle
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED

ALL = list(cu.FORMATS.values())
FLOATS = [f for f in ALL if f.kind == "float"]
INTEGERS = [f for f in ALL if f.kind == "integer"]
# Not in every release of ml_dtypes.
NARROW_COMPLEX = [
    getattr(ml_dtypes, name) for name in ["complex32", "bcomplex32"] if hasattr(ml_dtypes, name)
]
WITH_NAN = [f for f in FLOATS if f.nan is not None]


def by_name(infos):
    return pytest.mark.parametrize("info", infos, ids=lambda info: info.name)


def sample(info, size=257, seed=1):
    """Random codes of the format, every special value among them."""
    random = np.random.default_rng(seed)
    return random.integers(0, 1 << info.bits, size, dtype=f"u{info.itemsize}").view(info.dtype)


def codes(array):
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def same(array, expected, info):
    assert array.dtype == info.dtype
    np.testing.assert_array_equal(array.astype(np.float64), np.asarray(expected, np.float64))


@by_name(ALL)
def test_identity_of_the_dtype(info):
    dtype = np.dtype(info.type)
    assert dtype is info.dtype is info.type.dtype
    assert np.dtype(dtype.str) is dtype
    assert cu.dtype(f"castufunc.{info.name}") is dtype
    assert type(dtype)() is dtype
    assert repr(dtype) == str(dtype) == f"castufunc.{info.name}"
    assert dtype.name == info.ml_dtypes
    assert len({f.dtype for f in ALL}) == len(ALL)
    assert len({f.dtype.char for f in ALL}) == len(ALL)
    with pytest.raises(TypeError, match=r"no.argument"):
        type(dtype)(1)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(dtype, protocol)) is dtype


@by_name(ALL)
def test_creation(info):
    assert codes(np.zeros(5, info.type)).tolist() == [0] * 5
    same(np.ones((2, 3), info.type), np.ones((2, 3)), info)
    same(np.full(3, 1, info.type), [1, 1, 1], info)
    same(np.array([1, 1.0, True], info.type), [1, 1, 1], info)
    same(np.array([[info.type(1)]]), [[1]], info)
    same(np.arange(1, 2, dtype=info.type), [1], info)
    same(np.fromiter([1, 1], info.type), [1, 1], info)
    same(np.empty_like(np.ones(2), dtype=info.type, shape=0), [], info)
    same(np.frombuffer(b"\0" * info.itemsize, info.type), [info.type()], info)


@by_name([f for f in ALL if f.max >= 6 and f.has_zero])
def test_arange_counts(info):
    rounded = {5: 4} if info.name == "float4e2m1" else {}
    same(np.arange(6, dtype=info.type), [rounded.get(i, i) for i in range(6)], info)
    same(np.arange(1, 6, 2, dtype=info.type), [1, 3, rounded.get(5, 5)], info)


@by_name(ALL)
def test_items(info):
    array = sample(info)
    np.testing.assert_array_equal(
        np.array(array.tolist(), np.float64), array.astype(np.float64))  # fmt: skip
    kind = float if info.kind == "float" else int
    assert all(type(item) is kind for item in array.tolist())
    assert type(array[3]) is info.type
    np.testing.assert_array_equal(array.astype(object).astype(np.float64), array.astype("f8"))
    back = array.astype(object).astype(info.dtype)
    finite = np.isfinite(array.astype("f8"))
    assert (codes(back)[finite] == codes(array)[finite]).all()
    array[7] = 1
    array[8:10] = 1.0
    array[10:12] = np.array([1, 1], f"{SWAPPED}i8")
    array[12] = info.type(1)
    array[13] = np.float32(1)
    array[14] = getattr(ml_dtypes, info.ml_dtypes)(1)
    assert array[7:15].tolist() == [1] * 8
    array.fill(1)
    assert array.tolist() == [1] * array.size


@by_name(ALL)
def test_indexing_and_shapes(info):
    array = sample(info, 60).reshape(3, 4, 5)
    wide = array.astype("f8")
    for index in [0, -1, (1, 2), (slice(None, None, -1), 1), (..., 2), [2, 0], None,
                  (np.array([0, 2]), np.array([1, 1]))]:  # fmt: skip
        same(array[index], wide[index], info)
    mask = codes(array) > 3
    same(array[mask], wide[mask], info)
    same(np.take(array, [1, 0], axis=1), np.take(wide, [1, 0], axis=1), info)
    same(array.T.copy(), wide.T, info)
    same(np.concatenate([array, array], axis=1), np.concatenate([wide, wide], axis=1), info)
    same(np.where(mask, array, array[::-1]), np.where(mask, wide, wide[::-1]), info)
    same(np.roll(array, 1), np.roll(wide, 1), info)
    same(np.repeat(array, 2), np.repeat(wide, 2), info)


@by_name(ALL)
def test_sort_and_search(info):
    array = sample(info)
    wide = array.astype("f8")
    same(np.sort(array), np.sort(wide), info)
    same(np.sort(array, kind="stable"), np.sort(wide), info)
    np.testing.assert_array_equal(
        np.argsort(array, kind="stable"), np.argsort(wide, kind="stable"))  # fmt: skip
    same(np.sort(np.partition(array, 40)[:41]), np.sort(wide)[:41], info)
    np.testing.assert_array_equal(
        np.searchsorted(np.sort(array), array), np.searchsorted(np.sort(wide), wide))  # fmt: skip
    assert array.argmax() == wide.argmax()
    assert array.argmin() == wide.argmin()
    np.testing.assert_array_equal(np.nonzero(array), np.nonzero(wide))
    finite = array[np.isfinite(wide)]
    same(np.unique(finite), np.unique(finite.astype("f8")), info)
    assert codes(np.sort(finite)).size == finite.size


@by_name(WITH_NAN)
def test_nan_sorts_last_and_is_the_extreme(info):
    array = np.array([1, np.nan, 2, np.nan, 0.5], info.dtype)
    assert np.isnan(array.astype("f4")).tolist() == [False, True, False, True, False]
    assert np.sort(array).tolist()[:3] == [0.5, 1, 2]
    assert np.isnan(np.sort(array)[3:].astype("f4")).all()
    assert array.argmax() == array.argmin() == 1
    assert np.isnan(array).tolist() == [False, True, False, True, False]


@by_name(ALL)
def test_comparison_and_truth(info):
    array, other = sample(info), sample(info, seed=2)
    wide, wide_other = array.astype("f8"), other.astype("f8")
    for compare in [np.equal, np.not_equal, np.less, np.less_equal, np.greater]:
        np.testing.assert_array_equal(compare(array, other), compare(wide, wide_other))
        np.testing.assert_array_equal(compare(array, 1), compare(wide, 1))
        np.testing.assert_array_equal(compare(1, array), compare(1, wide))
    assert array.any() == wide.any()
    assert array.all() == wide.all()
    np.testing.assert_array_equal(array.astype(bool), wide != 0)


@by_name(ALL)
def test_reductions_are_made_in_a_wide_type(info):
    array = sample(info)
    array = array[np.isfinite(array.astype("f8"))]
    wide = array.astype("f4" if info.kind == "float" else "i8")
    with np.errstate(all="ignore"):
        matrix, wide_matrix = array[:12].reshape(3, 4), wide[:12].reshape(3, 4)
        np.testing.assert_array_equal(matrix @ matrix.T, wide_matrix @ wide_matrix.T)
        for reduce in [np.sum, np.max, np.min, np.mean, np.median, np.var, np.cumsum, np.prod]:
            result = reduce(array)
            assert result.dtype == reduce(wide).dtype
            np.testing.assert_array_equal(result, reduce(wide))
        for reduce in [np.sum, np.mean, np.max, np.median]:
            np.testing.assert_array_equal(reduce(matrix, axis=0), reduce(wide_matrix, axis=0))


def test_sums_do_not_stall_in_the_narrow_type():
    assert np.ones(4096, cu.float8e5m2).sum() == 4096
    assert np.full(100, 7, cu.int4).sum() == 700


@by_name(ALL)
def test_views_of_the_twin_share_memory(info):
    twin = np.dtype(getattr(ml_dtypes, info.ml_dtypes))
    array = sample(info)
    there = array.view(twin)
    assert there.dtype is twin
    assert np.shares_memory(there, array)
    assert np.shares_memory(there.view(info.dtype), array)
    copied = array.astype(twin)
    assert not np.shares_memory(copied, array)
    assert (codes(copied) == codes(array)).all()
    assert (codes(copied.astype(info.dtype)) == codes(array)).all()


@by_name(ALL)
def test_save_load_and_memmap_without_pickle(info, tmp_path):
    array = sample(info, 24).reshape(4, 6)
    path = tmp_path / "array.npy"
    np.save(path, array, allow_pickle=False)
    for loaded in [np.load(path), np.load(path, mmap_mode="r")]:
        assert loaded.dtype is info.dtype
        assert (codes(loaded) == codes(array)).all()
    np.savez(tmp_path / "arrays.npz", a=array, b=np.asfortranarray(array))
    with np.load(tmp_path / "arrays.npz", allow_pickle=False) as archive:
        assert (codes(archive["b"]) == codes(array)).all()
    np.memmap(tmp_path / "raw", info.dtype, "w+", shape=24)[:] = array.ravel()
    assert (codes(np.memmap(tmp_path / "raw", info.dtype, "r")) == codes(array.ravel())).all()
    assert (codes(np.fromfile(tmp_path / "raw", info.dtype)) == codes(array.ravel())).all()


@by_name(ALL)
def test_pickle_and_copy(info):
    array = sample(info, 24).reshape(4, 6)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(array, protocol))
        assert again.dtype is info.dtype
        assert (codes(again) == codes(array)).all()
    for again in [copy.copy(array), copy.deepcopy(array)]:
        assert (codes(again) == codes(array)).all()


def test_pickles_are_read_where_the_package_is_not_imported_yet(tmp_path):
    path = tmp_path / "pickle"
    path.write_bytes(pickle.dumps([np.ones(2, cu.int4), cu.float8e5m2(1.5), cu.bfloat16.dtype]))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')))"
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True)  # fmt: skip
    assert "1.5" in done.stdout
    assert "castufunc.bfloat16" in done.stdout


def test_structured_fields(tmp_path):
    dtype = np.dtype([("scale", cu.float8e8m0), ("q", cu.int4, 3), ("x", "<f4")], align=True)
    array = np.zeros(4, dtype)
    array["scale"] = 2
    array["q"] = [[-1, 0, 1]] * 4
    array["x"] = 0.5
    assert array["q"].dtype == cu.int4
    assert array[1]["scale"] == 2
    assert array["q"][1].tolist() == [-1, 0, 1]
    assert array[1].item()[::2] == (2.0, 0.5)
    np.save(tmp_path / "s.npy", array, allow_pickle=False)
    loaded = np.load(tmp_path / "s.npy")
    assert loaded.dtype == dtype
    assert loaded.tobytes() == array.tobytes()
    assert pickle.loads(pickle.dumps(array)).dtype == dtype
    assert array.astype([("scale", "f4"), ("q", "i8", 3), ("x", "f4")])["q"].dtype == np.int64


@by_name(ALL)
def test_printing(info):
    array = np.array([1, 1], info.dtype)
    assert str(array) == ("[1.0 1.0]" if info.kind == "float" else "[1 1]")
    assert repr(array).startswith("array([1.0, 1.0]" if info.kind == "float" else "array([1, 1]")
    assert str(np.array(1, info.dtype)) == str(info.type(1))
    text = io.StringIO()
    np.savetxt(text, array, fmt="%.1f")
    assert text.getvalue() == "1.0\n1.0\n"
    assert "..." in repr(np.ones(2000, info.dtype))


@by_name(ALL)
def test_what_numpy_refuses_is_refused_clearly(info):
    array = np.ones(3, info.dtype)
    with pytest.raises(ValueError, match="dot not available"):
        np.dot(array, array)
    with pytest.raises(TypeError):
        np.einsum("i,i", array, array)
    with pytest.raises((ValueError, BufferError)):
        memoryview(array)
    with pytest.raises(TypeError, match="complex"):
        array[0] = 1j
    with pytest.raises(IndexError):
        np.arange(3)[array]
    assert array.tolist() == [1, 1, 1]


def test_complex_sources_warn():
    with pytest.warns(np.exceptions.ComplexWarning, match="imaginary"):
        array = np.array([1 + 2j, 3]).astype(cu.bfloat16)
    assert array.tolist() == [1.0, 3.0]
    with pytest.raises(TypeError, match="complex128"):
        cu.cast(np.array([1j]), "bfloat16")
    with pytest.raises(TypeError, match="complex64"):
        cu.cast([1.0], "complex64")


@by_name(ALL)
@pytest.mark.parametrize("wide", ["c8", "c16", "G", *NARROW_COMPLEX])
def test_complex_targets_are_exact_with_no_imaginary_part(info, wide):
    array = sample(info)
    with np.errstate(all="ignore"):
        result = array.astype(wide).astype("c16")
    expected = array.astype("f8")
    if wide is getattr(ml_dtypes, "complex32", None):
        expected = array.astype("f2").astype("f8")
    np.testing.assert_array_equal(result.real, expected)
    assert not result.imag.any()
    # strided, so that neighbours must stay as they are
    target = np.full(2 * array.size, 7, wide)
    target[::2] = array
    with np.errstate(all="ignore"):
        target = target.astype("c16")
    np.testing.assert_array_equal(target[::2].real, expected)
    assert (target[1::2] == 7).all()


def test_random_generators_shuffle():
    array = np.arange(8, dtype=cu.uint4)
    mixed = np.random.default_rng(0).permutation(array)
    assert mixed.dtype == cu.uint4
    assert sorted(mixed.tolist()) == list(range(8))
