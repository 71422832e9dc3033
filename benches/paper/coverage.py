"""Coverage and width of intervals: one partition, ten, and dropping; known truth.

The paper takes sub-samples of real data, and a large hold-out as truth. Here predictions are
simulated: a configuration is right on a row in a repeat if a normal variable falls below the
quantile of its true accuracy. The variables of the repeats of one row are correlated, because
the paper observes that a row tends to be easy, or hard, in all repeats.
"""

from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import binomtest

import bbc

from ._matrices import drop
from ._study import Cell, Claim, Row, Study, generator, mean_and_error

LAW = (9, 6)
N_CONFIGURATIONS = 200
N_FOLDS = 10
BETWEEN_REPEATS = 0.7
LEVELS = (*(round(0.5 + 0.05 * step, 2) for step in range(10)), 0.99)
SIZES = (20, 100, 500)
METHODS = (*(f"BBC x {repeats}" for repeats in range(1, 11)), "BBCD")
N_REPETITIONS = 300


def cells(quick: bool) -> list[Cell]:
    sizes = (20, 100) if quick else SIZES
    methods = ("BBC x 1", "BBC x 4", "BBC x 10", "BBCD") if quick else METHODS
    return [{"n_rows": n_rows, "method": method} for n_rows in sizes for method in methods]


def run(cell: Cell, quick: bool) -> list[Row]:
    rng = generator("coverage", cell["n_rows"], cell["method"])
    found = [intervals(cell, rng) for _ in range(30 if quick else N_REPETITIONS)]
    rows = []
    for place, level in enumerate(LEVELS):
        low, high, truth = np.array([(*limits[place], t) for limits, t in found]).T
        width, width_error = mean_and_error(high - low)
        inside = int(((low <= truth) & (truth <= high)).sum())
        above, below = float((truth > high).mean()), float((truth < low).mean())
        rows.append(
            {
                **cell,
                "level": level,
                "coverage": inside / len(found),
                "p_below_level": binomtest(inside, len(found), level, "less").pvalue,
                "truth_above": above,
                "truth_below": below,
                "width": width,
                "width_standard_error": width_error,
                "n_repetitions": len(found),
            }
        )
    return rows


def intervals(cell: Cell, rng: np.random.Generator) -> tuple[list[tuple[float, float]], float]:
    """Limits at all levels, and the true accuracy of the winner, of one simulation."""
    method, n_rows = cell["method"], cell["n_rows"]
    n_repeats = 1 if method == "BBCD" else int(method.split()[-1])
    truth = np.clip(rng.beta(*LAW, size=N_CONFIGURATIONS), 1e-12, 1 - 1e-12)
    seed = int(rng.integers(2**53))
    y = np.arange(n_rows) % 2
    predictions = simulated(y, truth, n_repeats, rng)
    survivors = np.arange(N_CONFIGURATIONS)
    if method == "BBCD":
        survivors = drop(
            y,
            predictions[0],
            np.arange(n_rows) * N_FOLDS // n_rows,
            metric="accuracy",
            min_predictions=1,
            seed=seed,
        ).survivors
        predictions = [predictions[0][:, survivors]]
    e = bbc.correct(
        y, predictions, metric="accuracy", labels=[0, 1], random_state=seed, n_threads=1
    )
    ordered = np.sort(e.replicates)
    limits = [
        tuple(ordered[np.ceil(np.round(tail * ordered.size, 9)).astype(int) - 1])
        for tail in (np.array([1 - level, 1 + level]) / 2 for level in LEVELS)
    ]
    return limits, float(truth[survivors[e.winner]])


