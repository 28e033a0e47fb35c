"""What each type is, typed from the standards.

Nothing here is read from the package under test: a fact that stands wrong in one of the two places
shows as a difference. Names are ONNX's, lower case.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Integer:
    """Two's complement or unsigned integer; bool is the one-bit number stored in a byte."""

    name: str
    bits: int
    signed: bool


@dataclass(frozen=True)
class Float:
    """Sign, exponent field, trailing significand field.

    Attributes
    ----------
    bias : int
        A normal code with exponent field e and fraction f is ``(1 + f / 2**mantissa) * 2**(e -
        bias)``; e = 0 holds the subnormals ``f / 2**mantissa * 2**(1 - bias)``.
    specials : str
        "ieee": the top exponent field holds the infinities (fraction 0) and NaNs;
        "fn": finite and NaN, only all ones below the sign is NaN;
        "fnuz": finite, NaN, unsigned zero: the code of -0 is the one NaN;
        "finite": every code is a number.
    overflow : str
        What too large a value becomes. "inf"; "max": the largest finite value, always; "choice":
        the largest finite value with saturate=True, otherwise infinity where there is one, else
        NaN.
    """

    name: str
    exponent: int
    mantissa: int
    bias: int
    specials: str
    overflow: str

    @property
    def bits(self):
        return 1 + self.exponent + self.mantissa


@dataclass(frozen=True)
class Scale:
    """Power of two ``2**(code - bias)``: no sign, no zero, no infinity; the top code is NaN."""

    name: str
    bits: int
    bias: int


def _integers(*widths):
    return [
        Integer(f"{'' if s else 'u'}int{bits}", bits, s) for s in (True, False) for bits in widths
    ]


_NATIVE = [
    Integer("bool", 8, False),
    *_integers(8, 16, 32, 64),
    # IEEE 754-2019, table 3.5 (binary interchange format parameters): p = mantissa + 1, emax =
    # bias.
    Float("float16", 5, 10, 15, "ieee", "inf"),
    Float("float32", 8, 23, 127, "ieee", "inf"),
    Float("float64", 11, 52, 1023, "ieee", "inf"),
]

_NARROW = [
    # The upper half of a binary32 (Intel 338302-001US, BFLOAT16 hardware numerics definition,
    # 2018), with subnormals and ties to even as ONNX's Cast wants them.
    Float("bfloat16", 8, 7, 127, "ieee", "inf"),
    # OCP 8-bit Floating Point Specification (OFP8) 1.0: E4M3 has S.1111.111 as its only NaN and no
    # infinity; E5M2 follows IEEE 754. The two conversions, saturating and not, are OFP8's too.
    Float("float8e4m3fn", 4, 3, 7, "fn", "choice"),
    Float("float8e5m2", 5, 2, 15, "ieee", "choice"),
    # Noune et al., 8-bit Numerical Formats for Deep Neural Networks, arXiv:2206.02915: biases one
    # above OFP8's, one zero, one NaN (the code 0x80), no infinities.
    Float("float8e4m3fnuz", 4, 3, 8, "fnuz", "choice"),
    Float("float8e5m2fnuz", 5, 2, 16, "fnuz", "choice"),
    # OCP Microscaling Formats (MX) 1.0, element data types FP6 and FP4 and the scale E8M0.
    # Saturation is the only conversion ONNX has for FP6 and FP4 (onnx/technical/float6, float4).
    Float("float6e2m3", 2, 3, 1, "finite", "max"),
    Float("float6e3m2", 3, 2, 3, "finite", "max"),
    Float("float4e2m1", 2, 1, 1, "finite", "max"),
    Scale("float8e8m0", 8, 127),
    # onnx/technical/int4, int2.
    *_integers(4, 2),
]

# Types that only ml_dtypes has, under its names. The floats are LLVM's Float8E3M4, Float8E4M3 (IEEE
# 754 style, biases 3 and 7) and Float8E4M3B11FNUZ (bias 11).
_FOREIGN = [
    Float("float8_e3m4", 3, 4, 3, "ieee", "choice"),
    Float("float8_e4m3", 4, 3, 7, "ieee", "choice"),
    Float("float8_e4m3b11fnuz", 4, 3, 11, "fnuz", "choice"),
    *_integers(1),
]

FORMATS = {f.name: f for f in [*_NATIVE, *_NARROW, *_FOREIGN]}

NATIVE = tuple(f.name for f in _NATIVE)  # NumPy's own
OURS = tuple(f.name for f in _NARROW)  # the package's
TYPES = NATIVE + OURS  # the numeric types of ONNX Cast
FOREIGN = tuple(f.name for f in _FOREIGN)

ROUND_MODES = ("up", "down", "nearest")
MODES = tuple((saturate, rounding) for saturate in (True, False) for rounding in ROUND_MODES)
DEFAULT_MODE = (True, "up")


def modes(name):
    """The modes that can differ for a target; every other mode gives what the default gives."""
    fmt = FORMATS[name]
    if isinstance(fmt, Scale):
        return MODES
    if isinstance(fmt, Float) and fmt.overflow == "choice":
        return ((True, "up"), (False, "up"))
    return (DEFAULT_MODE,)


def effective_mode(name, saturate, round_mode):
    """The member of ``modes(name)`` that a mode amounts to."""
    allowed = modes(name)
    if (saturate, round_mode) in allowed:
        return saturate, round_mode
    return (saturate, "up") if len(allowed) > 1 else DEFAULT_MODE


def code_bytes(name):
    """Bytes of an element in an array: sub-byte types take one."""
    return max(1, FORMATS[name].bits // 8)
