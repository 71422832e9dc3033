"""scikit-learn's estimators with built-in cross-validation: what their own scores give."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.feature_selection import RFECV
from sklearn.linear_model import (
    ElasticNetCV,
    LassoCV,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeClassifierCV,
    RidgeCV,
)
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TunedThresholdClassifierCV,
    cross_val_predict,
)
from sklearn.tree import DecisionTreeClassifier

import bbc

ALPHAS = [0.1, 1.0, 10.0]
FLOWERS = load_iris(return_X_y=True)
PATIENTS = load_diabetes(return_X_y=True)


def logistic(X=FLOWERS[0], y=FLOWERS[1], **options):
    """Without the warnings about defaults that scikit-learn is going to change."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LogisticRegressionCV(max_iter=500, **{"Cs": [0.01, 0.1, 1.0], **options}).fit(X, y)


def assert_bbc_f_of(e, table, names):
    """The estimate is BBC-F of fold scores, here as predictions of one row per fold."""
    y, losses = np.zeros(len(table)), table.max() - table
    wanted = bbc.correct(
        y,
        losses,
        metric="mean_absolute_error",
        method="bbc-f",
        folds=np.arange(len(table)),
        names=names,
        random_state=1,
    )
    assert e.names == tuple(names)
    assert e.winner == wanted.winner
    np.testing.assert_array_equal(e.replicate_winners, wanted.replicate_winners)
    np.testing.assert_allclose(table.max() - e.replicates, wanted.replicates, atol=1e-9)
    assert e.apparent == pytest.approx(table.mean(axis=0).max(), abs=1e-9)


@pytest.mark.parametrize("options", [{}, {"scoring": "neg_log_loss"}, {"l1_ratios": [0.0]}])
def test_logistic_regression_by_penalty(options):
    model = logistic(cv=6, **options)
    table = np.reshape(next(iter(model.scores_.values())), (6, 3))
    e = bbc.correct(model, random_state=1)
    assert_bbc_f_of(e, table, ["C=0.01", "C=0.1", "C=1"])
    assert e.metric == (options.get("scoring", "accuracy"))
    assert model.Cs_[e.winner] == np.ravel(model.C_)[0]


def test_logistic_regression_by_penalty_and_ratio():
    ratios = [0.0, 0.5]
    X, y = load_breast_cancer(return_X_y=True)
    X = (X[:120, :6] - X[:120, :6].mean(axis=0)) / X[:120, :6].std(axis=0)
    model = logistic(
        X, y[:120], cv=5, l1_ratios=ratios, Cs=[0.02, 0.5], solver="saga", penalty="elasticnet"
    )
    scores = next(iter(model.scores_.values()))  # (n_folds, n_Cs, n_l1_ratios)
    table = np.column_stack([scores[:, i, j] for i in range(2) for j in range(2)])
    names = [f"C={C}, l1_ratio={ratio}" for C in ("0.02", "0.5") for ratio in ("0", "0.5")]
    assert_bbc_f_of(bbc.correct(model, random_state=1), table, names)


@pytest.mark.parametrize("ratios", [[0.0], [0.0, 0.5]])
def test_new_attributes_of_logistic_regression_give_the_same(ratios):
    """From scikit-learn 1.10 on scores_ is an array (n_folds, n_l1_ratios, n_Cs)."""
    X = FLOWERS[0] - FLOWERS[0].mean(axis=0)
    model = logistic(X, cv=5, l1_ratios=ratios, solver="saga", penalty="elasticnet")
    e = bbc.correct(model, random_state=1)
    scores = np.reshape(next(iter(model.scores_.values())), (5, 3, len(ratios)))
    model.scores_, model.C_ = np.swapaxes(scores, 1, 2), float(np.ravel(model.C_)[0])
    assert bbc.correct(model, random_state=1) == e


@pytest.mark.parametrize("ratios", [None, [0.3, 0.9]])
@pytest.mark.parametrize("alphas", [None, [3.0, 0.5, 0.1]])
def test_lasso_and_elastic_net_by_alpha(ratios, alphas):
    kind = LassoCV if ratios is None else lambda **options: ElasticNetCV(l1_ratio=ratios, **options)
    search = kind(cv=5)
    if alphas:
        search.set_params(alphas=alphas)
    search.fit(*PATIENTS)
    tried = np.broadcast_to(search.alphas_, (len(ratios or [1]), np.shape(search.alphas_)[-1]))
    paths = np.reshape(search.mse_path_, (*tried.shape, 5))
    columns, names = [], []
    for i, ratio in enumerate(ratios or [1]):
        for j, alpha in enumerate(tried[i]):
            columns.append(-paths[i, j])
            names.append(f"alpha={alpha:.6g}" + (f", l1_ratio={ratio:.6g}" if ratios else ""))
    e = bbc.correct(search, random_state=1)
    assert_bbc_f_of(e, np.column_stack(columns), names)
    assert e.metric == "neg_mean_squared_error"
    assert e.estimate < 0
    assert np.ravel(tried)[e.winner] == search.alpha_


