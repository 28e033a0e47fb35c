"""Arrays and tables of pyarrow: codes with the type's name, in memory, in files, and back."""

import pickle
import re

import numpy as np
import pytest

import castufunc as cu
from castufunc.interop import from_arrow, to_arrow
from neighbours.samples import codes, every_type, fresh, same, sample, twin

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
# Always with paths: pyarrow may crash at the end of a process that reads Parquet from a file
# object of Python's (apache/arrow#50482).
pq = pytest.importorskip("pyarrow.parquet")


def column(info, size=48):
    return sample(info, (size,))


@every_type
def test_codes_in_shared_memory_under_the_type_s_name(info):
    x = column(info)
    given = to_arrow(x)
    assert given.type.extension_name == str(info.dtype) == f"castufunc.{info.name}"
    assert given.type.storage_type == {1: pa.uint8(), 2: pa.uint16()}[info.itemsize]
    assert given.storage.to_pylist() == codes(x).tolist()
    assert given.storage.buffers()[1].address == x.ctypes.data
    back = from_arrow(given)
    assert same(back, x)
    assert np.shares_memory(back, x)
    assert not back.flags.writeable
    x[:] = 1
    assert same(back, x)


@every_type
def test_slices_chunks_and_pieces(info):
    x = column(info)
    given = to_arrow(x)
    assert same(from_arrow(given[5:11]), x[5:11])
    assert np.shares_memory(from_arrow(given[5:11]), x)
    chunked = pa.chunked_array([given[:7], given[7:7], given[9:]])
    assert same(from_arrow(chunked), np.concatenate([x[:7], x[9:]]))
    one = pa.chunked_array([given])
    assert np.shares_memory(from_arrow(one), x)
    assert same(from_arrow(pa.chunked_array([], given.type)), x[:0])


@every_type
def test_arrays_of_every_layout(info):
    x = column(info)
    still = x.copy()
    still.flags.writeable = False
    shifted = np.frombuffer(bytearray(b"\1" * (1 + x.nbytes)), np.uint8)[1:].view(info.dtype)
    swapped = x[::2][::-1]
    for array in [still, shifted, swapped, x[1::3], np.broadcast_to(x[:1], 5), x[:0]]:
        assert same(from_arrow(to_arrow(array)), array)
    assert to_arrow(shifted).storage.buffers()[1].address % info.itemsize == 0
    assert same(from_arrow(to_arrow(x.view(twin(info)))), x)
    assert same(from_arrow(to_arrow(np.ma.array(x))), x)


@every_type
def test_every_file_keeps_the_type(info, tmp_path):
    x = column(info, 1000)
    table = pa.table({"x": to_arrow(x), "n": np.arange(1000)})
    paths = [tmp_path / name for name in ["t.parquet", "t.feather", "t.arrow"]]
    pq.write_table(table, paths[0], row_group_size=300)
    feather.write_feather(table, paths[1])
    with pa.ipc.new_file(paths[2], table.schema) as file:
        file.write_table(table, max_chunksize=300)
    for read in [
        pq.read_table(paths[0]),
        pq.read_table(paths[0], columns=["x"], memory_map=True),
        feather.read_table(paths[1]),
        pa.ipc.open_file(paths[2]).read_all(),
    ]:
        assert read["x"].type == to_arrow(x).type
        assert same(from_arrow(read["x"]), x)


def test_files_are_read_in_a_fresh_process(tmp_path):
    """Where the types are not known yet, their names are in the metadata of the fields."""
    pytest.importorskip("pandas")
    table = {name: to_arrow(column(info)) for name, info in cu.FORMATS.items()}
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    code = (
        "import sys, numpy as np, pyarrow.parquet as pq, castufunc\n"
        "from castufunc.interop import from_arrow\n"
        "def show(path):\n"
        "    table = pq.read_table(path)\n"
        "    print(table.schema.types[0])\n"
        "    for name, x in from_arrow(table).items():\n"
        "        x = x.to_numpy()\n"
        "        print(name, x.dtype, x.view(f'u{x.itemsize}').astype(int).sum())\n"
        "show(sys.argv[1])\n"
        "show(sys.argv[1])\n"
    )
    lines = fresh(code, tmp_path / "t.parquet").splitlines()
    expected = [
        f"{name} castufunc.{name} {codes(column(info)).astype(int).sum()}"
        for name, info in cu.FORMATS.items()
    ]
    known = "extension<castufunc.bfloat16<bfloat16>>"
    assert lines == ["uint16", *expected, known, *expected]


