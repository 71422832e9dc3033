"""What people bring to the protocols: taken in any form, or refused before a model is trained."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import bbc
from instrumented import Witness, numbered_data
from kinds import draws, of_folds

X, Y = numbered_data()
NAMES = np.array(["no", "yes"])[Y]
GROUPS = np.arange(len(X)) // 3
WEIGHT = np.random.default_rng(0).integers(1, 4, len(X))
PROTOCOLS = [bbc.BBC, bbc.BBCD, of_folds, bbc.baselines.CVMCV, bbc.CVT, bbc.NCV, bbc.TT]


def build(kind, estimator=None, grid=None, **options):
    options = {"cv": 4, "random_state": 1} | options
    if draws(kind):
        options = {"n_bootstraps": 60} | options
    return kind(
        DecisionTreeClassifier() if estimator is None else estimator,
        {"max_depth": [1, 3]} if grid is None else grid,
        **options,
    )


INDEX = np.arange(len(X)) + 7
INPUTS = {
    "lists": (X.tolist(), NAMES.tolist(), GROUPS.tolist(), WEIGHT.tolist()),
    "objects": (
        X.astype(object),
        NAMES.astype(object),
        np.char.zfill(GROUPS.astype(str), 2).astype(object),
        WEIGHT,
    ),
    "pandas": (
        pd.DataFrame(X, columns=["row", "x"], index=INDEX),
        pd.Series(NAMES, index=INDEX),
        pd.Series([f"patient {group:02}" for group in GROUPS], index=INDEX),
        pd.Series(WEIGHT, index=INDEX),
    ),
    "categorical": (
        pd.DataFrame(X, columns=["row", "x"]),
        pd.Series(pd.Categorical(NAMES)),
        pd.Series(pd.Categorical(GROUPS)),
        pd.Series(WEIGHT, dtype="Int64"),
    ),
    "polars": (
        pl.DataFrame(X, schema=["row", "x"]),
        pl.Series(NAMES),
        pl.Series(GROUPS),
        pl.Series(WEIGHT),
    ),
}


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize("form", INPUTS)
def test_any_container_is_the_same_run(kind, form):
    data, y, groups, weight = INPUTS[form]
    expected = build(kind).fit(X, NAMES, groups=GROUPS, sample_weight=WEIGHT)
    fitted = build(kind).fit(data, y, groups=groups, sample_weight=weight)
    assert fitted.performance_ == expected.performance_
    assert fitted.predict(data).tolist() == expected.predict(X).tolist()
    assert fitted.score(data, y) == expected.score(X, NAMES)


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize(
    ("labels", "scoring"), [(Y.astype(bool), "f1"), (np.where(Y, 2.0, 1.0), "roc_auc")]
)
def test_labels_of_any_kind(kind, labels, scoring):
    expected = build(kind, scoring=scoring).fit(X, Y)
    fitted = build(kind, scoring=scoring).fit(X, labels)
    assert fitted.performance_.estimate == expected.performance_.estimate
    assert (fitted.predict(X) == labels[1]).tolist() == (expected.predict(X) == 1).tolist()


def changed(array, row, value):
    array = np.asarray(array, dtype=object if value is None else None).copy()
    array[row] = value
    return array


REFUSED = [
    ({"y": changed(NAMES.astype(object), 3, None)}, ValueError, "y contains NaN: row 3"),
    ({"y": changed(NAMES.astype(object), 4, np.nan)}, ValueError, "y contains NaN: row 4"),
    ({"y": None}, ValueError, "requires y to be passed"),
    ({"y": NAMES[:-1]}, ValueError, "X has 60 rows, y has 59"),
    ({"y": np.column_stack([Y, Y])}, ValueError, "1d array"),
    ({"y": np.arange(60) % 3, "scoring": "roc_auc"}, ValueError, "y has 3 classes .* needs two"),
    ({"scoring": "neg_mean_squared_error"}, TypeError, "y must be numbers"),
    ({"y": np.zeros(60), "scoring": "f1"}, ValueError, "y has one class"),
    ({"groups": GROUPS[1:]}, ValueError, "groups has 59 entries, X has 60 rows"),
    ({"groups": changed(GROUPS * 1.0, 5, np.nan)}, ValueError, "groups is NaN at row 5"),
    ({"groups": changed(GROUPS.astype(str), 6, None)}, ValueError, "groups is missing at row 6"),
    ({"groups": np.zeros(60)}, ValueError, "groups has one group"),
    ({"sample_weight": WEIGHT[1:]}, ValueError, "sample_weight has 59 entries"),
    ({"sample_weight": changed(WEIGHT, 5, -1)}, ValueError, "sample_weight is negative at row 5"),
    ({"sample_weight": changed(WEIGHT * 1.0, 5, np.inf)}, ValueError, "is infinite at row 5"),
    ({"sample_weight": np.zeros(60)}, ValueError, "sample_weight is zero in every row"),
    ({"scoring": "acc"}, ValueError, "unknown name 'acc'; did you mean"),
    ({"grid": {"shifts": [0]}}, ValueError, "Invalid parameter 'shifts'"),
    ({"cv": 1}, ValueError, "cv=1: at least"),
]


def fits_before(error, message, call):
    """Number of models that were trained before an error."""

    def run():
        with pytest.raises(error, match=message):
            call()

    return Witness.count(run)[1]


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize(("change", "error", "message"), REFUSED)
def test_bad_input_is_refused_before_any_fit(kind, change, error, message, tmp_path):
    change = {"y": NAMES, "grid": {"shift": [0.0, 0.5]}} | change
    y, grid = change.pop("y"), change.pop("grid")
    metadata = {name: change.pop(name) for name in ("groups", "sample_weight") if name in change}
    search = build(kind, Witness(), grid, store=tmp_path / "run.bbc", **change)

    data = {"X": X, "y": y} | metadata
    assert fits_before(error, message, lambda: search.fit(**data)) == 0
    assert not (tmp_path / "run.bbc").exists()


class RegressorThatMustNotFit(RegressorMixin, BaseEstimator):
    """Ends the test where a model is trained."""

    def fit(self, X, y):
        raise AssertionError("was trained")


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_labels_of_a_regressor_are_refused_before_any_fit(kind):
    """Real numbers that happen to be whole, as in scikit-learn's diabetes data, are no labels."""
    search = kind(RegressorThatMustNotFit(), scoring="accuracy", cv=4)
    with pytest.raises(ValueError, match=r"^scoring: metric 'accuracy' .* is a regressor and y"):
        search.fit(X, np.round(100 * X[:, 0]))


