"""Random data for any metric: truth and predictions with ties, as `bbc.correct` takes them."""

import numpy as np

import bbc


def make_truth(metric, rng, n_rows):
    """A truth of the kind that the metric needs; every class several times."""
    spec = bbc.metrics.get(metric)
    if spec.target == "binary":
        return np.where(np.arange(n_rows) % 3 == 0, 1, 0)[rng.permutation(n_rows)]
    if spec.target == "classes":
        return (np.arange(n_rows) % 3)[rng.permutation(n_rows)]
    if spec.target == "survival":
        truth = np.empty(n_rows, dtype=[("event", bool), ("time", float)])
        truth["event"] = rng.random(n_rows) < 0.6
        truth["time"] = rng.integers(1, n_rows // 2 + 2, n_rows) / 4
        return truth
    return rng.integers(1, 9, n_rows) / 4


def make_lucky_models():
    """Labels and folds: the accuracy of each fitted model is drawn at random."""
    rng = np.random.default_rng(0)
    folds = np.arange(500) % 5
    y = rng.integers(0, 2, 500)
    wrong = rng.random((500, 40)) > rng.normal(0.75, 0.05, size=(5, 40))[folds]
    return y, np.where(wrong, 1 - y[:, None], y[:, None]), folds


def make_predictions(metric, truth, rng, n_configurations):
    """Predictions of configurations of differing quality, many of them tied."""
    spec = bbc.metrics.get(metric)
    n_rows = len(truth)
    shape = (n_rows, n_configurations)
    noise = np.linspace(0.2, 0.8, n_configurations)[rng.permutation(n_configurations)]
    if spec.predicts == "labels":
        wrong = rng.random(shape) < noise / 1.5
        return np.where(wrong, rng.choice(np.unique(truth), shape), truth[:, None])
    if spec.predicts in ("class_scores", "class_probabilities"):
        n_classes = len(np.unique(truth))
        raw = rng.integers(1, 5, (*shape, n_classes)).astype(float)
        raw += 4 * (1 - noise[:, None]) * (truth[:, None, None] == np.arange(n_classes))
        raw = np.round(raw)
        return raw / raw.sum(axis=2, keepdims=True)
    signal = -truth["time"] if spec.target == "survival" else truth
    signal = (signal - signal.min()) / (signal.max() - signal.min())
    blurred = (1 - noise) * signal[:, None] + noise * rng.random(shape)
    scores = np.round(8 * blurred) / 8
    if spec.predicts in ("score", "probability", "risk"):
        return scores
    return 0.25 + 2 * scores
