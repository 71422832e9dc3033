"""Rules and methods beside the plain correction agree with the oracle: same draws, same winners."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import bbc
from data import make_predictions, make_truth
from reference.bbc import bbc as oracle_bbc
from reference.bbc import bbc_f as oracle_bbc_f
from reference.dominated import dominated as oracle_dominated
from reference.metrics import METRICS, row_loss
from reference.problem import make_problem
from reference.selection import OneStandardError
from reference.tt import tt as oracle_tt

METRICS_OF_EVERY_FAMILY = (
    "accuracy",
    "balanced_accuracy",
    "f1_macro",
    "mcc",
    "mean_squared_error",
    "neg_root_mean_squared_error",
    "r2",
    "roc_auc",
    "roc_auc_ovo",
    "average_precision",
    "spearman",
    "concordance_index",
)
N_ROWS, N_CONFIGURATIONS, N_FOLDS, N_BOOTSTRAPS = 48, 8, 6, 25
COMPLEXITY = [3, 1, 4, 1, 5, 2, 6, 2]


@pytest.fixture(params=METRICS_OF_EVERY_FAMILY)
def metric(request):
    return request.param


@pytest.fixture(params=[None, 2], ids=["one partition", "repeats"])
def n_repeats(request):
    return request.param


@pytest.fixture
def case(metric, n_repeats):
    """Truth, predictions as we and the oracle take them, and folds that have every class."""
    rng = np.random.default_rng([len(metric), n_repeats or 1])
    y = make_truth(metric, rng, N_ROWS)
    repeats = [make_predictions(metric, y, rng, N_CONFIGURATIONS) for _ in range(n_repeats or 1)]
    order = np.argsort(y["event"] if y.dtype.names else y, kind="stable")
    folds = np.empty((n_repeats or 1, N_ROWS), dtype=np.int64)
    for repeat in folds:
        repeat[order] = (np.arange(N_ROWS) + rng.integers(N_FOLDS)) % N_FOLDS
    if n_repeats:
        return y, repeats, np.stack(repeats), folds
    return y, repeats[0], repeats[0], folds[0]


def assert_agree(ours, theirs):
    assert ours.winner == theirs.winner
    np.testing.assert_array_equal(ours.replicate_winners, theirs.replicate_winners)
    np.testing.assert_allclose(ours.replicates, theirs.replicates, rtol=1e-11, atol=1e-12)
    assert ours.apparent == pytest.approx(theirs.apparent, rel=1e-11)
    assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-11)
    interval = ours.confidence_interval
    # The score interval (test_score_limits) and the classes' shares (test_drawn_folds) may reach
    # farther, never less far.
    farther = [min(interval.low, theirs.low), max(interval.high, theirs.high)]
    np.testing.assert_allclose([interval.low, interval.high], farther, rtol=1e-11)
    assert ours.n_redrawn == theirs.n_redrawn


OPTIONS = {"n_bootstraps": N_BOOTSTRAPS, "confidence_level": 0.8}


def test_one_standard_error(case, metric, n_repeats):
    y, predictions, stacked, folds = case
    rule = bbc.one_standard_error(COMPLEXITY)
    ours = bbc.correct(
        y, predictions, metric=metric, selection=rule, folds=folds, random_state=3, **OPTIONS
    )
    theirs = oracle_bbc(
        y,
        stacked,
        metric,
        selection=OneStandardError(COMPLEXITY),
        folds=folds,
        seed=3,
        n_repeats=n_repeats,
        **OPTIONS,
    )
    assert_agree(ours, theirs)


@pytest.mark.parametrize("metric", ["mean_squared_error", "roc_auc"])
@pytest.mark.parametrize("n_repeats", [2])
def test_one_standard_error_of_folds_that_lost_their_rows(case, metric, n_repeats):
    """Of a repeat's fold all rows were dropped: it has no score, like a fold without a class."""
    y, predictions, stacked, folds = case
    folds[1] = np.random.default_rng(5).permutation(folds[1])
    gone = folds[0] == 2
    assert len(np.unique(folds[1, ~gone])) == N_FOLDS
    holes = [repeat.copy() for repeat in predictions]
    holes[1][gone, 3] = np.nan
    ours = bbc.correct(
        y,
        holes,
        metric=metric,
        missing="drop-rows",
        selection=bbc.one_standard_error(COMPLEXITY),
        folds=folds,
        random_state=3,
        **OPTIONS,
    )
    theirs = oracle_bbc(
        y[~gone],
        stacked[:, ~gone],
        metric,
        selection=OneStandardError(COMPLEXITY),
        folds=folds[:, ~gone],
        seed=3,
        n_repeats=n_repeats,
        **OPTIONS,
    )
    assert_agree(ours, theirs)
    assert len(ours.left_out_rows) == gone.sum()


def second_best(scores, counts):
    assert counts.sum() == N_ROWS
    return int(np.argsort(-scores, kind="stable")[1])


