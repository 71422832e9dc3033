"""Paper 004's protocols with and without selection of inputs, on the same sub-samples."""

import warnings
from typing import Any

import numpy as np
from sklearn import config_context

import bbc

from ._data import load, split, subset
from ._fits import METRICS, UNCHECKED, by_metric, folds_of, predictions_of, truth_of
from ._learners import learners, with_selection
from ._study import Cell, Row, Study, generator, mean_and_error
from ._verdict import Claim, Table, p_above
from .real_data import by_fold, runs_here, sub_samples

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
            estimate = by_metric(nested.performance_)[metric].estimate
            rows += [
                {**cell, "strategy": strategy, **row}
                for row in by_fold(f, metric, first, second, estimate)
            ]
    return rows


def tables(rows: list[Row]) -> list[Table]:
    small = [row for row in rows if row["n_rows"] <= 100]
    more, better = [], []
    for metric in METRICS:
        for protocol in ("CVM", "TT"):
            text = f"{metric}, {protocol}, up to 100 rows: mean bias without and with selection"
            ours = shown(small, metric, protocol, "bias", "+.3f")
            gain = gains(small, metric, protocol, "bias")
            more.append(Claim.shown(text, ours, "more with selection", p_of(gain)))
        text = f"{metric}, up to 100 rows: true performance without and with selection"
        gain = gains(small, metric, "CVM", "truth")
        better.append(
            Claim.not_refuted(text, shown(small, metric, "CVM", "truth", ".3f"), "no increase",
                              p_of(gain))
        )  # fmt: skip
    return [
        Table("selection of inputs adds optimism", more),
        Table("selection of inputs does not increase performance", better),
    ]


def shown(rows: list[Row], metric: str, protocol: str, what: str, form: str) -> str:
    return ", ".join(f"{mean_of(rows, metric, protocol, s, what):{form}}" for s in STRATEGIES)


def gains(rows: list[Row], metric: str, protocol: str, what: str) -> np.ndarray:
    """Value with selection less without, of every data set."""
    datasets = sorted({row["dataset"] for row in rows})
    lines = [[row for row in rows if row["dataset"] == dataset] for dataset in datasets]
    without, selected = (
        np.array([mean_of(line, metric, protocol, s, what) for line in lines]) for s in STRATEGIES
    )
    return selected - without


def p_of(values: np.ndarray) -> float:
    """Of "at most 0", by Student's t over data sets."""
    return p_above(*mean_and_error(values), values.size) if values.size > 1 else 0.5


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
    runs_here=runs_here,
    tables=tables,
    draw=draw,
    scale=(
        f"In kind: the data sets of `real_data`, {N_SUBSETS} sub-samples of each size, stratified. "
        "Each of the 46 configurations as it is and after univariate selection at .01 and .05: 138 "
        "instead of 1729; constraint-based selection is left out."
    ),
)
