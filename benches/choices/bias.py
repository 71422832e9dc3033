"""Bias and coverage where the choice is a configuration, a cut-off or an ensemble.

    python -m benches.choices.bias [repetitions]

Scores of 50 configurations for two classes: a latent signal of the class, noise that all
configurations share, and noise of each, through a logistic function. In the world "noise" there is
no signal. What each rule chose on all rows is scored on 10,000 further rows: the truth that the
interval should cover. Replicates: 200; ensembles by AUC take 5 rounds, others 25.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, f1_score, roc_auc_score

import bbc

from .._tables import Line, write_csv

N_CONFIGURATIONS, N_TEST, N_BOOTSTRAPS = 50, 10_000, 200
WORLDS = {"noise, 100 rows": (100, 0.0), "signal, 100 rows": (100, 1.0), "signal, 500": (500, 1.0)}
CHOICES: dict[str, tuple[str, Any]] = {
    "configuration, cut at .5": ("balanced_accuracy", "best"),
    "best_threshold()": ("balanced_accuracy", bbc.best_threshold()),
    "configuration, cut at .5 ": ("f1", "best"),
    "best_threshold() ": ("f1", bbc.best_threshold()),
    "configuration": ("brier_score", "best"),
    "top_k(10)": ("brier_score", bbc.top_k(10)),
    "greedy_ensemble(25)": ("brier_score", bbc.greedy_ensemble(25)),
    "configuration ": ("roc_auc", "best"),
    "top_k(10) ": ("roc_auc", bbc.top_k(10)),
    "greedy_ensemble(5)": ("roc_auc", bbc.greedy_ensemble(5)),
}
SCORES = {
    "balanced_accuracy": balanced_accuracy_score,
    "f1": lambda y, p: f1_score(y, p, zero_division=0),
    "brier_score": brier_score_loss,
    "roc_auc": roc_auc_score,
}


class World:
    """Skills of the configurations, drawn anew in each repetition."""

    def __init__(self, rng: np.random.Generator, signal: float) -> None:
        self._rng = rng
        self._skills = signal * rng.uniform(0.6, 1.0, N_CONFIGURATIONS)

    def draw(self, n_rows: int) -> tuple[Any, Any]:
        """Classes and probabilities."""
        y = (self._rng.random(n_rows) < 0.4).astype(int)
        shared = self._rng.normal(size=(n_rows, 1))
        own = self._rng.normal(size=(n_rows, N_CONFIGURATIONS))
        latent = (2 * y[:, None] - 1) * self._skills + 0.6 * shared + 0.8 * own
        return y, 1 / (1 + np.exp(-latent))


def chosen_column(e: bbc.PerformanceEstimate, scores: Any, cut: bool) -> Any:
    """What was chosen on all rows, of other rows."""
    if e.weights is not None:
        return scores @ e.weights
    column = scores[:, e.winner]
    if e.threshold is not None:
        return (column > e.threshold).astype(int)
    return (column > 0.5).astype(int) if cut else column


def errors(e: bbc.PerformanceEstimate, truth: float) -> tuple[float, ...]:
    """Apparent and corrected less true performance, whether the interval covers it, its width."""
    sign, (low, high) = (1 if e.greater_is_better else -1), e.confidence_interval
    return (
        sign * (e.apparent - truth),
        sign * (e.estimate - truth),
        float(low <= truth <= high),
        high - low,
        truth,
    )


def means(table: Any) -> Line:
    """What the rows of `errors` say together."""
    return {
        "truth": float(table[:, 4].mean()),
        "apparent bias": float(table[:, 0].mean()),
        "bias": float(table[:, 1].mean()),
        "standard error": float(table[:, 1].std(ddof=1) / np.sqrt(len(table))),
        "coverage": float(table[:, 2].mean()),
        "width": float(table[:, 3].mean()),
    }


def run(n_repetitions: int) -> Iterator[Line]:
    """A line for each world and choice."""
    for world, (n_rows, signal) in WORLDS.items():
        found: dict[str, list[tuple[float, ...]]] = {name: [] for name in CHOICES}
        for repetition in range(n_repetitions):
            rng = np.random.default_rng([n_rows, round(signal), repetition])
            drawn = World(rng, signal)
            y, scores = drawn.draw(n_rows)
            y_test, scores_test = drawn.draw(N_TEST)
            for name, (metric, rule) in CHOICES.items():
                cut = metric in ("balanced_accuracy", "f1")
                labels = cut and rule == "best"
                start = time.perf_counter()
                e = bbc.correct(
                    y,
                    (scores > 0.5).astype(int) if labels else scores,
                    metric=metric,
                    selection=rule,
                    n_bootstraps=N_BOOTSTRAPS,
                    random_state=repetition,
                    n_threads=1,
                )
                seconds = time.perf_counter() - start
                truth = SCORES[metric](y_test, chosen_column(e, scores_test, cut))
                found[name].append((*errors(e, truth), seconds))
        for name, (metric, _) in CHOICES.items():
            table = np.array(found[name])
            yield {
                "world": world,
                "metric": metric,
                "choice": name.strip(),
                **means(table),
                "seconds": float(np.median(table[:, 5])),
                "repetitions": n_repetitions,
            }


def main() -> None:
    """Write the table."""
    n_repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    write_csv(list(run(n_repetitions)), Path(__file__).with_name("bias.csv"))


if __name__ == "__main__":
    main()
