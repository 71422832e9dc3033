"""The winner's own performance."""

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._blocks_of_rows import length_of_blocks
from .._docstrings import described
from .._finished._roads import by_folds
from .._typing import Alternative
from .._validation import ANALYSIS
from .._warn import warn
from ..errors import Argument
from ..metrics._resolve import metric_required
from ..results import ConfidenceInterval, PerformanceEstimate
from ..results._correction import facts_of
from ._rows import best_of, given_models, refuse_design

_METHODS = ("conditional", "hybrid")


@metric_required
@described(ANALYSIS)
@by_folds
def winner_interval(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    method: Literal["conditional", "hybrid"] = "hybrid",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    folds: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    block_length: int | Literal["auto"] | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Estimate the performance of the configuration that was selected.

    `correct` estimates the expected performance of *selecting and training*; this is about the
    configuration that happens to have won here: how well do its fitted models predict new rows,
    given that it was selected for its score on these? Scores are taken as normal on a scale, with
    the covariances of the rows' values, truncated to where the winner is the best.

    The fitted models are taken as given. With folds, finding BBC011 says whether they differ by
    chance, of which neither the interval nor the model trained on all rows knows.

    Parameters
    ----------
    predictions : array-like, list, frame, OutOfSamplePredictions or fitted search
        As in `correct`; or a search that keeps its predictions, or its scores by fold (`y_true` may
        then be None, and folds take the place of rows).
    metric : str, Metric or scorer
        The AUC, or a metric that is a mean over rows: accuracy, losses, `bbc.metrics.row_loss`.
    method : {"conditional", "hybrid"}, default="hybrid"
        "conditional" uses the truncated normal distribution alone. Its interval is valid, but very
        wide if another configuration scores almost as well. "hybrid" also assumes that the
        performance is in a simultaneous interval of all configurations, at a tenth of the error
        probability, and is never much wider than that.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out, to test whether fitted models differ.
    groups : array-like of shape (n_rows,), optional
        Rows of a group are dependent: their values are summed.
    random_state : int, Generator or None, default=None
        Seed of the 10,000 draws behind the simultaneous interval, 0 to 2**53 - 1.

    Returns
    -------
    PerformanceEstimate
        The median-unbiased estimate with its interval, within the metric's range; `infeasible`
        gives the reason if there is none, such as fewer than ten groups, rows or events. With one
        configuration, or several that are the same, it is the interval of a single score.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis, and if the winner's losses do not vary: the
        limits then equal the score.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    Notes
    -----
    Scores that are multiples of a step (accuracy, AUC) tie often. The winner is then taken to have
    won down to half a step below the others, by the usual correction for continuity. If other
    scores tie exactly, there is no interval.

    The scale is the logit of scores whose range is bounded, and the logarithm of losses none of
    whose values is negative. Standard errors have the quantiles of Student's t with n - 1 degrees
    of freedom, for n rows or groups; for the AUC of the smaller class, and there must be ten rows
    (groups) of each. A perfect accuracy has exact limits, a perfect AUC Newcombe's, shared among
    the configurations.

    References
    ----------
    .. [1] I. Andrews, T. Kitagawa, A. McCloskey, "Inference on winners", Quarterly Journal of
       Economics 139 (2024), sections 3 (conditional) and 5 (hybrid).

    Examples
    --------
    Fifty configurations that guess at random: the apparent accuracy of the best is too high.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, size=200)
    >>> predictions = rng.integers(0, 2, size=(200, 50))
    >>> e = bbc.winner_interval(y, predictions, metric="accuracy", random_state=1)
    >>> low, high = e.confidence_interval
    >>> e.apparent > 0.55, low < 0.5 < high
    (True, True)
    """
    _validation.choice(method, "method", _METHODS)
    options = _validation.options(
        metric=metric,
        confidence_level=confidence_level,
        alternative=alternative,
        random_state=random_state,
    )
    threads = _validation.n_threads(n_threads)
    predictions = _validation.predictions_of(predictions, y_true)
    data = _validation.Data(
        y_true, predictions, folds, groups, pos_label=pos_label, labels=labels, names=names
    )
    if block_length is not None:
        given = data._asdict() | {"n_threads": threads}
        del given["y_true"], given["predictions"], given["classes"], given["mask"]
        length = length_of_blocks(y_true, predictions, options.metric, given, block_length)
        data = data._replace(block_length=length)
    problem = _validation.problem(data, options.metric)
    refuse_design(problem, options, Argument("bbc.winner_interval"))
    rows = _engine.row_values(problem, options.metric, n_threads=threads)
    winner = best_of(problem, options, threads)
    score = float(rows.scores[winner])
    conditional = method == "conditional"
    raw = _engine.winner_interval(
        rows, problem, options, winner=winner, conditional=conditional, n_threads=threads
    )
    interval = None
    if raw["feasible"]:
        interval = ConfidenceInterval(raw["low"], raw["high"], confidence_level, alternative)
    if raw["warning"]:
        warn(f"winner_interval: {raw['warning']}")
    found = given_models(
        predictions,
        problem,
        options,
        winner=winner,
        score=score,
        interval=interval,
        n_threads=threads,
    )
    notes = (*found.pop("notes"), *((raw["warning"],) if raw["warning"] else ()))
    return PerformanceEstimate(
        **facts_of(problem, options.metric),
        **found,
        estimate=raw["estimate"],
        confidence_interval=interval,
        infeasible=raw["reason"] or None,
        method=method,
        winner=winner,
        apparent=score,
        unit=options.unit(problem),
        n_folds=0 if problem.folds is None else int(problem.folds[0].max()) + 1,
        seed=None if conditional else options.seed,
        notes=notes,
    )
