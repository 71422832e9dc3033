"""Scorers x classes x doors: does bbc give the number that scikit-learn's search reports?"""

import warnings
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as sk
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold

import bbc

DOORS = ("alone", "beside scores", "beside labels", "keep_predictions", "correct_search")
TRUTHS: dict[str, tuple[Any, ...]] = {
    "{0, 1}": (0, 1),
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


SCORERS: Mapping[str, Any] = {name: get_scorer(name) for name in get_scorer_names()} | dict(
    _variations()
)
CASES = [Case(scorer, truth) for truth in TRUTHS for scorer in SCORERS]


class _Classifier(LogisticRegression):
    n_fits = 0

    def fit(self, X: Any, y: Any) -> Any:
        type(self).n_fits += 1
        return super().fit(X, y)


class _Regressor(Ridge):
    n_fits = 0

    def fit(self, X: Any, y: Any) -> Any:
        type(self).n_fits += 1
        return super().fit(X, y)


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
    if case.truth == "real":
        grid = {"alpha": [0.1, 100.0]}
        return GridSearchCV(_Regressor(), grid, cv=KFold(3), scoring=scoring, **options)
    grid = {"C": [0.003, 1.0]}
    return GridSearchCV(_Classifier(), grid, cv=StratifiedKFold(3), scoring=scoring, **options)


def expected(case: Case) -> float | None:
    """The best mean that scikit-learn's search reports; None if it gives no number."""
    X, y = data(case.truth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = search(case, SCORERS[case.scorer], refit=False, error_score="raise").fit(X, y)
        except Exception:
            return None
    scores = np.array([made.cv_results_[f"split{split}_test_score"] for split in range(3)])
    return float(scores.mean(axis=0).max()) if np.isfinite(scores).all() else None


def outcome(case: Case, door: str, wanted: float) -> Outcome:
    """What a door gives, compared with the search's number."""
    learner = _Regressor if case.truth == "real" else _Classifier
    learner.n_fits = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = _apparent(case, door)
        except (bbc.errors.ArgumentError, ValueError, TypeError) as error:
            told = f"{type(error).__name__}: {error}"
            if not isinstance(error, bbc.errors.ArgumentError):
                return Outcome("error", told)
            return Outcome("refused late" if learner.n_fits > 2 else "refused", told)
        except Exception as error:
            return Outcome("error", f"{type(error).__name__}: {error}")
    if abs(found - wanted) <= 1e-9 * max(1.0, abs(wanted)):
        return Outcome("equal")
    return Outcome("other number", f"{found:.6g} for {wanted:.6g}")


def _apparent(case: Case, door: str) -> float:
    X, y = data(case.truth)
    scorer = SCORERS[case.scorer]
    drawn = {"n_bootstraps": 10, "confidence_level": 0.5, "random_state": 1}
    if door == "correct_search":
        made = search(case, scorer, refit=True).fit(X, y)
        return float(bbc.correct_search(made, **drawn).apparent)
    if door == "keep_predictions":
        kept = bbc.keep_predictions(search(case, scorer)).fit(X, y)
        return float(kept.correct(pooling="fold", **drawn).apparent)
    scoring: Any = scorer
    more: dict[str, Any] = {}
    if door != "alone":
        scoring = {"own": scorer, "other": BESIDE[door][len(TRUTHS[case.truth])]}
        more["refit"] = "own"
    base = search(case, None)
    protocol = bbc.BBC(
        base.estimator,
        base.param_grid,
        cv=base.cv,
        scoring=scoring,
        pooling="fold",
        **more,
        **drawn,
    )
    return float(protocol.fit(X, y).performance_.apparent)
