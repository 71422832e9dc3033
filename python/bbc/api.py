"""The ways in: a correction of predictions or of a finished search, and a comparison of several."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ._comparing import Member, compare_members
from ._frozen import LARGE, copied_by_threads
from ._typing import Alternative
from ._validation import IntervalKind, Method, analysis
from ._validation._arguments import Draws, Rows
from ._validation._values import flag, n_threads
from ._winners import refuse_several, selecting_metric
from .correction import Correction, correct_predictions
from .errors import (
    Argument,
    ArgumentError,
    InvalidTypeError,
    InvalidValueError,
    NotKeptError,
    arguments_called,
)
from .metrics import get as get_metric
from .predictions import OutOfSamplePredictions
from .results import Comparison
from .sources import SAID, Predictions, Source, check_selects, refuse_design, taken_design

__all__ = ["compare", "correct"]

#: Options that say nothing if they are None.
_UNSAID = ("secondary", "rungs", "block_length")


class _Arguments(Draws, Rows, total=False):
    """All options of `correct`, and what is said of a bare truth."""

    secondary: Sequence[Any] | Mapping[str, Any] | None
    rungs: Any
    block_length: int | Literal["auto"] | None
    method: Method
    selection: Any
    interval: IntervalKind
    alternative: Alternative


@analysis
def correct(
    source: Any,
    predictions: Any = None,
    *,
    metric: Any = None,
    reselect: bool = False,
    greater_is_better: bool | None = None,
    y: ArrayLike | None = None,
    **options: Unpack[_Arguments],
) -> Correction:
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
        - `cv_results_` as a dict, its data frame, or a CSV or Parquet file of it;
        - a finished Optuna study whose trials keep scores of folds as attributes or reported them.
          Pruned trials have no score in every fold, and are left out.
    predictions : optional
        Where `source` is the truth: out-of-sample predictions, as `bbc.Predictions` takes them.
    metric : str, Metric, scorer or callable, optional
        What selects the winners, and is estimated: a name (see `bbc.metrics.names`), a bbc metric,
        a scikit-learn scorer, or ``function(y, prediction) -> float``. Of a source that selected,
        its metric by default, and no other one without `reselect`. Of scores: what a single one is
        called, or which of a table is meant.
    secondary : list of metrics, or dict of metrics by name, optional
        Further metrics of the same winners, scored on the same out-of-bag rows (folds for "bbc-f");
        `Correction.secondary` has them. By default what else the source scored, of a protocol with
        several. Not for scores of folds, streams, rungs and ensembles.
    method : {"bbc", "bbc-two-level", "bbc-f", "tt"}, default="bbc"
        What a replicate draws. "bbc" draws rows (or groups). "bbc-two-level" draws folds and, for
        each fold drawn, rows (or groups) within it, and scores the winner on all rows of the
        folds that were not drawn: its estimate remains unbiased if the fitted models of a
        configuration vary. "bbc-f" draws folds and averages their scores. Both need at least two
        folds; limits of fewer than five are no closer than by Student's t, and those of classes
        hold what stratified folds hide. With repeats, each replicate in turn draws the folds of one
        repeat, in which the winner is scored; "bbc-two-level" selects by the mean over all
        repeats. "tt" (Tibshirani and Tibshirani) draws nothing: the winner has the best mean
        over folds, which is corrected by its mean distance from the best score of each fold. It
        has no interval.
    reselect : bool, default=False
        Correct the selection by that metric, where the source selected otherwise: by another one,
        or by a rule that its scores do not repeat. The estimate may then be of another
        configuration than a search deploys (finding BBC024).
    greater_is_better : bool, optional
        Of scores: whether larger ones are better, as in `bbc.FoldScores`.
    y : array-like of shape (n_rows,), optional
        Of scores of folds: the truth that the search was fitted on, as in `bbc.FoldScores`, with
        its `groups`, if any. The inputs are not needed.
    block_length : int or "auto", optional
        For rows in order of time: draw blocks of so many neighbouring rows in the place of rows,
        because neighbours that err alike are no independent draws. "auto" is three times the
        median, over 15 configurations, of the length of Politis and White [4]_ for their rows, at
        least the cube root of the number of rows and at most an eighth of it; for metrics of labels
        or numbers that are no means over rows, of their errors. Not beside `groups`.
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
        from the missing predictions, which a stream does not show. `bbc.results.Rungs` has more
        options.
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
    Correction
        The corrected estimate with its interval, the apparent score, the winner and how often
        each configuration won, which is asked further questions about the same winners. A replicate
        for which a secondary metric is undefined is left out of that metric's estimate and counted
        in its `n_undefined`: redrawing it would change the winners. Of a fitted search, `deployed`
        is the configuration that it chose. It does not keep its number of rows: `n_rows` is then 0.

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

    A second metric of the same winners; and a correction from fold scores:

    >>> e = bbc.correct(y, predictions, metric="accuracy", secondary=["f1"], random_state=1)
    >>> e.secondary["f1"].winner == e.winner, e.secondary["f1"].decided_by
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
    >>> e = bbc.correct(grid.fit(X, y), y=y, random_state=1)
    >>> e.method, e.winner_name, bool(abs(e.apparent - grid.best_score_) < 1e-12)
    ('bbc-f', 'n_neighbors=5', True)
    >>> table = pd.DataFrame(grid.cv_results_)
    >>> bbc.correct(table, metric="accuracy", random_state=1).estimate == e.estimate
    True
    """
    if reselect is not False:
        flag(reselect, "reselect")
    said: dict[str, Any] = {
        name: value for name, value in options.items() if value is not None or name not in _UNSAID
    }
    try:
        given = _predictions(source, predictions, said)
        if y is not None and (given is not None or hasattr(source, "_correct")):
            problem = "is for scores of folds: predictions come with their truth"
            raise InvalidValueError("y", problem)
        if given is None:
            beside = {"greater_is_better": greater_is_better, "y": y, "reselect": reselect or None}
            said |= {name: value for name, value in beside.items() if value is not None}
            if hasattr(source, "_correct"):
                corrected: Correction = source._correct(metric=metric, **said)
                return corrected
            from ._settle import settle_scores  # and what checks scores, which arrays do not need

            return settle_scores(source, metric=metric, **said)
        if greater_is_better is not None:
            problem = "is for scores of folds, not for predictions of rows"
            raise InvalidValueError("greater_is_better", problem)
        if given._source.kept is not None:
            from ._settle import settle_predictions

            return settle_predictions(given, said, metric=metric, reselect=reselect)
        if metric is None or (given._source.metric is not None and not reselect):
            metric = _selecting(given._source, metric)
        return correct_predictions(given, metric, said)
    except ArgumentError as error:  # which names the truth as the caller did
        called = "y" if predictions is None or y is not None else "source"
        error._call({"y_true": called, "y": called})
        if isinstance(source, Predictions) and not source._source.called:
            error._give_to("bbc.Predictions, or to what read the table", SAID)
        raise


