"""A scikit-learn search that keeps its out-of-sample predictions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, is_classifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from .._design import Design
from .._finished import kind_of, refuse_cv_estimator
from .._finished._claim import Claim
from .._finished._searches import claim_of_search, metrics_read
from .._frozen import as_array
from .._names import configuration_name
from .._rows import has_time_index, refuse_other_rows, why_no_blocks
from .._settle import kept, settle
from .._training._check import CheckScores
from .._training._collected import Collected
from .._training._configurations import method_of, refuse_stopping
from .._training._follow import Followed, Round, follow, scores_of
from .._training._scoring import Responses, probe
from .._training._splits import (
    Partition,
    copies_across_folds,
    folds_of,
    strata_of,
    warn_of_shared_rows,
)
from .._typing import AnyArray, IndexArray
from ..errors import Argument, InvalidTypeError, InvalidValueError, arguments_called
from ..predictions import checked_times, is_time_ordered
from ..selection import Rungs
from ._iterations import Iterations, correct_iterations, places_before

__all__ = ["KeptSearch", "keep_predictions"]


def keep_predictions(
    search: Any, check_scores: CheckScores = "raise", *, times: Sequence[float] | None = None
) -> "KeptSearch":
    """Make a scikit-learn search keep what each configuration predicted for each held-out row.

    The search itself decides what is trained, on its own splits and with its own scorers, so that
    its `cv_results_` are those of its `fit`. Models are trained as by `bbc.BBC`: learners without
    `random_state` get a seed for each configuration, the same in all folds, which is derived from
    the search's own `random_state` if that is an integer. Scores of training rows are not computed.

    Parameters
    ----------
    search : GridSearchCV, RandomizedSearchCV, HalvingGridSearchCV or HalvingRandomSearchCV
        The search, or one of another class derived from `BaseSearchCV`; not fitted yet, and it is
        cloned. Of a halving search over `n_samples` the last iteration is kept: `bbc.correct`
        scores its configurations on the rows that no earlier iteration saw, since they were
        selected on the others. The estimate is of models of the last iteration's size. Of one over
        another resource, whose iterations all score the same rows, it subtracts what the survivors
        of each iteration owe to luck, as far as it carries over; metrics are means over rows.
    check_scores : {"raise", "warn"}, default="raise"
        What to do where the score of a fold differs from the one that is computed from the
        predictions kept: raise an error, or go on with finding BBC022.
    times : sequence of float, optional
        For learners with `predict_survival_function`, as scikit-survival's: ascending times at
        which survival is kept beside the risks, for metrics that read it.

    Returns
    -------
    KeptSearch
        Fit it in the search's place; then it has `oos_predictions_`, beside what the fitted search
        has, and `bbc.correct` corrects it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, cv=5)
    >>> kept = bbc.keep_predictions(grid).fit(X, y)
    >>> bbc.correct(kept, random_state=1).winner_name, kept.best_params_
    ('n_neighbors=5', {'n_neighbors': 5})
    """
    return KeptSearch(search, check_scores, times=times)


class KeptSearch(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A search and the predictions that it made; see `keep_predictions`.

    It has the search's other methods and results, too, such as `best_params_` and `predict`.

    Parameters
    ----------
    search : GridSearchCV or RandomizedSearchCV
        The search.
    check_scores : {"raise", "warn"}, default="raise"
        What to do where scores differ from the search's.
    times : sequence of float, optional
        Times at which survival is kept.

    Attributes
    ----------
    search_ : GridSearchCV or RandomizedSearchCV
        The fitted search.
    oos_predictions_ : OutOfSamplePredictions
        What each configuration predicted for the rows of each fold.
    checked_scores_ : dict of str to str
        By metric of the search, whether its scores are those of the predictions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> kept = bbc.keep_predictions(GridSearchCV(tree, {"max_depth": [1, 3]}, cv=5)).fit(X, y)
    >>> kept.oos_predictions_
    OutOfSamplePredictions(n_repeats=1, n_rows=150, n_configurations=2, labels and scores)
    """

    def __init__(
        self,
        search: Any,
        check_scores: CheckScores = "raise",
        *,
        times: Sequence[float] | None = None,
    ) -> None:
        self.search = search
        self.check_scores = check_scores
        self.times = times

    def fit(self, X: Any, y: ArrayLike, **params: Any) -> Self:
        """Fit the search and collect its predictions.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs.
        y : array-like of shape (n_rows,)
            The truth.
        **params : dict
            What the search's `fit` takes, such as `groups`; `sample_weight` is kept with the
            predictions if the search scores with it.

        Returns
        -------
        self
            With `search_` and `oos_predictions_`.
        """
        _validation.choice(self.check_scores, "check_scores", ("raise", "warn"))
        search = self.search
        _refuse_other_searches(search)
        times = _times_for(search.estimator, self.times)
        truth = as_array(y)
        if truth.ndim != 1:
            hint = _validation.ONE_OUTPUT_FITTED if truth.ndim == 2 and truth.shape[1] > 1 else ""
            raise InvalidValueError("y", f"must have shape (n_rows,), got {truth.shape}", hint=hint)
        groups, weight = params.get("groups"), params.get("sample_weight")
        refuse_other_rows(y=y, X=X, groups=groups, sample_weight=weight)
        warn_of_shared_rows(X, params)
        refuse_stopping({"": search.estimator}, "search", params)
        _refuse_unscored(search, truth, refuse=self.check_scores == "raise")
        followed = follow(search, X, y, times=times, params=params)
        self.search_ = followed.search
        groups = None if groups is None else as_array(groups)
        partitions = followed.rounds[-1].partitions
        places = self._keep(
            followed,
            truth,
            groups=groups,
            stratified_by=strata_of(search.cv, truth),
            time_indexed=has_time_index(y, X),
            n_copies=copies_across_folds(X, truth, partitions),
        )
        claim = _claim(followed, partitions).of(places)
        own = kept(claim, self.oos_predictions_, partitions, self.check_scores)
        self._kept = replace(own, no_blocks=why_no_blocks(X=X, y=y))
        outcomes = self._kept.outcomes
        self.checked_scores_ = {key: each.shown for key, each in outcomes.items() if each.shown}
        return self

    def _keep(self, followed: Followed, truth: AnyArray, **design: Any) -> IndexArray:
        """Make predictions of what the rounds predicted; return their places."""
        search, rounds, weight = self.search_, followed.rounds, followed.sample_weight
        partitions = rounds[-1].partitions
        splits = [(fold.train, fold.test) for each in partitions for fold in each.folds]
        halves = hasattr(search, "factor")
        last = [one for one in rounds if one.partitions is partitions]
        last = rounds[-1:] if halves else last  # rounds of halving do not stand side by side
        collected = followed.collected(last)
        design["design"] = Design(
            training="observed",
            n_failed=int((~collected.predicted.all(axis=0)).sum()),
            dropped_after=(),
            **folds_of(search.cv, truth, classifier=is_classifier(search.estimator), grouped=False),
        )

        def predictions(own: Collected, places: IndexArray, chosen: IndexArray) -> Any:
            return own.predictions(
                truth,
                chosen,
                [configuration_name(search.cv_results_["params"][place]) for place in places],
                "",
                sample_weight=None if weight is None else np.asarray(weight, float),
                dynamic_search=not isinstance(search, GridSearchCV | RandomizedSearchCV),
                time_ordered=is_time_ordered(splits),
                **design,
            )

        places = np.concatenate([each.places for each in last])
        self.oos_predictions_ = predictions(collected, places, np.arange(len(places)))
        self._rungs = self._iterations = None
        if halves and search.resource == "n_samples":
            self._rungs = _rungs(rounds, len(truth))
        elif halves:
            self._iterations = _iterations(followed, predictions)
        return places

    @arguments_called(y_true="y")
    def _correct(self, metric: Any = None, **options: Any) -> Any:
        """Correct the performance of what the search deploys; no model is trained.

        The search's metric and rule, the best mean over folds, select in every replicate, and the
        winner is scored on all rows together. Where the predictions do not give that metric, as of
        a scoring function, its folds are drawn (BBC-F).

        `metric` is by default what the search selects by, which is among several; of an estimator's
        own `score` it says what it is, which is checked. ``reselect=True`` selects by another one;
        `pooling`, `selection` and `rungs` by another rule. Then the estimate may be of another
        configuration than the search deploys, as `deployed` and finding BBC024 say.
        """
        check_is_fitted(self, "search_")
        own = self._kept
        if self._iterations is not None:
            options["by"] = partial(correct_iterations, self._iterations)
        elif self._rungs is not None and "missing" not in options:
            # What halving selected by is not scored, and nothing depends on the scores seen.
            own = replace(own, predictions=replace(own.predictions, dynamic_search=False))
            options = {"rungs": self._rungs} | options
        return settle(own, metric=metric, **options)

    def __getattr__(self, name: str) -> Any:
        """Attributes of the search, such as `best_params_` and, once fitted, `predict`."""
        search = vars(self).get("search_", vars(self).get("search"))
        if search is None or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(search, name)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.search)


