"""What all searches have in common: numbered splits."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._typing import CodeArray, IndexArray


def as_rows(rows: Any) -> IndexArray:
    """Numbers of rows, which a splitter may give as a mask."""
    array = np.asarray(rows)
    return np.flatnonzero(array) if array.dtype == bool else array


def partitions(tests: Sequence[IndexArray | None], n_rows: int) -> tuple[list[int], CodeArray]:
    """The repeat of each split, and the fold of each row in each repeat (-1: never tested).

    A new repeat starts when a row is tested again.
    """
    repeats: list[int] = []
    folds = [np.full(n_rows, -1, np.int32)]
    fold = 0
    for rows in tests:
        if rows is not None and (folds[-1][rows] >= 0).any():
            folds.append(np.full(n_rows, -1, np.int32))
            fold = 0
        if rows is not None:
            folds[-1][rows] = fold
        repeats.append(len(folds) - 1)
        fold += 1
    return repeats, np.stack(folds)
