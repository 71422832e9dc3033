"""A search of scikit-learn by our engine: its own code decides what is trained, ours trains it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from inspect import signature
from itertools import islice, product
from numbers import Integral
from typing import Any, NamedTuple, Self
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn import get_config
from sklearn.base import clone, is_classifier, is_outlier_detector
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import _num_samples

from .. import _validation
from .._design import Lost
from .._frozen import as_array
from .._names import configuration_name
from .._store import FitKey, StoredFit
from .._typing import AnyArray, FloatArray, IndexArray
from .._warn import warn
from ..errors import Argument, InvalidTypeError, InvalidValueError
from ..metrics._resolve import is_scorer
from ._check import Predicted
from ._collected import Collected
from ._configurations import Configuration, check_settable, take_rows
from ._fit import Progress, Split, Trainer
from ._scoring import Responses
from ._splits import Partition, partitioned, refuse_overlapping, repeats_of

_OFFERED = ("predict_proba", "decision_function")


class Round(NamedTuple):
    """What a search asked for at once: `places` of configurations in its results, and folds."""

    places: IndexArray
    partitions: tuple[Partition, ...]
    fits: Mapping[FitKey, StoredFit]


def follow(
    search: Any, X: Any, y: Any, *, times: tuple[float, ...] = (), params: Mapping[str, Any]
) -> "Followed":
    """Run a clone of a search as its `fit` does, but for the training, which is ours.

    Learners without a seed get one, derived from the search's own if that is an integer: the same
    for a configuration in all folds and in the refit.
    """
    own, kind, found = clone(search), type(search), []
    made: Any = type(kind)

    def fit(own: Any, X: Any, y: Any = None, **params: Any) -> Any:
        found.append(Followed(own, X, y, times, params).run())
        return own

    # Ours stands behind the search's class, and is the `fit` that its own calls.
    behind = made("Followed", (BaseSearchCV,), {"fit": fit})
    own.__class__ = made(kind.__name__, (kind, behind), {"__module__": kind.__module__})
    try:
        own.fit(X, y, **params)
    finally:
        own.__class__ = kind
    if not found:
        raise InvalidTypeError("search", f": the fit of {kind.__name__} calls none of scikit-learn")
    return found[0]


class Followed:
    """A search whose training is ours.

    `rounds` are what it asked for, `lost` says what fits have not given, and `weighted` names the
    scores that weights of rows are in, which are `sample_weight`.
    """

    def __init__(
        self, own: Any, X: Any, y: Any, times: tuple[float, ...], params: Mapping[str, Any]
    ) -> None:
        self.search = own
        own.return_train_score = False
        self._several = isinstance(own.scoring, list | tuple | set | dict)
        check_scoring(own.estimator, scoring=own.scoring)  # which refuses a name given twice
        named = scores_of(own.scoring).items()
        scorers = {name: check_scoring(own.estimator, scoring=each) for name, each in named}
        own.scorer_ = scorers if self._several else scorers["score"]
        self._names = list(scorers)
        self._refuse_refit()
        X, y = indexable(X, y)
        routed = own._get_routed_params_for_fit(dict(params))
        given = _given(own, scorers, params, routed.scorer.score)
        weights = {name: each.get("sample_weight") for name, each in given.items()}
        self.weighted = [name for name, each in weights.items() if each is not None]
        self.sample_weight = weights[self.weighted[0]] if self.weighted else None
        self._split_params = routed.splitter.split
        base = check_cv(own.cv, y, classifier=is_classifier(own.estimator))
        refuse_overlapping(base)
        own._checked_cv_orig = base
        if hasattr(own, "_check_input_parameters"):  # older grids have none
            own._check_input_parameters(X, y, self._split_params)
        own.n_splits_ = base.get_n_splits(X, y, **self._split_params)
        seed = getattr(own, "random_state", None)
        self._trainer = Trainer(
            X=X,
            y=y,
            configurations=(),
            responses=_everything(own.estimator, as_array(y), times),
            fit_params={"": dict(routed.estimator.fit)},
            seed=_validation.seed(int(seed) if isinstance(seed, Integral) else None),
            error_score=own.error_score,
            n_jobs=own.n_jobs,
            pre_dispatch=own.pre_dispatch,
            fit_timeout=None,
            store=None,
            progress=Progress(type(own).__name__, own.verbose, refit=bool(own.refit)),
            scored=_Scorers(scorers, given, _num_samples(X), own.error_score == "raise"),
        )
        # Drawn once, whatever further draws of the splitter would give.
        self._partitions = self._drawn(base)
        self.rounds: list[Round] = []
        self.lost: list[Lost] = []
        self._told: list[dict[str, float]] = []
        self._asked: list[Mapping[str, Any]] = []
        self._out: list[dict[str, Any]] = []
        self._more: dict[str, list[Any]] = defaultdict(list)

    def run(self) -> Self:
        """Evaluate what the search asks for, choose as it does, and refit."""
        own = self.search
        takes = "callback_ctx" in signature(own._run_search).parameters
        own._run_search(self._evaluate, **({"callback_ctx": _Silent()} if takes else {}))
        own.multimetric_ = self._several
        decides = own.refit if self._several else "score"
        if own.refit or not self._several:
            own.best_index_ = own._select_best_index(own.refit, decides, own.cv_results_)
            own.best_params_ = own.cv_results_["params"][own.best_index_]
            if not callable(own.refit):
                own.best_score_ = own.cv_results_[f"mean_test_{decides}"][own.best_index_]
        if own.refit:
            (best,) = configurations = self._configurations([own.best_params_])
            trainer = replace(self._trainer, configurations=configurations)
            with trainer.progress.final_fit(best.name):
                own.best_estimator_, own.refit_time_ = trainer.refit(best)
            if hasattr(own.best_estimator_, "feature_names_in_"):
                own.feature_names_in_ = own.best_estimator_.feature_names_in_
        return self

    @property
    def by_fold(self) -> dict[str, FloatArray]:
        """Return the scores (split, configuration) by name, NaN where they are lost."""
        shape = (-1, self.search.n_splits_)
        return {
            name: np.array([told.get(name, np.nan) for told in self._told]).reshape(shape).T
            for name in self._names
        }

    def collected(self, rounds: Sequence[Round]) -> Collected:
        """Return the predictions of rounds with the same folds, side by side."""
        fits = [fit for one in rounds for fit in one.fits.values()]
        made = [fit for fit in fits if not fit.error]
        if not made:
            told = f": no fit gave predictions; the first failed with {fits[0].error}"
            raise InvalidValueError("search", told)
        methods = {fit.method for fit in made}
        responses = replace(
            self._trainer.responses,
            methods=() if "" in methods else tuple(methods),
            decisions="" not in methods and any("decisions" in fit.outputs for fit in made),
        )
        before = np.cumsum([0, *(len(one.places) for one in rounds)]).tolist()
        n_rows = _num_samples(self._trainer.X)
        found = Collected(responses, rounds[0].partitions, n_rows, before[-1])
        for first, one in zip(before, rounds, strict=False):
            for key, fit in one.fits.items():
                found.add(key._replace(configuration=first + key.configuration), fit)
        return found

    def _evaluate(
        self,
        candidate_params: Any,
        cv: Any = None,
        more_results: Mapping[str, Sequence[Any]] | None = None,
        callback_ctx: Any = None,
    ) -> Any:
        """Train what the search asks for, and return all results so far as its own."""
        own, candidates = self.search, list(candidate_params)
        if not candidates:
            raise InvalidValueError("search", ": it asks for no configurations")
        same = cv is None or cv is own._checked_cv_orig
        partitions = self._partitions if same else self._drawn(cv)
        configurations = self._configurations(candidates)
        check_settable(configurations)
        fits = self._train(configurations, partitions)
        places = np.arange(len(candidates)) + len(self._asked)
        self.rounds.append(Round(places, partitions, fits))
        # By configuration, then by split.
        ordered = sorted(fits, key=lambda key: (key.configuration, key.repeat, key.fold))
        self._take_down([fits[key] for key in ordered])
        self._asked += candidates
        for name, values in (more_results or {}).items():
            self._more[name].extend(values)
        own.cv_results_ = own._format_results(self._asked, own.n_splits_, self._out, self._more)
        return own.cv_results_

    def _configurations(self, candidates: Sequence[Mapping[str, Any]]) -> tuple[Configuration, ...]:
        return tuple(
            Configuration(place, configuration_name(each), "", dict(each), self.search.estimator)
            for place, each in enumerate(candidates)
        )

    def _drawn(self, splitter: Any) -> tuple[Partition, ...]:
        """The repeats of a splitter; rows drawn from folds of the search stay in their repeats."""
        n_rows, n_splits = _num_samples(self._trainer.X), self.search.n_splits_
        splits = list(splitter.split(self._trainer.X, self._trainer.y, **self._split_params))
        if len(splits) != n_splits:
            told = f": split gives {len(splits)} splits, get_n_splits {n_splits}"
            raise InvalidValueError("cv", told)
        if getattr(splitter, "base_cv", None) is not self.search._checked_cv_orig:
            return tuple(repeats_of(splitter, splits, n_rows))
        left = iter(splits)
        sizes = [len(each.folds) for each in self._partitions]
        return tuple(next(partitioned(islice(left, size), n_rows)) for size in sizes)

    def _train(
        self, configurations: tuple[Configuration, ...], partitions: tuple[Partition, ...]
    ) -> dict[FitKey, StoredFit]:
        number, progress = len(self.rounds), self._trainer.progress
        part = f"round {number + 1}" if number else "cv"
        splits = [
            Split(repeat, fold, rows)
            for repeat, each in enumerate(partitions)
            for fold, rows in enumerate(each.folds)
        ]
        progress.plan(part, [split.repeat for split in splits], len(configurations))
        progress.expect({(part, s.repeat, s.fold): len(configurations) for s in splits})
        trainer = replace(self._trainer, configurations=configurations)
        return dict(trainer.train(part, product(splits, range(len(configurations)))))

    def _take_down(self, fits: Sequence[StoredFit]) -> None:
        """Take down the scores of a round, as the search's own fits would have given them."""
        own = self.search
        failed = [fit.error for fit in fits if fit.error and not fit.told]
        if len(failed) == len(fits):
            told = f": all {len(fits)} fits failed, the first with {failed[0]}"
            raise InvalidValueError("search", told, hint='error_score="raise" shows where')
        known = [{n: one for n, one in fit.told.items() if isinstance(one, float)} for fit in fits]
        if callable(own.scoring):  # which may return any names
            self._names = next((list(each) for each in known if each), self._names)
            self.weighted = self._names if self.weighted else []
            self._several = self._names != ["score"]
            self._refuse_refit()
        n_before = len(self.lost)
        for fit, scores in zip(fits, known, strict=True):
            configuration, split = divmod(len(self._out), own.n_splits_)
            if fit.error:
                self.lost.append(Lost("fit", split, configuration, fit.error))
            for name in [name for name in self._names if fit.told and name not in scores]:
                reason = str(fit.told.get(name, fit.told.get("score", "")))
                self.lost.append(Lost("score", split, configuration, f"{name} {reason}"))
            self._told.append(scores)
            filled = {name: scores.get(name, own.error_score) for name in self._names}
            out = {"test_scores": filled if self._several else filled["score"]}
            self._out.append(out | {"fit_time": fit.fit_time, "score_time": fit.score_time})
        unkept = [fit.error for fit in fits if fit.error and fit.told]
        unscored = [each.reason for each in self.lost[n_before:] if each.kind == "score"]
        worth = f"and their scores are {own.error_score}"
        for reasons, what, kind in (
            (failed, f"{len(failed)} of {len(fits)} fits failed, {worth}", FitFailedWarning),
            (unscored, f"{len(unscored)} times scoring failed, {worth}", UserWarning),
            (unkept, f"The predictions of {len(unkept)} fits cannot be kept", UserWarning),
        ):
            if reasons:
                warn(f"{what}; the first with {reasons[0]}", kind)

    def _refuse_refit(self) -> None:
        """Refuse a search by several scores that does not say which one decides."""
        refit, names = self.search.refit, self._names
        named = refit is False or callable(refit) or (isinstance(refit, str) and refit in names)
        if self._several and not named:
            raise InvalidValueError(
                Argument("refit", refit),
                f": of several scores it must name the one that decides ({', '.join(names)}), or "
                "be False or a function",
            )


