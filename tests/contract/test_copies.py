"""BBC030: rows that occur again outside their fold, and tables that hold each row several times."""

import warnings

import numpy as np
import optuna
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_linnerud,
    load_wine,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc._training._splits import Fold, Partition, copies_across_folds
from bbc.errors import BBCWarning

RNG = np.random.default_rng(0)
N = 60
X = RNG.normal(size=(N, 4))
Y = (X[:, 0] + RNG.normal(size=N) > 0).astype(int)
AGAIN = np.r_[np.arange(N), np.arange(N // 4)]
GRID = {"C": [0.1, 1.0]}


def found(estimate):
    return [each.detail for each in estimate.findings if each.code == "BBC030"]


def quietly(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def counted(X, y, cv=None):
    cv = cv or KFold(5, shuffle=True, random_state=0)
    folds = [Fold(train, test) for train, test in cv.split(np.zeros(len(y)))]
    if isinstance(cv, ShuffleSplit):
        return copies_across_folds(X, y, [Partition((fold,)) for fold in folds])
    return copies_across_folds(X, y, [Partition(tuple(folds))])


@pytest.mark.parametrize(
    "load",
    [load_breast_cancer, load_diabetes, load_digits, load_iris, load_linnerud, load_wine],
)
def test_the_data_of_scikit_learn_have_none_until_they_are_copied(load):
    X, y = load(return_X_y=True)
    y = y if y.ndim == 1 else y[:, 0]
    assert counted(X, y) == 0
    assert counted(np.tile(X, (10, 1)), np.tile(y, 10)) == 10 * len(y)
    if load is not load_iris:  # whose lengths and widths are few distinct values
        rows = np.r_[np.arange(len(y)), RNG.integers(0, len(y), len(y) // 5)]
        assert counted(X[rows], y[rows]) > len(y) / 8


def test_rows_that_are_equal_by_chance_are_no_copies():
    n = 500
    ratings = RNG.integers(0, 4, (n, 5))
    one_hot = np.hstack([np.eye(4)[ratings[:, j]] for j in range(5)])
    outcomes = (ratings[:, 0] > 1).astype(int)
    assert counted(ratings, outcomes) == 0
    assert counted(one_hot, outcomes) == 0
    assert counted(np.hstack([ratings, one_hot]), outcomes) == 0
    assert counted(ratings[:, :1], outcomes) == 0
    dose = np.repeat(np.linspace(0.1, 9, 50), 10)
    curve = np.column_stack([dose, np.log(dose), dose**2])
    assert counted(curve, (dose + RNG.normal(size=n) > 5).astype(int)) == 0
    assert counted(curve, dose + RNG.normal(size=n)) == 0


def test_copies_within_a_fold_are_none():
    twice = np.repeat(np.arange(N), 2)
    assert counted(X[twice], Y[twice], KFold(6)) == 0
    assert counted(X[twice], Y[twice], KFold(6, shuffle=True, random_state=0)) > N


def test_copies_of_training_rows_that_no_fold_tests_count():
    assert counted(X[AGAIN], Y[AGAIN], ShuffleSplit(1, test_size=0.3, random_state=0)) > 2


def test_every_table_is_read():
    expected = counted(X[AGAIN], Y[AGAIN])
    assert expected > N / 4
    assert counted(sparse.csr_matrix(X[AGAIN]), Y[AGAIN]) == expected
    frame = pd.DataFrame(X).assign(place=[f"ward {k % 3}" for k in range(N)])
    assert counted(frame.iloc[AGAIN], Y[AGAIN].astype(str)) == expected
    assert counted(X[AGAIN].reshape(-1, 2, 2), Y[AGAIN]) == expected
    assert counted(["a text"] * len(AGAIN), Y[AGAIN]) is None
    assert counted([[0.0] * (1 + k % 3) for k in range(N)], Y) is None


def test_protocols_and_kept_searches_find_copies():
    learner, options = LogisticRegression(), {"cv": 5, "scoring": "roc_auc"}
    protocol = bbc.BBC(learner, GRID, random_state=0, **options)
    with pytest.warns(BBCWarning, match=r"BBC030 rows occur again: \d+ of 75 rows have copies"):
        protocol.fit(X[AGAIN], Y[AGAIN])
    kept = bbc.keep_predictions(GridSearchCV(learner, GRID, **options)).fit(X[AGAIN], Y[AGAIN])
    searched = quietly(lambda: bbc.correct(kept, random_state=0))
    assert found(searched) == found(protocol.performance_) != []
    assert kept.oos_predictions_.n_copies == protocol.oos_predictions_.n_copies > N / 4
    without = quietly(lambda: bbc.BBC(learner, GRID, random_state=0, **options).fit(X, Y))
    assert without.oos_predictions_.n_copies == 0
    assert found(without.performance_) == []


def test_groups_that_hold_the_copies_explain_them():
    protocol = bbc.BBC(LogisticRegression(), GRID, cv=5, scoring="roc_auc", random_state=0)
    grouped = quietly(lambda: protocol.fit(X[AGAIN], Y[AGAIN], groups=AGAIN))
    assert found(grouped.performance_) == []


def test_an_optuna_objective_finds_copies():
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def learner(trial):
        return LogisticRegression(C=trial.suggest_float("C", 0.1, 1))

    objective = bbc.adapters.OptunaObjective(
        learner, X[AGAIN], Y[AGAIN], metric="roc_auc", cv=5, random_state=0
    )
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(objective, n_trials=3)
    e = quietly(lambda: bbc.correct(objective.predictions(study), random_state=0))
    assert len(found(e)) == 1


@pytest.mark.parametrize("metric", ["roc_auc", "log_loss", "brier_score"])
def test_predictions_of_a_table_that_is_repeated(metric):
    p = np.clip(0.3 * Y[:, None] + 0.7 * RNG.random((N, 3)), 0.01, 0.99)
    y, tiled = np.tile(Y, 10), np.tile(p, (10, 1))
    shuffled = RNG.permutation(10 * N)

    def detail(y, p, **options):
        return found(quietly(lambda: bbc.correct(y, p, metric=metric, random_state=0, **options)))

    assert detail(y[shuffled], tiled[shuffled]) == [
        "each occurs 10 times, with the same truth and predictions"
    ]
    assert detail(Y, p) == []
    assert detail(y, tiled, groups=np.tile(np.arange(N), 10)) == []
    assert detail(y, tiled.round(1)) == []  # which are few values
    one_more = np.r_[tiled, tiled[:1]]
    assert detail(np.r_[y, y[:1]], one_more) == []  # who knows which of them are copies?


def test_predictions_of_numbers_that_are_repeated():
    y, p = RNG.normal(size=N), RNG.normal(size=(N, 2))
    with pytest.warns(BBCWarning, match="BBC030 .*: each occurs 3 times"):
        bbc.correct(np.tile(y, 3), np.tile(p, (3, 1)), metric="r2", random_state=0)
    same = np.repeat(p, 3, axis=0)  # of rows with truths of their own
    assert found(quietly(lambda: bbc.correct(RNG.normal(size=3 * N), same, metric="r2"))) == []


def test_labels_that_occur_equally_often_are_no_copies():
    labels = np.repeat([0, 1, 0, 1], 20)
    e = bbc.correct(labels, np.tile([[0], [1]], (40, 1)), metric="accuracy", random_state=0)
    assert found(e) == []


def test_trees_that_know_the_copies():
    """What it warns of: on noise, copies make any tree look skilled."""
    noise = np.tile(RNG.integers(0, 2, N), 4)
    protocol = bbc.BBC(DecisionTreeClassifier(random_state=0), {"max_depth": [2, None]}, cv=5)
    with pytest.warns(BBCWarning, match="BBC030"):
        e = protocol.set_params(random_state=0).fit(np.tile(X, (4, 1)), noise).performance_
    assert e.estimate > 0.95
