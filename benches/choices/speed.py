"""Seconds of a correction by rule, beside the AUC's best configuration, on two threads.

python -m benches.choices.speed
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import Line, write_csv

N_BOOTSTRAPS, N_THREADS, TRIALS = 1000, 2, 5
CASES: list[tuple[int, int, str, Any]] = [
    (500, 500, "roc_auc", "best"),
    (500, 500, "f1", bbc.best_threshold()),
    (500, 500, "accuracy", bbc.best_threshold()),
    (500, 500, "mcc", bbc.best_threshold()),
    (500, 500, "roc_auc", bbc.top_k(10)),
    (500, 100, "brier_score", bbc.greedy_ensemble(25)),
    (500, 100, "neg_log_loss", bbc.greedy_ensemble(25)),
    (500, 100, "roc_auc", bbc.greedy_ensemble(25)),
    (500, 100, "f1_macro", bbc.best_threshold()),
]


def run() -> Iterator[Line]:
    """A line for each case; the least of some trials, for each case once in turn."""
    rng = np.random.default_rng(0)
    y = (rng.random(500) < 0.3).astype(int)
    scores = 0.2 * y[:, None] + 0.8 * rng.random((500, 500))
    seconds = [np.inf] * len(CASES)
    for trial in range(TRIALS):
        for i, (n_rows, n_configurations, metric, rule) in enumerate(CASES):
            if trial and seconds[i] > 3:
                continue
            start = time.perf_counter()
            bbc.correct(
                y[:n_rows],
                scores[:n_rows, :n_configurations],
                metric=metric,
                selection=rule,
                n_bootstraps=N_BOOTSTRAPS,
                random_state=0,
                n_threads=N_THREADS,
            )
            seconds[i] = min(seconds[i], time.perf_counter() - start)
    for (n_rows, n_configurations, metric, rule), least in zip(CASES, seconds, strict=True):
        yield {
            "choice": str(rule),
            "metric": metric,
            "rows": n_rows,
            "configurations": n_configurations,
            "replicates": N_BOOTSTRAPS,
            "threads": N_THREADS,
            "seconds": least,
        }


if __name__ == "__main__":
    write_csv(list(run()), Path(__file__).with_name("speed.csv"))
