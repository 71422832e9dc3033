"""Coverage of the mean squared error where errors have long tails.

    python -m benches.intervals.tails [--runs 300] [--only TEXT] [--quick]

Ten configurations that are equally good, or ridge and nearest neighbours on Friedman's function,
are corrected by "bbc" with the mean squared error. `tails.csv`: how often the upper limit holds the
expected loss of the deployed winner, by the replicates' order statistics, which were the limit
before, and by the interval as it is, which takes the larger of them and of the bootstrap-t with m
of n rows; how much farther from the estimate it lies (median); how often there is finding BBC013,
and in which share of the misses.

Cells are seeded by their names, and those that the table already has are skipped (``--again`` runs
them). All take about five minutes of one core.
"""

import zlib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bbc

from .._tables import Line
from ._cells import Table, command_line

HERE = Path(__file__).resolve().parent
Floats = NDArray[np.float64]
N_CONFIGURATIONS, OWN, N_FRESH, N_FOLDS = 10, 0.5, 4000, 5

RESIDUALS = ("normal", "t4", "t3", "t2.5", "log-normal")
#: A share of normal residuals is this much larger.
OUTLIERS = {"3 % outliers": (0.03, 10.0), "10 % outliers": (0.1, 3.0)}
DESIGNS = (
    *("weights 1 and 4", "exponential weights"),
    *("40 groups, one scale each", "40 groups, one effect each", "40 unequal groups"),
)
LEARNERS = ("ridge", "k-NN")


class Cell(NamedTuple):
    """Residuals, rows, and what else there is of rows or learners."""

    residuals: str
    n_rows: int
    design: str

    def __str__(self) -> str:
        return f"{self.residuals}, n {self.n_rows}, {self.design}"


CELLS = [
    *(Cell(r, n, "rows") for r, n in product(RESIDUALS, (20, 60, 200, 600))),
    *(Cell(r, n, "rows") for r, n in product(OUTLIERS, (60, 200, 600))),
    *(Cell(r, n, d) for d in DESIGNS[:2] for r, n in product(RESIDUALS, (60, 200))),
    *(Cell(r, 120, d) for d in DESIGNS[2:] for r in RESIDUALS),
    *(Cell(r, n, d) for d in LEARNERS for r, n in product(("normal", "t2.5"), (60, 200))),
]


class Sample(NamedTuple):
    """A truth, predictions, what is known of rows, and the winner's expected loss by column."""

    y: Floats
    predictions: Floats
    weights: Floats | None
    groups: NDArray[np.int64] | None
    losses: Floats


def variance_of(residuals: str) -> float:
    """The variance of residuals."""
    if residuals == "log-normal":
        return float((np.e - 1) * np.e)
    if residuals == "normal":
        return 1.0
    if residuals in OUTLIERS:
        share, times = OUTLIERS[residuals]
        return 1 + share * (times**2 - 1)
    degrees = float(residuals.removeprefix("t"))
    return degrees / (degrees - 2)


def draw(residuals: str, size: Any, rng: np.random.Generator) -> Floats:
    """Residuals with mean 0."""
    if residuals == "log-normal":
        return np.exp(rng.normal(size=size)) - np.exp(0.5)
    if residuals == "normal":
        return rng.normal(size=size)
    if residuals in OUTLIERS:
        share, times = OUTLIERS[residuals]
        return rng.normal(size=size) * np.where(rng.random(size) < share, times, 1)
    return rng.standard_t(float(residuals.removeprefix("t")), size=size)


