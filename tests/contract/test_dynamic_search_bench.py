"""Searches that the benchmark replays stop where Optuna's do, and see no row too early."""

import sys
from pathlib import Path

import numpy as np
import optuna
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benches.paper._all_fits import all_fits
from benches.paper._searches import (
    BRACKETS,
    N_STARTUP,
    SEARCHES,
    TRIALS,
    _asynchronous,
    reliability,
)


def depth_of(scores, pruner):
    """How many folds Optuna evaluates each trial on."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    depth = []

    def objective(trial):
        for fold, score in enumerate(scores[trial.number]):
            depth[trial.number :] = [fold + 1]
            # Steps count from 1, as resources do.
            trial.report(score, fold + 1)
            if fold + 1 < scores.shape[1] and trial.should_prune():
                raise optuna.TrialPruned
        return score

    study = optuna.create_study(direction="maximize", pruner=pruner)
    study.optimize(objective, n_trials=len(scores))
    return np.array(depth)


@pytest.mark.parametrize("number", range(3))
def test_pruners_stop_where_optunas_do(number):
    scores = all_fits("guesses", "none", number).scores()
    rng = np.random.default_rng(0)
    median = optuna.pruners.MedianPruner(n_startup_trials=N_STARTUP)
    assert SEARCHES["median pruner"](scores, rng).tolist() == depth_of(scores, median).tolist()
    halving = optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=2)
    assert SEARCHES["ASHA"](scores, rng).tolist() == depth_of(scores, halving).tolist()


def test_brackets_are_those_of_optuna():
    pruner = optuna.pruners.HyperbandPruner(min_resource=1, max_resource=8, reduction_factor=2)
    pruner._try_initialization(optuna.create_study())
    assert [pruner._calculate_trial_allocation_budget(i) for i in range(4)] == list(TRIALS)
    scores = all_fits("guesses", "none", 0).scores()
    for rate, bracket in enumerate(BRACKETS):
        alone = optuna.pruners.SuccessiveHalvingPruner(
            min_resource=1, reduction_factor=2, min_early_stopping_rate=rate
        )
        own = _asynchronous(scores, np.zeros(len(scores), int), [bracket])
        assert own.tolist() == depth_of(scores, alone).tolist()


def test_what_a_search_leaves_depends_on_rows_seen_before_only():
    """The median pruner apart: Optuna's compares with trials that were completed."""
    table = all_fits("guesses", "none", 5)
    scores = table.scores()
    for name in ("halving", "ASHA", "Hyperband"):
        before = SEARCHES[name](scores, np.random.default_rng(1))
        later = scores.copy()
        later[:, 4:] = np.random.default_rng(2).random(later[:, 4:].shape)
        after = SEARCHES[name](later, np.random.default_rng(1))
        assert ((before <= 4) == (after <= 4)).all(), name
        assert (before[before <= 4] == after[after <= 4]).all(), name


def test_reliability_is_the_share_of_skill():
    rng = np.random.default_rng(0)
    luck = rng.normal(size=(400, 60)) + rng.normal(size=(400, 1))
    assert reliability(luck) < 0.4
    skill = rng.normal(size=60) * np.sqrt(1 / 400)
    assert 0.3 < np.mean([reliability(rng.normal(size=(400, 60)) + skill) for _ in range(50)]) < 0.7
