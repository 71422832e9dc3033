"""Coverage of the refit's performance by `interval="calibrated"`, with real learners.

    python -m benches.calibrated.coverage [--runs 300] [--quick]

The best of C configurations is corrected by two-level BBC; the interval should hold the score of
the refit on 4000 fresh rows. `coverage.csv`: order statistics (the default interval), the
calibrated interval as it was (without an addition for training rows that folds share) and as it is.
"""

import argparse
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, write_csv
from ..comparison.learners import LEARNERS, WIDTH

HERE = Path(__file__).resolve().parent
N_FRESH, LEVEL, N_BOOTSTRAPS = 4000, 0.95, 400


def left_out_factor(n_folds: int) -> float:
    """E[K / M] - 1 of M folds never drawn, given M > 0."""
    share = np.zeros(n_folds + 1)
    share[0] = 1.0
    hit = np.arange(n_folds + 1)
    for _ in range(n_folds):
        share = share * hit / n_folds + np.append(0.0, share[:-1] * (n_folds - hit[:-1]) / n_folds)
    ratio = n_folds / (n_folds - hit[1:-1]) - 1
    return float((share[1:-1] * ratio).sum() / share[1:-1].sum())


FACTORS = {n_folds: left_out_factor(n_folds) for n_folds in (5, 10)}


def rows_of(rng: np.random.Generator, n: int, n_blocks: int) -> tuple[Any, Any]:
    """Blocks of features that tell less and less."""
    X = rng.normal(size=(n, WIDTH * n_blocks))
    effect = np.repeat(0.9 * 0.8 ** np.arange(n_blocks), WIDTH)
    return X, (rng.random(n) < 1 / (1 + np.exp(-X @ effect))).astype(int)


def one_run(learner: str, metric: str, n: int, n_folds: int, size: int, seed: int) -> list[Any]:
    """Whether each interval holds the refit's score, and their widths."""
    rng = np.random.default_rng([seed, n, n_folds, size])
    (X, y), (Z, z) = rows_of(rng, n, size), rows_of(rng, N_FRESH, size)
    fit = LEARNERS[learner]
    folds = np.empty(n, dtype=int)
    folds[np.argsort(y + rng.random(n) / 2)] = np.arange(n) % n_folds
    values = np.empty((n, size))
    blocks = [slice(WIDTH * j, WIDTH * (j + 1)) for j in range(size)]
    for k, (j, own) in product(range(n_folds), enumerate(blocks)):
        out = folds == k
        values[out, j] = fit(X[~out, own], y[~out], X[out, own])
    if metric == "accuracy":
        values = (values > 0.5).astype(int)
    options: dict[str, Any] = {
        "metric": metric,
        "method": "bbc-two-level",
        "folds": folds,
        "n_bootstraps": N_BOOTSTRAPS,
        "random_state": seed,
        "n_threads": 1,
    }
    plain = bbc.correct(y, values, **options)
    calibrated = bbc.correct(y, values, interval="calibrated", **options)
    own = blocks[plain.winner or 0]
    predicted = fit(X[:, own], y, Z[:, own])
    if metric == "accuracy":
        true = np.mean((predicted > 0.5) == z)
    else:
        order = np.argsort(np.argsort(predicted))
        n_1 = int(z.sum())
        true = (order[z == 1].sum() - n_1 * (n_1 - 1) / 2) / (n_1 * (N_FRESH - n_1))
    assert calibrated.model_luck is not None
    variance = max(0.0, calibrated.model_luck.luck_variance or 0.0)
    z_score = -ndtri((1 - LEVEL) / 2)
    assert plain.replicate_sd is not None
    of_rows = plain.replicate_sd**2 / FACTORS[n_folds]
    found: list[Any] = []
    ends = [plain.confidence_interval]
    for added in (0.0, 1.0):
        half = z_score * np.sqrt((1 + added) * of_rows + variance)
        ends.append((max(0.0, plain.estimate - half), min(1.0, plain.estimate + half)))
    for low, high in ends:
        found += [low <= true <= high, high - low]
    return found


def study(learner: str, metric: str, n: int, n_folds: int, size: int, runs: int) -> Line:
    """Coverage and mean widths."""
    warnings.simplefilter("ignore", BBCWarning)
    rows = np.array([one_run(learner, metric, n, n_folds, size, seed) for seed in range(runs)])
    line: Line = {"learner": learner, "metric": metric, "n_rows": n, "n_folds": n_folds}
    line |= {"size": size, "runs": runs}
    for i, name in enumerate(("order", "before", "calibrated")):
        line[name] = float(rows[:, 2 * i].mean())
        line[f"{name}_width"] = float(rows[:, 2 * i + 1].mean())
    print(line, flush=True)
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--quick", action="store_true", help="3 runs, nothing is written")
    arguments = parser.parse_args()
    runs = 3 if arguments.quick else arguments.runs
    lines = [
        study(learner, metric, n, n_folds, size, runs)
        for (learner, metric), (n, n_folds), size in product(
            (("discriminant", "roc_auc"), ("7-NN", "accuracy")), ((100, 5), (200, 10)), (10, 30)
        )
    ]
    if not arguments.quick:
        write_csv(lines, HERE / "coverage.csv")


if __name__ == "__main__":
    main()
