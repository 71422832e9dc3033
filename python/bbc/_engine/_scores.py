"""Scores of configurations and of a correction's winners, and what single rows contribute."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._typing import AnyArray, BoolArray, CodeArray, FloatArray, IndexArray
from .._validation import Options, Problem
from ..metrics import Metric, row_loss
from ..selection import BEST
from ._functions import Scorer
from ._kernel import (
    fold_options,
    kernel_options,
    kernel_predictions,
    kernel_scored,
    kernel_target,
    label_values,
    limits,
    predicted,
    replicate_options,
    truth_target,
)


def score(
    problem: Problem, metric: Metric, *, folds: CodeArray | None, n_threads: int
) -> tuple[FloatArray, int]:
    """Scores on all rows, or means over `folds`, NaN where undefined; and the best configuration.

    The best, by the rule of a correction, is -1 if the metric is undefined.
    """
    if metric.family == "callable":
        scores, _ = Scorer(problem, metric, folds).scores(np.arange(problem.n_rows))
        if scores is None:
            return np.full(problem.n_configurations, np.nan), -1
        return scores, int(np.argmax(scores if metric.greater_is_better else -scores))
    return _core.score(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric),
        metric._compiled,
        folds,
        problem.sample_weight,
        n_threads,
    )


def largest_share(problem: Problem, metric: Metric, configuration: int) -> tuple[float, bool]:
    """The largest share of a single row in a configuration's loss, and whether it dominates.

    0 for metrics that are bounded, or no mean of row losses.
    """
    if metric.family != "additive":
        return 0.0, False
    return _core.largest_share(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric, configuration),
        metric._compiled,
        0,
        problem.parts("pooled"),
        problem.sample_weight,
    )


def ranking(problem: Problem, metric: Metric, configuration: int) -> tuple[float, bool]:
    """A configuration's AUC within folds, and whether it is worse than chance."""
    column = kernel_predictions(problem, metric, configuration)
    parts = problem.parts("pooled") if problem.folds is None else problem.folds
    return _core.ranking(kernel_target(problem, metric), column, 0, parts)


class RowFacts(NamedTuple):
    """What rows show of themselves: independent ones, all and of each class, and what is told.

    Units are the groups; of survival, the classes are censored rows and events.
    """

    n_units: float
    n_units_of_class: Sequence[float]
    n_split_units: int = 0
    folds_tell_truth: bool = False
    units_tell_truth: bool = False


def row_facts(problem: Problem) -> RowFacts:
    """What rows show with their folds, groups and weights."""
    truth = problem.truth
    if truth.codes is None and truth.real is None and truth.event is None:
        target = _core.Target.real(np.zeros(len(truth.values)))
    else:
        target = truth_target(problem)
    return RowFacts(*_core.row_facts(target, problem.folds, problem.groups, problem.sample_weight))


def from_truth(problem: Problem, metric: Metric, configuration: int) -> tuple[bool, bool, str]:
    """How a configuration's predictions come from the truth.

    Whether they equal it, whether they are labels that the metric ranks, and up to what they are
    it, in words.
    """
    truth, parts = problem.truth, problem.parts("pooled")
    columns = predicted(problem, configuration)
    if metric.function is None:
        if truth.event is not None:
            return False, False, ""
        return _core.from_truth(truth_target(problem, metric), columns, metric._compiled, 0, parts)
    # Numbers are no censored times, which a function may read as it likes.
    equal = truth.values.ndim == 1 and truth.values.dtype.kind != "V"
    for repeat, column in enumerate(columns):
        rows = slice(None) if parts is None else parts[repeat] >= 0
        equal = equal and column.shape[1:] == (1,)
        equal = equal and np.array_equal(column[rows, 0], truth.values[rows])
    if equal or metric.predicts == "labels" or (truth.codes is None and truth.real is None):
        return equal, False, ""
    target = truth_target(problem, metric)
    return equal, False, _core.from_truth(target, columns, metric._compiled, 0, parts)[2]


