"""Survival metrics beside the concordance index, which they extend by weights of events."""

import time
from pathlib import Path
from statistics import median

import numpy as np

import bbc

from .._tables import Line, write_csv
from ._problems import problem

_METRICS = {
    "concordance_index": "concordance_index",
    "uno_concordance": "uno_concordance",
    "cumulative_dynamic_auc": bbc.metrics.cumulative_dynamic_auc(0.7),
    "survival_brier_score": bbc.metrics.survival_brier_score(0.7),
}


def run(folder: Path, *, quick: bool) -> None:
    """Write survival.csv: processor time of corrections, measured in turns."""
    n_rounds = 3 if quick else 25
    lines: list[Line] = []
    for n_rows, n_configurations in (
        ((100, 20),) if quick else ((100, 200), (500, 200), (2000, 100))
    ):
        y, risks = problem("concordance_index", n_rows, n_configurations)
        survival = np.exp(-np.exp(risks / 2))
        spent: dict[str, list[float]] = {name: [] for name in _METRICS}
        for _ in range(n_rounds):
            for name, metric in _METRICS.items():
                predictions = survival if "brier" in name else risks
                start = time.process_time()
                bbc.correct(y, predictions, metric=metric, random_state=1, n_threads=1)
                spent[name].append(1e3 * (time.process_time() - start))
        for name, ms in spent.items():
            lines.append(
                {
                    "metric": name,
                    "n_rows": n_rows,
                    "n_configurations": n_configurations,
                    "ms": median(ms),
                    "ms_fastest": min(ms),
                    "times_concordance": min(ms) / min(spent["concordance_index"]),
                }
            )
    write_csv(lines, folder / "survival.csv")
