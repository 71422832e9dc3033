"""Searches that drop configurations on the way, followed by BBC: replayed on tables of all fits.

Every configuration predicts every row once. Successive halving, pruners and Hyperband are then
replayed on the stored predictions, and only what they would have predicted is handed to BBC. So the
same data also have BBC of all fits, and differences from it are paired.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binom

import bbc

from ._all_fits import (
    N_FOLDS,
    N_ROWS,
    AllFits,
    all_fits,
    out_of_fold,
    rewards,
    scores_by_fold,
)
from ._results import BEYOND
from ._searches import SEARCHES, Search, reliability
from ._study import Cell, Row, Study, draw_biases, generator, mean_and_error, pooled
from ._verdict import Claim, Table, p_above

# Runs come in parts; a full study has six of each cell, of ridge regression twelve.
PART = 100
N_PARTS = {
    ("guesses", "none"): 6,
    ("SVC", "none"): 6,
    ("SVC", "weak"): 6,
    ("ridge", "none"): 12,
    ("ridge", "weak"): 12,
    ("neighbours", "none"): 6,
    ("boosting", "weak"): 6,
}
N_BOOTSTRAPS = 500
NESTED = ("ridge",)
# The bar: rung by rung less BBC of all fits, where no configuration is better than another.
BAR, BAR_ERROR = 0.005, 0.0015
RUNGS = {
    "rungs": bbc.results.Rungs(),
    "rungs, burn 0": bbc.results.Rungs(burn=0),
    "rungs, burn .5": bbc.results.Rungs(burn=0.5),
}


@dataclass(frozen=True)
class Found:
    """An estimate, greater is better, and the limits of its interval if any, less the truth."""

    bias: float
    low: float | None = None
    high: float | None = None

    @property
    def covers(self) -> bool:
        """Whether the interval has the truth."""
        return self.low is not None and self.high is not None and self.low <= 0 <= self.high

    @property
    def width(self) -> float:
        """Length of the interval."""
        return np.nan if self.low is None or self.high is None else self.high - self.low


def cells(quick: bool) -> list[Cell]:
    """Part by part, for those who stop in between."""
    names = list(N_PARTS)[:1] if quick else list(N_PARTS)
    return [
        {"learner": learner, "signal": signal, "part": part}
        for part in range(1 if quick else max(N_PARTS.values()))
        for learner, signal in names
        if part < N_PARTS[learner, signal]
    ]


def run(cell: Cell, quick: bool) -> list[Row]:
    first = cell["part"] * PART
    numbers = range(first, first + (3 if quick else PART))
    with warnings.catch_warnings():
        # BBC007, which is what the study is about.
        warnings.simplefilter("ignore")
        runs = [replayed(cell, number) for number in numbers]
    return [
        {**cell, "search": search, "estimator": estimator, **summary(runs, search, estimator)}
        for search, found in runs[0].items()
        for estimator in found
    ]


Run = dict[str, dict[str, Found]]


def summary(runs: list[Run], search: str, estimator: str) -> Row:
    """Means over the runs; the difference is from BBC of all fits on the same data."""
    own = [each[search][estimator] for each in runs]
    biases = np.array([found.bias for found in own])
    bias, error = mean_and_error(biases)
    row: Row = {"bias": bias, "standard_error": error}
    if "all fits" in runs[0][search] and estimator != "all fits":
        all_ = np.array([each[search]["all fits"].bias for each in runs])
        row["difference"], row["difference_error"] = mean_and_error(biases - all_)
    else:
        row["difference"] = row["difference_error"] = ""
    intervals = own[0].low is not None
    row["coverage"] = float(np.mean([found.covers for found in own])) if intervals else ""
    row["width"] = float(np.mean([found.width for found in own])) if intervals else ""
    return row | {"n_runs": len(runs)}


# Searches on a table of all fits


def replayed(cell: Cell, number: int) -> Run:
    """Every search that drops configurations, on one table."""
    table = all_fits(cell["learner"], cell["signal"], number)
    whole = estimate(table, table.predictions, number)
    scores = table.scores()
    inner = inner_tables(table) if cell["learner"] in NESTED else []
    found: Run = {}
    for name, search in SEARCHES.items():
        depth = search(scores, generator(name, number))
        left = np.where(table.folds[:, None] < depth, table.predictions, np.nan)
        own = found[name] = estimates(table, left, number)
        own["all fits"] = whole
        if inner:
            own["nested"] = nested(table, inner, search, generator(name, number), depth)
    return found


def estimates(table: AllFits, left: np.ndarray, number: int) -> dict[str, Found]:
    """What can be said of the predictions that a search leaves."""
    plain = corrected(table, left, number, missing="drop-configurations")
    truth = table.truth_of(plain.winner)
    assert plain.apparent is not None
    found = {"apparent": Found(signed(table, plain.apparent) - truth)}
    found["plain"] = judged(table, plain, truth)
    for name, rungs in RUNGS.items():
        e = corrected(table, left, number, missing="rungs", rungs=rungs)
        found[name] = judged(table, e, table.truth_of(e.winner))
    found["shrunk"] = shrunk(found, reliability(table.rewards()[~np.isnan(left).any(axis=1)]))
    return found


def shrunk(found: dict[str, Found], share: float) -> Found:
    """Rung by rung, moved towards plain BBC by the share of skill in the first rung's scores."""
    own = found["rungs"]
    by = share * (found["plain"].bias - own.bias)
    assert own.low is not None
    assert own.high is not None
    return Found(own.bias + by, own.low + by, own.high + by)


