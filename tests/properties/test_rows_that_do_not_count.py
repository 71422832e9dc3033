"""Rows of weight 0 change no limit: it is as if they had been left out, whatever the metric."""

import numpy as np
import pytest

import bbc
from bbc import _core
from data import make_predictions, make_truth

N_ROWS, PER_GROUP, N_FOLDS = 160, 4, 5
METRICS = sorted(bbc.metrics.names())
#: Groups are drawn, of which each has rows that count: draws are the same without the others.
GROUPS = np.arange(N_ROWS) // PER_GROUP
GONE = np.arange(N_ROWS) % PER_GROUP == 1
DESIGNS = {
    "groups": {},
    "groups in folds": {"method": "bbc-two-level"},
    "three folds": {"method": "bbc-f", "n_folds": 3},
}


def data_of(metric, n_repeats):
    rng = np.random.default_rng([5, *metric.encode()])
    y = make_truth(metric, rng, N_ROWS)
    predictions = []
    for _ in range(n_repeats):
        own = make_predictions(metric, y, rng, 3)
        own[GONE] = own[np.flatnonzero(GONE)[::-1]]  # of other rows
        predictions.append(own)
    return y, predictions


def folds_of(n_folds, n_repeats):
    return np.array([(GROUPS + GROUPS // n_folds * r) % n_folds for r in range(n_repeats)])


@pytest.mark.parametrize("n_repeats", [1, 3])
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("metric", METRICS)
def test_rows_of_weight_zero_are_as_rows_left_out(metric, design, n_repeats, monkeypatch):
    weighted = n_repeats > 1
    y, predictions = data_of(metric, n_repeats)
    options = dict(DESIGNS[design])
    folds = folds_of(options.pop("n_folds", N_FOLDS), n_repeats)
    weights = np.where(GROUPS % 3 == 0, 2.0, 1.0) if weighted else np.ones(N_ROWS)
    options |= {"metric": metric, "n_bootstraps": 60, "random_state": 1, "confidence_level": 0.8}

    terms = []  # what limits rest on, also where those of the replicates are the wider ones
    for name in ("correct", "correct_by_folds"):
        compute = getattr(_core, name)

        def kept(*given, compute=compute):
            raw = compute(*given)
            terms.append(np.asarray(raw["rates"]))
            return raw

        monkeypatch.setattr(_core, name, kept)

    def limits(rows, weights):
        own = {} if weights is None else {"sample_weight": weights[rows]}
        given = folds[:, rows] if n_repeats > 1 else folds[0, rows]
        columns = [repeat[rows] for repeat in predictions]
        c = bbc.correct(
            y[rows],
            columns if n_repeats > 1 else columns[0],
            folds=given,
            groups=GROUPS[rows],
            **options,
            **own,
        )
        return [c.estimate, *c.confidence_interval]

    every = np.arange(N_ROWS)
    zero = limits(every, np.where(GONE, 0.0, weights))
    left_out = limits(every[~GONE], weights if weighted else None)
    assert zero == pytest.approx(left_out, rel=1e-9, abs=1e-9)
    of_zero, of_left_out = terms
    assert of_zero == pytest.approx(of_left_out, rel=1e-9, abs=1e-9)
