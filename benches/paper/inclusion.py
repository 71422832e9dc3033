"""Inclusion and tightness of lower bounds for the AUC of a selected configuration."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest

import bbc

from ._published import hanley_mcneil, hanley_mcneil_as_published, learn_rows, select
from ._run import read
from ._study import Cell, Row, Study, generator
from ._verdict import Claim, Table

LEVEL = 0.95
N_RUNS = 200
N_BOOTSTRAPS = 2000
# The ten of the table: the published program's selection and formulas.
PUBLISHED = (
    "BBC", "BBC-F", "DL", "HM", "BT", "DL10p", "HM10p", "BT10p", "MABT", "NB",
)  # fmt: skip
# Where these are wrong, the right ones. BBC's overall winner is that of its own metric.
CORRECTED = ("BBC*", "HM*", "BT*", "HM10p*", "BT10p*", "MABT*")
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
    beta, n_rows = (cell["beta_a"], cell["beta_b"]), cell["n_rows"]
    size, minority = (n_rows, cell["n_configurations"]), cell["minority"]
    rng = generator("inclusion", beta, *size, minority)
    n_runs = 5 if quick else N_RUNS
    gaps: dict[str, list[float]] = {name: [] for name in (*PUBLISHED, *CORRECTED)}
    for _ in range(n_runs):
        s = bbc.simulate.auc(
            *size, beta=beta, minority=minority, class_counts="fixed", random_state=rng
        )
        with warnings.catch_warnings():
            # A perfect score leaves DeLong's interval without width.
            warnings.simplefilter("ignore", bbc.errors.BBCWarning)
            for name, configuration, low in all_bounds(s, rng):
                gaps[name].append(float(s.true_performance[configuration] - low))
    paper = PAPER[tuple(cell[key] for key in SETTING)]
    return [
        row_of(cell, name, np.array(gap), n_runs, paper.get(name.rstrip("*")))
        for name, gap in gaps.items()
    ]


Found = Iterator[tuple[str, int, float]]


def all_bounds(s: bbc.simulate.Simulation, rng: np.random.Generator) -> Found:
    """Name, configuration and lower bound of every method that has one."""
    assert s.folds is not None
    data, seed = (s.y, s.predictions, s.folds), int(rng.integers(2**53))
    common: dict[str, Any] = {"random_state": seed, "n_threads": 1}
    naive = bbc.baselines.bound(*data, method="nb", **common)
    if naive.winner is not None and naive.confidence_interval is not None:
        yield "NB", naive.winner, naive.confidence_interval.low
    for name, method in (("BBC", "bbc"), ("BBC-F", "bbc-f")):
        corrected = bbc.baselines.bound(*data, method=method, **common)
        assert corrected.winner is not None
        assert corrected.confidence_interval is not None
        low = corrected.confidence_interval.low
        # The published program takes the winner by mean fold AUC, whatever it corrects.
        yield name, corrected.winner if naive.winner is None else naive.winner, low
        if name == "BBC":
            yield "BBC*", corrected.winner, low
    smaller, n_folds = int(min(s.y.sum(), (1 - s.y).sum())), int(s.folds.max()) + 1
    if smaller > n_folds:
        learn = learn_rows(s.y, s.folds, rng)
        yield from bounds_on_evaluation_rows(s, learn, "best", "", seed)
        yield from bounds_on_evaluation_rows(s, learn, "top10%", "10p", seed)


def bounds_on_evaluation_rows(
    s: bbc.simulate.Simulation, learn: np.ndarray, rule: str, suffix: str, seed: int
) -> Found:
    """DL, HM and BT of one rule, and MABT of the top tenth."""
    assert s.folds is not None
    chosen = select(s.y, s.predictions, s.folds, learn, rule)
    m = chosen.raw.shape[1]
    one_sided: dict[str, Any] = {"alternative": "greater", "confidence_level": LEVEL ** (1 / m)}
    drawn: dict[str, Any] = {"n_bootstraps": N_BOOTSTRAPS, "random_state": seed, "n_threads": 1}
    y, scores = chosen.y, chosen.scores
    auc = bbc.baselines.intervals.delong(y, scores, **one_sided)
    n_positive = int(y.sum())
    found: dict[str, float | None] = {
        f"DL{suffix}": low_of(auc),
        f"HM{suffix}": hanley_mcneil_as_published(auc.estimate, chosen.n_correct, s.y.size),
        # The table's HM10p is not corrected for the selection.
        f"HM{suffix}*": hanley_mcneil(auc.estimate, n_positive, y.size - n_positive),
    }
    for variant, star in (("published", ""), ("standard", "*")):
        tilt = bbc.baselines.intervals.tilting(y, scores, variant=variant, **one_sided, **drawn)
        found[f"BT{suffix}{star}"] = low_of(tilt)
        if m > 1:
            adjusted = bbc.baselines.intervals.tilting(
                y, chosen.directed, selected=chosen.place, variant=variant,
                confidence_level=LEVEL, **drawn,
            )  # fmt: skip
            found[f"MABT{star}"] = low_of(adjusted)
    yield from ((name, chosen.configuration, low) for name, low in found.items() if low is not None)


def low_of(estimate: bbc.PerformanceEstimate) -> float | None:
    interval = estimate.confidence_interval
    return None if interval is None else interval.low


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


def tables(rows: list[Row]) -> list[Table]:
    found = [table for method in (*PUBLISHED, "MABT*") for table in method_tables(rows, method)]
    low = [
        Claim.not_refuted(f"{cell_text(row)}: inclusion", row["inclusion"], "at least 95 %",
                          row["p_below_95"])
        for row in rows
        if row["method"] == "BBC"
    ]  # fmt: skip
    return [
        *found,
        Table("BBC's inclusion is at least 95 % in all settings", low, listed=False),
        Table("mean ranks", rank_claims(rows)),
    ]


def cell_text(row: Row) -> str:
    return ", ".join(f"{key} {row[key]}" for key in SETTING)


def method_tables(rows: list[Row], method: str) -> list[Table]:
    """A method's two columns of the table; every setting has runs of its own."""
    line = [row for row in rows if row["method"] == method]
    return [
        Table(
            f"{method}: {what}",
            [
                Claim.equal(cell_text(row), row[what], row[f"paper_{what}"], row[z])
                for row in line
                if row[z] != ""
            ],
            listed=False,
        )
        for what, z in (
            ("inclusion", "difference_in_standard_errors"),
            ("tightness", "tightness_difference_in_standard_errors"),
        )
        if any(row[z] != "" for row in line)
    ]


