"""What `unpack` reads from: bytes of every kind, read where they are; and what is strict."""

import array
import mmap
import re
import tracemalloc

import numpy as np
import pytest

import castufunc
from byte_order import SWAPPED
from castufunc import PackedArray, pack, unpack, unpack_cast

from .forms import PACKED, bytes_of, codes_of, every_packed, own, random_array, size_of

CALLS = {
    "unpack": unpack,
    "unpack_cast": lambda *args, **kwargs: unpack_cast(*args, "float32", **kwargs),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)

N = 43


def kinds(data):
    """The same bytes in every kind of object that has them."""
    aligned = data + b"\0" * (-len(data) % 4)
    yield data
    yield bytearray(data)
    yield memoryview(data)
    yield memoryview(bytearray(b"?" + data))[1:]
    yield memoryview(aligned).cast("B")[: len(data)]
    yield array.array("B", data)
    yield np.frombuffer(data, np.uint8)
    yield np.array(bytearray(data), np.uint8)
    yield np.frombuffer(b"?" + data, np.uint8)[1:]
    yield np.repeat(np.frombuffer(data, np.uint8), 3)[::3]
    yield np.frombuffer(data, np.uint8)[::-1].copy()[::-1]
    yield np.frombuffer(data, np.uint8).reshape(1, -1)
    yield np.frombuffer(data, np.uint8).reshape(-1, 1).T
    yield np.frombuffer(data, np.uint8).view(f"{SWAPPED}u1")


@every_packed
def test_every_kind(name):
    x = random_array(name, N)
    data = bytes_of(codes_of(x), PACKED[name])
    for given in kinds(data):
        assert codes_of(unpack(given, name, N)).tolist() == codes_of(x).tolist()
        assert (unpack_cast(given, name, N, "float32") == x.astype(np.float32)).all()
        assert codes_of(PackedArray(given, name, N).unpack()).tolist() == codes_of(x).tolist()


def test_arrays_of_more_dimensions_are_read_in_c_order():
    data = np.arange(12, dtype=np.uint8).reshape(3, 4)
    for given in data, np.asfortranarray(data), data.T.copy().T, data.copy()[::1]:
        assert pack(unpack(given, "uint4", 24)).tolist() == list(range(12))
    assert pack(unpack(data.T, "uint4", 24)).tolist() == data.T.ravel().tolist()
    assert unpack(np.array(0x21, np.uint8), "uint4", 2).tolist() == [1, 2]


def test_items_of_more_bytes_are_read_as_they_lie():
    """A buffer is its bytes; an array of another dtype than uint8 is refused, see below."""
    words = array.array("I", [0x03020100, 0x07060504])
    assert pack(unpack(words, "uint4", 16)).tobytes() == words.tobytes()
    assert pack(unpack(memoryview(words), "uint4", 16)).tobytes() == words.tobytes()


def test_empty():
    arrays = np.empty(0, np.uint8), np.empty((0, 3), np.uint8)
    for given in b"", bytearray(), memoryview(b""), *arrays:
        for shape in 0, (0,), (3, 0), (0, 5, 2):
            for name in PACKED:
                got = unpack(given, name, shape)
                assert got.size == 0
                assert got.dtype == own(name)


@every_call
def test_read_only_data_stay_as_they_are(call):
    data = np.arange(50, dtype=np.uint8)
    data.flags.writeable = False
    got = call(data, "uint4", 100)
    assert got.flags.writeable
    assert not np.shares_memory(got, data)
    assert data.tolist() == list(range(50))


@every_call
def test_a_view_with_gaps_is_refused(call):
    for view in memoryview(b"12345678")[::2], memoryview(bytearray(b"12345678"))[::-1]:
        with pytest.raises((BufferError, ValueError), match="contiguous"):
            call(view, "uint4", 4)


@every_call
@pytest.mark.parametrize("data", ["21", 33, [33], (33,), None, 2.5, {33}, [b"21"]], ids=repr)
def test_no_bytes(call, data):
    with pytest.raises(TypeError, match="data must be bytes or an array of uint8, not "):
        call(data, "uint4", 2)


@every_call
def test_arrays_of_other_dtypes_are_refused(call):
    for dtype in np.int8, np.uint16, bool, float, object, "S1", "V1", castufunc.uint4:
        data = np.zeros(4, dtype)
        with pytest.raises(TypeError, match="data must be bytes or an array of uint8, not of "):
            call(data, "uint4", 2)


# --- sizes and padding ----------------------------------------------------------------------


def told(count, bits, size):
    size_wanted = size_of(bits, count)
    return re.escape(f"data has {size} bytes, {count} elements of {bits} bits have {size_wanted}")


