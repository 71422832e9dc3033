"""What data, predictions and draws show that makes a number less trustworthy.

The notes of every result come from here, by whatever door the predictions came.
"""

import math
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from . import _engine, _warn
from ._typing import AnyArray, CodeArray
from ._validation import Problem, Truth
from .findings import note
from .metrics import Metric
from .predictions import OutOfSamplePredictions
from .results import ConfidenceInterval, ModelLuck

_MANY_REDRAWN = 0.1
_FEW_UNITS = 20
_FEW_OF_A_CLASS = 10
# Ratios of counts, and average precision: their expectation depends on the number of rows.
_SKEWED = ("average_precision", "f_beta", "jaccard", "mcc", "kappa", "balanced_accuracy")
# What calls for another analysis is warned of as well.
_WARNED = ("BBC004", "BBC005", "BBC006", "BBC007", "BBC010", "BBC011", "BBC016", "BBC017", "BBC018")


def warn(notes: Collection[str], *, known: Collection[str] = ()) -> None:
    """Warn of the findings that call for another analysis, unless they are `known` already."""
    for text in notes:
        if text.startswith(_WARNED) and text not in known:
            _warn.warn(text)


def of_origin(
    predictions: Any, metric: Metric, pooling: str, *, dynamic_search: bool = False
) -> tuple[str, ...]:
    """What OutOfSamplePredictions know of where they come from."""
    found = []
    own = predictions if isinstance(predictions, OutOfSamplePredictions) else None
    if own is not None and pooling == "pooled" and mixes_decision_values(own, metric):
        assert own.response is not None
        first = own.response.index("decision_function")
        n_more = own.response.count("decision_function") - 1
        name = f"configuration {first}" if own.names is None else repr(own.names[first])
        more = f" and {n_more} other{'s' if n_more > 1 else ''}" if n_more else ""
        found.append(note("BBC005", name + more))
    if dynamic_search or (own is not None and own.dynamic_search):
        found.append(note("BBC007", "configurations were chosen in the light of scores"))
    if own is not None and own.time_ordered:
        found.append(note("BBC018", "each row was predicted by models of earlier rows"))
    return tuple(found)


def mixes_decision_values(predictions: OutOfSamplePredictions, metric: Metric) -> bool:
    """Whether pooling would rank decision values of several folds' models together."""
    if metric.family != "ranking" or metric.predicts not in ("score", "class_scores"):
        return False
    if predictions.response is None or "decision_function" not in predictions.response:
        return False
    folds = predictions.folds
    return folds is None or any(len(np.unique(own[own >= 0])) > 1 for own in folds)


def of_data(problem: Problem, metric: Metric) -> tuple[str, ...]:
    """What truth, groups and folds show."""
    return (*_split_groups(problem), *_unlike_repeats(problem), *_few(problem, metric))


def of_draws(raw: dict[str, Any], metric: Metric, plan: _engine.Plan) -> tuple[str, ...]:
    """What the replicates show."""
    n_bootstraps = plan.resampling.n_bootstraps
    # A draw of all folds is common and harmless: it says nothing about the metric.
    harmless = 0.0 if plan.drawn_folds is None else _redrawn_for_all_folds(plan.drawn_folds)
    most = (_MANY_REDRAWN + harmless) * n_bootstraps
    if plan.resampling.unit == "fold" or raw["n_redrawn"] <= most:
        return ()
    detail = (
        f"{raw['n_redrawn']} draws for {n_bootstraps} replicates left {metric.name!r} undefined"
    )
    return (note("BBC006", detail),)


def of_luck(
    luck: ModelLuck | None, estimate: float, interval: ConfidenceInterval | None
) -> tuple[str, ...]:
    """What the test of model luck shows, if luck is likely and would matter."""
    if interval is None or luck is None or luck.p_value is None or luck.predicted_bias is None:
        return ()
    limits = (interval.low, interval.high)
    if not _engine.luck_matters(
        luck.p_value, luck.predicted_bias, estimate, limits, interval.alternative
    ):
        return ()
    detail = (
        f"the estimate is predicted to be too good by {luck.predicted_bias:.2g} "
        f"(p = {luck.p_value:.2g})"
    )
    return (note("BBC011", detail),)


def _redrawn_for_all_folds(drawn_folds: CodeArray) -> float:
    """Expected redraws per replicate because no fold is left out: K!/K^K of the draws."""
    shares = []
    for n_folds in drawn_folds.max(axis=1) + 1:
        of_all = math.exp(math.lgamma(n_folds + 1) - n_folds * math.log(n_folds))
        shares.append(of_all / (1 - of_all))
    return float(np.mean(shares))


def of_folds(problem: Problem) -> tuple[str, ...]:
    """What the method of Tibshirani and Tibshirani says of folds with a single row."""
    assert problem.folds is not None
    sizes = np.concatenate([np.bincount(repeat[repeat >= 0]) for repeat in problem.folds])
    return (note("BBC004", "a fold has a single row"),) if sizes.min() == 1 else ()


