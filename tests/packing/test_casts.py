"""`cast_pack` and `unpack_cast` give what the two steps give, for every pair and mode."""

from itertools import product

import ml_dtypes
import numpy as np
import pytest

import castufunc
from castufunc import PackedArray, cast, cast_pack, pack, unpack, unpack_cast
from exactness.harness import array_of, assert_codes, expected_codes
from exactness.harness import codes_of as all_codes_of
from oracle import FORMATS, MODES, TYPES, code_bytes, modes
from oracle.samples import mixed_codes

from .forms import PACKED, bytes_of, codes_of, every_packed, own, random_array, size_of, twin

LENGTHS = (0, 1, 2, 3, 5, 8, 13, 300)
every_type = pytest.mark.parametrize("other", TYPES)


@every_packed
@every_type
def test_cast_pack(other, name, amount):
    codes = mixed_codes(other, name, amount(400, 20_000))
    x = array_of(other, codes)
    expected = expected_codes(other, name, codes)
    assert cast_pack(x, name).tobytes() == bytes_of(expected, PACKED[name])
    for length in LENGTHS:
        assert cast_pack(x[:length], name).tobytes() == bytes_of(expected[:length], PACKED[name])
    for (saturate, round_mode), to in product(MODES, (name, twin(name))):
        mode = {"saturate": saturate, "round_mode": round_mode}
        assert cast_pack(x, to, **mode).tobytes() == pack(cast(x, to, **mode)).tobytes()


@every_packed
@every_type
def test_cast_pack_layouts(other, name):
    """Strided, reversed, transposed, unaligned and byte-swapped sources."""
    codes = mixed_codes(other, name, 120)[:105].reshape(15, 7)
    x = array_of(other, codes)
    fields = np.zeros(codes.shape, [("pad", "u1"), ("number", x.dtype)])
    fields["number"] = x
    layouts = [x.T, x[::-1, ::2], np.asfortranarray(x), np.broadcast_to(x[0], (5, 7))]
    layouts.append(fields["number"])
    if x.dtype.itemsize > 1 and x.dtype.kind != "V":
        layouts.append(x.astype(x.dtype.newbyteorder()))
    for layout in layouts:
        native = array_of(other, all_codes_of(layout.astype(x.dtype)).copy("C"))
        assert cast_pack(layout, name).tobytes() == pack(cast(native, name)).tobytes()


@every_packed
@every_type
def test_unpack_cast(other, name, amount):
    x = random_array(name, amount(301, 30_001))
    data = pack(x)
    for mode in modes(other):
        saturate, round_mode = mode
        expected = expected_codes(name, other, codes_of(x), mode)
        for form in name, twin(name):
            got = unpack_cast(data, form, x.size, other, saturate=saturate, round_mode=round_mode)
            assert got.dtype == castufunc.dtype(other)
            assert_codes(name, other, codes_of(x), expected, all_codes_of(got), f"{mode}")
    for length in LENGTHS:
        size = size_of(PACKED[name], length)
        got = all_codes_of(unpack_cast(data[:size], name, length, other, strict=False))
        codes = codes_of(x)[:length]
        assert_codes(name, other, codes, expected_codes(name, other, codes), got, f"{length}")


@every_packed
@every_type
def test_every_mode_is_that_of_the_two_steps(other, name):
    x = random_array(name, 67)
    data = pack(x)
    for saturate, round_mode in MODES:
        got = unpack_cast(data, name, 67, other, saturate=saturate, round_mode=round_mode)
        two = cast(unpack(data, name, 67), other, saturate=saturate, round_mode=round_mode)
        assert all_codes_of(got).tolist() == all_codes_of(two).tolist()


@every_packed
def test_types_of_ml_dtypes(name):
    for other in castufunc.FORMATS.values():
        kind = getattr(ml_dtypes, other.ml_dtypes)
        x = cast(np.linspace(-9, 9, 41), kind)
        assert cast_pack(x, name).tobytes() == pack(cast(x, name)).tobytes()
        small = random_array(name, (3, 3))
        got = unpack_cast(pack(small), name, (3, 3), kind)
        assert got.dtype == kind
        assert got.tobytes() == cast(small, other.name).tobytes()
    foreign = "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "int1", "uint1"
    for kind in (getattr(ml_dtypes, other) for other in foreign if hasattr(ml_dtypes, other)):
        x = np.linspace(-9, 9, 41).astype(kind)
        assert cast_pack(x, name).tobytes() == pack(cast(x, name)).tobytes()
        data = pack(random_array(name, 9))
        got, two = unpack_cast(data, name, 9, kind), cast(unpack(data, name, 9), kind)
        assert got.dtype == kind
        assert got.tobytes() == two.tobytes()


@every_packed
def test_longdouble(name):
    """A source of `cast`, and no target."""
    x = np.array([2.5, -1e30, 0.1, np.nan], "longdouble") + np.longdouble(2) ** -60
    assert cast_pack(x, name).tobytes() == pack(cast(x, name)).tobytes()
    for to in "longdouble", "complex64", complex:
        with pytest.raises(TypeError, match="cannot cast to dtype"):
            unpack_cast(b"", name, 0, to)


