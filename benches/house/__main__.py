"""How big the package is, and how many of its functions two calls pass; house.csv.

`python -m benches.house before` writes the lines labelled "before" anew and keeps the others.
"""

import argparse
import csv
import statistics
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

import bbc
from bbc import _core

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(bbc.__file__).resolve().parent
TABLE = Path(__file__).with_name("house.csv")
FOLDERS = {
    "python/bbc": (".py", ".pyi"),
    "cpp/src": (".cpp", ".hpp"),
    "r-bridge": (".R", ".cpp", ".py"),
}

Line = tuple[str, str, float]


def passed(call: Callable[[], Any]) -> Counter[CodeType]:
    """Functions of ours that a call passes, and how often."""
    found: Counter[CodeType] = Counter()

    def see(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            found[frame.f_code] += 1

    sys.setprofile(see)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def validations(found: Counter[CodeType]) -> int:
    """How often a problem was validated."""
    return sum(
        count
        for code, count in found.items()
        if Path(code.co_filename).parent.name == "_validation"
        and code.co_name in ("problem", "without_predictions")
    )


def traced(name: str, call: Callable[[], Any]) -> Iterator[Line]:
    call()  # imports, caches
    found = passed(call)
    yield name, "calls", found.total()
    yield name, "functions", len(found)
    yield name, "files", len({code.co_filename for code in found})
    yield name, "validations", validations(found)


def traces() -> Iterator[Line]:
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 10)
    P = rng.random((20, 10))
    yield from traced("correct", lambda: bbc.correct(y, P, metric="roc_auc", random_state=0))
    risks = bbc.simulate.auc(100, 10, random_state=0)
    clinical = {"metric": "roc_auc", "random_state": 0, "n_bootstraps": 200}
    yield from traced(
        "clinical_performance",
        lambda: bbc.correct(risks.y, 1 / (1 + np.exp(-risks.predictions)), **clinical).clinical(),
    )
    X = rng.normal(size=(100, 2))
    truth = np.tile([0, 1], 50)
    grid = {"var_smoothing": [1e-9, 1e-3, 1e-1]}
    options: dict[str, Any] = {"n_bootstraps": 100, "random_state": 0}
    plain = bbc.BBC(GaussianNB(), grid, scoring="roc_auc", cv=5, **options)
    yield from traced("BBC", lambda: plain.fit(X, truth))
    several = bbc.BBC(
        GaussianNB(),
        grid,
        scoring=["roc_auc", "accuracy"],
        refit="roc_auc",
        cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
        **options,
    )
    yield from traced("BBC, 10 x 10 folds, two metrics", lambda: several.fit(X, truth))


def microseconds(call: Callable[[], Any], n_calls: int = 3000) -> float:
    """Median time of a call, of many."""
    times = []
    for _ in range(n_calls):
        start = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - start)
    return statistics.median(times) / 1000


def small_call() -> Iterator[Line]:
    """A call of 20 x 10 x 100, and the part of it that is the compiled module's."""
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 10)
    P = rng.random((20, 10))
    options: dict[str, Any] = {"n_bootstraps": 100, "random_state": 0, "n_threads": 1}

    def call() -> Any:
        return bbc.correct(y, P, metric="roc_auc", **options)

    inside: list[Any] = []
    compiled = _core.correct
    _core.correct = lambda *arguments: inside.append(arguments) or compiled(*arguments)
    try:
        call()
    finally:
        _core.correct = compiled
    whole = [microseconds(call) for _ in range(5)]
    kernel = [microseconds(lambda: compiled(*inside[0])) for _ in range(5)]
    yield "call of 20 x 10 x 100", "us", min(whole)
    yield "call of 20 x 10 x 100", "us of Python", min(whole) - min(kernel)


def sizes() -> Iterator[Line]:
    for top, suffixes in FOLDERS.items():
        lines: Counter[str] = Counter()
        modules: Counter[str] = Counter()
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in suffixes and "test" not in str(path.relative_to(ROOT)):
                folder = str(path.parent.relative_to(ROOT))
                lines[folder] += len(path.read_text(encoding="utf-8").splitlines())
                modules[folder] += 1
        for folder, count in lines.items():
            yield folder, "lines", count
            yield folder, "modules", modules[folder]
        yield f"{top} in all", "lines", lines.total()
        yield f"{top} in all", "modules", modules.total()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    yield "python/bbc in all", "layers", len(layers)


def label_of(name: str, about: str | None) -> str:
    """The label that the command line gives to the numbers."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    parser.add_argument("label", help="of these numbers, such as before")
    return str(parser.parse_args().label)


def write_labelled(table: Path, head: list[str], label: str, lines: list[list[str]]) -> None:
    """Write lines under a label in place of those that had it; others stay."""
    kept: list[list[str]] = []
    if table.exists():
        with table.open(encoding="utf-8", newline="") as file:
            kept = [line for line in list(csv.reader(file))[1:] if line[0] != label]
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["label", *head])
        writer.writerows([*kept, *([label, *line] for line in lines)])


def main() -> None:
    label = label_of("benches.house", __doc__)
    found = [*traces(), *small_call(), *sizes()]
    lines = [[of, what, f"{value:.5g}"] for of, what, value in found]
    write_labelled(TABLE, ["of", "what", "value"], label, lines)
    for of, what, value in lines:
        print(f"{of:<36}{what:<14}{value}")


if __name__ == "__main__":
    main()
