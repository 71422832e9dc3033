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
        row_of(cell, name, np.array(gap), n_runs, paper.get(name.rstrip("*")))
        for name, gap in gaps.items()
    ]


def row_of(cell: Cell, method: str, gap: np.ndarray, n_runs: int, paper: Row | None) -> Row:
    """One method in one setting; empty where no run was feasible, or the paper has a dash."""
    row = {
        **cell,
        "method": method,
        "inclusion": "",
        "tightness": "",
        "n_runs": n_runs,
        "infeasible": n_runs - gap.size,
        "p_below_95": "",
        "tightness_standard_error": "",
        "paper_inclusion": paper["inclusion"] if paper else "",
        "paper_tightness": paper["tightness"] if paper else "",
        "difference_in_standard_errors": "",
        "tightness_difference_in_standard_errors": "",
    }
    if not gap.size:
        return row
    included = int((gap >= 0).sum())
    row["inclusion"], row["tightness"] = included / gap.size, float(gap.mean())
    row["p_below_95"] = below_level(included, gap.size)
    row["tightness_standard_error"] = float(gap.std() / np.sqrt(gap.size))
    if paper:
        pooled = (included + paper["inclusion"] * N_RUNS + 1) / (gap.size + N_RUNS + 2)
        error = np.sqrt(pooled * (1 - pooled) * (1 / gap.size + 1 / N_RUNS))
        row["difference_in_standard_errors"] = float(
            (row["inclusion"] - paper["inclusion"]) / error
        )
        # The paper gives no standard error: it is taken as large as ours, with its rounding.
        error = np.hypot(row["tightness_standard_error"] * np.sqrt(2), 0.01 / np.sqrt(12))
        row["tightness_difference_in_standard_errors"] = float(
            (row["tightness"] - paper["tightness"]) / error
        )
    return row


def below_level(included: int, n_runs: int) -> float:
    """The exact binomial test of the hypothesis that inclusion is at least 95 %."""
    return float(binomtest(included, n_runs, LEVEL, "less").pvalue)


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
            rejected = below_level(round(inclusion * n_runs), n_runs) < 0.05
            distance = abs(inclusion - LEVEL) if rejected else tightness
            keys.append((rejected, round(distance, 6)))
        found.append([1 + sum(other < key for other in keys) for key in keys])
    return np.mean(found, axis=0)


def claims(rows: list[Row]) -> list[Claim]:
    found = []
    # Of the right formulas, only MABT's are near the printed table: see the notes.
    for method in (*PUBLISHED, "MABT*"):
        line = [row for row in rows if row["method"] == method]
        compared = [row for row in line if row["difference_in_standard_errors"] != ""]
        if not compared:
            continue
        z, z_tight = (
            max((row[column] for row in compared), key=abs)
            for column in (
                "difference_in_standard_errors",
                "tightness_difference_in_standard_errors",
            )
        )
        gap = np.mean([row["tightness"] - row["paper_tightness"] for row in compared])
        n = len(compared)
        found += [
            Claim(f"{method}: inclusion, largest difference of {n} settings", f"{z:+.1f} s.e.",
                  "", abs(z) < FAR, z),
            Claim(f"{method}: tightness, mean and largest difference of {n} settings",
                  f"{gap:+.3f}; {z_tight:+.1f} s.e.", "", abs(z_tight) < FAR, z_tight),
        ]  # fmt: skip
    for method in ("BBC", "BBC-F"):
        ours = [row["p_below_95"] for row in rows if row["method"] == method]
        theirs = [
            below_level(round(line[method]["inclusion"] * N_RUNS), N_RUNS)
            for line in PAPER.values()
        ]
        low, low_there = (sum(p < 0.05 for p in side) for side in (ours, theirs))
        found.append(
            Claim(
                f"{method}: settings of {len(ours)} where inclusion is found below 95 %",
                str(low), f"{low_there} of {len(theirs)}", low <= low_there + 1,
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
    by_setting: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in rows:
        by_setting.setdefault(tuple(row[key] for key in SETTING), {})[row["method"]] = row
    for line in by_setting.values():
        # As in the paper, ratios only where all methods of its table returned results.
        complete = all(line[method]["infeasible"] < N_RUNS / 2 for method in PUBLISHED)
        for place, name in enumerate(names):
            row = line[name]
            if row["inclusion"] == "":
                continue
            style = {
                "color": "tab:orange" if row["p_below_95"] < 0.05 else "tab:blue",
                "ms": 5 if row["n_rows"] == 50 else 9,
            }
            at = place + spread.uniform(-0.2, 0.2)
            top.plot(at, row["inclusion"], ".", **style)
            if complete:
                bottom.plot(at, row["tightness"] / line["BBC"]["tightness"], ".", **style)
    top.axhline(LEVEL, color="black", lw=0.8)
    bottom.axhline(1, color="black", lw=0.8)
    top.set(ylabel="inclusion", ylim=(-0.02, 1.02))
    bottom.set(ylabel="tightness, relative to BBC")
    bottom.set_xticks(range(len(names)), names, fontsize=8)
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
    notes="""
BBC and BBC-F are the best two of the ten, as the paper says, and NB, DL10p and HM10p fail as badly.

- The printed mean rank of BBC-F, 2.13, does not follow from the printed table: by the paper's rule
  its own cells give 2.00. All other ranks follow.
- With 50 rows BBC is .01 to .03 less tight here than in the table. The published code takes the
  overall winner by mean fold AUC for all methods, and we by the metric that BBC corrects; with its
  winner the mean difference over the eight settings of 50 rows falls from .015 to .005.
- MABT in the published code gives bounds that are .07 too low in unbalanced classes, and none in
  up to 36 of 200 runs. The printed table is near what the right formulas give (MABT*): with
  replicates that are not drawn within classes, the same code would come to nearly the same
  influence values as they, which may be how the table was made.
- 500 configurations and 10 % positives: all bounds of the 10 % rule are tighter here, by .01 to
  .02, with a lower inclusion. They share the selection, so this is one difference, not four.
  We found no reason for it.
""",
)
