"""Limits of squared errors with long tails, against the oracle."""

import math

import numpy as np
import pytest

import bbc
from bbc import _core
from reference import squared_error_tails as oracle

NAMED = (
    *("mean_squared_error", "root_mean_squared_error", "r2"),
    *("neg_mean_squared_error", "neg_root_mean_squared_error"),
)


def sample(n_rows=60, *, degrees=3, seed=0, n_repeats=1):
    """A truth, and predictions of four configurations, which miss it by errors with long tails."""
    rng = np.random.default_rng([seed, n_rows, n_repeats])
    y = rng.normal(size=n_rows)
    errors = rng.standard_t(degrees, size=n_rows)[:, None]
    own = 0.3 * rng.normal(size=(n_repeats, n_rows, 4))
    arrays = list(y[:, None] + errors + own)
    return y, arrays if n_repeats > 1 else arrays[0]


def of_replicates(e, alternative):
    """The limits of the replicates alone, within the metric's range."""
    level = e.confidence_interval.confidence_level
    low, high = _core.order_statistic_interval(
        e.replicates, level, alternative, -math.inf, math.inf
    )
    lowest, highest = e.metric_range
    return max(low, lowest), min(high, highest)


def expected(e, y, predictions, **design):
    """The oracle's limits around a result."""
    alternative = e.confidence_interval.alternative
    repeats = predictions if isinstance(predictions, list) else [predictions]
    return oracle.tail_limits(
        y,
        np.array([repeat[:, e.winner] for repeat in repeats]),
        e.metric,
        e.estimate,
        *of_replicates(e, alternative),
        seed=e.seed,
        confidence_level=e.confidence_interval.confidence_level,
        alternative=alternative,
        **design,
    )


def agree(e, found):
    interval = e.confidence_interval
    assert interval.low == pytest.approx(found.low, rel=1e-9)
    assert interval.high == pytest.approx(found.high, rel=1e-9)
    codes = {one.code for one in e.findings}
    assert ("BBC034" in codes) == found.same_errors
    assert ("BBC013" in codes) >= found.long_tails


@pytest.mark.parametrize("metric", NAMED)
@pytest.mark.parametrize("design", ["rows", "weights", "groups", "both", "repeats"])
def test_limits_are_those_of_the_oracle(metric, design):
    """Also with weights of 0, whose rows are no rows, and groups of unequal sizes."""
    rng = np.random.default_rng(3)
    y, predictions = sample(90, n_repeats=2 if design == "repeats" else 1)
    given = {}
    if design in ("weights", "both"):
        given["sample_weight"] = rng.exponential(size=90) * (rng.random(90) < 0.9)
    if design in ("groups", "both"):
        given["groups"] = rng.integers(80, size=90)
    e = bbc.correct(y, predictions, metric=metric, random_state=5, n_bootstraps=500, **given)
    found = expected(e, y, predictions, **given)
    agree(e, found)
    assert (found.low, found.high) != of_replicates(e, "two-sided")


@pytest.mark.parametrize("degrees", [3, 1000])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("level", [0.6, 0.95, 0.99])
@pytest.mark.parametrize("metric", ["mean_squared_error", "root_mean_squared_error", "r2"])
def test_sides_and_levels(metric, level, alternative, degrees):
    """m is n^(1/2) where tails are long, else n^(2/3); the side of small errors stays."""
    y, predictions = sample(80, degrees=degrees, seed=2)
    e = bbc.correct(
        y,
        predictions,
        metric=metric,
        random_state=7,
        n_bootstraps=500,
        confidence_level=level,
        alternative=alternative,
    )
    found = expected(e, y, predictions)
    assert found.long_tails == (degrees == 3)
    agree(e, found)
    near = "high" if metric == "r2" else "low"
    before = dict(zip(("low", "high"), of_replicates(e, alternative), strict=True))
    assert getattr(e.confidence_interval, near) == before[near]


