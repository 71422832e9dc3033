"""Standard errors of differences: of the winners' rows, of training rows that folds share."""

import numpy as np
import pytest

import bbc
from families import compared_arrays

S = bbc.simulate.accuracy(120, 30, random_state=0)
FAMILIES = {"a": S.predictions[:, :20], "b": S.predictions[:, 20:29], "c": S.predictions[:, 29:]}
OPTIONS = {"metric": "accuracy", "random_state": 5}


def test_training_rows_that_folds_share_widen_the_standard_error():
    """Once for a partition, K / (K - 1) times for several, not for a single hold-out."""

    y = S.y.astype(float)
    y[-20:] += 1.0  # these rows are in no fold below
    risks = np.random.default_rng(2).random((120, 2))
    risks[-20:] = np.nan

    def variance(folds, n_repeats=1):
        given = {name: [risks[:, [j]]] * n_repeats for j, name in enumerate("ab")}
        found = compared_arrays(
            y, given, metric="mean_squared_error", folds=folds, n_bootstraps=50, random_state=1
        )
        assert bool(found.notes) == (folds is None or np.max(folds) > 0)
        return found.differences[0].standard_error ** 2

    held_out = variance(np.zeros(120, dtype=int))
    four = np.arange(120) % 4
    assert variance(four) == pytest.approx(2 * held_out, rel=1e-12)
    assert variance(None) == pytest.approx(2 * held_out, rel=1e-12)
    assert variance(np.stack([four, four]), 2) == pytest.approx((1 + 4 / 3) * held_out, rel=1e-12)
    assert variance(None, 2) == pytest.approx((1 + 5 / 4) * held_out, rel=1e-12)


def test_copies_of_a_configuration_do_not_enlarge_a_family():
    many = {"many": np.repeat(S.predictions[:, :2], 250, axis=1), "one": S.predictions[:, 2:3]}
    few = {"many": S.predictions[:, :2], "one": S.predictions[:, 2:3]}
    copied, plain = (compared_arrays(S.y, each, **OPTIONS).differences[0] for each in (many, few))
    assert copied.p_value == plain.p_value
    assert copied.confidence_interval == plain.confidence_interval


def test_families_with_the_same_winner_are_judged_by_the_replicates():
    """The winners' rows do not differ, but the winners of replicates do."""
    shared = {"a": S.predictions[:, :10], "b": S.predictions[:, 1:11]}
    found = compared_arrays(S.y, shared, **OPTIONS)
    winners = [each.winner for each in found.estimates.values()]
    assert winners[0] == winners[1] + 1
    one = found.differences[0]
    spread = found.replicates("a", "b").std(ddof=1)
    assert one.standard_error == pytest.approx(spread / np.sqrt(np.e - 1), rel=0.01)
    assert one.p_value > 0.05


def test_a_class_of_one_row_leaves_no_standard_error():
    y = np.zeros(30, dtype=int)
    y[:2] = 1
    scores = np.random.default_rng(0).random((30, 4))
    groups = np.arange(30) // 2
    groups[1] = 20
    options = {"metric": "roc_auc", "random_state": 1, "on_undefined": "redraw"}
    families = {"a": scores[:, :2], "b": scores[:, 2:]}
    with pytest.warns(bbc.errors.BBCWarning):
        assert compared_arrays(y, families, **options).differences[0].degrees_of_freedom == 1.0


def test_metrics_that_are_functions_have_the_jackknife_of_the_kernel():
    def balanced(y, labels):
        return float(np.mean([np.mean(labels[y == k] == k) for k in (0, 1)]))

    own = bbc.metrics.from_callable(balanced, name="balanced", greater_is_better=True)
    ours = compared_arrays(S.y, FAMILIES, metric=own, random_state=5, n_bootstraps=40)
    kernel = compared_arrays(S.y, FAMILIES, metric="f1", random_state=5, n_bootstraps=40)
    assert len(ours.differences) == len(kernel.differences)
    one = ours.difference("a", "b")
    rows = np.arange(120)
    winners = [FAMILIES[name][:, ours.estimates[name].winner] for name in "ab"]
    apart = [
        balanced(S.y, winners[0])
        - balanced(S.y, winners[1])
        - balanced(S.y[rows != i], winners[0][rows != i])
        + balanced(S.y[rows != i], winners[1][rows != i])
        for i in rows
    ]
    assert one.standard_error == pytest.approx(np.sqrt(2 * 119 / 120 * np.sum(np.square(apart))))
