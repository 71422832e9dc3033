"""What all searches have in common: numbered splits, and configurations named by parameters."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._typing import CodeArray, IndexArray


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


def configuration_names(params: Iterable[Mapping[str, Any]]) -> list[str]:
    """A configuration is called by its parameters."""
    return [
        ", ".join(f"{key}={_shown(value)}" for key, value in one.items()) or "defaults"
        for one in params
    ]


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return " ".join(repr(value).split())  # reprs of nested estimators have line breaks
