"""Bias and coverage of the calibration of survival at a time, after selection.

    python -m benches.clinical.survival [repetitions]

Twenty configurations predict survival by time 1 from a hazard exp(x) with errors of their own, in
the world "extreme" too extreme by a factor on the complementary log-log scale; about a quarter of
the rows is censored before. The integrated Brier score over three times selects. What it selected
on all rows is calibrated on 20,000 further rows that are not censored: the truth that the interval
should cover. Replicates: 200.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import least_squares

import bbc

from .._tables import Line, write_csv

N_CONFIGURATIONS, N_TEST, N_BOOTSTRAPS, TIMES = 20, 20_000, 200, (0.5, 1.0, 1.5)
WORLDS = {
    "calibrated, 150 rows": (150, 1.0),
    "extreme, 150 rows": (150, 1.7),
    "calibrated, 500 rows": (500, 1.0),
    "extreme, 500 rows": (500, 1.7),
}
NAMES = ("intercept", "slope", "observed_expected")


class World:
    """Errors of the configurations, drawn anew in each repetition."""

    def __init__(self, rng: np.random.Generator, extreme: float) -> None:
        self._rng, self._extreme = rng, extreme
        self._noise = rng.uniform(0.2, 0.8, N_CONFIGURATIONS)

    def draw(self, n_rows: int) -> tuple[Any, Any, Any]:
        """Times of events, of censoring, and survival at the times."""
        x = self._rng.normal(size=n_rows)
        own = self._rng.normal(size=(n_rows, N_CONFIGURATIONS)) * self._noise
        rates = np.exp(self._extreme * x[:, None] + own)
        survival = np.exp(-rates[:, :, None] * np.array(TIMES))
        return self._rng.exponential(np.exp(-x)), self._rng.exponential(2.0, n_rows), survival


def truths(event: Any, survival: Any) -> tuple[float, ...]:
    """Calibration on many rows without censoring."""
    outcome, risk = event <= 1.0, np.clip(1 - survival, 1e-12, 1 - 1e-12)
    x = np.log(-np.log1p(-risk))

    def gaps(line: Any) -> Any:
        return outcome - 1 + np.exp(-np.exp(line[0] + line[1] * x))

    large = least_squares(lambda a: gaps((a[0], 1.0)), [0.0]).x[0]
    line = least_squares(gaps, [0.0, 1.0]).x
    return float(large), float(line[1]), float(outcome.mean() / risk.mean())


def run(n_repetitions: int) -> Iterator[Line]:
    """A line for each world and quantity."""
    for world, (n_rows, extreme) in WORLDS.items():
        found: dict[str, list[tuple[float, ...]]] = {name: [] for name in NAMES}
        for repetition in range(n_repetitions):
            drawn = World(np.random.default_rng([n_rows, int(10 * extreme), repetition]), extreme)
            event, censored, survival = drawn.draw(n_rows)
            y = np.column_stack([event <= censored, np.minimum(event, censored)])
            c = bbc.correct(
                y,
                survival,
                times=TIMES,
                metric=bbc.metrics.integrated_brier_score(TIMES),
                n_bootstraps=N_BOOTSTRAPS,
                random_state=repetition,
                n_threads=1,
            )
            calibration = c.survival_calibration(1.0)
            event, _, survival = drawn.draw(N_TEST)
            expected = truths(event, survival[:, c.winner, 1])
            for name, truth in zip(NAMES, expected, strict=True):
                quantity = getattr(calibration, name)
                low, high = quantity.confidence_interval
                found[name].append(
                    (
                        truth,
                        quantity.apparent - truth,
                        quantity.estimate - truth,
                        float(low <= truth <= high),
                        high - low,
                        quantity.n_undefined / N_BOOTSTRAPS,
                    )
                )
        for name, rows in found.items():
            table = np.array(rows)
            yield {
                "world": world,
                "quantity": name,
                "truth": float(table[:, 0].mean()),
                "apparent bias": float(np.nanmean(table[:, 1])),
                "bias": float(table[:, 2].mean()),
                "standard error": float(table[:, 2].std(ddof=1) / np.sqrt(n_repetitions)),
                "median error": float(np.median(table[:, 2])),
                "coverage": float(table[:, 3].mean()),
                "width": float(np.median(table[:, 4])),
                "undefined": float(table[:, 5].mean()),
                "repetitions": n_repetitions,
            }


def main() -> None:
    """Write the table."""
    n_repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    write_csv(list(run(n_repetitions)), Path(__file__).with_name("survival.csv"))


if __name__ == "__main__":
    main()