def association(problem: Problem, metric: Metric, configuration: int) -> tuple[float, float, bool]:
    """Correlation of predictions and truth within folds, its test, and whether they run against it.

    All 0 where there is nothing to test.
    """
    truth = problem.truth
    of_risks = truth.event is None or metric.predicts == "risk"
    has_truth = truth.codes is not None or truth.real is not None or truth.event is not None
    if problem.folds is None or metric.function is not None or not (of_risks and has_truth):
        return 0.0, 0.0, False
    columns = predicted(problem, configuration)
    target = truth_target(problem, metric)
    return _core.association(target, columns, metric._compiled, 0, problem.folds, problem.groups)


_MOST_CALLS = 500  # of a Python function
_UNDEFINED = "the metric is undefined without one of the rows or groups"


def influence(
    problem: Problem,
    options: Options,
    configuration: int,
    *,
    units: CodeArray | IndexArray | None = None,
    n_units: int = 0,
    n_threads: int,
) -> _core.Influence:
    """Contributions by unit, of which there are at least `n_units`; rows or groups by default."""
    metric = options.metric
    if units is None:
        units = problem.groups
    if metric.family == "callable":
        found = _influence_of_function(problem, options, configuration, units)
    else:
        settings = replicate_options(
            options._replace(resamples=None),
            metric._compiled,
            units=None if units is None else np.ascontiguousarray(units, dtype=np.int32),
            folds=options.parts(problem),
            row_weights=problem.sample_weight,
        )
        found = _core.influence(
            kernel_target(problem, metric),
            kernel_predictions(problem, metric, configuration),
            settings,
            0,
            n_threads,
        )
    lacking = n_units - len(found.values)
    if lacking <= 0 or found.infeasible:
        return found
    return _core.Influence(np.pad(found.values, (0, lacking)), found.n_effective, "")


def n_distinct(problem: Problem) -> int:
    """Configurations with predictions that no other has."""
    return _core.n_distinct(list(map(_comparable, problem.predictions)))


def _comparable(array: AnyArray) -> AnyArray:
    """Predictions as the kernel compares them; those for functions may be text."""
    if array.dtype.kind in "biu" or array.dtype == np.float64:
        return array
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    codes: AnyArray = np.unique(array, return_inverse=True)[1].reshape(array.shape)
    return codes


def class_contributions(problem: Problem, options: Options, configuration: int) -> FloatArray:
    """What each row contributes to a score by the shares of the classes that draws of folds hide.

    Empty where these hide nothing.
    """
    return _core.class_contributions(
        kernel_target(problem, options.metric),
        kernel_predictions(problem, options.metric, configuration),
        kernel_options(problem, options),
        0,
    )


def hidden_by_draws(
    problem: Problem, options: Options, first: FloatArray, second: FloatArray
) -> float:
    """The standard error that draws hide of the difference between two scores of these rows."""
    return _core.hidden_by_draws(first, second, kernel_options(problem, options))


def _influence_of_function(
    problem: Problem, options: Options, configuration: int, units: Any
) -> _core.Influence:
    """The jackknife, as in the kernel."""
    scorer = Scorer(problem, options.metric, options.parts(problem))
    of_row = np.arange(problem.n_rows) if units is None else np.asarray(units)
    there = np.unique(of_row)
    n = len(there)
    step = -(-n // _MOST_CALLS)
    whole = scorer.score(np.arange(problem.n_rows), configuration)
    values = np.zeros(int(of_row.max()) + 1)
    for unit in there[::step]:
        without = scorer.score(np.flatnonzero(of_row != unit), configuration)
        values[unit] = (whole - without) * np.sqrt(step * (n - 1) / n)
    if n < 2 or np.isnan(values).any():
        return _core.Influence(np.empty(0), float(n), _UNDEFINED)
    return _core.Influence(values, float(n), "")


_ROWS = 64  # of a block


def fold_scores(
    problem: Problem, metric: Metric, *, every_fold: bool = True, n_threads: int
) -> FloatArray:
    """Scores on the rows of each fold, of shape (n_repeats, n_folds, n_configurations).

    A fold that leaves the metric undefined is an error; unless `every_fold`, its scores are NaN.
    """
    assert problem.folds is not None
    if metric.family == "callable":
        fold_ids = problem.fold_labels if every_fold else None
        return Scorer(problem, metric, None).fold_scores(problem.folds, fold_ids)
    return _core.fold_scores(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric),
        metric._compiled,
        problem.folds,
        problem.sample_weight,
        every_fold,
        n_threads,
    )


