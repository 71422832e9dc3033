"""BBC023: the winner is worse than the Kaplan-Meier curve of the rows."""

import numpy as np
import pytest

import bbc
from bbc.errors import BBCWarning
from reference import survival_metrics as oracle
from reference.truth import Truth

AT = (0.4, 0.8, 1.2)


def kaplan_meier(event, time, weights, at):
    """The product-limit estimate of surviving a time."""
    share = 1.0
    for own in np.unique(time[event & (time <= at)]):
        followed = weights[time >= own].sum()
        share *= 1 - weights[(time == own) & event].sum() / followed
    return share


def comparison(event, time, predictions, at, weights=None, groups=None):
    """Score, score of the curve, and whether the former is worse; `predictions` by repeat."""
    n = len(time)
    v = np.ones(n) if weights is None else weights
    groups = np.arange(n) if groups is None else groups
    truth = Truth(np.rec.fromarrays([event, time], names="event,time"))
    before = [oracle.censoring_survival(truth, weights, t, before=True) for t in time]
    shares = [1.0]
    if len(at) > 1:
        steps = np.diff(at)
        shares = (np.r_[steps, 0] + np.r_[0, steps]) / 2 / (at[-1] - at[0])
    own, of_curve, cost = np.zeros(n), np.zeros(n), 0.0
    for k, t in enumerate(at):
        beyond = oracle.censoring_survival(truth, weights, t, before=False)
        w = np.where(time > t, 1 / beyond, np.where(event, 1 / np.array(before), 0.0)) * shares[k]
        survived = (time > t).astype(float)
        curve = kaplan_meier(event, time, v, t)
        of_curve += w * (survived - curve) ** 2
        own += np.mean([w * (survived - s[:, k]) ** 2 for s in predictions], axis=0)
        residuals = v * w * (survived - curve)
        sums = [residuals[groups == g].sum() for g in np.unique(groups)]
        cost += np.sum(np.square(sums)) / (v * w).sum()
    difference = v * (own - of_curve)
    sums = np.array([difference[groups == g].sum() for g in np.unique(groups)])
    statistic = (sums.sum() - 3 * cost) / np.sqrt(2 * np.sum(sums**2))
    return np.average(own, weights=v), np.average(of_curve, weights=v), statistic > 2.3263479


def drawn(seed, n=80, per_time=1):
    """Times, half as many of them distinct, and probabilities of surviving that tell something."""
    rng = np.random.default_rng(seed)
    risk = rng.normal(size=n)
    time = np.round(rng.exponential(np.exp(-risk)), 1) + 0.1
    censored = np.round(rng.exponential(3.0, size=n), 1) + 0.1
    # The last row is followed beyond all times.
    event, time = time <= censored, np.minimum(time, censored)
    event[-1], time[-1] = False, 9.0
    at = np.array(AT[:per_time])
    noise = rng.normal(size=(2, n, 1))
    return event, time, np.exp(-np.exp(risk[:, None] + 0.3 * noise) * at)


def codes(estimate):
    return [each.code for each in estimate.findings]


@pytest.mark.parametrize("design", ["rows", "weights", "groups", "both"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("n_times", [1, 3])
@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_it_is_found_as_the_oracle_finds_it(design, turned, n_times):
    seen = set()
    for seed in range(12):
        event, time, survival = drawn(seed, per_time=n_times)
        if turned:  # and falls with time all the same
            survival = 1 - survival[:, :, ::-1]
        rng = np.random.default_rng(seed)
        n = len(time)
        weights = rng.uniform(0.5, 2, n) if design in ("weights", "both") else None
        groups = rng.integers(0, 40, n) if design in ("groups", "both") else None
        metric = (
            bbc.metrics.survival_brier_score(AT[0])
            if n_times == 1
            else bbc.metrics.integrated_brier_score(AT)
        )
        shape = (n, 1) if n_times == 1 else (n, 1, n_times)
        e = bbc.correct(
            np.rec.fromarrays([event, time], names="event,time"),
            [each.reshape(shape) for each in survival],
            metric=metric,
            sample_weight=weights,
            groups=groups,
            n_bootstraps=40,
            random_state=0,
        )
        score, of_curve, worse = comparison(event, time, survival, AT[:n_times], weights, groups)
        assert e.apparent == pytest.approx(score, rel=1e-12)
        assert ("BBC023" in codes(e)) == worse
        seen.add(worse)
        if worse:
            detail = next(each.detail for each in e.findings if each.code == "BBC023")
            assert detail == f"its score is {score:.3g}, that of the curve {of_curve:.3g}"
    assert seen == ({False} if not turned else seen)
    assert not turned or n_times > 1 or True in seen


def test_it_is_a_warning():
    event, time, survival = drawn(0, n=300)
    y = np.rec.fromarrays([event, time], names="event,time")
    metric = bbc.metrics.survival_brier_score(AT[0])
    with pytest.warns(BBCWarning, match="BBC023 winner worse than the Kaplan-Meier curve: its"):
        bbc.correct(y, 1 - survival[0], metric=metric, random_state=0)
    with pytest.warns(BBCWarning, match="BBC023"):
        bbc.correct(y, bbc.Blocks([1 - survival[0]]), metric=metric, random_state=0)


@pytest.mark.parametrize("n_folds", [2, 5, 80])
def test_curves_of_the_other_folds_are_not_found(n_folds):
    """They are worse than the curve of all rows, by what estimating it costs."""
    event, time, _ = drawn(3)
    folds = np.arange(80) % n_folds
    ones = np.ones(80)
    curves = np.empty((80, 1))
    for fold in range(n_folds):
        other = folds != fold
        curves[~other] = kaplan_meier(event[other], time[other], ones[other], AT[0])
    y = np.rec.fromarrays([event, time], names="event,time")
    metric = bbc.metrics.survival_brier_score(AT[0])
    e = bbc.correct(y, curves, metric=metric, folds=folds, random_state=0)
    score, of_curve, _ = comparison(event, time, [curves], AT[:1])
    assert score > of_curve
    assert "BBC023" not in codes(e)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_missing_rows_of_a_repeat_count_for_nothing():
    event, time, survival = drawn(1, n=200)
    y = np.rec.fromarrays([event, time], names="event,time")
    turned = 1 - survival
    turned[1, :100] = np.nan
    folds = np.where(np.isnan(turned[..., 0]), -1, np.arange(200) % 5)
    metric = bbc.metrics.survival_brier_score(AT[0])
    e = bbc.correct(
        y,
        bbc.results.OutOfSamplePredictions(y=y, scores=turned),
        metric=metric,
        folds=folds,
        random_state=0,
    )
    filled = turned.copy()
    filled[1, :100] = turned[0, :100]  # what their mean is without
    score, of_curve, worse = comparison(event, time, filled, AT[:1])
    assert worse
    detail = next(each.detail for each in e.findings if each.code == "BBC023")
    assert detail == f"its score is {score:.3g}, that of the curve {of_curve:.3g}"
