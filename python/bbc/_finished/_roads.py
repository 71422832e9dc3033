"""Scores of folds where predictions are taken: folds in the place of rows."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from .. import metrics
from .._design import Design
from ..errors import Argument, InvalidTypeError, InvalidValueError, arguments_called
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from . import fold_scores, keeps_fold_scores

_Function = TypeVar("_Function", bound=Callable[..., Any])

_DYNAMIC = ("n_trials", "n_last_halving", "n_searched", "n_stopped")
#: Arguments that say something of rows.
_OF_ROWS = (
    *("folds", "groups", "block_length", "stratify_bootstrap", "sample_weight", "pos_label"),
    *("labels", "missing", "pooling", "resamples", "names"),
)
_DEFAULTS = ("raise", "pooled")
#: With five folds the model confidence set loses the best configuration in 9 % of simulated
#: searches, with ten in 4 % at most; the discrete argmin in 10 % and more.
_FEWEST_FOLDS = 10


def by_folds(function: _Function) -> _Function:
    """Let a function read finished searches that kept scores of folds in place of predictions.

    Folds are the units that are drawn, and the mean of their scores is the metric. A dict may hold
    families of such searches.
    """

    @wraps(function)
    def called(y_true: Any, predictions: Any, **options: Any) -> Any:
        families = isinstance(predictions, Mapping) and bool(predictions)
        families = families and all(map(keeps_fold_scores, predictions.values()))
        if not (families or keeps_fold_scores(predictions)):
            return function(y_true, predictions, **options)
        _refuse_facts_of_rows(options)
        metric = options.get("metric")
        if isinstance(metric, list | tuple | Mapping):
            raise InvalidTypeError(
                "metric", "must be one score of a search that kept no predictions, not several"
            )
        if families:
            found = {name: _read(each, metric, f"[{name!r}]") for name, each in predictions.items()}
            _refuse_other_folds(found)
            given: Any = {name: as_predictions(each) for name, each in found.items()}
            first = next(iter(found.values()))
        else:
            first = _read(predictions, metric)
            given = as_predictions(first)
        options["metric"] = as_metric(first)
        return of_folds(function(np.zeros(first.n_folds), given, **options), first.n_folds)

    return called  # type: ignore[return-value]


def _read(source: Any, metric: Any, place: str = "") -> Any:
    with arguments_called(search=f"predictions{place}"):
        return fold_scores(source, metric)


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
        dynamic_search=any(scores._told.get(name) for name in _DYNAMIC),
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


def _refuse_facts_of_rows(options: Mapping[str, Any]) -> None:
    for name in _OF_ROWS:
        given = options.get(name)
        if given is None or given is False or (type(given) is str and given in _DEFAULTS):
            continue
        raise InvalidValueError(name, "is for predictions of rows, but predictions are fold scores")
    method = options.get("method")
    if method == "bbc-two-level":
        raise InvalidValueError(
            Argument("method", method), "reads single rows, but predictions are fold scores"
        )


def refuse_few_folds(function: str, n_folds: int) -> None:
    if function == "possible_winners" and n_folds < _FEWEST_FOLDS:
        raise InvalidValueError(
            "predictions",
            f"are scores of {n_folds} folds: with fewer than {_FEWEST_FOLDS} the best "
            "configuration would be left out too often",
            hint="use more folds, or keep predictions (bbc.keep_predictions)",
        )


def _refuse_other_folds(found: Mapping[str, Any]) -> None:
    """Refuse families that were scored on other folds, as far as it is known."""
    (first, one), *others = found.items()
    for name, other in others:
        unlike = one._splits and other._splits and one._splits != other._splits
        if unlike or "other folds" in one._splits or one.n_folds != other.n_folds:
            raise InvalidValueError(
                "predictions",
                f": family {name!r} was not scored on the folds of family {first!r}",
                hint="give both searches one list of splits, or a splitter with a random_state",
            )


def of_folds(result: Any, n_folds: int) -> Any:
    """A result that says folds where it would say rows."""
    changes: dict[str, Any] = {}
    for name in vars(result):
        value = getattr(result, name)
        if name == "estimates" and isinstance(value, Mapping):
            changes[name] = {key: of_folds(each, n_folds) for key, each in value.items()}
        elif name == "estimate" and hasattr(value, "unit"):
            changes[name] = of_folds(value, n_folds)
        elif name == "design" and isinstance(value, Design):
            changes[name] = replace(value, n_rows_scored=None)
        elif name == "data_findings":
            # "Few rows" is of rows; few folds have a finding of their own.
            changes[name] = tuple(each for each in value if each.code != "BBC002")
        elif name == "infeasible" and value:
            changes[name] = value.replace("rows", "folds")
    for name, value in (("unit", "fold"), ("n_folds", n_folds), ("pooling", "fold"), ("n_rows", 0)):
        if name in vars(result):
            changes[name] = value
    if vars(result).get("method") == "bbc":
        changes["method"] = "bbc-f"
    return replace(result, **changes)
