"""What protocols add to the training itself: a trivial learner beside scikit-learn's GridSearchCV.

500 configurations x 10 folds of a learner that learns nothing, so that all of the time and memory
is the protocol's. Contestants take turns in one run; memory is the peak of a process of its own.
"""

import argparse
import csv
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import GridSearchCV

import bbc

from .._tables import cpu_name, mib_at_most

HERE = Path(__file__).resolve().parent
PEER = "GridSearchCV"


class _Shift(BaseEstimator):
    """Remembers nothing but the classes; predicts its first column, moved."""

    def __init__(self, shift: float = 0.0) -> None:
        self.shift = shift

    def fit(self, X: Any, y: Any) -> Any:
        self.classes_ = np.array([0, 1])
        return self


class ShiftClassifier(ClassifierMixin, _Shift):
    def predict(self, X: Any) -> Any:
        return (X[:, 0] > self.shift).astype(np.int64)

    def predict_proba(self, X: Any) -> Any:
        positive = 1 / (1 + np.exp(self.shift - X[:, 0]))
        return np.column_stack([1 - positive, positive])


class ShiftRegressor(RegressorMixin, _Shift):
    def predict(self, X: Any) -> Any:
        return X[:, 0] + self.shift


CASES = {
    "labels": (ShiftClassifier, "accuracy"),
    "scores": (ShiftClassifier, "roc_auc"),
    "values": (ShiftRegressor, "neg_mean_squared_error"),
}


def contestants(case: str, n_rows: int, n_configurations: int) -> dict[str, Callable[[], Any]]:
    """Return the runs of a case by name."""
    learner, scoring = CASES[case]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 5))
    y = X[:, 0] + rng.normal(size=n_rows)
    truth = y if learner is ShiftRegressor else (y > 0).astype(np.int64)
    grid = {"shift": np.linspace(-1, 1, n_configurations).tolist()}
    options: dict[str, Any] = {"scoring": scoring, "cv": 10}

    def stored() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "run.bbc")
            return bbc.CVT(learner(), grid, random_state=0, store=path, **options).fit(X, truth)

    return {
        PEER: lambda: GridSearchCV(learner(), grid, **options).fit(X, truth),
        "CVT": lambda: bbc.CVT(learner(), grid, random_state=0, **options).fit(X, truth),
        "BBC": lambda: bbc.BBC(learner(), grid, random_state=0, **options).fit(X, truth),
        "CVT with a store": stored,
    }


def peak_of(case: str, name: str, n_rows: int, n_configurations: int) -> tuple[float, float]:
    """Return megabytes of this process before and at the most while a run was going on."""
    run = contestants(case, n_rows, n_configurations)[name]
    before = mib_at_most()
    run()
    return before, mib_at_most()


def measure(case: str, n_rows: int, n_configurations: int, n_turns: int) -> list[dict[str, Any]]:
    """Return one line per contestant."""
    runs = contestants(case, n_rows, n_configurations)
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for _ in range(n_turns):
        for name, run in runs.items():
            wall, cpu = perf_counter(), process_time()
            run()
            times[name].append((perf_counter() - wall, process_time() - cpu))
    lines: list[dict[str, Any]] = []
    for name, own in times.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            before, peak = pool.submit(peak_of, case, name, n_rows, n_configurations).result()
        line: dict[str, Any] = {
            "case": case,
            "contestant": name,
            "rows": n_rows,
            "configurations": n_configurations,
            "median_s": round(median(wall for wall, _ in own), 3),
            "median_cpu_s": round(median(cpu for _, cpu in own), 3),
            "start_mb": round(before, 1),
            "peak_mb": round(peak, 1),
        }
        peer = lines[0] if lines else line
        line["times_of_peer"] = round(line["median_cpu_s"] / peer["median_cpu_s"], 3)
        line["memory_of_peer"] = round(line["peak_mb"] / peer["peak_mb"], 3)
        line["cpu"] = cpu_name()
        print(line, flush=True)
        lines.append(line)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.protocols.overhead")
    parser.add_argument("--quick", action="store_true", help="few configurations, in seconds")
    options = parser.parse_args()
    sizes = (500, 30, 2) if options.quick else (500, 500, 3)
    lines = [line for case in CASES for line in measure(case, *sizes)]
    folder = HERE.parents[1] / "build" / "protocols" if options.quick else HERE
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "overhead.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)


if __name__ == "__main__":
    main()
