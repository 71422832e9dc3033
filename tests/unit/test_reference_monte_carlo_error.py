"""The oracle of Monte Carlo errors against numbers by hand and the law of order statistics."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference import monte_carlo_error as oracle


def test_by_hand():
    # B = 1000, a = .025: sd = 4.9371, delta = 9.8742, ranks 16 and 35 (of the upper limit,
    # 966 and 985).
    replicates = np.arange(1.0, 1001)[::-1] ** 2
    errors = oracle.monte_carlo_error(replicates)
    assert errors.estimate == pytest.approx(np.std(replicates, ddof=1) / math.sqrt(1000))
    assert errors.low == pytest.approx((35**2 - 16**2) / 4)
    assert errors.high == pytest.approx((985**2 - 966**2) / 4)
    # a = .05: sd = 6.8920, ranks 50 -+ 13.784.
    lower = oracle.monte_carlo_error(replicates, alternative="greater")
    assert lower == (errors.estimate, pytest.approx((64**2 - 37**2) / 4), None)
    upper = oracle.monte_carlo_error(replicates, alternative="less")
    assert upper == (errors.estimate, None, pytest.approx((964**2 - 937**2) / 4))


def test_few_replicates_reach_no_further_than_the_ends():
    # B = 100, a = .025: sd = 1.5612, delta = 2.5 - 1 = 1.5, ranks 1 and 4.
    values = np.arange(1.0, 101) ** 2
    assert oracle.of_order_statistic(values, 0.025) == pytest.approx(15 / 2 / 1.5 * 1.5612495)
    # Ranks 97.5 -+ 1.5 of the upper limit.
    upper = oracle.of_order_statistic(values, 0.975)
    assert upper == pytest.approx((99**2 - 96**2) / 2 / 1.5 * 1.5612495)
    # B = 60: delta = .5 is less than half of sd = 1.2093; B = 20: delta is negative.
    assert oracle.of_order_statistic(np.arange(60.0), 0.025) is None
    assert oracle.of_order_statistic(np.arange(20.0), 0.025) is None
    assert oracle.monte_carlo_error([0.5]) == (None, None, None)


@pytest.mark.parametrize(("a", "n"), [(0.025, 1000), (0.975, 5000), (0.05, 200), (0.5, 400)])
def test_error_of_an_order_statistic_of_uniform_variables(a, n):
    """At their expectations, uniform variables give the sd of the order statistic, a beta law."""
    rank = math.ceil(round(a * n, 9))
    sd = math.sqrt(rank * (n + 1 - rank) / ((n + 1) ** 2 * (n + 2)))
    error = oracle.of_order_statistic(np.arange(1, n + 1) / (n + 1), a)
    # Rounded ranks: the distance is right to one rank of about four standard deviations.
    assert error == pytest.approx(sd, rel=1.5 / (4 * math.sqrt(n * a * (1 - a))) + 0.02)


def test_moved_limits_have_at_least_the_error_of_the_estimate():
    rng = np.random.default_rng(0)
    replicates = np.minimum(rng.normal(1, 0.1, 1000), 1)  # ties above
    plain = oracle.monte_carlo_error(replicates)
    assert plain.high == 0 < plain.estimate < plain.low
    moved = oracle.monte_carlo_error(replicates, moved=(True, True))
    assert moved == (plain.estimate, plain.low, plain.estimate)
    assert oracle.monte_carlo_error(replicates, moved=(True, False)) == plain
    assert oracle.monte_carlo_error(replicates[:60], moved=(True, True))[1:] == (None, None)
    assert oracle.of_order_statistic([-math.inf] * 20 + [0.0] * 980, 0.025) is None


def test_finding_names_a_number():
    errors = oracle.MonteCarloError(0.1, 0.002, 0.006)
    # Width .1: .006 > .005; 1000 (.006 / .002)^2.
    assert oracle.replicates_to_ask_for(errors, 0.4, 0.5, 1000) == 9000
    assert oracle.replicates_to_ask_for(errors, 0.0, 0.13, 1000) is None
    assert oracle.replicates_to_ask_for(errors, 0.5, 0.5, 1000) is None
    assert oracle.replicates_to_ask_for(errors, 0.5, math.inf, 1000) is None
    nothing = oracle.MonteCarloError(0.1, None, None)
    assert oracle.replicates_to_ask_for(nothing, 0.4, 0.5, 1000) is None


@pytest.mark.parametrize(
    ("error", "width", "expected"),
    [
        (0.001, 0.1, 3),  # .002 against .0005
        (0.0001, 0.1, 4),  # .0002 against .0005
        (0.005, 0.1, 2),  # .01
        (3.0, 10.0, 1),
        (0.0, 0.0, 6),
        (1e-9, 1e-9, 6),
        (None, 0.3, 3),  # .0015
        (0.001, math.inf, 3),
    ],
)
def test_decimals(error, width, expected):
    assert oracle.decimals(error, width) == expected
