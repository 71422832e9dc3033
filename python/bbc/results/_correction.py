"""From the kernel's numbers to a result, and what data, predictions and draws show of it.

The findings of every result come from here, by whatever door the predictions came.
"""

import math
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Literal

import numpy as np

from .. import _engine, _validation, _warn
from .._typing import AnyArray, CodeArray
from .._validation import Options, Problem, Truth
from ..errors import BBCWarning
from ..findings import Finding, finding
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ._estimate import PerformanceEstimate
from ._interval import ConfidenceInterval
from ._model_luck import ModelLuck, model_luck

_VERSION = _engine.kernel_version()
_MANY_REDRAWN = 0.1
_FEW_UNITS = 20
_FEW_OF_A_CLASS = 10
# Ratios of counts, and average precision: their expectation depends on the number of rows.
_SKEWED = ("average_precision", "f_beta", "jaccard", "mcc", "kappa", "balanced_accuracy")
# What calls for another analysis is warned of as well.
_WARNED = ("BBC004", "BBC005", "BBC006", "BBC007", "BBC010", "BBC011", "BBC016", "BBC017", "BBC018")


def run(problem: Problem, options: Options, *, n_threads: int) -> dict[str, Any]:
    """The correction itself; keys as PerformanceEstimate's fields."""
    if options.method != "bbc-f":
        return _engine.correct(problem, options, n_threads=n_threads)
    scores = _engine.fold_scores(problem, options.metric, n_threads=n_threads)
    return _engine.correct_fold_scores(scores, options, n_threads=n_threads)


def to_result(
    raw: dict[str, Any],
    problem: Problem,
    options: Options,
    *,
    given: Any = None,
    winner_findings: tuple[Finding, ...] | None = None,
    known: Collection[Finding] = (),
) -> PerformanceEstimate:
    """The kernel's numbers as a result, in the caller's numbering of configurations.

    `given` are the predictions as the caller passed them, `winner_findings` the findings about the
    winner where its predictions are gone, and `known` those that there was a warning of before.
    """
    metric, truth = options.metric, problem.truth
    kept, winner, winners = problem.kept_configurations, raw["winner"], raw["replicate_winners"]
    unit = options.unit(problem)
    pooling = "fold" if unit == "fold" else options.pooling
    n_classes = 0 if truth.classes is None else len(truth.classes)
    limits = (metric.lowest, metric.highest) if n_classes <= 2 else metric.limits(n_classes)
    if options.interval == "calibrated":
        raw = raw | _engine.calibrated(raw, problem, options, limits)
    between = interval(raw, options, limits)
    luck = None
    found = of_draws(raw, problem, options)
    if options.dynamic_search or type(given) is OutOfSamplePredictions:
        found = of_origin(given, metric, pooling, options.dynamic_search) + found
    if raw.get("model_luck") is not None:
        luck = model_luck(raw["model_luck"])
        if options.method == "bbc":
            found += of_luck(luck, raw["estimate"], between)
    found += of_data(problem, metric)
    if winner_findings is None:
        winner_findings = of_winner(problem, metric, winner)
    found += winner_findings
    if found:
        warn(found, known=known)
    return PerformanceEstimate(
        estimate=raw["estimate"],
        metric=metric.name,
        method=options.method,
        greater_is_better=metric.greater_is_better,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        winner=winner if kept is None else int(kept[winner]),
        apparent=raw["apparent"],
        confidence_interval=between,
        infeasible=raw["infeasible"] or None,
        replicate_sd=raw["replicate_sd"],
        replicates=raw["replicates"],
        replicate_winners=winners if kept is None else kept[winners],
        n_redrawn=raw["n_redrawn"],
        pooling=pooling,
        unit=unit,
        n_folds=0 if problem.folds is None else int(problem.folds[0].max()) + 1,
        n_repeats=problem.n_repeats,
        seed=options.seed,
        version=_VERSION,
        names=problem.names,
        pos_label=truth.pos_label if metric.target == "binary" else None,
        left_out_rows=problem.left_out_rows,
        left_out_configurations=problem.left_out_configurations,
        undefined_fold_share=(raw["undefined_fold_share"] if pooling == "fold" != unit else None),
        model_luck=luck,
        notes=() if problem.seen is None else remarks(problem),
        data_findings=found,
        metric_range=metric.range,
    )


def interval(
    raw: dict[str, Any], options: Options, limits: tuple[float, float]
) -> ConfidenceInterval | None:
    """The kernel's interval, if there is one; its open end is a limit of the metric."""
    if raw["infeasible"]:
        return None
    return ConfidenceInterval(
        low=limits[0] if options.alternative == "less" else raw["low"],
        high=limits[1] if options.alternative == "greater" else raw["high"],
        confidence_level=options.confidence_level,
        alternative=options.alternative,
        calibrated=options.interval == "calibrated",
    )