def scores_of(scoring: Any) -> dict[str, Any]:
    """Return the entries of a search's scoring by name; a single one is called "score"."""
    if isinstance(scoring, dict):
        return scoring
    if isinstance(scoring, list | tuple | set):
        return {name: name for name in scoring}
    return {"score": scoring}


def _given(
    search: Any, scorers: Mapping[str, Any], params: Mapping[str, Any], of_all: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """What each scorer is given beside X and y, as the search gives it: weights, if it has them."""
    if len(scorers) == 1 or not of_all:
        return {name: dict(of_all) for name in scorers}
    if get_config()["enable_metadata_routing"]:
        whole = check_scoring(search.estimator, scoring=scorers)
        routed = process_routing(whole, "score", **of_all)
        return {name: dict(routed[name].score) for name in scorers}
    found = {}
    with catch_warnings():
        simplefilter("ignore")  # it has warned of all
        for name, scorer in scorers.items():
            alone = clone(search).set_params(scoring=scorer)
            found[name] = dict(alone._get_routed_params_for_fit(dict(params)).scorer.score)
    return found


class _Everything(Responses):
    """Of each model all that some metric may read: labels, scores of all classes, survival."""

    def of(self, model: Any, X: Any) -> tuple[dict[str, AnyArray], str]:
        """Return a model's outputs by name, and the method that gave the scores."""
        methods = tuple(name for name in self.methods if hasattr(model, name))
        own = Responses(self.labels, methods, self.classes, positive=None, times=self.times)
        outputs, method = own.of(model, X)
        if len(methods) == 2:
            with suppress(Exception):  # such as values of pairs of classes, beside probabilities
                outputs["decisions"] = self._decisions(model, X, outputs["scores"], method)
        return outputs, method


def _everything(estimator: Any, y: AnyArray, times: tuple[float, ...]) -> Responses:
    """What is kept of models: classifiers by their tags, and detectors of outliers among two."""
    if is_classifier(estimator):
        return _Everything(True, _OFFERED, np.unique(y), positive=None, times=times)
    if is_outlier_detector(estimator) and len(known := np.unique(y)) == 2:
        labels = known.tolist() == [-1, 1]  # else y has other words for what they predict
        return _Everything(labels, _OFFERED[1:], known, positive=None, times=times)
    return Responses(False, ("predict",), times=times)


@dataclass(frozen=True)
class _Scorers:
    """The search's own scorers, each called alone: one that fails costs its own score only.

    In the place of a score that there is not stands the reason, a text.
    """

    scorers: Mapping[str, Any]
    given: Mapping[str, Mapping[str, Any]]
    n_rows: int
    strict: bool

    def __call__(self, model: Predicted, X: Any, y: Any, rows: IndexArray) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, scorer in self.scorers.items():
            params = take_rows(self.given[name], rows, self.n_rows)
            # A function may ask a model for more than its predictions.
            read = model if is_scorer(scorer) else model.model
            try:
                value = scorer(read, X, y, **params)
                scores = value if isinstance(value, dict) else {name: value}
                found |= {key: float(score) for key, score in scores.items()}
            except Exception as error:
                if self.strict:
                    raise
                found[name] = f"{type(error).__name__}: {error}"
        return found


class _Silent:
    """What stands for the context of scikit-learn's callbacks, which a search hands on."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: self
