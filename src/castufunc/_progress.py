"""A bar that shows on a terminal how far a task is."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import Self, TextIO

__all__ = ["Progress"]

_WIDTH = 24
_UNITS = "bytes", "kB", "MB", "GB", "TB"


def _amount(nbytes: int) -> str:
    size, unit = float(nbytes), 0
    while size >= 999.95 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.1f} {_UNITS[unit]}" if unit else f"{nbytes} {_UNITS[0]}"


class Progress:
    """
    Percent and bytes in a line of its own, which is gone when it is cleared.

    Nothing is written if the stream is not a terminal, or the task is done at once.

    Parameters
    ----------
    stream : file or None
        Usually ``sys.stderr``.
    delay, period : float
        Seconds until the bar is first shown, and between two changes.
    clock : callable
        Gives the time in seconds.

    Examples
    --------
    >>> import io
    >>> class Terminal(io.StringIO):
    ...     def isatty(self):
    ...         return True
    >>> terminal = Terminal()
    >>> with Progress(terminal, delay=0) as progress:
    ...     progress.start(4_000_000)
    ...     progress.add(1_000_000)
    ...     terminal.getvalue()
    '\\r[######                  ]  25 %  1.0 MB of 4.0 MB'
    """

    def __init__(
        self,
        stream: TextIO | None,
        *,
        delay: float = 0.3,
        period: float = 0.1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._period = period
        self._clock = clock
        self._next = clock() + delay
        self._total = self._done = self._shown = 0

    def start(self, total: int) -> None:
        """Begin anew, with so many bytes to go."""
        self._total, self._done = total, 0

    def add(self, nbytes: int) -> None:
        """Tell that so many more bytes are done."""
        self._done += nbytes
        if self._stream is None or not self._total:
            return
        now = self._clock()
        if now >= self._next:
            self._next = now + self._period
            self._show(self._stream)

    def _show(self, stream: TextIO) -> None:
        # A file may hold more than it says at first.
        done = min(self._done, self._total)
        bar = "#" * (_WIDTH * done // self._total)
        line = (
            f"[{bar:{_WIDTH}}] {100 * done // self._total:3d} %  "
            f"{_amount(done)} of {_amount(self._total)}"
        )
        line = line[: shutil.get_terminal_size().columns - 1]
        stream.write("\r" + line.ljust(self._shown))
        stream.flush()
        self._shown = len(line)

    def clear(self) -> None:
        """Take the bar away, before something else is written."""
        if self._stream is not None and self._shown:
            self._stream.write("\r" + " " * self._shown + "\r")
            self._stream.flush()
            self._shown = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
