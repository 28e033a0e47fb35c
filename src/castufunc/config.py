"""What this build is and what it uses here."""

from __future__ import annotations

from . import _core

__all__ = ["show_config"]


def show_config() -> None:
    """
    Print the version, the compiler, and the instruction-set targets built and in use.

    The environment variable CASTUFUNC_TARGET, read at import, caps the target.
    """
    print(f"castufunc:      {_core.__version__}")
    print(f"compiler:       {_core._compiler()}")
    print(f"targets built:  {', '.join(_core._built_targets())}")
    print(f"target in use:  {_core._target_in_use()}")
