"""What error messages show of the things they are about: never more than a line."""

from __future__ import annotations

__all__ = ["class_name", "short", "short_path", "short_text"]

_LONGEST = 80


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def short_text(thing: object) -> str:
    """The text of a value, such as a dtype, cut off if it is long."""
    return _cut(str(thing))


def class_name(thing: object) -> str:
    """The name of the class of a value."""
    return _cut(type(thing).__name__)


def _text(thing: object) -> str:
    # Python prints only so many digits, and raises for more.
    if type(thing) is int and thing.bit_length() > 256:
        return f"{'-' if thing < 0 else ''}2**{thing.bit_length() - 1}..."
    try:
        return repr(thing)
    except Exception:  # it will not be shown
        return f"<{class_name(thing)}>"


def short(thing: object, longest: int = _LONGEST) -> str:
    """The repr of a value, cut off if it is long: messages are to be read."""
    if type(thing) is tuple:
        # Element by element, as the others may be fine where one is too long to be printed.
        text = f"({', '.join(map(_text, thing[:longest]))}{',' if len(thing) == 1 else ''})"
    else:
        text = _text(thing)
    return _cut(text, longest)


def short_path(path: str, longest: int = 300) -> str:
    """A path, or if it is very long the end of it, which tells more than its beginning."""
    return path if len(path) <= longest else "..." + path[3 - longest :]
