"""The winner's own performance, and the argmin test: oracle, degenerate data, refusals."""

import math

import numpy as np
import pytest
from scipy.stats import norm, t
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc import _core
from bbc.errors import BBCWarning
from data import make_lucky_models
from reference.possible_winners import discrete_argmin
from reference.winner import (
    BOUNDS,
    newcombe_low,
    of_metric,
    row_values,
    truncated_cdf,
    winner_interval,
)

METRICS = tuple(BOUNDS)


def case(metric, seed, n_rows=24, n_configurations=5):
    rng = np.random.default_rng([seed, len(metric)])
    y = np.arange(n_rows) % 2
    common = rng.normal(size=(n_rows, 1))
    noise = 0.6 * common + rng.normal(size=(n_rows, n_configurations))
    if metric == "accuracy":
        return y, (y[:, None] + noise > 0.5).astype(int)
    return (y, y[:, None] + noise) if metric == "roc_auc" else (y.astype(float), y[:, None] + noise)


def oracle(y, predictions, metric, **options):
    values, step = row_values(y, predictions, metric)
    return winner_interval(values, step, **of_metric(y, metric), **options)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("metric", METRICS)
def test_it_agrees_with_the_oracle(metric, alternative):
    for seed in range(3):
        y, predictions = case(metric, seed)
        how = {"confidence_level": 0.9, "alternative": alternative}
        c = bbc.correct(y, predictions, metric=metric, random_state=seed, **how)
        e = c.winner_interval()
        theirs = oracle(y, predictions, metric, seed=seed, **how)
        ours = (e.estimate, *e.confidence_interval)
        assert ours == pytest.approx(theirs, rel=1e-10, abs=1e-12)
        plain = bbc.correct(y, predictions, metric=metric, n_bootstraps=50, random_state=0)
        assert (e.winner, e.apparent) == (plain.winner, plain.apparent)


def test_rows_of_a_group_are_summed():
    y, predictions = case("mean_squared_error", 0)
    groups = np.arange(24) // 2
    how = {"confidence_level": 0.9, "alternative": "two-sided"}
    metric = "mean_squared_error"
    c = bbc.correct(y, predictions, metric=metric, groups=groups, random_state=5, **how)
    e = c.winner_interval()
    theirs = oracle(y, predictions, metric, seed=5, groups=groups.tolist(), **how)
    assert (e.estimate, *e.confidence_interval) == pytest.approx(theirs, rel=1e-10)
    assert e.unit == "group"


@pytest.mark.parametrize("repeat", [1, 3])
def test_repeats_average_the_rows(repeat):
    y, predictions = case("roc_auc", 1)
    how = {"metric": "roc_auc", "random_state": 0}
    one = bbc.correct(y, predictions, **how).winner_interval()
    same = bbc.correct(y, [predictions] * repeat, **how).winner_interval()
    assert same.apparent == pytest.approx(one.apparent, rel=1e-14)
    if repeat == 1:
        assert same.estimate == one.estimate


@pytest.mark.parametrize("mean", [-300.0, -40.0, -8.0, -1.0, 0.0, 0.7, 3.0, 8.0, 40.0, 300.0])
@pytest.mark.parametrize("limits", [(0.0, math.inf), (0.0, 1.5), (-math.inf, 1.5), (0.5, 0.9)])
def test_the_truncated_distribution_is_accurate_in_its_tails(mean, limits):
    low, high = limits
    for x in (0.6, 0.75, 0.8):
        ours = _core.truncated_normal_cdf(x, mean, 1.0, low, high)
        assert ours == pytest.approx(truncated_cdf(x, mean, 1.0, low, high), rel=1e-9, abs=1e-13)
        mirrored = _core.truncated_normal_cdf(-x, -mean, 1.0, -high, -low)
        assert ours == pytest.approx(1 - mirrored, abs=1e-13)


def test_far_from_the_mean_it_is_exponential():
    """To the right of a mean far on the left, the density falls by exp(-|mean| x)."""
    x = 1e-4
    ours = _core.truncated_normal_cdf(x, -1e4, 1.0, 0.0, math.inf)
    assert ours == pytest.approx(1 - math.exp(-1e4 * x - x * x / 2), rel=1e-7)


