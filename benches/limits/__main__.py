"""Coverage and width of limits with few events: python -m benches.limits [--repetitions 200].

Writes coverage.csv and coverage.png. All configurations have the same true performance, so the
truth is known whichever wins. "replicates" are order statistics alone, "hull" what is returned.
About four minutes of one core.
"""

import argparse
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import write_csv
from ._picture import draw
from ._worlds import World, world

HERE = Path(__file__).parent
N_BOOTSTRAPS = 400
SPECIFICITY, THRESHOLD = 0.9, 0.5
#: Events, rows, configurations, AUC, rows of a group, correlation of a group's rows.
SETTINGS = [
    *((m, n, c, a, 1, 0.0) for m, n in ((10, 100), (20, 60), (50, 60), (50, 1000))
      for c in (1, 50) for a in (0.8, 0.99)),
    *((m, n, c, 0.9, size, rho) for m, n, size in ((20, 100, 5), (50, 100, 10))
      for c in (1, 50) for rho in (0.0, 0.5)),
]  # fmt: skip


def held(low: float, high: float, truth: float) -> tuple[bool, float]:
    """Whether the truth is inside; the width."""
    return low - 1e-12 <= truth <= high + 1e-12, high - low


def order_statistics(replicates: Any) -> tuple[float, float]:
    """The replicates' own limits."""
    low, high = np.quantile(replicates, (0.025, 0.975), method="inverted_cdf")
    return float(low), float(high)


def limits(made: World, seed: int) -> Iterator[tuple[str, str, bool, float]]:
    """Quantity, kind of limits, whether they hold the truth, width."""
    options: dict[str, Any] = {
        "n_bootstraps": N_BOOTSTRAPS,
        "random_state": seed,
        "n_threads": 1,
        "groups": made.groups,
    }
    corrected: dict[str, bbc.Correction] = {}
    for metric, truth in made.truths.items():
        predictions = made.scores if metric == "roc_auc" else made.labels
        e = bbc.correct(made.y, predictions, metric=metric, **options)
        corrected[metric] = e
        yield (metric, "replicates", *held(*order_statistics(e.replicates), truth))
        assert e.confidence_interval is not None
        low, high = e.confidence_interval
        yield (metric, "hull", *held(low, high, truth))
    roc = corrected["roc_auc"].roc_curve()
    at = roc.sensitivity_at(specificity=SPECIFICITY)
    truth = float(made.roc(np.array([1 - SPECIFICITY]))[0])
    yield ("sensitivity at .9", "replicates", *held(*order_statistics(at.replicates), truth))
    assert at.confidence_interval is not None
    low, high = at.confidence_interval
    yield ("sensitivity at .9", "hull", *held(low, high, truth))
    curve = roc.curve
    inside = (curve.simultaneous_lows <= made.roc(curve.x) + 1e-12) & (
        made.roc(curve.x) <= curve.simultaneous_highs + 1e-12
    )
    width = float(np.mean(curve.simultaneous_highs - curve.simultaneous_lows))
    yield "whole ROC curve", "hull", bool(inside[1:-1].all()), width
    of_risks = bbc.correct(made.y, made.risks, metric="roc_auc", **options)
    decision = of_risks.decision_curve(thresholds=[THRESHOLD]).net_benefit
    truth = made.net_benefit(THRESHOLD)
    yield ("net benefit", "hull", *held(decision.lows[0], decision.highs[0], truth))


def study(n_repetitions: int) -> list[dict[str, Any]]:
    """A line for each setting, quantity and kind of limits."""
    lines = []
    for number, setting in enumerate(SETTINGS):
        rng = np.random.default_rng([31, number])
        found = defaultdict(list)
        for _ in range(n_repetitions):
            made = world(rng, *setting)
            for quantity, kind, covered, width in limits(made, int(rng.integers(2**53))):
                found[quantity, kind].append((covered, width))
        names = ("n_events", "n_rows", "n_configurations", "auc", "group_size", "correlation")
        for (quantity, kind), values in found.items():
            covered, width = np.array(values, dtype=float).T
            lines.append(
                dict(zip(names, setting, strict=True))
                | {
                    "quantity": quantity,
                    "limits": kind,
                    "coverage": float(covered.mean()),
                    "width": float(width.mean()),
                    "repetitions": n_repetitions,
                }
            )
        print(*setting, *(f"{q}/{k} {np.mean(v, axis=0)}" for (q, k), v in found.items()))
        write_csv(lines, HERE / "coverage.csv")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    draw(study(chosen.repetitions), HERE / "coverage.png")


if __name__ == "__main__":
    main()
