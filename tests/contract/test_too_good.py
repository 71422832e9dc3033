"""BBC029 and BBC031: predictions that are the truth in disguise, and folds made from it."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc
from bbc.errors import BBCWarning

N = 60
RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=N)
CLASSES = (NUMBERS > 0).astype(int)
FOLDS = np.arange(N) % 5


def codes(y, predictions, metric, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"folds": FOLDS, "n_bootstraps": 60, "random_state": 1} | options
        e = bbc.correct(y, predictions, metric=metric, **options)
    return [each.code for each in e.findings]


DISGUISES = {
    "units": ("squared_pearson", NUMBERS, 2.54 * NUMBERS + 7),
    "turned": ("squared_pearson", NUMBERS, 1 - NUMBERS),
    "ranks": ("spearman", NUMBERS, np.exp(NUMBERS)),
    "two scores": ("roc_auc", CLASSES, np.where(CLASSES, 0.7, 0.2)),
    "average precision": ("average_precision", CLASSES, np.where(CLASSES, 3.0, -4.0)),
    "hidden classes": ("roc_auc", CLASSES, 2 + CLASSES + 1e-12 * RNG.normal(size=N)),
    "hidden": ("mean_squared_error", NUMBERS, NUMBERS + 1e-12 * RNG.normal(size=N)),
    "probabilities": ("brier_score", CLASSES, np.abs(CLASSES - 1e-12)),
    "r2": ("r2", NUMBERS, NUMBERS * (1 + 1e-13)),
}


@pytest.mark.parametrize("case", DISGUISES)
def test_the_truth_in_disguise_is_found(case):
    metric, y, copy = DISGUISES[case]
    noise = RNG.uniform(0.2, 0.8, N)
    names = ["noise", "leak"]
    found = codes(y, np.column_stack([noise, copy]), metric, names=names)
    assert "BBC029" in found
    assert "BBC017" not in found
    nearly = copy + 0.05 * np.std(copy) * RNG.normal(size=N)
    if metric == "brier_score":
        nearly = np.clip(nearly, 0, 1)
    assert "BBC029" not in codes(y, nearly[:, None], metric)


def test_it_is_a_warning_with_the_name():
    leak = np.column_stack([RNG.normal(size=N), 3 * NUMBERS])
    with pytest.warns(
        BBCWarning, match="BBC029 .*: the predictions of b are the truth, shifted or in"
    ):
        bbc.correct(NUMBERS, leak, metric="squared_pearson", names=["a", "b"], random_state=0)


def test_the_truth_itself_has_its_own_finding():
    assert "BBC029" not in codes(NUMBERS, NUMBERS[:, None], "r2")
    assert "BBC017" in codes(NUMBERS, NUMBERS[:, None], "r2")


def test_folds_that_are_the_truth_are_found():
    y = np.repeat([0, 1, 2], 20)
    guesses = RNG.integers(0, 3, (N, 2))
    assert "BBC031" in codes(y, guesses, "accuracy", folds=y)
    assert "BBC031" in codes(y, guesses, "accuracy", folds=y * 2 + np.arange(N) % 2)
    assert "BBC031" not in codes(y, guesses, "accuracy")
    assert "BBC031" not in codes(y, guesses, "accuracy", folds=np.arange(N))


def test_groups_that_are_the_classes_are_found_but_one_outcome_per_patient_is_not():
    y = np.repeat([0, 1], 30)
    guesses = RNG.integers(0, 2, (N, 2))
    patients = np.arange(N) // 5
    assert "BBC031" in codes(y, guesses, "accuracy", groups=y)
    assert "BBC031" not in codes(y, guesses, "accuracy", groups=patients)


@pytest.mark.parametrize(
    ("load", "metric"),
    [
        (load_iris, "accuracy"),
        (load_iris, "log_loss"),
        (load_wine, "roc_auc_ovr"),
        (load_breast_cancer, "roc_auc"),
        (load_breast_cancer, "brier_score"),
        (load_diabetes, "r2"),
        (load_diabetes, "squared_pearson"),
        (load_diabetes, "spearman"),
    ],
)
def test_the_data_of_scikit_learn_have_none_of_them(load, metric):
    X, y = load(return_X_y=True)
    numbers = load is load_diabetes
    cv = (KFold if numbers else StratifiedKFold)(5, shuffle=True, random_state=0)
    learners = (
        [Ridge(), DecisionTreeRegressor(random_state=0)]
        if numbers
        else [
            make_pipeline(StandardScaler(), LogisticRegression()),
            DecisionTreeClassifier(random_state=0),
        ]
    )
    method = "predict" if numbers or metric == "accuracy" else "predict_proba"
    made = [cross_val_predict(each, X, y, cv=cv, method=method) for each in learners]
    if made[0].ndim > 1 and made[0].shape[1] == 2:
        made = [each[:, 1] for each in made]
    folds = np.empty(len(y), int)
    for k, (_, test) in enumerate(cv.split(X, y)):
        folds[test] = k
    for each in made:
        found = codes(y, each[:, None], metric, folds=folds)
        assert not {"BBC020", "BBC029", "BBC031"} & set(found)


@pytest.mark.parametrize("metric", ["brier_score", "log_loss", "roc_auc"])
def test_models_that_are_sure_of_separable_classes_have_none_of_them(metric):
    """Seen to fail: naive Bayes misses no class of these irises by more than 4e-11."""
    X, y = load_iris(return_X_y=True)
    two = y < 2
    sure = cross_val_predict(GaussianNB(), X[two], y[two], cv=5, method="predict_proba")[:, 1]
    assert np.abs(sure - y[two]).max() < 1e-9
    assert "BBC029" not in codes(y[two], sure[:, None], metric, folds=None)