def row_scores(problem: Problem, metric: Metric, *, n_threads: int) -> FloatArray:
    """Scores of single rows, of shape (n_repeats, n_rows, n_configurations).

    Each row is passed to the kernel as a fold, a block of rows at a time.
    """
    blocks = []
    for first in range(0, problem.n_rows, _ROWS):
        rows = np.arange(first, min(first + _ROWS, problem.n_rows))
        folds = np.tile(np.arange(len(rows), dtype=np.int32), (len(problem.predictions), 1))
        block = problem._replace(
            truth=problem.truth.take(rows),
            predictions=tuple(repeat[rows] for repeat in problem.predictions),
            folds=folds,
            sample_weight=None,
        )
        blocks.append(fold_scores(block, metric, every_fold=False, n_threads=n_threads))
    return np.concatenate(blocks, axis=1)


def correct_fold_scores(
    scores: FloatArray,
    options: Options,
    *,
    rows: Problem | None = None,
    classes: CodeArray | None = None,
    n_threads: int,
) -> dict[str, Any]:
    """BBC-F on a matrix of fold scores; keys as PerformanceEstimate's fields.

    Limits hold what the truth of the `rows` tells, where they are known; `classes` are those of a
    truth that is read as numbers. R2 of rows whose folds are known is that of all rows together.
    The key `by_truth` says whether the truth told anything.
    """
    by_function = options.metric.family == "callable"
    metric = mean_of_folds(options.metric) if by_function else options.metric
    complexity = options.selection.complexity
    if rows is None or by_function:
        settings = replicate_options(options, metric._compiled, complexity=complexity)
        raw = _core.correct_fold_scores(scores, settings, None, n_threads) | {"by_truth": False}
    else:
        design = {"units": rows.groups, "folds": rows.folds, "classes": classes}
        settings = replicate_options(options, metric._compiled, complexity=complexity, **design)
        target = kernel_target(rows, metric)
        raw = _core.correct_fold_scores(scores, settings, target, n_threads)
        raw["by_truth"] = _core.truth_tells(target, settings)
    return raw


def truth_tells(metric: Metric, n_classes: float) -> bool:
    """Whether the truth would tell anything of fold scores by the metric."""
    if metric.family == "callable" or metric.function is not None:
        return False
    n = int(n_classes) if np.isfinite(n_classes) and metric.target != "binary" else 0
    return _core.truth_tells(metric._compiled, n)


def spread_shares(values: FloatArray, folds: CodeArray, n_folds: int) -> FloatArray:
    """The variance of the truth in each fold over that of all rows, of shape (n_repeats, n_folds).

    It is 0 of constant folds.
    """
    return _core.spread_shares(values, folds, n_folds)


def correct_by_folds(problem: Problem, options: Options, *, n_threads: int) -> dict[str, Any]:
    """BBC-F on predictions; keys as PerformanceEstimate's fields."""
    metric, rule = options.metric, options.selection.function
    if metric.family != "callable" and rule is None:
        return _core.correct_by_folds(
            kernel_target(problem, metric),
            kernel_predictions(problem, metric),
            fold_options(problem, options),
            n_threads,
        )
    scores = fold_scores(problem, metric, n_threads=n_threads)
    if rule is None:
        return correct_fold_scores(scores, options, n_threads=n_threads)
    target, settings = fold_draws(scores.shape[1], options)
    raw = _core.correct_by_rule(target, list(scores), settings, options.choose, n_threads)
    rates = _terms_of_folds(problem, options, scores, raw["winner"])
    ends = limits(raw["replicates"], raw["estimate"], options, problem, rates=rates)
    return raw | {"rates": rates} | ends


def _terms_of_folds(
    problem: Problem, options: Options, scores: FloatArray, configuration: int
) -> FloatArray:
    """What the limits rest on where folds are drawn; `scores` are those of the folds.

    A metric that is a Python function takes no weights, by which the shares of classes are varied.
    """
    if options.metric.family == "callable":
        return _core.few_folds_terms(np.ascontiguousarray(scores[:, :, configuration]))
    return _core.rate_terms(
        kernel_target(problem, options.metric),
        kernel_predictions(problem, options.metric, configuration),
        fold_options(problem, options),
        0,
        by_folds=True,
    )


