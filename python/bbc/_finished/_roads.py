"""Scores of folds where predictions are taken: folds in the place of rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .. import metrics
from .._design import Design
from ..errors import Argument, InvalidValueError
from ..findings import Finding
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ._claim import DYNAMIC

#: Arguments that say something of rows.
_OF_ROWS = (
    *("folds", "groups", "stratified_by", "block_length", "stratify_bootstrap", "class_counts"),
    *("sample_weight", "pos_label", "labels", "missing", "pooling", "resamples", "names"),
)
_DEFAULTS = ("raise", "pooled", "sampled")
#: With five folds the model confidence set loses the best configuration in 9 % of simulated
#: searches, with ten in 4 % at most; the discrete argmin in 10 % and more.
_FEWEST_FOLDS = 10


def as_predictions(scores: Any) -> OutOfSamplePredictions:
    """Folds in the place of rows, whose metric is `as_metric`: the units are the same."""
    if len(scores.values) > 1:
        raise InvalidValueError(
            "predictions",
            f"are scores of {len(scores.values)} partitions, whose folds share rows: only BBC-F "
            "knows how to draw them",
            hint="use bbc.correct, or a search that keeps its predictions",
        )
    return OutOfSamplePredictions(
        y=np.zeros(scores.n_folds),
        scores=scores.values,
        names=tuple(scores.names[place] for place in scores.configurations.tolist()),
        tried=tuple(scores.names),
        places=scores.configurations,
        dynamic_search=any(scores._told.get(name) for name in DYNAMIC),
        time_ordered=bool(scores._told.get("time_ordered_folds")),
        design=scores._claim.design,
    )


def as_metric(scores: Any) -> Metric:
    """The mean of the scores, with the name, direction and range of their metric."""
    low, high = scores.metric.limits(scores._n_classes)
    return metrics.row_loss(
        _given_score,
        scores.metric.greater_is_better,
        response="scores",
        name=scores.metric.name,
        lowest=low,
        highest=high,
    )


def _given_score(y: Any, scores: Any) -> Any:
    return scores


def refuse_facts_of_rows(options: Mapping[str, Any]) -> None:
    for name in _OF_ROWS:
        given = options.get(name)
        if given is None or given is False or (type(given) is str and given in _DEFAULTS):
            continue
        raise InvalidValueError(name, "is for predictions of rows, but scores by fold were kept")
    method = options.get("method")
    if method == "bbc-two-level":
        raise InvalidValueError(
            Argument("method", method), "reads single rows, but scores by fold were kept"
        )


def refuse_few_folds(function: str, n_folds: int) -> None:
    if function == "possible_winners" and n_folds < _FEWEST_FOLDS:
        raise InvalidValueError(
            "predictions",
            f"are scores of {n_folds} folds: with fewer than {_FEWEST_FOLDS} the best "
            "configuration would be left out too often",
            hint="use more folds, or keep predictions (bbc.keep_predictions)",
        )


def of_folds(result: Any, n_folds: int, findings: tuple[Finding, ...]) -> Any:
    """A result that says folds where it would say rows, with what scores of folds do not show."""
    changes: dict[str, Any] = {}
    for name in vars(result):
        value = getattr(result, name)
        if name == "estimates" and isinstance(value, Mapping):
            changes[name] = {key: of_folds(each, n_folds, findings) for key, each in value.items()}
        elif name == "estimate" and hasattr(value, "unit"):
            changes[name] = of_folds(value, n_folds, findings)
        elif name == "design" and isinstance(value, Design):
            changes[name] = replace(value, n_rows_scored=None)
        elif name == "data_findings":
            # "Few rows" is of rows; few folds have a finding of their own.
            changes[name] = (*(each for each in value if each.code != "BBC002"), *findings)
        elif name == "infeasible" and value:
            changes[name] = value.replace("rows", "folds")
    for name, value in (("unit", "fold"), ("n_folds", n_folds), ("pooling", "fold"), ("n_rows", 0)):
        if name in vars(result):
            changes[name] = value
    if vars(result).get("method") == "bbc":
        changes["method"] = "bbc-f"
    return replace(result, **changes)
