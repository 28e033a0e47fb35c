"""Why a result is another one. What has no reason here is a fault, of onnxruntime's or of ours."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import castufunc

from .inputs import BY_NAME

# By the names that docs/differences.md has for them; each with its heading there.
REASONS = {
    "double-rounding": "Rounded twice",
    "overflow": "Where overflow begins, and what it gives",
    "nan-code": "Codes of NaN",
    "nan-sign": "The sign of NaN",
    "int4-rounding": "Fractions to int4, uint4, int2 and uint2",
    "float-to-int": "Floats out of an integer's range",
    "bool": "Bool",
    "number-to-text": "",
    "text-to-number": "",
}
UNDEFINED = "float-to-int"  # in C++ too: the result depends on processor, compiler and place


@dataclass(frozen=True)
class Difference:
    """An element for which the results differ; None is a refusal."""

    source: str
    target: str
    attributes: dict[str, Any] = field(hash=False)
    given: Any
    ours: Any
    theirs: Any


def number(scalar: Any) -> float:
    return float(castufunc.cast(scalar, "float64"))


def is_float(name: str) -> bool:
    own = castufunc.FORMATS.get(name)
    return own.kind == "float" if own else BY_NAME[name].dtype.kind == "f"


def is_negative(scalar: Any) -> bool:
    return bool(np.signbit(castufunc.cast(scalar, "float64")))


def reason(difference: Difference) -> str | None:
    """The name of the reason, or None."""
    d = difference
    if "string" in (d.source, d.target):
        return "text-to-number" if d.source == "string" else "number-to-text"
    if d.theirs is None:
        return None
    if d.target == "bool":
        return "bool"
    if is_float(d.source) and not is_float(d.target):
        return _float_to_integer(d)
    if math.isnan(number(d.ours)) and math.isnan(number(d.theirs)):
        return "nan-code" if is_negative(d.ours) == is_negative(d.theirs) else "nan-sign"
    largest = castufunc.FORMATS[d.target].max if d.target in castufunc.FORMATS else math.inf
    if d.attributes.get("saturate") == 0 and d.target != "float8e8m0":
        return "overflow" if abs(number(d.given)) > largest else None
    through_float32 = castufunc.cast(
        castufunc.cast(d.given, "float32"), d.target,
        round_mode=d.attributes.get("round_mode", "up"),
        saturate=bool(d.attributes.get("saturate", 1)),
    )  # fmt: skip
    return "double-rounding" if through_float32.tobytes() == d.theirs.tobytes() else None


def _float_to_integer(d: Difference) -> str | None:
    x = number(d.given)
    is_small = BY_NAME[d.target].bits < 8
    limits = np.iinfo(np.int32 if is_small else BY_NAME[d.target].dtype)
    if not (limits.min <= np.trunc(x) <= limits.max):
        return UNDEFINED
    nearest = int(math.copysign(math.floor(abs(x) + 0.5), x))  # ties away from zero
    if is_small and castufunc.cast(nearest, d.target).tobytes() == d.theirs.tobytes():
        return "int4-rounding"
    return None
