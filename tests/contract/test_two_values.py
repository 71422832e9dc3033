"""A truth of two values is of classes, whatever the metric calls it, and so are words."""

import numpy as np
import pytest

import bbc

N, N_FOLDS = 400, 5
RNG = np.random.default_rng(0)
Y = RNG.permutation((np.arange(N) < 24).astype(int))
RISKS = 1 / (1 + np.exp(-(RNG.normal(size=(N, 6)) + 2 * Y[:, None] - 3)))
FOLDS = np.empty(N, int)  # that keep the shares
for code in (0, 1):
    FOLDS[code == Y] = np.arange((code == Y).sum()) % N_FOLDS
WITHIN = {
    "bbc-f": {"method": "bbc-f", "folds": FOLDS},
    "bbc-two-level": {"method": "bbc-two-level", "folds": FOLDS},
    "rows within classes": {"stratify_bootstrap": True},
}
OPTIONS = {"n_bootstraps": 300, "random_state": 1}
SQUARED = bbc.metrics.row_loss(lambda y, p: (y - p) ** 2, lowest=0.0, highest=1.0)


@pytest.mark.parametrize("draws", WITHIN)
@pytest.mark.parametrize("metric", ["mean_squared_error", SQUARED], ids=["named", "row_loss"])
def test_the_brier_score_by_another_name_has_its_limits(metric, draws):
    brier = bbc.correct(Y, RISKS, metric="brier_score", **WITHIN[draws], **OPTIONS)
    other = bbc.correct(Y, RISKS, metric=metric, **WITHIN[draws], **OPTIONS)
    assert other.estimate == pytest.approx(brier.estimate, rel=1e-12)
    limits = pytest.approx(tuple(brier.confidence_interval), rel=1e-9)
    assert tuple(other.confidence_interval) == limits
    fixed = {**WITHIN[draws], "class_counts": "fixed"}
    without = bbc.correct(Y, RISKS, metric=metric, **fixed, **OPTIONS)
    assert np.array_equal(without.replicates, other.replicates)
    assert without.confidence_interval.high < other.confidence_interval.high


def test_words_are_classes_and_other_numbers_are_not():
    loss = bbc.metrics.row_loss(lambda y, p: 1.0 * (y != p), lowest=0.0, highest=1.0)
    words = np.array(["a", "b", "c"])[np.minimum(np.arange(N) % 10, 2)]
    called = np.where(RNG.random((N, 3)) < 0.4, "a", words[:, None])
    draws = {"method": "bbc-f", "folds": np.arange(N) // 10 % N_FOLDS}
    named = bbc.correct(words, called, metric="zero_one_loss", **draws, **OPTIONS)
    by_row = bbc.correct(words, called, metric=loss, **draws, **OPTIONS)
    assert by_row.confidence_interval.high > np.quantile(by_row.replicates, 0.975)
    assert by_row.estimate == pytest.approx(named.estimate)
    counts = np.arange(N) % 7
    with pytest.raises(ValueError, match="needs classes, the truth has none"):
        bbc.correct(
            counts,
            counts[:, None] + RISKS,
            metric="mean_squared_error",
            class_counts="fixed",
            **draws,
            **OPTIONS,
        )
