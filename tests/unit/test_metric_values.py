"""Every metric's value is scikit-learn's or SciPy's, on data with ties and weights."""

import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import bbc
from bbc import _core
from data import make_predictions, make_truth

N_ROWS, N_CONFIGURATIONS = 60, 12


def averaged(function, **options):
    return {
        suffix: (
            lambda y, p, w, kind=kind: function(
                y, p, average=kind, sample_weight=w, zero_division=0, **options
            )
        )
        for suffix, kind in (
            ("", "binary"),
            ("_macro", "macro"),
            ("_micro", "micro"),
            ("_weighted", "weighted"),
        )
    }


def weighted(function, **options):
    return lambda y, p, w: function(y, p, sample_weight=w, **options)


def specificity(y, p, w):
    return sk.recall_score(y, p, pos_label=0, sample_weight=w)


def corner(y, p, w):
    return np.hypot(1 - sk.recall_score(y, p, sample_weight=w), 1 - specificity(y, p, w))


def smape(y, p, w):
    return np.average(200 * abs(y - p) / (abs(y) + abs(p)), weights=w)


def huber(y, p, w):
    error = abs(y - p)
    return np.average(np.where(error <= 1, error**2 / 2, error - 0.5), weights=w)


def pseudo_huber(y, p, w):
    return np.average(np.hypot(1, y - p) - 1, weights=w)


def squared_distance(y, p, w):
    return np.average(((np.eye(p.shape[1])[y] - p) ** 2).sum(axis=1), weights=w)


def ranked(y, p, w):
    below = np.cumsum(np.eye(p.shape[1])[y] - p, axis=1)[:, :-1]
    return np.average((below**2).mean(axis=1), weights=w)


def deviance(y, p, w):
    return 2 * sk.log_loss(y, p, sample_weight=w)


SAME = {
    "accuracy": weighted(sk.accuracy_score),
    "zero_one_loss": weighted(sk.zero_one_loss),
    "balanced_accuracy": weighted(sk.balanced_accuracy_score),
    "mcc": weighted(sk.matthews_corrcoef),
    "kappa": weighted(sk.cohen_kappa_score),
    "linear_weighted_kappa": weighted(sk.cohen_kappa_score, weights="linear"),
    "quadratic_weighted_kappa": weighted(sk.cohen_kappa_score, weights="quadratic"),
    "specificity": specificity,
    "negative_predictive_value": weighted(sk.precision_score, pos_label=0, zero_division=0),
    "youden_index": weighted(sk.balanced_accuracy_score, adjusted=True),
    "euclidean_distance_to_corner": corner,
    "ordinal_mean_absolute_error": weighted(sk.mean_absolute_error),
    "mean_squared_error": weighted(sk.mean_squared_error),
    "root_mean_squared_error": weighted(sk.root_mean_squared_error),
    "mean_absolute_error": weighted(sk.mean_absolute_error),
    "mean_absolute_percentage_error": weighted(sk.mean_absolute_percentage_error),
    "mape_percent": lambda y, p, w: 100 * sk.mean_absolute_percentage_error(y, p, sample_weight=w),
    "smape_percent": smape,
    "huber_loss": huber,
    "pseudo_huber_loss": pseudo_huber,
    "mean_squared_log_error": weighted(sk.mean_squared_log_error),
    "root_mean_squared_log_error": weighted(sk.root_mean_squared_log_error),
    "poisson_deviance": weighted(sk.mean_poisson_deviance),
    "gamma_deviance": weighted(sk.mean_gamma_deviance),
    "pinball_loss": weighted(sk.mean_pinball_loss),
    "r2": weighted(sk.r2_score),
    "explained_variance": weighted(sk.explained_variance_score),
    "roc_auc": weighted(sk.roc_auc_score),
    "average_precision": weighted(sk.average_precision_score),
    "roc_auc_ovr": weighted(sk.roc_auc_score, multi_class="ovr"),
    "roc_auc_ovr_weighted": weighted(sk.roc_auc_score, multi_class="ovr", average="weighted"),
    "log_loss": weighted(sk.log_loss),
    "binomial_deviance": deviance,
    "brier_score": squared_distance,
    "ranked_probability_score": ranked,
    **{f"precision{suffix}": f for suffix, f in averaged(sk.precision_score).items()},
    **{f"recall{suffix}": f for suffix, f in averaged(sk.recall_score).items()},
    **{f"f1{suffix}": f for suffix, f in averaged(sk.f1_score).items()},
    **{f"jaccard{suffix}": f for suffix, f in averaged(sk.jaccard_score).items()},
}
WITHOUT_WEIGHTS = {
    "roc_auc_ovo": lambda y, p: sk.roc_auc_score(y, p, multi_class="ovo"),
    "roc_auc_ovo_pairs": lambda y, p: sk.roc_auc_score(y, p, multi_class="ovo"),
    "roc_auc_ovo_weighted": lambda y, p: sk.roc_auc_score(
        y, p, multi_class="ovo", average="weighted"
    ),
    "spearman": lambda y, p: stats.spearmanr(y, p).statistic,
    "squared_pearson": lambda y, p: stats.pearsonr(y, p).statistic ** 2,
}
# Counts are exact, and so is what follows from them by the same operations.
BIT_BY_BIT = ("accuracy", "balanced_accuracy", "mcc", "precision", "recall", "f1", "jaccard")


