"""False alarms of differences between subgroups of unequal class shares, where folds are drawn.

Two subgroups have the true risks of a normal score, with one distance between their classes. Where
their shares of events are s and 1 - s, each is the mirror image of the other, and a metric expects
the same of both; else the expected difference is known from many rows. Folds are stratified by
class, by class and subgroup, or by nothing. `wrong_now` is how often the interval of a difference
leaves out the expected one, `wrong_before` the same by the draws alone, as of fixed class counts.
`python -m benches.subgroups.shares` writes `shares.csv`.
"""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benches._tables import write_csv
from numpy.typing import NDArray

import bbc

_DISTANCE = 0.8  # between the classes' means, in standard deviations
_SHARED = 0.5  # correlation of a row's noise between configurations
_N_FOLDS = 10
_N_BOOTSTRAPS = 400
_N_REPETITIONS = 400

Floats = NDArray[np.float64]


class World(NamedTuple):
    """Configurations of equal skill, and the shares of events in two subgroups of n_rows / 2."""

    metric: str
    stratified_by: str
    shares: tuple[float, float]
    n_configurations: int = 1
    n_rows: int = 200


def risks_of(y: Any, share: Floats, size: int, rng: np.random.Generator) -> Floats:
    """True risks of rows whose subgroup has that share of events, (row, configuration)."""
    noise = np.sqrt(_SHARED) * rng.standard_normal((len(y), 1))
    noise = noise + np.sqrt(1 - _SHARED) * rng.standard_normal((len(y), size))
    score = noise + _DISTANCE * (y[:, None] - 0.5)
    odds = np.log(share / (1 - share))[:, None] + _DISTANCE * score
    return 1 / (1 + np.exp(-odds))


def folds_of(y: Any, by: Any, stratified_by: str, rng: np.random.Generator) -> Any:
    """Folds in which each stratum is spread evenly."""
    strata = {"nothing": 0 * y, "class": y, "class and subgroup": 2 * y + by}[stratified_by]
    order = np.lexsort((rng.random(len(y)), strata))
    folds = np.empty(len(y), int)
    folds[order] = np.arange(len(y)) % _N_FOLDS
    return folds


def read_by(metric: str, risks: Floats) -> Any:
    """What a metric reads of risks."""
    return (risks > 0.5).astype(int) if bbc.metrics.get(metric).predicts == "labels" else risks


@cache
def expected(metric: str, share: float) -> float:
    """The score of a million rows."""
    rng = np.random.default_rng(0)
    y = (np.arange(1_000_000) < round(share * 1e6)).astype(int)
    risks = risks_of(y, np.full(len(y), share), 1, rng)
    right = np.where(y == 1, risks[:, 0], 1 - risks[:, 0])
    of_rows = {"brier_score": (1 - right) ** 2, "log_loss": -np.log(right), "accuracy": right > 0.5}
    return float(np.mean(of_rows[metric]))


def one(world: World, seed: int) -> dict[str, float]:
    """Whether the difference of one data set misses what is expected."""
    rng = np.random.default_rng(seed)
    by = np.arange(world.n_rows) % 2
    share = np.array(world.shares)[by]
    y = (rng.random(world.n_rows) < share).astype(int)
    folds = folds_of(y, by, world.stratified_by, rng)
    risks = read_by(world.metric, risks_of(y, share, world.n_configurations, rng))
    truth = 0.0
    if sum(world.shares) != 1:
        truth = expected(world.metric, world.shares[0]) - expected(world.metric, world.shares[1])
        truth = truth if bbc.metrics.get(world.metric).greater_is_better else -truth
    numbers = {}
    for name, counts in (("before", "fixed"), ("now", "sampled")):
        c = bbc.correct(
            y,
            risks,
            metric=world.metric,
            folds=folds,
            method="bbc-two-level",
            class_counts=counts,
            n_bootstraps=_N_BOOTSTRAPS,
            random_state=seed,
            n_threads=1,
        )
        (pair,) = c.subgroups(by).differences
        low, high = pair.confidence_interval
        numbers |= {
            "estimate": pair.estimate,
            f"error_{name}": pair.standard_error,
            f"wrong_{name}": float(not low <= truth <= high),
        }
    return numbers


def line(world: World) -> dict[str, Any]:
    """Means over the repetitions, and the standard deviation of the estimates."""
    runs = [one(world, seed) for seed in range(_N_REPETITIONS)]
    means = {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}
    sd = float(np.std([run["estimate"] for run in runs], ddof=1))
    shares = {"first_share": world.shares[0], "second_share": world.shares[1]}
    own = {name: value for name, value in world._asdict().items() if name != "shares"}
    return own | shares | {"repetitions": _N_REPETITIONS, "sd": sd} | means


def main() -> None:
    """Every world, one line each."""
    kinds = ("class", "class and subgroup", "nothing")
    shares = ((0.2, 0.8), (0.1, 0.4))
    worlds = [
        *(World(*each) for each in product(("brier_score", "log_loss", "accuracy"), kinds, shares)),
        *(World("brier_score", kind, (0.2, 0.8), 20) for kind in kinds),
    ]
    write_csv([line(world) for world in worlds], Path(__file__).parent / "shares.csv")


if __name__ == "__main__":
    main()
