"""Scores of single rows, of which intervals of resampling errors are made."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

import bbc
from bbc import _engine, _validation


@pytest.mark.parametrize(
    "metric", ["accuracy", "log_loss", "brier_score", "mean_squared_error", "pinball_loss"]
)
def test_scores_of_rows_are_those_of_each_row_alone(metric):
    """More rows than the kernel gets at once."""
    rng = np.random.default_rng(0)
    spec = bbc.metrics.get(metric)
    y = rng.integers(0, 3, 300) if spec.target == "classes" else rng.normal(size=300)
    predictions = {
        "labels": rng.integers(0, 3, (300, 2)),
        "class_probabilities": rng.dirichlet(np.ones(3), (300, 2)),
        "value": rng.normal(size=(300, 2)),
    }[spec.predicts]
    labels = [0, 1, 2] if spec.target == "classes" else None
    whole = _validation.problem(_validation.Data(y, predictions, labels=labels), spec)
    found = _engine.row_scores(whole, spec, n_threads=1)[0]
    for row in range(300):
        part = slice(row, row + 1)
        alone = _validation.problem(
            _validation.Data(y[part], predictions[part], labels=labels), spec
        )
        expected, _ = _engine.score(alone, spec, folds=None, n_threads=1)
        assert (found[row] == expected).all()


@pytest.mark.parametrize(("method", "interval"), [("cv", "wald"), ("cv", "nested-cv")])
def test_rows_are_validated_together(monkeypatch, method, interval):
    """The number of validations depends on the folds, not on the rows."""
    counts = []
    plain = _validation.problem

    def counted(*given, **options):
        counts[-1] += 1
        return plain(*given, **options)

    monkeypatch.setattr(_validation, "problem", counted)
    for n_rows in (40, 80):
        counts.append(0)
        X, y = np.random.default_rng(0).normal(size=(2, n_rows))
        bbc.baselines.resampling_error(
            Ridge(),
            X[:, None],
            y,
            metric="mean_squared_error",
            method=method,
            interval=interval,
            n_folds=4,
        )
    assert 0 < counts[0] == counts[1] < 40
