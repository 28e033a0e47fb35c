"""What a float array loses in every narrow float type.

`measure` gives the figures, `format_table` lays them out; ``python -m castufunc report`` does both
for the arrays of a file. Values are cast as they are: nothing is scaled first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from castufunc import FORMATS, cast
from castufunc.formats import FormatInfo

__all__ = ["Measurement", "Meter", "format_table", "is_float", "measure"]

# Small enough for the half dozen float64 temporaries of a chunk to stay in the L2 cache.
_CHUNK = 1 << 15

_FLOAT_NAMES = re.compile(r"b?float(4|6|8|16|32|64)(_\w+)?")

_DECIBEL_PER_OCTAVE = 20 * math.log10(2)

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measurement:
    """What an array loses in one format.

    With ``q`` the result of casting ``x`` to the format, saturating, and with
    ``round_mode="nearest"`` for float8e8m0:

    Attributes
    ----------
    format : str
        Name of the format.
    size : int
        Number of values.
    nbytes : int
        Bytes of the result as a NumPy array, where a value of less than 8 bits takes a whole byte.
    packed_nbytes : int
        Bytes without such gaps: ``size * bits / 8``, rounded up.
    max_error, mean_error : float
        Largest and mean ``abs(x - q)`` over the pairs of which both are finite, in float64; NaN if
        there is no such pair.
    snr : float
        Signal-to-noise ratio in decibel, ``10 * log10(sum(x**2) / sum((x - q)**2))`` over the same
        pairs. Infinite if there is no error, NaN if there is no such pair. The sums are scaled:
        they neither overflow nor underflow.
    saturated : int
        Values outside the range of the format, brought to its nearest end: to plus or minus the
        largest finite value, or for bfloat16, which doesn't saturate, to an infinity. Rounding
        comes first, as in the cast: 464 is in the range of float8e4m3fn, since it rounds to 448.
        The range of float8e8m0 is 2**-127 to 2**127 without rounding, so zero and every negative
        value count. An infinity that stays one doesn't count.
    zeros : int
        Values other than zero that became zero: too small, or NaN in a format without NaN.
    nans : int
        Results that are NaN.
    """

    format: str
    size: int
    nbytes: int
    packed_nbytes: int
    max_error: float
    mean_error: float
    snr: float
    saturated: int
    zeros: int
    nans: int


class _Total:
    """Sum of magnitudes, each to the given power, of any size.

    Kept as ``fraction * 2**(power * exponent)``. The exponent is 0 unless the magnitudes are so
    large or small that a square could leave the range of float64.
    """

    def __init__(self, power: int) -> None:
        self.power = power
        self.fraction = 0.0
        self.exponent = 0

    def add(self, magnitudes: _Floats, largest: float) -> None:
        if largest == 0:
            return
        exponent = math.frexp(largest)[1]
        if abs(exponent) < 256:
            exponent = 0
        else:
            magnitudes = np.ldexp(magnitudes, -exponent)
        # Not np.dot, which may start threads for a chunk.
        part = float((magnitudes if self.power == 1 else magnitudes * magnitudes).sum())
        common = max(exponent, self.exponent) if self.fraction else exponent
        self.fraction = self._at(self.fraction, self.exponent - common)
        self.fraction += self._at(part, exponent - common)
        self.exponent = common

    def _at(self, fraction: float, shift: int) -> float:
        return math.ldexp(fraction, self.power * shift)


class _Gauge:
    """The running figures of one format."""

    def __init__(self, info: FormatInfo) -> None:
        self.info = info
        self.low, self.high = _range(info)
        self.size = self.pairs = 0
        self.saturated = self.zeros = self.nans = 0
        self.max_error = 0.0
        self.errors = _Total(1)
        self.noise = _Total(2)
        self.signal = _Total(2)

    def add(self, chunk: npt.NDArray[Any], values: _Floats) -> None:
        """Add a chunk, given as it is and in float64."""
        results = cast(chunk, self.info.name, round_mode="nearest").astype(np.float64)
        outside = (values < self.low) | (values > self.high)
        self.size += values.size
        self.saturated += _count(outside & (results != values))
        self.zeros += _count((results == 0) & (values != 0))
        self.nans += _count(np.isnan(results))

        pairs = np.isfinite(values) & np.isfinite(results)
        if not pairs.all():
            values, results = values[pairs], results[pairs]
        if not values.size:
            return
        errors = np.abs(values - results)
        largest = float(errors.max())
        self.pairs += values.size
        self.max_error = max(self.max_error, largest)
        self.errors.add(errors, largest)
        self.noise.add(errors, largest)
        magnitudes = np.abs(values)
        self.signal.add(magnitudes, float(magnitudes.max()))

    def measurement(self) -> Measurement:
        return Measurement(
            format=self.info.name,
            size=self.size,
            nbytes=self.size * self.info.itemsize,
            packed_nbytes=-(-self.size * self.info.bits // 8),
            max_error=self.max_error if self.pairs else math.nan,
            mean_error=self._mean_error(),
            snr=self._snr(),
            saturated=self.saturated,
            zeros=self.zeros,
            nans=self.nans,
        )

    def _mean_error(self) -> float:
        if not self.pairs:
            return math.nan
        with np.errstate(over="ignore"):
            mean = float(np.ldexp(self.errors.fraction / self.pairs, self.errors.exponent))
        return min(mean, self.max_error)  # the sum is rounded, the maximum is not

    def _snr(self) -> float:
        if not self.pairs:
            return math.nan
        if not self.noise.fraction:
            return math.inf
        if not self.signal.fraction:
            return -math.inf
        ratio = math.log10(self.signal.fraction) - math.log10(self.noise.fraction)
        return 10 * ratio + _DECIBEL_PER_OCTAVE * (self.signal.exponent - self.noise.exponent)


def _count(mask: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(mask))


def _range(info: FormatInfo) -> tuple[float, float]:
    """Return the least and the greatest number that the format takes without overflow."""
    if not info.signed:
        return float(info.min), float(info.max)
    greatest = float(info.max)
    step = math.ldexp(1.0, math.frexp(greatest)[1] - 1 - info.mantissa_bits)
    limit = greatest + step / 2
    if greatest / step % 2:  # the tie goes to the even neighbour, which is out of range
        limit = math.nextafter(limit, 0)
    return -limit, limit


class Meter:
    """Measures arrays one after the other, as if they were one.

    Examples
    --------
    >>> meter = Meter()
    >>> meter.add(np.float32([1, 2, 3]))
    >>> meter.add(np.float16([500]))
    >>> [(m.format, m.max_error) for m in meter.measurements()][:2]
    [('bfloat16', 0.0), ('float8e4m3fn', 52.0)]
    """

    def __init__(self) -> None:
        self._gauges = [_Gauge(info) for info in FORMATS.values() if info.kind == "float"]

    def add(self, x: npt.ArrayLike) -> None:
        """Add an array of any shape, byte order and memory order, as `measure` takes it."""
        x = np.asarray(x)
        if not is_float(x.dtype):
            raise TypeError(f"an array of floats is needed, not of {x.dtype}")
        # Differences of subnormals may underflow; a caller's np.seterr is not for this code.
        with np.errstate(all="ignore"):
            for chunk in _chunks(x):
                values = chunk.astype(np.float64)
                for gauge in self._gauges:
                    gauge.add(chunk, values)

    def measurements(self) -> list[Measurement]:
        """Return the figures of what was added so far, one record per narrow float type."""
        return [gauge.measurement() for gauge in self._gauges]


def _chunks(x: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    """Yield all values of ``x`` in flat pieces, in the order of memory."""
    flags = ["external_loop", "buffered", "zerosize_ok"]
    yield from np.nditer(x, flags, order="K", buffersize=_CHUNK)  # type: ignore[call-overload]


def is_float(dtype: npt.DTypeLike) -> bool:
    """Tell whether `measure` takes arrays of ``dtype``.

    It takes float16, float32, float64 and the float types of castufunc and ml_dtypes.

    Examples
    --------
    >>> import castufunc
    >>> is_float(np.float16), is_float(castufunc.float8e5m2), is_float(np.int8)
    (True, True, False)
    """
    return _FLOAT_NAMES.fullmatch(np.dtype(dtype).name) is not None


def measure(x: npt.ArrayLike) -> list[Measurement]:
    """Measure what ``x`` loses in every narrow float type.

    Parameters
    ----------
    x : array_like
        Floats: float16, float32, float64, or a float type of castufunc or ml_dtypes; any shape.
        It is read in chunks, so it may be a memory map of a file larger than memory.

    Returns
    -------
    list of Measurement
        One record per float type of `castufunc.FORMATS`, in that order.

    Raises
    ------
    TypeError
        If ``x`` has another dtype.

    Examples
    --------
    >>> for m in measure(np.float32([0.1, -2, 1000]))[:3]:
    ...     print(m.format, m.packed_nbytes, m.max_error, m.saturated)
    bfloat16 6 9.765475988388062e-05 0
    float8e4m3fn 3 552.0 1
    float8e4m3fnuz 3 760.0 1
    """
    meter = Meter()
    meter.add(x)
    return meter.measurements()


_COLUMNS = "format", "packed bytes", "max error", "mean error", "SNR/dB", "saturated", "to 0", "NaN"


def format_table(measurements: Sequence[Measurement]) -> str:
    """Return measurements as a table of plain text, without a line break at its end.

    Parameters
    ----------
    measurements : sequence of Measurement
        The rows, as from `measure`.

    Returns
    -------
    str
        A line of headings and a line per row. ``-`` stands for a figure that has no value because
        there was nothing to measure.

    Examples
    --------
    >>> print(format_table(measure(np.float32([0.1, -2, 1000]))[:2]))
    format        packed bytes  max error  mean error  SNR/dB  saturated  to 0  NaN
    bfloat16                 6   9.77e-05    3.26e-05  140.21          0     0    0
    float8e4m3fn             3        552         184    5.16          1     0    0
    """
    rows = [_COLUMNS, *map(_cells, measurements)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *figures in rows:
        padded = (text.rjust(width) for text, width in zip(figures, widths[1:], strict=True))
        lines.append("  ".join([name.ljust(widths[0]), *padded]))
    return "\n".join(lines)


def _cells(m: Measurement) -> tuple[str, ...]:
    return (
        m.format,
        str(m.packed_nbytes),
        _number(m.max_error, ".3g"),
        _number(m.mean_error, ".3g"),
        _number(m.snr, ".2f"),
        str(m.saturated),
        str(m.zeros),
        str(m.nans),
    )


def _number(value: float, layout: str) -> str:
    return "-" if math.isnan(value) else format(value, layout)
