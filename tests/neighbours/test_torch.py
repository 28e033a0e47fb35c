"""Tensors of torch and arrays in the same memory."""

import numpy as np
import pytest

import castufunc as cu
from byte_order import SWAPPED
from castufunc.interop import from_torch, to_torch
from neighbours.samples import codes, every_type, same, sample, twin

torch = pytest.importorskip("torch")

SHARED = [info for info in cu.FORMATS.values() if info.kind == "float" and info.bits >= 8]
each_shared = pytest.mark.parametrize("info", SHARED, ids=lambda info: info.name)


def layouts(x):
    return {
        "matrix": x, "transposed": x.T, "every second": x[::2, 1::3], "column": x[:, 3],
        "empty": x[:0], "0-d": x[1, 2, ...], "broadcast": x[None, :, 0, None],
    }.items()  # fmt: skip


@each_shared
def test_memory_is_shared_both_ways(info):
    for name, x in layouts(sample(info)):
        t = to_torch(x)
        assert t.dtype == getattr(torch, info.ml_dtypes), name
        assert tuple(t.shape) == x.shape
        assert t.data_ptr() == x.ctypes.data or not x.size
        back = from_torch(t)
        assert same(back, x), name
        assert back.strides == x.strides or not x.size
        assert np.shares_memory(back, x) or not x.size
    x[...] = 1
    assert t.float().eq(1).all()


@each_shared
def test_values_are_torch_s(info):
    """Every code means the same number there."""
    x = np.arange(1 << info.bits, dtype=f"u{info.itemsize}").view(info.dtype)
    theirs = to_torch(x).float().numpy()
    assert np.array_equal(theirs, x.astype(np.float32), equal_nan=True)


@each_shared
def test_twin_is_taken_for_the_type(info):
    x = sample(info)
    t = to_torch(x.view(twin(info)))
    assert t.data_ptr() == x.ctypes.data
    assert same(from_torch(t), x)


@each_shared
def test_what_cannot_be_shared_is_copied_or_refused(info):
    x = sample(info)
    still = x.copy()
    still.flags.writeable = False
    shifted = np.frombuffer(bytearray(1 + x.nbytes), np.uint8)[1:].view(info.dtype)
    obstacles = [(still, "read-only"), (x[::-1], "negative"), (x[:, ::-2], "negative"),
                 (np.broadcast_to(x[0], (3, 8)), "read-only")]  # fmt: skip
    if info.itemsize > 1:
        obstacles.append((shifted, "aligned"))
    for array, why in obstacles:
        t = to_torch(array)
        assert same(from_torch(t), array)
        assert not np.shares_memory(from_torch(t), array)
        with pytest.raises(ValueError, match=why):
            to_torch(array, copy=False)
    assert to_torch(x, copy=False).data_ptr() == x.ctypes.data
    assert to_torch(x, copy=True).data_ptr() != x.ctypes.data


def test_numpy_s_own_types():
    for name in ["bool", "int8", "uint16", "int64", "float16", "float32", "complex64"]:
        x = np.arange(6).astype(name).reshape(2, 3)
        assert same(from_torch(to_torch(x)), x)
        assert np.shares_memory(from_torch(to_torch(x)), x)
    swapped = np.arange(3, dtype=f"{SWAPPED}i4")
    assert to_torch(swapped).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="byte order"):
        to_torch(swapped, copy=False)
    assert to_torch([1, 2]).dtype == torch.int64
    with pytest.raises(TypeError):
        to_torch(np.array(["a"]))


@every_type
def test_types_that_torch_has_not(info):
    if info not in SHARED:
        with pytest.raises(TypeError, match=f"no type for dtype castufunc.{info.name}"):
            to_torch(sample(info))
        with pytest.raises(TypeError, match="no type for dtype"):
            to_torch(sample(info).view(twin(info)))
    if info.bits < 8 and info.name != "float4e2m1":
        with pytest.raises(TypeError, match=f"no type for packed castufunc.{info.name}"):
            to_torch(cu.PackedArray.from_array(sample(info)))


def test_types_of_a_newer_torch(monkeypatch):
    monkeypatch.delattr(torch, "float8_e8m0fnu")
    monkeypatch.delattr(torch, "float4_e2m1fn_x2")
    with pytest.raises(TypeError, match=r"torch \d.* has no type float8_e8m0fnu"):
        to_torch(np.ones(2, cu.float8e8m0))
    with pytest.raises(TypeError, match="has no type float4_e2m1fn_x2"):
        to_torch(cu.PackedArray.from_array([1, 2], "float4e2m1"))
    assert from_torch(torch.ones(2)).tolist() == [1, 1]