@pytest.mark.parametrize(
    ("data", "estimator", "metric"),
    [(FLOWERS, DecisionTreeClassifier(random_state=0), "accuracy"), (PATIENTS, Ridge(), "r2")],
)
def test_recursive_elimination_by_number_of_features(data, estimator, metric):
    search = RFECV(estimator, cv=5).fit(*data)
    table = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(5)])
    e = bbc.correct(search, random_state=1)
    assert_bbc_f_of(e, table, [f"n_features={k + 1}" for k in range(table.shape[1])])
    assert e.metric == metric
    assert e.winner_name == f"n_features={search.n_features_}"


def test_repeats_are_recognised():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    e = bbc.correct(logistic(cv=cv), random_state=1)
    assert (e.n_folds, e.n_repeats) == (5, 2)


@pytest.mark.parametrize(
    "search", [LogisticRegressionCV(), LassoCV(), RFECV(Ridge())], ids=lambda s: type(s).__name__
)
def test_what_is_not_fitted_is_refused(search):
    with pytest.raises(TypeError, match=f"must be a fitted search.* got {type(search).__name__}"):
        bbc.correct(search)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cv": [(np.arange(0, 150, 2), np.arange(1, 150, 2))]}, "two or more per repeat"),
        ({"cv": ShuffleSplit(1, random_state=0)}, "splits of ShuffleSplit share rows"),
        ({"cv": 5, "refit": False}, r"LogisticRegressionCV\(refit=False\) averages"),
    ],
)
def test_selections_that_bbc_f_does_not_repeat_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bbc.correct(logistic(**options))


def test_a_selection_for_each_class_is_refused():
    """As scikit-learn before 1.8 made it by multi_class="ovr"."""
    model = logistic(cv=5)
    model.scores_ = {label: scores + label for label, scores in model.scores_.items()}
    with pytest.raises(ValueError, match="each class has a selection of its own"):
        bbc.correct(model)


@pytest.mark.parametrize(
    ("search", "instead"),
    [
        (TunedThresholdClassifierCV(LogisticRegression()), r"selection=bbc\.best_threshold\(\)"),
        (RidgeCV(), r"GridSearchCV\(Ridge\(\)"),
        (RidgeClassifierCV(), r"GridSearchCV\(RidgeClassifier\(\)"),
    ],
)
def test_estimators_without_fold_scores_name_what_to_do(search, instead):
    with pytest.raises(TypeError, match=f"which keeps no scores by fold; .*{instead}"):
        bbc.correct(search)
    with pytest.raises(TypeError, match=f"which hands out no predictions; .*{instead}"):
        bbc.keep_predictions(search).fit(*FLOWERS)


@pytest.mark.parametrize(
    ("search", "instead"),
    [
        (LogisticRegressionCV(), r"GridSearchCV\(LogisticRegression\(\)"),
        (LassoCV(), r"GridSearchCV\(Lasso\(\)"),
        (ElasticNetCV(), r"GridSearchCV\(ElasticNet\(\)"),
        (RFECV(Ridge()), r"GridSearchCV\(RFE\(estimator\)"),
    ],
)
def test_keep_predictions_names_the_search_that_keeps_them(search, instead):
    with pytest.raises(TypeError, match=f"hands out no predictions; keep those of {instead}"):
        bbc.keep_predictions(search).fit(*FLOWERS)


def test_the_code_of_the_messages_runs():
    X, y = load_breast_cancer(return_X_y=True)
    estimator = DecisionTreeClassifier(max_depth=3, random_state=0)
    scores = cross_val_predict(estimator, X, y, cv=5, method="predict_proba")[:, [1]]
    rule = bbc.best_threshold()
    e = bbc.correct(y, scores, metric="balanced_accuracy", selection=rule, random_state=1)
    assert 0 < e.threshold < 1

    X, y = PATIENTS
    ridge = RidgeCV(ALPHAS, scoring="neg_mean_squared_error", store_cv_results=True).fit(X, y)
    e = bbc.correct(y, ridge.cv_results_, metric="mean_squared_error", random_state=1)
    assert ALPHAS[e.winner] == ridge.alpha_
    assert e.apparent == pytest.approx(-ridge.best_score_)
