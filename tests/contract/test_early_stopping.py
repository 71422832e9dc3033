"""Rows that decide when training stops: told where they are held out, split where they are not."""

import warnings

import numpy as np
import optuna
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import bbc
from bbc.errors import BBCWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.arange(60) % 2
OTHER = RNG.normal(size=(12, 3))


class Booster(ClassifierMixin, BaseEstimator):
    """It learns a share of the first class, and remembers what it was shown."""

    def __init__(self, max_depth=1):
        self.max_depth = max_depth

    def fit(self, X, y, eval_set=None, X_val=None, verbose=True):
        self.classes_ = np.unique(y)
        self.seen_ = X
        self.evaluated_ = None if eval_set is None else eval_set[0][0]
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)

    def predict(self, X):
        return np.zeros(len(X), int)


DOORS = [
    bbc.CVT(Booster(), {"max_depth": [1, 2]}, cv=3),
    bbc.keep_predictions(GridSearchCV(Booster(), {"max_depth": [1, 2]}, cv=3)),
]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("inputs", "given", "n"),
    [
        (X, {"eval_set": [(X, Y)]}, 60),
        (X, {"eval_set": [(OTHER, Y[:12]), (X[5:9], Y[5:9])]}, 4),
        (X, {"eval_set": (X[:7], Y[:7])}, 7),
        (X, {"X_val": X[:9]}, 9),
        (pd.DataFrame(X).astype(str), {"X_val": pd.DataFrame(X).astype(str)[50:]}, 10),
    ],
)
def test_held_out_rows_that_stop_training_are_told(door, inputs, given, n):
    with pytest.warns(BBCWarning, match=f"^{n} of {n} rows of {next(iter(given))} are rows of X"):
        door.fit(inputs, Y, **given)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "given", [{"eval_set": [(OTHER, Y[:12])]}, {"eval_set": None}, {"X_val": OTHER}, {}]
)
def test_other_rows_may_stop_training(door, given):
    with warnings.catch_warnings():
        warnings.simplefilter("error", BBCWarning)
        door.fit(X, Y, **given)


class Stopped(ClassifierMixin, BaseEstimator):
    """Remembers what it is told of the rows to stop by; subclasses have a library's arguments."""

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)

    def predict(self, X):
        return np.zeros(len(X), int)

    def _kept(self, X, y, stop, weights=(None, None)):
        if stop is None:
            raise ValueError("For early stopping, at least one dataset is required")
        self.classes_ = np.unique(y)
        self.seen_, self.y_, self.stop_, self.weights_ = X, y, stop, weights
        return self


class LikeXGBoost(Stopped):
    def __init__(self, max_depth=1, early_stopping_rounds=None):
        self.max_depth, self.early_stopping_rounds = max_depth, early_stopping_rounds

    def fit(
        self, X, y, *, sample_weight=None, eval_set=None, verbose=True, sample_weight_eval_set=None
    ):
        self.rounds_ = self.early_stopping_rounds
        weights = (sample_weight, sample_weight_eval_set and sample_weight_eval_set[0])
        return self._kept(X, y, eval_set and eval_set[0], weights)


class LikeLightGBM(Stopped):
    def __init__(self, max_depth=1, early_stopping_round=None):
        self.max_depth, self.early_stopping_round = max_depth, early_stopping_round

    def fit(self, X, y, sample_weight=None, eval_set=None, eval_sample_weight=None, callbacks=None):
        self.rounds_ = self.early_stopping_round
        weights = (sample_weight, eval_sample_weight and eval_sample_weight[0])
        return self._kept(X, y, eval_set and eval_set[0], weights)


class LikeNewLightGBM(LikeLightGBM):
    def fit(
        self,
        X,
        y,
        sample_weight=None,
        eval_set=None,
        eval_sample_weight=None,
        eval_X=None,
        eval_y=None,
        callbacks=None,
    ):
        self.rounds_ = self.early_stopping_round
        weights = (sample_weight, eval_sample_weight and eval_sample_weight[0])
        return self._kept(X, y, (eval_X, eval_y), weights)


