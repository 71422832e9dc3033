"""Bias of WMC and WMCS on settings of the bias grid."""

from typing import Any

import numpy as np

import bbc

from ._matrices import ncv_estimate, right_by_fold, tt_estimate
from ._results import BEYOND
from ._study import Cell, Row, Study, generator, mean_and_error
from ._verdict import Claim, Table

BETA = (9, 6)
SIZES = (20, 60, 100, 500)
CONFIGURATIONS = (50, 200)
N_FOLDS = 10
N_ITERATIONS = 20
TEST_SHARE = 5
N_REPETITIONS = 50
PROTOCOLS = ("CVT", "TT", "NCV", "BBC", "WMC", "WMCS")


def cells(quick: bool) -> list[Cell]:
    return [
        {
            "n_rows": n_rows,
            "n_configurations": n_configurations,
            "n_repetitions": 4 if quick else N_REPETITIONS,
        }
        for n_rows in ((20, 100) if quick else SIZES)
        for n_configurations in ((50,) if quick else CONFIGURATIONS)
    ]


def run(cell: Cell, quick: bool) -> list[Row]:
    n_rows, n_configurations = cell["n_rows"], cell["n_configurations"]
    rng = generator("weighted_mean", n_rows, n_configurations)
    found = [repetition(n_rows, n_configurations, rng) for _ in range(cell["n_repetitions"])]
    rows = []
    for place, protocol in enumerate(PROTOCOLS):
        bias, error = mean_and_error([each[place] for each in found])
        rows.append(
            {
                "n_rows": n_rows,
                "n_configurations": n_configurations,
                "protocol": protocol,
                "bias": bias,
                "standard_error": error,
                "n_repetitions": len(found),
            }
        )
    return rows


def repetition(n_rows: int, n_configurations: int, rng: np.random.Generator) -> list[float]:
    """Bias of the accuracy that each protocol estimates."""
    s = bbc.simulate.accuracy(
        n_rows, n_configurations, beta=BETA, n_folds=N_FOLDS, random_state=rng
    )
    seed = s.parameters["random_state"]
    e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=seed, n_threads=1)
    wrong = s.predictions != s.y[:, None]
    by_fold = right_by_fold(~wrong, N_FOLDS)
    truth = float(s.true_performance[e.winner])
    assert e.apparent is not None
    bias = [
        e.apparent - truth,
        tt_estimate(by_fold, n_rows) - truth,
        ncv_estimate(by_fold, n_rows) - truth,
        s.bias(e),
    ]
    n_test = n_rows // TEST_SHARE
    tested = rng.random((N_ITERATIONS, n_rows)).argsort(axis=1)[:, :n_test]
    errors = wrong[tested].mean(axis=1)
    for shrink in (False, True):
        w = bbc.baselines.wmc(
            errors, n_train=n_rows - n_test, n_test=n_test, shrink=shrink, random_state=seed,
            n_threads=1,
        )  # fmt: skip
        bias.append(1 - w.estimate - float(s.true_performance[w.winner]))
    return bias


def biases(rows: list[Row], protocol: str) -> np.ndarray:
    return np.array([row["bias"] for row in rows if row["protocol"] == protocol])


def tables(rows: list[Row]) -> list[Table]:
    found = []
    for protocol in PROTOCOLS:
        bias = biases(rows, protocol)
        largest = bias[abs(bias).argmax()]
        text = f"{bias.mean():+.3f}; {largest:+.3f}"
        found.append(Claim.information(f"{protocol}: mean bias; the largest of a setting", text))
    fewest = min(row["n_repetitions"] for row in rows)
    error = max(row["standard_error"] for row in rows)
    size = f"{len(biases(rows, 'CVT'))}, {fewest}, {error:.3f}"
    found.append(
        Claim.information("settings; the fewest repetitions; the largest standard error", size)
    )
    return [Table("bias of accuracy", found)]


def draw(rows: list[Row], figure: Any) -> None:
    numbers = sorted({row["n_configurations"] for row in rows})
    all_axes = figure.subplots(1, len(numbers), sharey=True, squeeze=False)[0]
    for axes, n_configurations in zip(all_axes, numbers, strict=True):
        some = [row for row in rows if row["n_configurations"] == n_configurations]
        sizes = sorted({row["n_rows"] for row in some})
        for protocol in PROTOCOLS:
            line = [row for row in some if row["protocol"] == protocol]
            axes.errorbar(
                range(len(sizes)),
                [row["bias"] for row in line],
                yerr=[2 * row["standard_error"] for row in line],
                marker=".",
                label=protocol,
            )
        axes.axhline(0, color="black", lw=0.8)
        axes.set_xticks(range(len(sizes)), sizes)
        axes.set(title=f"{n_configurations} configurations", xlabel="rows")
    all_axes[0].set_ylabel("bias of accuracy")
    all_axes[-1].legend(fontsize=8)


STUDY = Study(
    name="weighted_mean",
    source=BEYOND,
    title="bias of weighted mean corrections (WMC, WMCS), on settings of paper 000's Figure 1",
    cells=cells,
    run=run,
    tables=tables,
    draw=draw,
    scale="8 of the 196 settings, 50 repetitions instead of 500; about 2 minutes of one core.",
    notes="""
WMC and WMCS of Bernau, Augustin and Boulesteix (2013) beside the protocols on the distribution of
Figure 1, Beta(9, 6), from 20 subsampling iterations that each test a random fifth of the rows. A
row has the same predictions in all iterations, as in nested cross-validation above. They remove
about half of CVT's optimism.
""",
    fixed_skill=True,
)
