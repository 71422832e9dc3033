"""What a search's own score, nested cross-validation and bbc cost, and how right they are.

python -m benches.protocols.nested [--quick]

64 support vector machines, tuned on 100 patients of scikit-learn's breast cancer data; the truth is
the accuracy of each final model on the other 469. Columns are standardised beforehand. All
contestants have the same partition of the same patients, and take turns. Writes nested.csv beside
this file.
"""

import argparse
import warnings
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_score,
    train_test_split,
)
from sklearn.preprocessing import scale
from sklearn.svm import SVC

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
N_ROWS, N_FOLDS = 100, 5
GRID = {
    "C": np.logspace(-2, 5, 8).tolist(),
    "gamma": np.logspace(-6, 1, 8).tolist(),
}


class Outcome(NamedTuple):
    """What one contestant said about its final model, and what it cost."""

    estimate: float
    truth: float
    n_models: int
    seconds: float
    interval: tuple[float, float] | None = None


def contest(seed: int) -> dict[str, Outcome]:
    """Run all contestants on one sample."""
    X, y = load_breast_cancer(return_X_y=True)
    X, X_new, y, y_new = train_test_split(scale(X), y, train_size=N_ROWS, random_state=seed)
    cv = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    n_fits = 64 * N_FOLDS
    outcomes: dict[str, Outcome] = {}

    start = process_time()
    search = GridSearchCV(SVC(), GRID, cv=cv).fit(X, y)
    tuned = process_time() - start
    truth = search.score(X_new, y_new)
    outcomes["GridSearchCV"] = Outcome(search.best_score_, truth, n_fits + 1, tuned)

    start = process_time()
    nested = cross_val_score(GridSearchCV(SVC(), GRID, cv=cv), X, y, cv=cv)
    seconds = process_time() - start + tuned  # the final model is the search's
    n_models = N_FOLDS * (n_fits + 1) + n_fits + 1
    outcomes["nested, by hand"] = Outcome(nested.mean(), truth, n_models, seconds)

    for kind in (bbc.NCV, bbc.BBC, bbc.BBCD):
        start = process_time()
        own = kind(SVC(), GRID, cv=cv, random_state=seed).fit(X, y)
        seconds = process_time() - start
        truth = own.score(X_new, y_new)
        outcomes[kind.__name__] = _outcome(own.performance_, truth, own, seconds)
        if kind is bbc.BBC:
            start = process_time()
            e = bbc.correct(
                y,
                own.oos_predictions_,
                metric="accuracy",
                method="bbc-two-level",
                random_state=seed,
            )
            seconds += process_time() - start
            # Its winner is the best mean of folds, here the best of all rows: folds are equal.
            outcomes["BBC, two-level"] = _outcome(e, truth, own, seconds)
    return outcomes


def _outcome(e: bbc.PerformanceEstimate, truth: float, search: Any, seconds: float) -> Outcome:
    limits = e.confidence_interval
    interval = None if limits is None else (limits.low, limits.high)
    return Outcome(e.estimate, truth, search.n_models_trained_, seconds, interval)


def summary(name: str, outcomes: list[Outcome]) -> Line:
    """One line of the table: errors are estimate minus truth."""
    errors = np.array([one.estimate - one.truth for one in outcomes])
    ends = [(one.interval, one.truth) for one in outcomes if one.interval is not None]
    return {
        "contestant": name,
        "runs": len(outcomes),
        "models": median(one.n_models for one in outcomes),
        "median_cpu_s": float(median(one.seconds for one in outcomes)),
        "truth": float(np.mean([one.truth for one in outcomes])),
        "bias": float(errors.mean()),
        "bias_se": float(errors.std(ddof=1) / np.sqrt(len(errors))),
        "error_sd": float(errors.std(ddof=1)),
        "width": float(np.mean([high - low for (low, high), _ in ends])) if ends else "",
        "covered": sum(low <= truth <= high for (low, high), truth in ends) if ends else "",
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.protocols.nested")
    parser.add_argument("--quick", action="store_true", help="two samples")
    options = parser.parse_args()
    n_runs = 2 if options.quick else 20
    warnings.simplefilter("ignore", BBCWarning)
    folder = HERE.parents[1] / "build" / "protocols" if options.quick else HERE
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for seed in range(n_runs):
        runs.append(contest(seed))
        print(seed, {name: round(one.seconds, 2) for name, one in runs[-1].items()}, flush=True)
        if seed:  # an interrupted run leaves what it has
            lines = [summary(name, [run[name] for run in runs]) for name in runs[0]]
            write_csv(lines, folder / "nested.csv")


if __name__ == "__main__":
    main()
