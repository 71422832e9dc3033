"""The way in: a correction of predictions or of a finished search."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack, overload

from numpy.typing import ArrayLike

from ._correcting import correct_predictions
from ._typing import Alternative
from ._validation import IntervalKind, Method, SharedArguments, analysis
from ._validation._values import flag
from ._winners import named_metrics
from .correction import Correction
from .errors import InvalidTypeError, InvalidValueError, NotKeptError
from .metrics import get as get_metric
from .predictions import OutOfSamplePredictions
from .results import Performances
from .sources import Predictions, Source, refuse_design, refuse_other_metric, taken_design

__all__ = ["correct"]


class _Arguments(SharedArguments, total=False):
    """All arguments of `correct` but the source, metric and who decides."""

    method: Method
    labels: ArrayLike | None
    selection: Any
    interval: IntervalKind
    alternative: Alternative
    names: Sequence[str] | None


@overload
def correct(
    source: Any,
    predictions: Any = None,
    *,
    metric: list[Any] | tuple[Any, ...] | Mapping[str, Any],
    decided_by: str | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> Performances: ...


@overload
def correct(
    source: Any,
    predictions: Any = None,
    *,
    metric: Any = None,
    decided_by: str | None = None,
    reselect: bool = False,
    greater_is_better: bool | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> Correction: ...


@analysis
def correct(
    source: Any,
    predictions: Any = None,
    *,
    metric: Any = None,
    decided_by: str | None = None,
    reselect: bool = False,
    greater_is_better: bool | None = None,
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
    source : Predictions, FoldScores, array-like, fitted search, study, table or path
        What was predicted out of sample: `bbc.Predictions`, or the truth, followed by
        `predictions`; or what keeps them and knows how they were selected: a fitted protocol, whose
        correction is made again, a `StoredRun`, a `Correction`, or a search of
        `bbc.keep_predictions`, whose best mean over folds selects and whose winner is scored on all
        rows together. Or what kept a score of each fold by each configuration, whose folds are
        drawn (BBC-F); drawing rows gives narrower and more stable intervals:

        - `bbc.FoldScores`, of an array or of what follows;
        - a fitted search of scikit-learn, or an object that has only `cv_results_`. A halving
          search is represented by its last iteration, an Optuna search by its completed trials;
          these and searches of other packages, such as BayesSearchCV, are dynamic (BBC007);
        - LogisticRegressionCV, LassoCV, ElasticNetCV (fitted without sample weights) and RFECV;
        - `cv_results_` as a dict, its data frame, or a CSV or Parquet file of it, and other tables
          with a row per configuration and a column per fold ("fold1", "fold_2_auc",
          "split0_test_score"), as of Ray Tune, or its ResultGrid;
        - tables with a row per configuration and fold, as of caret, mlr3 and tune;
        - a finished Optuna study whose trials keep scores of folds as attributes or reported them.
          Pruned trials have no score in every fold, and are left out.
    predictions : optional
        Where `source` is the truth: out-of-sample predictions, as `bbc.Predictions` takes them,
        beside whose arguments (`folds`, `groups`, ...) this then takes.
    metric : str, Metric, scorer or callable, optional
        What is estimated: a name (see `bbc.metrics.names`), a bbc metric, a scikit-learn scorer,
        or ``function(y, prediction) -> float``. With a list, or a dict by name, `decided_by`
        selects the winners, and secondary metrics are scored on the same winners and out-of-bag
        rows (folds for "bbc-f"). Of a source that selected, its metric by default, and no other one
        without `reselect`. Of scores: what a single one is called, or which of a table is meant.
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
    reselect : bool, default=False
        Correct the selection by that metric, where the source selected otherwise: by another one,
        or by a rule that its scores do not repeat. The estimate may then be of another
        configuration than a search deploys (finding BBC024).
    greater_is_better : bool, optional
        Of scores: whether larger ones are better. By default as the search, or the name of the
        metric, says; scores of scikit-learn always rise, also those of losses, which are negated
        ("neg_log_loss").
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
        BBC007. The source may tell it.

    Returns
    -------
    Correction or Performances
        The corrected estimate with its interval, the apparent score, the winner and how often
        each configuration won, which is asked further questions about the same winners; for
        several metrics a mapping by name of their estimates. A replicate for which a secondary
        metric is undefined is left out of that metric's estimate and counted in its
        `n_undefined`: redrawing it would change the winners. Of a fitted search, `deployed` is the
        configuration that it chose. It does not keep its number of rows: `n_rows` is then 0.

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

    From the scores of a search, or the table of them:

    >>> import pandas as pd
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, cv=10)
    >>> e = bbc.correct(grid.fit(X, y), random_state=1)
    >>> e.method, e.winner_name, bool(abs(e.apparent - grid.best_score_) < 1e-12)
    ('bbc-f', 'n_neighbors=5', True)
    >>> table = pd.DataFrame(grid.cv_results_)
    >>> bbc.correct(table, metric="accuracy", random_state=1).estimate == e.estimate
    True
    """
    flag(reselect, "reselect")
    said = {
        "rungs": rungs,
        "block_length": block_length,
        "decided_by": decided_by,
        "greater_is_better": greater_is_better,
    }
    own: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    given = _predictions(source, predictions, options)
    if given is None:
        own |= options | ({"reselect": True} if reselect else {})
        if hasattr(source, "_correct"):
            return source._correct(metric=metric, **own)
        from ._settle import settle_scores  # and what checks scores, which arrays do not need

        return settle_scores(source, metric=metric, **own)
    if "greater_is_better" in own:
        problem = "is for scores of folds, not for predictions of rows"
        raise InvalidValueError("greater_is_better", problem)
    selects = _selecting(given._source, metric, decided_by, reselect=reselect)
    return correct_predictions(given, selects, **own, options=options)


