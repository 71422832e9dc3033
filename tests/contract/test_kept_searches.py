"""Searches of scikit-learn that keep their predictions: the same search, and what it predicted."""

from itertools import product

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    ParameterGrid,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    cross_val_predict,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bbc
from bbc.errors import BBCWarning


def scaled(estimator):
    return make_pipeline(StandardScaler(), estimator)


def without_times(results):
    return {name: values for name, values in results.items() if "time" not in name}


def assert_same_search(kept, plain):
    own, wanted = without_times(kept.search_.cv_results_), without_times(plain.cv_results_)
    assert list(own) == list(wanted)
    for name, values in wanted.items():
        np.testing.assert_array_equal(own[name], values)
    assert kept.search_.best_params_ == plain.best_params_
    assert kept.search_.multimetric_ == plain.multimetric_


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_kept_predictions_are_those_of_cross_val_predict(n_jobs):
    X, y = load_breast_cancer(return_X_y=True)
    y = np.array(["benign", "malign"])[y[:200]]
    grid = {"logisticregression__C": [0.01, 1.0, 100.0]}
    search = GridSearchCV(
        scaled(LogisticRegression(max_iter=500)), grid, cv=5, n_jobs=n_jobs, scoring="roc_auc"
    )
    kept = bbc.keep_predictions(search).fit(X[:200], y)
    assert_same_search(kept, search.fit(X[:200], y))
    own = kept.oos_predictions_
    for place, C in enumerate(grid["logisticregression__C"]):
        model = scaled(LogisticRegression(max_iter=500, C=C))
        for method, array in (("predict", own.labels), ("predict_proba", own.scores)):
            wanted = cross_val_predict(model, X[:200], y, cv=5, method=method)
            np.testing.assert_array_equal(array[0, :, place], wanted)
    assert bbc.correct(kept, metric="roc_auc", pooling="pooled", random_state=1) == bbc.correct(
        y, own.scores[0], metric="roc_auc", folds=own.folds, names=own.names, random_state=1
    )
    np.testing.assert_array_equal(kept.predict(X[:9]), search.predict(X[:9]))


def test_several_metrics_and_repeats():
    X, y = load_iris(return_X_y=True)
    search = RandomizedSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": [1, 3, 9, 27]},
        n_iter=3,
        random_state=0,
        cv=RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1),
        scoring=["accuracy", "neg_log_loss"],
        refit="accuracy",
    )
    kept = bbc.keep_predictions(search).fit(X, y)
    assert_same_search(kept, search.fit(X, y))
    own = kept.oos_predictions_
    assert own.values.shape == (3, 150, 3, 3)
    assert own.is_complete
    np.testing.assert_array_equal(np.unique(own.folds), np.arange(4))
    accuracy = (own.labels == y[None, :, None]).mean(axis=(0, 1))
    estimate = bbc.correct(kept, metric="accuracy", random_state=1)
    assert estimate.apparent == pytest.approx(accuracy.max(), abs=1e-15)
    assert estimate.n_repeats == 3


def test_regressors_margins_and_groups():
    X, y = load_diabetes(return_X_y=True)
    groups = np.arange(len(y)) // 3
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=GroupKFold(4))
    kept = bbc.keep_predictions(search).fit(X, y, groups=groups)
    wanted = cross_val_predict(Ridge(alpha=10.0), X, y, cv=GroupKFold(4), groups=groups)
    np.testing.assert_array_equal(kept.oos_predictions_.scores[0, :, 1], wanted)
    np.testing.assert_array_equal(kept.oos_predictions_.groups, groups)
    assert bbc.correct(kept, metric="r2", random_state=1).unit == "group"

    X, y = load_breast_cancer(return_X_y=True)
    margins = bbc.keep_predictions(GridSearchCV(scaled(SVC()), {"svc__C": [1.0]}, cv=3)).fit(X, y)
    wanted = cross_val_predict(scaled(SVC()), X, y, cv=3, method="decision_function")
    np.testing.assert_array_equal(margins.oos_predictions_.scores[0, :, 0, 1], wanted)


