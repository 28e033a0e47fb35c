"""How numbers are laid out: typed by hand, type by type."""

import numpy as np
import pytest

import castufunc

from .containers import CONTAINERS, texts_of


def check(name, pairs):
    numbers, texts = zip(*pairs, strict=True)
    array = castufunc.cast(np.array(numbers, object), name)
    for to in CONTAINERS.values():
        assert texts_of(castufunc.cast(array, to)) == list(texts)


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "bfloat16"])
def test_no_trailing_zero(name):
    check(name, [(4, "4"), (-1.5, "-1.5"), (0, "0"), (-0.0, "-0"), (1, "1"), (100, "100"),
                 (0.25, "0.25"), (1024, "1024"), (-0.001953125, "-0.001953125")])  # fmt: skip


@pytest.mark.parametrize(
    "name", ["float16", "float32", "float64", "bfloat16", "float8e5m2", "float8e4m3fn"]
)
def test_nan_and_infinity(name):
    """NaN has no sign in a text. With saturation a float8 has no infinity but by its code."""
    check(name, [(np.nan, "NaN"), (-np.nan, "NaN")])
    if name == "float8e5m2":
        codes = np.array([0x7C, 0xFC, 0x7F, 0xFD], np.uint8).view(castufunc.dtype(name))
        assert castufunc.cast(codes, "string").tolist() == ["INF", "-INF", "NaN", "NaN"]
    elif name != "float8e4m3fn":
        check(name, [(np.inf, "INF"), (-np.inf, "-INF")])


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_positional_and_scientific(name):
    """Positional if the exponent of the first digit printed is in -4 .. 15."""
    check(name, [
        (1e-4, "0.0001"), (1.5e-4, "0.00015"), (9.5e-5, "9.5e-05"), (1e-5, "1e-05"),
        (1e-10, "1e-10"), (1e-30, "1e-30"), (1e15, "1" + "0" * 15),
        (-2e15, "-2000000000000000"), (1e16, "1e+16"), (1.5e16, "1.5e+16"), (-3e20, "-3e+20"),
        (1e38, "1e+38"), (123456.5, "123456.5"),
    ])  # fmt: skip


def test_the_digits_printed_decide():
    """float32 0.0001 is a little less than it; 9999999.9e8 prints as a larger power than it has."""
    assert float(np.float32(0.0001)) < 0.0001
    check(
        "float32", [(0.0001, "0.0001"), (9.9999999e15, "1e+16"), (9.999999e15, "9999999000000000")]
    )
    check("float64", [(0.0001, "0.0001"), (0.00009999999999999999, "9.999999999999999e-05"),
                      (9999999999999998.0, "9999999999999998")])  # fmt: skip


def test_three_digits_of_exponent():
    check("float64", [(1e100, "1e+100"), (-1.25e-200, "-1.25e-200"), (5e-324, "5e-324"),
                      (1.7976931348623157e308, "1.7976931348623157e+308")])  # fmt: skip


def test_shortest_digits():
    check("float32", [(0.1, "0.1"), (1 / 3, "0.33333334"), (16777216, "16777216"),
                      (3.4028235e38, "3.4028235e+38"), (1e-45, "1e-45")])  # fmt: skip
    check("float64", [(0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"),
                      (1 / 3, "0.3333333333333333"),
                      (123456789012345680.0, "1.2345678901234568e+17")])  # fmt: skip


def test_narrow_floats_as_their_float32():
    check("float16", [(65504, "65504"), (0.1, "0.099975586"), (6e-8, "5.9604645e-08")])
    check("bfloat16", [(0.1, "0.100097656"), (3.39e38, "3.3895314e+38"), (1e-40, "9.1835e-41")])
    check("float8e4m3fn", [(448, "448"), (0.1, "0.1015625"), (0.001953125, "0.001953125")])
    check("float8e4m3fnuz", [(240, "240"), (-0.0, "0"), (0.0009765625, "0.0009765625")])
    check("float8e5m2", [(57344, "57344"), (0.1, "0.09375"), (1.52587890625e-5, "1.5258789e-05")])
    check("float8e5m2fnuz", [(-57344, "-57344"), (7.62939453125e-6, "7.6293945e-06")])
    check("float6e2m3", [(7.5, "7.5"), (0.125, "0.125"), (-0.0, "-0")])
    check("float6e3m2", [(28, "28"), (-0.0625, "-0.0625")])
    check("float4e2m1", [(6, "6"), (-0.5, "-0.5"), (-0.0, "-0")])
    check("float8e8m0", [(1, "1"), (0.5, "0.5"), (2.0**-127, "5.877472e-39"),
                         (2.0**127, "1.7014118e+38"), (np.nan, "NaN"), (1024, "1024")])  # fmt: skip


def test_integers_and_bool():
    for bits in 2, 4, 8, 16, 32, 64:
        low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        check(f"int{bits}", [(low, str(low)), (high, str(high)), (0, "0"), (-1, "-1")])
        check(f"uint{bits}", [(2**bits - 1, str(2**bits - 1)), (0, "0"), (1, "1")])
    check("bool", [(True, "1"), (False, "0"), (np.nan, "1")])