def grouped(cell: Cell, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    """Residuals of groups: half of the variance is the group's, or all rows have its scale."""
    n_groups = 40
    sizes = np.full(n_groups, 3)
    if "unequal" in cell.design:
        sizes = 1 + rng.multinomial(cell.n_rows - n_groups, rng.dirichlet(np.ones(n_groups)))
    groups = np.repeat(np.arange(n_groups), sizes)
    of_group = draw(cell.residuals, n_groups, rng)[groups]
    if "scale" in cell.design:
        signs = rng.choice((-1, 1), cell.n_rows)
        return (of_group if cell.residuals == "log-normal" else of_group * signs), groups
    return np.sqrt(0.5) * (of_group + draw(cell.residuals, cell.n_rows, rng)), groups


def equally_good(cell: Cell, rng: np.random.Generator) -> Sample:
    """Configurations whose predictions differ by errors of their own."""
    weights = groups = None
    if "groups" in cell.design:
        y, groups = grouped(cell, rng)
    else:
        y = draw(cell.residuals, cell.n_rows, rng)
    if cell.design == "weights 1 and 4":
        weights = rng.choice((1.0, 4.0), cell.n_rows)
    if cell.design == "exponential weights":
        weights = rng.exponential(size=cell.n_rows)
    predictions = OWN * rng.normal(size=(cell.n_rows, N_CONFIGURATIONS))
    loss = variance_of(cell.residuals) + OWN**2
    return Sample(y, predictions, weights, groups, np.full(N_CONFIGURATIONS, loss))


def friedman(X: Floats) -> Floats:
    """Friedman's first function."""
    return (
        10 * np.sin(np.pi * X[:, 0] * X[:, 1])
        + 20 * (X[:, 2] - 0.5) ** 2
        + 10 * X[:, 3]
        + 5 * X[:, 4]
    )


def ridge(X: Floats, y: Floats, Z: Floats) -> Floats:
    """Ridge regression, from little to much shrinkage."""
    center, level = X.mean(axis=0), y.mean()
    own = X - center
    square, moments = own.T @ own, own.T @ (y - level)
    penalties = 10 ** (np.arange(N_CONFIGURATIONS) / 3 - 1)
    slopes = [np.linalg.solve(square + p * np.eye(X.shape[1]), moments) for p in penalties]
    return level + (Z - center) @ np.column_stack(slopes)


def neighbours(X: Floats, y: Floats, Z: Floats) -> Floats:
    """The means of one to ten nearest neighbours."""
    distances = (Z**2).sum(axis=1)[:, None] - 2 * Z @ X.T + (X**2).sum(axis=1)
    near = np.argpartition(distances, N_CONFIGURATIONS, axis=1)[:, :N_CONFIGURATIONS]
    order = np.argsort(np.take_along_axis(distances, near, axis=1), axis=1)
    nearest = np.take_along_axis(near, order, axis=1)
    return np.cumsum(y[nearest], axis=1) / np.arange(1, N_CONFIGURATIONS + 1)


def learned(cell: Cell, rng: np.random.Generator) -> Sample:
    """Cross-validated predictions, and the losses of models that are fitted to all rows."""
    learner: Callable[[Floats, Floats, Floats], Floats]
    learner = ridge if cell.design == "ridge" else neighbours
    X, fresh = rng.random((cell.n_rows, 5)), rng.random((N_FRESH, 5))
    y = friedman(X) + 2 * draw(cell.residuals, cell.n_rows, rng)
    folds = rng.permutation(cell.n_rows) % N_FOLDS
    predictions = np.empty((cell.n_rows, N_CONFIGURATIONS))
    for fold in range(N_FOLDS):
        test = folds == fold
        predictions[test] = learner(X[~test], y[~test], X[test])
    missed = ((friedman(fresh)[:, None] - learner(X, y, fresh)) ** 2).mean(axis=0)
    return Sample(y, predictions, None, None, missed + 4 * variance_of(cell.residuals))


def sample_of(cell: Cell, rng: np.random.Generator) -> Sample:
    """One data set of a cell."""
    return (learned if cell.design in LEARNERS else equally_good)(cell, rng)


def one_run(cell: Cell, seed: int) -> tuple[float, ...]:
    """What one correction covers, widths of its upper half, and its finding."""
    rng = np.random.default_rng([zlib.crc32(str(cell).encode()), seed])
    sample = sample_of(cell, rng)
    e = bbc.correct(
        sample.y,
        sample.predictions,
        metric="mean_squared_error",
        sample_weight=sample.weights,
        groups=sample.groups,
        n_bootstraps=1000,
        random_state=seed,
        n_threads=1,
    )
    assert e.confidence_interval is not None
    assert e.replicates is not None
    before = float(np.quantile(e.replicates, 0.975, method="inverted_cdf"))
    now, truth = e.confidence_interval.high, sample.losses[e.winner]
    found = any(one.code == "BBC013" for one in e.findings)
    ratio = (now - e.estimate) / (before - e.estimate)
    return (
        *(before >= truth, now >= truth, e.confidence_interval.low <= truth <= now),
        *(ratio, found, found and now < truth),
    )


def study(cell: Cell, runs: int) -> list[Line]:
    """Shares of upper limits above the truth, of intervals that hold it, and of findings."""
    rows = np.array([one_run(cell, seed) for seed in range(runs)], dtype=float)
    missed = runs - float(rows[:, 1].sum())
    line = {
        "cell": str(cell),
        "runs": runs,
        "upper_before": rows[:, 0].mean(),
        "upper_now": rows[:, 1].mean(),
        "interval_now": rows[:, 2].mean(),
        "times_as_far": float(np.median(rows[:, 3])),
        "BBC013": rows[:, 4].mean(),
        "misses_with_BBC013": rows[:, 5].sum() / missed if missed else "",
    }
    print(", ".join(f"{name} {value}" for name, value in line.items()), flush=True)
    return [line]


def main() -> None:
    Table(HERE / "tails.csv", command_line(__doc__).parse_args()).measure(CELLS, study)


if __name__ == "__main__":
    main()
