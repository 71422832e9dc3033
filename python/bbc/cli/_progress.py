"""A progress bar on standard error."""

import sys
import time
from collections.abc import Iterator

import numpy as np

from .._typing import AnyArray

_WIDTH = 30
_PATIENCE = 1.0
_CELLS_PER_STEP = 2e9


class Bar:
    """Shows how much is done and the time left, after one second and on a terminal only."""

    def __init__(self, total: int, what: str) -> None:
        self._total, self._what = total, what
        self._shown = sys.stderr.isatty()
        self._started = time.monotonic()
        self._drawn = False

    def update(self, done: int) -> None:
        """Draw the bar."""
        elapsed = time.monotonic() - self._started
        if not self._shown or done == 0 or elapsed < _PATIENCE:
            return
        filled = _WIDTH * done // self._total
        left = elapsed / done * (self._total - done)
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._write(f"\r[{bar}] {done} of {self._total} {self._what}, {left:.0f} s left ")
        self._drawn = True

    def close(self) -> None:
        """Clear the line of the bar."""
        if self._drawn:
            self._write("\r\033[K")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def blocks(values: AnyArray, n_bootstraps: int, bar: Bar) -> Iterator[list[AnyArray]]:
    """Blocks of configurations of about a second each, with a progress bar."""
    cells = max(1, values.shape[0] * values.shape[1] * n_bootstraps)
    step = max(1, int(_CELLS_PER_STEP / cells))
    try:
        for first in range(0, values.shape[2], step):
            bar.update(first)
            yield list(np.asarray(values[:, :, first : first + step]))
    finally:
        bar.close()
