"""The value oracle: what every conversion must give, by other means than the package's.

Codes go in and codes come out: unsigned integers, one per element, never packed.
"""

from .arrays import canonical_codes, code_type
from .formats import (
    DEFAULT_MODE,
    FOREIGN,
    FORMATS,
    MODES,
    NATIVE,
    OURS,
    TYPES,
    Float,
    Integer,
    Scale,
    code_bytes,
    effective_mode,
    modes,
)
from .steps import cast_by_steps
from .values import INF, NAN, Value, cast_code, encode, value
from .wide import cast_to_bool, cast_to_integer, cast_to_wide_float

__all__ = [
    "DEFAULT_MODE", "FOREIGN", "FORMATS", "INF", "MODES", "NAN", "NATIVE", "OURS", "TYPES",
    "Float", "Integer", "Scale", "Value",
    "canonical_codes", "cast_code", "cast_codes", "code_bytes", "code_type", "effective_mode",
    "encode", "modes", "value",
]  # fmt: skip


def cast_codes(source, target, codes, saturate=True, round_mode="up"):
    """What an array of codes of one type becomes in another; the same type copies it."""
    codes = canonical_codes(source, codes)
    if source == target:
        return codes
    flat = codes.ravel()
    if target == "bool":
        result = cast_to_bool(source, flat)
    elif isinstance(FORMATS[target], Integer):
        result = cast_to_integer(source, target, flat)
    elif FORMATS[target].bits <= 16:
        result = cast_by_steps(source, target, flat, saturate, round_mode)
    else:
        result = cast_to_wide_float(source, target, flat)
    return result.reshape(codes.shape)
