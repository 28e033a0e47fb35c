"""Pickles, copies and processes, with NumPy alone."""

import copy
import pickle

import numpy as np
import pytest

import castufunc as cu
from castufunc import ufuncs
from neighbours.samples import codes, every_type, fresh, packable, same, sample

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def layouts(info):
    x = sample(info, (6, 8))
    return [x, x.T, x[::2, ::-1], x[:0], x[2, 3, ...], np.asfortranarray(x)]


@every_type
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pickles(info, protocol):
    for x in layouts(info):
        assert same(pickle.loads(pickle.dumps(x, protocol)), x)
    scalar = sample(info)[1, 2]
    back = pickle.loads(pickle.dumps(scalar, protocol))
    assert type(back) is info.type
    assert codes(back) == codes(scalar)
    assert pickle.loads(pickle.dumps(info.dtype, protocol)) is info.dtype
    assert pickle.loads(pickle.dumps(info.type, protocol)) is info.type
    record = np.zeros(3, [("a", info.dtype), ("b", "f4", 2)])
    assert pickle.loads(pickle.dumps(record, protocol)).dtype == record.dtype


@every_type
def test_protocol_5_out_of_band(info):
    for x in layouts(info):
        buffers = []
        stream = pickle.dumps(x, 5, buffer_callback=buffers.append)
        assert same(pickle.loads(stream, buffers=buffers), x)


@every_type
def test_copies(info):
    for x in layouts(info):
        for copied in [copy.copy(x), copy.deepcopy(x), x.copy(), np.copy(x)]:
            assert same(copied, x)
            assert not np.shares_memory(copied, x)
    scalar = sample(info)[1, 2]
    for copied in [copy.copy(scalar), copy.deepcopy(scalar)]:
        assert type(copied) is info.type
        assert codes(copied) == codes(scalar)
    assert copy.copy(info.dtype) == copy.deepcopy(info.dtype) == info.dtype
    assert copy.deepcopy(info.type) is info.type


@packable
def test_packed_arrays(info):
    packed = cu.PackedArray.from_array(sample(info))
    for back in [*(pickle.loads(pickle.dumps(packed, p)) for p in PROTOCOLS),
                 copy.copy(packed), copy.deepcopy(packed)]:  # fmt: skip
        assert back == packed
        assert back.dtype is info.dtype


def test_a_fresh_process_that_has_not_imported_castufunc(tmp_path):
    things = [
        [info.dtype, info.type, info.type(1), sample(info), sample(info).T]
        for info in cu.FORMATS.values()
    ]
    things.append([getattr(ufuncs, name) for name in ufuncs.__all__])
    things.append([cu.PackedArray.from_array([1, 2, 3], "int4")])
    single = [pickle.dumps(thing, p) for group in things for thing in group for p in PROTOCOLS]
    (tmp_path / "pickles").write_bytes(pickle.dumps(single))
    code = """
import pathlib, pickle, subprocess, sys
single = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())
assert not any(name.partition(".")[0] in ("numpy", "castufunc") for name in sys.modules)
things = [pickle.loads(stream) for stream in single]
assert "castufunc" in sys.modules
assert [pickle.loads(pickle.dumps(thing)) is not None for thing in things]
pathlib.Path(sys.argv[1]).write_bytes(pickle.dumps(things))
"""
    fresh(code, tmp_path / "pickles")
    back = pickle.loads((tmp_path / "pickles").read_bytes())
    sent = [thing for group in things for thing in group for _ in PROTOCOLS]
    for thing, returned in zip(sent, back, strict=True):
        assert type(returned) is type(thing)
        if isinstance(thing, (np.ndarray, np.generic)):
            assert same(np.asarray(returned), np.asarray(thing))
        else:
            assert returned == thing


def test_one_of_our_types_brings_the_package():
    stream = pickle.dumps(np.ones(3, cu.bfloat16)).hex()
    code = "import pickle, sys; x = pickle.loads(bytes.fromhex(sys.argv[1])); print((x + x).sum())"
    assert float(fresh(code, stream)) == 6


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method):
    code = """
import functools, multiprocessing, sys, warnings
import numpy as np
import castufunc as cu

if __name__ == "__main__":
    # From Python 3.12 on, of forks while NumPy has threads.
    warnings.simplefilter("ignore", DeprecationWarning)
    x = np.random.default_rng(6).normal(size=(4, 1000))
    if sys.argv[1] not in multiprocessing.get_all_start_methods():
        sys.exit()
    cu.ufuncs.to_int4(x)
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        for name, info in cu.FORMATS.items():
            whole = cu.cast(x, info.dtype)
            for result in [
                pool.map(functools.partial(cu.cast, to=info.dtype), x),
                pool.map(getattr(cu.ufuncs, f"to_{name}"), x),
                pool.map(np.copy, whole),
            ]:
                assert all(row.dtype == info.dtype for row in result)
                assert np.array(result).tobytes() == whole.tobytes()
        packed = cu.PackedArray.from_array(x, "int4")
        assert pool.apply(cu.PackedArray.unpack, [packed]).tolist() == cu.cast(x, "int4").tolist()
    print("done")
"""
    assert fresh(code, method) in ("done\n", "")
