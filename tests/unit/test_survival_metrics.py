"""What metrics that weigh rows for censoring take, refuse and guarantee."""

import numpy as np
import pytest

import bbc

TIMES = (2.0, 4.0, 6.0)


def survival(n_rows=50, seed=3):
    rng = np.random.default_rng(seed)
    y = np.empty(n_rows, [("event", bool), ("time", float)])
    y["event"] = rng.random(n_rows) < 0.6
    y["time"] = np.minimum(rng.exponential(5.0, n_rows), 19.0)
    y["time"][:2], y["event"][:2] = (20.0, 0.5), (False, True)
    return y, rng.random((n_rows, 6))


Y, RISK = survival()
AT_TIMES = np.stack([RISK, RISK**2, RISK**3], axis=2)


def refused(match, predictions=RISK, y=Y, error=ValueError, **options):
    with pytest.raises(error, match=match):
        bbc.correct(y, predictions, **options)


def test_parameters_are_in_the_name():
    assert bbc.metrics.get("uno_concordance", tau=3) == bbc.metrics.uno_concordance(np.float64(3))
    assert bbc.metrics.uno_concordance() == bbc.metrics.get("uno_concordance")
    for name, parameters in (
        ("cumulative_dynamic_auc", {"time": 2.0}),
        ("survival_brier_score", {"time": 2.0}),
        ("integrated_brier_score", {"times": TIMES}),
    ):
        metric = bbc.metrics.get(name, **parameters)
        assert metric == getattr(bbc.metrics, name)(**parameters)
        assert metric.name.startswith(f"{name}(time")


@pytest.mark.parametrize("name", ["cumulative_dynamic_auc", "integrated_brier_score"])
def test_a_metric_at_times_needs_them(name):
    refused(rf"'{name}' needs its times?: bbc.metrics.{name}\(", metric=name)


def test_times_are_refused():
    for make in (bbc.metrics.uno_concordance, bbc.metrics.cumulative_dynamic_auc):
        for wrong in (0, -1.0, float("nan")):
            with pytest.raises(ValueError, match="must be a time above 0"):
                make(wrong)
        with pytest.raises(TypeError, match="must be a number"):
            make("5")
    with pytest.raises(ValueError, match="must ascend"):
        bbc.metrics.integrated_brier_score([1, 3, 2])
    with pytest.raises(ValueError, match="at least two, got 1"):
        bbc.metrics.integrated_brier_score([1])
    with pytest.raises(TypeError, match="must be several numbers"):
        bbc.metrics.integrated_brier_score(3)


def test_times_that_the_truth_does_not_reach():
    refused("tau must be at most 20, the last time", metric=bbc.metrics.uno_concordance(21))
    refused("no event before 0.1", metric=bbc.metrics.uno_concordance(0.1))
    refused("no event by 0.1", metric=bbc.metrics.cumulative_dynamic_auc(0.1))
    for time in (20, 30):
        late = r"must be before 20, the last time of the truth.*no row is followed beyond"
        refused(f"time {late}", metric=bbc.metrics.cumulative_dynamic_auc(time))
        refused(f"time {late}", metric=bbc.metrics.survival_brier_score(time))
        metric = bbc.metrics.integrated_brier_score((1.0, time))
        refused(f"times {late}", AT_TIMES[:, :, :2], metric=metric)
    censored = Y.copy()
    censored["event"] = False
    for metric in (bbc.metrics.uno_concordance(), bbc.metrics.survival_brier_score(5)):
        refused("has no event", y=censored, metric=metric)


def test_risks_are_no_probabilities():
    hint = "give the probability of surviving the time, not a risk"
    refused(rf"must be in \[0, 1\].*{hint}", 3 * RISK, metric=bbc.metrics.survival_brier_score(5))
    outside = AT_TIMES.copy()
    outside[4, 3, 2] = -0.5
    metric = bbc.metrics.integrated_brier_score(TIMES)
    refused("got -0.5 at repeat 0, row 4, configuration 3, time 2", outside, metric=metric)


