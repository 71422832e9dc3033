"""How large the house is: lines, names, parameters, documents, and the way of a call.

``PYTHONPATH=tests python -m house`` lowers the limits in ``tests/house.toml`` to what is measured.
A limit is raised by hand, and the commit says why. With ``--check``, as lint asks, nothing is
written, and what grew is an error.
"""

import argparse
import inspect
import re
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

import bbc

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "bbc"
LIMITS = ROOT / "tests" / "house.toml"
CODE = {".py", ".pyi", ".cpp", ".hpp", ".h", ".c", ".inc", ".R"}
#: Limits of lines leave room for at least so many, so that a comment breaks none.
ROOM = 25
PROTOCOLS = ("BBC", "BBCD", "CVT", "NCV", "TT")
#: Options of `correct` whose names are no common words, so that files with them can be counted.
OPTIONS = (
    *("secondary", "reselect", "rungs", "stratified_by", "block_length", "stratify_bootstrap"),
    *("class_counts", "pos_label", "pooling", "n_bootstraps", "resamples", "alternative"),
    *("on_undefined", "dynamic_search", "size_correction"),
)
#: Records that stand in others only.
PARTS = (
    *("ConfidenceInterval", "Curve", "Deployed", "Design", "Difference", "ModelLuck"),
    *("MonteCarloError", "Quantity", "Subgroup"),
)
OF_BASELINES = ("Bound", "BoundComparison", "Dominance", "WeightedMeanCorrection")
#: Methods of a correction that are no questions.
NO_QUESTIONS = ("summary", "to_frame", "to_json", "to_csv", "from_json", "report", "plot")


def measured() -> dict[str, dict[str, int]]:
    """Each figure by its table and name."""
    return {
        "lines": dict(_lines()),
        "parameters": dict(_parameters()),
        "files_of_an_option": dict(_files_of_options()),
        "surface": {
            "public names": len(bbc.__all__),
            "records with a document": len(_documents()),
        },
        "calls": {
            **_way("correct", _corrected),
            **_way("BBC.fit", _fitted),
        },
    }


def _lines() -> Iterator[tuple[str, int]]:
    for folder in sorted(path for path in PACKAGE.iterdir() if path.is_dir()):
        if list(folder.glob("*.py")):
            yield f"python/bbc/{folder.name}", _length(folder.rglob("*"))
    yield "python/bbc alone", _length(PACKAGE.glob("*"))
    yield "python/bbc", _length(PACKAGE.rglob("*"))
    yield "cpp", _length((ROOT / "cpp").rglob("*"))
    yield "r-bridge/bbcr/R", _length((ROOT / "r-bridge" / "bbcr" / "R").glob("*"))
    yield "r-bridge/python", _length((ROOT / "r-bridge" / "python").rglob("*"))
    yield "tests", _length((ROOT / "tests").rglob("*"))


def _length(paths: Iterator[Path]) -> int:
    """Lines of the files among them that somebody wrote."""
    return sum(
        path.read_bytes().count(b"\n")
        for path in paths
        if path.suffix in CODE and path.name != "_core.pyi" and "build" not in path.parts
    )


def _parameters() -> Iterator[tuple[str, int]]:
    others = questions = 0
    for name in bbc.__all__:
        value = getattr(bbc, name)
        if inspect.ismodule(value) or not callable(value):
            continue
        found = _count(value)
        if name in ("correct", "compare", "Predictions", *PROTOCOLS):
            yield name, found
        elif value.__module__.startswith("bbc.") and not _is_record(value):
            others = max(others, found)
    yield "Predictions.from_long", _count(bbc.Predictions.from_long)
    for name, method in inspect.getmembers(bbc.Correction, inspect.isfunction):
        if name[0] != "_" and name not in NO_QUESTIONS:
            questions = max(questions, _count(method) - 1)
    yield "other functions, at most", others
    yield "questions, at most", questions


def _is_record(value: Any) -> bool:
    """Whether it is a record, of which users write no constructor."""
    return inspect.isclass(value) and issubclass(value, bbc._result.Result)


def _count(value: Any) -> int:
    try:
        return len(inspect.signature(value).parameters)
    except ValueError:  # a class without a signature, as exceptions are
        return 0


def _documents() -> list[type]:
    """Records that write and read a document of their own, but for parts and those of baselines."""

    def below(kind: type) -> Iterator[type]:
        for heir in kind.__subclasses__():
            yield heir
            yield from below(heir)

    return [
        kind
        for kind in set(below(bbc._result.Result))
        if kind.__module__.startswith("bbc.") and kind.__name__ not in PARTS + OF_BASELINES
    ]


def _files_of_options() -> Iterator[tuple[str, int]]:
    texts = [
        path.read_text(encoding="utf-8")
        for path in PACKAGE.rglob("*.py")
        if "baselines" not in path.parts
    ]
    for name in OPTIONS:
        word = re.compile(rf"\b{name}\b")
        yield name, sum(bool(word.search(text)) for text in texts)


def _way(name: str, call: Callable[[], object]) -> dict[str, int]:
    """How many of our functions run in a call, in how many files.

    How often they do is counted of `correct` only: scikit-learn decides it where it fits.
    """
    calls: list[tuple[str, str]] = []

    def seen(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)) and code.co_name[0] != "<":
            calls.append((code.co_filename, code.co_qualname))

    call()
    sys.setprofile(seen)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {
        **({f"{name}, calls": len(calls)} if name == "correct" else {}),
        f"{name}, functions": len(set(calls)),
        f"{name}, files": len({file for file, _ in calls}),
    }


def _corrected() -> object:
    rng = np.random.default_rng(0)
    y, predictions = rng.integers(0, 2, 50), rng.integers(0, 2, (50, 10))
    return bbc.correct(y, predictions, metric="accuracy", random_state=1)


def _fitted() -> object:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    search = bbc.BBC(LogisticRegression(), {"C": [0.1, 1.0]}, random_state=1)
    return search.fit(X, (X[:, 0] > 0).astype(int))


def limits() -> dict[str, dict[str, int]]:
    """What the file allows."""
    return tomllib.loads(LIMITS.read_text(encoding="utf-8"))


def grown(found: dict[str, dict[str, int]], allowed: dict[str, dict[str, int]]) -> list[str]:
    """What is larger than it may be, with both figures."""
    return [
        f"{table}: {name} is {value}, at most {allowed.get(table, {}).get(name, 0)}"
        for table, figures in found.items()
        for name, value in figures.items()
        if value > allowed.get(table, {}).get(name, 0)
    ]


def _text(figures: dict[str, dict[str, int]]) -> str:
    lines = ["# Limits that only go down: PYTHONPATH=tests python -m house lowers them."]
    for table, named in figures.items():
        lines += ["", f"[{table}]", *(f'"{name}" = {value}' for name, value in named.items())]
    return "\n".join(lines) + "\n"


def _limit(table: str, value: int) -> int:
    """The limit that a figure earns."""
    return -(-(value + ROOM) // ROOM) * ROOM if table == "lines" else value


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m house", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if it grew")
    check = parser.parse_args().check
    warnings.simplefilter("ignore")
    found, allowed = measured(), limits()
    for line in grown(found, allowed):
        print(f"grown: {line}")
    if check:
        sys.exit(bool(grown(found, allowed)))
    lower = {
        table: {
            name: min(_limit(table, value), allowed.get(table, {}).get(name, sys.maxsize))
            for name, value in figures.items()
        }
        for table, figures in found.items()
    }
    LIMITS.write_text(_text(lower), encoding="utf-8")


if __name__ == "__main__":
    main()
