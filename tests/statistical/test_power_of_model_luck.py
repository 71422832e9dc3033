"""Size and power of the test of model luck, and the bias that it predicts.

Seen to fail: size, where fold labels are permuted across classes (folds of unlike classes are
called lucky in every run); power, where the statistic is not centred by fold (.10 instead of 1.00
with correlated rows), or scores are not ranked within folds (.00 instead of .97 with offsets); the
bias, where luck is not divided by the number of folds (three times as large), or where the scores
are as far apart as they are without luck and without the chance of their rows (.041, not .035).
"""

import numpy as np
import pytest
from scipy.special import ndtri

import bbc

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
NULL_RUNS, RUNS = 1000, 200
FEW = {"n_bootstraps": 10, "confidence_level": 0.5}


def most(probability, runs):
    """What a share with this probability hardly exceeds."""
    return probability + 2 * np.sqrt(probability * (1 - probability) / runs)


def noise(rng, n_rows, n_configurations, rho):
    common = rng.normal(size=(n_rows, 1))
    own = rng.normal(size=(n_rows, n_configurations))
    return np.sqrt(rho) * common + np.sqrt(1 - rho) * own


def labels(rng, y, skill, rho):
    """Labels that are right with the probabilities `skill`, correlated between configurations."""
    right = noise(rng, *skill.shape, rho) < ndtri(skill)
    return np.where(right, y[:, None], 1 - y[:, None])


def unequal_folds(rng):
    y = rng.integers(0, 2, 100)
    skill = np.broadcast_to(0.7 + 0.03 * rng.normal(size=20), (100, 20))
    folds = rng.permutation(np.repeat(np.arange(5), (40, 25, 15, 12, 8)))
    return "accuracy", y, labels(rng, y, skill, 0.8), folds


def folds_of_unlike_classes(rng):
    """Configurations that are good at one class each, and folds that have more of one each."""
    y = np.sort(rng.integers(0, 2, 100))
    skill = (0.7 + 0.15 * rng.choice([-1, 1], size=20) * np.array([[1], [-1]]))[y]
    return "accuracy", y, labels(rng, y, skill, 0.5), np.arange(100) // 20


def ranked_scores(rng):
    """Models whose scores have scales of their own, but one AUC."""
    y = np.arange(100) % 2
    folds = rng.permutation(50).repeat(2) % 5
    scores = y[:, None] + noise(rng, 100, 20, 0.8)
    models = (5, 20)
    return (
        "roc_auc",
        y,
        np.exp(rng.normal(size=models))[folds] * scores + rng.normal(size=models)[folds],
        folds,
    )


def repeated_regression(rng):
    y = rng.normal(size=60)
    predictions = y[:, None] + noise(rng, 60, 20, 0.8)
    folds = np.stack([rng.permutation(60) % 4 for _ in range(2)])
    return "mean_squared_error", y, [predictions, predictions], folds


@pytest.mark.parametrize(
    "draw", [unequal_folds, folds_of_unlike_classes, ranked_scores, repeated_regression]
)
def test_equal_models_are_rarely_called_unlike(draw):
    n_small = 0
    for seed in range(NULL_RUNS):
        metric, y, predictions, folds = draw(np.random.default_rng(seed))
        e = bbc.correct(y, predictions, metric=metric, folds=folds, random_state=seed, **FEW)
        n_small += e.model_luck.p_value <= 0.05
    assert n_small / NULL_RUNS <= most(0.05, NULL_RUNS)


def lucky_labels(rng, rho, luck=0.02):
    y, folds = rng.integers(0, 2, 500), np.arange(500) % 5
    skill = rng.normal(0.75, luck, size=(5, 100))
    return "accuracy", y, labels(rng, y, skill[folds], rho), folds, skill


def lucky_scores(rng):
    """AUC with a standard deviation of .02, and offsets as large as the noise."""
    y, folds = np.arange(500) % 2, np.arange(500) // 2 % 5
    models = (5, 100)
    auc = rng.normal(0.76, 0.02, size=models)
    scores = y[:, None] * (np.sqrt(2) * ndtri(auc))[folds] + noise(rng, 500, 100, 0.5)
    return "roc_auc", y, scores + rng.normal(size=models)[folds], folds


@pytest.mark.parametrize(
    ("draw", "power"),
    [
        (lambda rng: lucky_labels(rng, 0.0)[:4], 0.8),
        (lambda rng: lucky_labels(rng, 0.8)[:4], 0.95),
        (lucky_scores, 0.9),
    ],
    ids=["independent", "correlated", "offsets"],
)
def test_unlike_models_are_found(draw, power):
    n_small = 0
    for seed in range(RUNS):
        metric, y, predictions, folds = draw(np.random.default_rng(seed))
        e = bbc.correct(y, predictions, metric=metric, folds=folds, random_state=seed, **FEW)
        n_small += e.model_luck.p_value <= 0.05
    assert 1 - n_small / RUNS <= most(1 - power, RUNS)


@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_the_predicted_bias_is_the_luck_of_the_winners(rho):
    """Within two standard errors and a tenth.

    The normal approximation is not exact, and the root of an estimated variance is too small.
    """
    predicted, carried = [], []
    for seed in range(RUNS):
        metric, y, predictions, folds, skill = lucky_labels(
            np.random.default_rng(seed), rho, luck=0.05
        )
        e = bbc.correct(
            y, predictions, metric=metric, folds=folds, random_state=seed, n_bootstraps=1000
        )
        predicted.append(e.model_luck.predicted_bias)
        carried.append(e.selection_frequency @ (skill.mean(axis=0) - 0.75))
    error = np.std(carried) / np.sqrt(RUNS)
    assert abs(np.mean(predicted) - np.mean(carried)) < 2 * error + 0.1 * np.mean(carried)
