"""Numbers of rows that plans from pilots give, beside what the assumptions themselves give.

`python -m benches.planning` writes `pilots.csv`: for each world the answer from assumptions, and
the mean answer of pilots drawn from them, by `bbc.plan_rows` and with rows drawn with
replacement.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benches._tables import write_csv

import bbc

_WIDTH, _MINORITY = 0.15, 0.25
_N_PILOTS, _N_SIMULATIONS, _N_BOOTSTRAPS = 40, 6, 200


class World(NamedTuple):
    """Configurations of one AUC, and a pilot of so many rows."""

    n_configurations: int
    correlation: float
    auc: float
    n_pilot: int

    def draw(self, n_rows: int, random_state: int) -> Any:
        """A data set."""
        return bbc.simulate.auc(
            n_rows,
            self.n_configurations,
            true_performance=np.full(self.n_configurations, self.auc),
            minority=_MINORITY,
            correlation=self.correlation,
            random_state=random_state,
        )


WORLDS = (
    World(1, 0.0, 0.8, 60),
    World(50, 0.8, 0.8, 100),
    World(50, 0.0, 0.8, 100),
    World(200, 0.3, 0.7, 60),
    World(50, 0.3, 0.8, 300),
)


def repeating(pilot: Any) -> Callable[[int, int], tuple[Any, Any]]:
    """Rows of a pilot drawn with replacement within classes, as a source of data sets."""

    def draw(n_rows: int, random_state: int) -> tuple[Any, Any]:
        rng = np.random.default_rng(random_state)
        counts = np.bincount(pilot.y) * n_rows / len(pilot.y)
        rows = [rng.choice(np.flatnonzero(pilot.y == k), round(n)) for k, n in enumerate(counts)]
        drawn = np.concatenate(rows)
        return pilot.y[drawn], pilot.predictions[drawn]

    return draw


def answers(world: World) -> dict[str, list[float]]:
    """The plans of all pilots, both ways."""
    found: dict[str, list[float]] = {"pilots": [], "repeating": []}
    for seed in range(_N_PILOTS):
        pilot = world.draw(world.n_pilot, seed)
        sources = {"pilots": (pilot.y, pilot.predictions), "repeating": repeating(pilot)}
        for name, source in sources.items():
            plan = bbc.plan_rows(
                source,
                metric="roc_auc",
                width=_WIDTH,
                n_simulations=_N_SIMULATIONS,
                n_bootstraps=_N_BOOTSTRAPS,
                random_state=seed,
            )
            found[name].append(plan.expected if plan.n_needed is None else plan.n_needed)
    return found


def line(world: World) -> dict[str, Any]:
    """Mean answers with their standard errors."""
    true = bbc.plan_rows(world.draw, width=_WIDTH, n_simulations=40, random_state=0).n_needed
    numbers: dict[str, Any] = {"assumptions": true}
    for name, found in answers(world).items():
        numbers[name] = float(np.mean(found))
        numbers[f"{name}_sd"] = float(np.std(found, ddof=1))
        numbers[f"{name}_error"] = numbers[f"{name}_sd"] / math.sqrt(_N_PILOTS)
    return world._asdict() | {"width": _WIDTH, "n_pilots": _N_PILOTS} | numbers


def main() -> None:
    """Every world, one line each."""
    write_csv([line(world) for world in WORLDS], Path(__file__).parent / "pilots.csv")


if __name__ == "__main__":
    main()
