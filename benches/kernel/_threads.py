"""Time on more threads than this machine has, from measured times of tasks.

A task is a block of 64 replicates and a panel of configurations. Its time is measured on one
thread, as what a further block takes with so many configurations. So each panel is charged with
drawing its block's replicates, which the panels of a block share, and the simulated times are upper
bounds. Tasks are taken in order by whichever thread is free. What precedes them is divided among as
many threads as have something to prepare.
"""

import heapq
from math import ceil

from .._tables import Line
from ._child import measure

BLOCK = 64
PROBLEMS = (
    ("accuracy", 1000, 2000),
    ("mean_squared_error", 1000, 2000),
    ("roc_auc", 500, 500),
    ("roc_auc", 20_000, 500),
)
_N_BOOTSTRAPS = 1000
_FEW, _MANY = 4, 12  # blocks that the time of one more is measured with
_PANELS = (1, 2, 4, 8)
_FEWEST = 50  # configurations of a panel
_MEASURED = (1, 2)
_SIMULATED = (8, 32, 128)


def ends_after(seconds: list[float], n_threads: int) -> float:
    """When the last of some tasks ends, each taken by the thread that is free first."""
    free = [0.0] * n_threads
    for task in seconds:
        heapq.heappush(free, heapq.heappop(free) + task)
    return max(free)


def lines() -> list[Line]:
    """Measured on one and two threads, and simulated on more."""
    found: list[Line] = []
    for metric, n_rows, n_configurations in PROBLEMS:
        own = _Problem(metric, n_rows, n_configurations)
        found += [own.measured(n_threads) for n_threads in _MEASURED]
        found += [own.simulated(n_threads) for n_threads in _SIMULATED]
        for line in found[-len(_MEASURED + _SIMULATED) :]:
            print(
                f"{metric:20s}{n_rows:8d} x {n_configurations:6d}{line['n_threads']:6d} threads"
                f"{line['n_tasks']:6d} tasks{line['ms']:10.3f} ms"
                f"{'  simulated' if line['simulated'] else ''}",
                flush=True,
            )
    return found


class _Problem:
    def __init__(self, metric: str, n_rows: int, n_configurations: int) -> None:
        self._size = {
            "metric": metric,
            "n_rows": n_rows,
            "n_configurations": n_configurations,
            "n_bootstraps": _N_BOOTSTRAPS,
        }
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
            "n_bootstraps": n_blocks * BLOCK,
            "n_configurations": n_configurations,
        }
        return measure(**task, n_runs=12)["cpu_seconds"]

    def _of_block(self, n_configurations: int) -> float:
        few, many = (self._seconds(n, n_configurations) for n in (_FEW, _MANY))
        return (many - few) / (_MANY - _FEW)

    def measured(self, n_threads: int) -> Line:
        """On this machine: the processor's time of one thread, by the clock on more."""
        found = measure(**self._size, n_threads=n_threads, n_runs=12)
        seconds = found["cpu_seconds" if n_threads == 1 else "seconds"]
        return self._line(n_threads, ceil(_N_BOOTSTRAPS / BLOCK), seconds, "")

    def simulated(self, n_threads: int) -> Line:
        """With as many panels as end first."""
        n_blocks = ceil(_N_BOOTSTRAPS / BLOCK)
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
            "axis": "threads",
            "n_threads": n_threads,
            "n_tasks": n_tasks,
            "ms": 1e3 * seconds,
            "picoseconds_per_cell": 1e12 * seconds / (cells * _N_BOOTSTRAPS),
            "mib_beyond_data": "",
            "exponent": "",
            "simulated": simulated,
        }