def _selecting(source: Source, metric: Any, decided_by: Any, *, reselect: bool) -> Any:
    """The metric that selects: that of the source, if it selected, unless another one may."""
    if metric is None:
        return get_metric(None) if source.metric is None else source.metric
    if source.metric is None or reselect:
        return metric
    named, deciding, _ = named_metrics(metric, decided_by)
    ours = named[deciding].name
    # A store knows the names of its metrics.
    theirs = source.metric if isinstance(source.metric, str) else source.metric.name
    if ours != theirs:
        hint = f"score({ours!r}) tells it of what that selects; reselect=True corrects another "
        refuse_other_metric(ours, source.called, theirs, hint + "selection")
    return metric


def _predictions(source: Any, predictions: Any, options: Any) -> Predictions | None:
    """What was predicted, said by the source or beside the truth; None of other sources."""
    if isinstance(source, Correction):
        if source.predictions is None:
            raise NotKeptError("source", "is a correction without predictions of rows")
        source = source.predictions
    if not isinstance(source, Predictions):
        known = getattr(source, "performance_", source)
        kept = getattr(known, "predictions", None)
        source = kept if isinstance(kept, Predictions) else source
    if isinstance(source, Predictions):
        if predictions is not None:
            raise InvalidValueError("predictions", "are in bbc.Predictions already")
        refuse_design(options, source._source)
        return source
    if (predictions is None and not _is_truth(source)) or hasattr(source, "_correct"):
        return None
    design = taken_design(options)
    if predictions is not None:
        return Predictions(source, predictions, **design)
    if isinstance(source, OutOfSamplePredictions):
        return Predictions._of(source, Source(), **design)
    raise InvalidTypeError(
        "predictions", "are missing: they follow the truth, bbc.correct(y, predictions, ...)"
    )


def _is_truth(source: Any) -> bool:
    """Whether a source is a truth whose predictions are missing, or knows both."""
    if isinstance(source, OutOfSamplePredictions | list | tuple):
        return True
    return hasattr(source, "__array__") and not hasattr(source, "columns")
