"""A bar on standard error while somebody watches."""

import sys
import time
from collections.abc import Iterator

import numpy as np

from .._typing import AnyArray

_WIDTH = 30
_PATIENCE = 1.0
_CELLS_PER_STEP = 2e9


class Bar:
    """Shows how much is done, and what is left, once that takes more than a second.

    Nothing is written where standard error is no terminal.
    """

    def __init__(self, total: int, what: str) -> None:
        self._total, self._what = total, what
        self._stream = sys.stderr
        self._watched = self._stream.isatty()
        self._started = time.monotonic()
        self._drawn = False

    def update(self, done: int) -> None:
        """Say how much is done."""
        elapsed = time.monotonic() - self._started
        if not self._watched or done == 0 or elapsed < _PATIENCE:
            return
        filled = _WIDTH * done // self._total
        left = elapsed / done * (self._total - done)
        bar = "#" * filled + "." * (_WIDTH - filled)
        text = f"\r[{bar}] {done} of {self._total} {self._what}, {left:.0f} s left "
        self._stream.write(text)
        self._stream.flush()
        self._drawn = True

    def close(self) -> None:
        """Wipe the bar, so that what follows starts on a clean line."""
        if self._drawn:
            self._stream.write("\r\033[K")
            self._stream.flush()


def blocks(values: AnyArray, n_bootstraps: int, bar: Bar) -> Iterator[list[AnyArray]]:
    """Blocks of configurations that take about a second each, with a bar that moves."""
    cells = max(1, values.shape[0] * values.shape[1] * n_bootstraps)
    step = max(1, int(_CELLS_PER_STEP / cells))
    try:
        for first in range(0, values.shape[2], step):
            bar.update(first)
            yield list(np.asarray(values[:, :, first : first + step]))
    finally:
        bar.close()
