"""Size and power of `bbc.compare` with real learners that are equal by symmetry.

    python -m benches.comparison.learners [--runs 1000] [--cells all|usual] [--quick] [--draw]

Features come in exchangeable blocks, and each configuration is trained on a block of its own: two
families of equal size that tune the same learner have the same expected performance, whatever the
learner does. `learners.csv`: the share of runs with p <= .05, by rows drawn (the default) and by
folds drawn ("bbc-two-level"), and the standard error beside the standard deviation of the
estimates. For power the first family's blocks are stronger. Families of 50 against 1, and families
that share configurations, are reported beside.

The usual cells take about six minutes of processor time on one core with the default number of
runs; ``--cells all`` adds trees, boosting, 500 rows and more repeats, which take an hour.
"""

import argparse
import csv
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, write_csv

HERE = Path(__file__).resolve().parent
LEVEL, N_BOOTSTRAPS, WIDTH = 0.05, 200, 4
Floats = NDArray[np.float64]
Fit = Callable[[Floats, Any, Floats], Floats]
TASKS = {
    "classes": ("roc_auc", "accuracy", "log_loss"),
    "numbers": ("mean_squared_error",),
    "times": ("concordance_index",),
}


def linear(X: Floats, y: Any, Z: Floats) -> Floats:
    """Least squares with a small penalty."""
    A = np.column_stack([np.ones(len(X)), X])
    beta = np.linalg.solve(A.T @ A + 0.1 * np.eye(A.shape[1]), A.T @ y)
    return np.asarray(np.column_stack([np.ones(len(Z)), Z]) @ beta)


def discriminant(X: Floats, y: Any, Z: Floats) -> Floats:
    """Probabilities by a linear discriminant."""
    one, other = X[y == 1].mean(axis=0), X[y == 0].mean(axis=0)
    within = np.cov((X - np.where(y[:, None] == 1, one, other)).T) + 0.1 * np.eye(X.shape[1])
    w = np.linalg.solve(within, one - other)
    prior = np.log(y.mean() / (1 - y.mean()))
    return np.asarray(1 / (1 + np.exp(-(Z @ w - (one + other) @ w / 2 + prior))))


def neighbours(k: int) -> Fit:
    """Means of the nearest rows, drawn a little towards .5 or towards the mean."""

    def fit(X: Floats, y: Any, Z: Floats) -> Floats:
        distances = ((Z[:, None] - X[None]) ** 2).sum(axis=2)
        near = np.argpartition(distances, k, axis=1)[:, :k]
        return np.asarray((y[near].sum(axis=1) + y.mean()) / (k + 1))

    return fit


def tree(X: Floats, y: Any, Z: Floats) -> Floats:
    """A tree of depth three."""
    from sklearn.tree import DecisionTreeRegressor

    model = DecisionTreeRegressor(max_depth=3, min_samples_leaf=5, random_state=0).fit(X, y)
    return np.clip(model.predict(Z), 0.02, 0.98) if set(y) <= {0, 1} else model.predict(Z)


def boosting(X: Floats, y: Any, Z: Floats) -> Floats:
    """Twenty boosted stumps."""
    from sklearn.ensemble import GradientBoostingRegressor

    model = GradientBoostingRegressor(n_estimators=20, max_depth=1, random_state=0).fit(X, y)
    return np.clip(model.predict(Z), 0.02, 0.98) if set(y) <= {0, 1} else model.predict(Z)


LEARNERS: dict[str, Fit] = {
    "linear": linear,
    "discriminant": discriminant,
    "1-NN": neighbours(1),
    "7-NN": neighbours(7),
    "tree": tree,
    "boosting": boosting,
}


