"""Limits know their events: hulls with score intervals, against the oracle."""

import math

import numpy as np
import pytest
from scipy.stats import norm

import bbc
from bbc import _core
from reference import score_limits as oracle
from streams import in_order

Z = norm.ppf(0.975)
PROPORTIONS = ("accuracy", "recall", "specificity", "precision", "jaccard")
NAMED = (*PROPORTIONS, "zero_one_loss", "balanced_accuracy", "f1", "roc_auc")
SIZES = ((10, 30), (20, 80), (40, 20))


def case(metric, n_events, n_others, *, errors=0, n_configurations=3, seed=0):
    """Configurations that are right but for some rows of each class."""
    rng = np.random.default_rng([seed, n_events, n_others])
    y = np.r_[np.ones(n_events, int), np.zeros(n_others, int)]
    wrong = np.zeros((len(y), n_configurations), dtype=bool)
    for column in wrong.T:
        column[rng.choice(n_events, errors, replace=False)] = True
        column[n_events + rng.choice(n_others, errors, replace=False)] = True
    labels = np.where(wrong, 1 - y[:, None], y[:, None])
    if metric != "roc_auc":
        return y, labels
    return y, labels + 0.1 * rng.random(labels.shape)


def replicates_interval(e, alternative="two-sided"):
    low, high = _core.order_statistic_interval(
        e.replicates, e.confidence_interval.confidence_level, alternative, -math.inf, math.inf
    )
    return low, high


def denominators(metric, y, labels):
    """Number of rows of a proportion's denominator."""
    return {
        "accuracy": len(y),
        "zero_one_loss": len(y),
        "recall": (y == 1).sum(),
        "specificity": (y == 0).sum(),
        "precision": (labels == 1).sum(),
        "jaccard": ((labels == 1) | (y == 1)).sum(),
        "f1": ((labels == 1) | (y == 1)).sum(),
    }[metric]


def score_limits(metric, e, y, predictions, z):
    column = predictions[:, e.winner]
    m, n = (y == 1).sum(), (y == 0).sum()
    if metric == "roc_auc":
        return oracle.newcombe(e.estimate, m, n, z)
    if metric == "balanced_accuracy":
        rates = np.array([(column[y == code] == code).mean() for code in (0, 1)])
        rates = np.clip(rates + e.estimate - rates.mean(), 0, 1)
        return oracle.mover(e.estimate, (0.5, 0.5), rates, (n, m), z)
    of = denominators(metric, y, column)
    return oracle.f1(e.estimate, of, z) if metric == "f1" else oracle.wilson(e.estimate, of, z)


@pytest.mark.parametrize("errors", [0, 2])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("metric", NAMED)
def test_limits_are_the_hull_of_both_intervals(metric, alternative, errors):
    y, predictions = case(metric, 15, 40, errors=errors)
    options = {"metric": metric, "random_state": 1, "n_bootstraps": 200, "confidence_level": 0.9}
    e = bbc.correct(y, predictions, alternative=alternative, **options)
    z = norm.ppf(0.95 if alternative == "two-sided" else 0.9)
    low, high = oracle.hull(
        replicates_interval(e, alternative), score_limits(metric, e, y, predictions, z)
    )
    low = 0.0 if alternative == "less" else max(low, 0.0)
    high = 1.0 if alternative == "greater" else min(high, 1.0)
    assert tuple(e.confidence_interval) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("errors", [0, 1, 3])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("metric", NAMED)
