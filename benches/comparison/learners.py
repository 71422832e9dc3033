"""Size and power of `bbc.compare` with real learners that are equal by symmetry.

    python -m benches.comparison.learners [--runs 1000] [--only TEXT] [--quick] [--draw]

Features come in exchangeable blocks, and each block is a configuration of its own, or a small grid
of them: two families of equal size that tune the same learner have the same expected performance,
whatever the learner does. So do families whose blocks are as unequal in one as in the other, where
most winners are among few. `learners.csv`: the share of runs with p <= .05 with its standard error,
by rows drawn (the default) and, in every fourth run, by folds drawn ("bbc-two-level"); and the
standard error of a difference beside the standard deviation of the estimates. For power the first
family's blocks are stronger. Families of 50 against 1, and families that share configurations or
their winner, are reported beside.

Each cell is seeded by its name and is written when it is done; cells that the table already has
are skipped (``--again`` runs them). All take about 15 minutes of one core.
"""

import argparse
import csv
import time
import warnings
import zlib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, write_csv
from ._learners import CrossValidate, boosting, discriminant, linear, neighbours, tree

HERE = Path(__file__).resolve().parent
LEVEL, N_BOOTSTRAPS, WIDTH = 0.05, 200, 4
FOLDS_DRAWN_EVERY = 4
Floats = NDArray[np.float64]
TASKS = {
    "classes": ("roc_auc", "accuracy", "log_loss"),
    "numbers": ("mean_squared_error",),
    "times": ("concordance_index",),
}
#: Learners with one configuration per block, then with a grid of them.
LEARNERS: dict[str, CrossValidate] = {
    "linear": linear(),
    "discriminant": discriminant(),
    "1-NN": neighbours((1,)),
    "7-NN": neighbours((7,)),
    "tree": tree(),
    "boosting": boosting(),
    "tuned k-NN": neighbours((1, 3, 5, 9, 15, 25)),
    "tuned discriminant": discriminant((0.01, 0.1, 1.0, 10.0)),
    "tuned tree": tree((1, 2, 3, 4)),
}
DEAR = ("tree", "boosting", "tuned tree")


@dataclass(frozen=True)
class Cell:
    """Families of `sizes` blocks, of which the last `shared` of the first are in both.

    The first family's blocks are `stronger` for power; `shared_stronger` makes the first of the
    shared blocks the winner of both. Effects fall by the share `unequal` from block to block of
    each family, with the same sum of squares.
    """

    learner: str
    task: str = "classes"
    n_rows: int = 100
    n_folds: int = 5
    n_repeats: int = 1
    sizes: tuple[int, int] = (1, 1)
    shared: int = 0
    stronger: float = 0.0
    shared_stronger: float = 0.0
    unequal: float = 0.0

    @property
    def n_blocks(self) -> int:
        """Blocks of features."""
        return sum(self.sizes) - self.shared

    @property
    def key(self) -> tuple[str, ...]:
        """What names the cell in the table."""
        return tuple(
            str(each)
            for each in (
                self.learner,
                self.task,
                self.n_rows,
                self.n_folds,
                self.n_repeats,
                *self.sizes,
                self.shared,
                self.stronger,
                self.shared_stronger,
                *([self.unequal] if self.unequal else []),
            )
        )

    def draw(self, rng: np.random.Generator) -> tuple[Any, Floats, Any]:
        """Truth, predictions (repeat, row, block, configuration) and folds."""
        n, n_blocks = self.n_rows, self.n_blocks
        X = rng.normal(size=(n, n_blocks, WIDTH))
        effect = np.full(n_blocks, min(0.6, 2.0 / np.sqrt(WIDTH * n_blocks)))
        effect[: self.sizes[0]] *= 1 + self.stronger
        if self.unequal:
            falling = np.concatenate([(1 - self.unequal) ** np.arange(n) for n in self.sizes])
            effect *= falling / np.sqrt(np.mean(falling**2))
        if self.shared:
            effect[self.sizes[0] - self.shared] *= 1 + self.shared_stronger
        at = (X * effect[:, None]).sum(axis=(1, 2))
        y: Any
        if self.task == "classes":
            y = (rng.random(n) < 1 / (1 + np.exp(-at))).astype(float)
        elif self.task == "numbers":
            y = at + rng.normal(size=n)
        else:
            y = -at + np.log(rng.exponential(size=n))
        folds = np.empty((self.n_repeats, n), dtype=np.int64)
        found = []
        for repeat in range(self.n_repeats):
            order = y + rng.random(n) / 2 if self.task == "classes" else rng.random(n)
            folds[repeat] = np.argsort(np.argsort(order)) % self.n_folds
            found.append(LEARNERS[self.learner](X, y, folds[repeat]))
        predictions = np.stack(found)
        if self.task == "classes":
            return y.astype(int), predictions, folds
        if self.task == "times":
            censored = np.log(rng.exponential(size=n)) + 1.0
            times = np.exp(np.minimum(y, censored))
            y = np.array(
                list(zip(y <= censored, times, strict=True)),
                dtype=[("event", bool), ("time", "f8")],
            )
            predictions = -predictions
        return y, predictions, folds

    def families(self, values: Any) -> dict[str, Any]:
        """The predictions of each family, one array per repeat."""
        n_repeats, n_rows = values.shape[:2]
        second = slice(self.sizes[0] - self.shared, None)
        return {
            name: list(values[:, :, blocks].reshape(n_repeats, n_rows, -1))
            for name, blocks in (("first", slice(self.sizes[0])), ("second", second))
        }


