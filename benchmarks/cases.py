"""The casts that are measured, in families drawn from ``castufunc.FORMATS``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import castufunc


@dataclass(frozen=True)
class Cast:
    """A pair of types and a mode. ``str`` names it, ``Cast.parse`` reads the name."""

    source: str
    target: str
    saturate: bool = True
    round_mode: str = "up"

    def __str__(self) -> str:
        rounding = "" if self.round_mode == "up" else f" {self.round_mode}"
        return f"{self.source} to {self.target}{rounding}{'' if self.saturate else ' nosat'}"

    @classmethod
    def parse(cls, name: str) -> Cast:
        source, _, target, *mode = name.split()
        rounding = [word for word in mode if word != "nosat"]
        return cls(source, target, "nosat" not in mode, *rounding)

    @property
    def mode(self) -> dict[str, bool | str]:
        """The arguments of `castufunc.cast` that are not its defaults."""
        mode = {} if self.saturate else {"saturate": False}
        return mode if self.round_mode == "up" else {**mode, "round_mode": self.round_mode}


MODES = {
    "plain": [(True, "up")],
    "saturate": [(True, "up"), (False, "up")],
    "round": [(sat, mode) for sat in (True, False) for mode in ("up", "down", "nearest")],
}

FORMATS = castufunc.FORMATS
NARROW = [name for name, f in FORMATS.items() if f.itemsize == 1]
FLOATS = [name for name in NARROW if FORMATS[name].kind == "float"]
INTEGERS = [name for name in NARROW if FORMATS[name].kind == "integer"]
SCALES = [name for name in FLOATS if FORMATS[name].special == "power"]
FLOAT8 = [name for name in FLOATS if FORMATS[name].bits == 8 and name not in SCALES]
FNUZ = [name for name in FLOATS if FORMATS[name].special == "fnuz"]
FLOAT4 = [name for name in FLOATS if FORMATS[name].bits == 4]
INT4 = [name for name in INTEGERS if FORMATS[name].bits == 4]
WIDE_FLOATS = ["float32", "float16", "bfloat16"]
NATIVE = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
]


def without(names: Iterable[str], *others: Iterable[str]) -> list[str]:
    dropped = {name for other in others for name in other}
    return [name for name in names if name not in dropped]


def casts(sources: Iterable[str], targets: Iterable[str], *, modes: bool = True) -> list[Cast]:
    """From each source to each other target, in all modes of the target or in the default one."""
    targets = list(targets)
    return [
        Cast(source, target, *mode)
        for source in sources
        for target in targets
        if source != target
        for mode in (modes_of(target) if modes else MODES["plain"])
    ]


def modes_of(target: str) -> list[tuple[bool, str]]:
    return MODES[FORMATS[target].modes if target in FORMATS else "plain"]


def every_pair() -> list[Cast]:
    """All pairs of types with one of this package's formats on one side at least."""
    types = [*FORMATS, *NATIVE]
    return [c for c in casts(types, types, modes=False) if {c.source, c.target} & {*FORMATS}]
