"""The backend."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("onnx")

from onnx import checker, helper, parser
from onnx.backend.base import Backend

import castufunc
from castufunc.onnx import backend

from .models import model, same_bits, sample

WITH_FUNCTION = """
    <ir_version: 10, opset_import: ["" : 24, "local" : 1]>
    agraph (float[N] x) => (float8e8m0[N] up, float8e8m0[N] down, float8e8m0[N] default) {
        up = local.ToScale <mode = "up"> (x)
        down = local.ToScale <mode = "down", sat = 0> (x)
        default = local.ToScale (x)
    }
    <domain: "local", opset_import: ["" : 24]>
    ToScale <sat: int = 1, mode: string = "nearest"> (x) => (y) {
        y = Cast <to = 24, saturate: int = @sat, round_mode: string = @mode> (x)
    }
"""


def test_it_is_a_backend():
    assert issubclass(backend.CastufuncBackend, Backend)
    assert backend.supports_device("CPU")
    assert backend.supports_device("CPU:0")
    assert not backend.supports_device("CUDA")
    assert backend.prepare == backend.CastufuncBackend.prepare


def test_run_model():
    proto = model("Cast", 21, "float", "int4")
    x = sample("float")
    (result,) = backend.run_model(proto, [x])
    assert same_bits(result, castufunc.cast(x, ml_dtypes.int4))
    prepared = backend.prepare(proto, "CPU")
    for inputs in [[x], (x,), x, {"x": x}]:
        outputs = prepared.run(inputs)
        assert same_bits(outputs[0], result)
        assert outputs["y"] is outputs[0]


def test_our_arrays_go_in_and_onnx_s_come_out():
    proto = parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 21]>
        agraph (bfloat16[N] x) => (bfloat16[N] y, float[N] z) {
            y = Identity (x)
            z = Cast <to = 1> (x)
        }""")
    y, z = backend.run_model(proto, [np.array([1.5], castufunc.bfloat16)])
    assert y.dtype == ml_dtypes.bfloat16
    assert z.dtype == np.float32


def test_functions_of_the_model_have_our_operators():
    proto = parser.parse_model(WITH_FUNCTION)
    up, down, default = backend.run_model(proto, [np.float32([1.25, 0])])
    assert up.astype(float).tolist() == [2, 2.0**-127]
    assert down.view(np.uint8).tolist() == [127, 255]
    assert default.view(np.uint8).tolist() == [127, 0]


def test_functions_of_functions_and_in_branches():
    proto = parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 24, "local" : 1]>
        agraph (float[N] x, bool c) => (float8e8m0[N] y) {
            y = If (c) <
                then_branch = one () => (float8e8m0[N] a) { a = local.Outer (x) },
                else_branch = two () => (float8e8m0[N] b) { b = local.Outer <m = "down"> (x) }
            >
        }
        <domain: "local", opset_import: ["" : 24]>
        Inner <mode: string = "down", saturate> (x) => (y) {
            y = Cast <to = 24, round_mode: string = @mode, saturate: int = @saturate> (x)
        }
        <domain: "local", opset_import: ["" : 24, "local" : 1]>
        Outer <m: string = "nearest"> (x) => (y) { y = local.Inner <mode: string = @m> (x) }
        """)
    before = proto.SerializeToString()
    x = np.float32([1.25, 1.75, 1e38])
    for c, codes in [(True, [127, 128, 253]), (False, [127, 127, 253])]:
        (y,) = backend.run_model(proto, [x, np.array(c)])
        assert y.view(np.uint8).tolist() == codes
    assert proto.SerializeToString() == before


def test_functions_may_have_another_opset():
    proto = parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 22, "local" : 1]>
        agraph (double[N] x) => (bfloat16[N] y) { y = local.Narrow <to = 16> (x) }
        <domain: "local", opset_import: ["" : 21]>
        Narrow <to> (x) => (y) { y = Cast <to: int = @to> (x) }""")
    (y,) = backend.run_model(proto, [np.float64([1.0039062500009095])])
    assert y.view(np.uint16).tolist() == [0x3F81]  # by one rounding
    proto.graph.node[0].attribute[0].i = 23
    with pytest.raises(ValueError, match=r"Cast 21, .*no type float4e2m1 .*; Cast 23 has it"):
        backend.run_model(proto, [np.float64([1])])


def test_bad_attributes_in_functions():
    text = WITH_FUNCTION.replace('mode = "down"', 'mode = "odd"')
    with pytest.raises(ValueError, match=r"Cast 24, node 'down': .*'round_mode' .* not 'odd'"):
        backend.prepare(parser.parse_model(text))


