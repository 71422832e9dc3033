"""Bootstrap samples of rows to train a learner on, and the estimators that use them."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import KFold

from .. import _validation
from .._training._configurations import derived_seed
from .._training._splits import Fold
from .._typing import FloatArray, IndexArray
from ..errors import InvalidValueError
from ._learner import Learner

_MOST_ATTEMPTS = 1000


def drawn_rows(learner: Learner, resamples: ArrayLike | None, n_resamples: int) -> IndexArray:
    """Return explicit bootstrap samples, or random ones, of shape (n_resamples, n_rows).

    Random samples are redrawn if no row is out of bag, or a class is missing in bag.
    """
    n_rows = learner.n_rows
    if resamples is not None:
        return _validation.resamples(resamples, n_rows, "row").astype(np.int64)
    n_classes = len(np.unique(learner.y)) if learner.classifier else 0
    bags = np.empty((n_resamples, n_rows), dtype=np.int64)
    for number in range(n_resamples):
        seed = derived_seed(learner.seed, "bootstrap", number)
        rng = np.random.default_rng([learner.seed, seed])
        for _ in range(_MOST_ATTEMPTS):
            drawn = rng.integers(n_rows, size=n_rows)
            complete = not n_classes or len(np.unique(learner.y[drawn])) == n_classes
            if complete and len(np.unique(drawn)) < n_rows:
                break
        else:
            raise InvalidValueError(
                "y", f": {_MOST_ATTEMPTS} bootstrap samples in a row lack a class: it is too rare"
            )
        bags[number] = drawn
    return bags


def values_on_bags(learner: Learner, bags: IndexArray, method: str, n_folds: int) -> FloatArray:
    """Return the method's estimate from each bootstrap sample."""
    if method in ("bcv", "bcv-distinct"):
        return _cross_validated(learner, bags, n_folds, distinct=method == "bcv-distinct")
    if method in ("632-per-bag", "632+-per-bag"):
        return _mixtures(learner, bags, plus=method == "632+-per-bag")
    folds = [Fold(drawn, _out_of_bag(drawn)) for drawn in bags]
    # Copies of a row stay together in the folds of a tuner.
    outputs = learner.outputs(folds, groups=method == "direct")
    return learner.values(folds, outputs)


def leave_one_out_bootstrap(learner: Learner, bags: IndexArray, *, plus: bool) -> float:
    """.632 and .632+ of all samples together (Efron and Tibshirani 1997, equations 24 to 32).

    A row's error is its mean over the samples without it; rows that all samples have are left out.
    """
    _need_rows(learner)
    everywhere = np.arange(learner.n_rows)
    folds = [*(Fold(drawn, _out_of_bag(drawn)) for drawn in bags), Fold(everywhere, everywhere)]
    *of_bags, of_all = learner.outputs(folds)
    sums, counts = np.zeros(learner.n_rows), np.zeros(learner.n_rows)
    for fold, predicted in zip(folds[:-1], of_bags, strict=True):
        sums[fold.test] += learner.row_values(predicted, learner.y[fold.test])
        counts[fold.test] += 1
    sign = -1.0 if learner.metric.greater_is_better else 1.0
    outside = sign * float(np.mean(sums[counts > 0] / counts[counts > 0]))
    apparent = sign * learner.score(of_all, learner.y, "on the training rows")
    ceiling = sign * learner.no_information_rate(of_all) if plus else None
    return sign * _mixture(apparent, outside, ceiling)


def _mixture(inside: float, outside: float, ceiling: float | None) -> float:
    """.632 of two errors; .632+ given a no-information rate, at which the second is capped."""
    if ceiling is None:
        return 0.368 * inside + 0.632 * outside
    outside = min(outside, ceiling)
    overfitting = (outside - inside) / (ceiling - inside) if outside > inside else 0.0
    weight = 0.632 / (1 - 0.368 * overfitting)
    return (1 - weight) * inside + weight * outside


def _need_rows(learner: Learner) -> None:
    if not learner.is_per_row:
        raise InvalidValueError(
            "metric",
            f": {learner.metric.name!r} is not a mean over rows, which the .632 estimators "
            'require; use method="oob", or another metric',
        )


def _out_of_bag(drawn: IndexArray) -> IndexArray:
    return np.setdiff1d(np.arange(len(drawn)), drawn)


def _mixtures(learner: Learner, bags: IndexArray, *, plus: bool) -> FloatArray:
    """.632 and .632+ of each sample (Bischl et al. 2012, Algorithm 4)."""
    _need_rows(learner)
    everywhere = np.arange(learner.n_rows)
    outputs = learner.outputs([Fold(drawn, everywhere) for drawn in bags])
    sign = -1.0 if learner.metric.greater_is_better else 1.0
    values = np.empty(len(bags))
    for number, (drawn, predicted) in enumerate(zip(bags, outputs, strict=True)):
        counts = np.bincount(drawn, minlength=learner.n_rows).astype(np.float64)
        inside = sign * learner.score(predicted, learner.y, "in the bag", counts)
        outside = sign * learner.score(
            predicted, learner.y, "out of the bag", (counts == 0).astype(np.float64)
        )
        ceiling = sign * learner.no_information_rate(predicted) if plus else None
        values[number] = sign * _mixture(inside, outside, ceiling)
    return values


def _cross_validated(
    learner: Learner, bags: IndexArray, n_folds: int, *, distinct: bool
) -> FloatArray:
    """Cross-validation within each sample (Fu et al. 2005).

    If `distinct`, test rows that are also training rows are left out (Hothorn et al. 2005), and
    folds without others, too.
    """
    folds: list[Fold] = []
    bag_of: list[int] = []
    for number, drawn in enumerate(bags):
        seed = derived_seed(learner.seed, "bag", number)
        for train, test in KFold(n_folds, shuffle=True, random_state=seed).split(drawn):
            tested = drawn[test]
            if distinct:
                tested = tested[~np.isin(tested, drawn[train])]
            if tested.size:
                folds.append(Fold(drawn[train], tested))
                bag_of.append(number)
    by_fold = learner.values(folds, learner.outputs(folds))
    owner = np.array(bag_of)
    empty = np.setdiff1d(np.arange(len(bags)), owner)
    if empty.size:
        raise InvalidValueError(
            "resamples", f": no test row of sample {empty[0]} is missing from its training rows"
        )
    return np.array([by_fold[owner == number].mean() for number in range(len(bags))])
