"""The shape that all protocols share: a scikit-learn meta-estimator in GridSearchCV's place."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import estimator_html_repr, get_tags
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from .. import _engine, _validation
from ..predictions import OutOfSamplePredictions
from ..results import PerformanceEstimate
from ..store import Store
from ._beforehand import check_statistics, with_plain_groups
from ._callbacks import CallbackSupportMixin, root_context, with_callbacks
from ._configurations import (
    Configuration,
    is_dynamic,
    make_configurations,
    named_estimators,
)
from ._fit import Trainer
from ._identity import description, identify, latest, seed_of, warn_of_unseen, was_dynamic
from ._parameters import Parameters
from ._progress import Progress
from ._responses import Responses
from ._routing import make_router, route
from ._run import Run, check_rows, check_target
from ._scores import score_of_model
from ._scoring import Scoring, kind_of, make_responses, make_scoring
from ._splits import make_partitions
from ._winner import ByTheWinner, needs_final_model


class Protocol(Parameters, ByTheWinner, CallbackSupportMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the protocols: checks, training, results; subclasses estimate."""

    # Overridden where the definition of the protocol fixes it.
    pooling: Literal["auto", "pooled", "fold"] = "auto"
    selection: Any = "best"

    best_index_: int
    best_params_: dict[str, Any]
    best_score_: float
    configurations_: tuple[Configuration, ...]
    cv_results_: dict[str, Any]
    n_models_from_store_: int
    n_models_trained_: int
    oos_predictions_: OutOfSamplePredictions
    performance_: PerformanceEstimate
    refit_time_: float
    _scoring: Scoring
    _responses: Responses

    @with_callbacks  # type: ignore[untyped-decorator]
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
        with _validation.truth_called("y"), self._running(X, y, params) as run:
            self._estimate(run)
            self._finish(run)
        return self

    @property
    def _fewest_folds(self) -> int:
        """The least number of folds that the protocol can work with."""
        return 2

    @property
    def _n_partitions(self) -> int:
        """How often the splitter is asked for a partition."""
        return self.n_repeats

    @property
    def _statistics_need(self) -> dict[str, Any]:
        """What the estimate asks of truth and folds, as `_validation.problem` takes it."""
        return {}

    def _tuning(self, run: Run) -> Run:
        """The run on the partitions that choose the winner."""
        return run

    @abstractmethod
    def _estimate(self, run: Run) -> None:
        """Train and estimate: set `performance_`, `oos_predictions_` and `cv_results_`."""

    def get_metadata_routing(self) -> MetadataRouter:
        """Return who wants which metadata; see scikit-learn's user guide.

        Returns
        -------
        MetadataRouter
            The routing of `fit`.
        """
        return make_router(self)

    @_validation.truth_called("y")
    def score(self, X: Any, y: ArrayLike, **params: Any) -> float:
        """Score the winner, trained on all rows, by the metric that decides.

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
        value = score_of_model(
            self.best_estimator_,
            X,
            y,
            metric,
            self._responses,
            sample_weight=params.get("sample_weight"),
            pos_label=self.pos_label,
        )
        return value if metric.greater_is_better else -value

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        own = get_tags(next(iter(named_estimators(self.estimator).values())))
        tags.estimator_type = own.estimator_type
        tags.classifier_tags = deepcopy(own.classifier_tags)
        tags.regressor_tags = deepcopy(own.regressor_tags)
        tags.input_tags.pairwise = own.input_tags.pairwise
        tags.input_tags.sparse = own.input_tags.sparse
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
        """Check everything, open the store, and close it whatever happens."""
        self._check_parameters()
        store = None if self.store is None else Store(self.store)
        try:
            yield self._start(X, y, params, store)
        finally:
            if store is not None:
                store.close()

    def _check_parameters(self) -> None:
        """Refuse wrong parameters before any work; subclasses add their own."""
        _validation.choice(self.pooling, "pooling", ("auto", "pooled", "fold"))
        _validation.integer(self.n_repeats, "n_repeats", lowest=1)
        if self.n_iter is not None:
            _validation.integer(self.n_iter, "n_iter", lowest=1)
        if not isinstance(self.refit, bool | np.bool_ | str):
            raise TypeError(
                "refit must be a bool or the name of a metric (a rule is `selection`), got "
                f"{type(self.refit).__name__}"
            )
        if self.error_score != "raise" and not isinstance(self.error_score, int | float):
            raise ValueError(f'error_score must be "raise" or a number, got {self.error_score!r}')

    def _start(
        self, X: Any, y: ArrayLike | None, params: Mapping[str, Any], store: Store | None
    ) -> Run:
        estimators = named_estimators(self.estimator)
        classifier = kind_of(estimators)
        truth = check_target(y, classifier)
        X = check_rows(X, truth, params)
        params = with_plain_groups(params, len(truth))
        routed = route(self, params)
        scoring = make_scoring(self.scoring, self.refit, estimators)
        responses = make_responses(
            scoring, self.pooling, classifier=classifier, y=truth, pos_label=self.pos_label
        )
        seed = self._seed(store)
        configurations = make_configurations(self.estimator, self.param_grid, self.n_iter, seed)
        partitions = make_partitions(
            self.cv,
            X,
            truth,
            classifier=classifier,
            n_partitions=self._n_partitions,
            seed=seed,
            split_params=routed.split,
            fewest_folds=self._fewest_folds,
        )
        progress = self._progress()
        trainer = Trainer(
            X,
            truth,
            configurations,
            responses,
            fit_params=routed.fit,
            seed=seed,
            error_score=self.error_score,
            n_jobs=self.n_jobs,
            pre_dispatch=self.pre_dispatch,
            store=store,
            progress=progress,
        )
        groups, weight = routed.split.get("groups"), routed.score.get("sample_weight")
        run = Run(
            X=X,
            y=truth,
            classifier=classifier,
            groups=None if groups is None else np.asarray(groups),
            sample_weight=None if weight is None else np.asarray(weight),
            split_params=routed.split,
            configurations=configurations,
            scoring=scoring,
            responses=responses,
            pos_label=self.pos_label,
            seed=seed,
            partitions=partitions,
            trainer=trainer,
            progress=progress,
            store=store,
            dynamic_search=is_dynamic(self.estimator, self.param_grid),
        )
        check_statistics(run, self.selection, **self._statistics_need)
        if store is not None:
            self._start_store(store, run, params)
        self._scoring, self._responses = scoring, responses
        return run

    def _progress(self) -> Progress:
        """What tells the user, and scikit-learn's callbacks, how far the run is."""
        return Progress(
            type(self).__name__,
            self.verbose,
            root=partial(root_context, self),
            owner=self,
            refit=bool(self.refit),
        )

    def _seed(self, store: Store | None) -> int:
        """The given seed; or else the store's, so that a run goes on as it began; or a new one."""
        if self.random_state is None and store is not None and not store.is_new:
            return seed_of(store)
        return _validation.seed(self.random_state)

    def _start_store(self, store: Store, run: Run, params: Mapping[str, Any]) -> None:
        given = {name: value for name, value in params.items() if value is not None}
        run.dynamic_search |= was_dynamic(store)
        tuning = self._tuning(run)
        identity, unseen = identify(tuning, given, _engine.kernel_version())
        pooling = self.get_params(deep=False).get("pooling", "pooled")
        store.start(identity, description(tuning), latest(run, type(self).__name__, pooling))
        warn_of_unseen(store, unseen)

    def _finish(self, run: Run) -> None:
        """Name the winner and train it on all rows."""
        winner = self.performance_.winner
        self.configurations_ = run.configurations
        self.best_index_ = winner
        self.best_params_ = dict(run.configurations[winner].params)
        apparent = self.performance_.apparent
        assert apparent is not None
        self.best_score_ = apparent
        self.seed_ = run.seed
        if self.refit:
            with run.progress.final_fit(run.configurations[winner].name):
                self.best_estimator_, self.refit_time_ = run.trainer.refit(
                    run.configurations[winner]
                )
        else:  # what an earlier fit left is no model of this one
            for name in {"best_estimator_", "refit_time_"} & set(vars(self)):
                delattr(self, name)
        self.n_models_trained_ = run.trainer.n_trained + run.trainer.n_loaded
        self.n_models_from_store_ = run.trainer.n_loaded
        run.progress.end()
