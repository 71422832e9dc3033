"""Every protocol on sub-samples of real data: one row per estimate, the source of the views.

Nothing is compared with a paper here; `bias_real`, `dropping`, `repeats`, `coverage_real` and
`stratification` do that with these rows.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import bbc

from ._data import NAMES, available
from ._fits import METRICS, Fits, fits
from ._matrices import drop
from ._study import Cell, Row, Study
from ._verdict import Claim, Table

SIZES = {"breast_cancer": (20, 40, 60, 80, 100)}
# In the order of what is learnt per second, for those who stop in between.
ALL_SIZES = (20, 100, 40, 60, 80, 500)
N_SUBSETS = 2
N_REPEATS = 10
DROPPING = {"BBCD": 1, "BBCD-50": 50}


def cells(quick: bool) -> list[Cell]:
    if quick:
        return [
            {"dataset": dataset, "n_rows": 40, "subset": 0}
            for dataset in ("breast_cancer", "digits")
        ]
    return sub_samples(N_SUBSETS)


def sub_samples(n_subsets: int) -> list[Cell]:
    """So many of each size of each data set that is large enough."""
    return [
        {"dataset": dataset, "n_rows": n_rows, "subset": number}
        for number in range(n_subsets)
        for n_rows in ALL_SIZES
        for dataset in NAMES
        if n_rows in SIZES.get(dataset, ALL_SIZES)
    ]


def runs_here(cell: Cell) -> bool:
    """Whether this machine has the data set."""
    return cell["dataset"] in available()


def run(cell: Cell, quick: bool) -> list[Row]:
    found = fits(
        cell["dataset"],
        cell["n_rows"],
        cell["subset"],
        n_repeats=2 if quick else N_REPEATS,
        quick=quick,
    )
    return [{**cell, **row} for row in estimates(found)]


def entry(metric: str, protocol: str, estimate: float, truth: float, models_fraction: float) -> Row:
    """One estimate, without an interval."""
    return {
        "stratified": 1,
        "metric": metric,
        "protocol": protocol,
        "estimate": estimate,
        "truth": truth,
        "models_fraction": models_fraction,
        "truth_rank": "",
        "width": "",
    }


def estimates(f: Fits) -> Iterator[Row]:
    """All protocols on the predictions of one sub-sample."""
    for metric in METRICS:
        values = f["labels" if metric == "accuracy" else "scores"]
        again = (values[1], f["folds"][1])
        nested = float(f[f"ncv_{metric}"])
        yield from by_fold(f, metric, (values[0], f["folds"][0]), again, nested)
        yield from pooled(f, metric, values)
    if "ns_folds" not in f:
        return
    first = (f["ns_labels"][0], f["ns_folds"][0])
    again = (f["ns_again_labels"][0], f["ns_again_folds"][0])
    for row in by_fold(f, "accuracy", first, again, float(f["ns_ncv_accuracy"])):
        yield {**row, "stratified": 0}


def by_fold(
    f: Fits,
    metric: str,
    first: tuple[np.ndarray, np.ndarray],
    second: tuple[np.ndarray, np.ndarray],
    nested: float,
) -> Iterator[Row]:
    """The protocols of paper 004, whose scores are means over folds.

    `first` and `second` are predictions and folds of two partitions; the second re-evaluates.
    """
    common = {"metric": metric, "labels": [0, 1], "n_threads": 1}
    tt = bbc.correct(f["y"], first[0], folds=first[1], **common, method="tt")
    again = bbc.correct(f["y"], second[0][:, [tt.winner]], folds=second[1], **common, method="tt")
    truth = float(f[f"truth_{metric}"][tt.winner])
    nested_models = (int(f["n_folds"]) - 1) / 2 + 1
    assert tt.apparent is not None
    assert again.apparent is not None
    yield entry(metric, "CVM", tt.apparent, truth, 1)
    yield entry(metric, "CVM-CV", again.apparent, truth, 1 + 1 / first[0].shape[1])
    yield entry(metric, "TT", tt.estimate, truth, 1)
    yield entry(metric, "NCV", nested, truth, nested_models)


def pooled(f: Fits, metric: str, values: np.ndarray) -> Iterator[Row]:
    """The protocols of paper 000, whose metric is that of all rows together."""
    one, folds, truth = values[0], f["folds"][0], f[f"truth_{metric}"]
    everyone = np.arange(one.shape[1])
    tuned: list[tuple[str, list[np.ndarray], np.ndarray, float]] = [("BBC", [one], everyone, 1)]
    tuned += [
        (f"BBC x {count}", list(values[:count]), everyone, count)
        for count in range(2, len(values) + 1)
    ]
    for protocol, min_predictions in DROPPING.items():
        kept, n_models = drop(
            f["y"], one, folds, metric=metric, min_predictions=min_predictions, seed=0
        )
        share = n_models / (int(f["n_folds"]) * one.shape[1])
        tuned.append((protocol, [one[:, kept]], kept, share))
    for protocol, predictions, kept, models_fraction in tuned:
        e = bbc.correct(
            f["y"], predictions, metric=metric, labels=[0, 1], random_state=0, n_threads=1
        )
        found = float(truth[kept[e.winner]])
        interval = e.confidence_interval
        assert e.apparent is not None
        assert e.replicates is not None
        assert interval is not None
        if protocol == "BBC":
            yield entry(metric, "CVT", e.apparent, found, 1)
        yield {
            **entry(metric, protocol, e.estimate, found, models_fraction),
            "truth_rank": float((e.replicates < found).mean()),
            "width": interval.high - interval.low,
        }


def tables(rows: list[Row]) -> list[Table]:
    subsets = {(row["dataset"], row["n_rows"], row["subset"]) for row in rows}
    size = Claim.information(
        "sub-samples analysed", str(len(subsets)),
        "1060 (paper 000), 30 per size and data set (paper 004)",
    )  # fmt: skip
    return [Table("size of the study", [size])]


def draw(rows: list[Row], figure: Any) -> None:
    axes = figure.add_subplot()
    names = ("CVM", "CVM-CV", "TT", "NCV", "CVT", "BBC", "BBCD-50", "BBC x 10")
    for place, protocol in enumerate(names):
        gaps = [row["estimate"] - row["truth"] for row in rows if row["protocol"] == protocol]
        axes.plot(np.full(len(gaps), place), gaps, ".", alpha=0.3)
    axes.axhline(0, color="black", lw=0.8)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("estimate less hold-out performance")


STUDY = Study(
    name="real_data",
    source="Papers 000 and 004, real data",
    title="estimates of all protocols on sub-samples",
    cells=cells,
    run=run,
    runs_here=runs_here,
    tables=tables,
    draw=draw,
    scale=(
        f"{N_SUBSETS} sub-samples of each size from a 30 % pool; truth on the hold-out (at most "
        "4000 rows); 46 configurations; breast cancer and digits of scikit-learn, spam of kernlab, "
        "letters, satellite and DNA of mlbench."
    ),
)
