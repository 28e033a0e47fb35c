"""NumPy's text files with own dtypes: loadtxt, genfromtxt, savetxt."""

import io

import numpy as np
import pytest

import castufunc
from exactness.harness import array_of, codes_of
from oracle import OURS
from oracle.arrays import split
from oracle.samples import all_codes

from .decimals import FLOATS, codes_of_texts

every_own = pytest.mark.parametrize("name", OURS)
LINES = "1 2.5 -3\n# a comment\n 1e2\t.5 -0.0 \n"
TEXTS = ["1", "2.5", "-3", "1e2", ".5", "-0.0"]
WHOLE = "1 2 -3\n4 500 -6\n"


@every_own
def test_loadtxt(name):
    dtype = castufunc.dtype(name)
    got = np.loadtxt(io.StringIO(LINES), dtype=dtype)
    assert got.dtype == dtype
    assert codes_of(got).tolist() == codes_of_texts(name, TEXTS).reshape(2, 3).tolist()
    got = np.loadtxt(io.StringIO(LINES.replace("\t", " ")), dtype=dtype, usecols=1, delimiter=None)
    assert codes_of(got).tolist() == codes_of_texts(name, ["2.5", ".5"]).tolist()
    got = np.loadtxt(["1,inf", "2,-nan"], dtype=dtype, delimiter=",", unpack=True)
    assert (
        codes_of(got).ravel().tolist() == codes_of_texts(name, ["1", "2", "inf", "-nan"]).tolist()
    )


@every_own
def test_loadtxt_tells_what_it_cannot_read(name):
    with pytest.raises(ValueError, match=r"could not convert string '3x' to .* at row 1, column 1"):
        np.loadtxt(io.StringIO("1 2\n3x 4"), dtype=castufunc.dtype(name))


def test_loadtxt_of_records():
    fields = [("a", castufunc.bfloat16), ("b", castufunc.int4), ("c", "U3")]
    got = np.loadtxt(io.StringIO("1.5 -9 xyz\n2 3 ab"), dtype=fields)
    assert got.tolist() == [(1.5, 7, "xyz"), (2.0, 3, "ab")]


@every_own
def test_genfromtxt(name):
    dtype = castufunc.dtype(name)
    got = np.genfromtxt(io.StringIO(WHOLE), dtype=dtype)
    assert got.dtype == dtype
    assert codes_of(got).ravel().tolist() == codes_of_texts(name, WHOLE.split()).tolist()


@every_own
def test_savetxt_and_back(name):
    dtype = castufunc.dtype(name)
    array = castufunc.cast([[1, 2.5, 3], [0.25, 4, 6]], dtype)
    for fmt, delimiter in [("%.18e", " "), ("%s", " "), ("%.9g", "\t"), ("%r", " "), ("%g", ",")]:
        file = io.StringIO()
        np.savetxt(file, array, fmt=fmt, delimiter=delimiter)
        file.seek(0)
        back = np.loadtxt(file, dtype=dtype, delimiter=delimiter)
        assert codes_of(back).tolist() == codes_of(array).tolist()


@every_own
def test_every_finite_number_survives_a_text_file(name):
    codes = all_codes(name)
    codes = codes[:: 1 + codes.size // 3000]
    if name in FLOATS:
        parts = split(name, codes)
        codes = codes[~(parts.nan | parts.inf)]
    array = array_of(name, codes)
    # `loadtxt` has no round_mode, so the numbers are written in full.
    file = io.StringIO()
    np.savetxt(file, array, fmt="%.160e")
    file.seek(0)
    assert codes_of(np.loadtxt(file, dtype=array.dtype)).tolist() == codes.tolist()
