"""Copies of rows, as predictions show them."""

import numpy as np

from .._typing import AnyArray
from .._validation import Problem

#: Distinct rows whose counts, all of them, chance does not make multiples of one number.
_FEWEST_DISTINCT = 20


def times_over(problem: Problem) -> int | None:
    """How often each row occurs, with the same truth and real predictions, if all do equally often.

    Rows that are equal by chance occur in all numbers, and groups say themselves what depends.
    """
    has_holes = problem.seen is not None or problem.predicted is not None
    if problem.groups is not None or has_holes:
        return None
    columns = [array.reshape(len(array), -1) for array in problem.predictions]
    first = columns[0][:, 0]
    # Mostly the first row shows that predictions are distinct.
    if np.count_nonzero(first == first[0]) < 2 or _common_factor(first) < 2:
        return None
    truth = problem.truth
    said = (truth.codes, truth.real, truth.event, truth.time)
    columns += [each.reshape(-1, 1) for each in said if each is not None]
    rows = np.column_stack([column.astype(np.float64) for column in columns])
    n_times = _common_factor(rows.view([("", np.float64)] * rows.shape[1]).reshape(-1))
    return n_times if n_times > 1 else None


def _common_factor(values: AnyArray) -> int:
    """The largest number that divides the counts of all distinct values; 1 if they are few."""
    counts = np.unique(values, return_counts=True)[1]
    return int(np.gcd.reduce(counts)) if len(counts) >= _FEWEST_DISTINCT else 1
