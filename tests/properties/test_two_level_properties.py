"""What must not change two-level BBC, or change it in a known way."""

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth
from streams import in_order

N_ROWS, N_CONFIGURATIONS, N_FOLDS = 60, 23, 5
METRICS = ["accuracy", "f1", "roc_auc", "mean_squared_error", "r2"]
OPTIONS = {
    "method": "bbc-two-level",
    "n_bootstraps": 130,
    "confidence_level": 0.8,
    "random_state": 11,
}
DESIGNS = ["rows", "groups", "strata", "weights", "folds", "repeats", "repeated folds"]


def problem(metric, design="rows"):
    """Truth, predictions and options of a correction."""
    rng = np.random.default_rng([2, *metric.encode()])
    y = make_truth(metric, rng, N_ROWS)
    n_repeats = 3 if design.startswith("repeat") else 1
    repeats = [make_predictions(metric, y, rng, N_CONFIGURATIONS) for _ in range(n_repeats)]
    folds = [rng.permutation(np.arange(N_ROWS) % N_FOLDS) for _ in repeats]
    options = {**OPTIONS, "metric": metric, "folds": folds[0] if n_repeats == 1 else folds}
    if design == "groups":
        options["groups"] = folds[0] * N_ROWS + np.arange(N_ROWS) // 10
    if design == "strata" and bbc.metrics.get(metric).target != "real":
        options["stratify_bootstrap"] = True
    if design == "weights":
        options["sample_weight"] = rng.random(N_ROWS) + 0.25
    if design.endswith("folds"):
        options["pooling"] = "fold"
    return y, repeats if n_repeats > 1 else repeats[0], options


def columns(predictions, chosen):
    """Some configurations of predictions, with repeats or without."""
    if isinstance(predictions, list):
        return [one[:, chosen] for one in predictions]
    return predictions[:, chosen]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("metric", METRICS)
def test_any_number_of_threads_gives_the_same_bits(metric, design):
    y, predictions, options = problem(metric, design)
    one, two, four = (bbc.correct(y, predictions, n_threads=n, **options) for n in (1, 2, 4))
    assert one.n_folds == N_FOLDS
    assert one == two == four


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("metric", METRICS)
def test_blocks_in_any_order_give_the_same_bits(metric, design):
    y, predictions, options = problem(metric, design)
    whole = bbc.correct(y, predictions, **options)
    blocks = [columns(predictions, slice(a, a + 7)) for a in range(0, N_CONFIGURATIONS, 7)]
    assert whole.model_luck is None
    assert bbc.correct(y, bbc.Blocks(blocks), **options) == whole
    assert in_order(y, [(7 * k, blocks[k]) for k in (2, 0, 3, 1)], **options) == whole


@pytest.mark.parametrize("design", ["rows", "folds"])
@pytest.mark.parametrize("metric", METRICS)
def test_labels_of_folds_are_only_names(metric, design):
    y, predictions, options = problem(metric, design)
    plain = bbc.correct(y, predictions, **options)
    folds = options.pop("folds")
    for names in ([10, 20, 30, 40, 50], [3, 1, 4, 0, 2], list("abcde")):
        renamed = bbc.correct(y, predictions, folds=np.array(names)[folds], **options)
        assert renamed.replicates.tobytes() == plain.replicates.tobytes()
        assert renamed.replicate_winners.tolist() == plain.replicate_winners.tolist()
        assert (renamed.winner, renamed.apparent) == (plain.winner, plain.apparent)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("metric", ["mean_squared_error", "r2"])
def test_configurations_may_be_permuted(metric, design):
    y, predictions, options = problem(metric, design)
    rng = np.random.default_rng(3)
    # Numbers without ties, or the lowest index would decide.
    noisy = np.asarray(predictions) + 0.1 * rng.normal(size=np.shape(predictions))
    noisy = list(noisy) if isinstance(predictions, list) else noisy
    order = rng.permutation(N_CONFIGURATIONS)
    plain = bbc.correct(y, noisy, **options)
    permuted = bbc.correct(y, columns(noisy, order), **options)
    assert len(set(plain.replicate_winners.tolist())) > 1
    assert order[permuted.replicate_winners].tolist() == plain.replicate_winners.tolist()
    assert permuted.replicates.tobytes() == plain.replicates.tobytes()
    assert order[permuted.winner] == plain.winner
