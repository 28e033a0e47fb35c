"""Files of safetensors: read back by us and by the library, mapped, checked, and replaced whole."""

import json
import os

import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED
from castufunc.interop.safetensors import load, load_file, save, save_file
from neighbours.samples import every_type, fresh, same, sample, twin

safetensors = pytest.importorskip("safetensors")

NAMES = {
    "bfloat16": "BF16", "float8e4m3fn": "F8_E4M3", "float8e4m3fnuz": "F8_E4M3FNUZ",
    "float8e5m2": "F8_E5M2", "float8e5m2fnuz": "F8_E5M2FNUZ", "float8e8m0": "F8_E8M0",
    "float6e2m3": "F6_E2M3", "float6e3m2": "F6_E3M2", "float4e2m1": "F4",
}  # fmt: skip
NUMPY = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8",
    "uint16": "U16", "uint32": "U32", "uint64": "U64", "float16": "F16", "float32": "F32",
    "float64": "F64", "complex64": "C64",
}  # fmt: skip
STORED = [info for info in cu.FORMATS.values() if info.name in NAMES]
each_stored = pytest.mark.parametrize("info", STORED, ids=lambda info: info.name)


def written(path, header, data=b"", *, length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(text) if length is None else length).to_bytes(8, "little") + text + data)
    return path


