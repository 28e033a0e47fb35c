"""The types of ml_dtypes by the oracle's names."""

import numpy as np
import pytest

from oracle import FORMATS

ml_dtypes = pytest.importorskip("ml_dtypes")

# Our names and ml_dtypes' are the same but for these.
TWINS = {
    "float8e4m3fn": "float8_e4m3fn",
    "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz",
    "float8e8m0": "float8_e8m0fnu",
    "float6e2m3": "float6_e2m3fn",
    "float6e3m2": "float6_e3m2fn",
    "float4e2m1": "float4_e2m1fn",
}
PEERS = tuple(name for name in FORMATS if hasattr(ml_dtypes, TWINS.get(name, name)))


def peer(name):
    return np.dtype(getattr(ml_dtypes, TWINS.get(name, name)))
