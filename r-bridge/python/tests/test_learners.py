"""R learners in Python protocols."""

import pickle
import threading

import bbc_r
import numpy as np
import pandas as pd
import pytest
from bbc_r import _session
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import bbc

TWO = "droplevels(iris[iris$Species != 'setosa', ])"
CONSTANT = "function(model, newx) rep(model, nrow(newx))"


@pytest.fixture(scope="module")
def two():
    return bbc_r.data(TWO, target="Species")


def search(data, **options):
    learners = {
        "forest": bbc_r.ranger(data, **{"num.trees": 20}),
        "net": bbc_r.glmnet(data),
        "python": make_pipeline(data.matrix(), LogisticRegression()),
    }
    grids = {"forest": {"mtry": [1, 3]}, "net": {"lambda": [0.01, 0.1]}}
    return bbc.BBC(learners, grids, scoring="roc_auc", cv=3, random_state=1, **options)


def test_results_do_not_depend_on_n_jobs(two):
    one = search(two).fit(two.rows, two.y)
    both = search(two, n_jobs=2).fit(two.rows, two.y)
    assert one.performance_ == both.performance_
    np.testing.assert_array_equal(one.oos_predictions_.values, both.oos_predictions_.values)
    assert one.performance_.apparent > 0.9


@pytest.mark.parametrize("make", ["glm", "ranger", "random_forest", "svm"])
def test_ready_learners_give_probabilities_of_the_right_class(two, make):
    model = getattr(bbc_r, make)(two, random_state=1).fit(two.rows[::2], two.y[::2])
    rows = two.rows[1::2]
    assert list(model.classes_) == ["versicolor", "virginica"]
    np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1)
    assert np.mean(model.predict(rows) == two.y[1::2]) > 0.8


def test_caret_learners_and_regression():
    data = bbc_r.data("iris[1:4]", target="Sepal.Length")
    model = bbc_r.caret("knn", data, k=5).fit(data.rows, data.y)
    assert not is_classifier(model)
    assert np.corrcoef(model.predict(data.rows), data.y)[0, 1] > 0.9


@pytest.mark.parametrize("labels", [[9, 10], ["B", "a"], [1.0, 2.0], [False, True]])
def test_the_probability_is_that_of_the_second_class_however_r_sorts_texts(labels):
    y = np.array(labels)[np.arange(60) % 2]
    X = np.random.default_rng(0).normal(size=(60, 1)) + 3 * (np.arange(60) % 2)[:, None]
    model = bbc_r.glm().fit(X, y)
    assert list(model.classes_) == labels
    assert np.mean(model.predict(X) == y) > 0.8
    assert model.predict_proba([[9.0]])[0, 1] > 0.9


def test_levels_without_rows_are_no_classes():
    data = bbc_r.data("iris[51:150, ]", target="Species")
    model = bbc_r.glm(data).fit(data.rows, data.y)
    assert np.mean(model.predict(data.rows) == data.y) > 0.8


def test_texts_are_classes_and_data_tables_are_data_frames():
    code = "data.table::data.table(a = c(1:9, 0, 11:20), y = rep(c('low', 'High'), each = 10))"
    data = bbc_r.data(code, target="y")
    model = bbc_r.glm(data).fit(data.rows, data.y)
    assert np.mean(model.predict(data.rows) == data.y) > 0.8
    assert data.matrix().transform(data.rows).shape == (20, 1)


def test_errors_and_warnings_are_pythons(two):
    bad = bbc_r.RLearner("function(x, y) stop('no luck')", CONSTANT, data=two)
    protocol = bbc.CVT(bad, scoring="accuracy", cv=3, error_score="raise", random_state=1)
    with pytest.raises(bbc_r.RError, match="no luck") as caught:
        protocol.fit(two.rows, two.y)
    assert caught.value.__notes__ == ["while configuration 'RLearner', repeat 0, fold 0 was fitted"]
    loud = bbc_r.RLearner("function(x, y) { warning('careful'); 0.5 }", CONSTANT, data=two)
    with pytest.warns(bbc_r.RWarning, match="careful"):
        loud.fit(two.rows, two.y)


def test_factors_and_missing_values_stay_in_r():
    code = "data.frame(a = factor(c('u', NA, 'v', 'u')), n = c(1L, NA, 3L, 4L), y = 1:4)"
    data = bbc_r.data(code, target="y")
    fit = "function(x, y) sum(is.na(x$a)) + 10 * sum(is.na(x$n)) + 100 * nlevels(x$a)"
    model = bbc_r.RLearner(fit, CONSTANT, data=data).fit(data.rows, data.y)
    assert model.predict(data.rows).tolist() == [211.0] * 4
    assert np.isnan(data._numeric).any()