def record(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def header_of(path):
    content = path.read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    assert end % 8 == 0
    return json.loads(content[8:end])


@each_stored
@pytest.mark.parametrize("shape", [(), (8,), (4, 6), (0, 3)])
def test_round_trip(info, shape, tmp_path):
    if info.bits < 8 and not shape:
        shape = (1, 1, 4)
    path = tmp_path / "x.safetensors"
    x = sample(info, shape)
    save_file({"x": x}, path)
    assert header_of(path)["x"]["dtype"] == NAMES[info.name]
    assert header_of(path)["x"]["shape"] == list(shape)
    assert same(load_file(path, unpack=True)["x"], x)
    with safetensors.safe_open(path, "np") as file:
        assert file.get_slice("x").get_dtype() == NAMES[info.name]
        assert file.get_slice("x").get_shape() == list(shape)
    loaded = load_file(path)["x"]
    if info.bits < 8:
        assert loaded == cu.PackedArray.from_array(x)
    else:
        assert type(loaded) is np.ndarray
        assert same(loaded, x)


@each_stored
def test_layouts_and_twins(info, tmp_path):
    x = sample(info)
    tensors = {"turned": x.T, "reversed": x[::-1, ::2], "twin": x.view(twin(info))}
    if info.bits < 8:
        tensors["packed"] = cu.PackedArray.from_array(x)
        tensors["packed twin"] = cu.PackedArray(tensors["packed"].data, twin(info), x.shape)
    save_file(tensors, tmp_path / "x")
    loaded = load_file(tmp_path / "x", unpack=True)
    assert set(loaded) == set(tensors)
    assert same(loaded["turned"], x.T)
    assert same(loaded["reversed"], x[::-1, ::2])
    assert all(same(loaded[name], x) for name in loaded if "tw" in name or "packed" in name)


def test_numpy_s_types_as_the_library_has_them(tmp_path):
    library = pytest.importorskip("safetensors.numpy")
    tensors = {name: np.arange(6).astype(name).reshape(2, 3) for name in NUMPY}
    save_file(tensors, tmp_path / "ours", {"made": "by us"})
    library.save_file(tensors, tmp_path / "theirs")
    for loaded in [
        load_file(tmp_path / "theirs"),
        load_file(tmp_path / "ours"),
        library.load_file(tmp_path / "ours"),
    ]:
        assert set(loaded) == set(tensors)
        assert all(same(loaded[name], x) for name, x in tensors.items())
    for name, entry in header_of(tmp_path / "theirs").items():
        assert entry["dtype"] == header_of(tmp_path / "ours")[name]["dtype"] == NUMPY[name]
    with safetensors.safe_open(tmp_path / "ours", "np") as file:
        assert file.metadata() == {"made": "by us"}
    c_types = {
        "long": np.ones(2, np.longlong),
        "swapped": np.arange(3, dtype=f"{SWAPPED}i4"),
        "list": [1.5],
    }
    save_file(c_types, tmp_path / "c")
    loaded = load_file(tmp_path / "c")
    assert loaded["long"].dtype == np.int64
    assert loaded["swapped"].tolist() == [0, 1, 2]
    assert loaded["list"].tolist() == [1.5]


def test_torch_reads_and_writes_the_same(tmp_path):
    torch = pytest.importorskip("torch")
    library = pytest.importorskip("safetensors.torch")
    from castufunc.interop import from_torch, to_torch

    tensors = {info.name: sample(info) for info in STORED if info.bits >= 8}
    save_file(tensors, tmp_path / "ours")
    for name, t in library.load_file(tmp_path / "ours").items():
        assert same(from_torch(t), tensors[name])
    packed = cu.PackedArray.from_array(sample(cu.FORMATS["float4e2m1"]))
    theirs = {name: to_torch(x) for name, x in tensors.items()} | {"f4": to_torch(packed)}
    library.save_file(theirs, tmp_path / "theirs")
    loaded = load_file(tmp_path / "theirs")
    assert loaded.pop("f4") == packed
    assert all(same(x, tensors[name]) for name, x in loaded.items())
    save_file({"f4": packed}, tmp_path / "f4")
    t = library.load_file(tmp_path / "f4")["f4"]
    assert t.dtype == torch.float4_e2m1fn_x2
    assert from_torch(t) == packed


def test_mapped_and_never_written(tmp_path):
    path = tmp_path / "x"
    x = sample(cu.FORMATS["float8e5m2"], (1000, 8))
    four = cu.PackedArray.from_array(sample(cu.FORMATS["float4e2m1"]))
    save_file({"x": x, "four": four}, path)
    before = path.read_bytes()
    os.chmod(path, 0o400)
    loaded = load_file(path)
    memory = loaded["x"]
    while isinstance(memory, np.ndarray) and not isinstance(memory, np.memmap):
        memory = memory.base
    assert isinstance(memory, np.memmap)
    assert np.shares_memory(loaded["four"].data, memory)
    loaded["x"][...] = 1
    assert path.read_bytes() == before
    assert same(load_file(path)["x"], x)


def test_tensors_of_torch_share_the_mapped_memory(tmp_path):
    pytest.importorskip("torch")
    from castufunc.interop import to_torch

    save_file({"x": np.ones(9, cu.float8e5m2), "four": np.ones(8, cu.float4e2m1)}, tmp_path / "x")
    for tensor in load_file(tmp_path / "x").values():
        assert to_torch(tensor, copy=False).nbytes == tensor.nbytes


def test_data_are_aligned(tmp_path):
    tensors = {info.name: sample(info, (3, 4)) for info in STORED}
    tensors |= {name: np.ones(3, name) for name in NUMPY}
    tensors["a"] = np.ones(1, np.uint8)
    save_file(tensors, tmp_path / "x")
    loaded = load_file(tmp_path / "x")
    assert all(isinstance(x, cu.PackedArray) or x.flags.aligned for x in loaded.values())
    # Not of our making, and allowed.
    path = written(tmp_path / "y", {"x": record("BF16", [1], 1, 3), "a": record("U8", [1], 0, 1)},
                   b"\0\x80\x3f")  # fmt: skip
    assert load_file(path)["x"].tolist() == [1]
    assert cu.cast(load_file(path)["x"], "float32").tolist() == [1]


@every_type
def test_types_that_the_format_has_not(info, tmp_path):
    if info not in STORED:
        with pytest.raises(TypeError, match=f"tensor 'x': .* dtype castufunc.{info.name}"):
            save_file({"x": sample(info)}, tmp_path / "x")
        with pytest.raises(TypeError, match="tensor 'x'"):
            save_file({"x": cu.PackedArray.from_array(sample(info))}, tmp_path / "x")
    assert not list(tmp_path.iterdir())


class Twice(dict):
    def items(self):
        return [("x", [1]), (Own("x"), [2])]


class Own(str):
    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other):
        return False


