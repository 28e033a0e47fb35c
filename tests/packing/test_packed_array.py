"""PackedArray: what it is made of, what it makes, and that nothing changes it."""

import copy
import pickle
import weakref

import numpy as np
import pytest

import castufunc
from castufunc import PackedArray, cast, cast_pack, pack, unpack, unpack_cast
from oracle import TYPES

from .forms import PACKED, codes_of, every_packed, own, random_array, size_of, twin


def make(name, shape):
    x = random_array(name, shape)
    return x, PackedArray(pack(x), name, shape)


SHAPES = [(), (0,), (1,), (5,), (3, 5), (2, 0, 4), (2, 3, 4)]


@every_packed
def test_attributes(name):
    for shape in SHAPES:
        x, p = make(name, shape)
        assert p.dtype == own(name)
        assert p.shape == shape
        assert (p.ndim, p.size) == (x.ndim, x.size)
        assert p.nbytes == p.data.nbytes == size_of(PACKED[name], x.size)
        assert (p.data.dtype, p.data.ndim) == (np.uint8, 1)
        assert p.data.tobytes() == pack(x).tobytes()
        assert [type(n) for n in (p.ndim, p.size, p.nbytes)] == [int] * 3
        assert PackedArray(pack(x), twin(name), shape).dtype == twin(name)


@every_packed
def test_unpack_and_astype(name):
    for shape in SHAPES:
        x, p = make(name, shape)
        assert codes_of(p.unpack()).tolist() == codes_of(x).tolist()
        assert p.unpack().dtype == own(name)
        assert p.unpack() is not p.unpack()
        for to in [*TYPES, "string", "U", twin("int4")]:
            got, expected = p.astype(to), unpack_cast(pack(x), name, shape, to)
            assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
            assert got.tolist() == expected.tolist()
            assert got.dtype.kind == "O" or got.tobytes() == expected.tobytes()
    _, p = make(name, (3, 5))
    for saturate in True, False:
        for round_mode in "up", "down", "nearest":
            for to in "float8e8m0", "float8e5m2":
                got = p.astype(to, saturate=saturate, round_mode=round_mode)
                expected = cast(p.unpack(), to, saturate=saturate, round_mode=round_mode)
                assert (got.view(np.uint8) == expected.view(np.uint8)).all()
    with pytest.raises(ValueError, match="round_mode"):
        p.astype("float32", round_mode="even")


@every_packed
def test_from_array(name):
    for shape in SHAPES:
        x = random_array(name, shape)
        for given in x, x.view(twin(name)):
            p = PackedArray.from_array(given)
            assert p.dtype == given.dtype
            assert p.shape == shape
            assert p.data.tobytes() == pack(x).tobytes()
            assert not np.shares_memory(p.data, given)
        wide = x.astype(np.float32)
        for form in name, own(name), castufunc.FORMATS[name].onnx:
            assert PackedArray.from_array(wide, form) == PackedArray(pack(x), name, shape)
        assert PackedArray.from_array(wide, twin(name)).dtype == twin(name)
    p = PackedArray.from_array([[1.2, -0.7], [9, 1]], "int4", saturate=False, round_mode="down")
    assert p.data.tobytes() == cast_pack([[1.2, -0.7], [9, 1]], "int4").tobytes()
    assert PackedArray.from_array(["1", "2"], name).shape == (2,)
    assert PackedArray.from_array(3, name).shape == ()
    with pytest.raises(TypeError, match="has no packed form"):
        PackedArray.from_array([1, 2])
    with pytest.raises(TypeError, match="has no packed form"):
        PackedArray.from_array([1, 2], "int8")
    with pytest.raises(ValueError, match="round_mode"):
        PackedArray.from_array([1, 2], name, round_mode="even")


def test_layouts_of_from_array():
    x = random_array("uint4", (3, 5))
    for given in x.T, x[::-1], np.asfortranarray(x), x[:, ::2]:
        assert PackedArray.from_array(given).unpack().tolist() == given.tolist()