@every_call
@every_packed
def test_sizes(name, call):
    bits = PACKED[name]
    for count in [*range(20), 1000]:
        size = size_of(bits, count)
        assert call(bytes(size), name, count).shape == (count,)
        for short in {0, size - 1, size // 2} - {size, -1}:
            for strict in True, False:
                with pytest.raises(ValueError, match=told(count, bits, short)):
                    call(bytes(short), name, count, strict=strict)
        for surplus in 1, 2, 100:
            with pytest.raises(ValueError, match=told(count, bits, size + surplus)):
                call(bytes(size + surplus), name, count)
            got = call(bytes(size) + b"\xff" * surplus, name, count, strict=False)
            assert codes_of(got).tolist() == codes_of(call(bytes(size), name, count)).tolist()


@every_call
@every_packed
def test_padding(name, call):
    """Each bit behind the last element is looked at if strict, and ignored if not."""
    bits = PACKED[name]
    for count in range(1, 20):
        x = random_array(name, count)
        data = bytearray(bytes_of(codes_of(x), bits))
        clean = codes_of(call(data, name, count)).tolist()
        for bit in range(count * bits % 8 or 8, 8):
            data[-1] ^= 1 << bit
            with pytest.raises(ValueError, match="bits other than zero behind"):
                call(data, name, count)
            assert codes_of(call(data, name, count, strict=False)).tolist() == clean
            data[-1] ^= 1 << bit
        assert codes_of(call(data + b"\x55", name, count, strict=False)).tolist() == clean


@every_packed
def test_packed_arrays_are_strict(name):
    bits = PACKED[name]
    with pytest.raises(ValueError, match=told(3, bits, 0)):
        PackedArray(b"", name, 3)
    with pytest.raises(ValueError, match=told(3, bits, 9)):
        PackedArray(bytes(9), name, 3)
    if 3 * bits % 8:
        with pytest.raises(ValueError, match="bits other than zero"):
            PackedArray(bytes(size_of(bits, 3) - 1) + b"\x80", name, 3)


# --- memory maps ----------------------------------------------------------------------------

LARGE = 4_000_000  # bytes


def peak_memory(call):
    tracemalloc.start()
    try:
        result = call()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def packed_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("packed") / "data.bin"
    (np.arange(LARGE) % 251).astype(np.uint8).tofile(path)
    return path


def maps(path):
    yield np.memmap(path, np.uint8, "r")
    with path.open("rb") as file:
        yield mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    yield np.memmap(path, np.uint8, "r", shape=(LARGE // 1000, 1000))


def test_memory_maps_are_read_where_they_are(packed_file):
    """No more memory is asked for than the result has: nothing is copied on the way."""
    expected = (np.arange(LARGE) % 251).astype(np.uint8)
    for data in maps(packed_file):
        got, peak = peak_memory(lambda data=data: unpack(data, "uint4", 2 * LARGE))
        assert peak < got.nbytes + LARGE / 4
        assert (pack(got) == expected).all()
        out = np.empty((2, LARGE), castufunc.uint4)
        _, peak = peak_memory(lambda data=data, out=out: unpack(data, "uint4", out.shape, out=out))
        assert peak < LARGE / 4
        assert (codes_of(out) == codes_of(got).reshape(out.shape)).all()


def test_part_of_a_map(packed_file):
    """Some elements of a file much larger."""
    data = np.memmap(packed_file, np.uint8, "r")
    expected = (np.arange(4000, 4100) % 251).astype(np.uint8)
    for given in data[4000:4100], memoryview(data)[4000:4100]:
        got, peak = peak_memory(lambda given=given: unpack(given, "uint2", (4, 100)))
        assert peak < LARGE / 4
        assert pack(got).tolist() == expected.tolist()
    got, peak = peak_memory(lambda: unpack(data[4000:], "uint2", (4, 100), strict=False))
    assert peak < LARGE / 4
    assert pack(got).tolist() == expected.tolist()


def test_a_packed_array_is_a_view_of_its_data(packed_file):
    data = np.memmap(packed_file, np.uint8, "r")
    packed, peak = peak_memory(lambda: PackedArray(data, "int4", (2, LARGE)))
    assert peak < LARGE / 4
    assert np.shares_memory(packed.data, data)
    part, peak = peak_memory(lambda: packed[1])
    assert peak < LARGE / 4
    assert np.shares_memory(part.data, data)
    for given in bytearray(b"1234"), np.arange(4, dtype=np.uint8):
        view = np.frombuffer(given, np.uint8)
        assert np.shares_memory(PackedArray(given, "int4", 8).data, view)