def apparent_of_one(metric, y, prediction, weights=None):
    return bbc.correct(
        y,
        prediction[:, None],
        metric=metric,
        sample_weight=weights,
        n_bootstraps=40,
        random_state=0,
    ).apparent


def data_for(metric):
    rng = np.random.default_rng(len(metric))
    y = make_truth(metric, rng, N_ROWS)
    return y, make_predictions(metric, y, rng, N_CONFIGURATIONS), rng


@pytest.mark.parametrize("metric", sorted(SAME))
def test_value_is_scikit_learns(metric):
    y, predictions, rng = data_for(metric)
    weights = rng.integers(1, 9, N_ROWS) / 7
    for j in range(N_CONFIGURATIONS):
        theirs = SAME[metric](y, predictions[:, j], None)
        ours = apparent_of_one(metric, y, predictions[:, j])
        if metric in BIT_BY_BIT:
            assert ours == theirs
        else:
            assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-14)
        theirs = SAME[metric](y, predictions[:, j], weights)
        ours = apparent_of_one(metric, y, predictions[:, j], weights)
        assert ours == pytest.approx(theirs, rel=1e-11, abs=1e-14)


def test_every_computation_has_a_value():
    given = {bbc.metrics.get(name).kernel for name in {*SAME, *WITHOUT_WEIGHTS}}
    others = {"concordance_index", "row_loss"}  # tests/golden/concordance, tests/golden/survival
    assert given | others == {bbc.metrics.get(name).kernel for name in bbc.metrics.names()} | others


@pytest.mark.parametrize("metric", sorted(WITHOUT_WEIGHTS))
def test_value_without_weights_and_with_rows_repeated(metric):
    y, predictions, rng = data_for(metric)
    repeats = rng.integers(1, 4, N_ROWS)
    for j in range(N_CONFIGURATIONS):
        prediction = predictions[:, j]
        theirs = WITHOUT_WEIGHTS[metric](y, prediction)
        assert apparent_of_one(metric, y, prediction) == pytest.approx(theirs, rel=1e-12, abs=1e-13)
        theirs = WITHOUT_WEIGHTS[metric](np.repeat(y, repeats), np.repeat(prediction, repeats, 0))
        ours = apparent_of_one(metric, y, prediction, repeats.astype(float))
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("metric", ["spearman", "squared_pearson"])
def test_constant_predictions_are_worth_nothing(metric):
    y, _, _ = data_for(metric)
    estimate = bbc.correct(
        y, np.full((N_ROWS, 1), 0.1), metric=metric, n_bootstraps=40, random_state=0
    )
    assert estimate.apparent == 0.0
    assert not estimate.replicates.any()


def test_moments_keep_their_digits_far_from_zero():
    y, predictions, _ = data_for("r2")
    for metric in ("r2", "explained_variance", "squared_pearson"):
        near = apparent_of_one(metric, y, predictions[:, 0])
        far = apparent_of_one(metric, y + 2.0**30, predictions[:, 0] + 2.0**30)
        assert far == pytest.approx(near, rel=1e-12)


def test_names_directions_and_ranges_are_the_kernels():
    kernel_names = set(_core.metric_names())
    for name in bbc.metrics.names():
        metric = bbc.metrics.get(name)
        assert metric.kernel in kernel_names
        own = {} if metric.censoring else dict(metric.parameters)
        kernel = _core.Metric(metric.kernel, sign=float(metric.sign), **own)
        assert kernel.greater_is_better == metric.greater_is_better
        assert kernel.limits(2) == (metric.lowest, metric.highest)
        for n_classes in (2, 3, 7, math.inf):
            assert kernel.limits(n_classes) == metric.limits(n_classes)
