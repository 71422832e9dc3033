"""Problems and options as the kernel's arguments, and corrections by the kernel.

Arguments are validated already.
"""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from .._validation import Options, Problem, Truth
from ..errors import InvalidValueError
from ..metrics import Metric
from ._functions import metric_and_rule, scores_by_function


def weighted_target(truth: Truth, metric: Metric) -> _core.Target:
    """The truth whose concordance index is the metric."""
    (time,) = metric.times
    make = _core.uno_target if metric.censoring == "uno" else _core.dynamic_auc_target
    return make(*_rows(truth), _probabilities(truth, ())[0], time)


def against_curve(
    problem: Problem, metric: Metric, configuration: int
) -> tuple[float, float, bool]:
    """Score of a configuration, of the Kaplan-Meier curve, and whether the former is worse."""
    times, weights = _brier_weights(problem.truth, metric)
    return _core.against_curve(
        kernel_predictions(problem, metric, configuration),
        times,
        weights,
        metric.times,
        problem.sample_weight,
        problem.groups,
        problem.parts("pooled"),
    )


def _brier_weights(truth: Truth, metric: Metric) -> tuple[FloatArray, FloatArray]:
    """Times of the rows, and their weights at each of the metric's times."""
    events, times = _rows(truth)
    own, later = _probabilities(truth, metric.times)
    return times, _core.brier_weights(events, times, own, later, metric.times)


def _brier_losses(
    predictions: Sequence[AnyArray], truth: Truth, metric: Metric
) -> list[FloatArray]:
    """The losses of survival probabilities, of shape (n_rows, n_configurations)."""
    times, weights = _brier_weights(truth, metric)
    return [
        _core.brier_losses(times, weights, metric.times, np.asarray(array, np.float64)).T
        for array in predictions
    ]


def _rows(truth: Truth) -> tuple[AnyArray, FloatArray]:
    assert truth.event is not None
    assert truth.time is not None
    return truth.event.view(np.uint8), truth.time


def _probabilities(truth: Truth, times: tuple[float, ...]) -> tuple[FloatArray, FloatArray]:
    """Of being uncensored just before each row's time, and beyond each time for each row."""
    assert truth.time is not None
    if truth.uncensored is not None:
        own, later = truth.uncensored[:, 0], truth.uncensored[:, 1:]
        return np.ascontiguousarray(own), np.ascontiguousarray(later)
    assert truth.censored is not None
    event, time, weight = truth.censored
    estimated = _core.Censoring(event.view(np.uint8), time, weight)
    later = estimated.beyond(np.array(times))
    by_row = np.broadcast_to(later, (len(truth.time), len(times)))
    return estimated.before(truth.time), np.ascontiguousarray(by_row)


def pseudo_risks(problem: Problem, time: float, *, n_threads: int) -> FloatArray:
    """Each row's contribution to the Kaplan-Meier probability of an event by a time."""
    rows = _rows(problem.truth)
    return _core.pseudo_event_probabilities(*rows, time, problem.sample_weight, n_threads)


def observed_risk(problem: Problem, time: float, rows: IndexArray) -> float:
    """Kaplan-Meier probability of an event by a time, of some rows."""
    events, times = _rows(problem.truth)
    weights = problem.sample_weight
    own = None if weights is None else weights[rows]
    return _core.event_probability(events[rows], times[rows], time, own)


_PERMUTATIONS = 99
OF_FUNCTION = "a metric that is a Python function"
IN_BLOCKS = "predictions that come in blocks"
OF_DERIVED = "predictions that a cut-off or an ensemble derives"
OF_RUNGS = "predictions that only some configurations have"


def model_luck(
    problem: Problem,
    options: Options,
    target: _core.Target,
    predictions: Sequence[AnyArray],
    metric: _core.Metric,
    winners: IndexArray,
    *,
    n_threads: int,
) -> dict[str, Any]:
    """Test whether fitted models differ; the only key is `model_luck`, with ModelLuck's fields.

    `winners` are those of the replicates, whose models alone can make the estimate too good. The
    calibrated interval was studied with the luck of all configurations.
    """
    assert problem.folds is not None
    chosen = winners[:0] if options.interval == "calibrated" else winners
    design = problem.folds, problem.groups, problem.sample_weight, chosen
    draws = options.seed or 0, _PERMUTATIONS
    return {"model_luck": _core.model_luck(target, predictions, metric, *design, *draws, n_threads)}