def _selecting(source: Source, metric: Any) -> Any:
    """The metric of a source that selected; no other one selects."""
    if metric is None:
        return get_metric(None) if source.metric is None else source.metric
    ours = selecting_metric(metric)
    told = f"secondary=[{ours.name!r}] tells it of what that selects; "
    check_selects(
        ours, source.metric, source.called, told + "reselect=True corrects another selection"
    )
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
        stratified = source._stratified(options)
        refuse_design(options, stratified._source)
        return stratified
    if (predictions is None and not _is_truth(source)) or hasattr(source, "_correct"):
        return None
    design = {} if options.keys().isdisjoint(SAID) else taken_design(options)
    if predictions is not None:
        if hasattr(source, "cv_results_"):
            problem = "are given beside a search, which keeps scores of its folds"
            raise InvalidTypeError("predictions", problem, hint="its truth is y, by name: y=y")
        if type(predictions) is np.ndarray and predictions.nbytes >= LARGE:
            threads = n_threads(options.get("n_threads"))
            predictions = copied_by_threads(predictions, threads)
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


ComparisonMethod = Literal["bbc", "bbc-two-level"]


class _Compared(Draws, total=False):
    """All options of `compare`."""

    secondary: Sequence[Any] | Mapping[str, Any] | None
    block_length: int | Literal["auto"] | None
    method: ComparisonMethod
    selection: Any
    alternative: Alternative


