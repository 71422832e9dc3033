"""What must not change a correction, or change it in a known way, whatever the metric."""

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth

N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS = 60, 12, 80
METRICS = sorted(bbc.metrics.names())
LABELS = [name for name in METRICS if bbc.metrics.get(name).predicts == "labels"]
RANKINGS = ["roc_auc", "average_precision", "concordance_index", "spearman"]
OPTIONS = {"n_bootstraps": N_BOOTSTRAPS, "confidence_level": 0.8, "random_state": 11}


@pytest.fixture
def problem(metric):
    rng = np.random.default_rng([1, *metric.encode()])
    y = make_truth(metric, rng, N_ROWS)
    return y, make_predictions(metric, y, rng, N_CONFIGURATIONS)


def correct(y, predictions, metric, **options):
    return bbc.correct(y, predictions, metric=metric, **{**OPTIONS, **options})


def in_bag_scores(y, predictions, metric, **options):
    """Scores of all configurations in every replicate."""
    seen = []

    def first(scores, counts):
        seen.append(scores.copy())
        return 0

    correct(y, predictions, metric, selection=first, **options)
    return np.array(seen[-N_BOOTSTRAPS:])


def halves(rng):
    """Draws within one half of the rows each, so that every class is on either side."""
    half = np.argsort(rng.random((N_BOOTSTRAPS, 2)), axis=1)[:, :1]
    return 2 * rng.integers(0, N_ROWS // 2, (N_BOOTSTRAPS, N_ROWS)) + half


@pytest.mark.parametrize("metric", METRICS)
def test_rows_may_be_permuted_together_with_their_counts(problem, metric):
    y, predictions = problem
    rng = np.random.default_rng(2)
    order = rng.permutation(N_ROWS)
    drawn = halves(rng)
    plain = correct(y, predictions, metric, resamples=drawn)
    place = np.argsort(order)
    permuted = correct(y[order], predictions[order], metric, resamples=place[drawn])
    scores = in_bag_scores(y, predictions, metric, resamples=drawn)
    b = np.arange(N_BOOTSTRAPS)
    winners, others = plain.replicate_winners, permuted.replicate_winners
    # Sums in another order may break a tie of real numbers in another way, and nothing else.
    np.testing.assert_allclose(scores[b, winners], scores[b, others], rtol=1e-13, atol=1e-13)
    same = winners == others
    np.testing.assert_allclose(plain.replicates[same], permuted.replicates[same], rtol=1e-12)
    if bbc.metrics.get(metric).predicts == "labels":
        assert plain.replicates.tolist() == permuted.replicates.tolist()


@pytest.mark.parametrize("metric", METRICS)
def test_configurations_may_be_permuted(problem, metric):
    y, predictions = problem
    order = np.random.default_rng(3).permutation(N_CONFIGURATIONS)
    scores = in_bag_scores(y, predictions, metric)
    permuted = in_bag_scores(y, predictions[:, order], metric)
    assert np.array_equal(scores[:, order], permuted)
    plain, other = correct(y, predictions, metric), correct(y, predictions[:, order], metric)
    assert plain.n_redrawn == other.n_redrawn
    mapped = order[other.replicate_winners]
    b = np.arange(N_BOOTSTRAPS)
    # The lowest index wins a tie, so a tie may go to another of the tied.
    np.testing.assert_allclose(scores[b, plain.replicate_winners], scores[b, mapped], rtol=1e-14)
    same = plain.replicate_winners == mapped
    assert plain.replicates[same].tolist() == other.replicates[same].tolist()


@pytest.mark.parametrize("metric", METRICS)
def test_a_copy_of_a_configuration_never_wins(problem, metric):
    y, predictions = problem
    copies = np.concatenate([predictions, predictions[:, ::-1]], axis=1)
    plain, doubled = correct(y, predictions, metric), correct(y, copies, metric)
    assert doubled.replicates.tolist() == plain.replicates.tolist()
    assert doubled.replicate_winners.tolist() == plain.replicate_winners.tolist()
    assert (doubled.winner, doubled.apparent) == (plain.winner, plain.apparent)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
@pytest.mark.parametrize("weight", [1.0, 0.1, 1 / 3, 7.3])
def test_equal_weights_are_no_weights(problem, metric, pooling, weight):
    y, predictions = problem
    options = {"pooling": pooling, "folds": np.arange(N_ROWS) // 20}
    plain = correct(y, predictions, metric, **options)
    equal = np.full(N_ROWS, weight)
    assert correct(y, predictions, metric, sample_weight=equal, **options) == plain


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("step", [0.25, 3.0, 0.7])
def test_multiples_of_a_step_are_integers(problem, metric, step):
    y, predictions = problem
    times = 2 ** np.random.default_rng(7).integers(0, 3, N_ROWS)  # exact, whatever the step
    plain = correct(y, predictions, metric, sample_weight=times.astype(float))
    assert correct(y, predictions, metric, sample_weight=step * times) == plain


@pytest.mark.parametrize("metric", LABELS)
def test_integer_weights_are_rows_that_are_there_as_often(problem, metric):
    y, predictions = problem
    times = np.random.default_rng(8).integers(1, 4, N_ROWS)
    owner = np.repeat(np.arange(N_ROWS), times)
    options = {"groups": np.arange(N_ROWS), "stratify_bootstrap": False}
    weighted = correct(y, predictions, metric, sample_weight=0.25 * times, **options)
    repeated = correct(y[owner], predictions[owner], metric, **{**options, "groups": owner})
    assert weighted.replicate_winners.tolist() == repeated.replicate_winners.tolist()
    assert weighted.replicates.tolist() == repeated.replicates.tolist()


@pytest.mark.parametrize("metric", LABELS)
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_the_order_of_rows_decides_no_weighted_winner(problem, metric, pooling):
    y, predictions = problem
    rng = np.random.default_rng(9)
    weights, order, drawn = rng.integers(1, 9, N_ROWS) / 7, rng.permutation(N_ROWS), halves(rng)
    options = {"pooling": pooling}
    folds = np.arange(N_ROWS) // 20
    plain = correct(
        y, predictions, metric, sample_weight=weights, resamples=drawn, folds=folds, **options
    )
    permuted = correct(
        y[order],
        predictions[order],
        metric,
        sample_weight=weights[order],
        resamples=np.argsort(order)[drawn],
        folds=folds[order],
        **options,
    )
    assert plain.replicate_winners.tolist() == permuted.replicate_winners.tolist()


@pytest.mark.parametrize(
    ("metric", "scored_class"), [("specificity", 0), ("sensitivity", 1), ("recall", 1)]
)
def test_calls_of_the_other_class_change_no_bit_of_a_rate(metric, scored_class):
    """Sums of real weights are rounded once: none is the difference of two others."""
    rng = np.random.default_rng(8)
    y = rng.permutation(np.arange(N_ROWS) % 2)
    same_calls = np.where(rng.random(N_ROWS) < 0.2, 1 - y, y)
    predictions = np.where(
        (y == scored_class)[:, None], same_calls[:, None], rng.integers(0, 2, (N_ROWS, 12))
    )
    weights = rng.random(N_ROWS)
    scores = in_bag_scores(y, predictions, metric, sample_weight=weights)
    assert len(scores) == N_BOOTSTRAPS
    assert np.array_equal(scores, np.repeat(scores[:, :1], 12, axis=1))
    result = correct(y, predictions, metric, sample_weight=weights)
    assert result.winner == 0
    assert set(result.replicate_winners) == {0}


@pytest.mark.parametrize("metric", LABELS)
def test_a_perfect_configuration_scores_exactly_one(metric):
    """Or no error, also with weights whose sums are rounded."""
    rng = np.random.default_rng(9)
    y = make_truth(metric, rng, N_ROWS)
    perfect = np.asarray(y)[:, None]
    scores = in_bag_scores(y, perfect, metric, sample_weight=rng.random(N_ROWS))
    assert set(scores.ravel()) == {1.0 if bbc.metrics.get(metric).greater_is_better else 0.0}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("exponent", [-1000, 3, 1000])
def test_weights_count_relative_to_each_other(problem, metric, exponent):
    y, predictions = problem
    weights = np.random.default_rng(4).random(N_ROWS) + 0.25
    plain = correct(y, predictions, metric, sample_weight=weights)
    scaled = correct(y, predictions, metric, sample_weight=weights * 2.0**exponent)
    assert scaled == plain


def increasing(values, rng):
    """Other numbers in the same order, with the same ties."""
    _, ranks = np.unique(values, return_inverse=True)
    steps = rng.exponential(size=ranks.max() + 1) * 10.0 ** rng.integers(-6, 6, ranks.max() + 1)
    return (np.cumsum(steps) - steps.sum() / 2)[ranks].reshape(values.shape)


@pytest.mark.parametrize("metric", RANKINGS)
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_rankings_read_only_the_order_of_scores(problem, metric, pooling):
    y, predictions = problem
    rng = np.random.default_rng(5)
    columns = [increasing(column, rng) for column in predictions.T]
    options = {"pooling": pooling, "folds": np.arange(N_ROWS) // 20}
    plain = correct(y, predictions, metric, **options)
    assert correct(y, np.column_stack(columns), metric, **options) == plain
    if metric == "spearman":
        y = increasing(y, rng)
    elif metric == "concordance_index":
        y = y.copy()
        y["time"] = increasing(y["time"], rng)
    assert correct(y, predictions, metric, **options) == plain


@pytest.mark.parametrize("constant", [1.0, -3.0, 1024.0])
def test_a_constant_added_to_a_loss_moves_the_scores_and_nothing_else(constant):
    rng = np.random.default_rng(6)
    y, predictions = rng.integers(0, 9, N_ROWS) / 8, rng.integers(0, 9, (N_ROWS, 12)) / 8
    plain = correct(y, predictions, bbc.metrics.row_loss(lambda y, p: np.abs(y - p)))
    moved = correct(y, predictions, bbc.metrics.row_loss(lambda y, p: np.abs(y - p) + constant))
    # Eighths: every sum is exact, so that the winners are the same even where losses tie.
    assert moved.replicate_winners.tolist() == plain.replicate_winners.tolist()
    np.testing.assert_allclose(moved.replicates, plain.replicates + constant, rtol=1e-15)
    assert moved.optimism == pytest.approx(plain.optimism, abs=1e-12)