def _times_for(estimator: Any, times: Any) -> tuple[float, ...]:
    """The times at which survival is kept, of a learner that gives it."""
    if times is None:
        return ()
    try:
        method_of(estimator, "predict_survival_function")
    except AttributeError:
        told = f"are for survival, but {type(estimator).__name__} has no predict_survival_function"
        raise InvalidValueError("times", told) from None
    return checked_times(times)


def _claim(followed: Followed, partitions: Sequence[Partition]) -> Claim:
    """What the search says, with what of it was lost, and why."""
    claim = claim_of_search(followed.search, partitions=partitions)
    said = {
        key: replace(each, by_fold=followed.by_fold[key], weighted=key in followed.weighted)
        for key, each in claim.said.items()
    }
    return replace(claim, said=said, lost=followed.lost)


def _refuse_unscored(search: Any, y: AnyArray, *, refuse: bool) -> None:
    """Refuse, before a model is trained, a search whose own metric cannot be computed."""
    named = scores_of(search.scoring)
    decides = "score" if list(named) == ["score"] else search.refit
    read = metrics_read(search, list(named))
    metric = read[decides].metric if isinstance(decides, str) and decides in read else None
    if metric is None or not refuse:
        return
    classes = np.unique(y) if is_classifier(search.estimator) else None
    methods = ("predict_proba",) if classes is not None else ("predict",)
    positive = None
    if classes is not None and len(classes) == 2:  # functions read the scores of one of two
        positive = 0 if classes.tolist()[0] == metric.pos_label else 1
    responses = Responses(classes is not None, methods, classes, positive=positive)
    try:
        probe(metric.name, metric, y, responses, pos_label=None)
    except (TypeError, ValueError) as error:
        raise InvalidValueError("search", f": {error}") from error


