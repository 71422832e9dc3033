"""What metrics that weigh rows for censoring take, refuse and guarantee."""

import numpy as np
import pandas
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
    rising = "survival rises from .* at time .* at row 0, configuration 0; .*1 - S"
    refused(rising, 1 - AT_TIMES, metric=metric)
    refused("the times in reverse order", AT_TIMES[:, :, ::-1], metric=metric)
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


def kaplan_meier(y, at):
    """G just before each row's time, and beyond each time."""
    censored = np.unique(y["time"][~y["event"]])
    left = np.array([np.sum(y["time"] > u) for u in censored], float)
    own = np.array([np.sum((y["time"] == u) & ~y["event"]) for u in censored])
    steps = np.cumprod(left / (left + own))

    def beyond(times, side):
        return np.concatenate([[1.0], steps])[np.searchsorted(censored, times, side)]

    return beyond(y["time"], "left"), beyond(np.asarray(at), "right")


@pytest.mark.parametrize(
    ("make", "at", "predictions"),
    [
        (bbc.metrics.uno_concordance, None, RISK),
        (bbc.metrics.cumulative_dynamic_auc, 5.0, RISK),
        (bbc.metrics.survival_brier_score, 5.0, RISK),
        (bbc.metrics.integrated_brier_score, TIMES, AT_TIMES),
    ],
)
def test_kaplan_meier_given_is_kaplan_meier(make, at, predictions):
    """The same for all rows at a time, or row by row."""
    own, later = kaplan_meier(Y, TIMES if at is None else at)
    same = {"n_bootstraps": 50, "random_state": 0}
    expected = bbc.correct(Y, predictions, metric=make(at), **same)
    given = [{}]
    if "brier" in make.__name__:
        by_row = np.broadcast_to(later, (len(Y), *np.shape(at)))
        given = [{"censoring_survival_at": later}, {"censoring_survival_at": by_row}]
    for more in given:
        metric = make(at, censoring_survival=own, **more)
        found = bbc.correct(Y, predictions, metric=metric, **same)
        np.testing.assert_allclose(found.replicates, expected.replicates, rtol=1e-13)
        assert found.metric.endswith("censoring_survival=given)")


G = kaplan_meier(Y, TIMES)[0]


def test_given_probabilities_belong_to_rows():
    """Rows that are left out take theirs along, and blocks read the same."""
    metric = bbc.metrics.uno_concordance(censoring_survival=G)
    holes = RISK.copy()
    holes[3] = np.nan
    kept = np.delete(np.arange(len(Y)), 3)
    without = bbc.metrics.uno_concordance(censoring_survival=G[kept])
    same = {"n_bootstraps": 50, "random_state": 0}
    found = bbc.correct(Y, holes, metric=metric, **same)
    assert found.left_out_rows.tolist() == [3]
    expected = bbc.correct(Y[kept], RISK[kept], metric=without, **same)
    np.testing.assert_array_equal(found.replicates, expected.replicates)
    blocks = bbc.correct(Y, bbc.Blocks([RISK[:, :2], RISK[:, 2:]]), metric=metric, **same)
    whole = bbc.correct(Y, RISK, metric=metric, **same)
    np.testing.assert_array_equal(blocks.replicates, whole.replicates)


def test_metrics_compare_and_do_not_change_with_what_was_given():
    given = G.copy()
    metric = bbc.metrics.uno_concordance(3, censoring_survival=given)
    before = bbc.correct(Y, RISK, metric=metric, n_bootstraps=40, random_state=0)
    assert metric == bbc.metrics.uno_concordance(3, censoring_survival=G)
    assert hash(metric) == hash(bbc.metrics.uno_concordance(3, censoring_survival=G))
    assert metric != bbc.metrics.uno_concordance(3)
    assert metric != bbc.metrics.uno_concordance(3, censoring_survival=G / 2)
    assert metric != bbc.metrics.uno_concordance(4, censoring_survival=G)
    given[:] = 0.5
    assert bbc.correct(Y, RISK, metric=metric, n_bootstraps=40, random_state=0) == before
    assert metric.name == "uno_concordance(tau=3.0, censoring_survival=given)"


def changed(row, value):
    given = G.copy()
    given[row] = value
    return given


EVENT = int(np.flatnonzero(Y["event"])[-1])
CENSORED = int(np.flatnonzero(~Y["event"])[-1])


