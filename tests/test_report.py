"""``castufunc.report``: every figure against values worked out by hand, and by a plain loop."""

from __future__ import annotations

import doctest
import math
import tracemalloc

import ml_dtypes
import numpy as np
import pytest

import castufunc
import castufunc.report
from byte_order import SWAPPED
from castufunc.report import Measurement, Meter, format_table, is_float, measure

FLOATS = [name for name, info in castufunc.FORMATS.items() if info.kind == "float"]


def one(x, name: str) -> Measurement:
    return next(m for m in measure(x) if m.format == name)


def test_doctests() -> None:
    assert doctest.testmod(castufunc.report).failed == 0


def test_a_row_per_float_type_in_the_order_of_the_table() -> None:
    assert [m.format for m in measure(np.ones(3))] == FLOATS


# What x becomes: see the comment of each row. The infinity and the NaN form no pair.
X = np.array([0, 1, -1.0625, 500, -np.inf, np.nan, 2**-12, 6], np.float32)
SIGNAL = 1 + 1.0625**2 + 500**2 + 2**-24 + 6**2


@pytest.mark.parametrize(
    ("name", "errors", "saturated", "zeros", "nans"),
    [
        # All of it fits in 8 bits of significand; -inf stays.
        ("bfloat16", [0] * 6, 0, 0, 1),
        # 1.0625 lies between 1 and 1.125 (tie), 500 above 464, 2^-12 below 2^-10.
        ("float8e4m3fn", [0, 0, 0.0625, 52, 2**-12, 0], 2, 1, 1),
        # Steps of 1/4 above 1, of 64 above 448 = 7 * 64: 500 is nearer to 512.
        ("float8e5m2", [0, 0, 0.0625, 12, 0, 0], 1, 0, 1),
        # 0, -1.0625, -inf go to 2^-127; 500 is nearest to 512, 6 between 4 and 8 goes up.
        ("float8e8m0", [2**-127, 0, 1.0625 + 2**-127, 12, 0, 2], 3, 0, 1),
        # 7.5 is the largest; steps of 1/8 from 1 on and below.
        ("float6e2m3", [0, 0, 0.0625, 492.5, 2**-12, 0], 2, 2, 0),
        # 28 is the largest; steps of 1/4 above 1, of 1/16 below 1/4.
        ("float6e3m2", [0, 0, 0.0625, 472, 2**-12, 0], 2, 2, 0),
        # 6 is the largest; steps of 1/2 up to 2.
        ("float4e2m1", [0, 0, 0.0625, 494, 2**-12, 0], 2, 2, 0),
    ],
)
def test_figures_by_hand(
    name: str, errors: list[float], saturated: int, zeros: int, nans: int
) -> None:
    m = one(X, name)
    noise = sum(e * e for e in errors)
    assert (m.saturated, m.zeros, m.nans) == (saturated, zeros, nans)
    assert m.max_error == max(errors)
    assert m.mean_error == pytest.approx(sum(errors) / 6, rel=1e-14)
    expected = 10 * math.log10(SIGNAL / noise) if noise else math.inf
    assert m.snr == pytest.approx(expected, rel=1e-13)


def test_bytes() -> None:
    sizes = {m.format: (m.size, m.nbytes, m.packed_nbytes) for m in measure(np.ones((3, 3)))}
    assert sizes["bfloat16"] == (9, 18, 18)
    assert sizes["float8e4m3fn"] == sizes["float8e8m0"] == (9, 9, 9)
    assert sizes["float6e2m3"] == (9, 9, 7)  # 54 bits
    assert sizes["float4e2m1"] == (9, 9, 5)  # 36 bits


# The largest value that is still in range after rounding, and the next float64.
LIMITS = {
    "bfloat16": math.nextafter(2.0**128 - 2.0**119, 0),
    "float8e4m3fn": 464.0,
    "float8e4m3fnuz": math.nextafter(248.0, 0),
    "float8e5m2": math.nextafter(61440.0, 0),
    "float8e5m2fnuz": math.nextafter(61440.0, 0),
    "float8e8m0": 2.0**127,
    "float6e2m3": math.nextafter(7.75, 0),
    "float6e3m2": math.nextafter(30.0, 0),
    "float4e2m1": math.nextafter(7.0, 0),
}


def test_every_format_has_a_limit_here() -> None:
    assert list(LIMITS) == FLOATS


