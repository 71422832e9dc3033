"""What the findings warn of, on few repetitions of the settings of benches/findings.

Limits are standard errors over the repetitions, or exact binomial tests. Each pair of tests has a
setting with the harm and one without, so that a simulation that cannot tell them apart fails.

Seen to fail: with BBC014 for classes of a hundred rows, BBC013 at the average row's share, with
intervals of two folds given all the same, with ten folds in the place of two, with rows drawn
where blocks were asked for, and with the truth of scores of folds left out.
"""

import numpy as np
import pytest
from benches.findings import (
    few_events,
    few_folds,
    few_replicates,
    hard_labels,
    leaked_truth,
    outliers,
    overtuned,
    rare_class,
    scores_of_folds,
    time_order,
    uneven_weights,
)
from benches.findings._study import covers, ends, has, mean_and_error, of_draws
from scipy.stats import binomtest

RARE = 1e-5  # binomial tests
LIMIT = 4.5  # standard errors
pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def repeated(simulate, n_repetitions, *setting):
    rng = np.random.default_rng(5)
    return [simulate(*setting, rng) for _ in range(n_repetitions)]


def p_too_few(covered, level=0.95):
    """P-value of "the intervals cover at least as often as they say"."""
    return binomtest(int(sum(covered)), len(covered), level, alternative="less").pvalue


def found(estimates, code):
    return np.mean([has(e, code) for e in estimates])


@pytest.mark.parametrize(("errors", "harm"), [("normal", False), ("3 % outliers", True)])
def test_outliers_make_intervals_of_mean_losses_too_short(errors, harm):
    """Also with limits that allow for long tails: samples of fifty rows may have no outlier."""
    pairs = repeated(outliers.simulate, 150, 50, errors)
    assert (p_too_few([covers(e, truth) for e, truth in pairs]) < RARE) == harm
    fires = found([e for e, _ in pairs], "BBC013")
    assert fires > 0.4 if harm else fires < 0.2


@pytest.mark.parametrize(
    ("metric", "setting", "harm"),
    [
        ("average_precision", (300, 30, 10), True),
        ("average_precision", (300, 150, 5), False),
        ("precision", (100, 10, 10), True),
        ("precision", (300, 150, 5), False),
    ],
)
def test_means_over_folds_of_few_events_are_biased(metric, setting, harm):
    """By more than a tenth of the interval's width, which rows together are not."""
    truth = rare_class.population(metric, setting[1] / setting[0])
    pairs = repeated(few_events.simulate, 60, metric, *setting)
    sign = 1 if metric == "average_precision" else -1
    tenth = 0.1 * np.mean([np.ptp(ends(e)) for e, _ in pairs])
    bias, error = mean_and_error(sign * (e.estimate - truth) for e, _ in pairs)
    of_rows, of_rows_error = mean_and_error(sign * (e.estimate - truth) for _, e in pairs)
    assert (bias > tenth + LIMIT * error) == harm
    assert of_rows < tenth + LIMIT * of_rows_error
    assert found([e for e, _ in pairs], "BBC032") == harm
    assert found([e for _, e in pairs], "BBC032") == 0


@pytest.mark.parametrize(("n_bootstraps", "harm"), [(200, True), (2000, False)])
def test_another_seed_moves_limits_of_few_replicates(n_bootstraps, harm):
    """By more than a twentieth of the width, and by a fiftieth where there are as many as asked."""
    rng = np.random.default_rng(5)
    seeds = [few_replicates.simulate("roc_auc", 60, n_bootstraps, rng) for _ in range(15)]
    moved = few_replicates.between_seeds(seeds)
    error = moved / np.sqrt(2 * 15 * (few_replicates.N_SEEDS - 1))
    assert (moved - LIMIT * error > 0.03) == harm
    assert (moved + LIMIT * error < 0.04) != harm
    fires = found([e for each in seeds for e in each.estimates], "BBC033")
    assert fires > 0.6 if harm else fires == 0
    if harm:
        asked = few_replicates.needed(seeds)
        again = [few_replicates.simulate("roc_auc", 60, asked, rng) for _ in range(15)]
        assert few_replicates.between_seeds(again) < 0.03


@pytest.mark.parametrize(("n_positive", "harm"), [(4, True), (50, False)])
def test_average_precision_of_few_rows_is_too_good(n_positive, harm):
    truth = rare_class.population("average_precision", n_positive / rare_class.N_ROWS)
    estimates = repeated(rare_class.simulate, 60, "average_precision", n_positive)
    bias, error = mean_and_error(e.estimate - truth for e in estimates)
    assert (bias > 0.02 + LIMIT * error) == harm
    assert found(estimates, "BBC014") == harm


