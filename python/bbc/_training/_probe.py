"""Metrics computed from made-up predictions, before a model is trained."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._typing import AnyArray, IndexArray
from ..errors import ArgumentError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..metrics._sklearn import is_sklearn_function
from ._responses import Responses
from ._scores import score_of_outputs

# What the caller names, and can change; messages about other arguments speak of predictions.
_NAMED = ("y_true", "pos_label", "labels")
_ARGUMENTS = "sklearn.metrics.make_scorer takes its arguments, such as average= or pos_label="


def probe(
    name: str,
    metric: Metric,
    y: AnyArray,
    responses: Responses,
    *,
    pos_label: Any,
    refuse: bool = True,
) -> None:
    """Refuse a metric that cannot be computed from what models will predict.

    It is computed on all rows, on half of them, as folds and draws have them, and without the rows
    of a class: a metric may be undefined there, and a function may fail there. Without `refuse`
    functions of the caller may fail on what is made up.
    """
    classes = responses.classes
    if metric.has_classes and (classes is None or len(classes) < 2):
        return
    if metric.target == "survival" or (classes is None and y.dtype.kind not in "biuf"):
        return
    outputs = _made_up(y, responses)
    half = np.arange(0, len(y), 2)
    lacking = np.arange(len(y)) if classes is None else np.flatnonzero(y != classes[0])
    for told, rows in (("", np.arange(len(y))), (" on a part of the rows", half), (None, lacking)):
        if len(rows) < 2:
            continue
        try:
            _score(metric, y, outputs, rows, responses, pos_label)
        except UndefinedMetricError:
            continue
        except Exception as error:
            if told is None and metric.function is not None:
                continue  # replicates without a class are drawn again
            if isinstance(error, ArgumentError) and error.argument in _NAMED:
                raise
            function = getattr(metric.function, "func", metric.function)
            own = function is not None and not is_sklearn_function(function)
            if own and not refuse:
                return
            _refuse(name, error, told or "", own=own)


def _refuse(name: str, error: Exception, where: str, *, own: bool) -> None:
    told = str(error) if isinstance(error, ArgumentError) else f"{type(error).__name__}: {error}"
    if isinstance(error, ArgumentError):
        what, hint = f"cannot be computed from what models predict{where}", ""
    elif own:
        what, hint = f"fails on predictions that were made up{where}", ""
    else:
        what, hint = f"fails on these classes{where}", _ARGUMENTS
    raise InvalidValueError("scoring", f": metric {name!r} {what}: {told}", hint=hint) from error


def _score(
    metric: Metric,
    y: AnyArray,
    outputs: Mapping[str, AnyArray],
    rows: IndexArray,
    responses: Responses,
    pos_label: Any,
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score_of_outputs(
            {kind: array[rows] for kind, array in outputs.items()},
            y[rows],
            metric,
            responses,
            sample_weight=None,
            pos_label=pos_label,
        )


def _made_up(y: AnyArray, responses: Responses) -> dict[str, AnyArray]:
    """Outputs that say what is true of the row before: labels, and scores for all classes."""
    before, classes = np.roll(y, 1), responses.classes
    if classes is None:
        values = before.astype(np.float64)
        return {"scores": (values + values.mean()) / 2}
    place_of = {label: code for code, label in enumerate(classes.tolist())}
    guessed = np.array([place_of[label] for label in before.tolist()])
    of_classes = np.full((len(y), len(classes)), 0.5 / (len(classes) - 1))
    of_classes[np.arange(len(y)), guessed] = 0.5
    of_classes += np.linspace(0, 0.1, len(classes)) - 0.05
    of_classes /= of_classes.sum(axis=1, keepdims=True)
    one = responses.pos_label is not None
    return {
        "labels": guessed,
        "scores": of_classes[:, responses.positive] if one else of_classes,
    }
