"""A line that says how much of a long call is done, and the time left."""

import sys
import time

_WIDTH = 30
_PATIENCE = 2.0  # seconds before anything is shown
_BETWEEN = 0.1  # and between two lines


class Bar:
    """Shows progress on standard error, after two seconds and on a terminal only."""

    def __init__(self, total: int, what: str) -> None:
        self._total, self._what = total, what
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._next = self._started + _PATIENCE
        self._drawn = False

    def update(self, done: int, total: int | None = None) -> None:
        """Draw the line; `total` is the new number of all, if it changed."""
        if total is not None:
            self._total = total
        now = time.monotonic()
        if not self._shown or now < self._next or not 0 < done <= self._total:
            return
        self._next = now + _BETWEEN
        filled = _WIDTH * done // self._total
        left = duration((now - self._started) / done * (self._total - done))
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._write(f"\r\033[K[{bar}] {done} of {self._total} {self._what}, about {left} left ")
        self._drawn = True

    def close(self) -> None:
        """Clear the line."""
        if self._drawn:
            self._write("\r\033[K")
        self._drawn = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def duration(seconds: float) -> str:
    """Say how long, in the unit that a reader would take."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
