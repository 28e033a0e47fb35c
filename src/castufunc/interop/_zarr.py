"""This package's types as data types of zarr 3; imported by `register_zarr` only."""

from __future__ import annotations

import importlib
import math
import re
import sys
from dataclasses import make_dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..formats import FORMATS, FormatInfo

__all__ = ["register"]

_dtype = importlib.import_module("zarr.dtype")
_common = importlib.import_module("zarr.core.dtype.common")

_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class _Narrow:
    """The methods that zarr's base class of data types asks for, from a row of the table."""

    _info: ClassVar[FormatInfo]
    dtype_cls: ClassVar[type[np.dtype[Any]]]
    _zarr_v3_name: ClassVar[str]

    @property
    def item_size(self) -> int:
        return self._info.itemsize

    @classmethod
    def from_native_dtype(cls, dtype: np.dtype[Any]) -> Self:
        if type(dtype) is not cls.dtype_cls:
            raise _dtype.DataTypeValidationError(f"{dtype} is not {cls._info.dtype}")
        return cls()

    def to_native_dtype(self) -> np.dtype[Any]:
        order = getattr(self, "endianness", sys.byteorder)
        if order != sys.byteorder:
            raise ValueError(f"{self._info.dtype} in {order}-endian byte order is not supported")
        return self._info.dtype

    @classmethod
    def _from_json_v2(cls, data: object) -> Self:
        raise _dtype.DataTypeValidationError(f"{cls._info.dtype} is no type of zarr format 2")

    @classmethod
    def _from_json_v3(cls, data: object) -> Self:
        if data != cls._zarr_v3_name:
            raise _dtype.DataTypeValidationError(f"{data!r} is not {cls._zarr_v3_name!r}")
        return cls()

    def to_json(self, zarr_format: int) -> str:
        if zarr_format != 3:
            raise ValueError(f"{self._info.dtype} is no type of zarr format {zarr_format}")
        return self._zarr_v3_name

    def _check_scalar(self, data: object) -> bool:
        try:
            self.cast_scalar(data)
        except (TypeError, ValueError):
            return False
        return True

    def default_scalar(self) -> Any:
        return np.zeros((), self._info.dtype)[()]

    def cast_scalar(self, data: Any) -> Any:
        """A fill value. A number is rounded to a float; NaN, infinities and integers must fit."""
        scalar = self._info.type(data)
        if self._info.kind == "integer":
            held = scalar == data
        else:
            given, got = float(data), float(scalar)
            held = math.isnan(given) == math.isnan(got) and math.isinf(given) == math.isinf(got)
        if not held:
            raise ValueError(f"{data!r} is no value of {self._info.dtype}")
        return scalar

    def from_json_scalar(self, data: Any, *, zarr_format: int) -> Any:
        if not isinstance(data, str):
            return self.cast_scalar(data)
        if self._info.kind == "float":
            if data in _SPECIAL:
                return self.cast_scalar(_SPECIAL[data])
            if re.fullmatch(f"0x[0-9a-fA-F]{{{2 * self.item_size}}}", data):
                return np.array(int(data, 16), f"u{self.item_size}").view(self._info.dtype)[()]
        raise ValueError(f"{data!r} is no value of {self._info.dtype}")

    def to_json_scalar(self, data: object, *, zarr_format: int) -> float | int | str:
        scalar = self.cast_scalar(data)
        if self._info.kind == "integer":
            return int(scalar)
        value = float(scalar)
        if math.isnan(value):
            code = int(np.asarray(scalar).view(f"u{self.item_size}"))
            return "NaN" if code == self._info.nan else f"0x{code:0{2 * self.item_size}x}"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return value


def _class(info: FormatInfo) -> type[Any]:
    several_bytes = info.itemsize > 1
    return make_dataclass(
        info.name,
        [("endianness", str, sys.byteorder)] if several_bytes else [],
        bases=(
            _Narrow,
            _dtype.ZDType,
            *([_common.HasEndianness] if several_bytes else []),
            _common.HasItemSize,
        ),
        namespace={
            "__module__": __name__,
            "_info": info,
            "dtype_cls": type(info.dtype),
            "_zarr_v3_name": info.ml_dtypes,
        },
        frozen=True,
        kw_only=True,
    )


_classes = {info.name: _class(info) for info in FORMATS.values()}
# For pickle.
globals().update(_classes)


def register() -> None:
    for cls in _classes.values():
        _dtype.data_type_registry.register(cls._zarr_v3_name, cls)
