"""Halving by epochs, where all rungs score the same rows.

Survivors were chosen on every row, so that no row is fresh. Three ways to take the luck away that
carries over from one rung to the next are tried on configurations of known skills, whose order in
the end is that of the first epochs or another one, and on linear models by gradient descent.
`keep_predictions` takes the second way, "slopes from 0".
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

import bbc

from ._all_fits import N_FOLDS, N_ROWS, classes
from ._results import BEYOND
from ._searches import reliability
from ._study import (
    Cell,
    Row,
    Study,
    beside_all_fits,
    draw_biases,
    generator,
    pooled,
)
from ._verdict import Claim, Table, p_above

PART = 100
N_PARTS = 3
N_BOOTSTRAPS = 300
CORRELATION = 0.3
SPREAD = 0.05
ESTIMATORS = ("apparent", "plain", "all fits", "slopes", "slopes from 0", "reliability")
# (rows, configurations, eta): every rung has eta times the epochs of the one before.
SHAPES = ((80, 54, 3), (200, 128, 2))
SHARES = {3: (1 / 9, 1 / 3, 1.0), 2: (1 / 8, 1 / 4, 1 / 2, 1.0)}
# Skills of a rung: equal in all, in one order that grows apart, or in orders that have nothing to
# do with each other, with skills that are equal in the end or not.
ORDERS = ("equal", "one order", "crossing, equal in the end", "crossing")
KEPT = (0.7, 0.95)  # share of a row's luck that two rungs have in common
DESCENT = "gradient descent"
RATES = np.geomspace(0.003, 10, 9)
PENALTIES = np.geomspace(1e-4, 1, 6)
EPOCHS = (3, 9, 27, 81)


@dataclass(frozen=True, eq=False)
class Trained:
    """Right or wrong, (row, configuration), at each rung, and the skills after the last one."""

    hits: Sequence[np.ndarray]
    skill: np.ndarray
    eta: int


def cells(quick: bool) -> list[Cell]:
    """Worlds, part by part."""
    worlds = [
        {"world": world, "n_rows": n, "n_configurations": c, "eta": eta, "kept": kept}
        for world in ORDERS
        for n, c, eta in SHAPES
        for kept in KEPT
    ]
    worlds += [
        {"world": f"{DESCENT}, {signal}", "n_rows": N_ROWS, "n_configurations": 54, "eta": 3}
        | {"kept": ""}
        for signal in ("none", "weak")
    ]
    return [
        {**world, "part": part}
        for part in range(1 if quick else N_PARTS)
        for world in (worlds[:1] if quick else worlds)
    ]


def run(cell: Cell, quick: bool) -> list[Row]:
    first = cell["part"] * PART
    with warnings.catch_warnings():
        # BBC017: of few rows a winner may predict all.
        warnings.simplefilter("ignore")
        runs = [repetition(cell, first + i) for i in range(3 if quick else PART)]
    counted = {"n_runs": len(runs)}
    return [
        {**cell, "estimator": each, **beside_all_fits(runs, each), **counted} for each in ESTIMATORS
    ]


def repetition(cell: Cell, number: int) -> dict[str, tuple[float, float, float]]:
    """Estimates and limits of the intervals, all less the truth."""
    rng = generator("epochs", *(cell[key] for key in KEYS[:5]), number)
    signal = cell["world"].removeprefix(f"{DESCENT}, ")
    descends = signal != cell["world"]
    trained = descended(signal, number, rng) if descends else from_skills(cell, rng)
    hits, alive = trained.hits, survivors(trained)
    n_rows, n = hits[0].shape
    resamples = rng.integers(0, n_rows, (N_BOOTSTRAPS, n_rows))
    counts = np.stack([np.bincount(drawn, minlength=n_rows) for drawn in resamples])
    out = (counts == 0) / (counts == 0).sum(axis=1)[:, None]

    def corrected(hit: np.ndarray, own: np.ndarray) -> Any:
        return bbc.correct(
            np.ones(n_rows, int), hit[:, own].astype(int), metric="accuracy", labels=[0, 1],
            resamples=resamples, n_threads=1,
        )  # fmt: skip

    plain = [corrected(hit, own) for hit, own in zip(hits, alive, strict=True)]
    picks = [own[e.replicate_winners] for e, own in zip(plain, alive, strict=True)]
    all_, last = corrected(hits[-1], np.arange(n)), plain[-1]
    truth = trained.skill[alive[-1][last.winner]]
    luck, luck_from_0 = carried_by_slopes(hits, alive, picks, out)
    replicates = {
        "plain": last.replicates,
        "slopes": last.replicates - luck,
        "slopes from 0": last.replicates - luck_from_0,
        "reliability": last.replicates - carried_by_reliability(hits, alive, picks[-1], out),
    }
    found = {name: less(each, truth) for name, each in replicates.items()}
    found["all fits"] = less(all_.replicates, trained.skill[all_.winner])
    assert last.apparent is not None
    found["apparent"] = (last.apparent - truth, np.nan, np.nan)
    return found


def less(replicates: np.ndarray, truth: float) -> tuple[float, float, float]:
    low, high = np.quantile(replicates, (0.025, 0.975))
    return replicates.mean() - truth, low - truth, high - truth


# Worlds


def from_skills(cell: Cell, rng: np.random.Generator) -> Trained:
    """Hits of configurations of known skills, whose luck is in part that of other rungs."""
    n, c, shares = cell["n_rows"], cell["n_configurations"], SHARES[cell["eta"]]
    kept = cell["kept"]
    common = np.sqrt(CORRELATION) * rng.normal(size=(n, 1))
    final = common + np.sqrt(1 - CORRELATION) * rng.normal(size=(n, c))
    apart = SPREAD * rng.normal(size=c)
    hits = []
    for share in shares:
        last = share == 1
        own = {
            "equal": np.zeros(c),
            "one order": apart * share**0.25,
            "crossing, equal in the end": SPREAD * rng.normal(size=c) * (not last),
            "crossing": SPREAD * rng.normal(size=c),
        }[cell["world"]]
        skill = np.clip(0.6 + 0.1 * share**0.25 + own, 0.05, 0.95)
        luck = (
            final if last else np.sqrt(kept) * final + np.sqrt(1 - kept) * rng.normal(size=(n, c))
        )
        hits.append(luck < norm.ppf(skill))
    return Trained(hits, skill, cell["eta"])


def descended(signal: str, number: int, rng: np.random.Generator) -> Trained:
    """Logistic regression by gradient descent: 9 learning rates, 6 penalties, 20 columns."""
    X, y, folds, _ = classes(signal, number)
    train, test = np.arange(N_ROWS), np.arange(N_ROWS, len(X))
    hits = [np.empty((N_ROWS, RATES.size * PENALTIES.size), dtype=bool) for _ in EPOCHS]
    start = rng.normal(size=(X.shape[1], RATES.size * PENALTIES.size))
    for fold in range(N_FOLDS):
        out = train[folds == fold]
        made = predicted(X, y, train[folds != fold], out, start)
        for hit, labels in zip(hits, made, strict=True):
            hit[out] = labels == y[out][:, None]
    *_, labels = predicted(X, y, train, test, start)
    return Trained(hits, (labels == y[test][:, None]).mean(axis=0), 3)


def predicted(
    X: np.ndarray, y: np.ndarray, train: np.ndarray, out: np.ndarray, start: np.ndarray
) -> list[np.ndarray]:
    """Labels of some rows after each number of epochs."""
    rates, penalties = (each.ravel() for each in np.meshgrid(RATES, PENALTIES))
    coefficients, made = start.copy(), []
    for epoch in range(1, max(EPOCHS) + 1):
        slopes = X[train].T @ (expit(X[train] @ coefficients) - y[train][:, None]) / len(train)
        # A step that does not overshoot the penalty.
        coefficients = (coefficients - rates * slopes) / (1 + rates * penalties)
        if epoch in EPOCHS:
            made.append((X[out] @ coefficients > 0).astype(int))
    return made


def survivors(trained: Trained) -> list[np.ndarray]:
    """The configurations of each rung, which halving by eta leaves."""
    alive = [np.arange(trained.skill.size)]
    for hit in trained.hits[:-1]:
        own = alive[-1]
        order = np.argsort(-hit[:, own].mean(axis=0), kind="stable")
        alive.append(np.sort(own[order[: max(2, round(len(own) / trained.eta))]]))
    return alive


# Corrections of each replicate


def carried_by_slopes(
    hits: Sequence[np.ndarray],
    alive: Sequence[np.ndarray],
    picks: Sequence[np.ndarray],
    out: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Out of bag, how much better than its own pick a rung finds the next one, times a slope.

    Also without the rungs that find it worse on average.
    """
    found, from_0 = np.zeros(len(out)), np.zeros(len(out))
    for (hit, following), own, (pick, next_pick) in zip(
        pairwise(hits), alive[1:], pairwise(picks), strict=True
    ):
        scores = out @ hit
        every = np.arange(len(out))
        gain = slope(hit[:, own], following[:, own]) * (
            scores[every, next_pick] - scores[every, pick]
        )
        found += gain
        from_0 += gain if gain.mean() > 0 else 0.0
    return found, from_0


