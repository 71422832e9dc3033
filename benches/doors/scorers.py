"""Scorers x classes x doors: does bbc give the number that scikit-learn's search reports?"""

import warnings
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold

import bbc

#: The doors at which a number can be had; AFTER has to be refused where the response is another.
DOORS = (
    *("alone", "beside scores", "beside labels", "keep_predictions", "correct_search"),
    *("negative control", "subgroups", "compare"),
)
AFTER = "after another search"
TRUTHS: dict[str, tuple[Any, ...]] = {
    "{0, 1}": (0, 1),
    "{0, 1}, margins": (0, 1),
    "{-1, 1}": (-1, 1),
    "{1, 2}": (1, 2),
    "text": ("case", "control"),
    "bool": (False, True),
    "three": ("low", "mid", "top"),
    "real": (),
}
BESIDE = {
    "beside scores": {2: "roc_auc", 3: "neg_log_loss", 0: "r2"},
    "beside labels": {2: "accuracy", 3: "accuracy", 0: "neg_mean_absolute_error"},
}
_BOTH = ("decision_function", "predict_proba")


class Case(NamedTuple):
    """A scorer, on some classes."""

    scorer: str
    truth: str


class Outcome(NamedTuple):
    """What a door made of a case: "equal", "other number", "refused", "refused late" or "error"."""

    kind: str
    detail: str = ""


def _cost(y: Any, label: Any) -> float:
    worse = np.asarray(y) == np.max(y)
    return float(-np.mean(np.where(worse, 5 * (label != y), label != y)))


def _squares(y: Any, value: Any) -> float:
    return float(np.mean((y - value) ** 2))


def _variations() -> Iterator[tuple[str, Any]]:
    """`make_scorer` of functions of sklearn.metrics, with arguments and responses."""
    for name in ("precision", "recall", "f1", "jaccard"):
        function = getattr(sk, f"{name}_score")
        yield f"{name}()", make_scorer(function)
        for pos_label in (0, 1, -1, 2, "case", True):
            yield f"{name}(pos_label={pos_label!r})", make_scorer(function, pos_label=pos_label)
        yield f"{name}(average='macro')", make_scorer(function, average="macro")
        yield f"{name}(zero_division=1)", make_scorer(function, zero_division=1.0)
        yield (
            f"{name}(macro, zero_division=1)",
            make_scorer(function, average="macro", zero_division=1.0),
        )
    yield "f_beta(2)", make_scorer(sk.fbeta_score, beta=2)
    yield "f_beta(2, macro)", make_scorer(sk.fbeta_score, beta=2, average="macro")
    yield "kappa()", make_scorer(sk.cohen_kappa_score)
    yield "kappa(quadratic)", make_scorer(sk.cohen_kappa_score, weights="quadratic")
    yield "balanced(adjusted)", make_scorer(sk.balanced_accuracy_score, adjusted=True)
    yield "accuracy()", make_scorer(sk.accuracy_score)
    yield "accuracy(count)", make_scorer(sk.accuracy_score, normalize=False)
    yield "mcc()", make_scorer(sk.matthews_corrcoef)
    yield "hamming", make_scorer(sk.hamming_loss, greater_is_better=False)
    yield "zero_one", make_scorer(sk.zero_one_loss, greater_is_better=False)
    yield (
        "hinge",
        make_scorer(sk.hinge_loss, greater_is_better=False, response_method="decision_function"),
    )
    for response in ("predict", "predict_proba", "decision_function", _BOTH):
        said = response if isinstance(response, str) else "both"
        yield f"auc({said})", make_scorer(sk.roc_auc_score, response_method=response)
        yield f"ap({said})", make_scorer(sk.average_precision_score, response_method=response)
    yield "auc(max_fpr)", make_scorer(sk.roc_auc_score, max_fpr=0.5, response_method=_BOTH)
    ovr = {"multi_class": "ovr", "response_method": "predict_proba"}
    yield "auc(ovr)", make_scorer(sk.roc_auc_score, **ovr)
    yield "auc(ovr, micro)", make_scorer(sk.roc_auc_score, average="micro", **ovr)
    yield (
        "ap(pos_label='case')",
        make_scorer(sk.average_precision_score, pos_label="case", response_method="predict_proba"),
    )
    for name, function in {
        "log_loss": sk.log_loss,
        "brier": sk.brier_score_loss,
        "d2_log_loss": sk.d2_log_loss_score,
    }.items():
        better = name.startswith("d2")
        for response in ("predict", "predict_proba"):
            yield (
                f"{name}({response})",
                make_scorer(function, greater_is_better=better, response_method=response),
            )
    yield "top_2", make_scorer(sk.top_k_accuracy_score, k=2, response_method="predict_proba")
    yield "cost", make_scorer(_cost)
    yield "squares", make_scorer(_squares, greater_is_better=False)
    yield "pinball(.9)", make_scorer(sk.mean_pinball_loss, alpha=0.9, greater_is_better=False)
    yield "tweedie(1.5)", make_scorer(sk.mean_tweedie_deviance, power=1.5, greater_is_better=False)
    yield "d2_pinball", make_scorer(sk.d2_pinball_score, alpha=0.2)
    yield "r2()", make_scorer(sk.r2_score)
    yield "r2(not finite)", make_scorer(sk.r2_score, force_finite=False)