@pytest.mark.parametrize(("name", "limit"), LIMITS.items())
def test_saturated_starts_above_the_limit(name: str, limit: float) -> None:
    signs = [1.0] if name == "float8e8m0" else [1.0, -1.0]
    beyond = math.nextafter(limit, math.inf)
    for sign in signs:
        assert one([sign * limit], name).saturated == 0
        assert one([sign * beyond], name).saturated == 1
        assert one([sign * math.inf], name).saturated == (name != "bfloat16")
    info = castufunc.FORMATS[name]
    if info.bits == 8:
        strict = castufunc.cast(np.array([limit, beyond]), name, saturate=False)
        assert np.isfinite(strict.astype(np.float64)).tolist() == [True, False]


def test_scale_type_saturates_at_its_lower_end() -> None:
    least = 2.0**-127
    assert one([least, math.nextafter(least, 1)], "float8e8m0").saturated == 0
    m = one([math.nextafter(least, 0), 5e-324, 0.0, -0.0, -3.0, -math.inf], "float8e8m0")
    assert (m.saturated, m.zeros, m.nans) == (6, 0, 0)


def test_zero_counts_what_was_not_zero() -> None:
    assert one([0.0, -0.0], "float8e4m3fn").zeros == 0
    assert one([2.0**-10, -(2.0**-10), 1e-300], "float8e4m3fn").zeros == 3
    assert one([2.0**-9], "float8e4m3fn").zeros == 0


def test_figures_of_huge_and_tiny_values_stay_finite() -> None:
    greatest = np.finfo(np.float64).max
    m = one([greatest, -greatest, greatest], "float8e4m3fn")
    assert m.max_error == greatest
    assert m.mean_error == pytest.approx(greatest, rel=1e-15)
    assert m.snr == pytest.approx(0, abs=1e-12)
    assert m.saturated == 3

    m = one([5e-324, 1e-310], "float8e4m3fn")
    assert m.max_error == 1e-310
    assert m.mean_error == pytest.approx(5e-311, rel=1e-9)
    assert m.snr == pytest.approx(0, abs=1e-12)
    assert m.zeros == 2


@pytest.mark.parametrize("order", [1, -1])
def test_chunks_of_very_different_size_are_summed_exactly(order: int) -> None:
    meter = Meter()
    for x in ([3e200], [1e-200], [500.0])[::order]:
        meter.add(x)
    m = next(m for m in meter.measurements() if m.format == "float8e4m3fn")
    assert m.mean_error == pytest.approx(1e200, rel=1e-14)
    assert m.snr == pytest.approx(0, abs=1e-12)


def test_infinite_ratio() -> None:
    assert one([0.0, 0.0], "float8e4m3fn").snr == math.inf
    assert one([0.0], "float8e8m0").snr == -math.inf


@pytest.mark.parametrize("x", [np.zeros((0, 3)), np.array([np.nan]), np.array([np.inf, np.nan])])
def test_nothing_to_compare(x: np.ndarray) -> None:
    for m in measure(x):
        # An infinity that saturated forms no pair either: one side isn't finite.
        assert math.isnan(m.max_error)
        assert math.isnan(m.mean_error)
        assert math.isnan(m.snr)
        assert m.size == x.size
    assert format_table(measure(x)).count("-") == 3 * len(FLOATS)