def carried_by_reliability(
    hits: Sequence[np.ndarray],
    alive: Sequence[np.ndarray],
    picked: np.ndarray,
    out: np.ndarray,
) -> np.ndarray:
    """The luck of the last picks, as far as scores of rungs differ by more than by skill.

    A rung's scores, less the luck that was carried there, are skill by their reliability.
    """
    before = None
    luck_out = luck_all = np.zeros(1)
    for hit, own in zip(hits, alive, strict=True):
        values = hit[:, own].astype(float)
        fresh = values
        if before is not None:
            earlier, whose = before
            places = np.searchsorted(whose, own)
            share = slope(earlier[:, places], values)
            luck_out, luck_all = share * luck_out[:, places], share * luck_all[places]
            fresh = values - share * earlier[:, places]
        if own is alive[-1]:
            break
        above = centred(values.mean(axis=0) - luck_all)
        of_skill = reliability(fresh) * above
        luck_out = centred(out @ values - luck_out) - of_skill + luck_out
        luck_all = above - of_skill + luck_all
        before = values, own
    return luck_out[np.arange(len(out)), np.searchsorted(alive[-1], picked)]


def centred(values: np.ndarray) -> np.ndarray:
    return values - values.mean(axis=-1, keepdims=True)


def slope(before: np.ndarray, after: np.ndarray) -> float:
    """That of a rung's row scores on those of the rung before, centred by configuration."""
    earlier, later = (each - each.mean(axis=0) for each in (before, after))
    squares = float((earlier**2).sum())
    return float(np.clip((earlier * later).sum() / squares, 0, 1)) if squares > 0 else 0.0


