"""Every number to text and back, bit for bit, and the texts in between as they have to be."""

import numpy as np
import pytest

import castufunc
from exactness.harness import array_of, assert_codes, codes_of, dtype_of
from oracle import FORMATS, OURS, TYPES, Scale, code_type
from oracle.arrays import split
from oracle.samples import all_codes, random_codes, special_codes

from .containers import CONTAINERS, every_container, texts_of
from .decimals import FLOATS, largest, text_of

NARROW = tuple(name for name in TYPES if FORMATS[name].bits <= 16)
WIDE = tuple(name for name in TYPES if FORMATS[name].bits > 16)


def back(name, texts, round_mode="up"):
    """From text; the shortest decimal of a power of two may lie above it, so e8m0 needs nearest."""
    mode = "nearest" if isinstance(FORMATS[name], Scale) else round_mode
    return castufunc.cast(texts, name, round_mode=mode)


def finite(name, codes):
    parts = split(name, codes)
    return codes[~(parts.nan | parts.inf)]


@every_container
@pytest.mark.parametrize("name", NARROW)
def test_every_finite_code(name, container):
    codes = finite(name, all_codes(name))
    array = array_of(name, codes)
    texts = castufunc.cast(array, CONTAINERS[container])
    assert_codes(name, name, codes, codes, codes_of(back(name, texts)), container)
    if name in OURS and container != "object":
        assert (array.astype(CONTAINERS[container]) == texts).all()
        if not isinstance(FORMATS[name], Scale):
            got = codes_of(texts.astype(array.dtype))
            assert_codes(name, name, codes, codes, got, f"astype {container}")


def wide_codes(name, count):
    codes = np.concatenate([special_codes(name), random_codes(name, name, count)])
    return finite(name, codes)


@every_container
@pytest.mark.parametrize("name", WIDE)
def test_wide_types(name, container, amount):
    codes = wide_codes(name, amount(10_000, 200_000))
    texts = castufunc.cast(array_of(name, codes), CONTAINERS[container])
    assert_codes(name, name, codes, codes, codes_of(back(name, texts)), container)


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_whole_numbers(name):
    numbers = [float(n) for e in range(64) for n in (2**e - 1, 2**e, 2**e + 1, 10**e, 3 * 10**e)]
    numbers = [number for number in numbers if number <= largest(name)]
    array = np.array([*numbers, *(-n for n in numbers)], dtype_of(name))
    texts = castufunc.cast(array, "string")
    assert codes_of(back(name, texts)).tolist() == codes_of(array).tolist()


@pytest.mark.parametrize("name", NARROW)
def test_text_of_narrow_types(name, amount):
    """Those of 16 bits by every so many-th code, whose texts take the oracle some time."""
    codes = all_codes(name)
    codes = codes[:: max(1, codes.size // amount(1500, 1 << 16))]
    codes = np.union1d(codes, special_codes(name) if FORMATS[name].bits == 16 else codes)
    got = texts_of(castufunc.cast(array_of(name, codes.astype(code_type(name))), "string"))
    assert got == [text_of(name, code) for code in codes]


@pytest.mark.parametrize("name", WIDE)
def test_text_of_wide_types(name, amount):
    codes = np.concatenate([special_codes(name), random_codes(name, name, amount(900, 20_000))])
    got = texts_of(castufunc.cast(array_of(name, codes), "string"))
    assert got == [text_of(name, code) for code in codes]


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_text_of_powers_of_two_and_neighbours(name):
    """The numbers below a power of two are twice as dense as those above."""
    fmt = FORMATS[name]
    fields = range(1, (1 << fmt.exponent) - 1, 1 if name == "float32" else 9)
    codes = [(field << fmt.mantissa) + d for field in fields for d in (-1, 0, 1)]
    codes = np.array(codes, code_type(name))
    got = texts_of(castufunc.cast(array_of(name, codes), "string"))
    assert got == [text_of(name, code) for code in codes]


@pytest.mark.parametrize("name", [name for name in OURS if name in FLOATS])
def test_narrow_types_print_as_their_float32(name):
    array = array_of(name, all_codes(name))
    wide = castufunc.cast(array, "float32")
    got, expected = (castufunc.cast(x, "string").tolist() for x in (array, wide))
    assert got == expected


@pytest.mark.parametrize("name", OURS)
def test_a_width_that_fits_every_value(name):
    array = array_of(name, all_codes(name))
    whole = castufunc.cast(array, "string").tolist()
    longest = max(map(len, whole))
    for to in "U", "S":
        for texts in array.astype(to), castufunc.cast(array, to):
            assert texts_of(texts) == whole
            assert texts.itemsize // np.dtype(f"{to}1").itemsize >= longest
        # The width depends on the type alone.
        assert array[:1].astype(to).dtype == array[:0].astype(to).dtype == array.astype(to).dtype
    assert texts_of(array.astype(np.dtypes.StringDType())) == whole


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("bool", [True]),
        *((f"int{bits}", [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]) for bits in (8, 16, 32, 64)),
        *((f"uint{bits}", [2**bits - 1]) for bits in (8, 16, 32, 64)),
        ("float16", [-65504.0, -0.00032234192, -5.9604645e-08]),
        ("float32", [-1.23456794e-38, -1234567900000000.0, -0.000123456793]),
        ("float64", [-2.2250738585072014e-308, -123456789012345.67, -0.00012345678901234567]),
    ],
)
def test_a_width_for_numpy_types(name, numbers):
    array = np.array(numbers, name)
    whole = castufunc.cast(array, "string").tolist()
    for to in "U", "S":
        assert texts_of(castufunc.cast(array, to)) == whole


@pytest.mark.skipif(
    np.dtype("longdouble").itemsize == 8, reason="longdouble is float64 on this platform"
)
def test_longdouble_prints_as_its_float64():
    third = np.longdouble(1) / np.longdouble(3)
    numbers = np.array([third, -third, 1e300, 0.1, np.nan, np.inf, -0.0], "longdouble")
    texts = castufunc.cast(numbers, "string")
    assert texts.tolist() == castufunc.cast(numbers.astype(np.float64), "string").tolist()
    # Rounded once, as a cast to float64 does it: 2^53 + 1 is a tie, a little more is not.
    over = np.longdouble(2) ** 53 + 1 + np.longdouble(2) ** -10
    assert castufunc.cast(over, "string").item() == "9007199254740994"
