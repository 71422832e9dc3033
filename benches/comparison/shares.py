"""False alarms of comparisons between families each of which is better in another class.

Half of the rows are events, in folds that have equal shares of them. The one family finds 98 % of
the events and 40 % of the others, the other family the reverse, so that both are equal in
expectation; they differ with the share of events in a sample, which drawn folds do not show. A
configuration, a cut-off or an ensemble is chosen of each. `wrong_now` is how often p < 0.05, and
`wrong_before` the same by the draws of folds alone, as of counts of classes that the design fixed.
`python -m benches.comparison.shares` writes `shares.csv`.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benches._tables import write_csv
from numpy.typing import NDArray
from scipy.special import ndtri

import bbc

_RIGHT = (0.98, 0.4)  # in the class that is found more often, and in the other one
_SHARED = 0.5  # correlation of a row's noise between configurations
_N_CONFIGURATIONS = 5
_N_FOLDS = 10
_N_BOOTSTRAPS = 400
_N_REPETITIONS = 400

RULES = {
    "a configuration": "best",
    "a cut-off": bbc.best_threshold(),
    "the best three": bbc.top_k(3),
    "a greedy ensemble": bbc.greedy_ensemble(5),
}


class World(NamedTuple):
    """What is chosen of each family, by which metric."""

    chosen: str
    metric: str
    n_rows: int = 200


def scores_of(y: Any, found: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Risks of a family that finds one class more often, 0.8 or 0.2."""
    noise = np.sqrt(_SHARED) * rng.standard_normal((len(y), 1))
    noise = noise + np.sqrt(1 - _SHARED) * rng.standard_normal((len(y), _N_CONFIGURATIONS))
    right = noise < ndtri(np.where(y == found, *_RIGHT))[:, None]
    return np.where(right == (y == 1)[:, None], 0.8, 0.2)


def one(world: World, seed: int) -> dict[str, float]:
    """Whether families of one data set are called different."""
    rng = np.random.default_rng(seed)
    y = np.sort((rng.random(world.n_rows) < 0.5).astype(int))
    folds = np.arange(world.n_rows) % _N_FOLDS
    labels = world.metric == "accuracy" and world.chosen != "a cut-off"
    families = {}
    for name, found in (("of events", 1), ("of others", 0)):
        scores = scores_of(y, found, rng)
        read = (scores > 0.5).astype(int) if labels else scores
        families[name] = bbc.Predictions(y, read, folds=folds)
    numbers = {}
    for name, counts in (("before", "fixed"), ("now", "sampled")):
        (pair,) = bbc.compare(
            families,
            metric=world.metric,
            selection=RULES[world.chosen],
            method="bbc-two-level",
            class_counts=counts,
            n_bootstraps=_N_BOOTSTRAPS,
            random_state=seed,
            n_threads=1,
        ).differences
        numbers |= {
            "estimate": pair.estimate,
            f"error_{name}": pair.standard_error,
            f"wrong_{name}": float(pair.p_value < 0.05),
        }
    return numbers


def line(world: World) -> dict[str, Any]:
    """Means over the repetitions, and the standard deviation of the estimates."""
    runs = [one(world, seed) for seed in range(_N_REPETITIONS)]
    means = {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}
    sd = float(np.std([run["estimate"] for run in runs], ddof=1))
    return world._asdict() | {"repetitions": _N_REPETITIONS, "sd": sd} | means


def main() -> None:
    """Every rule and metric, one line each."""
    worlds = [World("a cut-off", "accuracy"), World("a cut-off", "f1_macro")]
    for chosen in ("a configuration", "the best three", "a greedy ensemble"):
        worlds += [World(chosen, metric) for metric in ("accuracy", "brier_score")]
    write_csv([line(world) for world in worlds], Path(__file__).parent / "shares.csv")


if __name__ == "__main__":
    main()
