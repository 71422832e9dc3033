"""One setting: how often the sets hold the best, and the intervals the winner's performance."""

from typing import Any, Literal, NamedTuple

import numpy as np

import bbc

from ._worlds import WORLDS, World

LEVEL = 0.95
SETS: tuple[Literal["mcs", "argmin"], ...] = ("mcs", "argmin")
INTERVALS = ("hybrid", "winner alone", "correct")


class Setting(NamedTuple):
    """What is simulated."""

    metric: str
    shape: str
    n_rows: int
    n_configurations: int


def run(setting: Setting, n_repetitions: int) -> list[dict[str, Any]]:
    """A line for each set and interval."""
    rng = np.random.default_rng([*setting.metric.encode(), *setting.shape.encode(), *setting[2:]])
    sets: dict[str, list[tuple[bool, bool, float]]] = {name: [] for name in SETS}
    intervals: dict[str, list[tuple[bool, bool, float]]] = {name: [] for name in INTERVALS}
    for _ in range(n_repetitions):
        world = WORLDS[setting.metric](*setting[1:], rng)
        seed = int(rng.integers(2**53))
        options: dict[str, Any] = {"metric": world.metric, "random_state": seed, "n_threads": 1}
        c = bbc.correct(world.y, world.predictions, **options)
        for test in SETS:
            sets[test].append(of_set(world, c.possible_winners(test=test)))
        alone = bbc.correct(world.y, world.predictions[:, [c.winner]], **options)
        of_intervals = {
            "hybrid": c.winner_interval(),
            "winner alone": alone.winner_interval(),
            "correct": c.record,
        }
        for name in INTERVALS:
            found = checked(of_intervals[name], float(world.performance[c.winner]))
            if found is not None:
                intervals[name].append(found)
    lines = []
    for name, held in sets.items():
        covered, every, size = np.array(held, dtype=float).T
        more = {"all_best": every.mean(), "size": size.mean()}
        lines.append(line(setting, name, covered, n_repetitions, **more))
    for name, found_all in intervals.items():
        covered, below, width = np.array(found_all, dtype=float).reshape(-1, 3).T
        more = {"below": below.mean(), "width": np.median(width)} if len(covered) else {}
        lines.append(line(setting, name, covered, n_repetitions, **more))
    return lines


def line(setting: Setting, name: str, covered: Any, n: int, **more: float) -> dict[str, Any]:
    """`infeasible` counts repetitions without an interval."""
    empty = {"all_best": "", "size": "", "below": "", "width": ""}
    return {
        **setting._asdict(),
        "method": name,
        "coverage": float(np.mean(covered)) if len(covered) else "",
        **empty,
        **{key: float(value) for key, value in more.items()},
        "infeasible": n - len(covered),
        "repetitions": n,
    }


def of_set(world: World, found: bbc.results.PossibleWinners) -> tuple[bool, bool, float]:
    """Whether the set holds the first of the best, and all of them; its share of configurations."""
    losses = -world.performance if found.greater_is_better else world.performance
    best = losses == losses.min()
    every = bool(found.possible[best].all())
    return bool(found.possible[np.argmax(best)]), every, found.n_possible / len(losses)


def checked(e: bbc.PerformanceEstimate, truth: float) -> tuple[bool, bool, float] | None:
    """Whether the winner's performance is in the interval, and below the estimate; the width."""
    if e.confidence_interval is None:
        return None
    low, high = e.confidence_interval
    return low <= truth <= high, e.estimate > truth, high - low
