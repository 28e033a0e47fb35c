"""Arrays of every type into models that onnxruntime runs, and out of them."""

import ctypes

import numpy as np
import pytest

import castufunc as cu
from neighbours.samples import codes, same

ort = pytest.importorskip("onnxruntime")
helper = pytest.importorskip("onnx.helper")

FLOAT = 1
# Those that the CPU's Cast has no kernel for, or that onnxruntime does not know.
MISSING = ["float6e2m3", "float6e3m2", "float4e2m1"]
HAD = [info for info in cu.FORMATS.values() if info.name not in MISSING]
each_had = pytest.mark.parametrize("info", HAD, ids=lambda info: info.name)
each_packed = pytest.mark.parametrize(
    "info", [info for info in HAD if info.bits < 8], ids=lambda info: info.name
)


def cast_model(source, target):
    node = helper.make_node("Cast", ["x"], ["y"], to=target)
    values = [
        helper.make_tensor_value_info(*value, None) for value in [("x", source), ("y", target)]
    ]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    opsets = [helper.make_opsetid("", 25)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=11)
    options = ort.SessionOptions()
    options.log_severity_level = 4
    return ort.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def every_code(info):
    return np.arange(1 << info.bits, dtype=f"u{info.itemsize}").view(info.dtype).reshape(2, -1)


def ortvalue(info, x):
    if info.bits >= 8:
        return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(codes(x), info.onnx)
    packed = cu.pack(x)
    value = ort.OrtValue.ortvalue_from_shape_and_type(x.shape, info.onnx)
    assert value.tensor_size_in_bytes() == packed.nbytes
    ctypes.memmove(value.data_ptr(), packed.ctypes.data, packed.nbytes)
    return value


def array(value):
    dtype = cu.dtype(value.element_type())
    data = ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes())
    if dtype in [info.dtype for info in HAD if info.bits < 8]:
        return cu.unpack(data, dtype, tuple(value.shape()))
    return np.frombuffer(data, dtype).reshape(value.shape())


@each_had
def test_values_go_in_by_their_codes(info):
    x = every_code(info)
    value = ortvalue(info, x)
    assert (value.element_type(), tuple(value.shape())) == (info.onnx, x.shape)
    assert value.data_type() == f"tensor({info.name})"
    (y,) = cast_model(info.onnx, FLOAT).run(None, {"x": value})
    assert np.array_equal(y, x.astype(np.float32), equal_nan=True)
    with pytest.raises(RuntimeError, match="can't be converted to MLDataType"):
        cast_model(info.onnx, FLOAT).run(None, {"x": x})


def test_a_value_of_codes_shares_the_array_s_memory():
    x = np.ones(3, cu.bfloat16)
    value = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(x.view(np.uint16), 16)
    assert value.data_ptr() == x.ctypes.data


@each_had
def test_values_come_out_of_their_memory(info):
    whole = np.arange(0 if info.min >= 0 else -2, 4, dtype=np.float32)
    x = np.clip(whole, max(float(info.min), -100), min(float(info.max), 100))
    expected = cu.cast(x, info.dtype)
    session = cast_model(FLOAT, info.onnx)
    (y,) = session.run_with_ort_values(None, {"x": ort.OrtValue.ortvalue_from_numpy(x)})
    if info.name != "float8e8m0":
        assert same(array(y), expected)
    (wide,) = cast_model(info.onnx, FLOAT).run(None, {"x": y})
    assert np.array_equal(array(y).astype(np.float32), wide)
    if info.name == "float8e4m3fn":
        for given in [y.numpy(), session.run(None, {"x": x})[0]]:
            assert given.dtype == np.uint8
            assert same(given.view(info.dtype), expected)
    else:
        for ask in [y.numpy, lambda: session.run(None, {"x": x})]:
            with pytest.raises(RuntimeError, match="No corresponding Numpy type"):
                ask()


@each_had
def test_arrays_are_bound_in_place(info):
    x = every_code(info)
    memory = x if info.bits >= 8 else cu.pack(x)
    out = np.zeros(x.shape, np.float32)
    session = cast_model(info.onnx, FLOAT)
    binding = session.io_binding()
    binding.bind_input("x", "cpu", 0, info.onnx, x.shape, memory.ctypes.data)
    binding.bind_output("y", "cpu", 0, FLOAT, x.shape, out.ctypes.data)
    session.run_with_iobinding(binding)
    assert np.array_equal(out, x.astype(np.float32), equal_nan=True)

    source = np.where(np.isfinite(out), out, 1)
    back = np.zeros_like(memory)
    session = cast_model(FLOAT, info.onnx)
    binding = session.io_binding()
    binding.bind_input("x", "cpu", 0, FLOAT, x.shape, source.ctypes.data)
    binding.bind_output("y", "cpu", 0, info.onnx, x.shape, back.ctypes.data)
    session.run_with_iobinding(binding)
    got = back if info.bits >= 8 else cu.unpack(back, info.dtype, x.shape)
    finite = np.isfinite(out)
    assert same(got[finite], x[finite])


@each_packed
def test_codes_of_packed_types_are_misread_in_silence(info):
    """Why such a value is filled with the packed form: the codes are taken for that."""
    x = cu.cast([1, 1, 1, 1, 1, 1, 1, 1], info.dtype)
    value = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(codes(x), info.onnx)
    (y,) = cast_model(info.onnx, FLOAT).run(None, {"x": value})
    per_byte = 8 // info.bits
    assert y.tolist() == ([1] + [0] * (per_byte - 1)) * (8 // per_byte)


@pytest.mark.parametrize("name", MISSING)
def test_types_without_a_session(name):
    with pytest.raises(Exception, match=r"NOT_IMPLEMENTED|MLDataType"):
        cast_model(FLOAT, cu.FORMATS[name].onnx)
