"""Arrays of zarr 3 of every type: in the store under the names of zarr-extensions."""

import json
import pickle

import numpy as np
import pytest

import castufunc as cu
from castufunc.interop import register_zarr
from neighbours.samples import codes, every_type, fresh, same, sample

zarr = pytest.importorskip("zarr", minversion="3.1")

# As the registry lists them: github.com/zarr-developers/zarr-extensions, data-types.
NAMES = {
    "bfloat16": "bfloat16", "float8e4m3fn": "float8_e4m3fn", "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2", "float8e5m2fnuz": "float8_e5m2fnuz",
    "float8e8m0": "float8_e8m0fnu", "float6e2m3": "float6_e2m3fn", "float6e3m2": "float6_e3m2fn",
    "float4e2m1": "float4_e2m1fn", "int4": "int4", "uint4": "uint4", "int2": "int2",
    "uint2": "uint2",
}  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _registered():
    register_zarr()
    register_zarr()


def metadata(path):
    return json.loads((path / "zarr.json").read_text())


@every_type
def test_create_store_and_open(info, tmp_path):
    x = sample(info, (50, 30))
    for given in [info.type, info.dtype, NAMES[info.name]]:
        z = zarr.create_array(tmp_path / "z", shape=x.shape, chunks=(20, 7), dtype=given,
                              overwrite=True)  # fmt: skip
        assert z.dtype == info.dtype
    z[...] = x
    assert metadata(tmp_path / "z")["data_type"] == NAMES[info.name]
    opened = zarr.open_array(tmp_path / "z", mode="r+")
    assert same(opened[...], x)
    assert same(opened[3:25:2, 5], x[3:25:2, 5])
    opened[0, :5] = np.ones(5)
    opened[1, :5] = 1
    assert codes(opened[:2, :5]).tolist() == codes(np.ones((2, 5), info.dtype)).tolist()
    assert same(opened[2:], x[2:])
    assert same(zarr.create_array(tmp_path / "d", data=x)[...], x)


def test_stores_are_read_in_a_fresh_process(tmp_path):
    for name, info in cu.FORMATS.items():
        zarr.create_array(tmp_path / name, data=np.ones((3, 4), info.dtype))
    code = (
        "import sys, pathlib, zarr, castufunc\n"
        "castufunc.interop.register_zarr()\n"
        "for path in pathlib.Path(sys.argv[1]).iterdir():\n"
        "    x = zarr.open_array(path)[1:]\n"
        "    print(path.name, x.dtype, x.shape, (x == 1).all())"
    )
    lines = fresh(code, tmp_path).splitlines()
    assert sorted(lines) == sorted(f"{name} castufunc.{name} (2, 4) True" for name in cu.FORMATS)


@every_type
def test_fill_values(info, tmp_path):
    for number, value in enumerate(codes_worth_filling(info)):
        path = tmp_path / str(number)
        zarr.create_array(path, shape=4, dtype=info.dtype, fill_value=value)
        z = zarr.open_array(path)
        assert same(z[...], np.full(4, value, info.dtype)), value
        assert same(np.asarray(z.fill_value), np.asarray(value))
        assert isinstance(z.fill_value, info.type)


def codes_worth_filling(info):
    every = np.arange(1 << info.bits, dtype=f"u{info.itemsize}")
    return (every if info.bits <= 4 else every[:: len(every) // 16 + 1]).view(info.dtype)


@every_type
def test_default_fill_value_is_of_zero_bytes(info, tmp_path):
    z = zarr.create_array(tmp_path / "z", shape=3, dtype=info.dtype)
    assert same(z[...], np.zeros(3, info.dtype))
    assert metadata(tmp_path / "z")["fill_value"] == (2.0**-127 if info.name == "float8e8m0" else 0)
    if info.name != "float8e8m0":
        assert same(zarr.zeros(3, dtype=info.dtype)[...], np.zeros(3, info.dtype))
    assert same(zarr.ones(3, dtype=info.dtype)[...], np.ones(3, info.dtype))


def test_fill_values_in_json(tmp_path):
    def stored(dtype, value):
        zarr.create_array(tmp_path / "z", shape=1, dtype=dtype, fill_value=value, overwrite=True)
        return metadata(tmp_path / "z")["fill_value"]

    assert stored(cu.bfloat16, np.nan) == "NaN"
    assert stored(cu.bfloat16, -np.inf) == "-Infinity"
    assert stored(cu.bfloat16, np.inf) == "Infinity"
    assert stored(cu.bfloat16, np.array(0xFFC1, np.uint16).view(cu.bfloat16)[()]) == "0xffc1"
    assert stored(cu.float8e4m3fnuz, np.nan) == "NaN"
    assert stored(cu.float8e5m2, np.array(0x7F, np.uint8).view(cu.float8e5m2)[()]) == "0x7f"
    assert stored(cu.float8e4m3fn, 0.1) == 0.1015625
    assert stored(cu.float8e4m3fn, 1e6) == 448
    assert stored(cu.int4, -3) == -3
    assert stored(cu.float4e2m1, -0.0) == 0
    assert np.signbit(np.float32(zarr.open_array(tmp_path / "z")[0]))


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (cu.float4e2m1, np.nan), (cu.float6e2m3, np.inf), (cu.float8e4m3fn, -np.inf),
        (cu.bfloat16, 1e39), (cu.int4, 8), (cu.uint2, -1), (cu.int2, 0.5), (cu.int4, np.nan),
    ],
)  # fmt: skip
def test_fill_values_that_are_refused(dtype, value, tmp_path):
    with pytest.raises(ValueError, match="is no value of castufunc"):
        zarr.create_array(tmp_path / "z", shape=1, dtype=dtype, fill_value=value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("float8_e4m3fn", "Infinity"), ("float4_e2m1fn", "NaN"), ("int4", 9), ("int4", "NaN"),
     ("int4", "0x01"), ("bfloat16", "0x7f"), ("bfloat16", "0x7fg0"), ("bfloat16", "1.5")],
)  # fmt: skip
def test_stored_fill_values_that_are_refused(name, value, tmp_path):
    zarr.create_array(tmp_path / "z", shape=1, dtype=name)
    (tmp_path / "z" / "zarr.json").write_text(
        json.dumps({**metadata(tmp_path / "z"), "fill_value": value})
    )
    with pytest.raises((TypeError, ValueError), match=f"[Ii]nvalid.*{value}|no value"):
        zarr.open_array(tmp_path / "z")