# What the rows say

KEYS = ("world", "n_rows", "n_configurations", "eta", "kept", "estimator")
MEANS = ("bias", "difference", "coverage")


def name(row: Row) -> str:
    kept = f", {row['kept']:g} kept" if row["kept"] != "" else ""
    return f"{row['world']}, {row['n_rows']} rows{kept}"


def tables(rows: list[Row]) -> list[Table]:
    found = pooled(rows, KEYS, MEANS)
    of = {(name(row), row["estimator"]): row for row in found}
    ours = [row for row in found if row["estimator"] == "slopes from 0"]
    claims = [
        Claim.not_refuted(
            name(row), difference(row), "at most 0",
            p_above(row["difference"], row["difference_error"]),
        )
        for row in ours
        if not row["world"].startswith("crossing")
    ]  # fmt: skip
    below = [
        Claim.statement(
            f"{name(row)}: with the luck taken, plain",
            f"{row['bias']:+.3f}, {of[name(row), 'plain']['bias']:+.3f}",
            "less",
            bool(row["bias"] < of[name(row), "plain"]["bias"]),
        )
        for row in ours
    ]
    words = [
        Claim.information(f"{name(row)}, {row['estimator']}: bias, coverage", words_of(row))
        for row in found
        if row["estimator"] != "apparent"
    ]
    title = "halving by epochs with the survivors' luck taken, from 0"
    return [
        Table(f"{title}: not more optimistic than BBC of all fits, unless curves cross", claims),
        Table(f"{title}: less biased upwards than plain BBC of the survivors", below),
        Table("halving by epochs: bias", words),
    ]


def difference(row: Row) -> str:
    return f"{row['difference']:+.4f} +- {row['difference_error']:.4f}"


def words_of(row: Row) -> str:
    return f"{row['bias']:+.3f} +- {row['standard_error']:.3f}, {row['coverage']:.2f}"


def draw(rows: list[Row], figure: Any) -> None:
    draw_biases(pooled(rows, KEYS, MEANS), figure, name, dict.fromkeys(ESTIMATORS[1:]), fontsize=6)


STUDY = Study(
    name="epochs",
    source=BEYOND,
    title="halving by epochs, where all rungs score the same rows",
    cells=cells,
    run=run,
    tables=tables,
    draw=draw,
    scale=(
        f"{PART * N_PARTS} runs of each setting; 80 rows and 54 configurations halved by 3, or 200 "
        "and 128 halved by 2. Skills of configurations have a standard deviation of .05, and rungs "
        "share .7 or .95 of a row's luck; or linear classifiers by gradient descent, 9 learning "
        "rates and 6 penalties, rungs of 3, 9, 27 and 81 epochs. Bias is that of accuracy. "
    ),
    notes="""
Plain BBC of the survivors is .04 too high after gradient descent with a weak signal and .08 without
one: slow learners are still guessing when the first two thirds of the configurations go.

**By slopes**, each rung asks how much better, out of bag, it finds the next rung's pick than its
own; the share of it that carries over is subtracted. It comes close to BBC of all fits where
configurations are alike (-.005 at worst) and after gradient descent (-.005 and -.006). Where
learning curves cross it fails: the later pick really is worse at the earlier rung, so that the
difference is negative and raises the estimate, by up to .15 above BBC of all fits, with coverage
down to .51.

**From 0**, a rung whose difference is negative on average takes nothing. The estimate is never
above plain BBC. Where curves cross, it has half of plain BBC's excess over all fits, .014 for .023
and .015 for .026 on average, .021 at worst; it covers everywhere. The price is .002 to .006 more
of pessimism. `keep_predictions` does this.

**By the reliability of scores**, luck is what the spread of a rung's scores has beyond that of
skills. It is no better where curves cross, and .042 below all fits, with coverage of .58, where
skills keep their order.
""",
)
