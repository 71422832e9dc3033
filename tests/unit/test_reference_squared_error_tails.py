"""The oracle of limits of squared errors against sums by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from reference import squared_error_tails as oracle
from reference.philox import bounded, words


def sample(seed, n=60, spread=3):
    rng = np.random.default_rng(seed)
    y = rng.standard_t(spread, n)
    return y, np.zeros(n)


def test_kurtosis():
    # v = 0, 0, 0, 4: mean 1, mean of squares 4. Weight 3 of the last: 2 and 8.
    assert oracle.kurtosis([0, 0, 0, 4], np.ones(4)) == 4
    assert oracle.kurtosis([0, 0, 0, 4], [1, 1, 1, 3]) == 2
    assert oracle.kish([1, 1, 1, 3]) == 3
    # n = 96: the threshold is 4.5.
    v = np.zeros(96)
    v[:22] = 1  # 96 / 22 = 4.36
    assert not oracle.has_long_tails(v, np.ones(96))
    v[21] = 0  # 96 / 21 = 4.57
    assert oracle.has_long_tails(v, np.ones(96))
    assert not oracle.has_long_tails(np.zeros(96), np.ones(96))


def test_units_and_their_spread():
    v, w = np.array([1.0, 5.0, 2.0, 9.0, 4.0]), np.array([1.0, 0.0, 3.0, 2.0, 1.0])
    units = oracle.units_of(v, w, ["b", "a", "a", "b", "c"])
    assert units.a.tolist() == [19, 6, 4]  # b, a, c
    assert units.w.tolist() == [3, 3, 1]
    assert units.means == [Fraction(19, 3), 2, 4]
    mean, sd = oracle.mean_and_sd(units, [0, 0, 1])
    assert mean == pytest.approx(44 / 9)
    # A - mean W: 13/3, 13/3, -26/3.
    assert sd == pytest.approx(math.sqrt((13**2 + 13**2 + 26**2) / 9 / 3) / 3)
    assert oracle.mean_and_sd(units, [2, 2])[1] == 0
    # Rows of weight one: mean and standard deviation with ddof 0.
    rows = oracle.units_of(v, np.ones(5), range(5))
    assert oracle.mean_and_sd(rows, range(5)) == (pytest.approx(4.2), pytest.approx(np.std(v)))


def test_rows_of_one_error_are_alike_whatever_they_weigh():
    v, w = np.array([0.1, 0.1, 0.3]), np.array([0.3, 0.7, 1.1])
    units = oracle.units_of(v, w, range(3))
    assert oracle.mean_and_sd(units, [0, 1, 0])[1] == 0
    assert oracle.mean_and_sd(units, [0, 1, 2])[1] > 0


@pytest.mark.parametrize("name", ["mean_squared_error", "root_mean_squared_error", "r2"])
@pytest.mark.parametrize(("alternative", "rank"), [("two-sided", 25), ("one-sided", 50)])
def test_limits_of_rows(name, alternative, rank):
    y, p = sample(2, spread=30)
    v = y**2
    assert np.mean(v**2) / np.mean(v) ** 2 < 3 + 3 * math.sqrt(24 / 60)
    e = {"mean_squared_error": 1.1, "root_mean_squared_error": 1.05, "r2": -0.1}[name]
    lower = name == "r2"
    if alternative == "one-sided":
        alternative = "greater" if lower else "less"
    found = oracle.tail_limits(y, p, name, e, e, e, seed=9, alternative=alternative)
    t = []
    for b in range(1000):
        source = words(9, b, 0, 0x80000005)
        drawn = v[[bounded(source, 60) for _ in range(15)]]  # 60^(2/3) = 15.3
        t.append(math.sqrt(15) * (drawn.mean() - v.mean()) / drawn.std())
    reach = -sorted(t)[rank - 1] * v.std() / math.sqrt(60)
    expected = {
        "mean_squared_error": 1.1 + reach,
        "root_mean_squared_error": math.sqrt(1.05**2 + reach),
        "r2": -0.1 - reach / y.var(),
    }[name]
    assert reach > 0
    assert found.low == (pytest.approx(expected) if lower else e)
    assert found.high == (e if lower else pytest.approx(expected))
    assert not found.same_errors
    assert not found.long_tails


def test_negated_metrics_are_mirrored():
    y, p = sample(3)
    for name, e in (("mean_squared_error", 3.0), ("root_mean_squared_error", 1.7)):
        high = oracle.tail_limits(y, p, name, e, e, e).high
        low = oracle.tail_limits(y, p, f"neg_{name}", -e, -e, -e).low
        assert low == -high < -e
        # The limit that is asked for is on the other side.
        other = oracle.tail_limits(y, p, f"neg_{name}", -e, -e, 0.0, alternative="less")
        assert (other.low, other.high) == (-e, 0)


def test_long_tails_draw_the_root_of_the_units():
    y, p = sample(4)
    y[7] = 50
    units = oracle.units_of(y**2, np.ones(60), range(60))
    assert oracle.number_drawn(units, long_tails=False) == 15
    assert oracle.number_drawn(units, long_tails=True) == 8
    found = oracle.tail_limits(y, p, "mean_squared_error", 45.0, 20.0, 120.0)
    assert found.long_tails
    expected = oracle.largest_error(units, 45.0, 0.975, long_tails=True, seed=0)
    assert found.high == expected > 120
    # A limit that is farther already stays.
    far = oracle.tail_limits(y, p, "mean_squared_error", 45.0, 20.0, 2 * expected)
    assert (far.low, far.high) == (20, 2 * expected)


def test_whole_groups_are_drawn():
    y, p = sample(5, n=30)
    twice = np.repeat(y, 2)
    names = np.repeat(np.arange(30), 2)
    e = ("mean_squared_error", 3.0, 3.0, 3.0)
    rows = oracle.tail_limits(y, p, *e)
    groups = oracle.tail_limits(twice, np.zeros(60), *e, groups=names.tolist())
    weights = oracle.tail_limits(y, p, *e, sample_weight=np.full(30, 0.25))
    absent = oracle.tail_limits(
        np.append(y, 99), np.zeros(31), *e, sample_weight=np.append(np.ones(30), 0)
    )
    assert groups.high == pytest.approx(rows.high, rel=1e-12)
    assert weights.high == pytest.approx(rows.high, rel=1e-12)
    assert absent == rows
    # 19 groups, or 30 rows that weigh as much as fewer than 20: as they are.
    few = oracle.tail_limits(y, p, *e, groups=[min(i, 18) for i in range(30)])
    assert few.high == 3
    heavy = oracle.tail_limits(y, p, *e, sample_weight=np.where(np.arange(30) < 3, 10, 1))
    assert heavy.high == 3


def test_repeats_are_averaged_row_by_row():
    y, p = sample(6)
    repeats = np.stack([p, p + 1, y])
    v = (y**2 + (y - 1) ** 2) / 3
    assert oracle.squared_errors(y, repeats) == pytest.approx(v)


def test_many_equal_errors_leave_the_limit():
    # Errors of 0 with probability .7: 15 of 15 in .005 of the draws, above .0025.
    y = np.zeros(60)
    y[::3] = np.arange(1.0, 21)
    y[1] = y[2] = 0.0
    y[4] = 0.5
    share = (39 / 60) ** 15
    t = oracle.studentised(oracle.units_of(y**2, np.ones(60), range(60)), 15, seed=0)
    alike = sum(value == -math.inf for value in t)
    assert abs(alike / 1000 - share) < 4 * math.sqrt(share / 1000)
    y[3::3] = 0
    y[6] = 3.0
    y[9] = 4.0
    found = oracle.tail_limits(y, np.zeros(60), "mean_squared_error", 0.5, 0.1, 1.0)
    assert found == (0.1, 1.0, True, True)
    # Errors that are all equal, and a truth of two values: as they are.
    same = oracle.tail_limits(np.arange(60.0), np.arange(60.0) + 1, "r2", 0.9, 0.9, 1.0)
    assert (same.low, same.same_errors) == (0.9, False)
    two = oracle.tail_limits(np.arange(60) % 2, np.linspace(0, 1, 60), "r2", 0.1, 0.1, 0.2)
    assert two == (0.1, 0.2, False, False)
