"""What groups, weights and folds of unequal size do to estimates although nothing is selected.

    python -m benches.size.plans [--repetitions 200]

One configuration, so that estimate less apparent score is a shift that is no selection; of means
over rows and the AUC it is not taken away. `plans.csv` has its mean with the standard error, its
root mean square beyond simulation error, and the largest of it, beside the standard deviation of
the apparent score. "Tied" designs are adversarial: large groups, heavy rows or large folds are
predicted worse. Choices of cut-offs and ensembles, whose replicates have no common winner, are
measured likewise; there the shift is of the choice, too. Two minutes of one core.
"""

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bbc

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
N_ROWS, N_BOOTSTRAPS = 100, 400
METRICS = ("accuracy", "log_loss", "roc_auc", "mean_squared_error", "concordance_index")
Floats = NDArray[np.float64]

PLANS = (
    "rows",
    "20 equal groups",
    "20 unequal groups",
    "20 unequal groups, tied",
    "weights .5 to 1.5",
    "skewed weights",
    "skewed weights, tied",
    "two-level, equal folds",
    "two-level, unequal folds, tied",
)


def unequal(rng: np.random.Generator, n_groups: int) -> NDArray[np.int64]:
    """The group of each row; the largest has a quarter of the rows or more."""
    sizes = rng.pareto(1.2, n_groups) + 0.3
    members = rng.choice(n_groups, N_ROWS - n_groups, p=sizes / sizes.sum())
    return np.sort(np.concatenate([np.arange(n_groups), members]))


def design(plan: str, rng: np.random.Generator) -> tuple[dict[str, Any], Floats]:
    """Options, and how far each row is from being predicted well: in -1 to 1."""
    worse = np.zeros(N_ROWS)
    options: dict[str, Any] = {}
    if "groups" in plan:
        groups = np.arange(N_ROWS) // 5 if "equal groups" in plan and "un" not in plan else None
        groups = unequal(rng, 20) if groups is None else groups
        options["groups"] = groups
        sizes = np.bincount(groups)[groups]
        if "tied" in plan:
            worse = 2.0 * (sizes > np.median(sizes)) - 1.0
        else:
            worse = rng.normal(size=20)[groups] / 2
    elif "weights" in plan:
        weights = rng.uniform(0.5, 1.5, N_ROWS)
        if "skewed" in plan:
            weights = rng.lognormal(0, 1.2, N_ROWS)
        options["sample_weight"] = weights
        if "tied" in plan:
            worse = 2.0 * (weights > np.median(weights)) - 1.0
    elif "two-level" in plan:
        folds = np.arange(N_ROWS) % 10
        if "unequal" in plan:
            folds = np.repeat(np.arange(10), [37, *(7,) * 9])
            worse = np.where(folds == 0, 1.0, -1.0)
        options |= {"folds": folds, "method": "bbc-two-level"}
    return options, worse


def data(metric: str, worse: Floats, rng: np.random.Generator) -> tuple[Any, Floats]:
    """Truth, and predictions that are worse for some rows."""
    n = N_ROWS
    if metric == "mean_squared_error":
        y = rng.normal(size=n)
        return y, (y + np.exp(0.7 * worse) * rng.normal(size=n))[:, None]
    if metric == "concordance_index":
        risk = rng.normal(size=n)
        time, end = rng.exponential(np.exp(-risk)), rng.exponential(1.5, n)
        truth = np.array(
            list(zip(time <= end, np.minimum(time, end), strict=True)),
            dtype=[("event", bool), ("time", float)],
        )
        return truth, (risk + np.exp(0.7 * worse) * rng.normal(size=n))[:, None]
    y = (rng.random(n) < 0.4).astype(int)
    scores = 1.5 * (2 * y - 1) * (0.6 - 0.5 * worse) + rng.normal(size=n)
    if metric == "accuracy":
        return y, (scores > 0).astype(int)[:, None]
    return y, scores[:, None] if metric == "roc_auc" else 1 / (1 + np.exp(-scores))[:, None]


def line(metric: str, plan: str, repetitions: int) -> Line:
    """The shift in one design."""
    rng = np.random.default_rng([METRICS.index(metric), PLANS.index(plan)])
    shifts, errors, apparent = [], [], []
    for seed in range(repetitions):
        options, worse = design(plan, rng)
        y, predictions = data(metric, worse, rng)
        e = bbc.correct(
            y,
            predictions,
            metric=metric,
            n_bootstraps=N_BOOTSTRAPS,
            random_state=seed,
            n_threads=1,
            **options,
        )
        shifts.append(e.estimate - e.apparent)
        errors.append(e.replicate_sd**2 / N_BOOTSTRAPS)
        apparent.append(e.apparent)
    return _line(metric, plan, np.array(shifts), float(np.mean(errors)), np.array(apparent))


def _line(metric: str, plan: str, shifts: Floats, noise: float, apparent: Floats) -> Line:
    return {
        "metric": metric,
        "plan": plan,
        "repetitions": len(shifts),
        "apparent": float(apparent.mean()),
        "apparent_sd": float(apparent.std(ddof=1)),
        "shift": float(shifts.mean()),
        "shift_se": float(shifts.std(ddof=1) / np.sqrt(len(shifts))),
        "shift_rms": float(np.sqrt(max(0.0, np.mean(shifts**2) - noise))),
        "largest": float(np.abs(shifts).max()),
    }


CHOICES: tuple[tuple[str, str, Any, int], ...] = (
    ("f1", "best_threshold, 1 configuration", bbc.best_threshold(), 1),
    ("accuracy", "best_threshold, 1 configuration", bbc.best_threshold(), 1),
    ("average_precision", "top_k(3) of 3", bbc.top_k(3), 3),
    ("roc_auc", "top_k(3) of 3", bbc.top_k(3), 3),
)


def choice(metric: str, name: str, selection: Any, size: int, repetitions: int) -> Line:
    """The shift of a choice: top_k of all selects nothing, a cut-off is chosen."""
    rng = np.random.default_rng([len(metric), size])
    shifts, errors, apparent = [], [], []
    for seed in range(repetitions):
        y = (rng.random(N_ROWS) < 0.3).astype(int)
        scores = y[:, None] + rng.normal(size=(N_ROWS, size))
        e = bbc.correct(
            y,
            scores,
            metric=metric,
            selection=selection,
            n_bootstraps=N_BOOTSTRAPS,
            random_state=seed,
            n_threads=1,
        )
        shifts.append(e.estimate - e.apparent)
        errors.append(e.replicate_sd**2 / N_BOOTSTRAPS)
        apparent.append(e.apparent)
    return _line(metric, name, np.array(shifts), float(np.mean(errors)), np.array(apparent))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200)
    repetitions = parser.parse_args().repetitions
    warnings.simplefilter("ignore")
    lines = []
    for metric in METRICS:
        for plan in PLANS:
            lines.append(line(metric, plan, repetitions))
            print(*list(lines[-1].values()), flush=True)
    for each in CHOICES:
        lines.append(choice(*each, repetitions))
        print(*list(lines[-1].values()), flush=True)
    write_csv(lines, HERE / "plans.csv")


if __name__ == "__main__":
    main()
