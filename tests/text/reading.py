"""Texts read by the package, against the exact values of the decimals."""

import numpy as np

import castufunc
from exactness.harness import codes_of

from .decimals import codes_of_texts


def check(name, texts):
    got = codes_of(castufunc.cast(np.array(texts, object), name))
    expected = codes_of_texts(name, texts)
    wrong = np.flatnonzero(got != expected)
    shown = [(texts[i][:60], hex(got[i]), hex(expected[i])) for i in wrong[:4]]
    assert not wrong.size, f"text, got, expected: {shown}"