def test_fits_that_fail_are_holes():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [3, 121]}, cv=5)  # 120 rows train
    with pytest.warns(UserWarning, match="n_neighbors = 121"):
        kept = bbc.keep_predictions(search).fit(X, y)
    assert kept.oos_predictions_.mask.mean(axis=1).tolist() == [[1.0, 0.0]]
    with pytest.raises(ValueError, match="missing"):
        bbc.correct(kept, metric="accuracy", missing="raise")
    with pytest.warns(
        BBCWarning, match="BBC026 .*: 5 fits failed, the first: configuration 'n_nei"
    ):
        estimate = bbc.correct(kept, metric="accuracy", random_state=1)
    assert estimate.left_out_configurations.tolist() == [1]
    assert estimate.deployed.index == kept.best_index_ == 0
    search.set_params(error_score="raise")
    with pytest.raises(ValueError, match="n_neighbors = 121"):
        bbc.keep_predictions(search).fit(X, y)


class InTurns(GridSearchCV):
    """Evaluates one configuration after the other, as Bayesian searches do."""

    def _run_search(self, evaluate_candidates):
        for one in ParameterGrid(self.param_grid):
            evaluate_candidates([one])


def test_searches_in_turns_have_one_partition():
    X, y = load_iris(return_X_y=True)
    search = InTurns(KNeighborsClassifier(), {"n_neighbors": [1, 25]}, cv=KFold(3, shuffle=True))
    own = bbc.keep_predictions(search).fit(X, y).oos_predictions_
    for place, n_neighbors in enumerate([1, 25]):
        for fold in range(3):
            test = own.folds[0] == fold
            model = KNeighborsClassifier(n_neighbors).fit(X[~test], y[~test])
            np.testing.assert_array_equal(own.labels[0, test, place], model.predict(X[test]))


def test_predictions_of_training_rows_are_refused():
    X, y = load_iris(return_X_y=True)
    rows = np.arange(150)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=[(rows, rows)] * 2)
    with pytest.raises(ValueError, match="tests rows that it trains on"):
        bbc.keep_predictions(search).fit(X, y)
    with pytest.raises(ValueError, match="tests rows that it trains on"):
        bbc.correct(search.fit(X, y))


def test_keep_predictions_refuses_what_it_cannot_keep():
    with pytest.raises(TypeError, match="must be a scikit-learn search"):
        bbc.keep_predictions(KNeighborsClassifier()).fit([[0.0]], [0])
    asked = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, return_train_score=True)
    with pytest.raises(ValueError, match="return_train_score=True: the scores of training rows"):
        bbc.keep_predictions(asked).fit(*load_iris(return_X_y=True))


def own_accuracy(model, X, y, sample_weight=None):
    return np.average(model.predict(X) == y, weights=sample_weight)


def unweighted(model, X, y):
    return model.score(X, y)


@pytest.mark.parametrize(
    ("scoring", "routed"),
    [
        *product([None, "accuracy", ["accuracy", "neg_log_loss"]], [False, True]),
        # Nothing is routed to a plain function.
        (own_accuracy, False),
        (unweighted, False),
    ],
)
@pytest.mark.filterwarnings("ignore:The scoring .* does not support sample_weight")
def test_weights_reach_the_scores_as_in_the_search_alone(scoring, routed):
    """Seen to fail where the recorder hid from the search that its scoring takes weights."""
    X, y = load_breast_cancer(return_X_y=True)
    X, y = StandardScaler().fit_transform(X[:120]), y[:120]
    weight = np.random.default_rng(0).random(120) + 0.1
    with sklearn.config_context(enable_metadata_routing=routed):
        model = LogisticRegression(max_iter=500)
        asked = scoring
        if routed:
            model.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
            if isinstance(scoring, str):
                asked = get_scorer(scoring).set_score_request(sample_weight=True)
            elif scoring:
                asked = {
                    name: get_scorer(name).set_score_request(sample_weight=True) for name in scoring
                }
        search = GridSearchCV(
            model,
            {"C": [0.01, 1.0, 100.0]},
            cv=GroupKFold(4),
            scoring=asked,
            refit=scoring[0] if isinstance(scoring, list) else True,
        )
        given = {"sample_weight": weight, "groups": np.arange(120) % 12}
        kept = bbc.keep_predictions(search).fit(X, y, **given)
        assert_same_search(kept, search.fit(X, y, **given))
    own = kept.oos_predictions_
    if scoring is unweighted:
        assert own.sample_weight is None
        return
    np.testing.assert_array_equal(own.sample_weight, weight)
    by_fold = bbc.correct(kept, metric="accuracy", pooling="fold", random_state=1)
    assert by_fold.apparent == pytest.approx(search.best_score_, abs=1e-15)
    assert by_fold.winner == search.best_index_