def of_winner(problem: Problem, metric: Metric, winner: int) -> tuple[str, ...]:
    """What the predictions of the winner show; `winner` counts the configurations that stay."""
    found = []
    n_rows = problem.n_rows
    if math.isinf(metric.lowest if metric.greater_is_better else metric.highest):
        share, dominates = 0.0, False
        with suppress(ValueError):  # squares that overflow, though R2 itself does not
            share, dominates = _engine.largest_share(problem, metric, winner)
        if dominates:
            detail = f"{100 * share:.3g} % of the winner's loss is that of one row of {n_rows}"
            found.append(note("BBC013", detail))
    pairs = _pairs(problem, metric, winner)
    if metric.family == "ranking" and _are_labels([own for own, _ in pairs], problem.truth):
        found.append(note("BBC016", "the winner's predictions are labels"))
    if all(any(np.array_equal(own, truth) for truth in truths) for own, truths in pairs):
        found.append(note("BBC017", f"its predictions are the truth in all {n_rows} rows"))
    return tuple(found)


def _split_groups(problem: Problem) -> tuple[str, ...]:
    """Whether a group has rows in several folds: its models saw their like."""
    if problem.groups is None or problem.folds is None:
        return ()
    n_groups = int(problem.groups.max()) + 1
    several = np.zeros(n_groups, dtype=bool)
    for folds in problem.folds:
        there = folds >= 0
        pairs = np.unique(np.column_stack([problem.groups[there], folds[there]]), axis=0)
        several |= np.bincount(pairs[:, 0], minlength=n_groups) > 1
    if not several.any():
        return ()
    detail = f"the folds put rows of {several.sum()} of {n_groups} groups into several folds"
    return (note("BBC010", detail),)


def _unlike_repeats(problem: Problem) -> tuple[str, ...]:
    """Whether repeats predicted different rows, which leaves fewer to each score."""
    if problem.seen is None:
        return ()
    fewest = int(problem.seen.sum(axis=1).min())
    return (f"repeats predicted different rows, the fewest {fewest} of {problem.n_rows_given}",)


def _few(problem: Problem, metric: Metric) -> tuple[str, ...]:
    """Whether there are few units, or few rows of a class that the metric needs."""
    found = []
    n_units = problem.n_rows if problem.groups is None else int(problem.groups.max()) + 1
    if n_units < _FEW_UNITS:
        found.append(note("BBC002", f"{n_units} {'rows' if problem.groups is None else 'groups'}"))
    scarce = _scarce_class(problem.truth, positive_only=_is_of_the_positive(metric))
    if scarce and metric.kernel in _SKEWED:
        return (*found, note("BBC014", scarce))
    scarce = _scarce_class(problem.truth)
    if scarce and metric.needs_classes and not found:
        found.append(note("BBC002", scarce))
    return tuple(found)


def _is_of_the_positive(metric: Metric) -> bool:
    """Whether few negative rows leave the metric as it is."""
    binary = dict(metric.parameters).get("average") == "binary"
    return metric.kernel == "average_precision" or binary


def _scarce_class(truth: Truth, *, positive_only: bool = False) -> str:
    """The class with the fewest rows, in words; empty if it has enough."""
    if truth.codes is None or truth.classes is None:
        return ""
    counts = np.bincount(truth.codes, minlength=truth.n_classes)
    rarest = 1 if positive_only else int(counts.argmin())
    if counts[rarest] >= _FEW_OF_A_CLASS:
        return ""
    return f"{counts[rarest]} rows of class {truth.classes[rarest]}"


def _pairs(
    problem: Problem, metric: Metric, configuration: int
) -> list[tuple[AnyArray, list[AnyArray]]]:
    """What a configuration predicted in each repeat, and the truth in the forms it may have."""
    truths = _as_predictions(problem, metric)
    pairs = []
    for repeat, one in enumerate(problem.predictions):
        there = slice(None) if problem.seen is None else problem.seen[repeat]
        pairs.append((one[there, configuration], [truth[there] for truth in truths]))
    return pairs


def _as_predictions(problem: Problem, metric: Metric) -> list[AnyArray]:
    """Predictions that equal the truth; none where the two cannot be compared."""
    truth, labels = problem.truth, problem.label_values
    if truth.target == "survival":
        return []
    if truth.codes is None or metric.function is not None:
        return [truth.values]
    if metric.predicts == "labels":
        return [truth.codes if labels is None else labels[truth.codes]]
    if metric.predicts in ("class_scores", "class_probabilities"):
        return [truth.codes, np.eye(truth.n_classes)[truth.codes]]
    whole = truth.integer_labels
    return [truth.codes] if whole is None else [truth.codes, whole[truth.codes]]


def _are_labels(columns: Sequence[AnyArray], truth: Truth) -> bool:
    """Whether scores are labels of the truth, or zeros and ones, and not all the same."""
    if truth.codes is None:
        return False
    ours = [{0, 1}]
    if truth.integer_labels is not None:
        ours.append(set(truth.integer_labels.tolist()))
    first = set(columns[0].flat[:8].tolist())  # of scores a few are enough
    if not any(first <= labels for labels in ours):
        return False
    values = set(np.unique(np.concatenate(columns)).tolist())
    return len(values) > 1 and any(values <= labels for labels in ours)
