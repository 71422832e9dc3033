"""True performance of the winner of ten repeats, against one repeat and against nested CV."""

from typing import Any

import numpy as np

from ._study import Row, View, mean_and_error
from ._verdict import Claim, Table, p_above

METRIC = "roc_auc"
MANY = "BBC x 10"


def summarise(rows: list[Row]) -> list[Row]:
    truth: dict[tuple[str, int, str], list[float]] = {}
    for row in rows:
        if row["metric"] == METRIC and row["stratified"]:
            key = (row["dataset"], row["n_rows"], row["protocol"])
            truth.setdefault(key, []).append(row["truth"])
    many = MANY if any(key[2] == MANY for key in truth) else "BBC x 2"
    return [
        {
            "dataset": dataset,
            "n_rows": n_rows,
            "against": other,
            "relative_truth": float(np.mean(values) / np.mean(truth[dataset, n_rows, other])),
            "n_subsets": len(values),
        }
        for (dataset, n_rows, protocol), values in truth.items()
        if protocol == many
        for other in ("BBC", "NCV")
    ]


def tables(source: list[Row]) -> list[Table]:
    rows = summarise(source)
    found = []
    for other in ("BBC", "NCV"):
        part = [row for row in rows if row["against"] == other and row["n_rows"] >= 40]
        gains: dict[str, list[float]] = {}
        for row in part:
            gains.setdefault(row["dataset"], []).append(row["relative_truth"])
        if not part:
            continue
        # Sizes of one data set are not independent.
        mean, error = mean_and_error([np.mean(values) for values in gains.values()])
        no_worse = sum(row["relative_truth"] >= 1 for row in part)
        found.append(
            Claim.not_refuted(
                f"10 repeats against {other}, 40 rows or more: mean relative truth; settings "
                "no worse",
                f"{mean:.4f} +- {error:.4f}; {no_worse} of {len(part)}", "equal or better",
                p_above(1 - mean, error, len(gains)),
            )
        )  # fmt: skip
    return [Table("true AUC of the winner", found)]


def draw(rows: list[Row], figure: Any) -> None:
    grid = figure.subplots(1, 2, sharey=True)
    sizes = sorted({row["n_rows"] for row in rows})
    for axes, other in zip(grid, ("BBC", "NCV"), strict=True):
        for dataset in dict.fromkeys(row["dataset"] for row in rows):
            line = [r for r in rows if (r["dataset"], r["against"]) == (dataset, other)]
            axes.plot(
                [sizes.index(row["n_rows"]) for row in line],
                [row["relative_truth"] for row in line],
                marker=".",
                label=dataset,
            )
        axes.axhline(1, color="black", lw=0.8)
        axes.set_xticks(range(len(sizes)), sizes)
        axes.set(xlabel="rows", title=f"BBC with 10 repeats, relative to {other}")
    grid[0].set_ylabel("true AUC of the winner, relative")
    grid[0].legend(fontsize=7)


STUDY = View(
    name="repeats",
    source="Paper 000, Figure 5",
    title="true AUC of the winner of ten repeats",
    uses="real_data",
    summarise=summarise,
    tables=tables,
    draw=draw,
    scale=(
        "In kind: other data sets, fewer sub-samples and configurations; see `real_data`. Ten "
        "repeats cost about as many models as the paper's count of nested cross-validation."
    ),
)
