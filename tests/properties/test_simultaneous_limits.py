"""The winner's interval lies within the simultaneous interval, whichever configuration wins."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bbc
from reference.winner import BOUNDS, normal, of_metric, row_values, simultaneous_limits

ROUNDING = 1e-9


def problem(metric, n_rows, n_configurations, lead, ties, seed):
    """One configuration errs less, by its lead; or it ties with one that errs on other rows."""
    rng = np.random.default_rng([len(metric), n_rows, n_configurations, seed])
    y = np.arange(n_rows) % 2
    noise = 0.6 * rng.normal(size=(n_rows, 1)) + rng.normal(size=(n_rows, n_configurations))
    ahead = rng.integers(n_configurations)
    noise[:, ahead] *= 1 - lead
    scores = y[:, None] + noise
    predictions = (scores > 0.5).astype(int) if metric == "accuracy" else scores
    if ties:  # the rows of each class in another order
        other = (ahead + 1) % n_configurations
        predictions[:, other] = np.roll(predictions[:, ahead], 2)
    return y, predictions


@pytest.mark.filterwarnings("ignore:BBC017")
@pytest.mark.parametrize("metric", BOUNDS)
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    n_rows=st.sampled_from([20, 40]),
    n_configurations=st.integers(2, 12),
    lead=st.sampled_from([0.0, 0.0, 0.3, 0.7, 0.95]),
    ties=st.booleans(),
    grouped=st.booleans(),
    confidence_level=st.sampled_from([0.5, 0.8, 0.95, 0.99]),
    alternative=st.sampled_from(["two-sided", "greater", "less"]),
    seed=st.integers(0, 10_000),
)
def test_estimate_and_limits_lie_within(
    metric, n_rows, n_configurations, lead, ties, grouped, confidence_level, alternative, seed
):
    """Seen to fail on the limits of the truncated distribution alone."""
    y, predictions = problem(metric, n_rows, n_configurations, lead, ties, seed)
    groups = np.arange(n_rows) // 2 if grouped else None
    c = bbc.correct(
        y.astype(float) if metric == "mean_squared_error" else y,
        predictions,
        metric=metric,
        groups=groups,
        confidence_level=confidence_level,
        alternative=alternative,
        n_bootstraps=300,
        random_state=1,
    )
    e = c.winner_interval()
    if e.confidence_interval is None:
        assert e.infeasible
        return
    values, _ = row_values(y, predictions, metric)
    if np.ptp(values[:, e.winner]) == 0:  # limits of a perfect score, which has no variance
        return
    of = normal(values, **of_metric(y, metric), groups=groups)
    low, high = simultaneous_limits(of, confidence_level=confidence_level, seed=1)
    inner = [e.estimate]
    if alternative != "less":
        inner.append(e.confidence_interval.low)
    if alternative != "greater":
        inner.append(e.confidence_interval.high)
    assert low * (1 - ROUNDING) <= min(inner)
    assert max(inner) <= high * (1 + ROUNDING)
