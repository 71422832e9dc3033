"""BBC020: predictions that run against the truth, for metrics other than the AUC.

Learners on a truth that is independent of their inputs, where a finding is a false alarm, and their
predictions turned round on a truth that depends on them, where it is none. `null` is the share of
false alarms, `turned` that of turned predictions that are found; `pooled null` is the mean
correlation of predictions and truth on all rows of the null, which shows how they lean away. In
leave-one-out, folds have one row and nothing is tested.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bbc import _validation, metrics
from bbc._engine import association

from ._study import Line, Study

Array = NDArray[np.float64]
Fit = Callable[[Array, Array, Array], Array]


def ridge(X: Array, y: Array, new: Array, penalty: float) -> Array:
    """Ridge regression; the larger the penalty, the nearer to the mean."""
    mean, centre = y.mean(), X.mean(axis=0)
    A = X - centre
    beta = np.linalg.solve(A.T @ A + penalty * np.eye(X.shape[1]), A.T @ (y - mean))
    predicted: Array = mean + (new - centre) @ beta
    return predicted


def neighbours(X: Array, y: Array, new: Array, k: int) -> Array:
    """The mean of the nearest rows."""
    distances = ((new[:, None] - X) ** 2).sum(axis=2)
    predicted: Array = y[np.argsort(distances, axis=1, kind="stable")[:, :k]].mean(axis=1)
    return predicted


LEARNERS: dict[str, Fit] = {
    "mean": lambda X, y, new: np.full(len(new), y.mean()),
    "ridge 1000": partial(ridge, penalty=1e3),
    "ridge 1": partial(ridge, penalty=1.0),
    "1 neighbour": partial(neighbours, k=1),
    "9 neighbours": partial(neighbours, k=9),
}
SETTINGS = [
    ("r2", "numbers"),
    ("r2", "heavy tails"),
    ("accuracy", "balanced"),
    ("brier_score", "balanced"),
    ("average_precision", "one in six"),
    ("mcc", "one in six"),
    ("accuracy", "three classes"),
    ("log_loss", "three classes"),
]


def of_fold(metric: str, fit: Fit, X: Array, y: Array, new: Array, n_classes: int) -> Array:
    """What a learner predicts, in the form that the metric reads."""
    if metric == "r2":
        return fit(X, y, new)
    shares = np.column_stack([fit(X, (y == c) * 1.0, new) for c in range(n_classes)])
    if metric in ("accuracy", "mcc"):
        return shares.argmax(axis=1).astype(float)
    shares = np.clip(shares, 1e-6, 1)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares if n_classes > 2 else shares[:, 1]


def turned(metric: str, predicted: Array) -> Array:
    """The same the wrong way round."""
    if metric == "r2":
        return 2 * predicted.mean() - predicted
    if predicted.ndim > 1:
        return predicted[:, ::-1]
    if metric in ("accuracy", "mcc") and predicted.max() > 1:
        return (predicted + 1) % 3
    return 1 - predicted


def is_found(metric: str, y: Array, predicted: Array, folds: NDArray[np.int64]) -> bool:
    made = metrics.get(metric)
    truth = y if metric == "r2" else y.astype(int)
    given = predicted.astype(int) if metric in ("accuracy", "mcc") else predicted
    classes = None if metric == "r2" else np.unique(truth)
    data = _validation.Data(truth, given[:, None], folds=folds, labels=classes)
    return association(_validation.problem(data, made, _validation.PLAIN), made, 0)[2]


def truths(kind: str, signal: Array, rng: np.random.Generator) -> Array:
    if kind == "numbers":
        return signal + rng.normal(size=len(signal))
    if kind == "heavy tails":
        return signal + rng.standard_t(2.5, len(signal))
    cuts = {"balanced": [0.0], "one in six": [1.0], "three classes": [-0.5, 0.5]}[kind]
    noisy = signal + rng.normal(size=len(signal))
    found = np.digitize(noisy, cuts).astype(float)
    found[: len(cuts) + 1] = np.arange(len(cuts) + 1)
    return found


def simulate(
    metric: str, kind: str, fit: Fit, n: int, n_folds: int, rng: np.random.Generator
) -> tuple[bool, bool, float]:
    folds = rng.permutation(np.arange(n) % n_folds)
    X = rng.normal(size=(n, 5))
    found = []
    correlation = 0.0
    for signal in (np.zeros(n), 1.5 * X[:, 0]):
        y = truths(kind, signal, rng)
        parts = []
        for k in range(n_folds):
            out = folds == k
            made = of_fold(metric, fit, X[~out], y[~out], X[out], int(y.max()) + 1)
            parts.append((out, made))
        predicted = np.zeros((n, *parts[0][1].shape[1:]))
        for out, part in parts:
            predicted[out] = part.reshape(int(out.sum()), *predicted.shape[1:])
        if signal.any():
            predicted = turned(metric, predicted)
        elif predicted.ndim == 1 and predicted.std() > 0:
            correlation = float(np.corrcoef(predicted, y)[0, 1])
        found.append(is_found(metric, y, predicted, folds))
    return found[0], found[1], correlation


def run(n_repetitions: int) -> Iterator[Line]:
    for place, (metric, kind) in enumerate(SETTINGS):
        for learner, fit in LEARNERS.items():
            for n, n_folds in ((30, 5), (100, 10), (200, 5)):
                rng = np.random.default_rng([20, place, n, n_folds])
                found = [simulate(metric, kind, fit, n, n_folds, rng) for _ in range(n_repetitions)]
                null, wrong, correlation = np.mean(np.array(found, float), axis=0)
                yield {
                    "metric": metric,
                    "truth": kind,
                    "learner": learner,
                    "rows": n,
                    "folds": n_folds,
                    "null": float(null),
                    "turned": float(wrong),
                    "pooled null": float(correlation),
                    "repetitions": n_repetitions,
                }


STUDY = Study("BBC020", run)
