"""`load` and `save`: the content of a safetensors file in memory, the same as that of files."""

import doctest
import mmap

import numpy as np
import pytest

import castufunc as cu
from castufunc.interop import safetensors as module
from castufunc.interop.safetensors import load, load_file, save, save_file
from neighbours.samples import same, sample, twin

safetensors = pytest.importorskip("safetensors")

STORED = [info for info in cu.FORMATS.values() if info.name in module._NAMES]
NUMPY = [name for name in module._NAMES if name not in cu.FORMATS]
each_stored = pytest.mark.parametrize("info", STORED, ids=lambda info: info.name)


def everything():
    tensors = {info.name: sample(info, (3, 4)) for info in STORED}
    tensors |= {f"twin {info.name}": sample(info).view(twin(info)) for info in STORED}
    tensors |= {name: np.arange(6).astype(name).reshape(2, 3) for name in NUMPY}
    tensors["turned"] = sample(cu.FORMATS["bfloat16"], (4, 5)).T
    tensors["packed"] = cu.PackedArray.from_array(sample(cu.FORMATS["float6e3m2"]))
    return tensors


def test_save_gives_what_save_file_writes(tmp_path):
    for tensors, metadata in [({}, None), (everything(), None), (everything(), {"é": "\n"})]:
        save_file(tensors, tmp_path / "x", metadata)
        content = save(tensors, metadata)
        assert type(content) is bytes
        assert content == (tmp_path / "x").read_bytes()


def test_load_gives_what_load_file_does(tmp_path):
    (tmp_path / "x").write_bytes(save(everything()))
    for unpack in False, True:
        from_file = load_file(tmp_path / "x", unpack=unpack)
        from_bytes = load((tmp_path / "x").read_bytes(), unpack=unpack)
        assert list(from_file) == list(from_bytes)
        for name, x in from_file.items():
            y = from_bytes[name]
            assert type(x) is type(y)
            assert x == y if isinstance(x, cu.PackedArray) else same(x, y)


@each_stored
@pytest.mark.parametrize("shape", [(8,), (4, 6), (0, 3)])
def test_round_trip(info, shape):
    x = sample(info, shape)
    assert same(load(save({"x": x}), unpack=True)["x"], x)
    loaded = load(save({"x": x}))["x"]
    assert loaded == cu.PackedArray.from_array(x) if info.bits < 8 else same(loaded, x)


@each_stored
def test_the_library_reads_the_same(info):
    x = sample(info)
    ((name, found),) = safetensors.deserialize(save({"x": x}))
    assert (name, found["dtype"], found["shape"]) == ("x", module._NAMES[info.name], list(x.shape))
    data = cu.pack(x).tobytes() if info.bits < 8 else x.tobytes()
    assert bytes(found["data"]) == data


def test_the_library_reads_and_writes_numpy_s_types():
    library = pytest.importorskip("safetensors.numpy")
    tensors = {name: np.arange(6).astype(name).reshape(2, 3) for name in NUMPY}
    for loaded in library.load(save(tensors)), load(library.save(tensors)):
        assert set(loaded) == set(tensors)
        assert all(same(loaded[name], x) for name, x in tensors.items())
    # Of one type, the order of the tensors is the same, and so is every byte.
    tensors = {name: np.arange(3, dtype=np.float32) for name in ["b", "a", "é"]}
    assert save(tensors) == library.save(tensors)
    assert save(tensors, {"k": "v"}) == library.save(tensors, {"k": "v"})


def test_torch_reads_and_writes_the_same():
    pytest.importorskip("torch")
    library = pytest.importorskip("safetensors.torch")
    from castufunc.interop import from_torch, to_torch

    # The library's module for torch does not have all of the format's types.
    had = [info for info in STORED if module._NAMES[info.name] in library._TYPES]
    assert "float8e4m3fn" in [info.name for info in had]
    tensors = {info.name: sample(info) for info in had}
    for name, t in library.load(save(tensors)).items():
        assert same(from_torch(t), tensors[name])
    loaded = load(library.save({name: to_torch(x) for name, x in tensors.items()}))
    assert all(same(loaded[name], x) for name, x in tensors.items())


def test_memory_is_shared_and_read_only_where_it_was():
    content = save({"x": np.arange(4, dtype=np.float32), "four": np.ones(2, cu.float4e2m1)})
    x = load(content)["x"]
    assert not x.flags.writeable
    assert np.shares_memory(x, np.frombuffer(content, np.uint8))
    changeable = bytearray(content)
    tensors = load(changeable)
    tensors["x"][0] = 7
    assert np.frombuffer(changeable[-17:-1], np.float32).tolist() == [7, 1, 2, 3]
    assert np.shares_memory(tensors["four"].data, np.frombuffer(changeable, np.uint8))


def test_every_kind_of_bytes(tmp_path):
    content = save({"x": np.arange(4, dtype=np.float32)})
    (tmp_path / "x").write_bytes(content)
    with (tmp_path / "x").open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    array = np.frombuffer(content, np.uint8)
    for data in [
        content, bytearray(content), memoryview(content), memoryview(b"?" + content)[1:], mapped,
        array, array.view(np.int8), array.reshape(1, -1), array.view(np.recarray),
        np.memmap(tmp_path / "x", np.uint8, "r"),
    ]:  # fmt: skip
        assert load(data)["x"].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ("{}", TypeError, "data must be bytes, not str"),
        ([1], TypeError, "data must be bytes, not list"),
        (None, TypeError, "data must be bytes, not NoneType"),
        (5, TypeError, "data must be bytes, not int"),
        (np.zeros(8, cu.int4), TypeError, "data must be bytes, not ndarray"),
        (np.zeros(8, np.float32), ValueError, "made of single bytes"),
        (np.zeros(16, np.uint8)[::2], ValueError, "data must be contiguous"),
        (b"", ValueError, "data: a file of 0 bytes is too short"),
        (b"1234567", ValueError, "data: a file of 7 bytes is too short"),
    ],
)  # fmt: skip
def test_what_is_refused(data, error, message):
    with pytest.raises(error, match=message):
        load(data)


def test_every_truncation_is_refused():
    content = save({"x": np.arange(4, dtype=np.float32), "y": np.ones(3, cu.bfloat16)})
    for n in range(len(content)):
        with pytest.raises(
            ValueError, match=r"^data: (a file of \d bytes is|the file ends within)"
        ):
            load(content[:n])
        with pytest.raises(ValueError, match="data: "):
            load(content + b"\0" * (n + 1))


def test_docstrings():
    result = doctest.testmod(module)
    assert result.attempted > 5
    assert result.failed == 0
