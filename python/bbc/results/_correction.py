"""From the kernel's numbers to a result, with the findings that data, predictions and draws show.

Findings do not depend on how the predictions were passed: all results get theirs here.
"""

import math
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, Literal

import numpy as np

from .. import _engine, _validation, _warn
from .._design import UNKNOWN, Design
from .._digits import decimals
from .._frozen import filled, frozen_copy
from .._result import plain_label
from .._typing import AnyArray, CodeArray
from .._validation import Options, Problem
from ..errors import BBCWarning
from ..findings import Finding
from ..findings import found as shown_by
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ._estimate import PerformanceEstimate, name_of
from ._fold_events import fold_event_findings
from ._parts import ConfidenceInterval, ModelLuck, MonteCarloError

_VERSION = _engine.kernel_version()
#: Distinct rows whose counts, all of them, chance does not make multiples of one number.
_FEWEST_DISTINCT = 20
#: What gives scores that share no scale between models; by whether these are risks.
_METHOD_OF_OWN_SCALE = {False: "decision_function", True: "predict"}


def to_result(
    raw: dict[str, Any],
    problem: Problem,
    options: Options,
    *,
    predictions: Any = None,
    of_winner: Problem | None = None,
    tells_winner: bool = True,
    known: Collection[Finding] | None = (),
    decided_by: str = "",
) -> PerformanceEstimate:
    """The kernel's numbers as a result, in the caller's numbering of configurations.

    `predictions` are those that the caller passed, `of_winner` has the winner's where the others
    are no longer in memory, which `tells_winner` says to look at; `known` are the findings that
    were warned of before (None: all that matter). `decided_by` names the metric that selected the
    winners, if it is another one.
    """
    metric, truth = options.metric, problem.truth
    method = "bbc-f" if problem.of_folds else options.method
    unit = options.unit(problem)
    pooling = "fold" if unit == "fold" else options.pooling
    if options.interval == "calibrated":
        ends = _engine.calibrated(raw, problem, options, metric.limits(truth.n_classes))
        raw = raw | ends | {"monte_carlo_error": raw["monte_carlo_error"]}
    infeasible = raw.get("infeasible")
    limits = None if infeasible else interval(raw, options, truth.n_classes)
    errors = monte_carlo_error(raw, limits)
    design = design_of(problem, predictions, options)
    read, place = (problem, raw["winner"]) if of_winner is None else (of_winner, 0)
    found: tuple[Finding, ...] = ()
    is_known = type(predictions) is OutOfSamplePredictions
    of_search = is_known or options.dynamic_search or problem.of_folds or problem.n_stopped
    if of_search or problem.time_indexed:
        found = _of_origin(problem, options, predictions, design)
    if "fold" in (unit, pooling):
        found += _of_folds(read, options, place)
    if raw["n_redrawn"] and not decided_by:  # which alone draws anew
        found += draw_findings(raw, problem, options)
    luck = None if decided_by or "model_luck" not in raw else model_luck(raw["model_luck"])
    if luck is not None and method == "bbc":
        found += luck_findings(luck, raw["estimate"], limits)
    found += data_findings(problem, metric, design)
    if is_known or (problem.predictions and problem.predictions[0].dtype.kind == "f"):
        found += copy_findings(predictions, problem)
    if tells_winner and options.selection.rungs is not None:  # other columns have holes
        found += winner_findings(read.alone(place), metric, 0)
    elif tells_winner and not options.selection.derives:  # which has no column of its own
        found += winner_findings(read, metric, place, raw.get("from_truth"))
    tails = raw.get("few_events") or raw.get("alike_errors") or raw.get("kurtosis") is not None
    if tails and not (infeasible or design.interval == "calibrated"):
        found += limit_findings(raw, found, decimals(errors, limits))
    if found and known is not None:
        warn(found, known=known)
    return filled(
        PerformanceEstimate,
        method=method,
        confidence_interval=limits,
        decided_by=decided_by,
        pooling=pooling,
        unit=unit,
        n_folds=problem.n_folds,
        seed=options.seed,
        undefined_fold_share=raw["undefined_fold_share"] if pooling == "fold" != unit else None,
        infeasible=infeasible,
        notes=remarks(problem, options, raw, observed=design.training == "observed"),
        model_luck=luck,
        data_findings=found,
        design=design,
        monte_carlo_error=errors,
        **facts_of(problem, metric) | numbers(raw, problem),
    )


