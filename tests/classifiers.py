"""Labels and scores of the same classifiers in two repeats, and the designs they are read under."""

import numpy as np
import pytest

import bbc
from reference.bbc import bbc as oracle_bbc
from reference.two_level import bbc_two_level as oracle_two_level


def make_classifiers(n_rows, n_configurations, n_alike):
    """As one object, of which metrics read labels or scores; runs of `n_alike` rows are a class."""
    rng = np.random.default_rng(2)
    y = np.arange(n_rows) // n_alike % 2
    scores = rng.random((2, n_rows, n_configurations)) * 0.8 + 0.2 * y[None, :, None]
    return bbc.results.OutOfSamplePredictions(y=y, labels=(scores > 0.5).astype(int), scores=scores)


def designs(n_rows, n_folds):
    """Arguments of a correction, as pytest's parameters."""
    folds = np.arange(n_rows) % n_folds
    by_fold = {"folds": np.stack([folds, folds[::-1]]), "pooling": "fold"}
    two_level = {"folds": by_fold["folds"], "method": "bbc-two-level"}
    given = {
        "plain": {},
        "groups": {"groups": np.arange(n_rows) // 2},
        "weights": {"sample_weight": 0.5 + np.arange(n_rows) % 3},
        "folds": by_fold,
        "strata": {"stratify_bootstrap": True},
        "two-level": two_level,
        "two-level folds": two_level | by_fold,
    }
    return [pytest.param(options, id=name) for name, options in given.items()]


def read_by(metric, predictions):
    """What a metric reads of them."""
    of_labels = bbc.metrics.get(metric).predicts == "labels"
    return predictions.labels if of_labels else predictions.scores


def oracle_of(classifiers, metric, options, **drawn):
    """The oracle's correction by a metric, and the arguments of `make_problem` for any metric."""
    shape = {name: options[name] for name in ("folds", "pooling") if name in options}
    shape |= {"sample_weight": options.get("sample_weight"), "n_repeats": 2}
    drawn |= {"groups": options.get("groups")}
    drawn["stratify"] = options.get("stratify_bootstrap", False)
    oracle = oracle_two_level if "method" in options else oracle_bbc
    return oracle(classifiers.y, read_by(metric, classifiers), metric, **shape, **drawn), shape
