"""Nested cross-validation beside BBC, on the samples of `coverage`.

    python -m benches.intervals.nested [--runs 300] [--only TEXT] [--quick]

Of the cells of 120 rows, those of 10 % events and five folds with every learner, and those of 30 %
and ten folds with three. The outer folds choose by the other folds' mean score, the models without
two folds being used twice, as `bbc.NCV` does; the estimate is the mean of the outer folds' scores.
Nobody gives it an interval that is known to hold (docs/intervals), so that Student's t of those
scores, which is often printed, stands here. `nested.csv`: how often it holds the score of the
configuration that is chosen on all rows, refitted, on 6000 fresh ones, its width, that of "bbc" on
the same sample, and how far both estimates are off on average.

Cells that the table already has are skipped (``--again`` runs them). All take about ten minutes of
one core.
"""

import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.stats import t

import bbc
from bbc.errors import BBCWarning

from .._tables import Line
from ._cells import Table, command_line
from .coverage import (
    LABELS,
    LEARNERS,
    LEVEL,
    METRICS,
    N_CONFIGURATIONS,
    Cell,
    Floats,
    sample,
    scores_of,
)

HERE = Path(__file__).resolve().parent
LOSSES = ("brier_score", "log_loss")
CELLS = [
    *(Cell(learner, 120, 0.1, 5) for learner in LEARNERS),
    *(Cell(learner, 120, 0.3, 10) for learner in ("discriminant", "naive Bayes", "logistic path")),
]


def one_run(cell: Cell, seed: int) -> dict[str, list[float]]:
    """Whether each interval holds the refit's score, their widths and errors."""
    X, y, folds, Z, z = sample(cell, seed)
    fit, K = LEARNERS[cell.learner], cell.n_folds
    out = [folds == k for k in range(K)]
    # Without fold i and one more, which is predicted; of one fold alone on the diagonal.
    inner = np.empty((K, cell.n_rows, N_CONFIGURATIONS))
    for j in range(N_CONFIGURATIONS):
        for i, k in combinations(range(K), 2):
            kept = ~(out[i] | out[k])
            both = fit(X[kept], y[kept], X[~kept], j)
            inner[i, out[k], j] = both[out[k][~kept]]
            inner[k, out[i], j] = both[out[i][~kept]]
        for i in range(K):
            inner[i, out[i], j] = fit(X[~out[i]], y[~out[i]], X[out[i]], j)
    outer = np.empty((cell.n_rows, N_CONFIGURATIONS))
    for i in range(K):
        outer[out[i]] = inner[i, out[i]]
    fresh: dict[int, Floats] = {}
    found = {}
    for metric in METRICS:
        sign = -1 if metric in LOSSES else 1
        by_fold = [[scores_of(metric, y[o], of[o]) for o in out] for of in inner]
        nested = []
        for i in range(K):
            inside = np.mean([by_fold[i][k] for k in range(K) if k != i], axis=0)
            nested.append(by_fold[i][i][np.argmax(sign * inside)])
        last = int(np.argmax(sign * np.mean([by_fold[i][i] for i in range(K)], axis=0)))
        values = (outer > 0.5).astype(int) if metric in LABELS else outer
        c = bbc.correct(
            y, values, metric=metric, folds=folds, random_state=seed, n_threads=1, n_bootstraps=1000
        )
        assert c.confidence_interval is not None
        for winner in {last, c.winner}:
            if winner not in fresh:
                fresh[winner] = fit(X, y, Z, winner)
        mean = float(np.mean(nested))
        half = float(t.ppf((1 + LEVEL) / 2, K - 1) * np.std(nested, ddof=1) / np.sqrt(K))
        true, own = scores_of(
            metric, z, np.column_stack([fresh[winner] for winner in (last, c.winner)])
        )
        low, high = c.confidence_interval
        found[metric] = [
            *(float(abs(mean - true) <= half), float(low <= own <= high)),
            *(2 * half, high - low, mean - true, c.estimate - own),
        ]
    return found


def study(cell: Cell, runs: int) -> list[Line]:
    """Coverage, mean widths and errors, by metric."""
    warnings.simplefilter("ignore", BBCWarning)
    every = [one_run(cell, seed) for seed in range(runs)]
    lines = []
    for metric in METRICS:
        means = np.mean([run[metric] for run in every], axis=0).tolist()
        names = ("nested", "bbc", "width_nested", "width_bbc", "bias_nested", "bias_bbc")
        line: Line = {"cell": str(cell), "metric": metric, "runs": runs}
        lines.append(line | dict(zip(names, means, strict=True)))
    print(f"{cell}: at least {min(line['nested'] for line in lines):.3f}", flush=True)
    return lines


def main() -> None:
    Table(HERE / "nested.csv", command_line(__doc__).parse_args()).measure(CELLS, study)


if __name__ == "__main__":
    main()
