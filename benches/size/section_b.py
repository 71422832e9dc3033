"""Before and after: a user's list of published numbers that would have been wrong.

    python -m benches.size.section_b [--repetitions 60]

Each line of `section_b.csv` is a claim with its truth and what the package says before and after
this was mended. "Before" is Algorithm 5 as published (`size_correction=False`), limits from the
replicates alone, rules by bag and folds drawn, all of which are still there; for `winner_interval`
and `compare` it is read from benches/limits and benches/comparison. Three minutes of one core.
"""

import argparse
import csv
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, cross_val_predict

import bbc
from bbc import _engine

from .._tables import Line, write_csv
from ..limits._worlds import world
from ..resampling.no_information import LEARNERS

HERE = Path(__file__).resolve().parent
BENCHES = HERE.parent
Floats = NDArray[np.float64]


def line(claim: str, setting: str, quantity: str, truth: Any, before: Any, after: Any) -> Line:
    """One line."""
    return {
        "claim": claim,
        "setting": setting,
        "quantity": quantity,
        "truth": truth,
        "before": before,
        "after": after,
    }


def both(y: Any, predictions: Any, **options: Any) -> tuple[Any, Any]:
    """As published, and with what the number of rows does kept apart."""
    options = {"n_bootstraps": 300, "random_state": 1, "n_threads": 1} | options
    published = bbc.correct(y, predictions, **options, size_correction=False)
    return published, bbc.correct(y, predictions, **options)


def fixed_models(repetitions: int) -> list[Line]:
    """R2 of one fixed model of few rows."""
    lines = []
    for n in (20, 40):
        rng = np.random.default_rng(n)
        found = []
        for _ in range(repetitions):
            y = rng.normal(size=n)
            found.append(both(y, (0.3 * y + 0.5 * rng.normal(size=n))[:, None], metric="r2"))
        before, after = (
            float(np.mean([e.estimate for e in own])) for own in zip(*found, strict=True)
        )
        apparent = float(np.mean([e.apparent for _, e in found]))
        lines.append(line("B1", f"one fixed model, n = {n}", "R2, mean", apparent, before, after))
    return lines


def useless_ranking(repetitions: int) -> list[Line]:
    """Fifty useless configurations, 15 events among 100 rows."""
    rng = np.random.default_rng(15)
    y = np.repeat([1, 0], [15, 85])
    found = [
        both(y, rng.normal(size=(100, 50)), metric="average_precision") for _ in range(repetitions)
    ]
    chance = float(
        np.mean(
            [
                bbc.correct(
                    y, rng.normal(size=(100, 1)), metric="average_precision", n_bootstraps=40,
                    random_state=0, n_threads=1,
                ).apparent
                for _ in range(10 * repetitions)
            ]
        )
    )  # fmt: skip
    setting = "50 useless configurations, 15 events of 100"
    apparent = float(np.mean([e.apparent for _, e in found]))
    before, after = (float(np.mean([e.estimate for e in own])) for own in zip(*found, strict=True))
    quantity = f"average precision, mean (apparent {apparent:.3f})"
    return [line("B1", setting, quantity, chance, before, after)]


def others(repetitions: int) -> list[Line]:
    """One configuration by the other metrics: the truth is the apparent score."""
    lines = []
    for metric in ("f1", "kappa", "spearman", "explained_variance", "root_mean_squared_error"):
        rng = np.random.default_rng(7)
        found = []
        for _ in range(repetitions):
            if metric in ("f1", "kappa"):
                y = (rng.random(40) < 0.3).astype(int)
                y[:3], y[3:6] = 1, 0
                p = (y + rng.normal(size=40) > 0.5).astype(int)
            else:
                y = rng.normal(size=40)
                p = 0.5 * y + 0.6 * rng.normal(size=40)
            found.append(both(y, p[:, None], metric=metric))
        apparent = float(np.mean([e.apparent for _, e in found]))
        before, after = (
            float(np.mean([e.estimate for e in own])) for own in zip(*found, strict=True)
        )
        lines.append(line("B1", "one fixed model, n = 40", metric, apparent, before, after))
    return lines


