"""Metrics that weigh rows for censoring: the kernel and the oracle agree under every plan."""

from itertools import product

import numpy as np
import pytest

import bbc
from nightly import covering
from reference.bbc import bbc as oracle_bbc
from reference.metrics import dynamic_auc, survival_brier, uno_concordance
from reference.two_level import bbc_two_level as oracle_two_level

N_ROWS, N_CONFIGURATIONS = 60, 7
TIMES = (3.0, 5.0, 8.0)
RISKS = {
    "uno": (bbc.metrics.uno_concordance(), uno_concordance()),
    "uno up to 7": (bbc.metrics.uno_concordance(tau=7), uno_concordance(7.0)),
    "auc": (bbc.metrics.cumulative_dynamic_auc(5), dynamic_auc(5.0)),
}
SURVIVALS = {
    "brier": (bbc.metrics.survival_brier_score(5), survival_brier(5.0)),
    "integrated brier": (bbc.metrics.integrated_brier_score(TIMES), survival_brier(*TIMES)),
}
# G of each row just before its own time, and beyond each of the times: as of a model of censoring.
G = np.random.default_rng(8).uniform(0.2, 1.0, (N_ROWS, 4))
GIVEN = {
    "given brier": (
        bbc.metrics.survival_brier_score(
            5, censoring_survival=G[:, 0], censoring_survival_at=G[:, 1]
        ),
        survival_brier(5.0, g=G),
    ),
    "given integrated brier": (
        bbc.metrics.integrated_brier_score(
            TIMES, censoring_survival=G[:, 0], censoring_survival_at=G[:, 1:]
        ),
        survival_brier(*TIMES, g=G),
    ),
}
CASES = RISKS | SURVIVALS | GIVEN
OF_TIME = {
    "uno": (bbc.metrics.uno_concordance, uno_concordance, 7.0),
    "auc": (bbc.metrics.cumulative_dynamic_auc, dynamic_auc, 5.0),
}
PLANS = {
    "rows": {},
    "groups": {"groups": np.arange(N_ROWS) // 2},
    "weights": {"sample_weight": np.arange(N_ROWS) % 8 / 8 + 0.125},
    "folds": {"pooling": "fold", "folds": np.arange(N_ROWS) // 20},
    "repeats": {"n_repeats": 2},
}


def problem(seed, n_times=0):
    """Tied times and risks; censoring and events at the same times."""
    rng = np.random.default_rng(seed)
    hazard = rng.exponential(size=N_ROWS)
    event_time = np.ceil(2 * rng.exponential(size=N_ROWS) / hazard) / 2
    censoring_time = np.ceil(2 * rng.exponential(6.0, N_ROWS)) / 2
    y = np.empty(N_ROWS, [("event", bool), ("time", float)])
    y["event"] = event_time <= censoring_time
    y["time"] = np.minimum(event_time, censoring_time)
    y["time"][0], y["event"][0] = 40.0, False
    risk = np.round(hazard[:, None] + rng.normal(size=(N_ROWS, N_CONFIGURATIONS)), 1)
    if not n_times:
        return y, risk
    rate = np.exp(risk / 2)[:, :, None] / 4
    survival = np.exp(-rate * np.arange(1, n_times + 1))
    return y, survival if n_times > 1 else survival[:, :, 0]


def assert_agree(ours, theirs):
    np.testing.assert_array_equal(ours.replicate_winners, theirs.replicate_winners)
    np.testing.assert_allclose(ours.replicates, theirs.replicates, rtol=1e-12)
    assert ours.apparent == pytest.approx(theirs.apparent, rel=1e-13)
    assert (ours.winner, ours.n_redrawn) == (theirs.winner, theirs.n_redrawn)


@pytest.mark.parametrize("case", OF_TIME)
@pytest.mark.parametrize("plan", ["rows", "groups", "weights", "folds"])
def test_a_given_function_of_time(case, plan):
    """The probability of being uncensored of another study."""
    y, risk = problem([3, len(case)])
    given = np.exp(-y["time"] / 20)
    ours, theirs, time = OF_TIME[case]
    same = {"n_bootstraps": 60} | PLANS[plan]
    metric = ours(time, censoring_survival=given)
    oracle = theirs(time, given[:, None])
    assert_agree(
        bbc.correct(y, risk, metric=metric, random_state=4, **same),
        oracle_bbc(y, risk, oracle, seed=4, **same),
    )


@pytest.mark.parametrize(("case", "plan"), covering(list(product(CASES, PLANS)), every=2))
def test_every_plan(case, plan):
    ours, theirs = CASES[case]
    n_times = len(ours.times) if "brier" in case else 0
    y, predictions = problem([1, len(case)], n_times)
    design = dict(PLANS[plan])
    oracle_predictions = predictions
    if design.pop("n_repeats", None):
        other = problem([2, len(case)], n_times)[1]
        predictions, oracle_predictions = [predictions, other], np.stack([predictions, other])
    same = {"n_bootstraps": 60} | design
    more = {"n_repeats": 2} if plan == "repeats" else {}
    assert_agree(
        bbc.correct(y, predictions, metric=ours, random_state=4, **same),
        oracle_bbc(y, oracle_predictions, theirs, seed=4, **same, **more),
    )


@pytest.mark.parametrize("case", RISKS)
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_two_levels(case, pooling):
    ours, theirs = RISKS[case]
    y, predictions = problem(9)
    same = {"folds": np.arange(N_ROWS) % 5, "pooling": pooling, "n_bootstraps": 40}
    assert_agree(
        bbc.correct(y, predictions, metric=ours, method="bbc-two-level", random_state=4, **same),
        oracle_two_level(y, predictions, theirs, seed=4, **same),
    )