def numbers(raw: dict[str, Any], problem: Problem) -> dict[str, Any]:
    """Scores and choices of all rows and of each replicate, in the caller's numbering."""
    winner, kept = int(raw["winner"]), problem.kept_configurations
    winners, thresholds = raw["replicate_winners"], raw.get("replicate_thresholds")
    if kept is not None:
        winner, winners = int(kept[winner]), kept[winners]
    arrays = {
        "replicates": raw["replicates"],
        "replicate_winners": winners,
        "left_out_rows": problem.left_out_rows,
        "left_out_configurations": problem.left_out_configurations,
    }
    if thresholds is not None:
        arrays["replicate_thresholds"] = thresholds
    if raw.get("weights") is not None:
        arrays["weights"] = problem.of_all(raw["weights"])
        arrays["membership_frequency"] = problem.of_all(raw["selection_frequency"])
    for name, values in arrays.items():
        if values.flags.writeable:  # what the kernel made is not
            arrays[name] = frozen_copy(values, np.int64 if values.dtype.kind == "i" else np.float64)
    return arrays | {
        "estimate": float(raw["estimate"]),
        "apparent": float(raw["apparent"]),
        "replicate_sd": float(raw["replicate_sd"]),
        "n_redrawn": raw["n_redrawn"],
        "n_undefined": raw.get("n_undefined", 0),
        "size_bias": raw.get("size_bias"),
        "winner": winner,
        "winner_name": problem.names[winner] if problem.names else f"configuration {winner}",
        "threshold": None if thresholds is None else float(raw["threshold"]),
    }


def monte_carlo_error(raw: dict[str, Any], limits: ConfidenceInterval | None) -> MonteCarloError:
    """The kernel's errors as a result; calibrated limits are not those of replicates."""
    estimate, low, high = raw["monte_carlo_error"]
    if limits is None or limits.calibrated:
        return filled(MonteCarloError, estimate=estimate)
    low, high = (None if math.isnan(error) else error for error in (low, high))
    return filled(MonteCarloError, estimate=estimate, low=low, high=high)


def model_luck(raw: dict[str, Any]) -> ModelLuck:
    """The kernel's test as a result, without the numbers of a test that was not possible."""
    return ModelLuck(untestable=raw["untestable"]) if raw["untestable"] else ModelLuck(**raw)


def design_of(problem: Problem, predictions: Any, options: Options | None = None) -> Design:
    """The design of an analysis of a problem; without options nothing was drawn."""
    truth, groups, weights = problem.truth, problem.groups, problem.sample_weight
    event = truth.event
    counts: tuple[tuple[Any, int], ...] = ()
    n_events = None if event is None else int(np.count_nonzero(event))
    if truth.codes is not None and truth.classes is not None:
        if truth.n_classes == 2:
            ones = int(np.count_nonzero(truth.codes))
            numbers = [len(truth.codes) - ones, ones]
        else:
            numbers = np.bincount(truth.codes, minlength=truth.n_classes).tolist()
        labels = truth.classes.tolist()
        if truth.classes.dtype.kind not in "biufU":
            labels = list(map(plain_label, labels))
        counts = tuple(zip(labels, numbers, strict=True))
    if len(counts) == 2:
        n_events = counts[1][1]
        event = None if groups is None else np.asarray(truth.codes == 1)
    training = problem.of_folds or UNKNOWN
    if isinstance(predictions, OutOfSamplePredictions):
        training = predictions.training
    rule = None if options is None else options.selection
    n_with_event = None if groups is None or event is None else len(np.unique(groups[event]))
    in_blocks = options is not None and options.method != "bbc-f" and are_blocks(groups)
    told = {
        "dynamic_search": (options is not None and options.dynamic_search)
        or training.dynamic_search,
        "n_rows_scored": None if problem.of_folds else len(truth.values),
        "n_groups": None if groups is None else int(groups.max()) + 1,
        "n_groups_with_event": n_with_event,
        "n_events": n_events,
        "class_counts": counts,
        "stratified_draws": options is not None and problem.strata is not None,
        "weighted": weights is not None and bool((weights != weights[0]).any()),
        "block_draws": groups is not None and in_blocks,
        "selection": "" if rule is None else str(rule) if rule.derives else rule.rule,
        "interval": "" if options is None else options.interval,
        "block_length": problem.block_length or None,
    }
    return filled(Design, **vars(training) | told)


