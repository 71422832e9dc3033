"""Resampling errors of a learner: hold-out, cross-validation, bootstrap and .632+."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._docstrings import described
from .._training._collected import leaving_two_out
from .._training._splits import Fold, Partition
from .._typing import Alternative, FloatArray
from .._validation import ANALYSIS
from ..errors import Argument, InvalidValueError, arguments_called
from ..results import ConfidenceInterval, PerformanceEstimate
from . import intervals
from ._learner import (
    Learner,
    Strata,
    drawn_rows,
    halves,
    leave_one_out_bootstrap,
    make_folds,
    values_on_bags,
)

Method: TypeAlias = Literal[
    "holdout",
    "cv",
    "loo",
    "subsampling",
    "oob",
    "632",
    "632+",
    "632-per-bag",
    "632+-per-bag",
    "bcv",
    "bcv-distinct",
    "direct",
]
Interval: TypeAlias = Literal[
    "conservative-z", "corrected-resampled-t", "nested-cv", "percentile", "wald"
]
_OFFERED_BY: dict[str, tuple[str, ...]] = {
    "conservative-z": ("subsampling",),
    "corrected-resampled-t": ("subsampling",),
    "nested-cv": ("cv",),
    "percentile": ("direct",),
    "wald": ("holdout", "cv", "loo"),
}
_OF_ALL_BAGS = ("632", "632+")
_BAGS = ("oob", "632-per-bag", "632+-per-bag", "bcv", "bcv-distinct", "direct", *_OF_ALL_BAGS)


@described(ANALYSIS)
@arguments_called(y_true="y")
def resampling_error(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    method: Method = "oob",
    metric: Any = None,
    n_resamples: int = 100,
    ratio: float | None = None,
    n_folds: int = 10,
    n_repeats: int = 1,
    stratify: Strata | None = None,
    resamples: ArrayLike | None = None,
    interval: Interval | None = None,
    n_halvings: int = 10,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
    n_jobs: int | None = None,
    fit_timeout: float | None = None,
    random_state: Any = None,
) -> PerformanceEstimate:
    """Estimate the expected performance of a learner, without tuning, by resampling.

    Parameters
    ----------
    estimator : estimator
        The learner. For ``method="direct"`` a tuner such as :class:`bbc.CVT`.
    X : array-like of shape (n_rows, n_features)
        Inputs.
    y : array-like of shape (n_rows,)
        The truth.
    method : str, default="oob"
        - "holdout": train on a share `ratio` (2/3) of the rows, test on the others.
        - "cv": cross-validation with `n_folds`, repeated `n_repeats` times.
        - "loo": leave-one-out.
        - "subsampling": hold-out with `ratio` (9/10), `n_resamples` times.
        - "oob": train on `n_resamples` bootstrap samples, test on the rows not drawn. It takes any
          metric, and is right where features tell nothing.
        - "632": 0.368 times the score of the fit to all rows on these rows, plus 0.632 times the
          leave-one-out bootstrap: the mean over rows of a row's mean score in the bootstrap samples
          without it [2]_.
        - "632+": as "632", with a weight that grows with overfitting up to what a learner without
          information would score [2]_.
        - "632-per-bag", "632+-per-bag": these from the in-bag and out-of-bag score of each
          bootstrap sample, averaged [1]_. Without information the latter is too good.
        - "bcv": cross-validation within every bootstrap sample.
        - "bcv-distinct": the same without test rows that are also training rows.
        - "direct": "oob" of a whole tuning procedure. Its folds keep copies of a row together,
          so `estimator` must take `groups`.
    metric : str, metric, scorer or callable, optional
        What is estimated; accuracy or R2 by default. The .632 estimators require a metric that is
        a mean over rows, which R2 is not.
    n_resamples : int, default=100
        Number of subsamples or bootstrap samples.
    ratio : float, optional
        Share of training rows, for "holdout" and "subsampling".
    n_folds : int, default=10
        Number of folds, for "cv" and "bcv".
    n_repeats : int, default=1
        Number of partitions, for "cv".
    stratify : {"classes", "bins", "clusters"}, optional
        How the folds of "cv" are stratified: by class (the default for classifiers), by quantiles
        of y (:class:`bbc.baselines.QuantileKFold`), or by clusters of X
        (:class:`bbc.baselines.ClusterKFold`).
    resamples : array-like of int of shape (n_resamples, n_rows), optional
        Explicit bootstrap samples, to reproduce an analysis.
    interval : str, optional
        Interval from :mod:`bbc.baselines.intervals`: for "subsampling" "corrected-resampled-t" or
        "conservative-z" (which repeats the subsampling in `n_halvings` pairs of halves, so that
        ``n_resamples * (1 + 2 * n_halvings)`` models are trained); for "cv" "nested-cv" (which
        trains the inner loops, too, and reports their estimate); for "holdout", "cv" and "loo"
        "wald" (too narrow for cross-validation); for "direct" "percentile".
    n_halvings : int, default=10
        Number of random splits of the rows into halves, for "conservative-z". Nadeau and Bengio
        use 10, and 15 for `n_resamples`.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Sides of the interval.
    n_jobs : int, optional
        Fits in parallel, through joblib.
    fit_timeout : float, optional
        Stop if no fit ends for so many seconds, as in :class:`bbc.BBC`.
    random_state : int, Generator or None, default=None
        Seed of the splits, and of learners without one. Each training set has another seed, so
        that the estimate averages over the randomness of training, too.

    Returns
    -------
    PerformanceEstimate
        The mean over resamples or folds, whose values are the `replicates`; "632" and "632+" are
        made of all samples together and have none.

    References
    ----------
    .. [1] B. Bischl, O. Mersmann, H. Trautmann, C. Weihs, "Resampling methods for meta-model
       validation with recommendations for evolutionary computation", Evolutionary Computation 20
       (2012), Algorithms 1 to 5.
    .. [2] B. Efron, R. Tibshirani, "Improvements on cross-validation: the .632+ bootstrap method",
       Journal of the American Statistical Association 92 (1997).
    .. [3] W. J. Fu, R. J. Carroll, S. Wang, "Estimating misclassification error with small samples
       via bootstrap cross-validation", Bioinformatics 21 (2005).
    .. [4] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52
       (2003).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier()
    >>> e = bbc.baselines.resampling_error(
    ...     tree, X, y, metric="zero_one_loss", n_resamples=20, random_state=0)
    >>> 0.02 < e.estimate < 0.09
    True
    """
    _validation.choice(method, "method", get_args(Method))
    check_interval(interval, method, confidence_level, alternative)
    n_resamples = _validation.integer(n_resamples, "n_resamples", lowest=1)
    n_folds = _validation.integer(n_folds, "n_folds", lowest=2)
    n_repeats = _validation.integer(n_repeats, "n_repeats", lowest=1)
    n_halvings = _validation.integer(n_halvings, "n_halvings", lowest=1)
    _refuse_without_meaning(method, resamples, fit_timeout, stratify, n_repeats, ratio)
    learner = Learner(
        estimator,
        X,
        y,
        metric,
        pos_label=pos_label,
        n_jobs=n_jobs,
        fit_timeout=fit_timeout,
        seed=_validation.seed(random_state),
    )
    values: FloatArray | None = None
    if method in _BAGS:
        folds = None
        bags = drawn_rows(learner, resamples, n_resamples)
        if method in _OF_ALL_BAGS:
            estimate = leave_one_out_bootstrap(learner, bags, plus=method == "632+")
        else:
            values = values_on_bags(learner, bags, method, n_folds)
    else:
        folds = make_folds(learner, method, ratio, n_folds, n_repeats, stratify, n_resamples)
        values = learner.values(folds, learner.outputs(folds))
    sd = None
    if values is not None:
        estimate = float(np.mean(values))
        sd = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    result = PerformanceEstimate(
        metric_range=learner.metric.range,
        estimate=estimate,
        metric=learner.metric.name,
        method=method,
        greater_is_better=learner.metric.greater_is_better,
        n_rows=learner.n_rows,
        n_configurations=1,
        replicates=values,
        replicate_sd=sd,
        pooling="fold",
        n_folds=n_folds if method in ("cv", "bcv", "bcv-distinct") else 0,
        n_repeats=n_repeats,
        seed=learner.seed,
        version=_engine.kernel_version(),
        names=(learner.name,),
    )
    if interval is None:
        return result
    return with_interval(
        result,
        interval,
        learner,
        folds,
        level=confidence_level,
        alternative=alternative,
        n_halvings=n_halvings,
    )


def _refuse_without_meaning(
    method: Method,
    resamples: ArrayLike | None,
    fit_timeout: float | None,
    stratify: Strata | None,
    n_repeats: int,
    ratio: float | None,
) -> None:
    """Refuse arguments that the method would not read."""
    if method not in _BAGS and resamples is not None:
        raise InvalidValueError("resamples", f"has no meaning for method={method!r}")
    if method == "direct" and fit_timeout is not None:
        raise InvalidValueError(
            "fit_timeout", 'has no meaning for method="direct", which fits in this process'
        )
    if method != "cv" and (stratify is not None or n_repeats > 1):
        raise InvalidValueError(
            "stratify", f'and n_repeats belong to method="cv", not to {method!r}'
        )
    if method not in ("holdout", "subsampling") and ratio is not None:
        raise InvalidValueError("ratio", f"has no meaning for method={method!r}")


def check_interval(
    interval: str | None, method: str, level: float, alternative: Alternative
) -> None:
    """Refuse an interval that the method does not offer."""
    _validation.confidence_level(level)
    _validation.choice(alternative, "alternative", ("two-sided", "greater", "less"))
    if interval is None:
        return
    _validation.choice(interval, "interval", tuple(_OFFERED_BY))
    if method not in _OFFERED_BY[interval]:
        fitting = [name for name, methods in _OFFERED_BY.items() if method in methods]
        offer = f"; it has {' or '.join(map(repr, fitting))}" if fitting else ""
        raise InvalidValueError(
            Argument("interval", interval), f"does not fit method={method!r}{offer}"
        )


def with_interval(
    result: PerformanceEstimate,
    interval: str,
    learner: Learner,
    folds: Sequence[Fold] | None,
    *,
    level: float,
    alternative: Alternative,
    n_halvings: int,
) -> PerformanceEstimate:
    """Return the result with an interval, and with the estimate of the interval's method."""
    if interval == "percentile":
        return replace(
            result, confidence_interval=_percentiles(result, learner, level, alternative)
        )
    assert folds is not None
    assert result.replicates is not None
    found: Callable[..., PerformanceEstimate]
    n_train, n_test = len(folds[0].train), len(folds[0].test)
    if interval == "corrected-resampled-t":
        found = partial(
            intervals.corrected_resampled_t, result.replicates, n_train=n_train, n_test=n_test
        )
    elif interval == "conservative-z":
        first, second = _halves(learner, n_halvings, len(folds), n_test)
        found = partial(
            intervals.conservative_z, result.estimate, first, second, n_rows=learner.n_rows
        )
    elif interval == "nested-cv":
        found = _nested(result, learner, folds)
    else:
        learner.need_rows(f"interval={interval!r} requires")
        per_row = np.concatenate(_by_row(learner, folds))
        if result.n_repeats > 1:  # predictions of the same row are not independent
            rows = np.concatenate([fold.test for fold in folds])
            per_row = np.bincount(rows, per_row) / result.n_repeats
        found = partial(intervals.wald, per_row)
    made = found(metric=learner.metric, confidence_level=level, alternative=alternative)
    assert made.confidence_interval is not None
    # The learner knows the number of classes, on which the metric's range may depend.
    low, high = np.clip(tuple(made.confidence_interval), *_limits(learner)).tolist()
    return replace(
        result,
        estimate=made.estimate,
        confidence_interval=replace(made.confidence_interval, low=low, high=high),
        notes=made.notes,
    )


