"""How often BBC023 calls a winner worse than the Kaplan-Meier curve: benches/doors/curve.csv.

    python -m benches.doors.curve [--runs 2000]

Survival of one time, half of the rows; a third is censored. In the lines of "curve of the other
folds" nothing but that is predicted; in "equal" a signal and a noise of the same variance, so that
the expected score is the curve's (rows, and groups of four rows that share both); in "ridge" models
of ten features are trained in folds on a signal of the given size, the best of four penalties wins,
and `excess` is the mean of their true score less the curve's: the finding is false where that is
not above 0. The last lines turn the probabilities of one penalty around (1 - S): to be found. Ten
minutes of one core.
"""

import argparse
import csv
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bbc

HERE = Path(__file__).resolve().parent
PENALTIES = (1.0, 10.0, 100.0, 1000.0)
N_FEATURES, N_FRESH = 10, 500
Floats = NDArray[np.float64]


class Case(NamedTuple):
    """Times and probabilities of surviving 1, and by how much they are worse than the curve's."""

    event: Any
    time: Floats
    probabilities: Floats
    folds: Any
    groups: Any
    excess: float


def times_of(survives: Any, rng: np.random.Generator) -> tuple[Any, Floats]:
    """Event and time of rows that survive the time 1, or do not; some are censored."""
    n = len(survives)
    time = np.where(survives, 1 + rng.exponential(size=n), rng.random(n))
    censored = rng.exponential(3.0, size=n)
    return time <= censored, np.minimum(time, censored)


def share_surviving(event: Any, time: Floats) -> float:
    """Kaplan-Meier at the time 1."""
    at = [np.count_nonzero(time >= own) for own in time[event & (time <= 1)]]
    return float(np.prod(1 - 1 / np.array(at))) if at else 1.0


def of_other_folds(n: int, n_folds: int, rng: np.random.Generator) -> Case:
    """The curve of the rows of the other folds."""
    event, time = times_of(rng.random(n) < 0.5, rng)
    folds = rng.permutation(np.arange(n) % n_folds)
    found = np.empty(n)
    for fold in range(n_folds):
        found[folds == fold] = share_surviving(event[folds != fold], time[folds != fold])
    return Case(event, time, found[:, None], folds, None, 0.0)


def equal(n: int, per_group: int, rng: np.random.Generator) -> Case:
    """A signal and as much noise."""
    group = np.arange(n) // per_group
    signal, noise = (rng.uniform(-0.2, 0.2, group.max() + 1)[group] for _ in range(2))
    common = rng.random(group.max() + 1)[group]  # rows of a group live or die together
    event, time = times_of(common < 0.5 + signal, rng)
    found = (0.5 + signal + noise)[:, None]
    return Case(event, time, found, None, group if per_group > 1 else None, 0.0)


def ridge(n: int, n_folds: int, effect: float, rng: np.random.Generator) -> Case:
    """Linear probabilities, trained in folds."""

    def rows(size: int) -> tuple[Floats, Any, Floats]:
        X = rng.normal(size=(size, N_FEATURES))
        risk = np.clip(0.5 + effect * X[:, 0], 0, 1)
        return np.column_stack([np.ones(size), X]), rng.random(size) < risk, risk

    X, survives, _ = rows(n)
    Z, _, risk = rows(N_FRESH)
    event, time = times_of(survives, rng)
    folds = rng.permutation(np.arange(n) % n_folds)
    found, excess = np.empty((n, len(PENALTIES))), np.zeros(len(PENALTIES))
    for fold in range(n_folds):
        A, b = X[folds != fold], survives[folds != fold]
        for place, penalty in enumerate(PENALTIES):
            shrunk = np.diag([0.0] + N_FEATURES * [penalty])
            coefficients = np.linalg.solve(A.T @ A + shrunk, A.T @ b)
            found[folds == fold, place] = np.clip(X[folds == fold] @ coefficients, 0, 1)
            fresh = np.clip(Z @ coefficients, 0, 1)
            # (risk - fresh)^2 is the score less that of the risks; the curve's is (risk - mean)^2.
            excess[place] += np.mean((risk - fresh) ** 2 - (risk - 0.5) ** 2) / n_folds
    winner = int(np.argmin(np.mean((survives[:, None] - found) ** 2, axis=0)))
    return Case(event, time, found, folds, None, float(excess[winner]))


def turned(n: int, n_folds: int, effect: float, rng: np.random.Generator) -> Case:
    """Probabilities of the event, of one penalty: of several the flattest would win."""
    case = ridge(n, n_folds, effect, rng)
    return case._replace(probabilities=1 - case.probabilities[:, 1:2], excess=np.nan)


def settings() -> list[tuple[str, int, Any, Callable[[np.random.Generator], Case]]]:
    """Name, rows, what else it is, and how a case is drawn."""
    found: list[Any] = []
    for n in (40, 200):
        found += [
            (
                "curve of the other folds",
                n,
                f"{k} folds",
                lambda rng, n=n, k=k: of_other_folds(n, k, rng),
            )
            for k in (2, 5, 10, n)
        ]
        found += [
            ("equal", n, f"{g} per group", lambda rng, n=n, g=g: equal(n, g, rng)) for g in (1, 4)
        ]
        found += [
            (
                name,
                n,
                f"5 folds, effect {effect}",
                lambda rng, n=n, effect=effect, make=make: make(n, 5, effect, rng),
            )
            for name, make, effects in (
                ("ridge", ridge, (0.0, 0.05, 0.1, 0.15)),
                ("ridge, turned", turned, (0.1, 0.2, 0.3)),
            )
            for effect in effects
        ]
    return found


def main() -> None:
    """Count the finding in every setting."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=2000)
    n_runs = parser.parse_args().runs
    warnings.simplefilter("ignore")
    metric = bbc.metrics.survival_brier_score(1.0)
    with (HERE / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["probabilities", "rows", "setting", "runs", "found", "excess"])
        for place, (name, n, what, draw) in enumerate(settings()):
            found, excess = 0, []
            for run in range(n_runs):
                rng = np.random.default_rng([23, place, run])
                case = draw(rng)
                while case.time.max() <= 1 or not case.event.any():  # nothing to score
                    case = draw(rng)
                y = np.rec.fromarrays([case.event, case.time], names="event,time")
                e = bbc.correct(
                    y,
                    case.probabilities,
                    metric=metric,
                    folds=case.folds,
                    groups=case.groups,
                    n_bootstraps=5,
                    confidence_level=0.5,
                    random_state=0,
                )
                found += "BBC023" in [each.code for each in e.findings]
                excess.append(case.excess)
            row = [name, n, what, n_runs, found, f"{np.mean(excess):.4f}"]
            writer.writerow(row)
            file.flush()
            print(*row, flush=True)


if __name__ == "__main__":
    main()