@dataclass(frozen=True)
class Cell:
    """Families of `sizes` blocks, of which `shared` are in both; `stronger` is power."""

    learner: str
    task: str = "classes"
    n_rows: int = 100
    n_folds: int = 5
    n_repeats: int = 1
    sizes: tuple[int, int] = (1, 1)
    shared: int = 0
    stronger: float = 0.0

    @property
    def n_blocks(self) -> int:
        """Blocks of features."""
        return sum(self.sizes) - self.shared

    def draw(self, rng: np.random.Generator) -> tuple[Any, Floats, Any]:
        """Truth, predictions (repeat, row, configuration) and folds."""
        n, width = self.n_rows, WIDTH * self.n_blocks
        X = rng.normal(size=(n, width))
        effect = np.full(width, min(0.6, 2.0 / np.sqrt(width)))
        effect[: WIDTH * self.sizes[0]] *= 1 + self.stronger
        at = X @ effect
        y: Any
        if self.task == "classes":
            y = (rng.random(n) < 1 / (1 + np.exp(-at))).astype(int)
        elif self.task == "numbers":
            y = at + rng.normal(size=n)
        else:
            y = -at + np.log(rng.exponential(size=n))
        order = y + rng.random(n) / 2 if self.task == "classes" else rng.random(n)
        ranks = np.argsort(np.argsort(order))
        folds = np.empty((self.n_repeats, n), dtype=int)
        predictions = np.empty((self.n_repeats, n, self.n_blocks))
        fit = LEARNERS[self.learner]
        for repeat in range(self.n_repeats):
            if repeat > 0:
                again = y + rng.random(n) / 2 if self.task == "classes" else rng.random(n)
                ranks = np.argsort(np.argsort(again))
            folds[repeat] = ranks % self.n_folds
            for k, j in product(range(self.n_folds), range(self.n_blocks)):
                own, test = X[:, WIDTH * j : WIDTH * (j + 1)], folds[repeat] == k
                predictions[repeat, test, j] = fit(own[~test], y[~test], own[test])
        if self.task == "times":
            censored = np.log(rng.exponential(size=n)) + 1.0
            times = np.exp(np.minimum(y, censored))
            y = np.array(
                list(zip(y <= censored, times, strict=True)),
                dtype=[("event", bool), ("time", "f8")],
            )
            predictions = -predictions
        return y, predictions, folds


def study(cell: Cell, runs: int) -> list[Line]:
    """A line per metric and per method."""
    warnings.simplefilter("ignore", BBCWarning)
    rng = np.random.default_rng([cell.n_rows, cell.n_folds, cell.n_repeats, *cell.sizes])
    found: dict[tuple[str, str], list[Any]] = {}
    for run in range(runs):
        y, predictions, folds = cell.draw(rng)
        for metric in TASKS[cell.task]:
            labels = predictions > 0.5
            values = labels.astype(int) if metric == "accuracy" else predictions
            families = {
                "first": list(values[:, :, : cell.sizes[0]]),
                "second": list(values[:, :, cell.sizes[0] - cell.shared :]),
            }
            for method in ("bbc", "bbc-two-level"):
                comparison = bbc.compare(
                    y,
                    families,
                    metric=metric,
                    method=method,
                    folds=folds,
                    n_bootstraps=N_BOOTSTRAPS,
                    random_state=run,
                    n_threads=1,
                )
                one = comparison.differences[0]
                found.setdefault((metric, method), []).append(
                    (one.p_value, one.estimate, one.standard_error)
                )
    return [_line(cell, *names, np.array(rows)) for names, rows in found.items()]


def _line(cell: Cell, metric: str, method: str, rows: Floats) -> Line:
    p_values, estimates, errors = rows.T
    rejected = p_values <= LEVEL
    return {
        "learner": cell.learner,
        "metric": metric,
        "n_rows": cell.n_rows,
        "n_folds": cell.n_folds,
        "n_repeats": cell.n_repeats,
        "first": cell.sizes[0],
        "second": cell.sizes[1],
        "shared": cell.shared,
        "stronger": cell.stronger,
        "method": method,
        "runs": len(rows),
        "rejected": float(rejected.mean()),
        "for_first": float((rejected & (estimates > 0)).mean()),
        "mean": float(estimates.mean()),
        "sd": float(estimates.std(ddof=1)),
        "standard_error": float(errors.mean()),
    }