@pytest.mark.parametrize("n_positive", [4, 50])
@pytest.mark.parametrize("metric", ["f1", "mcc", "balanced_accuracy"])
def test_intervals_of_label_metrics_on_few_rows_miss(metric, n_positive):
    """But for those with a score interval, which counts the few rows."""
    harm = n_positive == 4 and metric == "mcc"
    truth = rare_class.population(metric, n_positive / rare_class.N_ROWS)
    estimates = repeated(rare_class.simulate, 60, metric, n_positive)
    assert (p_too_few([covers(e, truth) for e in estimates]) < RARE) == harm
    assert found(estimates, "BBC014") == (n_positive == 4)


@pytest.mark.parametrize(("n_folds", "harm"), [(2, True), (4, False), (10, False)])
@pytest.mark.parametrize("luck", [0.0, 0.05])
def test_draws_of_two_folds_say_little(n_folds, luck, harm):
    """Their limits hold, at many times the width; draws alone would miss."""
    estimates = repeated(few_folds.simulate, 150, n_folds, luck)
    assert p_too_few([covers(e, few_folds.SKILL) for e in estimates]) > RARE
    alone = [of_draws(e) for e in estimates]
    assert (p_too_few([low <= few_folds.SKILL <= high for low, high in alone]) < RARE) == harm
    assert found(estimates, "BBC015") == (n_folds < 5)


@pytest.mark.parametrize(
    ("metric", "events", "harm"),
    [
        ("accuracy", 0.05, True),
        ("brier_score", 0.1, True),
        ("accuracy", 0.5, False),
        ("roc_auc", 0.1, False),
    ],
)
def test_scores_of_stratified_folds_miss_without_the_truth(metric, events, harm):
    """Of unequal classes, by scores that do not weigh them by themselves."""
    pairs = repeated(scores_of_folds.simulate, 150, metric, events, True)
    assert (p_too_few([covers(pair.alone, pair.truth) for pair in pairs]) < RARE) == harm
    assert p_too_few([covers(pair.told, pair.truth) for pair in pairs]) > RARE
    assert found([pair.alone for pair in pairs], "BBC025") == 1
    assert found([pair.told for pair in pairs], "BBC025") == 0


def test_bounds_of_few_effective_weights_are_too_high():
    rng = np.random.default_rng(5)
    bounds = []
    for _ in range(40):
        bounds.append(uneven_weights.tilted(*uneven_weights.data(10, 50, rng), seed=1))
    covered = [e.confidence_interval.low <= uneven_weights.AUC for e in bounds]
    assert p_too_few(covered) < RARE
    assert found(bounds, "BBC012") == 1


@pytest.mark.parametrize(("form", "harm"), [("scores", False), ("labels", True)])
def test_the_auc_of_labels_is_too_low(form, harm):
    estimates = repeated(hard_labels.simulate, 60, form, 0.2)
    bias, error = mean_and_error(e.estimate - hard_labels.AUC for e in estimates)
    assert (bias < -0.1 - LIMIT * error) == harm
    assert found(estimates, "BBC016") == harm


@pytest.mark.parametrize("leaks", [False, True])
def test_a_copy_of_the_truth_wins(leaks):
    estimates = repeated(leaked_truth.simulate, 30, 100, 0.7, leaks)
    assert found(estimates, "BBC017") == leaks
    assert all((e.estimate == 1) == leaks for e in estimates)


@pytest.mark.parametrize(
    ("correlation", "by_block", "harm"),
    [(0.0, False, False), (0.8, False, True), (0.8, True, False)],
)
def test_neighbours_in_time_make_intervals_too_short(correlation, by_block, harm):
    estimates = repeated(time_order.simulate, 100, correlation, by_block)
    assert (p_too_few([covers(e, time_order.TRUTH) for e in estimates]) < RARE) == harm
    assert found(estimates, "BBC018") == (not by_block)


@pytest.mark.parametrize(
    ("search", "most", "least"),
    [("flat", 0.05, 0.0), ("flat, lucky models", 0.05, 0.0), ("too long", 1.0, 0.4)],
)
def test_a_search_that_is_too_long_is_called_overtuned(search, most, least):
    """Seen to fail with method="bbc", which calls few searches too long."""
    setting = overtuned.SETTINGS[search]
    rng = np.random.default_rng(19)
    paths = [overtuned.simulate(*setting, rng) for _ in range(40)]
    n_found = sum(path.overtuned for path, _ in paths)
    assert binomtest(n_found, 40, most, alternative="greater").pvalue > RARE
    assert binomtest(n_found, 40, least, alternative="less").pvalue > RARE
    biases = [path.estimates[-1] - true[-1] for path, true in paths]
    bias, error = mean_and_error(biases)
    assert bias < LIMIT * error
