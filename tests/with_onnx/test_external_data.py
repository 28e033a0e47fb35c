"""Tensors whose data lie in a file."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")

import onnx
from onnx import TensorProto, external_data_helper, numpy_helper

from castufunc.onnx import from_array, to_array

from .models import same_bits, sample
from .test_tensors import NUMBERS, own


def tensor_at(location, number=1, dims=(4,), **entries):
    tensor = TensorProto(name="t", data_type=number, dims=dims)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=str(value))
    return tensor


@pytest.mark.parametrize("offset", [None, 0, 3, 4096])
@pytest.mark.parametrize("name", NUMBERS)
def test_every_type(name, offset, tmp_path):
    x = sample(name, (3, 5))
    data = from_array(x).raw_data
    before = b"\xff" * (offset or 0)
    (tmp_path / "weights.bin").write_bytes(before + data + (b"" if offset is None else b"behind"))
    given = {} if offset is None else {"offset": offset, "length": len(data)}
    tensor = tensor_at("weights.bin", from_array(x).data_type, x.shape, **given)
    result = to_array(tensor, tmp_path)
    assert same_bits(result, own(x, name))
    assert same_bits(to_array(tensor, str(tmp_path), as_ml_dtypes=True), x)
    if "b" not in x.dtype.kind and hasattr(external_data_helper, "_read_external_data_bytes"):
        assert same_bits(numpy_helper.to_array(tensor, str(tmp_path)), x)


def test_a_model_that_onnx_has_saved(tmp_path):
    arrays = {name: sample(name, (40, 33), seed) for seed, name in enumerate(NUMBERS)}
    graph = onnx.helper.make_graph([], "g", [], [])
    graph.initializer.extend(from_array(x, name) for name, x in arrays.items())
    proto = onnx.helper.make_model(graph)
    onnx.save(proto, tmp_path / "m.onnx", save_as_external_data=True, location="m.data",
              size_threshold=0)  # fmt: skip
    loaded = onnx.load(tmp_path / "m.onnx", load_external_data=False)
    for tensor in loaded.graph.initializer:
        assert tensor.data_location == TensorProto.EXTERNAL
        x = to_array(tensor, tmp_path, as_ml_dtypes=True)
        assert same_bits(x, arrays[tensor.name])


def test_the_file_is_mapped(tmp_path):
    path = tmp_path / "weights.bin"
    path.write_bytes(np.arange(4, dtype="<f4").tobytes())
    x = to_array(tensor_at("weights.bin"), tmp_path)
    assert not x.flags.owndata
    assert not x.flags.writeable
    with path.open("r+b") as file:
        file.write(np.float32(7).astype("<f4").tobytes())
    assert x.tolist() == [7, 1, 2, 3]


def test_the_working_directory_is_the_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "w").write_bytes(bytes(16))
    assert to_array(tensor_at("a/w")).tolist() == [0] * 4


def test_empty_data(tmp_path):
    (tmp_path / "w").write_bytes(b"")
    assert to_array(tensor_at("w", dims=[0, 3]), tmp_path).shape == (0, 3)
    assert to_array(tensor_at("w", 22, dims=[0], length=0), tmp_path).shape == (0,)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"offset": 4}, "the file has 16 bytes, too few for 16 from byte 4"),
        ({"offset": 4, "length": 0}, "the file has 16 bytes, too few for 16 from byte 4"),
        ({"offset": 4, "length": 12}, "external_data has 12 bytes, 4 elements of float have 16"),
        ({"length": 15}, "external_data has 15 bytes, 4 elements of float have 16"),
        ({"offset": 1, "length": 16}, "the file has 16 bytes, too few for 16 from byte 1"),
        ({"length": 1 << 60}, "the file has 16 bytes, too few for"),
        ({"offset": 17}, "the file has 16 bytes, too few for 16 from byte 17"),
        (
            {"offset": "9" * 5000},
            r"the offset of the external data is '9+\.\.\., which is no number",
        ),
        ({"offset": -1}, "the offset of the external data is '-1', which is no number of bytes"),
        ({"length": "all"}, "the length of the external data is 'all', which is no number"),
        ({"length": "٣"}, "the length of the external data is '٣', which is no number"),
    ],
)
def test_wrong_sizes(entries, words, tmp_path):
    (tmp_path / "w").write_bytes(bytes(16))
    with pytest.raises(ValueError, match=words) as caught:
        to_array(tensor_at("w", **entries), tmp_path)
    assert str(caught.value).startswith("tensor 't': ")


@pytest.mark.parametrize("given", [{}, {"length": 0}], ids=["none", "0"])
@pytest.mark.parametrize("offset", [None, 0, 5])
@pytest.mark.parametrize("name", NUMBERS)
def test_without_a_length_the_size_follows_from_type_and_dims(name, offset, given, tmp_path):
    """Other tensors may follow. (robertknight/rten#1394, Xilinx/onnx-mlir#975)"""
    x = sample(name, (3, 5))
    data = from_array(x).raw_data
    (tmp_path / "w").write_bytes(b"\xff" * (offset or 0) + data + b"\xff" * 99)
    entries = given if offset is None else {"offset": offset, **given}
    tensor = tensor_at("w", from_array(x).data_type, x.shape, **entries)
    for strict in True, False:
        assert same_bits(to_array(tensor, tmp_path, strict=strict), own(x, name))


def test_a_length_that_is_given_must_be_right(tmp_path):
    (tmp_path / "w").write_bytes(bytes(17))
    for length in 1, 15, 17:
        words = f"external_data has {length} bytes, 4 elements of float have 16"
        with pytest.raises(ValueError, match=words):
            to_array(tensor_at("w", length=length), tmp_path)
    assert to_array(tensor_at("w", length=17), tmp_path, strict=False).tolist() == [0] * 4
    with pytest.raises(ValueError, match="external_data has 15 bytes"):
        to_array(tensor_at("w", length=15), tmp_path, strict=False)
    with pytest.raises(ValueError, match="external_data has 17 bytes, 0 elements"):
        to_array(tensor_at("w", dims=[0], length=17), tmp_path)


def test_no_file(tmp_path):
    for location in "w", "a/w", "file/w":
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(FileNotFoundError, match=f"at '{location}': no such file in") as caught:
            to_array(tensor_at(location), tmp_path)
        assert str(caught.value).startswith("tensor 't': ")
