"""Resampling without replacement: hold-out, cross-validation, subsampling."""

from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold

from .. import _validation
from .._training._configurations import derived_seed
from .._training._splits import Fold
from .._typing import IndexArray
from ..errors import Argument, InvalidValueError
from ._learner import Learner
from .splitters import ClusterKFold, QuantileKFold

Strata: TypeAlias = Literal["classes", "bins", "clusters"]

_RATIOS = {"holdout": 2 / 3, "subsampling": 0.9}


def make_folds(
    learner: Learner,
    method: str,
    ratio: float | None,
    n_folds: int,
    n_repeats: int,
    stratify: Strata | None,
    n_resamples: int,
) -> list[Fold]:
    """Return the training and test rows of a method."""
    if method in _RATIOS:
        share = _RATIOS[method] if ratio is None else float(ratio)
        n_train = int(share * learner.n_rows)  # Bischl et al. 2012, Algorithm 5
        if not 0 < n_train < learner.n_rows:
            raise ValueError(f"ratio={share:g} leaves no rows to train on, or none to test on")
        n_sets = 1 if method == "holdout" else n_resamples
        return [
            _hold_out(_generator(learner, method, number), learner.n_rows, n_train)
            for number in range(n_sets)
        ]
    if ratio is not None:
        raise InvalidValueError("ratio", f"has no meaning for method={method!r}")
    if method == "loo":
        splits = LeaveOneOut().split(np.zeros(learner.n_rows))
        return [Fold(train, test) for train, test in splits]
    folds = []
    for repeat in range(n_repeats):
        splitter = _splitter(learner, n_folds, stratify, repeat)
        folds += [Fold(train, test) for train, test in splitter.split(learner.X, learner.y)]
    return folds


def halves(learner: Learner, n_halvings: int, n_resamples: int, n_test: int) -> list[Fold]:
    """Return hold-outs within random halves of the rows, by halving, half and iteration."""
    size = learner.n_rows // 2
    n_train = size - n_test
    if n_train < 1:
        raise ValueError(f"a half of {learner.n_rows} rows leaves none to train on: raise ratio")
    folds = []
    for number in range(n_halvings):
        rng = _generator(learner, "halves", number)
        order = rng.permutation(learner.n_rows)
        for half in (order[:size], order[size : 2 * size]):
            folds += [_hold_out(rng, half, n_train) for _ in range(n_resamples)]
    return folds


def _splitter(learner: Learner, n_folds: int, stratify: Strata | None, repeat: int) -> Any:
    kind = stratify or ("classes" if learner.classifier else None)
    options: dict[str, Any] = {
        "shuffle": True,
        "random_state": derived_seed(learner.seed, "cv", repeat),
    }
    if kind is None:
        return KFold(n_folds, **options)
    _validation.choice(kind, "stratify", ("classes", "bins", "clusters"))
    if kind == "classes":
        if not learner.classifier:
            raise InvalidValueError(Argument("stratify", "classes"), "needs a classifier")
        return StratifiedKFold(n_folds, **options)
    return (QuantileKFold if kind == "bins" else ClusterKFold)(n_folds, **options)


def _hold_out(rng: np.random.Generator, rows: int | IndexArray, n_train: int) -> Fold:
    return Fold(*np.split(rng.permutation(rows), [n_train]))


def _generator(learner: Learner, *purpose: object) -> np.random.Generator:
    return np.random.default_rng([learner.seed, derived_seed(learner.seed, *purpose)])
