import numpy as np
import pytest

import bbc
from instrumented import Witness, numbered_data

X, Y = numbered_data(120)
SHIFTS = {"shift": [0.0, 0.2, 4.0, 6.0]}


def protocol(**options):
    options = {"cv": 6, "n_bootstraps": 200, "random_state": 3} | options
    return bbc.BBCD(Witness(), SHIFTS, **options)


def test_bad_configurations_are_dropped_and_models_counted():
    fitted, fits, leaks = Witness.count(lambda: protocol().fit(X, Y))
    assert (fitted.dropped_ >= 0).any()
    assert fitted.dropped_[fitted.best_index_] == -1
    assert fits == fitted.n_models_trained_ < 6 * 4 + 1
    assert fitted.speed_up_ == 24 / (fits - 1)
    assert leaks == 0
    survivors = np.flatnonzero(fitted.dropped_ < 0)
    assert fitted.oos_predictions_.n_configurations == len(survivors)


def test_each_test_is_dominated_on_the_rows_seen_so_far():
    fitted = protocol(scoring="roc_auc").fit(X, Y)
    full = bbc.CVT(Witness(), SHIFTS, cv=6, scoring="roc_auc", random_state=3).fit(X, Y)
    folds = full.oos_predictions_.folds[0]
    assert fitted.dropping_history_
    for t, test in enumerate(fitted.dropping_history_, start=1):
        rows = np.flatnonzero(folds <= test["fold"])
        scores = full.oos_predictions_.scores[0][rows][:, test["configurations"]]
        expected = bbc.baselines.dominated(
            Y[rows], scores, metric="roc_auc", n_bootstraps=200, stream=t, random_state=3
        )
        assert test["best"] == test["configurations"][expected.best]
        assert (test["share_worse"] == expected.share_worse).all()
        assert (fitted.dropped_[test["configurations"]] == test["fold"]).tolist() == (
            expected.dominated.tolist()
        )


def test_without_dropping_it_is_bbc():
    kept = protocol(dropping_level=1.0).fit(X, Y)
    plain = bbc.BBC(Witness(), SHIFTS, cv=6, n_bootstraps=200, random_state=3).fit(X, Y)
    assert kept.performance_ == plain.performance_
    assert (kept.dropped_ == -1).all()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_jobs_and_repeats(n_jobs):
    one = protocol(n_repeats=2).fit(X, Y)
    other = protocol(n_repeats=2, n_jobs=n_jobs).fit(X, Y)
    assert one.performance_ == other.performance_
    assert (one.dropped_ == other.dropped_).all()


def test_a_store_is_taken_up(tmp_path):
    first = protocol(store=tmp_path / "run.bbc").fit(X, Y)
    second, fits, _ = Witness.count(lambda: protocol(store=tmp_path / "run.bbc").fit(X, Y))
    assert fits == 1
    assert first.performance_ == second.performance_


@pytest.mark.parametrize("n_repeats", [1, 2])
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_one_fold_may_hold_enough_predictions_for_a_test(pooling, n_repeats):
    X, y = numbered_data(180)
    fitted = protocol(cv=3, n_repeats=n_repeats, pooling=pooling).fit(X, y)
    tested = [test["fold"] for test in fitted.dropping_history_]
    assert tested[0] == 0
    assert fitted.performance_.n_rows == 180


def test_a_rule_that_needs_folds_waits_for_two_of_them():
    X, y = numbered_data(180)
    rule = bbc.one_standard_error([0, 1, 2, 3])
    fitted = protocol(cv=3, selection=rule).fit(X, y)
    assert fitted.dropping_history_[0]["fold"] == 1
