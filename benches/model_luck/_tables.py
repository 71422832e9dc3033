"""What the runs of a world say: bias, coverage and width of every form and interval."""

from math import comb

import numpy as np
from scipy.stats import norm, t

from .._tables import Line
from ._worlds import Floats, World

Z = norm.ppf(0.975)
Limits = tuple[Floats, Floats, Floats]
"""Estimate, lower limit, upper limit; one of each per run."""


def left_out_factor(n_folds: int) -> float:
    """E[K / D - 1]: D of K folds are left out by K draws with replacement, given D >= 1.

    The mean of D of K values drawn without replacement has K / D - 1 times the variance that the
    mean of all K has over samples; rows have .632 / .368.
    """

    def surjections(onto: int) -> int:
        return sum((-1) ** j * comb(onto, j) * (onto - j) ** n_folds for j in range(onto + 1))

    weights = [comb(n_folds, out) * surjections(n_folds - out) for out in range(1, n_folds)]
    factors = [n_folds / out - 1 for out in range(1, n_folds)]
    return float(np.average(factors, weights=weights))


def intervals(world: World, runs: dict[str, Floats]) -> dict[tuple[str, str], Limits]:
    """Order statistics of every form, and calibrated intervals of some."""
    k, lost = world.n_folds, world.n_folds * world.n_repeats
    found: dict[tuple[str, str], Limits] = {}
    for key in runs:
        form, _, what = key.partition("/")
        if what == "low":
            point = runs["crossed/point" if form == "crossed" else f"{form}/mean"]
            found[form, "order statistics"] = point, runs[key], runs[f"{form}/high"]

    def add(form: str, kind: str, variance: Floats, quantile: float = Z) -> None:
        point = runs["crossed/point" if form == "crossed" else f"{form}/mean"]
        half = quantile * np.sqrt(variance)
        found[form, kind] = point, point - half, point + half

    luck = np.maximum(runs["luck2"], 0)
    rows = runs["bbc/sd"] ** 2 / (0.632 / 0.368)
    add("bbc", "calibrated", rows)
    add("bbc", "calibrated, luck", rows + luck / lost)
    add("bbc", "calibrated, refit", rows + luck / lost + luck)
    for form in ("fold", "two-level", "two-level, rotated", "joint"):
        if f"{form}/sd" in runs:
            folds = runs[f"{form}/sd"] ** 2 / left_out_factor(k)
            add(form, "calibrated", folds)
            add(form, "calibrated, t", folds, t.ppf(0.975, k - 1))
            add(form, "calibrated, refit", folds + luck)
            add(form, "bbc's sd, luck", rows + luck / lost)
    add("crossed", "rows and luck", runs["crossed/rows"] + luck / lost)
    if world.n_repeats == 1:
        add("crossed", "t of folds", runs["crossed/folds"], t.ppf(0.975, k - 1))
    return found


def lines(world: World, runs: dict[str, Floats]) -> list[Line]:
    """One line for each form and interval: targets are the expectation and the refit."""
    expected = runs["skill"].mean()
    n = len(runs["skill"])
    found = []
    for (form, kind), (point, low, high) in intervals(world, runs).items():
        errors = point - runs["skill"]
        found.append(
            {
                **vars(world),
                "runs": n,
                "form": form,
                "interval": kind,
                "bias": float(errors.mean()),
                "bias_se": float(errors.std(ddof=1) / np.sqrt(n)),
                "rmse": float(np.sqrt(((point - expected) ** 2).mean())),
                "covers_expectation": float(((low <= expected) & (expected <= high)).mean()),
                "covers_refit": float(world.refit_within(low, high, runs["skill"]).mean()),
                "width": float((high - low).mean()),
            }
        )
    return found


def _largest(n: int) -> float:
    """Expected maximum of n standard normal variables."""
    x = np.linspace(-6, 8, 14001)
    return float(np.trapezoid(x * n * norm.pdf(x) * norm.cdf(x) ** (n - 1), x))


def predictions(world: World, runs: dict[str, Floats]) -> Line:
    """Bias of BBC beside what formulas predict of it from the data."""
    v = np.maximum(runs["luck2"], 0) / (world.n_folds * world.n_repeats)
    most = _largest(world.n_configurations)
    lead = runs["apparent"] - runs["mean"]
    apparent, noisier = runs["var_c"], runs["var_c"] + runs["row_var"]
    true_v = world.luck**2 / (world.n_folds * world.n_repeats)
    true_rows = (1 - world.rho) * 0.1875 / world.n_rows
    stated = most * true_v / np.sqrt(true_v + true_rows + world.spread**2 or 1)
    bias = runs["bbc/mean"] - runs["skill"]
    return {
        **vars(world),
        "runs": len(v),
        "bbc_bias": float(bias.mean()),
        "bbc_bias_se": float(bias.std(ddof=1) / np.sqrt(len(v))),
        "luck_carried": float(runs["bbc/luck"].mean()),
        "stated, true parts": float(stated),
        "E max, apparent": float((most * v / np.sqrt(apparent)).mean()),
        "lead, apparent": float((lead * v / apparent).mean()),
        "E max, in bag": float((most * v / np.sqrt(noisier)).mean()),
        "lead, in bag": float((lead * v / noisier).mean()),
        "lead, both": float((lead * v / np.sqrt(apparent * noisier)).mean()),
    }