@pytest.mark.parametrize("shape", [(6,), (3, 4), (2, 3, 2), (0, 2), (3, 0)])
def test_packed_float4(shape):
    x = sample(cu.FORMATS["float4e2m1"], shape)
    packed = cu.PackedArray.from_array(x)
    t = to_torch(packed)
    assert t.dtype == torch.float4_e2m1fn_x2
    assert tuple(t.shape) == (*shape[:-1], shape[-1] // 2)
    assert t.data_ptr() == packed.data.ctypes.data or not x.size
    back = from_torch(t)
    assert back == packed
    assert np.shares_memory(back.data, packed.data) or not x.size
    assert same(back.unpack(), x)


def test_packed_float4_low_half_comes_first():
    t = torch.tensor([[0x21, 0xF7]], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)
    assert from_torch(t).unpack().tolist() == [[0.5, 1.0, 6.0, -6.0]]


def test_packed_float4_otherwise():
    for shape in [(), (3,), (2, 1)]:
        odd = cu.PackedArray.from_array(np.ones(shape), "float4e2m1")
        with pytest.raises(ValueError, match="last dimension of even size"):
            to_torch(odd)
    fixed = cu.PackedArray(bytes([0x21, 0x43]), "float4e2m1", (2, 2))
    assert from_torch(to_torch(fixed)) == fixed
    with pytest.raises(ValueError, match="read-only"):
        to_torch(fixed, copy=False)
    rows = cu.PackedArray.from_array(np.ones((4, 2)), "float4e2m1")[1:3]
    assert to_torch(rows).data_ptr() == rows.data.ctypes.data
    turned = torch.arange(6, dtype=torch.uint8).reshape(2, 3).T.view(torch.float4_e2m1fn_x2)
    assert from_torch(turned).shape == (3, 4)
    assert from_torch(turned).data.tolist() == [0, 3, 1, 4, 2, 5]
    with pytest.raises(ValueError, match="without dimensions"):
        from_torch(torch.tensor(3, dtype=torch.uint8).view(torch.float4_e2m1fn_x2))


def test_tensors_that_are_refused():
    with pytest.raises(TypeError, match="expected a tensor of torch, not ndarray"):
        from_torch(np.ones(3))
    for dtype in [torch.float32, torch.bfloat16]:
        with pytest.raises(ValueError, match="requires gradients"):
            from_torch(torch.ones(2, dtype=dtype, requires_grad=True))
        assert from_torch(torch.ones(2, dtype=dtype, requires_grad=True).detach())[0] == 1
        with pytest.raises(TypeError, match="to_dense"):
            from_torch(torch.eye(2, dtype=dtype).to_sparse())
        with pytest.raises(TypeError, match="cpu"):
            from_torch(torch.ones(2, dtype=dtype, device="meta"))
    with pytest.raises(TypeError):
        from_torch(torch.zeros(2, dtype=torch.uint8).view(torch.int4))


def test_a_parameter_that_is_frozen():
    weight = torch.nn.Parameter(torch.ones(2, dtype=torch.float8_e5m2), requires_grad=False)
    assert from_torch(weight).dtype == cu.float8e5m2


def test_casts_agree_where_torch_rounds_once():
    """torch saturates other values, and gives NaN for what is too large; in range it rounds so."""
    x = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    for info in SHARED:
        if info.name != "float8e8m0":
            theirs = from_torch(torch.from_numpy(x).to(getattr(torch, info.ml_dtypes)))
            assert (codes(theirs) == codes(cu.cast(x, info.dtype))).all(), info.name


@each_shared
def test_casts_take_tensors(info):
    x = sample(info)
    t = to_torch(x)
    for source in t, t.T.contiguous().T, t.requires_grad_(False):
        assert same(cu.cast(source, "float32"), cu.cast(x, "float32"))
    assert cu.cast(t, "string").tolist() == cu.cast(x, "string").tolist()
    assert same(cu.bit_cast(t, f"uint{info.bits}"), codes(x))
    assert same(cu.cast_pack(t, "int4"), cu.cast_pack(x, "int4"))
    assert same(cu.cast_like([1.5, -3], t), cu.cast([1.5, -3], info.type))
    assert same(cu.cast_like(t, torch.zeros(1, dtype=torch.int8)), cu.cast(x, "int8"))
    out = np.zeros(x.shape, np.int8)
    assert cu.cast(t, "int8", out=out, where=False) is out
    assert not out.any()


@each_shared
def test_tensors_in_lists_and_objects(info):
    t = to_torch(cu.cast([1, 2], info.type))
    assert cu.cast([t[0], t[1]], "float64").tolist() == [1, 2]
    assert cu.cast([[t[0], 2**60 + 1], [t[1], 3]], "int64").tolist() == [[1, 2**60 + 1], [2, 3]]
    objects = np.empty(3, object)
    for i, item in enumerate([t[0], torch.tensor(2**60 + 1), torch.tensor(True)]):
        objects[i] = item
    assert cu.cast(objects, "int64").tolist() == [1, 2**60 + 1, 1]


@pytest.mark.parametrize("name", [*cu.FORMATS, "float16", "float32", "float64", "bool", "int8",
                                  "int16", "int32", "int64", "uint8", "uint16", "uint32",
                                  "uint64"])  # fmt: skip
def test_types_of_torch_are_targets(name):
    info = cu.FORMATS.get(name)
    theirs = info.ml_dtypes if info else name
    for spelling in theirs, f"{theirs}_x2":
        if hasattr(torch, spelling):
            assert cu.dtype(getattr(torch, spelling)) is cu.dtype(name)
            assert cu.cast([1.5], getattr(torch, spelling)).dtype is cu.dtype(name)


def test_pairs_are_cast_one_by_one():
    packed = cu.PackedArray.from_array([[0.5, 6], [-1, 3]], "float4e2m1")
    pairs = to_torch(packed)
    assert cu.cast(pairs, "float32").tolist() == [[0.5, 6], [-1, 3]]
    assert cu.cast_like([0.6], pairs).dtype == cu.float4e2m1


def test_what_is_refused_of_torch():
    for bad in torch.complex64, torch.qint8:
        with pytest.raises(TypeError, match=r"complex64|element type"):
            cu.cast([1.5], bad)
    with pytest.raises(ValueError, match="detach"):
        cu.cast(torch.ones(2, requires_grad=True), "int4")
    with pytest.raises(TypeError, match="sparse"):
        cu.cast(torch.ones(2).to_sparse(), "int4")
