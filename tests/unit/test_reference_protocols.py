"""The oracle's TT, dropping, nested CV and resampling errors against numbers by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, PredefinedSplit, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from reference import dominated as dropping
from reference import ncv, philox, resampling_error
from reference.tt import tt, tt_from_fold_scores


def test_tt_by_hand():
    losses = [[0.2, 0.1], [0.1, 0.4], [0.3, 0.2]]  # means .2 and .7/3; winner 0
    result = tt_from_fold_scores(losses, greater_is_better=False)
    assert result.winner == 0
    assert result.apparent == pytest.approx(0.2)
    assert result.optimism == pytest.approx((0.1 + 0 + 0.1) / 3)
    assert result.estimate == pytest.approx(0.2 + 0.2 / 3)
    mirrored = tt_from_fold_scores(1 - np.array(losses), greater_is_better=True)
    assert mirrored.estimate == pytest.approx(0.8 - 0.2 / 3)
    assert mirrored.optimism == pytest.approx(0.2 / 3)


def test_tt_leave_one_out_doubles_the_loss():
    y = np.zeros(4, dtype=int)
    p = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0]])  # losses 2/4, 2/4, 1/4
    result = tt(y, p, "zero_one_loss", folds=[0, 1, 2, 3])
    assert (result.winner, result.apparent, result.estimate) == (2, 0.25, 0.5)


def test_tt_needs_defined_folds():
    with pytest.raises(ValueError, match="undefined in a fold"):
        tt([0, 0, 1, 1], np.zeros((4, 2)), "roc_auc", folds=[0, 0, 1, 1])


def test_dominated_counts_strictly_worse():
    y = [0, 0, 1, 1]
    p = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 0, 0]])  # right: 4, 3, 1
    result = dropping.dominated(
        y, p, "accuracy", resamples=[[0, 0, 1, 2], [3, 3, 0, 0], [0, 0, 0, 0]], dropping_level=0.5
    )
    assert result.best == 0
    assert result.share_worse == pytest.approx([0, 1 / 3, 2 / 3])
    assert result.dominated.tolist() == [False, False, True]


def test_bbcd_drops_with_one_stream_per_test():
    rng = np.random.default_rng(4)
    n, folds = 60, np.arange(60) % 5
    y = rng.integers(0, 2, n)
    p = np.stack([np.where(rng.random(n) < e, 1 - y, y) for e in (0.1, 0.2, 0.5, 0.9)], axis=1)
    result = dropping.bbcd_dropping(
        y, p, folds, "accuracy", seed=3, n_bootstraps=100, min_predictions=20
    )
    assert [step for step, _, _ in result.tests] == [1, 2, 3]
    assert result.dropped[0] == -1
    assert result.dropped[3] == 1
    step, alive, first = result.tests[0]
    rows = np.flatnonzero(folds <= 1)
    drawn = [philox.draw_units(3, b, 0, 1, n_units=len(rows)) for b in range(100)]
    again = dropping.dominated(y[rows], p[rows], "accuracy", resamples=drawn)
    assert first.share_worse.tolist() == again.share_worse.tolist()
    assert result.tests[1][1] == [c for c in alive if result.dropped[c] != step]


def test_bbcd_goes_on_across_repeats():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 12)
    good, bad = y, 1 - y
    p = np.stack([np.stack([good, bad], axis=1)] * 2)
    folds = np.stack([np.arange(12) % 3, np.arange(12) // 4])
    result = dropping.bbcd_dropping(
        y, p, folds, "accuracy", n_repeats=2, min_predictions=16, n_bootstraps=50
    )
    assert result.dropped.tolist() == [-1, 3]
    late = dropping.bbcd_dropping(
        y, p, folds, "accuracy", n_repeats=2, min_predictions=24, n_bootstraps=50
    )
    assert late.dropped.tolist() == [-1, -1]
    last = dropping.bbcd_dropping(
        y,
        p,
        folds,
        "accuracy",
        n_repeats=2,
        min_predictions=24,
        n_bootstraps=50,
        test_after_last=True,
    )
    assert last.dropped.tolist() == [-1, 5]


def test_ncv_equals_a_nested_sklearn_loop():
    X, y = make_classification(90, 6, random_state=0)
    folds = np.random.default_rng(0).permutation(90) % 4
    depths = [1, 2, 3]

    def fit_predict(c, train, test):
        model = DecisionTreeClassifier(max_depth=depths[c], random_state=0)
        return model.fit(X[train], y[train]).predict(X[test])

    result = ncv.ncv(fit_predict, y, folds, "accuracy", 3)
    for k, outer_score in enumerate(result.outer_scores):
        train = folds != k
        search = GridSearchCV(
            DecisionTreeClassifier(random_state=0),
            {"max_depth": depths},
            cv=PredefinedSplit(folds[train]),
        ).fit(X[train], y[train])
        assert search.best_index_ == result.outer_winners[k]
        assert search.score(X[~train], y[~train]) == pytest.approx(outer_score)
    assert result.estimate == pytest.approx(np.mean(result.outer_scores))
    plain = ncv.cv_scores(fit_predict, y, folds, "accuracy", 3)
    peer = cross_val_score(
        DecisionTreeClassifier(max_depth=2, random_state=0), X, y, cv=PredefinedSplit(folds)
    )
    assert plain[:, 1] == pytest.approx(peer)


def test_ncv_from_scores():
    inner = [[[0.1, 0.2], [0.3, 0.1]], [[0.5, 0.1], [0.5, 0.2]]]
    result = ncv.ncv_from_scores(inner, [[1.0, 2.0], [3.0, 4.0]], greater_is_better=True)
    assert result.outer_winners.tolist() == [0, 0]
    assert result.estimate == 2.0


# --- resampling errors: the learner predicts the mean of its training y ---------------------------

Y = np.array([1.0, 2.0, 3.0, 6.0])


def mean_learner(train, test):
    return np.full(len(test), Y[train].mean())


def absolute(y, p):
    return np.abs(y - p)


def test_hold_out_and_out_of_bag():
    splits = [([0, 1], [2, 3]), ([2, 3], [0, 1])]
    assert resampling_error.mean_held_out_loss(mean_learner, Y, absolute, splits) == 3.0
    assert resampling_error.out_of_bag(mean_learner, Y, absolute, [[0, 0, 1, 1]]) == 3.0


def test_632():
    # drawn 0, 0, 1, 1: mean 1.5; in bag .5, out of bag (1.5 + 4.5) / 2 = 3
    value = resampling_error.bootstrap_632(mean_learner, Y, absolute, [[0, 0, 1, 1]])
    assert value == pytest.approx(0.368 * 0.5 + 0.632 * 3)
    # no-information rate of a constant prediction: (.5 + .5 + 1.5 + 4.5) / 4 = 1.75 < 3: R = 1
    plus = resampling_error.bootstrap_632(mean_learner, Y, absolute, [[0, 0, 1, 1]], plus=True)
    assert plus == pytest.approx(1.75)


def test_632_plus_cases():
    w = 0.632 / (1 - 0.368 * 0.5)
    assert resampling_error.plus_632(0.1, 0.3, 0.5) == pytest.approx((1 - w) * 0.1 + w * 0.3)
    assert resampling_error.plus_632(0.3, 0.2, 0.5) == pytest.approx(0.368 * 0.3 + 0.632 * 0.2)
    assert resampling_error.plus_632(0.5, 0.6, 0.4) == pytest.approx(0.368 * 0.5 + 0.632 * 0.4)


def test_no_information_rate_by_hand():
    rate = resampling_error.no_information_rate([0, 1, 1], [0, 0, 1], lambda y, p: y != p)
    assert rate == pytest.approx(5 / 9)


def test_bootstrap_cv():
    resamples, folds = [[0, 0, 1, 3]], [[0, 1, 0, 1]]
    # fold 0 tests {0, 1} on {0, 3} (mean 3.5), fold 1 tests {0, 3} on {0, 1} (mean 1.5)
    value = resampling_error.bootstrap_cv(mean_learner, Y, absolute, resamples, folds)
    assert value == pytest.approx((2.0 + 2.5) / 2)
    clean = resampling_error.bootstrap_cv(
        mean_learner, Y, absolute, resamples, folds, no_duplicates=True
    )
    assert clean == pytest.approx((1.5 + 4.5) / 2)
