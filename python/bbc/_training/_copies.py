"""Rows that occur again outside their fold: models knew the truth of their copies."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from .._typing import AnyArray, BoolArray, IndexArray
from ._splits import Partition, contents

#: Distinct rows, and the share of them that occurs again: of fewer nothing is said.
_FEWEST, _SHARE = 20, 0.02
#: Shares of distinct rows that both halves of the columns, or one of them, tell apart.
_BOTH, _ONE = 0.9, 0.99
#: Rows whose inputs occur with another truth, relative to those that occur with the same.
_OTHERWISE = 0.05


def copies_across_folds(X: Any, y: AnyArray, partitions: Sequence[Partition]) -> int | None:
    """Return how many rows have copies outside their fold, of inputs and truth; None of no table.

    Rows can be equal by chance if values are few: then equal inputs have different truths, or half
    of the columns does not tell other rows apart. Of such rows it is 0, unless all occur equally
    often.
    """
    table = _table(X)
    if table is None:
        return None
    inputs = _digests(table)
    whole = 31 * inputs + _digests(y.reshape(len(y), -1))
    _, first, own, counts = np.unique(
        whole, return_index=True, return_inverse=True, return_counts=True
    )
    copied = counts[own] > 1
    if len(first) < _FEWEST or (counts > 1).mean() < _SHARE:
        return 0
    otherwise = _occurs_again(inputs) & ~copied
    if otherwise.sum() > _OTHERWISE * copied.sum():
        return 0
    if np.gcd.reduce(counts) == 1 and not _tells_apart(table[first]):
        return 0
    across = np.zeros(len(y), dtype=bool)
    for partition in partitions:
        fold = partition.fold_ids(len(y))
        lowest = np.full(len(first), len(partition.folds))
        highest = np.full(len(first), -1)
        np.minimum.at(lowest, own, fold)
        np.maximum.at(highest, own, fold)
        across |= (fold >= 0) & (lowest < highest)[own]
    return int(across.sum())


def _table(X: Any) -> Any:
    """Inputs whose rows and columns can be taken; None of texts and other objects."""
    if sparse.issparse(X):
        table = sparse.csr_array(X, copy=True)
        table.sum_duplicates()
        return table
    try:
        array = np.asarray(X)
    except (TypeError, ValueError):  # rows of unlike lengths, and what only its learner reads
        return None
    return array.reshape(len(array), -1) if array.ndim > 1 else None


def _digests(table: Any) -> IndexArray:
    """A number per row, equal for equal rows."""
    if sparse.issparse(table):
        parts = (slice(*ends) for ends in pairwise(table.indptr.tolist()))
        rows: Any = ((table.indices[at].tobytes(), table.data[at].tobytes()) for at in parts)
    else:
        rows = contents(table)
    return np.fromiter(map(hash, rows), np.int64, table.shape[0])


def _occurs_again(values: IndexArray) -> BoolArray:
    _, own, counts = np.unique(values, return_inverse=True, return_counts=True)
    again: BoolArray = counts[own] > 1
    return again


def _tells_apart(distinct: Any) -> bool:
    """Whether so much of the columns tells rows apart that chance makes no two of them equal."""
    n_rows, n_columns = distinct.shape
    if n_columns < 2:
        return False
    columns = np.arange(n_columns)
    # Neighbouring columns may be of one category, and the later ones derived from the earlier.
    for first in (columns < n_columns // 2, columns % 2 == 0):
        halves = (distinct[:, columns[half]] for half in (first, ~first))
        shares = sorted(len(np.unique(_digests(half))) / n_rows for half in halves)
        if shares[0] < _BOTH and shares[1] < _ONE:
            return False
    return True
