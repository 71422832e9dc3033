"""Bias and standard deviation of paper 004's protocols, with and without stratified folds."""

from pathlib import Path
from typing import Any

import numpy as np

from ._run import read
from ._study import Row, View
from ._verdict import Claim, Table, correlation

PROTOCOLS = ("CVM", "CVM-CV", "TT", "NCV")
KEYS = ("metric", "n_rows", "stratified", "protocol")
Paper = dict[tuple[Any, ...], Row]


def paper_table(name: str) -> Paper:
    """A table of the paper, by setting."""
    rows = read(Path(__file__).with_name(f"paper_004_{name}.csv"))
    return {tuple(row[key] for key in KEYS): row for row in rows}


PAPER = paper_table("tables_3_to_8")


def summarise(rows: list[Row]) -> list[Row]:
    return averages(rows, PAPER)


Groups = dict[tuple[Any, ...], dict[str, list[Row]]]


def grouped(rows: list[Row]) -> Groups:
    """Rows of the paper's protocols by cell of its tables, and there by data set."""
    groups: Groups = {}
    for row in rows:
        if row["protocol"] in PROTOCOLS:
            by_dataset = groups.setdefault(tuple(row[key] for key in KEYS), {})
            by_dataset.setdefault(row["dataset"], []).append(row)
    return dict(sorted(groups.items()))


def gaps(rows: list[Row]) -> list[float]:
    return [row["estimate"] - row["truth"] for row in rows]


def averages(rows: list[Row], paper: Paper) -> list[Row]:
    """Bias and standard deviation of each protocol and size, as the paper averages them."""
    found = []
    for key, by_dataset in grouped(rows).items():
        means = [np.mean(gaps(line)) for line in by_dataset.values()]
        spread = [np.std(gaps(line), ddof=1) for line in by_dataset.values() if len(line) > 1]
        theirs = paper.get(key, {})
        bias = float(np.mean(means))
        # Between data sets: the paper's are others.
        error = float(np.std(means, ddof=1) / np.sqrt(len(means))) if len(means) > 1 else np.nan
        difference: float | str = ""
        if theirs and error > 0:
            difference = (bias - theirs["bias"]) / (error * np.sqrt(2))
        found.append(
            {
                **dict(zip(KEYS, key, strict=True)),
                "bias": bias,
                "standard_error": error,
                "standard_deviation": float(np.mean(spread)) if spread else np.nan,
                "held_out": float(
                    np.mean([np.mean([row["truth"] for row in r]) for r in by_dataset.values()])
                ),
                "paper_bias": theirs.get("bias", ""),
                "paper_standard_deviation": theirs.get("standard_deviation", ""),
                "paper_held_out": theirs.get("held_out", ""),
                "difference_in_standard_errors": difference,
                "n_subsets": sum(len(line) for line in by_dataset.values()),
            }
        )
    return found


def against_paper(rows: list[Row], paper: Paper, title: str) -> list[Table]:
    """All biases against the paper's, whose data sets are others.

    Our standard errors are between data sets, and the paper's are taken to be as large. Cells share
    the data sets, so their correlations are those between data sets, too.
    """
    groups = grouped(rows)
    compared = [row for row in averages(rows, paper) if row["difference_in_standard_errors"] != ""]
    if not compared:
        return []
    datasets = sorted({row["dataset"] for row in rows})
    values = np.full((len(datasets), len(compared)), np.nan)
    for column, row in enumerate(compared):
        for dataset, line in groups[tuple(row[key] for key in KEYS)].items():
            values[datasets.index(dataset), column] = np.mean(gaps(line))
    claims = [
        Claim.equal(
            ", ".join(f"{key} {row[key]}" for key in KEYS), row["bias"], row["paper_bias"],
            row["difference_in_standard_errors"],
        )
        for row in compared
    ]  # fmt: skip
    return [Table(title, claims, correlation(values), listed=False)]


def line_of(rows: list[Row], metric: str, stratified: int, protocol: str) -> list[Row]:
    keys = (metric, stratified, protocol)
    return [r for r in rows if (r["metric"], r["stratified"], r["protocol"]) == keys]


def tables(source: list[Row]) -> list[Table]:
    rows = summarise(source)
    by_metric = [Table(metric, claims_of(rows, metric)) for metric in ("roc_auc", "accuracy")]
    return [*by_metric, *against_paper(source, PAPER, "all biases against the paper's")]


def claims_of(rows: list[Row], metric: str) -> list[Claim]:
    lines = {protocol: line_of(rows, metric, 1, protocol) for protocol in PROTOCOLS}
    small = {
        protocol: float(np.mean([row["bias"] for row in line if row["n_rows"] <= 100]))
        for protocol, line in lines.items()
    }
    order = " > ".join(sorted(small, key=lambda protocol: -small[protocol]))
    shown = ", ".join(f"{protocol} {bias:+.3f}" for protocol, bias in small.items())
    found = [
        Claim.statement("up to 100 rows: mean bias", shown, "CVM most optimistic",
                        small["CVM"] == max(small.values())),
        Claim.statement("order of overestimation", order, "CVM > CVM-CV > TT > NCV",
                        order == "CVM > CVM-CV > TT > NCV"),
    ]  # fmt: skip
    spread = {
        protocol: float(np.nanmean([row["standard_deviation"] for row in line]))
        for protocol, line in lines.items()
        if any(np.isfinite(row["standard_deviation"]) for row in line)
    }
    if spread:
        lowest = min(spread, key=lambda protocol: spread[protocol])
        found.append(
            Claim.statement("protocol of the lowest standard deviation", lowest, "CVM",
                            spread["CVM"] <= min(spread.values()))
        )  # fmt: skip
    return found


def draw(rows: list[Row], figure: Any) -> None:
    settings = sorted({(row["metric"], row["stratified"]) for row in rows}, reverse=True)
    grid = figure.subplots(2, len(settings), sharex=True)
    for top, bottom, (metric, stratified) in zip(grid[0], grid[1], settings, strict=True):
        for protocol in PROTOCOLS:
            line = line_of(rows, metric, stratified, protocol)
            sizes = [str(row["n_rows"]) for row in line]
            (drawn,) = top.plot(sizes, [r["bias"] for r in line], marker=".", label=protocol)
            there = [r for r in line if r["paper_bias"] != ""]
            for axes, column in ((top, "paper_bias"), (bottom, "paper_standard_deviation")):
                axes.plot(
                    [str(row["n_rows"]) for row in there],
                    [row[column] for row in there],
                    ":",
                    color=drawn.get_color(),
                )
            bottom.plot(sizes, [r["standard_deviation"] for r in line], marker=".",
                        color=drawn.get_color())  # fmt: skip
        top.axhline(0, color="black", lw=0.8)
        top.set_title(f"{metric}, {'' if stratified else 'not '}stratified", fontsize=9)
    grid[0, 0].set_ylabel("bias (dotted: the paper)")
    grid[1, 0].set_ylabel("standard deviation")
    grid[0, 0].legend(fontsize=7)


STUDY = View(
    name="stratification",
    source="Paper 004, Tables 3 to 8 and Figures 1, 2 and 4",
    title="bias and standard deviation of CVM, CVM-CV, TT and NCV",
    uses="real_data",
    summarise=summarise,
    tables=tables,
    draw=draw,
    scale=(
        "In kind: other data sets, fewer sub-samples and configurations; see `real_data`. Without "
        "stratification only accuracy: a fold of few rows often lacks a class."
    ),
    notes="""
Two sub-samples of each size from six data sets. The order of overestimation and the protocol of
the lowest standard deviation are the paper's for both metrics.
""",
)
