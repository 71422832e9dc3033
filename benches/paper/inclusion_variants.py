"""Which selection and which split give paper 002's Table 2? Its own data sets, from its seed."""

import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import chi2

import bbc

from ._published import hanley_mcneil_as_published, learn_rows, select
from ._run import read
from ._study import Cell, Row, Study, generator
from ._verdict import Claim, Table
from .inclusion import LEVEL, N_RUNS, PAPER, SETTING

# The seed that the published program sets.
SEED = 4321
# Splits of each data set; the paper's table has one.
N_SPLITS = 2
# Whether AUCs have an automatic direction, and whether the evaluation rows have both classes from
# every fold.
VARIANTS = {
    "the paper's text": (False, False),
    "automatic direction": (True, False),
    "and both classes from every fold": (True, True),
}
METHODS = ("DL", "HM")
# Means over data sets, in the settings of 500 rows: the best true AUC, and that of the winner.
TRUTHS = {
    tuple(row[key] for key in SETTING): row
    for row in read(Path(__file__).with_name("paper_002_truths.csv"))
}
QUANTITIES = ("inclusion", "tightness", "winner_truth")


def cells(quick: bool) -> list[Cell]:
    """One cell: the data sets are one stream of random numbers."""
    return [{"data": "published"}]


class DataSet:
    """Scores of configurations, with their true AUCs."""

    def __init__(self, rng: np.random.RandomState, setting: tuple[Any, ...]) -> None:
        beta_a, beta_b, n_rows, n_configurations, minority = setting
        n_first = int(n_rows * minority)
        self.y = (np.arange(n_rows) >= n_first).astype(np.int64)
        # The program draws performances that it does not use, then one for each pair of classes.
        rng.beta(beta_a, beta_b, n_configurations)
        pairs = rng.beta(beta_a, beta_b, (n_configurations, 4))
        self.truth = pairs[:, 2]
        self.scores = rng.standard_normal((n_configurations, 2, n_rows))[:, 1].T.copy()
        self.scores[:n_first] -= np.sqrt(2) * ndtri(self.truth)
        self.folds = np.arange(n_rows) % min(10, n_first)


def data_sets(n_runs: int) -> Iterator[tuple[tuple[Any, ...], list[DataSet]]]:
    """The settings of two classes, in the order of the program, with their data sets."""
    rng = np.random.RandomState(SEED)
    for beta_a, n_rows, n_configurations, minority in product(
        (9, 24), (50, 500), (100, 500), (0.5, 0.1)
    ):
        setting = (beta_a, 6, n_rows, n_configurations, minority)
        yield setting, [DataSet(rng, setting) for _ in range(n_runs)]
        # Five classes follow, which the table does not have.
        shares = [0.2] * 5 if minority == 0.5 else [0.1, *[0.9 / 4] * 4]
        n_drawn = int(n_rows * np.sum(shares))
        for _ in range(n_runs):
            rng.beta(beta_a, 6, n_configurations)
            rng.beta(beta_a, 6, (n_configurations, 25))
            rng.standard_normal((n_configurations, 5, n_drawn))


def run(cell: Cell, quick: bool) -> list[Row]:
    n_runs = 3 if quick else N_RUNS
    rows = []
    for setting, found in data_sets(n_runs):
        if "DL" not in PAPER.get(setting, {}):
            continue
        best = float(np.mean([one.truth.max() for one in found]))
        for variant in VARIANTS:
            rng = generator("inclusion_variants", setting, variant)
            runs = np.array([[once(one, variant, rng) for _ in range(N_SPLITS)] for one in found])
            for place, method in enumerate(METHODS):
                rows.append(
                    {
                        **cell,
                        **dict(zip(SETTING, setting, strict=True)),
                        "variant": variant,
                        "method": method,
                        "n_runs": n_runs * N_SPLITS,
                        "best_truth_differs": abs(best - TRUTHS[setting]["best_truth"])
                        if setting in TRUTHS
                        else "",
                        **compared(setting, method, runs[:, :, 0], runs[:, :, 1 + place]),
                    }
                )
        if quick:
            break
    return rows


def once(one: DataSet, variant: str, rng: np.random.Generator) -> list[float]:
    """The winner's true AUC, and its lower bounds by both methods (NaN where there is none)."""
    automatic, every_fold = VARIANTS[variant]
    learn = learn_rows(one.y, one.folds, rng, every_fold=every_fold)
    chosen = select(one.y, one.scores, one.folds, learn, "best", automatic=automatic)
    with warnings.catch_warnings():
        # A perfect score leaves DeLong's interval without width.
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        auc = bbc.baselines.intervals.delong(
            chosen.y, chosen.scores, alternative="greater", confidence_level=LEVEL
        )
    interval = auc.confidence_interval
    hm = hanley_mcneil_as_published(auc.estimate, chosen.n_correct, one.y.size)
    return [
        float(one.truth[chosen.configuration]),
        np.nan if interval is None else interval.low,
        np.nan if hm is None else hm,
    ]


