"""Accuracy beside a vectorised numpy correction, in one run: medians, ratios, time per cell.

    OPENBLAS_NUM_THREADS=1 .venv/bin/python benches/kernel/versus_numpy.py

numpy does the same work: 1000 replicates as a matrix of counts, in-bag errors as one float32
matrix product, the winner of each replicate, and its out-of-bag accuracy. The two alternate within
one run, because a machine's speed drifts. Results go to versus_numpy.csv with the CPU's name.
"""

import csv
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bbc

SHAPES = [(1000, 2000), (500, 500), (100, 200), (20, 50)]
N_BOOTSTRAPS = 1000
ROUNDS = 9


def cpu_name() -> str:
    """The CPU as the kernel of the operating system calls it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def numpy_correction(y: Any, predictions: Any, rng: np.random.Generator) -> Any:
    """Out-of-bag accuracy of each replicate's winner."""
    n = len(y)
    drawn = rng.integers(0, n, (N_BOOTSTRAPS, n)) + n * np.arange(N_BOOTSTRAPS)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=n * N_BOOTSTRAPS).reshape(N_BOOTSTRAPS, n)
    errors = (predictions != y[:, None]).astype(np.float32)
    winners = (counts.astype(np.float32) @ errors).argmin(axis=1)
    out_of_bag = counts == 0
    return 1 - (out_of_bag * errors[:, winners].T).sum(axis=1) / out_of_bag.sum(axis=1)


def medians(functions: list[Callable[[], Any]]) -> list[float]:
    """Median seconds of each function, the functions taking turns."""
    times: list[list[float]] = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(ROUNDS):
        for function, own in zip(functions, times, strict=True):
            start = time.perf_counter()
            function()
            own.append(time.perf_counter() - start)
    return [statistics.median(own) for own in times]


def main() -> None:
    """Measure, print, and write the CSV."""
    rng = np.random.default_rng(0)
    rows = []
    for n_rows, n_configurations in SHAPES:
        y = rng.integers(0, 2, n_rows)
        right = rng.random((n_rows, n_configurations)) < 0.6
        predictions = np.where(right, y[:, None], 1 - y[:, None]).astype(np.int8)

        def ours(n_threads: int, y: Any = y, predictions: Any = predictions) -> Any:
            return bbc.correct(
                y, predictions, metric="accuracy", random_state=1, n_threads=n_threads
            )

        one, two, peer = medians(
            [
                lambda ours=ours: ours(1),
                lambda ours=ours: ours(2),
                lambda y=y, predictions=predictions: numpy_correction(y, predictions, rng),
            ]
        )
        cells = n_rows * n_configurations * N_BOOTSTRAPS
        rows.append(
            {
                "rows": n_rows,
                "configurations": n_configurations,
                "bbc_1_thread_ms": round(1e3 * one, 3),
                "bbc_2_threads_ms": round(1e3 * two, 3),
                "numpy_gemm_ms": round(1e3 * peer, 3),
                "ratio_1_thread": round(peer / one, 2),
                "picoseconds_per_cell": round(1e12 * one / cells, 2),
                "cpu": cpu_name(),
            }
        )
        print(rows[-1], flush=True)
    with Path(__file__).with_suffix(".csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
