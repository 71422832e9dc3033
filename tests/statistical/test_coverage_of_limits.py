"""Limits of corrected scores hold the truth where few events decide, also of grouped rows.

All configurations are equal, so the truth is known whichever wins. Limits of the counts come from
the number of repetitions: a coverage of .95 is missed once in 100,000 studies.

Seen to fail: the order statistics of the replicates alone (kept in view below), and simultaneous
bands without the uncertainty of the cut-off (.25 to .48 of curves with ten non-events).
"""

import numpy as np
import pytest
from scipy.stats import binom, norm

import bbc

RARE = 1e-5
N_REPETITIONS = 60
LEAST = binom.ppf(RARE, N_REPETITIONS, 0.95)
HOW = {"n_threads": 1, "n_bootstraps": 200}
SHIFT = np.sqrt(2) * norm.ppf(0.99)


def scores_of(seed, n_events, n_others, n_configurations):
    rng = np.random.default_rng([seed, n_events])
    y = np.r_[np.ones(n_events, int), np.zeros(n_others, int)]
    common, own = rng.normal(size=(len(y), 1)), rng.normal(size=(len(y), n_configurations))
    return y, SHIFT * y[:, None] + np.sqrt(0.5) * (common + own)


def within(interval, truth):
    return interval[0] <= truth <= interval[1]


@pytest.mark.parametrize("n_configurations", [1, 20])
@pytest.mark.parametrize(("n_events", "n_others"), [(10, 50), (50, 10)])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_auc_and_curve(n_events, n_others, n_configurations):
    found = dict.fromkeys(("auc", "replicates alone", "sensitivity", "curve"), 0)
    for seed in range(N_REPETITIONS):
        y, scores = scores_of(seed, n_events, n_others, n_configurations)
        given = {"metric": "roc_auc", "random_state": seed, **HOW}
        e = bbc.correct(y, scores, **given)
        found["auc"] += within(tuple(e.confidence_interval), 0.99)
        alone = np.quantile(e.replicates, (0.025, 0.975), method="inverted_cdf")
        found["replicates alone"] += within(alone, 0.99)
        roc = e.roc_curve()
        at = tuple(roc.sensitivity_at(specificity=0.9).confidence_interval)
        found["sensitivity"] += within(at, norm.cdf(SHIFT + norm.ppf(0.1)))
        truth = norm.cdf(SHIFT + norm.ppf(roc.curve.x))
        whole = (roc.curve.simultaneous_lows <= truth) & (truth <= roc.curve.simultaneous_highs)
        found["curve"] += whole[1:-1].all()
    assert found["auc"] >= LEAST
    assert found["sensitivity"] >= LEAST
    assert found["curve"] >= LEAST
    assert found["replicates alone"] < LEAST or n_events == 50


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_groups_whose_rows_agree(metric):
    """Whole groups are right or wrong: fourteen groups are fourteen rows."""
    found = dict.fromkeys(("limits", "replicates alone"), 0)
    size = 6
    for seed in range(N_REPETITIONS):
        rng = np.random.default_rng([7, seed])
        n = 14 if metric == "accuracy" else 40
        groups = np.repeat(np.arange(n), size)
        if metric == "accuracy":
            y = rng.integers(0, 2, len(groups))
            right = (rng.random(n) < 0.93)[groups]
            predictions, truth = np.where(right, y, 1 - y)[:, None], 0.93
        else:
            y = (np.arange(n) % 4 == 0).astype(int)[groups]
            shared = rng.normal(size=n)[groups]
            predictions, truth = (SHIFT * y + shared)[:, None], 0.99
        e = bbc.correct(y, predictions, metric=metric, groups=groups, random_state=seed, **HOW)
        found["limits"] += within(tuple(e.confidence_interval), truth)
        alone = np.quantile(e.replicates, (0.025, 0.975), method="inverted_cdf")
        found["replicates alone"] += within(alone, truth)
    assert found["limits"] >= LEAST
    assert found["replicates alone"] < LEAST
