"""Learners whose predictions are none: a failed fit that says why, not a number; and loud ones."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc
from instrumented import numbered_data

X, Y = numbered_data()
THREE = np.arange(60) % 3
REAL = X[:, 1]


class Spoils:
    """Changes what a method gives, or the classes of the model."""

    def predict(self, X):
        return self._changed("predict", super().predict(X))

    def _changed(self, method, given):
        return given if self.spoil is None or self.spoil[0] != method else self.spoil[1](given)


class SpoiltClassifier(Spoils, DecisionTreeClassifier):
    def __init__(self, spoil=None, random_state=None):
        super().__init__(random_state=random_state)
        self.spoil = spoil

    def predict_proba(self, X):
        return self._changed("predict_proba", super().predict_proba(X))

    def fit(self, X, y):
        super().fit(X, y)
        self.classes_ = self._changed("classes_", self.classes_)
        return self


class SpoiltRegressor(Spoils, DecisionTreeRegressor):
    def __init__(self, spoil=None, random_state=None):
        super().__init__(random_state=random_state)
        self.spoil = spoil


def masked(given):
    return np.ma.masked_array(given, mask=np.zeros(np.shape(given)))


def with_nan(given):
    changed = np.array(given, dtype=float)
    changed[0] = np.nan
    return changed


# What any method may give that is no array with one row per row.
NO_ROWS = {
    "rows folded": (lambda given: np.reshape(given, (3, -1)), "gave 3 predictions for 15 rows"),
    "rows across": (lambda given: np.reshape(given, (1, -1)), "gave 1 predictions for 15 rows"),
    "rows lost": (lambda given: given[1:], "gave 14 predictions for 15 rows"),
    "nothing": (lambda given: None, "must be an array, got NoneType"),
    "a number": (lambda given: 1.0, r"gave an array of shape \(\)"),
    "an axis more": (lambda given: np.reshape(given, (15, 1, -1)), r"of shape \(15, 1, \d\)"),
    "ragged": (lambda given: [[1], *[[1, 2]] * 14], "rows of different lengths"),
    "masked": (masked, "masked array"),
    "sparse": (lambda given: scipy.sparse.csr_matrix(given), "is sparse|of shape|predictions for"),
    "complex": (lambda given: given + 1j, "complex numbers"),
    "dates": (lambda given: given.astype("datetime64[D]"), "dates or times"),
}
LABELS = NO_ROWS | {
    "never seen": (lambda labels: labels + 5, "gave the label .*[56].*, which y does not have"),
    "between": (lambda labels: labels + 0.5, "gave the label .*5.*, which y does not have"),
    "NaN": (with_nan, "gave the label .*nan.*, which y does not have"),
    "None": (lambda labels: np.array([None] * len(labels)), "gave the label None"),
    "strings": (lambda labels: labels.astype(str), "gave the label .*'[01]'.*, which y does not"),
    "one-hot": (lambda labels: np.eye(2)[labels], "gave 2 columns; one is needed"),
}
NUMBERS = {
    "NaN": (with_nan, "gave NaN or infinity"),
    "strings": (lambda given: given.astype(str), "not numbers"),
}
REALS = NO_ROWS | NUMBERS | {"two": (lambda given: np.stack([given, given], 1), "gave 2 columns")}
COLUMNS = {
    "one too few": (lambda given: given[:, 1:], r"gave \d columns for \d classes"),
    "one too many": (lambda given: np.column_stack([given, given[:, 0]]), "columns for"),
    "one alone": (lambda given: given[:, 0], "gave 1 columns for"),
}
PROBABILITIES = {
    "halved": (lambda given: given / 2, r"gave \[.*\] for row 0 of the fold: probabilities are"),
    "negative": (lambda given: 1.5 * given - 0.5 / given.shape[1], "not negative and sum to 1"),
}
CLASSES = {
    "unseen": (lambda classes: classes + 7, "classes_ have .*, which y does not have"),
    "between": (lambda classes: classes - 0.5, "classes_ have .*, which y does not have"),
    "strings": (lambda classes: classes.astype(str), "classes_ have .*, which y does not have"),
    "twice": (lambda classes: 0 * classes, "a class twice"),
    "none": (lambda classes: None, "classes_ of the model must be an array"),
}
CASES = [
    pytest.param(kind(), y, scoring, (method, change), message, id=f"{scoring} {method} {name}")
    for kind, y, scoring, method, defects in [
        (SpoiltClassifier, Y, "accuracy", "predict", LABELS),
        (SpoiltRegressor, REAL, "r2", "predict", REALS),
        (SpoiltClassifier, Y, "roc_auc", "predict_proba", NO_ROWS | NUMBERS | COLUMNS),
        (SpoiltClassifier, Y, "roc_auc", "classes_", CLASSES),
        (SpoiltClassifier, Y, "log_loss", "predict_proba", PROBABILITIES | COLUMNS),
        (SpoiltClassifier, THREE, "log_loss", "predict_proba", PROBABILITIES | COLUMNS | NUMBERS),
        (SpoiltClassifier, THREE, "log_loss", "classes_", CLASSES),
    ]
    for name, (change, message) in defects.items()
]


def search(learner, scoring, spoils, **options):
    options = {"cv": 4, "n_bootstraps": 50, "random_state": 0} | options
    return bbc.BBC(learner, {"spoil": spoils}, scoring=scoring, **options)


@pytest.mark.parametrize(("learner", "y", "scoring", "spoil", "message"), CASES)
def test_what_is_no_prediction_is_a_failed_fit(learner, y, scoring, spoil, message):
    with pytest.warns(FitFailedWarning, match=f"4 fits.*{message}"):
        fitted = search(learner, scoring, [None, spoil]).fit(X, y)
    alone = search(learner, scoring, [None]).fit(X, y)
    assert fitted.best_index_ == 0
    assert fitted.performance_.estimate == alone.performance_.estimate
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        search(learner, scoring, [spoil], error_score="raise").fit(X, y)
    assert "repeat 0, fold 0" in caught.value.__notes__[0]
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.baselines.resampling_error(
            learner.set_params(spoil=spoil), X, y, method="cv", n_folds=4, metric=scoring
        )


def test_other_ways_to_give_the_same_are_taken():
    learner = SpoiltClassifier(random_state=0)  # its own seed would depend on `spoil`
    expected = search(learner, "accuracy", [None]).fit(X, Y).performance_
    for change in (lambda one: one[:, None], list, lambda one: one.astype(bool)):
        fitted = search(learner, "accuracy", [("predict", change)]).fit(X, Y)
        assert fitted.performance_.estimate == expected.estimate
    for change in (list, lambda one: one.astype(object), lambda one: one.astype(np.float32)):
        fitted = search(SpoiltClassifier(), "roc_auc", [("predict_proba", change)]).fit(X, Y)
        assert fitted.oos_predictions_.scores.dtype == np.float64


def test_probabilities_of_single_precision_are_probabilities():
    class Narrow(LogisticRegression):
        def predict_proba(self, X):
            return super().predict_proba(X).astype(np.float32)

    found = [
        bbc.BBC(learner(max_iter=500), {"C": [0.1, 1]}, scoring="log_loss", cv=3, random_state=0)
        .fit(*load_iris(return_X_y=True))
        .performance_.estimate
        for learner in (Narrow, LogisticRegression)
    ]
    assert found[0] == pytest.approx(found[1], rel=1e-6)


LOUD = """
import sys
import bbc
from sklearn.tree import DecisionTreeClassifier

class Loud(DecisionTreeClassifier):
    def fit(self, X, y):
        for stream in (sys.stdout, sys.stderr):
            stream.write(("o" * 99 + "\\n") * 10_000)
        return super().fit(X, y)

X, y = [[i % 7, i % 5] for i in range(40)], [i % 2 for i in range(40)]
options = {"cv": 4, "n_bootstraps": 50, "random_state": 0}
for n_jobs in (1, 2):
    loud, quiet = (
        bbc.BBC(learner, {"max_depth": [1, 2]}, n_jobs=n_jobs, **options).fit(X, y).performance_
        for learner in (Loud(), DecisionTreeClassifier())
    )
    assert loud == quiet
"""


def test_learners_that_print_megabytes_change_nothing():
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOUD], capture_output=True, check=True
    )
    for said in (ended.stdout, ended.stderr):
        assert len(said) > 2 * 9 * 900_000
        assert set(said) == set(b"o\n")
