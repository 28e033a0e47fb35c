"""The operators in onnx's reference evaluator, in every version."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from byte_order import SWAPPED

pytest.importorskip("onnx")

from onnx import TensorProto, defs, helper, parser
from onnx.reference import ReferenceEvaluator

import castufunc
import castufunc.onnx
from castufunc.onnx import OPS, VERSIONS

from .models import BY_NAME, model, same_bits, sample, value

NEWEST = defs.onnx_opset_version()
CASTS = [
    version
    for operator in ("Cast", "CastLike")
    for version in VERSIONS[operator]
    if version.since <= NEWEST
]
newest = {operator: versions[-1].since for operator, versions in VERSIONS.items()}


def evaluate(proto, *inputs):
    evaluator = ReferenceEvaluator(proto, new_ops=OPS)
    return evaluator.run(None, dict(zip(evaluator.input_names, inputs, strict=True)))[0]


def like(name):
    return np.empty(0, BY_NAME[name].twin)


def run(operator, opset, source, target, x=None, **attributes):
    if operator == "Cast" and opset < 6:
        attributes.setdefault("to", "FLOAT" if target == "float" else target.upper())
    inputs = [sample(source) if x is None else x]
    if operator == "CastLike":
        inputs.append(like(target))
    return evaluate(model(operator, opset, source, target, **attributes), *inputs)


# --- every pair in every version ----------------------------------------------------------------


@pytest.mark.parametrize("version", CASTS, ids=str)
def test_every_pair(version):
    for source, target in itertools.product(sorted(version.types), repeat=2):
        x = sample(source)
        result = run(version.operator, version.since, source, target, x)
        assert same_bits(result, castufunc.cast(x, BY_NAME[target].twin)), (source, target)


@pytest.mark.skipif(NEWEST < 26, reason="BitCast came with opset 26")
def test_every_pair_of_bit_cast():
    done = 0
    for source, target in itertools.product(sorted(VERSIONS["BitCast"][0].types), repeat=2):
        x = sample(source)
        if BY_NAME[source].bits == BY_NAME[target].bits:
            result = run("BitCast", 26, source, target, x)
            assert result.dtype == BY_NAME[target].twin
            assert result.shape == x.shape
            assert result.tobytes() == x.tobytes()
            done += 1
        else:
            words = f"{BY_NAME[source].bits} bits, .* {BY_NAME[target].bits}; the widths"
            with pytest.raises(TypeError, match=words):
                run("BitCast", 26, source, target, x)
    assert done == 2**2 + 3**2 + 8**2 + 4**2 + 3**2 + 4**2 + 1


@pytest.mark.parametrize("opset", [19, 22, 24, 27])
def test_an_opset_in_between_has_the_version_before(opset):
    x = np.array([1e6], np.float32)
    assert run("Cast", opset, "float", "float8e5m2", x, saturate=0).tolist() == [np.inf]
    if opset < 24:
        with pytest.raises(ValueError, match="there is no attribute 'round_mode' in this version"):
            run("Cast", opset, "float", "float8e5m2", x, round_mode="up")


# --- attributes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("operator", ["Cast", "CastLike"])
def test_saturate(operator):
    x = np.array([1000.0, -np.inf, 1.0], np.float32)
    opset = newest[operator]
    codes = [run(operator, opset, "float", "float8e4m3fn", x, **given).view(np.uint8).tolist()
             for given in ({}, {"saturate": 1}, {"saturate": 0})]  # fmt: skip
    assert codes == [[0x7E, 0xFE, 0x38], [0x7E, 0xFE, 0x38], [0x7F, 0xFF, 0x38]]


@pytest.mark.skipif(NEWEST < 24, reason="round_mode came with opset 24")
@pytest.mark.parametrize("operator", ["Cast", "CastLike"])
def test_round_mode(operator):
    x = np.array([1.25, 1.5, 3.0], np.float32)
    results = [run(operator, newest[operator], "float", "float8e8m0", x, **given)
               .astype(float).tolist()
               for given in ({}, {"round_mode": "up"}, {"round_mode": "down"},
                             {"round_mode": "nearest"})]  # fmt: skip
    assert results == [[2, 2, 4], [2, 2, 4], [1, 1, 2], [1, 2, 4]]


def test_cast_1_takes_names():
    x = np.array([1.9, -1], np.float32)
    for name in VERSIONS["Cast"][0].types:
        result = run("Cast", 1, "float", name, x, to=name.upper())
        assert same_bits(result, castufunc.cast(x, BY_NAME[name].dtype))


BAD_NODES = {
    "what came later": [
        ("Cast", 13, "float", {"saturate": 1}, "no attribute 'saturate' .*; Cast 19 has it"),
        ("Cast", 21, "float", {"round_mode": "up"}, "no attribute 'round_mode' .*; Cast 24 has"),
        ("CastLike", 15, "float", {"saturate": 1}, "no attribute 'saturate' .*; CastLike 19 has"),
        ("CastLike", 19, "float", {"to": 1}, "no attribute 'to' .*; no version has it"),
        ("Cast", 28, "float", {"axis": 1}, "no attribute 'axis' in .*; no version has it"),
        ("Cast", 6, "string", {}, "Cast 6, node 'a_node': .*no type string .*; Cast 9 has it"),
        ("Cast", 12, "bfloat16", {}, "Cast 9, node 'a_node': there is no type bfloat16 in"),
        ("Cast", 13, "float8e5m2", {}, "no type float8e5m2 .*; Cast 19 has it"),
        ("Cast", 19, "int4", {}, "no type int4 in this version; Cast 21 has it"),
        ("Cast", 28, "complex64", {}, "no type complex64 in this version; no version has it"),
        ("BitCast", 26, "string", {}, "no type string in this version; no version has it"),
        ("CastLike", 14, "float", {}, "opset 14 has no CastLike: it came with opset 15"),
        ("BitCast", 25, "float", {}, "opset 25 has no BitCast: it came with opset 26"),
    ],
    "what is wrong": [
        ("Cast", 13, "float", {"to": 0}, "'to' is 0, which is no element type"),
        ("Cast", 13, "float", {"to": 99}, "'to' is 99, which is no element type"),
        ("Cast", 13, "float", {"to": "FLOAT"}, "'to' must be of type INT, not 'FLOAT'"),
        ("Cast", 13, "float", {"to": [1]}, r"'to' must be of type INT, not \[1\]"),
        ("Cast", 1, "float", {"to": 1}, "'to' must be of type STRING, not 1"),
        ("Cast", 1, "float", {"to": "REAL"}, "'to' is 'REAL', which is no element type"),
        ("Cast", 19, "float", {"saturate": 2}, "'saturate' must be 0 or 1, not 2"),
        ("Cast", 24, "float", {"round_mode": "even"}, "'round_mode' must be 'up', .* not 'even'"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "opset", "target", "attributes", "words"),
    list(itertools.chain.from_iterable(BAD_NODES.values())),
)
def test_bad_nodes_are_found_before_the_run(operator, opset, target, attributes, words):
    proto = model(operator, opset, "float", target, **attributes)
    with pytest.raises(ValueError, match=words):
        ReferenceEvaluator(proto, new_ops=OPS)


def test_a_missing_attribute():
    proto = model("Cast", 13, "float", "float")
    del proto.graph.node[0].attribute[:]
    with pytest.raises(ValueError, match="Cast 13, node 'a_node': attribute 'to' is missing"):
        ReferenceEvaluator(proto, new_ops=OPS)


def test_a_node_without_a_name_goes_by_its_output():
    proto = model("Cast", 13, "float", "float", to=0)
    proto.graph.node[0].name = ""
    with pytest.raises(ValueError, match="Cast 13, node 'y': attribute 'to'"):
        ReferenceEvaluator(proto, new_ops=OPS)


# --- inputs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "opset", "x", "words"),
    [
        ("Cast", 13, sample("int4"), "no type int4 in this version; Cast 21 has it"),
        ("CastLike", 23, sample("float8e8m0"), "float8e8m0 in this version; CastLike 24 has it"),
        ("Cast", 13, sample("complex64"), "no type complex64 in this version; no version has it"),
        ("Cast", 13, np.ones(2, np.longdouble), "the input has dtype float128, which is no"),
        ("Cast", 13, np.ones(2, "M8[s]"), "the input has dtype datetime64.*, which is no element"),
        ("Cast", 13, [np.ones(2)], "the input is no tensor but list"),
        ("Cast", 13, None, "the input is no tensor but NoneType"),
    ],
)
def test_bad_inputs(operator, opset, x, words):
    inputs = [x, like("float")] if operator == "CastLike" else [x]
    with pytest.raises(TypeError, match=f"{operator} {opset}, node 'a_node': .*{words}"):
        evaluate(model(operator, opset, "float", "float"), *inputs)


def test_bad_targets_of_cast_like():
    proto = model("CastLike", 15, "float", "float")
    with pytest.raises(TypeError, match=r"no type float8e5m2 .*; CastLike 19 has it"):
        evaluate(proto, sample("float"), like("float8e5m2"))
    with pytest.raises(TypeError, match="the target is no tensor but NoneType"):
        evaluate(proto, sample("float"), None)


def test_text_that_is_no_number():
    with pytest.raises(ValueError, match=r"'one'.*index 1") as caught:
        run("Cast", 13, "string", "float", np.array(["1", "one"], object))
    assert caught.value.__notes__ == ["in Cast 13, node 'a_node'"]


def test_objects_that_are_no_text():
    with pytest.raises(TypeError, match="index 1") as caught:
        run("Cast", 13, "string", "float", np.array(["1", None], object))
    assert caught.value.__notes__ == ["in Cast 13, node 'a_node'"]


def test_our_own_arrays_and_scalars_go_in():
    for x in [np.array([1.5], castufunc.float8e5m2), castufunc.float8e5m2(1.5)]:
        result = run("Cast", 19, "float8e5m2", "bfloat16", x)
        assert result.dtype == BY_NAME["bfloat16"].twin
        assert result.tolist() == np.full(x.shape, 1.5).tolist()
    result = evaluate(model("CastLike", 21, "float", "int4"), np.float32(9), castufunc.int4(0))
    assert result.dtype == BY_NAME["int4"].twin
    assert result.tolist() == -7


@pytest.mark.parametrize("x", [np.array(["1.5"]), np.array([b"1.5"]),
                               np.array(["1.5"], np.dtypes.StringDType())], ids=repr)  # fmt: skip
def test_text_of_other_containers(x):
    assert run("Cast", 9, "string", "float", x).tolist() == [1.5]
    assert same_bits(run("Cast", 9, "string", "string", x), np.array(["1.5"], object))
    result = evaluate(model("CastLike", 15, "float", "string"), np.float32([1.5]), x)
    assert same_bits(result, np.array(["1.5"], object))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1, 2, 3, 4)])
def test_shapes(shape):
    for source, target in [("float", "int4"), ("float4e2m1", "string"), ("string", "float16")]:
        x = sample(source, shape)
        assert run("Cast", 23, source, target, x).shape == shape
        assert run("CastLike", 23, source, target, x).shape == shape


def test_layouts_and_byte_order():
    x = np.arange(24, dtype=f"{SWAPPED}f4").reshape(4, 6)
    for given in [x, x.T, x[::2, ::-1]]:
        result = run("Cast", 21, "float", "int4", given)
        assert same_bits(result, castufunc.cast(given, BY_NAME["int4"].twin))


def test_results_do_not_share_memory_with_inputs():
    x = sample("float8e5m2")
    assert not np.shares_memory(run("Cast", 19, "float8e5m2", "float8e5m2", x), x)


def test_eval():
    cast, cast_like = OPS[:2]
    assert cast.eval(np.float32([300]), to=TensorProto.UINT8).tolist() == [44]
    assert cast_like.eval(np.float32([300]), np.uint8([1])).tolist() == [44]


# --- where the evaluator meets them -------------------------------------------------------------


def test_between_other_operators_and_in_a_branch():
    proto = parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 21]>
        agraph (float[N] x, bool c) => (float[N] z) {
            y = Mul (x, x)
            z = If (c) <
                then_branch = one () => (float[N] a) {
                    p = Cast <to = 19, saturate = 0> (y)
                    a = Cast <to = 1> (p)
                },
                else_branch = other () => (float[N] b) { b = Identity (y) }
            >
        }""")
    x = np.array([3, 400], np.float32)
    assert evaluate(proto, x, np.array(True)).tolist() == [8, np.inf]
    assert evaluate(proto, x, np.array(False)).tolist() == [9, 160000]


def test_in_every_position_of_new_ops_the_first_counts():
    class Cast(OPS[0]):
        def _run(self, x, **given):
            return (x,)

    proto = model("Cast", 13, "float", "int8")
    x = np.float32([1.5])
    for ops, wanted in [([*OPS, Cast], [1]), ([Cast, *OPS], [1.5])]:
        assert ReferenceEvaluator(proto, new_ops=ops).run(None, {"x": x})[0].tolist() == wanted


def test_each_model_has_its_own_version():
    for opset, types in [(13, "bfloat16"), (21, "int4")]:
        proto = model("Cast", opset, "float", types)
        assert evaluate(proto, np.float32([1])).tolist() == [1]
    graph = helper.make_graph([], "g", [value("x", BY_NAME["float"])], [])
    assert not ReferenceEvaluator(graph, opsets={"": 1}, new_ops=OPS).rt_nodes_