def study(cell: Cell, runs: int) -> list[Line]:
    """A line per metric and per method."""
    warnings.simplefilter("ignore", BBCWarning)
    rng = np.random.default_rng(zlib.crc32(" ".join(cell.key).encode()))
    found: dict[tuple[str, str], list[Any]] = {}
    for run in range(runs):
        y, predictions, folds = cell.draw(rng)
        for metric in TASKS[cell.task]:
            values = (predictions > 0.5).astype(int) if metric == "accuracy" else predictions
            for method in ("bbc", "bbc-two-level"):
                if method != "bbc" and run % FOLDS_DRAWN_EVERY:
                    continue
                families = {
                    name: bbc.Predictions(y, each, folds=folds)
                    for name, each in cell.families(values).items()
                }
                comparison = bbc.compare(
                    families,
                    metric=metric,
                    method=method,
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
    share = float(rejected.mean())
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
        "shared_stronger": cell.shared_stronger,
        "method": method,
        "runs": len(rows),
        "rejected": share,
        "rejected_se": float(np.sqrt(share * (1 - share) / len(rows))),
        "for_first": float((rejected & (estimates > 0)).mean()),
        "mean": float(estimates.mean()),
        "sd": float(estimates.std(ddof=1)),
        "standard_error": float(errors.mean()),
        "task": cell.task,
        "unequal": cell.unequal,
    }


_SMALL = ((60, 5), (100, 10), (200, 5))
CELLS = (
    *(
        Cell(learner, n_rows=n, n_folds=K)
        for (n, K), learner in product(
            (*_SMALL, (500, 10)), ("discriminant", "1-NN", "7-NN", "tree", "boosting")
        )
    ),
    *(
        Cell(learner, "numbers", n, K)
        for (n, K), learner in product(
            ((60, 5), (200, 10)), ("linear", "1-NN", "7-NN", "tree", "boosting")
        )
    ),
    *(
        Cell(learner, "times", n, K)
        for (n, K), learner in product(((60, 5), (200, 10)), ("linear", "7-NN", "1-NN", "tree"))
    ),
    *(Cell(learner, n_repeats=5) for learner in ("discriminant", "1-NN", "7-NN", "tree")),
    Cell("linear", "numbers", n_repeats=5),
    Cell("7-NN", n_rows=60, n_folds=10, n_repeats=5),
    *(
        Cell(learner, sizes=(size, size))
        for size, learner in (
            *product((10,), ("discriminant", "1-NN", "7-NN", "tree", "boosting")),
            *product((50,), ("discriminant", "7-NN")),
        )
    ),
    *(
        Cell(learner, n_rows=n)
        for n, learner in product((60, 200), ("tuned k-NN", "tuned discriminant", "tuned tree"))
    ),
    *(
        Cell(learner, sizes=(10, 10), shared=shared)
        for learner, shared in product(("discriminant", "7-NN"), (9, 5, 1))
    ),
    *(
        Cell(learner, sizes=(5, 5), shared=1, shared_stronger=2.0)
        for learner in ("discriminant", "7-NN")
    ),
    *(
        Cell(learner, n_rows=n, sizes=(10, 10), unequal=unequal)
        for learner, n, unequal in product(("discriminant", "7-NN"), (100, 200), (0.2, 0.5))
    ),
    *(Cell(learner, sizes=(50, 1)) for learner in ("discriminant", "7-NN", "tree")),
    *(
        Cell(learner, n_rows=200, stronger=0.8)
        for learner in ("discriminant", "1-NN", "7-NN", "tree", "boosting")
    ),
    Cell("7-NN", "numbers", 200, stronger=0.8),
    Cell("7-NN", "times", 200, stronger=0.8),
    Cell("discriminant", n_rows=500, sizes=(10, 10), stronger=1.0),
)


def runs_of(cell: Cell, runs: int) -> int:
    """Fewer runs where many models are trained."""
    dear = cell.learner in DEAR or cell.n_blocks * cell.n_repeats > 4
    return max(2, 2 * runs // 5) if dear else runs


def _key_of(line: Line) -> tuple[str, ...]:
    """The cell's key, from a line of the table."""
    numbers = (int(line[name]) for name in ("n_rows", "n_folds", "n_repeats", "first", "second"))
    n_rows, n_folds, n_repeats, first, second = numbers
    strengths = [float(line[name]) for name in ("stronger", "shared_stronger", "unequal")]
    return Cell(
        str(line["learner"]), str(line["task"]), n_rows, n_folds, n_repeats, (first, second),
        int(line["shared"]), *strengths,
    ).key  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--only", default="", help="cells whose key holds this text")
    parser.add_argument("--again", action="store_true", help="cells that the table has, too")
    parser.add_argument("--quick", action="store_true", help="25 runs at most, nothing is written")
    arguments = parser.parse_args()
    path = HERE / "learners.csv"
    done: dict[tuple[str, ...], list[Line]] = {}
    if path.exists():
        with path.open(encoding="utf-8") as file:
            for line in csv.DictReader(file):
                line.pop("cpu")
                done.setdefault(_key_of(line), []).append(dict(line))
    for cell in CELLS:
        if arguments.only not in " ".join(cell.key):
            continue
        if cell.key in done and not arguments.again and not arguments.quick:
            continue
        began = time.perf_counter()
        found = study(cell, runs_of(cell, 25 if arguments.quick else arguments.runs))
        seconds = time.perf_counter() - began
        shown = {(e["metric"], e["method"]): round(e["rejected"], 3) for e in found}
        print(*cell.key, f"{seconds:.1f} s", shown, flush=True)
        if not arguments.quick:
            done[cell.key] = found
            _write(done, path)


def _write(done: dict[tuple[str, ...], list[Line]], path: Path) -> None:
    """The lines of all cells, in the order of the cells."""
    write_csv([line for cell in CELLS for line in done.get(cell.key, ())], path)


if __name__ == "__main__":
    main()