def by_fold() -> list[Line]:
    """Ridge regression of diabetes, 60 rows, ten folds pooled by fold."""
    X, y = load_diabetes(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))[:60]
    folds = np.empty(60, dtype=int)
    splitter = KFold(10, shuffle=True, random_state=0)
    for k, (_, test) in enumerate(splitter.split(X[rows])):
        folds[test] = k
    grid = np.stack(
        [cross_val_predict(Ridge(a), X[rows], y[rows], cv=splitter) for a in (0.01, 0.1, 1, 10)],
        axis=1,
    )
    before, after = both(y[rows], grid, metric="r2", folds=folds, pooling="fold")
    setting = "load_diabetes, 60 rows, Ridge, 10 folds"
    return [line("B2", setting, "R2 by fold", after.apparent, before.estimate, after.estimate)]


def subgroups() -> list[Line]:
    """Two subgroups of equal true R2, of which one is small."""
    found: dict[bool, list[list[float]]] = {True: [], False: []}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=220)
        p = y[:, None] + 0.8 * rng.normal(size=(220, 20))
        by = np.repeat(["large", "small"], [200, 20])
        for given in (True, False):
            c = bbc.correct(
                y, p, metric="r2", n_bootstraps=200, random_state=1, n_threads=1,
                size_correction=given,
            )  # fmt: skip
            groups = c.subgroups(by)
            found[given].append([groups[name].estimate.estimate for name in ("large", "small")])
    means = {given: np.mean(values, axis=0) for given, values in found.items()}
    return [
        line(
            "B2",
            f"subgroups of 200 and 20 rows, the {name} one",
            "R2, mean",
            1 - 0.64 * n / (n - 3),  # of a sample of this size: E[1 / V]
            means[False][i],
            means[True][i],
        )
        for i, (name, n) in enumerate((("large", 200), ("small", 20)))
    ]


def limits(repetitions: int) -> list[Line]:
    """Coverage of 95 % limits of a sensitivity at a specificity, and of the whole ROC curve."""
    lines = []
    for m, n in ((10, 100), (20, 60)):
        rng = np.random.default_rng([m, n])
        covered = []
        for seed in range(repetitions):
            made = world(rng, m, n, 1, 0.99, 1, 0.0)
            options: dict[str, Any] = {"n_bootstraps": 400, "random_state": seed, "n_threads": 1}
            roc = bbc.correct(made.y, made.scores, metric="roc_auc", **options).roc_curve()
            at = roc.sensitivity_at(specificity=0.9)
            truth = float(norm.cdf(made.shift + norm.ppf(0.1)))
            low, high = np.quantile(at.replicates, (0.025, 0.975), method="inverted_cdf")
            curve = roc.curve
            own = made.roc(curve.x)
            covered.append(
                (
                    low <= truth <= high,
                    at.confidence_interval.low <= truth <= at.confidence_interval.high,
                    _bare_band_holds(made, seed, own),
                    bool(
                        (
                            (curve.simultaneous_lows <= own + 1e-12)
                            & (own <= curve.simultaneous_highs + 1e-12)
                        )[1:-1].all()
                    ),
                )
            )
        shares = np.mean(covered, axis=0)
        setting = f"{m} events of {n}, AUC .99, one configuration"
        lines += [
            line("B3", setting, "coverage, sensitivity at .9", 0.95, shares[0], shares[1]),
            line("B3", setting, "coverage, whole ROC curve", 0.95, shares[2], shares[3]),
        ]
    return lines


def _bare_band_holds(made: Any, seed: int, truth: Floats) -> bool:
    """Whether the band of the replicates alone holds the whole curve."""
    from bbc._validation import asked
    from bbc._winners import Winners
    from bbc.clinical import WinnerPerformance

    options = {"metric": "roc_auc", "n_bootstraps": 400, "random_state": seed, "n_threads": 1}
    winner = WinnerPerformance(Winners(asked(made.y, made.scores, options)))
    rates = np.linspace(0, 1, 101)
    statistic = _engine.kernel.Statistic.roc(rates, np.empty(0), [], [])
    found = winner._winners.statistics(statistic, winner._scores)
    band = _engine.curve_band(found.replicates, 0.95, (), np.empty((0, 2)))
    inside = (band["simultaneous_lows"] <= truth + 1e-12) & (
        truth <= band["simultaneous_highs"] + 1e-12
    )
    return bool(inside[1:-1].all())


