"""Shapes and types as `unpack`, `unpack_cast` and PackedArray take them."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import castufunc
from castufunc import PackedArray, cast_pack, pack, unpack, unpack_cast
from oracle import NATIVE, OURS

from .forms import PACKED, own, twin

CALLS = {
    "unpack": unpack,
    "unpack_cast": lambda *args, **kwargs: unpack_cast(*args, "float32", **kwargs),
    "PackedArray": PackedArray,
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)

DATA = bytes.fromhex("103254")  # 0 to 5


class Index:
    def __index__(self):
        return 6


@every_call
@pytest.mark.parametrize(
    ("given", "shape"),
    [
        (6, (6,)), ((6,), (6,)), ([6], (6,)), ((2, 3), (2, 3)), ([3, 2], (3, 2)),
        (np.int64(6), (6,)), (np.uint8(6), (6,)), ((np.int8(2), np.uint64(3)), (2, 3)),
        (np.array([2, 3]), (2, 3)),
        (Index(), (6,)), ((1, 6, 1), (1, 6, 1)), (range(2, 4), (2, 3)), (iter((3, 2)), (3, 2)),
        ((n for n in (2, 3)), (2, 3)),
    ],
)  # fmt: skip
def test_shapes(call, given, shape):
    if not isinstance(given, (int, tuple, list, np.generic, np.ndarray, range, Index)):
        given = iter(shape)  # each test needs a fresh one
    got = call(DATA, "uint4", given)
    assert got.shape == shape
    assert all(type(n) is int for n in got.shape)
    assert np.asarray(got).ravel().tolist() == list(range(6))


@every_call
def test_no_elements(call):
    for shape in (0,), (0, 3), (3, 0), (2**60, 0), (0, 2**60), (2**40, 0, 2):
        assert call(b"", "uint4", shape).shape == shape
    for shape in (2**62, 2**62, 0), (2**63, 0), (0, 2**70):
        with pytest.raises(ValueError, match="has more elements than an array can have"):
            call(b"", "uint4", shape)


@every_call
def test_sizes_that_are_refused(call):
    for shape in -1, (-1,), (2, -3), (-2, -3), (0, -1), np.int64(-6):
        with pytest.raises(ValueError, match="has a negative size"):
            call(DATA, "uint4", shape)
    for shape in (2**40, 2**40), 2**63, (2**62, 3), 10**30, (2**32, 2**31):
        with pytest.raises(ValueError, match="has more elements than an array can have"):
            call(DATA, "uint4", shape)
    # Too few bytes is found before memory is asked for.
    for shape in 2**62, (2**31, 2**31), 2**63 - 1:
        for name in PACKED:
            with pytest.raises(ValueError, match=r"data has 3 bytes, \d+ elements of \d bits"):
                call(DATA, name, shape)
    for shape in 6.0, (2.0, 3), "6", None, (None,), ("2", "3"), [[2, 3]], 1j:
        with pytest.raises(TypeError):
            call(DATA, "uint4", shape)


@every_call
def test_more_dimensions_than_an_array_can_have(call):
    with pytest.raises(ValueError, match="dimension"):
        np.asarray(call(b"\x01", "uint4", (1,) * 65))


@every_call
def test_names_of_types(call):
    for name, bits in PACKED.items():
        info = castufunc.FORMATS[name]
        data = bytes(-(-6 * bits // 8))
        for form in name, name.upper(), f"tensor({name})", info.onnx, own(name), info.type:
            assert call(data, form, 6).dtype in (own(name), np.float32)
        for form in twin(name), twin(name).type:
            assert call(data, form, 6).dtype in (twin(name), np.float32)
        if info.ml_dtypes not in NATIVE:
            assert call(data, info.ml_dtypes, 6).dtype in (own(name), np.float32)


WIDE = [*NATIVE, *(name for name in OURS if name not in PACKED), "complex64", "longdouble", "U3",
        "S3", "string", object, ml_dtypes.float8_e5m2, ml_dtypes.bfloat16]  # fmt: skip


@every_call
@pytest.mark.parametrize("form", WIDE, ids=str)
def test_types_of_8_bits_and_more_have_no_packed_form(call, form):
    for data, shape in [(b"", 0), (b"12", 4)]:
        with pytest.raises(TypeError, match="has no packed form"):
            call(data, form, shape)
    with pytest.raises(TypeError, match="has no packed form"):
        cast_pack([1], form)
    dtype = castufunc.dtype(form)
    if dtype.kind != "O":
        with pytest.raises(TypeError, match="has no packed form"):
            pack(np.zeros(3, dtype))


@every_call
def test_no_types(call):
    for form in None, True, 0, 999, "float", "int3", "nothing", np.dtype("i4,i4"), 1.5, b"int4":
        with pytest.raises(TypeError):
            call(DATA, form, 6)


def test_pack_takes_array_likes():
    for x in [1, 2], 3, 2.5, "1", None, [None], {1: 2}, [[1], [2]]:
        with pytest.raises(TypeError, match="has no packed form"):
            pack(x)
    with pytest.raises(ValueError, match="inhomogeneous"):
        pack([[1], [2, 3]])
    for dtype in "M8[s]", "V1", "i1,i1":
        with pytest.raises(TypeError, match="has no packed form"):
            pack(np.zeros(3, dtype))
    masked = np.ma.array(np.array([1, 2], castufunc.int4), mask=[True, False])
    with pytest.raises(TypeError, match="masked array has no packed form"):
        pack(masked)
    assert pack(masked.data).tolist() == [0x21]


@pytest.mark.parametrize("name", ["int1", "uint1"])
def test_types_of_one_bit_are_not_public(name):
    if not hasattr(ml_dtypes, name):
        pytest.skip(f"ml_dtypes {ml_dtypes.__version__} has no {name}")
    kind = getattr(ml_dtypes, name)
    for call in CALLS.values():
        with pytest.raises(TypeError, match="has no packed form"):
            call(b"\0", kind, 8)
    with pytest.raises(TypeError, match="has no packed form"):
        cast_pack([1], kind)
    with pytest.raises(TypeError, match="has no packed form"):
        pack(np.zeros(3, kind))


@every_call
def test_dimensions(call):
    for n in 2, 64:
        assert call(b"\x21", "int4", [1] * (n - 1) + [2]).shape == (1,) * (n - 1) + (2,)
    for shape in [1] * 65, (1,) * 100_000, itertools.repeat(0), itertools.count(10**6):
        with pytest.raises(ValueError, match=r"shape \(.*\.\.\. has more than 64 dim") as caught:
            call(b"\x01", "int4", shape)
        assert len(str(caught.value)) < 300


@every_call
def test_huge_sizes(call):
    for size in 2**63, 10**80, 10**5000, -(10**5000):
        for shape in size, (2, size), [size] * 64:
            with pytest.raises(ValueError, match=r"more elements than|negative size") as caught:
                call(b"", "int4", shape)
            assert len(str(caught.value)) < 300
    assert call(b"", "int4", (0, 2**60)).shape == (0, 2**60)
