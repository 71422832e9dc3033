"""The whole analysis again on permuted truths, where nothing can be learned."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from .. import _engine, _validation, metrics
from .._frozen import as_array
from .._typing import AnyArray, CodeArray, FloatArray
from ..adapters import KeptSearch, keep_predictions
from ..api import correct
from ..correction import record_of
from ..errors import BBCWarning, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..metrics._resolve import own_score
from ..metrics._spec import METRICS
from ..results import NegativeControl, PerformanceEstimate
from ..search._base import Search

__all__ = ["negative_control"]


def permutations(
    truth: AnyArray, groups: CodeArray | None, count: int, rng: np.random.Generator
) -> Iterator[AnyArray]:
    """Draw permuted truths; groups keep their outcomes together."""
    if groups is None:
        for _ in range(count):
            yield truth[rng.permutation(len(truth))]
        return
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(int(groups.max()) + 1))
    if len(starts) < 2:
        raise InvalidValueError("groups", "has one group: its outcomes have no other order")
    blocks = np.split(order, starts[1:])
    constant = all((truth[block] == truth[block[0]]).all() for block in blocks)
    for _ in range(count):
        drawn = rng.permutation(len(blocks))
        if constant:
            yield truth[order[starts][drawn]][groups]
        else:
            permuted = np.empty_like(truth)
            permuted[order] = truth[np.concatenate([blocks[block] for block in drawn])]
            yield permuted


# The value of any predictor that knows nothing of the rows, whatever the classes' shares.
_CHANCE = {
    "roc_auc": 0.5,
    "roc_auc_ovr": 0.5,
    "roc_auc_ovo": 0.5,
    "roc_auc_ovo_pairs": 0.5,
    "concordance_index": 0.5,
    "spearman": 0.0,
    "mcc": 0.0,
    "kappa": 0.0,
    "linear_weighted_kappa": 0.0,
    "quadratic_weighted_kappa": 0.0,
}
_N_PAIRINGS = 100  # of truths and predictions, for the chance value of other metrics


class _Run(NamedTuple):
    """One analysis: its estimate and, where it has predictions, what chance needs."""

    estimate: PerformanceEstimate
    metric: Metric | None = None
    predictions: Any = None


def negative_control(
    search: Any,
    X: Any,
    y: ArrayLike,
    *,
    metric: Any = None,
    n_permutations: int = 5,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    random_state: Any = None,
    **fit_params: Any,
) -> NegativeControl:
    """Run the whole analysis on permuted truths: its corrected estimate must not beat chance.

    Permuting the truth removes whatever can be learned from the inputs. An analysis that still
    reports a performance better than chance lets information about held-out rows into training or
    selection, or does not correct for selection.

    Parameters
    ----------
    search : protocol, GridSearchCV, RandomizedSearchCV or callable
        A protocol of bbc or a search of scikit-learn, fitted or not: it is cloned, without its
        store, and fitted to each permuted truth. Or a function ``f(X, y)`` that does the whole
        analysis, with all that comes before the search, and returns a fitted protocol or a
        `PerformanceEstimate`.
    X : array-like of shape (n_rows, n_features)
        Inputs.
    y : array-like of shape (n_rows,)
        The truth; structured (event, time) for survival metrics.
    metric : str, Metric, scorer or callable, optional
        What is estimated, for searches of scikit-learn only; by default their `scoring`, or
        accuracy or R2.
    n_permutations : int, default=5
        Number of permuted truths, at least 2. Each costs as much as the analysis.
    groups : array-like of shape (n_rows,), optional
        Groups of rows such as patients. Their outcomes are permuted as blocks, so that rows of a
        group remain alike, and they are passed to `fit`.
    confidence_level : float, default=0.95
        One minus the probability of calling an analysis without leak suspect, in (0, 1).
    random_state : int, Generator or None, default=None
        Seed of the permutations and, where the search has none, of its runs.
    **fit_params : dict
        Other metadata for `fit`, by row, such as `sample_weight`. They stay with the inputs.

    Returns
    -------
    NegativeControl
        The estimate of each permutation, the chance value beside it, and the verdict.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong, or chance is not known for the metric and the function returns no
        predictions.

    Notes
    -----
    The verdict is a one-sided t-test of the mean excess over chance, one observation per
    permutation. The permutations are drawn independently, and without a leak the expected excess
    of a corrected estimate is zero or, as corrections are cautious, below, so the test errs with
    probability 1 - `confidence_level` at most, as far as five means are normal.

    Chance is 1/2 for AUC and C-index, 0 for correlations, kappa and MCC, and one over the number of
    classes for balanced accuracy. For other metrics it is the mean value of the winners'
    predictions when these are paired with the truth of other rows, 100 times at random [1]_.

    With `groups`, outcomes that are constant within groups are permuted between groups; otherwise
    the groups' blocks of outcomes are put in random order and dealt to the rows. Permuting within
    groups would leave differences between groups, which an honest model may find.

    References
    ----------
    .. [1] B. Efron, R. Tibshirani, "Improvements on cross-validation: the .632+ bootstrap method",
       Journal of the American Statistical Association 92 (1997): the no-information error rate.
    .. [2] M. Ojala, G. C. Garriga, "Permutation tests for studying classifier performance", Journal
       of Machine Learning Research 11 (2010).

    Examples
    --------
    Five features chosen on all rows, before the cross-validation:

    >>> import numpy as np
    >>> import bbc
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 300)), rng.integers(0, 2, size=60)
    >>> def search(learner):
    ...     return bbc.BBC(learner, cv=5, scoring="roc_auc", refit=False, n_bootstraps=200)
    >>> def leaky(X, y):
    ...     return search(GaussianNB()).fit(SelectKBest(k=5).fit_transform(X, y), y)
    >>> bbc.negative_control(leaky, X, y, random_state=1).suspect
    True
    >>> honest = search(make_pipeline(SelectKBest(k=5), GaussianNB()))
    >>> bbc.negative_control(honest, X, y, random_state=2).suspect
    False
    """
    count = _validation.integer(n_permutations, "n_permutations", lowest=2)
    level = _validation.confidence_level(confidence_level)
    seed = _validation.seed(random_state)
    truth = _truth(y)
    codes = None
    if groups is not None:
        codes = _validation.row_labels(groups, "groups", len(truth))[0]
        fit_params = fit_params | {"groups": groups}
    run = _analysis(search, X, metric, fit_params)
    rng = np.random.default_rng(seed)
    runs, chances = [], []
    for permuted in permutations(truth, codes, count, rng):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BBCWarning)  # findings of data that nobody has
            found = run(permuted, int(rng.integers(2**53)))
            chances.append(_chance(found, permuted, rng))
        runs.append(found.estimate)
    return NegativeControl(tuple(runs), tuple(chances), level, seed)


def _truth(y: Any) -> AnyArray:
    """The truth as an array whose rows can be permuted."""
    truth = as_array(y)
    if truth.ndim == 0 or len(truth) < 2:
        raise InvalidValueError("y", f"must have shape (n_rows,), got {truth.shape}")
    return truth


def _analysis(
    search: Any, X: Any, metric: Any, fit_params: Mapping[str, Any]
) -> Callable[[AnyArray, int], _Run]:
    """The analysis as a function of the truth and a seed."""
    if isinstance(search, KeptSearch):
        search = search.search
    is_function = callable(search) and not hasattr(search, "fit")
    if isinstance(search, type) or not (is_function or hasattr(search, "estimator")):
        raise InvalidTypeError(
            "search",
            "must be a protocol, a scikit-learn search or a function of X and y, got "
            f"{search.__name__ if isinstance(search, type) else type(search).__name__}",
        )
    if (isinstance(search, Search) or is_function) and metric is not None:
        raise InvalidValueError("metric", "is for searches of scikit-learn only")
    if is_function:
        return lambda y, seed: _of_returned(search(X, y))
    _refuse_given_censoring(getattr(search, "scoring", None) if metric is None else metric)
    if isinstance(search, Search):
        return lambda y, seed: _of_protocol(_seeded(search, seed).fit(X, y, **fit_params))
    chosen = _metric_of(search, metric)

    def fit_and_correct(y: AnyArray, seed: int) -> _Run:
        kept = keep_predictions(_without_refit(clone(search))).fit(X, y, **fit_params)
        estimate = correct(kept, metric=chosen, random_state=seed)
        return _Run(estimate.record, chosen, kept.oos_predictions_)

    return fit_and_correct


def _refuse_given_censoring(scoring: Any) -> None:
    """Refuse metrics with values of rows, which the control would pair with other rows."""
    several = scoring.values() if isinstance(scoring, Mapping) else scoring
    for each in several if isinstance(several, Iterable) else [several]:
        if isinstance(each, Metric):
            _validation.refuse_given_censoring(each, "the control permutes the truth")


def _seeded(search: Search, seed: int) -> Search:
    """A clone of a protocol without store and final model, with a seed if it has none."""
    copy: Search = _without_refit(clone(search)).set_params(store=None)
    if copy.random_state is None:
        copy.set_params(random_state=seed)
    return copy


def _without_refit(search: Any) -> Any:
    return search.set_params(refit=False) if getattr(search, "refit", None) is True else search


def _metric_of(search: Any, metric: Any) -> Metric:
    """The metric of a scikit-learn search."""
    scoring = getattr(search, "scoring", None) if metric is None else metric
    if isinstance(scoring, list | tuple | set | dict):
        raise InvalidValueError("metric", "is needed: the search has several")
    if scoring is None:
        scoring = own_score(search.estimator)
    if scoring is None:
        raise InvalidValueError(
            "metric",
            f"must be given: the score of {type(search.estimator).__name__} is a method of its own",
        )
    return metrics.get(scoring)


def _of_protocol(fitted: Search) -> _Run:
    # What a rule derives from several configurations has no predictions of its own.
    derived = getattr(fitted.selection, "derives", False)
    predictions = None if derived else fitted.oos_predictions_
    return _Run(fitted.performance_.record, fitted._scoring.metric, predictions)


def _of_returned(found: Any) -> _Run:
    """The run that a function returned, which must be a result or a fitted protocol."""
    found = record_of(found)
    if isinstance(found, PerformanceEstimate):
        return _Run(found)
    if isinstance(found, Search) and hasattr(found, "performance_"):
        return _of_protocol(found)
    raise InvalidTypeError(
        "search",
        "must return a PerformanceEstimate or a fitted protocol of bbc, got "
        f"{type(found).__name__}",
    )


def _chance(run: _Run, y: AnyArray, rng: np.random.Generator) -> float:
    """The metric's value for predictions that know nothing of the rows."""
    estimate = run.estimate
    metric = run.metric or METRICS.get(estimate.metric)
    if metric is not None and metric.kernel in _CHANCE:
        return metric.sign * _CHANCE[metric.kernel]
    if metric is not None and metric.kernel == "balanced_accuracy":
        return 1.0 / len(np.unique(y))
    if run.predictions is None or metric is None:
        raise InvalidValueError(
            "search",
            f": chance is not known for metric {estimate.metric!r} without the predictions",
            hint="return the fitted protocol, or use roc_auc or balanced_accuracy",
        )
    return _value_of_other_rows(run, metric, y, rng)


