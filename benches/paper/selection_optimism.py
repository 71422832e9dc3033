"""Expected accuracy of the best of N equally good models, and its percentiles."""

from typing import Any

import numpy as np
from scipy.stats import binom

from ._study import Cell, Row, Study, generator, mean_and_error
from ._verdict import Claim, Table

TRUE_ACCURACY = 0.85
N_REPETITIONS = 10_000
TEST_SIZES = (20, 40, 80, 100, 500, 1000)
# Number of models: (mean, 5th and 95th percentile) for each test size.
PAPER = {
    5: ((0.935, 0.85, 1.00), (0.913, 0.85, 0.97), (0.895, 0.86, 0.94), (0.891, 0.86, 0.93),
        (0.868, 0.85, 0.89), (0.863, 0.85, 0.88)),
    10: ((0.959, 0.90, 1.00), (0.930, 0.90, 0.97), (0.908, 0.88, 0.94), (0.902, 0.87, 0.93),
         (0.874, 0.86, 0.89), (0.867, 0.86, 0.88)),
    20: ((0.977, 0.95, 1.00), (0.946, 0.90, 0.97), (0.920, 0.89, 0.95), (0.913, 0.89, 0.94),
         (0.879, 0.87, 0.89), (0.871, 0.86, 0.88)),
    50: ((0.993, 0.95, 1.00), (0.961, 0.93, 1.00), (0.933, 0.91, 0.96), (0.925, 0.90, 0.95),
         (0.885, 0.87, 0.90), (0.875, 0.87, 0.88)),
    100: ((0.999, 1.00, 1.00), (0.971, 0.95, 1.00), (0.941, 0.93, 0.96), (0.932, 0.91, 0.95),
          (0.889, 0.88, 0.90), (0.878, 0.87, 0.89)),
    1000: ((1.000, 1.00, 1.00), (0.994, 0.97, 1.00), (0.962, 0.95, 0.97), (0.952, 0.94, 0.97),
           (0.899, 0.89, 0.91), (0.885, 0.88, 0.89)),
}  # fmt: skip
ROUNDING = 0.001 / np.sqrt(12)  # of a mean printed to three places


def cells(quick: bool) -> list[Cell]:
    return [{"n_models": models, "n_rows": rows} for models in PAPER for rows in TEST_SIZES]


def run(cell: Cell, quick: bool) -> list[Row]:
    n_models, n_rows = cell["n_models"], cell["n_rows"]
    n_repetitions = 500 if quick else N_REPETITIONS
    rng = generator("selection_optimism", n_models, n_rows)
    right = rng.binomial(n_rows, TRUE_ACCURACY, size=(n_repetitions, n_models))
    best = right.max(axis=1) / n_rows
    mean, error = mean_and_error(best)
    low, high = np.quantile(best, [0.05, 0.95])
    paper, paper_low, paper_high = PAPER[n_models][TEST_SIZES.index(n_rows)]
    paper_error = np.sqrt(error**2 * n_repetitions / N_REPETITIONS + ROUNDING**2)
    return [
        {
            **cell,
            "mean": mean,
            "exact": exact(n_models, n_rows),
            "paper": paper,
            "difference_in_standard_errors": float((mean - paper) / np.hypot(error, paper_error)),
            "standard_error": error,
            "low": low,
            "paper_low": paper_low,
            "high": high,
            "paper_high": paper_high,
            "n_repetitions": n_repetitions,
        }
    ]


def exact(n_models: int, n_rows: int) -> float:
    """Mean of the largest of independent binomial shares."""
    below = binom.cdf(np.arange(n_rows), n_rows, TRUE_ACCURACY) ** n_models
    return float((1 - below).sum() / n_rows)


def tables(rows: list[Row]) -> list[Table]:
    def cell(row: Row) -> str:
        return f"{row['n_models']} models, {row['n_rows']} rows"

    return [
        Table(
            "mean accuracy of the best against the paper's",
            [
                Claim.equal(
                    cell(row), row["mean"], row["paper"], row["difference_in_standard_errors"]
                )
                for row in rows
            ],
            listed=False,
        ),
        Table(
            "mean accuracy of the best against the exact expectation",
            [
                Claim.equal(
                    cell(row), row["mean"], row["exact"],
                    (row["mean"] - row["exact"]) / max(row["standard_error"], 1e-9),
                )
                for row in rows
            ],
            listed=False,
        ),
        Table(
            "5th and 95th percentiles, within rounding and one row",
            [
                # The paper prints two places; a step of the percentile is one row.
                Claim.statement(
                    f"{cell(row)}: {end}", row[end], row[f"paper_{end}"],
                    abs(row[end] - row[f"paper_{end}"]) <= 0.005 + 1 / row["n_rows"] + 1e-9,
                )
                for row in rows
                for end in ("low", "high")
            ],
            listed=False,
        ),
    ]  # fmt: skip


def draw(rows: list[Row], figure: Any) -> None:
    axes = figure.add_subplot()
    for n_models in PAPER:
        line = [row for row in rows if row["n_models"] == n_models]
        sizes = [row["n_rows"] for row in line]
        (drawn,) = axes.plot(sizes, [row["mean"] for row in line], label=f"{n_models} models")
        axes.plot(sizes, [row["paper"] for row in line], "o", color=drawn.get_color(), mfc="none")
        axes.fill_between(
            sizes,
            [row["low"] for row in line],
            [row["high"] for row in line],
            color=drawn.get_color(),
            alpha=0.1,
        )
    axes.axhline(TRUE_ACCURACY, color="black", lw=0.8, ls=":")
    axes.set(
        xscale="log",
        xlabel="rows of the test set",
        ylabel="accuracy of the best (circles: the paper)",
        xticks=TEST_SIZES,
        xticklabels=TEST_SIZES,
    )
    axes.legend(fontsize=8)


STUDY = Study(
    name="selection_optimism",
    source="Paper 004, Table 1",
    title="the best of N equally good models looks better than it is",
    cells=cells,
    run=run,
    tables=tables,
    draw=draw,
    scale="Full size: 36 cells of 10,000 repetitions, with the exact expectation beside them.",
    fixed_skill=True,
)
