"""Resampling errors of learners on rows that tell nothing, and on rows that tell something.

    python -m benches.resampling.no_information [--runs 100] [--rows 30 100] [--quick]

Without signal labels are permuted (as many of both classes: the truth is .5) and numbers are
normal; with signal, they follow the first feature. The truth is the mean error of the fits to all
rows on 2000 fresh rows. Writes `no_information.csv` beside itself: bias and root mean squared error
of each method. Half an hour of one core; forests and regression have fewer runs, and a learner is
fitted once to each bag, whichever methods ask for it. `ipred.R` has the same by R's ipred.
"""

import argparse
import warnings
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn import clone, config_context
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
N_RESAMPLES = 50
METHODS: dict[str, dict[str, Any]] = {
    "632": {},
    "632+": {},
    "632+-per-bag": {},
    "oob": {},
    "cv": {"n_folds": 10, "n_repeats": N_RESAMPLES // 10},
}


class OneNearest(BaseEstimator):
    """The value of the nearest row."""

    def fit(self, X: Any, y: Any) -> "OneNearest":
        """Keep the rows."""
        self.rows_, self.values_ = X, y
        return self

    def predict(self, X: Any) -> Any:
        """Values of the nearest."""
        squares = (self.rows_**2).sum(axis=1)
        return self.values_[np.argmin(squares - 2 * X @ self.rows_.T, axis=1)]


class Fitted(BaseEstimator):
    """A learner that is fitted once to the same rows."""

    known: ClassVar[dict[Any, Any]] = {}

    def __init__(self, learner: Any = None) -> None:
        self.learner = learner

    def fit(self, X: Any, y: Any) -> "Fitted":
        """Fit, or find the fit."""
        self.classes_ = np.unique(y)
        key = (type(self.learner), X.tobytes(), np.asarray(y).tobytes())
        if key not in self.known:
            self.known[key] = clone(self.learner).fit(X, y)
        self.fitted_ = self.known[key]
        return self

    def predict(self, X: Any) -> Any:
        """Predict."""
        return self.fitted_.predict(X)


class OfClasses(ClassifierMixin, Fitted):
    """A classifier."""


class OfNumbers(RegressorMixin, Fitted):
    """A regressor."""


LEARNERS: dict[str, tuple[Any, Any]] = {
    name: (OfClasses(of_classes), OfNumbers(of_numbers))
    for name, of_classes, of_numbers in (
        ("1-NN", OneNearest(), OneNearest()),
        ("tree", DecisionTreeClassifier(random_state=0), DecisionTreeRegressor(random_state=0)),
        (
            "forest",
            RandomForestClassifier(10, random_state=0),
            RandomForestRegressor(10, random_state=0),
        ),
    )
}


def draw(rng: np.random.Generator, n: int, of_labels: bool, signal: float) -> tuple[Any, Any]:
    """Five features and what follows the first."""
    X = rng.normal(size=(n, 5))
    if of_labels and not signal:
        return X, rng.permutation(np.arange(n) % 2)
    if of_labels:
        return X, (rng.random(n) < 1 / (1 + np.exp(-2 * signal * X[:, 0]))).astype(int)
    return X, signal * X[:, 0] + rng.normal(size=n)


def study(name: str, n: int, of_labels: bool, signal: float, runs: int) -> list[Line]:
    """A line per method."""
    learner = LEARNERS[name][0 if of_labels else 1]
    metric = "zero_one_loss" if of_labels else "mean_squared_error"
    estimates = np.empty((runs, len(METHODS)))
    truths = np.empty(runs)
    for run in range(runs):
        Fitted.known.clear()
        rng = np.random.default_rng([run, n])
        (X, y), (Z, z) = (draw(rng, size, of_labels, signal) for size in (n, 2000))
        predicted = learner.fit(X, y).predict(Z)
        truths[run] = np.mean(predicted != z) if of_labels else np.mean((predicted - z) ** 2)
        for i, (method, options) in enumerate(METHODS.items()):
            options = options or {"n_resamples": N_RESAMPLES}
            found: Any = bbc.baselines.resampling_error(
                learner, X, y, method=method, metric=metric, random_state=run, **options
            )
            estimates[run, i] = found.estimate
    errors = estimates - truths.mean()
    return [
        {
            "learner": name,
            "metric": metric,
            "n_rows": n,
            "signal": signal,
            "method": method,
            "runs": runs,
            "truth": float(truths.mean()),
            "bias": float(errors[:, i].mean()),
            "bias_se": float(errors[:, i].std(ddof=1) / np.sqrt(runs)),
            "rmse": float(np.sqrt(np.mean(errors[:, i] ** 2))),
        }
        for i, method in enumerate(METHODS)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rows", type=int, nargs="+", default=[30, 100])
    parser.add_argument("--quick", action="store_true", help="2 runs, nothing is written")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    lines: list[Line] = []
    for name, n, of_labels, signal in product(LEARNERS, arguments.rows, (True, False), (0.0, 1.0)):
        runs = 2 if arguments.quick else arguments.runs
        runs = max(2, int(runs * (0.2 if name == "forest" else 1) * (1 if of_labels else 0.4)))
        runs = max(2, runs // 2) if n > 50 else runs
        with config_context(assume_finite=True, skip_parameter_validation=True):
            lines += study(name, n, of_labels, signal, runs)
        print(*(list(line.values()) for line in lines[-len(METHODS) :]), sep="\n", flush=True)
        if not arguments.quick:
            write_csv(lines, HERE / "no_information.csv")


if __name__ == "__main__":
    main()
