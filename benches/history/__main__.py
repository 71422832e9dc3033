"""Times of a few corrections by version: `make history` appends a line each to history.csv.

Machines differ, and one machine from day to day: beside each time stands that of a piece of numpy
that never changes, measured in turns with it. The load of the
machine before the run says whether it was busy with something else.
"""

import csv
import os
import subprocess
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np
from benches._tables import cpu_name
from benches.kernel._problems import problem
from benches.kernel._timing import take_turns, timed
from threadpoolctl import threadpool_limits

import bbc

HERE = Path(__file__).resolve().parent
TABLE = HERE / "history.csv"
PROBLEMS = (
    ("roc_auc", 500, 500),
    ("accuracy", 1000, 2000),
    ("mean_squared_error", 1000, 500),
    ("concordance_index", 500, 500),
)
YARDSTICK = np.random.default_rng(0).normal(size=(500, 500))


def yardstick() -> float:
    """Sort, add up and multiply: a little of what corrections do."""
    ordered = np.sort(YARDSTICK, axis=0).cumsum(axis=0)
    return float((ordered @ YARDSTICK).sum())


def correct(metric: str, n_rows: int, n_configurations: int) -> float:
    truth, predictions = problem(metric, n_rows, n_configurations)
    result = bbc.correct(truth, predictions, metric=metric, random_state=0, n_threads=1)
    return float(result.estimate)


def lines(seconds: float = 4.0) -> list[dict[str, object]]:
    """Each problem by this version, in turns with the yardstick."""
    git = ("git", "describe", "--always", "--dirty", "--exclude=*")
    commit = subprocess.run(git, cwd=HERE, capture_output=True, text=True, check=True).stdout
    known: dict[str, object] = {
        "date": date.today().isoformat(),
        "version": bbc.__version__,
        "commit": commit.strip(),
        "cpu": cpu_name(),
        "load": f"{os.getloadavg()[0]:.1f}",
    }
    found = []
    for metric, n_rows, n_configurations in PROBLEMS:
        ours = partial(timed, partial(correct, metric, n_rows, n_configurations))
        times = take_turns([ours, partial(timed, yardstick)], seconds)
        ms, unit = (1e3 * min(own) for own in times)
        measured = {
            "problem": f"{metric} {n_rows} x {n_configurations}",
            "least_ms": f"{ms:.4g}",
            "yardstick_ms": f"{unit:.4g}",
            "ratio": f"{ms / unit:.4g}",
            "runs": len(times[0]),
        }
        found.append(known | measured)
    return found


if __name__ == "__main__":
    rows: list[dict[str, object]] = []
    if TABLE.exists():
        with TABLE.open(newline="", encoding="utf-8") as file:
            rows += csv.DictReader(file)
    with threadpool_limits(1):
        rows += lines()
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[-1], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
