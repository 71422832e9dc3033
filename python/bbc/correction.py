"""The correction: from a truth and out-of-sample predictions to an honest estimate."""

import warnings
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _validation, metrics
from . import selection as _selection
from ._typing import Alternative, IndexArray
from ._validation import Problem
from .errors import BBCWarning
from .metrics import Metric
from .predictions import OutOfSamplePredictions
from .resampling import Resampling
from .results import ConfidenceInterval, PerformanceEstimate

__all__ = ["correct"]

_MANY_REDRAWN = 0.1


def correct(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    method: Literal["bbc", "bbc-f"] = "bbc",
    folds: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    stratify_bootstrap: bool = False,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    missing: Literal["raise", "drop-rows", "drop-configurations"] = "raise",
    pooling: Literal["pooled", "fold"] = "pooled",
    selection: Any = "best",
    n_bootstraps: int = 1000,
    resamples: ArrayLike | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    on_undefined: Literal["redraw", "raise"] = "redraw",
    names: Sequence[str] | None = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Correct the winner's performance for having been selected.

    The choice of the best configuration is repeated on bootstrap replicates of the
    out-of-sample predictions, and each replicate's winner is scored on the units that the
    replicate did not draw. No model is trained.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The truth. For survival metrics a structured array (event, time) or two columns.
    predictions : array-like, list, frame or OutOfSamplePredictions
        Out-of-sample predictions of shape (n_rows, n_configurations), or
        (n_rows, n_configurations, n_classes) for class scores. A 4-d array or a list holds one
        array per repeat. The columns of a frame are the configurations. NaN is a hole.
    metric : str, Metric, scorer or callable
        What is estimated: a name (see `bbc.metrics.names`), a bbc metric, a scikit-learn scorer,
        or ``function(y, prediction) -> float``.
    method : {"bbc", "bbc-f"}, default="bbc"
        What a replicate draws: rows (or groups), or whole folds.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out. Needed by "bbc-f", by ``pooling="fold"`` and by
        `one_standard_error`.
    groups : array-like of shape (n_rows,), optional
        Rows of a group are drawn together.
    stratify_bootstrap : bool, default=False
        Draw within classes, so that each replicate has the class counts of `y_true`.
    sample_weight : array-like of shape (n_rows,), optional
        Weights that multiply the counts of the replicates.
    pos_label : label, optional
        The positive class of a binary metric; the larger label by default.
    labels : array-like, optional
        All classes, in the sorted order of the last axis of class scores; by default those of
        `y_true`.
    missing : {"raise", "drop-rows", "drop-configurations"}, default="raise"
        What to do about predictions that only some configurations lack. Rows that no
        configuration predicted are always left out and reported.
    pooling : {"pooled", "fold"}, default="pooled"
        The metric of all rows together, or the unweighted mean of the folds' metrics. They are
        different quantities, above all for ranking metrics.
    selection : "best", Selection or callable, default="best"
        How the winner is chosen: ``"best"``, ``bbc.one_standard_error(complexity)``, or a
        callable that gets the (n_configurations,) in-bag scores and the counts of the rows, and
        returns an index.
    n_bootstraps : int, default=1000
        Number of replicates.
    resamples : array-like of int of shape (n_bootstraps, n_units), optional
        Explicit drawn units instead of random ones, to replay an analysis.
    confidence_level : float, default=0.95
        Level of the interval, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" gives a lower bound only, "less" an upper bound only. For a loss the cautious
        side is "less".
    on_undefined : {"redraw", "raise"}, default="redraw"
        What to do about a replicate that leaves the metric undefined.
    names : sequence of str, optional
        Names of the configurations.
    random_state : int, Generator or None, default=None
        Seed of the replicates, 0 to 2**53 - 1. None draws one, which the result shows.
    n_threads : int, optional
        Worker threads; all cores by default. The result does not depend on it.

    Returns
    -------
    PerformanceEstimate
        The corrected estimate with its interval, the apparent score, the winner and how often
        each configuration won.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.
    UndefinedMetricError
        If the data leave the metric undefined, so that no replicate could be scored.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5; intervals: section 3.1; repeats: section 3.2.
    .. [2] I. Paraschakis et al., "Confidence intervals for the performance of selected models",
       AutoML (2024), Algorithm 1 (BBC-F).

    Examples
    --------
    Fifty useless configurations: the best looks good, the corrected estimate does not.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, size=80)
    >>> predictions = rng.integers(0, 2, size=(80, 50))
    >>> e = bbc.correct(y, predictions, metric="accuracy", random_state=1)
    >>> e.apparent > 0.6, abs(e.estimate - 0.5) < 0.05
    (True, True)
    >>> e.optimism > 0, e.confidence_interval.low < 0.5
    (True, True)
    """
    spec = metrics.get(metric)
    rule = _selection.get(selection)
    _validation.choice(method, "method", ("bbc", "bbc-f"))
    _validation.choice(pooling, "pooling", ("pooled", "fold"))
    _validation.choice(on_undefined, "on_undefined", ("redraw", "raise"))
    _validation.choice(alternative, "alternative", ("two-sided", "greater", "less"))
    if method == "bbc-f":
        raise NotImplementedError('method: "bbc-f" is not there yet')
    if rule.rule != "best":
        raise NotImplementedError('selection: only "best" is there yet')
    seed = _validation.seed(random_state)
    level = _validation.confidence_level(confidence_level)
    problem = _problem(
        y_true,
        predictions,
        spec,
        folds=folds,
        folds_needed_by='pooling="fold"' if pooling == "fold" else "",
        groups=groups,
        stratify=stratify_bootstrap,
        sample_weight=sample_weight,
        pos_label=pos_label,
        labels=labels,
        missing=missing,
        names=names,
    )
    unit: Literal["row", "group"] = "row" if problem.groups is None else "group"
    drawn = None
    if resamples is None:
        n_bootstraps = _validation.n_bootstraps(n_bootstraps)
    else:
        n_units = problem.n_rows if problem.groups is None else int(problem.groups.max()) + 1
        drawn = _validation.resamples(resamples, n_units, unit)
    resampling = Resampling(
        unit=unit,
        n_bootstraps=n_bootstraps,
        seed=seed,
        stratified=stratify_bootstrap,
        on_undefined=on_undefined,
        resamples=drawn,
    )
    _validation.enough_replicates(level, alternative, resampling.n_bootstraps)
    plan = _engine.Plan(
        resampling,
        units=problem.groups,
        strata=problem.strata,
        folds=problem.folds if pooling == "fold" else None,
        row_weights=problem.sample_weight,
        confidence_level=level,
        alternative=alternative,
    )
    raw = _engine.correct(problem, spec, plan, n_threads=_validation.n_threads(n_threads))
    return _result(raw, problem, spec, plan, method=method, pooling=pooling)


def _problem(
    y_true: ArrayLike, predictions: Any, metric: Metric, *, names: Any, **design: Any
) -> Problem:
    """The canonical problem; an OutOfSamplePredictions brings its own folds, groups and names."""
    if not isinstance(predictions, OutOfSamplePredictions):
        return _validation.problem(y_true, predictions, metric, names=names, **design)
    own = predictions
    for name in ("folds", "groups", "sample_weight"):
        if design[name] is None:
            design[name] = getattr(own, name)
    if design["labels"] is None and metric.target in ("binary", "classes"):
        design["labels"] = own.classes
    wanted = own.labels if metric.predicts == "labels" else own.scores
    values = own.values if wanted is None else wanted
    return _validation.problem(
        y_true,
        list(values),
        metric,
        names=own.names if names is None else names,
        mask=None if own.is_complete else own.mask,
        **design,
    )


def _result(
    raw: dict[str, Any],
    problem: Problem,
    metric: Metric,
    plan: _engine.Plan,
    *,
    method: str,
    pooling: str,
) -> PerformanceEstimate:
    notes = []
    n_bootstraps = plan.resampling.n_bootstraps
    if raw["n_redrawn"] > _MANY_REDRAWN * n_bootstraps:
        notes.append(
            f"{raw['n_redrawn']} draws for {n_bootstraps} replicates left {metric.name!r} "
            "undefined and were redrawn: the sample is too small for this metric; consider "
            "stratify_bootstrap=True"
        )
    for note in notes:
        warnings.warn(note, BBCWarning, stacklevel=3)
    lowest, highest = metric.limits(problem.truth.n_classes)
    interval = ConfidenceInterval(
        low=lowest if plan.alternative == "less" else raw["low"],
        high=highest if plan.alternative == "greater" else raw["high"],
        confidence_level=plan.confidence_level,
        alternative=plan.alternative,
    )
    winners = np.concatenate(([raw["winner"]], raw["replicate_winners"]))
    winners = _given_index(winners, problem)
    return PerformanceEstimate(
        estimate=raw["estimate"],
        metric=metric.name,
        method=method,
        greater_is_better=metric.greater_is_better,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        winner=int(winners[0]),
        apparent=raw["apparent"],
        confidence_interval=interval,
        replicate_sd=raw["replicate_sd"],
        replicates=raw["replicates"],
        replicate_winners=winners[1:],
        n_redrawn=raw["n_redrawn"],
        pooling=pooling,
        unit=plan.resampling.unit,
        n_folds=0 if problem.folds is None else int(problem.folds[0].max()) + 1,
        n_repeats=problem.n_repeats,
        seed=plan.resampling.seed,
        version=_engine.kernel_version(),
        names=problem.names,
        pos_label=problem.truth.pos_label if metric.target == "binary" else None,
        left_out_rows=problem.left_out_rows,
        left_out_configurations=problem.left_out_configurations,
        undefined_fold_share=raw["undefined_fold_share"] if pooling == "fold" else None,
        notes=tuple(notes),
    )


def _given_index(indices: IndexArray, problem: Problem) -> IndexArray:
    """The caller's index of configurations that stayed."""
    kept = problem.kept_configurations
    return indices if kept is None else kept[indices]
