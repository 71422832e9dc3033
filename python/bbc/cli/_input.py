"""Predictions and analysis from the options of a command, and what was taken as what."""

import argparse
import fnmatch
import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import metrics
from .._cells import parsed
from .._layouts import Columns, Taken, long, truth_of, wide
from .._names import without
from .._tables import Table, read
from .._validation._truth import truth as canonical_truth
from ..errors import Argument, InvalidValueError
from ..predictions import OF_ROWS, OutOfSamplePredictions
from ._output import remark

_MANY = 8
_ROLES = {
    "folds": "folds",
    "repeat": "repeats",
    "groups": "groups",
    "stratified_by": "stratified by",
    "sample_weight": "weights",
}


def read_predictions(arguments: argparse.Namespace) -> Taken:
    """The table that the options describe."""
    if not arguments.long:
        _refuse_long_options(arguments)
    file = sys.stdin if arguments.file == "-" else arguments.file
    data = read(file, arguments.header, arguments.na)
    given = arguments
    design: dict[str, Any] = {role: getattr(given, role) for role in OF_ROWS}
    columns = Columns(given.truth, **design, names=_names(data, given), decimal=given.decimal)
    if not given.long:
        ranking = metrics.get(given.metric).family in ("ranking", "callable")
        return wide(data, columns, ignore=given.ignore, ranking=ranking)
    return long(
        data,
        columns,
        row=given.row,
        configuration=given.configuration,
        prediction=_prediction(given.prediction),
        repeat=given.repeat,
    )


def read_rows(arguments: argparse.Namespace) -> dict[str, Any]:
    """The truth and groups of the rows whose scores of folds are corrected, if they are given."""
    truth, groups = arguments.truth, arguments.groups
    if arguments.rows is None:
        for name, column in (("truth", truth), ("groups", groups)):
            if column is not None:
                raise InvalidValueError(
                    Argument(name, column), "is a column of the file that --rows names"
                )
        return {}
    if truth is None:
        raise InvalidValueError(
            Argument("rows", arguments.rows), "has the truth in the column that --truth names"
        )
    data = read(arguments.rows)
    data.require(groups=groups)
    return {
        "y": truth_of(data, truth),
        "groups": None if groups is None else data.keys(groups),
    }


def _names(data: Table, arguments: argparse.Namespace) -> list[str] | None:
    """The configurations that fit the patterns of `--names`; None without."""
    if arguments.names is None:
        return None
    if arguments.long:
        known = list(map(str, data.codes(arguments.configuration)[1]))
    else:
        others = [*arguments.truth, *arguments.ignore]
        design = [getattr(arguments, role) for role in _ROLES if role != "repeat"]
        known = without(data.columns, [*others, *design])
    for pattern in arguments.names:
        if not fnmatch.filter(known, pattern) and pattern not in known:
            raise InvalidValueError(
                Argument("names", pattern), "fits no configuration of {}", data.source
            )
    return [
        name
        for name in known
        if any(name == one or fnmatch.fnmatchcase(name, one) for one in arguments.names)
    ]


def say_taken(taken: Taken, named: str, pos_label: Any, file: str = "") -> None:
    """Say on standard error what was taken as what, before any number."""
    own = taken.predictions
    truth = f"truth {taken.roles['truth']}"
    metric = metrics.get(named)
    if metric.target == "binary":
        pos_label = canonical_truth(own.y, metric, pos_label=pos_label, labels=None).pos_label
        count = np.count_nonzero(own.y == pos_label)
        truth += f", positive class {pos_label} ({count} of {own.n_rows} rows)"
    said = [truth]
    for role, word in _ROLES.items():
        if role in taken.roles:
            said.append(f"{word} {taken.roles[role]}{_count(own, role)}")
    names = own.names or ()
    shown = [*names[: _MANY - 1], "...", names[-1]] if len(names) > _MANY else names
    said.append(f"{own.n_configurations} configurations ({', '.join(shown)})")
    if taken.left_out:
        left_out = [name or "the column without a name" for name in taken.left_out]
        said.append(f"left out {', '.join(left_out)}")
    if taken.decimal:
        said.append(f"decimal {'point' if taken.decimal == '.' else 'comma'}")
    remark(f"{file}{': ' if file else ''}{'; '.join(said)}")


def _count(own: OutOfSamplePredictions, role: str) -> str:
    if role == "folds" and own.folds is not None:
        return f" ({len(np.unique(own.folds[own.folds >= 0]))})"
    labels = getattr(own, role) if role in ("groups", "stratified_by") else None
    if labels is not None:
        return f" ({len(set(labels.tolist()))})"
    return f" ({own.n_repeats})" if role == "repeat" else ""


def told(function: Callable[..., Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """Options of the analysis as keywords of a function; columns are not among them."""
    said = vars(arguments) | {"random_state": arguments.seed}
    if "no_size_correction" in said:
        said["size_correction"] = not said["no_size_correction"]
    known = inspect.signature(function).parameters.values()
    names = {each.name for each in known if each.kind is not each.VAR_KEYWORD}
    return {name: said[name] for name in said if name in names}


def positive_class(arguments: argparse.Namespace, predictions: OutOfSamplePredictions) -> Any:
    """The label of the truth that `--pos-label` names; None if it may be left open."""
    text = arguments.pos_label
    if text is None:
        _refuse_unnamed_class(arguments.metric, predictions)
    if text is None or predictions.y.dtype.kind in "US":
        return text
    shown = {str(label): label for label in np.unique(predictions.y).tolist()}
    return shown[text] if text in shown else parsed(np.array([text])).item()


def _refuse_unnamed_class(metric: str, predictions: OutOfSamplePredictions) -> None:
    """Refuse classes that are text where a metric needs to know the positive one."""
    y = predictions.y
    if metrics.get(metric).target != "binary" or y.dtype.kind not in "UO":
        return
    classes, counts = np.unique(y[y != None], return_counts=True)  # noqa: E711  element by element
    if len(classes) == 2:
        shown = " and ".join(
            f"{label} ({count} rows)" for label, count in zip(classes, counts, strict=True)
        )
        raise InvalidValueError(
            "pos_label",
            f"must name the positive class, as metric {metric!r} has one and the truth is text: "
            f"its classes are {shown}",
        )


def _refuse_long_options(arguments: argparse.Namespace) -> None:
    defaults = {"row": "row", "configuration": "configuration", "prediction": None, "repeat": None}
    for name, default in defaults.items():
        if getattr(arguments, name) != default:
            raise ValueError(f"--{name} needs --long")


def _prediction(options: list[str] | None) -> str | dict[str, str]:
    if options is None:
        return "prediction"
    if len(options) == 1:
        return options[0]
    columns = {}
    for text in options:
        label, sign, column = text.partition("=")
        if not sign:
            raise ValueError(f"--prediction {text}: write CLASS=COLUMN, once per class")
        columns[label] = column
    return columns