@pytest.mark.parametrize(
    ("tensors", "metadata", "error", "message"),
    [
        ({"x": np.ones(2, np.complex128)}, None, TypeError, "complex128"),
        ({"x": np.ones(2, np.longdouble)}, None, TypeError, "tensor 'x'"),
        ({"x": ["a"]}, None, TypeError, "tensor 'x'"),
        ({"x": np.array(["2000"], "M8[Y]")}, None, TypeError, "tensor 'x'"),
        ({"x": [None]}, None, TypeError, "tensor 'x'"),
        ({"x": np.ones(3, cu.float4e2m1)}, None, ValueError, "3 elements of 4 bits are 12 bits"),
        ({"x": np.ones((), cu.float6e3m2)}, None, ValueError, "1 elements of 6 bits"),
        ({"__metadata__": [1]}, None, ValueError, "cannot be the name"),
        ({1: [1]}, None, ValueError, "cannot be the name"),
        ({"\ud800": [1]}, None, ValueError, r"tensor '\\ud800': the name has surrogates"),
        ({"x" * 5000: [1j] * 3, "a": [None]}, None, TypeError, r"tensor '\w{5,80}\.\.\.: "),
        ({"x": [1]}, {"a": 1}, TypeError, "str to str"),
        ({"x": [1]}, {"a": "\udfff"}, ValueError, "metadata: .* surrogates"),
        ({"x": [1]}, {"\udfff": "a"}, ValueError, "metadata: .* surrogates"),
        (Twice(), None, ValueError, "'x' is the name of two tensors"),
    ],
    ids=lambda value: None,
)
def test_what_cannot_be_written(tensors, metadata, error, message, tmp_path):
    with pytest.raises(error, match=message):
        save_file(tensors, tmp_path / "x", metadata)
    assert not list(tmp_path.iterdir())
    with pytest.raises(error, match=message):
        save(tensors, metadata)