USUAL = (
    *(
        Cell(learner, n_rows=n, n_folds=K)
        for learner, (n, K) in product(("discriminant", "1-NN", "7-NN"), ((60, 5), (100, 10)))
    ),
    *(Cell(learner, n_rows=200, n_folds=5) for learner in ("discriminant", "7-NN")),
    *(Cell(learner, "numbers", n) for learner, n in product(("linear", "7-NN"), (60, 200))),
    *(Cell(learner, "times", n) for learner, n in product(("linear", "7-NN"), (60, 100))),
    Cell("discriminant", n_repeats=5),
    Cell("7-NN", n_repeats=5, n_rows=60),
    Cell("discriminant", sizes=(10, 10)),
    Cell("7-NN", sizes=(10, 10)),
    Cell("discriminant", sizes=(10, 10), shared=9),
    Cell("discriminant", sizes=(10, 10), shared=5),
    Cell("discriminant", sizes=(50, 1)),
    Cell("discriminant", n_rows=200, stronger=0.8),
    Cell("7-NN", n_rows=200, stronger=0.8),
)
MORE = (
    *(
        Cell(learner, n_rows=n, n_folds=K)
        for learner, n, K in product(("tree", "boosting"), (60, 100, 200), (5, 10))
    ),
    *(Cell(learner, n_rows=500, n_folds=10) for learner in ("discriminant", "7-NN", "tree")),
    *(Cell(learner, "numbers", 100) for learner in ("tree", "boosting", "1-NN")),
    Cell("tree", n_repeats=5),
    Cell("1-NN", n_repeats=5),
    Cell("7-NN", sizes=(50, 1)),
    Cell("tree", sizes=(10, 10)),
    Cell("tree", n_rows=200, stronger=0.8),
)


def runs_of(cell: Cell, runs: int) -> int:
    """Fewer runs where many models are trained."""
    dear = cell.learner in ("tree", "boosting") or cell.n_blocks * cell.n_repeats > 8
    return max(2, 2 * runs // 5) if dear else runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--cells", choices=("usual", "all"), default="usual")
    parser.add_argument("--quick", action="store_true", help="10 runs, nothing is written")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--draw", action="store_true", help="only the picture, from the table")
    arguments = parser.parse_args()
    if arguments.draw:
        with (HERE / "learners.csv").open(encoding="utf-8") as file:
            draw([dict(line) for line in csv.DictReader(file)], HERE / "learners.png")
        return
    cells = [*USUAL, *(MORE if arguments.cells == "all" else ())]
    runs = [runs_of(cell, 10 if arguments.quick else arguments.runs) for cell in cells]
    lines: list[Line] = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(study, cells, runs):
            lines += found
            for line in found:
                print(line, flush=True)
    if not arguments.quick:
        write_csv(lines, HERE / "learners.csv")
        draw(lines, HERE / "learners.png")


def draw(lines: list[Line], path: Path) -> None:
    """Share of runs with p <= .05 by method."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 7), width_ratios=(3, 1), layout="constrained")
    for ax, powered in zip(axes, (False, True), strict=True):
        kept = [line for line in lines if (float(line["stronger"]) > 0) == powered]
        labels = list(dict.fromkeys(map(_label, kept)))
        for method, marker, colour in (("bbc", "o", "#1b5e8a"), ("bbc-two-level", "x", "#c2491d")):
            own = [line for line in kept if line["method"] == method]
            places = [labels.index(_label(line)) for line in own]
            shares = [float(line["rejected"]) for line in own]
            ax.plot(shares, places, marker, color=colour, label=method, markersize=4)
        ax.set_yticks(range(len(labels)), labels, fontsize=6)
        ax.invert_yaxis()
        ax.grid(axis="x", alpha=0.2)
        ax.set_xlabel("share of runs with p <= .05")
        ax.set_title("the first is better" if powered else "equal by symmetry", fontsize=10)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].axvline(LEVEL, color="#3c464d", linewidth=0.8)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, frameon=False, ncols=2, loc="outside upper center")
    figure.savefig(path, dpi=110)


def _label(line: Line) -> str:
    parts = [f"{line['learner']}, {line['metric']}, n = {line['n_rows']}, K = {line['n_folds']}"]
    parts += [f"{line['n_repeats']} repeats"] if int(line["n_repeats"]) > 1 else []
    if (int(line["first"]), int(line["second"])) != (1, 1):
        parts.append(f"{line['first']} v {line['second']}")
    parts += [f"{line['shared']} shared"] if int(line["shared"]) else []
    return ", ".join(parts)


if __name__ == "__main__":
    main()