def test_what_is_said_of_long_tails():
    """As long as no single row has too large a share of the loss."""
    y, predictions = sample(300, degrees=4)
    options = {"random_state": 7, "n_bootstraps": 200}
    e = bbc.correct(y, predictions, metric="r2", **options)
    kurtosis = oracle.kurtosis((y - predictions[:, e.winner]) ** 2, np.ones(300))
    said = f"the errors have long tails (kurtosis {kurtosis:.3g}, normal errors: 3): the expected"
    assert any(one.detail.startswith(said) for one in e.findings)
    for metric in ("mean_absolute_error", "explained_variance"):
        other = bbc.correct(y, predictions, metric=metric, **options)
        assert not any("kurtosis" in one.detail for one in other.findings)
    predictions[40, :] = y[40] + 60
    e = bbc.correct(y, predictions, metric="r2", **options)
    (finding,) = [one for one in e.findings if one.code == "BBC013"]
    assert finding.detail.endswith("of the winner's loss is that of one row of 300")


def moved(y, predictions, **options):
    """Whether a limit is farther than that of the replicates."""
    options = {"metric": "mean_squared_error", "random_state": 1, "n_bootstraps": 500} | options
    e = bbc.correct(y, predictions, **options)
    interval = e.confidence_interval
    return (interval.low, interval.high) != of_replicates(e, interval.alternative)


def test_where_limits_stay():
    """Fewer than 20 units, other draws, other metrics, a truth of two values."""
    y, predictions = sample(40)
    folds = np.arange(40) % 5
    assert moved(y, predictions)
    assert not moved(y[:19], predictions[:19])
    assert moved(y[:20], predictions[:20])
    assert not moved(y, predictions, groups=np.arange(40) % 19)
    assert not moved(y, predictions, sample_weight=np.r_[np.ones(19), np.full(21, 0.001)])
    assert not moved(y, predictions, folds=folds, pooling="fold")
    assert not moved(y, predictions, metric="mean_absolute_error")
    assert not moved(y, predictions, metric="explained_variance")
    assert not moved((y > 0).astype(float), predictions)
    drawn = np.random.default_rng(1).integers(40, size=(500, 40))
    assert not moved(y, predictions, resamples=drawn, random_state=None)


def test_errors_of_one_size():
    """Few rows with another error: draws often hold only one, and show no tails."""
    y = np.arange(100.0)
    errors = np.where(np.arange(100) < 4, 3.0, 1.0)
    predictions = np.column_stack([y + errors, y - errors])
    e = bbc.correct(y, predictions, metric="mean_squared_error", random_state=1)
    found = expected(e, y, predictions)
    assert found.same_errors
    agree(e, found)
    assert not moved(y, predictions)
    assert not moved(y, (y + 1)[:, None]), "no spread at all"
    with pytest.warns(bbc.errors.BBCWarning, match="the truth"):
        exact = bbc.correct(y, y[:, None], metric="mean_squared_error", random_state=1)
    assert exact.confidence_interval.high == 0


@pytest.mark.parametrize("power", [-500, -20, 20, 400])
def test_units_do_not_matter(power):
    """Errors times a power of two give limits times it, to the last bit."""
    y, predictions = sample(50)
    options = {"random_state": 2, "n_bootstraps": 200}
    for metric, scaled in (("root_mean_squared_error", power), ("r2", 0)):
        one = bbc.correct(y, predictions, metric=metric, **options).confidence_interval
        unit = math.ldexp(1, power)
        other = bbc.correct(unit * y, unit * predictions, metric=metric, **options)
        interval = other.confidence_interval
        for found, expected_limit in ((interval.low, one.low), (interval.high, one.high)):
            assert found == pytest.approx(math.ldexp(expected_limit, scaled), rel=1e-12)


def test_every_door_gives_the_same():
    """Blocks, other metrics of the same winners, and subgroups."""
    y, predictions = sample(60)
    options = {"metric": "mean_squared_error", "random_state": 3, "n_bootstraps": 300}
    e = bbc.correct(y, predictions, **options)
    blocks = bbc.Blocks([predictions[:, :2], predictions[:, 2:]])
    assert bbc.correct(y, blocks, **options).confidence_interval == e.confidence_interval
    r2 = bbc.correct(y, predictions, **options | {"metric": "r2"})  # which has the same winners
    assert r2.score("mean_squared_error").confidence_interval == e.confidence_interval
    even = e.subgroups(np.arange(60) % 2)[0].estimate
    limits = of_replicates(even, "two-sided")
    column = predictions[::2, even.winner]
    agree(even, oracle.tail_limits(y[::2], column, even.metric, even.estimate, *limits, seed=3))
