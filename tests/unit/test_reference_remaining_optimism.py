"""The oracle of what BBC leaves against sums by hand, loops over pairs, and its Gaussian model."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from reference import remaining_optimism as oracle
from reference.bbc import bbc
from reference.metrics import get
from reference.model_luck import Partitions
from reference.philox import words
from reference.problem import make_problem
from reference.truth import Truth


def test_row_values():
    y = np.array([0, 1, 0, 1])
    scores = np.array([[0.1, 0.1], [0.3, 0.1], [0.4, 0.1], [0.5, 0.1]])
    u = oracle.row_values(Truth(y), scores, get("roc_auc"))
    assert u.tolist() == [[1, 0.5, 0.5, 1], [0.5] * 4]
    labels = np.array([[0, 1], [0, 1], [0, 0], [1, 1]])
    right = [[1, 0, 1, 1], [0, 1, 1, 1]]
    assert oracle.row_values(Truth(y), labels, get("accuracy")).tolist() == right
    assert oracle.row_values(Truth(y), labels, get("zero_one_loss")).tolist() == right
    # Absolute errors 1, 0, 1 of the first row: ranks of the best, 3, and of a tie, 1.5.
    p = np.array([[1.0, 0.0, -1.0], [1.0, 1.0, 3.0]])
    u = oracle.row_values(Truth(np.array([0.0, 1.0])), p, get("mean_absolute_error"))
    assert u == pytest.approx(np.array([[1.5, 2.5], [3.0, 2.5], [1.5, 1.0]]) / 3)
    values = np.random.default_rng(0).integers(0, 5, 30)
    assert oracle.mid_ranks(values).tolist() == stats.rankdata(values).tolist()


def test_by_hand():
    # Two configurations: d of the first is half the difference times the root of 2.
    u = np.array([[1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
    d = oracle.differences(u)
    assert d[0] == pytest.approx(np.array([1, 0, 1, 0]) / math.sqrt(2))
    products = oracle.covariances(d)
    assert products == pytest.approx(np.outer([1, 0, 1, 0], [1, 0, 1, 0]) / 2)
    everything = [np.ones(4, dtype=bool)]
    # Folds {0, 1}, {2, 3}: of 4 pairs between them, (0, 2) has 1/2; within, none.
    folds = np.array([0, 0, 1, 1])
    assert oracle.between_and_within(products, folds, everything) == pytest.approx((1 / 8, 0))
    # N: mean d^2 = 1/4, of 6 pairs one has 1/2, (2 - 1/4) / 4.
    assert oracle.row_variance(products, everything) == pytest.approx((1 / 4 - 1 / 12) * 7 / 16)
    assert oracle.share_between(folds) == pytest.approx(4 / 6)
    found = oracle.coupling(u, folds)
    assert found.kappa == pytest.approx(4 / 6 / 8 / (7 / 96))
    # One of three ways to pair the rows puts 0 and 2 together: then beta 0, alpha 1/4.
    kappas = [4 / 6 / 8 / (7 / 96), -4 / 6 / 4 / (7 / 96)]
    share = np.mean(
        [
            len({int(f) for f in oracle.permuted(folds, [0] * 4, 0, p)[[0, 2]]}) == 1
            for p in range(99)
        ]
    )
    assert found.sd == pytest.approx((kappas[0] - kappas[1]) * math.sqrt(share * (1 - share)))
    assert abs(share - 1 / 3) < 4 * math.sqrt(2 / 9 / 99)


def loops(u, folds, y):
    """beta, alpha and N of an AUC, pair by pair."""
    n_configurations, n_rows = u.shape
    d = [
        [
            (u[c, i] - sum(u[:, i]) / n_configurations)
            * math.sqrt(n_configurations / (n_configurations - 1))
            for i in range(n_rows)
        ]
        for c in range(n_configurations)
    ]
    beta = alpha = noise = 0.0
    for one in (0, 1):
        for other in (0, 1):
            apart, together = [], []
            for c in range(n_configurations):
                for i in range(n_rows):
                    for j in range(n_rows):
                        if i != j and y[i] == one and y[j] == other:
                            side = together if folds[i] == folds[j] else apart
                            side.append(d[c][i] * d[c][j])
            beta += math.fsum(apart) / len(apart)
            alpha += math.fsum(together) / len(together)
        rows = [i for i in range(n_rows) if y[i] == one]
        squares, pairs = [], []
        for c in range(n_configurations):
            squares += [d[c][i] ** 2 for i in rows]
            pairs += [d[c][i] * d[c][j] for i in rows for j in rows if i != j]
        difference = math.fsum(squares) / len(squares) - math.fsum(pairs) / len(pairs)
        noise += difference * (2 - 1 / len(rows)) / len(rows)
    return beta, alpha, noise


def test_classes_of_an_auc_pair_by_pair():
    rng = np.random.default_rng(1)
    y, folds = np.array([1] * 9 + [0] * 13), np.arange(22) % 4
    u = rng.random((5, 22))
    found = oracle.coupling(u, folds, parts=[y == 1, y == 0], strata=y.tolist())
    beta, alpha, noise = loops(u, folds, y)
    assert (found.beta, found.alpha) == pytest.approx((beta, alpha), abs=1e-14)
    assert found.row_variance == pytest.approx(noise)
    assert found.kappa == pytest.approx(found.share * (beta - alpha) / noise)
    # Folds of 6, 6, 5, 5 rows.
    assert found.share == pytest.approx(1 - (30 + 30 + 20 + 20) / (22 * 21))


def test_row_variance_is_that_of_an_in_bag_mean():
    rng = np.random.default_rng(2)
    m, n = 5, 40_000
    samples = rng.normal(size=(n, m))
    in_bag = np.take_along_axis(samples, rng.integers(0, m, (n, m)), axis=1).mean(axis=1)
    expected = oracle.row_variance(np.eye(m), [np.ones(m, dtype=bool)])
    assert in_bag.var() == pytest.approx(expected, rel=4 * math.sqrt(3 / n))


def test_gaussian_model():
    """kappa is one half where all that differs is what rows learned of each other, else 0."""
    rng = np.random.default_rng(3)
    n, folds = 40, np.arange(40) % 5
    between = folds[:, None] != folds[None, :]
    coupled, alone, spreads = [], [], []
    for _ in range(40):
        q = rng.normal(size=(50, n, n))
        q = np.tril(q, -1)
        q = q + np.transpose(q, (0, 2, 1))
        u = rng.normal(size=(50, 1)) + (q * between).sum(axis=2) / n
        coupled.append(oracle.coupling(u, folds, n_permutations=1).kappa)
        skills = rng.normal(size=(50, 1)) + rng.normal(size=(50, n))
        found = oracle.coupling(skills, folds)
        alone.append(found.kappa)
        spreads.append(found.sd)
    # (1/n^2) sh over sh (n - 2) (2 - 1/n) / n^3.
    expected = n / ((n - 2) * (2 - 1 / n))
    for kappas, mean in ((coupled, expected), (alone, 0.0)):
        assert abs(np.mean(kappas) - mean) < 4 * np.std(kappas, ddof=1) / math.sqrt(40)
    # Without coupling rows are exchangeable: the sd over permutations is that over samples.
    assert np.mean(spreads) == pytest.approx(np.std(alone, ddof=1), rel=4 / math.sqrt(2 * 39))


def test_permutations_are_those_of_one_repeat():
    y, folds = ["b", "a", "b", "b", "a", "a", "b", "a", "b"], np.array([2, 0, 1, 0, 1, 2, 0, 1, 2])
    partitions = Partitions([folds], list(range(9)), y)
    for p in range(5):
        drawn = oracle.permuted(folds, y, 7, p)
        source = words(7, p, 0, 0x80000006)
        assert drawn.tolist() == partitions.permuted(source)[0].tolist()
        for label in "ab":
            own = [i for i, value in enumerate(y) if value == label]
            assert sorted(drawn[own]) == sorted(folds[own])


@pytest.mark.parametrize(
    ("kind", "kappa", "sd", "expected"),
    [
        ("roc_auc", 0.4, 0.3, 0.45 * 0.4 * 0.5 * 0.1),
        ("roc_auc", 0.9, 0.0, 0.45 * 0.6 * 0.1),
        ("roc_auc", -0.1, 0.0, 0.0),
        ("accuracy", 0.2, 0.2, 0.6 * 0.3 * 0.5 * 0.1),
        ("accuracy", 0.5, 0.0, 0.6 * 0.6 * 0.1),
        ("loss", 0.4, 0.3, 0.9 * 0.4 * 0.5 * 0.1),
    ],
)
def test_rule(kind, kappa, sd, expected):
    assert oracle.further(kind, kappa, sd, 0.1) == pytest.approx(expected)
    assert oracle.further(kind, kappa, sd, -0.1) == 0


def test_distance_of_replicates():
    y = [0, 0, 1, 1]
    labels = np.array([[0, 0, 1], [0, 1, 1], [1, 1, 0], [0, 1, 0]])
    # Winners 0 and 1: in bag 4/4 and 4/4, out of bag 0 and 1/2.
    for metric in ("accuracy", "zero_one_loss"):
        result = bbc(y, labels, metric, resamples=[[0, 1, 1, 2], [2, 3, 3, 3]])
        problem = make_problem(y, labels, get(metric))
        assert oracle.mean_distance(problem, result) == pytest.approx(0.75)


def test_answers_go_in_the_direction_of_the_metric():
    rng = np.random.default_rng(4)
    y, folds = np.arange(40) % 2, np.arange(40) // 2 % 5
    scores = np.clip(rng.random((40, 12)) * 0.7 + 0.3 * y[:, None], 0.01, 0.99)
    options = {"folds": folds, "estimate": 0.5, "distance": 0.1, "seed": 3}
    loss = oracle.remaining_optimism(y, scores, "brier_score", **options)
    gain = oracle.remaining_optimism(y, scores, "neg_brier_score", **options)
    assert (loss.coupled, gain.coupled) == (0.5 + loss.further, 0.5 - gain.further)
    assert loss.further > 0
    assert (loss.kappa, loss.sd) == (gain.kappa, gain.sd)
    labels = (scores > 0.5).astype(int)
    right = oracle.remaining_optimism(y, labels, "accuracy", **options)
    wrong = oracle.remaining_optimism(y, labels, "zero_one_loss", **options)
    assert right[:4] == wrong[:4]
    assert right.further == oracle.further("accuracy", right.kappa, right.sd, 0.1)
    # Mid-ranks: squared and absolute errors are one.
    errors = [
        oracle.remaining_optimism(y, scores, f"mean_{name}_error", **options).kappa
        for name in ("squared", "absolute")
    ]
    assert errors[0] == pytest.approx(errors[1])
    words_of_y = np.array(["no", "yes"])[y]
    auc = oracle.remaining_optimism(y, scores, "roc_auc", **options)
    assert oracle.remaining_optimism(words_of_y, scores, "roc_auc", **options) == auc
    # A regression permutes all rows, or within what its folds were stratified by.
    within = oracle.remaining_optimism(
        y, scores, "mean_squared_error", strata=y.tolist(), **options
    )
    assert within.kappa == errors[0]
    assert within.sd == loss.sd


def test_refusals():
    rng = np.random.default_rng(5)
    y, scores = np.arange(40) % 2, rng.random((40, 12))
    five = np.arange(40) // 2 % 5

    def ask(metric="roc_auc", y=y, scores=scores, folds=five):
        oracle.remaining_optimism(y, scores, metric, folds=folds, estimate=0.5, distance=0.1)

    for words_of_error, changed in {
        "fewer than four": {"folds": np.arange(40) % 3},
        "no two rows": {"folds": np.arange(40)},
        "fewer than ten": {"scores": scores[:, :9]},
        "two rows a fold": {"y": np.arange(40) < 9},
        "do not differ": {"scores": np.tile(scores[:, :1], 12)},
        "differ by rows": {
            "metric": "mean_absolute_error",
            "scores": y[:, None] + np.arange(12.0)[None, :],
        },
        "no mean over rows": {"metric": "f1"},
    }.items():
        with pytest.raises(ValueError, match=words_of_error):
            ask(**changed)
    with pytest.raises(ValueError, match="no mean over rows"):
        ask("root_mean_squared_error")
    ask("mean_squared_error", y=np.arange(40) < 9)
