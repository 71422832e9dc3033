"""``bbc correct-search``: scores by fold, one estimate."""

import argparse
from typing import Any

import numpy as np

from .._finished._scores import FoldScores
from .._tables import read
from .._validation import shown
from ..api import correct
from ..errors import InvalidValueError, arguments_called
from ._input import read_rows, told
from ._output import refuse_place, remark, write


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
