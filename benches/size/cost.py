"""What keeping the number of rows apart costs: python -m benches.size.cost.

Processor time of `bbc.correct` on one thread (the smallest of four, both ways in turn) with
`size_correction` and as published, and of the limits alone. Metrics without a shift take the same
path either way.
"""

import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import bbc
from bbc import _core

from .._tables import write_csv

HERE = Path(__file__).resolve().parent
METRICS = ("accuracy", "roc_auc", "average_precision", "f1", "r2")
SIZES = ((100, 50), (400, 50))


def data(metric: str, n: int, size: int) -> tuple[Any, Any]:
    """Equally good configurations: many of them win some replicate."""
    rng = np.random.default_rng(0)
    y = (np.arange(n) % 3 == 0).astype(int)
    scores = y[:, None] + rng.normal(size=(n, size))
    if metric == "r2":
        return scores[:, 0] + rng.normal(size=n), scores
    return y, scores if metric in ("roc_auc", "average_precision") else (scores > 0.5).astype(int)


def seconds(work: Any) -> float:
    """Processor time of one call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    warnings.simplefilter("ignore")
    lines = []
    for metric in METRICS:
        for n, size in SIZES:
            y, predictions = data(metric, n, size)

            def run(given: bool, y: Any = y, p: Any = predictions, metric: str = metric) -> Any:
                return bbc.correct(
                    y, p, metric=metric, random_state=1, n_threads=1, size_correction=given
                )

            e = run(True)
            took = np.array(
                [[seconds(lambda g=g: run(g)) for g in (True, False)] for _ in range(4)]
            )
            kept, published = took.min(axis=0)
            low, high = bbc.metrics.get(metric).limits(2)
            rates = np.array([[0.0, 1.0, 0.7, float(n), 0.0, 0.0]])

            def limits(e: Any = e, r: Any = rates, low: float = low, high: float = high) -> None:
                for _ in range(100):
                    _core.corrected_limits(
                        e.replicates, e.estimate, r, 0.95, "two-sided", low, high
                    )

            lines.append(
                {
                    "metric": metric,
                    "n_rows": n,
                    "n_configurations": size,
                    "winners": len(np.unique(e.replicate_winners)),
                    "published_ms": 1e3 * float(published),
                    "corrected_ms": 1e3 * float(kept),
                    "ratio": float(kept / published),
                    "limits_ms": 10 * min(seconds(limits) for _ in range(5)),
                }
            )
            print(*lines[-1].values(), flush=True)
    write_csv(lines, HERE / "cost.csv")


if __name__ == "__main__":
    main()
