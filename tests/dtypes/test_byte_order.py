"""Elements of two bytes are in the machine's order: what is in the other one is never misread."""

import io
import pickle
import sys

import numpy as np
import pytest

import castufunc as cu
from castufunc import _core

ALL = list(cu.FORMATS.values())
WIDE = [info for info in ALL if info.itemsize > 1]
NARROW = [info for info in ALL if info.itemsize == 1]
OTHER = "big" if sys.byteorder == "little" else "little"
MARK = {"little": "", "big": " (big-endian)"}
each_wide = pytest.mark.parametrize("info", WIDE, ids=lambda info: info.name)
each_narrow = pytest.mark.parametrize("info", NARROW, ids=lambda info: info.name)


def sample(info):
    return np.arange(24, dtype=np.float32).astype(info.dtype).reshape(4, 6)


def codes(array):
    return array.view(np.uint16)


def test_there_is_such_a_type():
    assert [info.name for info in WIDE] == ["bfloat16"]


@each_wide
def test_text_tells_the_order(info):
    assert info.dtype.str == f"castufunc.{info.name}{MARK[sys.byteorder]}"
    with pytest.raises(TypeError, match="not understood"):
        np.dtype(f"castufunc.{info.name}{MARK[OTHER]}")
    assert cu.dtype(f"castufunc.{info.name}") is info.dtype


@each_narrow
def test_one_byte_has_no_order(info):
    x = sample(info)
    assert info.dtype.str == f"castufunc.{info.name}"
    for order in ["S", "<", ">", "=", "|", "little", "big"]:
        assert info.dtype.newbyteorder(order) is info.dtype
    assert x.byteswap().tobytes() == x.tobytes()


@each_wide
def test_newbyteorder(info):
    for order in ["=", "|", "native", "ignore", sys.byteorder]:
        assert info.dtype.newbyteorder(order) is info.dtype
    for order in [(), ("S",), (OTHER,), (">" if OTHER == "big" else "<",)]:
        with pytest.raises(ValueError, match=f"{info.name} is always in .*byteswap"):
            info.dtype.newbyteorder(*order)
    for bad in ["q", 1, None]:
        with pytest.raises((ValueError, TypeError)):
            info.dtype.newbyteorder(bad)


@each_wide
def test_byteswap(info):
    x = sample(info)
    for array in [x, x[::2, ::-1], x.T, x[1, 2:3], x[:0], np.array(x[1, 1])]:
        swapped = array.byteswap()
        assert swapped.dtype is info.dtype
        assert (codes(swapped.copy()) == codes(array.copy()).byteswap()).all()
        assert (swapped.byteswap() == array).all()
    assert codes(x[1, 1].byteswap()) == codes(x[1, 1]).byteswap()
    expected = codes(x[:, ::2].copy()).byteswap()
    x[:, ::2].byteswap(inplace=True)
    assert (codes(x)[:, ::2] == expected).all()
    assert (x[:, 1::2] == sample(info)[:, 1::2]).all()


@each_wide
def test_byteswap_of_fields(info):
    x = np.zeros(3, [("a", "u1"), ("b", info.dtype), ("c", np.float32)])
    x["b"] = [1, 2, 3]
    x["c"] = [4, 5, 6]
    swapped = x.byteswap()
    assert (swapped["b"] == x["b"].byteswap()).all()
    assert (swapped["c"] == x["c"].byteswap()).all()


def npy(descr, array):
    file = io.BytesIO()
    header = {"descr": descr, "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue() + array.byteswap().tobytes()


@each_wide
def test_files_of_the_other_order_are_refused(info, tmp_path):
    x = sample(info)
    text = f"castufunc.{info.name}{MARK[OTHER]}"
    path = tmp_path / "x.npy"
    for descr in [text, [("a", text)], [("a", "<i4"), ("b", text, (2,))]]:
        path.write_bytes(npy(descr, x))
        for mode in [None, "r", "c"]:
            with pytest.raises(ValueError, match="not a valid dtype descriptor") as caught:
                np.load(path, mmap_mode=mode)
            assert text in str(caught.value)
    np.save(path, x)
    for mode in [None, "r", "c"]:
        assert (np.load(path, mmap_mode=mode) == x).all()


def pickled_there(thing):
    """The pickle that a machine of the other byte order makes, but for the elements."""
    here, there = sys.byteorder.encode(), OTHER.encode()
    data = pickle.dumps(thing, 3)
    assert data.count(here) == 1
    return data.replace(b"X%c\0\0\0%s" % (len(here), here), b"X%c\0\0\0%s" % (len(there), there))


@each_wide
def test_pickles_of_the_other_order_are_refused(info):
    x = sample(info)
    structured = np.zeros(2, [("a", "u1"), ("b", info.dtype)])
    for thing in [info.dtype, x, x[1, 1], x.T, structured, structured.dtype]:
        data = pickled_there(thing)
        assert data != pickle.dumps(thing, 3)
        with pytest.raises(ValueError, match=f"{info.name} elements of a machine .*{OTHER}"):
            pickle.loads(data)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert np.all(pickle.loads(pickle.dumps(thing, protocol)) == thing)


@each_wide
def test_pickles_that_tell_no_order_are_read(info):
    class Former:
        def __reduce__(self):
            return np.dtype, (info.type,)

    assert pickle.loads(pickle.dumps(Former())) is info.dtype


def test_reader_refuses_what_is_no_type():
    reader = _core._dtype_in_byte_order
    for bad in [(), (cu.bfloat16,), (np.float32, "little"), (1, "little"), (cu.bfloat16, 1)]:
        with pytest.raises(TypeError):
            reader(*bad)
    with pytest.raises(ValueError, match=r"x{20}'") as caught:
        reader(cu.bfloat16, "x" * 10**6)
    assert len(str(caught.value)) < 1000
