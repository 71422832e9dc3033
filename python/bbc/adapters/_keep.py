"""A scikit-learn search that keeps its out-of-sample predictions."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, check_cv
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from .. import _engine, _validation, metrics
from .._design import Design
from .._finished._cv_estimators import kind_of, refuse_cv_estimator
from .._frozen import as_array
from .._names import configuration_name
from .._rows import has_time_index, refuse_other_rows, refuse_unordered_times
from .._store import FitKey, StoredFit
from .._training._check import Checks, CheckScores
from .._training._collected import Collected
from .._training._configurations import method_of
from .._training._scoring import Responses, probe
from .._training._splits import Partition, folds_of, warn_of_shared_rows
from .._typing import AnyArray, IndexArray
from ..correction import correct
from ..errors import InvalidTypeError, InvalidValueError, arguments_called
from ..metrics import Metric
from ..metrics._resolve import is_scorer, own_score
from ..predictions import OutOfSamplePredictions, checked_times, is_time_ordered
from ..results import PerformanceEstimate
from ._halving import by_rungs, halved, places_before, refuse_unreproducible
from ._iterations import Iterations, correct_iterations
from ._recorder import RECORD, FixedSplits, OtherScoreError, Recorder

__all__ = ["KeptSearch", "keep_predictions"]


def keep_predictions(
    search: Any, check_scores: CheckScores = "raise", *, times: Sequence[float] | None = None
) -> "KeptSearch":
    """Make a scikit-learn search keep what each configuration predicted for each held-out row.

    The search does what it does without this: same splits, same fits, same `cv_results_`. Its
    predictions pass through a temporary folder that its worker processes must share.

    Parameters
    ----------
    search : GridSearchCV, RandomizedSearchCV, HalvingGridSearchCV or HalvingRandomSearchCV
        The search, not fitted yet; it is cloned. Of a halving search over `n_samples`, whose
        `random_state` must be an integer, the last iteration is kept: `correct` scores its
        configurations on the rows that no earlier iteration saw, since they were selected on the
        others. The estimate is of models of the last iteration's size. Of one over another
        resource, whose iterations all score the same rows, `correct` subtracts what the survivors
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
        Fit it in the search's place; then it has `oos_predictions_` and `correct`, beside what
        the fitted search has.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, cv=5)
    >>> kept = bbc.keep_predictions(grid).fit(X, y)
    >>> kept.correct(random_state=1).winner_name, kept.best_params_
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
        search = _cloned(self.search)
        times = _times_for(search.estimator, self.times)
        truth = as_array(y)
        if truth.ndim != 1:
            hint = _validation.ONE_OUTPUT_FITTED if truth.ndim == 2 and truth.shape[1] > 1 else ""
            raise InvalidValueError("y", f"must have shape (n_rows,), got {truth.shape}", hint=hint)
        groups, weight = params.get("groups"), params.get("sample_weight")
        refuse_other_rows(y=y, X=X, groups=groups, sample_weight=weight)
        warn_of_shared_rows(X, params)
        classifier = is_classifier(search.estimator)
        cv, scoring, refit = search.cv, search.scoring, search.refit
        scorer = scoring if callable(scoring) else check_scoring(search.estimator, scoring=scoring)
        several = isinstance(scoring, list | tuple | set | dict)
        # A callable may return any names.
        names = list(scoring) if several else [] if callable(scoring) else ["score"]
        classes = np.unique(truth) if classifier else None
        splits = FixedSplits(check_cv(cv, y, classifier=classifier), len(truth))
        checks = Checks({}, _checkable(search), self.check_scores)
        if self.check_scores == "raise":
            _refuse_unscored(checks, refit if several else "score", truth, classes)
        with tempfile.TemporaryDirectory(prefix="bbc-") as made:
            folder = Path(made)
            recorder = Recorder(scorer, folder, classes, names, search.error_score, checks, times)
            search.set_params(
                cv=splits, scoring=recorder, refit="score" if refit is True else refit
            )
            try:
                search.fit(X, y, **params)
            except OtherScoreError as error:
                raise InvalidValueError("search", f": {error}", code="other_score") from error
            left = halved(search, splits.partitions, len(truth))
            places = [np.arange(len(search.cv_results_["params"]))] if left is None else left.places
            partitions = splits.partitions if left is None else left.partitions
            found = [
                _collected(search, folder, each, partitions, len(truth), classes, times)
                for each in places
            ]
        search.set_params(cv=cv, scoring=scoring, refit=refit)
        search.scorer_, search.multimetric_ = scorer, several
        for name in [name for name in search.cv_results_ if name.endswith(RECORD)]:
            del search.cv_results_[name]
        self.search_, self._left = search, left
        self._no_blocks = _why_no_blocks(X, y)
        self._keep(
            found,
            places,
            truth,
            weight,
            folds_of(cv, truth, classifier=classifier, grouped=False),
            groups=None if groups is None else as_array(groups),
            time_ordered=is_time_ordered(splits.split()),
            time_indexed=has_time_index(y, X),
        )
        collected, _, others = found[0]
        self._check(checks, collected, others)
        return self

    def _keep(
        self,
        found: Sequence[tuple[Collected, bool, list[str]]],
        places: Sequence[IndexArray],
        truth: AnyArray,
        weight: Any,
        folds: dict[str, Any],
        **design: Any,
    ) -> None:
        """Make predictions of what was recorded of each iteration, the last one first."""
        collected, weighted, _ = found[0]
        made = Design(
            training="observed",
            n_failed=int((~collected.predicted.all(axis=0)).sum()),
            dropped_after=(),
            **folds,
        )

        def predictions(own: Collected, places: IndexArray, chosen: Any) -> OutOfSamplePredictions:
            params = self.search_.cv_results_["params"]
            return own.predictions(
                truth,
                chosen,
                [configuration_name(params[place]) for place in places],
                "",
                sample_weight=np.asarray(weight, float) if weighted else None,
                dynamic_search=not isinstance(self.search_, GridSearchCV | RandomizedSearchCV),
                design=made,
                **design,
            )

        self.oos_predictions_ = predictions(collected, places[0], np.arange(len(places[0])))
        self._iterations = None
        if self._left is not None and self._left.rungs is None:
            self._iterations = _iterations(
                self.search_, places, [own for own, _, _ in found], predictions
            )

    def _check(self, checks: Checks, collected: Collected, others: list[str]) -> None:
        """Compare the scores of all folds and configurations with the search's."""
        self._checks = checks
        results, predictions = self.search_.cv_results_, self.oos_predictions_
        names = predictions.names
        assert names is not None
        checks.by_response = {name: others.count(name) for name in dict.fromkeys(others)}
        for name, metric in checks.metrics.items():
            keys = [f"split{split}_test_{name}" for split in range(collected.n_splits)]
            if keys[0] not in results:
                continue
            theirs = np.array([results[key] for key in keys])
            if self._left is not None:
                theirs = theirs[:, self._left.last]
            try:
                problem = _validation.problem(
                    _validation.Data(predictions.y, predictions, missing="drop-configurations"),
                    metric,
                    _validation.Needs(by_fold=True),
                )
                table = _engine.fold_scores(problem, metric, every_fold=False, n_threads=1)
            except (TypeError, ValueError) as error:
                checks.unchecked[name] = str(error)
                continue
            kept = problem.kept_configurations
            places = np.arange(theirs.shape[1]) if kept is None else kept
            assert problem.fold_labels is not None
            for repeat, fold_ids in enumerate(problem.fold_labels):
                for code, fold in enumerate(fold_ids.tolist()):
                    split = int(collected.first_split[repeat]) + fold
                    for column, place in enumerate(places.tolist()):
                        if name in checks.differences:
                            continue
                        where = f"configuration {names[place]!r}, split {split}"
                        ours = float(table[repeat, code, column])
                        given = float(theirs[split, place])
                        checks.check(name, where, given, ours, is_single="" in others)
        self.checked_scores_ = checks.summary()

    @arguments_called(y_true="y")
    def correct(self, metric: Any = None, **options: Any) -> PerformanceEstimate:
        """Correct the winner's performance; no model is trained.

        The winner has the best score on all rows together, with ``pooling="fold"`` the best mean
        over folds, as the search's own.

        Parameters
        ----------
        metric : str, Metric, scorer or callable, optional
            What is estimated; by default what the search selects by.
        **options : dict
            As in `bbc.correct`.

        Returns
        -------
        PerformanceEstimate
            The corrected estimate.
        """
        check_is_fitted(self, "search_")
        if self._no_blocks is not None and options.get("block_length") is not None:
            raise self._no_blocks
        predictions = self.oos_predictions_
        if metric is None:
            metric = _deciding_metric(self.search_)
        if self._iterations is not None:
            estimate: Any = correct_iterations(self._iterations, metric, options)
        else:
            if self._left is not None and "missing" not in options:
                # What halving selected by is not scored, and nothing depends on the scores seen.
                assert self._left.rungs is not None
                predictions = replace(predictions, dynamic_search=False)
                options = by_rungs(metric, self._left.rungs) | options
            estimate = correct(predictions.y, predictions, metric=metric, **options)
        if not isinstance(estimate, PerformanceEstimate):  # a dict of several
            return estimate  # type: ignore[no-any-return]
        checks = self._checks
        names = [name for name, each in checks.metrics.items() if each.name == estimate.metric]
        found = [each for name in names for each in checks.findings(name)]
        return replace(estimate, data_findings=(*estimate.data_findings, *found))

    def __getattr__(self, name: str) -> Any:
        """Attributes of the search, such as `best_params_` and, once fitted, `predict`."""
        search = vars(self).get("search_", vars(self).get("search"))
        if search is None or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(search, name)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.search)