def are_blocks(groups: CodeArray | None) -> bool:
    """Whether each group is a block of consecutive rows, and some have several."""
    # Codes are in the order of first rows, so those of blocks never fall.
    return (
        groups is not None
        and int(groups[-1]) + 1 < len(groups)
        and bool((groups[1:] >= groups[:-1]).all())
    )


def facts_of(problem: Problem, metric: Metric) -> dict[str, Any]:
    """Metric and size of the data, as fields of a result."""
    return {
        "metric": metric.name,
        "metric_range": metric.range,
        "greater_is_better": metric.greater_is_better,
        "n_rows": problem.n_rows_given,
        "n_configurations": problem.n_configurations_given,
        "n_repeats": problem.n_repeats,
        "names": problem.names,
        "pos_label": plain_label(problem.truth.pos_label) if metric.target == "binary" else None,
        "left_out_rows": problem.left_out_rows,
        "left_out_configurations": problem.left_out_configurations,
        "version": _VERSION,
    }


def interval(raw: dict[str, Any], options: Options, n_classes: float) -> ConfidenceInterval:
    """The kernel's interval; its open end is a limit of the metric for that many classes.

    Of a function whose range nobody gave it is the smallest or the largest replicate.
    """
    low, high, sides = raw["low"], raw["high"], options.alternative
    if sides != "two-sided":
        ends = options.metric.limits(n_classes)
        if options.metric.range is None:
            ends = np.nanmin(raw["replicates"]), np.nanmax(raw["replicates"])
        low, high = (float(ends[0]), high) if sides == "less" else (low, float(ends[1]))
    return filled(
        ConfidenceInterval,
        low=low,
        high=high,
        confidence_level=options.confidence_level,
        alternative=sides,
        calibrated=options.interval == "calibrated",
    )


def warn(findings: Collection[Finding], *, known: Collection[Finding] = ()) -> None:
    """Warn of findings that call for another analysis and are not `known` already."""
    for each in findings:
        if each.kind.level == "warning" and each not in known:
            _warn.warn(BBCWarning(each))


def uncorrected_findings(
    predictions: Any,
    problem: Problem,
    options: Options,
    *,
    winner: int,
    known: Collection[Finding] = (),
) -> dict[str, Any]:
    """Findings and notes of a result without replicates, as its fields; warns of the new ones."""
    metric, pooling = options.metric, options.pooling
    design = design_of(problem, predictions)
    found = (
        *origin_findings(
            predictions,
            problem,
            options,
            pooling,
            block_draws=are_blocks(problem.groups),
        ),
        *data_findings(problem, metric, design),
        *copy_findings(predictions, problem),
        *winner_findings(problem, metric, winner),
        *(fold_event_findings(problem, metric, winner) if pooling == "fold" else ()),
    )
    warn(found, known=known)
    return {
        "data_findings": found,
        "notes": remarks(problem),
        "design": design,
    }


