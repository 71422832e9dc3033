"""What a halving search of scikit-learn leaves: its iterations, and the rows new in the last."""

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


class Halved(NamedTuple):
    """The iterations of a halving search, and the rows of which the last one predicted.

    Attributes
    ----------
    places : tuple of ndarray of int
        The places of each iteration's configurations in `cv_results_`, from the last iteration to
        the first; of a search by `n_samples` of the last one alone, whose models are comparable.
    partitions : tuple of Partition
        The folds, of which each tests the rows that the last iteration drew from it.
    rungs : Rungs or None
        For a search by `n_samples`, the iteration that tested each row first. Only rows that are
        new in the last one score: what the survivors are was decided on the others.
    """

    places: tuple[IndexArray, ...]
    partitions: tuple[Partition, ...]
    rungs: Rungs | None

    @property
    def last(self) -> IndexArray:
        """The places of the configurations that were evaluated last."""
        return self.places[0]


def refuse_unreproducible(search: Any) -> None:
    """Refuse halving whose rows cannot be told afterwards."""
    if search.resource == "n_samples" and not isinstance(search.random_state, Integral):
        raise InvalidValueError(
            "search", ": its random_state must be an integer, which says the rows of each iteration"
        )


def halved(search: Any, partitions: Sequence[Partition], n_rows: int) -> Halved | None:
    """What a fitted halving search left; None of other searches."""
    if not hasattr(search, "factor"):
        return None
    iterations = np.asarray(search.cv_results_["iter"])
    n_iterations = int(iterations.max()) + 1
    places = tuple(np.flatnonzero(iterations == i) for i in reversed(range(n_iterations)))
    if search.resource != "n_samples":
        return Halved(places, tuple(partitions), None)
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
    of_rows = np.tile(first, (len(partitions), 1))
    return Halved(places[:1], last, Rungs(of_rows, choose_only=earlier, burn=0))


def places_before(search: Any, before: IndexArray, after: IndexArray) -> IndexArray:
    """Where the configurations of an iteration stood in the one before; -1 where they did not.

    scikit-learn hands the same values on, of which the resource alone is replaced.
    """

    def key(place: int) -> tuple[tuple[str, int], ...]:
        params = search.cv_results_["params"][place]
        return tuple(
            (name, id(value)) for name, value in sorted(params.items()) if name != search.resource
        )

    found = {key(place): i for i, place in reversed(list(enumerate(before.tolist())))}
    return np.array([found.get(key(place), -1) for place in after.tolist()])


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


def by_rungs(metric: Any, rungs: Rungs) -> dict[str, Any]:
    """Arguments of `bbc.correct` that score by rungs."""
    pooling = "rung" if _validation.compares_pairs(metrics.get(metric)) else "pooled"
    return {"missing": "rungs", "rungs": rungs, "pooling": pooling}
