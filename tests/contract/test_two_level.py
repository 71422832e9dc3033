"""Two-level BBC through every door, and its calibrated interval."""

import math

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.tree import ExtraTreeClassifier

import bbc
from bbc.errors import BBCWarning

N_ROWS, N_CONFIGURATIONS = 120, 12
RNG = np.random.default_rng(5)
FOLDS = np.arange(N_ROWS) % 5
Y = RNG.integers(0, 2, N_ROWS)
WRONG = RNG.random((N_ROWS, N_CONFIGURATIONS)) > RNG.normal(0.7, 0.1, (5, N_CONFIGURATIONS))[FOLDS]
PREDICTIONS = np.where(WRONG, 1 - Y[:, None], Y[:, None])

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def two_level(**options):
    given = {"metric": "accuracy", "folds": FOLDS, "random_state": 3, "method": "bbc-two-level"}
    return bbc.correct(Y, PREDICTIONS, **(given | options))


def left_out_factor(n_folds):
    """E[K / D - 1 | D >= 1] by the surjections of K draws."""
    shares = []
    for left in range(1, n_folds):
        hit = n_folds - left
        onto = sum((-1) ** j * math.comb(hit, j) * (hit - j) ** n_folds for j in range(hit + 1))
        shares.append((math.comb(n_folds, left) * onto, n_folds / left - 1))
    return sum(w * f for w, f in shares) / sum(w for w, _ in shares)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_calibrated_interval_is_normal_in_spread_and_luck(alternative):
    e = two_level(interval="calibrated", alternative=alternative, confidence_level=0.9)
    # Training rows that folds share count as much as the rows themselves.
    variance = 2 * e.replicate_sd**2 / left_out_factor(5) + e.model_luck.luck_variance
    assert e.model_luck.luck_variance > 0
    z = norm.ppf(0.95 if alternative == "two-sided" else 0.9)
    # And the classes' shares that the folds do not show: test_drawn_folds.
    shares = e._winners.raw["rates"][-1]
    variance += max(0, shares[2] ** 2 - shares[3] ** 2)
    half = z * math.sqrt(variance)
    low, high = e.confidence_interval
    assert e.confidence_interval.calibrated
    assert low == (0 if alternative == "less" else pytest.approx(e.estimate - half, rel=1e-9))
    assert high == (1 if alternative == "greater" else pytest.approx(e.estimate + half, rel=1e-9))


def test_only_the_interval_is_calibrated():
    plain, calibrated = two_level(), two_level(interval="calibrated")
    assert not plain.confidence_interval.calibrated
    assert plain.confidence_interval != calibrated.confidence_interval
    np.testing.assert_array_equal(plain.replicates, calibrated.replicates)
    assert bbc.PerformanceEstimate.from_json(calibrated.to_json()) == calibrated


def test_what_says_nothing_of_luck_has_no_calibrated_interval():
    e = two_level(interval="calibrated", metric=lambda y, p: float(np.mean(y == p)))
    assert e.confidence_interval is None
    assert "Python function" in e.infeasible


@pytest.mark.parametrize("method", ["bbc", "bbc-f"])
def test_other_methods_have_no_calibrated_interval(method):
    with pytest.raises(ValueError, match="bbc-two-level"):
        two_level(method=method, interval="calibrated")


def test_streams_have_no_calibrated_interval():
    with pytest.raises(ValueError, match="interval"):
        bbc.correct(
            Y,
            bbc.Blocks([PREDICTIONS]),
            metric="accuracy",
            folds=FOLDS,
            method="bbc-two-level",
            interval="calibrated",
        )


def test_secondary_metrics_share_the_draws():
    both = bbc.correct(
        Y,
        PREDICTIONS,
        metric="accuracy",
        secondary=["balanced_accuracy"],
        folds=FOLDS,
        method="bbc-two-level",
        interval="calibrated",
        random_state=3,
    )
    other = both.secondary["balanced_accuracy"]
    np.testing.assert_array_equal(both.replicate_winners, other.replicate_winners)
    assert both.confidence_interval.calibrated
    assert not other.confidence_interval.calibrated


@pytest.mark.parametrize("protocol", [bbc.BBC, bbc.BBCD])
@pytest.mark.parametrize("interval", ["order-statistics", "calibrated"])
def test_protocols_draw_two_levels(protocol, interval):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    y = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    search = protocol(
        ExtraTreeClassifier(max_features=1),
        {"max_depth": [1, 2, 3]},
        cv=5,
        method="bbc-two-level",
        random_state=1,
    ).fit(X, y)
    e = bbc.correct(search, interval=interval)
    assert (e == search.performance_) == (interval == "order-statistics")
    assert e.method == "bbc-two-level"
    assert e.confidence_interval.calibrated == (interval == "calibrated")
    again = bbc.correct(
        y,
        search.oos_predictions_,
        metric="accuracy",
        method="bbc-two-level",
        interval=interval,
        random_state=1,
    )
    np.testing.assert_array_equal(e.replicates, again.replicates)


def test_protocols_refuse_before_training():
    X = np.zeros((20, 1))
    y = np.tile([0, 1], 10)
    with pytest.raises(ValueError, match="method must be"):
        bbc.BBC(ExtraTreeClassifier(), {}, method="tt").fit(X, y)
    with pytest.raises(ValueError, match="method must be"):
        bbc.BBCD(ExtraTreeClassifier(), {}, method="bbc-f").fit(X, y)
    hold_out = [(np.arange(10), np.arange(10, 20))]
    with pytest.raises(ValueError, match="two folds"):
        bbc.BBC(ExtraTreeClassifier(), {}, cv=hold_out, method="bbc-two-level").fit(X, y)


def test_summary_and_findings_name_the_draws():
    text = two_level().summary()
    assert "5000 of folds and, in them, rows" in text
    with pytest.warns(BBCWarning, match="BBC011"):
        plain = two_level(method="bbc")
    assert [f.code for f in plain.findings if f.code == "BBC011"] == ["BBC011"]
    assert "BBC011" not in [f.code for f in two_level().findings]