def wanted(problem: Problem, options: Options) -> bool:
    """Whether anything depends on luck: an estimate that allows for it needs no test."""
    takes_models_as_given = options.method == "bbc" or options.interval == "calibrated"
    return problem.folds is not None and takes_models_as_given


def untested(problem: Problem, options: Options, why: str) -> dict[str, Any]:
    """Why there is no test, where one is wanted."""
    return {"model_luck": {"untestable": why}} if wanted(problem, options) else {}


def calibrated(
    raw: dict[str, Any], problem: Problem, options: Options, limits: tuple[float, float]
) -> dict[str, Any]:
    """The limits of the calibrated interval of a two-level correction, or why there are none."""
    luck = raw["model_luck"]
    if luck["untestable"]:
        reason = f"a calibrated interval needs the variance of model luck: {luck['untestable']}"
        return {"low": math.nan, "high": math.nan, "infeasible": reason}
    # What the training rows that folds share add, as in comparisons.
    overlap = _core.training_overlap(problem.fewest_folds, problem.n_repeats)
    return _core.calibrated_limits(
        raw["estimate"],
        raw["replicate_sd"],
        problem.fewest_folds,
        luck["luck_variance"],
        overlap,
        raw["rates"],
        options.confidence_level,
        options.alternative,
        *limits,
    )


_ALL = slice(None)
Arguments = tuple[_core.Target, list[AnyArray], _core.Options]


def keep_draws(megabytes: str) -> None:
    """Set the memory for replicates that later calls will ask for again, from text."""
    try:
        n_bytes = float(megabytes) * 1e6
    except ValueError:
        n_bytes = -1.0
    if not 0 <= n_bytes <= 2**53:
        raise InvalidValueError(
            "BBC_DRAW_MEMORY",
            f": a variable of the environment, must be a number of megabytes, got {megabytes!r}",
        )
    _core.set_draw_memory(int(n_bytes))


if "BBC_DRAW_MEMORY" in os.environ:
    keep_draws(os.environ["BBC_DRAW_MEMORY"])


def kernel_version() -> str:
    """Version of the compiled module."""
    return str(_core.__version__)


def kernel_target(problem: Problem, metric: Metric) -> _core.Target:
    """The kernel's truth, which it does not read for a Python function."""
    truth = problem.truth
    if metric.function is not None or metric.censoring == "brier" or metric.odds is not None:
        return _core.Target.real(np.zeros(len(truth.values)))
    return truth_target(problem, metric)


def truth_target(problem: Problem, metric: Metric | None = None) -> _core.Target:
    """The truth itself, as the metric weights it, also where its rows are scored here."""
    truth = problem.truth
    if truth.codes is not None and truth.classes is not None:
        of_integers = truth.classes.dtype.kind in "iu"
        names = [] if of_integers else [str(label) for label in truth.classes]
        values = np.ascontiguousarray(label_values(problem))  # by which errors name classes
        return _core.Target.labels(truth.codes, len(truth.classes), values, names)
    if truth.event is not None and truth.time is not None:
        if metric is not None and metric.censoring:
            return weighted_target(truth, metric)
        return _core.Target.survival(truth.event.view(np.uint8), truth.time)
    assert truth.real is not None
    return _core.Target.real(np.ascontiguousarray(truth.real))


def label_values(problem: Problem) -> IndexArray:
    """What stands for each class among predicted labels."""
    truth = problem.truth
    values = truth.integer_labels if problem.label_values is None else problem.label_values
    return np.arange(truth.n_classes, dtype=np.int64) if values is None else values


