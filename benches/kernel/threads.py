"""Time on all threads that the machine has, and simulated on more; threads.csv.

Simulated times are made of measured times of tasks. A task is a block of 64 replicates and a panel
of configurations. Its time is measured on one thread, as what a further block takes with so many
configurations. So each panel is charged with drawing its block's replicates, which the panels of a
block share, and the simulated times are upper bounds. Tasks are taken in order by whichever thread
is free. What precedes them is divided among as many threads as have something to prepare.
"""

import heapq
import os
from math import ceil
from pathlib import Path

from .._tables import Line, write_csv
from ._child import measure

_BLOCK = 64
PROBLEMS = (
    ("accuracy", 1000, 2000),
    ("mean_squared_error", 1000, 2000),
    ("roc_auc", 500, 500),
    ("roc_auc", 20_000, 500),
    ("accuracy", 1_000_000, 100),
)
_N_BOOTSTRAPS = 1000
_FEW, _MANY = 4, 12  # blocks that the time of one more is measured with
_PANELS = (1, 2, 4, 8)
_FEWEST = 50  # configurations of a panel
_SIMULATED = (8, 32, 128)


def ends_after(seconds: list[float], n_threads: int) -> float:
    """When the last of some tasks ends, each taken by the thread that is free first."""
    free = [0.0] * n_threads
    for task in seconds:
        heapq.heappush(free, heapq.heappop(free) + task)
    return max(free)


def run(folder: Path, *, quick: bool) -> None:
    """Measure on 1, 2, 4, ... threads up to the machine's, simulate on more, write the table."""
    n_cores = len(os.sched_getaffinity(0))
    measured = [1 << power for power in range(n_cores.bit_length())]
    print(f"\nTime by threads, {n_cores} cores")
    lines: list[Line] = []
    for size in PROBLEMS[:2] if quick else PROBLEMS:
        own = _Problem(*size)
        lines += [own.measured(n_threads) for n_threads in measured]
        lines += [own.simulated(n_threads) for n_threads in _SIMULATED]
        for line in lines[-len(measured) - len(_SIMULATED) :]:
            print(
                f"{line['metric']:20s}{line['n_rows']:8d} x {line['n_configurations']:6d}"
                f"{line['n_threads']:6d} threads{line['n_tasks']:6d} tasks{line['ms']:10.3f} ms"
                f"{'  simulated' if line['simulated'] else ''}",
                flush=True,
            )
    write_csv(lines, folder / "threads.csv")


class _Problem:
    def __init__(self, metric: str, n_rows: int, n_configurations: int) -> None:
        self._size = {
            "metric": metric,
            "n_rows": n_rows,
            "n_configurations": n_configurations,
            "n_bootstraps": _N_BOOTSTRAPS,
        }
        self._n_runs = 12 if n_rows * n_configurations < 50_000_000 else 2
        few, many = (self._seconds(n, n_configurations) for n in (_FEW, _MANY))
        self._before = max(0.0, few - _FEW * (many - few) / (_MANY - _FEW))
        # A panel of each size: the last of a block may be smaller by a few configurations.
        self._of_panel = {
            n_panels: self._of_block(ceil(n_configurations / n_panels))
            for n_panels in _PANELS
            if n_panels == 1 or n_configurations / n_panels >= _FEWEST
        }

    def _seconds(self, n_blocks: int, n_configurations: int) -> float:
        task = {
            **self._size,
            "n_bootstraps": n_blocks * _BLOCK,
            "n_configurations": n_configurations,
        }
        return measure(**task, n_runs=self._n_runs)["cpu_seconds"]

    def _of_block(self, n_configurations: int) -> float:
        few, many = (self._seconds(n, n_configurations) for n in (_FEW, _MANY))
        return (many - few) / (_MANY - _FEW)

    def measured(self, n_threads: int) -> Line:
        """On this machine: the processor's time of one thread, by the clock on more."""
        found = measure(**self._size, n_threads=n_threads, n_runs=self._n_runs)
        seconds = found["cpu_seconds" if n_threads == 1 else "seconds"]
        return self._line(n_threads, ceil(_N_BOOTSTRAPS / _BLOCK), seconds, "")

    def simulated(self, n_threads: int) -> Line:
        """With as many panels as end first."""
        n_blocks = ceil(_N_BOOTSTRAPS / _BLOCK)
        times = {
            n_panels: ends_after([seconds] * (n_blocks * n_panels), n_threads)
            for n_panels, seconds in self._of_panel.items()
        }
        best = min(times, key=lambda n_panels: times[n_panels])
        # Configurations are prepared in tiles of 8 at least.
        n_preparing = min(n_threads, ceil(int(self._size["n_configurations"]) / 8))
        return self._line(
            n_threads, n_blocks * best, self._before / n_preparing + times[best], "simulated"
        )

    def _line(self, n_threads: int, n_tasks: int, seconds: float, simulated: str) -> Line:
        cells = float(int(self._size["n_rows"]) * int(self._size["n_configurations"]))
        return {
            **self._size,
            "n_threads": n_threads,
            "n_tasks": n_tasks,
            "ms": 1e3 * seconds,
            "picoseconds_per_cell": 1e12 * seconds / (cells * _N_BOOTSTRAPS),
            "simulated": simulated,
        }
