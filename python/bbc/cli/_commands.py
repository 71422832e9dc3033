"""Commands that read a table, a store or a result, and write an estimate or a comparison."""

import argparse
import copy
import fnmatch
from pathlib import Path
from typing import Any

import numpy as np

from .. import metrics
from .._bar import Bar
from .._finished._scores import FoldScores
from .._layouts import Taken
from .._tables import read
from .._validation import default_n_bootstraps, shown
from ..api import compare, correct
from ..correction import Correction
from ..errors import InvalidValueError, StoreError, arguments_called
from ..predictions import OF_ROWS, OutOfSamplePredictions
from ..results import PerformanceEstimate
from ..sources import Predictions
from ..streaming import Blocks
from ._input import positive_class, read_predictions, read_rows, say_taken, told
from ._messages import blocks, error_text
from ._output import refuse_place, remark, say, write

_LONG_WORK = 2e10  # cells (rows x configurations x replicates): more than some seconds


def run_correct(arguments: argparse.Namespace) -> None:
    """Read, correct, write."""
    refuse_place(arguments.html)
    taken = read_predictions(arguments)
    predictions = taken.predictions
    options = told(correct, arguments)
    options["pos_label"] = positive_class(arguments, predictions)
    estimate = _corrected(predictions, options)
    say_taken(taken, options["metric"], options["pos_label"])
    write(estimate, arguments)


def _corrected(predictions: OutOfSamplePredictions, options: dict[str, Any]) -> PerformanceEstimate:
    """Long work goes by blocks, for the progress bar; the bits are the same."""
    metric = metrics.get(options["metric"])
    n_bootstraps = options["n_bootstraps"]
    if n_bootstraps is None:
        n_bootstraps = default_n_bootstraps(metric, options["selection"])
    cells = predictions.values.size * n_bootstraps
    by_row = options["method"] == "bbc"  # draws of folds are quick
    in_kernel = metric.family != "callable" and not metric.orders_classes
    at_once = options["selection"].derives or options["missing"] == "rungs"
    at_once = at_once or options["block_length"] == "auto" or not (by_row and in_kernel)
    at_once = at_once or options["secondary"] is not None
    if cells < _LONG_WORK or at_once or not predictions.is_complete:
        found: Correction = correct(predictions.y, predictions, **options)
        return found.record
    del options["missing"]  # of complete predictions none are
    bar = Bar(predictions.n_configurations, "configurations")
    stream = Blocks(blocks(predictions.values, n_bootstraps, bar))
    found = correct(
        predictions.y,
        stream,
        labels=predictions.classes,
        **{name: getattr(predictions, name) for name in (*OF_ROWS, "names")},
        **options,
    )
    return found.record


def run_correct_search(arguments: argparse.Namespace) -> None:
    """Read, correct, write."""
    refuse_place(arguments.html)
    options = told(correct, arguments)
    with arguments_called(scores=arguments.file):
        scores = FoldScores(
            metric=options.pop("metric"),
            greater_is_better=options.pop("greater_is_better"),
            **_read_scores(arguments),
            **read_rows(arguments),
        )
        corrected = correct(scores, **options)
    estimate = corrected.record
    better = "larger" if estimate.greater_is_better else "smaller"
    partitions = f"{estimate.n_repeats} partitions of " if estimate.n_repeats > 1 else ""
    rows = f"; truth {arguments.truth} of {estimate.n_rows} rows" if arguments.truth else ""
    remark(
        f"score {estimate.metric}, {better} is better; {partitions}{estimate.n_folds} folds; "
        f"{estimate.n_configurations} configurations{rows}"
    )
    write(estimate, arguments)


def _read_scores(arguments: argparse.Namespace) -> dict[str, Any]:
    """Scores as `bbc.FoldScores` takes them: of `cv_results_`, or of a line per score."""
    columns = {name: getattr(arguments, name) for name in ("fold", "configuration", "score")}
    repeat = arguments.repeat
    if arguments.long:
        if arguments.n_repeats is not None:
            raise ValueError("--n-repeats: --repeat names the column of a long table's partitions")
        return _of_lines(arguments.file, repeat, **{key: columns[key] or key for key in columns})
    for name, column in {**columns, "repeat": repeat}.items():
        if column is not None:
            raise ValueError(f"--{name} needs --long")
    return {"scores": arguments.file, "n_repeats": arguments.n_repeats}


def _of_lines(
    file: str, repeat: str | None, *, fold: str, configuration: str, score: str
) -> dict[str, Any]:
    """Scores of a table with a line per configuration and fold; NaN where it has no line."""
    data = read(file)
    data.require(fold=fold, configuration=configuration, score=score, repeat=repeat)
    data = data.with_numbers([score], None)
    values = data.values(score)
    if values.dtype.kind not in "iuf":
        raise InvalidValueError(data.source, f": column {score!r} holds text, where scores are")
    folds, fold_labels = data.codes(fold)
    configurations, names = data.codes(configuration)
    partitions = np.zeros_like(folds) if repeat is None else data.codes(repeat)[0]
    places, splits = np.unique(partitions * len(fold_labels) + folds, return_inverse=True)
    sizes = np.bincount(places // len(fold_labels))
    if len(np.unique(sizes)) > 1:
        raise InvalidValueError(data.source, f": partitions have {shown(sizes.tolist())} folds")
    cells = splits * len(names) + configurations
    _, first, counts = np.unique(cells, return_index=True, return_counts=True)
    if counts.max() > 1:
        line = first[counts.argmax()]
        raise InvalidValueError(
            data.source,
            f": fold {fold_labels[folds[line]]} has two scores of configuration "
            f"{names[configurations[line]]}; --repeat names the column of the partitions",
        )
    scores = np.full((len(places), len(names)), np.nan)
    scores[splits, configurations] = values
    return {"scores": scores, "names": list(map(str, names)), "n_repeats": len(sizes)}


def run_show(arguments: argparse.Namespace) -> None:
    """Show a store or a saved result."""
    path = Path(arguments.file)
    refuse_place(arguments.html)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ValueError(f"{path} is a device or a pipe, not a file")
    if path.suffix.lower() == ".json":
        if arguments.metric is not None:
            raise ValueError("--metric: a saved result has one metric; it is for stores")
        write(_saved(path), arguments)
        return
    from ..search import StoredRun  # which imports scikit-learn

    run = StoredRun(path)
    # With --json standard output is the document and nothing else.
    say(run.summary(), aside=arguments.json)
    try:
        corrected = correct(run, metric=arguments.metric, reselect=arguments.metric is not None)
    except StoreError as error:  # no configuration has finished: the summary is all there is
        remark(str(error))
        return
    if not arguments.json:
        say()
    write(corrected.record, arguments)


def _saved(path: Path) -> PerformanceEstimate:
    try:
        return PerformanceEstimate.from_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


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
