"""Halving searches of scikit-learn: what is kept, and that only fresh rows score."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    RepeatedStratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import bbc

GRID = {"n_neighbors": [1, 2, 3, 5, 8, 13, 21], "weights": ["uniform", "distance"]}


@pytest.fixture(scope="module")
def data():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:300, :8], y[:300]


def halving(**options):
    return HalvingGridSearchCV(
        KNeighborsClassifier(), GRID, cv=5, factor=3, random_state=0, **options
    )


def n_last_ones(kept):
    """How many configurations the last iteration evaluated."""
    iterations = kept.cv_results_["iter"]
    return int(np.sum(iterations == iterations.max()))


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss"])
def test_only_rows_that_are_new_in_the_last_iteration_score(data, scoring):
    plain = halving(scoring=scoring).fit(*data)
    kept = bbc.keep_predictions(halving(scoring=scoring)).fit(*data)
    for name, values in plain.cv_results_.items():
        if name.endswith("_test_score"):
            assert np.array_equal(kept.cv_results_[name], values)
    # The scores are those of scikit-learn's folds, so that the rows are.
    assert set(kept.checked_scores_.values()) == {f"agrees for {5 * n_last_ones(kept)} models"}
    estimate = bbc.correct(kept, random_state=1, n_bootstraps=100)
    assert estimate.n_configurations == n_last_ones(kept)
    assert "BBC007" not in {each.code for each in estimate.findings}
    n_last = kept.oos_predictions_.mask[0, :, 0].sum()
    assert estimate.notes[-1].startswith(f"{kept.n_iterations_} rungs, which score ")
    n_scored = int(estimate.notes[-1].split(" score ")[1].split()[0])
    assert 0 < n_scored == n_last - sum(int(kept.n_resources_[-2] / 300 * 60) for _ in range(5))


def test_a_pooling_that_is_given_keeps_the_rungs(data):
    kept = bbc.keep_predictions(halving(scoring="roc_auc")).fit(*data)
    options = {"random_state": 1, "n_bootstraps": 100}
    by_rung = bbc.correct(kept, pooling="rung", **options)
    assert by_rung.replicates.tobytes() == bbc.correct(kept, **options).replicates.tobytes()
    with pytest.raises(ValueError, match="compare rows that different configurations scored"):
        bbc.correct(kept, pooling="pooled", **options)


def test_the_plain_correction_of_the_survivors_says_what_they_are(data):
    kept = bbc.keep_predictions(halving()).fit(*data)
    with pytest.warns(bbc.errors.BBCWarning, match="BBC007"):
        plain = bbc.correct(data[1], kept.oos_predictions_, metric="accuracy", random_state=1)
    assert plain.n_bootstraps == 5000


def test_of_repeats_rows_score_that_no_iteration_saw_in_any_repeat(data):
    folds = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0)
    search = halving().set_params(cv=folds)
    kept = bbc.keep_predictions(search).fit(*data)
    estimate = bbc.correct(kept, random_state=1, n_bootstraps=100)
    assert estimate.n_repeats == 2
    of_row = kept._rungs.of_row
    assert (of_row[0] == of_row[1]).all()
    last = kept.n_iterations_ - 1
    fresh = kept.oos_predictions_.mask.all(axis=2) & (of_row == last)
    assert f" score {fresh.sum()} of " in estimate.notes[-1]
    assert 0 < fresh.sum() < kept.oos_predictions_.mask.all(axis=2).sum()


def test_random_halving(data):
    search = HalvingRandomSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": range(1, 9), "min_samples_leaf": range(1, 9)},
        cv=4,
        random_state=3,
    )
    kept = bbc.keep_predictions(search).fit(*data)
    assert bbc.correct(kept, random_state=1, n_bootstraps=100).n_configurations == n_last_ones(kept)


def test_iterations_keep_the_rows_that_they_drew(data):
    """Without a seed each iteration draws anew, and what it tests is known all the same."""
    np.random.seed(0)  # noqa: NPY002
    kept = bbc.keep_predictions(halving().set_params(random_state=None)).fit(*data)
    assert set(kept.checked_scores_.values()) == {f"agrees for {5 * n_last_ones(kept)} models"}
    estimate = bbc.correct(kept, random_state=1, n_bootstraps=100)
    fresh = kept._rungs.of_row[0] == kept.n_iterations_ - 1
    assert f" score {fresh.sum()} of " in estimate.notes[-1]
    assert not (fresh & ~kept.oos_predictions_.mask[0].all(axis=1)).any()