def _why_no_blocks(X: Any, y: Any) -> InvalidValueError | None:
    """The error that drawing blocks of neighbouring rows raises; None if times are in order."""
    try:
        refuse_unordered_times(X=X, y=y)
    except InvalidValueError as error:
        return error.with_traceback(None)  # whose frames hold the data
    return None


def _times_for(estimator: Any, times: Any) -> tuple[float, ...]:
    """The times at which survival is kept, of a learner that gives it."""
    if times is None:
        return ()
    try:
        method_of(estimator, "predict_survival_function")
    except AttributeError:
        of = type(estimator).__name__
        raise InvalidValueError(
            "times", f"are for survival, but {of} has no predict_survival_function"
        ) from None
    return checked_times(times)


def _deciding_metric(search: Any) -> Any:
    """The metric that a search selects by, as `bbc.correct` takes it."""
    scoring = search.scoring
    if scoring is None:
        scoring = own_score(search.estimator)
        if scoring is None:
            raise InvalidValueError(
                "metric",
                f"must be given: the search selects by the score of "
                f"{type(search.estimator).__name__}, a method of its own without a name here",
                hint="bbc.correct_search corrects that selection from its scores by fold",
            )
    if not isinstance(scoring, list | tuple | set | dict):
        return scoring
    if not isinstance(search.refit, str):
        raise InvalidValueError("metric", ": the search has several and selects by none: name one")
    return scoring[search.refit] if isinstance(scoring, dict) else search.refit