@pytest.mark.parametrize("metric", ["ordinal_mean_absolute_error", "brier_score"])
def test_losses_of_many_classes_reach_beyond_one(metric):
    """Their range grows with the classes: limits of two classes would cut the interval off."""
    y = np.arange(80) % 4
    far = np.where(np.arange(80) < 74, np.where(y < 2, 3, 0), y)
    if metric == "brier_score":
        far = np.where(np.arange(4) == far[:, None, None], 0.9, 0.1 / 3)
    predictions = far.reshape(80, 1, *far.shape[2:])
    e = bbc.correct(y, predictions, metric=metric, random_state=1).winner_interval()
    low, high = e.confidence_interval
    assert 1 < low < e.apparent < high
    bound = bbc.correct(y, predictions, metric=metric, alternative="greater").winner_interval()
    assert bound.confidence_interval.high == bbc.metrics.get(metric).limits(4)[1]


def test_without_competitors_it_is_the_normal_interval():
    y, predictions = case("mean_squared_error", 2)
    losses = (predictions[:, 0] - y) ** 2
    mean = losses.mean()
    times = math.exp(t.ppf(0.975, 23) * losses.std(ddof=1) / math.sqrt(24) / mean)
    alone = predictions[:, [0]]
    for given in (alone, np.tile(alone, 4)):
        e = bbc.correct(y, given, metric="mean_squared_error", random_state=0).winner_interval()
        assert e.estimate == pytest.approx(losses.mean(), rel=1e-14)
        low, high = e.confidence_interval
        assert (low, high) == pytest.approx((mean / times, mean * times))


def test_identical_columns_change_nothing():
    y, predictions = case("roc_auc", 3)
    how = {"metric": "roc_auc", "random_state": 0}
    one = bbc.correct(y, predictions, **how).winner_interval()
    two = bbc.correct(y, np.column_stack([predictions, predictions]), **how).winner_interval()
    assert two.confidence_interval == one.confidence_interval
    assert two.estimate == one.estimate


def test_labels_that_tie_have_an_interval():
    y = np.arange(40) % 2
    first, second = y.copy(), y.copy()
    first[:8], second[20:28] = 1 - y[:8], 1 - y[20:28]
    predictions = np.column_stack([first, second])
    e = bbc.correct(y, predictions, metric="accuracy", random_state=0).winner_interval()
    assert e.winner == 0
    assert e.estimate < e.apparent
    assert e.confidence_interval.low < e.estimate < e.confidence_interval.high


def test_losses_that_tie_otherwise_have_none():
    y = np.zeros(40)
    first = np.where(np.arange(40) < 20, 1.0, 2.0)
    both = np.column_stack([first, first[::-1]])
    e = bbc.correct(y, both, metric="mean_squared_error", random_state=0).winner_interval()
    assert e.confidence_interval is None
    assert "ties with the winner" in e.infeasible
    assert e.estimate == 2.5


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_perfect_score_has_limits_that_its_rows_earn(alternative):
    y = np.arange(40) % 2
    groups = np.arange(40) // 4
    how = {"alternative": alternative, "random_state": 0}
    share = 1 if alternative == "less" else 0
    labels = np.column_stack([1 - y, y])
    for given, n in ((None, 40), (groups, 10)):
        with pytest.warns(BBCWarning, match="BBC017"):
            e = bbc.correct(y, labels, metric="accuracy", groups=given, **how).winner_interval()
        low = 0.0 if share else 0.025 ** (1 / n)
        assert tuple(e.confidence_interval) == pytest.approx((low, 1.0))
        assert e.estimate == 1
        c = bbc.correct(y, labels, metric="zero_one_loss", groups=given, random_state=0)
        wrong = c.winner_interval()
        assert tuple(wrong.confidence_interval) == pytest.approx((0, 1 - 0.025 ** (1 / n)))
        e = bbc.correct(y, 1.0 * labels, metric="roc_auc", groups=given, **how).winner_interval()
        m = 20 if given is None else 10
        low = 0.0 if share else newcombe_low(1.0, m, m, -norm.ppf(0.025))
        assert tuple(e.confidence_interval) == pytest.approx((low, 1.0))


