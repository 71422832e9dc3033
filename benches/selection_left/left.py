"""What BBC leaves of the optimism of real grids of real learners.

    python -m benches.selection_left.left [--runs 240] [--only TEXT] [--missing] [--quick]

Each run draws rows, cross-validates a grid (AUC, pooled), corrects the winner, refits it on all
rows and scores the refit on 4000 fresh rows: that is the truth. `left.csv` has the mean errors of
the apparent score, of BBC, of two-level BBC, of BBC with five repeats (against its own winner), of
nested cross-validation with 5 x 5 folds, which trains as much as that, and of one configuration
fixed in advance. A cell is written when it is done; slow learners have a sixth of the runs.
Half an hour of one core; --missing adds the cells that the table lacks.
"""

import argparse
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, lines_of, write_csv
from ..comparison._learners import boosted

HERE = Path(__file__).resolve().parent
N_FRESH, N_BLOCKS, N_INFORMATIVE, N_REPEATS = 4000, 50, 20, 5
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
        A, B = X[:, :n_features], Z[:, :n_features]
        squares = (A**2).sum(axis=1) - 2 * B @ A.T
        return np.asarray(y[np.argpartition(squares, k - 1, axis=1)[:, :k]].mean(axis=1))

    return fit


def machine(C: float, gamma: float) -> Fit:
    """Support vector machine with a Gaussian kernel."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        return np.asarray(SVC(C=C, gamma=gamma).fit(X, y).decision_function(Z))

    return fit


def stumps(n_rounds: int, rate: float) -> Fit:
    """Boosted stumps."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        return boosted(X, np.asarray(y, dtype=float), Z, n_rounds, rate)

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
    "support vector machines": (
        usual_rows,
        [machine(C, g) for C, g in product((0.1, 1.0, 10.0, 100.0), (0.003, 0.03, 0.3))],
    ),
    "boosted stumps": (usual_rows, [stumps(r, a) for r, a in product((5, 15, 50), (0.1, 0.3))]),
    "trees": (usual_rows, [tree(d, m) for d, m in product((1, 2, 3, 5, 8), (1, 3, 6, 12))]),
}


def partition(y: Any, n_folds: int, rng: np.random.Generator) -> Any:
    """The fold of each row, stratified."""
    folds = np.empty(len(y), dtype=int)
    folds[np.argsort(y + rng.random(len(y)) / 2)] = np.arange(len(y)) % n_folds
    return folds


def cross_validated(X: Floats, y: Any, grid: list[Fit], folds: Any) -> Floats:
    """Out-of-sample scores of all configurations."""
    scores = np.empty((len(y), len(grid)))
    for k, (j, fit) in product(np.unique(folds), enumerate(grid)):
        scores[folds == k, j] = fit(X[folds != k], y[folds != k], X[folds == k])
    return scores


def best(y: Any, scores: Floats) -> int:
    """The configuration with the largest AUC."""
    return int(bbc.correct(y, scores, metric="roc_auc", n_bootstraps=40, n_threads=1).winner)


def nested(X: Floats, y: Any, grid: list[Fit], folds: Any, rng: np.random.Generator) -> float:
    """The AUC, pooled over the outer folds, of what the inner folds select."""
    scores = np.empty(len(y))
    for k in np.unique(folds):
        train = folds != k
        inner = partition(y[train], len(np.unique(folds)), rng)
        chosen = grid[best(y[train], cross_validated(X[train], y[train], grid, inner))]
        scores[~train] = chosen(X[train], y[train], X[~train])
    return float(roc_auc_score(y, scores))


def one_run(name: str, n: int, n_folds: int, seed: int) -> list[float]:
    """Errors of each estimate."""
    make, grid = GRIDS[name]
    rng = np.random.default_rng([seed, n, n_folds, len(grid)])
    (X, y), (Z, z) = make(rng, n), make(rng, N_FRESH)
    folds = [partition(y, n_folds, rng) for _ in range(N_REPEATS)]
    scores = [cross_validated(X, y, grid, each) for each in folds]
    options: dict[str, Any] = {"n_bootstraps": 300, "random_state": seed, "n_threads": 1}
    found = [
        bbc.correct(y, scores[0], metric="roc_auc", method=method, folds=folds[0], **options)
        for method in ("bbc", "bbc-two-level")
    ]
    repeated = bbc.correct(y, scores, metric="roc_auc", folds=np.stack(folds), **options)

    def truth(fit: Fit) -> float:
        return float(roc_auc_score(z, fit(X, y, Z)))

    true = truth(grid[found[0].winner])
    true_repeated = truth(grid[repeated.winner])
    fixed = len(grid) // 2
    return [
        found[0].apparent - true,
        found[0].estimate - true,
        found[1].estimate - true,
        repeated.estimate - true_repeated,
        nested(X, y, grid, folds[0], rng) - true,
        float(roc_auc_score(y, scores[0][:, fixed])) - truth(grid[fixed]),
    ]


CHEAP = ("discriminants of 50 feature blocks", "nearest neighbours")
CELLS = [
    (name, n, 5) for n in (100, 200) for name in sorted(GRIDS, key=lambda name: name not in CHEAP)
]
ESTIMATES = ("apparent", "bbc", "two_level", "bbc_repeated", "nested", "one_fixed")


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
    parser.add_argument("--runs", type=int, default=240)
    parser.add_argument("--missing", action="store_true", help="only cells that the table lacks")
    parser.add_argument("--quick", action="store_true", help="2 runs, nothing is written")
    parser.add_argument("--only", default="", help="grids whose name holds this text")
    arguments = parser.parse_args()
    lines = lines_of(HERE / "left.csv") if arguments.missing else []
    known = {(line["grid"], int(line["n_rows"])) for line in lines}
    for name, n, n_folds in CELLS:
        if arguments.only not in name or (name, n) in known:
            continue
        runs = arguments.runs if name in CHEAP else arguments.runs // 6
        lines.append(cell(name, n, n_folds, 2 if arguments.quick else runs))
        if not arguments.quick:
            write_csv(lines, HERE / "left.csv")


if __name__ == "__main__":
    main()
