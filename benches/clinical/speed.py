"""Processor time of the clinical statistics and their page beside the correction, on one thread.

``python -m benches.clinical.speed`` writes speed.csv: 500 rows, 200 configurations, 1000
replicates, the best of five runs. "all numbers" is the correction by all metrics with every
statistic, and "page" is drawing and writing their page.
"""

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bbc
from bbc._validation import asked
from bbc._winners import Winners
from bbc.clinical import WinnerPerformance

from .._tables import write_csv
from ._world import draw, worlds


def seconds(run: Callable[[], Any]) -> float:
    """The least processor time of five runs."""
    times = []
    for _ in range(5):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """A line per statistic."""
    rng = np.random.default_rng(0)
    y, risks = draw(rng, worlds(rng, 200)["unequal"], 500)

    def correction() -> Winners:
        metric = bbc.metrics.get("log_loss")
        return Winners(asked(y, risks, {"metric": metric, "random_state": 0, "n_threads": 1}))

    def performance() -> bbc.results.ClinicalPerformance:
        c = bbc.correct(y, risks, metric="log_loss", random_state=0, n_threads=1)
        found = c.clinical()
        assert isinstance(found, bbc.results.ClinicalPerformance)
        return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        winner, shown = WinnerPerformance(correction()), performance()
        runs: dict[str, Callable[[], Any]] = {
            "correction": correction,
            "calibration": winner.calibration,
            "net benefit": winner.decision_curve,
            "ROC curve": winner.roc_curve,
            "precision-recall curve": winner.precision_recall_curve,
            "all numbers": performance,
            "page": lambda: bbc.report(shown),
        }
        lines = [{"what": name, "seconds": seconds(run)} for name, run in runs.items()]
    write_csv(lines, Path(__file__).parent / "speed.csv")


if __name__ == "__main__":
    main()