def test_a_header_that_is_too_long(tmp_path, monkeypatch):
    from castufunc.interop import safetensors as module

    monkeypatch.setattr(module, "_MAX_HEADER", 100)
    save_file({"x": [1]}, tmp_path / "x")
    with pytest.raises(ValueError, match="the header has 144 bytes"):
        save_file({"x" * 90: [1]}, tmp_path / "x")
    assert list(load_file(tmp_path / "x")) == ["x"]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "x"
    link = tmp_path / "link"
    save_file({"x": np.ones(9, cu.bfloat16)}, path)
    os.chmod(path, 0o640)
    link.symlink_to(path)
    old = load_file(path)["x"]
    save_file({"x": old.astype(cu.float8e5m2)}, link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert old.dtype == cu.bfloat16
    assert old.tolist() == [1] * 9
    assert load_file(path)["x"].dtype == cu.float8e5m2

    def disk_full(descriptor):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", disk_full)
    before = path.read_bytes()
    with pytest.raises(OSError, match="no space"):
        save_file({"x": np.zeros(10**5)}, path)
    assert path.read_bytes() == before
    assert {p.name for p in tmp_path.iterdir()} == {"x", "link"}


FLOATS = record("F32", [2], 0, 8)
BAD = {
    "empty": (b"", b"", None, "a file of 0 bytes is too short"),
    "not JSON": (b"{", b"", None, "JSON"),
    "no object": (b"[]", b"", None, "JSON"),
    "no UTF-8": (b'{"\xff":1}', b"", None, "UTF-8"),
    "length beyond the file": ({}, b"", 3, "within the header: the header length is 3, 2 bytes"),
    "length of 2^63": ({}, b"", 2**63, "too large"),
    "length above 100 MB": ({}, b"", 100_000_001, "too large"),
    "unknown type": ({"x": record("F9", [2], 0, 2)}, bytes(2), None, "F9"),
    "no shape": ({"x": {"dtype": "F32", "data_offsets": [0, 8]}}, bytes(8), None, "shape"),
    "negative size": ({"x": record("F32", [-2], 0, 8)}, bytes(8), None, "-2"),
    "fractional size": ({"x": record("F32", [2.0], 0, 8)}, bytes(8), None, "float"),
    "size beyond 64 bits": ({"x": record("F32", [2**62, 8], 0, 0)}, b"", None, "overflow"),
    "wrong size": ({"x": record("F32", [3], 0, 8)}, bytes(8), None, "offset for tensor"),
    "turned round": ({"x": record("F32", [0], 8, 0)}, bytes(8), None, "invalid offset"),
    "hole": ({"x": record("F32", [2], 4, 12)}, bytes(12), None, "invalid offset"),
    "overlap": ({"x": FLOATS, "y": record("F32", [2], 4, 12)}, bytes(12), None, "invalid offset"),
    "data left over": ({"x": FLOATS}, bytes(9), None, "not fully covered"),
    "data missing": ({"x": FLOATS}, bytes(7), None, "8 bytes are needed, 7 are there"),
    "no data": ({"x": FLOATS}, b"", None, "8 bytes are needed, 0 are there"),
    "an end that is no number": ({"x": record("F32", [2], 0, float("inf"))}, b"", None, "JSON|inv"),
    "65 dimensions": ({"x": record("F32", [1] * 65, 0, 4)}, bytes(4), None,
                      "'x' has 65 dimensions, an array has at most 64"),
    "65 dimensions, packed": ({"x": record("F4", [1] * 64 + [2], 0, 1)}, bytes(1), None,
                              "'x' has 65 dimensions"),
    "huge and empty": ({"x": record("F32", [0, 2**62], 0, 0)}, b"", None,
                       "'x': shape .* is too large for an array"),
    "a long name": ({"x" * 5000: record("F32", [3], 0, 8)}, bytes(8), None, "offset for tensor"),
    "no whole bytes": ({"x": record("F4", [3], 0, 2)}, bytes(2), None, "byte boundary"),
    "metadata of numbers": ({"__metadata__": {"a": 1}}, b"", None, "string"),
    "a name twice": (
        f'{{"x":{json.dumps(FLOATS)},"x":{json.dumps(FLOATS)}}}'.encode(),
        bytes(8), None, "key twice"),
    "a field twice": (
        b'{"x":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
        bytes(8), None, "key twice|duplicate field"),
    "a list for a record": ({"x": ["F32", [2], [0, 8]]}, bytes(8), None, "'x'|JSON"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_files_that_are_refused(name, tmp_path):
    header, data, length, message = BAD[name]
    path = tmp_path / "x"
    if name == "empty":
        path.write_bytes(b"")
    else:
        written(path, header, data, length=length)
    with pytest.raises(ValueError, match=message) as caught:
        load_file(path)
    assert len(str(caught.value)) < 1000
    with pytest.raises(ValueError, match=message):
        load(path.read_bytes())


def test_a_type_that_only_a_newer_library_knows(tmp_path, monkeypatch):
    from castufunc.interop import safetensors as module

    save_file({"x": np.ones(2, cu.float8e8m0)}, tmp_path / "x")
    monkeypatch.delitem(module._TYPES, "F8_E8M0")
    with pytest.raises(TypeError, match="'x': there is no dtype for F8_E8M0"):
        load_file(tmp_path / "x")


def test_nothing_in_it(tmp_path):
    save_file({}, tmp_path / "x")
    assert load_file(tmp_path / "x") == {}
    with pytest.raises(FileNotFoundError):
        load_file(tmp_path / "y")
    with pytest.raises(FileNotFoundError):
        save_file({"x": [1]}, tmp_path / "no folder" / "x")


def test_a_fresh_process(tmp_path):
    save_file({"x": np.ones(3, cu.float8e4m3fn)}, tmp_path / "x")
    code = (
        "import sys; from castufunc.interop.safetensors import load_file\n"
        "assert 'safetensors' not in sys.modules\n"
        "print(load_file(sys.argv[1])['x'].dtype)"
    )
    assert fresh(code, tmp_path / "x") == "castufunc.float8e4m3fn\n"


@pytest.mark.parametrize("bad", [[1.5, np.ma.masked], [np.ma.array(1.5, mask=True)]], ids=str)
def test_masked_elements_within_a_list(bad):
    with pytest.raises(TypeError, match=r"tensor 'a': a masked element has no value, at index"):
        save({"a": bad})


def test_lists_and_tensors_of_torch_keep_their_numbers():
    assert load(save({"a": [1.5, 2.5]}))["a"].tolist() == [1.5, 2.5]
    torch = pytest.importorskip("torch")
    stored = load(save({"a": torch.tensor([1.5], dtype=torch.bfloat16)}))["a"]
    assert (stored.dtype, stored.tolist()) == (cu.bfloat16, [1.5])