def _checkable(search: Any) -> dict[str, Metric]:
    """The search's metrics, by the names of its scores, that can be computed from predictions."""
    scoring = search.scoring
    if scoring is None:
        asked = {"score": own_score(search.estimator)}
    elif isinstance(scoring, dict):
        asked = dict(scoring)
    elif isinstance(scoring, list | tuple | set):
        asked = {name: name for name in scoring}
    else:
        asked = {"score": scoring}
    found = {}
    for name, each in asked.items():
        if isinstance(each, str) or is_scorer(each):
            with suppress(TypeError, ValueError):  # which computing it would raise
                found[name] = metrics.get(each)
    return found


def _refuse_unscored(checks: Checks, decides: Any, y: AnyArray, classes: AnyArray | None) -> None:
    """Refuse, before a model is trained, a search whose own metric cannot be computed."""
    metric = checks.metrics.get(decides) if isinstance(decides, str) else None
    if metric is None:
        return
    methods = ("predict_proba",) if classes is not None else ("predict",)
    positive = None
    if classes is not None and len(classes) == 2:  # functions read the scores of one of two
        positive = 0 if classes.tolist()[0] == metric.pos_label else 1
    responses = Responses(classes is not None, methods, classes, positive=positive)
    try:
        probe(metric.name, metric, y, responses, pos_label=None)
    except (TypeError, ValueError) as error:
        raise InvalidValueError("search", f": {error}") from error


