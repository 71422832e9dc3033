"""The method of Tibshirani and Tibshirani: a bias correction from fold scores alone."""

from typing import Any

from . import _engine, _validation
from ._typing import FloatArray
from .metrics import Metric
from .results import PerformanceEstimate
from .results._correction import of_data, of_folds, of_origin, of_winner, remarks, warn


def tibshirani(
    y_true: Any,
    predictions: Any,
    metric: Metric,
    *,
    decided_by: Metric | None = None,
    pos_label: Any = None,
    labels: Any = None,
    dynamic_search: bool = False,
    n_threads: int,
    **design: Any,
) -> PerformanceEstimate:
    """Correct the winner's performance by the distance from each fold's best.

    The winner has the best mean over folds. How much better the best configuration of each
    fold is, on average, estimates how much too good the winner's own mean is. There is no
    interval, and no random number. `decided_by` is the metric that chooses the winner and each
    fold's best, if it is not `metric` itself.
    """
    spec, decides = metric, metric if decided_by is None else decided_by

    def table(scored: Metric) -> tuple[_validation.Problem, FloatArray]:
        of_classes = scored.has_classes or decided_by is None
        problem = _validation.problem(
            y_true,
            predictions,
            scored,
            folds_needed_by='method="tt"',
            every_fold_scored=True,
            pos_label=pos_label if of_classes else None,
            labels=labels if of_classes else None,
            **design,
        )
        return problem, _engine.fold_scores(problem, scored, n_threads=n_threads)

    problem, scores = table(spec)
    assert problem.folds is not None
    if scores.shape[0] * scores.shape[1] < 2:
        raise ValueError('folds: method="tt" needs at least two folds, got one')
    deciding = scores if decided_by is None else table(decides)[1]
    raw = _engine.tt(deciding, decides, scores, spec)
    findings = (
        *of_origin(predictions, spec, "fold", dynamic_search),
        *of_data(problem, spec),
        *of_folds(problem),
        *of_winner(problem, spec, raw["winner"]),
    )
    warn(findings)
    return PerformanceEstimate(
        estimate=raw["estimate"],
        metric=spec.name,
        method="tt",
        greater_is_better=spec.greater_is_better,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        winner=raw["winner"],
        apparent=raw["apparent"],
        decided_by="" if decides is spec else decides.name,
        pooling="fold",
        n_folds=scores.shape[1],
        n_repeats=problem.n_repeats,
        version=_engine.kernel_version(),
        names=problem.names,
        pos_label=problem.truth.pos_label if spec.target == "binary" else None,
        left_out_rows=problem.left_out_rows,
        notes=remarks(problem),
        data_findings=findings,
        metric_range=spec.range,
    )
