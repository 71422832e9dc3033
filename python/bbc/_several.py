"""Several metrics of one winner: one decides, the others are corrected along with it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from . import _engine, _validation, metrics
from .errors import UndefinedMetricError
from .metrics import Metric
from .results import PerformanceEstimate
from .results._correction import run, to_result
from .selection import BEST


def correct_several(
    y_true: Any,
    predictions: Any,
    named: Mapping[str, Metric],
    decided_by: str,
    *,
    n_threads: int,
    **options: Any,
) -> dict[str, PerformanceEstimate]:
    """Correct the winner's performance by several metrics, of which one decides."""
    metric = named[decided_by]
    correction = MultiMetricCorrection(y_true, predictions, metric, n_threads=n_threads, **options)
    return {
        name: correction.estimate if name == decided_by else correction.score(other)
        for name, other in named.items()
    }


class MultiMetricCorrection:
    """A correction by the selection metric, from which secondary metrics can be read.

    Parameters
    ----------
    y_true, predictions, metric, n_threads, **options
        As in `correct`.
    problem_of : callable, optional
        ``problem_of(options)`` returns the validated data of a metric, where they are there.

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
        problem_of: Callable[[_validation.Options], _validation.Problem] | None = None,
        **options: Any,
    ) -> None:
        self._given = y_true, predictions
        chosen, self._design, self._resamples = _validation.split_arguments(options, "bbc.correct")
        settings = _validation.options(metric=metric, **chosen)
        self._threads = _validation.n_threads(n_threads)
        self._problem_of = problem_of or self._problem
        problem = self._problem_of(settings)
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
        problem = self._problem_of(options)
        self._check_same_rows(problem, metric)
        found = _engine.score_winners(
            _engine.ScoredProblem(problem, options), selecting, self._raw, n_threads=self._threads
        )
        defined = ~np.isnan(found.replicates)
        n_undefined = int(np.count_nonzero(~defined))
        if not defined.any():
            raise UndefinedMetricError(
                "metric",
                f": {metric.name!r} is undefined out of bag in all {n_undefined} replicates",
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
        if not options.metric.has_classes:  # they have no classes to name
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


def named_metrics(
    given: Sequence[Any] | Mapping[str, Any], decided_by: str | None
) -> tuple[dict[str, Metric], str]:
    """The metrics by name, and the name of the one that decides: the first by default."""
    if isinstance(given, Mapping):
        named = {str(name): metrics.get(metric) for name, metric in given.items()}
    else:
        found = [metrics.get(metric) for metric in given]
        named = {metric.name: metric for metric in found}
        if len(named) < len(found):
            raise ValueError("metric: two have the same name; give a dict with two names")
    if not named:
        raise ValueError("metric: there is none")
    deciding = next(iter(named)) if decided_by is None else decided_by
    if deciding not in named:
        raise ValueError(f"decided_by={deciding!r} names none of the metrics ({', '.join(named)})")
    return named, deciding
