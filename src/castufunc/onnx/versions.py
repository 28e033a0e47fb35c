"""What each version of the operators takes: the table of types and attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

__all__ = ["VERSIONS", "Attribute", "Version", "version_at", "version_with"]


class Attribute(NamedTuple):
    """An attribute's type, and its default, which is None if it has to be given."""

    type: Literal["INT", "STRING"]
    default: int | str | None = None


@dataclass(frozen=True, eq=False)
class Version:
    """
    A version of an operator.

    Attributes
    ----------
    operator : str
    since : int
        The opset that it came with.
    types : frozenset of str
        The element types that it takes and gives, by ONNX's names.
    attributes : mapping of str to Attribute

    Examples
    --------
    >>> from castufunc.onnx import VERSIONS
    >>> first, *_, newest = VERSIONS["CastLike"]
    >>> sorted(newest.types - first.types)[:2]
    ['float4e2m1', 'float8e4m3fn']
    >>> newest.attributes["round_mode"]
    Attribute(type='STRING', default='up')
    """

    operator: str
    since: int
    types: frozenset[str]
    attributes: Mapping[str, Attribute]

    def __str__(self) -> str:
        return f"{self.operator} {self.since}"


def _history(
    operator: str, *rows: tuple[int, str | Iterable[str], dict[str, Attribute]]
) -> tuple[Version, ...]:
    """Versions from what each of them added: types, attributes new or changed."""
    versions: list[Version] = []
    types: frozenset[str] = frozenset()
    attributes: dict[str, Attribute] = {}
    for since, more_types, more_attributes in rows:
        types |= set(more_types.split() if isinstance(more_types, str) else more_types)
        attributes = attributes | more_attributes
        versions.append(Version(operator, since, types, MappingProxyType(attributes)))
    return tuple(versions)


_BASIC = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float double"
_FLOAT8 = "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz"
_TO_NAME = {"to": Attribute("STRING")}
_TO = {"to": Attribute("INT")}
_SATURATE = {"saturate": Attribute("INT", 1)}
_ROUND_MODE = {"round_mode": Attribute("STRING", "up")}

_CAST = _history(
    "Cast",
    (1, _BASIC, _TO_NAME),
    (6, "", _TO),
    (9, "string", {}),
    (13, "bfloat16", {}),
    (19, _FLOAT8, _SATURATE),
    (21, "int4 uint4", {}),
    (23, "float4e2m1", {}),
    (24, "float8e8m0", _ROUND_MODE),
    (25, "int2 uint2", {}),
    (28, "float6e2m3 float6e3m2", {}),
)

_CAST_LIKE = _history(
    "CastLike",
    (15, f"{_BASIC} string bfloat16", {}),
    (19, _FLOAT8, _SATURATE),
    (21, "int4 uint4", {}),
    (23, "float4e2m1", {}),
    (24, "float8e8m0", _ROUND_MODE),
    (25, "int2 uint2", {}),
)

_BIT_CAST = _history(
    "BitCast",
    (26, _CAST_LIKE[-1].types - {"string"} | {"complex64", "complex128"}, _TO),
)

VERSIONS: Mapping[str, tuple[Version, ...]] = MappingProxyType(
    {versions[0].operator: versions for versions in (_CAST, _CAST_LIKE, _BIT_CAST)}
)


def version_at(operator: str, opset: int) -> Version:
    """
    The version of an operator in an opset: the newest that is not newer.

    Raises
    ------
    ValueError
        If the operator came later.

    Examples
    --------
    >>> from castufunc.onnx.versions import version_at
    >>> str(version_at("Cast", 22))
    'Cast 21'
    """
    versions = VERSIONS[operator]
    for version in reversed(versions):
        if version.since <= opset:
            return version
    raise ValueError(f"opset {opset} has no {operator}: it came with opset {versions[0].since}")


def version_with(operator: str, *, type: str = "", attribute: str = "") -> Version | None:
    """The first version that has a type, or an attribute; None if none has it."""
    for version in VERSIONS[operator]:
        if type in version.types or attribute in version.attributes:
            return version
    return None