def _refuse_other_searches(search: Any) -> None:
    """Refuse what does not evaluate all configurations on all folds, or not as it is asked to."""
    refuse_cv_estimator(search)
    needed = ("cv", "scoring", "refit", "estimator")
    if not all(hasattr(search, name) for name in needed) or not hasattr(search, "_run_search"):
        told = f"must be a scikit-learn search such as GridSearchCV, got {kind_of(search)}"
        raise InvalidTypeError("search", told)
    if isinstance(search.cv, Iterator):
        raise InvalidValueError(
            "search", ": its cv is a generator, which can be read only once; pass cv=list(...)"
        )
    asked = signature(type(search)).parameters.get("return_train_score")
    # Halving's default is True, which asks for nothing.
    if asked is not None and asked.default is False and search.return_train_score:
        told, hint = ": the scores of training rows are not computed here", "leave it out"
        raise InvalidValueError(Argument("return_train_score", True), told, hint=hint)


def _rungs(rounds: Sequence[Round], n_rows: int) -> Rungs:
    """Of halving by rows, the round that tested each row first: those of the last one score.

    What the survivors are was decided on the others, in whichever repeat.
    """
    first, last = np.full(n_rows, len(rounds)), len(rounds) - 1
    for number in range(last, -1, -1):
        for each in rounds[number].partitions:
            first[each.fold_ids(n_rows) >= 0] = number
    of_rows = np.tile(first, (len(rounds[last].partitions), 1))
    return Rungs(of_rows, choose_only=np.unique(first[first < last]).tolist(), burn=0)


def _iterations(followed: Followed, predictions: Callable[..., Any]) -> Iterations:
    """What all iterations of a halving search predicted, from the first one to the last.

    Configurations of which a fit failed early cannot have been chosen, and are left out.
    """
    search, made, kept = followed.search, [], []
    for one in followed.rounds:
        own = followed.collected([one])
        ended = np.arange(len(one.places))
        if one is not followed.rounds[-1]:
            ended = np.flatnonzero(own.predicted.all(axis=0))
        made.append(predictions(own, one.places, ended))
        kept.append([search.cv_results_["params"][place] for place in one.places[ended]])
    survivors = [places_before(search.resource, *both) for both in pairwise(kept)]
    return Iterations(search.resource, tuple(made), tuple(survivors))
