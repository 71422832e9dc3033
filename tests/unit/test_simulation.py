"""Generators with known truth: what they promise is what their predictions have.

The statistical tests use differences whose expectation is exactly zero, and their distance from
zero in standard errors over the repetitions. Each is run against a generator broken on purpose
as well, and must then fail.
"""

import dataclasses

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import beta as beta_law
from scipy.stats import rankdata

import bbc
from bbc.simulate import _classes, _simulation, _times

TRUTH = (0.55, 0.7, 0.9)
LIMIT = 4.5  # standard errors: once in 150 000 for a right generator, and the seeds are fixed
GENERATORS = {
    "accuracy": bbc.simulate.accuracy,
    "auc": bbc.simulate.auc,
    "multiclass": bbc.simulate.multiclass,
    "regression": bbc.simulate.regression,
    "survival": bbc.simulate.survival,
}


def mean_rank_auc(positive, scores):
    ranks = rankdata(scores, axis=0)
    n_pos = positive.sum()
    n_neg = positive.size - n_pos
    return (ranks[positive].sum(axis=0) - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg)


def accuracy_surplus(s):
    return (s.predictions == s.y[:, None]).mean(axis=0) - s.true_performance


def auc_surplus(s):
    return mean_rank_auc(s.y == 1, s.predictions) - s.true_performance


def multiclass_surplus(s):
    classes = range(s.predictions.shape[2])
    pairs = [(a, b) for a in classes for b in classes if a != b]
    total = 0.0
    for a, b in pairs:
        rows = (s.y == a) | (s.y == b)
        total = total + mean_rank_auc(s.y[rows] == a, s.predictions[rows, :, a])
    return total / len(pairs) - s.true_performance


def regression_surplus(s):
    return (1 - s.true_performance) - ((s.predictions - s.y[:, None]) ** 2).mean(axis=0)


def survival_surplus(s):
    time, event = s.y["time"], s.y["event"]
    comparable = event[:, None] & (time[:, None] < time[None, :])
    risk = s.predictions.T
    concordant = ((risk[:, :, None] > risk[:, None, :]) & comparable).mean(axis=(1, 2))
    return concordant - s.true_performance * comparable.mean()


SURPLUS = {
    "accuracy": accuracy_surplus,
    "auc": auc_surplus,
    "multiclass": multiclass_surplus,
    "regression": regression_surplus,
    "survival": survival_surplus,
}


def distance(name, n_repetitions=150, n_rows=120, **options):
    """Mean surplus of each configuration over its true performance, in standard errors."""
    rng = np.random.default_rng(2024)
    surplus = np.array(
        [
            SURPLUS[name](
                GENERATORS[name](
                    n_rows, len(TRUTH), true_performance=TRUTH, random_state=rng, **options
                )
            )
            for _ in range(n_repetitions)
        ]
    )
    return np.abs(surplus.mean(axis=0)) / (surplus.std(axis=0, ddof=1) / np.sqrt(n_repetitions))


@pytest.mark.parametrize("correlation", [0.0, 0.6])
@pytest.mark.parametrize("name", GENERATORS)
def test_true_performance_is_what_the_predictions_have(name, correlation):
    assert distance(name, correlation=correlation).max() < LIMIT


@pytest.mark.parametrize("censored", [0.0, 0.6])
def test_concordance_is_that_of_the_comparable_pairs(censored):
    assert distance("survival", censored=censored).max() < LIMIT


def test_auc_does_not_depend_on_the_class_balance():
    assert distance("auc", minority=0.1).max() < LIMIT
    assert distance("multiclass", n_classes=4, shares=(0.1, 0.2, 0.3, 0.4)).max() < LIMIT


@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_the_check_sees_separations_that_are_too_small(monkeypatch, correlation):
    def too_small(p):
        return ndtri(p) / 1.2

    monkeypatch.setattr(_classes, "ndtri", too_small)
    broken = ["auc", "multiclass"] + (["accuracy"] if correlation else [])
    assert min(distance(name, correlation=correlation).max() for name in broken) > LIMIT


def test_the_check_sees_a_wrong_uniform_number(monkeypatch):
    truth = np.array(TRUTH)

    def drawn_low(draw, given, *more_axes):
        return truth - 0.02

    surplus = []
    rng = np.random.default_rng(0)
    monkeypatch.setattr(_classes.Draw, "true_performance", drawn_low)
    for _ in range(150):
        s = bbc.simulate.accuracy(120, 3, random_state=rng)
        surplus.append(accuracy_surplus(dataclasses.replace(s, true_performance=truth)))
    error = np.std(surplus, axis=0, ddof=1) / np.sqrt(150)
    assert (np.abs(np.mean(surplus, axis=0)) / error).max() > LIMIT


def test_the_check_sees_noise_that_is_too_large(monkeypatch):
    noise = _classes.Draw.noise
    monkeypatch.setattr(_classes.Draw, "noise", lambda draw, *axes: 1.1 * noise(draw, *axes))
    assert distance("regression").max() > LIMIT


def test_the_check_sees_censoring_that_was_forgotten(monkeypatch):
    inverse = _times._strength_of
    monkeypatch.setattr(_times, "_strength_of", lambda truth, censored: inverse(truth, 0.0))
    assert distance("survival", censored=0.8, n_repetitions=400).max() > LIMIT


def test_concordance_without_censoring_has_a_closed_form():
    strength = np.array([-0.9, -0.3, 0.0, 0.2, 0.8, 0.99])
    exact = 0.5 + np.arcsin(strength) / np.pi
    np.testing.assert_allclose(_times._concordance(strength, 0.0), exact, atol=1e-9)


