"""The oracle against hand-computed numbers: random draws, selection, BBC, BBC-F."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference import bbc as oracle
from reference import philox
from reference.metrics import get, row_loss
from reference.selection import OneStandardError

ONES = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_known_answers(counter, key, expected):
    """Known-answer vectors of Random123 (kat_vectors, philox4x32 10)."""
    assert philox.philox4x32_10(counter, key) == expected


def test_words_follow_the_counter():
    source = philox.words(seed=(7 << 32) | 5, replicate=3, attempt=2, stream=1)
    first = [next(source) for _ in range(8)]
    assert tuple(first[:4]) == philox.philox4x32_10((0, 3, 2, 1), (5, 7))
    assert tuple(first[4:]) == philox.philox4x32_10((1, 3, 2, 1), (5, 7))


def test_bounded_rejects_low_words():
    # n = 3: (2^32 - 3) mod 3 = 1, so only m with low word 0 is rejected, that is word 0.
    assert philox.bounded(iter([0, 1 << 31]), 3) == 1
    assert philox.bounded(iter([ONES]), 3) == 2
    # n = 2^31 + 1: threshold 2^31 - 1; words 0 and 2 leave low words 0 and 2, word 3 is accepted.
    assert philox.bounded(iter([0, 2, 3]), (1 << 31) + 1) == 1


def test_numbering_by_first_row():
    assert philox.numbering(["b", "a", "b", "c"]) == [0, 1, 0, 2]


def test_plain_and_stratified_draws():
    plain = philox.draw_units(11, 4, n_units=50)
    assert len(plain) == 50
    assert set(plain) <= set(range(50))
    strata = ["z"] * 3 + ["a"] * 5 + ["z"] * 2
    drawn = philox.draw_units(11, 4, n_units=10, strata=strata)
    assert [strata[u] for u in drawn] == ["z"] * 5 + ["a"] * 5
    one = philox.draw_units(11, 4, n_units=5)  # the first stratum's words are the stream's first
    assert [[0, 1, 2, 8, 9][u] for u in one] == drawn[:5]


def test_group_rows_enter_together():
    counts = philox.draw_counts(3, 0, n_rows=6, groups=["a", "b", "a", "c", "b", "c"])
    assert counts[0] == counts[2]
    assert counts[1] == counts[4]
    assert counts[0] + counts[1] + counts[3] == 3


def test_draws_are_uniform():
    drawn = [u for b in range(300) for u in philox.draw_units(1, b, n_units=7)]
    assert np.all(np.abs(np.bincount(drawn) / 300 - 1) < 0.25)


# --- Algorithm 5 by hand -------------------------------------------------------------------------

Y = [0, 0, 1, 1]
LABELS = np.array([[0, 0, 1], [0, 1, 1], [1, 1, 0], [0, 1, 0]])  # accuracies 3/4, 3/4, 0


def test_bbc_accuracy_by_hand():
    # In bag {0, 1, 1, 2}: 4/4, 2/4, 0; out of bag {3}: configuration 0 is wrong there.
    # In bag {2, 3, 3, 3}: 1/4, 4/4, 0; out of bag {0, 1}: configuration 1 is right once.
    # In bag {0, 2, 0, 2}: 4/4, 4/4, 0: tie to 0; out of bag {1, 3}: right once.
    result = oracle.bbc(
        Y, LABELS, "accuracy", resamples=[[0, 1, 1, 2], [2, 3, 3, 3], [0, 2, 0, 2]],
        confidence_level=0.5,
    )  # fmt: skip
    assert result.replicates.tolist() == [0.0, 0.5, 0.5]
    assert result.replicate_winners.tolist() == [0, 1, 0]
    assert result.estimate == pytest.approx(1 / 3)
    assert result.winner == 0
    assert result.apparent == 0.75
    assert result.optimism == pytest.approx(0.75 - 1 / 3)
    assert result.selection_frequency.tolist() == [2 / 3, 1 / 3, 0.0]
    assert result.replicate_sd == pytest.approx(math.sqrt(1 / 12))
    assert (result.low, result.high) == (0.0, 0.5)
    assert result.n_redrawn == 0


def test_optimism_of_a_loss_is_positive_too():
    loss = oracle.bbc(Y, LABELS, "zero_one_loss", resamples=[[0, 1, 1, 2], [2, 3, 3, 3]])
    gain = oracle.bbc(Y, LABELS, "accuracy", resamples=[[0, 1, 1, 2], [2, 3, 3, 3]])
    assert loss.estimate == 1 - gain.estimate
    assert loss.optimism == pytest.approx(gain.optimism)
    assert loss.replicate_winners.tolist() == gain.replicate_winners.tolist()


def test_resamples_that_leave_nothing_are_named():
    with pytest.raises(ValueError, match=r"resamples\[1\]"):
        oracle.bbc(Y, LABELS, "accuracy", resamples=[[0, 0, 1, 2], [0, 1, 2, 3]])


def test_auc_redraw_counts_attempts():
    scores = np.arange(8.0).reshape(4, 2)
    result = oracle.bbc(Y, scores, "roc_auc", n_bootstraps=50, seed=5)
    assert np.all(result.replicates == 1.0)
    for b in range(50):
        attempt = int(result.attempts[b])
        for a in range(attempt + 1):
            drawn = set(philox.draw_units(5, b, a, n_units=4))
            left = {0, 1, 2, 3} - drawn
            fine = all(s & {0, 1} and s & {2, 3} for s in (drawn, left))
            assert fine == (a == attempt)
    assert result.n_redrawn == result.attempts.sum() > 0


def test_impossible_y_stops():
    with pytest.raises(ValueError, match="1000 draws"):
        oracle.bbc([0, 0, 1], np.zeros((3, 1)), "roc_auc", n_bootstraps=1)


def test_exact_sums_break_float_ties():
    # 0.1 + 0.2 + 0.3 in row order is not 0.6, but its correctly rounded sum is.
    y = np.zeros(4)
    p = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1], [1.0, 1.0]])
    assert p[:3, 0].sum() != p[:3, 1].sum()
    for columns in (p, p[:, ::-1]):
        result = oracle.bbc(y, columns, "mean_absolute_error", resamples=[[0, 1, 2]])
        assert result.replicate_winners.tolist() == [0]


def test_repeats_average_scores():
    other = np.array([[0, 0, 1], [1, 1, 1], [1, 1, 0], [1, 1, 0]])
    stack = np.stack([LABELS, other])
    one = oracle.bbc(Y, stack, "accuracy", resamples=[[0, 1, 1, 2]], n_repeats=2)
    # in bag: (4/4 + 2/4) / 2 = 3/4, (2/4 + 2/4) / 2, ...; out of bag row 3: wrong, then right.
    assert one.replicate_winners.tolist() == [0]
    assert one.replicates.tolist() == [0.5]
    assert one.apparent == 0.75


def test_pooling_by_fold_leaves_out_undefined_folds():
    y, folds = [0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 1]
    s = np.array([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6]])
    result = oracle.bbc(
        y, s, "roc_auc", folds=folds, pooling="fold", resamples=[[0, 0, 1, 1, 3, 3]]
    )
    # in bag: fold 0 = rows 0, 1 (AUC 1), fold 1 = row 3 only (undefined); out of bag: fold 0 =
    # row 2 only (undefined), fold 1 = rows 4, 5 (AUC 1).
    assert result.replicates.tolist() == [1.0]
    assert result.apparent == pytest.approx((0.5 + 0.5) / 2)
    pooled = oracle.bbc(y, s, "roc_auc", resamples=[[0, 0, 1, 1, 3, 3]])
    assert pooled.apparent == pytest.approx(6 / 9)


def test_sample_weight_multiplies_counts():
    result = oracle.bbc(Y, LABELS, "accuracy", resamples=[[2, 3, 3, 3]], sample_weight=[1, 3, 1, 1])
    assert result.replicates.tolist() == [0.25]
    assert result.apparent == pytest.approx(5 / 6)


def test_groups_are_units():
    result = oracle.bbc(
        Y, LABELS, "accuracy", groups=["b", "a", "a", "b"], resamples=[[0, 0], [1, 1]]
    )
    assert result.replicate_winners.tolist() == [1, 0]
    assert result.replicates.tolist() == [0.5, 0.5]


def test_stratified_draws_keep_class_counts():
    y = [0] * 6 + [1] * 4
    p = np.linspace(0, 1, 20).reshape(10, 2)
    result = oracle.bbc(y, p, "roc_auc", n_bootstraps=20, seed=2, stratify=True)
    for b in range(20):
        a = int(result.attempts[b])
        counts = philox.draw_counts(2, b, a, n_rows=10, strata=y)
        assert sum(counts[:6]) == 6


def test_one_standard_error():
    y = np.zeros(6)
    losses = np.array(
        [[1.0, 1.1, 3.0], [2, 2.1, 3], [3, 3.1, 3], [1, 1.1, 3], [2, 2, 3], [3, 3, 3]]
    )
    folds = [0, 0, 1, 1, 2, 2]
    identity = row_loss(lambda y, p: p)
    # fold means of configuration 0: 1.5, 2, 2.5: sd .5, standard error .5 / sqrt(3) = .289
    result = oracle.bbc(
        y, losses, identity, folds=folds, resamples=[[0, 1, 2, 3, 4, 4]],
        selection=OneStandardError([3, 2, 1]),
    )  # fmt: skip
    assert result.winner == 1
    assert result.replicate_winners.tolist() == [1]
    assert result.replicates.tolist() == [3.0]
    tie = oracle.bbc(
        y, losses, identity, folds=folds, resamples=[[0, 1, 2, 3, 4, 4]],
        selection=OneStandardError([1, 1, 1]),
    )  # fmt: skip
    assert tie.winner == 0


def test_callable_selection_gets_scores_and_counts():
    seen = []

    def last(scores, counts):
        seen.append((scores.tolist(), counts.tolist()))
        return 2

    result = oracle.bbc(Y, LABELS, "accuracy", resamples=[[0, 1, 1, 2]], selection=last)
    assert seen[0] == ([1.0, 0.5, 0.0], [1, 2, 1, 0])
    assert result.winner == 2


# --- intervals ------------------------------------------------------------------------------------


def test_order_statistic_ranks():
    l = np.arange(1.0, 1001.0)  # noqa: E741
    assert oracle.order_statistic_interval(l) == (25.0, 975.0)
    assert oracle.order_statistic_interval(l, 0.95, "greater", (0, 1)) == (50.0, 1)
    assert oracle.order_statistic_interval(l, 0.95, "less", (0, 1)) == (0, 950.0)
    assert oracle.order_statistic_interval(l[:200], 0.9) == (10.0, 190.0)
    assert oracle.order_statistic_interval(l[:30], 0.9) == (2.0, 29.0)


def test_order_statistics_are_inverted_cdf():
    values = np.random.default_rng(0).normal(size=137)
    low, high = oracle.order_statistic_interval(values, 0.8)
    assert low == np.quantile(values, 0.1, method="inverted_cdf")
    assert high == np.quantile(values, 0.9, method="inverted_cdf")


def test_one_sided_side_is_the_extreme_value():
    y = np.array([0.0, 1.0, 2.0, 3.0])
    p = np.array([[0.5], [1.0], [2.5], [2.0]])
    resamples = [[0, 1, 2, 0]] * 20
    upper = oracle.bbc(y, p, "mean_squared_error", resamples=resamples, alternative="greater")
    assert upper.high == math.inf
    lower = oracle.bbc(y, p, "neg_mean_squared_error", resamples=resamples, alternative="greater")
    assert (lower.low, lower.high) == (-1.0, 0.0)


# --- BBC-F ----------------------------------------------------------------------------------------


def test_bbc_f_by_hand():
    scores = [[0.9, 0.5], [0.1, 0.6], [0.8, 0.5]]
    result = oracle.bbc_f(scores, "roc_auc", resamples=[[0, 0, 2], [1, 1, 2], [1, 1, 1]])
    assert result.replicate_winners.tolist() == [0, 1, 1]
    assert result.replicates == pytest.approx([0.1, 0.5, 0.5])
    assert result.winner == 0
    assert result.apparent == pytest.approx(0.6)


def test_bbc_f_redraws_permutations():
    scores = np.random.default_rng(1).random((3, 4))
    result = oracle.bbc_f(scores, "roc_auc", seed=9, n_bootstraps=200)
    for b in range(200):
        a = int(result.attempts[b])
        for attempt in range(a + 1):
            permuted = len(set(philox.draw_units(9, b, attempt, n_units=3))) == 3
            assert permuted == (attempt < a)
    assert result.n_redrawn > 0


def test_bbc_f_repeats_are_never_mixed():
    scores = np.array([[[0.0], [0.0]], [[1.0], [1.0]]])
    result = oracle.bbc_f(scores, "roc_auc", seed=1, n_bootstraps=6)
    assert result.replicates.tolist() == [0, 1, 0, 1, 0, 1]
    assert result.apparent == 0.5


def test_seeded_replicates_are_those_of_the_draws():
    y = np.array([0, 1] * 10)
    p = np.random.default_rng(3).integers(0, 2, (20, 5))
    seeded = oracle.bbc(y, p, "accuracy", seed=77, n_bootstraps=30)
    drawn = [philox.draw_units(77, b, n_units=20) for b in range(30)]
    assert seeded.n_redrawn == 0
    explicit = oracle.bbc(y, p, "accuracy", resamples=drawn)
    assert seeded.replicates.tolist() == explicit.replicates.tolist()


def test_bounds_of_metrics():
    assert (get("mcc").low, get("mcc").high) == (-1.0, 1.0)
    assert get("r2").low == -math.inf
    assert (get("neg_log_loss").low, get("neg_log_loss").high) == (-math.inf, 0.0)
