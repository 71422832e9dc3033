"""Weighted mean correction: closed forms, the oracle's normal probabilities, degenerate errors."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import bbc
from bbc.errors import ArgumentError
from nightly import covering
from reference.wmc import covariance
from reference.wmc import wmc as oracle

ROWS = {"n_train": 80, "n_test": 20}
N_DRAWS = 50_000
# Of independent checks of which each fails once in 30,000, none should.
Z = 4.2


def errors_of(n_configurations, seed=0, n_iterations=30, spread=0.02):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n_iterations, 1))
    own = rng.normal(size=(n_iterations, n_configurations))
    return 0.3 + spread * np.arange(n_configurations) / n_configurations + 0.04 * (common + own)


@pytest.mark.parametrize("seed", range(5))
def test_two_configurations_have_a_closed_form(seed):
    errors = errors_of(2, seed)
    found = bbc.baselines.wmc(errors, random_state=seed, **ROWS)
    sigma = covariance(errors, **ROWS)
    sd = np.sqrt(sigma[0, 0] + sigma[1, 1] - 2 * sigma[0, 1])
    means = errors.mean(axis=0)
    first = norm.cdf((means[1] - means[0]) / sd)
    assert abs(found.weights[0] - first) < Z * np.sqrt(first * (1 - first) / N_DRAWS)
    exact = first * means[0] + (1 - first) * means[1]
    assert abs(found.estimate - exact) < Z * found.monte_carlo_error
    np.testing.assert_allclose(found.errors, means, rtol=1e-14)
    assert found.apparent == means.min()


@pytest.mark.parametrize(
    ("shrink", "n_configurations"), covering(list(product((False, True), (3, 6))), every=2)
)
def test_it_agrees_with_multivariate_normal_probabilities(n_configurations, shrink):
    """Seen to fail on (1 / B + rho) instead of (1 / B + rho / (1 - rho))."""
    errors = errors_of(n_configurations)
    found = bbc.baselines.wmc(errors, shrink=shrink, random_state=1, **ROWS)
    estimate, weights = oracle(errors, shrink=shrink, **ROWS)
    # The shrinkage is simulated on both sides.
    slack = 2.0 if shrink else 1.0
    assert abs(found.estimate - estimate) < slack * Z * found.monte_carlo_error
    error = np.sqrt(weights * (1 - weights) / N_DRAWS)
    assert (abs(found.weights - weights) < slack * Z * error + 1e-6).all()
    assert found.weights.sum() == pytest.approx(1, abs=1e-12)
    assert found.method == ("wmcs" if shrink else "wmc")
    assert (found.shrinkage > 0) == shrink


def test_the_stated_monte_carlo_error_is_that_over_seeds():
    errors = errors_of(5)
    found = [bbc.baselines.wmc(errors, random_state=seed, **ROWS) for seed in range(60)]
    sd = np.std([each.estimate for each in found], ddof=1)
    assert 0.7 < sd / found[0].monte_carlo_error < 1.35  # chi with 59 degrees of freedom


def test_between_the_least_and_the_largest_error():
    for seed in range(20):
        errors = errors_of(8, seed, n_iterations=4)
        plain, shrunken = (
            bbc.baselines.wmc(errors, shrink=shrink, random_state=seed, **ROWS)
            for shrink in (False, True)
        )
        for found in (plain, shrunken):
            assert found.errors.min() <= found.estimate <= found.errors.max()
        assert shrunken.estimate >= plain.estimate - Z * plain.monte_carlo_error


def test_one_configuration_is_its_own_mean():
    errors = errors_of(1)
    for shrink in (False, True):
        found = bbc.baselines.wmc(errors, shrink=shrink, random_state=0, **ROWS)
        assert found.estimate == found.apparent == pytest.approx(errors.mean(), rel=1e-14)
        assert found.weights.tolist() == [1.0]


def test_errors_that_do_not_vary_are_constants():
    errors = np.column_stack([np.full(10, 0.2), np.full(10, 0.3)])
    found = bbc.baselines.wmc(errors, random_state=0, **ROWS)
    assert found.weights.tolist() == [1.0, 0.0]
    assert (found.estimate, found.monte_carlo_error) == (0.2, 0.0)
    equal = bbc.baselines.wmc(np.full((10, 4), 0.1), shrink=True, random_state=0, **ROWS)
    assert (equal.estimate, equal.shrinkage) == (0.1, 1.0)
    assert equal.weights.tolist() == [0.25] * 4


def test_equal_columns_share_a_weight_and_change_nothing():
    errors = errors_of(4)
    once = bbc.baselines.wmc(errors, random_state=3, **ROWS)
    twice = bbc.baselines.wmc(errors[:, [0, 1, 2, 3, 0, 2]], random_state=3, **ROWS)
    assert twice.estimate == pytest.approx(once.estimate, rel=1e-14)
    assert twice.weights[0] == twice.weights[4] == once.weights[0] / 2
    assert twice.winner == once.winner


def test_fewer_iterations_than_configurations_have_a_singular_covariance():
    errors = errors_of(12, n_iterations=3)
    found = bbc.baselines.wmc(errors, random_state=0, **ROWS)
    assert found.weights.sum() == pytest.approx(1, abs=1e-12)


def test_the_result():
    frame = pd.DataFrame(errors_of(3), columns=["a", "b", "c"])
    found = bbc.baselines.wmc(frame, shrink=True, random_state=5, **ROWS)
    assert found.names == ("a", "b", "c")
    assert found.to_frame()["name"].tolist() == ["a", "b", "c"]
    assert type(found).from_json(found.to_json()) == found
    assert found == bbc.baselines.wmc(frame, shrink=True, random_state=5, n_threads=2, **ROWS)
    assert "shrinkage" in found.summary()
    assert repr(found).startswith("WeightedMeanCorrection(")
    assert found.findings == ()
    with pytest.raises(ValueError, match="complete WeightedMeanCorrection"):
        bbc.results.WeightedMeanCorrection.from_json(found.to_json().replace("[", "[1.0, ", 1))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"errors": [0.1, 0.2]}, "errors must have the axes"),
        ({"errors": [[0.1, 0.2]]}, "errors has 1 iteration;"),
        ({"errors": np.empty((3, 0))}, "errors has no configurations"),
        ({"errors": [[0.1, np.nan], [0.1, 0.2]]}, "errors are not finite at iteration 0"),
        ({"errors": [["a"], ["b"]]}, "errors must be numbers"),
        ({"errors": None}, "errors must be an array"),
        ({"n_train": 0}, "n_train must be at least 1"),
        ({"n_test": 2.5}, "n_test must be an integer"),
        ({"shrink": "yes"}, "shrink must be True or False"),
        ({"names": ["a"]}, "names has 1 entries"),
        ({"random_state": -1}, "random_state must be between"),
        ({"n_threads": 0}, "n_threads must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused(change, problem):
    arguments = {"errors": errors_of(2), **ROWS, **change}
    with pytest.raises(ArgumentError, match=problem):
        bbc.baselines.wmc(arguments.pop("errors"), **arguments)
