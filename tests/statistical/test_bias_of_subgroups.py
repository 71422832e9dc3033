"""In subgroups the winner's corrected performance is not too good, and equal ones seldom differ.

Worlds of `benches/subgroups`, which has 500 runs of each. Seen to fail: with the apparent score as
the estimate, and with the standard deviation of the differences over the root of their number as
their standard error.
"""

import numpy as np
import pytest
from benches.subgroups import shares
from benches.subgroups.__main__ import World, one
from scipy.stats import binomtest

N_RUNS, LEVEL = 150, 0.05
RARE = 1e-4  # binomial tests
LIMIT = 4.0  # standard errors
pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


@pytest.fixture(scope="module", params=["accuracy", "roc_auc"])
def of_many(request):
    return [one(World(request.param, 50, 100, 20, 0.0), seed) for seed in range(N_RUNS)]


@pytest.mark.parametrize("name", ["large", "small"])
def test_the_winner_is_not_too_good_in_any_subgroup(of_many, name):
    errors = np.array([run[f"bias_{name}"] for run in of_many])
    apparent = np.array([run[f"apparent_bias_{name}"] for run in of_many])
    limit = LIMIT * errors.std(ddof=1) / np.sqrt(N_RUNS)
    assert -0.03 - limit < errors.mean() < limit
    assert apparent.mean() > LIMIT * apparent.std(ddof=1) / np.sqrt(N_RUNS)


@pytest.mark.parametrize("name", ["large", "small", "difference"])
def test_intervals_cover(of_many, name):
    covered = int(sum(run[f"covered_{name}"] for run in of_many))
    assert binomtest(covered, N_RUNS, 1 - LEVEL, alternative="less").pvalue > RARE


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
def test_equal_subgroups_of_one_configuration_are_seldom_called_different(metric):
    runs = [one(World(metric, 1, 200, 50, 0.0), seed) for seed in range(N_RUNS)]
    alarms = int(sum(run["rejected"] for run in runs))
    assert binomtest(alarms, N_RUNS, LEVEL, alternative="greater").pvalue > RARE


@pytest.mark.parametrize("stratified_by", ["class", "class and subgroup", "nothing"])
def test_subgroups_of_unequal_shares_are_seldom_called_different(stratified_by):
    """Seen to fail, where folds are stratified: by the draws of folds alone (`wrong_before`)."""
    world = shares.World("brier_score", stratified_by, (0.2, 0.8))
    alarms = int(sum(shares.one(world, seed)["wrong_now"] for seed in range(N_RUNS)))
    assert binomtest(alarms, N_RUNS, LEVEL, alternative="greater").pvalue > RARE


def test_a_large_difference_is_found():
    runs = [one(World("accuracy", 1, 400, 100, 0.25), seed) for seed in range(40)]
    assert np.mean([run["rejected"] for run in runs]) > 0.8