@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_callable_rule(case, metric, n_repeats, pooling):
    y, predictions, stacked, folds = case
    both = {"selection": second_best, "folds": folds, "pooling": pooling, **OPTIONS}
    ours = bbc.correct(y, predictions, metric=metric, random_state=3, **both)
    theirs = oracle_bbc(y, stacked, metric, seed=3, n_repeats=n_repeats, **both)
    # Equal scores may differ in their last bit, and a sort sees that.
    same = ours.replicate_winners == theirs.replicate_winners
    assert same.mean() > 0.8
    np.testing.assert_allclose(ours.replicates[same], theirs.replicates[same], rtol=1e-11)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_bbc_f(case, metric, n_repeats, alternative):
    y, predictions, stacked, folds = case
    measure = METRICS[metric]
    problem = make_problem(y, stacked, measure, folds=folds, n_repeats=n_repeats)
    ours = bbc.correct(
        y,
        predictions,
        metric=metric,
        method="bbc-f",
        folds=folds,
        random_state=3,
        alternative=alternative,
        **OPTIONS,
    )
    scores = problem.fold_scores()
    theirs = oracle_bbc_f(scores, measure, seed=3, alternative=alternative, **OPTIONS)
    assert_agree(ours, theirs)
    assert (ours.method, ours.pooling, ours.unit) == ("bbc-f", "fold", "fold")


def test_tt(case, metric, n_repeats):
    y, predictions, stacked, folds = case
    ours = bbc.correct(y, predictions, metric=metric, folds=folds, method="tt")
    theirs = oracle_tt(y, stacked, metric, folds, n_repeats=n_repeats)
    assert ours.winner == theirs.winner
    assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-11)
    assert ours.apparent == pytest.approx(theirs.apparent, rel=1e-11)
    assert ours.optimism == pytest.approx(theirs.optimism, abs=1e-12)
    assert ours.confidence_interval is None


@pytest.mark.parametrize("stream", [0, 3])
def test_dominated(case, metric, n_repeats, stream):
    y, predictions, stacked, _folds = case
    both = {"n_bootstraps": N_BOOTSTRAPS, "stream": stream, "dropping_level": 0.8}
    ours = bbc.baselines.dominated(y, predictions, metric=metric, random_state=3, **both)
    theirs = oracle_dominated(y, stacked, metric, seed=3, n_repeats=n_repeats, **both)
    assert ours.best == theirs.best
    np.testing.assert_array_equal(ours.share_worse, theirs.share_worse)
    np.testing.assert_array_equal(ours.dominated, theirs.dominated)


def test_dominated_by_fold_and_by_complexity(case, metric, n_repeats):
    y, predictions, stacked, folds = case
    both = {"n_bootstraps": N_BOOTSTRAPS, "folds": folds, "pooling": "fold"}
    ours = bbc.baselines.dominated(
        y,
        predictions,
        metric=metric,
        selection=bbc.one_standard_error(COMPLEXITY),
        random_state=3,
        **both,
    )
    theirs = oracle_dominated(
        y,
        stacked,
        metric,
        selection=OneStandardError(COMPLEXITY),
        seed=3,
        n_repeats=n_repeats,
        **both,
    )
    assert ours.best == theirs.best
    # Means of folds are floats: configurations of equal mean may be strictly worse for one of us.
    np.testing.assert_allclose(ours.share_worse, theirs.share_worse, atol=2 / N_BOOTSTRAPS)


def absolute_error(y, prediction):
    return np.abs(y - prediction)


@pytest.mark.parametrize("selection", ["best", "one_standard_error", "callable"])
def test_metric_that_is_a_python_function(selection):
    rng = np.random.default_rng(5)
    y = make_truth("r2", rng, N_ROWS)
    predictions = make_predictions("r2", y, rng, N_CONFIGURATIONS)
    folds = np.arange(N_ROWS) % N_FOLDS
    rules = {
        "best": ("best", "best"),
        "one_standard_error": (
            bbc.one_standard_error(COMPLEXITY),
            OneStandardError(COMPLEXITY),
        ),
        "callable": (second_best, second_best),
    }
    ours_rule, theirs_rule = rules[selection]
    slow = bbc.metrics.from_callable(
        lambda a, b: float(np.mean(absolute_error(a, b))), greater_is_better=False
    )
    for metric in (slow, bbc.metrics.row_loss(absolute_error)):
        ours = bbc.correct(
            y,
            predictions,
            metric=metric,
            selection=ours_rule,
            folds=folds,
            size_correction=False,  # which of the two is a mean, only the kernel knows
            random_state=1,
            **OPTIONS,
        )
        theirs = oracle_bbc(
            y,
            predictions,
            row_loss(absolute_error),
            selection=theirs_rule,
            folds=folds,
            seed=1,
            **OPTIONS,
        )
        assert_agree(ours, theirs)