@every_type
def test_compressors_shards_and_order(info, tmp_path):
    x = sample(info, (40, 30))
    for number, options in enumerate([
        {"compressors": None},
        {"compressors": zarr.codecs.BloscCodec(shuffle="bitshuffle")},
        {"compressors": zarr.codecs.GzipCodec()},
        {"shards": (20, 30)},
        {"filters": zarr.codecs.TransposeCodec(order=(1, 0))},
    ]):  # fmt: skip
        path = tmp_path / str(number)
        z = zarr.create_array(path, shape=x.shape, chunks=(10, 15), dtype=info.dtype, **options)
        z[...] = x.T.copy().T
        assert same(zarr.open_array(path)[...], x), options


def test_bytes_in_the_store(tmp_path):
    """As the registry has them: one byte with the code in the low bits; bfloat16 by its endian."""
    z = zarr.create_array(tmp_path / "f", shape=3, dtype=cu.float4e2m1, compressors=None)
    z[...] = [0.5, -6, 1]
    assert (tmp_path / "f" / "c" / "0").read_bytes() == b"\x01\x0f\x02"
    assert metadata(tmp_path / "f")["codecs"] == [{"name": "bytes"}]
    z = zarr.create_array(tmp_path / "b", shape=1, dtype=cu.bfloat16, compressors=None)
    z[...] = 1
    assert (tmp_path / "b" / "c" / "0").read_bytes() == b"\x80\x3f"
    codec = {"name": "bytes", "configuration": {"endian": "little"}}
    assert metadata(tmp_path / "b")["codecs"] == [codec]


def test_high_bits_of_a_foreign_store_are_ignored(tmp_path):
    z = zarr.create_array(tmp_path / "z", shape=2, dtype="int4", compressors=None)
    z[...] = [1, 2]
    (tmp_path / "z" / "c" / "0").write_bytes(b"\xff\xf7")
    assert zarr.open_array(tmp_path / "z")[...].tolist() == [-1, 7]


def test_big_endian_bfloat16_is_refused(tmp_path):
    zarr.create_array(tmp_path / "z", data=np.ones(2, cu.bfloat16), compressors=None)
    text = (tmp_path / "z" / "zarr.json").read_text()
    (tmp_path / "z" / "zarr.json").write_text(text.replace('"little"', '"big"'))
    with pytest.raises(ValueError, match="big-endian byte order is not supported"):
        zarr.open_array(tmp_path / "z")[...]


def test_chunks_of_zeros_keep_their_signs_if_all_chunks_are_written(tmp_path):
    x = np.array([0.0, -0.0], cu.float8e5m2)
    options = {"config": {"write_empty_chunks": True}}
    z = zarr.create_array(tmp_path / "z", shape=2, dtype=cu.float8e5m2, **options)
    z[...] = x
    assert same(zarr.open_array(tmp_path / "z")[...], x)


def test_format_3_only(tmp_path):
    with pytest.raises(ValueError, match="no type of zarr format 2"):
        zarr.create_array(tmp_path / "z", shape=2, dtype=cu.bfloat16, zarr_format=2)


def test_data_types_are_pickled(tmp_path):
    z = zarr.create_array(tmp_path / "z", data=np.ones(2, cu.bfloat16))
    (tmp_path / "pickle").write_bytes(pickle.dumps(z))
    code = (
        "import sys, pickle, pathlib\n"
        "z = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(z.dtype, z[...])"
    )
    assert fresh(code, tmp_path / "pickle") == "castufunc.bfloat16 [1.0 1.0]\n"


def test_numpy_s_types_are_as_before():
    for name in ["float32", "int8", ">u2", "V3", "U4", "S3"]:
        assert zarr.dtype.parse_dtype(np.dtype(name), zarr_format=3).to_native_dtype() == name
