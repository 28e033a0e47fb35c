"""Datasets of HDF5: bytes whose type is forgotten, codes with a name, and floats of HDF5's own."""

import numpy as np
import pytest

import castufunc as cu
from neighbours.samples import codes, every_type, fresh, same, sample

h5py = pytest.importorskip("h5py", minversion="3.11")


@pytest.fixture
def file(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        yield file


def write(group, name, array, **options):
    group.create_dataset(name, data=codes(array), **options)
    group[name].attrs["dtype"] = str(array.dtype)


def read(dataset, part=...):
    dtype = cu.dtype(dataset.attrs["dtype"])
    return dataset.astype(f"u{dtype.itemsize}")[part].view(dtype)


@every_type
def test_h5py_itself_keeps_bytes_and_forgets_the_type(info, file):
    x = sample(info)
    file["x"] = x
    file.attrs["x"] = x
    for found in [file["x"][:], file.attrs["x"]]:
        assert found.dtype == f"V{info.itemsize}"
        assert same(found.view(info.dtype), x)


@every_type
def test_codes_with_the_name_in_an_attribute(info, file):
    x = sample(info)
    write(file, "x", x)
    assert same(read(file["x"]), x)
    assert same(read(file["x"], np.s_[1:4, 2]), x[1:4, 2])
    write(file, "chunks", x, chunks=(2, 3), compression="gzip", shuffle=True)
    assert same(read(file["chunks"]), x)
    file.create_dataset("big", data=codes(x).astype(f">u{info.itemsize}"))
    file["big"].attrs["dtype"] = str(info.dtype)
    assert same(read(file["big"]), x)


@every_type
def test_names_are_understood_in_a_fresh_process(info, tmp_path):
    x = sample(info)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        write(file, "x", x)
    code = (
        "import sys, h5py, castufunc\n"
        "with h5py.File(sys.argv[1]) as file:\n"
        "    dtype = castufunc.dtype(file['x'].attrs['dtype'])\n"
        "    x = file['x'][...].view(dtype)\n"
        "print(x.dtype, x.view(f'u{x.itemsize}').tolist())"
    )
    assert fresh(code, tmp_path / "x.h5") == f"{info.dtype} {codes(x).tolist()}\n"


def described(info):
    """A float type of HDF5's own with the fields of the format."""
    kind = h5py.h5t.NATIVE_FLOAT16.copy()
    kind.set_fields(info.bits - 1, info.mantissa_bits, info.exponent_bits, 0, info.mantissa_bits)
    kind.set_precision(info.bits)
    kind.set_size(info.itemsize)
    kind.set_ebias(info.bias)
    return kind


def store(file, info, x):
    described(info).commit(file.id, info.name.encode())
    dataset = file.create_dataset("x", shape=x.shape, dtype=file[info.name])
    dataset.id.write(h5py.h5s.ALL, h5py.h5s.ALL, codes(x), mtype=dataset.id.get_type())
    return dataset


@pytest.mark.parametrize("name", ["bfloat16", "float8e5m2"])
def test_floats_of_hdf5_s_own_are_right_for_every_code(name, file):
    info = cu.FORMATS[name]
    x = np.arange(1 << info.bits, dtype=f"u{info.itemsize}").view(info.dtype)
    dataset = store(file, info, x)
    found = dataset[:]
    assert found.dtype == (np.float32 if info.bits == 16 else np.float16)
    assert np.array_equal(found.astype(np.float32), x.astype(np.float32), equal_nan=True)
    back = np.empty(x.shape, info.dtype)
    dataset.id.read(h5py.h5s.ALL, h5py.h5s.ALL, codes_of(back), mtype=dataset.id.get_type())
    assert same(back, x)
    assert dataset.id.get_storage_size() == x.nbytes
    packed = file.create_dataset("p", shape=x.shape, dtype=file[name], compression="gzip")
    packed.id.write(h5py.h5s.ALL, h5py.h5s.ALL, codes(x), mtype=packed.id.get_type())
    assert np.array_equal(packed[:], found, equal_nan=True)


def codes_of(array):
    """A view to write to."""
    return array.view(f"u{array.itemsize}")


@pytest.mark.parametrize("name", ["float8e4m3fn", "float6e3m2", "float4e2m1"])
def test_floats_without_infinities_are_not_for_hdf5(name, file):
    """Their largest numbers have the exponent that means infinity and NaN there."""
    info = cu.FORMATS[name]
    x = np.arange(1 << info.bits, dtype=f"u{info.itemsize}").view(info.dtype)
    found = store(file, info, x)[:].astype(np.float32)
    assert np.isinf(found).any()
    assert not np.array_equal(found, x.astype(np.float32), equal_nan=True)


@every_type
def test_datasets_of_another_type_want_a_cast(info, file):
    x = sample(info, (3,))
    file.create_dataset("f", shape=(3,), dtype="f4")
    with pytest.raises(OSError, match="no appropriate function for conversion"):
        file["f"][:] = x
    with pytest.raises(OSError, match="no appropriate function for conversion"):
        file.create_dataset("g", data=np.ones(3, np.float32), dtype=info.dtype)
    file["f"][:] = x.astype("f4")
    assert np.array_equal(file["f"][:], x.astype("f4"), equal_nan=True)