def estimate(table: AllFits, predictions: np.ndarray, number: int, **options: Any) -> Found:
    """BBC of these predictions."""
    e = corrected(table, predictions, number, **options)
    return judged(table, e, table.truth_of(e.winner))


def corrected(table: AllFits, predictions: np.ndarray, number: int, **options: Any) -> Any:
    labels = {"labels": [0, 1]} if table.metric == "accuracy" else {}
    return bbc.correct(
        table.y, predictions, metric=table.metric, n_bootstraps=N_BOOTSTRAPS,
        random_state=number, n_threads=1, **labels, **options,
    )  # fmt: skip


def signed(table: AllFits, value: float) -> float:
    return value if table.metric == "accuracy" else -value


def judged(table: AllFits, e: Any, truth: float) -> Found:
    interval = e.confidence_interval
    low, high = sorted((signed(table, interval.low), signed(table, interval.high)))
    return Found(signed(table, e.estimate) - truth, low - truth, high - truth)


@dataclass(frozen=True, eq=False)
class Inner:
    """What nested cross-validation needs of an outer fold."""

    out: np.ndarray
    scores: np.ndarray
    rewards: np.ndarray


def inner_tables(table: AllFits) -> list[Inner]:
    """Each outer fold's own table of all fits, trained on the other folds alone."""
    found = []
    for fold in range(N_FOLDS):
        out = table.folds == fold
        X, y, folds = table.X[~out], table.y[~out], table.folds[~out]
        made = out_of_fold(X, y, folds, table.predict)
        scores = scores_by_fold(rewards(y, made, table.metric), folds)
        predicted = table.predict(X, y, table.X[out])
        found.append(Inner(out, scores, rewards(table.y[out], predicted, table.metric)))
    return found


def nested(
    table: AllFits,
    inner: list[Inner],
    search: Search,
    rng: np.random.Generator,
    depth: np.ndarray,
) -> Found:
    """The search repeated in every outer fold, against the winner of the search on all rows."""
    won = np.empty(N_ROWS)
    for fold in inner:
        won[fold.out] = fold.rewards[:, winner(fold.scores, search(fold.scores, rng))]
    return Found(float(won.mean()) - table.truth_of(winner(table.scores(), depth)))


def winner(scores: np.ndarray, depth: np.ndarray) -> int:
    """The best on all folds of those that saw all."""
    return int(np.where(depth == scores.shape[1], scores[:, -1], -np.inf).argmax())


# What the rows say


KEYS = ("learner", "signal", "search", "estimator")
MEANS = ("bias", "difference", "coverage", "width")


def name(row: Row) -> str:
    return f"{row['learner']}, signal {row['signal']}, {row['search']}"