def origin_findings(
    predictions: Any,
    problem: Problem,
    options: Options,
    pooling: str,
    *,
    n_stopped: int | None = None,
    block_draws: bool = False,
) -> tuple[Finding, ...]:
    """What OutOfSamplePredictions, or scores of folds, record of the search that made them."""
    made = predictions if isinstance(predictions, OutOfSamplePredictions) else None
    known = made or problem.of_folds or UNKNOWN
    facts: dict[str, Any] = {
        "dynamic_search": options.dynamic_search or bool(known.dynamic_search),
        "n_stopped": n_stopped,
        "time_ordered": bool(known.time_ordered),
        "block_draws": block_draws,
        **dict.fromkeys(("first_mixed", "n_mixed", "n_more_mixed")),
    }
    if made is not None and pooling == "pooled" and mixes_scales(made, options.metric):
        assert made.response is not None
        method = _METHOD_OF_OWN_SCALE[options.metric.predicts == "risk"]
        first, n_mixed = made.response.index(method), made.response.count(method)
        named = name_of(None, first) if made.names is None else repr(made.names[first])
        facts |= {"first_mixed": named, "n_mixed": n_mixed, "n_more_mixed": n_mixed - 1}
    found = shown_by("origin", facts)
    time_indexed = problem.time_indexed or (made is not None and made.time_indexed)
    if not time_indexed or facts["time_ordered"]:
        return found
    return found + shown_by("index", {"time_indexed": True, "block_draws": block_draws})


def mixes_scales(predictions: OutOfSamplePredictions, metric: Metric) -> bool:
    """Whether pooling would rank, or cut, scores of several folds' models that share no scale.

    These are decision values, and risks: a Cox model's are relative to its own training rows.
    """
    of_risks = metric.predicts == "risk"
    if metric.family == "callable" or not (of_risks or metric.response == "scores"):
        return False
    if _METHOD_OF_OWN_SCALE[of_risks] not in (predictions.response or ()):
        return False
    folds = predictions.folds
    return folds is None or any(len(np.unique(repeat[repeat >= 0])) > 1 for repeat in folds)


def data_findings(problem: Problem, metric: Metric, design: Design) -> tuple[Finding, ...]:
    """What truth, groups and folds show; few folds have a finding of their own."""
    if problem.of_folds:
        return ()
    truth, groups, folds = problem.truth, problem.groups, problem.folds
    counts = design.class_counts
    if groups is None and folds is None and problem.sample_weight is None:
        n_events = 0 if truth.event is None else int(np.count_nonzero(truth.event))
        sizes = [n for _, n in counts] if truth.event is None else [0, n_events]
        rows = _engine.RowFacts(len(truth.values), sizes)
    else:
        rows = _engine.row_facts(problem)
    n_groups = None if groups is None or folds is None else int(groups.max()) + 1
    facts = {
        "n_units": float(rows.n_units),
        "units": _units(problem),
        "needs_classes": metric.needs_classes or truth.event is not None,
        "skewed": bool(metric._facts.get("skewed")),
        "survival": truth.event is not None,
        # Blocks are units of drawing only, which folds may cut.
        "time_ordered": bool(design.time_ordered or problem.block_length),
        "block_groups": groups is not None and are_blocks(groups),
        "n_split_groups": None if n_groups is None else rows.n_split_units,
        "n_groups": n_groups,
        "n_of_rarest": None,
        "rarest": None,
        "n_of_counted": None,
        "counted": None,
        "folds_tell_truth": rows.folds_tell_truth,
        "groups_tell_truth": rows.units_tell_truth and not problem.block_length,
        "n_truth_folds": None if folds is None else int(folds[0].max()) + 1,
    }
    if counts:
        units = list(map(float, rows.n_units_of_class))
        rarest = units.index(min(units))
        # Few negative rows leave these as they are.
        binary = ("average", "binary") in metric.parameters
        counted = 1 if metric.kernel == "average_precision" or binary else rarest
        facts |= {
            "n_of_rarest": units[rarest],
            "rarest": counts[rarest][0],
            "n_of_counted": units[counted],
            "counted": counts[counted][0],
        }
    elif truth.event is not None:
        facts["n_of_rarest"] = float(rows.n_units_of_class[1])
    return shown_by("data", facts)


