"""The method of Tibshirani and Tibshirani: a bias correction from fold scores alone."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from . import _engine, _validation, metrics
from ._docstrings import ANALYSIS, described
from ._typing import FloatArray
from .results import PerformanceEstimate
from .results._correction import of_data, of_folds, of_origin, of_winner, remarks, warn

__all__ = ["tt"]


@described(ANALYSIS)
def tt(
    y_true: ArrayLike,
    predictions: Any,
    *,
    folds: ArrayLike | None = None,
    metric: Any,
    decided_by: Any = None,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Correct the winner's performance by the distance from each fold's best.

    The winner has the best mean over folds. How much better the best configuration of each
    fold is, on average, estimates how much too good the winner's own mean is. There is no
    interval, and no random number.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        As in `correct`.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out; `OutOfSamplePredictions` bring their own.
    metric : str, Metric, scorer or callable
        As in `correct`; it must be defined on each fold's rows.
    decided_by : str, Metric, scorer or callable, optional
        The metric that chooses the winner and each fold's best, if it is not `metric` itself.

    Returns
    -------
    PerformanceEstimate
        With ``confidence_interval=None``. The estimate is never clipped to the metric's range.

    Warns
    -----
    BBCWarning
        If a fold has a single row, where the correction is far too large.

    References
    ----------
    .. [1] R. J. Tibshirani, R. Tibshirani, "A bias correction for the minimum error rate in
       cross-validation", Annals of Applied Statistics 3 (2009).
    .. [2] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 4.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, size=80)
    >>> predictions = rng.integers(0, 2, size=(80, 50))
    >>> e = bbc.tt(y, predictions, folds=np.arange(80) % 10, metric="accuracy")
    >>> bool(e.estimate < e.apparent), e.confidence_interval is None
    (True, True)
    """
    spec = metrics.get(metric)
    decides = spec if decided_by is None else metrics.get(decided_by)
    threads = _validation.n_threads(n_threads)

    def table(one: metrics.Metric) -> tuple[_validation.Problem, FloatArray]:
        of_classes = one.target in ("binary", "classes") or decided_by is None
        problem = _validation.problem(
            y_true,
            predictions,
            one,
            names=names,
            folds=folds,
            folds_needed_by="bbc.tt",
            every_fold_scored=True,
            sample_weight=sample_weight,
            pos_label=pos_label if of_classes else None,
            labels=labels if of_classes else None,
        )
        return problem, _engine.fold_scores(problem, one, n_threads=threads)

    problem, scores = table(spec)
    assert problem.folds is not None
    if scores.shape[0] * scores.shape[1] < 2:
        raise ValueError("folds: bbc.tt needs at least two folds, got one")
    deciding = scores if decided_by is None else table(decides)[1]
    raw = _engine.tt(deciding, decides, scores, spec)
    findings = (
        *of_origin(predictions, spec, "fold"),
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
