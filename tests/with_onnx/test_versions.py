"""The table of versions is what onnx's schemas say."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx")

from onnx import TensorProto, defs, helper

from castufunc.onnx import VERSIONS
from castufunc.onnx.elements import ELEMENTS
from castufunc.onnx.versions import version_at, version_with

ALL = [version for versions in VERSIONS.values() for version in versions]
NEWEST = defs.onnx_opset_version()


KNOWN = [version for version in ALL if version.since <= NEWEST]


def test_all_versions_are_there():
    schemas = [
        (schema.name, schema.since_version)
        for schema in defs.get_all_schemas_with_history()
        if schema.domain == "" and schema.name in VERSIONS
    ]
    assert sorted(schemas) == sorted((version.operator, version.since) for version in KNOWN)


@pytest.mark.parametrize("version", KNOWN, ids=str)
def test_types(version):
    schema = defs.get_schema(version.operator, version.since)
    types = {f"tensor({name})" for name in version.types}
    for constraint in schema.type_constraints:
        assert set(constraint.allowed_type_strs) == types, constraint.type_param_str
    assert {schema.inputs[0].type_str, schema.outputs[0].type_str} == {"T1", "T2"}


@pytest.mark.parametrize("version", KNOWN, ids=str)
def test_attributes(version):
    schema = defs.get_schema(version.operator, version.since)
    assert set(schema.attributes) == set(version.attributes)
    for name, wanted in schema.attributes.items():
        ours = version.attributes[name]
        assert ours.type == wanted.type.name
        assert (ours.default is None) == wanted.required
        if not wanted.required:
            default = helper.get_attribute_value(wanted.default_value)
            assert ours.default == (default.decode() if isinstance(default, bytes) else default)


def test_elements_are_those_of_the_proto():
    numbers = {k: v for k, v in TensorProto.DataType.items() if v}
    for name, number in numbers.items():
        assert ELEMENTS[number].name == name.lower()
        assert ELEMENTS[number].twin == helper.tensor_dtype_to_np_dtype(number)
    if NEWEST >= 28:
        assert set(ELEMENTS) == set(numbers.values())
    assert {name for version in ALL for name in version.types} == {
        element.name for element in ELEMENTS.values()
    }


@pytest.mark.parametrize("operator", VERSIONS)
def test_version_at(operator):
    sinces = [version.since for version in VERSIONS[operator]]
    for opset in range(1, NEWEST + 2):
        if opset < sinces[0]:
            with pytest.raises(ValueError, match=f"it came with opset {sinces[0]}"):
                version_at(operator, opset)
        else:
            assert version_at(operator, opset).since == max(s for s in sinces if s <= opset)


def test_version_with():
    assert str(version_with("Cast", type="bfloat16")) == "Cast 13"
    assert str(version_with("CastLike", attribute="round_mode")) == "CastLike 24"
    assert version_with("BitCast", attribute="saturate") is None
    assert version_with("CastLike", type="float6e2m3") is None