def replicate_options(options: Options, metric: _core.Metric, **design: Any) -> _core.Options:
    """The kernel's options, with the arrays that define draws and scores."""
    return _core.Options(
        metric=metric,
        n_bootstraps=options.n_bootstraps,
        seed=options.seed or 0,
        stream=options.stream,
        resamples=options.resamples,
        redraw=options.on_undefined == "redraw",
        confidence_level=options.confidence_level,
        alternative=options.alternative,
        size_correction=options.size_correction,
        fixed_class_counts=options.class_counts == "fixed",
        **design,
    )


def kernel_options(problem: Problem, options: Options) -> _core.Options:
    """The kernel's options to draw rows or groups of a problem."""
    complexity, rungs = options.selection.complexity, None
    if options.selection.rungs is not None and problem.predicted is not None:
        burn, choose_only = options.selection.rungs.burn, problem.choose_only
        (predicted,), of_row = problem.predicted, problem.rungs
        rungs = _core.find_rungs(
            predicted, None if of_row is None else of_row[0], problem.groups, burn, choose_only
        )
    # Also of rows that are drawn freely, for questions that permute the folds.
    reads_classes = options.method == "bbc-two-level" or problem.stratified_by is not None
    return replicate_options(
        options,
        options.metric._compiled,
        units=problem.groups,
        strata=problem.strata,
        drawn_folds=problem.folds if options.method == "bbc-two-level" else None,
        folds=problem.parts(options.pooling),
        row_weights=problem.sample_weight,
        complexity=complexity,
        complexity_folds=None if complexity is None else problem.folds,
        choice=options.selection.rule if options.selection.derives else "",
        choice_size=options.selection.size or 0,
        rungs=rungs,
        classes=problem.drawn_classes if reads_classes else None,
    )


def fold_options(problem: Problem, options: Options) -> _core.Options:
    """The kernel's options to draw the folds of a problem."""
    return replicate_options(
        options,
        options.metric._compiled,
        units=problem.groups,
        folds=problem.folds,
        row_weights=problem.sample_weight,
        complexity=options.selection.complexity,
        classes=problem.drawn_classes,
    )


def predicted(problem: Problem, configurations: int | slice | IndexArray) -> list[AnyArray]:
    """Predictions as the caller passed them, one array per repeat; none that was broadcast."""
    if isinstance(configurations, int):
        configurations = slice(configurations, configurations + 1)
    some = [array[:, configurations] for array in problem.predictions]
    return [np.ascontiguousarray(each) if 0 in each.strides else each for each in some]


def kernel_predictions(
    problem: Problem, metric: Metric, configurations: int | slice | IndexArray = _ALL
) -> list[AnyArray]:
    """One array per repeat: of all configurations, of one, or of some.

    The function of a `row_loss` metric is applied here, column by column; survival probabilities
    become losses and calls benefits, too. The kernel takes no array that was broadcast.
    """
    arrays = predicted(problem, configurations)
    if metric.censoring == "brier":
        return _brier_losses(arrays, problem.truth, metric)
    if metric.odds is not None:
        return _benefits(arrays, problem, metric.odds)
    if metric.function is None:
        return arrays
    return [_losses_by_function(array, problem, metric) for array in arrays]


def kernel_scored(
    problem: Problem, options: Options, chosen: IndexArray | None = None
) -> list[AnyArray] | _core.ScoresByFunction:
    """What the kernel scores, of all configurations or of some: predictions, or a function."""
    if options.metric.family == "callable":
        return scores_by_function(problem, options, chosen)
    return kernel_predictions(problem, options.metric, _ALL if chosen is None else chosen)


def _benefits(labels: list[AnyArray], problem: Problem, odds: float) -> list[AnyArray]:
    """What each call gains: 1 if it is true, less the odds if it is not."""
    truth, values = problem.truth, problem.label_values
    assert truth.codes is not None
    assert values is not None
    gains = np.where(truth.codes == 1, 1.0, -odds)
    return [np.where(array == values[1], gains[:, np.newaxis], 0.0) for array in labels]