@every_type
def test_names_are_what_a_reader_without_castufunc_sees(info, tmp_path):
    pq.write_table(pa.table({"x": to_arrow(column(info))}), tmp_path / "t.parquet")
    code = (
        "import sys, pyarrow.parquet as pq\n"
        "table = pq.read_table(sys.argv[1])\n"
        "print(table.schema.field('x').metadata[b'ARROW:extension:name'].decode())\n"
        "print(table['x'].to_pylist())\n"
    )
    lines = fresh(code, tmp_path / "t.parquet").splitlines()
    assert lines == [f"castufunc.{info.name}", str(codes(column(info)).tolist())]


@every_type
def test_types_are_pickled(info, tmp_path):
    given = to_arrow(column(info))
    assert pickle.loads(pickle.dumps(given.type)) == given.type
    (tmp_path / "pickle").write_bytes(pickle.dumps(given))
    code = (
        "import sys, pathlib, pickle\n"
        "x = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(x.type.extension_name, x.storage.to_pylist())"
    )
    expected = f"castufunc.{info.name} {codes(column(info)).tolist()}\n"
    assert fresh(code, tmp_path / "pickle") == expected


@every_type
def test_codes_with_a_type_from_the_caller(info):
    x = column(info)
    stored = pa.array(codes(x))
    for dtype in [info.dtype, info.type, info.name, info.onnx, twin(info)]:
        assert same(from_arrow(stored, dtype), x)
        assert same(from_arrow(pa.chunked_array([stored, stored]), dtype), np.tile(x, 2))
        assert same(from_arrow(to_arrow(x), dtype), x)
    with pytest.raises(TypeError, match=r"an array of uint\d+ does not tell which type"):
        from_arrow(stored)
    wrong = cu.bfloat16 if info.itemsize == 1 else cu.int4
    with pytest.raises(TypeError, match=rf"an array of uint\d+ does not hold {np.dtype(wrong)}"):
        from_arrow(stored, wrong)


@every_type
def test_columns_are_cast_as_the_numbers_that_they_hold(info):
    x = column(info)
    given = to_arrow(x)
    for array in [given, pa.chunked_array([given[:5], given[5:]])]:
        for to in ["float32", "int8", cu.bfloat16, cu.int4]:
            assert np.array_equal(cu.cast(array, to), cu.cast(x, to), equal_nan=True)
        assert cu.cast(array, "string").tolist() == cu.cast(x, "string").tolist()
        assert cu.cast_like([1.5], array).dtype == info.dtype
        assert same(cu.cast([array, array], info.dtype), np.stack([x, x]))
        if info.bits >= 8:
            assert same(cu.bit_cast(array, info.dtype), x)
        else:
            packed = cu.PackedArray.from_array(array, info.dtype)
            assert packed == cu.PackedArray.from_array(x, info.dtype)
        with pytest.raises(TypeError, match=f"Table has columns of {info.dtype}: cast one by one"):
            cu.cast(pa.table({"x": array}), "float32")
    gaps = pa.ExtensionArray.from_storage(given.type, pa.array([1, None], given.type.storage_type))
    with pytest.raises(TypeError, match="1 missing value"):
        cu.cast(gaps, "float32")
    assert cu.cast_like([1.5], gaps).dtype == info.dtype


def test_a_type_that_is_not_the_array_s():
    with pytest.raises(TypeError, match=r"castufunc.int4\S+ does not hold castufunc.uint4"):
        from_arrow(to_arrow(np.ones(2, cu.int4)), cu.uint4)
    with pytest.raises(TypeError, match="expected a type of castufunc, not float16"):
        from_arrow(pa.array([1], pa.uint16()), np.float16)


def test_nulls_are_refused_with_their_place():
    given = to_arrow(cu.cast([1, 2, 3], cu.bfloat16))
    nulls = pa.ExtensionArray.from_storage(given.type, pa.array([1, None, 3], pa.uint16()))
    for x, index in [(nulls, 1), (nulls[1:], 0), (pa.chunked_array([given, nulls]), 4)]:
        with pytest.raises(ValueError, match=rf"index {index} is null, which castufunc.bfloat16"):
            from_arrow(x)
    with pytest.raises(ValueError, match="index 1 is null"):
        from_arrow(nulls.storage, cu.bfloat16)
    assert from_arrow(nulls[2:]).tolist() == from_arrow(nulls.drop_null()[1:]).tolist()
    filled = from_arrow(nulls.storage.fill_null(0x3F80), cu.bfloat16)
    assert filled[1] == 1
    pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="index 1 of column 'x' is null"):
        from_arrow(pa.table({"x": nulls}))