def test_dropping_by_a_python_function_is_refused_before_any_fit():
    search = build(bbc.BBCD, Witness(), {"shift": [0.0, 0.5]}, scoring=lambda y, p: np.mean(y == p))
    assert fits_before(ValueError, "BBCD drops by metrics", lambda: search.fit(X, Y)) == 0


def test_dropping_waits_for_a_second_group():
    halves = np.arange(len(X)) % 4 // 2
    search = build(bbc.BBCD, cv=2, min_predictions=10)
    with pytest.warns(bbc.errors.BBCWarning, match="BBC006"):
        fitted = search.fit(X, Y, groups=halves)
    assert fitted.dropping_history_ == []


class Short(DecisionTreeClassifier):
    """Leaves out rows of its predictions."""

    def __init__(self, n_given=None, max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.n_given = n_given

    def predict(self, X):
        return super().predict(X)[: self.n_given]

    def predict_proba(self, X):
        return super().predict_proba(X)[: self.n_given]


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc"])
@pytest.mark.parametrize("n_given", [1, -1])
def test_predictions_of_fewer_rows_are_a_failure(kind, scoring, n_given):
    search = build(kind, Short(), {"n_given": [None, n_given]}, scoring=scoring)
    with pytest.warns(FitFailedWarning, match=r"n_given=-?1.* gave \d+ predictions for \d+ rows"):
        fitted = search.fit(X, Y)
    assert fitted.best_index_ == 0


class Erratic(Ridge):
    def predict(self, X):
        values = super().predict(X)
        values[0] = np.inf if self.alpha > 1 else values[0]
        return values


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_infinite_predictions_are_a_failure(kind):
    search = build(kind, Erratic(), {"alpha": [0.1, 9.0]}, scoring="neg_mean_squared_error")
    with pytest.warns(FitFailedWarning, match="'alpha=9'.*NaN or infinity"):
        assert search.fit(X, X[:, 1]).best_index_ == 0


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_learner_cannot_change_the_data(kind):
    class Vandal(LinearRegression):
        def fit(self, X, y):
            super().fit(X.copy(), y.copy())
            X[:], y[:] = 0, 0
            return self

    data, y = X.copy(), X[:, 1].copy()
    fitted = build(kind, Vandal(), {"positive": [False]}, scoring="r2", refit=False).fit(data, y)
    assert (data == X).all()
    assert fitted.performance_.estimate == pytest.approx(1.0)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_clone_pickle_and_parameters(kind):
    search = build(kind, KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}).fit(X, Y)
    copied = pickle.loads(pickle.dumps(search))
    assert copied.performance_ == search.performance_
    assert copied.predict_proba(X).tobytes() == search.predict_proba(X).tobytes()
    other = clone(search).set_params(cv=5, estimator__p=1, n_jobs=-1)
    assert not hasattr(other, "performance_")
    assert other.fit(X, Y).best_estimator_.p == 1
    assert search.fit(X, Y).performance_ == copied.performance_
    assert search.set_params(random_state=2).fit(X, Y).seed_ == 2


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_inside_other_tools(kind):
    search = build(kind, KNeighborsClassifier(), {"n_neighbors": [1, 5]})
    pipeline = make_pipeline(StandardScaler(), search).fit(X, Y)
    assert pipeline[-1].performance_.n_rows == len(X)
    assert pipeline.predict(X).shape == Y.shape
    scores = cross_val_score(search, X, Y, cv=2, scoring="roc_auc")
    assert np.isfinite(scores).all()


# CVM-CV needs folds that can be drawn anew.
@pytest.mark.parametrize("kind", [kind for kind in PROTOCOLS if kind is not bbc.baselines.CVMCV])
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_models_that_never_saw_a_class(kind, pooling):
    """Sorted classes in unshuffled folds: each model lacks the class that it is tested on."""
    order = np.argsort(np.arange(60) % 3, kind="stable")
    y = (np.arange(60) % 3)[order]
    folds = [(np.setdiff1d(np.arange(60), test), test) for test in np.array_split(np.arange(60), 4)]
    takes = kind is not of_folds and "pooling" in build(kind).get_params()
    options = {"pooling": pooling} if takes else {}
    fitted = build(kind, cv=folds, scoring="log_loss", **options).fit(X[order], y)
    assert 1 < fitted.performance_.estimate < np.inf
    assert fitted.oos_predictions_.values.shape[-1] == 3


@pytest.mark.parametrize("kind", [of_folds, bbc.NCV, bbc.TT])
def test_means_over_folds_need_equal_repeats(kind):
    cv = [*KFold(4).split(X), *KFold(3, shuffle=True, random_state=0).split(X)]
    search = build(kind, Witness(), {"shift": [0.0, 0.5]}, cv=cv)
    message = "cv: repeat 1 has 3 folds, repeat 0 has 4"
    assert fits_before(ValueError, message, lambda: search.fit(X, Y)) == 0
