"""Time of BBC and BBC-F against rows, configurations and folds; ours and a plain program's."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

import bbc

from ._study import Cell, Row, Study, generator
from ._verdict import Claim, Table

N_BOOTSTRAPS = 1000
DEFAULTS = {"n_rows": 500, "n_configurations": 5, "n_folds": 3}
VARIED = {
    "n_rows": (100, 200, 500, 1000, 2000, 5000),
    "n_configurations": (5, 10, 20, 50, 100),
    "n_folds": (3, 5, 10, 20, 50),
}
METHODS = ("BBC, plain", "BBC-F, plain", "BBC", "BBC-F")
# A plain program's replicates all cost the same: few are timed, and their time multiplied.
N_TIMED = 20


def cells(quick: bool) -> list[Cell]:
    return [
        {"varied": name, **DEFAULTS, name: value}
        for name, values in VARIED.items()
        for value in (values[:2] if quick else values)
    ]


def run(cell: Cell, quick: bool) -> list[Row]:
    n_rows, n_configurations, n_folds = (cell[name] for name in DEFAULTS)
    rng = generator("run_time", *cell.values())
    s = bbc.simulate.auc(n_rows, n_configurations, n_folds=n_folds, random_state=rng)
    assert s.folds is not None
    y, predictions, folds = s.y, s.predictions, s.folds
    by_fold = np.array(
        [
            [roc_auc_score(y[folds == fold], column[folds == fold]) for column in predictions.T]
            for fold in range(n_folds)
        ]
    )
    common: dict[str, Any] = {"metric": "roc_auc", "random_state": 1, "n_threads": 1}
    share = N_BOOTSTRAPS / N_TIMED
    # BBC-F starts from the fold scores that a search has: ours is timed with their computation.
    programs: dict[str, tuple[Callable[[], Any], float]] = {
        "BBC, plain": (lambda: plain_bbc(y, predictions, rng), share),
        "BBC-F, plain": (lambda: plain_bbc_f(by_fold, rng), share),
        "BBC": (lambda: bbc.correct(y, predictions, **common), 1),
        "BBC-F": (lambda: bbc.correct(y, predictions, method="bbc-f", folds=folds, **common), 1),
    }
    n_repetitions = 1 if quick else 9
    return [
        {
            **cell,
            "method": method,
            "seconds": times * median_time(program, n_repetitions),
            "n_repetitions": n_repetitions,
        }
        for method, (program, times) in programs.items()
    ]


def plain_bbc(y: np.ndarray, predictions: np.ndarray, rng: np.random.Generator) -> float:
    """Paper 000's Algorithm 5 as it is printed, a replicate at a time."""
    rows, found = np.arange(y.size), []
    while len(found) < N_TIMED:
        drawn = rng.integers(y.size, size=y.size)
        left_out = np.setdiff1d(rows, drawn)
        if np.unique(y[drawn]).size < 2 or np.unique(y[left_out]).size < 2:
            continue
        in_bag = [roc_auc_score(y[drawn], column[drawn]) for column in predictions.T]
        winner = predictions[:, int(np.argmax(in_bag))]
        found.append(roc_auc_score(y[left_out], winner[left_out]))
    return float(np.mean(found))


def plain_bbc_f(by_fold: np.ndarray, rng: np.random.Generator) -> float:
    """Paper 002's Algorithm 1 as it is printed, a replicate at a time."""
    folds, found = np.arange(len(by_fold)), []
    while len(found) < N_TIMED:
        drawn = rng.integers(folds.size, size=folds.size)
        left_out = np.setdiff1d(folds, drawn)
        if left_out.size:
            winner = int(np.argmax(by_fold[drawn].mean(axis=0)))
            found.append(float(by_fold[left_out, winner].mean()))
    return float(np.mean(found))


def median_time(program: Callable[[], Any], n_repetitions: int) -> float:
    """Seconds of processor time, so that a busy machine does not count."""
    program()
    times = []
    for _ in range(n_repetitions):
        start = time.process_time()
        program()
        times.append(time.process_time() - start)
    return float(np.median(times))


def seconds(rows: list[Row], varied: str, method: str) -> np.ndarray:
    return np.array([r["seconds"] for r in rows if (r["varied"], r["method"]) == (varied, method)])


def tables(rows: list[Row]) -> list[Table]:
    gain = ratio(rows, "BBC, plain", "BBC-F, plain")
    compared = [
        Claim.statement("plain programs: time of BBC as a multiple of that of BBC-F",
                        f"{gain.min():.0f} to {gain.max():.0f}", "1 to 2 orders of magnitude",
                        bool(gain.min() > 5)),
    ]  # fmt: skip
    for method, varied, word in (
        ("BBC, plain", "n_rows", "grows"),
        ("BBC-F, plain", "n_rows", "the same"),
        ("BBC, plain", "n_configurations", "grows"),
        ("BBC, plain", "n_folds", "the same"),
    ):
        line = seconds(rows, varied, method)
        growth = line[-1] / line[0]
        agrees = growth > 1.05 if word == "grows" else 0.6 < growth < 1.6
        compared.append(
            Claim.statement(f"{method}, {varied}: last setting, relative to the first",
                            f"{growth:.2f}", word, bool(agrees))
        )  # fmt: skip
    for method in ("BBC", "BBC-F"):
        gain = ratio(rows, f"{method}, plain", method)
        compared.append(
            Claim.information(f"{method}: times as fast as the plain program, one thread",
                              f"{gain.min():.0f} to {gain.max():.0f}")
        )  # fmt: skip
    return [Table("growth of the time", compared)]


def ratio(rows: list[Row], slow: str, fast: str) -> np.ndarray:
    return np.concatenate([seconds(rows, v, slow) / seconds(rows, v, fast) for v in VARIED])


def draw(rows: list[Row], figure: Any) -> None:
    grid = figure.subplots(1, 3, sharey=True)
    for axes, varied in zip(grid, VARIED, strict=True):
        for method in METHODS:
            style = ":" if method.endswith("plain") else "-"
            colour = "tab:orange" if method.startswith("BBC-F") else "tab:blue"
            values = [r[varied] for r in rows if (r["varied"], r["method"]) == (varied, method)]
            axes.plot(values, seconds(rows, varied, method), style, marker=".", color=colour,
                      label=method)  # fmt: skip
        axes.set(xscale="log", yscale="log", xlabel=varied)
        axes.set_xticks(values, values, fontsize=7)
        axes.minorticks_off()
    grid[0].set_ylabel("seconds of 1000 replicates, median")
    grid[0].legend(fontsize=7)


STUDY = Study(
    name="run_time",
    source="Paper 002, Figure 3",
    title="run time of BBC and BBC-F",
    cells=cells,
    run=run,
    tables=tables,
    draw=draw,
    scale=(
        "500 rows, 5 configurations and 3 folds unless varied, as in the paper; medians of 9 "
        "repetitions instead of 100, on one thread. The plain programs follow the printed "
        "algorithms with scikit-learn's AUC; 20 of their replicates are timed."
    ),
    notes="""
The ratio of the two is larger here than in the paper, because scikit-learn's AUC takes about 1 ms
at any size up to 1000 rows; this also hides much of the growth with rows. The time of our BBC-F
includes the fold scores from which it starts, which take most of it.
""",
)