def test_nothing_can_be_set():
    _, p = make("int4", (3, 4))
    before = p.data.tobytes()
    for attribute in "data", "dtype", "shape", "ndim", "size", "nbytes", "other", "__class__":
        with pytest.raises(AttributeError, match="read-only"):
            setattr(p, attribute, getattr(p, attribute, 1))
        with pytest.raises(AttributeError, match="read-only"):
            delattr(p, attribute)
    with pytest.raises(TypeError, match="does not support item assignment"):
        p[0] = 1
    with pytest.raises(TypeError, match="item deletion"):
        del p[0]
    with pytest.raises(ValueError, match="read-only"):
        p.data[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        p[1:].data[:] = 1
    with pytest.raises(TypeError):
        p += 1
    assert not hasattr(p, "__dict__")
    assert p.data.tobytes() == before


def test_its_data_are_a_view_and_the_given_array_stays_writeable():
    data = np.array([0x21, 0x43], np.uint8)
    p = PackedArray(data, "uint4", 4)
    assert np.shares_memory(p.data, data)
    assert data.flags.writeable
    data[0] = 0x65
    assert p.unpack().tolist() == [5, 6, 3, 4]


def test_unpack_out():
    x, p = make("int4", (3, 4))
    out = np.zeros((3, 4), own("int4"))
    assert p.unpack(out=out) is out
    assert codes_of(out).tolist() == codes_of(x).tolist()
    wide = np.zeros((3, 4), np.float32)
    assert p.astype("float32", out=wide) is wide
    assert (wide == x.astype(np.float32)).all()


# --- as an array ----------------------------------------------------------------------------


@every_packed
def test_array(name):
    for shape in SHAPES:
        x, p = make(name, shape)
        for got in np.asarray(p), np.array(p), np.array(p, copy=True), np.asarray(p, copy=None):
            assert type(got) is np.ndarray
            assert (got.dtype, got.shape) == (own(name), shape)
            assert codes_of(got).tolist() == codes_of(x).tolist()
            assert got.flags.writeable
        for dtype in np.float32, own(name), twin(name), "float64", object, "U20":
            expected = x.astype(dtype)
            for got in np.asarray(p, dtype), np.array(p, dtype, copy=True), p.__array__(dtype):
                assert got.dtype == dtype
                assert got.tolist() == expected.tolist()
        for call in (
            lambda p=p: np.array(p, copy=False),
            lambda p=p: np.asarray(p, copy=False),
            lambda p=p: np.asarray(p, np.float32, copy=False),
            lambda p=p: p.__array__(copy=False),
            lambda p=p: p.__array__(None, False),
        ):
            with pytest.raises(ValueError, match="without a copy"):
                call()


def test_numpy_takes_it():
    x, p = make("uint4", (3, 4))
    assert np.sum(p) == np.sum(x)
    assert np.concatenate([p, p]).tolist() == np.concatenate([x, x]).tolist()
    assert (np.add(p, 1) == np.add(x, 1)).all()
    assert cast(p, "float32").tolist() == x.astype(np.float32).tolist()
    assert pack(p).tobytes() == p.data.tobytes()
    assert cast_pack(p, "uint2").tobytes() == cast_pack(x, "uint2").tobytes()
    assert np.may_share_memory(np.asarray(p), p.data) is False
    assert castufunc.cast_like([1, 17], p).dtype == own("uint4")


# --- equality, copies -----------------------------------------------------------------------


@every_packed
def test_equality(name):
    x, p = make(name, (3, 4))
    same = PackedArray(bytearray(pack(x)), own(name), (3, 4))
    assert p == same
    assert p.__ne__(same) is False
    assert hash(p) == hash(same)
    assert len({p, same}) == 1
    flipped = bytearray(pack(x))
    flipped[0] ^= 1
    others = [
        PackedArray(flipped, name, (3, 4)),
        PackedArray(pack(x), name, (4, 3)),
        PackedArray(pack(x), name, 12),
        PackedArray(pack(x), name, (3, 4, 1)),
        PackedArray(pack(x[:2]), name, (2, 4)),
        *(PackedArray(pack(x), n, (3, 4)) for n, bits in PACKED.items()
          if n != name and bits == PACKED[name]),
    ]  # fmt: skip
    for other in others:
        assert p != other
        assert p.__eq__(other) is False
    for other in None, 1, "p", b"", (p,), object():
        assert p != other
        assert p.__eq__(other) is NotImplemented


def test_bits_count_not_values():
    """Two zeros, or a NaN if there were one: the same if and only if the codes are."""
    zeros = PackedArray.from_array([0.0, -0.0], "float4e2m1")
    assert zeros == PackedArray.from_array([0.0, -0.0], "float4e2m1")
    assert zeros != PackedArray.from_array([0.0, 0.0], "float4e2m1")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@every_packed
def test_pickle(name, protocol):
    for shape in SHAPES:
        x, p = make(name, shape)
        for q in p, PackedArray(pack(x), twin(name), shape):
            back = pickle.loads(pickle.dumps(q, protocol))
            assert type(back) is PackedArray
            assert back == q
            assert back.dtype == q.dtype
            assert not np.shares_memory(back.data, q.data)
            assert not back.data.flags.writeable


def test_pickle_of_a_part_holds_the_part_only():
    p = PackedArray.from_array(np.zeros((1000, 64)), "int4")
    assert len(pickle.dumps(p[3:5])) < 400


def test_copies():
    data = np.array([0x21, 0x43], np.uint8)
    p = PackedArray(data, "uint4", (2, 2))
    copies = [copy.copy(p), copy.deepcopy(p), copy.deepcopy([p])[0]]
    for q in copies:
        assert q == p
        assert type(q) is PackedArray
    data[:] = 0
    assert copies[1].unpack().tolist() == [[1, 2], [3, 4]]


def test_repr():
    p = PackedArray.from_array([[1, -2], [3, 4]], "int4")
    assert repr(p) == str(p) == "PackedArray(dtype=castufunc.int4, shape=(2, 2), nbytes=2)"
    p = PackedArray(b"", twin("float6e2m3"), 0)
    assert repr(p) == "PackedArray(dtype=float6_e2m3fn, shape=(0,), nbytes=0)"


def test_it_lives_as_long_as_a_part_needs_its_data():
    data = np.zeros(2, np.uint8)
    p = PackedArray(data, "uint4", (2, 2))
    alive = weakref.ref(data)
    del data
    part = p[1:]
    del p
    assert part.unpack().tolist() == [[0, 0]]
    assert alive() is not None
    del part
    assert alive() is None


def test_truth_is_that_of_its_length():
    assert PackedArray.from_array([0, 0], "int4")
    assert not PackedArray.from_array([], "int4")
    with pytest.raises(TypeError, match="without dimensions"):
        len(PackedArray.from_array(1, "int4"))
    assert unpack(b"\x01", "int4", 1).shape == (1,)