def copy_findings(predictions: Any, problem: Problem) -> tuple[Finding, ...]:
    """Whether rows occur again, as who trained the models saw, or as predictions show."""
    facts: dict[str, Any] = {"n_rows": problem.n_rows_given, "n_copies": None, "n_times": None}
    if isinstance(predictions, OutOfSamplePredictions):
        facts["n_copies"] = predictions.n_copies
    if not facts["n_copies"] and problem.predictions and problem.predictions[0].dtype.kind == "f":
        facts["n_times"] = _times_over(problem)
    return shown_by("copies", facts) if facts["n_copies"] or facts["n_times"] else ()


def _times_over(problem: Problem) -> int | None:
    """How often each row occurs, with the same truth and real predictions, if all do equally often.

    Rows that are equal by chance occur in all numbers, and groups say themselves what depends.
    """
    has_holes = problem.seen is not None or problem.predicted is not None
    if problem.groups is not None or has_holes:
        return None
    columns = [array.reshape(len(array), -1) for array in problem.predictions]
    first = columns[0][:, 0]
    # Mostly the first row shows that predictions are distinct.
    if np.count_nonzero(first == first[0]) < 2 or _common_factor(first) < 2:
        return None
    truth = problem.truth
    said = (truth.codes, truth.real, truth.event, truth.time)
    columns += [each.reshape(-1, 1) for each in said if each is not None]
    rows = np.column_stack([column.astype(np.float64) for column in columns])
    n_times = _common_factor(rows.view([("", np.float64)] * rows.shape[1]).reshape(-1))
    return n_times if n_times > 1 else None


def _common_factor(values: AnyArray) -> int:
    """The largest number that divides the counts of all distinct values; 1 if they are few."""
    counts = np.unique(values, return_counts=True)[1]
    return int(np.gcd.reduce(counts)) if len(counts) >= _FEWEST_DISTINCT else 1


def _units(problem: Problem) -> str:
    """What rows that vote for themselves are called."""
    units = "rows" if problem.groups is None else "groups"
    if problem.block_length:
        units = "independent stretches of rows"
    return units if problem.sample_weight is None else f"effective {units}"


def draw_findings(raw: dict[str, Any], problem: Problem, options: Options) -> tuple[Finding, ...]:
    """What many redraws show."""
    n_redrawn, n_bootstraps = raw["n_redrawn"], options.n_bootstraps
    if options.method == "bbc-f" or problem.of_folds:
        return ()
    facts = {
        "redrawn_share": n_redrawn / n_bootstraps,
        "n_redrawn": n_redrawn,
        "n_bootstraps": n_bootstraps,
        "metric": options.metric.name,
    }
    found = shown_by("draws", facts)
    folds = options.drawn_folds(problem) if found else None
    if folds is None:
        return found
    # A draw of all folds is common and harmless: it does not depend on the metric.
    facts["redrawn_share"] -= _redrawn_for_all_folds(folds)
    return shown_by("draws", facts)


def limit_findings(
    raw: dict[str, Any], known: tuple[Finding, ...], places: int | None
) -> tuple[Finding, ...]:
    """What limits rest on beside the replicates, as far as no known finding says so.

    That is the number of events, or tails of errors. Limits are told with so many decimals.
    """
    names = ("replicates_low", "replicates_high", "kurtosis", "alike_errors")
    facts = {name: raw.get(name) for name in names}
    facts |= {"limits_count_events": raw.get("few_events", False), "decimals": places}
    found = shown_by("limits", facts)
    codes = {one.code for one in known}
    return tuple(one for one in found if one.code not in codes)


