"""The last iteration of a halving search of scikit-learn, and the rows that are new in it."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import resample

from .. import _validation, metrics
from .._training._splits import Fold, Partition
from .._typing import IndexArray
from ..errors import InvalidValueError
from ..selection import Rungs


class LastIteration(NamedTuple):
    """The survivors of a halving search, and the rows of which they predicted.

    Attributes
    ----------
    places : ndarray of int
        Their places in `cv_results_`.
    partitions : tuple of Partition
        The folds, of which each tests the rows that the last iteration drew from it.
    rungs : Rungs
        The iteration that tested each row first. Only rows that are new in the last one score:
        what the survivors are was decided on the others.
    """

    places: IndexArray
    partitions: tuple[Partition, ...]
    rungs: Rungs


def refuse_unreproducible(search: Any) -> None:
    """Refuse halving whose rows cannot be told afterwards, or which are those of all iterations."""
    if search.resource != "n_samples":
        raise InvalidValueError(
            "search",
            f": its iterations differ in {search.resource}, not in rows, so that no row is new to "
            "the configurations that are left",
            hint='use resource="n_samples", or a search over all configurations',
        )
    if not isinstance(search.random_state, Integral):
        raise InvalidValueError(
            "search", ": its random_state must be an integer, which says the rows of each iteration"
        )


def last_iteration(
    search: Any, partitions: Sequence[Partition], n_rows: int
) -> LastIteration | None:
    """What a fitted halving search evaluated last; None of other searches."""
    if not hasattr(search, "factor"):
        return None
    iterations = np.asarray(search.cv_results_["iter"])
    n_iterations = int(iterations.max()) + 1
    first = np.full(n_rows, n_iterations)
    for number in reversed(range(n_iterations)):
        drawn = [
            Partition(
                tuple(
                    Fold(fold.train, _drawn(search, number, fold.test, n_rows))
                    for fold in each.folds
                )
            )
            for each in partitions
        ]
        if number == n_iterations - 1:
            last = tuple(drawn)
        for partition in drawn:
            for fold in partition.folds:
                first[fold.test] = number
    earlier = np.unique(first[first < n_iterations - 1]).tolist()
    return LastIteration(
        np.flatnonzero(iterations == n_iterations - 1),
        last,
        Rungs(first, choose_only=earlier, burn=0),
    )


def _drawn(search: Any, iteration: int, rows: IndexArray, n_rows: int) -> IndexArray:
    """The rows of a fold that an iteration tests, as scikit-learn draws them."""
    share = search.n_resources_[iteration] / n_rows
    drawn: IndexArray = resample(
        rows,
        replace=False,
        random_state=int(search.random_state),
        n_samples=int(share * len(rows)),
    )
    return drawn


def of_last(configurations: Sequence[Any], last: LastIteration | None) -> Sequence[Any]:
    """The configurations that a halving search evaluated last; all of another search."""
    return configurations if last is None else [configurations[place] for place in last.places]


def by_rungs(metric: Any, rungs: Rungs) -> dict[str, Any]:
    """Arguments of `bbc.correct` that score by rungs."""
    pooling = "rung" if _validation.compares_pairs(metrics.get(metric)) else "pooled"
    return {"missing": "rungs", "rungs": rungs, "pooling": pooling}
