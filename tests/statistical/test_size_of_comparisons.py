"""Families of equal expected performance are seldom called different; better ones are.

Real learners that are equal by symmetry, as in `benches/comparison`, and simulated fits with luck,
on 200 rows in ten folds. Limits are exact binomial tests, or standard errors over the runs.

Seen to fail: without the addition for shared training rows (7-NN), with
``method="bbc"`` where fitted models have luck (kept in view below), with the standard deviation of
the replicates divided by the root of their number, and, as for power, with that standard deviation
as it is.
"""

from itertools import product

import numpy as np
import pytest
from benches.comparison._worlds import World
from benches.comparison.learners import Cell
from scipy.stats import binomtest

import bbc
from families import compared_arrays
from nightly import covering

N_RUNS, LEVEL = 120, 0.05
RARE = 1e-4  # binomial tests
LIMIT = 4.0  # standard errors
METRICS = ("roc_auc", "accuracy", "log_loss", ("roc_auc", "log_loss"))
pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def compared(world, **options):
    """p-values, estimates, intervals and true differences, each (run,)."""
    rng = np.random.default_rng([world.n_rows, *world.sizes])
    rows = []
    for run in range(N_RUNS):
        y, predictions, folds, (first, second) = world.draw(0.0, rng)
        families = {
            "first": predictions[0, :, : world.sizes[0]],
            "second": predictions[0, :, world.sizes[0] :],
        }
        comparison = compared_arrays(
            y,
            families,
            metric="accuracy",
            folds=folds,
            n_bootstraps=200,
            random_state=run,
            **options,
        )
        one = comparison.differences[0]
        winners = [each.winner for each in comparison.estimates.values()]
        true = first[winners[0]] - second[winners[1]]
        rows.append((one.p_value, one.estimate, *one.confidence_interval, true))
    return np.array(rows).T


def p_too_many(p_values):
    """p-value of "false alarms are as rare as they say"."""
    n_alarms = int(np.count_nonzero(p_values <= LEVEL))
    return binomtest(n_alarms, N_RUNS, LEVEL, alternative="greater").pvalue


@pytest.mark.parametrize("sizes", [(1, 1), (20, 20), (100, 1)])
@pytest.mark.parametrize("luck", [0.0, 0.05])
def test_equal_families_are_seldom_called_different(sizes, luck):
    world = World(200, sizes, luck, n_folds=10)
    p_values, estimates, low, high, true = compared(world, method="bbc-two-level")
    assert p_too_many(p_values) > RARE
    covered = int(np.count_nonzero((low <= 0) & (high >= 0)))
    assert binomtest(covered, N_RUNS, 1 - LEVEL, alternative="less").pvalue > RARE
    errors = estimates - true
    assert abs(errors.mean()) < LIMIT * errors.std(ddof=1) / np.sqrt(N_RUNS)


@pytest.mark.parametrize(
    ("learner", "metric"),
    covering(list(product(("discriminant", "7-NN"), METRICS)), every=2, part=str),
    ids=str,
)
def test_equal_learners_are_seldom_called_different(learner, metric):
    cell = Cell(learner, n_rows=60)
    rng = np.random.default_rng(8)
    p_values, covered = [], []
    for run in range(2 * N_RUNS):
        y, predictions, folds = cell.draw(rng)
        values = (predictions > 0.5).astype(int) if metric == "accuracy" else predictions
        families = cell.families(values)
        selects, *beside = [metric] if isinstance(metric, str) else metric
        options = {"metric": selects, "secondary": beside, "n_bootstraps": 50, "random_state": run}
        found = compared_arrays(y, families, folds=folds, **options)
        one = (found.secondary["log_loss"] if beside else found).differences[0]
        p_values.append(one.p_value)
        covered.append(one.confidence_interval.low <= 0 <= one.confidence_interval.high)
    n_alarms = int(np.count_nonzero(np.array(p_values) <= LEVEL))
    assert binomtest(n_alarms, 2 * N_RUNS, LEVEL, alternative="greater").pvalue > RARE
    assert binomtest(sum(covered), 2 * N_RUNS, 1 - LEVEL, alternative="less").pvalue > RARE


def test_families_that_share_configurations_are_seldom_called_different():
    """Their winners are often the same or nearly so, and then tell nothing."""
    cell = Cell("discriminant", n_rows=60, sizes=(6, 6), shared=5)
    rng = np.random.default_rng(9)
    p_values = []
    for run in range(N_RUNS):
        y, predictions, folds = cell.draw(rng)
        families = cell.families(predictions)
        options = {"metric": "roc_auc", "folds": folds, "n_bootstraps": 100, "random_state": run}
        p_values.append(compared_arrays(y, families, **options).differences[0].p_value)
    assert p_too_many(np.array(p_values)) > RARE


def test_rows_alone_are_seen_to_call_lucky_families_different():
    p_values, *_ = compared(World(500, (100, 1), 0.05), method="bbc")
    assert p_too_many(p_values) < RARE


def test_a_better_family_is_called_better():
    world = World(200, (20, 20), advantage=0.1, n_folds=10)
    p_values, estimates, *_ = compared(world)
    found = int(np.count_nonzero((p_values <= LEVEL) & (estimates > 0)))
    assert binomtest(found, N_RUNS, 0.8, alternative="less").pvalue > RARE


def exchanged(rng):
    """Families of equal Brier score in the population, each better in another class."""
    y = (rng.random(200) < 0.2).astype(int)
    risks = {}
    for name, losses in {"first": (0.1, 0.6), "second": (0.225, 0.1)}.items():
        noise = rng.uniform(-0.08, 0.08, (len(y), 3))
        risks[name] = np.abs(y[:, None] - np.sqrt(np.array(losses)[y][:, None] + noise))
    folds = np.empty(len(y), int)
    for code in (0, 1):
        rows = np.flatnonzero(y == code)
        folds[rows] = np.arange(len(rows)) % 5
    return y, risks, folds


@pytest.mark.parametrize("selection", ["best", bbc.top_k(2), bbc.greedy_ensemble(3)], ids=str)
def test_stratified_folds_do_not_hide_that_the_shares_of_classes_vary(selection):
    """Without what they hide, half of the tests would reject."""
    found = {"sampled": [], "fixed": []}
    for run in range(N_RUNS):
        y, risks, folds = exchanged(np.random.default_rng(run))
        for class_counts, rows in found.items():
            one = compared_arrays(
                y,
                risks,
                metric="brier_score",
                method="bbc-two-level",
                class_counts=class_counts,
                selection=selection,
                folds=folds,
                n_bootstraps=200,
                random_state=run,
            ).differences[0]
            rows.append((one.p_value, one.standard_error, one.estimate))
    p_values, errors, estimates = np.array(found["sampled"]).T
    assert p_too_many(p_values) > RARE
    assert p_too_many(np.array(found["fixed"])[:, 0]) < RARE
    # The standard error is right: that of a standard deviation over the runs is 1 / sqrt(2 N).
    assert errors.mean() == pytest.approx(np.std(estimates), rel=LIMIT / np.sqrt(2 * N_RUNS))
