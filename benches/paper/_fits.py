"""The expensive part of the real-data studies: everything that trains a model, kept on disk."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import KFold

import bbc

from ._data import CACHE, Data, load, split, subset
from ._learners import learners
from ._study import generator

METRICS = ("accuracy", "roc_auc")
MOST_HELD_OUT = 4000
MOST_FOLDS = 10
# Thousands of fits of 20 rows: scikit-learn's checks would be a fifth of the time.
UNCHECKED = {"assume_finite": True, "skip_parameter_validation": True}
# Bump when anything here changes what a fit is.
VERSION = 1

Fits = dict[str, Any]


def by_metric(correction: Any) -> dict[str, Any]:
    """The estimates of a correction by all of its metrics."""
    return {correction.metric: correction, **correction.secondary}


def fits(dataset: str, n_rows: int, number: int, *, n_repeats: int, quick: bool) -> Fits:
    """Predictions, nested estimates and hold-out truth of one sub-sample, trained once."""
    path = CACHE / "fits" / f"{VERSION}-{dataset}-{n_rows}-{number}-{n_repeats}.npz"
    if not quick and path.exists():
        with np.load(path) as stored:
            return dict(stored)
    with warnings.catch_warnings(), config_context(**UNCHECKED):
        # Pooled decision values, iterations that ran out: the same for every protocol compared.
        warnings.simplefilter("ignore")
        found = _train(dataset, n_rows, number, n_repeats, quick)
    if not quick:
        _keep(path, found)
    return found


def _keep(path: Path, found: Fits) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp.npz")
    np.savez_compressed(unfinished, **found)
    unfinished.replace(path)


def _train(dataset: str, n_rows: int, number: int, n_repeats: int, quick: bool) -> Fits:
    halves = split(load(dataset))
    rng = generator("fits", dataset, n_rows, number)
    data = subset(halves.pool, n_rows, rng)
    n_folds = folds_of(data, quick=quick)
    estimators, grids = learners(data.X.shape[1], quick=quick)
    common = {"scoring": list(METRICS), "refit": False, "random_state": number}
    repeated = bbc.CVT(estimators, grids, cv=n_folds, n_repeats=n_repeats, **common)
    repeated.fit(data.X, data.y)
    found = {
        "y": data.y,
        "n_folds": n_folds,
        **predictions_of(repeated, ""),
        **truth_of(repeated, data, halves.held_out),
    }
    nested = bbc.NCV(estimators, grids, cv=n_folds, **common).fit(data.X, data.y)
    for metric, each in by_metric(nested.performance_).items():
        found[f"ncv_{metric}"] = each.estimate
    # Not stratified: only accuracy has a value in every fold.
    plain = KFold(n_folds, shuffle=True, random_state=number)
    alone = {**common, "scoring": "accuracy"}
    nested = bbc.NCV(estimators, grids, cv=plain, **alone).fit(data.X, data.y)
    again = KFold(n_folds, shuffle=True, random_state=number + 10_000)
    rerun = bbc.CVT(estimators, grids, cv=again, **alone).fit(data.X, data.y)
    # With three rows of the rarer class a training set may have none of them.
    if all_trained(nested) and all_trained(rerun):
        found["ns_ncv_accuracy"] = nested.performance_.estimate
        found |= predictions_of(nested, "ns_") | predictions_of(rerun, "ns_again_")
    return found


def folds_of(data: Data, *, quick: bool) -> int:
    """As many as the rarer class has rows, ten at most."""
    return min(3 if quick else MOST_FOLDS, int(np.bincount(data.y).min()))


def all_trained(fitted: Any) -> bool:
    return bool(fitted.oos_predictions_.n_configurations == len(fitted.configurations_))


def predictions_of(fitted: Any, prefix: str) -> Fits:
    made = fitted.oos_predictions_
    if not all_trained(fitted):
        raise RuntimeError("a configuration failed: the arrays would not line up")
    found = {f"{prefix}folds": made.folds}
    if made.labels is not None:
        found[f"{prefix}labels"] = np.asarray(made.labels, dtype=np.int8)
    if made.scores is not None:
        scores = made.scores if made.scores.ndim == 3 else made.scores[..., 1]
        found[f"{prefix}scores"] = np.asarray(scores, dtype=np.float64)
    return found


def truth_of(fitted: Any, data: Data, held_out: Data) -> Fits:
    """Performance of every configuration, trained on all rows, on the hold-out."""
    X, y = held_out.X[:MOST_HELD_OUT], held_out.y[:MOST_HELD_OUT]
    truth: dict[str, list[float]] = {metric: [] for metric in METRICS}
    for configuration in fitted.configurations_:
        model = configuration.build().fit(data.X, data.y)
        response = getattr(model, "decision_function", None)
        scores = model.predict_proba(X)[:, 1] if response is None else response(X)
        truth["accuracy"].append(accuracy_score(y, model.predict(X)))
        truth["roc_auc"].append(roc_auc_score(y, scores))
    return {f"truth_{metric}": np.array(values) for metric, values in truth.items()}
