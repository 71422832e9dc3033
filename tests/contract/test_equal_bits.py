"""Instruction sets, thread counts and blocks of configurations: the same bits for every metric.

R, C and the golden table: `test_bits.py`.
"""

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth

# Rows, configurations and replicates: several of the kernel's blocks of each, and enough cells (15
# million) that threads start.
SLOW = (130, 130, 900)
FAST = {
    "roc_auc": (260, 150, 1000),
    "accuracy": (150, 3000, 1000),
    "zero_one_loss": (150, 3000, 1000),
}
FAST_ROW_LOSS = (260, 400, 1000)


def shape(metric):
    if metric in FAST:
        return FAST[metric]
    spec = bbc.metrics.get(metric)
    of_rows = (spec.family == "additive" and not spec.greater_is_better) or spec.sign < 0
    return FAST_ROW_LOSS if of_rows and spec.predicts != "labels" else SLOW


@pytest.mark.parametrize("metric", sorted(bbc.metrics.names()))
def test_every_path_gives_the_same_bits(metric, limit_simd):
    n_rows, n_configurations, n_bootstraps = shape(metric)
    rng = np.random.default_rng(3)
    y = make_truth(metric, rng, n_rows)
    predictions = make_predictions(metric, y, rng, n_configurations)
    options = {"metric": metric, "n_bootstraps": n_bootstraps, "random_state": 5}

    def correct(level, n_threads, block=None):
        limit_simd(level)
        given = predictions
        if block is not None:
            starts = range(0, n_configurations, block)
            given = bbc.Blocks(predictions[:, first : first + block] for first in starts)
        return bbc.correct(y, given, n_threads=n_threads, **options)

    expected = correct("portable", 1)
    for level in ("portable", "avx2", "avx512"):
        for n_threads in (1, 2, 3, 8) if level == "avx512" else (1, 3):
            assert correct(level, n_threads) == expected, (level, n_threads)
        for block in (n_configurations // 7, n_configurations - 1):
            assert correct(level, 2, block) == expected, (level, block)


@pytest.mark.parametrize("metric", sorted(bbc.metrics.names()))
@pytest.mark.parametrize("plan", ["weights", "folds", "repeats"])
def test_and_so_under_the_plans_that_have_their_own_arithmetic(metric, plan, limit_simd):
    rng = np.random.default_rng(4)
    n_rows, n_configurations = 70, 20
    y = make_truth(metric, rng, n_rows)
    n_repeats = 2 if plan == "repeats" else 1
    predictions = [make_predictions(metric, y, rng, n_configurations) for _ in range(n_repeats)]
    options = {
        "weights": {"sample_weight": rng.random(n_rows) + 0.1},
        "folds": {"folds": np.arange(n_rows) // 35, "pooling": "fold"},
        "repeats": {},
    }[plan]

    def correct(level, n_threads):
        limit_simd(level)
        return bbc.correct(
            y,
            predictions,
            metric=metric,
            n_bootstraps=130,
            random_state=5,
            n_threads=n_threads,
            **options,
        )

    expected = correct("portable", 1)
    for level, n_threads in (("portable", 3), ("avx2", 2), ("avx512", 1), ("avx512", 8)):
        assert correct(level, n_threads) == expected, (level, n_threads)