@pytest.mark.parametrize(
    ("given", "error", "match"),
    [
        (G[:-1], ValueError, "censoring_survival has 49 rows, the truth has 50"),
        (G[:, None], ValueError, r"censoring_survival must have shape \(n_rows,\), got \(50, 1\)"),
        (changed(EVENT, np.nan), ValueError, f"censoring_survival is NaN at row {EVENT}"),
        (changed(EVENT, 0.0), ValueError, rf"must be in \(0, 1\], got 0 at row {EVENT}"),
        (changed(EVENT, 1.5), ValueError, rf"must be in \(0, 1\], got 1.5 at row {EVENT}"),
        (["a"] * 50, TypeError, "censoring_survival must be numbers"),
        (0.5, ValueError, r"must have shape \(n_rows,\), got \(\)"),
        (np.ma.masked_array(G), TypeError, "is a masked array"),
    ],
)
def test_given_probabilities_are_refused(given, error, match):
    refused(match, metric=bbc.metrics.uno_concordance(censoring_survival=given), error=error)


def test_pairs_take_one_function_of_time():
    """A pair would need the other row's probability at the same time, too."""
    rng = np.random.default_rng(0)
    given_inputs = np.exp(-Y["time"] * rng.uniform(0.01, 0.1, len(Y)))
    for metric in (
        bbc.metrics.uno_concordance(censoring_survival=given_inputs),
        bbc.metrics.cumulative_dynamic_auc(5, censoring_survival=given_inputs),
    ):
        refused("must not rise with time or differ at one time, got .*Brier scores", metric=metric)
    tied = Y.copy()
    tied["time"][[4, 5]], tied["event"][[4, 5]] = 3.0, True
    values = np.exp(-tied["time"] / 20)
    values[5] *= 0.999
    match = r"row 4 \(time 3\) and .* at row 5 \(time 3\)"
    refused(match, y=tied, metric=bbc.metrics.uno_concordance(censoring_survival=values))
    brier = bbc.metrics.survival_brier_score(
        5, censoring_survival=given_inputs, censoring_survival_at=given_inputs
    )
    assert bbc.correct(Y, RISK, metric=brier, n_bootstraps=40, random_state=0).estimate > 0


def test_what_no_row_is_weighted_by_is_not_read():
    metric = bbc.metrics.uno_concordance(censoring_survival=changed(CENSORED, 0.0))
    plain = bbc.metrics.uno_concordance(censoring_survival=G)
    same = {"n_bootstraps": 40, "random_state": 0}
    found = bbc.correct(Y, RISK, metric=metric, **same)
    np.testing.assert_array_equal(
        found.replicates, bbc.correct(Y, RISK, metric=plain, **same).replicates
    )
    late = int(np.flatnonzero(Y["event"] & (Y["time"] > 6))[0])
    up_to = bbc.metrics.uno_concordance(6, censoring_survival=changed(late, 0.0))
    assert np.isfinite(bbc.correct(Y, RISK, metric=up_to, **same).estimate)


@pytest.mark.parametrize(
    ("later", "match"),
    [
        (np.ones((50, 2)), r"must have shape \(3,\) or \(n_rows, 3\), got \(50, 2\)"),
        (0.5, r"must have shape \(3,\) or \(n_rows, 3\), got \(\)"),
        (np.ones((49, 3)), "censoring_survival_at has 49 rows, the truth has 50"),
        (np.array([0.9, 0.0, 0.5]), r"must be in \(0, 1\], got 0 at row 0, time 1"),
        (np.array([0.9, np.nan, 0.5]), "censoring_survival_at is NaN at row 0, time 1"),
    ],
)
def test_probabilities_at_times_are_refused(later, match):
    metric = bbc.metrics.integrated_brier_score(
        TIMES, censoring_survival=G, censoring_survival_at=later
    )
    refused(match, AT_TIMES, metric=metric)


def test_brier_scores_need_both():
    with pytest.raises(ValueError, match="censoring_survival_at is needed, too"):
        bbc.metrics.survival_brier_score(5, censoring_survival=G)
    with pytest.raises(ValueError, match="censoring_survival is needed, too"):
        bbc.metrics.integrated_brier_score(TIMES, censoring_survival_at=G)


def test_probabilities_in_another_order_are_refused():
    rows = np.arange(len(Y)) + 1
    y = pandas.DataFrame({"event": Y["event"], "time": Y["time"]}, index=rows)
    metric = bbc.metrics.uno_concordance(censoring_survival=pandas.Series(G, index=rows[::-1]))
    refused(
        "censoring_survival: the index has the rows of the truth in another", y=y, metric=metric
    )


def test_all_metrics_come_from_one_correction():
    metrics = {
        "uno": bbc.metrics.uno_concordance(tau=10),
        "auc": bbc.metrics.cumulative_dynamic_auc(5),
        "harrell": "concordance_index",
    }
    both = bbc.correct(Y, RISK, metric=metrics["auc"], secondary=metrics, random_state=2)
    alone = bbc.correct(Y, RISK, metric=metrics["auc"], random_state=2)
    np.testing.assert_array_equal(both.replicates, alone.replicates)
    for name in ("uno", "harrell"):
        other = both.secondary[name]
        np.testing.assert_array_equal(other.replicate_winners, alone.replicate_winners)


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
