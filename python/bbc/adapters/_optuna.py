"""An objective for Optuna whose studies can be corrected: each fold is kept before it is told."""

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _validation
from .._design import Design
from .._finished._claim import Claim, Said
from .._finished._scores import of_lost
from .._finished._studies import failed_trials
from .._frozen import as_array
from .._names import configuration_name
from .._settle import Kept, Outcome, by_rungs
from .._store import FitKey, StoredFit
from .._training._collected import Collected
from .._training._configurations import (
    Configuration,
    check_estimator,
    configuration_digests,
    refuse_stopping,
)
from .._training._fit import fit_and_predict, repeat_warnings
from .._training._scoring import (
    Responses,
    kind_of,
    made_up,
    make_responses,
    make_scoring,
    reads,
    refuse_times,
    score_of_outputs,
)
from .._training._splits import (
    Partition,
    check_rows,
    check_target,
    copies_across_folds,
    folds_of,
    make_partitions,
    strata_of,
)
from .._typing import AnyArray
from ..correction import correct_predictions
from ..errors import (
    Argument,
    ArgumentError,
    InvalidTypeError,
    InvalidValueError,
    UndefinedMetricError,
    arguments_called,
)
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions, is_time_ordered
from ..selection import Rungs
from ..sources import Predictions, Source

__all__ = ["OptunaObjective"]

#: Samplers that never look at scores.
_BLIND = ("RandomSampler", "GridSampler", "BruteForceSampler", "QMCSampler")
_STARTING = Lock()  # trials may run in threads, and the first one makes the folds


@dataclass(frozen=True)
class _Setting:
    """What all trials share: data, folds, the metric, and what models predict for it."""

    X: Any
    y: AnyArray
    classifier: bool
    partition: Partition
    metric: Metric
    responses: Responses
    splitter: dict[str, Any]


@dataclass
class _Trial:
    """What a trial predicted fold by fold, and what Optuna was told of it, by step."""

    name: str
    blind: bool
    fits: list[StoredFit] = field(default_factory=list)
    reported: dict[int, float] = field(default_factory=dict)