@analysis
@arguments_called(y_true="families")
def compare(
    families: Any,
    *,
    metric: Any = None,
    by: Literal["learner"] | Sequence[str] | None = None,
    reference: str | None = None,
    **options: Unpack[_Compared],
) -> Comparison:
    """Compare families of configurations, each by its own winner.

    The best score of a large family is more optimistic than that of a small one, so apparent scores
    cannot be compared. Here each replicate selects the best of each family in bag and scores all of
    them on the same rows out of bag; the mean difference is corrected for selection, whatever the
    sizes of the families. No model is trained.

    Parameters
    ----------
    families : dict, Predictions or fitted search
        A dict from the names of families to sources, as `bbc.correct` takes them, or to pairs of a
        source and its rule of choice, such as ``(predictions, bbc.best_threshold())``. Or, with
        `by`, one source. A `Correction` gives its predictions, metric and rule, not its draws; a
        search what its own correction is made of. All families must have the same rows, truth,
        folds, groups and weights. Searches that kept scores of folds only are compared by folds, as
        by method "bbc-f".
    metric : str, Metric, scorer or callable, optional
        What selects the winners, and is estimated, as in `bbc.correct`. By default the metric by
        which the sources selected, which must be the same.
    secondary : list of metrics, or dict of metrics by name, optional
        Further metrics by which the same winners are compared; `Comparison.secondary` has them. Not
        for scores of folds.
    by : "learner" or sequence of str of length n_configurations, optional
        Splits one source: "learner" by the keys of the dict of learners that a protocol tuned
        (``estimator={"svm": ..., "forest": ...}``), a list by the names it gives.
    reference : str, optional
        Compare only with this family, such as ``"default"``; by default all pairs are compared.
    method : {"bbc", "bbc-two-level"}, default="bbc"
        What a replicate draws, as in `bbc.correct`. With "bbc" the standard errors of differences
        are made from the rows of both winners; with "bbc-two-level" from the replicates, which draw
        folds, and so are wider. This and the options below are by default those of the sources' own
        corrections, which must agree.
    block_length : int or "auto", optional
        For rows in order of time, as in `bbc.correct`; "auto" is the longest that a family needs.
    missing : {"raise", "drop-rows", "drop-configurations"}, default="raise"
        How to treat predictions that only some configurations lack. The rows that stay must be the
        same in all families.
    selection : "best", Selection or callable, default="best"
        How the winner of each family without a rule of its own is selected, as in `bbc.correct`.
    confidence_level : float, default=0.95
        Level of the intervals of estimates and differences, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        The alternative of the p-values and the side of all intervals. For differences "greater"
        means that the first family is better, whatever the direction of the metric.

    Returns
    -------
    Comparison
        The estimate of each family, which equals that of `bbc.correct` with the same seed, and the
        difference of each pair with interval and p-value. A replicate in which a secondary metric
        is undefined for the winner of one family is left out for all families; the estimates count
        them.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong, or families have unlike rows, folds, units or truths; the message
        names it, the problem and the place.
    UndefinedMetricError
        If the data leave the metric undefined, so that no replicate could be scored.

    Notes
    -----
    The estimate is the mean of the differences d_b of the replicates. Its standard error is made
    from the families' best configurations on all rows: with u_i and v_i what row i (or group)
    contributes to their scores, it is the root of (1 + rho) * sum_i (u_i - v_i)**2. For a mean over
    rows, u_i is the centred value of the row over sqrt(n (n - 1)); for the AUC its placement, by
    class; for other metrics, which are no means, the jackknife. rho allows for training rows that
    the folds share, as Nadeau and Bengio do [2]_: it is 1 for one partition, K / (K - 1) for
    several of K folds (of five, if folds are not known), and 0 for a single hold-out. How much the
    shared rows matter depends on the learners and cannot be estimated from one cross-validation.

    The ratio is compared to a t-distribution with one degree of freedom less than there are rows or
    groups, of the smaller class for metrics that compare two classes, and of events for censored
    times. Where both best configurations are nearly the same (their contributions correlate above
    about 0.8), the replicates, in which other configurations win, may vary more; the larger of the
    two standard errors then counts: that of the replicates is their standard deviation over
    sqrt(E[N/M] - 1), with M of N units left out. Thresholds and ensembles, and "bbc-two-level",
    have that of the replicates only; draws of folds that keep the shares of the classes hide how
    these vary, which is added for the difference of both best configurations.

    Replicates select on fewer rows than the data have, which underestimates a family of C different
    configurations by at most 0.112 E[max of C normal variables] standard errors; the p-value is the
    largest that this allows. If no replicate differs, it is 1. p-values are not adjusted for the
    number of pairs.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5.
    .. [2] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52
       (2003).
    .. [3] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or more
       correlated receiver operating characteristic curves", Biometrics 44 (1988).

    Examples
    --------
    Sixty configurations that guess at random against one that does: no difference.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(5)
    >>> y = rng.integers(0, 2, size=100)
    >>> guesses = {"tuned": rng.integers(0, 2, (100, 60)), "default": rng.integers(0, 2, (100, 1))}
    >>> comparison = bbc.compare(
    ...     {name: bbc.Predictions(y, each) for name, each in guesses.items()},
    ...     metric="accuracy", reference="default", random_state=1)
    >>> difference = comparison.difference("tuned", "default")
    >>> apparent = [e.apparent for e in comparison.estimates.values()]
    >>> apparent[0] - apparent[1] > 0.1, difference.p_value > 0.05
    (True, True)
    """
    refuse_several(metric)
    named, rules = _named_sources(families, by), {}
    members: dict[str, Member] = {}
    for name, source in named.items():
        place = "families" if by is not None else f"families[{name!r}]"
        if isinstance(source, tuple) and len(source) == 2:
            source, rules[name] = source
        called = dict.fromkeys(("source", "search", "predictions", "y_true"), place)
        with arguments_called(**called):
            members[name] = Member.of(_compared_source(source, metric), name)
    return compare_members(
        members,
        rules,
        metric=metric,
        by=by,
        reference=reference,
        options={n: v for n, v in options.items() if v is not None or n not in _UNSAID},
    )


