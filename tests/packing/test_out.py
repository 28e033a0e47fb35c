"""`out=` of the four functions: the right kind is filled and returned, any other is refused."""

import numpy as np
import pytest

import castufunc
from byte_order import SWAPPED
from castufunc import PackedArray, cast_pack, pack, unpack, unpack_cast

from .forms import PACKED, bytes_of, codes_of, every_packed, own, random_array, size_of, twin

N = 45


def packers(x, name):
    yield lambda out: pack(x, out=out)
    yield lambda out: pack(x.view(twin(name)), out=out)
    yield lambda out: cast_pack(x.astype(np.float32), name, out=out)
    yield lambda out: cast_pack(castufunc.cast(x, "string"), name, out=out)


@every_packed
def test_packed_out(name, tmp_path):
    x = random_array(name, N)
    expected = bytes_of(codes_of(x), PACKED[name])
    size = len(expected)
    for call in packers(x, name):
        whole = np.full(size + 9, 0xAA, np.uint8)
        for out in (
            np.empty(size, np.uint8),
            whole[5 : 5 + size],
            np.empty(size, f"{SWAPPED}u1"),
            np.memmap(tmp_path / "out", np.uint8, "w+", shape=size),
        ):
            assert call(out) is out
            assert out.tobytes() == expected
        # Not a byte beside it is touched.
        assert set(whole[:5].tolist() + whole[5 + size :].tolist()) == {0xAA}


@every_packed
def test_packed_out_that_does_not_fit(name):
    x = random_array(name, N)
    size = size_of(PACKED[name], N)
    for call in packers(x, name):
        for dtype in np.int8, np.uint16, bool, own(name), "V1", object:
            with pytest.raises(TypeError, match="out must be an array of uint8, not "):
                call(np.zeros(size, dtype))
        for out in [0] * size, bytearray(size), 0, (np.zeros(size, np.uint8),):
            with pytest.raises(TypeError, match="out must be an array of uint8, not "):
                call(out)
        for shape in size - 1, size + 1, 0, (1, size), (size, 1), ():
            with pytest.raises(ValueError, match="the packed data have"):
                call(np.zeros(shape, np.uint8))
        read_only = np.zeros(size, np.uint8)
        read_only.flags.writeable = False
        for out in np.zeros(2 * size, np.uint8)[::2], np.zeros(size, np.uint8)[::-1], read_only:
            with pytest.raises(ValueError, match="out must be contiguous and writeable"):
                call(out)
        assert not read_only.any()


@every_packed
def test_packed_out_of_nothing(name):
    empty = np.empty(0, np.uint8)
    assert pack(random_array(name, (0, 3)), out=empty) is empty
    assert cast_pack([], name, out=empty) is empty


def unpackers(name):
    yield own(name), lambda data, out: unpack(data, name, (3, 15), out=out)
    yield twin(name), lambda data, out: unpack(data, twin(name), (3, 15), out=out)
    # The twin is as good, whichever was asked for.
    yield twin(name), lambda data, out: unpack(data, name, (3, 15), out=out)
    yield own(name), lambda data, out: unpack(data, twin(name), (3, 15), out=out)
    yield own(name), lambda data, out: PackedArray(data, name, (3, 15)).unpack(out=out)
    for to in "float32", "int64", "float8e5m2", "bool":
        yield (
            castufunc.dtype(to),
            lambda data, out, to=to: unpack_cast(data, name, (3, 15), to, out=out),
        )
    yield (
        castufunc.dtype("bfloat16"),
        lambda data, out: PackedArray(data, name, (3, 15)).astype("bfloat16", out=out),
    )


@every_packed
def test_unpacked_out(name):
    x = random_array(name, (3, 15))
    data = pack(x)
    for dtype, call in unpackers(name):
        expected = castufunc.cast(x, dtype).tolist()
        whole = np.zeros((7, 40), dtype)
        for out in (
            np.empty((3, 15), dtype),
            np.empty((15, 3), dtype).T,
            whole[1:4, 3:33:2],
            whole[::-3, 39:24:-1],
        ):
            assert call(data, out) is out
            assert out.tolist() == expected
    unaligned = np.zeros((3, 15), [("pad", "u1"), ("number", "f4")])["number"]
    assert unpack_cast(data, name, (3, 15), "float32", out=unaligned) is unaligned
    assert (unaligned == x.astype(np.float32)).all()


