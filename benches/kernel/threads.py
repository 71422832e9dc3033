"""Time by the clock and of processors on 1, 2, 4, ... threads, up to the machine's cores, and the
share of the latter that the calling thread takes, which no other one does; threads.csv.

A correction is prepared (columns sorted, losses computed) in pieces of configurations, and
replicates are scored in tasks of 64 of them by a panel of configurations; both are shared by the
threads. What Python adds, about a millisecond, is not: the calling thread waits for the others, so
its own time is the serial part. `speedup` is over one thread.
"""

import os
import time
from pathlib import Path
from typing import Any

import bbc

from .._tables import Line, write_csv
from ._problems import problem

PROBLEMS = (
    ("accuracy", 1000, 2000, "int8"),
    ("mean_squared_error", 1000, 2000, "float64"),
    ("roc_auc", 500, 500, "float64"),
    ("roc_auc", 20_000, 500, "float64"),
    ("log_loss", 20_000, 500, "float64"),
    ("accuracy", 200_000, 320, "uint8"),
    ("accuracy", 200_000, 320, "float64"),
    ("accuracy", 1_000_000, 100, "int8"),
)
_N_BOOTSTRAPS = 1000
_LARGE = 5_000_000  # cells


def run(folder: Path, *, quick: bool) -> None:
    """Measure, print, write the table."""
    n_cores = len(os.sched_getaffinity(0))
    print(f"\nTime by threads, {n_cores} cores")
    lines: list[Line] = []
    for metric, n_rows, n_configurations, kind in PROBLEMS[:3] if quick else PROBLEMS:
        problem.cache_clear()
        n_runs = 3 if n_rows * n_configurations > _LARGE else 15
        alone = 0.0
        for n_threads in (1 << power for power in range(n_cores.bit_length())):
            y, predictions = problem(metric, n_rows, n_configurations)
            given = predictions.astype(kind, copy=False)
            seconds, processors, caller = _least(y, given, metric, n_threads, n_runs)
            alone = alone or seconds
            line: Line = {
                "metric": metric,
                "n_rows": n_rows,
                "n_configurations": n_configurations,
                "n_bootstraps": _N_BOOTSTRAPS,
                "kind": kind,
                "n_threads": n_threads,
                "ms": 1e3 * seconds,
                "speedup": alone / seconds,
                "processor_ms": 1e3 * processors,
                "caller_share": caller / processors,
            }
            print(
                f"{metric:20s}{n_rows:8d} x {n_configurations:6d} {kind:8s}{n_threads:6d} threads"
                f"{line['ms']:10.3f} ms{line['speedup']:7.2f}{line['processor_ms']:10.3f} ms of"
                f" processors, {100 * line['caller_share']:.1f} % of the calling thread",
                flush=True,
            )
            lines.append(line)
    write_csv(lines, folder / "threads.csv")


def _least(
    y: Any, predictions: Any, metric: str, n_threads: int, n_runs: int
) -> tuple[float, float, float]:
    """Seconds of the fastest run by the clock; of that of least processor time this and the
    calling thread's."""
    clocks, processors = [], []
    for _ in range(n_runs):
        start = time.perf_counter(), time.process_time(), time.thread_time()
        bbc.correct(
            y,
            predictions,
            metric=metric,
            n_bootstraps=_N_BOOTSTRAPS,
            random_state=1,
            n_threads=n_threads,
        )
        clocks.append(time.perf_counter() - start[0])
        processors.append((time.process_time() - start[1], time.thread_time() - start[2]))
    return min(clocks), *min(processors)
