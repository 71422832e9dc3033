"""Paper 004's protocols with and without selection of inputs, on the same sub-samples."""

import warnings
from typing import Any

import numpy as np
from sklearn import config_context

import bbc

from ._data import load, split, subset
from ._fits import METRICS, UNCHECKED, folds_of, predictions_of, truth_of
from ._learners import learners, with_selection
from ._study import Cell, Claim, Row, Study, generator
from .real_data import by_fold, sub_samples

N_SUBSETS = 1
# No feature selection, with feature selection.
STRATEGIES = ("NFS", "WFS")


def cells(quick: bool) -> list[Cell]:
    if quick:
        return [{"dataset": "breast_cancer", "n_rows": 40, "subset": 0}]
    return sub_samples(N_SUBSETS)


def run(cell: Cell, quick: bool) -> list[Row]:
    halves = split(load(cell["dataset"]))
    data = subset(halves.pool, cell["n_rows"], generator("fits", *cell.values()))
    n_folds = folds_of(data, quick=quick)
    rows = []
    for strategy in STRATEGIES:
        estimators, grids = learners(data.X.shape[1], quick=quick)
        if strategy == "WFS":
            estimators, grids = with_selection(estimators, grids)
        common = {
            "cv": n_folds, "scoring": list(METRICS), "refit": False,
            "random_state": cell["subset"],
        }  # fmt: skip
        with warnings.catch_warnings(), config_context(**UNCHECKED):
            # As in the study without selection; and inputs that are constant in a fold.
            warnings.simplefilter("ignore")
            tuned = bbc.CVT(estimators, grids, n_repeats=2, **common).fit(data.X, data.y)
            nested = bbc.NCV(estimators, grids, **common).fit(data.X, data.y)
            f = {
                "y": data.y,
                "n_folds": n_folds,
                **predictions_of(tuned, ""),
                **truth_of(tuned, data, halves.held_out),
            }
        for metric in METRICS:
            values = f["labels" if metric == "accuracy" else "scores"]
            first, second = ((values[r], f["folds"][r]) for r in range(2))
            estimate = nested.performances_[metric].estimate
            rows += [
                {**cell, "strategy": strategy, **row}
                for row in by_fold(f, metric, first, second, estimate)
            ]
    return rows


def claims(rows: list[Row]) -> list[Claim]:
    small = [row for row in rows if row["n_rows"] <= 100]
    found = []
    for metric in METRICS:
        for protocol in ("CVM", "TT"):
            gap = [mean_of(small, metric, protocol, s, "bias") for s in STRATEGIES]
            found.append(
                Claim(
                    f"{metric}, {protocol}, up to 100 rows: mean bias without and with selection",
                    f"{gap[0]:+.3f}, {gap[1]:+.3f}", "more with selection", gap[1] > gap[0],
                )
            )  # fmt: skip
        truth = [mean_of(small, metric, "CVM", s, "truth") for s in STRATEGIES]
        found.append(
            Claim(
                f"{metric}, up to 100 rows: true performance without and with selection",
                f"{truth[0]:.3f}, {truth[1]:.3f}", "no increase", truth[1] < truth[0] + 0.01,
            )
        )  # fmt: skip
    return found


def mean_of(rows: list[Row], metric: str, protocol: str, strategy: str, what: str) -> float:
    """Mean bias (or truth) of one protocol, over all sub-samples."""
    keys = (metric, protocol, strategy)
    line = [r for r in rows if (r["metric"], r["protocol"], r["strategy"]) == keys]
    return float(
        np.mean([r["truth"] if what == "truth" else r["estimate"] - r["truth"] for r in line])
    )


def draw(rows: list[Row], figure: Any) -> None:
    grid = figure.subplots(len(METRICS), 2, sharex=True, sharey=True)
    sizes = sorted({row["n_rows"] for row in rows})
    for line_of_axes, metric in zip(grid, METRICS, strict=True):
        for axes, strategy in zip(line_of_axes, STRATEGIES, strict=True):
            for protocol in ("CVM", "CVM-CV", "TT", "NCV"):
                bias = [
                    mean_of([r for r in rows if r["n_rows"] == n], metric, protocol, strategy, "")
                    for n in sizes
                ]
                axes.plot([str(n) for n in sizes], bias, marker=".", label=protocol)
            axes.axhline(0, color="black", lw=0.8)
            axes.set_title(f"{metric}, {strategy}", fontsize=9)
        line_of_axes[0].set_ylabel("mean bias")
    for axes in grid[-1]:
        axes.set_xlabel("rows")
    grid[0, 0].legend(fontsize=7)


STUDY = Study(
    name="feature_selection",
    source="Paper 004, Figures 3 and 6",
    title="bias without (NFS) and with (WFS) selection of inputs",
    cells=cells,
    run=run,
    claims=claims,
    draw=draw,
    scale=(
        f"In kind: the data sets of `real_data`, {N_SUBSETS} sub-samples of each size, stratified. "
        "Each of the 46 configurations as it is and after univariate selection at .01 and .05: 138 "
        "instead of 1729; constraint-based selection is left out."
    ),
)
