"""Inclusion and tightness of lower bounds for the AUC of a selected configuration."""

from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest

import bbc

from ._run import read
from ._study import FAR, Cell, Claim, Row, Study, generator

LEVEL = 0.95
N_RUNS = 200
# Ours are the ten of the table with the formulas behind the published table, then, marked by a
# star, those that it gets wrong with the right formulas.
PUBLISHED = {
    "BBC": ("bbc", None),
    "BBC-F": ("bbc-f", None),
    "DL": ("delong", "best"),
    "HM": ("hanley-mcneil", "best"),
    "BT": ("bt", "best"),
    "DL10p": ("delong", "top10%"),
    "HM10p": ("hanley-mcneil", "top10%"),
    "BT10p": ("bt", "top10%"),
    "MABT": ("mabt", "top10%"),
    "NB": ("nb", "best"),
}
CORRECTED = {f"{name}*": PUBLISHED[name] for name in ("HM", "BT", "HM10p", "BT10p", "MABT")}
PAPER_RANKS = (1.00, 2.13, 5.13, 6.63, 3.38, 8.00, 10.00, 5.00, 5.00, 8.50)
SETTING = ("beta_a", "beta_b", "n_rows", "n_configurations", "minority")
# The paper's table without its dashes, at the precision of the authors' published output where that
# has the cell, else as printed: {setting: {method: row}}.
PAPER: dict[tuple[Any, ...], dict[str, Row]] = {}
for _row in read(Path(__file__).with_name("paper_002_table_2.csv")):
    PAPER.setdefault(tuple(_row[key] for key in SETTING), {})[_row["method"]] = _row


def cells(quick: bool) -> list[Cell]:
    settings = [(9, 6, 50, 100, 0.5)] if quick else PAPER
    return [dict(zip(SETTING, setting, strict=True)) for setting in settings]


def run(cell: Cell, quick: bool) -> list[Row]:
    law, n_rows = (cell["beta_a"], cell["beta_b"]), cell["n_rows"]
    size, minority = (n_rows, cell["n_configurations"]), cell["minority"]
    rng = generator("inclusion", law, *size, minority)
    n_runs = 5 if quick else N_RUNS
    gaps: dict[str, list[float]] = {name: [] for name in (*PUBLISHED, *CORRECTED)}
    for _ in range(n_runs):
        s = bbc.simulate.auc(
            *size, beta=law, minority=minority, class_counts="fixed", random_state=rng
        )
        for names, variant in ((PUBLISHED, "published"), (CORRECTED, "standard")):
            compared = bbc.compare_bounds(
                s.y, s.predictions, s.folds, methods=list(names.values()), variant=variant,
                random_state=s.parameters["random_state"], n_threads=1,
            )  # fmt: skip
            for name, bound in zip(names, compared, strict=True):
                if bound.feasible:
                    truth = s.true_performance[bound.winner]
                    gaps[name].append(float(truth - bound.low))
    paper = PAPER[tuple(cell[key] for key in SETTING)]
    return [
        row_of(cell, name, np.array(gap), n_runs, paper.get(name)) for name, gap in gaps.items()
    ]


def row_of(cell: Cell, method: str, gap: np.ndarray, n_runs: int, paper: Row | None) -> Row:
    """One method in one setting; empty where no run was feasible, or the paper has a dash."""
    inclusion = float((gap >= 0).mean()) if gap.size else ""
    difference: float | str = ""
    if gap.size and paper:
        pooled = ((gap >= 0).sum() + paper["inclusion"] * N_RUNS + 1) / (gap.size + N_RUNS + 2)
        error = np.sqrt(pooled * (1 - pooled) * (1 / gap.size + 1 / N_RUNS))
        difference = float((inclusion - paper["inclusion"]) / error)
    return {
        **cell,
        "method": method,
        "inclusion": inclusion,
        "tightness": float(gap.mean()) if gap.size else "",
        "n_runs": n_runs,
        "infeasible": n_runs - gap.size,
        "paper_inclusion": paper["inclusion"] if paper else "",
        "paper_tightness": paper["tightness"] if paper else "",
        "difference_in_standard_errors": difference,
        "tightness_standard_error": float(gap.std() / np.sqrt(gap.size)) if gap.size else "",
    }


