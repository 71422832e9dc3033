"""The oracle of two-level BBC against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference import two_level
from reference.bbc import bbc
from reference.philox import bounded, words

Y = [0, 1, 0, 1, 0, 1, 0, 1]
FOLDS = [7, 7, 3, 3, 5, 5, 4, 4]  # numbered 0, 1, 2, 3


def word(i, n):
    """A word that `bounded` turns into i of n."""
    return ((2 * i + 1) << 31) // n


@pytest.fixture
def deal(monkeypatch):
    """Sets the integers that every attempt draws: pairs (i, n)."""

    def set_draws(*pairs):
        monkeypatch.setattr(two_level, "words", lambda *_: iter([word(i, n) for i, n in pairs]))

    return set_draws


def test_word():
    assert [bounded(iter([word(i, 5)]), 5) for i in range(5)] == [0, 1, 2, 3, 4]


def test_folds_are_drawn_and_then_rows_within_them(deal):
    # Folds 2, 0, 2, 0. Fold 2 draws rows (5, 5), fold 0 (0, 1), fold 2 (4, 5), fold 0 (1, 1).
    deal((2, 4), (0, 4), (2, 4), (0, 4), *[(i, 2) for i in (1, 1, 0, 1, 0, 1, 1, 1)])
    labels = np.array([0, 1, 0, 1, 0, 1, 1, 1])
    right = np.array(Y)
    predictions = np.stack([right, 1 - right, labels], axis=1)
    result = two_level.bbc_two_level(Y, predictions, "accuracy", folds=FOLDS, n_bootstraps=1)
    assert result.counts.tolist() == [[1, 3, 0, 0, 1, 3, 0, 0]]
    assert result.replicate_winners.tolist() == [0]
    assert result.replicates.tolist() == [1.0]
    # In bag as good as the first; out of bag, rows 2, 3, 6 and 7, three of four right.
    result = two_level.bbc_two_level(Y, predictions[:, 1:], "accuracy", folds=FOLDS, n_bootstraps=1)
    assert result.replicate_winners.tolist() == [1]
    assert result.replicates.tolist() == [0.75]
    assert result.apparent == 7 / 8


def test_groups_are_cut_by_folds_and_strata_drawn_in_turn():
    # Fold 0 has rows 0, 1, 3, 4, 6; its units of class "b" come first, class "b" being row 0's.
    labels = np.array([9, 9, 2, 9, 9, 2, 9, -1])
    groups = ["x", "y", "x", "x", "z", "z", "w", "w"]
    strata = ["b", "a", "b", "b", "a", "a", "b", "b"]
    first, second = two_level.folds_of(labels, groups, strata)
    assert first.strata == [[[0, 3], [6]], [[1], [4]]]
    assert second.strata == [[[2]], [[5]]]
    drawn = first.draw(iter([word(1, 2), word(0, 2), word(1, 2), word(1, 2)]))
    assert drawn == [6, 0, 3, 4, 4]


def test_a_fold_without_a_stratum_keeps_the_number_of_the_others():
    fold = two_level.folds_of(np.array([-1, 0, 0]), range(3), ["a", "b", "c"])[0]
    assert fold.strata == [[], [[1]], [[2]]]


def test_replicates_are_redrawn_until_a_fold_is_left_out():
    rng = np.random.default_rng(0)
    predictions = rng.integers(0, 2, (8, 3))
    result = two_level.bbc_two_level(Y, predictions, "accuracy", folds=FOLDS, seed=3)
    expected = []
    for b in range(1000):
        attempt = 0
        while True:
            source = words(3, b, attempt)
            if len({bounded(source, 4) for _ in range(4)}) < 4:
                break
            attempt += 1
        expected.append(attempt)
    assert result.attempts.tolist() == expected
    assert result.n_redrawn == sum(expected) > 0


def test_repeats_choose_together_and_are_scored_in_turn():
    right = np.array(Y)
    first = np.stack([right, 1 - right], axis=1)
    second = np.stack([1 - right, right], axis=1)
    # Each is always right in one repeat and always wrong in the other: in bag, a tie of one half.
    result = two_level.bbc_two_level(
        Y,
        np.stack([first, second]),
        "accuracy",
        folds=[FOLDS, FOLDS[::-1]],
        n_bootstraps=6,
        n_repeats=2,
    )
    assert result.replicate_winners.tolist() == [0] * 6
    assert result.replicates.tolist() == [1, 0, 1, 0, 1, 0]
    assert result.apparent == 0.5


def test_rows_that_a_repeat_did_not_predict_are_on_neither_side():
    folds = [[0, 0, 1, 1, -1, -1, 2, 2], [0, 1, 0, 1, 0, 1, 0, 1]]
    predictions = np.stack([np.array(Y)[:, None], 1 - np.array(Y)[:, None]])
    result = two_level.bbc_two_level(
        Y, predictions, "accuracy", folds=folds, n_bootstraps=8, n_repeats=2
    )
    assert result.counts[::2, 4:6].sum() == 0
    assert result.counts[::2].sum(axis=1).tolist() == [6] * 4
    assert result.counts[1::2].sum(axis=1).tolist() == [8] * 4
    seen = np.array(folds) >= 0
    masked = two_level.bbc_two_level(
        Y, predictions, "accuracy", folds=np.abs(folds), n_bootstraps=8, n_repeats=2, seen=seen
    )
    assert masked.counts.tolist() == result.counts.tolist()


def test_what_all_rows_say_is_that_of_one_level():
    rng = np.random.default_rng(1)
    y, scores = np.arange(30) % 2, rng.random((2, 30, 4))
    folds = [np.arange(30) % 5, np.arange(30) // 6]
    for pooling in ("pooled", "fold"):
        options = {"folds": folds, "n_repeats": 2, "pooling": pooling, "n_bootstraps": 5}
        ours = two_level.bbc_two_level(y, scores, "roc_auc", **options)
        theirs = bbc(y, scores, "roc_auc", **options)
        assert (ours.winner, ours.apparent) == (theirs.winner, theirs.apparent)


def test_three_folds_give_no_interval():
    predictions = np.array(Y)[:, None]
    few = two_level.bbc_two_level(Y, predictions, "accuracy", folds=[0, 1, 2, 0, 1, 2, 0, 1])
    assert math.isnan(few.low)
    assert math.isnan(few.high)
    assert few.estimate == 1.0
    four = two_level.bbc_two_level(Y, predictions, "accuracy", folds=FOLDS)
    assert (four.low, four.high) == (1.0, 1.0)


def test_one_fold_leaves_nothing_out():
    with pytest.raises(ValueError, match="1000 draws"):
        two_level.bbc_two_level(Y, np.array(Y)[:, None], "accuracy", folds=[0] * 8, n_bootstraps=1)
