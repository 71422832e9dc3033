"""Time of the optimism that remains, beside its correction: python -m benches.inference.remaining.

Processor time of one thread, the least of several runs, of 5000 replicates.
"""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import write_csv
from .speed import milliseconds

SIZES = [(200, 500), (1000, 2000), (5000, 500)]
N_FOLDS, N_BOOTSTRAPS, N_RUNS = 5, 5000, 5
METRICS = ("roc_auc", "accuracy", "brier_score")


def correct(y: Any, predictions: Any, metric: str, folds: Any = None) -> bbc.Correction:
    options = {"n_bootstraps": N_BOOTSTRAPS, "random_state": 1, "n_threads": 1}
    return bbc.correct(y, predictions, metric=metric, folds=folds, **options)


def main() -> None:
    lines = []
    for n_rows, n_configurations in SIZES:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, n_rows)
        scores = 0.5 * (2 * y - 1)[:, None] + rng.normal(size=(n_rows, n_configurations))
        given = {"accuracy": (scores > 0).astype(np.int8), "brier_score": 1 / (1 + np.exp(-scores))}
        for metric in METRICS:
            call = partial(correct, y, given.get(metric, scores), metric)
            # Folds cost the correction itself a test of model luck, which is not counted here.
            known = call(np.arange(n_rows) % N_FOLDS)
            own, further = (milliseconds(each, N_RUNS) for each in (call, known.remaining_optimism))
            lines.append(
                {
                    "metric": metric,
                    "n_rows": n_rows,
                    "n_configurations": n_configurations,
                    "correct_ms": own,
                    "remaining_optimism_ms": further,
                    "ratio": further / own,
                }
            )
            print(lines[-1], flush=True)
    write_csv(lines, Path(__file__).with_suffix(".csv"))


if __name__ == "__main__":
    main()