class LikeCatBoost(Stopped):
    def __init__(self, max_depth=1):
        self.max_depth = max_depth

    def fit(
        self,
        X,
        y=None,
        sample_weight=None,
        eval_set=None,
        verbose=None,
        early_stopping_rounds=None,
        callbacks=None,
    ):
        self.rounds_ = early_stopping_rounds
        return self._kept(X, y, eval_set, (sample_weight, None))


LIBRARIES = [LikeXGBoost, LikeLightGBM, LikeNewLightGBM, LikeCatBoost]
EVERY = [*LIBRARIES, HistGradientBoostingClassifier]
GROUPS = np.arange(60) // 4


@pytest.mark.parametrize("kind", LIBRARIES)
def test_rows_are_split_as_each_library_takes_them(kind):
    stopped = bbc.EarlyStopping(kind(), 0.2, n_iter_no_change=7, random_state=0).fit(X, Y)
    model = stopped.estimator_
    assert model.rounds_ == 7
    assert len(model.stop_[0]) == 12
    assert np.bincount(model.stop_[1]).tolist() == [6, 6]
    rows = np.vstack([model.seen_, model.stop_[0]])
    assert sorted(rows[:, 0]) == sorted(X[:, 0])
    again = clone(stopped).fit(X, Y).estimator_
    assert np.array_equal(again.stop_[0], model.stop_[0])
    assert not hasattr(stopped.estimator, "stop_")
    other = clone(stopped).set_params(random_state=1).fit(X, Y).estimator_
    assert not np.array_equal(other.stop_[0], model.stop_[0])


@pytest.mark.parametrize("kind", LIBRARIES)
def test_groups_are_on_one_side(kind):
    grouped = (GROUPS % 2).astype(int)
    model = (
        bbc.EarlyStopping(kind(), 0.25, random_state=0).fit(X, grouped, groups=GROUPS).estimator_
    )
    of_row = dict(zip(X[:, 0], GROUPS, strict=True))
    train, stop = ({of_row[x] for x in part[:, 0]} for part in (model.seen_, model.stop_[0]))
    assert train | stop == set(GROUPS.tolist())
    assert not train & stop


@pytest.mark.parametrize("kind", LIBRARIES[:3])
def test_weights_follow_their_rows(kind):
    weight = np.arange(60) + 1.0
    stopped = bbc.EarlyStopping(kind(), random_state=0).fit(X, Y, sample_weight=weight)
    of_row = dict(zip(X[:, 0], weight, strict=True))
    model = stopped.estimator_
    for part, own in zip((model.seen_, model.stop_[0]), model.weights_, strict=True):
        assert [of_row[x] for x in part[:, 0]] == own.tolist()


def test_what_is_no_booster_is_refused():
    with pytest.raises(TypeError, match="LogisticRegression has no early stopping"):
        bbc.EarlyStopping(LogisticRegression()).fit(X, Y)
    with pytest.raises(ValueError, match="not taken for the rows to stop by"):
        bbc.EarlyStopping(LikeCatBoost()).fit(X, Y, sample_weight=np.ones(60))
    for share in (0, 1, 1.5, -0.1):
        with pytest.raises(ValueError, match="validation_fraction"):
            bbc.EarlyStopping(LikeXGBoost(), share).fit(X, Y)
    with pytest.raises(ValueError, match="n_iter_no_change"):
        bbc.EarlyStopping(LikeXGBoost(), n_iter_no_change=0).fit(X, Y)
    with pytest.raises(NotFittedError):
        bbc.EarlyStopping(HistGradientBoostingClassifier()).predict(X)


