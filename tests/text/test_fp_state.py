"""The caller's floating-point state changes neither a text nor a number, and is left as it was.

Subnormals are what flushing would lose, and decimals with many digits what another rounding would.
"""

import numpy as np
import pytest

import castufunc
from castufunc import _core
from exactness.harness import array_of, codes_of
from exactness.test_fp_state import SETTINGS, run, state_with_flags
from oracle import OURS, TYPES
from oracle.samples import mixed_codes, special_codes

from .containers import CONTAINERS, array_of_texts, every_container, texts_of
from .decimals import around, codes_of_texts
from .test_wide_targets import midpoints

TEXTS = [
    "0.1", "-0.1", "1e-40", "-1e-45", "5e-324", "-2.2250738585072011e-308", "1e-310", "3e-39",
    "5.877471754111438e-39", "1e39", "1.7976931348623159e308", "65519.99", "464", "1.00000001",
    "9007199254740993", "0.30000000000000000001", "2.4703282292062328e-324", "inf", "nan", "-0",
    "12345678901234567890.5", "-1e-400", *around(midpoints("float32", 0)[0], 30),
    *around(midpoints("float16", 0)[0], 30),
]  # fmt: skip


def check_states(calls, expected, settings=SETTINGS):
    for name, call in calls.items():
        for setting in settings:
            state = _core._make_fp_state(**setting)
            got, after = run(state, call)
            assert after == state, f"{name}, {setting}: state {state:#x} became {after:#x}"
            assert expected(got), f"{name}, {setting}"


@every_container
@pytest.mark.parametrize("name", TYPES)
def test_print(name, container):
    codes = np.concatenate([special_codes(name), mixed_codes(name, "float8e8m0", 40)])[:300]
    array = array_of(name, codes)
    to = CONTAINERS[container]
    texts = texts_of(castufunc.cast(array, to))
    calls = {"cast": lambda: castufunc.cast(array, to)}
    if name in OURS and container != "object":
        calls["astype"] = lambda: array.astype(to)
    check_states(calls, lambda got: texts_of(got) == texts)


@every_container
@pytest.mark.parametrize("name", TYPES)
def test_parse(name, container):
    texts = array_of_texts(container, TEXTS)
    codes = codes_of_texts(name, TEXTS).tolist()
    calls = {"cast": lambda: castufunc.cast(texts, name)}
    if name in OURS:
        dtype = castufunc.dtype(name)
        calls["astype"] = lambda: texts.astype(dtype)
    check_states(calls, lambda got: codes_of(got).tolist() == codes)


def test_numbers_in_objects():
    numbers = [1e-320, -5e-324, 2.0**-149, 0.1, np.float32(1e-45), castufunc.float8e8m0(0), 10**400]
    numbers += [np.float64(1e-310), np.longdouble(2) ** -1074, 2**64 + 1, -(2**70) - 1]
    array = np.empty(len(numbers), object)
    array[:] = numbers
    texts = castufunc.cast(array, "string").tolist()
    check_states(
        {"print": lambda: castufunc.cast(array, "string")}, lambda got: got.tolist() == texts
    )
    for name in TYPES:
        codes = codes_of(castufunc.cast(array, name)).tolist()
        calls = {name: lambda name=name: castufunc.cast(array, name)}
        check_states(calls, lambda got, codes=codes: codes_of(got).tolist() == codes)


@pytest.mark.parametrize("name", OURS)
def test_scalars(name):
    """A text given to a constructor or an element."""
    dtype = castufunc.dtype(name)
    codes = codes_of_texts(name, TEXTS).tolist()

    def constructed():
        return np.array([dtype.type(text) for text in TEXTS])

    def assigned():
        array = np.zeros(len(TEXTS), dtype)
        for i, text in enumerate(TEXTS):
            array[i] = text
        return array

    check_states(
        {"constructor": constructed, "assignment": assigned},
        lambda got: codes_of(got).tolist() == codes,
    )


def test_flags_of_the_caller_stay():
    array = np.array([0.1, 5e-324, 1e308])
    for setting in SETTINGS[0], SETTINGS[-1]:
        state = state_with_flags(setting)
        for to in CONTAINERS.values():
            assert run(state, lambda to=to: castufunc.cast(array, to))[1] == state
        for container in CONTAINERS:
            texts = array_of_texts(container, TEXTS)
            for name in TYPES:
                _, after = run(state, lambda t=texts, n=name: castufunc.cast(t, n))
                assert after == state


def test_a_refusal_leaves_the_state():
    for setting in SETTINGS:
        state = _core._make_fp_state(**setting)
        for container in CONTAINERS:
            texts = array_of_texts(container, ["1", "x"])

            def refused(texts=texts):
                for name in "float32", "float8e5m2", "int8":
                    with pytest.raises(ValueError, match="cannot read"):
                        castufunc.cast(texts, name)
                with pytest.raises(ValueError, match="cannot read"):
                    texts.astype(castufunc.bfloat16)

            assert run(state, refused)[1] == state


def test_no_floating_point_warning():
    with np.errstate(all="raise"):
        for container in CONTAINERS:
            texts = array_of_texts(container, TEXTS)
            for name in TYPES:
                castufunc.cast(texts, name)
                if name in OURS:
                    texts.astype(castufunc.dtype(name))
        for name in TYPES:
            array = array_of(name, special_codes(name))
            for to in CONTAINERS.values():
                castufunc.cast(array, to)