def rank_claims(rows: list[Row]) -> list[Claim]:
    """The paper's mean ranks: recomputed from its own table, and ours."""
    printed = [
        [(line[method]["inclusion"], line[method]["tightness"], N_RUNS) for method in PUBLISHED]
        for line in PAPER.values()
        if len(line) == len(PUBLISHED)
    ]
    recomputed = ranks(printed)
    found = [
        Claim.statement("recomputed from the paper's own table", _listed(recomputed),
                        _listed(PAPER_RANKS),
                        bool(np.allclose(recomputed, PAPER_RANKS, atol=0.006)))
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
            Claim.statement("ours: BBC or BBC-F first, HM10p last", _listed(ours),
                            _listed(PAPER_RANKS),
                            bool(np.argmin(ours) in (0, 1)
                                 and np.argmax(ours) == PAPER_RANKS.index(10)))
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
    tables=tables,
    draw=draw,
    scale=(
        "Full size: 16 settings of 200 runs. The ten methods with the selection and formulas of "
        "the published program; those marked by a star with the right formulas."
    ),
    notes="""
BBC and BBC-F are the best two of the ten, as the paper says, and NB, DL10p and HM10p fail as badly.

Four differences between the published program and the paper's text had to be reproduced.

- Its AUCs have an *automatic direction*: where the median score of the positives is below that of
  the negatives, the scores are turned round. With few rows per fold, poor configurations then look
  good and are selected.
- For 500 rows the split is redrawn until the evaluation part has both classes *from every fold*. A
  rare class then has about 16 evaluation rows instead of 12.5, which narrows DeLong's interval and
  reduces the optimism of the 10 % rule. This is inferred (next section): the published version of
  the program asks only for both classes in the whole part.
- BBC and BBC-F are scored against the winner by mean fold AUC, not by the AUC that BBC corrects
  (BBC* takes the latter).
- HM has the number of correct calls and of all other rows in the place of the class sizes, and one
  wrong sign.

The first two are why DL and HM once disagreed with the table here (chi-square p .005 and .018 for
inclusion, .027 and .013 for tightness); now they agree. The next section tells the two apart on the
paper's own data sets.

- MABT in the published program gives bounds that are .07 too low in unbalanced classes, and none in
  some runs. The printed table is near what the right formulas give (MABT*): with replicates that
  are not drawn within classes, the same program would come to nearly the same influence values,
  which may be how the table was made.
- The printed mean rank of BBC-F, 2.13, does not follow from the printed table: by the paper's rule
  its own cells give 2.00. All other ranks follow.
""",
    fixed_skill=True,
)
