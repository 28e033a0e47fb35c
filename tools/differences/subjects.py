"""What the libraries are asked: inputs by subject, and the rule that decides each subject.

The inputs are those of public reports of faults, those where onnxruntime's own tests want something
else, and others of the same families. What is said of ONNX is its operator text, Cast-28 and
CastLike-25 in onnx 1.23.2, and its pages on the narrow types in docs/docsgen/source/technical.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

NAN = float("nan")
INF = float("inf")

FLOAT8 = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")
FNUZ = FLOAT8[1::2]
FLOAT6 = ("float6e2m3", "float6e3m2")


@dataclass(frozen=True, eq=False)  # -0.0 == 0.0, but they are two cases
class Case:
    """One call. The input is a number, or a code as text in hexadecimal."""

    source: str
    target: str
    given: float | int | str
    op: str = "Cast"
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Subject:
    """Inputs that belong together.

    Attributes
    ----------
    id : str
        The word by which the tests' list of differing cases refers to it.
    title : str
    rule : str
        What decides, and where it stands.
    cases : tuple of Case
    choice : bool
        Whether the subject is which mode a library without the arguments `saturate` and
        `round_mode` has. In all other subjects such a library only counts as different where it
        gives what no mode gives.
    refusals : bool
        Whether an error in place of a result counts as a difference.
    """

    id: str
    title: str
    rule: str
    cases: tuple[Case, ...]
    choice: bool = False
    refusals: bool = False


def casts(
    sources: str | Iterable[str],
    targets: str | Iterable[str],
    *given: float | int | str,
    op: str = "Cast",
    **attributes: Any,
) -> list[Case]:
    """Every input from every source to every target."""
    sources = [sources] if isinstance(sources, str) else sources
    targets = [targets] if isinstance(targets, str) else list(targets)
    return [
        Case(source, target, x, op, attributes) for source in sources for target in targets
        for x in given
    ]  # fmt: skip


def subject(id: str, title: str, rule: str, *cases: Sequence[Case], **flags: bool) -> Subject:
    return Subject(id, title, rule, tuple(case for some in cases for case in some), **flags)


# Just past the midpoint of 1 and its upper neighbour, nearer to the midpoint than float32 tells.
def past_midpoint(step: float) -> float:
    return 1 + step / 2 + 2.0**-40


SUBJECTS = (
    subject(
        "double-rounding",
        "Rounded twice",
        "The exact value is rounded once, to nearest, ties to even. ONNX, Cast: \"`[x]` means the "
        "value rounded to the target mantissa width\", of x itself, not of x rounded to float32 "
        "before.",
        casts("float64", "bfloat16", past_midpoint(2**-7), 1.0117187499999991, 1 + 2**-8 + 2**-52),
        casts("float64", "float16", past_midpoint(2**-10), 65519.9999999702, "0x3E60000000000001"),
        casts("float64", "float8e4m3fn", past_midpoint(2**-3), -431.99999999999994),
        casts("float64", "float8e4m3fnuz", past_midpoint(2**-3)),
        casts("float64", "float8e4m3fnuz", 247.99999999906868, saturate=0),
        casts("float64", ["float8e5m2", "float8e5m2fnuz"], past_midpoint(2**-2)),
        casts("float64", "float6e2m3", past_midpoint(2**-3)),
        casts("float64", "float6e3m2", past_midpoint(2**-2)),
        casts("float64", "float4e2m1", 1.25 + 2**-40, 0.25 + 2**-40),
        casts("int32", "bfloat16", 16973823, -16973823),
        casts("int64", "bfloat16", 16973823, 2**40 + 2**32 + 1),
        casts("uint32", "bfloat16", 2155872257),
        casts("uint64", "bfloat16", 2**63 + 2**55 + 1),
        casts("int64", ["float32", "float16"], 2**40 + 2**16 + 1),
        casts("uint64", "float32", 2**63 + 2**39 + 1, 2**64 - 1),
    ),
    subject(
        "overflow",
        "Where overflow begins, and what it gives",
        "Overflow is judged after rounding, so 464 is the last value that float8e4m3fn takes and "
        "61440 the first that float8e5m2 doesn't. ONNX, Cast, the two tables of float8: with "
        "`saturate=False` float8e5m2 gives infinity, the others NaN with the sign of x where they "
        "have one. (The text of opsets 19 to 23 gives NaN for an infinity to a FNUZ type with "
        "saturation. ONNX's tests, its reference implementation and onnxruntime give the largest "
        "number all the same, as the text does since; so do we at every opset.)",
        casts("float32", "float8e4m3fn", 464.0, 465.0, 480.0, -488.0, 497.0, -INF, saturate=0),
        casts("float32", "float8e5m2", 61439.0, 61440.0, -65535.0, 65536.0, INF, saturate=0),
        casts("float16", "float8e5m2", 61440.0, INF, saturate=0),
        casts("float32", "float8e4m3fnuz", 247.0, 248.0, -1e6, INF, saturate=0),
        casts("float32", "float8e5m2fnuz", 61440.0, -INF, saturate=0),
        casts("float32", FLOAT8, 1e6, -INF),
        casts("float32", ["float4e2m1", *FLOAT6], 1e6, -INF),
        casts("float32", "float16", 65519.0, 65520.0),
        casts("float64", ["float16", "bfloat16", "float32"], 1e300),
        casts("float32", "bfloat16", "0x7F7FFFFF"),
        casts("int64", "float8e4m3fnuz", -300, saturate=0),
        casts("int32", "float8e4m3fn", 480, saturate=0),
        casts("uint16", "float8e5m2", 61440, saturate=0),
        casts("int32", "float8e4m3fn", 465, -465),
        casts("uint64", FLOAT8, 2**64 - 1),
        casts("uint32", "float16", 65520),
    ),
    subject(
        "no-arguments",
        "Libraries without `saturate` and `round_mode`",
        "ONNX's defaults, and so ours, are `saturate=True` and `round_mode=\"up\"`. A library "
        "without these arguments has made one choice per type; here is where it isn't the default. "
        "In the other sections such a library is listed only where it gives what no mode gives.",
        casts("float32", FLOAT8, 1e6, INF),
        casts("float32", "float8e8m0", 1.25, 0.0, INF),
        choice=True,
    ),
    subject(
        "same-type",
        "From a type to itself",
        "A cast to the same type is a copy, in every mode: an infinity stays one, and NaN keeps "
        "its bits. Nothing is out of range there.",
        casts("float8e5m2", "float8e5m2", "0x7C", "0xFC", "0x7D", "0xFF"),
        casts("float8e4m3fn", "float8e4m3fn", "0xFF"),
        casts("bfloat16", "bfloat16", "0x7F81"),
        casts("float8e8m0", "float8e8m0", "0x00", "0xFF"),
    ),
    subject(
        "nan-code",
        "Codes of NaN",
        "ONNX says NaN and leaves the code open where there are several. Written are the quiet "
        "codes without payload: 0x7E in float8e5m2, 0x7FC0 in bfloat16, 0x7E00 in float16, with "
        "the sign of the source.",
        casts("float32", "float8e5m2", NAN, "0xFF800001", saturate=0),
        casts("float32", "bfloat16", NAN, "0xFF800001"),
        casts(["float64", "float16"], "float8e5m2", NAN, saturate=0),
        casts(["float64", "float16"], "bfloat16", NAN),
        casts("bfloat16", "float8e5m2", "0x7FFF", saturate=0),
        casts("bfloat16", ["float16", "float32"], "0x7FFF"),
        casts("float8e5m2", ["float16", "float32", "bfloat16"], "0x7D", "0x7F"),
        casts("float8e4m3fn", ["float16", "float32", "bfloat16"], "0x7F"),
    ),
    subject(
        "nan-sign",
        "The sign of NaN",
        "ONNX, Cast, the table for `saturate=False`: -NaN gives -NaN where the type has a sign, "
        "and so do -Inf and a negative overflow to float8e4m3fn. (The examples in its documents "
        "print no sign.)",
        casts("float32", ["float8e4m3fn", "float8e5m2"], "0xFFC00000", saturate=0),
        casts("float32", ["bfloat16", "float16"], "0xFFC00000"),
        casts("float64", "float8e4m3fn", "0xFFF8000000000000", saturate=0),
        casts("float64", ["bfloat16", "float32"], "0xFFF8000000000000"),
        casts("float8e4m3fn", ["float32", "bfloat16", "float16", "float8e5m2"], "0xFF"),
        casts("float8e5m2", ["float32", "float8e4m3fn"], "0xFE"),
    ),
    subject(
        "fnuz-nan",
        "The one NaN of the FNUZ types",
        "Its code is 0x80, the sign bit alone, and it reads as a negative NaN, which is what "
        "ml_dtypes does. ONNX leaves it open; the examples in its documents print no sign.",
        casts(FNUZ, ["float32", "float64", "float16", "bfloat16", "float8e4m3fn"], "0x80"),
        casts("float32", FNUZ, NAN, "0xFFC00000"),
    ),
    subject(
        "nan-to-float4",
        "NaN to float4 and float6",
        "These types have no NaN. The result is zero with the sign flipped (+NaN: -0, -NaN: +0): "
        "the bits of ONNX's node tests for float4, and of ml_dtypes for all three types. The prose "
        "of ONNX's pages on float4 and float6 has the largest number instead (6, 7.5, 28), and so "
        "have the tests of onnxruntime's float4 class; its CPU provider lacks the cast.",
        casts("float32", ["float4e2m1", *FLOAT6], NAN, "0xFFC00000"),
        casts("float64", "float4e2m1", NAN),
        casts("float8e4m3fn", "float4e2m1", "0x7F"),
    ),
    subject(
        "signed-zero",
        "Signed zeros",
        "ONNX, Cast, the tables of float8: -0 stays -0, but the FNUZ types have none and give 0. "
        "A negative number that rounds to zero does as -0 does. float4 and float6 keep -0 too, as "
        "in ml_dtypes (the prose of ONNX's page on float6 has 0).",
        casts("float32", FLOAT8, -0.0, -1e-9, saturate=0),
        casts("float64", ["float8e4m3fnuz", "float4e2m1", "bfloat16", "float16"], -0.0, -1e-300),
        casts("float32", ["float4e2m1", *FLOAT6], -0.0, -0.01),
        casts("float8e5m2", ["float8e4m3fnuz", "float8e4m3fn"], "0x80", "0x81"),
        casts("float4e2m1", ["float8e5m2fnuz", "bfloat16"], "0x8"),
    ),
    subject(
        "subnormals",
        "Subnormals",
        "They are numbers as all others: exact when read, rounded once when written.",
        casts("float32", "float8e4m3fn", 2.0**-10, 2.0**-10 + 2.0**-30, 0.0048825740814208984),
        casts("float32", "float8e4m3fnuz", -3 * 2.0**-12, 2.0**-11 + 2.0**-30),
        casts("float32", "float8e5m2", 2.0**-17, 3 * 2.0**-18),
        casts("float32", "float16", 2.0**-25, 3 * 2.0**-26),
        casts("float32", "bfloat16", "0x00008001", "0x00400000"),
        casts("float32", "float4e2m1", 0.25, 0.2500000298023224),
        casts("bfloat16", ["float32", "float64", "float16"], "0x0001"),
        casts("float8e5m2", ["float32", "float16"], "0x01", "0x03"),
    ),
    subject(
        "float8e8m0",
        "float8e8m0",
        "The exact value is rounded by `round_mode`, after x itself is judged: below 2^-127 (zero "
        "and all negatives among it) it saturates to 2^-127, above 2^127 to 2^127; with "
        "`saturate=False` each of these gives NaN. ONNX, Cast, the table of float8e8m0, for what "
        "it covers; negatives and -0 it leaves open.",
        *[
            casts("float32", "float8e8m0", *given, round_mode=mode)
            for mode, given in {
                "up": (2.0**-127, 5 * 2.0**-129, 1.125, 5.0, 2.0**127, INF, 0.0, -0.0, -1.0, -INF),
                "down": (2.0**-127, 3 * 2.0**-127, 3.0, 0.75),
                "nearest": (5 * 2.0**-129, 3 * 2.0**-128, 1.25, 1.5, 3.0, 6.0),
            }.items()
        ],
        casts("float32", "float8e8m0", 1.25 * 2.0**127, 0.0, -0.0, -1.0, 2.0**-128, -INF,
              saturate=0, round_mode="down"),
        casts("float32", "float8e8m0", 1.25 * 2.0**127, 0.0, -0.0, -1.0, 2.0**-128, INF,
              saturate=0, round_mode="nearest"),
        casts("float64", "float8e8m0", 1 + 2.0**-40, 2.0**-127 + 2.0**-160, 2.0**-200, 1e300),
        casts("float64", "float8e8m0", 1.5 - 2.0**-40, 2 - 2.0**-40, round_mode="nearest"),
        casts("float64", "float8e8m0", 2 - 2.0**-40, round_mode="down"),
        casts("float16", "float8e8m0", 1.25, 3.0, round_mode="nearest"),
        casts("int64", "float8e8m0", 2**40 + 1, 0, -1),
        casts("int64", "float8e8m0", 2**40 - 1, round_mode="down"),
        casts("uint64", "float8e8m0", 2**63 + 1),
        casts("bool", "float8e8m0", 0, 1),
        casts("float8e8m0", ["float32", "bfloat16", "float16", "float64"], "0x00", "0xFF"),
        casts("float8e8m0", ["float8e5m2", "int32"], "0x00"),
    ),
    subject(
        "int4-rounding",
        "Fractions to int4, uint4, int2 and uint2",
        "A float is truncated toward zero, as to every other integer; then the low bits are kept. "
        "ONNX's operator text doesn't say; the prose of its page on int4 has rounding to nearest, "
        "ties to even; its reference implementation truncates. onnxruntime rounds, ties away from "
        "zero.",
        casts("float32", "int4", 2.5, -1.6, 31.9),
        casts("float32", "uint4", 20.7),
        casts("float32", "int2", 1.6, -10.7),
        casts("float32", "uint2", 2.5),
        casts("float64", ["uint4", "int2"], 1.7),
        casts("float16", "int4", 2.5, 6.5),
        casts("bfloat16", "uint4", 5.6875),
        casts("float8e5m2", "int4", 1.75),
        casts("float8e8m0", "int4", 0.5),
    ),
    subject(
        "float-to-int",
        "Floats out of an integer's range",
        "Truncated toward zero, then the low bits of the exact integer are kept; NaN and "
        "infinities give 0; on every processor and at every place of an array. ONNX, Cast: "
        "\"undefined if OOR\". It is undefined in C too, so the others' results depend on the "
        "processor, and several results in one cell are what a library gave at different places of "
        "an array full of the same number. Those here come from an x86-64 processor.",
        casts("float32", ["uint8", "uint16", "uint32", "uint64"], -1.5),
        casts("float32", ["int8", "int16"], 300.0, -40000.0),
        casts("float32", ["int32", "uint32"], 3e9, NAN, INF),
        casts("float32", ["int64", "uint64"], 2.0**63, 2.0**64, NAN, -INF),
        casts("float64", ["int8", "uint8"], -129.0, 1e100),
        casts("float64", ["int32", "uint32"], 2.0**32 + 5, -4.0, 1e100),
        casts("float64", ["int64", "uint64"], 2.0**64 + 2.0**12, -9.5, 1e100),
        casts("float16", ["int8", "uint8", "uint32"], -300.0, NAN),
        casts("bfloat16", ["int8", "uint16"], -3.0, 1e30, NAN),
        casts("float8e5m2", ["int8", "uint8", "int32"], "0x7C", "0xC5", "0x7B", "0x7F"),
        casts("float8e4m3fn", ["int8", "uint8"], -448.0, "0x7F"),
        casts("float32", ["int4", "uint4"], -9.0, 17.0, 1e10, NAN, INF),
        casts("float32", ["int2", "uint2"], -3.0, 7.0, NAN),
        casts("float64", ["int4", "uint2"], 2147483649.0, 2.0**64 + 2.0**12, 1e100, -INF),
        casts("float8e5m2", ["int4", "uint2"], "0x7C", "0x7F"),
        casts("float4e2m1", ["int2", "uint2", "uint8"], -6.0, 3.0),
        casts("float6e3m2", ["int4", "uint8"], 28.0, -28.0),
    ),
    subject(
        "integers",
        "Integers among themselves",
        "ONNX, Cast: \"when OOR, discard higher bits and reinterpret (with respect to two's "
        "complement representation for signed types)\".",
        casts("int16", ["int4", "uint4", "int2", "uint2", "int8"], 200, -9),
        casts("int4", ["uint8", "uint4", "int2", "uint64", "int64"], -1, -8),
        casts("int64", ["int4", "uint2", "uint8"], -1, 2**40 + 9),
        casts("uint64", ["int4", "int32", "uint4"], 2**64 - 1, 2**63 + 7),
        casts("uint4", ["int4", "int8"], 15),
        casts("int2", ["uint4", "int8", "uint8"], -2),
    ),
    subject(
        "bool",
        "Bool",
        "ONNX, Cast: \"+/- 0.0 to False; all else to True\", NaN among it; from bool the numbers "
        "1 and 0. float8e8m0 has no zero, so all its codes are True.",
        casts("float8e5m2", "bool", "0x80", "0x00", "0x7F", "0x01"),
        casts("float8e4m3fn", "bool", "0x80", "0xFF"),
        casts("float8e4m3fnuz", "bool", "0x80"),
        casts("float8e8m0", "bool", "0x00", "0xFF"),
        casts("bfloat16", "bool", "0x8000", "0x0001", "0x7FC0"),
        casts("float4e2m1", "bool", "0x8", "0x1"),
        casts("float32", "bool", "0x00000001", NAN, -0.0, 0.1),
        casts("float64", "bool", 1e-320, 0.5),
        casts("int4", "bool", -8),
        casts("bool", [*FLOAT8, "int4", "float4e2m1", "bfloat16"], 1),
    ),
    subject(
        "operators",
        "CastLike and BitCast",
        "CastLike: `round_mode` counts; ONNX's function body of the operator passes on `saturate` "
        "alone. BitCast: \"The target data type must have the same bit-width as the input data "
        "type\", and int4 has 4, although an array holds it in a byte.",
        casts("float32", "float8e8m0", 1.25, 3.0, op="CastLike", round_mode="down"),
        casts("float32", "float8e8m0", 1.25, op="CastLike", round_mode="nearest"),
        casts("float32", "float8e5m2", 1e6, op="CastLike", saturate=0),
        casts("uint4", ["uint8", "int8"], 15, op="BitCast"),
        casts("int2", "uint4", 1, op="BitCast"),
        casts("int4", ["uint4", "float4e2m1"], -8, op="BitCast"),
        casts("float4e2m1", "uint4", "0xF", op="BitCast"),
        casts("bool", "uint8", 1, op="BitCast"),
        casts("bfloat16", "uint16", "0x7F81", op="BitCast"),
        casts("float8e8m0", "float8e4m3fnuz", "0x80", op="BitCast"),
        refusals=True,
    ),
    subject(
        "refused",
        "Conversions that are refused",
        "ONNX, Cast: \"Conversion from a numerical type to any numerical type is always allowed\"; "
        "and of `saturate`: \"It only applies for float 8 conversion\", so with other types it is "
        "accepted and has no effect.",
        casts("int4", ["uint4", "int2"], -1),
        casts("uint4", "int4", 15),
        casts("int2", ["uint4", "int8"], -2),
        casts("float32", ["int4", "uint2", "float4e2m1", *FLOAT6], 1.0),
        casts("float4e2m1", "float32", 1.0),
        casts("float8e8m0", "float8e5m2", 1.0),
        casts("float32", ["int16", "bfloat16"], 2.5, saturate=0),
        refusals=True,
    ),
)  # fmt: skip
