"""Bias, coverage and false alarms of the winner's performance in subgroups.

The best of 50 configurations is selected on all rows; the truth is the performance of that
configuration in each subgroup. `python -m benches.subgroups` writes `coverage.csv`.
"""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import bbc

_N_CONFIGURATIONS = 50
_SPREAD = 0.02  # sd of the configurations' performance
_SHARED = 0.5  # correlation of a row's noise between configurations
_BASE = 0.75
_N_BOOTSTRAPS = 400
_N_REPETITIONS = 500
_SUBGROUPS = ("large", "small")

Floats = NDArray[np.float64]


def world(
    metric: str, n_rows: int, share: float, gap: float, rng: np.random.Generator
) -> tuple[Any, Floats, Any, Floats]:
    """Truth, predictions, subgroups, and performance (configuration, subgroup)."""
    small = np.arange(n_rows) < share * n_rows
    y = np.where(small, np.arange(n_rows), np.arange(n_rows) - small.sum()) % 2
    skills = _BASE + _SPREAD * ndtri((np.arange(_N_CONFIGURATIONS) + 0.5) / _N_CONFIGURATIONS)
    truth = rng.permutation(skills)[:, None] - np.array([0.0, gap])
    at = ndtri(truth)[:, small.astype(int)].T  # (row, configuration)
    noise = np.sqrt(_SHARED) * rng.standard_normal((n_rows, 1))
    noise = noise + np.sqrt(1 - _SHARED) * rng.standard_normal((n_rows, _N_CONFIGURATIONS))
    if metric == "accuracy":
        values = np.where(noise <= at, y[:, None], 1 - y[:, None])
    else:  # AUC = Phi(distance of the classes / sqrt(2))
        values = noise + (2 * y[:, None] - 1) * at / np.sqrt(2)
    return y, values, np.where(small, "small", "large"), truth


def one(metric: str, n_rows: int, share: float, gap: float, seed: int) -> dict[str, float]:
    """Errors of one data set; NaN for a subgroup that is too small."""
    y, values, by, truth = world(metric, n_rows, share, gap, np.random.default_rng(seed))
    found = bbc.subgroups(
        y, values, by=by, metric=metric, n_bootstraps=_N_BOOTSTRAPS, random_state=seed, n_threads=1
    )
    numbers = {}
    for place, name in enumerate(_SUBGROUPS):
        estimate, own = found[name].estimate, float("nan")
        if estimate is not None:
            own = float(truth[estimate.winner, place])
            low, high = estimate.confidence_interval
            numbers[f"covered_{name}"] = float(low <= own <= high)
            numbers[f"width_{name}"] = high - low
            numbers[f"bias_{name}"] = estimate.estimate - own
            numbers[f"apparent_bias_{name}"] = estimate.apparent - own
    for pair in found.differences:
        low, high = pair.confidence_interval
        numbers["covered_difference"] = float(low <= gap <= high)
        numbers["width_difference"] = high - low
        numbers["rejected"] = float(pair.p_value < 0.05)
    return numbers


def line(metric: str, n_rows: int, share: float, gap: float) -> dict[str, Any]:
    """Means over the repetitions."""
    runs = [one(metric, n_rows, share, gap, seed) for seed in range(_N_REPETITIONS)]
    names = list(dict.fromkeys(name for run in runs for name in run))
    means = {name: float(np.mean([run[name] for run in runs if name in run])) for name in names}
    return {
        "metric": metric,
        "n_rows": n_rows,
        "n_small": round(share * n_rows),
        "gap": gap,
        "repetitions": _N_REPETITIONS,
        "compared": sum("rejected" in run for run in runs),
        **means,
    }


def main() -> None:
    """Every world, one line each."""
    from benches._tables import write_csv

    worlds = product(("accuracy", "roc_auc"), ((100, 0.2), (200, 0.25)), (0.0, 0.1))
    lines = [line(metric, *sizes, gap) for metric, sizes, gap in worlds]
    write_csv(lines, Path(__file__).parent / "coverage.csv")


if __name__ == "__main__":
    main()
