"""Bias and coverage of metrics that describe a tuned cut-off, and do not choose it.

    python -m benches.choices.described [repetitions]

The worlds of `bias.py`. A configuration and its cut-off have the best Youden index; what was
chosen on all rows is described by other metrics on 10,000 further rows: the truth that each
interval should cover. Replicates: 200.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import brier_score_loss, confusion_matrix, roc_auc_score

import bbc

from .._tables import Line, write_csv
from .bias import N_BOOTSTRAPS, N_TEST, WORLDS, World, errors, means

BENEFIT = bbc.metrics.net_benefit(0.3)
OF_LABELS = {
    "sensitivity": "recall",
    "specificity": "specificity",
    "positive predictive value": "precision",
    "negative predictive value": "negative_predictive_value",
    "net benefit at 0.3": BENEFIT,
}
METRICS: dict[str, Any] = {
    "youden_index": "youden_index",
    **OF_LABELS,
    "AUC of the scores": "roc_auc",
    "Brier score of the scores": "brier_score",
}


def truths(y: Any, scores: Any, cut_off: float) -> dict[str, float]:
    """What a configuration and its cut-off are worth on many rows."""
    (tn, fp), (fn, tp) = confusion_matrix(y, scores > cut_off)
    return {
        "youden_index": tp / (tp + fn) + tn / (tn + fp) - 1,
        "sensitivity": tp / (tp + fn),
        "specificity": tn / (tn + fp),
        "positive predictive value": tp / max(tp + fp, 1),
        "negative predictive value": tn / max(tn + fn, 1),
        "net benefit at 0.3": (tp - fp * 0.3 / 0.7) / len(y),
        "AUC of the scores": roc_auc_score(y, scores),
        "Brier score of the scores": brier_score_loss(y, scores),
    }


def run(n_repetitions: int) -> Iterator[Line]:
    """A line for each world and metric."""
    for world, (n_rows, signal) in WORLDS.items():
        found: dict[str, list[tuple[float, ...]]] = {name: [] for name in METRICS}
        for repetition in range(n_repetitions):
            rng = np.random.default_rng([n_rows, round(signal), repetition, 7])
            drawn = World(rng, signal)
            y, scores = drawn.draw(n_rows)
            y_test, scores_test = drawn.draw(N_TEST)
            estimates = bbc.correct(
                y,
                scores,
                metric=METRICS,
                selection=bbc.best_threshold(),
                n_bootstraps=N_BOOTSTRAPS,
                random_state=repetition,
                n_threads=1,
            )
            chosen = estimates["youden_index"]
            expected = truths(y_test, scores_test[:, chosen.winner], chosen.threshold)
            for name, e in estimates.items():
                found[name].append(errors(e, expected[name]))
        for name, rows in found.items():
            measured = means(np.array(rows))
            yield {"world": world, "metric": name, **measured, "repetitions": n_repetitions}


def main() -> None:
    """Write the table."""
    n_repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    write_csv(list(run(n_repetitions)), Path(__file__).with_name("described.csv"))


if __name__ == "__main__":
    main()