def test_seeds_are_those_of_the_fit_and_leave_the_users_generator(two):
    noisy = bbc_r.RLearner("function(x, y) runif(1)", CONSTANT, data=two, random_state=3)
    first = noisy.fit(two.rows, two.y).predict_proba(two.rows[:1])
    bbc_r.RLearner("function(x, y) { runif(9); 0.5 }", CONSTANT, data=two).fit(two.rows, two.y)
    np.testing.assert_array_equal(
        first, clone(noisy).fit(two.rows, two.y).predict_proba(two.rows[:1])
    )


def test_a_configuration_has_one_seed_in_all_folds_and_the_final_model(two):
    noisy = bbc_r.RLearner("function(x, y, cost) runif(1)", CONSTANT, data=two)
    grid = {"cost": [0.1, 1.0]}
    fitted = bbc.CVT(noisy, grid, cv=3, random_state=1, scoring="roc_auc").fit(two.rows, two.y)
    drawn = fitted.oos_predictions_.values[0]
    assert len(np.unique(drawn[:, 0])) == len(np.unique(drawn[:, 1])) == 1
    assert drawn[0, 0] != drawn[0, 1]
    final = fitted.best_estimator_.predict_proba(two.rows[:1])[0, 1]
    assert final == drawn[0, fitted.best_index_]


def test_models_travel_as_r_objects(two):
    model = bbc_r.glm(two).fit(two.rows, two.y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(two.rows), model.predict_proba(two.rows))
    assert "glm" in repr(model.model_)


def test_matrices_keep_their_layout():
    code = "data.frame(a = c(1, 2, 3), b = c(4, 5, NA), y = c(0.5, 1, 2))"
    data = bbc_r.data(code, target="y")
    expected = [[1.0, 4.0], [2.0, 5.0], [3.0, np.nan]]
    np.testing.assert_array_equal(data.matrix().transform(data.rows), expected)
    echo = "function(model, newx) newx[, 1] + 10 * newx[, 2]"
    own = bbc_r.RLearner("function(x, y) 0", echo, task="regression")
    X = np.array([[1.0, 2.0, 9.0], [3.0, 4.0, 9.0]])
    assert own.fit(X, np.array([0.0, 1.0])).predict(X).tolist() == [21.0, 43.0]


def test_deep_recursion_is_an_error_and_not_a_crash(two):
    deep = "function(x, y) { f <- function(n) f(n + 1); f(1) }"
    with pytest.raises(bbc_r.RError, match=r"infinite recursion|stack|nested"):
        bbc_r.RLearner(deep, CONSTANT, data=two).fit(two.rows, two.y)


def test_other_threads_and_wrong_rows_are_refused(two):
    model = bbc_r.glm(two)
    caught = []

    def work():
        try:
            model.fit(two.rows, two.y)
        except RuntimeError as error:
            caught.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert "one thread" in caught[0]
    for rows in (
        np.ones((4, 2)),
        np.array([[-1], [1], [2], [3]]),
        np.array([[1], [2], [3], [100]]),
    ):
        with pytest.raises(ValueError, match=r"data\.rows"):
            model.fit(rows, np.array(["a", "b", "a", "b"]))
    frame = pd.DataFrame(np.zeros((3, 2)), columns=["a", "a"])
    with pytest.raises(ValueError, match="more than one column 'a'"):
        bbc_r.data(frame, target="a")


def test_a_store_knows_r_functions_again(tmp_path):
    """Seen to fail where they were kept with the time at which their text was parsed."""
    x, y = np.arange(24.0).reshape(12, 2), np.arange(12) % 2
    text = "eval(parse(text = 'function(x, y, ...) list({})', keep.source = TRUE))"
    predict = "function(model, newx) rep(0.5, nrow(newx))"

    def search(fit):
        learner = bbc_r.RLearner(bbc_r.objects.RObject(_session.evaluate(fit)), predict)
        options = {"cv": 3, "random_state": 1, "refit": False, "store": tmp_path / "run.bbc"}
        return bbc.CVT(learner, scoring="roc_auc", **options).fit(x, y)

    search(text.format("1"))
    assert search(text.format("1")).n_models_from_store_ == 3
    with pytest.raises(bbc.errors.StoreError, match="the configuration RLearner differs"):
        search(text.format("2"))
