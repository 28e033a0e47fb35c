"""The formats as records: a read-only view of the C table, with all else derived from its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from . import _core

__all__ = ["FORMATS", "FormatInfo", "finfo", "iinfo"]

Kind = Literal["float", "integer"]


@dataclass(frozen=True, kw_only=True)
class FormatInfo:
    """
    What there is to know of a format; all of it follows from its row in ``core/formats.def``.

    Attributes
    ----------
    name : str
        ONNX's name in lower case.
    kind : {'float', 'integer'}
    bits : int
        Width of a code.
    itemsize : int
        Bytes of an element in an array; the code is in the low bits.
    signed : bool
    exponent_bits, mantissa_bits, bias : int
        Of a float; 0 for an integer.
    special : str or None
        ``"ieee"``: infinities and NaN in the highest exponent. ``"fn"``: no infinity, NaN is all
        ones. ``"fnuz"``: no infinity and no -0, one NaN at the code of -0. ``"finite"``: numbers
        only. ``"power"``: the code is an exponent, all ones is NaN. None for an integer format.
    modes : str
        ``"saturate"`` if `castufunc.cast` heeds its argument saturate, ``"round"`` if round_mode
        too, else ``"plain"``.
    max, min : float or int
        The largest and the smallest number.
    smallest_normal, smallest_subnormal : float or None
        The smallest positive number with a full significand, and below; None where there is none.
    nan, inf : int or None
        The codes that are written for a positive NaN and infinity; None where there is none.
    has_zero, has_negative_zero : bool
    onnx : int
        Number in ONNX's ``TensorProto.DataType``.
    ml_dtypes : str
        Name of the equivalent type of ml_dtypes.
    dtype : numpy.dtype
    type : type
        The scalar type.

    Examples
    --------
    >>> import castufunc
    >>> f = castufunc.FORMATS["float8e4m3fn"]
    >>> f.bits, f.max, f.smallest_subnormal, hex(f.nan), f.inf
    (8, 448.0, 0.001953125, '0x7f', None)
    """

    name: str
    kind: Kind
    bits: int
    itemsize: int
    signed: bool
    exponent_bits: int
    mantissa_bits: int
    bias: int
    special: Literal["ieee", "fn", "fnuz", "finite", "power"] | None
    modes: Literal["plain", "saturate", "round"]
    max: float | int
    min: float | int
    smallest_normal: float | None
    smallest_subnormal: float | None
    nan: int | None
    inf: int | None
    has_zero: bool
    has_negative_zero: bool
    onnx: int
    ml_dtypes: str
    dtype: np.dtype[Any]

    @property
    def type(self) -> type[Any]:
        return self.dtype.type


FORMATS: Mapping[str, FormatInfo] = MappingProxyType(
    {row["name"]: FormatInfo(**row) for row in _core._own_rows()}
)


def _format_of(dtype: Any, kind: Kind, caller: str) -> FormatInfo:
    if isinstance(dtype, (np.ndarray, np.generic)):
        dtype = dtype.dtype
    found = _core.dtype(dtype)
    for info in FORMATS.values():
        if info.kind == kind and found is info.dtype:
            return info
    raise TypeError(f"castufunc.{caller} takes this package's {kind} types, not {dtype!r}")


class finfo:
    """
    Limits of one of this package's float types, as `numpy.finfo` gives them for NumPy's.

    Parameters
    ----------
    dtype : dtype, scalar type, str, int, array or scalar
        One of this package's float types, as for `castufunc.dtype`.

    Attributes
    ----------
    bits, nexp, nmant : int
        Widths of a code, of its exponent field and of its mantissa field.
    max, min, smallest_normal, tiny, smallest_subnormal, eps, epsneg, resolution : scalar
        Of the type itself. smallest_subnormal is smallest_normal where there are no subnormals.
    maxexp, minexp : int
        The smallest power of two that overflows, and the one of smallest_normal.
    machep, negep, precision : int
        Exponents of eps and epsneg; decimal digits that are sure to be kept.

    Raises
    ------
    TypeError
        For any other type.

    Examples
    --------
    >>> import castufunc
    >>> castufunc.finfo("bfloat16").eps
    0.0078125
    """

    def __init__(self, dtype: Any) -> None:
        info = _format_of(dtype, "float", "finfo")
        self.dtype = info.dtype
        self.bits = info.bits
        self.nexp = info.exponent_bits
        self.nmant = info.mantissa_bits
        self.iexp = info.exponent_bits
        self.machep = -info.mantissa_bits
        # Just below 1 the numbers are twice as dense, unless they are subnormal there.
        self.negep = max(self.machep - 1, int(np.frexp(self._smallest(info))[1]) - 1)
        self.maxexp = int(np.frexp(info.max)[1])
        self.minexp = int(np.frexp(info.smallest_normal or 0.0)[1]) - 1
        self.precision = int(np.floor(info.mantissa_bits * np.log10(2)))
        number = info.type
        self.max = number(info.max)
        self.min = number(info.min)
        self.smallest_normal = self.tiny = number(info.smallest_normal)
        self.smallest_subnormal = number(self._smallest(info))
        self.eps = number(2.0**self.machep)
        self.epsneg = number(2.0**self.negep)
        self.resolution = number(10.0**-self.precision)

    @staticmethod
    def _smallest(info: FormatInfo) -> float:
        return info.smallest_subnormal or info.smallest_normal or 0.0

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, "
            f"dtype={self.dtype})"
        )


class iinfo:
    """
    Limits of one of this package's integer types, as `numpy.iinfo` gives them for NumPy's.

    Parameters
    ----------
    type : dtype, scalar type, str, int, array or scalar
        One of this package's integer types, as for `castufunc.dtype`.

    Attributes
    ----------
    bits, min, max : int
    kind : str
        ``"i"`` or ``"u"``.

    Raises
    ------
    TypeError
        For any other type.

    Examples
    --------
    >>> import castufunc
    >>> castufunc.iinfo(castufunc.int4)
    iinfo(min=-8, max=7, dtype=castufunc.int4)
    """

    def __init__(self, type: Any) -> None:
        info = _format_of(type, "integer", "iinfo")
        self.dtype = info.dtype
        self.bits = info.bits
        self.kind = "i" if info.signed else "u"
        self.min = int(info.min)
        self.max = int(info.max)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
