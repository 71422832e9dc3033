"""Bias of the protocols' estimates on real data, by data set and number of rows."""

from typing import Any

import numpy as np

from ._study import Claim, Row, View, mean_and_error

PROTOCOLS = ("CVT", "TT", "NCV", "BBC", "BBCD", "BBCD-50", "BBC x 10")
METRIC = "roc_auc"


def summarise(rows: list[Row]) -> list[Row]:
    groups: dict[tuple[str, int, str], list[float]] = {}
    for row in rows:
        if row["metric"] == METRIC and row["stratified"] and row["protocol"] in PROTOCOLS:
            key = (row["dataset"], row["n_rows"], row["protocol"])
            groups.setdefault(key, []).append(row["estimate"] - row["truth"])
    found = []
    for (dataset, n_rows, protocol), gaps in groups.items():
        bias, error = mean_and_error(gaps) if len(gaps) > 1 else (gaps[0], float("nan"))
        found.append(
            {
                "dataset": dataset,
                "n_rows": n_rows,
                "protocol": protocol,
                "bias": bias,
                "standard_error": error,
                "n_subsets": len(gaps),
            }
        )
    return found


def mean_bias(rows: list[Row], protocol: str, sizes: tuple[int, ...]) -> tuple[float, float]:
    """Mean over data sets and sizes, and its standard error."""
    part = [row for row in rows if row["protocol"] == protocol and row["n_rows"] in sizes]
    if not part:
        return float("nan"), float("nan")
    errors = np.array([row["standard_error"] for row in part])
    mean = float(np.mean([row["bias"] for row in part]))
    return mean, float(np.sqrt((errors**2).sum()) / len(part))


def claims(rows: list[Row]) -> list[Claim]:
    small, tiny, middle = (20, 40, 60, 80, 100), (20,), (60, 80, 100)
    cvt, tt, tt_more = (
        mean_bias(rows, protocol, sizes)
        for protocol, sizes in (("CVT", small), ("TT", tiny), ("TT", middle))
    )
    found = [
        Claim("CVT, up to 100 rows: mean bias", shown(cvt), "optimistic", cvt[0] > 0),
        Claim("TT, 20 rows: mean bias", shown(tt), "optimistic", not tt[0] < 0),
        Claim("TT, 60 to 100 rows: mean bias", shown(tt_more), "over-corrects",
              not tt_more[0] > 0),
    ]  # fmt: skip
    for protocol in ("NCV", "BBC"):
        bias = mean_bias(rows, protocol, small)
        found.append(
            Claim(f"{protocol}, up to 100 rows: mean bias", shown(bias),
                  "low; BBC mainly conservative",
                  abs(bias[0]) < abs(cvt[0]))
        )  # fmt: skip
    for sizes, word in ((small, "greater for BBCD"), ((500,), "the same")):
        gap = mean_bias(rows, "BBCD", sizes)[0] - mean_bias(rows, "BBC", sizes)[0]
        limit = 0.005 if sizes == (500,) else np.inf
        if not np.isnan(gap):
            found.append(
                Claim(f"BBCD less BBC, rows in {sizes}", f"{gap:+.4f}", word,
                      bool(abs(gap) < limit and (gap > 0 or sizes == (500,))))
            )  # fmt: skip
    return found


def shown(bias: tuple[float, float]) -> str:
    return f"{bias[0]:+.3f} +- {bias[1]:.3f}"


def draw(rows: list[Row], figure: Any) -> None:
    grid = figure.subplots(2, 4, sharex=True, sharey=True)
    for axes, protocol in zip(grid.flat, PROTOCOLS, strict=False):
        sizes = sorted({row["n_rows"] for row in rows})
        for dataset in dict.fromkeys(row["dataset"] for row in rows):
            line = {
                row["n_rows"]: row["bias"]
                for row in rows
                if (row["dataset"], row["protocol"]) == (dataset, protocol)
            }
            there = [size for size in sizes if size in line]
            axes.plot(
                [sizes.index(size) for size in there],
                [line[size] for size in there],
                marker=".",
                label=dataset,
            )
        axes.set_xticks(range(len(sizes)), sizes)
        axes.axhline(0, color="black", lw=0.8)
        axes.set_title(protocol, fontsize=9)
    grid.flat[-1].axis("off")
    grid.flat[-1].legend(*grid.flat[0].get_legend_handles_labels(), fontsize=7)
    grid[0, 0].set_ylabel("bias of AUC")


STUDY = View(
    name="bias_real",
    source="Paper 000, Figure 2",
    title="bias of the protocols on real data, AUC",
    uses="real_data",
    summarise=summarise,
    claims=claims,
    draw=draw,
    scale="In kind: other data sets, fewer sub-samples and configurations; see `real_data`.",
)