def _limits(learner: Learner) -> tuple[float, float]:
    return learner.metric.limits(len(np.unique(learner.y)) if learner.classifier else math.inf)


def _percentiles(
    result: PerformanceEstimate, learner: Learner, confidence_level: float, alternative: Alternative
) -> ConfidenceInterval:
    assert result.replicates is not None
    _validation.enough_replicates(confidence_level, alternative, len(result.replicates))
    low, high = _engine.kernel.order_statistic_interval(
        result.replicates, confidence_level, alternative, *_limits(learner)
    )
    return ConfidenceInterval(low, high, confidence_level, alternative)


def _halves(learner: Learner, n_halvings: int, n_resamples: int, n_test: int) -> FloatArray:
    """Estimates of all iterations, of shape (half, halving)."""
    folds = halves(learner, n_halvings, n_resamples, n_test)
    values = learner.values(folds, learner.outputs(folds))
    estimates: FloatArray = values.reshape(n_halvings, 2, n_resamples).mean(axis=2)
    return estimates.T


def _nested(
    result: PerformanceEstimate, learner: Learner, folds: Sequence[Fold]
) -> Callable[..., PerformanceEstimate]:
    """Nested cross-validation whose inner folds are the other outer folds, with shared models."""
    learner.need_rows("interval='nested-cv' requires")
    size = result.n_folds
    partitions = [
        Partition(tuple(folds[first : first + size])) for first in range(0, len(folds), size)
    ]
    plan = leaving_two_out(partitions, learner.n_rows, share=True)
    inner: list[list[FloatArray]] = [[] for _ in folds]
    rows = [split.rows for split in plan.splits]
    for split, values in zip(plan.splits, _by_row(learner, rows), strict=True):
        for use in plan.uses[split.repeat, split.fold]:
            inner[use.outer].append(values[use.rows])
    return partial(
        intervals.nested_cv,
        _by_row(learner, folds),
        [np.concatenate(losses) for losses in inner],
        n_rows=learner.n_rows,
        n_folds=size,
        cv_loss=result.estimate,
    )


def _by_row(learner: Learner, folds: Sequence[Fold]) -> list[FloatArray]:
    outputs = learner.outputs(folds)
    return [
        learner.row_values(predicted, learner.y[fold.test])
        for fold, predicted in zip(folds, outputs, strict=True)
    ]
