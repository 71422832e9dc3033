"""What BBC leaves of the optimism of real grids of real learners.

    python -m benches.selection_left.left [--runs 100] [--quick] [--draw]

Each run draws rows, cross-validates a grid (AUC, pooled), corrects the winner, refits it on all
rows and scores the refit on 4000 fresh rows: that is the truth. `left.csv` has the mean errors of
the apparent score, of BBC, of two-level BBC and of one configuration fixed in advance.
"""

import argparse
import csv
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
N_FRESH, N_BLOCKS, N_INFORMATIVE = 4000, 50, 20
Floats = NDArray[np.float64]
Fit = Callable[[Floats, Any, Floats], Floats]


def rows_of(rng: np.random.Generator, n: int) -> tuple[Floats, Any]:
    """Fifty blocks of four features, each as weak as the others."""
    X = rng.normal(size=(n, N_BLOCKS, 4))
    risk = 1 / (1 + np.exp(-0.9 * X.sum(axis=(1, 2))))
    return X.reshape(n, -1), (rng.random(n) < risk).astype(int)


def usual_rows(rng: np.random.Generator, n: int) -> tuple[Floats, Any]:
    """Twenty features, a few of which tell, not only linearly."""
    X = rng.normal(size=(n, N_INFORMATIVE))
    at = 0.8 * X[:, 0] + 0.6 * X[:, 1] - 0.5 * X[:, 2] + 0.5 * X[:, 3] * X[:, 4]
    return X, (rng.random(n) < 1 / (1 + np.exp(-at))).astype(int)


def discriminant(block: int) -> Fit:
    """Linear discriminant of one block of features."""
    own = slice(4 * block, 4 * block + 4)

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        A = X[:, own]
        one, other = A[y == 1].mean(axis=0), A[y == 0].mean(axis=0)
        within = np.cov((A - np.where(y[:, None] == 1, one, other)).T) + 0.1 * np.eye(4)
        return np.asarray(Z[:, own] @ np.linalg.solve(within, one - other))

    return fit


def logistic(n_kept: int, C: float) -> Fit:
    """Penalised logistic regression of the features that an F test prefers."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        kept = np.argsort(-f_classif(X, y)[0])[:n_kept]
        model = LogisticRegression(C=C, solver="liblinear").fit(X[:, kept], y)
        return np.asarray(model.decision_function(Z[:, kept]))

    return fit


def neighbours(k: int, n_features: int) -> Fit:
    """Nearest neighbours by the first features."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        model = KNeighborsClassifier(k, algorithm="brute").fit(X[:, :n_features], y)
        return np.asarray(model.predict_proba(Z[:, :n_features])[:, 1])

    return fit


def tree(depth: int, leaf: int) -> Fit:
    """One decision tree."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        model = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf, random_state=0)
        return np.asarray(model.fit(X, y).predict_proba(Z)[:, 1])

    return fit


GRIDS: dict[str, tuple[Any, list[Fit]]] = {
    "discriminants of 50 feature blocks": (rows_of, [discriminant(j) for j in range(N_BLOCKS)]),
    "logistic, features selected": (
        usual_rows,
        [logistic(k, C) for k, C in product((2, 5, 10, 20), (0.01, 0.1, 1.0, 10.0))],
    ),
    "nearest neighbours": (
        usual_rows,
        [neighbours(k, p) for k, p in product((1, 3, 5, 9, 15, 25), (2, 5, 20))],
    ),
    "trees": (usual_rows, [tree(d, m) for d, m in product((1, 2, 3, 5, 8), (1, 3, 6, 12))]),
}


def one_run(name: str, n: int, n_folds: int, seed: int) -> list[float]:
    """Errors of each estimate."""
    make, grid = GRIDS[name]
    rng = np.random.default_rng([seed, n, n_folds, len(grid)])
    (X, y), (Z, z) = make(rng, n), make(rng, N_FRESH)
    folds = np.empty(n, dtype=int)
    folds[np.argsort(y + rng.random(n) / 2)] = np.arange(n) % n_folds
    scores = np.empty((n, len(grid)))
    for k, (j, fit) in product(range(n_folds), enumerate(grid)):
        scores[folds == k, j] = fit(X[folds != k], y[folds != k], X[folds == k])
    options: dict[str, Any] = {"n_bootstraps": 300, "random_state": seed, "n_threads": 1}
    found = [
        bbc.correct(y, scores, metric="roc_auc", method=method, folds=folds, **options)
        for method in ("bbc", "bbc-two-level")
    ]

    def truth(fit: Fit) -> float:
        return float(roc_auc_score(z, fit(X, y, Z)))

    true = truth(grid[found[0].winner])
    fixed = len(grid) // 2
    return [
        found[0].apparent - true,
        found[0].estimate - true,
        found[1].estimate - true,
        float(roc_auc_score(y, scores[:, fixed])) - truth(grid[fixed]),
    ]


CELLS = [(name, n, K) for name in GRIDS for n, K in ((100, 5), (200, 5))]
ESTIMATES = ("apparent", "bbc", "two_level", "one_fixed")


def cell(name: str, n: int, n_folds: int, runs: int) -> Line:
    """Mean errors with their standard errors."""
    warnings.simplefilter("ignore", BBCWarning)
    errors = np.array([one_run(name, n, n_folds, seed) for seed in range(runs)])
    line: Line = {"grid": name, "size": len(GRIDS[name][1]), "n_rows": n, "n_folds": n_folds}
    line["runs"] = runs
    for i, estimate in enumerate(ESTIMATES):
        line[estimate] = float(errors[:, i].mean())
        line[f"{estimate}_se"] = float(errors[:, i].std(ddof=1) / np.sqrt(runs))
    print(line, flush=True)
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--quick", action="store_true", help="2 runs, nothing is written")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--draw", action="store_true", help="only the picture, from the table")
    arguments = parser.parse_args()
    if arguments.draw:
        with (HERE / "left.csv").open(encoding="utf-8") as file:
            draw([dict(line) for line in csv.DictReader(file)], HERE / "left.png")
        return
    runs = 2 if arguments.quick else arguments.runs
    with ProcessPoolExecutor(arguments.jobs) as pool:
        lines = list(pool.map(cell, *zip(*CELLS, strict=True), [runs] * len(CELLS)))
    if not arguments.quick:
        write_csv(lines, HERE / "left.csv")
        draw(lines, HERE / "left.png")


def draw(lines: list[Line], path: Path) -> None:
    """Mean errors with two standard errors."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    colours = ("#c2491d", "#1b5e8a", "#6a9a3b", "#888888")
    for i, (estimate, colour) in enumerate(zip(ESTIMATES, colours, strict=True)):
        places = [number + 0.15 * (i - 1.5) for number in range(len(lines))]
        ax.errorbar(
            [float(line[estimate]) for line in lines],
            places,
            xerr=[2 * float(line[f"{estimate}_se"]) for line in lines],
            fmt="o",
            color=colour,
            label=estimate.replace("_", " "),
        )
    ax.axvline(0, color="#3c464d", linewidth=0.8)
    ax.set_yticks(range(len(lines)), [f"{line['grid']}, n = {line['n_rows']}" for line in lines])
    ax.invert_yaxis()
    ax.set_xlabel("mean of estimate - AUC of the refit on fresh rows")
    ax.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, ncols=4, loc="outside upper center")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