def _losses_by_function(predictions: AnyArray, problem: Problem, metric: Metric) -> FloatArray:
    assert metric.function is not None
    truth = problem.truth.values
    n_rows, n_configurations = predictions.shape[:2]
    losses = np.empty((n_rows, n_configurations), order="F")
    for j in range(n_configurations):
        values = np.asarray(metric.function(truth, predictions[:, j]), dtype=np.float64)
        if values.shape != (n_rows,):
            raise InvalidValueError(
                "metric",
                f": {metric.name!r} must give one number per row, so an array of shape "
                f"({n_rows},), but gave shape {values.shape} for {problem.called(j)}",
            )
        if not np.isfinite(values).all():
            row = int(np.argmin(np.isfinite(values)))
            raise InvalidValueError(
                "metric", f": {metric.name!r} is not finite at row {row}, {problem.called(j)}"
            )
        losses[:, j] = values
    return losses


def _arguments(problem: Problem, options: Options) -> Arguments:
    metric = options.metric
    return (
        kernel_target(problem, metric),
        kernel_predictions(problem, metric),
        kernel_options(problem, options),
    )


def correct(problem: Problem, options: Options, *, n_threads: int) -> dict[str, Any]:
    """Correct for selection; keys as PerformanceEstimate's fields."""
    metric = options.metric
    if options.selection.rungs is not None:
        problem, options = _in_one_repeat(problem, options)
    if metric.family == "callable":
        raw = _by_rule(problem, options, *metric_and_rule(problem, options), n_threads=n_threads)
        return raw | untested(problem, options, OF_FUNCTION)
    target, predictions = kernel_target(problem, metric), kernel_predictions(problem, metric)
    if options.selection.function is None:
        raw = _core.correct(target, predictions, kernel_options(problem, options), n_threads)
        of_others = metric.function or metric.odds or options.selection.derives
        if not of_others and problem.truth.event is None:
            parts = problem.parts("pooled")
            raw["from_truth"] = _core.from_truth(
                target, predictions, metric._compiled, raw["winner"], parts
            )
    else:
        raw = _by_rule(problem, options, predictions, options.choose, n_threads=n_threads)
    if problem.folds is not None:
        raw |= _luck(problem, options, target, predictions, raw["replicate_winners"], n_threads)
    return raw


def _by_rule(
    problem: Problem,
    options: Options,
    given: list[AnyArray] | _core.ScoresByFunction,
    choose: Callable[..., int],
    *,
    n_threads: int,
) -> dict[str, Any]:
    """A correction whose winners Python chooses, by scores of predictions or of a function."""
    target, settings = kernel_target(problem, options.metric), kernel_options(problem, options)
    return _core.correct_by_rule(target, given, settings, choose, n_threads)


def _in_one_repeat(problem: Problem, options: Options) -> tuple[Problem, Options]:
    """Rungs of repeats: rows of one repeat, of which those of the same row are drawn together.

    A row that an earlier rung has seen in another repeat is not fresh, as one whose group was seen.
    """
    rule, n_rows, n_repeats = options.selection, problem.n_rows, len(problem.predictions)
    if problem.predicted is None or rule.rungs is None or n_repeats == 1:
        return problem, options
    predicted = np.concatenate(problem.predicted)
    there = predicted.any(axis=1)
    predicted, rows = predicted[there], np.tile(np.arange(n_rows), n_repeats)[there]
    units = np.arange(n_rows, dtype=np.int32) if problem.groups is None else problem.groups
    given, strata, weights = problem.rungs, problem.strata, problem.sample_weight
    rungs = None if given is None else np.concatenate(given)[there]
    # Many repeats add no rows: the share is that of rows that some repeat has seen.
    place = -predicted.sum(axis=1, dtype=np.int64) if rungs is None else rungs
    first = np.full(n_rows, place.max())
    np.minimum.at(first, rows, place)
    reached = np.sort(first)[max(0, math.ceil(rule.rungs.burn * n_rows) - 1)]
    burn = (np.count_nonzero(place <= reached) - 0.5) / len(rows)
    cells = problem._replace(
        truth=problem.truth.take(rows),
        predictions=(np.concatenate(problem.predictions)[there],),
        predicted=predicted[None],
        rungs=None if rungs is None else rungs[None],
        groups=units[rows],
        strata=None if strata is None else strata[rows],
        sample_weight=None if weights is None else weights[rows],
        seen=None,
        folds=None,
        fold_labels=None,
    )
    rule = replace(rule, rungs=replace(rule.rungs, burn=burn if rule.rungs.burn > 0 else 0))
    return cells, options._replace(selection=rule)


