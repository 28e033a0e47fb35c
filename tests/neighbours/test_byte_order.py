"""Files of other libraries are in little-endian order, or tell theirs, on every machine."""

import sys

import numpy as np
import pytest

import castufunc as cu

OTHER = "big" if sys.byteorder == "little" else "little"


def test_safetensors_swap_on_big_endian_machines(tmp_path, monkeypatch):
    """As if the machine's order were the other one: then its files are swapped here, and back."""
    pytest.importorskip("safetensors")
    from castufunc.interop.safetensors import load_file, save_file

    arrays = {
        "bfloat16": np.array([[1.5, -2], [3.25, 0.125]], cu.bfloat16),
        "float8e5m2": np.array([1.5, -2], cu.float8e5m2),
        "float32": np.array([1.5, -2], np.float32),
        "swapped": np.array([1.5, -2], np.dtype(np.float32).newbyteorder()),
    }
    content = {}
    for order in [sys.byteorder, OTHER]:
        monkeypatch.setattr(sys, "byteorder", order)
        for name, x in {**arrays, "slice": arrays["bfloat16"][:, 1]}.items():
            path = tmp_path / f"{name}-{order}"
            save_file({"x": x}, path)
            assert load_file(path)["x"].tolist() == x.tolist()
            content[name, order] = path.read_bytes()[-x.nbytes :]
    for name in ["float8e5m2", "float32", "swapped"]:
        assert content[name, OTHER] == content[name, sys.byteorder]
    assert content["bfloat16", "little"] == bytes.fromhex("c03f00c05040003e")
    assert content["bfloat16", "big"] == bytes.fromhex("3fc0c00040503e00")
    assert content["slice", "little"] == bytes.fromhex("00c0003e")


def test_safetensors_bytes(tmp_path):
    """What any machine must write and read; on a big-endian one that takes a swap."""
    pytest.importorskip("safetensors")
    from castufunc.interop.safetensors import load_file, save_file

    x = np.array([1.5, -2, 3.25], cu.bfloat16)
    save_file({"x": x}, tmp_path / "x")
    assert (tmp_path / "x").read_bytes().endswith(bytes.fromhex("c03f00c05040"))
    assert load_file(tmp_path / "x")["x"].tolist() == [1.5, -2, 3.25]


def test_zarr_refuses_to_write_the_other_order():
    zarr = pytest.importorskip("zarr")
    from castufunc.interop import register_zarr

    register_zarr()
    x = np.array([1.5, -2, 3.25], cu.bfloat16)
    for order in [sys.byteorder, OTHER]:
        codec = zarr.codecs.BytesCodec(endian=order)
        z = zarr.create_array({}, shape=3, dtype=cu.bfloat16, serializer=codec, compressors=None)
        if order == sys.byteorder:
            z[:] = x
            assert (z[:] == x).all()
        else:
            with pytest.raises(ValueError, match="byte order"):
                z[:] = x
