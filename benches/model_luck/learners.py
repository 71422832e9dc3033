"""Real learners: bias and coverage of every method where fitted models vary, and where they do not.

python -m benches.model_luck.learners [--quick] [--first-seed 100000]

Settings that the table has are not run again.
"""

import argparse
import csv
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, mean_squared_error, roc_auc_score
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

import bbc

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
N_FRESH = 4000
N_FEATURES = 8
METHODS = ("bbc", "bbc-two-level", "bbc-f")


def trees(tree: Any, **settings: Any) -> list[Any]:
    """Twenty settings of a tree."""
    return [
        tree(max_depth=depth, min_samples_leaf=leaf, **settings)
        for depth in (2, 4, 6, 8, 12)
        for leaf in (1, 3, 5, 10)
    ]


LEARNERS: dict[str, Callable[[], list[Any]]] = {
    "extra tree": lambda: trees(ExtraTreeClassifier, max_features=1),
    "tree": lambda: trees(DecisionTreeClassifier),
    "forest of 10": lambda: [
        RandomForestClassifier(10, max_features=m, min_samples_leaf=leaf)
        for m in (1, 3, 6)
        for leaf in (1, 5)
    ],
    "mlp": lambda: [
        MLPClassifier((width,), alpha=alpha, max_iter=60, solver="lbfgs")
        for width in (2, 4, 8)
        for alpha in (1e-4, 1e-1)
    ],
    "svm": lambda: [
        SVC(C=c, gamma=gamma) for c in (0.1, 0.5, 1, 5, 20) for gamma in (0.01, 0.05, 0.2, 0.5)
    ],
    "k nearest": lambda: [KNeighborsClassifier(k) for k in range(1, 31, 2)],
    "logistic": lambda: [LogisticRegression(C=c) for c in np.geomspace(1e-3, 1e2, 12)],
    "regression tree": lambda: trees(DecisionTreeRegressor),
    "extra regression tree": lambda: trees(ExtraTreeRegressor, max_features=1),
    "k nearest, regression": lambda: [KNeighborsRegressor(k) for k in range(1, 31, 2)],
}


@dataclass(frozen=True)
class World:
    """A setting: learners, seeds of fits ("independent", "configuration" or "none"), data."""

    learner: str
    seeds: str
    metric: str = "accuracy"
    n_rows: int = 200
    n_folds: int = 5
    n_repeats: int = 1


SCORES: dict[str, Callable[[Any, Any], float]] = {
    "accuracy": accuracy_score,
    "roc_auc": roc_auc_score,
    "mean_squared_error": mean_squared_error,
}


def draw(rng: np.random.Generator, n: int, metric: str) -> tuple[Any, Any]:
    """Inputs and a truth that three of them explain in part."""
    inputs = rng.normal(size=(n, N_FEATURES))
    signal = inputs[:, 0] + inputs[:, 1] * inputs[:, 2] + 0.5 * np.abs(inputs[:, 3])
    if metric == "mean_squared_error":
        return inputs, signal + rng.normal(size=n)
    return inputs, (signal + 1.5 * rng.normal(size=n) > 0.4).astype(np.int64)


def predict(model: Any, inputs: Any, metric: str) -> Any:
    """What the metric reads."""
    if metric != "roc_auc":
        return model.predict(inputs)
    if hasattr(model, "predict_proba"):
        return model.predict_proba(inputs)[:, 1]
    return model.decision_function(inputs)


def splits(world: World, y: Any, seed: int) -> Any:
    """Partitions of a repeat."""
    if world.n_folds == 1:
        return ShuffleSplit(1, test_size=1 / 3, random_state=seed).split(y)
    kind = KFold if world.metric == "mean_squared_error" else StratifiedKFold
    return kind(world.n_folds, shuffle=True, random_state=seed).split(np.zeros(len(y)), y)


