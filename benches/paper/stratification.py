"""Bias and standard deviation of paper 004's protocols, with and without stratified folds."""

from pathlib import Path
from typing import Any

import numpy as np

from ._run import read
from ._study import FAR, Claim, Row, View

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


def averages(rows: list[Row], paper: Paper) -> list[Row]:
    """Bias and standard deviation of each protocol and size, as the paper averages them."""
    groups: dict[tuple[Any, ...], dict[str, list[Row]]] = {}
    for row in rows:
        if row["protocol"] in PROTOCOLS:
            by_dataset = groups.setdefault(tuple(row[key] for key in KEYS), {})
            by_dataset.setdefault(row["dataset"], []).append(row)
    found = []
    for key, by_dataset in sorted(groups.items()):
        gaps = [[row["estimate"] - row["truth"] for row in line] for line in by_dataset.values()]
        means = [np.mean(gap) for gap in gaps]
        spread = [np.std(gap, ddof=1) for gap in gaps if len(gap) > 1]
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
                "n_subsets": sum(len(gap) for gap in gaps),
            }
        )
    return found


def line_of(rows: list[Row], metric: str, stratified: int, protocol: str) -> list[Row]:
    keys = (metric, stratified, protocol)
    return [r for r in rows if (r["metric"], r["stratified"], r["protocol"]) == keys]


def claims(rows: list[Row]) -> list[Claim]:
    found = []
    for metric in ("roc_auc", "accuracy"):
        small = {
            protocol: float(
                np.mean(
                    [r["bias"] for r in line_of(rows, metric, 1, protocol) if r["n_rows"] <= 100]
                )
            )
            for protocol in PROTOCOLS
        }
        order = " > ".join(sorted(small, key=lambda protocol: -small[protocol]))
        shown = ", ".join(f"{protocol} {bias:+.3f}" for protocol, bias in small.items())
        found += [
            Claim(f"{metric}, up to 100 rows: mean bias", shown, "CVM most optimistic",
                  small["CVM"] == max(small.values())),
            Claim(f"{metric}: order of overestimation", order, "CVM > CVM-CV > TT > NCV",
                  order == "CVM > CVM-CV > TT > NCV"),
        ]  # fmt: skip
        spread = {
            protocol: float(
                np.nanmean([r["standard_deviation"] for r in line_of(rows, metric, 1, protocol)])
            )
            for protocol in PROTOCOLS
            if any(np.isfinite(r["standard_deviation"]) for r in line_of(rows, metric, 1, protocol))
        }
        if spread:
            found.append(
                Claim(f"{metric}: protocol of the lowest standard deviation",
                      min(spread, key=lambda protocol: spread[protocol]), "CVM",
                      spread["CVM"] <= min(spread.values()))
            )  # fmt: skip
    return [*found, *far_claims(rows)]


def far_claims(rows: list[Row]) -> list[Claim]:
    """How many cells of the paper's tables are near, whose data sets are others."""
    z = [r["difference_in_standard_errors"] for r in rows]
    z = [value for value in z if value != ""]
    near = sum(abs(value) < FAR for value in z)
    text = f"biases within {FAR:g} standard errors (between data sets) of the paper's"
    return [Claim(text, f"{near} of {len(z)}", "all", near == len(z))] if z else []


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
    claims=claims,
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
