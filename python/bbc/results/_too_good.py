"""Folds and groups that were made from the truth, and copies of rows."""

from typing import Any

import numpy as np

from .._typing import AnyArray, CodeArray
from .._validation import Problem

#: Rows beyond one of each fold; of fewer, one value in each may be chance.
_FEWEST = 10
#: Distinct rows whose counts, all of them, chance does not make multiples of one number.
_FEWEST_DISTINCT = 20
#: Facts of a truth that neither folds nor groups tell.
NOT_TOLD = dict.fromkeys(("folds_tell_truth", "groups_tell_truth", "n_truth_folds"))


def determined_truth(problem: Problem) -> dict[str, Any]:
    """Whether each fold has one value of the truth, or each group, if there are as few."""
    truth, folds, groups = problem.truth, problem.folds, problem.groups
    values = truth.codes if truth.codes is not None else truth.real
    facts: dict[str, Any] = dict(NOT_TOLD)
    if values is None:
        return facts
    if folds is not None:
        own = folds[0]
        facts["folds_tell_truth"] = bool(_tell(own[own >= 0], values[own >= 0]))
        facts["n_truth_folds"] = int(own.max()) + 1
    if groups is not None and truth.codes is not None and not problem.block_length:
        few = int(groups.max()) + 1 <= truth.n_classes
        facts["groups_tell_truth"] = few and _tell(groups, values)
    return facts


def _tell(parts: CodeArray, values: AnyArray) -> bool:
    n_parts = int(parts.max(initial=0)) + 1
    if n_parts < 2 or len(values) - n_parts < _FEWEST:
        return False
    first = np.empty(n_parts, values.dtype)
    first[parts[::-1]] = values[::-1]
    return bool((values == first[parts]).all() and (first != first[0]).any())


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
