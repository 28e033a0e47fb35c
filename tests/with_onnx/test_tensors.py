"""to_array and from_array, for every type and every place that data may be in."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from byte_order import SWAPPED

pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper

import castufunc
from castufunc.onnx import from_array, to_array
from castufunc.onnx.elements import ELEMENTS

from .models import BY_NAME, same_bits, sample

KNOWN = set(helper.get_all_tensor_dtypes())
NAMES = [element.name for element in ELEMENTS.values() if element.number in KNOWN]
NUMBERS = [name for name in NAMES if name != "string"]
NARROW = [name for name in NUMBERS if BY_NAME[name].bits < 8]
SHAPES = [(), (0,), (1,), (2,), (3,), (5,), (2, 0, 3), (3, 5), (4, 2, 8)]


def own(array, name):
    """The array as the type of this package, or of NumPy."""
    return array if name == "string" else array.view(BY_NAME[name].dtype)


def typed_fields_are_right(name):
    """Before 1.23 onnx had float6 packed in int32_data, or not at all."""
    return BY_NAME[name].bits != 6 or hasattr(numpy_helper, "_pack_6bit")


# --- as onnx's own helpers ----------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_as_onnx(name, shape):
    x = sample(name, shape)
    wanted = numpy_helper.from_array(x, "t")
    for given in [x, own(x, name)]:
        tensor = from_array(given, "t")
        assert tensor == wanted
        assert tensor.SerializeToString() == wanted.SerializeToString()
    assert same_bits(to_array(wanted), own(x, name))
    assert same_bits(to_array(wanted, as_ml_dtypes=True), x)
    assert same_bits(numpy_helper.to_array(wanted), x)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", [n for n in NAMES if typed_fields_are_right(n)])
def test_as_onnx_in_typed_fields(name, shape):
    x = sample(name, shape)
    if x.dtype.kind in "fc":
        x = np.nan_to_num(x)  # protobuf's Python floats may lose a NaN's payload
    number = BY_NAME[name].number
    if name.startswith("float8"):
        # make_tensor casts codes anew, and changes infinities and float8e8m0's 2^-127 by that.
        codes = x.view(np.uint8).reshape(-1).tolist()
        wanted = TensorProto(name="t", data_type=number, dims=shape, int32_data=codes)
    else:
        wanted = helper.make_tensor("t", number, shape, x)
    tensor = from_array(own(x, name), "t", raw=False)
    assert tensor == wanted
    assert tensor.SerializeToString() == wanted.SerializeToString()
    assert same_bits(to_array(tensor), own(x, name))
    assert same_bits(numpy_helper.to_array(tensor), x)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_code(name):
    element = BY_NAME[name]
    bits = min(element.bits, 16)
    codes = np.arange(2 if name == "bool" else 1 << bits, dtype=f"u{(bits + 7) // 8}")
    whole = np.zeros((codes.size, element.dtype.itemsize // codes.itemsize), codes.dtype)
    whole[:, -1] = codes  # with the sign and the exponent of the wider types
    x = whole.reshape(-1).view(element.dtype)
    assert same_bits(to_array(from_array(x)), x)
    if name not in ("complex64", "complex128", "float", "double"):
        assert same_bits(to_array(from_array(x, raw=False)), x)


# --- layout of the data -------------------------------------------------------------------------


def test_float6_has_an_entry_for_each_code():
    x = np.arange(7, dtype=np.uint8).view(castufunc.float6e3m2)
    assert list(from_array(x, raw=False).int32_data) == list(range(7))
    assert from_array(x).raw_data == bytes([0x40, 0x20, 0x0C, 0x44, 0x61, 0x00])


def test_narrower_types_have_an_entry_for_each_byte():
    x = castufunc.cast([1, -1, 7], "int4")
    assert list(from_array(x, raw=False).int32_data) == [0xF1, 0x07]
    x = castufunc.cast([1, 2, 3, 0, 1], "uint2")
    assert list(from_array(x, raw=False).int32_data) == [0x39, 0x01]


def test_high_bits_in_an_array_do_not_count():
    for name in NARROW:
        x = sample(name).view(np.uint8)
        dirty = (x | 0xC0 << max(0, BY_NAME[name].bits - 6)).view(castufunc.dtype(name))
        clean = x.view(castufunc.dtype(name))
        for raw in [True, False]:
            assert from_array(dirty, raw=raw) == from_array(clean, raw=raw)


def test_bools_are_written_as_0_and_1():
    x = np.array([0, 1, 2, 255], np.uint8).view(bool)
    assert from_array(x).raw_data == bytes([0, 1, 1, 1])
    assert list(from_array(x, raw=False).int32_data) == [0, 1, 1, 1]


@pytest.mark.parametrize("raw", [True, False])
def test_byte_order_and_layout(raw):
    for x in [*(np.arange(6, dtype=f"{SWAPPED}{name}") for name in ["f4", "i8", "c16", "u2"]),
              np.arange(24).reshape(4, 6).T[::2, ::-1],
              sample("int4").T[::-1], sample("float16")[:, ::2]]:  # fmt: skip
        plain = np.ascontiguousarray(x.astype(x.dtype.newbyteorder("=")))
        assert from_array(x, raw=raw) == from_array(plain, raw=raw)
    assert from_array(np.array([1], np.longlong)).data_type == TensorProto.INT64


def test_packed_arrays_go_in_as_they_are():
    for name in NARROW:
        x = sample(name)
        packed = castufunc.PackedArray.from_array(x)
        for raw in [True, False]:
            assert from_array(packed, "p", raw=raw) == from_array(x, "p", raw=raw)


def test_what_is_array_like():
    assert from_array([1.5, 2]) == from_array(np.array([1.5, 2]))
    assert to_array(from_array(3)).shape == ()
    assert from_array(np.float16(1)).name == ""


# --- copies -------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.byteorder == "big", reason="raw_data is little-endian")
def test_raw_data_are_not_copied():
    tensor = from_array(sample("float8e5m2", (100, 100)))
    for as_ml_dtypes in [False, True]:
        x = to_array(tensor, as_ml_dtypes=as_ml_dtypes)
        assert not x.flags.owndata
        assert not x.flags.writeable
    assert to_array(from_array(sample("int4"))).flags.writeable
    assert to_array(from_array(sample("int8"), raw=False)).flags.writeable


# --- text ---------------------------------------------------------------------------------------

WORDS = ["", "a", "naïve", "日本", "\0", "𝄞"]


@pytest.mark.parametrize("container", [object, "U", np.dtypes.StringDType()], ids=str)
def test_text(container):
    words = [word for word in WORDS if container != "U" or word != "\0"]
    tensor = from_array(np.array(words, container).reshape(-1, 1), "t")
    assert tensor == numpy_helper.from_array(np.array(words, object).reshape(-1, 1), "t")
    assert same_bits(to_array(tensor), np.array(words, object).reshape(-1, 1))


def test_bytes_are_text_if_they_are_utf8():
    assert from_array(np.array([b"a", "ï".encode()], object)).string_data == [b"a", b"\xc3\xaf"]
    assert from_array(np.array([b"ab"])).string_data == [b"ab"]
    with pytest.raises(ValueError, match="element 1 is no UTF-8: invalid"):
        from_array(np.array(["a", b"\xff"], object))
    with pytest.raises(ValueError, match="element 0 is no UTF-8: surrogates not allowed"):
        from_array(np.array(["\ud800"], object))


@pytest.mark.parametrize("bad", [1, None, 1.5, ["a"]])
def test_objects_that_are_no_text(bad):
    x = np.array(["a", None], object)
    x[1] = bad
    with pytest.raises(TypeError, match=f"element 1 is no text but {type(bad).__name__}"):
        from_array(x)


def test_string_data_that_is_not_utf8():
    tensor = TensorProto(name="t", data_type=8, dims=[2], string_data=[b"a", b"\xff"])
    with pytest.raises(ValueError, match="entry 1 of string_data is not UTF-8") as caught:
        to_array(tensor)
    assert str(caught.value).startswith("tensor 't': ")


# --- too little and too much --------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1,), (3,), (5,), (3, 5)], ids=str)
@pytest.mark.parametrize("name", NUMBERS)
def test_raw_data_of_a_wrong_size(name, shape):
    n, bits = math.prod(shape), BY_NAME[name].bits
    size = (n * bits + 7) // 8
    tensor = from_array(sample(name, shape))
    assert len(tensor.raw_data) == size
    for has in (size - 1, size + 1):
        words = f"raw_data has {has} bytes, {n} elements of {name} have {size}"
        broken = TensorProto.FromString(tensor.SerializeToString())
        broken.raw_data = (tensor.raw_data + b"\1")[:has]
        with pytest.raises(ValueError, match=words):
            to_array(broken)
        if has > size:
            assert same_bits(to_array(broken, strict=False), to_array(tensor))
        else:
            with pytest.raises(ValueError, match=words):
                to_array(broken, strict=False)


@pytest.mark.parametrize("name", NAMES)
def test_fields_of_a_wrong_size(name):
    tensor = from_array(sample(name, (3,)), raw=False)
    field = next(f.name for f, _ in tensor.ListFields() if f.name.endswith("_data"))
    entries = list(getattr(tensor, field))
    for wrong in (entries[:-1], entries + entries[:1]):
        getattr(tensor, field)[:] = wrong
        words = f"{field} has {len(wrong)} entries, 3 elements of {name} have {len(entries)}"
        with pytest.raises(ValueError, match=words):
            to_array(tensor)
    assert to_array(tensor, strict=False).shape == (3,)


def test_bits_behind_the_last_element():
    for name, shape in [("int4", (3,)), ("uint2", (5,)), ("float6e2m3", (3,))]:
        tensor = from_array(sample(name, shape))
        dirty = TensorProto.FromString(tensor.SerializeToString())
        dirty.raw_data = tensor.raw_data[:-1] + bytes([tensor.raw_data[-1] | 0x80])
        with pytest.raises(ValueError, match="bits other than zero behind its"):
            to_array(dirty)
        assert same_bits(to_array(dirty, strict=False), to_array(tensor))


@pytest.mark.parametrize(
    ("name", "entry"),
    [("uint8", 256), ("int8", -129), ("int16", 65536), ("uint16", -32769), ("float16", 1 << 16),
     ("bfloat16", -40000), ("float8e5m2", 300), ("bool", 256), ("float6e2m3", 64),
     ("float6e3m2", -1), ("int4", 256), ("uint2", 300), ("uint32", 1 << 32)],
)  # fmt: skip
def test_entries_that_are_too_large(name, entry):
    tensor = TensorProto(data_type=BY_NAME[name].number, dims=[2])
    field = "uint64_data" if name == "uint32" else "int32_data"
    getattr(tensor, field).extend([0, entry] if BY_NAME[name].bits not in (2, 4) else [entry])
    index = len(getattr(tensor, field)) - 1
    with pytest.raises(ValueError, match=f"entry {index} of {field} is {entry}, which is no"):
        to_array(tensor)
    assert to_array(tensor, strict=False).shape == (2,)


def test_entries_may_be_sign_extended():
    for name, code in [("int8", 0xFF), ("uint8", 0xFF), ("float16", 0xFC00), ("bfloat16", 0xFF80),
                       ("float8e5m2", 0xFC), ("int16", 0xFFFE)]:  # fmt: skip
        width = BY_NAME[name].bits
        for entry in (code, code - (1 << width)):
            tensor = TensorProto(data_type=BY_NAME[name].number, dims=[1], int32_data=[entry])
            assert to_array(tensor).view(f"u{width // 8}").tolist() == [code]
            assert same_bits(to_array(tensor, as_ml_dtypes=True), numpy_helper.to_array(tensor))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"data_type": 1, "dims": [2]}, "float_data has 0 entries, 2 elements of float have 2"),
        ({"data_type": 10, "dims": [1], "float_data": [1.0]},
         "data are to be in int32_data, but there are some in float_data"),
        ({"data_type": 1, "dims": [1], "float_data": [1], "raw_data": b"abcd"},
         "data are to be in raw_data, but there are some in float_data"),
        ({"data_type": 8, "dims": [1], "raw_data": b"abcd"},
         "text must be in string_data, not in raw_data"),
        ({"data_type": 8, "dims": [1], "data_location": 1},
         "text must be in string_data, not in external_data"),
        ({"data_type": 1, "dims": [-1, -4], "raw_data": bytes(16)}, "has a negative size"),
        ({"data_type": 1, "dims": [1 << 62, 1 << 62], "raw_data": b""}, "too large for an array"),
        ({"data_type": 1, "dims": [0, 1 << 62], "raw_data": b""}, "too large for an array"),
        ({"data_type": 1, "dims": [1 << 40], "raw_data": b""}, "raw_data has 0 bytes"),
        ({"data_type": 1, "dims": [1 << 60] * 5000, "raw_data": b""}, "dims has 5000 dimensions"),
        ({"data_type": 22, "dims": [1] * 65, "raw_data": b"1"}, "dims has 65 dimensions"),
        ({"data_type": 8, "dims": [1] * 65, "string_data": [b"1"]}, "dims has 65 dimensions"),
        ({"data_type": 22, "dims": [1 << 62, 4], "raw_data": b"1"}, "too large for an array"),
        ({"data_type": 22, "dims": [1 << 62], "raw_data": b"1"}, "raw_data has 1 bytes"),
        ({"data_type": 8, "dims": [1 << 59]}, "string_data has 0 entries"),
        ({"data_type": 8, "dims": [-1] * 5000}, r"dims \(-1, .*\.\.\. has a negative size"),
        ({"data_type": 1, "segment": {"begin": 0, "end": 1}}, "in segments is not supported"),
    ],
)  # fmt: skip
def test_broken_tensors(fields, words):
    with pytest.raises(ValueError, match=words):
        to_array(TensorProto(**fields))


@pytest.mark.parametrize("number", [0, 29, 99, -1])
def test_types_that_there_are_none_of(number):
    with pytest.raises(TypeError, match=f"data_type {number} is no element type") as caught:
        to_array(TensorProto(name="t", data_type=number, dims=[0]))
    assert str(caught.value).startswith("tensor 't': ")


@pytest.mark.parametrize("bad", [np.ones(1, np.longdouble), np.ones(1, "M8[s]"),
                                 np.ones(1, "V3")], ids=repr)  # fmt: skip
def test_arrays_that_cannot_be_tensors(bad):
    with pytest.raises(TypeError, match="cannot be a tensor: that is no element type"):
        from_array(bad)


def test_things_that_are_no_tensors():
    with pytest.raises(TypeError, match="to_array takes a TensorProto, not ndarray"):
        to_array(np.ones(1))
