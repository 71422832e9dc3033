"""Rows that decide when training stops: told where they are held out, split where they are not."""

import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, KFold, train_test_split

import bbc
from bbc.errors import BBCWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.arange(60) % 2
OTHER = RNG.normal(size=(12, 3))
PAGE = Path(__file__).parents[2] / "docs" / "howto_boosting.md"


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


def test_the_documented_learner_stops_on_training_rows_of_each_fold():
    code = re.search(r"(class StoppedXGB.*?)\n\n\n", PAGE.read_text("utf-8"), re.S)[1]
    names = {"XGBClassifier": Booster, "train_test_split": train_test_split}
    exec(code, names)
    stopped = names["StoppedXGB"]()
    folds = list(KFold(4).split(X))
    for train, test in folds:
        booster = stopped.fit(X[train], Y[train])
        rows = np.vstack([booster.seen_, booster.evaluated_])
        assert sorted(rows[:, 0]) == sorted(X[train, 0])
        assert len(booster.evaluated_) == pytest.approx(0.25 * len(train), abs=1)
        assert not set(X[test, 0]) & set(rows[:, 0])
    search = bbc.BBC(stopped, {"max_depth": [1, 2]}, cv=folds, random_state=1).fit(X, Y)
    assert search.best_params_ == {"max_depth": 1}
    assert search.predict_proba(X).shape == (60, 2)