def tables(rows: list[Row]) -> list[Table]:
    found = pooled(rows, KEYS, MEANS)

    def of(estimator: str, holds: Callable[[Row], bool] = lambda row: True) -> list[Row]:
        return [row for row in found if row["estimator"] == estimator and holds(row)]

    lists = {
        "plain BBC of the survivors is optimistic": [
            Claim.shown(
                f"{name(row)}: plain BBC less BBC of all fits", of_difference(row),
                "above 0", 1 - p_above(-row["difference"], row["difference_error"]),
            )
            for row in of("plain")
        ],
        "rung by rung is not more optimistic than BBC of all fits": [
            Claim.not_refuted(
                f"{name(row)}: rung by rung less BBC of all fits", of_difference(row),
                "at most 0", p_above(row["difference"], row["difference_error"]),
            )
            for row in of("rungs")
        ],
        f"without signal within {BAR:g} of BBC of all fits, standard error up to {BAR_ERROR:g}": [
            Claim.statement(
                name(row), of_difference(row), f"{BAR:g}, {BAR_ERROR:g}", meets_bar(row)
            )
            for row in of("rungs", lambda row: row["signal"] == "none")
        ],
        "intervals rung by rung": [
            Claim.not_refuted(
                f"{name(row)}: coverage; width, of all fits",
                f"{row['coverage']:.3f}; {row['width']:.2f}, {all_['width']:.2f}",
                "at least 0.95", p_coverage(row),
            )
            for row, all_ in zip(of("rungs"), of("all fits"), strict=True)
        ],
        "bias": [
            Claim.information(
                f"{name(row)}, {row['n_runs']} runs: apparent, plain, rungs, all fits",
                ", ".join(
                    f"{other['bias']:+.3f}"
                    for other in found
                    if name(other) == name(row)
                    and other["estimator"] in ("apparent", "plain", "rungs", "all fits")
                )
                + f" +- {row['standard_error']:.3f}",
            )
            for row in of("rungs")
        ],
        "bias of nested cross-validation": [
            Claim.information(name(row), f"{row['bias']:+.3f} +- {row['standard_error']:.3f}")
            for row in of("nested")
        ],
    }  # fmt: skip
    return [Table(title, claims) for title, claims in lists.items() if claims]


def of_difference(row: Row) -> str:
    return f"{row['difference']:+.4f} +- {row['difference_error']:.4f}"


def meets_bar(row: Row) -> bool:
    return bool(abs(row["difference"]) <= BAR and row["difference_error"] <= BAR_ERROR)


def p_coverage(row: Row) -> float:
    n = row["n_runs"]
    return float(binom.cdf(round(row["coverage"] * n), n, 0.95))


COLOURS = {
    "apparent": "tab:orange",
    "plain": "tab:red",
    "rungs": "tab:blue",
    "all fits": "black",
    "nested": "tab:green",
}


def draw(rows: list[Row], figure: Any) -> None:
    draw_biases(pooled(rows, KEYS, MEANS), figure, name, COLOURS, fontsize=7)


STUDY = Study(
    name="dynamic_search",
    source=BEYOND,
    title="searches that drop configurations on the way, followed by BBC",
    cells=cells,
    run=run,
    tables=tables,
    draw=draw,
    scale=(
        f"Parts of {PART} runs: 80 rows, 54 configurations, 8 folds in one order; halving, pruners "
        "and Hyperband are replayed on a table of all fits. Bias is that of accuracy, for ridge "
        "regression that of the mean squared error, negated, of an outcome of variance 1."
    ),
    notes=f"""
Plain BBC of the survivors is too high after every search: by .04 after halving, by .02 after ASHA,
by .01 after the median pruner and Hyperband, whose trials are completed more often; by up to .05
with ridge regression. Rung by rung it is what BBC of all fits says, from the predictions that the
search made anyway. What all fits leave, rungs leave: +.022 after nearest neighbours on random
columns, whose fitted models share luck (see the last section).

The bar of {BAR:g} is met in 11 of 12 settings with accuracy. Support vector machines under
Hyperband miss it on the cautious side (-.0053 with a standard error of .0010; with `burn=.5`
-.0017). Ridge regression is not decided: squared errors of rows vary about three times as much as
hits and misses, and the standard error asked for takes 4,000 runs. There, too, halving and
Hyperband differ on the cautious side only: penalties differ in skill where nothing can be learnt.
With `burn=.5` halving would be +.0076 (standard error .0015) on the support vector machines; the
default of .25 is right in more settings.

Intervals cover, and are as wide as those of all fits after halving and up to 1.1 times as wide
after the others. Nested cross-validation repeats each search on each outer fold's own models. A
shortcut that searches the stored predictions of the other folds, whose models have seen the fold,
is no such thing: on nearest neighbours without signal it is .035 too high, nested cross-validation
-.001 (150 runs, standard errors .006).
""",
)
