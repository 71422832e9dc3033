"""The base of all protocols: a scikit-learn meta-estimator in GridSearchCV's place."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from typing import Any, Self, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import estimator_html_repr, get_tags
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from .. import _engine, _validation
from .._docstrings import inherit_docstring
from .._frozen import as_array
from .._rows import has_time_index, why_no_blocks
from .._store import Store
from .._training._check import Checks, CheckScores
from .._training._configurations import (
    is_dynamic,
    make_configurations,
    make_router,
    named_estimators,
    refuse_stopping,
    route,
)
from .._training._fit import Progress, Split, Trainer
from .._training._scoring import kind_of, make_responses, make_scoring, score_of_outputs
from .._training._splits import (
    Partition,
    check_rows,
    check_target,
    folds_of,
    make_partitions,
    strata_of,
)
from .._typing import AnyArray
from ..correction import Correction
from ..errors import InvalidTypeError, InvalidValueError, arguments_called
from ..results import PerformanceEstimate
from ..selection import get as get_selection
from ..sources import Predictions, Source
from ._cross_validation import CrossValidation, Performed, Poolings, cv_results, finding
from ._fitted import FittedSearch, needs_final_model
from ._run import (
    Run,
    check_statistics,
    description,
    identify,
    latest,
    seed_of,
    warn_of_unseen,
    was_dynamic,
    with_plain_groups,
)

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _followed
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Replacement where scikit-learn has no callbacks."""

    def _followed(method: Any) -> Any:
        """Return the method as it is."""
        return method


_Method = TypeVar("_Method", bound=Callable[..., Any])


def with_callbacks(method: _Method) -> _Method:
    """Let callbacks follow a method, whose type users' type checkers still see."""
    followed: _Method = _followed(method)
    return followed


def root_context(owner: Any, n_tasks: int) -> Any:
    """Begin the context of `fit` with `n_tasks` folds and final fits; None without callbacks."""
    if not getattr(owner, "_skl_callbacks", None) and not hasattr(owner, "_parent_callback_ctx"):
        return None
    if not hasattr(owner, "_init_callback_context"):
        return None
    context = owner._init_callback_context(max_subtasks=n_tasks)
    return context.call_on_fit_task_begin(estimator=owner)


_Owner = TypeVar("_Owner")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def protocol(cls: type[_Owner]) -> type[_Owner]:
    """Give a class the constructor that its annotated parameters describe, and their docstring.

    Scikit-learn reads parameters from the constructor's signature; defaults stay there and are no
    attributes of the class.
    """
    made: type[_Owner] = dataclass(kw_only=True, eq=False, repr=False)(cls)
    for name in set(made.__annotations__) & set(vars(made)):
        delattr(made, name)
    inherit_docstring(made, _validation.ANALYSIS)
    return made