@pytest.mark.parametrize("metric", METRICS)
def test_ten_of_everything_are_needed(metric):
    y, predictions = case(metric, 0, n_rows=60)
    groups = np.arange(60) * 9 // 60
    e = bbc.correct(y, predictions, metric=metric, groups=groups, random_state=0).winner_interval()
    assert e.confidence_interval is None
    assert "at least ten groups, not 9" in e.infeasible
    assert e.estimate == e.apparent
    few = bbc.correct(y[:9], predictions[:9], metric=metric, random_state=0).winner_interval()
    assert "at least ten rows, not 9" in few.infeasible


def test_the_auc_needs_ten_of_both_classes():
    _, predictions = case("roc_auc", 0, n_rows=60)
    rare = np.r_[np.ones(9, int), np.zeros(51, int)]
    for truth, what in ((rare, "events, not 9"), (1 - rare, "rows without the event, not 9")):
        e = bbc.correct(truth, predictions, metric="roc_auc", random_state=0).winner_interval()
        assert what in e.infeasible
    groups = np.arange(60) // 2
    events = np.where(groups < 8, 1, 0)
    c = bbc.correct(events, predictions, metric="roc_auc", groups=groups, random_state=0)
    e = c.winner_interval()
    assert "ten groups with events, not 8" in e.infeasible


def test_equal_losses_have_no_variance():
    y = np.zeros(30)
    predictions = np.column_stack([np.full(30, 0.3), np.full(30, -0.4)])
    c = bbc.correct(y, predictions, metric="mean_squared_error", random_state=0)
    with pytest.warns(UserWarning, match="carry no information"):
        e = c.winner_interval()
    assert tuple(e.confidence_interval) == (e.estimate, e.estimate)
    assert e.estimate == pytest.approx(0.09, rel=1e-14)


def test_the_negated_metric_gives_the_negated_interval():
    y, predictions = case("mean_squared_error", 4)
    one, two = (
        bbc.correct(y, predictions, metric=metric, random_state=0).winner_interval()
        for metric in ("mean_squared_error", "neg_mean_squared_error")
    )
    assert two.estimate == -one.estimate
    assert tuple(two.confidence_interval) == tuple(-x for x in tuple(one.confidence_interval)[::-1])


def test_a_function_of_rows_is_a_metric():
    y, predictions = case("mean_squared_error", 4)
    metric = bbc.metrics.row_loss(lambda truth, p: (truth - p) ** 2)
    one = bbc.correct(y, predictions, metric=metric, random_state=0).winner_interval()
    two = bbc.correct(y, predictions, metric="mean_squared_error", random_state=0).winner_interval()
    assert one.estimate == pytest.approx(two.estimate, rel=1e-12)


def test_threads_and_seeds():
    y, predictions = case("roc_auc", 5)
    how = {"metric": "roc_auc", "random_state": 3}
    one, two = (bbc.correct(y, predictions, n_threads=n, **how).winner_interval() for n in (1, 2))
    assert one == two
    assert one.seed == 3
    assert bbc.PerformanceEstimate.from_json(one.to_json()) == one


def test_luck_of_the_fitted_models_is_found():
    y, predictions, folds = make_lucky_models()
    options = {"metric": "accuracy", "folds": folds, "random_state": 0}
    with pytest.warns(BBCWarning, match="BBC011"):
        e = bbc.correct(y, predictions, **options).winner_interval()
    assert "BBC011" in [each.code for each in e.findings]


@pytest.mark.parametrize("metric", METRICS)
def test_argmin_agrees_with_the_oracle(metric):
    for seed in range(4):
        y, predictions = case(metric, seed)
        if seed == 3:
            predictions = np.column_stack([predictions, predictions[:, :2]])
        c = bbc.correct(y, predictions, metric=metric, confidence_level=0.9)
        found = c.possible_winners(test="argmin")
        p_values, possible, lambdas = discrete_argmin(
            row_values(y, predictions, metric)[0],
            greater_is_better=metric != "mean_squared_error",
            confidence_level=0.9,
        )
        np.testing.assert_allclose(found.p_values, p_values, rtol=1e-10, atol=1e-15)
        np.testing.assert_array_equal(found.possible, possible)
        np.testing.assert_allclose(found.tuning, lambdas, rtol=1e-12)
        if seed == 3:
            np.testing.assert_allclose(found.p_values[-2:], found.p_values[:2], rtol=1e-12)
        assert found.seed is None
        assert type(found).from_json(found.to_json()) == found


