"""Rungs of a stream of configurations have the bits of one piece."""

import dask.array
import numpy as np
import pandas as pd
import pytest

import bbc

N_ROWS = 80
FOLDS = np.arange(N_ROWS) // 10
METRICS = {
    "accuracy": "labels",
    "f1": "labels",
    "roc_auc": "scores",
    "brier_score": "scores",
    "mean_squared_error": "values",
}
pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def made(metric, n, seed=0):
    """Truth, and predictions of a search that stops most configurations after two folds."""
    rng = np.random.default_rng(seed)
    kind = METRICS[metric]
    y = rng.normal(size=N_ROWS) if kind == "values" else np.arange(N_ROWS) % 2
    predictions = rng.random((N_ROWS, n))
    if kind == "labels":
        predictions = (predictions > 0.5).astype(float)
    depth = rng.choice([2, 4, 8], n, p=[0.6, 0.3, 0.1])
    depth[-1] = 8  # which only the last block has, if luck will have it
    return y, np.where(FOLDS[:, None] < depth, predictions, np.nan)


def correct(y, predictions, metric="accuracy", **options):
    pooling = "rung" if metric == "roc_auc" else "pooled"
    asked = {"missing": "rungs", "rungs": FOLDS, "pooling": pooling, "random_state": 1}
    return bbc.correct(y, predictions, metric=metric, **asked | options)


def in_blocks(predictions, width):
    starts = range(0, predictions.shape[1], width)
    return bbc.Blocks(predictions[:, first : first + width] for first in starts)


def assert_same(found, expected):
    assert found == expected
    assert found.replicates.tobytes() == expected.replicates.tobytes()
    assert found.replicate_winners.tolist() == expected.replicate_winners.tolist()


@pytest.mark.parametrize("width", [1, 7, 60])
@pytest.mark.parametrize("metric", METRICS)
def test_blocks_have_the_bits_of_one_piece(metric, width):
    y, predictions = made(metric, 60)
    expected = correct(y, predictions, metric)
    assert_same(correct(y, in_blocks(predictions, width), metric), expected)


@pytest.mark.parametrize("n", [1, 2, 3, 200])
def test_dask_arrays_have_the_bits_of_one_piece(n):
    y, predictions = made("accuracy", n)
    chunked = dask.array.from_array(predictions, chunks=(N_ROWS, 9))
    assert_same(correct(y, chunked), correct(y, predictions))


@pytest.mark.parametrize(
    "options",
    [
        {"sample_weight": np.arange(N_ROWS) % 3 + 0.5},
        {"groups": np.arange(N_ROWS) // 2},
        {"groups": np.arange(N_ROWS) % 60},  # of which some are in two rungs
        {"block_length": 4},
        {"stratify_bootstrap": True},
        {"rungs": bbc.results.Rungs(FOLDS + 3, choose_only=[3, 5], burn=0)},
        {"names": [f"c{i}" for i in range(60)]},
        {"n_threads": 2},
    ],
)
def test_designs(options):
    y, predictions = made("accuracy", 60)
    expected = correct(y, predictions, **options)
    found = correct(y, in_blocks(predictions, 8), **options)
    assert_same(found, expected)
    assert found.winner_name == expected.winner_name


def test_class_scores_and_complete_blocks_of_integers():
    rng = np.random.default_rng(0)
    y = rng.permutation(N_ROWS) % 3
    scores = rng.dirichlet([1, 1, 1], (N_ROWS, 12))
    scores[20:, :9] = np.nan
    expected = correct(y, scores, "log_loss")
    assert_same(correct(y, in_blocks(scores, 5), "log_loss"), expected)
    labels = rng.integers(0, 3, (N_ROWS, 4))
    both = np.column_stack([np.where(FOLDS[:, None] < 4, labels, np.nan), labels])
    blocks = bbc.Blocks([pd.DataFrame(both[:, :4]), labels])
    assert_same(correct(y, blocks), correct(y, both))


def test_few_configurations_stay():
    """What is kept is what some rung chose in some replicate."""
    y, predictions = made("accuracy", 400)
    skill = np.linspace(0.2, 0.9, 400)
    right = np.random.default_rng(1).random((N_ROWS, 400)) < skill
    predictions = np.where(
        np.isnan(predictions), np.nan, np.where(right, y[:, None], 1 - y[:, None])
    )
    widths = []

    def blocks():
        for first in range(0, 400, 20):
            widths.append(first)
            yield predictions[:, first : first + 20]

    assert_same(correct(y, bbc.Blocks(blocks())), correct(y, predictions))
    assert len(widths) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rungs": None}, "rungs must say the rung of each row of a stream"),
        ({"rungs": bbc.results.Rungs(burn=0.1)}, "rungs must say the rung of each row of a stream"),
        ({"rungs": FOLDS[1:]}, "rungs has 79 rows"),
        ({"secondary": ["f1"]}, "secondary is not for a stream, which takes one metric"),
    ],
)
def test_refusals(options, message):
    y, predictions = made("accuracy", 20)
    with pytest.raises(ValueError, match=message):
        correct(y, in_blocks(predictions, 6), **options)


def test_errors_name_configurations_among_all():
    y, predictions = made("accuracy", 20)
    predictions[3, 17] = np.nan  # in the middle of a rung
    for given in (predictions, in_blocks(predictions, 6)):
        with pytest.raises(ValueError, match=r"must hold rows.*configuration 17"):
            correct(y, given)
    predictions[3, 17] = 5
    for given in (predictions, in_blocks(predictions, 6)):
        with pytest.raises(ValueError, match="configuration 17"):
            correct(y, given)


def test_blocks_without_a_complete_configuration_wait():
    y, predictions = made("accuracy", 40)
    predictions[40:, :-1] = np.nan
    assert_same(correct(y, in_blocks(predictions, 6)), correct(y, predictions))
    predictions[:, :7] = np.nan  # trials that failed at once
    assert_same(correct(y, in_blocks(predictions, 6)), correct(y, predictions))
    predictions[70:] = np.nan  # rows that nothing predicted
    assert_same(correct(y, in_blocks(predictions, 6)), correct(y, predictions))


def test_what_is_no_stream_of_configurations():
    y, predictions = made("accuracy", 20)
    with pytest.raises(ValueError, match="predictions have no configurations"):
        correct(y, bbc.Blocks([]))
    with pytest.raises(ValueError, match="have 2 repeats"):
        correct(y, bbc.Blocks([[predictions, predictions]]))
