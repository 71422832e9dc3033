"""Bias, coverage and false alarms of the winner's performance in subgroups.

One configuration, or the best of 50, selected on all rows; the truth is the performance of that
configuration in each subgroup. `python -m benches.subgroups` writes `coverage.csv`.
"""

from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benches._tables import write_csv
from numpy.typing import NDArray
from scipy.special import ndtri

import bbc

_SPREAD = 0.02  # sd of the configurations' performance
_SHARED = 0.5  # correlation of a row's noise between configurations
_BASE = 0.75
_N_BOOTSTRAPS = 400
_N_REPETITIONS = 500
_SUBGROUPS = ("large", "small")

Floats = NDArray[np.float64]


class World(NamedTuple):
    """Configurations in a large and a small subgroup, in which they are worse by `gap`."""

    metric: str
    n_configurations: int
    n_rows: int
    n_small: int
    gap: float


def draw(world: World, rng: np.random.Generator) -> tuple[Any, Floats, Any, Floats]:
    """Truth, predictions, subgroups, and performance (configuration, subgroup)."""
    metric, size, n_rows, n_small, gap = world
    small = np.arange(n_rows) < n_small
    y = np.where(small, np.arange(n_rows), np.arange(n_rows) - n_small) % 2
    skills = _BASE + _SPREAD * ndtri((np.arange(size) + 0.5) / size)
    truth = rng.permutation(skills)[:, None] - np.array([0.0, gap])
    at = ndtri(truth)[:, small.astype(int)].T  # (row, configuration)
    noise = np.sqrt(_SHARED) * rng.standard_normal((n_rows, 1))
    noise = noise + np.sqrt(1 - _SHARED) * rng.standard_normal((n_rows, size))
    if metric == "accuracy":
        values = np.where(noise <= at, y[:, None], 1 - y[:, None])
    else:  # AUC = Phi(distance of the classes / sqrt(2))
        values = noise + (2 * y[:, None] - 1) * at / np.sqrt(2)
    return y, values, np.where(small, "small", "large"), truth


def one(world: World, seed: int) -> dict[str, float]:
    """Errors of one data set; none for a subgroup that is too small."""
    y, values, by, truth = draw(world, np.random.default_rng(seed))
    c = bbc.correct(
        y,
        values,
        metric=world.metric,
        n_bootstraps=_N_BOOTSTRAPS,
        random_state=seed,
        n_threads=1,
    )
    found = c.subgroups(by)
    numbers = {}
    for place, name in enumerate(_SUBGROUPS):
        estimate = found[name].estimate
        if estimate is not None:
            own = float(truth[estimate.winner, place])
            low, high = estimate.confidence_interval
            numbers[f"covered_{name}"] = float(low <= own <= high)
            numbers[f"width_{name}"] = high - low
            numbers[f"bias_{name}"] = estimate.estimate - own
            numbers[f"apparent_bias_{name}"] = estimate.apparent - own
    for pair in found.differences:
        low, high = pair.confidence_interval
        numbers["covered_difference"] = float(low <= world.gap <= high)
        numbers["width_difference"] = high - low
        numbers["rejected"] = float(pair.p_value < 0.05)
    return numbers


def line(world: World) -> dict[str, Any]:
    """Means over the repetitions."""
    runs = [one(world, seed) for seed in range(_N_REPETITIONS)]
    names = list(dict.fromkeys(name for run in runs for name in run))
    means = {name: float(np.mean([run[name] for run in runs if name in run])) for name in names}
    compared = sum("rejected" in run for run in runs)
    return world._asdict() | {"repetitions": _N_REPETITIONS, "compared": compared} | means


def main() -> None:
    """Every world, one line each."""
    sizes = ((100, 20), (200, 50))
    worlds = product(("accuracy", "roc_auc"), (1, 50), sizes, (0.0, 0.1))
    lines = [line(World(metric, size, *rows, gap)) for metric, size, rows, gap in worlds]
    write_csv(lines, Path(__file__).parent / "coverage.csv")


if __name__ == "__main__":
    main()
