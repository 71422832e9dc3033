"""Time by the clock on 1, 2, 4, ... threads, up to the machine's cores; threads.csv.

A correction is prepared (columns sorted, losses computed) in pieces of configurations, and
replicates are scored in tasks of 64 of them by a panel of configurations; both are shared by the
threads. What Python adds, about a millisecond, is not. `speedup` is over one thread.
"""

import os
import time
from pathlib import Path

import bbc

from .._tables import Line, write_csv
from ._problems import problem

PROBLEMS = (
    ("accuracy", 1000, 2000),
    ("mean_squared_error", 1000, 2000),
    ("roc_auc", 500, 500),
    ("roc_auc", 20_000, 500),
    ("accuracy", 1_000_000, 100),
)
_N_BOOTSTRAPS = 1000
_LARGE = 5_000_000  # cells


def run(folder: Path, *, quick: bool) -> None:
    """Measure, print, write the table."""
    n_cores = len(os.sched_getaffinity(0))
    print(f"\nTime by threads, {n_cores} cores")
    lines: list[Line] = []
    for metric, n_rows, n_configurations in PROBLEMS[:3] if quick else PROBLEMS:
        problem.cache_clear()
        n_runs = 3 if n_rows * n_configurations > _LARGE else 15
        alone = 0.0
        for n_threads in (1 << power for power in range(n_cores.bit_length())):
            seconds = _seconds(metric, n_rows, n_configurations, n_threads, n_runs)
            alone = alone or seconds
            line: Line = {
                "metric": metric,
                "n_rows": n_rows,
                "n_configurations": n_configurations,
                "n_bootstraps": _N_BOOTSTRAPS,
                "n_threads": n_threads,
                "ms": 1e3 * seconds,
                "speedup": alone / seconds,
            }
            print(
                f"{metric:20s}{n_rows:8d} x {n_configurations:6d}{n_threads:6d} threads"
                f"{line['ms']:10.3f} ms{line['speedup']:7.2f}",
                flush=True,
            )
            lines.append(line)
    write_csv(lines, folder / "threads.csv")


def _seconds(metric: str, n_rows: int, n_configurations: int, n_threads: int, n_runs: int) -> float:
    y, predictions = problem(metric, n_rows, n_configurations)
    times = []
    for _ in range(n_runs):
        start = time.perf_counter()
        bbc.correct(
            y,
            predictions,
            metric=metric,
            n_bootstraps=_N_BOOTSTRAPS,
            random_state=1,
            n_threads=n_threads,
        )
        times.append(time.perf_counter() - start)
    return min(times)
