"""Resampling errors of one learner, given index sets: paper 003, Algorithms 1 to 5; .632+ of 1997.

Readings chosen where the texts are silent:

- The out-of-bag loss that is capped at the no-information rate replaces the uncapped one everywhere
  in .632+: in the overfitting rate and in the final mixture.
- Values of several index sets are summed up by their mean.
- The in-bag loss counts a row as often as it was drawn.
- Bootstrap CV averages first over the test rows of a fold, then over folds, then over resamples.
  In the variant without duplicates, a fold whose test rows all occur in training is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .arithmetic import Array

#: (training rows, rows to predict) -> predictions; training rows may repeat.
FitPredict = Callable[[Array, Array], Array]
#: per-row loss(y, prediction)
Loss = Callable[[Array, Array], Array]


def held_out_loss(fit_predict: FitPredict, y: Any, loss: Loss, train: Any, test: Any) -> float:
    """Mean loss on some rows of the model trained on others."""
    train, test, y = np.asarray(train), np.asarray(test), np.asarray(y)
    return float(np.mean(loss(y[test], np.asarray(fit_predict(train, test)))))


def mean_held_out_loss(fit_predict: FitPredict, y: Any, loss: Loss, splits: Any) -> float:
    """Hold-out, CV, LOO, subsampling: mean over (train, test) pairs of the test loss."""
    return float(np.mean([held_out_loss(fit_predict, y, loss, a, b) for a, b in splits]))


def _rest(n: int, drawn: Array) -> Array:
    return np.setdiff1d(np.arange(n), drawn)


def out_of_bag(fit_predict: FitPredict, y: Any, loss: Loss, resamples: Any) -> float:
    """Mean loss on the rows never drawn."""
    n = len(np.asarray(y))
    splits = [(np.asarray(drawn), _rest(n, drawn)) for drawn in resamples]
    return mean_held_out_loss(fit_predict, y, loss, splits)


def no_information_rate(y: Any, predictions: Any, loss: Loss) -> float:
    """Mean loss over all n^2 pairs of a truth and a prediction."""
    y, predictions = np.asarray(y), np.asarray(predictions)
    return float(np.mean([np.mean(loss(np.full(len(y), t), predictions)) for t in y]))


def plus_632(in_bag: float, out: float, gamma: float) -> float:
    """.632+ of one resample."""
    capped = min(out, gamma)
    overfitting = 0.0
    if out > in_bag and gamma > in_bag:
        overfitting = (capped - in_bag) / (gamma - in_bag)
    weight = 0.632 / (1 - 0.368 * overfitting)
    return (1 - weight) * in_bag + weight * capped


def bootstrap_632(
    fit_predict: FitPredict, y: Any, loss: Loss, resamples: Any, *, plus: bool = False
) -> float:
    """.632 or .632+ bootstrap, bag by bag (Algorithm 4)."""
    y = np.asarray(y)
    n, values = len(y), []
    for row in resamples:
        drawn = np.asarray(row)
        everywhere = np.asarray(fit_predict(drawn, np.arange(n)))
        losses = loss(y, everywhere)
        in_bag, out = float(np.mean(losses[drawn])), float(np.mean(losses[_rest(n, drawn)]))
        if plus:
            values.append(plus_632(in_bag, out, no_information_rate(y, everywhere, loss)))
        else:
            values.append(0.368 * in_bag + 0.632 * out)
    return float(np.mean(values))


def leave_one_out_bootstrap(
    fit_predict: FitPredict, y: Any, loss: Loss, resamples: Any, *, plus: bool = False
) -> float:
    """.632 or .632+ of Efron and Tibshirani (1997): all resamples together, one rate and weight.

    A row's error is the mean over the resamples without it; rows that are in all are left out. The
    in-bag error and the no-information rate are those of the fit to all rows.
    """
    y = np.asarray(y)
    n = len(y)
    of_rows: list[list[float]] = [[] for _ in range(n)]
    for row in resamples:
        out = _rest(n, np.asarray(row))
        losses = loss(y[out], np.asarray(fit_predict(np.asarray(row), out)))
        for i, value in zip(out, losses, strict=True):
            of_rows[int(i)].append(float(value))
    outside = float(np.mean([np.mean(own) for own in of_rows if own]))
    fitted = np.asarray(fit_predict(np.arange(n), np.arange(n)))
    apparent = float(np.mean(loss(y, fitted)))
    if plus:
        return plus_632(apparent, outside, no_information_rate(y, fitted, loss))
    return 0.368 * apparent + 0.632 * outside


def bootstrap_cv(
    fit_predict: FitPredict,
    y: Any,
    loss: Loss,
    resamples: Any,
    folds: Any,
    *,
    no_duplicates: bool = False,
) -> float:
    """CV within each resample; ``folds`` labels the positions of a resample, one row each."""
    values = []
    for row, labels in zip(resamples, folds, strict=True):
        drawn, labels = np.asarray(row), np.asarray(labels)
        of_folds = []
        for k in np.unique(labels):
            train, test = drawn[labels != k], drawn[labels == k]
            if no_duplicates:
                test = test[~np.isin(test, train)]
            if len(test):
                of_folds.append(held_out_loss(fit_predict, y, loss, train, test))
        values.append(np.mean(of_folds))
    return float(np.mean(values))