@every_packed
def test_the_same_type_and_its_twin_copy_the_codes(name):
    """In every mode; garbage in the high bits is cleared."""
    codes = np.arange(256, dtype=np.uint8)
    expected = bytes_of(codes & (1 << PACKED[name]) - 1, PACKED[name])
    for dtype, to, (saturate, round_mode) in product(
        (own(name), twin(name)), (own(name), twin(name)), MODES
    ):
        x = codes.view(dtype)
        assert cast_pack(x, to, saturate=saturate, round_mode=round_mode).tobytes() == expected
        got = unpack_cast(expected, to, 256, dtype, saturate=saturate, round_mode=round_mode)
        assert got.dtype == dtype
        assert codes_of(got).tolist() == (codes & (1 << PACKED[name]) - 1).tolist()


@pytest.mark.parametrize("container", ["U", "S", object, np.dtypes.StringDType()], ids=str)
@every_packed
def test_text(name, container):
    texts = ["1.5", "-2", "1e400", "nan", "-0", "3", "0.75"]
    x = np.array(texts, container)
    assert cast_pack(x, name).tobytes() == pack(cast(texts, name)).tobytes()
    data = pack(cast(texts, name))
    got = unpack_cast(data, name, (7, 1), container)
    two = cast(unpack(data, name, (7, 1)), container)
    assert (got.dtype, got.shape) == (two.dtype, two.shape)
    assert got.tolist() == two.tolist()
    with pytest.raises(ValueError, match=f"cannot read '1x' as {name}, at index 1"):
        cast_pack(["1", "1x"], name)


def test_numbers_and_lists():
    assert cast_pack(7, "int4").tolist() == [7]
    assert cast_pack([[1, 2], [3, 4]], "uint4").tolist() == [0x21, 0x43]
    assert cast_pack([], "uint4").shape == (0,)
    objects = np.array([1, "2", 2.5, True], object)
    assert cast_pack(objects, "uint4").tolist() == [0x21, 0x12]
    with pytest.raises(TypeError, match="NoneType, at index 1"):
        cast_pack(np.array([1, None]), "uint4")
    with pytest.raises(TypeError, match="masked array has no packed form"):
        cast_pack(np.ma.array([1, 2], mask=[1, 0]), "uint4")


@every_packed
def test_arguments(name):
    x = np.ones(3, np.float32)
    texts = np.array(["1"] * 3)
    data = pack(cast(x, name))
    for bad in None, 2, "no", 1.0:
        for given in x, texts:
            with pytest.raises(TypeError, match="saturate must be a bool, 0 or 1"):
                cast_pack(given, name, saturate=bad)
        for to in "float32", "float8e5m2", name:
            with pytest.raises(TypeError, match="saturate must be a bool, 0 or 1"):
                unpack_cast(data, name, 3, to, saturate=bad)
    for bad in None, "even", "UP", 1:
        for given in x, texts:
            with pytest.raises(ValueError, match="round_mode must be 'up', 'down' or 'nearest'"):
                cast_pack(given, name, round_mode=bad)
        for to in "float32", "float8e8m0", name:
            with pytest.raises(ValueError, match="round_mode must be 'up', 'down' or 'nearest'"):
                unpack_cast(data, name, 3, to, round_mode=bad)
    for given in np.zeros(3, complex), np.zeros(3, "M8[s]"), np.zeros(3, "V3"):
        with pytest.raises(TypeError, match="cannot cast from dtype"):
            cast_pack(given, name)
    with pytest.raises(TypeError):
        unpack_cast(data, name, 3, None)


@pytest.mark.parametrize("to", ["string", "U", "S9", np.dtypes.StringDType()], ids=str)
def test_arguments_are_looked_at_with_text_too(to):
    with pytest.raises(TypeError, match="saturate must be a bool, 0 or 1"):
        unpack_cast(b"\x21", "int4", 2, to, saturate="no")
    with pytest.raises(ValueError, match="round_mode must be 'up', 'down' or 'nearest'"):
        unpack_cast(b"\x21", "int4", 2, to, round_mode="even")
    with pytest.raises(ValueError, match="round_mode must be 'up', 'down' or 'nearest'"):
        PackedArray(b"\x21", "int4", 2).astype(to, round_mode="even")


@every_packed
def test_runs_that_cross_blocks(name):
    """Rows of a strided array whose lengths do not go into the size of a block."""
    for rows, columns in [(3, 2049), (2049, 3), (7, 1023)]:
        x = np.random.default_rng(0).normal(0, 3, (rows, columns + 1))[:, :columns]
        expected = pack(cast(x.copy(), name))
        assert (cast_pack(x, name) == expected).all()
        out = np.zeros((rows, columns + 1))[:, :columns]
        unpack_cast(expected, name, x.shape, "float64", out=out)
        assert (out == unpack(expected, name, x.shape).astype(np.float64)).all()


def test_widths():
    assert {FORMATS[name].bits: code_bytes(name) for name in PACKED} == {2: 1, 4: 1, 6: 1}
