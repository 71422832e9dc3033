"""``bbc compare``: families of configurations, a table each or columns of one."""

import argparse
import copy
import fnmatch
from pathlib import Path
from typing import Any

from .._layouts import Taken
from ..api import compare
from ..predictions import OutOfSamplePredictions
from ..sources import Predictions
from ._input import positive_class, read_predictions, say_taken, told
from ._messages import error_text
from ._output import say


def run_compare(arguments: argparse.Namespace) -> None:
    """Read, compare, write."""
    taken = _tables(arguments)
    tables = {name: table.predictions for name, table in taken.items()}
    first = next(iter(tables.values()))
    pos_label = positive_class(arguments, first)
    given: Any = {
        name: Predictions(each.y, each, pos_label=pos_label, copy=False)
        for name, each in tables.items()
    }
    by = _families(first, arguments.family) if arguments.family else None
    families = given if by is None else next(iter(given.values()))
    comparison = compare(families, by=by, **told(compare, arguments))
    for name, table in taken.items():
        say_taken(table, arguments.metric, pos_label, name if len(taken) > 1 else "")
    say(comparison.to_json(indent=2) if arguments.json else comparison.summary())


def _tables(arguments: argparse.Namespace) -> dict[str, Taken]:
    """The table of each file, by the file's name."""
    paths = arguments.file
    if arguments.family and len(paths) > 1:
        raise ValueError("--family splits the configurations of one file, not of several")
    if not arguments.family and len(paths) < 2:
        raise ValueError("one file is no comparison: name another, or split it by --family")
    names = [Path(path).stem for path in paths]
    if len(set(names)) < len(names):
        names = list(paths)
    if len(set(names)) < len(names):
        raise ValueError("a file is named twice")
    tables = {}
    for name, path in zip(names, paths, strict=True):
        own = copy.copy(arguments)
        own.file = path
        try:
            tables[name] = read_predictions(own)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: {error_text(error, arguments)}") from error
    return tables


def _families(predictions: OutOfSamplePredictions, given: list[str]) -> list[str]:
    """The family of each configuration, from words NAME=PATTERN."""
    patterns = dict(_split(word) for word in given)
    if len(patterns) < len(given):
        raise ValueError("--family: a name is given twice")
    names = predictions.names or tuple(map(str, range(predictions.n_configurations)))
    found = []
    for name in names:
        fitting = [family for family, own in patterns.items() if fnmatch.fnmatchcase(name, own)]
        if len(fitting) != 1:
            which = " and ".join(fitting) or "no family"
            raise ValueError(
                f"--family: configuration {name!r} is in {which}; --ignore leaves columns out"
            )
        found.append(fitting[0])
    lacking = sorted(set(patterns) - set(found))
    if lacking:
        raise ValueError(f"--family: no configuration fits {lacking[0]}={patterns[lacking[0]]}")
    return found


def _split(word: str) -> tuple[str, str]:
    name, sign, pattern = word.partition("=")
    if not (name and sign and pattern):
        raise ValueError(f"--family {word}: write NAME=PATTERN, such as 'svm=svm*'")
    return name, pattern
