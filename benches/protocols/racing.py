"""Models that each dropping rule of BBCD trains, and how good its winner is.

python benches/protocols/racing.py [--quick]

Simulated classifiers with known accuracy (`bbc.simulate`), and nearest neighbours and trees that
tell odd digits from even ones, whose truth is the accuracy on 1297 rows that no protocol sees. Each
rule has the level of its authors: .99 for the bootstrap, .95 for the others. Tests begin with 50
predictions per configuration, and in one setting with the first fold, as in the simulation of
Tsamardinos et al. (2018). Writes racing.csv beside this file.
"""

import argparse
import csv
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import BBCWarning

FOLDER = Path(__file__).parent
LEVELS = {
    "none": 1.0,
    "bootstrap": 0.99,
    "hoeffding": 0.95,
    "friedman": 0.95,
    "cochran": 0.95,
    "paired_t": 0.95,
}
N_FOLDS = 10
N_DIGITS = 500
DIGITS = f"digits, {N_DIGITS} rows"
GRIDS = {
    "neighbours": {
        "n_neighbors": [1, 2, 3, 5, 8, 12, 20, 35],
        "p": [1, 2],
        "weights": ["uniform", "distance"],
    },
    "tree": {
        "max_depth": [1, 2, 3, 5, 8, 12],
        "min_samples_leaf": [1, 5, 20],
        "max_features": [8, None],
    },
}
Row = dict[str, Any]


class Replayed(ClassifierMixin, BaseEstimator):
    """Predicts what a simulation says; the one column of X is the number of the row."""

    predictions: ClassVar[np.ndarray]

    def __init__(self, configuration: int = 0) -> None:
        self.configuration = configuration

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Replayed":
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.predictions[X[:, 0], self.configuration]


def race(
    estimator: Any, grid: Any, X: Any, y: Any, rule: str, seed: int, min_predictions: int = 50
) -> bbc.BBCD:
    """Run one rule; "none" drops nobody."""
    search = bbc.BBCD(
        estimator,
        grid,
        cv=N_FOLDS,
        dropping="bootstrap" if rule == "none" else rule,
        dropping_level=LEVELS[rule],
        min_predictions=min_predictions,
        random_state=seed,
        refit=False,
    )
    return search.fit(X, y)


def rows_of(search: bbc.BBCD, truth: np.ndarray, **place: Any) -> Row:
    """What one race did: `truth` has the true accuracy of every configuration."""
    n_all = N_FOLDS * len(search.configurations_)
    winner = search.best_index_
    return place | {
        "share_trained": search.n_models_trained_ / n_all,
        "regret": float(truth.max() - truth[winner]),
        "bias": search.performance_.estimate - float(truth[winner]),
    }


def simulated(n_rows: int, repetitions: int, min_predictions: int = 50) -> Iterator[Row]:
    """Classifiers that err on much the same rows, as those of one grid do."""
    data = f"simulated, {n_rows} rows" + (", from fold 1" if min_predictions == 1 else "")
    for repetition in range(repetitions):
        made = bbc.simulate.accuracy(n_rows, 100, correlation=0.5, random_state=repetition)
        Replayed.predictions = made.predictions
        X, grid = np.arange(n_rows)[:, None], {"configuration": list(range(100))}
        for rule in LEVELS:
            search = race(Replayed(), grid, X, made.y, rule, repetition, min_predictions)
            place = {"data": data, "rule": rule, "repetition": repetition}
            yield rows_of(search, made.true_performance, **place)


def real(repetitions: int) -> Iterator[Row]:
    """Odd against even digits."""
    X, digit = load_digits(return_X_y=True)
    y = digit % 2
    learners = {
        "neighbours": KNeighborsClassifier(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    for repetition in range(repetitions):
        order = np.random.default_rng(repetition).permutation(len(y))
        own, others = order[:N_DIGITS], order[N_DIGITS:]
        truth: np.ndarray | None = None
        for rule in LEVELS:
            search = race(learners, GRIDS, X[own], y[own], rule, repetition)
            if truth is None:
                truth = np.array(
                    [
                        one.build().fit(X[own], y[own]).score(X[others], y[others])
                        for one in search.configurations_
                    ]
                )
            place = {"data": DIGITS, "rule": rule, "repetition": repetition}
            yield rows_of(search, truth, **place)


def averages(rows: list[Row]) -> list[Row]:
    """Means and standard errors over repetitions; regret is compared with dropping nobody."""
    found = []
    for data in dict.fromkeys(row["data"] for row in rows):
        own = [row for row in rows if row["data"] == data]
        base = np.array([row["regret"] for row in own if row["rule"] == "none"])
        for rule in LEVELS:
            part = [row for row in own if row["rule"] == rule]
            more = np.array([row["regret"] for row in part]) - base
            found.append(
                {
                    "data": data,
                    "rule": rule,
                    "level": LEVELS[rule],
                    "share_trained": round(float(np.mean([r["share_trained"] for r in part])), 4),
                    "regret": round(float(np.mean([r["regret"] for r in part])), 5),
                    "lost_by_dropping": round(float(more.mean()), 5),
                    "lost_se": round(float(more.std(ddof=1) / np.sqrt(len(more))), 5),
                    "bias": round(float(np.mean([r["bias"] for r in part])), 5),
                    "repetitions": len(part),
                }
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two repetitions, nothing written")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore", BBCWarning)
    repetitions = 2 if quick else 15
    rows: list[Row] = []
    rows += simulated(100, repetitions, min_predictions=1)
    for n_rows in (100, 500):
        rows += simulated(n_rows, repetitions)
    rows += real(2 if quick else 10)
    table = averages(rows)
    for row in table:
        print(*(f"{value!s:>20}" for value in row.values()))
    if quick:
        return
    with (FOLDER / "racing.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    main()