def test_strength_inverts_the_concordance():
    truth = np.array([0.02, 0.4, 0.5, 0.77, 0.999])
    strength = _times._strength_of(truth, 0.5)
    np.testing.assert_allclose(_times._concordance(strength, 0.5), truth, atol=1e-9)


@pytest.mark.parametrize("name", ["accuracy", "auc", "regression", "survival"])
def test_true_performance_follows_the_beta_law(name):
    n = 5_000
    s = GENERATORS[name](20, n, beta=(9, 6), n_folds=2, random_state=3)
    values = np.sort(s.true_performance)
    steps = np.arange(n) / n
    theory = beta_law.cdf(values, 9, 6)
    # Dvoretzky-Kiefer-Wolfowitz: exceeded once in 100 000.
    limit = np.sqrt(np.log(2 / 1e-5) / (2 * n))
    assert max(np.abs(theory - steps).max(), np.abs(theory - steps - 1 / n).max()) < limit
    assert np.abs(beta_law.cdf(values, 9, 6.6) - steps).max() > limit


@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_scores_have_the_correlation_asked_for(correlation):
    s = bbc.simulate.auc(20_000, 2, correlation=correlation, random_state=0)
    noise = s.predictions[s.y == 0]
    found = np.corrcoef(noise.T)[0, 1]
    assert abs(found - correlation) <= LIMIT / np.sqrt(len(noise))


def test_fully_correlated_classifiers_are_right_on_nested_rows():
    s = bbc.simulate.accuracy(200, 3, true_performance=TRUTH, correlation=1, random_state=0)
    right = s.predictions == s.y[:, None]
    assert (right[:, 0] <= right[:, 1]).all()
    assert (right[:, 1] <= right[:, 2]).all()


@pytest.mark.parametrize("name", GENERATORS)
def test_seeds_and_generators(name):
    one = GENERATORS[name](40, 3, random_state=5)
    again = GENERATORS[name](40, 3, random_state=one.parameters["random_state"])
    np.testing.assert_array_equal(one.predictions, again.predictions)
    np.testing.assert_array_equal(one.true_performance, again.true_performance)
    rng = np.random.default_rng(5)
    first, second = (GENERATORS[name](40, 3, random_state=rng) for _ in range(2))
    assert (first.predictions != second.predictions).any()
    repeated = GENERATORS[name](40, 3, random_state=first.parameters["random_state"])
    np.testing.assert_array_equal(first.predictions, repeated.predictions)


@pytest.mark.parametrize("name", GENERATORS)
def test_simulations_are_frozen(name):
    s = GENERATORS[name](40, 3, random_state=5)
    assert not any(a.flags.writeable for a in (s.y, s.predictions, s.true_performance, s.folds))
    with pytest.raises(dataclasses.FrozenInstanceError):
        s.metric = "other"
    with pytest.raises(TypeError):
        s.parameters["n_rows"] = 1


def test_folds():
    assert bbc.simulate.accuracy(40, 1, random_state=0).folds.tolist() == sorted([*range(10)] * 4)
    s = bbc.simulate.auc(50, 1, minority=0.1, class_counts="fixed", random_state=0)
    assert s.y.sum() == 5
    assert s.folds.max() == 4
    assert np.bincount(s.folds[s.y == 1]).tolist() == [1] * 5
    drawn = bbc.simulate.auc(50, 1, minority=0.1, random_state=0)
    assert drawn.folds.max() + 1 == min(10, drawn.y.sum())


def test_bias_is_estimated_less_true():
    s = bbc.simulate.accuracy(60, 30, random_state=0)
    e = bbc.correct(s.y, s.predictions, metric=s.metric, random_state=0)
    assert s.bias(e) == e.estimate - s.true_performance[e.winner]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("accuracy", {"n_rows": 1}, "n_rows must be at least 2"),
        ("accuracy", {"n_configurations": 0}, "n_configurations must be at least 1"),
        ("accuracy", {"beta": (0, 1)}, "beta must be two positive numbers"),
        ("accuracy", {"correlation": 1.1}, "correlation must be between 0 and 1"),
        ("accuracy", {"n_folds": 41}, "n_folds=41 is more than n_rows=40"),
        ("accuracy", {"true_performance": [0.5]}, "has 1 entries for 3 configurations"),
        ("accuracy", {"true_performance": [0.5, 1, 0.5]}, "configuration 1 has 1.0"),
        ("auc", {"minority": 0.6}, r"minority must be in \(0, 0.5\]"),
        ("auc", {"minority": 0.04}, "there must be two"),
        ("auc", {"class_counts": "exact"}, "class_counts must be 'sampled' or 'fixed'"),
        ("auc", {"minority": 0.1, "class_counts": "fixed", "n_folds": 5}, "rarest class has 4"),
        ("multiclass", {"shares": (0.5, 0.5)}, "shares must be 3 positive numbers"),
        ("multiclass", {"shares": (0.01, 0.01, 0.98)}, "class 0 would have 0 rows"),
        ("survival", {"censored": 1}, "censored must be between 0 and 0.9"),
    ],
)
def test_refusals(name, options, message):
    arguments = {"n_rows": 40, "n_configurations": 3, "random_state": 0} | options
    with pytest.raises(ValueError, match=message):
        GENERATORS[name](**arguments)


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_rows_drawn_in_pieces_are_the_same(name, correlation, monkeypatch):
    options = {"correlation": correlation, "random_state": 4}
    whole = GENERATORS[name](31, 5, **options)
    monkeypatch.setattr(_simulation, "_NUMBERS_AT_ONCE", 12)  # two rows of five; one of classes
    pieces = GENERATORS[name](31, 5, **options)
    assert (whole.predictions == pieces.predictions).all()
    assert (whole.y == pieces.y).all()
