"""Estimators with built-in cross-validation: refused, with the lines that do the same."""

import numpy as np
import pytest
import sklearn.linear_model as linear
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.feature_selection import RFE, RFECV
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_predict,
)
from sklearn.tree import DecisionTreeClassifier

import bbc

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
X, Y = (each[:150] for each in load_breast_cancer(return_X_y=True))
X = X[:, :4] / X[:, :4].max(axis=0)
PATIENTS = load_diabetes(return_X_y=True)
TRIED = {"alphas": [0.1, 0.5], "l1_ratios": [0.3, 0.9], "Cs": [0.1, 1.0], "sizes": [1, 3]}
OF_CLASSES = [
    linear.LogisticRegressionCV(),
    linear.RidgeClassifierCV(),
    RFECV(TREE),
    TunedThresholdClassifierCV(TREE),
]
OF_NUMBERS = [
    linear.ElasticNetCV(),
    linear.LarsCV(),
    linear.LassoCV(),
    linear.LassoLarsCV(),
    linear.OrthogonalMatchingPursuitCV(),
    linear.RidgeCV(),
]


def refused(call):
    with pytest.raises(TypeError, match="hands out no predictions of what it tried") as error:
        call()
    return str(error.value)


@pytest.mark.parametrize("estimator", OF_CLASSES + OF_NUMBERS, ids=lambda e: type(e).__name__)
def test_the_error_shows_lines_that_run(estimator):
    message = refused(lambda: bbc.correct(estimator))
    assert message.startswith(f"search: {type(estimator).__name__} hands out")
    lines = [line.strip() for line in message.split("\n") if line.startswith("    ")]
    assert len(lines) == 3
    data = (X, Y) if estimator in OF_CLASSES else PATIENTS
    names = vars(linear) | {"GridSearchCV": GridSearchCV, "RFE": RFE, "bbc": bbc} | TRIED
    names |= {"cross_val_predict": cross_val_predict, "estimator": TREE}
    names |= dict(zip(("X", "y"), data, strict=True))
    exec("\n".join(lines[:2]), names)
    c = eval(lines[2][:-1] + ", random_state=1, n_bootstraps=100)", names)
    assert isinstance(c, bbc.Correction)
    assert c.n_rows == len(data[1])


def test_every_door_refuses_them():
    fitted = linear.LassoCV(cv=5).fit(*PATIENTS)
    for call in (
        lambda: bbc.correct(fitted),
        lambda: bbc.FoldScores(fitted),
        lambda: bbc.compare({"a": fitted, "b": fitted}),
        lambda: bbc.keep_predictions(fitted).fit(*PATIENTS),
    ):
        assert "GridSearchCV(Lasso()" in refused(call)


def test_the_lines_choose_what_the_estimator_chooses():
    own = linear.LassoCV(alphas=[0.05, 0.5, 5.0], cv=10).fit(*PATIENTS)
    search = GridSearchCV(
        linear.Lasso(), {"alpha": own.alphas_}, cv=10, scoring="neg_mean_squared_error"
    )
    kept = bbc.keep_predictions(search).fit(*PATIENTS)
    assert kept.best_params_["alpha"] == own.alpha_
    assert kept.best_score_ == pytest.approx(-own.mse_path_.mean(axis=1).min(), rel=1e-3)
    assert np.isfinite(bbc.correct(kept, random_state=1, n_bootstraps=100).estimate)


def test_a_model_that_tunes_itself_may_be_a_learner():
    protocol = bbc.BBC(linear.RidgeCV(), {"fit_intercept": [True, False]}, cv=3, n_bootstraps=50)
    assert protocol.fit(*PATIENTS).performance_.n_configurations == 2
