"""Time of inference on 500 rows and 200 configurations: python -m benches.inference.speed.

Processor time of one thread, the least of several runs: what a correction is asked, beside the
correction itself and the elimination of the model confidence set in NumPy from the same in-bag
scores.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import write_csv

N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS = 500, 200, 1000
N_RUNS = 15


def calls_of(y: Any, predictions: Any, metric: str) -> dict[str, Callable[[], object]]:
    """A correction, and what it is asked."""

    def correct() -> bbc.Correction:
        return bbc.correct(y, predictions, metric=metric, n_threads=1, random_state=1)

    c = correct()
    return {
        "correct": correct,
        "possible_winners, mcs": c.possible_winners,
        "possible_winners, argmin": lambda: c.possible_winners(test="argmin"),
        "winner_interval": c.winner_interval,
    }


def numpy_elimination(losses: Any, draws: Any) -> None:
    """The statistics of every set, all at once."""
    active = np.arange(len(losses))
    while len(active) > 1:
        centred = draws[:, active] - losses[active]
        centred -= centred.mean(axis=1, keepdims=True)
        error = np.sqrt((centred**2).mean(axis=0))
        t = (losses[active] - losses[active].mean()) / error
        _ = ((centred / error).max(axis=1) >= t.max()).mean()
        active = np.delete(active, t.argmax())


def milliseconds(call: Callable[[], object], n_runs: int = N_RUNS) -> float:
    """Of a processor, the least of several runs."""
    best = np.inf
    for _ in range(n_runs):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return float(1e3 * best)


def main() -> None:
    lines = []
    rng = np.random.default_rng(0)
    y = rng.normal(size=N_ROWS)
    real = y[:, None] + rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
    labels = bbc.simulate.accuracy(N_ROWS, N_CONFIGURATIONS, random_state=0)
    scores = bbc.simulate.auc(N_ROWS, N_CONFIGURATIONS, random_state=0)
    for metric, truth, predictions in (
        ("accuracy", labels.y, labels.predictions),
        ("roc_auc", scores.y, scores.predictions),
        ("mean_squared_error", y, real),
    ):
        for name, call in calls_of(truth, predictions, metric).items():
            lines.append({"metric": metric, "call": name, "ms": milliseconds(call)})
    draws = rng.normal(size=(N_BOOTSTRAPS, N_CONFIGURATIONS))
    losses = draws.mean(axis=0)
    ms = milliseconds(lambda: numpy_elimination(losses, draws))
    lines.append({"metric": "any", "call": "elimination in NumPy, without the scores", "ms": ms})
    write_csv(lines, Path(__file__).with_name("speed.csv"))
    for line in lines:
        print(*line.values())


if __name__ == "__main__":
    main()
