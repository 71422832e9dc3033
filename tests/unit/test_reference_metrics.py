"""The oracle's metrics against scikit-learn, SciPy, row repetition and small sums by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from reference.metrics import METRICS, defined, f_beta, from_callable, get, pinball, score
from reference.truth import Truth

RNG = np.random.default_rng(20)
N = 40
W = RNG.integers(0, 4, N)
BINARY = RNG.integers(0, 2, N)
CALLS = np.where(RNG.random(N) < 0.3, 1 - BINARY, BINARY)
SCORES = np.round(RNG.random(N) + 0.3 * BINARY, 1)
PROBA = np.clip(np.round(RNG.random(N), 2), 0, 1)
MULTI = RNG.integers(0, 3, N)
MULTI_CALLS = np.where(RNG.random(N) < 0.4, RNG.integers(0, 3, N), MULTI)
MULTI_PROBA = RNG.dirichlet([1, 1, 1], N)
REAL = np.round(RNG.gamma(2.0, size=N), 1) + 0.1
VALUES = np.round(REAL + RNG.gamma(1.0, size=N), 1)

BINARY_CASES = [
    ("accuracy", sk.accuracy_score),
    ("zero_one_loss", sk.zero_one_loss),
    ("balanced_accuracy", sk.balanced_accuracy_score),
    ("sensitivity", sk.recall_score),
    ("precision", sk.precision_score),
    ("f1", sk.f1_score),
    ("jaccard", sk.jaccard_score),
    ("mcc", sk.matthews_corrcoef),
    ("kappa", lambda y, p, sample_weight: sk.cohen_kappa_score(y, p, sample_weight=sample_weight)),
]


@pytest.mark.parametrize(("name", "peer"), BINARY_CASES)
def test_binary_labels(name, peer):
    assert score(name, BINARY, CALLS, W) == pytest.approx(
        peer(BINARY, CALLS, sample_weight=W), rel=1e-13
    )


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize(
    ("part", "peer"),
    [
        ("precision", sk.precision_score),
        ("recall", sk.recall_score),
        ("f1", sk.f1_score),
        ("jaccard", sk.jaccard_score),
    ],
)
def test_averaged_labels(part, peer, average):
    expected = peer(MULTI, MULTI_CALLS, average=average, sample_weight=W)
    assert score(f"{part}_{average}", MULTI, MULTI_CALLS, W) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(("name", "peer"), [BINARY_CASES[i] for i in (0, 1, 2, 7, 8)])
def test_multi_class_labels(name, peer):
    expected = peer(MULTI, MULTI_CALLS, sample_weight=W)
    assert score(name, MULTI, MULTI_CALLS, W) == pytest.approx(expected, rel=1e-13)


def test_specificity_and_corner_by_hand():
    y, p = [0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0]
    assert score("specificity", y, p) == 0.75
    assert score("euclidean_distance_to_corner", y, p) == pytest.approx(math.hypot(0.5, 0.25))
    assert score("sensitivity", y, p, pos_label=0) == 0.75
    assert score("ordinal_mean_absolute_error", [0, 1, 2, 2], [0, 2, 0, 2]) == 0.75
    assert score("ordinal_mean_absolute_error", [10, 20, 90], [10, 90, 90]) == pytest.approx(1 / 3)


def test_f_beta():
    for beta in (0.5, 2.0):
        expected = sk.fbeta_score(BINARY, CALLS, beta=beta, sample_weight=W)
        assert score(f_beta(beta), BINARY, CALLS, W) == pytest.approx(expected, rel=1e-13)


def test_zero_division():
    zeros = np.zeros(4, dtype=int)
    y = np.array([0, 1, 1, 0])
    for name in ("precision", "f1", "mcc", "kappa"):
        assert score(name, y, zeros) == 0.0


@pytest.mark.parametrize(
    ("name", "y", "p", "peer"),
    [
        ("roc_auc", BINARY, SCORES, sk.roc_auc_score),
        ("average_precision", BINARY, SCORES, sk.average_precision_score),
        ("log_loss", BINARY, PROBA, sk.log_loss),
        ("brier_score", BINARY, PROBA, sk.brier_score_loss),
        ("log_loss", MULTI, MULTI_PROBA, sk.log_loss),
        ("mean_squared_error", REAL, VALUES, sk.mean_squared_error),
        ("root_mean_squared_error", REAL, VALUES, sk.root_mean_squared_error),
        ("mean_absolute_error", REAL, VALUES, sk.mean_absolute_error),
        ("mean_squared_log_error", REAL, VALUES, sk.mean_squared_log_error),
        ("mean_absolute_percentage_error", REAL, VALUES, sk.mean_absolute_percentage_error),
        ("poisson_deviance", REAL, VALUES, sk.mean_poisson_deviance),
        ("gamma_deviance", REAL, VALUES, sk.mean_gamma_deviance),
        ("pinball_loss", REAL, VALUES, sk.mean_pinball_loss),
        ("r2", REAL, VALUES, sk.r2_score),
        ("explained_variance", REAL, VALUES, sk.explained_variance_score),
    ],
)
def test_scores_against_sklearn(name, y, p, peer):
    assert score(name, y, p, W) == pytest.approx(peer(y, p, sample_weight=W), rel=1e-12)
    real = W * 0.37
    assert score(name, y, p, real) == pytest.approx(peer(y, p, sample_weight=real), rel=1e-12)
    assert score(name, y, p) == pytest.approx(peer(y, p), rel=1e-12)


def test_other_losses():
    assert score(pinball(0.2), REAL, VALUES) == pytest.approx(
        sk.mean_pinball_loss(REAL, VALUES, alpha=0.2)
    )
    assert score("binomial_deviance", BINARY, PROBA) == 2 * score("log_loss", BINARY, PROBA)
    assert score("poisson_deviance", [0.0], [0.5]) == 1.0
    onehot = np.eye(3)[MULTI]
    assert score("brier_score", MULTI, MULTI_PROBA) == pytest.approx(
        np.mean(np.sum((onehot - MULTI_PROBA) ** 2, axis=1))
    )
    both = np.stack([1 - PROBA, PROBA], axis=1)
    assert score("brier_score", BINARY, both) == score("brier_score", BINARY, PROBA)
    assert score("neg_log_loss", BINARY, PROBA) == -score("log_loss", BINARY, PROBA)


@pytest.mark.parametrize(
    ("name", "how", "average"),
    [
        ("roc_auc_ovr", "ovr", "macro"),
        ("roc_auc_ovr_weighted", "ovr", "weighted"),
        ("roc_auc_ovo", "ovo", "macro"),
        ("roc_auc_ovo_pairs", "ovo", "macro"),
        ("roc_auc_ovo_weighted", "ovo", "weighted"),
    ],
)
def test_multi_class_auc(name, how, average):
    expected = sk.roc_auc_score(MULTI, MULTI_PROBA, multi_class=how, average=average)
    assert score(name, MULTI, MULTI_PROBA) == pytest.approx(expected, rel=1e-13)


def test_correlations():
    repeated = np.repeat(REAL, W), np.repeat(VALUES, W)
    rho = stats.spearmanr(*repeated).statistic
    assert score("spearman", REAL, VALUES, W) == pytest.approx(rho, rel=1e-12)
    assert score("spearman", REAL, -VALUES, W) == pytest.approx(-rho, rel=1e-12)
    r = stats.pearsonr(*repeated).statistic
    assert score("squared_pearson", REAL, VALUES, W) == pytest.approx(r * r, rel=1e-12)
    constant = np.full(N, 0.1)
    assert score("spearman", REAL, constant, W) == score("squared_pearson", REAL, constant, W) == 0


def test_concordance_by_hand():
    y = np.array([(True, 1.0), (True, 2.0), (False, 2.0), (False, 3.0), (True, 4.0)],
                 dtype=[("event", bool), ("time", float)])  # fmt: skip
    # comparable: 0 with all others, 1 with 2 (tied, one event), 3, 4; 3 is censored before 4.
    risk = np.array([5.0, 3.0, 3.0, 4.0, 1.0])
    assert score("concordance_index", y, risk) == pytest.approx((4 + 0.5 + 0 + 1) / 7)
    weights = np.array([2, 1, 3, 0, 1])
    assert score("concordance_index", y, risk, weights) == pytest.approx(
        (2 * 5 + 0.5 * 3 + 1) / (2 * 5 + 3 + 1)
    )
    columns = np.column_stack([y["event"], y["time"]])
    assert score("concordance_index", columns, risk) == score("concordance_index", y, risk)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_weights_are_repetitions(name):
    y, p = REAL, VALUES
    if name in ("concordance_index", "uno_concordance"):
        y, p = np.column_stack([BINARY, REAL]), VALUES
    elif "ovo" in name or "ovr" in name:
        y, p = MULTI, MULTI_PROBA
    elif name in ("roc_auc", "average_precision"):
        y, p = BINARY, SCORES
    elif name.removeprefix("neg_") in ("log_loss", "brier_score", "binomial_deviance"):
        y, p = BINARY, PROBA
    elif METRICS[name].formula is not None and METRICS[name].exact and name != "spearman":
        y, p = BINARY, CALLS
    weighted = score(name, y, p, W)
    repeated = score(name, np.repeat(y, W, axis=0), np.repeat(p, W, axis=0))
    assert weighted == pytest.approx(repeated, rel=1e-12)
    metric, truth = get(name), Truth(np.asarray(y))
    truth = truth if metric.prepare is None else metric.prepare(truth, W)
    key = metric.key(truth, p, W)
    if metric.formula is not None and metric.exact:
        assert isinstance(key, (Fraction, int))
        root = math.copysign(math.sqrt(abs(key)), key) if metric.rooted else float(key)
        assert root == pytest.approx(weighted, rel=1e-12)


def test_equal_fractions_tie():
    y = Truth(np.array([0, 0, 0, 1, 1, 1, 1, 1, 1]))
    a, b = np.array([0, 0, 1, 1, 1, 0, 0, 0, 0]), np.array([0, 1, 1, 1, 1, 1, 1, 0, 0])
    metric, ones = get("balanced_accuracy"), np.ones(9, dtype=int)
    assert metric.key(y, a, ones) == metric.key(y, b, ones) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("name", "y", "weights", "expected"),
    [
        ("accuracy", [0, 1], [0, 0], False),
        ("accuracy", [0, 1], [1, 0], True),
        ("sensitivity", [0, 1], [1, 0], False),
        ("precision", [0, 1], [0, 1], True),
        ("specificity", [0, 1], [0, 1], False),
        ("average_precision", [0, 1], [0, 1], True),
        ("roc_auc", [0, 1], [0, 1], False),
        ("mcc", [0, 1, 2], [1, 0, 1], True),
        ("kappa", [0, 1, 2], [1, 0, 0], False),
        ("balanced_accuracy", [0, 1, 2], [1, 0, 1], False),
        ("f1_macro", [0, 1, 2], [1, 0, 1], False),
        ("f1_weighted", [0, 1, 2], [1, 0, 1], True),
        ("roc_auc_ovr", [0, 1, 2], [1, 1, 1], True),
        ("euclidean_distance_to_corner", [0, 1], [1, 0], False),
        ("r2", [1.0, 1.0, 2.0], [1, 1, 0], False),
        ("spearman", [1.0, 1.0, 2.0], [1, 0, 1], True),
        ("concordance_index", [[1, 1.0], [0, 2.0]], [1, 1], True),
        ("concordance_index", [[0, 1.0], [1, 2.0]], [1, 1], False),
        ("concordance_index", [[1, 1.0], [1, 1.0]], [1, 1], False),
    ],
)
def test_defined(name, y, weights, expected):
    assert defined(name, y, weights) is expected


def test_callable_sees_repeated_rows():
    median = from_callable(lambda y, p: float(np.median(np.abs(y - p))), greater_is_better=False)
    expected = np.median(np.abs(np.repeat(REAL, W) - np.repeat(VALUES, W)))
    assert score(median, REAL, VALUES, W) == expected


def test_weight_zero_rows_may_hold_anything():
    assert score("log_loss", [0, 1], [0.3, 0.9], [1, 0]) == pytest.approx(-math.log(0.7))
    assert score("mean_squared_error", [0.0, 1.0], [1.0, np.inf], [1, 0]) == 1.0
