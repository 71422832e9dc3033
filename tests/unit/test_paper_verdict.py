"""The rule that says whether a table of benches/paper agrees with a paper's."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benches.paper._verdict import (  # noqa: E402
    Claim,
    Table,
    correlation,
    holm,
    judge,
    most_far,
    p_above,
    pooled,
)


def numbers(z, **options):
    return Table(
        "numbers", [Claim.equal(str(i), 0, 0, value) for i, value in enumerate(z)], **options
    )


def one_sided(kind, p):
    return Table("claims", [getattr(Claim, kind)(str(i), 0, 0, value) for i, value in enumerate(p)])


def test_equal_numbers_agree_whatever_the_seed_and_rarely_do_not():
    rng = np.random.default_rng(0)
    n_tables, sizes = 2000, (8, 12, 36)
    for size in sizes:
        differing = sum(
            judge(numbers(z)).mark == "differs" for z in rng.standard_normal((n_tables, size))
        )
        # At most 1 % by the count and .27 % by the sum.
        assert differing <= stats.binom.ppf(0.9999, n_tables, 0.0127)


@pytest.mark.parametrize(("n_far", "mark"), [(3, "agrees"), (4, "differs")])
def test_more_cells_beyond_two_standard_errors_than_chance_allows_differ(n_far, mark):
    z = np.zeros(12)
    z[:n_far] = 2.1 * (-1.0) ** np.arange(n_far)
    assert most_far(12) == 3
    assert judge(numbers(z)).mark == mark


def test_a_planted_shift_differs_although_no_cell_is_far():
    # Every cell .9 standard errors too high: the largest difference says nothing.
    z = np.full(12, 0.9)
    assert judge(numbers(z)).mark == "differs"
    assert judge(numbers(z / 1.1)).mark == "agrees"


def test_the_former_rule_passed_tables_that_differ():
    # Twelve rank correlations on Rastrigin's function, all too low: none is beyond 4.
    z = np.array(
        [-3.19, -2.15, -2.79, -1.32, -0.96, -1.86, -2.93, -1.86, -3.04, -2.2, -2.17, -1.44]
    )
    assert abs(z).max() < 4
    assert judge(numbers(z)).mark == "differs"


def test_cells_of_the_same_runs_are_one_observation_to_the_sum():
    z = np.full(9, 1.5)
    same = np.ones((9, 9))
    assert pooled(z) == pytest.approx(4.5)
    assert pooled(z, same) == pytest.approx(1.5)
    assert judge(numbers(z)).mark == "differs"
    assert judge(numbers(z, correlation=same)).mark == "agrees"


def test_pooled_z_has_unit_variance_under_the_covariance_of_the_runs():
    rng = np.random.default_rng(1)
    n_units, n_cells, n_tables = 400, 6, 400
    loading = rng.normal(size=n_cells)
    totals = []
    for _ in range(n_tables):
        values = rng.normal(size=(n_units, 1)) * loading + rng.normal(size=(n_units, n_cells))
        z = values.mean(axis=0) / (values.std(axis=0, ddof=1) / np.sqrt(n_units))
        totals.append(pooled(z, correlation(values)))
    low, high = stats.chi2.ppf([1e-4, 1 - 1e-4], n_tables) / n_tables
    assert low < np.mean(np.square(totals)) < high


def test_units_that_a_cell_lacks_count_for_nothing():
    values = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, np.nan], [4.0, 8.0]])
    found = correlation(values)
    assert np.allclose(np.diag(found), 1)
    assert 0.8 < found[0, 1] < 1


def test_not_optimistic_fails_only_if_rejected_after_holm():
    # One of six at p = .01 is not rejected (Holm: .05 / 6), at p = .0005 it is.
    assert judge(one_sided("not_refuted", [0.01, *[0.5] * 5])).mark == "agrees"
    verdict = judge(one_sided("not_refuted", [0.0005, *[0.5] * 5]))
    assert verdict.mark == "differs"
    assert verdict.marks == ("differs", *["agrees"] * 5)


def test_halving_after_a_weak_signal_fails():
    z = [-0.21, 0.92, 5.31, 0.28, 1.9, 3.31]
    verdict = judge(one_sided("not_refuted", stats.norm.sf(z)))
    assert verdict.marks == ("agrees", "agrees", "differs", "agrees", "agrees", "differs")


def test_a_direction_must_be_shown():
    verdict = judge(one_sided("shown", [0.001, 0.3, 0.9999]))
    assert verdict.marks == ("agrees", "not shown", "differs")
    assert verdict.mark == "differs"
    assert judge(one_sided("shown", [0.001, 0.3])).mark == "not shown"


def test_holm_rejects_in_order_and_stops():
    p = np.array([0.04, 0.012, 0.02, 0.001])
    assert holm(p).tolist() == [True, True, True, True]
    p = np.array([0.04, 0.018, 0.02, 0.001])
    assert holm(p).tolist() == [False, False, False, True]


def test_holm_keeps_the_level_of_a_family():
    rng = np.random.default_rng(2)
    n = 4000
    wrong = sum(holm(p).any() for p in rng.random((n, 10)))
    assert wrong <= stats.binom.ppf(0.9999, n, 0.05)


def test_information_is_not_counted():
    information = Claim.information("settings", "196")
    assert judge(Table("size", [information])).mark == ""
    claims = [information, Claim.statement("all", 1, 1, False)]
    verdict = judge(Table("mixed", claims))
    assert verdict.marks == ("", "differs")
    assert verdict.reason == "0 of 1 claims"


def test_undefined_p_values_show_and_refute_nothing():
    assert judge(one_sided("shown", [np.nan])).mark == "not shown"
    assert judge(one_sided("not_refuted", [np.nan])).mark == "agrees"
    assert p_above(1.0, 0.0) == 0.5
    assert p_above(1.0, float("nan")) == 0.5


def test_few_values_are_tested_by_students_t():
    assert p_above(2.0, 1.0) == pytest.approx(stats.norm.sf(2))
    assert p_above(2.0, 1.0, 6) == pytest.approx(stats.t.sf(2, 5))
