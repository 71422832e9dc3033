"""What keeping the number of rows apart costs, beside another version.

`python -m benches.size.cost [--beside PYTHON]`: processor time of `bbc.correct` on one thread with
`size_correction`, as published, and of another version of the package, whose interpreter is given.
Each way has a process of its own, which is asked in turn; of nine rounds of at least 20 ms the
smallest counts. `limits_ms` is the time of the limits alone. Metrics without a shift take the same
path with and without `size_correction`.
"""

import argparse
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

import numpy as np

import bbc

METRICS = ("accuracy", "roc_auc", "average_precision", "f1", "r2")
SIZES = ((100, 50), (400, 50), (500, 200))
N_ROUNDS = 9
ROUND = 0.02


def data(metric: str, n: int, size: int) -> tuple[Any, Any]:
    """Equally good configurations: many of them win some replicate."""
    rng = np.random.default_rng(0)
    y = (np.arange(n) % 3 == 0).astype(int)
    scores = y[:, None] + rng.normal(size=(n, size))
    if metric == "r2":
        return scores[:, 0] + rng.normal(size=n), scores
    return y, scores if metric in ("roc_auc", "average_precision") else (scores > 0.5).astype(int)


def seconds(work: Any) -> float:
    """Processor time of one call, of as many as fill a round."""
    began, n_calls = time.process_time(), 0
    while time.process_time() - began < ROUND:
        work()
        n_calls += 1
    return (time.process_time() - began) / n_calls


def call(y: Any, predictions: Any, metric: str, seeds: Iterator[int], options: Any) -> None:
    """One correction, with the next seed."""
    bbc.correct(y, predictions, metric=metric, random_state=next(seeds), n_threads=1, **options)


def answer() -> None:
    """Time what each line of the input asks for; other versions run this as well."""
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        metric, n, size, options = json.loads(line)
        y, predictions = data(metric, n, size)

        seeds = count()  # one for each call: draws of a seed are kept within a process
        work = partial(call, y, predictions, metric, seeds, options)
        work()
        print(seconds(work), flush=True)


class Way:
    """A process that times one way of correcting."""

    def __init__(self, python: str, **options: Any) -> None:
        self._options = options
        self._process = subprocess.Popen(
            [python, __file__, "--answer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def seconds(self, metric: str, n: int, size: int) -> float:
        """Processor time of one call."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps([metric, n, size, self._options]), file=process.stdin, flush=True)
        return float(process.stdout.readline())


def limits_ms(e: Any, metric: str, n: int) -> float:
    """Time of the limits alone."""
    low, high = bbc.metrics.get(metric).limits(2)
    rates = np.array([[0.0, 1.0, 0.7, float(n), 0.0, 0.0]])

    def work() -> None:
        bbc._core.corrected_limits(e.replicates, e.estimate, rates, 0.95, "two-sided", low, high)

    return 1e3 * min(seconds(work) for _ in range(3))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--beside", metavar="PYTHON", help="interpreter of another version")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer:
        answer()
        return
    from pathlib import Path

    from benches._tables import write_csv

    ways = {
        "corrected_ms": Way(sys.executable, size_correction=True),
        "published_ms": Way(sys.executable, size_correction=False),
    }
    if given.beside:
        ways["other_version_ms"] = Way(given.beside)
    warnings.simplefilter("ignore")
    lines = []
    for metric in METRICS:
        for n, size in SIZES:
            rounds = [
                [1e3 * way.seconds(metric, n, size) for way in ways.values()]
                for _ in range(N_ROUNDS)
            ]
            took = dict(zip(ways, np.min(rounds, axis=0), strict=True))
            y, predictions = data(metric, n, size)
            e = bbc.correct(y, predictions, metric=metric, random_state=1, n_threads=1)
            line: dict[str, Any] = {
                "metric": metric,
                "n_rows": n,
                "n_configurations": size,
                "winners": len(np.unique(e.replicate_winners)),
                **{name: float(ms) for name, ms in took.items()},
                "ratio": float(took["corrected_ms"] / took["published_ms"]),
            }
            if given.beside:
                line["of_other_version"] = float(took["corrected_ms"] / took["other_version_ms"])
            lines.append({**line, "limits_ms": limits_ms(e, metric, n)})
            print(*lines[-1].values(), flush=True)
    write_csv(lines, Path(__file__).resolve().parent / "cost.csv")


if __name__ == "__main__":
    main()
