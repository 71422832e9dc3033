"""A remark where neighbouring rows err alike, though nobody said that they have an order."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc._validation import Data, problem
from bbc.results._neighbours import correlation_of_neighbours

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
FEW = {"n_bootstraps": 100, "random_state": 1}


def remembering(n_rows, memory, rng):
    errors = rng.normal(size=n_rows)
    for row in range(1, n_rows):
        errors[row] = memory * errors[row - 1] + np.sqrt(1 - memory**2) * errors[row]
    return errors


def correlation(y, column, metric):
    return correlation_of_neighbours(problem(Data(y, column[:, None]), bbc.metrics.get(metric)), 0)


def remarked(e):
    return any("neighbouring rows err alike" in note for note in e.notes)


@pytest.mark.parametrize("metric", ["r2", "mean_absolute_error", "roc_auc", "accuracy"])
def test_a_series_that_was_not_declared_is_remarked(metric):
    rng = np.random.default_rng(0)
    y, errors = rng.normal(size=1000), remembering(1000, 0.9, rng)
    predictions = y[:, None] + 1.5 * errors[:, None] + 0.1 * rng.normal(size=(1000, 3))
    truth = y > 0 if metric in ("roc_auc", "accuracy") else y
    if metric == "accuracy":
        predictions = predictions > 0
    options = {"metric": metric} | FEW
    assert remarked(bbc.correct(truth, predictions, **options))
    for declared in ({"block_length": 20}, {"groups": np.arange(1000) // 20}):
        assert not remarked(bbc.correct(truth, predictions, **options, **declared))
    mixed = rng.permutation(1000)
    assert not remarked(bbc.correct(truth[mixed], predictions[mixed], **options))


@pytest.mark.parametrize("n_rows", [100, 400])
def test_false_alarms_are_rare(n_rows):
    """None in 400 tables of each kind: with 95 % certainty, fewer than 1 in 130."""
    rng = np.random.default_rng(n_rows)
    for _ in range(400):
        y = np.sort(rng.normal(size=n_rows))
        bent = np.where(y > 0, 2 * y, 0.1 * y**3)  # errors that depend on the truth
        classes = (y > 0).astype(int)  # sorted by class
        for noise in (0.5 * rng.normal(size=n_rows), 0.3 * rng.standard_t(1.5, size=n_rows)):
            assert correlation(y, bent + noise, "r2") is None
        assert correlation(classes, classes + rng.normal(size=n_rows), "roc_auc") is None
        input_ = np.sort(rng.normal(size=n_rows))  # sorted by an input that predicts
        assert correlation(input_ + rng.normal(size=n_rows), input_, "r2") is None


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_tables_sorted_by_class_are_not_remarked(load):
    X, y = load(return_X_y=True)
    order = np.argsort(y, kind="stable")
    models = [KNeighborsClassifier(k) for k in (1, 5, 15)]
    predicted = [cross_val_predict(model, X[order], y[order], cv=5) for model in models]
    e = bbc.correct(y[order], np.column_stack(predicted), metric="accuracy", **FEW)
    assert not remarked(e)


@pytest.mark.parametrize("by", ["truth", "age", "body mass"])
def test_sorted_tables_of_patients_are_not_remarked(by):
    X, y = load_diabetes(return_X_y=True)
    order = np.argsort({"truth": y, "age": X[:, 0], "body mass": X[:, 2]}[by])
    for cv in (5, KFold(5, shuffle=True, random_state=0)):
        predicted = [
            cross_val_predict(Ridge(alpha), X[order], y[order], cv=cv) for alpha in (0.1, 1, 100)
        ]
        assert not remarked(bbc.correct(y[order], np.column_stack(predicted), metric="r2", **FEW))