def luck_findings(
    luck: ModelLuck | None, estimate: float, interval: ConfidenceInterval | None
) -> tuple[Finding, ...]:
    """What the test of model luck shows, if luck is likely and would matter."""
    if interval is None or luck is None or luck.p_value is None or luck.predicted_bias is None:
        return ()
    limits = (interval.low, interval.high)
    matters = _engine.kernel.luck_matters(
        luck.p_value, luck.predicted_bias, estimate, *limits, interval.alternative
    )
    return shown_by(
        "luck",
        {"luck_matters": matters, "luck_bias": luck.predicted_bias, "luck_p": luck.p_value},
    )


def _redrawn_for_all_folds(drawn_folds: CodeArray) -> float:
    """Expected redraws per replicate because no fold is left out: K!/K^K of the draws."""
    shares = []
    for n_folds in drawn_folds.max(axis=1) + 1:
        of_all = math.exp(math.lgamma(n_folds + 1) - n_folds * math.log(n_folds))
        shares.append(of_all / (1 - of_all))
    return float(np.mean(shares))


#: Facts of a winner of which there is nothing to tell.
_NOTHING_OF_WINNER: dict[str, Any] = dict.fromkeys(
    (
        *("row_share", "row_dominates", "ranks_worse_than_chance", "in_folds", "auc"),
        *("runs_against", "correlation", "as_function", "winner_name"),
        *("worse_than_curve", "score", "curve_score"),
    )
)


def winner_findings(
    problem: Problem, metric: Metric, winner: int, from_truth: tuple[bool, bool, str] | None = None
) -> tuple[Finding, ...]:
    """What the predictions of the winner show; `winner` counts the configurations that stay.

    `from_truth` is what the kernel said of them, if it was asked already.
    """
    facts = _NOTHING_OF_WINNER | {"n_rows": len(problem.truth.values)}
    if math.isinf(metric.lowest if metric.greater_is_better else metric.highest):
        with suppress(ValueError):  # squares that overflow, though R2 itself does not
            share, dominates = _engine.largest_share(problem, metric, winner)
            facts |= {"row_share": share, "row_dominates": dominates}
    if metric._facts.get("form") == "ranking" and metric.predicts == "score":
        auc, worse = _engine.ranking(problem, metric, winner)
        facts |= {
            "ranks_worse_than_chance": worse,
            "in_folds": problem.folds is not None,
            "auc": auc,
        }
    elif problem.folds is not None:
        correlation, _, against = _engine.association(problem, metric, winner)
        facts |= {"runs_against": against, "correlation": correlation}
    if metric.censoring == "brier":
        score, of_curve, worse = _engine.against_curve(problem, metric, winner)
        facts |= {"worse_than_curve": worse, "score": score, "curve_score": of_curve}
    told = _engine.from_truth(problem, metric, winner) if from_truth is None else from_truth
    equal, ranks_labels, up_to = told
    facts |= {"equals_truth": equal, "ranks_labels": ranks_labels}
    if not equal and metric.predicts != "labels":
        facts["as_function"] = up_to or None
    if facts["as_function"]:
        facts["winner_name"] = name_of(problem.names, problem.index_given(winner))
    return shown_by("winner", facts)


def _of_shares(problem: Problem, options: Options, observed: bool) -> tuple[str, ...]:
    """What limits hold of the shares of classes, where that is not what data alone would say."""
    if options.keeps_shares() and options.class_counts == "fixed":
        return ("the counts of the classes are fixed by the design, and limits hold them so",)
    if options.keeps_shares() and options.metric.family == "callable" and _has_classes(problem):
        name = options.metric.name
        return (
            "limits do not hold how the shares of the classes vary between samples, because "
            f"{name!r} is a Python function",
        )
    if problem.stratified_by is None or options.keeps_shares() or observed:
        return ()
    return ("rows are drawn freely, so that stratified_by is not read",)


def _has_classes(problem: Problem) -> bool:
    """Whether folds may have been drawn within classes, also of a truth that a function reads."""
    return problem.drawn_classes is not None or problem.truth.values.dtype.kind not in "f"


