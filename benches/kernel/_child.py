"""One correction in a process of its own: its times, and the memory it took beyond its data."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from .._tables import mib_at_most

ROOT = Path(__file__).resolve().parents[2]


def measure(**task: Any) -> dict[str, float]:
    """Run `task` in a child, so that its peak of memory is its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benches.kernel._child", json.dumps(task)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _task(
    metric: str,
    n_rows: int,
    n_configurations: int,
    n_bootstraps: int,
    n_runs: int = 1,
    path: str = "",
) -> dict[str, float]:
    import bbc

    from ._problems import problem

    def correct(y: Any, predictions: Any, seed: int = 1) -> tuple[float, float]:
        start, start_cpu = time.perf_counter(), time.process_time()
        bbc.correct(
            y,
            predictions,
            metric=metric,
            n_bootstraps=n_bootstraps,
            random_state=seed,
            n_threads=1,
        )
        return time.perf_counter() - start, time.process_time() - start_cpu

    correct(*problem(metric, 20, 3))
    if path:
        y = np.arange(n_rows) % 2
        dtype = np.int8 if metric == "accuracy" else np.float64
        predictions: Any = np.memmap(path, dtype, "r", shape=(n_rows, n_configurations))
    else:
        y, predictions = problem(metric, n_rows, n_configurations)
    before = mib_at_most()
    # Each run has a seed of its own, so that no replicates are kept from the one before.
    times = [correct(y, predictions, seed) for seed in range(n_runs)]
    seconds, cpu_seconds = (min(column) for column in zip(*times, strict=True))
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "more_mib": mib_at_most() - before,
    }


if __name__ == "__main__":
    print(json.dumps(_task(**json.loads(sys.argv[1]))))
