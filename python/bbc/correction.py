"""The correction: from truth and out-of-sample predictions to an unbiased estimate."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from ._blocks_of_rows import in_blocks
from ._rung_stream import correct_rung_stream
from ._typing import Alternative
from ._validation import (
    BY_RUNGS,
    IntervalKind,
    Method,
    Pooling,
    SharedArguments,
    analysis,
    asked,
    named_outputs,
)
from ._winners import corrected, named_metrics
from .errors import Argument, InvalidValueError
from .metrics import Metric
from .results import PerformanceEstimate, Performances
from .selection import Selection
from .selection import get as get_selection
from .selection._rules import rungs as given_rungs
from .streaming import StreamingCorrection, correct_stream, is_stream

__all__ = ["correct"]


class _Arguments(SharedArguments, total=False):
    """All arguments of `correct` but data, metric and who decides."""

    method: Method
    labels: ArrayLike | None
    selection: Any
    interval: IntervalKind
    alternative: Alternative
    names: Sequence[str] | None


@overload
def correct(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: list[Any] | tuple[Any, ...] | Mapping[str, Any],
    decided_by: str | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> Performances: ...


@overload
def correct(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> PerformanceEstimate: ...


@analysis
def correct(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> Any:
    """Correct the performance of the selected configuration for selection.

    The best cross-validation score among many configurations is optimistically biased. Selection
    is therefore repeated on bootstrap replicates of the out-of-sample predictions, and the winner
    of each replicate is scored on the units that were not drawn. No model is trained.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The truth. For survival metrics a structured array (event, time) or two columns.
    predictions : array-like, list, frame, dict, OutOfSamplePredictions, Blocks or Dask array
        Out-of-sample predictions of shape (n_rows, n_configurations), or
        (n_rows, n_configurations, n_classes) for class scores; probabilities of surviving several
        times have the times in place of the classes. A 4-d array or a list holds one
        array per repeat. The columns of a frame are the configurations. NaN is missing. A dict by
        name holds several outputs of the same configurations, so that metrics of each go together:
        "labels", "scores", "decisions" and, with its "times", "survival".
        `bbc.Blocks` and Dask arrays chunked by configuration are processed block by block, with
        the same result except for `model_luck`, which needs all configurations at once. At most
        2^31 - 1 rows, and as many configurations in a block.
    metric : str, Metric, scorer or callable
        What is estimated: a name (see `bbc.metrics.names`), a bbc metric, a scikit-learn scorer,
        or ``function(y, prediction) -> float``. With a list, or a dict by name, `decided_by`
        selects the winners, and secondary metrics are scored on the same winners and out-of-bag
        rows (folds for "bbc-f").
    decided_by : str, optional
        Name of the selection metric among several; the first by default.
    method : {"bbc", "bbc-two-level", "bbc-f", "tt"}, default="bbc"
        What a replicate draws. "bbc" draws rows (or groups). "bbc-two-level" draws folds and, for
        each fold drawn, rows (or groups) within it, and scores the winner on all rows of the
        folds that were not drawn: its estimate remains unbiased if the fitted models of a
        configuration vary. "bbc-f" draws folds and averages their scores. Both need at least two
        folds, and at least four for an interval. With repeats, each replicate in turn draws the
        folds of one repeat, in which the winner is scored; "bbc-two-level" selects by the mean over
        all repeats. "tt" (Tibshirani and Tibshirani) draws nothing: the winner has the best mean
        over folds, which is corrected by its mean distance from the best score of each fold. It
        has no interval.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out. Required by all methods but "bbc", by
        ``pooling="fold"`` and by `one_standard_error`; with folds, method "bbc" also tests whether
        fitted models differ by chance (`PerformanceEstimate.model_luck`, finding BBC011).
    block_length : int or "auto", optional
        For rows in order of time: draw blocks of so many neighbouring rows in the place of rows,
        because neighbours that err alike are no independent draws. "auto" is three times the
        median, over 15 configurations, of the length of Politis and White [4]_ for their rows, at
        least the cube root of the number of rows and at most an eighth of it; for metrics of labels
        or numbers that are no means over rows, of their errors. Not beside `groups`.
    stratify_bootstrap : bool, default=False
        Draw within classes, so that each replicate has the class counts of `y_true`.
    sample_weight : array-like of shape (n_rows,), optional
        Weights that multiply the counts of the replicates.
    labels : array-like, optional
        All classes, in the order of the last axis of class scores; by default those of `y_true`,
        sorted or, of an ordered pandas categorical, in its order.
    missing : {"raise", "drop-rows", "drop-configurations", "rungs"}, default="raise"
        How to treat predictions that only some configurations lack. Rows that no configuration
        predicted are always left out and reported. "rungs" is for searches that dropped
        configurations on the way, such as successive halving or a pruner: each row is scored once,
        by the configuration that is best in bag, on rows predicted so far, among those that were
        alive when the row was first predicted. The search's own rule need not be known, if every
        prediction made before a decision was kept, and all configurations took the folds in one
        order. It takes one metric: a mean over rows, a confusion metric, or with ``pooling="rung"``
        the AUC of two classes or the concordance index.
    rungs : array-like of int of shape (n_rows,) or (n_repeats, n_rows), or Rungs, optional
        For ``missing="rungs"``: the rung at which each row was predicted. By default it is found
        from the missing predictions, which a stream does not show. `bbc.Rungs` has more options.
    pooling : {"pooled", "fold", "rung"}, default="pooled"
        The metric on all rows together, or its unweighted mean over folds: different estimands,
        above all for ranking metrics. "rung" counts the pairs of a ranking metric within rungs.
    selection : "best", Selection or callable, default="best"
        How the winner is selected: ``"best"``, ``bbc.one_standard_error(complexity)``, or a
        function of the (n_configurations,) in-bag scores and the counts of the rows that returns an
        index. ``bbc.best_threshold()`` selects a configuration and the cut-off of its scores; other
        metrics of labels are read at the same cut-off, and metrics of scores of the same
        configuration. ``bbc.greedy_ensemble(n_rounds)`` and ``bbc.top_k(k)`` select an ensemble and
        take one metric. All three take metrics by name, and methods "bbc" and "bbc-two-level".
    interval : {"order-statistics", "calibrated"}, default="order-statistics"
        "order-statistics" of the replicates, or "calibrated" for "bbc-two-level": a normal interval
        from the variance of the replicates, less the part due to scoring on few folds, plus what
        training rows that folds share add and the variance of the final model's luck. Where fitted
        models vary by chance it is longer, and covers the performance of the final model, too.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" gives a lower bound only, "less" an upper bound only. For a loss the conservative
        side is "less".
    dynamic_search : bool, default=False
        Whether configurations were chosen depending on the scores of others, which adds finding
        BBC007. `OutOfSamplePredictions` may have recorded it.

    Returns
    -------
    PerformanceEstimate or Performances
        The corrected estimate with its interval, the apparent score, the winner and how often
        each configuration won; for several metrics a mapping by name. A replicate for which a
        secondary metric is undefined is left out of that metric's estimate and counted in its
        `n_undefined`: redrawing it would change the winners.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis.

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
    .. [2] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), Algorithm 1 (BBC-F).
    .. [3] R. J. Tibshirani, R. Tibshirani, "A bias correction for the minimum error rate in
       cross-validation", Annals of Applied Statistics 3 (2009) ("tt").
    .. [4] D. N. Politis, H. White, "Automatic block-length selection for the dependent bootstrap",
       Econometric Reviews 23 (2004), corrected by A. Patton, D. N. Politis, H. White, 28 (2009).

    Examples
    --------
    Fifty configurations that guess at random: the apparent accuracy of the best is too high.

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

    Two metrics, of which the first selects the winner; and a correction from fold scores:

    >>> both = bbc.correct(y, predictions, metric=["accuracy", "f1"], random_state=1)
    >>> both["f1"].winner == both["accuracy"].winner, both["f1"].decided_by
    (True, 'accuracy')
    >>> e = bbc.correct(y, predictions, metric="accuracy", method="tt", folds=np.arange(80) % 10)
    >>> bool(e.estimate < e.apparent), e.confidence_interval is None
    (True, True)

    Halving on the same guesses: after 20 rows the better half went on, after 40 the better half of
    these. The survivors look good because they were lucky in rows that everybody sees.

    >>> P, alive = predictions.astype(float), np.arange(50)
    >>> for end in (20, 40):
    ...     right = (predictions[:end, alive] == y[:end, None]).mean(axis=0)
    ...     alive = np.sort(alive[np.argsort(-right)[: len(alive) // 2]])
    ...     P[end:, np.setdiff1d(np.arange(50), alive)] = np.nan
    >>> e = bbc.correct(y, P, metric="accuracy", missing="rungs", random_state=1)
    >>> e.apparent > 0.6, abs(e.estimate - 0.5) < 0.06
    (True, True)
    """
    return correct_as(
        y_true,
        predictions,
        metric,
        decided_by,
        rungs=rungs,
        block_length=block_length,
        options=options,
    )


def correct_as(
    y_true: Any,
    predictions: Any,
    metric: Any,
    decided_by: str | None,
    *,
    rungs: Any,
    block_length: Any,
    options: Any,
    pooling_of: Callable[[Metric], Pooling] | None = None,
) -> Any:
    """What `correct` does; see `corrected` for `pooling_of`."""
    named, deciding, several = named_metrics(metric, decided_by)
    predictions = named_outputs(predictions, y_true)
    if rungs is not None or options.get("missing") == "rungs":
        options = _by_rungs(options, rungs)
    if block_length is not None:
        options = in_blocks(y_true, predictions, named[deciding], options, block_length)
    call = asked(y_true, predictions, {"metric": named[deciding]} | options, named=named)
    if type(predictions) is np.ndarray or not is_stream(predictions):
        found = corrected(call, named, deciding, pooling_of)
        return Performances(found) if several else found[deciding]
    if several:
        raise InvalidValueError("metric", ": a stream takes one metric, not several")
    if call.data.missing == "rungs":
        return correct_rung_stream(call, predictions)
    if call.data.missing != "raise":
        raise InvalidValueError(
            Argument("missing", call.data.missing), "needs all predictions at once, not a stream"
        )
    correction = StreamingCorrection._with(call)
    return correct_stream(correction, predictions, n_threads=call.n_threads)


def _by_rungs(options: Any, rungs: Any) -> Any:
    """The options of a correction rung by rung, which is a rule of choice of its own."""
    if options.get("missing") != "rungs":
        raise InvalidValueError("rungs", "is for {}", BY_RUNGS)
    rule = get_selection(options.get("selection", "best"))
    if rule.rule != "best":
        problem = f"{rule} is not for {{}}: each rung has its own best"
        raise InvalidValueError("selection", problem, BY_RUNGS)
    return options | {"selection": Selection("rungs", rungs=given_rungs(rungs))}
