"""Bias and standard deviation of paper 004's protocols, with and without stratified folds."""

from pathlib import Path
from typing import Any

import numpy as np

from ._run import read
from ._study import Claim, Row, View

PROTOCOLS = ("CVM", "CVM-CV", "TT", "NCV")
KEYS = ("metric", "n_rows", "stratified", "protocol")
PAPER = {
    tuple(row[key] for key in KEYS): row
    for row in read(Path(__file__).with_name("paper_004_tables_3_to_8.csv"))
}


def summarise(rows: list[Row]) -> list[Row]:
    groups: dict[tuple[Any, ...], dict[str, list[Row]]] = {}
    for row in rows:
        if row["protocol"] in PROTOCOLS:
            by_dataset = groups.setdefault(tuple(row[key] for key in KEYS), {})
            by_dataset.setdefault(row["dataset"], []).append(row)
    found = []
    for key, by_dataset in groups.items():
        gaps = [[row["estimate"] - row["truth"] for row in line] for line in by_dataset.values()]
        spread = [np.std(gap, ddof=1) if len(gap) > 1 else np.nan for gap in gaps]
        paper = PAPER.get(key, {})
        bias = float(np.mean([np.mean(gap) for gap in gaps]))
        variances = [s**2 / len(gap) for s, gap in zip(spread, gaps, strict=True)]
        found.append(
            {
                **dict(zip(KEYS, key, strict=True)),
                "bias": bias,
                "standard_error": float(np.sqrt(np.sum(variances)) / len(gaps)),
                "standard_deviation": float(np.mean(spread)),
                "held_out": float(
                    np.mean([np.mean([row["truth"] for row in r]) for r in by_dataset.values()])
                ),
                "paper_bias": paper.get("bias", ""),
                "paper_standard_deviation": paper.get("standard_deviation", ""),
                "paper_held_out": paper.get("held_out", ""),
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
            Claim(f"{metric}, up to 100 rows: mean bias", shown, "CVM > CVM-CV > TT > NCV",
                  small["CVM"] == max(small.values())),
            Claim(f"{metric}: order of overestimation", order, "CVM > CVM-CV > TT > NCV",
                  order == "CVM > CVM-CV > TT > NCV"),
        ]  # fmt: skip
        spread = {
            protocol: np.mean([r["standard_deviation"] for r in line_of(rows, metric, 1, protocol)])
            for protocol in PROTOCOLS
        }
        found.append(
            Claim(f"{metric}: protocol of the lowest standard deviation",
                  min(spread, key=lambda protocol: spread[protocol]), "CVM",
                  bool(spread["CVM"] <= min(spread.values()) or np.isnan(spread["CVM"])))
        )  # fmt: skip
    return found


def draw(rows: list[Row], figure: Any) -> None:
    grid = figure.subplots(2, 3, sharex=True)
    settings = (("roc_auc", 1), ("accuracy", 1), ("accuracy", 0))
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
        "stratification only accuracy: a fold of few rows often lacks a class. Feature selection "
        "(Tables 9 to 14) is left out."
    ),
)