@every_packed
def test_unpacked_out_that_does_not_fit(name):
    data = pack(random_array(name, (3, 15)))
    for dtype, call in unpackers(name):
        others = [np.int8, np.uint8, np.float64, own("float8e4m3fn"), f"{SWAPPED}f4", object, "U3"]
        for other in [other for other in others if np.dtype(other) != dtype]:
            with pytest.raises(TypeError, match="out has dtype"):
                call(data, np.zeros((3, 15), other))
        for out in [0] * 45, bytearray(45), 0, (np.zeros((3, 15), dtype),):
            with pytest.raises(TypeError, match="out must be an array, not "):
                call(data, out)
        for shape in (45,), (15, 3), (1, 3, 15), (3, 16), (3, 1), (6, 15), ():
            with pytest.raises(ValueError, match="out has shape"):
                call(data, np.zeros(shape, dtype))
        read_only = np.zeros((3, 15), dtype)
        read_only.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            call(data, read_only)


def test_the_other_types_of_the_same_width_are_no_twins():
    data = pack(random_array("int4", 8))
    for other in "uint4", "float4e2m1", "int2":
        for dtype in own(other), twin(other):
            with pytest.raises(TypeError, match="out has dtype"):
                unpack(data, "int4", 8, out=np.zeros(8, dtype))


def test_text_out():
    data = pack(castufunc.cast([1, -2, 3], "int4"))
    for to, dtype in [("string", object), ("U", "U9"), ("S", "S9")]:
        out = np.zeros(3, dtype)
        assert unpack_cast(data, "int4", 3, to, out=out) is out
        assert out.astype("U").tolist() == ["1", "-2", "3"]
        for shape in (2, 3), (1,), ():
            with pytest.raises(ValueError, match="out has shape"):
                unpack_cast(data, "int4", 3, to, out=np.zeros(shape, dtype))
        with pytest.raises(TypeError, match="out has dtype"):
            unpack_cast(data, "int4", 3, to, out=np.zeros(3, np.int8))


# --- memory in common -----------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0, 1, 7, 500, 1000])
@every_packed
def test_pack_in_place(name, offset):
    """The packed bytes go into the memory of the codes themselves."""
    n = 5000
    memory = np.zeros(2 * n, np.uint8)
    codes = codes_of(random_array(name, n))
    expected = bytes_of(codes, PACKED[name])
    for step in 1, -1:
        memory[:n] = codes[::step]
        x = memory[:n][::step].view(own(name)) if step > 0 else memory[:n].view(own(name))[::-1]
        out = memory[offset : offset + len(expected)]
        assert pack(x, out=out).tobytes() == expected
        memory[:n] = codes[::step]
        assert cast_pack(x, name, out=out).tobytes() == expected


@pytest.mark.parametrize("offset", [0, 1, 7, 500, 3000])
@every_packed
def test_unpack_in_place(name, offset):
    """The codes go into the memory of the packed bytes."""
    n = 5000
    x = random_array(name, n)
    packed = pack(x)
    memory = np.zeros(2 * n, np.uint8)
    for out in memory[:n].view(own(name)), memory[:n].view(own(name))[::-1]:
        data = memory[offset : offset + packed.size]
        data[:] = packed
        unpack(data, name, n, out=out)
        assert codes_of(out).tolist() == codes_of(x).tolist()
    wide = np.zeros(2 * n, np.float32)
    data = wide.view(np.uint8)[offset : offset + packed.size]
    data[:] = packed
    assert (unpack_cast(data, name, n, "float32", out=wide[:n]) == x.astype(np.float32)).all()


@every_packed
def test_cast_pack_in_place(name):
    x = random_array(name, 5000)
    wide = x.astype(np.float32)
    out = wide.view(np.uint8)[7 : 7 + size_of(PACKED[name], x.size)]
    assert cast_pack(wide, name, out=out).tobytes() == bytes_of(codes_of(x), PACKED[name])
