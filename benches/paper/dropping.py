"""Quality of the winner and models saved when configurations are dropped on the way."""

from typing import Any

import numpy as np

from ._study import Row, View
from ._verdict import Claim, Table

PROTOCOLS = ("BBCD", "BBCD-50")
METRIC = "roc_auc"


def summarise(rows: list[Row]) -> list[Row]:
    part = [row for row in rows if row["metric"] == METRIC and row["stratified"]]
    groups: dict[tuple[str, int, str], list[Row]] = {}
    for row in part:
        groups.setdefault((row["dataset"], row["n_rows"], row["protocol"]), []).append(row)
    found = []
    for (dataset, n_rows, protocol), line in groups.items():
        if protocol in PROTOCOLS:
            cvt = np.mean([row["truth"] for row in groups[dataset, n_rows, "CVT"]])
            found.append(
                {
                    "dataset": dataset,
                    "n_rows": n_rows,
                    "protocol": protocol,
                    "relative_truth": float(np.mean([row["truth"] for row in line]) / cvt),
                    "speed_up": float(np.mean([1 / row["models_fraction"] for row in line])),
                    "n_subsets": len(line),
                }
            )
    return found


def of(rows: list[Row], column: str, protocol: str, sizes: tuple[int, ...]) -> np.ndarray:
    return np.array(
        [row[column] for row in rows if row["protocol"] == protocol and row["n_rows"] in sizes]
    )


def tables(source: list[Row]) -> list[Table]:
    rows = summarise(source)
    return [table_of(rows, protocol) for protocol in PROTOCOLS]


def table_of(rows: list[Row], protocol: str) -> Table:
    small = of(rows, "relative_truth", protocol, (20, 40, 60, 80, 100))
    large = of(rows, "relative_truth", protocol, (500,))
    speed = of(rows, "speed_up", protocol, (500,))
    found = [
        Claim.statement("up to 100 rows: worst loss of quality, below 12 %",
                        f"{1 - small.min():.2%}", "up to 9.05 %", bool(1 - small.min() < 0.12))
    ]  # fmt: skip
    if large.size:
        found += [
            Claim.statement("500 rows: worst loss of quality, below 2 %", f"{1 - large.min():.2%}",
                            "0 to 1.4 %", bool(1 - large.min() < 0.02)),
            Claim.statement("500 rows: speed-up, 1.5 to 10",
                            f"{speed.min():.1f} to {speed.max():.1f}", "typically 2 to 5, up to 10",
                            bool(speed.min() > 1.5 and speed.max() <= 10)),
        ]  # fmt: skip
    return Table(protocol, found)


def draw(rows: list[Row], figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    sizes = sorted({row["n_rows"] for row in rows})
    for place_in_cycle, dataset in enumerate(dict.fromkeys(row["dataset"] for row in rows)):
        for protocol, style in zip(PROTOCOLS, ("-", ":"), strict=True):
            line = [r for r in rows if (r["dataset"], r["protocol"]) == (dataset, protocol)]
            line.sort(key=lambda row: row["n_rows"])
            place = [sizes.index(row["n_rows"]) for row in line]
            label = dataset if style == "-" else None
            common = {"marker": ".", "color": f"C{place_in_cycle}"}
            left.plot(place, [row["relative_truth"] for row in line], style, label=label, **common)
            right.plot(place, [row["speed_up"] for row in line], style, **common)
    for axes in (left, right):
        axes.set_xticks(range(len(sizes)), sizes)
        axes.set_xlabel("rows (dotted: from 50 predictions on)")
    left.set_ylabel("true AUC, relative to CVT")
    right.set_ylabel("models of CVT per model trained")
    left.axhline(1, color="black", lw=0.8)
    left.legend(fontsize=7)


STUDY = View(
    name="dropping",
    source="Paper 000, Figures 3 and 4",
    title="quality of the winner and speed-up with dropping, AUC",
    uses="real_data",
    summarise=summarise,
    tables=tables,
    draw=draw,
    scale="In kind: other data sets, fewer sub-samples and configurations; see `real_data`.",
    notes="""
With 500 rows, dropping trains between a half and a fifth of the models, as in the paper with its
610 configurations, and the selected model is as good.
""",
)
