"""The coupled estimate against the corrected one, with grids of one learner on real data.

    nice -n 15 python -m benches.selection_left.coupled [--runs 200] [--only TEXT] [--quick]

Each run draws rows of a data set that comes with scikit-learn, cross-validates a grid (5 stratified
folds), corrects the winner and asks for the optimism that remains; the winner, refitted on the rows
drawn, is scored on all others: that is the truth. `coupled.csv` has, for each grid and metric, the
mean errors (positive: too good) of the corrected and of the coupled estimate, the median kappa, and
the ratio of their root mean squared errors with its standard error, which is of pairs. The noise of
the truth is in both. Grids of feature subsets are there for contrast: they compare many different
models. Lines are written grid by grid, and those that the table has are not computed again. Twenty
minutes of one core.
"""

import argparse
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, lines_of, write_csv
from .left import Fit, Floats, cross_validated, partition

TABLE = Path(__file__).resolve().parent / "coupled.csv"
N_FOLDS = 5
#: Of breast cancer: those that tell little each, else there is nothing to choose.
WEAK = [1, 4, 8, 9, 11, 14, 18, 19]


def sigmoid(x: Any) -> Floats:
    """Decision values as risks, which order rows alike."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def most_correlated(X: Floats, y: Any, n_kept: int) -> Any:
    """The features that an F test prefers."""
    centred = X - X.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0))
    strength = np.abs(centred.T @ (y - y.mean())) / np.maximum(spread, 1e-12)
    return np.argsort(-strength, kind="stable")[:n_kept]


def logistic(n_kept: int, C: float) -> Fit:
    """Logistic regression of some features."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        kept = most_correlated(X, y, n_kept)
        model = LogisticRegression(C=C, solver="liblinear").fit(X[:, kept], y)
        return np.asarray(model.predict_proba(Z[:, kept])[:, 1])

    return fit


def neighbours(k: int, n_kept: int) -> Fit:
    """The mean of the nearest rows, by some features."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        kept = most_correlated(X, y, n_kept)
        A, B = X[:, kept], Z[:, kept]
        squares = (A**2).sum(axis=1) - 2 * B @ A.T
        return np.asarray(y[np.argpartition(squares, k - 1, axis=1)[:, :k]].mean(axis=1))

    return fit


def machine(C: float, gamma: float) -> Fit:
    """Support vector machine with a Gaussian kernel."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        return sigmoid(2 * SVC(C=C, gamma=gamma).fit(X, y).decision_function(Z))

    return fit


def tree(depth: int, leaf: int, *, of_classes: bool = True) -> Fit:
    """One decision tree."""
    given = {"max_depth": depth, "min_samples_leaf": leaf, "random_state": 0}

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        if of_classes:
            model = DecisionTreeClassifier(**given).fit(X, y)
            return np.asarray(model.predict_proba(Z)[:, 1])
        return np.asarray(DecisionTreeRegressor(**given).fit(X, y).predict(Z))

    return fit


def ridge(alpha: float, n_kept: int) -> Fit:
    """Ridge regression of some features."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        kept = most_correlated(X, y, n_kept)
        A, mean = X[:, kept], X[:, kept].mean(axis=0)
        own = np.linalg.solve((A - mean).T @ (A - mean) + alpha * np.eye(n_kept), (A - mean).T @ y)
        return np.asarray(y.mean() + (Z[:, kept] - mean) @ own)

    return fit


def discriminant(features: Any) -> Fit:
    """Linear discriminant of a few features."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        A, B = X[:, features], Z[:, features]
        one, other = A[y == 1].mean(axis=0), A[y == 0].mean(axis=0)
        within = np.cov((A - np.where(y[:, None] == 1, one, other)).T)
        direction = np.linalg.solve(within + 0.1 * np.eye(len(features)), one - other)
        return sigmoid((B - (one + other) / 2) @ direction)

    return fit


class Data(NamedTuple):
    """Rows of a data set, of which so many are drawn."""

    X: Floats
    y: Any
    n: int


def scaled(X: Any, y: Any, n: int) -> Data:
    """With features of one scale; those that do not vary are left out."""
    X = np.asarray(X, dtype=float)
    X = X[:, X.std(axis=0) > 0]
    return Data((X - X.mean(axis=0)) / X.std(axis=0), np.asarray(y), n)


def digits(one: int, other: int) -> Data:
    """Two of the ten digits."""
    X, y = load_digits(return_X_y=True)
    of_both = (y == one) | (y == other)
    return scaled(X[of_both], (y[of_both] == one).astype(int), 60)


def data() -> dict[str, Data]:
    """By name; those of two classes, and one of numbers."""
    cancer, wine, sugar = load_breast_cancer(), load_wine(), load_diabetes()
    above = (sugar.target > np.median(sugar.target)).astype(int)
    shuffled = np.random.default_rng(7).permutation(cancer.target)
    return {
        "breast cancer": scaled(cancer.data[:, WEAK], cancer.target, 80),
        "digits 3 and 8": digits(3, 8),
        "digits 1 and 8": digits(1, 8),
        "wine 2": scaled(wine.data[:, :7], (wine.target == 1).astype(int), 60),
        "diabetes above the median": scaled(sugar.data, above, 80),
        "diabetes": scaled(sugar.data, sugar.target, 80),
        "breast cancer, shuffled truth": scaled(cancer.data, shuffled, 60),
    }


