"""The smallest example of fitted models that vary: 100 configurations that are equally good.

python -m benches.model_luck.example [--quick]
"""

import argparse
import warnings
from pathlib import Path

import numpy as np

import bbc

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
N_ROWS, N_CONFIGURATIONS, N_FOLDS = 500, 100, 5
SKILL, LUCK = 0.75, 0.05
METHODS = (
    ("bbc", "order-statistics"),
    ("bbc-f", "order-statistics"),
    ("bbc-two-level", "order-statistics"),
    ("bbc-two-level", "calibrated"),
)


def one_run(seed: int) -> list[tuple[float, float, float, float]]:
    """Estimate, interval and performance of the refit, by every method."""
    rng = np.random.default_rng(seed)
    skill = SKILL + LUCK * rng.normal(size=(N_CONFIGURATIONS, N_FOLDS))
    refit = SKILL + LUCK * rng.normal(size=N_CONFIGURATIONS)
    folds = np.arange(N_ROWS) % N_FOLDS
    y = rng.integers(0, 2, N_ROWS)
    right = rng.random((N_ROWS, N_CONFIGURATIONS)) < skill[:, folds].T
    predictions = np.where(right, y[:, None], 1 - y[:, None])
    found = []
    for method, interval in METHODS:
        result = bbc.correct(
            y,
            predictions,
            metric="accuracy",
            folds=folds,
            method=method,
            interval=interval,
            random_state=seed,
            n_threads=1,
        )
        assert result.confidence_interval is not None
        assert result.winner is not None
        low, high = result.confidence_interval.low, result.confidence_interval.high
        found.append((result.estimate, low, high, float(refit[result.winner])))
    return found


def lines(n_runs: int, first_seed: int) -> list[Line]:
    """A line for each method."""
    runs = np.array([one_run(first_seed + run) for run in range(n_runs)])
    found: list[Line] = []
    for (method, interval), values in zip(METHODS, runs.transpose(1, 2, 0), strict=True):
        estimate, low, high, refit = values
        # The refit's luck is independent of all else, so that its mean is the target.
        errors = estimate - SKILL
        found.append(
            {
                "method": method,
                "interval": interval,
                "runs": n_runs,
                "bias": float(errors.mean()),
                "bias_se": float(errors.std(ddof=1) / np.sqrt(n_runs)),
                "covers_expectation": float(((low <= SKILL) & (high >= SKILL)).mean()),
                "covers_refit": float(((low <= refit) & (refit <= high)).mean()),
                "width": float((high - low).mean()),
            }
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="five runs")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the results")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    # Finding BBC011, in every run.
    warnings.simplefilter("ignore", bbc.errors.BBCWarning)
    found = lines(5 if options.quick else options.runs, options.first_seed)
    write_csv(found, options.output / "example.csv")


if __name__ == "__main__":
    main()