def ranks(settings: list[list[tuple[float, float, int]]]) -> np.ndarray:
    """Mean rank of each method, by the paper's rule.

    A setting is a list of (inclusion, tightness, number of runs) by method. Inclusion that an
    exact binomial test does not find below 95 % ranks first, by tightness; the others follow by
    the distance of their inclusion from 95 %. Ties get the best rank of the tie.
    """
    found = []
    for setting in settings:
        keys = []
        for inclusion, tightness, n_runs in setting:
            included = round(inclusion * n_runs)
            rejected = binomtest(included, n_runs, LEVEL, "less").pvalue < 0.05
            distance = abs(inclusion - LEVEL) if rejected else tightness
            keys.append((rejected, round(distance, 6)))
        found.append([1 + sum(other < key for other in keys) for key in keys])
    return np.mean(found, axis=0)


def claims(rows: list[Row]) -> list[Claim]:
    compared = [row for row in rows if row["difference_in_standard_errors"] != ""]
    found = []
    for method in PUBLISHED:
        line = [row for row in compared if row["method"] == method]
        if line:
            z = max((row["difference_in_standard_errors"] for row in line), key=abs)
            gap = np.mean([row["tightness"] - row["paper_tightness"] for row in line])
            found.append(
                Claim(
                    f"{method}: inclusion, largest difference of {len(line)} settings; "
                    "mean difference of tightness",
                    f"{z:+.1f} s.e.; {gap:+.3f}", "", abs(z) < FAR, z,
                )
            )  # fmt: skip
    return found + rank_claims(rows)


def rank_claims(rows: list[Row]) -> list[Claim]:
    """The paper's mean ranks: recomputed from its own table, and ours."""
    printed = [
        [(line[method]["inclusion"], line[method]["tightness"], N_RUNS) for method in PUBLISHED]
        for line in PAPER.values()
        if len(line) == len(PUBLISHED)
    ]
    recomputed = ranks(printed)
    found = [
        Claim("mean ranks, recomputed from the paper's own table", _listed(recomputed),
              _listed(PAPER_RANKS), bool(np.allclose(recomputed, PAPER_RANKS, atol=0.006)))
    ]  # fmt: skip
    by_setting: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in rows:
        setting = tuple(row[key] for key in SETTING)
        by_setting.setdefault(setting, {})[row["method"]] = row
    complete = [
        [(line[m]["inclusion"], line[m]["tightness"], line[m]["n_runs"]) for m in PUBLISHED]
        for line in by_setting.values()
        if all(line[method]["infeasible"] == 0 for method in PUBLISHED)
    ]
    if complete:
        ours = ranks(complete)
        found.append(
            Claim("mean ranks, ours", _listed(ours), _listed(PAPER_RANKS),
                  bool(np.argmin(ours) in (0, 1) and np.argmax(ours) == PAPER_RANKS.index(10)))
        )  # fmt: skip
    return found


def _listed(values: Any) -> str:
    return " ".join(f"{name} {value:.2f}" for name, value in zip(PUBLISHED, values, strict=True))


def draw(rows: list[Row], figure: Any) -> None:
    top, bottom = figure.subplots(2, 1, sharex=True)
    names = [*PUBLISHED, *CORRECTED]
    spread = np.random.default_rng(0)
    for row in rows:
        if row["inclusion"] == "":
            continue
        place = names.index(row["method"]) + spread.uniform(-0.2, 0.2)
        n_runs = row["n_runs"] - row["infeasible"]
        included = round(row["inclusion"] * n_runs)
        rejected = binomtest(included, n_runs, LEVEL, "less").pvalue < 0.05
        colour = "tab:orange" if rejected else "tab:blue"
        size = 5 if row["n_rows"] == 50 else 9
        top.plot(place, row["inclusion"], ".", color=colour, ms=size)
        bottom.plot(place, row["tightness"], ".", color=colour, ms=size)
    top.axhline(LEVEL, color="black", lw=0.8)
    bottom.axhline(0, color="black", lw=0.8)
    top.set(ylabel="inclusion", ylim=(-0.02, 1.02))
    bottom.set(ylabel="tightness")
    bottom.set_xticks(range(len(names)), names)
    bottom.set_xlabel("blue: not found below 95 %; small: 50 rows; *: right formulas")


STUDY = Study(
    name="inclusion",
    source="Paper 002, Table 2 and Figure 2",
    title="lower 95 % bounds for the selected configuration's AUC",
    cells=cells,
    run=run,
    claims=claims,
    draw=draw,
    scale=(
        "Full size: 16 settings of 200 runs, the ten methods by the formulas behind the published "
        "table, and five with the right formulas (marked by a star)."
    ),
)
