"""BBCD at scale: 1,000 configurations x 10 folds of a learner of 50 ms on two Dask workers.

The learner sleeps; its predictions are right with a planted skill. Either the skills differ, or all
candidates are close. Each search runs in one process without the sleep, too, which must give the
same bits, and gives the time of the dropping tests.

python -m benches.protocols.scale [--quick]
"""

import argparse
import csv
import os
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import joblib
import numpy as np
from dask.distributed import Client, LocalCluster
from sklearn.base import BaseEstimator, ClassifierMixin

import bbc

from .._tables import cpu_name

HERE = Path(__file__).resolve().parent
N_FOLDS, N_ROWS, N_WORKERS = 10, 500, 2
# Standard deviation of the skills, whose mean is 0.7; configurations; whether on the cluster, where
# a thousand close ones take too long.
WORLDS = (
    ("skills differ", 0.1, 1000, True),
    ("close", 0.01, 1000, False),
    ("close", 0.01, 200, True),
)


class Sleeper(ClassifierMixin, BaseEstimator):
    """Sleeps where others train; the second column is the truth, which it predicts with a skill."""

    def __init__(self, number: int = 0, skill: float = 0.7, seconds: float = 0.0) -> None:
        self.number = number
        self.skill = skill
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Any:
        self.classes_ = np.array([0, 1])
        sleep(self.seconds)
        return self

    def predict(self, X: Any) -> Any:
        rows, truth = X.astype(np.int64).T
        right = np.random.default_rng(self.number).random(N_ROWS)[rows] < self.skill
        return np.where(right, truth, 1 - truth)


class Timed(bbc.BBCD):
    """Adds up the time that the tests take."""

    seconds_of_tests = 0.0
    cpu_seconds_of_tests = 0.0

    def _drop(self, *arguments: Any) -> None:
        wall, cpu = perf_counter(), process_time()
        super()._drop(*arguments)
        self.seconds_of_tests += perf_counter() - wall
        self.cpu_seconds_of_tests += process_time() - cpu


def searched(
    kind: type, spread: float, n_configurations: int, milliseconds: int
) -> tuple[Any, float]:
    """The search, and the seconds that it took."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N_ROWS)
    X = np.column_stack([np.arange(N_ROWS), y]).astype(np.float64)
    skills = np.clip(rng.normal(0.7, spread, n_configurations), 0.02, 0.98)
    grid = [
        {"number": number, "skill": float(skill)} for number, skill in enumerate(skills, start=1)
    ]
    search = kind(Sleeper(seconds=milliseconds / 1000), grid, cv=N_FOLDS, random_state=1)
    started = perf_counter()
    search.fit(X, y)
    return search, perf_counter() - started


def measure(
    world: str, spread: float, n_configurations: int, client: Client | None, milliseconds: int = 50
) -> dict[str, Any]:
    """Return the line of a world; without a client in one process alone."""
    alone, _ = searched(Timed, spread, n_configurations, 0)
    every, _ = searched(bbc.BBC, spread, n_configurations, 0)
    n_fits, n_all = int(alone.n_trained_.sum()), N_FOLDS * n_configurations
    training, training_of_all = (n * milliseconds / 1000 for n in (n_fits, n_all))
    seconds, same, load = None, None, None
    if client is not None:
        with joblib.parallel_config(backend="dask", client=client):
            wide, seconds = searched(bbc.BBCD, spread, n_configurations, milliseconds)
        load = os.getloadavg()[0]
        same = bool(
            (wide.performance_.replicates == alone.performance_.replicates).all()
            and (wide.dropped_ == alone.dropped_).all()
        )
    return {
        "skills": world,
        "standard_deviation": spread,
        "rows": N_ROWS,
        "configurations": n_configurations,
        "folds": N_FOLDS,
        "fit_ms": milliseconds,
        "fits": n_fits,
        "fits_saved": round(1 - n_fits / n_all, 3),
        "survivors": int((alone.dropped_ < 0).sum()),
        "tests_cpu_s": round(alone.cpu_seconds_of_tests, 2),
        "tests_by_fit_time": round(alone.cpu_seconds_of_tests / training, 4),
        "same_winner_as_bbc": bool(alone.best_index_ == every.best_index_),
        "estimate": round(alone.performance_.estimate, 4),
        "estimate_of_bbc": round(every.performance_.estimate, 4),
        "skill_of_winner": round(alone.best_params_["skill"], 4),
        "workers": N_WORKERS if client else 1,
        "s": "" if seconds is None else round(seconds, 1),
        "sleep_s": round(training / N_WORKERS, 1),
        "sleep_of_all_fits_s": round(training_of_all / N_WORKERS, 1),
        "load_average": "" if load is None else round(load, 1),
        "same_bits_as_one_process": "" if same is None else same,
        "cpu": cpu_name(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.protocols.scale")
    parser.add_argument("--quick", action="store_true", help="few configurations, in seconds")
    options = parser.parse_args()
    folder = HERE.parents[1] / "build" / "protocols" if options.quick else HERE
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[dict[str, Any]] = []
    with (
        LocalCluster(
            n_workers=N_WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        for world, spread, n_configurations, is_spread in WORLDS:
            n = n_configurations // 20 if options.quick else n_configurations
            lines.append(measure(world, spread, n, client if is_spread else None))
            print(lines[-1], flush=True)
    with (folder / "scale.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


if __name__ == "__main__":
    main()
