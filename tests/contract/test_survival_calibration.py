"""Calibration of survival at a time: against the oracle, R, and worlds whose answer is known."""

import math
from pathlib import Path

import numpy as np
import pytest

import bbc
from reference import clinical
from reference import survival_calibration as oracle

N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS, TIME = 150, 4, 60, 1.0
BRIER = bbc.metrics.survival_brier_score(TIME)
GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "survival"


def world(n_rows, n_configurations, seed, extreme=1.0, noise=0.3):
    """Times with hazards exp(x), and curves that are more extreme; a fifth is censored by 1."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    event = np.round(rng.exponential(np.exp(-x)), 2) + 0.01
    censored = np.round(rng.exponential(3.0, n_rows), 2) + 0.01
    y = np.column_stack([event <= censored, np.minimum(event, censored)])
    own = extreme * x[:, None] + rng.normal(0, noise, (n_rows, n_configurations))
    return y, np.exp(-np.exp(own))


Y, S = world(N_ROWS, N_CONFIGURATIONS, 4)
CASES = {
    "plain": {},
    "weighted": {"sample_weight": np.random.default_rng(3).uniform(0.5, 3, N_ROWS)},
}


def draws():
    return np.random.default_rng(1).integers(0, N_ROWS, (N_BOOTSTRAPS, N_ROWS))


@pytest.mark.parametrize("case", CASES)
def test_the_oracle_agrees(case):
    options = CASES[case]
    w = options.get("sample_weight", np.ones(N_ROWS))
    drawn = draws()
    own = bbc.correct(Y, S, metric=BRIER, resamples=drawn, confidence_level=0.9, **options)
    c = own.survival_calibration(TIME)
    assert c.performance == own
    pseudo = oracle.pseudo_values(Y[:, 0] == 1, Y[:, 1], w, TIME)

    def rows_of(replicate, configuration):
        there = np.ones(N_ROWS, bool)
        if replicate is not None:
            there = np.bincount(drawn[replicate], minlength=N_ROWS) == 0
        return clinical.Rows(pseudo[there], 1 - S[there, configuration], w[there])

    whole = rows_of(None, own.winner)
    for name, expected in oracle.scalars(whole).items():
        quantity = getattr(c, name)
        assert quantity.apparent == pytest.approx(expected, rel=1e-8, abs=1e-9)
        replicates = clinical.without_shifts(
            lambda rows, name=name: oracle.scalars(rows)[name],
            rows_of,
            own.replicate_winners,
            own.winner,
        )
        np.testing.assert_allclose(quantity.replicates, replicates, rtol=1e-6, atol=1e-8)
        assert quantity.estimate == math.fsum(quantity.replicates) / len(quantity.replicates)
    np.testing.assert_allclose(c.curve.apparent, oracle.curve(whole, c.curve.x), atol=1e-9)
    out = [rows_of(b, winner) for b, winner in enumerate(own.replicate_winners)]
    curves = np.array([oracle.curve(rows, c.curve.x) for rows in out])
    np.testing.assert_allclose(
        c.curve.estimates, clinical.continued(curves).mean(axis=0), atol=1e-9
    )


def table(name):
    return np.genfromtxt(GOLDEN / f"{name}.csv", delimiter=",", names=True)


@pytest.mark.parametrize("value", table("calibration"), ids=lambda value: f"{value['case']:.0f}")
def test_values_are_those_of_r(value):
    """prodlim's jackknife and glm's estimating equations: tests/golden/survival/calibration.R."""
    cases, time = table("cases"), value["time"]
    rows = cases[cases["case"] == value["case"]]
    y = np.column_stack([rows["event"], rows["time"]])
    survival = np.exp(-time * np.exp(rows["risk"][:, None] / 2) / 10)
    brier = bbc.metrics.survival_brier_score(time)
    own = bbc.correct(y, survival, metric=brier, n_bootstraps=40, random_state=0)
    c = own.survival_calibration(time)
    for name in ("intercept", "slope", "slope_intercept"):
        assert getattr(c, name).apparent == pytest.approx(value[name], rel=1e-7, abs=1e-7)
    mean = 1 - survival.mean()
    assert c.observed_expected.apparent == pytest.approx(value["observed"] / mean, rel=0.05)
    weights = np.ones(len(rows))
    pseudo = oracle.pseudo_values(rows["event"] == 1, rows["time"], weights, time)
    assert c.observed_expected.apparent == pytest.approx(pseudo.mean() / mean, rel=1e-12)
    assert pseudo[0] == pytest.approx(value["pseudo_first"], abs=1e-12)
    assert (pseudo**2).sum() == pytest.approx(value["pseudo_squares"], rel=1e-12)
    observed = oracle.risk(rows["event"] == 1, rows["time"], weights, time)
    assert observed == pytest.approx(value["observed"], rel=1e-12)


@pytest.mark.parametrize("extreme", [1.0, 2.0])
def test_what_is_known_is_found(extreme):
    """Risks that are too extreme by a factor have the slope 1 / factor."""
    y, survival = world(3000, 1, 7, extreme, noise=0.0)
    own = bbc.correct(y, survival, metric=BRIER, n_bootstraps=100, random_state=0)
    c = own.survival_calibration(TIME)
    for quantity, truth in ((c.slope, 1 / extreme), (c.intercept, c.intercept.apparent)):
        low, high = quantity.confidence_interval
        assert low < truth < high
    if extreme == 1.0:
        assert abs(c.intercept.estimate) < 0.1
        assert abs(c.observed_expected.estimate - 1) < 0.05
        assert np.abs(c.curve.estimates - c.curve.x).max() < 0.06
        assert np.abs(c.group_observed - c.group_risks).max() < 0.06


def test_one_configuration_keeps_its_apparent_values():
    own = bbc.correct(Y, S[:, :1], metric=BRIER, n_bootstraps=80, random_state=2)
    c = own.survival_calibration(TIME)
    for quantity in c.quantities:
        assert quantity.estimate == pytest.approx(quantity.apparent, rel=1e-9, abs=1e-9)


def test_without_censoring_pseudo_values_are_outcomes():
    y = np.column_stack([np.ones(N_ROWS), Y[:, 1]])
    c = bbc.correct(y, S, metric=BRIER, n_bootstraps=40, random_state=1).survival_calibration(TIME)
    expected = np.mean(y[:, 1] <= TIME) / np.mean(1 - S[:, c.performance.winner])
    assert c.observed_expected.apparent == pytest.approx(expected, rel=1e-12)


def test_groups_are_kaplan_meiers():
    own = bbc.correct(Y, S, metric=BRIER, n_bootstraps=40, random_state=1)
    c = own.survival_calibration(TIME, n_groups=3)
    risk = 1 - S[:, c.performance.winner]
    order = np.argsort(risk)
    for group, rows in enumerate(np.array_split(order, 3)):
        assert c.group_counts[group] == len(rows)
        assert c.group_risks[group] == pytest.approx(risk[rows].mean(), rel=1e-12)
        expected = oracle.risk(Y[rows, 0] == 1, Y[rows, 1], np.ones(len(rows)), TIME)
        assert c.group_observed[group] == pytest.approx(expected, rel=1e-12)


def test_another_metric_selects_and_repeats_are_averaged():
    risks = np.log(-np.log(S))
    two = world(N_ROWS, N_CONFIGURATIONS, 4, noise=0.5)[1]
    named = {
        "scores": [risks, np.log(-np.log(two))],
        "survival": [np.stack([S**0.5, S], axis=2), np.stack([two**0.5, two], axis=2)],
    }
    options = {"n_bootstraps": 40, "random_state": 1}
    own = bbc.correct(Y, named, times=(0.5, 1.0), metric="uno_concordance", **options)
    c = own.survival_calibration(1.0)
    assert c.performance == own
    winner = c.performance.winner
    each = [
        bbc.correct(Y, p[:, [winner]], metric=BRIER, **options).survival_calibration(1.0)
        for p in (S, two)
    ]
    assert c.slope.apparent == pytest.approx(np.mean([e.slope.apparent for e in each]), rel=1e-9)
    assert c.group_risks[0] < c.group_risks[-1]


def test_results_survive_json_and_threads():
    same = {"metric": BRIER, "n_bootstraps": 60, "random_state": 1}
    one, two = (bbc.correct(Y, S, n_threads=n, **same).survival_calibration(TIME) for n in (1, 2))
    assert one == two
    assert bbc.results.SurvivalCalibration.from_json(one.to_json()) == one
    assert "calibration slope" in one.summary()
    assert len(one.to_frame()) == 4


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"time": 0.0}, "time must be a time above 0"),
        ({"time": 1e9}, "must be before"),
        ({"n_groups": 1}, "n_groups must be at least 2"),
        ({"predictions": 3 * S}, r"must be in \[0, 1\]"),
        ({"metric": "uno_concordance"}, "predictions are one array, which metric 'uno_concord"),
        ({"times": [2.0], "metric": BRIER}, "reads it at 1, too"),
        ({"method": "tt"}, 'method="tt"'),
    ],
)
def test_what_is_wrong_is_named(changes, match):
    given = {"predictions": S, "metric": BRIER} | changes
    asked = {"time": TIME}
    asked |= {name: given.pop(name) for name in ("time", "n_groups") if name in given}
    with pytest.raises(ValueError, match=match):
        bbc.correct(Y, **given).survival_calibration(**asked)
