"""This package's types as extension types of Arrow; imported by `_arrow` only."""

from __future__ import annotations

import importlib
from typing import Any, ClassVar, Self

from ..formats import FORMATS, FormatInfo

__all__ = ["TYPES"]

_pa = importlib.import_module("pyarrow")


class _Narrow:
    """The methods that pyarrow's base class asks for, from a row of the table."""

    _info: ClassVar[FormatInfo]

    def __init__(self) -> None:
        storage = _pa.uint8() if self._info.itemsize == 1 else _pa.uint16()
        # The name is all that a reader which does not have castufunc can see.
        super().__init__(storage, str(self._info.dtype))  # type: ignore[call-arg]

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: Any, serialized: bytes) -> Self:
        self = cls()
        if storage != self.storage_type:  # type: ignore[attr-defined]
            expected = self.storage_type  # type: ignore[attr-defined]
            raise TypeError(f"{cls._info.dtype} is stored as {expected}, not as {storage}")
        return self


def _class(info: FormatInfo) -> type[Any]:
    namespace = {"__module__": __name__, "_info": info}
    return type(info.name, (_Narrow, _pa.ExtensionType), namespace)


_classes = {info.name: _class(info) for info in FORMATS.values()}
# For pickle.
globals().update(_classes)

TYPES = {FORMATS[name].dtype: cls() for name, cls in _classes.items()}

for _type in TYPES.values():
    _pa.register_extension_type(_type)