@pytest.mark.parametrize("x", [[1.5], np.ones(3), np.array(["a"]), np.array([cu.int4(1), None])])
def test_arrays_of_other_types_are_refused(x):
    with pytest.raises(TypeError, match="expected an array of a type of castufunc, not of dtype"):
        to_arrow(x)


def test_other_arguments_that_are_refused():
    x = np.ones((2, 3), cu.int4)
    for array in [x, x[0, 0], x[0, 0, ...]]:
        with pytest.raises(ValueError, match=f"one dimension, this one has {np.ndim(array)}"):
            to_arrow(array)
    masked = np.ma.array(x[0], mask=[0, 1, 0], fill_value=cu.int4(3))
    with pytest.raises(ValueError, match="masked"):
        to_arrow(masked)
    assert from_arrow(to_arrow(masked.compressed())).tolist() == [1, 1]
    with pytest.raises(TypeError, match="expected an array or a table of pyarrow, not ndarray"):
        from_arrow(x)
    with pytest.raises(TypeError, match="dtype is for arrays"):
        from_arrow(pa.table({"x": to_arrow(x[0])}), cu.int4)


def field(name, storage, claimed):
    return pa.field(name, storage, metadata={"ARROW:extension:name": claimed})


def test_metadata_that_is_wrong():
    pytest.importorskip("pandas")
    table = pa.table({"x": pa.array([1, 2], pa.int64())})
    wrong = table.cast(pa.schema([field("x", pa.int64(), "castufunc.int4")]))
    with pytest.raises(TypeError, match=r"castufunc\.int4 is stored as uint8, not as int64"):
        from_arrow(wrong)
    unknown = table.cast(pa.schema([field("x", pa.int64(), "castufunc.int3" + 999 * "3")]))
    with pytest.raises(TypeError, match=r"has no type castufunc\.int3") as error:
        from_arrow(unknown)
    assert len(str(error.value)) < 200
    for foreign in ["arrow.uuid", "int4", "\N{SNOWMAN}"]:
        other = table.cast(pa.schema([field("x", pa.int64(), foreign)]))
        assert from_arrow(other)["x"].tolist() == [1, 2]


def test_a_file_with_a_type_over_another_storage(tmp_path):
    """It claims to be one of these types, and is read where they are registered."""
    code = (
        "import sys, pyarrow as pa\n"
        "schema = pa.schema([pa.field('x', pa.int64(),\n"
        "                    metadata={'ARROW:extension:name': 'castufunc.int4'})])\n"
        "with pa.ipc.new_file(sys.argv[1], schema) as file:\n"
        "    file.write_table(pa.table({'x': [1]}, schema=schema))\n"
    )
    fresh(code, tmp_path / "t.arrow")
    to_arrow(np.ones(1, cu.int4))
    with pytest.raises(TypeError, match=r"castufunc\.int4 is stored as uint8, not as int64"):
        pa.ipc.open_file(tmp_path / "t.arrow").read_all()


def test_rows_of_fixed_size():
    """A column of vectors is a list type over one of these; its elements are taken out first."""
    pytest.importorskip("pandas")
    x = sample(cu.FORMATS["float8e5m2"], (6, 8))
    rows = pa.FixedSizeListArray.from_arrays(to_arrow(x.reshape(-1)), 8)
    assert same(from_arrow(rows.flatten()).reshape(-1, 8), x)
    for nested in [rows, pa.StructArray.from_arrays([to_arrow(x[0])], ["v"])]:
        with pytest.raises(TypeError, match=r"of column 'x' are .*castufunc.float8e5m2"):
            from_arrow(pa.table({"x": nested}))


def test_rows_of_fixed_size_in_a_file_that_a_fresh_process_reads(tmp_path):
    pytest.importorskip("pandas")
    rows = pa.FixedSizeListArray.from_arrays(to_arrow(np.ones(6, cu.bfloat16)), 3)
    pq.write_table(pa.table({"x": rows}), tmp_path / "t.parquet")
    code = (
        "import sys, pyarrow.parquet as pq\n"
        "from castufunc.interop import from_arrow\n"
        "table = pq.read_table(sys.argv[1])\n"
        "print(from_arrow(table['x'].combine_chunks().flatten(), 'bfloat16').tolist())\n"
        "try:\n"
        "    from_arrow(table)\n"
        "except TypeError as error:\n"
        "    print(error)\n"
    )
    values, error = fresh(code, tmp_path / "t.parquet").splitlines()
    assert values == "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]"
    assert re.match("the elements of column 'x' are fixed_size_list", error)