def test_initializers_may_be_left_out():
    proto = model("CastLike", 21, "float", "int4")
    proto.graph.initializer.append(castufunc.onnx.from_array(np.ones(1, castufunc.int4), "like"))
    x = np.float32([9])
    assert backend.run_model(proto, [x])[0].tolist() == [-7]
    assert backend.run_model(proto, [x, np.ones(1, castufunc.int4)])[0].tolist() == [-7]
    proto = model("Cast", 21, "float", "int4")
    proto.graph.initializer.append(castufunc.onnx.from_array(x, "x"))
    del proto.graph.input[:]
    assert backend.run_model(proto, [])[0].tolist() == [-7]


def test_bad_inputs():
    prepared = backend.prepare(model("Cast", 21, "float16", "int4"))
    with pytest.raises(TypeError, match=r"'x' is declared tensor\(float16\), .* array of float32"):
        prepared.run([np.float32([1])])
    with pytest.raises(TypeError, match=r"'x' is declared tensor\(float16\), .* datetime64"):
        prepared.run([np.ones(1, "M8[s]")])
    with pytest.raises(ValueError, match="2 inputs are given for 1: x"):
        prepared.run([np.float16([1])] * 2)
    with pytest.raises(ValueError, match="0 inputs are given for 1: x"):
        prepared.run([])
    with pytest.raises(ValueError, match="there is no input 'z', only x"):
        prepared.run({"z": np.float16([1])})


def test_bad_models():
    with pytest.raises(ValueError, match="there is no device 'CUDA', only 'CPU'"):
        backend.prepare(model("Cast", 21, "float", "int4"), "CUDA")
    with pytest.raises(ValueError, match="there is no device 'CUDA', only 'CPU'"):
        backend.run_node(helper.make_node("Cast", ["x"], ["y"], to=1), [sample("int8")], "CUDA")
    with pytest.raises(checker.ValidationError):
        backend.prepare(helper.make_model(helper.make_graph([], "", [], [])))
    with pytest.raises(ValueError, match="Cast 19 has it"):
        backend.prepare(model("Cast", 13, "float", "float8e5m2"))


def test_is_compatible():
    assert backend.is_compatible(model("Cast", 13, "float", "bfloat16"))
    assert not backend.is_compatible(model("Cast", 13, "float", "bfloat16"), "CUDA")
    assert not backend.is_compatible(model("Cast", 13, "float", "float8e5m2"))
    assert not backend.is_compatible(model("Cast", 13, "float", "bfloat16", axis=1))


def test_run_node():
    node = helper.make_node("Cast", ["x"], ["y"], to=16)
    x = np.float32([1.1])
    (y,) = backend.run_node(node, [x])
    assert same_bits(y, castufunc.cast(x, ml_dtypes.bfloat16))
    assert same_bits(backend.run_node(node, [x], opset_version=13)[0], y)
    with pytest.raises(ValueError, match="Cast 13 has it"):
        backend.run_node(node, [x], opset_version=9)
    old = helper.make_node("Cast", ["x"], ["y"], to="INT32")
    assert backend.run_node(old, [x], opset_version=1)["y"].tolist() == [1]
    like = helper.make_node("CastLike", ["x", "x"], ["y"])
    assert backend.run_node(like, [x, x])[0].tolist() == x.tolist()
    with pytest.raises(ValueError, match="1 inputs are given for 2: x, x"):
        backend.run_node(like, [x])


def test_the_other_spelling_of_the_default_domain():
    proto = model("Cast", 21, "float", "int4", domain="ai.onnx")
    before = proto.SerializeToString()
    assert backend.run_model(proto, [np.float32([9])])[0].tolist() == [-7]
    assert proto.SerializeToString() == before


def test_text():
    x = np.array(["0.1", "inf"], object)
    (y,) = backend.run_model(model("Cast", 21, "string", "float"), [x])
    assert y.tolist() == [np.float32(0.1), np.inf]
    (y,) = backend.run_model(model("Cast", 21, "float", "string"), [y])
    assert same_bits(y, np.array(["0.1", "INF"], object))


def test_inputs_that_are_no_tensors():
    proto = parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 21]>
        agraph (seq(float[N]) s, int64 i) => (int4[N] y) {
            x = SequenceAt (s, i)
            y = Cast <to = 22> (x)
        }""")
    assert backend.run_model(proto, [[np.float32([1]), np.float32([9])], np.int64(1)])[0] == [-7]