def test_bbc_f_of_a_python_function():
    rng = np.random.default_rng(5)
    y = make_truth("r2", rng, N_ROWS)
    predictions = make_predictions("r2", y, rng, N_CONFIGURATIONS)
    both = {"method": "bbc-f", "folds": np.arange(N_ROWS) % N_FOLDS, "random_state": 1, **OPTIONS}
    slow = bbc.metrics.from_callable(
        lambda a, b: float(np.mean(absolute_error(a, b))), greater_is_better=False
    )
    by_function = bbc.correct(y, predictions, metric=slow, **both)
    by_name = bbc.correct(y, predictions, metric="mean_absolute_error", **both)
    np.testing.assert_allclose(by_function.replicates, by_name.replicates, rtol=1e-12)
    by_rule = bbc.correct(
        y,
        predictions,
        metric="mean_absolute_error",
        selection=lambda scores, counts: int(np.argmin(scores)),
        **both,
    )
    np.testing.assert_array_equal(by_rule.replicate_winners, by_name.replicate_winners)


def test_tt_warns_of_folds_of_one_row():
    y = np.arange(12) % 2
    predictions = np.column_stack([y, 1 - y, y])
    with pytest.warns(bbc.errors.BBCWarning, match="a fold has a single row"):
        estimate = bbc.correct(y, predictions, folds=np.arange(12), metric="accuracy", method="tt")
    assert [each.code for each in estimate.findings] == ["BBC002", "BBC004", "BBC017"]


@pytest.mark.parametrize(
    ("n_rows", "n_configurations", "n_repeats"),
    [(30, 2100, 1), (90, 5, 800), (70_000, 3, 1)],
    ids=["several panels", "sums of many repeats", "sums of many rows"],
)
def test_dominated_counts_large_sums_of_errors(n_rows, n_configurations, n_repeats):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, n_rows)
    predictions = rng.integers(0, 2, (n_repeats, n_rows, n_configurations))
    resamples = rng.integers(0, n_rows, (70, n_rows))
    ours = bbc.baselines.dominated(y, list(predictions), metric="accuracy", resamples=resamples)
    errors = (predictions != y[:, None]).sum(axis=0)
    in_bag = np.array([errors[drawn].sum(axis=0) for drawn in resamples])
    best = np.argmin(errors.sum(axis=0))
    assert ours.best == best
    np.testing.assert_array_equal(
        ours.share_worse, (in_bag > in_bag[:, [best]]).sum(axis=0) / len(resamples)
    )


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
def test_dominated_needs_nothing_out_of_bag(metric):
    rng = np.random.default_rng(4)
    y = np.arange(30) % 2
    predictions = rng.integers(0, 2, (30, 5))
    resamples = np.vstack([rng.permutation(30), rng.integers(0, 30, (9, 30)), np.arange(30)])
    ours = bbc.baselines.dominated(y, predictions, metric=metric, resamples=resamples)
    theirs = oracle_dominated(y, predictions, metric, resamples=resamples)
    assert ours.best == theirs.best
    np.testing.assert_array_equal(ours.share_worse, theirs.share_worse)


def test_intervals_of_one_configuration_need_nothing_out_of_bag():
    rng = np.random.default_rng(4)
    y = np.arange(30) % 2
    scores = y + rng.normal(size=30)
    in_bag = bbc.baselines.intervals.naive_bootstrap(
        y, scores, metric="roc_auc", resamples=np.tile(np.arange(30), (50, 1))
    )
    plain = bbc.correct(y, scores[:, None], metric="roc_auc", random_state=0).apparent
    assert (in_bag.replicates == plain).all()
    within_classes = 2 * rng.integers(0, 15, (99, 30)) + y
    drawn = np.vstack([np.arange(30), within_classes])
    own = bbc.baselines.intervals.tilting(y, scores, resamples=drawn)
    # The order of the draws of a replicate is no matter.
    again = bbc.baselines.intervals.tilting(y, scores, resamples=np.sort(drawn, axis=1))
    assert own.estimate == plain
    assert own.confidence_interval == again.confidence_interval


def test_a_python_function_is_undefined_in_the_same_folds():
    rng = np.random.default_rng(7)
    y = (np.arange(N_ROWS) % 6 == 0).astype(int)
    predictions = rng.random((N_ROWS, 4)) + 0.4 * y[:, None]
    folds = np.stack([rng.permutation(np.arange(N_ROWS) % 5) for _ in range(2)])

    def auc(truth, scores):
        return roc_auc_score(truth, scores) if len(set(truth)) == 2 else np.nan

    def precision_of_high(truth, scores):
        called = scores > scores.mean() + 0.3
        return truth[called].mean() if called.any() else np.nan

    both = {"folds": folds, "pooling": "fold", "random_state": 1, **OPTIONS}
    both["size_correction"] = False
    repeats = [predictions, predictions[:, ::-1]]
    own, named = (bbc.correct(y, repeats, metric=metric, **both) for metric in (auc, "roc_auc"))
    np.testing.assert_allclose(own.replicates, named.replicates, rtol=1e-12)
    assert own.undefined_fold_share == named.undefined_fold_share > 0.1
    of_others = [
        bbc.correct(y, repeats, metric="roc_auc", secondary={"other": metric}, **both)
        for metric in (auc, "average_precision")
    ]
    shares = [each.secondary["other"].undefined_fold_share for each in of_others]
    assert shares[0] >= shares[1] > 0
    # Means over other folds for each configuration could not be compared.
    with pytest.raises(ValueError, match=r"NaN for configuration \d but not for others"):
        bbc.correct(y, repeats, metric=precision_of_high, **both)