class OptunaObjective:
    """An objective for Optuna that keeps what each trial predicts, for an honest correction.

    All trials take the same folds in the same order. After each fold its predictions are kept; then
    the score of all rows predicted so far is reported to the pruner, which may end the trial.
    `predictions` reads from the study what has to be undone: trials that were pruned are scored
    rung by rung (``missing="rungs"``), and a sampler that looks at scores adds finding BBC007.

    Trials may run in threads (``n_jobs`` of ``study.optimize``). A search that was stopped goes on
    with the same objective, or with one that was pickled with it. Trials of other processes, whose
    predictions are not here, are refused.

    Parameters
    ----------
    build : callable
        ``build(trial) -> estimator``: suggests hyper-parameters and returns an unfitted estimator,
        which is cloned for each fold.
    X : array-like of shape (n_rows, n_features)
        Inputs.
    y : array-like of shape (n_rows,)
        The truth.
    metric : str, Metric, scorer or callable, optional
        What is maximised or, of a loss, minimised: the study needs that direction. By default
        accuracy or R2.
    cv : int, splitter or iterable, default=10
        Folds, as in `bbc.BBC`; each row in one of them.
    groups : array-like of shape (n_rows,), optional
        Groups, which are kept together in folds and in the bootstrap.
    n_hidden_folds : int, default=0
        The last so many folds are trained, but sampler and pruner never hear of them: a
        correction chooses on all rows and scores on these alone. That makes a sampler such as TPE
        honest: no BBC007. With half of the folds, intervals are about 1.5 times as wide, and the
        sampler sees half of the rows.
    pos_label : label, optional
        The positive class of a binary metric, by default as in `bbc.correct`.
    random_state : int, Generator or None, default=None
        Seed of shuffled folds and of learners whose own `random_state` is None: the same for equal
        hyper-parameters.

    Examples
    --------
    >>> import optuna
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> optuna.logging.set_verbosity(optuna.logging.ERROR)
    >>> def build(trial):
    ...     return KNeighborsClassifier(trial.suggest_int("n_neighbors", 1, 60))
    >>> objective = bbc.adapters.OptunaObjective(build, *load_iris(return_X_y=True), cv=5)
    >>> study = optuna.create_study(
    ...     direction="maximize",
    ...     sampler=optuna.samplers.RandomSampler(seed=0),
    ...     pruner=optuna.pruners.MedianPruner(),
    ... )
    >>> study.optimize(objective, n_trials=20)
    >>> e = bbc.correct(objective.predictions(study), random_state=1)
    >>> e.n_configurations, e.metric, e.estimate > 0.9
    (20, 'accuracy', True)
    """

    def __init__(
        self,
        build: Callable[[Any], Any],
        X: Any,
        y: ArrayLike,
        *,
        metric: Any = None,
        cv: Any = 10,
        groups: ArrayLike | None = None,
        n_hidden_folds: int = 0,
        pos_label: Any = None,
        random_state: Any = None,
    ) -> None:
        if not callable(build):
            raise InvalidTypeError(
                "build",
                "must be a function of a trial that returns an unfitted estimator, got "
                f"{type(build).__name__}",
            )
        self.build, self.X, self.y = build, X, y
        self.metric, self.cv, self.groups = metric, cv, groups
        self.n_hidden_folds = _validation.integer(n_hidden_folds, "n_hidden_folds", lowest=0)
        self.pos_label, self.random_state = pos_label, random_state
        self._seed = _validation.seed(random_state)
        self._setting: _Setting | None = None
        self._trials: dict[tuple[str, int], _Trial] = {}
        self._checked: set[tuple[str, str]] = set()

    def __call__(self, trial: Any) -> float:
        """Train a trial's model fold by fold; Optuna calls it.

        Parameters
        ----------
        trial : optuna.trial.Trial
            The trial.

        Returns
        -------
        float
            The score on all rows that are not hidden.
        """
        study = getattr(trial, "study", None)
        if study is None:
            raise InvalidTypeError(
                "trial", f"must be of a study that is optimized, got {type(trial).__name__}"
            )
        learner = self.build(trial)
        check_estimator(learner, "build(trial)")
        refuse_stopping({"": learner}, "build(trial)")
        with _STARTING:
            setting = self._set_up(learner)
            self._check_study(study, setting)
        if kind_of({"": learner}) != setting.classifier:
            what = "classifiers" if setting.classifier else "regressors"
            raise InvalidValueError(
                "build", f"returned {type(learner).__name__}(), but {what} before"
            )
        made = _Trial(
            configuration_name(trial.params, f"trial {trial.number}"), _is_blind(study.sampler)
        )
        self._trials[study.study_name, trial.number] = made
        return self._run(trial, learner, made, setting)

    def _run(self, trial: Any, learner: Any, made: _Trial, setting: _Setting) -> float:
        from optuna import TrialPruned

        configuration = Configuration(trial.number, made.name, "", {}, learner)
        (luck,) = configuration_digests([replace(configuration, params=trial.params)])
        folds = setting.partition.folds
        n_shown = len(folds) - self.n_hidden_folds
        score = np.nan
        for number, rows in enumerate(folds):
            _, fit, warned, _ = fit_and_predict(
                setting.X,
                setting.y,
                configuration,
                rows,
                fit_params={},
                responses=setting.responses,
                seed=(self._seed, luck),
                reraise=True,
                key=FitKey("cv", 0, number, trial.number),
            )
            repeat_warnings(warned)
            made.fits.append(fit)  # before the pruner hears of it
            if number >= n_shown:
                continue
            try:
                score = self._score(made.fits, setting)
            except UndefinedMetricError:  # such as the AUC of rows of one class
                if number == n_shown - 1:
                    raise
                continue
            made.reported[number] = score
            trial.report(score, number)
            if number < len(folds) - 1 and trial.should_prune():
                raise TrialPruned
        return score

    def _score(self, fits: Sequence[StoredFit], setting: _Setting) -> float:
        """The score of all rows predicted so far."""
        rows = np.concatenate([fold.test for fold in setting.partition.folds[: len(fits)]])
        outputs = {
            name: np.concatenate([fit.outputs[name] for fit in fits]) for name in fits[0].outputs
        }
        return score_of_outputs(
            outputs,
            setting.y[rows],
            setting.metric,
            setting.responses,
            sample_weight=None,
            pos_label=self.pos_label,
        )

    def _set_up(self, learner: Any) -> _Setting:
        """What all trials share, made when the first learner tells what it is."""
        if self._setting is not None:
            return self._setting
        estimators = {"": learner}
        with arguments_called(scoring="metric", y_true="y"):
            scoring = make_scoring(self.metric, True, estimators)
            refuse_times(scoring, estimators.items())
            classifier = kind_of(estimators)
            y = check_target(self.y, classifier)
            groups = None if self.groups is None else as_array(self.groups)
            params = {} if groups is None else {"groups": groups}
            X = check_rows(self.X, self.y, y, params)
            responses = make_responses(
                scoring, "pooled", classifier=classifier, y=y, pos_label=self.pos_label
            )
        partitions = make_partitions(
            self.cv, X, y, classifier=classifier, seed=self._seed, split_params=params
        )
        if len(partitions) > 1:
            raise InvalidValueError(
                Argument("cv", self.cv), "tests rows more than once; give one repeat"
            )
        n_folds = len(partitions[0].folds)
        if self.n_hidden_folds >= n_folds:
            raise InvalidValueError(
                Argument("n_hidden_folds", self.n_hidden_folds), f"leaves none of {n_folds} folds"
            )
        splitter = folds_of(self.cv, y, classifier=classifier, grouped=groups is not None)
        self._setting = _Setting(
            X, y, classifier, partitions[0], scoring.metric, responses, splitter
        )
        return self._setting

    def _check_study(self, study: Any, setting: _Setting) -> None:
        """Refuse what could not be corrected, before a model is trained."""
        pruner = _wrapped(study.pruner, "_wrapped_pruner")
        key = study.study_name, type(pruner).__name__
        if key in self._checked:
            return
        if len(study.directions) > 1:
            raise InvalidValueError("study", "has several objectives; the correction is of one")
        wanted = "maximize" if setting.metric.greater_is_better else "minimize"
        if study.direction.name.lower() != wanted:
            raise InvalidValueError(
                "study",
                f"has direction {study.direction.name.lower()!r}; {setting.metric.name!r} needs "
                f"{wanted!r}",
            )
        if key[1] == "WilcoxonPruner":
            raise InvalidValueError(
                "study",
                "has a WilcoxonPruner, which compares scores of single folds, in an order that is "
                "shuffled for each trial: rungs need one order, and scores of all rows so far",
                hint="use another pruner, such as MedianPruner or HyperbandPruner",
            )
        if key[0] not in {name for name, _ in self._checked}:
            self._refuse_foreign(study)
        self._try(setting)
        if key[1] != "NopPruner":
            try:
                self._try(setting, n_folds=1)
            except ArgumentError as error:
                raise InvalidValueError(
                    "study",
                    f"has a {key[1]}, and pruned trials cannot be corrected: {error}",
                    hint="optuna.pruners.NopPruner() ends no trial",
                ) from error
        self._checked.add(key)

    def _try(self, setting: _Setting, n_folds: int | None = None) -> None:
        """Correct two made-up trials, one of `n_folds`, to hear what would be refused later."""
        if setting.metric.target == "survival":
            return
        outputs = made_up(setting.y, setting.responses)
        folds = setting.partition.folds
        trials = [_Trial(name, blind=True) for name in ("a", "b")]
        for trial, own in zip(trials, (folds, folds[:n_folds]), strict=True):
            for fold in own:
                made = {name: outputs[name][fold.test] for name in setting.responses.empty(0)}
                trial.fits.append(StoredFit(made))
        with suppress(UndefinedMetricError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made_up_trials = self._collected(trials, setting)
            rungs = self._rungs(made_up_trials, setting)
            options: dict[str, Any] = {"random_state": 0}
            if rungs is not None:
                options |= by_rungs(setting.metric) | {"rungs": rungs}
            correct_predictions(Predictions(setting.y, made_up_trials), setting.metric, options)

    def _refuse_foreign(self, study: Any) -> None:
        """Refuse a study with trials whose predictions were not kept here."""
        for trial in _ended(study):
            made = self._trials.get((study.study_name, trial.number))
            steps = trial.intermediate_values
            if made is None and (steps or trial.state.name == "COMPLETE"):
                raise InvalidValueError(
                    "study",
                    f"has trial {trial.number}, whose predictions are not here: it ran without "
                    "this objective, in an earlier session or another process",
                    hint="start a new study, or pickle the objective with the study that goes on",
                )
            told = {} if made is None else made.reported
            other = next((step for step, value in steps.items() if told.get(step) != value), None)
            if other is not None:
                raise InvalidValueError(
                    "study",
                    f"has step {other} of trial {trial.number}, for which there are no "
                    "predictions: only the objective may report to the pruner",
                )

    def predictions(self, study: Any) -> Predictions:
        """Return what the trials of a study predicted, those that were pruned included.

        `bbc.correct` of them corrects the performance of the study's winner, and trains no model.
        What it takes is said here: the metric, the seed, and the rungs, where trials were pruned or
        folds are hidden. ``reselect=True`` selects by another `metric` than the study was told;
        `secondary` metrics are told of the winner. The winner is the best of the complete trials on
        all rows; where this is not the study's best trial, `deployed` and finding BBC024 say so.

        Parameters
        ----------
        study : optuna.study.Study
            A study that was optimised with this objective.

        Returns
        -------
        Predictions
            The trials as configurations, under their numbers and names such as ``trial 7(C=1)``.
            Those that failed, or were pruned before they predicted anything, are left out.
        """
        if not hasattr(study, "get_trials"):
            raise InvalidTypeError("study", f"must be a study, got {type(study).__name__}")
        setting = self._setting
        self._refuse_foreign(study)
        kept = {
            trial.number: made
            for trial in _ended(study)
            if (made := self._trials.get((study.study_name, trial.number))) and made.fits
        }
        every = study.get_trials(deepcopy=False)
        if setting is None or not kept:
            n_failed = sum(trial.state.name == "FAIL" for trial in every)
            why = f": {n_failed} failed" if n_failed else ""
            raise InvalidValueError("study", f"has no trials of this objective{why}")
        if not any(trial.state.name == "COMPLETE" for trial in every):
            raise InvalidValueError(
                "study",
                "has no complete trial, so that there is no winner: the pruner stopped all",
                hint="let it go on, or let the first trials run: MedianPruner does",
            )
        found = self._collected(list(kept.values()), setting)
        names = [configuration_name(trial.params, f"trial {trial.number}") for trial in every]
        found = replace(found, tried=tuple(names), places=np.array(list(kept)))
        claim = _claim(study, names, setting)
        source = Source(
            "study",
            setting.metric,
            {"random_state": self._seed},
            findings={"": of_lost(claim.lost, claim.names)} if claim.lost else {},
            rungs=self._rungs(found, setting),
            kept=Kept(claim, found, (setting.partition,), {"score": Outcome()}),
        )
        return Predictions._of(found, source)

    def _collected(self, trials: Sequence[_Trial], setting: _Setting) -> OutOfSamplePredictions:
        y = setting.y
        collected = Collected(setting.responses, (setting.partition,), len(y), len(trials))
        for place, each in enumerate(trials):
            for number, fit in enumerate(each.fits):
                collected.add(FitKey("cv", 0, number, place), fit)
        folds = setting.partition.folds
        return collected.predictions(
            y,
            np.arange(len(trials)),
            [each.name for each in trials],
            reads(setting.metric, setting.classifier),
            groups=None if self.groups is None else as_array(self.groups),
            stratified_by=strata_of(self.cv, y),
            dynamic_search=self.n_hidden_folds == 0 and not all(each.blind for each in trials),
            time_ordered=is_time_ordered((fold.train, fold.test) for fold in folds),
            n_copies=copies_across_folds(setting.X, y, [setting.partition]),
            design=Design(training="observed", **setting.splitter),
        )

    def _rungs(self, predictions: OutOfSamplePredictions, setting: _Setting) -> Rungs | None:
        """The rungs that score, where trials were pruned or folds are hidden."""
        mask = predictions.mask[0]
        if self.n_hidden_folds:
            n_shown = len(setting.partition.folds) - self.n_hidden_folds
            of_row = np.minimum(setting.partition.fold_ids(len(setting.y)), n_shown)
            return Rungs(of_row, choose_only=tuple(range(n_shown)))
        return Rungs() if (mask.any(axis=1) != mask.all(axis=1)).any() else None


def _claim(study: Any, names: Sequence[str], setting: _Setting) -> Claim:
    """What the study was told of its trials."""
    trials, metric = study.get_trials(deepcopy=False), setting.metric
    values = [each.value if each.state.name == "COMPLETE" else np.nan for each in trials]
    told = np.array(values, np.float64)
    return Claim(
        "study",
        tuple(names),
        {"score": Said(metric.name, told[None], metric, told, metric.greater_is_better)},
        decides="score",
        chosen=study.best_trial.number,
        lost=failed_trials(study),
        is_pooled=True,
    )


def _ended(study: Any) -> list[Any]:
    """The trials of a study that took part: neither failed nor still running."""
    trials = study.get_trials(deepcopy=False)
    return [trial for trial in trials if trial.state.name in ("COMPLETE", "PRUNED")]


def _wrapped(outer: Any, name: str) -> Any:
    """What a sampler or pruner of Optuna goes round, if it does."""
    inner = getattr(outer, name, None)
    return outer if inner is None else _wrapped(inner, name)


def _is_blind(sampler: Any) -> bool:
    kind = type(_wrapped(sampler, "_base_sampler"))
    return kind.__name__ in _BLIND and kind.__module__.startswith("optuna.")