SCORERS: Mapping[str, Any] = {name: name for name in get_scorer_names()} | dict(_variations())
CASES = [Case(scorer, truth) for truth in TRUTHS for scorer in SCORERS]


class _Linear(BaseEstimator):
    """Least squares with a penalty; counts its fits."""

    n_fits: ClassVar[int] = 0

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def _solve(self, X: Any, Y: Any) -> None:
        _Linear.n_fits += 1
        wide = np.column_stack([np.ones(len(X)), X])
        gram = wide.T @ wide + self.penalty * np.eye(wide.shape[1])
        self.coef_ = np.linalg.solve(gram, wide.T @ Y)

    def _values(self, X: Any) -> NDArray[Any]:
        values: NDArray[Any] = np.column_stack([np.ones(len(X)), X]) @ self.coef_
        return values


class _Regressor(RegressorMixin, _Linear):  # type: ignore[misc]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        self._solve(X, y)
        return self

    def predict(self, X: Any) -> Any:
        return self._values(X)


class _Classifier(ClassifierMixin, _Linear):  # type: ignore[misc]
    """Probabilities that rank as the decision values do."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        self.classes_ = np.unique(y)
        self._solve(X, (np.asarray(y)[:, None] == self.classes_).astype(float))
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[self._values(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> Any:
        values = np.exp(3 * self._values(X))
        return values / values.sum(axis=1, keepdims=True)

    def decision_function(self, X: Any) -> Any:
        values = self._values(X)
        return values[:, 1] - values[:, 0] if len(self.classes_) == 2 else values


class _Margins(_Classifier):
    """Decision values that rank otherwise than the probabilities, as those of SVC may."""

    def decision_function(self, X: Any) -> Any:
        return super().decision_function(X) + 0.3 * np.asarray(X)[:, 2]


class _Seen(StratifiedKFold):
    """Folds that remember the truths that they split."""

    truths: ClassVar[list[Any]] = []

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        self.truths.append(np.array(y))
        return (super() if len(np.unique(y)) < 10 else KFold(3)).split(X, y, groups)


def data(truth: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Inputs and truth: a weak signal, so that no score is perfect."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(75, 3))
    signal = X[:, 0] + rng.normal(size=75)
    labels = TRUTHS[truth]
    if not labels:
        return X, np.exp(signal / 4) + 3
    cuts = np.quantile(signal, [0.6] if len(labels) == 2 else [0.4, 0.75])
    return X, np.array(labels)[np.searchsorted(cuts, signal)]


def search(case: Case, scoring: Any, **options: Any) -> GridSearchCV:
    """The search of a case."""
    learner = _Margins() if case.truth.endswith("margins") else _Classifier()
    if case.truth == "real":
        learner = _Regressor()
    grid = {"penalty": [0.1, 100.0]}
    return GridSearchCV(learner, grid, cv=_Seen(3), scoring=scoring, **options)


def expected(case: Case, y: Any = None) -> NDArray[Any] | None:
    """The means that scikit-learn's search reports; None if it gives no number."""
    X, own = data(case.truth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = search(case, SCORERS[case.scorer], refit=False, error_score="raise")
        try:
            made.fit(X, own if y is None else y)
        except Exception:
            return None
    scores = np.array([made.cv_results_[f"split{split}_test_score"] for split in range(3)])
    means: NDArray[Any] = scores.mean(axis=0)
    return means if np.isfinite(scores).all() else None


def outcome(case: Case, door: str, wanted: NDArray[Any]) -> Outcome:
    """What a door gives, compared with the search's numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            pairs = _numbers(case, door, wanted)
        except bbc.errors.ArgumentError as error:
            told = f"{type(error).__name__}: {error}"
            return Outcome("refused late" if _Linear.n_fits else "refused", told)
        except Exception as error:
            return Outcome("error", f"{type(error).__name__}: {error}")
    for found, number in pairs:
        if not abs(found - number) <= 1e-9 * max(1.0, abs(number)):
            return Outcome("other number", f"{found:.6g} for {number:.6g}")
    return Outcome("equal")


def holds_another(case: Case) -> bool:
    """Whether `AFTER` has kept another response than the metric reads."""
    return case.truth != "real"


DRAWN: Mapping[str, Any] = {"n_bootstraps": 5, "confidence_level": 0.5, "random_state": 1}


def _numbers(case: Case, door: str, wanted: NDArray[Any]) -> list[tuple[float, float]]:
    """Pairs of the number that a door gives and the search's."""
    X, y = data(case.truth)
    scorer = SCORERS[case.scorer]
    best = float(wanted.max())
    _Linear.n_fits = 0
    if door == "correct_search":
        made = search(case, scorer, refit=True).fit(X, y)
        _Linear.n_fits = 0
        return [(float(bbc.correct(made, **DRAWN).apparent), best)]
    if door == AFTER:
        kept = _protocol(case, _another(case, scorer)).fit(X, y).oos_predictions_
        _Linear.n_fits = 0
        found = bbc.correct(y, kept, metric=scorer, pooling="fold", **DRAWN)
        return [(float(found.apparent), best)]
    if door == "negative control":
        _Seen.truths.clear()
        control = bbc.negative_control(
            _protocol(case, scorer), X, y, n_permutations=2, random_state=1
        )
        truths = list(_Seen.truths)
        means = [expected(case, truth) for truth in truths]
        return [
            (float(run.apparent), float(mean.max()))
            for run, mean in zip(control.estimates, means, strict=True)
            if mean is not None
        ]
    if door in ("keep_predictions", "subgroups", "compare"):
        kept = bbc.keep_predictions(search(case, scorer, refit=False)).fit(X, y)
        _Linear.n_fits = 0
        if door == "keep_predictions":
            return [(float(bbc.correct(kept, pooling="fold", **DRAWN).apparent), best)]
        given: Any = {"metric": scorer, "pooling": "fold", **DRAWN}
        if door == "subgroups":
            of_parts = bbc.correct(y, kept, **given).subgroups(np.arange(75) % 2)
            return [(float(of_parts.overall.apparent), best)]
        found = bbc.compare(kept, by=["a", "b"], pooling="fold", **DRAWN)
        each = [float(one.apparent) for one in found.estimates.values()]
        return list(zip(each, wanted.tolist(), strict=True))
    scoring: Any = scorer
    more: dict[str, Any] = {}
    if door != "alone":
        other = BESIDE[door][len(TRUTHS[case.truth])]
        if case.truth.endswith("margins") and other == "roc_auc":
            other = "neg_log_loss"  # of probabilities, which rank otherwise
        scoring = {"own": scorer, "other": other}
        more["refit"] = "own"
    fitted = _protocol(case, scoring, **more).fit(X, y)
    return [(float(fitted.performance_.apparent), best)]


def _another(case: Case, scorer: Any) -> Any:
    """A metric of another response than a scorer's."""
    if case.truth == "real":
        return "r2"
    own = get_scorer(scorer) if isinstance(scorer, str) else scorer
    response = getattr(own, "_response_method", "predict")
    if isinstance(scorer, str) and scorer.startswith("roc_auc_ov"):
        response = ""  # by this name bbc takes class scores of either kind
    if response == "decision_function":
        return "neg_log_loss"
    if response == "predict_proba":
        return make_scorer(sk.hinge_loss, response_method="decision_function")
    two = len(TRUTHS[case.truth]) == 2
    return ("roc_auc" if two else "roc_auc_ovr") if response == "predict" else "accuracy"


def _protocol(case: Case, scoring: Any, **more: Any) -> Any:
    base = search(case, None)
    given: Any = {"scoring": scoring, "pooling": "fold", **DRAWN, **more}
    return bbc.BBC(base.estimator, base.param_grid, cv=base.cv, **given)
