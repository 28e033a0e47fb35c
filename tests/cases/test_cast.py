"""Cast and CastLike: every case, code for code, against its file and against the oracle."""

import numpy as np
import pytest

import castufunc
from exactness.harness import array_of, assert_codes, codes_of, dtype_of, expected_codes
from oracle import NAN, value

from .differences import BY_CASE
from .files import ANY_NAN, run

CASTS = run("cast")
CAST_LIKES = run("castlike")
each_cast = pytest.mark.parametrize("case", CASTS, ids=str)


def by_the_rules(case):
    """The codes of the file, with those of the rules where the two are known to differ."""
    oracle = expected_codes(case.source, case.target, case.given, case.mode).ravel()
    wanted = list(case.wanted)
    for place, code in BY_CASE.get(case.id, {}).items():
        assert wanted[place] != code, f"place {place} of the file no longer differs"
        wanted[place] = code
    for place, code in enumerate(wanted):
        if code == ANY_NAN:
            wanted[place] = oracle[place]
            assert value(case.target, int(oracle[place])).magnitude == NAN
    wanted = np.array(wanted, oracle.dtype)
    assert_codes(case.source, case.target, case.given.ravel(), oracle, wanted, "the case file")
    return wanted.reshape(case.shape)


def keywords(case):
    return {"saturate": case.mode[0], "round_mode": case.mode[1]}


@each_cast
def test_cast(case):
    wanted = by_the_rules(case)
    got = castufunc.cast(array_of(case.source, case.given), case.to, **keywords(case))
    assert got.dtype == dtype_of(case.target)
    assert_codes(case.source, case.target, case.given, wanted, codes_of(got), f"cast {case.mode}")


@pytest.mark.parametrize("case", CAST_LIKES, ids=str)
def test_cast_like(case):
    wanted = by_the_rules(case)
    like = np.zeros(case.like_shape, dtype_of(case.target))
    got = castufunc.cast_like(array_of(case.source, case.given), like, **keywords(case))
    assert got.dtype == like.dtype
    assert_codes(
        case.source, case.target, case.given, wanted, codes_of(got), f"cast_like {case.mode}"
    )


LENGTHS = (1, 7, 16, 67)
REPORTED = [case for case in CASTS if case.file == "reported_cases"]


@pytest.mark.parametrize("case", REPORTED, ids=str)
def test_place_stride_and_length_do_not_matter(case):
    """What is asked of conversions that ONNX leaves undefined; it holds for all."""
    wanted = by_the_rules(case)
    for length in LENGTHS:
        places = np.arange(length) % case.given.size
        given = case.given[places]
        for layout in slice(None), slice(1, None), slice(None, None, 3), slice(None, None, -2):
            part = array_of(case.source, given)[layout]
            got = castufunc.cast(part, case.to, **keywords(case))
            assert_codes(
                case.source, case.target, given[layout], wanted[places][layout], codes_of(got),
                f"{length} elements, {layout}",
            )  # fmt: skip


ROUND_TRIPS = [case for case in REPORTED if "casting the result back" in case.notes]


def test_some_are_round_trips():
    assert len(ROUND_TRIPS) == 3


@pytest.mark.parametrize("case", ROUND_TRIPS, ids=str)
def test_casting_back_gives_the_same_codes(case):
    there = castufunc.cast(array_of(case.source, case.given), case.to)
    back = castufunc.cast(there, case.source)
    assert codes_of(back).tolist() == case.given.tolist()