def warn(findings: Collection[Finding], *, known: Collection[Finding] = ()) -> None:
    """Warn of the findings that call for another analysis, unless they are `known` already."""
    for each in findings:
        if each.code in _WARNED and each not in known:
            _warn.warn(BBCWarning(each))


def of_origin(
    predictions: Any, metric: Metric, pooling: str, dynamic_search: bool = False
) -> tuple[Finding, ...]:
    """What OutOfSamplePredictions know of where they come from."""
    found = []
    own = predictions if isinstance(predictions, OutOfSamplePredictions) else None
    if own is not None and pooling == "pooled" and mixes_decision_values(own, metric):
        assert own.response is not None
        first = own.response.index("decision_function")
        n_more = own.response.count("decision_function") - 1
        name = f"configuration {first}" if own.names is None else repr(own.names[first])
        more = f" and {n_more} other{'s' if n_more > 1 else ''}" if n_more else ""
        found.append(finding("BBC005", name + more))
    if dynamic_search or (own is not None and own.dynamic_search):
        found.append(finding("BBC007", "configurations were chosen in the light of scores"))
    if own is not None and own.time_ordered:
        found.append(finding("BBC018", "each row was predicted by models of earlier rows"))
    return tuple(found)


def mixes_decision_values(predictions: OutOfSamplePredictions, metric: Metric) -> bool:
    """Whether pooling would rank decision values of several folds' models together."""
    if metric.family != "ranking" or metric.predicts not in ("score", "class_scores"):
        return False
    if predictions.response is None or "decision_function" not in predictions.response:
        return False
    folds = predictions.folds
    return folds is None or any(len(np.unique(own[own >= 0])) > 1 for own in folds)


def of_data(problem: Problem, metric: Metric) -> tuple[Finding, ...]:
    """What truth, groups and folds show."""
    found: tuple[Finding, ...] = ()
    if problem.groups is not None and problem.folds is not None:
        found += _split_groups(problem.groups, problem.folds)
    groups = problem.groups
    n_units = len(problem.truth.values) if groups is None else int(groups.max()) + 1
    few = n_units < _FEW_UNITS
    if few:
        found += (finding("BBC002", f"{n_units} {'rows' if groups is None else 'groups'}"),)
    if problem.truth.codes is None:
        return found
    if metric.kernel in _SKEWED:
        scarce = _scarce_class(problem.truth, positive_only=_is_of_the_positive(metric))
        if scarce:
            return (*found, finding("BBC014", scarce))
    if metric.needs_classes and not few:
        scarce = _scarce_class(problem.truth)
        if scarce:
            found += (finding("BBC002", scarce),)
    return found


def of_draws(raw: dict[str, Any], problem: Problem, options: Options) -> tuple[Finding, ...]:
    """What the replicates show."""
    n_redrawn, n_bootstraps = raw["n_redrawn"], options.n_bootstraps
    if n_redrawn <= _MANY_REDRAWN * n_bootstraps or options.method == "bbc-f":
        return ()
    folds = options.drawn_folds(problem)
    # A draw of all folds is common and harmless: it says nothing about the metric.
    harmless = 0.0 if folds is None else _redrawn_for_all_folds(folds)
    if n_redrawn <= (_MANY_REDRAWN + harmless) * n_bootstraps:
        return ()
    metric = options.metric.name
    detail = f"{n_redrawn} draws for {n_bootstraps} replicates left {metric!r} undefined"
    return (finding("BBC006", detail),)


def of_luck(
    luck: ModelLuck | None, estimate: float, interval: ConfidenceInterval | None
) -> tuple[Finding, ...]:
    """What the test of model luck shows, if luck is likely and would matter."""
    if interval is None or luck is None or luck.p_value is None or luck.predicted_bias is None:
        return ()
    limits = (interval.low, interval.high)
    if not _engine.luck_matters(
        luck.p_value, luck.predicted_bias, estimate, *limits, interval.alternative
    ):
        return ()
    detail = (
        f"the estimate is predicted to be too good by {luck.predicted_bias:.2g} "
        f"(p = {luck.p_value:.2g})"
    )
    return (finding("BBC011", detail),)


def _redrawn_for_all_folds(drawn_folds: CodeArray) -> float:
    """Expected redraws per replicate because no fold is left out: K!/K^K of the draws."""
    shares = []
    for n_folds in drawn_folds.max(axis=1) + 1:
        of_all = math.exp(math.lgamma(n_folds + 1) - n_folds * math.log(n_folds))
        shares.append(of_all / (1 - of_all))
    return float(np.mean(shares))


def of_folds(problem: Problem) -> tuple[Finding, ...]:
    """What the method of Tibshirani and Tibshirani says of folds with a single row."""
    assert problem.folds is not None
    sizes = np.concatenate([np.bincount(repeat[repeat >= 0]) for repeat in problem.folds])
    return (finding("BBC004", "a fold has a single row"),) if sizes.min() == 1 else ()