def test_shapes_are_those_of_the_times():
    refused(
        r"must have shape \(n_rows, n_configurations\).*survival probabilities at 5.0",
        AT_TIMES,
        metric=bbc.metrics.survival_brier_score(5),
    )
    metric = bbc.metrics.integrated_brier_score(TIMES)
    for wrong in (RISK, AT_TIMES[:, :, :2]):
        refused(r"must have shape \(n_rows, n_configurations, 3\)", wrong, metric=metric)


def test_weights_repeat_rows():
    """Censoring is estimated with the weights, too."""
    counts = np.random.default_rng(1).integers(1, 4, len(Y))
    rows = np.repeat(np.arange(len(Y)), counts)
    for metric in ("uno_concordance", bbc.metrics.cumulative_dynamic_auc(4)):
        given = {"metric": metric, "n_bootstraps": 40, "random_state": 0}
        weighted = bbc.correct(Y, RISK, sample_weight=counts, **given)
        repeated = bbc.correct(Y[rows], RISK[rows], **given)
        assert weighted.apparent == pytest.approx(repeated.apparent, rel=1e-13)
        assert weighted.winner == repeated.winner


def test_without_censoring_weights_are_one():
    y = Y.copy()
    y["event"] = True
    given = {"n_bootstraps": 40, "random_state": 0}
    uno = bbc.correct(y, RISK, metric="uno_concordance", **given)
    harrell = bbc.correct(y, RISK, metric="concordance_index", **given)
    np.testing.assert_array_equal(uno.replicates, harrell.replicates)
    auc = bbc.correct(y, RISK, metric=bbc.metrics.cumulative_dynamic_auc(5), **given)
    plain = bbc.correct(y["time"] <= 5, RISK, metric="roc_auc", **given)
    assert auc.apparent == plain.apparent
    brier = bbc.correct(y, RISK, metric=bbc.metrics.survival_brier_score(5), **given)
    squares = bbc.correct(y["time"] > 5, RISK, metric="brier_score", **given)
    np.testing.assert_allclose(brier.replicates, squares.replicates, rtol=1e-14)


def test_all_metrics_come_from_one_correction():
    metrics = {
        "uno": bbc.metrics.uno_concordance(tau=10),
        "auc": bbc.metrics.cumulative_dynamic_auc(5),
        "harrell": "concordance_index",
    }
    several = bbc.correct(Y, RISK, metric=metrics, decided_by="auc", random_state=2)
    alone = bbc.correct(Y, RISK, metric=metrics["auc"], random_state=2)
    np.testing.assert_array_equal(several["auc"].replicates, alone.replicates)
    np.testing.assert_array_equal(several["uno"].replicate_winners, alone.replicate_winners)


@pytest.mark.parametrize(
    ("metric", "predictions"),
    [
        (bbc.metrics.uno_concordance(tau=10), RISK),
        (bbc.metrics.cumulative_dynamic_auc(5), RISK),
        (bbc.metrics.survival_brier_score(5), RISK),
        (bbc.metrics.integrated_brier_score(TIMES), AT_TIMES),
    ],
    ids=lambda case: getattr(case, "name", ""),
)
def test_blocks_and_threads_change_no_bit(metric, predictions):
    given = {"metric": metric, "random_state": 5, "n_bootstraps": 200}
    whole = bbc.correct(Y, predictions, n_threads=1, **given)
    halves = bbc.Blocks([predictions[:, :2], predictions[:, 2:]])
    for other in (
        bbc.correct(Y, predictions, n_threads=2, **given),
        bbc.correct(Y, halves, **given),
    ):
        np.testing.assert_array_equal(whole.replicates, other.replicates)
        np.testing.assert_array_equal(whole.replicate_winners, other.replicate_winners)


def test_late_events_are_rare_and_their_draws_are_counted():
    """With one event by the time, every second replicate is redrawn."""
    y = Y.copy()
    y["event"] = y["time"] > 1
    y["event"][:6] = True
    y["time"][:6] = 0.5
    e = bbc.correct(
        y, RISK, metric=bbc.metrics.cumulative_dynamic_auc(0.7), n_bootstraps=100, random_state=1
    )
    assert e.n_redrawn > 0
    assert np.isfinite(e.replicates).all()
