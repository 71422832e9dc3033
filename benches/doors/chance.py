"""How often BBC020 calls the winner worse than chance on noise: benches/doors/chance.csv.

Nothing can be learned. Four penalties of least squares are cross-validated, the winner is that of
the AUC of all rows or of the mean over folds. Scores of leave-one-out, pooled, fall below one half
on noise, since the model of a row lacks its class: with folds of one row there is nothing to test.
The last lines turn the scores of a real signal around, which has to be found.
"""

import csv
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import LeaveOneOut, StratifiedKFold

import bbc

HERE = Path(__file__).resolve().parent
PENALTIES = (0.1, 1.0, 10.0, 100.0)
N_RUNS = 400


def scored(
    n_rows: int, n_folds: int, effect: float, rng: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """A truth, scores of all penalties, and folds."""
    y = rng.permutation(np.arange(n_rows) % 2)
    X = rng.normal(size=(n_rows, 5)) + effect * y[:, None]
    wide = np.column_stack([np.ones(n_rows), X])
    splitter = LeaveOneOut() if n_folds == n_rows else StratifiedKFold(n_folds)
    scores, folds = np.empty((n_rows, len(PENALTIES))), np.empty(n_rows, dtype=int)
    for fold, (train, test) in enumerate(splitter.split(X, y)):
        folds[test] = fold
        gram, moment = wide[train].T @ wide[train], wide[train].T @ (2 * y[train] - 1.0)
        for place, penalty in enumerate(PENALTIES):
            coefficients = np.linalg.solve(gram + penalty * np.eye(6), moment)
            scores[test, place] = wide[test] @ coefficients
    return y, scores, folds


def main() -> None:
    """Count the finding in every design."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(20)
    with (HERE / "chance.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["scores", "rows", "folds", "runs", "found", "mean_auc_of_winner"])
        for kind, effect, sign in (("noise", 0.0, 1), ("signal turned", 0.6, -1)):
            for n_rows, n_folds in ((40, 5), (40, 10), (40, 40), (200, 5), (200, 10)):
                found, apparent = 0, []
                n_runs = N_RUNS if kind == "noise" else N_RUNS // 4
                for _ in range(n_runs):
                    y, scores, folds = scored(n_rows, n_folds, effect, rng)
                    e = bbc.correct(
                        y,
                        sign * scores,
                        metric="roc_auc",
                        folds=folds,
                        n_bootstraps=5,
                        confidence_level=0.5,
                        random_state=0,
                    )
                    found += "BBC020" in [each.code for each in e.findings]
                    apparent.append(e.apparent)
                row = [kind, n_rows, n_folds, n_runs, found, round(float(np.mean(apparent)), 3)]
                writer.writerow(row)
                print(*row, flush=True)


if __name__ == "__main__":
    main()
