"""Small corrections, most of whose time is not the kernel's: from arrays, from `Predictions`, and
by numpy's product; small.csv. Least processor time of many, in turns in one process.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bbc

from .._tables import Line, write_csv
from ._peers import numpy_product

SIZES = ((20, 50), (50, 100), (100, 200))
_TURNS, _RUNS = 7, 60


def run(folder: Path, *, quick: bool) -> None:
    """Measure, print, write the table."""
    lines: list[Line] = []
    for n_rows, n_configurations in SIZES:
        for n_bootstraps in (1000, 5000):
            lines.append(_line(n_rows, n_configurations, n_bootstraps, 2 if quick else _TURNS))
    write_csv(lines, folder / "small.csv")


def _line(n_rows: int, n_configurations: int, n_bootstraps: int, n_turns: int) -> Line:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    labels = rng.integers(0, 2, (n_rows, n_configurations))
    kept = bbc.Predictions(y, labels)
    asked = {"metric": "accuracy", "n_bootstraps": n_bootstraps, "random_state": 1, "n_threads": 1}
    calls: dict[str, Callable[[], object]] = {
        "arrays": lambda: bbc.correct(y, labels, **asked),
        "predictions": lambda: bbc.correct(kept, **asked),
        "numpy": lambda: numpy_product(y, labels, "accuracy", n_bootstraps),
    }
    least = dict.fromkeys(calls, np.inf)
    for _ in range(n_turns):
        for name, call in calls.items():
            least[name] = min(least[name], *(_seconds(call) for _ in range(_RUNS)))
    line: Line = {
        "n_rows": n_rows,
        "n_configurations": n_configurations,
        "n_bootstraps": n_bootstraps,
        **{f"{name}_us": 1e6 * seconds for name, seconds in least.items()},
        "numpy_by_arrays": least["numpy"] / least["arrays"],
        "numpy_by_predictions": least["numpy"] / least["predictions"],
    }
    print(
        f"accuracy {n_rows:4d} x {n_configurations:4d}, B = {n_bootstraps}"
        + "".join(f"{name:>13s}{1e6 * seconds:8.0f} us" for name, seconds in least.items())
        + f"{line['numpy_by_arrays']:8.2f}x{line['numpy_by_predictions']:8.2f}x",
        flush=True,
    )
    return line


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
