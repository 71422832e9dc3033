"""Which configurations could be the best."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._blocks_of_rows import length_of_blocks
from .._docstrings import described
from .._finished._roads import by_folds
from .._typing import FloatArray
from .._validation import ANALYSIS, Options, Problem
from ..errors import Argument, InvalidValueError
from ..metrics._resolve import metric_required
from ..results import ConfidenceInterval, PossibleWinners
from ._rows import best_of, given_models, refuse_design

_Z = 1.959963984540054  # of a two-sided interval at level .95


@metric_required
@described(ANALYSIS)
@by_folds
def possible_winners(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    method: Literal["mcs", "argmin"] = "mcs",
    confidence_level: float = 0.95,
    folds: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    block_length: int | Literal["auto"] | None = None,
    stratify_bootstrap: bool = False,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    pooling: Literal["pooled", "fold"] = "pooled",
    n_bootstraps: int = 1000,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PossibleWinners:
    """Find the configurations that could be the best.

    The winner of a search has the best score on these rows; on other rows another configuration
    might have it. Configurations are eliminated as long as a test rejects that those that are left
    perform equally well. The set that is left contains the best configuration with probability
    `confidence_level` or more. A large set means that the data cannot tell, not that its
    configurations are equally good.

    The fitted models are taken as given: the result is about their performance on new rows, not
    about models that would be trained on other rows or with other seeds. With folds, finding
    BBC011 says whether that matters.

    Configurations are compared with all others, so time grows with the square of their number:
    10,000 take minutes. There may be 100,000.

    Parameters
    ----------
    predictions : array-like, list, frame, OutOfSamplePredictions or fitted search
        As in `correct`; or a search that keeps its predictions, or its scores by fold (`y_true` may
        then be None, and folds take the place of rows).
    metric : str, Metric, scorer or callable
        As in `correct`. One alone: others neither add a configuration to the set nor remove one.
    method : {"mcs", "argmin"}, default="mcs"
        "mcs" is the model confidence set with the statistic T_max, from the scores of all
        configurations on the replicates of `correct`; it takes any metric. "argmin" tests each
        configuration against a weighted mean of the others, without replicates. It takes the AUC
        and metrics that are means over rows, such as accuracy and losses, without groups, weights
        or pooling by fold.
    confidence_level : float, default=0.95
        Probability with which the set contains the best configuration, in (0, 1).
    folds, pooling : optional
        As in `correct`.

    Returns
    -------
    PossibleWinners
        A p-value per configuration, and whether it could be the best.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    References
    ----------
    .. [1] P. R. Hansen, A. Lunde, J. M. Nason, "The model confidence set", Econometrica 79 (2011),
       section 3.1.2 (T_max).
    .. [2] T. Zhang, H. Lee, J. Lei, "Winners with confidence: discrete argmin inference with an
       application to model selection", arXiv:2408.02060 (2024).

    Examples
    --------
    Two configurations are good and two are bad:

    >>> import bbc
    >>> s = bbc.simulate.accuracy(
    ...     300, 4, true_performance=[0.90, 0.60, 0.89, 0.50], random_state=0)
    >>> found = bbc.possible_winners(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> found.possible.tolist()
    [True, False, True, False]
    """
    _validation.choice(method, "method", ("mcs", "argmin"))
    options = _validation.options(
        metric=metric,
        pooling=pooling,
        n_bootstraps=n_bootstraps,
        confidence_level=confidence_level,
        alternative="greater",
        random_state=random_state,
        stratify_bootstrap=stratify_bootstrap,
    )
    threads = _validation.n_threads(n_threads)
    predictions = _validation.predictions_of(predictions, y_true)
    data = _validation.Data(
        y_true, predictions, folds, groups, sample_weight, pos_label, labels, names=names
    )
    if block_length is not None:
        given = data._asdict() | {"n_threads": threads}
        del given["y_true"], given["predictions"], given["classes"], given["mask"]
        length = length_of_blocks(y_true, predictions, options.metric, given, block_length)
        data = data._replace(block_length=length)
    problem = _validation.problem(data, options.metric, options.needs)
    _refuse_too_many(problem.n_configurations)
    options = options.for_problem(problem, needs_interval=method == "mcs")
    if method == "argmin":
        return _discrete_argmin(predictions, problem, options, threads)
    return _model_confidence_set(predictions, problem, options, threads)


def _refuse_too_many(n: int) -> None:
    """Before anything is computed, which takes memory, too."""
    most = _engine.kernel.MOST_RIVALS
    if n > most:
        problem = f"have {n} configurations, at most {most} can be compared with each other"
        raise InvalidValueError("predictions", problem)


def _model_confidence_set(
    predictions: Any, problem: Problem, options: Options, threads: int
) -> PossibleWinners:
    metric = options.metric
    scores = _engine.in_bag_scores(problem, options, n_threads=threads)
    raw = _engine.model_confidence_set(
        scores,
        greater_is_better=metric.greater_is_better,
        confidence_level=options.confidence_level,
        n_threads=threads,
    )
    winner = best_of(problem, options, threads)
    error = float(raw.pop("standard_errors")[winner])
    return _result(
        raw,
        predictions,
        problem,
        options,
        scores=scores.on_all_rows,
        winner=winner,
        error=error,
        threads=threads,
        method="mcs",
        tuning=np.zeros(problem.n_configurations),
        n_redrawn=scores.n_redrawn,
    )


def _discrete_argmin(
    predictions: Any, problem: Problem, options: Options, threads: int
) -> PossibleWinners:
    by = Argument("method", "argmin")
    refuse_design(problem, options, by)
    if problem.groups is not None:
        raise InvalidValueError("groups", "are not taken by {}", by)
    metric = options.metric
    rows = _engine.row_values(problem, metric, n_threads=threads)
    raw = _engine.discrete_argmin(
        rows,
        greater_is_better=metric.greater_is_better,
        confidence_level=options.confidence_level,
        n_threads=threads,
    )
    winner = best_of(problem, options, threads)
    alone = _engine.winner_interval(
        rows, problem, options, winner=winner, conditional=True, n_threads=threads
    )
    return _result(
        raw,
        predictions,
        problem,
        options,
        scores=rows.scores,
        winner=winner,
        error=alone["standard_error"],
        threads=threads,
        method="argmin",
        tuning=raw["lambdas"],
    )


def _result(
    raw: dict[str, Any],
    predictions: Any,
    problem: Problem,
    options: Options,
    *,
    scores: FloatArray,
    winner: int,
    error: float,
    threads: int,
    method: str,
    tuning: FloatArray,
    n_redrawn: int = 0,
) -> PossibleWinners:
    metric, draws = options.metric, method == "mcs"
    score = float(scores[winner])
    luck = given_models(
        predictions,
        problem,
        options,
        winner=winner,
        score=score,
        interval=ConfidenceInterval(score - _Z * error, score + _Z * error),
        n_redrawn=n_redrawn,
        n_threads=threads,
    )
    return PossibleWinners(
        p_values=raw["p_values"],
        possible=raw["possible"],
        scores=scores,
        winner=winner,
        confidence_level=options.confidence_level,
        pooling=options.pooling,
        metric=metric.name,
        greater_is_better=metric.greater_is_better,
        method=method,
        tuning=tuning,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        n_repeats=problem.n_repeats,
        n_bootstraps=options.n_bootstraps if draws else 0,
        n_redrawn=n_redrawn,
        unit=options.unit(problem) if draws else "row",
        seed=options.seed if draws else None,
        names=problem.names,
        version=_engine.kernel_version(),
        **luck,
    )
