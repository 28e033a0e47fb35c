"""BitCast: every case keeps its codes, and those that must be refused are."""

import numpy as np
import pytest

import castufunc
from exactness.harness import array_of, codes_of, dtype_of

from .files import run

CASES = run("bitcast")
each_case = pytest.mark.parametrize("case", CASES, ids=str)


@each_case
def test_bit_cast(case):
    assert case.wanted == case.given.ravel().tolist()
    x = array_of(case.source, case.given)
    got = castufunc.bit_cast(x, case.to)
    assert got.dtype == dtype_of(case.target)
    assert got.shape == case.shape
    assert codes_of(got).ravel().tolist() == case.wanted
    assert got.size == 0 or np.shares_memory(got, x)


@each_case
def test_copies_keep_every_bit_too(case):
    """As a report of lost NaN payloads asks; `cast` has no complex types."""
    x = array_of(case.source, case.given)
    copies = [x.copy(), x.astype(x.dtype), castufunc.bit_cast(x, x.dtype)]
    if x.dtype.kind != "c":
        copies.append(castufunc.cast(x, x.dtype))
    for copy in copies:
        assert copy.dtype == x.dtype
        assert codes_of(copy).tolist() == case.given.tolist()


@pytest.mark.parametrize("case", run("bitcast", is_error=True), ids=str)
def test_refused(case):
    with pytest.raises(TypeError):
        castufunc.bit_cast(array_of(case.source, case.given), case.to)


def test_no_other_operator_has_cases_that_must_be_refused():
    assert run("cast", "castlike", is_error=True) == []