KNN = [neighbours(k, p) for k, p in product((1, 3, 5, 9, 15, 25), (2, 4, 7))]
LEARNERS: dict[str, list[Fit]] = {
    "nearest neighbours": KNN,
    "logistic regression": [
        logistic(k, C) for k, C in product((1, 2, 4, 7), (0.01, 0.1, 1.0, 10.0))
    ],
    "support vector machine": [
        machine(C, g) for C, g in product((0.1, 1.0, 10.0, 100.0), (0.003, 0.03, 0.3))
    ],
    "decision tree": [tree(d, m) for d, m in product((1, 2, 3, 5, 8), (1, 3, 6, 12))],
}
OF_NUMBERS: dict[str, list[Fit]] = {
    "nearest neighbours": KNN,
    "ridge regression": [
        ridge(a, k) for a, k in product((0.1, 1.0, 10.0, 100.0, 1000.0), (1, 2, 4, 10))
    ],
    "decision tree": [
        tree(d, m, of_classes=False) for d, m in product((1, 2, 3, 5, 8), (1, 3, 6, 12))
    ],
}


def subsets(n_features: int) -> list[Fit]:
    """Fifty discriminants of four features each."""
    rng = np.random.default_rng(1)
    return [discriminant(rng.choice(n_features, 4, replace=False)) for _ in range(50)]


def grids() -> dict[tuple[str, str], tuple[Data, list[Fit]]]:
    """By learner and data; those of many different models, then those of one learner."""
    sets = data()
    shuffled = "breast cancer, shuffled truth"
    two = [name for name in sets if name not in ("diabetes", shuffled)]
    found = {}
    for name in (shuffled, "digits 3 and 8", "digits 1 and 8", "diabetes above the median"):
        own = sets[name]
        found["50 discriminants of feature subsets", name] = own, subsets(own.X.shape[1])
    found |= {(k, "diabetes"): (sets["diabetes"], grid) for k, grid in OF_NUMBERS.items()}
    found |= {(k, name): (sets[name], grid) for k, grid in LEARNERS.items() for name in two}
    last = "decision tree"  # which takes long
    return dict(sorted(found.items(), key=lambda item: item[0][0] == last))


#: What each metric reads, and what a higher number is.
METRICS: dict[str, tuple[Callable[[Floats], Any], Callable[[Any, Any], float]]] = {
    "roc_auc": (lambda p: p, lambda y, p: float(roc_auc_score(y, p))),
    "accuracy": (lambda p: (p > 0.5).astype(int), lambda y, p: float((y == p).mean())),
    "brier_score": (lambda p: p, lambda y, p: float(((y - p) ** 2).mean())),
    "mean_squared_error": (lambda p: p, lambda y, p: float(((y - p) ** 2).mean())),
    "mean_absolute_error": (lambda p: p, lambda y, p: float(np.abs(y - p).mean())),
}


def one_run(own: Data, grid: list[Fit], metrics: list[str], seed: int) -> list[list[float]]:
    """For each metric: errors of both estimates, and kappa."""
    rng = np.random.default_rng([seed, len(own.y), len(grid)])
    real = metrics[0] not in ("roc_auc", "accuracy", "brier_score")
    order = rng.permutation(len(own.y))
    rows, others = order[: own.n], order[own.n :]
    X, y = own.X[rows], own.y[rows]
    folds = partition(np.zeros(own.n) if real else y, N_FOLDS, rng)
    scores = cross_validated(X, y, grid, folds)
    found = []
    for name in metrics:
        reads, value = METRICS[name]
        options: dict[str, Any] = {"n_bootstraps": 500, "random_state": seed, "n_threads": 1}
        c = bbc.correct(y, reads(scores), metric=name, folds=folds, **options)
        left = c.remaining_optimism()
        refit = reads(grid[c.winner](X, y, own.X[others]))
        true = value(own.y[others], refit)
        sign = 1 if c.greater_is_better else -1
        estimates = (c.estimate, left.coupled_estimate)
        found.append([*(sign * (each - true) for each in estimates), left.kappa])
    return found


def line_of(learner: str, name: str, metric: str, own: Data, size: int, runs: Any) -> Line:
    """Mean errors, and the ratio of root mean squared errors with its standard error of pairs."""
    n = len(runs)
    before, after = (runs[:, i] ** 2 for i in (0, 1))
    ratio = float(np.sqrt(after.mean() / before.mean()))
    spread = (after / after.mean() - before / before.mean()).std(ddof=1)
    return {
        "learner": learner,
        "data": name,
        "metric": metric,
        "size": size,
        "n_rows": own.n,
        "runs": n,
        "kappa": float(np.median(runs[:, 2])),
        "bbc": float(runs[:, 0].mean()),
        "bbc_se": float(runs[:, 0].std(ddof=1) / np.sqrt(n)),
        "coupled": float(runs[:, 1].mean()),
        "coupled_se": float(runs[:, 1].std(ddof=1) / np.sqrt(n)),
        "bbc_rmse": float(np.sqrt(before.mean())),
        "ratio": ratio,
        "ratio_se": float(ratio / 2 * spread / np.sqrt(n)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--quick", action="store_true", help="2 runs, nothing is written")
    parser.add_argument("--only", default="", help="grids whose learner or data hold this text")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", BBCWarning)
    lines = [] if arguments.quick else lines_of(TABLE) if TABLE.exists() else []
    known = {(line["learner"], line["data"]) for line in lines}
    for (learner, name), (own, grid) in grids().items():
        if arguments.only not in f"{learner} {name}" or (learner, name) in known:
            continue
        of_numbers = name == "diabetes"
        metrics = [*METRICS][3:] if of_numbers else [*METRICS][:3]
        n = 2 if arguments.quick else arguments.runs
        runs = np.array([one_run(own, grid, metrics, seed) for seed in range(n)])
        for i, metric in enumerate(metrics):
            lines.append(line_of(learner, name, metric, own, len(grid), runs[:, i]))
            print(lines[-1], flush=True)
        if not arguments.quick:
            write_csv(lines, TABLE)


if __name__ == "__main__":
    main()