@protocol
class Search(FittedSearch, CallbackSupportMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the protocols: one search, whose statistic subclasses define.

    `fit` trains all configurations in all folds and estimates the winner's performance.

    Parameters
    ----------
    estimator : estimator or dict of str to estimator
        What is tuned; several learners compete under their names.
    param_grid : dict, list, sampler, study or dict of str to these, optional
        Hyper-parameters as in GridSearchCV; a list of dicts with single values gives the
        configurations one by one; an Optuna study those that it evaluated. With several
        estimators, a dict from their names.
    scoring : str, metric, scorer, callable, list or dict, optional
        What ``bbc.correct`` takes as `metric`, or several of these. Accuracy or R2 by default.
    cv : int, splitter or iterable, default=10
        Folds, as in GridSearchCV. An int is lowered to the rows of the rarest class. With
        `groups`, an int keeps groups together.
    n_repeats : int, default=1
        Number of partitions. The first is GridSearchCV's, the others are shuffled.
    n_iter : int, optional
        Draw this many configurations per estimator from the grid's values and distributions.
    pooling : {"auto", "pooled", "fold"}, default="auto"
        The metric of all rows together, or the mean of the folds' metrics. "auto" takes the mean
        where pooling would rank decision values or risks of different folds' models together
        (finding BBC005) and every fold defines the metric; results name the one that was taken.
    selection : "best", Selection or callable, default="best"
        How the winner is chosen, as in ``bbc.correct``.
    refit : bool or str, default=True
        Whether to train the winner on all rows; with several metrics, the name of the one that
        selects.
    error_score : "raise" or number, default=nan
        Whether a fit that fails raises an error or gets this score in `cv_results_`. A
        configuration that failed is named in a warning and cannot win.
    pos_label : label, optional
        The positive class of a binary metric, by default as in `bbc.correct`.
    check_scores : {"raise", "warn"}, default="raise"
        Scores of some models, those of the first configuration of each learner among them, are
        compared with what scikit-learn's scorer gives, if `scoring` is one. "raise" raises an
        error where they differ, "warn" goes on with finding BBC022.
    n_jobs : int, optional
        Fits in parallel, through joblib and whatever backend is active there. Results do not
        depend on it.
    pre_dispatch : int or str, default="2*n_jobs"
        As in GridSearchCV.
    fit_timeout : float, optional
        Seconds without a finished fit after which a TimeoutError names the fits under way. Choose
        far more than a fit takes: the start of the workers counts too. Other workers train what is
        left first, so that with a store only the fits that hang are missing. Processes of joblib
        are ended; threads and workers of Dask go on with their fit. Requires `n_jobs` of 2 or
        more; the final fit on all rows is not timed.
    random_state : int, Generator or None, default=None
        Seed of all that is drawn, 0 to 2**53 - 1: ``bbc.correct`` on `oos_predictions_` with the
        same seed gives the same replicates. Learners whose own `random_state` is None get one
        derived from it and from their configuration, the same in all folds and when the winner is
        trained on all rows. None draws one, or adopts that of the store.
    store : path, optional
        File that keeps every fit. The same call resumes a run that was stopped, and a call with a
        larger grid trains what is new; a call with another learner or other data is refused.
    verbose : int, default=0
        1 prints a line per fold: models trained and to train, and the time left. Callbacks of
        scikit-learn 1.9 and later, such as `ProgressBar`, show the same by ``set_callbacks``.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018).
    """

    estimator: Any = field(kw_only=False)
    param_grid: Any = field(default=None, kw_only=False)
    scoring: Any = None
    cv: Any = 10
    n_repeats: int = 1
    n_iter: int | None = None
    refit: bool | str = True
    error_score: Any = np.nan
    pos_label: Any = None
    check_scores: CheckScores = "raise"
    n_jobs: int | None = None
    pre_dispatch: int | str = "2*n_jobs"
    fit_timeout: float | None = None
    random_state: Any = None
    store: str | PathLike[str] | None = None
    verbose: int = 0

    # Protocols that leave these open have parameters of the same names.
    pooling = "fold"
    selection = "best"
    # Partitions are drawn for the comparison, and for the winner alone.
    _draws_of_partitions = 1

    @with_callbacks
    def fit(self, X: Any, y: ArrayLike | None = None, **params: Any) -> Self:
        """Train all configurations, estimate the winner's performance, train it on all rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs, in any form that the estimators take and whose rows can be selected.
        y : array-like of shape (n_rows,)
            The truth; structured (event, time) for survival metrics.
        **params : dict
            Metadata for estimators, splitter and metrics, as in GridSearchCV: `groups` keeps rows
            together in folds and in the bootstrap, `sample_weight` weights fits and metrics.

        Returns
        -------
        self
            The fitted protocol.
        """
        with arguments_called(y_true="y"), self._running(X, y, params) as run:
            trained = self._train(run)
            performed = self._performance(trained)
            self.checked_scores_ = run.checks.summary(run.trainer.n_loaded)
            self.oos_predictions_ = trained.numbered_predictions()
            self.performance_ = self._correction(performed, run)
            self.cv_results_ = cv_results(trained, self.error_score)
            self._finish(run)
        return self

    def _correction(self, performed: Performed, run: Run) -> Correction:
        """The correction, with what checking the scores found."""
        if isinstance(performed, PerformanceEstimate):
            scoring = run.scoring
            known = Source(
                "protocol",
                scoring.metric,
                pooling_of=Poolings(run.pooling, run.pos_label),
                secondary=scoring.secondary,
                learners=tuple(each.estimator_name for each in run.configurations),
                no_blocks=run.no_blocks,
            )
            given = Predictions._of(self.oos_predictions_, known)
            why = f"bbc.{type(self).__name__} draws no replicates"
            performed = Correction(performed, None, given, why)
        found = {
            "" if name == run.scoring.decides else name: run.checks.findings(name)
            for name in run.checks.differences
        }
        return finding(performed, found)

    @property
    def _pooling(self) -> str:
        """How the metric is pooled: what `pooling` says, unless the statistic is one of folds."""
        return self.pooling

    @property
    def _fewest_folds(self) -> int:
        """The least number of folds that the protocol supports."""
        return 2

    @property
    def _no_blocks(self) -> tuple[str, str] | None:
        """Why neighbouring rows are not drawn together, as of a `Source`."""
        return None

    @property
    def _needs(self) -> _validation.Needs:
        """The requirements of the estimate on truth and folds."""
        return _validation.PLAIN

    def _train(self, run: Run) -> CrossValidation:
        """Train the configurations; fails only if all of them do."""
        return self._cross_validate(CrossValidation(run))

    def _cross_validate(self, trained: CrossValidation) -> CrossValidation:
        run, splits = trained.run, trained.run.splits()
        run.begin_part("cv", splits)
        run.plan("cv", splits, len(run.configurations))
        self._run_search(trained, splits)
        trained.leave_out_failures()
        if not trained.poolings:
            trained.choose_poolings(self._pooling)
        return trained

    def _run_search(self, trained: CrossValidation, splits: Sequence[Split]) -> None:
        """Train all configurations in all folds; a race leaves some out after each."""
        trained.train(splits)

    @abstractmethod
    def _performance(self, trained: CrossValidation) -> Performed:
        """The winner's performance by every metric: the statistic of the protocol."""

    def get_metadata_routing(self) -> MetadataRouter:
        """Return who wants which metadata; see scikit-learn's user guide.

        Returns
        -------
        MetadataRouter
            The routing of `fit`.
        """
        return make_router(self)

    @arguments_called(y_true="y")
    def score(self, X: Any, y: ArrayLike, **params: Any) -> float:
        """Score the winner, trained on all rows, by the selection metric.

        Greater is better, as everywhere in scikit-learn, whose searches maximise what `score`
        returns: a loss comes with the opposite sign.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs.
        y : array-like of shape (n_rows,)
            The truth.
        **params : dict
            `sample_weight` weights the rows.

        Returns
        -------
        float
            The metric's value; minus that value if lower is better, unlike `best_score_`.
        """
        needs_final_model(self, "score")
        check_is_fitted(self)
        unknown = sorted(set(params) - {"sample_weight"})
        if unknown:
            raise TypeError(f"score takes X, y and sample_weight, got {unknown[0]!r}")
        metric = self._scoring.metric
        responses = self._responses
        value = score_of_outputs(
            responses.of(self.best_estimator_, X)[0],
            check_target(y, responses.classes is not None),
            metric,
            responses,
            sample_weight=params.get("sample_weight"),
            pos_label=self.pos_label,
        )
        return value if metric.greater_is_better else -value

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(next(iter(named_estimators(self.estimator).values())))
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = deepcopy(inner.classifier_tags)
        tags.regressor_tags = deepcopy(inner.regressor_tags)
        tags.input_tags.pairwise = inner.input_tags.pairwise
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.target_tags.required = True
        return tags

    def _repr_html_(self) -> str:
        """Scikit-learn's diagram, and once fitted the performance below it."""
        diagram = str(estimator_html_repr(self))
        if not hasattr(self, "performance_"):
            return diagram
        return diagram + self.performance_._repr_html_()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    @contextmanager
    def _running(self, X: Any, y: ArrayLike | None, params: Mapping[str, Any]) -> Iterator[Run]:
        """Validate everything, open the store, and close it at the end or on an error."""
        self._check_parameters()
        store = None if self.store is None else Store(self.store)
        try:
            yield self._start(X, y, params, store)
        finally:
            if store is not None:
                store.close()

    def _check_parameters(self) -> None:
        """Validate parameters before any work; subclasses add theirs."""
        _validation.choice(self.pooling, "pooling", ("auto", "pooled", "fold"))
        _validation.integer(self.n_repeats, "n_repeats", lowest=1)
        _validation.choice(self.check_scores, "check_scores", ("raise", "warn"))
        if self.n_iter is not None:
            _validation.integer(self.n_iter, "n_iter", lowest=1)
        if not isinstance(self.refit, bool | np.bool_ | str):
            raise InvalidTypeError(
                "refit",
                "must be a bool or the name of a metric (a rule is `selection`), got "
                f"{type(self.refit).__name__}",
            )
        if self.error_score != "raise" and not isinstance(self.error_score, int | float):
            raise InvalidValueError(
                "error_score", f'must be "raise" or a number, got {self.error_score!r}'
            )

    def _start(
        self, X: Any, y: ArrayLike | None, params: Mapping[str, Any], store: Store | None
    ) -> Run:
        estimators = named_estimators(self.estimator)
        classifier = kind_of(estimators)
        truth = check_target(y, classifier)
        X = check_rows(X, y, truth, params)
        refuse_stopping(estimators, "estimator", params)
        routed = route(self, with_plain_groups(params, len(truth)))
        scoring = make_scoring(self.scoring, self.refit, estimators)
        cuts = get_selection(self.selection).rule == "best_threshold"
        given: dict[str, Any] = {"pos_label": self.pos_label, "cut": cuts}
        responses = make_responses(scoring, self._pooling, classifier=classifier, y=truth, **given)
        seed = self._seed(store)
        configurations = make_configurations(self.estimator, self.param_grid, self.n_iter, seed)
        partitions, new_partitions = self._partitions(X, truth, classifier, seed, routed.split)
        trainer = Trainer(
            X=X,
            y=truth,
            configurations=configurations,
            responses=responses,
            fit_params=routed.fit,
            seed=seed,
            error_score=self.error_score,
            n_jobs=self.n_jobs,
            pre_dispatch=self.pre_dispatch,
            fit_timeout=self.fit_timeout,
            store=store,
            progress=self._progress(),
        )
        groups, weight = routed.split.get("groups"), routed.score.get("sample_weight")
        scorers = scoring.scorers(estimators, self.pos_label)
        trainer.checked = bool(scorers)
        run = Run(
            X=X,
            y=truth,
            classifier=classifier,
            groups=None if groups is None else as_array(groups),
            sample_weight=None if weight is None else np.asarray(weight),
            split_params=routed.split,
            configurations=configurations,
            scoring=scoring,
            responses=responses,
            pos_label=self.pos_label,
            seed=seed,
            partitions=partitions,
            new_partitions=new_partitions,
            trainer=trainer,
            progress=trainer.progress,
            store=store,
            dynamic_search=is_dynamic(self.estimator, self.param_grid),
            splitter=folds_of(self.cv, truth, classifier=classifier, grouped=groups is not None),
            stratified_by=strata_of(self.cv, truth),
            checks=Checks(scorers, scoring.metrics, self.check_scores),
            pooling=self._pooling,
            time_indexed=has_time_index(X, y),
            no_blocks=self._no_blocks or why_no_blocks(X=X, y=y),
        )
        check_statistics(run, self, self._needs)
        if store is not None:
            self._start_store(store, run, params)
        self._scoring, self._responses = scoring, responses
        return run

    def _partitions(
        self, X: Any, y: AnyArray, classifier: bool, seed: int, split_params: Mapping[str, Any]
    ) -> tuple[tuple[Partition, ...], tuple[Partition, ...]]:
        """Partitions on which configurations are compared, and those for the winner alone."""
        drawn = make_partitions(
            self.cv,
            X,
            y,
            classifier=classifier,
            n_partitions=self.n_repeats * self._draws_of_partitions,
            seed=seed,
            split_params=split_params,
            fewest_folds=self._fewest_folds,
        )
        n_compared = len(drawn) // self._draws_of_partitions
        return drawn[:n_compared], drawn[n_compared:]

    def _progress(self) -> Progress:
        """The reports to the user and to scikit-learn's callbacks."""
        return Progress(
            type(self).__name__,
            self.verbose,
            root=partial(root_context, self),
            owner=self,
            refit=bool(self.refit),
        )

    def _seed(self, store: Store | None) -> int:
        """The seed passed; or else that of the store, to resume its run; or a new one."""
        if self.random_state is None and store is not None and not store.is_new:
            return seed_of(store)
        return _validation.seed(self.random_state)

    def _start_store(self, store: Store, run: Run, params: Mapping[str, Any]) -> None:
        metadata = {name: value for name, value in params.items() if value is not None}
        run.dynamic_search |= was_dynamic(store)
        identity, unseen = identify(run, metadata, _engine.kernel_version())
        pooling = self.get_params(deep=False).get("pooling", "pooled")
        store.start(identity, description(run), latest(run, type(self).__name__, pooling))
        warn_of_unseen(store, unseen)

    def _finish(self, run: Run) -> None:
        """Name the winner and train it on all rows."""
        self.best_index_ = self.performance_.winner
        self.configurations_ = run.configurations
        winner = run.configurations[self.best_index_]
        self.best_params_ = dict(winner.params)
        apparent = self.performance_.apparent
        assert apparent is not None
        self.best_score_ = apparent
        self.seed_ = run.seed
        if self.refit:
            with run.progress.final_fit(winner.name):
                self.best_estimator_, self.refit_time_ = run.trainer.refit(winner)
        else:  # no model of an earlier fit remains
            for name in {"best_estimator_", "refit_time_"} & set(vars(self)):
                delattr(self, name)
        self.n_models_trained_ = run.trainer.n_trained + run.trainer.n_loaded
        self.n_models_from_store_ = run.trainer.n_loaded
        run.progress.end()