def _named_sources(families: Any, by: Any) -> Mapping[str, Any]:
    """The sources by the names of their families; the only one is called ""."""
    if by is not None:
        if isinstance(families, dict):
            raise InvalidTypeError("by", "splits one source, not a dict of them")
        return {"": families}
    if not isinstance(families, Mapping):
        raise InvalidTypeError(
            "families",
            "must be a dict from the names of families to their sources, got "
            f"{type(families).__name__}",
            hint=(
                "{} splits a search over several learners, and a list with the family of each "
                "configuration splits other predictions",
                Argument("by", "learner"),
            ),
        )
    if not families:
        raise InvalidValueError("families", "has 0 families, but a comparison needs two")
    for name in families:
        if not isinstance(name, str) or not name:
            raise InvalidTypeError("families", f"has a name {name!r}, which is no text")
    return families


def _compared_source(source: Any, metric: Any) -> Predictions | Correction:
    """What is compared of a source: predictions, or else its own correction."""
    if isinstance(source, Correction):
        return source
    known = getattr(source, "performance_", None)
    if isinstance(known, Correction):
        return known
    if isinstance(source, Predictions):
        return source
    if isinstance(source, OutOfSamplePredictions):
        return Predictions._of(source, Source())
    if hasattr(source, "__array__") and not hasattr(source, "columns"):
        hint = "give bbc.Predictions(y, predictions)"
        raise InvalidTypeError("source", "is an array, without its truth", hint=hint)
    return correct(source, metric=metric, random_state=0)