def remarks(
    problem: Problem,
    options: Options | None = None,
    raw: Mapping[str, Any] | None = None,
    *,
    observed: bool = False,
) -> tuple[str, ...]:
    """What the data left to be understood: rows that repeats lack, the order of classes, rungs.

    `observed` says that bbc drew the folds, so that nobody expects their labels to be read.
    """
    found: tuple[str, ...] = ()
    if problem.seen is not None:
        fewest = int(problem.seen.sum(axis=1).min())
        rows = problem.n_rows_given
        found += (f"repeats predicted different rows, the fewest {fewest} of {rows}",)
    if problem.block_length:
        found += (f"rows in their order are drawn in blocks of {problem.block_length}",)
    classes, columns = problem.truth.classes, problem.truth.columns
    if problem.truth.by_category and classes is not None and columns is not None:
        named = _validation.shown(classes[np.argsort(columns)])
        found += (f"class scores were read in the order of the truth's categories: {named}",)
    n_rungs = raw.get("n_rungs", 0) if raw else 0
    if raw and n_rungs:
        n_rows_scored = raw["n_rows_scored"]
        rungs_are = "1 rung, which scores" if n_rungs == 1 else f"{n_rungs} rungs, which score"
        n_rows = problem.n_rows
        repeats = f" of {problem.n_repeats} repeats" if problem.n_repeats > 1 else ""
        if problem.predicted is not None:  # repeats may have predicted different ones
            n_rows = int(np.count_nonzero(problem.predicted.any(axis=2)))
        found += (f"{rungs_are} {n_rows_scored} of {n_rows} rows{repeats}",)
    if options is None:
        return found
    by_function = options.metric.family == "callable"
    if options.class_counts == "fixed" or by_function or problem.stratified_by is not None:
        found += _of_shares(problem, options, observed)
    return found


def _of_origin(
    problem: Problem, options: Options, predictions: Any, design: Design
) -> tuple[Finding, ...]:
    """What is known, or shown by holes, of the search that made the predictions."""
    # One cut-off serves all folds, whatever the scores are means of.
    at_once = options.selection.rule == "best_threshold"
    of_folds = options.pooling == "fold" or options.method == "bbc-f"
    return origin_findings(
        predictions,
        problem,
        options,
        "fold" if of_folds and not at_once else "pooled",
        n_stopped=problem.n_stopped,
        block_draws=design.block_draws,
    )


def _of_folds(problem: Problem, options: Options, winner: int) -> tuple[Finding, ...]:
    """What folds show where a mean of their own scores is the metric."""
    has_labels = bool(problem.predictions) and not options.selection.derives
    return fold_event_findings(problem, options.metric, winner if has_labels else None)


def automatic_pooling(
    predictions: OutOfSamplePredictions, metric: Metric, pos_label: Any = None
) -> Literal["pooled", "fold"]:
    """By fold if pooling would rank scores of several folds' models that share no scale.

    Where a fold has no score, for want of a class or a comparable pair, predictions are pooled all
    the same. That depends on the truth alone, so any scores tell.
    """
    if predictions.folds is None or not mixes_scales(predictions, metric):
        return "pooled"
    said = predictions.pos_label if pos_label is None else pos_label
    said = _validation.positive_class(metric, said, predictions.scored_class)
    scores = np.arange(float(predictions.n_rows))[:, None]
    data = _validation.Data(predictions.y, scores, pos_label=said, classes=predictions.classes)
    whole = _validation.problem(data, metric)
    for own in predictions.folds:
        codes, labels = _validation.fold_codes(own[None, own >= 0])
        part = whole.of_rows(np.flatnonzero(own >= 0))._replace(folds=codes, fold_labels=labels)
        if np.isnan(_engine.fold_scores(part, metric, every_fold=False, n_threads=1)).any():
            return "pooled"
    return "fold"
