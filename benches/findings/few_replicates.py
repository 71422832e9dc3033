"""BBC033: limits that another seed moves.

Samples with fifty equally good configurations, each corrected with ten seeds. Harm is a standard
deviation of a limit between seeds, of the limit that varies more, above a twentieth of the width of
the interval; "told" is what one correction says of itself. Where there are findings, the last
column is of corrections with as many replicates as they ask for. The upper limit of squared errors
of few rows moves more than is told: its own thousand draws of long tails are not counted.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import bbc

from ._study import Line, Study, ends, has, share

N_CONFIGURATIONS = 50
N_SEEDS = 10
#: Metric, rows, and replicates.
SETTINGS = tuple(
    (metric, n_rows, n_bootstraps)
    for metric in ("accuracy", "roc_auc", "mean_squared_error")
    for n_rows in (60, 300)
    for n_bootstraps in (100, 200, 500, 1000, 5000)
)


class Seeds(NamedTuple):
    """Corrections of one sample by several seeds."""

    estimates: list[bbc.PerformanceEstimate]

    @property
    def width(self) -> float:
        return float(np.mean([np.ptp(ends(e)) for e in self.estimates]))

    @property
    def variances(self) -> np.ndarray:
        """Of both limits between seeds, in widths of the interval."""
        return np.var([ends(e) for e in self.estimates], axis=0, ddof=1) / self.width**2

    @property
    def told(self) -> float:
        """The larger error of a limit, in widths, as the corrections say on average."""
        errors = [e.monte_carlo_error for e in self.estimates]
        assert all(each is not None for each in errors)
        return float(np.mean([max(each.low, each.high) for each in errors])) / self.width


def sample(metric: str, n_rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A truth, and the predictions of configurations that are equally good."""
    noise = rng.normal(size=(n_rows, N_CONFIGURATIONS))
    if metric == "mean_squared_error":
        y = rng.normal(size=n_rows)
        return y, y[:, None] + noise
    y = rng.integers(0, 2, n_rows)
    scores = 1.5 * y[:, None] + noise
    return y, scores if metric == "roc_auc" else (scores > 0.75).astype(int)


def simulate(metric: str, n_rows: int, n_bootstraps: int, rng: np.random.Generator) -> Seeds:
    """Corrections of a sample of its own."""
    y, predictions = sample(metric, n_rows, rng)
    options = {"metric": metric, "n_bootstraps": n_bootstraps, "n_threads": 1}
    seeds = rng.integers(2**32, size=N_SEEDS)
    return Seeds(
        [bbc.correct(y, predictions, random_state=int(each), **options).record for each in seeds]
    )


def between_seeds(found: list[Seeds]) -> float:
    """The larger standard deviation of a limit, in widths, over all samples."""
    return float(np.sqrt(np.mean([each.variances for each in found], axis=0).max()))


def needed(found: list[Seeds]) -> int | None:
    """The median number of replicates that findings ask for."""
    said = [
        int(one.detail.split("; ")[1].split()[0].replace(",", ""))
        for seeds in found
        for e in seeds.estimates
        for one in e.findings
        if one.code == "BBC033"
    ]
    return int(np.median(said)) if said else None


def run(n_repetitions: int) -> Iterator[Line]:
    for metric, n_rows, n_bootstraps in SETTINGS:
        setting = metric, n_rows
        rng = np.random.default_rng([33, len(metric), n_rows, n_bootstraps])
        n_samples = max(2, n_repetitions // N_SEEDS)
        found = [simulate(*setting, n_bootstraps, rng) for _ in range(n_samples)]
        asked = needed(found)
        again = [simulate(*setting, asked, rng) for _ in range(n_samples)] if asked else []
        yield {
            "metric": metric,
            "rows": n_rows,
            "replicates": n_bootstraps,
            "finding": share(has(e, "BBC033") for seeds in found for e in seeds.estimates),
            "told": float(np.mean([seeds.told for seeds in found])),
            "between seeds": between_seeds(found),
            "asked for": asked or "",
            "between seeds then": between_seeds(again) if again else "",
            "repetitions": N_SEEDS * n_samples,
        }


STUDY = Study("BBC033", run)