def _value_of_other_rows(run: _Run, metric: Metric, y: AnyArray, rng: np.random.Generator) -> float:
    """Mean value when the winners' predictions are paired with the truth of other rows."""
    estimate = run.estimate
    problem = _validation.problem(_validation.Data(y, run.predictions), metric)
    shares = np.zeros(problem.n_configurations_given)
    shares[estimate.winner] = 1.0
    if estimate.selection_frequency is not None:
        shares = estimate.selection_frequency
    if problem.kept_configurations is not None:
        shares = shares[problem.kept_configurations]
    chosen = np.flatnonzero(shares)
    problem = problem._replace(predictions=tuple(one[:, chosen] for one in problem.predictions))
    pooling = "pooled" if estimate.pooling == "pooled" else "fold"
    values = []
    for _ in range(_N_PAIRINGS):
        paired = problem._replace(truth=problem.truth.take(rng.permutation(problem.n_rows)))
        found, _ = _engine.score(
            paired, metric, folds=paired.parts(pooling), n_threads=_validation.n_threads(None)
        )
        if not np.isnan(found).any():
            values.append(found)
    if not values:
        raise UndefinedMetricError(
            "metric", f": {metric.name!r} is undefined when predictions are paired with other rows"
        )
    means: FloatArray = np.mean(values, axis=0)
    return float(means @ shares[chosen])
