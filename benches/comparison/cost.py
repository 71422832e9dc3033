"""What comparisons and paths cost, beside one correction of the same predictions.

    python -m benches.comparison.cost [--quick]

AUC of normal scores, 1000 replicates, one thread; medians of processor times, taken in turns. The
path is asked of a correction, whose time is not in it. "families" are eight of equal size. Writes
`cost.csv` beside itself.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
SIZES = ((500, 500), (500, 2000), (2000, 500), (2000, 2000))
N_FAMILIES = 8


def measure(n_rows: int, n_configurations: int, n_times: int) -> Line:
    """Milliseconds of each, and their ratios to one correction."""
    rng = np.random.default_rng([n_rows, n_configurations])
    y = rng.integers(0, 2, n_rows)
    scores = rng.normal(size=(n_rows, n_configurations)) + y[:, None]
    parts = np.array_split(np.arange(n_configurations), N_FAMILIES)
    families = {
        str(number): bbc.Predictions(y, scores[:, part]) for number, part in enumerate(parts)
    }
    options: dict[str, Any] = {"metric": "roc_auc", "random_state": 1, "n_threads": 1}
    c = bbc.correct(y, scores, **options)
    calls: dict[str, Callable[[], Any]] = {
        "correct": lambda: bbc.correct(y, scores, **options),
        "path": c.tuning_path,
        "compare": lambda: bbc.compare(families, **options),
    }
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(n_times):
        for name, call in calls.items():
            start = time.process_time()
            call()
            times[name].append(1e3 * (time.process_time() - start))
    medians = {name: float(np.median(own)) for name, own in times.items()}
    line: Line = {"n_rows": n_rows, "n_configurations": n_configurations}
    line |= {f"{name}_ms": value for name, value in medians.items()}
    for name in ("path", "compare"):
        line[f"{name}_times"] = medians[name] / medians["correct"]
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="once each, nothing is written")
    arguments = parser.parse_args()
    lines = [measure(*size, n_times=1 if arguments.quick else 15) for size in SIZES]
    for line in lines:
        print(line, flush=True)
    if not arguments.quick:
        write_csv(lines, HERE / "cost.csv")


if __name__ == "__main__":
    main()
