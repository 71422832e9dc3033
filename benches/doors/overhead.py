"""What the check of scores costs `BBC.fit` on small trees: benches/doors/overhead.csv.

CPU seconds of one process, within the same fit: those of the check and those of all else; the fit
of the median ratio. The check calls scikit-learn's scorer for one configuration of each learner in
every fold, and for every twentieth: one fit of twenty here, as in all larger grids. In smaller ones
its share is larger.
"""

import argparse
import csv
import time
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc._training._check import Predicted
from bbc.search._cross_validation import CrossValidation

HERE = Path(__file__).resolve().parent
X, Y = make_classification(500, 10, random_state=0)
GRIDS = {20: {"max_depth": [2, 4, 6, 8, 10], "min_samples_leaf": [1, 5, 10, 20]}}
TREE = DecisionTreeClassifier(random_state=0)


class Clock:
    """CPU seconds of the process that are spent in functions that are `timed`."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, function: Any) -> Any:
        """A function whose calls are timed."""

        def clocked(*given: Any, **options: Any) -> Any:
            started = time.process_time()
            try:
                return function(*given, **options)
            finally:
                self.seconds += time.process_time() - started

        return clocked


def fit(grid: dict[str, list[int]], scoring: str) -> tuple[float, float]:
    """CPU seconds of the check, and of the rest of the fit."""
    search = bbc.BBC(TREE, grid, cv=10, scoring=scoring, n_bootstraps=1000, random_state=1)
    clock = Clock()
    checked = clock.timed(CrossValidation._check)
    made, alone = clock.timed(Predicted.__init__), clock.timed(Predicted.alone)
    with (
        patch.object(CrossValidation, "_check", checked),
        patch.multiple(Predicted, __init__=made, alone=alone),
    ):
        started = time.process_time()
        search.fit(X, Y)
        total = time.process_time() - started
    return clock.seconds, total - clock.seconds


def plain(grid: dict[str, list[int]], scoring: str) -> float:
    """CPU seconds of scikit-learn's search."""
    search = GridSearchCV(TREE, grid, cv=10, scoring=scoring)
    started = time.process_time()
    search.fit(X, Y)
    return time.process_time() - started


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    rounds = parser.parse_args().rounds
    warnings.simplefilter("ignore")
    with (HERE / "overhead.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        names = ["configurations", "scoring", "check_s", "rest_s", "GridSearchCV_s", "ratio"]
        writer.writerow(names)
        for n_configurations, grid in GRIDS.items():
            for scoring in ("accuracy", "roc_auc"):
                fits = [fit(grid, scoring) for _ in range(max(3, rounds * 20 // n_configurations))]
                theirs = min(plain(grid, scoring) for _ in range(3))
                check, rest = sorted(fits, key=lambda one: one[0] / one[1])[len(fits) // 2]
                times = [round(each, 4) for each in (check, rest, theirs)]
                row = [n_configurations, scoring, *times, round(1 + check / rest, 3)]
                writer.writerow(row)
                print(*row, flush=True)


if __name__ == "__main__":
    main()
