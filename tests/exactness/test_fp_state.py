"""The caller's floating-point state neither changes a result nor is changed by a cast.

Flush to zero, denormals are zero and the four rounding directions in all combinations, with
contiguous and strided arrays. States are compared as a whole, so a status flag that a cast leaves
behind is found too.
"""

import platform
import sys
from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest

from castufunc import _core
from oracle import DEFAULT_MODE, modes
from oracle.samples import mixed_codes

from .harness import (
    array_of,
    assert_codes,
    cast,
    codes_of,
    dtype_of,
    every_pair,
    expected_codes,
    has_astype,
)
from .processes import python

SETTINGS = [
    {"flush": flush, "denormals_zero": denormals_zero, "rounding": rounding}
    for flush, denormals_zero, rounding in product(
        (False, True), (False, True), ("nearest", "down", "up", "zero")
    )
]


@contextmanager
def fp_state(state):
    before = _core._fp_state()
    _core._set_fp_state(state)
    try:
        yield
    finally:
        _core._set_fp_state(before)


def run(state, call):
    """The result of a call, and the state it leaves."""
    with fp_state(state):
        result = call()
        after = _core._fp_state()
    return result, after


def calls(source, target, array, mode):
    yield "cast", lambda: cast(array, target, mode)
    if mode == DEFAULT_MODE and has_astype(source, target):
        dtype = dtype_of(target)
        yield "astype", lambda: array.astype(dtype)


def strided(codes):
    return np.repeat(codes, 2)[::2]


@every_pair
def test_any_state(source, target, amount):
    codes = mixed_codes(source, target, amount(250, 2500))
    arrays = {"contiguous": array_of(source, codes), "strided": array_of(source, strided(codes))}
    for mode in modes(target):
        expected = expected_codes(source, target, codes, mode)
        for layout, array in arrays.items():
            for (name, call), settings in product(calls(source, target, array, mode), SETTINGS):
                state = _core._make_fp_state(**settings)
                got, after = run(state, call)
                how = f"{name} {mode}, {layout}, {settings}"
                assert after == state, (
                    f"{source} -> {target}, {how}: state {state:#x} became {after:#x}"
                )
                assert_codes(source, target, codes, expected, codes_of(got), how)


def state_with_flags(settings):
    """A state in which earlier arithmetic of the caller has left a status flag."""
    clean = _core._make_fp_state(**settings)
    three = float("3")
    with fp_state(clean):
        one_third = 1.0 / three
        flagged = _core._fp_state()
    assert 0 < one_third < 1
    assert flagged != clean
    return flagged


@every_pair
def test_flags_of_the_caller_stay(source, target):
    array = array_of(source, mixed_codes(source, target, 100))
    for settings in SETTINGS[0], SETTINGS[-1]:
        state = state_with_flags(settings)
        for mode in modes(target):
            for name, call in calls(source, target, array, mode):
                _, after = run(state, call)
                assert after == state, (source, target, mode, name, settings)


@every_pair
@pytest.mark.filterwarnings("error")
def test_no_floating_point_warning(source, target):
    codes = mixed_codes(source, target, 100)
    with np.errstate(all="raise"):
        for array in array_of(source, codes), array_of(source, strided(codes)):
            for mode in modes(target):
                for _, call in calls(source, target, array, mode):
                    call()


def test_states_do_differ():
    """The states are as many as they look; otherwise nothing would be tried above."""
    states = {_core._make_fp_state(**settings) for settings in SETTINGS}
    if platform.machine().lower() not in {"x86_64", "amd64", "aarch64", "arm64"}:
        # C can set the rounding of any processor, and nothing more.
        assert len(states) >= 4
        return
    # ARM has one bit for both kinds of flushing.
    assert len(states) >= len(SETTINGS) / 2
    with fp_state(_core._make_fp_state(flush=True, denormals_zero=True, rounding="nearest")):
        flushed = float("1e-300") * float("1e-20") == 0.0
    assert flushed


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc",
    reason="knows glibc's fenv_t of x86-64",
)
@pytest.mark.parametrize("target", _core._targets())
def test_traps_and_settings_of_x87(target):
    """In a process of its own, as a trap would end it."""
    run = python("-m", "exactness.fp_traps", target=target)
    assert (run.returncode, run.stdout) == (0, "done\n"), run.stdout[:2000] + run.stderr