def test_no_limit_equals_its_estimate(metric, size, errors):
    """But for the metric's own end, on the outer side."""
    y, predictions = case(metric, *size, errors=errors)
    for groups in (None, np.arange(len(y)) // 2):
        for level in (0.5, 0.95):
            e = bbc.correct(
                y,
                predictions,
                metric=metric,
                random_state=1,
                n_bootstraps=100,
                groups=groups,
                confidence_level=level,
            )
            low, high = e.confidence_interval
            assert low < e.estimate or e.estimate == low == 0
            assert high > e.estimate or e.estimate == high == 1


def test_a_negated_metric_has_negated_limits():
    y, predictions = case("accuracy", 15, 40, errors=2)
    scorer = bbc.metrics.get("zero_one_loss")
    loss = bbc.correct(y, predictions, metric=scorer, random_state=3)
    share = bbc.correct(y, predictions, metric="accuracy", random_state=3)
    assert tuple(loss.confidence_interval) == pytest.approx(
        [1 - end for end in tuple(share.confidence_interval)[::-1]], abs=1e-12
    )


def test_several_classes_have_a_part_each():
    y = np.arange(60) % 3
    predictions = np.where(np.arange(60) % 10 == 0, (y + 1) % 3, y)[:, None]
    e = bbc.correct(y, predictions, metric="balanced_accuracy", random_state=1)
    rates = np.array([(predictions[y == code, 0] == code).mean() for code in range(3)])
    rates = np.clip(rates + e.estimate - rates.mean(), 0, 1)
    score = oracle.mover(e.estimate, [1 / 3] * 3, rates, [20] * 3, Z)
    low, high = oracle.hull(replicates_interval(e), score)
    assert tuple(e.confidence_interval) == pytest.approx((low, min(high, 1)), abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("errors", [0, 4])
def test_rows_of_groups_and_with_weights_count_as_fewer(errors, weighted):
    y, predictions = case("accuracy", 20, 40, errors=errors, n_configurations=1)
    rng = np.random.default_rng(5)
    groups = np.sort(rng.integers(0, 14, len(y)))
    weights = rng.integers(1, 5, len(y)) if weighted else None
    e = bbc.correct(
        y, predictions, metric="accuracy", groups=groups, sample_weight=weights, random_state=1
    )
    right = (predictions[:, 0] == y).astype(float)
    n = oracle.effective_number(right, weights, groups)
    low, high = oracle.hull(replicates_interval(e), oracle.wilson(e.estimate, n, Z))
    assert tuple(e.confidence_interval) == pytest.approx((low, min(high, 1)), abs=1e-12)
    if errors == 0 and not weighted:
        assert n == pytest.approx(60**2 / (np.bincount(groups) ** 2).sum())


@pytest.mark.parametrize("errors", [0, 3])
def test_rows_are_placed_among_those_that_count(errors):
    """Of AUC with groups: those that the repeat predicted, by weights of which some are 0."""
    y, scores = case("roc_auc", 30, 60, errors=errors, n_configurations=1)
    rng = np.random.default_rng(6)
    groups = rng.integers(0, 20, len(y))
    weights = rng.integers(0, 3, len(y)).astype(float)
    seen = rng.random((3, len(y))) < 0.7
    seen[0] |= ~seen.any(axis=0)
    repeats = [np.where(own, scores[:, 0], 1 - scores[:, 0]) for own in seen]
    predictions = bbc.results.OutOfSamplePredictions(
        y=y, scores=np.array(repeats)[:, :, None], mask=seen[:, :, None]
    )
    design = {"groups": groups, "sample_weight": weights}
    e = bbc.correct(y, predictions, metric="roc_auc", random_state=1, **design)
    placed = [
        oracle.placements(y == 1, column, weights * own)
        for column, own in zip(repeats, seen, strict=True)
    ]
    values = np.ma.array(placed, mask=~seen).mean(axis=0).data
    m, n = (
        oracle.effective_number(values[rows], weights[rows], groups[rows])
        for rows in ((y == code) & (weights > 0) for code in (1, 0))
    )
    low, high = oracle.hull(replicates_interval(e), oracle.newcombe(e.estimate, m, n, Z))
    assert tuple(e.confidence_interval) == pytest.approx((low, min(high, 1)), abs=1e-12)


def test_weights_alone_are_kishs_number():
    y, scores = case("roc_auc", 12, 30, n_configurations=1)
    weights = np.random.default_rng(2).random(len(y)) + 0.1
    e = bbc.correct(y, scores, metric="roc_auc", sample_weight=weights, random_state=1)
    m, n = (oracle.effective_number(y[y == code], weights[y == code]) for code in (1, 0))
    assert e.confidence_interval.low == pytest.approx(oracle.newcombe(1.0, m, n, Z)[0], abs=1e-12)


def test_few_events_are_found_where_the_score_interval_decides():
    y, scores = case("roc_auc", 10, 30)
    e = bbc.correct(y, scores, metric="roc_auc", random_state=1)
    found = {f.code: f.detail for f in e.findings}
    assert found["BBC021"] == "the replicates alone give [1.0000, 1.0000]"
    assert not any("BBC021" in text for text in (e.summary(), e._repr_html_(), e.report().html))
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    e = bbc.correct(y, y[:, None] + rng.normal(size=(200, 5)), metric="roc_auc", random_state=1)
    assert "BBC021" not in [f.code for f in e.findings]


@pytest.mark.parametrize("metric", ["precision", "roc_auc"])
def test_blocks_and_secondary_metrics_have_the_same_limits(metric):
    y, predictions = case(metric, 15, 40, errors=2, n_configurations=6)
    options = {"metric": metric, "random_state": 3, "n_bootstraps": 100}
    whole = bbc.correct(y, predictions, **options)
    for order in ((0, 2, 4), (4, 0, 2)):
        found = in_order(y, [(at, predictions[:, at : at + 2]) for at in order], **options)
        assert found.confidence_interval == whole.confidence_interval
    one = predictions[:, [0]]
    alone = bbc.correct(y, one, **options)
    decides = "recall" if metric == "precision" else "average_precision"
    both = bbc.correct(y, one, **(options | {"metric": decides, "secondary": [metric]}))
    assert both.secondary[metric].confidence_interval == alone.confidence_interval


CURVES = {"metric": "roc_auc", "n_bootstraps": 200, "random_state": 1}


def risks_of(n_events, n_others, apart):
    rng = np.random.default_rng(n_events)
    y = np.r_[np.ones(n_events, int), np.zeros(n_others, int)]
    return y, 1 / (1 + np.exp(-(rng.normal(size=len(y)) + apart * (y - 0.5))))


@pytest.mark.parametrize("apart", [1.5, 20.0])
def test_points_of_the_roc_curve_count_their_class(apart):
    y, risks = risks_of(12, 40, apart)
    roc = bbc.correct(y, risks[:, None], **CURVES).roc_curve()
    curve = roc.curve
    for i in range(100):
        low, high = oracle.wilson(curve.estimates[i], 12, Z)
        assert curve.lows[i] <= low + 1e-12
        assert curve.highs[i] >= high - 1e-12
        assert curve.simultaneous_lows[i] <= curve.lows[i]
        assert curve.simultaneous_highs[i] >= curve.highs[i]
    # All events are found where no row is refused.
    assert (curve.lows[100], curve.highs[100]) == (1, 1)
    at = roc.sensitivity_at(specificity=0.9)
    low, high = oracle.wilson(at.estimate, 12, Z)
    assert at.confidence_interval.low <= low + 1e-12
    assert at.confidence_interval.high >= high - 1e-12
    other = roc.specificity_at(sensitivity=0.9)
    assert other.confidence_interval.low <= oracle.wilson(other.estimate, 40, Z)[0] + 1e-12
    if apart == 20:
        assert at.confidence_interval.low == pytest.approx(oracle.wilson(1, 12, Z)[0])
        # Of 12 events none need be below the cut-off: on the chord to the corner, there the curve
        # may be.
        fall = 1 - 0.1 / (Z**2 / (12 + Z**2))
        low = 1 - math.hypot(1 - oracle.wilson(1, 40, Z)[0], fall)
        assert other.confidence_interval.low == pytest.approx(low)


def test_precision_counts_the_rows_that_are_called():
    y, risks = risks_of(12, 40, 20.0)
    curve = bbc.correct(y, risks[:, None], **CURVES).precision_recall_curve().curve
    for i, recall in enumerate(curve.x):
        assert curve.lows[i] == pytest.approx(oracle.wilson(1, 12 * recall, Z)[0])


@pytest.mark.parametrize("apart", [1.5, 30.0])
def test_net_benefit_counts_the_shares_of_hits_and_false_alarms(apart):
    y, risks = risks_of(12, 40, apart)
    at = np.array([0.2, 0.5, 0.7])
    found = bbc.correct(y, risks[:, None], **CURVES).decision_curve(thresholds=at)
    n, events = len(y), (y == 1)
    for i, threshold in enumerate(at):
        odds = threshold / (1 - threshold)
        treated = risks >= threshold
        hits, alarms = (treated & events).mean(), (treated & ~events).mean()
        missed, spared = (~treated & events).mean(), (~treated & ~events).mean()
        rest = (~events).sum() / events.sum()
        for curve, weights, rates, ns in (
            (found.net_benefit, (1, -odds), (hits, alarms), (n, n)),
            (found.treat_all, (1 + odds,), (events.mean(),), (n,)),
            (found.over_treat_all, (-1, odds), (missed, spared), (n, n)),
            (
                found.standardized,
                (1, -odds * rest),
                (treated[events].mean(), treated[~events].mean()),
                (12, 40),
            ),
        ):
            score = oracle.mover(curve.estimates[i], weights, rates, ns, Z)
            if curve is found.treat_all:
                rate = (curve.estimates[i] + odds) / (1 + odds)
                score = tuple((1 + odds) * end - odds for end in oracle.wilson(rate, n, Z))
            assert curve.lows[i] <= score[0] + 1e-12
            assert curve.highs[i] >= score[1] - 1e-12
            assert curve.lows[i] < curve.estimates[i]
            # Perfect predictions have a standardised net benefit of 1.
            at_the_end = curve is found.standardized and curve.estimates[i] == 1
            assert curve.estimates[i] < curve.highs[i] or at_the_end
