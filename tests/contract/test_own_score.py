"""Without `scoring`, a metric is named only if the estimator's own `score` computes it."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.feature_selection import RFE
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor, Ridge
from sklearn.metrics import accuracy_score, get_scorer, r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import all_estimators

import bbc
from bbc.metrics._resolve import own_score

RNG = np.random.default_rng(2)
X = RNG.normal(size=(60, 3))
COUNTS = RNG.poisson(np.exp(0.3 + 0.8 * X[:, 0]))
CLASSES = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
GRID = {"alpha": [1e-3, 0.1, 1.0]}
SEARCH = GridSearchCV(PoissonRegressor(), GRID, cv=5)


class OwnScore(DecisionTreeClassifier):
    def score(self, X, y, sample_weight=None):
        return float((y == self.predict(X)).sum())


class Inherits(KNeighborsClassifier):
    pass


def assigned():
    model = DecisionTreeClassifier()
    model.score = lambda X, y: 1.0
    return model


NAMED = {
    "a tree": (DecisionTreeClassifier(), "accuracy"),
    "neighbours": (KNeighborsClassifier(), "accuracy"),
    "a class of neighbours": (Inherits(), "accuracy"),
    "a dummy": (DummyClassifier(), "accuracy"),
    "a pipeline": (make_pipeline(StandardScaler(), LogisticRegression()), "accuracy"),
    "feature elimination": (RFE(LogisticRegression(), n_features_to_select=1), "accuracy"),
    "self-training": (SelfTrainingClassifier(LogisticRegression()), "accuracy"),
    "a search": (GridSearchCV(LogisticRegression(), {"C": [1]}), "accuracy"),
    "a search by AUC": (
        GridSearchCV(LogisticRegression(), {"C": [1]}, scoring="roc_auc"),
        "roc_auc",
    ),
    "a search in a pipeline": (make_pipeline(GridSearchCV(Ridge(), GRID)), "r2"),
    "a fitted model": (FrozenEstimator(LogisticRegression().fit(X, CLASSES)), "accuracy"),
    "least squares": (LinearRegression(), "r2"),
    "neighbours of numbers": (KNeighborsRegressor(), "r2"),
    "a dummy of numbers": (DummyRegressor(), "r2"),
}
UNNAMED = {
    "D2": PoissonRegressor(),
    "in a pipeline": make_pipeline(StandardScaler(), PoissonRegressor()),
    "in a search": GridSearchCV(PoissonRegressor(), GRID),
    "inertia": KMeans(2),
    "a method of a class": OwnScore(),
    "in feature elimination": RFE(OwnScore()),
    "a function of an object": assigned(),
    "no step": make_pipeline("passthrough"),
}


@pytest.mark.parametrize("case", NAMED)
def test_the_score_is_the_metric_that_is_named(case):
    estimator, expected = NAMED[case]
    y = CLASSES if expected != "r2" else COUNTS
    assert own_score(estimator) == expected
    model = estimator.fit(X, y)
    assert model.score(X, y) == pytest.approx(get_scorer(expected)(model, X, y), abs=1e-12)


@pytest.mark.parametrize("case", UNNAMED)
def test_a_method_of_its_own_has_no_name(case):
    assert own_score(UNNAMED[case]) is None


def test_every_estimator_of_scikit_learn():
    """By the mixins' own functions, on what its `predict` gives."""

    class Class(ClassifierMixin, BaseEstimator):
        pass

    own = set()
    for kind, reference in (("classifier", accuracy_score), ("regressor", r2_score)):
        for name, cls in all_estimators(type_filter=kind):
            try:
                estimator = cls()
            except TypeError:  # of others
                continue
            if isinstance(estimator, SelfTrainingClassifier):  # has no estimator yet
                continue
            found = own_score(estimator)
            expected = {accuracy_score: "accuracy", r2_score: "r2"}[reference]
            assert found in (expected, None), name
            if found is None:
                own.add(name)
    assert own == {
        "GammaRegressor",
        "LogisticRegressionCV",
        "PoissonRegressor",
        "RANSACRegressor",
        "TweedieRegressor",
    }
    assert own_score(Class()) == "accuracy"
    assert issubclass(Ridge, RegressorMixin)


def test_a_search_is_corrected_under_the_word_score():
    """Not as r2: D2 of a Poisson model is another number."""
    search = SEARCH.fit(X, COUNTS)
    result = bbc.correct(search, random_state=1)
    assert result.metric == "score"
    assert result.apparent == pytest.approx(search.best_score_, rel=1e-12)
    assert result.winner == search.best_index_
    clusters = GridSearchCV(KMeans(n_init=2, random_state=0), {"n_clusters": [2, 3]}, cv=5).fit(X)
    assert bbc.correct(clusters, random_state=1).metric == "score"


@pytest.mark.parametrize("protocol", [bbc.BBC, bbc.BBCD, bbc.CVT, bbc.NCV, bbc.TT])
def test_protocols_ask_for_scoring_before_anything_is_trained(protocol, monkeypatch):
    def fit(*_):
        raise AssertionError("trained")

    monkeypatch.setattr(PoissonRegressor, "fit", fit)
    said = "scoring must be given: the score of PoissonRegressor is a method of its own, neither"
    with pytest.raises(ValueError, match=said):
        protocol(PoissonRegressor(), GRID, cv=5).fit(X, COUNTS)


def test_protocols_ask_for_scoring_of_different_estimators():
    learners = {"ridge": Ridge(), "search": GridSearchCV(Ridge(), GRID, scoring="max_error")}
    with pytest.raises(ValueError, match="own scores are different metrics"):
        bbc.CVT(learners, cv=5).fit(X, COUNTS)


def test_a_protocol_takes_the_scoring_of_a_search_within():
    inner = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring="roc_auc", cv=3)
    fitted = bbc.CVT(inner, {"estimator__l1_ratio": [0.0]}, cv=4, random_state=1).fit(X, CLASSES)
    assert fitted.performance_.metric == "roc_auc"


def test_kept_predictions_are_corrected_by_folds_under_the_word_score():
    """Nothing computes D2 from predictions; r2, which the caller may say, is another number."""
    kept = bbc.keep_predictions(SEARCH).fit(X, COUNTS)
    found = bbc.correct(kept, random_state=1)
    assert (found.metric, found.method, found.winner) == ("score", "bbc-f", kept.best_index_)
    assert found.apparent == pytest.approx(kept.best_score_, rel=1e-12)
    assert "folds are drawn, because 'score' was not computed" in found.notes[-1]
    with pytest.raises(ValueError, match=r"metric 'r2' of configuration 'alpha=0\.001'"):
        bbc.correct(kept, metric="r2", random_state=1)
    with pytest.raises(ValueError, match="block_length needs predictions that give 'score'"):
        bbc.correct(kept, block_length=2, random_state=1)
    other = bbc.correct(kept, metric="r2", reselect=True, random_state=1)
    assert (other.metric, other.method) == ("r2", "bbc")
    same = bbc.correct(kept.search_, random_state=1)
    assert same.replicates.tobytes() == found.replicates.tobytes()


def test_the_caller_may_say_what_an_own_score_is():
    class Named(DecisionTreeClassifier):
        def score(self, X, y, sample_weight=None):
            return float((y == self.predict(X)).mean())

    search = GridSearchCV(Named(random_state=0), {"max_depth": [1, 3]}, cv=5)
    kept = bbc.keep_predictions(search).fit(X, CLASSES)
    found = bbc.correct(kept, metric="accuracy", random_state=1)
    assert (found.metric, found.method, found.winner) == ("accuracy", "bbc", kept.best_index_)
    assert found.deployed.is_corrected
