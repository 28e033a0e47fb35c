"""The types of ml_dtypes, with and without a twin of ours, as sources and as targets."""

import numpy as np
import pytest

from oracle import DEFAULT_MODE, OURS, TYPES, modes
from oracle.samples import all_codes, mixed_codes

from .harness import array_of, assert_codes, cast, codes_of, dtype_of, expected_codes
from .twins import PEERS, peer

every_peer = pytest.mark.parametrize("name", PEERS)


@every_peer
@pytest.mark.parametrize("target", TYPES)
def test_as_source(name, target):
    codes = all_codes(name)
    array = codes.view(peer(name))
    for mode in modes(target):
        expected = expected_codes(name, target, codes, mode)
        got = codes_of(cast(array, target, mode))
        assert_codes(name, target, codes, expected, got, f"cast {mode} from {array.dtype}")
    if target in OURS:
        expected = expected_codes(name, target, codes, DEFAULT_MODE)
        got = codes_of(array.astype(dtype_of(target)))
        assert_codes(name, target, codes, expected, got, f"astype from {array.dtype}")


@every_peer
@pytest.mark.parametrize("source", TYPES)
def test_as_target(name, source):
    codes = mixed_codes(source, name, 500)
    array = array_of(source, codes)
    for mode in modes(name):
        expected = expected_codes(source, name, codes, mode)
        result = cast(array, peer(name), mode)
        assert result.dtype == peer(name)
        assert_codes(source, name, codes, expected, codes_of(result), f"cast {mode} to twin")
    if source in OURS:
        expected = expected_codes(source, name, codes, DEFAULT_MODE)
        got = codes_of(array.astype(peer(name)))
        assert_codes(source, name, codes, expected, got, "astype to twin")


@pytest.mark.parametrize("target", PEERS)
@every_peer
def test_among_them(name, target):
    codes = all_codes(name)
    expected = expected_codes(name, target, codes, DEFAULT_MODE)
    got = codes_of(cast(codes.view(peer(name)), peer(target)))
    assert_codes(name, target, codes, expected, got, "cast from twin to twin")


@every_peer
def test_out_of_twins(name):
    codes = mixed_codes("float32", name, 301)
    expected = expected_codes("float32", name, codes, DEFAULT_MODE)
    out = np.empty(codes.size, peer(name))
    result = cast(array_of("float32", codes), peer(name), out=out)
    assert result is out
    assert_codes("float32", name, codes, expected, codes_of(out), "cast to twin, out")
