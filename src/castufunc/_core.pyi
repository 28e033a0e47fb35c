"""Types of the extension module."""

from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

__version__: Final[str]

Target: TypeAlias = np.dtype[Any] | type[Any] | str | int
RoundMode: TypeAlias = Literal["up", "down", "nearest"]

def dtype(to: Target) -> np.dtype[Any]: ...
def cast(
    x: npt.ArrayLike,
    to: Target,
    *,
    saturate: bool | Literal[0, 1] = True,
    round_mode: RoundMode = "up",
    out: npt.NDArray[Any] | None = None,
    where: npt.ArrayLike = True,
    workers: int | None = None,
) -> npt.NDArray[Any]: ...
def cast_like(
    x: npt.ArrayLike,
    target: npt.ArrayLike,
    *,
    saturate: bool | Literal[0, 1] = True,
    round_mode: RoundMode = "up",
    out: npt.NDArray[Any] | None = None,
    where: npt.ArrayLike = True,
    workers: int | None = None,
) -> npt.NDArray[Any]: ...
def bit_cast(x: npt.ArrayLike, to: Target) -> npt.NDArray[Any]: ...
def _packable_bits(descr: np.dtype[Any]) -> int: ...
def _packed_size(bits: int, n: int) -> int: ...
def _check_source(x: npt.NDArray[Any]) -> None: ...
def _check_result(out: npt.NDArray[Any], descr: np.dtype[Any]) -> None: ...
def _pack(
    x: npt.NDArray[Any],
    packed: npt.NDArray[np.uint8],
    descr: np.dtype[Any],
    saturate: bool = True,
    round_mode: RoundMode = "up",
    casts: bool = False,
) -> None: ...
def _unpack(
    packed: npt.NDArray[np.uint8],
    descr: np.dtype[Any],
    out: npt.NDArray[Any],
    to: np.dtype[Any] | None = None,
    saturate: bool = True,
    round_mode: RoundMode = "up",
) -> None: ...
def _make_ufuncs() -> dict[str, np.ufunc]: ...
def _texts_of_objects(x: npt.NDArray[np.object_]) -> npt.NDArray[Any]: ...
def _own_rows() -> list[dict[str, Any]]: ...
def _targets() -> tuple[str, ...]: ...
def _built_targets() -> tuple[str, ...]: ...
def _target_in_use() -> str: ...
def _compiler() -> str: ...
def _roof(source: npt.NDArray[Any], destination: npt.NDArray[Any]) -> npt.NDArray[Any]: ...
def _fp_state() -> int: ...
def _set_fp_state(state: int) -> None: ...
def _make_fp_state(
    *,
    flush: bool = False,
    denormals_zero: bool = False,
    rounding: Literal["nearest", "down", "up", "zero"] = "nearest",
) -> int: ...
