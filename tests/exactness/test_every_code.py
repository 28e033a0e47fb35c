"""Every code of every source of up to 16 bits, to every type, in every mode, of effect or not."""

import numpy as np
import pytest

import castufunc
from oracle import DEFAULT_MODE, FORMATS, MODES, OURS, TYPES, code_type
from oracle.samples import all_codes

from .harness import (
    array_of,
    assert_codes,
    cast,
    check,
    codes_of,
    dtype_of,
    every_target,
    expected_codes,
    has_astype,
)


def sources(condition):
    return pytest.mark.parametrize(
        "source", [name for name in TYPES if condition(name, FORMATS[name].bits)]
    )


@sources(lambda name, bits: bits <= 8)
@every_target
def test_every_code_of_8_bits(source, target):
    check(source, target, all_codes(source), among=MODES)


@sources(lambda name, bits: bits == 16)
@every_target
def test_every_code_of_16_bits(source, target):
    check(source, target, all_codes(source), among=MODES)


@sources(lambda name, bits: bits < 8 or name == "bool")
@every_target
def test_unused_bits_are_ignored(source, target):
    """All 256 bytes, of types that don't use them all; `cast` to the same type clears the rest."""
    codes = np.arange(256, dtype=np.uint8)
    expected = expected_codes(source, target, codes)
    array = array_of(source, codes)
    assert_codes(source, target, codes, expected, codes_of(cast(array, target)), "cast")
    if has_astype(source, target) and source != target:
        assert_codes(
            source, target, codes, expected, codes_of(array.astype(dtype_of(target))), "astype"
        )


@pytest.mark.parametrize("name", TYPES)
def test_targets_may_be_named_or_given(name):
    """The type's ONNX name, its scalar type and its dtype mean the same."""
    codes = np.arange(256, dtype=np.uint8)
    expected = expected_codes("float8e5m2", name, codes, DEFAULT_MODE)
    for to in (name, dtype_of(name), dtype_of(name).type):
        got = cast(array_of("float8e5m2", codes), to)
        assert got.dtype == dtype_of(name)
        assert_codes("float8e5m2", name, codes, expected, codes_of(got), f"cast to {to!r}")


def test_oracle_and_package_know_the_same_formats():
    assert sorted(castufunc.FORMATS) == sorted(OURS)


def test_codes_of_the_table_have_the_width_of_the_dtype():
    for name in TYPES:
        assert dtype_of(name).itemsize == code_type(name).itemsize, name