def fold_draws(n_folds: int, options: Options) -> tuple[_core.Target, _core.Options]:
    """The kernel's truth and options for draws of folds, which it takes as rows."""
    metric = mean_of_folds(options.metric)._compiled
    return (
        _core.Target.real(np.zeros(n_folds)),
        replicate_options(options, metric, rotate_repeats=True),
    )


def mean_of_folds(metric: Metric, n_classes: float = math.inf) -> Metric:
    """The mean of fold scores, with the name, direction and range of their metric."""
    low, high = metric.limits(n_classes)
    return row_loss(
        lambda y, scores: scores,
        metric.greater_is_better,
        name=metric.name,
        lowest=low,
        highest=high,
    )


class ScoredProblem(NamedTuple):
    """Data of a metric, and the options by which it is scored."""

    problem: Problem
    options: Options


class WinnerScores(NamedTuple):
    """The winners' scores by a metric, NaN where it is undefined; `defined` says where it is."""

    apparent: float
    replicates: FloatArray
    defined: BoolArray
    undefined_fold_share: float
    rates: FloatArray
    size_bias: float | None


def at_cut_offs(scored: ScoredProblem, raw: dict[str, Any]) -> tuple[ScoredProblem, dict[str, Any]]:
    """What a metric of labels reads where a cut-off was chosen, too, as winners among labels.

    The labels of each configuration and cut-off that won stand in the place of configurations.
    """
    problem, options = scored
    chosen = np.column_stack(
        [
            [*raw["replicate_winners"], raw["winner"]],
            [*raw["replicate_thresholds"], raw["threshold"]],
        ]
    )
    pairs, places = np.unique(chosen, axis=0, return_inverse=True)
    places = places.reshape(-1)
    labels = [np.empty((problem.n_rows, len(pairs)), np.int8, "F") for _ in problem.predictions]
    for column, (configuration, cut_off) in enumerate(pairs.tolist()):
        for repeat, scores in enumerate(problem.predictions):
            labels[repeat][:, column] = scores[:, int(configuration)] > cut_off
    cut = problem._replace(predictions=tuple(labels), label_values=np.arange(2))
    # No configuration has a cut-off of its own, whose shift could be taken.
    settings = options._replace(selection=BEST, size_correction=False)
    winners = {"replicate_winners": places[:-1], "winner": int(places[-1])}
    return ScoredProblem(cut, settings), raw | winners


def chosen_output(scored: ScoredProblem, raw: dict[str, Any]) -> ScoredProblem:
    """Data whose only configuration is what a cut-off or an ensemble derives from all rows."""
    problem, options = scored
    if options.selection.rule == "best_threshold":
        return at_cut_offs(scored, raw | {"replicate_winners": (), "replicate_thresholds": ()})[0]
    # How often each configuration is a member.
    counts = np.rint(raw["weights"] * options.selection.size)
    labels = label_values(problem) if options.metric.predicts == "labels" else None
    averages = tuple(_average(array, counts, labels) for array in problem.predictions)
    own = problem._replace(predictions=averages)
    return ScoredProblem(own, options._replace(selection=BEST, size_correction=False))


def _average(predictions: AnyArray, counts: FloatArray, labels: AnyArray | None) -> AnyArray:
    """The mean of the members' numbers, or the label with most votes, the first one on ties.

    They are added up in the order of the members, which R does as well.
    """
    if labels is not None:
        votes = [_average(predictions == label, counts, None) for label in labels]
        leads: AnyArray = labels[np.argmax(votes, axis=0)]
        return leads
    total = np.zeros_like(predictions[:, :1], dtype=np.float64)
    for member in np.flatnonzero(counts):
        total += counts[member] * predictions[:, member : member + 1]
    mean: FloatArray = total / counts.sum()
    return mean