def of_winner(problem: Problem, metric: Metric, winner: int) -> tuple[Finding, ...]:
    """What the predictions of the winner show; `winner` counts the configurations that stay."""
    found = []
    n_rows = len(problem.truth.values)
    if math.isinf(metric.lowest if metric.greater_is_better else metric.highest):
        share, dominates = 0.0, False
        with suppress(ValueError):  # squares that overflow, though R2 itself does not
            share, dominates = _engine.largest_share(problem, metric, winner)
        if dominates:
            detail = f"{100 * share:.3g} % of the winner's loss is that of one row of {n_rows}"
            found.append(finding("BBC013", detail))
    columns = []
    for repeat, array in enumerate(problem.predictions):
        column = array[:, winner]
        columns.append(column if problem.seen is None else column[problem.seen[repeat]])
    if metric.family == "ranking" and _are_labels(columns, problem.truth):
        found.append(finding("BBC016", "the winner's predictions are labels"))
    if _are_the_truth(columns, problem, metric):
        found.append(finding("BBC017", f"its predictions are the truth in all {n_rows} rows"))
    return tuple(found)


def _split_groups(groups: CodeArray, folds: CodeArray) -> tuple[Finding, ...]:
    """Whether a group has rows in several folds: its models saw their like."""
    n_groups = int(groups.max()) + 1
    several = np.zeros(n_groups, dtype=bool)
    for codes in folds:
        there = codes >= 0
        pairs = np.unique(np.column_stack([groups[there], codes[there]]), axis=0)
        several |= np.bincount(pairs[:, 0], minlength=n_groups) > 1
    if not several.any():
        return ()
    detail = f"the folds put rows of {several.sum()} of {n_groups} groups into several folds"
    return (finding("BBC010", detail),)


def remarks(problem: Problem) -> tuple[str, ...]:
    """What is no finding: repeats predicted different rows, which leaves fewer to each score."""
    if problem.seen is None:
        return ()
    fewest = int(problem.seen.sum(axis=1).min())
    return (f"repeats predicted different rows, the fewest {fewest} of {problem.n_rows_given}",)


def _is_of_the_positive(metric: Metric) -> bool:
    """Whether few negative rows leave the metric as it is."""
    binary = dict(metric.parameters).get("average") == "binary"
    return metric.kernel == "average_precision" or binary


def _scarce_class(truth: Truth, *, positive_only: bool = False) -> str:
    """The class with the fewest rows, in words; empty if it has enough."""
    if truth.codes is None or truth.classes is None:
        return ""
    counts = np.bincount(truth.codes, minlength=len(truth.classes))
    rarest = 1 if positive_only else int(counts.argmin())
    if counts[rarest] >= _FEW_OF_A_CLASS:
        return ""
    return f"{counts[rarest]} rows of class {truth.classes[rarest]}"


def _are_the_truth(columns: Sequence[AnyArray], problem: Problem, metric: Metric) -> bool:
    """Whether a configuration's predictions are the truth in each repeat, in a form it may have."""
    truths = _as_predictions(problem, metric)
    for repeat, column in enumerate(columns):
        seen = slice(None) if problem.seen is None else problem.seen[repeat]
        for truth in truths:
            expected = truth[seen]
            # Mostly the first row shows that it is not.
            if column.flat[0] == expected.flat[0] and np.array_equal(column, expected):
                break
        else:
            return False
    return True


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
    few = set(columns[0].flat[:8].tolist())  # of scores these are enough
    whole = truth.integer_labels
    for labels in ({0, 1}, set() if whole is None else set(whole.tolist())):
        if few <= labels:
            values = set(np.unique(np.concatenate(columns)).tolist())
            if len(values) > 1 and values <= labels:
                return True
    return False


def notes(
    predictions: OutOfSamplePredictions,
    problem: Problem,
    metric: Metric,
    *,
    pooling: str,
    winner: int,
    known: Collection[Finding],
) -> dict[str, Any]:
    """Findings and notes of results without a correction; warns of those that are not `known`."""
    found = (
        *of_origin(predictions, metric, pooling),
        *of_data(problem, metric),
        *of_winner(problem, metric, winner),
    )
    warn(found, known=known)
    return {"data_findings": found, "notes": remarks(problem)}


def automatic_pooling(
    predictions: OutOfSamplePredictions, metric: Metric, pos_label: Any = None
) -> Literal["pooled", "fold"]:
    """By fold if pooling would rank decision values of several folds' models together.

    A fold that lacks a class has no score: then they are pooled all the same.
    """
    if predictions.folds is None or not mixes_decision_values(predictions, metric):
        return "pooled"
    scored = _validation.scored_in_every_fold(
        predictions.y, predictions.folds, metric, pos_label=pos_label, labels=predictions.classes
    )
    return "fold" if scored else "pooled"
