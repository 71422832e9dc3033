"""What the number of rows does to statistics of the winner.

    python -m benches.clinical.size [--repetitions 100]

All configurations have the same true performance, so `expected`, the mean over the samples of the
value of one configuration, is what a sample of this size is expected to show. `size.csv`: bias and
root mean squared error against it of the apparent value, of the estimate as published, and of the
estimate whose replicates lose their winners' shifts, where the package takes them (the same numbers
elsewhere). With one configuration the apparent value is what would be left if the shift was taken:
a larger error than that of the published estimate says that the shift is mostly noise. Five minutes
of one core.
"""

import argparse
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from bbc.clinical import WinnerPerformance

from .._tables import write_csv

HERE = Path(__file__).resolve().parent
SHIFT, SHARE, N_BOOTSTRAPS = 1.2, 0.35, 150
SETTINGS = ((60, 1), (60, 30), (150, 1), (150, 30))
POINTS = (0.05, 0.1, 0.3)


def sample(rng: np.random.Generator, n: int, size: int) -> tuple[Any, Any]:
    """Truth and calibrated risks, whose errors correlate by a half."""
    while True:
        y = (rng.random(n) < SHARE).astype(int)
        if 5 <= y.sum() <= n - 5:
            break
    noise = np.sqrt(0.5) * (rng.normal(size=(n, 1)) + rng.normal(size=(n, size)))
    logit = np.log(SHARE / (1 - SHARE)) + SHIFT * (y[:, None] * SHIFT + noise - SHIFT / 2)
    return y, 1 / (1 + np.exp(-logit))


def quantities(y: Any, risks: Any, seed: int, size_correction: bool) -> dict[str, Any]:
    """Apparent values and estimates by name."""
    options = {"n_bootstraps": N_BOOTSTRAPS, "random_state": seed, "n_threads": 1}
    winner = WinnerPerformance.of(
        "size", y, risks, "log_loss", options | {"size_correction": size_correction}
    )
    c, roc, curve = winner.calibration(), winner.roc_curve(), winner.precision_recall_curve()
    d = winner.decision_curve(thresholds=[0.2, 0.5])
    found = {
        each.name: (each.apparent, each.estimate)
        for each in (
            *(c.slope, c.intercept, c.observed_expected, c.brier_score, c.reliability),
            *(c.resolution, c.calibration_error, roc.partial_auc(specificity=(0.8, 1))),
        )
    }
    middle = len(c.curve.x) // 2
    found["calibration curve, middle"] = (c.curve.apparent[middle], c.curve.estimates[middle])
    for x in POINTS:
        at = round(100 * x)
        found[f"sensitivity at 1 - specificity {x:g}"] = (
            roc.curve.apparent[at],
            roc.curve.estimates[at],
        )
        found[f"precision at recall {x:g}"] = (
            curve.curve.apparent[at - 1],
            curve.curve.estimates[at - 1],
        )
    for i, x in enumerate((0.2, 0.5)):
        found[f"standardised net benefit at {x:g}"] = (
            d.standardized.apparent[i],
            d.standardized.estimates[i],
        )
    return found


def lines(n: int, size: int, repetitions: int) -> list[dict[str, Any]]:
    """A line per quantity."""
    rng = np.random.default_rng([n, size])
    found: dict[str, list[Any]] = defaultdict(list)
    for seed in range(repetitions):
        y, risks = sample(rng, n, size)
        first = quantities(y, risks[:, :1], seed, size_correction=False)
        published = first if size == 1 else quantities(y, risks, seed, size_correction=False)
        corrected = quantities(y, risks, seed, size_correction=True)
        for name, (apparent, estimate) in corrected.items():
            found[name].append((first[name][0], apparent, published[name][1], estimate))
    result = []
    for name, values in found.items():
        table = np.array(values, dtype=float)
        expected = np.nanmean(table[:, 0])
        line: dict[str, Any] = {
            "quantity": name,
            "n_rows": n,
            "n_configurations": size,
            "repetitions": repetitions,
            "expected": float(expected),
        }
        for i, kind in enumerate(("apparent", "published", "corrected"), start=1):
            errors = table[:, i] - expected
            line[f"{kind}_bias"] = float(np.nanmean(errors))
            line[f"{kind}_rmse"] = float(np.sqrt(np.nanmean(errors**2)))
        spread = np.nanstd(table[:, 3] - table[:, 0] * (size == 1))
        line["corrected_se"] = float(spread / np.sqrt(repetitions))
        result.append(line)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100)
    repetitions = parser.parse_args().repetitions
    warnings.simplefilter("ignore")
    found = []
    for n, size in SETTINGS:
        found += lines(n, size, repetitions)
        print(n, size, flush=True)
        write_csv(found, HERE / "size.csv")


if __name__ == "__main__":
    main()