def test_a_real_booster_stops():
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(300, 3))
    boosting = HistGradientBoostingClassifier(max_iter=400, random_state=0)
    classes = (inputs[:, 0] + rng.normal(size=300) > 0).astype(int)
    stopped = bbc.EarlyStopping(boosting, 0.2, random_state=0).fit(inputs, classes)
    assert stopped.estimator_.n_iter_ < 400
    assert np.array_equal(stopped.predict(inputs), stopped.estimator_.predict(inputs))
    assert stopped.score(inputs, classes) == stopped.estimator_.score(inputs, classes)
    regression = bbc.EarlyStopping(HistGradientBoostingRegressor(max_iter=400), random_state=0)
    assert regression.fit(inputs, inputs[:, 0], groups=np.arange(300) // 5).predict(inputs).shape
    assert is_classifier(stopped)
    assert is_regressor(regression)
    assert not hasattr(regression, "predict_proba")


@pytest.mark.parametrize("kind", [HistGradientBoostingClassifier, HistGradientBoostingRegressor])
def test_scikit_learn_checks_it(kind):
    stopped = bbc.EarlyStopping(kind(max_iter=50), random_state=0)
    drawn = "a row of weight two is not split as two rows are"
    known = {
        f"check_sample_weight_equivalence_on_{form}_data": drawn for form in ("dense", "sparse")
    }
    check_estimator(stopped, expected_failed_checks=known, on_skip=None)


@pytest.mark.parametrize("kind", EVERY)
def test_no_held_out_row_is_seen_by_a_search(kind):
    folds = list(StratifiedKFold(3).split(X, Y))
    seen = []

    class Watched(bbc.EarlyStopping):
        def fit(self, X, y, **given):
            seen.append(set(X[:, 0]))
            return super().fit(X, y, **given)

    stopped = make_pipeline(StandardScaler(with_mean=False, with_std=False), Watched(kind()))
    search = bbc.BBC(
        stopped, {"watched__validation_fraction": [0.1, 0.3]}, cv=folds, random_state=1
    )
    search.fit(X, Y)
    held_out = [set(X[test, 0]) for _, test in folds]
    assert len(seen) == 7
    assert all(any(not rows & test for test in held_out) for rows in seen[:-1])
    assert search.predict_proba(X).shape == (60, 2)


STOPPING = [LikeXGBoost(early_stopping_rounds=5), LikeLightGBM(early_stopping_round=5)]


def _by_optuna(model):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    objective = bbc.adapters.OptunaObjective(lambda trial: model, X, Y, cv=3)
    optuna.create_study(direction="maximize").optimize(objective, n_trials=1)


@pytest.mark.parametrize("model", STOPPING)
@pytest.mark.parametrize(
    "fit",
    [
        _by_optuna,
        lambda model: _by_optuna(make_pipeline(StandardScaler(), model)),
        lambda model: bbc.BBC(model, {"max_depth": [1, 2]}, cv=3).fit(X, Y),
        lambda model: bbc.NCV(model, {"max_depth": [1, 2]}, cv=3).fit(X, Y),
        lambda model: bbc.TT({"a": model}, {"a": {"max_depth": [1, 2]}}, cv=3).fit(X, Y),
        lambda model: bbc.keep_predictions(GridSearchCV(model, {"max_depth": [1]}, cv=3)).fit(X, Y),
    ],
)
def test_stopping_by_the_held_out_fold_is_refused(model, fit):
    with pytest.raises(ValueError, match=r"rounds?=5 needs rows to stop by.*bbc\.EarlyStopping"):
        fit(model)


@pytest.mark.parametrize("model", STOPPING)
def test_the_wrapper_that_is_named_works_there(model):
    _by_optuna(bbc.EarlyStopping(model))
    stopped = bbc.EarlyStopping(model)
    search = bbc.BBC(stopped, {"estimator__max_depth": [1, 2]}, cv=3, random_state=1).fit(X, Y)
    assert search.best_estimator_.estimator_.rounds_ == 5
    kept = GridSearchCV(stopped, {"estimator__max_depth": [1, 2]}, cv=3)
    assert bbc.keep_predictions(kept).fit(X, Y).oos_predictions_.n_configurations == 2


def test_rows_of_the_caller_may_stop():
    search = bbc.BBC(STOPPING[0], {"max_depth": [1, 2]}, cv=3, random_state=1)
    search.fit(X, Y, eval_set=[(OTHER, Y[:12])])
    assert np.array_equal(search.best_estimator_.stop_[0], OTHER)