def one_run(world: World, seed: int) -> dict[str, float]:
    """Estimates by every method, and the performance of the winner trained on all rows."""
    rng = np.random.default_rng(seed)
    x, y = draw(rng, world.n_rows, world.metric)
    models = LEARNERS[world.learner]()
    own_seeds = rng.integers(0, 2**31 - 1, len(models))

    def fit(j: int, rows: Any) -> Any:
        model = models[j]
        if world.seeds == "configuration":
            model.set_params(random_state=int(own_seeds[j]))
        elif world.seeds == "independent":
            model.set_params(random_state=int(rng.integers(0, 2**31 - 1)))
        return model.fit(x[rows], y[rows])

    shape = (world.n_repeats, world.n_rows, len(models))
    values = np.full(shape, np.nan) if world.metric != "accuracy" else np.full(shape, -1)
    folds = np.full(shape[:2], -1)
    for repeat in range(world.n_repeats):
        for fold, (train, test) in enumerate(splits(world, y, seed * 31 + repeat)):
            folds[repeat, test] = fold
            for j in range(len(models)):
                values[repeat, test, j] = predict(fit(j, train), x[test], world.metric)
    tested = (folds >= 0).all(axis=0)
    kept = values[:, tested].astype(np.int64 if world.metric == "accuracy" else np.float64)
    found: dict[str, float] = {}
    for method in METHODS if world.n_folds > 1 else METHODS[:1]:
        result = bbc.correct(
            y[tested],
            list(kept),
            metric=world.metric,
            method=method,
            folds=folds[:, tested] if world.n_folds > 1 else None,
            n_bootstraps=500,
            random_state=seed,
            n_threads=1,
        )
        found[f"{method}/estimate"] = result.estimate
        interval = result.confidence_interval
        if interval is not None:
            found[f"{method}/low"], found[f"{method}/high"] = interval.low, interval.high
        if method == "bbc":
            found["apparent"], winner = result.apparent, result.winner
    fresh_x, fresh_y = draw(np.random.default_rng([seed, 1]), N_FRESH, world.metric)
    refit = fit(winner, np.arange(world.n_rows))
    found["truth"] = SCORES[world.metric](fresh_y, predict(refit, fresh_x, world.metric))
    return found


def lines(world: World, runs: list[dict[str, float]]) -> list[Line]:
    """A line for each method; positive bias is too good, whatever the metric's direction."""
    sign = -1 if world.metric == "mean_squared_error" else 1
    truth = np.array([run["truth"] for run in runs])
    expected = truth.mean()
    found = []
    for method in ("apparent", *METHODS):
        key = method if method == "apparent" else f"{method}/estimate"
        if key not in runs[0]:
            continue
        errors = sign * (np.array([run[key] for run in runs]) - truth)
        line: Line = {
            **vars(world),
            "runs": len(runs),
            "method": method,
            "truth": float(expected),
            "refit_sd": float(truth.std(ddof=1)),
            "bias": float(errors.mean()),
            "bias_se": float(errors.std(ddof=1) / np.sqrt(len(runs))),
        }
        has_interval = f"{method}/low" in runs[0]
        low, high = (
            np.array([run.get(f"{method}/{end}", np.nan) for run in runs])
            for end in ("low", "high")
        )
        for name, target in (("covers_expectation", expected), ("covers_refit", truth)):
            covered = float(((low <= target) & (target <= high)).mean())
            line[name] = covered if has_interval else ""
        line["width"] = float((high - low).mean()) if has_interval else ""
        found.append(line)
    return found


def worlds() -> list[World]:
    """All settings; those that take long have fewer rows."""
    unstable = [("extra tree", "independent"), ("extra tree", "configuration"), ("tree", "none")]
    others = [("svm", "none"), ("k nearest", "none"), ("logistic", "none")]
    slow = [
        (name, seeds)
        for name in ("forest of 10", "mlp")
        for seeds in ("independent", "configuration")
    ]
    found = [World(*one, n_rows=n) for n in (50, 200, 1000) for one in (*unstable, *others)]
    found += [World(*one, n_rows=n) for n in (50, 200) for one in slow]
    found += [World(*one, n_folds=10) for one in (*unstable, others[1])]
    found += [World(*one, n_rows=n, n_folds=1) for n in (200, 1000) for one in unstable]
    found += [World(*one, n_rows=n, n_repeats=5) for n in (50, 200) for one in unstable]
    found += [World(*one, metric="roc_auc") for one in (*unstable, *others)]
    regression = [
        ("extra regression tree", "independent"),
        ("extra regression tree", "configuration"),
        ("regression tree", "none"),
        ("k nearest, regression", "none"),
    ]
    return found + [World(*one, metric="mean_squared_error") for one in regression]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="five runs of the smallest settings")
    parser.add_argument("--first-seed", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the results")
    options = parser.parse_args()
    chosen = [one for one in worlds() if one.n_rows == 50 or not options.quick]
    n_runs = 5 if options.quick else options.runs
    options.output.mkdir(parents=True, exist_ok=True)
    path = options.output / "learners.csv"
    found = known(path)
    for number, world in enumerate(chosen):
        if any(same(line, world) for line in found):
            continue
        start = time.perf_counter()
        first = options.first_seed + 1000 * number
        found += lines(world, [one_run(world, first + run) for run in range(n_runs)])
        write_csv(found, path)
        print(world, f"{time.perf_counter() - start:.1f} s", flush=True)


def known(path: Path) -> list[Line]:
    """Lines of an earlier call."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [{k: v for k, v in line.items() if k != "cpu"} for line in csv.DictReader(file)]


def same(line: Line, world: World) -> bool:
    """Whether a line is of a setting."""
    return all(str(line[name]) == str(value) for name, value in vars(world).items())


if __name__ == "__main__":
    main()