def score_winners(
    scored: ScoredProblem,
    selecting: ScoredProblem,
    raw: dict[str, Any],
    *,
    rows: IndexArray | None = None,
    n_threads: int,
) -> WinnerScores:
    """Score the winners of a correction by another metric on the same out-of-bag units.

    `raw` is the result of the correction by the selection metric. With `rows`, `scored` is the
    problem of these rows alone.
    """
    problem, options = scored
    strata = selecting.problem.strata
    if strata is not None:  # which limits rest on, by whatever metric
        strata = strata if rows is None else np.ascontiguousarray(strata[rows])
        problem = problem._replace(strata=strata)
    redraws = _redraws(selecting, raw, rows)
    chosen, places = _distinct(raw)
    if options.method != "bbc-f":
        given = kernel_scored(problem, options, chosen)
        target, settings = kernel_target(problem, options.metric), kernel_options(problem, options)
    else:
        scores = fold_scores(problem, options.metric, n_threads=n_threads)
        given = list(np.ascontiguousarray(scores[:, :, chosen]))
        target, settings = fold_draws(scores.shape[1], options)
    found = _core.winner_scores(
        target, given, settings, redraws, places[:-1], int(places[-1]), n_threads
    )
    if options.method == "bbc-f":
        found["rates"] = _terms_of_folds(problem, options, scores, int(raw["winner"]))
    return WinnerScores(defined=~np.isnan(found["replicates"]), **found)


def _distinct(raw: dict[str, Any]) -> tuple[IndexArray, IndexArray]:
    """The configurations that won, and the places of the replicates' winners and of the winner."""
    chosen, places = np.unique([*raw["replicate_winners"], raw["winner"]], return_inverse=True)
    return chosen, places.astype(np.int64)


def _redraws(
    selecting: ScoredProblem, raw: dict[str, Any], places: AnyArray | None = None
) -> _core.Redraws:
    """The replicates of a correction, to be drawn again.

    `places` are the rows drawn (folds, for BBC-F) that each row to be scored belongs to, of one
    repeat or of all.
    """
    problem, options = selecting
    if places is not None:
        places = np.ascontiguousarray(np.atleast_2d(places), np.int32)
    if options.method == "bbc-f":
        assert problem.folds is not None
        return _core.Redraws(*fold_draws(int(problem.folds.max()) + 1, options), places=places)
    return _core.Redraws(
        kernel_target(problem, options.metric),
        kernel_options(problem, options),
        places=places,
        attempts=raw.get("attempts"),
    )


def too_few_folds(n_folds: int) -> bool:
    """Whether draws of so few folds have no order statistics that say anything."""
    return _core.too_few_folds(n_folds) != ""


class StatisticOfWinner(NamedTuple):
    """The values of a statistic, NaN where undefined.

    On all rows, of shape (n_values,); out of bag without the winners' shifts, of shape
    (n_bootstraps, n_values); of each value the rates that its limits rest on, and its range.
    """

    apparent: FloatArray
    replicates: FloatArray
    rates: list[FloatArray]
    ranges: FloatArray


def winner_statistics(
    statistic: _core.Statistic,
    scored: ScoredProblem,
    selecting: ScoredProblem,
    raw: dict[str, Any],
    *,
    n_threads: int,
) -> StatisticOfWinner:
    """The statistic of the winner on all rows, and of each replicate's winner out of bag.

    `raw` is the result of the correction by the selection metric.
    """
    problem, options = scored
    chosen, places = _distinct(raw)
    settings, of_rows = kernel_options(problem, options), None
    if options.method == "bbc-f":
        settings = replicate_options(
            options,
            options.metric._compiled,
            folds=problem.parts("pooled"),
            row_weights=problem.sample_weight,
            rotate_repeats=True,
        )
        of_rows = problem.folds
    return StatisticOfWinner(
        *_core.winner_values(
            statistic,
            kernel_target(problem, options.metric),
            kernel_predictions(problem, options.metric, chosen),
            settings,
            _redraws(selecting, raw, of_rows),
            places[:-1],
            int(places[-1]),
            n_threads,
        )
    )


def curve_band(
    replicates: FloatArray,
    confidence_level: float,
    rates: Sequence[FloatArray],
    ranges: FloatArray,
) -> dict[str, AnyArray]:
    """Means and bands of (replicate, point) curves, and the undefined replicates of each point."""
    return _core.curve_band(
        np.ascontiguousarray(replicates),
        confidence_level,
        list(rates),
        np.ascontiguousarray(ranges),
    )