def plain(x: np.ndarray, name: str) -> tuple[float, ...]:
    """Return the figures of one format, computed value by value."""
    before = x.astype(np.float64).ravel().tolist()
    after = castufunc.cast(x, name, round_mode="nearest").astype(np.float64).ravel().tolist()
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if math.isfinite(a + b)]
    errors = [abs(a - b) for a, b in pairs]
    return (
        max(errors),
        math.fsum(errors) / len(errors),
        math.fsum(a * a for a, _ in pairs) / (math.fsum(e * e for e in errors) or math.nan),
        sum(b == 0 != a for a, b in zip(before, after, strict=True)),
        sum(map(math.isnan, after)),
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", FLOATS)
def test_figures_against_a_plain_loop(dtype: type, name: str) -> None:
    rng = np.random.default_rng(7)
    n = castufunc.report._CHUNK + 1000  # more than one chunk
    x = (rng.standard_normal(n) * 2.0 ** rng.integers(-14, 12, n)).astype(dtype)
    x[:4] = np.inf, -np.inf, np.nan, 0
    largest, mean, ratio, zeros, nans = plain(x, name)
    m = one(x, name)
    assert m.size == n
    assert m.max_error == largest
    assert m.mean_error == pytest.approx(mean, rel=1e-12)
    assert m.snr == pytest.approx(10 * math.log10(ratio), rel=1e-12)
    assert (m.zeros, m.nans) == (zeros, nans)


def test_layout_in_memory_does_not_matter() -> None:
    x = np.linspace(-500, 500, 60, dtype=np.float32).reshape(3, 4, 5)
    expected = [(m.format, m.saturated, m.zeros) for m in measure(x)]
    wide = np.zeros((6, 4, 10), np.float32)
    wide[::2, :, ::2] = x
    odd = np.frombuffer(b"?" + x.tobytes(), np.uint8)[1:].view(np.float32).reshape(x.shape)
    layouts = [
        np.asfortranarray(x),
        x.astype(f"{SWAPPED}f4"),
        x[::-1, :, ::-1],
        wide[::2, :, ::2],
        odd,
        x.tolist(),
    ]
    for layout in layouts:
        measured = measure(layout)
        assert [(m.format, m.saturated, m.zeros) for m in measured] == expected
        for m, n in zip(measured, measure(x), strict=True):
            assert (m.max_error, m.size) == (n.max_error, n.size)
            assert m.mean_error == pytest.approx(n.mean_error, rel=1e-14)


def test_one_value() -> None:
    assert one(np.float32(500), "float8e4m3fn").max_error == 52
    assert one(500.0, "float8e4m3fn").size == 1


def test_memory_map(tmp_path) -> None:
    x = np.linspace(-9, 9, 100_000, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    assert measure(np.load(tmp_path / "x.npy", mmap_mode="r")) == measure(x)


def test_memory_does_not_grow_with_the_array(tmp_path) -> None:
    shape = (1 << 11, 1 << 11)
    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, shape, fortran_order=True)
    tracemalloc.start()
    try:
        measure(x)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < x.nbytes / 4


@pytest.mark.parametrize("name", FLOATS)
def test_narrow_sources(name: str) -> None:
    info = castufunc.FORMATS[name]
    codes = np.arange(1 << info.bits, dtype=f"u{info.itemsize}")
    x = codes.view(info.dtype)
    itself = one(x, name)
    assert (itself.max_error, itself.saturated, itself.zeros) == (0, 0, 0)
    assert itself.snr == math.inf
    twin = codes.view(getattr(ml_dtypes, info.ml_dtypes))
    assert format_table(measure(twin)) == format_table(measure(x))
    wide = x.astype(np.float64)
    assert itself.nans == np.count_nonzero(np.isnan(wide))
    assert one(x, "float4e2m1").saturated == np.count_nonzero(np.abs(wide) >= 7)


def test_infinities_of_a_narrow_source() -> None:
    x = castufunc.cast(np.array([np.inf, -np.inf]), "float8e5m2", saturate=False)
    saturated = {m.format: m.saturated for m in measure(x)}
    assert saturated["bfloat16"] == saturated["float8e5m2"] == 0
    assert saturated["float8e5m2fnuz"] == saturated["float4e2m1"] == 2


@pytest.mark.parametrize(
    "dtype", [np.int8, np.bool_, np.complex64, object, "U3", "M8[s]", "f4,f4", "V2", "longdouble"]
)
def test_what_is_not_measured(dtype) -> None:
    if dtype == "longdouble" and np.dtype("longdouble").name == "float64":
        pytest.skip("longdouble is float64 here")
    assert not is_float(dtype)
    with pytest.raises(TypeError, match="an array of floats is needed, not of"):
        measure(np.zeros(2, dtype))


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2"])
def test_narrow_integers_are_not_measured(name: str) -> None:
    assert not is_float(castufunc.dtype(name))
    assert not is_float(getattr(ml_dtypes, name))


def test_floating_point_settings_of_the_caller_are_left_alone() -> None:
    with np.errstate(all="raise"):
        measure(np.array([np.nan, np.inf, 1e308, -1e308, 5e-324]))
        assert set(np.geterr().values()) == {"raise"}


def test_table_lines_up() -> None:
    lines = format_table(measure(np.array([1e6, 1e-6, np.nan]))).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == 1 + len(FLOATS)
    assert lines[0].split()[0] == "format"
