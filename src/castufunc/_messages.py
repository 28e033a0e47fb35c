"""What error messages show of the things they are about: never more than a line."""

from __future__ import annotations

_MOST = 80


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST else text[: _MOST - 3] + "..."


def class_name(thing: object) -> str:
    """Return the name of the class of a thing."""
    return _shortened(type(thing).__name__)


def short(thing: object) -> str:
    """Return the repr of a thing, or the name of its class if it has none."""
    try:
        return _shortened(repr(thing))
    except Exception:
        # Python refuses to print an int of thousands of digits, and other objects may as well.
        return f"<{class_name(thing)}>"