def compared(setting: tuple[Any, ...], method: str, truth: np.ndarray, low: np.ndarray) -> Row:
    """Three numbers of a method beside the paper's, with the z of each.

    The data sets are the paper's, so that only the split is left to chance, in theirs and in ours.
    """
    paper = PAPER[setting][method]
    # The table is rounded to .01, the published output of 500 rows to .0001.
    unit = 0.01 if setting[2] == 50 else 0.0001
    values = {
        "inclusion": (
            np.where(np.isnan(low), np.nan, low <= truth),
            paper["inclusion"],
            0.01 if setting[2] == 50 else 0.0,
        ),
        "tightness": (truth - low, paper["tightness"], unit),
        "winner_truth": (truth, TRUTHS.get(setting, {}).get("winner_truth", ""), 0.0),
    }
    found: Row = {}
    for name in QUANTITIES:
        by_split, theirs, rounded = values[name]
        ours = float(np.nanmean(by_split))
        n_runs, n_splits = by_split.shape
        # A data set with one bound only says nothing about the variance between splits.
        whole = by_split[~np.isnan(by_split).any(axis=1)]
        by_data_set = whole.var(axis=1, ddof=1).mean() / n_runs
        error = np.sqrt(by_data_set * (1 + 1 / n_splits) + rounded**2 / 12)
        found[name], found[f"paper_{name}"] = ours, theirs
        found[f"{name}_z"] = "" if theirs == "" else float((ours - theirs) / max(error, 1e-9))
    return found


def tables(rows: list[Row]) -> list[Table]:
    known = [row["best_truth_differs"] for row in rows if row["best_truth_differs"] != ""]
    found = [Table(variant, variant_claims(rows, variant)) for variant in VARIANTS]
    if known:
        text = f"settings of 500 rows whose mean best true AUC is the published one, to {1e-12:g}"
        n = len(known) // (len(VARIANTS) * len(METHODS))
        same = Claim.statement(text, n, n, max(known) < 1e-12)
        found.insert(0, Table("the seed gives the paper's data sets", [same]))
    return found


def variant_claims(rows: list[Row], variant: str) -> list[Claim]:
    claims = []
    for method, quantity in (*product(METHODS, QUANTITIES[:2]), ("DL", "winner_truth")):
        z = np.array(
            [
                row[f"{quantity}_z"]
                for row in rows
                if (row["variant"], row["method"]) == (variant, method)
                and row[f"{quantity}_z"] != ""
            ]
        )
        if z.size:
            square = float((z**2).sum())
            what = "winner's true AUC" if quantity == "winner_truth" else f"{method}: {quantity}"
            claims.append(
                Claim.information(
                    f"{what}: chi-square of {z.size} settings",
                    f"{square:.1f}, p {chi2.sf(square, z.size):.2g}",
                )
            )
    return claims


def draw(rows: list[Row], figure: Any) -> None:
    axes = figure.subplots(1, len(VARIANTS), sharey=True)
    for place, (each, variant) in enumerate(zip(axes, VARIANTS, strict=True)):
        for quantity, colour in zip(
            QUANTITIES, ("tab:blue", "tab:orange", "tab:green"), strict=True
        ):
            z = [row[f"{quantity}_z"] for row in rows if row["variant"] == variant]
            z = [value for value in z if value != ""]
            each.plot(z, ".", color=colour, label=quantity.replace("_", "'s "))
        for level in (-2, 2):
            each.axhline(level, color="black", lw=0.8)
        each.set_title(variant, fontsize=9)
        each.set_xticks([])
        if place == 0:
            each.set_ylabel("difference from the paper, in standard errors")
            each.legend(fontsize=7)


STUDY = Study(
    name="inclusion_variants",
    source="Paper 002, Table 2",
    title="which selection and which split give DL and HM",
    cells=cells,
    run=run,
    tables=tables,
    draw=draw,
    fixed_skill=True,
    scale=(
        "The published program's own data sets, regenerated from its seed: 12 settings of 200 "
        f"data sets, {N_SPLITS} splits of each for every variant; only the split is left to "
        "chance."
    ),
    notes="""
The seed in the published program gives its data sets again, so that theirs and ours differ only in
the random split into learn and evaluation rows. Done as the paper's text says, the winner's true
AUC is far too good. Two changes together give the table:

- an *automatic direction* of every AUC, which the program has and the text lacks;
- splits redrawn until the evaluation part has both classes *from every fold*, not only as a whole,
  which the program in its published version asks for. A rare class then has more evaluation rows.

The second is inferred from the table: it is the one that fitted of those tried (stratifying the
split by class, in two settings, did not), so that its p-values are a little flattering. Folds,
their size and the definition of the estimate are the program's in all variants, which rules them
out. Ties for the winner occur with 50 rows only, where no variant stands out.
""",
)