def simulated(
    y: np.ndarray, truth: np.ndarray, n_repeats: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Predicted labels of every repeat."""
    shared = np.sqrt(BETWEEN_REPEATS) * rng.standard_normal((y.size, truth.size))
    limit = ndtri(truth)
    predictions = []
    for _ in range(n_repeats):
        own = np.sqrt(1 - BETWEEN_REPEATS) * rng.standard_normal(shared.shape)
        predictions.append(np.where(shared + own < limit, y[:, None], 1 - y[:, None]))
    return predictions


def claims(rows: list[Row]) -> list[Claim]:
    sizes = sorted({row["n_rows"] for row in rows})

    def at(n_rows: int, method: str) -> list[Row]:
        return [row for row in rows if row["n_rows"] == n_rows and row["method"] == method]

    found = []
    for n_rows in sizes:
        for method in ("BBC x 1", "BBC x 10", "BBCD"):
            line = at(n_rows, method)
            low = sum(row["p_below_level"] < 0.05 / len(LEVELS) for row in line)
            at_95 = next(row["coverage"] for row in line if row["level"] == 0.95)
            found.append(
                Claim(
                    f"{method}, {n_rows} rows: levels (of {len(LEVELS)}) covered too rarely; "
                    "coverage at 95 %",
                    f"{low}; {at_95:.3f}",
                    "conservative",
                    low == 0,
                )
            )
    for n_rows in sizes:
        one, ten = (
            next(row for row in at(n_rows, f"BBC x {repeats}") if row["level"] == 0.95)
            for repeats in (1, 10)
        )
        found.append(
            Claim(
                f"{n_rows} rows: width at 95 % with 10 repeats, as a share of 1",
                f"{ten['width'] / one['width']:.2f}",
                "below 1",
                ten["width"] < one["width"],
            )
        )
    found += [calibration(rows, n_rows) for n_rows in sizes]
    return found


def calibration(rows: list[Row], n_rows: int) -> Claim:
    """Whether ten repeats bring coverage nearer to the level, and what is left to gain after 4."""
    distance, width = {}, {}
    for method in ("BBC x 1", "BBC x 4", "BBC x 10"):
        line = [r for r in rows if (r["n_rows"], r["method"]) == (n_rows, method)]
        distance[method] = np.mean([abs(row["coverage"] - row["level"]) for row in line])
        width[method] = np.mean([row["width"] for row in line])
    gain = (width["BBC x 1"] - width["BBC x 4"]) / (width["BBC x 1"] - width["BBC x 10"])
    one, ten = distance["BBC x 1"], distance["BBC x 10"]
    return Claim(
        f"{n_rows} rows: mean distance of coverage from the level, 1 and 10 repeats; share of the "
        "gain in width that 4 repeats have",
        f"{one:.3f}, {ten:.3f}; {gain:.2f}",
        "10 better calibrated below 100 rows; 3-4 suffice",
        bool((ten < one or n_rows >= 100) and gain > 0.6),
    )


def draw(rows: list[Row], figure: Any) -> None:
    sizes = sorted({row["n_rows"] for row in rows})
    grid = figure.subplots(2, len(sizes), squeeze=False)
    for top, bottom, n_rows in zip(grid[0], grid[1], sizes, strict=True):
        for method in ("BBC x 1", "BBCD", "BBC x 10"):
            line = [row for row in rows if row["n_rows"] == n_rows and row["method"] == method]
            top.plot(
                [row["level"] for row in line],
                [row["coverage"] for row in line],
                marker=".",
                label=method,
            )
        top.plot(LEVELS, LEVELS, color="black", lw=0.8)
        top.set(title=f"{n_rows} rows", xlabel="level", ylabel="coverage", ylim=(0.4, 1.02))
        for level in (0.8, 0.9, 0.95):
            line = [
                row
                for row in rows
                if (row["n_rows"], row["level"]) == (n_rows, level) and row["method"] != "BBCD"
            ]
            bottom.plot(
                [int(row["method"].split()[-1]) for row in line],
                [row["width"] for row in line],
                marker=".",
                label=f"{level:.0%}",
            )
        bottom.set(xlabel="repeats", ylabel="mean width", ylim=(0, None))
    grid[0, 0].legend(fontsize=7)
    grid[1, 0].legend(fontsize=7)


STUDY = Study(
    name="coverage",
    source="Paper 000, section 5.2.4, Figures 6 and 7",
    title="coverage and width of intervals, by simulation",
    cells=cells,
    run=run,
    claims=claims,
    draw=draw,
    scale=(
        "300 simulations per setting (the paper: 180 real sub-samples), 200 configurations with "
        "true accuracies from Beta(9, 6), predictions of a row correlated by .7 between repeats."
    ),
    notes="""
As in the paper: conservative at every level, less so with ten repeats on 20 rows, and four repeats
have four fifths of what ten gain in width. From 100 rows on ten repeats are no better calibrated.
BBCD on 20 rows covers the truth too rarely at one level, 99 % (.967): with dropping tests on as few
as two predictions there is little of the width that BBC has, and some of its optimism is back.
Of the intervals of one repeat at 95 %, the truth is below the lower limit in 3.3 % on 20 rows, and
in .3 % on 500.
""",
)