def resampling_errors(repetitions: int) -> list[Line]:
    """One nearest neighbour on noise."""
    found = []
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 5)), rng.permutation(np.arange(30) % 2)
        found.append(
            [
                bbc.baselines.resampling_error(
                    LEARNERS["1-NN"][0], X, y, method=method, metric="zero_one_loss",
                    n_resamples=50, random_state=seed,
                ).estimate
                for method in ("632+-per-bag", "632+", "oob")
            ]
        )  # fmt: skip
    per_bag, plus, default = np.mean(found, axis=0)
    setting = "1-NN on permuted labels, n = 30"
    return [
        line("B6", setting, "error by .632+", 0.5, per_bag, plus),
        line("B6", setting, "error by the default", 0.5, per_bag, default),
    ]


def recorded() -> list[Line]:
    """What other benches have."""

    def read(path: str) -> list[Line]:
        with (BENCHES / path).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    lines = []
    landed, scaled = (read(f"limits/winner_{name}.csv") for name in ("landed", "scaled"))
    key = ("metric", "n_events", "n_rows", "n_configurations", "n_groups")
    for old in landed:
        (new,) = [each for each in scaled if all(each[name] == old[name] for name in key)]
        groups = f", {old['n_groups']} groups" if old["n_groups"] else ""
        setting = f"{old['n_events']} events of {old['n_rows']}{groups}, {old['n_configurations']}"
        after = new["coverage"] or "refused"
        quantity = f"coverage of winner_interval, {old['metric']}"
        lines.append(
            line("B4", setting + " configurations", quantity, 0.95, old["coverage"], after)
        )
    size: dict[tuple[str, str], list[float]] = {}
    for each in read("comparison/learners.csv"):
        one = each["first"] == each["second"] == "1"
        if one and float(each["stronger"]) == 0:
            size.setdefault((each["metric"], each["method"]), []).append(float(each["rejected"]))
    for metric in dict.fromkeys(metric for metric, _ in size):
        before, after = size[metric, "bbc-two-level"], size[metric, "bbc"]
        setting = f"{len(after)} settings of equal learners, 1 against 1"
        quantity = f"P(p <= .05) of compare, {metric}: "
        lines += [
            line("B5", setting, quantity + "mean", 0.05, np.mean(before), np.mean(after)),
            line("B5", setting, quantity + "largest", 0.05, max(before), max(after)),
        ]
    return lines


def copies() -> list[Line]:
    """Five hundred copies of a configuration are one."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    first, second = (np.where(rng.random((100, 1)) < 0.7, y[:, None], 1 - y[:, None]) for _ in "ab")
    options: dict[str, Any] = {"metric": "accuracy", "n_bootstraps": 400, "random_state": 1}
    widths = []
    for family in (first, np.repeat(first, 500, axis=1)):
        families = {"a": bbc.Predictions(y, family), "b": bbc.Predictions(y, second)}
        (found,) = bbc.compare(families, **options).differences
        low, high = found.confidence_interval
        widths.append(high - low)
    quantity = "width of the difference's interval"
    return [line("B9", "500 copies against one", quantity, widths[0], "wider", widths[1])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=60)
    repetitions = parser.parse_args().repetitions
    warnings.simplefilter("ignore")
    lines = [
        *fixed_models(repetitions),
        *useless_ranking(repetitions),
        *others(repetitions),
        *by_fold(),
        *subgroups(),
        *limits(repetitions),
        *recorded(),
        *resampling_errors(repetitions),
        *copies(),
    ]
    for each in lines:
        print(*each.values())
    plain = [
        {k: float(v) if isinstance(v, np.floating) else v for k, v in each.items()}
        for each in lines
    ]
    write_csv(plain, HERE / "section_b.csv")


if __name__ == "__main__":
    main()
