"""What names, groups, folds, classes, tables and documents cost, from a thousand of them on.

Each line is one call on `n` of something; `growth` is its time over that of half as many: about two
where the cost is linear, four where it is quadratic.
"""

import argparse
import io
import json
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bbc
from bbc.cli import main as command_line

from .._tables import Line, forget_peak, mib_at_most, mib_now, write_csv

HERE = Path(__file__).resolve().parent
SMALLEST, LARGEST = 1000, 1_024_000
MOST_SECONDS = 2.0  # a size that takes longer is the last
ROWS = 20
RNG = np.random.default_rng(0)
Y = np.arange(ROWS) % 2
FEW: dict[str, Any] = {"n_bootstraps": 40, "random_state": 0, "n_threads": 1}
#: By name: what is made of n, and the call that is measured.
CASES: dict[str, tuple[Callable[[int], Any], Callable[[Any], Any]]] = {}


def case(make: Callable[[int], Any]) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Add a call, which has its function's name, on what `make` makes."""

    def add(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
        CASES[call.__name__] = make, call
        return call

    return add


def texts(n: int, word: str = "configuration") -> list[str]:
    """So many different names."""
    return [f"{word} {i}" for i in range(n)]


def scores(n: int) -> Any:
    """Scores of n configurations."""
    return RNG.random((ROWS, n))


def rows(n: int) -> tuple[Any, Any, list[str]]:
    """Truth and scores of n rows, and a name for every fourth."""
    return np.arange(n) % 2, RNG.random((n, 2)), [f"g{i // 4}" for i in range(n)]


def labels(n: int) -> tuple[list[str], Any]:
    """Truth and predictions of n / 4 classes."""
    y = [f"class {i // 4}" for i in range(n)]
    return y, np.array(y)[RNG.permutation(n)][:, None]


def large_classes(n: int) -> tuple[Any, Any]:
    """Truth and predictions of n / 50 classes."""
    y = np.arange(n) % (n // 50)
    return y, np.where(RNG.random(n) < 0.7, y, RNG.permutation(y))[:, None]


def estimate(n: int) -> bbc.PerformanceEstimate:
    """A result with n names, and as many winners."""
    winners = np.arange(n)
    return bbc.PerformanceEstimate(
        estimate=0.5,
        metric="accuracy",
        method="bbc",
        greater_is_better=True,
        n_rows=n,
        n_configurations=n,
        names=texts(n),
        apparent=0.6,
        replicates=RNG.random(n),
        replicate_winners=winners,
        metric_range=(0.0, 1.0),
        seed=1,
    )


def wide(n: int) -> str:
    """A table of text with n configurations."""
    lines = [
        [str(truth), *(f"{value:.4f}" for value in line)]
        for truth, line in zip(Y[:4], scores(n)[:4], strict=True)
    ]
    return "\n".join(map(",".join, [["y", *texts(n)], *lines]))


def tall(n: int) -> str:
    """A table of text with n rows, one of which has a long comment."""
    lines = (f"{i % 2},{i % 7 / 7 + 0.01:.4f},g{i // 4}" for i in range(n))
    return "\n".join(["y,a,group", *lines])


def long(n: int) -> dict[str, Any]:
    """A long table of n lines: as many configurations as rows."""
    side = int(n**0.5)
    row, configuration = np.divmod(np.arange(side * side), side)
    return {
        "row": row,
        "configuration": np.array(texts(side))[configuration],
        "y": row % 2,
        "prediction": RNG.random(side * side),
    }


def document(n: int) -> str:
    """A saved result with n names."""
    return estimate(n).to_json()


@case(scores)
def correct_names(made: Any) -> Any:
    return bbc.correct(Y, made, metric="roc_auc", names=texts(made.shape[1]), **FEW)


@case(lambda n: pd.DataFrame(scores(n), columns=texts(n)))
def correct_frame(made: Any) -> Any:
    return bbc.correct(Y, made, metric="roc_auc", **FEW)


@case(rows)
def correct_groups(made: Any) -> Any:
    y, predictions, named = made
    return bbc.correct(y, predictions, metric="roc_auc", groups=named, **FEW)


@case(rows)
def correct_folds(made: Any) -> Any:
    y, predictions, named = made
    return bbc.correct(y, predictions, metric="roc_auc", folds=named, **FEW)


@case(rows)
def correct_fold_means(made: Any) -> Any:
    y, predictions, named = made
    return bbc.correct(y, predictions, metric="roc_auc", folds=named, pooling="fold", **FEW)


@case(rows)
def correct_rows(made: Any) -> Any:
    y, predictions, _ = made
    return bbc.correct(y.tolist(), predictions, metric="roc_auc", **FEW)


@case(labels)
def correct_classes(made: Any) -> Any:
    y, predictions = made
    return bbc.correct(y, predictions, metric="accuracy", **FEW)


@case(labels)
def correct_labels(made: Any) -> Any:
    y, predictions = made
    return bbc.correct(y, predictions, metric="accuracy", labels=list(dict.fromkeys(y)), **FEW)


@case(large_classes)
def correct_recalls(made: Any) -> Any:
    given: dict[str, Any] = {"stratify_bootstrap": True, **FEW}
    return bbc.correct(*made, metric="balanced_accuracy", **given)


@case(lambda n: [RNG.random((ROWS, 2)) for _ in range(n)])
def correct_repeats(made: Any) -> Any:
    return bbc.correct(Y, made, metric="roc_auc", **FEW)


@case(scores)
def stream(made: Any) -> Any:
    blocks = bbc.Blocks(made[:, at : at + 100] for at in range(0, made.shape[1], 100))
    return bbc.correct(Y, blocks, metric="roc_auc", n_bootstraps=40, random_state=0)


@case(rows)
def subgroups(made: Any) -> Any:
    y, _, _ = made
    predictions = y[:, None] ^ (np.arange(len(y))[:, None] % 7 == 0)
    by = [f"s{i // 50}" for i in range(len(y))]
    return bbc.correct(y, predictions, metric="accuracy", **FEW).subgroups(by, reference="s0")


@case(scores)
def dominated(made: Any) -> Any:
    return bbc.baselines.dominated(
        Y, made, metric="roc_auc", n_bootstraps=40, random_state=0
    ).summary()


@case(scores)
def possible_winners(made: Any) -> Any:
    named = texts(made.shape[1])
    c = bbc.correct(Y, made, metric="brier_score", names=named, **FEW)
    return c.possible_winners().summary()


@case(wide)
def from_wide(made: str) -> Any:
    return bbc.Predictions.from_wide(io.StringIO(made), truth="y")


@case(wide)
def from_wide_listed(made: str) -> Any:
    names = texts(made.count(",", 0, made.index("\n")))
    half = len(names) // 2
    return bbc.Predictions.from_wide(
        io.StringIO(made), truth="y", names=names[:half], ignore=names[half:]
    )


@case(tall)
def from_wide_rows(made: str) -> Any:
    return bbc.Predictions.from_wide(io.StringIO(made), truth="y", groups="group")


LONG = {name: name for name in ("row", "configuration", "prediction")}


@case(long)
def from_long(made: dict[str, Any]) -> Any:
    return bbc.Predictions.from_long(made, truth="y", **LONG)


@case(long)
def from_long_listed(made: dict[str, Any]) -> Any:
    names = list(dict.fromkeys(made["configuration"]))
    return bbc.Predictions.from_long(made, truth="y", names=names, **LONG)


@case(lambda n: {f"split{fold}_test_score": RNG.random(n) for fold in range(4)})
def fold_scores(made: Any) -> Any:
    return bbc.correct(made, metric="accuracy", **FEW)


@case(lambda n: {f"split{fold}_test_score": RNG.random(3) for fold in range(n)})
def many_folds(made: Any) -> Any:
    return bbc.correct(made, metric="accuracy", **FEW)


@case(document)
def from_json(made: str) -> Any:
    return bbc.PerformanceEstimate.from_json(made)


@case(estimate)
def to_json(made: Any) -> Any:
    return made.to_json()


@case(estimate)
def summary(made: Any) -> Any:
    return made.summary()


@case(estimate)
def repr_html(made: Any) -> Any:
    return made._repr_html_()


@case(estimate)
def to_frame(made: Any) -> Any:
    return made.to_frame()


@case(estimate)
def picture(made: Any) -> Any:
    return bbc.plots.selection(made)


@case(estimate)
def report(made: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return bbc.report(made, Path(folder) / "page.html")


@case(lambda n: json.dumps({"type": "bbc.PerformanceEstimate", **dict.fromkeys(texts(n), 1)}))
def unknown_fields(made: str) -> Any:
    try:
        return bbc.PerformanceEstimate.from_json(made)
    except ValueError:
        return None


@case(document)
def show(made: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        path.write_text(made, encoding="utf-8")
        return command_line(["show", str(path)])


@case(wide)
def command(made: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(made, encoding="utf-8")
        given = ["--truth", "y", "--metric", "roc_auc", "--n-bootstraps", "40", "--seed", "0"]
        return command_line(["correct", str(path), *given])


def lines_of(name: str, largest: int) -> Iterator[Line]:
    """A line for each size, until one takes too long."""
    make, call = CASES[name]
    call(make(100))  # what is imported once
    n, before = SMALLEST, 0.0
    while n <= largest:
        made = make(n)
        forget_peak()
        held = mib_now()
        start = time.process_time()
        call(made)
        seconds = time.process_time() - start
        growth = seconds / before if before else float("nan")
        mib = mib_at_most() - held
        yield {"case": name, "n": n, "seconds": seconds, "growth": growth, "mib": mib}
        if seconds > MOST_SECONDS:
            return
        n, before = 2 * n, seconds


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.inputs", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=CASES, metavar="case", default=list(CASES))
    parser.add_argument("--largest", type=int, default=LARGEST)
    parser.add_argument("--output", type=Path, default=HERE / "inputs.csv")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found: list[Line] = []
    for name in options.only:
        for line in lines_of(name, options.largest):
            found.append(line)
            print(line, flush=True)
        write_csv(found, options.output)


if __name__ == "__main__":
    main()
