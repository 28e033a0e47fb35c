"""The oracle against other libraries, where those are right."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from oracle import FORMATS, INF, NAN, Integer, cast_codes, code_type, value
from oracle.samples import all_codes, edge_codes, random_codes

from .twins import PEERS, peer

FLOAT_PEERS = [name for name in PEERS if not isinstance(FORMATS[name], Integer)]


@pytest.mark.parametrize("name", PEERS)
def test_values_of_ml_dtypes(name):
    codes = all_codes(name)
    with np.errstate(invalid="ignore"):
        numbers = codes.view(peer(name)).astype(np.float64)
    for code, theirs in zip(codes.tolist(), numbers.tolist(), strict=True):
        ours = value(name, code)
        if ours.magnitude == NAN:
            assert np.isnan(theirs)
        else:
            wanted = float("inf") if ours.magnitude == INF else Fraction(ours.magnitude)
            assert abs(theirs) == wanted
            assert np.signbit(theirs) == ours.negative


def wanted_from_float32(name, codes):
    """The oracle's codes with ml_dtypes' choices: no saturation, float8e8m0 to nearest."""
    return cast_codes("float32", name, codes, saturate=False, round_mode="nearest")


@pytest.mark.parametrize("name", FLOAT_PEERS)
def test_rounding_of_ml_dtypes_from_float32(name):
    codes = np.concatenate([edge_codes("float32", name), random_codes("float32", name, 20_000)])
    finite = codes[(codes & 0x7F800000) != 0x7F800000]
    if name == "float8e8m0":  # ml_dtypes judges what is out of range by rules of its own
        if ml_dtypes.float8_e8m0fnu(3.0) == 2:
            pytest.skip("this release of ml_dtypes takes a tie to the even code")
        finite = finite[(finite >= 0x00800000) & (finite <= 0x7F000000)]
    with np.errstate(all="ignore"):
        theirs = finite.view(np.float32).astype(peer(name)).view(code_type(name))
    assert np.array_equal(theirs, wanted_from_float32(name, finite))


NUMPY_IS_RIGHT = [
    *[
        (source, target)
        for source in ("float64", "float32")
        for target in ("float16", "float32", "float64")
    ],
    *[(f"{u}int{n}", f"float{m}") for u in ("", "u") for n in (32, 64) for m in (32, 64)],
    *[(f"int{n}", f"{u}int{m}") for u in ("", "u") for n in (8, 64) for m in (8, 16, 32)],
]


@pytest.mark.parametrize(("source", "target"), NUMPY_IS_RIGHT)
def test_numpy(source, target):
    codes = np.concatenate([edge_codes(source, target), random_codes(source, target, 20_000)])
    numbers = codes.view(source)
    with np.errstate(all="ignore"):
        theirs = numbers.astype(target)
    same = theirs.view(code_type(target)) == cast_codes(source, target, codes)
    assert (same | np.isnan(numbers)).all()
