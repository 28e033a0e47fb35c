"""All 26 x 26 pairs of Cast: by `cast`, and by `astype` where one side is the package's."""

from decimal import Decimal

import numpy as np
import pytest

import castufunc
from exactness.harness import (
    array_of,
    assert_codes,
    cast,
    codes_of,
    dtype_of,
    expected_codes,
    has_astype,
)
from oracle import DEFAULT_MODE, OURS, TYPES, code_bytes, modes
from oracle.samples import mixed_codes

from .containers import CONTAINERS, array_of_texts, every_container, kind_of, texts_of
from .decimals import codes_of_texts, text_of

STRING = "string"
ALL = (*TYPES, STRING)

TEXTS = [
    "0", "-0", "1", "-1", "1.5", "-2.5", "7", "-8", "8", "255", "256", "-3", "0.1", "1e-3", "448",
    "464.00000000000000000001", "57344", "61440", "65504", "65519.999999999999999", "65520", "1e10",
    "-1e20", "18446744073709551615", "3.4028235677973366e38", "1e39", "1e-46", "1e-400", "1e400",
    "1.00390625", "1.00390625000000000000000000001", "inf", "-Infinity", "NaN", "-nan", " 12 ",
]  # fmt: skip


def test_there_are_26_types():
    assert len(set(ALL)) == 26


@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize("source", ALL)
def test_cast(source, target):
    """Every mode that can make a difference, and the others too, with less of a check."""
    if source == target == STRING:
        array = np.array(TEXTS, object)
        assert castufunc.cast(array, target).tolist() == TEXTS
        return
    if source == STRING:
        for mode in modes(target):
            got = codes_of(cast(np.array(TEXTS, object), target, mode))
            expected = codes_of_texts(target, TEXTS, mode)
            assert_codes(target, target, expected, expected, got, f"from text {mode}")
        return
    codes = mixed_codes(source, "float8e4m3fn" if target == STRING else target, 40)
    array = array_of(source, codes)
    if target == STRING:
        got = castufunc.cast(array, target)
        assert got.dtype == object
        assert got.tolist() == [text_of(source, code) for code in codes]
        return
    for mode in modes(target):
        expected = expected_codes(source, target, codes, mode)
        assert_codes(source, target, codes, expected, codes_of(cast(array, target, mode)), "cast")
    if has_astype(source, target):
        expected = expected_codes(source, target, codes, DEFAULT_MODE)
        got = codes_of(array.astype(dtype_of(target)))
        assert_codes(source, target, codes, expected, got, "astype")


@every_container
@pytest.mark.parametrize("name", TYPES)
def test_from_every_container(name, container):
    texts = array_of_texts(container, TEXTS)
    for mode in modes(name):
        got, expected = codes_of(cast(texts, name, mode)), codes_of_texts(name, TEXTS, mode)
        assert_codes(name, name, expected, expected, got, f"from {container} {mode}")
    if name in OURS:
        got, expected = codes_of(texts.astype(dtype_of(name))), codes_of_texts(name, TEXTS)
        assert_codes(name, name, expected, expected, got, f"astype from {container}")


@every_container
@pytest.mark.parametrize("name", TYPES)
def test_to_every_container(name, container):
    codes = mixed_codes(name, "float16", 60)
    expected = [text_of(name, code) for code in codes]
    array = array_of(name, codes)
    got = castufunc.cast(array, CONTAINERS[container])
    assert got.dtype.kind == kind_of(container)
    assert texts_of(got) == expected
    if name in OURS and container != "object":
        got = array.astype(CONTAINERS[container])
        assert got.dtype.kind == kind_of(container)
        assert texts_of(got) == expected


@pytest.mark.parametrize("name", OURS)
def test_astype_object_gives_numbers(name):
    array = array_of(name, mixed_codes(name, "float16", 60))
    assert {type(item) for item in array.astype(object)} <= {int, float}


@pytest.mark.parametrize("name", OURS)
def test_high_bits_and_bytes_do_not_matter(name):
    """Of a sub-byte type's byte the unused bits are ignored, of a bool every bit but all."""
    if code_bytes(name) > 1:
        return
    codes = mixed_codes(name, "float16", 60)
    array = array_of(name, codes)
    width = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4e2m1": 4}.get(name, 6)
    garbage = codes | np.uint8(0xFF << width & 0xFF) if "8" not in name else codes
    got = castufunc.cast(array_of(name, garbage), STRING)
    assert got.tolist() == castufunc.cast(array, STRING).tolist()


def test_any_byte_of_a_bool_but_0_is_true():
    array = np.arange(256, dtype=np.uint8).view(bool)
    assert castufunc.cast(array, STRING).tolist() == ["0"] + ["1"] * 255


OBJECTS = np.dtype(object)


@pytest.mark.parametrize(
    "to", [STRING, "STRING", "tensor(string)", 8, str, object, OBJECTS], ids=str
)
def test_names_of_text(to):
    got = castufunc.cast([1.5], to)
    assert got.dtype is OBJECTS
    assert got.tolist() == ["1.5"]
    assert castufunc.dtype(to) is OBJECTS


@pytest.mark.parametrize(
    ("to", "kind"),
    [("U", "U"), ("S", "S"), ("U9", "U"), ("S9", "S"), (np.dtype("U9"), "U"), (np.str_, "U"),
     (np.bytes_, "S"), (np.dtypes.StringDType(), "T")],
    ids=str,
)  # fmt: skip
def test_names_of_containers(to, kind):
    got = castufunc.cast([1.5], to)
    assert got.dtype.kind == kind
    assert texts_of(got) == ["1.5"]


@pytest.mark.parametrize(
    "to", [list, Decimal, dict, np.dtypes.Float32DType, np.dtypes.StringDType],
    ids=lambda to: to.__name__,
)  # fmt: skip
def test_any_other_class_is_no_name_of_text(to):
    """To NumPy they are all `object`."""
    for call in castufunc.dtype, lambda to: castufunc.cast([1.5], to):
        with pytest.raises(TypeError, match="is no element type"):
            call(to)


def test_0_d():
    for x in 1.5, np.float32(1.5), np.array(1.5), castufunc.bfloat16(1.5):
        got = castufunc.cast(x, STRING)
        assert type(got) is np.ndarray
        assert (got.shape, got.dtype, got.item()) == ((), object, "1.5")
        assert castufunc.cast(x, "U").shape == ()
    for x in "1.5", b"1.5", np.str_("1.5"), np.array("1.5"), np.array("1.5", object):
        got = castufunc.cast(x, "bfloat16")
        assert (got.shape, got.item()) == ((), 1.5)
