"""Several metrics of one winner: one decides, the others are corrected along with it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _validation
from . import metrics as _metrics
from ._docstrings import ANALYSIS, described
from .errors import UndefinedMetricError
from .metrics import Metric
from .results import PerformanceEstimate
from .results._correction import run, to_result
from .selection import BEST

__all__ = ["MultiMetricCorrection", "correct_several"]


@described(ANALYSIS)
def correct_several(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metrics: Any,
    decided_by: str | None = None,
    n_threads: int | None = None,
    **options: Any,
) -> dict[str, PerformanceEstimate]:
    """Correct the winner's performance by several metrics, of which one decides.

    The deciding metric chooses the winner and that of each replicate, as in `correct`. The others
    are scored on the very same winners and out-of-bag rows (folds, for "bbc-f"), so that all
    numbers are about the same choice.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        As in `correct`; an OutOfSamplePredictions with labels and scores serves metrics of both
        kinds.
    metrics : list of metrics, or dict of str to metric
        What is estimated; each as `metric` of `correct`.
    decided_by : str, optional
        Name of the metric that chooses the winners; the first by default.
    **options
        All other arguments of `correct`.

    Returns
    -------
    dict of str to PerformanceEstimate
        By the metrics' names, in their order. A replicate that leaves one of the other metrics
        undefined is not drawn again, which would change the winners: it is left out of that
        metric's estimate, and counted in its `n_undefined`.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=60)
    >>> predictions = y[:, None] + rng.normal(size=(60, 20))
    >>> both = bbc.correct_several(
    ...     y, predictions, metrics=["r2", "mean_absolute_error"], random_state=0)
    >>> both["r2"].winner == both["mean_absolute_error"].winner
    True
    >>> both["mean_absolute_error"].decided_by
    'r2'
    """
    named = _named(metrics)
    deciding = next(iter(named)) if decided_by is None else decided_by
    if deciding not in named:
        raise ValueError(f"decided_by={deciding!r} names none of the metrics ({', '.join(named)})")
    correction = MultiMetricCorrection(
        y_true, predictions, named[deciding], n_threads=n_threads, **options
    )
    return {
        name: correction.estimate if name == deciding else correction.score(metric)
        for name, metric in named.items()
    }


class MultiMetricCorrection:
    """A correction by the selection metric, from which secondary metrics can be read.

    Parameters
    ----------
    y_true, predictions, metric, n_threads, **options
        As in `correct`.

    Attributes
    ----------
    estimate : PerformanceEstimate
        The correction by the selection metric: what `correct` gives.
    """

    def __init__(
        self,
        y_true: Any,
        predictions: Any,
        metric: Metric,
        *,
        n_threads: int | None = None,
        **options: Any,
    ) -> None:
        self._given = y_true, predictions
        chosen, self._design, self._resamples = _validation.split_arguments(
            options, "bbc.correct_several"
        )
        settings = _validation.options(metric=metric, **chosen)
        self._threads = _validation.n_threads(n_threads)
        problem = self._problem(settings)
        settings = settings.for_problem(problem, self._resamples)
        self._selecting = _engine.ScoredProblem(problem, settings)
        self._raw = run(problem, settings, n_threads=self._threads)
        self.estimate = to_result(self._raw, problem, settings, given=predictions)

    def score(
        self, metric: Metric, pooling: Literal["pooled", "fold"] | None = None
    ) -> PerformanceEstimate:
        """Return the same winner's performance by another metric, pooled likewise by default."""
        selecting = self._selecting
        options = selecting.options._replace(
            metric=metric,
            pooling=pooling or selecting.options.pooling,
            selection=BEST,
            stratify_bootstrap=False,
            interval="order-statistics",
        )
        problem = self._problem(options)
        self._check_same_rows(problem, metric)
        found = _engine.score_winners(
            _engine.ScoredProblem(problem, options), selecting, self._raw, n_threads=self._threads
        )
        defined = ~np.isnan(found.replicates)
        n_undefined = int(np.count_nonzero(~defined))
        if not defined.any():
            raise UndefinedMetricError(
                f"metric: {metric.name!r} is undefined out of bag in all {n_undefined} replicates"
            )
        replicates = found.replicates[defined]
        raw = self._raw | _engine.moments(replicates, self._raw["replicate_winners"][defined])
        raw |= {
            "apparent": found.apparent,
            "n_redrawn": 0,  # no draw was thrown away for this metric's sake
            "model_luck": None,  # luck was tested in what decides
            "undefined_fold_share": found.undefined_fold_share,
        }
        more: dict[str, Any] = {
            "n_redrawn": self.estimate.n_redrawn,
            "n_undefined": n_undefined,
            "decided_by": selecting.options.metric.name,
        }
        try:
            raw |= _engine.limits(replicates, options, options.drawn_folds(problem))
        except ValueError as error:  # too few replicates are left for the level
            raw |= {"infeasible": str(error)}
        estimate = to_result(
            raw, problem, options, given=self._given[1], known=self.estimate.data_findings
        )
        return replace(estimate, **more)

    def _problem(self, options: _validation.Options) -> _validation.Problem:
        design = dict(self._design)
        if options.metric.target not in ("binary", "classes"):  # they have no classes to name
            design |= {"pos_label": None, "labels": None}
        y_true, predictions = self._given
        return _validation.problem(
            y_true, predictions, options.metric, **options.required_design, **design
        )

    def _check_same_rows(self, problem: _validation.Problem, metric: Metric) -> None:
        selecting = self._selecting.problem
        same = np.array_equal(problem.left_out_rows, selecting.left_out_rows)
        kept = (problem.left_out_configurations, selecting.left_out_configurations)
        if not (same and np.array_equal(*kept)):
            raise ValueError(
                f"predictions: {metric.name!r} reads other rows or configurations than "
                f"{self._selecting.options.metric.name!r}, because others are missing"
            )


def _named(metrics: Any) -> dict[str, Metric]:
    if isinstance(metrics, Mapping):
        named = {str(name): _metrics.get(one) for name, one in metrics.items()}
    elif isinstance(metrics, Iterable) and not isinstance(metrics, str):
        found = [_metrics.get(one) for one in metrics]
        named = {metric.name: metric for metric in found}
        if len(named) < len(found):
            raise ValueError("metrics: two have the same name; give a dict with two names")
    else:
        raise TypeError("metrics must be a list of metrics or a dict; for one, use bbc.correct")
    if not named:
        raise ValueError("metrics: there is none")
    return named
