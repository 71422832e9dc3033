"""One correction in a process of its own: its seconds, and the memory it took beyond its data."""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

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


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _task(
    metric: str, n_rows: int, n_configurations: int, n_bootstraps: int, n_threads: int, path: str
) -> dict[str, float]:
    import bbc

    from ._contests import problem

    def correct(y: Any, predictions: Any) -> float:
        start = time.perf_counter()
        bbc.correct(
            y,
            predictions,
            metric=metric,
            n_bootstraps=n_bootstraps,
            random_state=1,
            n_threads=n_threads,
        )
        return time.perf_counter() - start

    correct(*problem(metric, 20, 3))
    if path:
        y = np.arange(n_rows) % 2
        dtype = np.int8 if metric == "accuracy" else np.float64
        predictions: Any = np.memmap(path, dtype, "r", shape=(n_rows, n_configurations))
    else:
        y, predictions = problem(metric, n_rows, n_configurations)
    before = _peak_mib()
    seconds = min(correct(y, predictions) for _ in range(1 if path else 2))
    return {"seconds": seconds, "more_mib": _peak_mib() - before}


if __name__ == "__main__":
    print(json.dumps(_task(**json.loads(sys.argv[1]))))
