"""Limits of functions of scikit-learn: their values never leave them, nor do intervals."""

from itertools import product

import numpy as np
import pytest
import sklearn.metrics as sk
from sklearn.metrics import make_scorer

import bbc
from nightly import covering

RNG = np.random.default_rng(0)
INFINITY = np.inf
#: A function, its arguments, what it reads, and its range.
CASES = [
    ("precision_score", {"average": "macro", "zero_division": 1}, "labels", (0, 1)),
    ("recall_score", {"average": "weighted"}, "labels", (0, 1)),
    ("f1_score", {"average": "micro"}, "labels", (0, 1)),
    ("jaccard_score", {"average": "macro"}, "labels", (0, 1)),
    ("hamming_loss", {}, "labels", (0, 1)),
    ("zero_one_loss", {"normalize": True}, "labels", (0, 1)),
    ("zero_one_loss", {"normalize": False}, "labels", (0, INFINITY)),
    ("accuracy_score", {"normalize": False}, "labels", (0, INFINITY)),
    ("balanced_accuracy_score", {"adjusted": True}, "labels", (-1, 1)),
    ("cohen_kappa_score", {"weights": "quadratic"}, "labels", (-1, 1)),
    ("matthews_corrcoef", {}, "labels", (-1, 1)),
    ("adjusted_rand_score", {}, "labels", (-0.5, 1)),
    ("rand_score", {}, "labels", (0, 1)),
    ("v_measure_score", {"beta": 2.0}, "labels", (0, 1)),
    ("normalized_mutual_info_score", {}, "labels", (0, 1)),
    ("adjusted_mutual_info_score", {}, "labels", (-INFINITY, 1)),
    ("mutual_info_score", {}, "labels", (0, INFINITY)),
    ("r2_score", {"force_finite": False}, "numbers", (-INFINITY, 1)),
    ("d2_absolute_error_score", {}, "numbers", (-INFINITY, 1)),
    ("median_absolute_error", {}, "numbers", (0, INFINITY)),
    ("mean_pinball_loss", {"alpha": 0.3}, "numbers", (0, INFINITY)),
    ("mean_tweedie_deviance", {"power": 0}, "numbers", (0, INFINITY)),
]


@pytest.mark.parametrize(("name", "options", "reads", "limits"), CASES)
@pytest.mark.parametrize("greater_is_better", [True, False])
def test_values_stay_within_the_range(name, options, reads, limits, greater_is_better):
    function = getattr(sk, name)
    scorer = make_scorer(function, greater_is_better=greater_is_better, **options)
    low, high = limits if greater_is_better else (-limits[1], -limits[0])
    metric = bbc.metrics.get(scorer)
    assert metric.range == (low, high)
    for _ in range(50):
        n_rows, n_classes = RNG.integers(4, 12), RNG.integers(2, 4)
        y, predicted = RNG.integers(0, n_classes, (2, n_rows))
        y[:2] = 0, 1  # a score of one class is undefined
        if reads == "numbers":
            y, predicted = RNG.normal(size=(2, n_rows))
        sign = 1 if greater_is_better else -1
        assert low - 1e-12 <= sign * function(y, predicted, **options) <= high + 1e-12


def test_the_range_of_a_function_of_the_users_own_is_not_known():
    def precision_score(y, predicted):
        return 2.0

    assert bbc.metrics.get(make_scorer(precision_score)).range is None


SCORERS = (
    make_scorer(sk.cohen_kappa_score, weights="quadratic"),
    make_scorer(sk.precision_score, average="macro", zero_division=1),
)


@pytest.mark.parametrize(
    ("scorer", "alternative"),
    covering(list(product(SCORERS, ("two-sided", "greater", "less"))), every=3),
)
def test_limits_of_intervals_stay_within_the_range(scorer, alternative):
    """They were 1.0024 and 1.0055, and infinite to one side."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 40)
    wrong = rng.random((40, 4)) < 0.04
    predictions = np.where(wrong, (y[:, None] + 1) % 3, y[:, None])
    options = {"n_bootstraps": 200, "random_state": 3, "alternative": alternative}
    low, high = bbc.correct(y, predictions, metric=scorer, **options).confidence_interval
    assert -1 <= low < high <= 1


FOLDS = {"folds": np.arange(40) % 5}
ROADS = {
    "rows": {},
    "a rule": {"selection": lambda scores, _: int(np.argmin(scores))},
    "one standard error": {"selection": bbc.one_standard_error(np.arange(4.0))} | FOLDS,
    "folds": {"method": "bbc-f"} | FOLDS,
    "two levels": {"method": "bbc-two-level"} | FOLDS,
    "to one side": {"alternative": "less"},
    "blocks": {},
}


@pytest.mark.parametrize("road", ROADS)
def test_limits_keep_the_range_of_losses_on_every_road(road):
    """It was read where Python chooses, and else of functions of all rows alone."""
    rng = np.random.default_rng(3)
    y = rng.normal(size=40)
    predictions = y[:, None] + rng.normal(size=(40, 4))

    def corrected(**given):
        metric = bbc.metrics.row_loss(lambda t, p: np.abs(t - p), name="error", **given)
        values = bbc.Blocks(np.split(predictions, 2, axis=1)) if road == "blocks" else predictions
        asked = {"metric": metric, "n_bootstraps": 200, "random_state": 1}
        return bbc.correct(y, values, **asked, **ROADS[road])

    plain = corrected()
    low, high = plain.confidence_interval
    # A range that cuts the interval, as nobody would give it.
    end = (low + plain.estimate) / 2 if np.isfinite(low) else 0.0
    assert tuple(corrected(lowest=end).confidence_interval) == (end, high)
    end = (high + plain.estimate) / 2
    assert corrected(highest=end).confidence_interval.high == end
    score = bbc.metrics.row_loss(lambda t, p: -np.abs(t - p), True, name="score", highest=-end)
    assert (score.limits(), score._compiled.limits(2)) == ((-np.inf, -end), (-np.inf, -end))