def test_argmin_of_what_does_not_vary():
    y = np.arange(40) % 2
    with pytest.warns(BBCWarning, match="BBC017"):
        found = _argmin(y, np.column_stack([1 - y, y, y]), metric="accuracy")
    assert found.p_values.tolist() == [0.0, 1.0, 1.0]
    alone = _argmin(y, np.roll(y, 3)[:, None], metric="accuracy")
    assert alone.p_values.tolist() == [1.0]


def _argmin(*args, **options):
    return bbc.correct(*args, **options).possible_winners(test="argmin")


@pytest.mark.parametrize(
    ("metric", "problem"),
    [
        ("r2", "metric.*mean over rows"),
        ("root_mean_squared_error", "metric.*mean over rows"),
        ("spearman", "metric.*mean over rows"),
        (lambda y, p: 0.0, "metric.*Python function.*row_loss"),
    ],
)
def test_other_metrics_are_refused_in_words(metric, problem):
    c = bbc.correct(*case("mean_squared_error", 0), metric=metric)
    with pytest.raises(ValueError, match=problem):
        c.winner_interval()
    with pytest.raises(ValueError, match=problem):
        c.possible_winners(test="argmin")


def test_other_designs_are_refused():
    y, predictions = case("mean_squared_error", 0)
    how = {"metric": "mean_squared_error"}
    with pytest.raises(ValueError, match=r"groups are not taken by test=\"argmin\""):
        _argmin(y, predictions, groups=np.arange(24) // 2, **how)
    with pytest.raises(ValueError, match="sample_weight is not taken"):
        _argmin(y, predictions, sample_weight=np.arange(24.0), **how)
    with pytest.raises(ValueError, match='pooling="fold" is how'):
        _argmin(y, predictions, folds=np.arange(24) % 3, pooling="fold", **how)
    with pytest.raises(ValueError, match="stratify_bootstrap=True has no effect"):
        _argmin(*case("roc_auc", 0), metric="roc_auc", stratify_bootstrap=True)
    weighted = bbc.results.OutOfSamplePredictions(
        scores=predictions[None], y=y, sample_weight=np.arange(24.0) + 1
    )
    with pytest.raises(ValueError, match="sample_weight is not taken"):
        bbc.correct(y, weighted, **how).winner_interval()


def test_bits_that_r_has_too():
    """The same numbers are in r-bridge/bbcr/tests/testthat/test-inference.R."""
    i, j = np.arange(40)[:, None], np.arange(6)
    scores = ((i * i + 3 * i * j + 5 * j) % 17) / 17 + 0.3 * (i % 2)
    y = np.arange(40) % 2
    c = bbc.correct(y, scores, metric="roc_auc", n_bootstraps=1000, random_state=7)
    found = c.possible_winners()
    assert found.p_values.tolist() == [0.86, 0.86, 0.86, 0.843, 0.86, 1.0]
    argmin = c.possible_winners(test="argmin")
    assert argmin.p_values[0] == 0.45012767986591617
    assert argmin.tuning[0] == 2.2749067867314476
    e = c.winner_interval()
    assert (e.estimate, *e.confidence_interval) == (
        0.65732435968797798,
        0.40467587192695953,
        0.90917214163610149,
    )
    how = {"groups": np.arange(40) // 2, "alternative": "less", "random_state": 7}
    c = bbc.correct(y.astype(float), scores, metric="mean_squared_error", **how)
    e = c.winner_interval()
    assert (e.estimate, e.confidence_interval.high) == (0.31246184444540642, 0.39937318784771553)


def test_a_fitted_search_that_keeps_its_predictions_is_taken():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 15]}, cv=5)
    kept = bbc.keep_predictions(search).fit(X, y)
    options = {"metric": "accuracy", "random_state": 1}
    c = bbc.correct(kept, pooling="pooled", **options)
    again = bbc.correct(y, kept.oos_predictions_, **options)
    assert c.winner_interval() == again.winner_interval()
    assert c.possible_winners() == again.possible_winners()
    with pytest.raises(TypeError, match="before fit"):
        bbc.correct(GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1]}), **options)
    c = bbc.correct(search.fit(X, y), **options)  # of scores of folds, five of which are few
    assert c.winner_interval().estimate == search.best_score_
    with pytest.raises(ValueError, match="with fewer than 10 the best configuration would be left"):
        c.possible_winners()