def _cloned(search: Any) -> Any:
    """A clone of a search that evaluates all configurations on all folds."""
    refuse_cv_estimator(search)
    needed = ("cv", "scoring", "refit", "estimator")
    if not all(hasattr(search, name) for name in needed) or not hasattr(search, "_run_search"):
        raise InvalidTypeError(
            "search",
            f"must be a scikit-learn search such as GridSearchCV, got {kind_of(search)}",
        )
    if hasattr(search, "factor"):
        refuse_unreproducible(search)
    if isinstance(search.cv, Iterator):
        raise InvalidValueError(
            "search", ": its cv is a generator, which can be read only once; pass cv=list(...)"
        )
    return clone(search)


def _iterations(
    search: Any,
    places: Sequence[IndexArray],
    collected: Sequence[Collected],
    predictions: Callable[[Collected, IndexArray, Any], OutOfSamplePredictions],
) -> Iterations:
    """What all iterations of a halving search predicted, from the first one to the last.

    Configurations of which a fit failed early cannot have been chosen, and are left out.
    """
    ended = [np.arange(len(places[0]))]
    ended += [np.flatnonzero(own.predicted.all(axis=0)) for own in collected[1:]]
    kept = [of_all[chosen] for of_all, chosen in zip(places, ended, strict=True)]
    survivors = [places_before(search, before, after) for after, before in pairwise(kept)]
    if any((each < 0).any() for each in survivors):
        raise InvalidValueError("search", ": a configuration went on after a fit of it had failed")
    made = [
        predictions(own, of_all, chosen)
        for own, of_all, chosen in zip(collected, places, ended, strict=True)
    ]
    return Iterations(search.resource, tuple(made[::-1]), tuple(survivors[::-1]))


def _collected(
    search: Any,
    folder: Path,
    places: IndexArray,
    partitions: Sequence[Partition],
    n_rows: int,
    classes: AnyArray | None,
    times: tuple[float, ...],
) -> tuple[Collected, bool, list[str]]:
    """The recorded predictions of configurations in all folds, and whether scores had weights.

    Further the metrics of the fits whose scores are those of another method.
    """
    folds = [
        (repeat, fold)
        for repeat, partition in enumerate(partitions)
        for fold in range(len(partition.folds))
    ]
    numbers = np.array(
        [search.cv_results_[f"split{split}_test_{RECORD}"] for split in range(len(folds))]
    )[:, places]
    fits: dict[FitKey, StoredFit] = {}
    weighted, others = False, []
    for split, configuration in zip(*np.nonzero(~np.isnan(numbers)), strict=True):
        file = folder / f"{int(numbers[split, configuration])}.npz"
        if not file.exists():  # a fit that failed: the number is the search's error_score
            continue
        with np.load(file) as record:
            outputs = dict(record)
        method = str(outputs.pop("method"))
        weighted = bool(outputs.pop("weighted"))
        others += outputs.pop("others").tolist()
        repeat, fold = folds[split]
        fits[FitKey("cv", repeat, fold, int(configuration))] = StoredFit(outputs, method=method)
    if not fits:
        raise InvalidValueError("search", ": every fit failed, so there are no predictions")
    methods = {fit.method for fit in fits.values()}
    responses = Responses(
        classes is not None,
        () if "" in methods else tuple(methods),
        classes,
        positive=None,
        times=times,
        decisions="" not in methods and any("decisions" in fit.outputs for fit in fits.values()),
    )
    collected = Collected(responses, partitions, n_rows, numbers.shape[1])
    for key, fit in fits.items():
        collected.add(key, fit)
    return collected, weighted, others
