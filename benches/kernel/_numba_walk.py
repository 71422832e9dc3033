"""AUC as numba compiles it."""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from ._peers import draw

Array = npt.NDArray[Any]


@numba.njit  # type: ignore[untyped-decorator]
def _walk(order: Array, y: Array, scores: Array, weights: Array) -> float:
    """Pairs in the right order, in one pass over the sorted rows."""
    twice, below, tied_negatives, tied_positives = 0, 0, 0, 0
    n_positives, n_negatives = 0, 0
    last = len(order) - 1
    for i, row in enumerate(order):
        weight = weights[row]
        if y[row] == 1:
            tied_positives += weight
            n_positives += weight
        else:
            tied_negatives += weight
            n_negatives += weight
        if i == last or scores[row] != scores[order[i + 1]]:
            twice += tied_positives * (2 * below + tied_negatives)
            below += tied_negatives
            tied_positives, tied_negatives = 0, 0
    return twice / (2 * n_positives * n_negatives)


@numba.njit  # type: ignore[untyped-decorator]
def _walk_all(orders: Array, y: Array, columns: Array, counts: Array) -> Array:
    out = np.empty(counts.shape[0])
    for b in range(counts.shape[0]):
        best, winner = -1.0, -1
        for j in range(orders.shape[0]):
            score = _walk(orders[j], y, columns[j], counts[b])
            if score > best:
                best, winner = score, j
        out_of_bag = (counts[b] == 0).astype(np.int64)
        out[b] = _walk(orders[winner], y, columns[winner], out_of_bag)
    return out


def numba_walk(y: Array, predictions: Array, metric: str, n_bootstraps: int) -> float:
    """AUC: sorted once, each replicate walked in the order of the scores."""
    del metric
    columns = np.ascontiguousarray(predictions.T)
    orders = np.argsort(columns, axis=1, kind="stable")
    return float(_walk_all(orders, y, columns, draw(len(y), n_bootstraps)).mean())