def correct_families(
    problems: Sequence[Problem], options: Options, *, n_threads: int
) -> list[dict[str, Any]]:
    """Correct problems that differ in their predictions only: what `correct` gives for each."""
    metric = options.metric
    if metric.family == "callable" or options.selection.function is not None:
        return [correct(problem, options, n_threads=n_threads) for problem in problems]
    target = kernel_target(problems[0], metric)
    families = list(map(kernel_predictions, problems, [metric] * len(problems)))
    settings = kernel_options(problems[0], options)
    results = _core.correct_families(target, families, settings, n_threads)
    for raw, problem, predictions in zip(results, problems, families, strict=True):
        raw |= _luck(problem, options, target, predictions, raw["replicate_winners"], n_threads)
    return results


def _luck(
    problem: Problem,
    options: Options,
    target: _core.Target,
    predictions: Sequence[AnyArray],
    winners: IndexArray,
    n_threads: int,
) -> dict[str, Any]:
    """Whether fitted models differ, or why that was not tested; nothing where none is wanted."""
    if options.selection.derives:
        why = OF_DERIVED if options.selection.rungs is None else OF_RUNGS
        return untested(problem, options, why)
    if not wanted(problem, options):
        return {}
    metric = options.metric._compiled
    return model_luck(problem, options, target, predictions, metric, winners, n_threads=n_threads)


def streaming_correction(problem: Problem, options: Options) -> _core.Correction:
    """An empty correction, to which blocks of `kernel_predictions` are added."""
    return _core.Correction(
        kernel_target(problem, options.metric), kernel_options(problem, options)
    )


def finish(correction: _core.Correction, problem: Problem, options: Options) -> dict[str, Any]:
    """The result of a streaming correction; keys as PerformanceEstimate's fields."""
    return correction.finish() | untested(problem, options, IN_BLOCKS)


def naive_bootstrap(
    problem: Problem, options: Options, kind: str, *, n_threads: int
) -> dict[str, Any]:
    """Bootstrap interval of one fixed configuration."""
    target, predictions, settings = _arguments(problem, options)
    limits = options.metric.limits(problem.truth.n_classes)
    return _core.naive_bootstrap(target, predictions[0], settings, kind, *limits, n_threads)


def dominated(
    problem: Problem, options: Options, *, dropping_level: float, n_threads: int
) -> tuple[int, FloatArray, BoolArray]:
    """The best, how often each configuration is strictly worse, and which are dominated."""
    best, share_worse, is_dominated = _core.dominated(
        *_arguments(problem, options), dropping_level, n_threads
    )
    return best, share_worse, is_dominated.astype(np.bool_)


def moments(
    replicates: FloatArray,
    winners: IndexArray,
    apparent: float,
    options: Options,
    n_configurations: int,
) -> dict[str, Any]:
    """Estimate and standard deviation from replicates, by the rule of the kernel."""
    choice = options.selection.rule if options.selection.derives else ""
    settings = replicate_options(options, options.metric._compiled, choice=choice)
    estimate, sd, error = _core.replicate_moments(replicates, apparent, n_configurations, settings)
    return {
        "apparent": apparent,
        "estimate": estimate,
        "replicate_sd": sd,
        "monte_carlo_error": (error, math.nan, math.nan),
        "replicates": replicates,
        "replicate_winners": winners,
    }


def limits(
    replicates: FloatArray,
    estimate: float,
    options: Options,
    problem: Problem | None,
    *,
    rates: FloatArray,
) -> dict[str, Any]:
    """The limits of a corrected performance, or why there are none.

    `rates` are those of the winner, which the score interval rests on; none for other metrics.
    """
    metric = options.metric
    n_classes = math.inf if problem is None else problem.truth.n_classes
    return _core.corrected_limits(
        replicates,
        estimate,
        rates,
        options.confidence_level,
        options.alternative,
        *metric.limits(n_classes),
    )
