"""Protocols select and estimate by metrics that weigh rows for censoring."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import bbc

UNO = bbc.metrics.uno_concordance(tau=8)
AUC = bbc.metrics.cumulative_dynamic_auc(3)


class OneColumn(BaseEstimator):
    """Its risk is one of the columns."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return X[:, self.column]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(120, 5))
    event_time = 4 * rng.exponential(size=120) * np.exp(-X[:, 2])
    censoring_time = rng.exponential(9, 120)
    y = np.empty(120, [("event", bool), ("time", float)])
    y["event"], y["time"] = event_time <= censoring_time, np.minimum(event_time, censoring_time)
    return X, y


def search(protocol, **options):
    grid = {"column": [0, 1, 2, 3, 4]}
    return protocol(OneColumn(), grid, cv=5, random_state=3, **options)


@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_a_protocol_gives_what_its_predictions_give(data, pooling):
    X, y = data
    scoring = {"uno": UNO, "auc": AUC}
    fitted = search(bbc.BBC, scoring=scoring, refit="uno", pooling=pooling).fit(X, y)
    assert fitted.best_params_ == {"column": 2}
    again = bbc.correct(
        y, fitted.oos_predictions_, metric=scoring, decided_by="uno", pooling=pooling,
        random_state=3,
    )  # fmt: skip
    for name in scoring:
        own = fitted.performances_[name]
        np.testing.assert_array_equal(own.replicates, again[name].replicates)
        assert own.metric == scoring[name].name


@pytest.mark.parametrize("protocol", [bbc.CVT, bbc.CVMCV, bbc.NCV, bbc.TT, bbc.BBCF, bbc.BBCD])
@pytest.mark.parametrize("scoring", [UNO, AUC], ids=["uno", "auc"])
def test_every_protocol_finds_the_column_that_matters(data, protocol, scoring):
    fitted = search(protocol, scoring=scoring).fit(*data)
    assert fitted.best_params_ == {"column": 2}
    assert 0.6 < fitted.performance_.estimate < 1.0


def test_a_search_whose_models_give_no_survival_probabilities_is_refused(data):
    scoring = bbc.metrics.survival_brier_score(3)
    with pytest.raises(AttributeError, match="OneColumn has no predict_survival"):
        search(bbc.BBC, scoring=scoring, error_score="raise").fit(*data)


def test_results_survive_json(data):
    estimate = search(bbc.BBC, scoring=UNO).fit(*data).performance_
    assert bbc.PerformanceEstimate.from_json(estimate.to_json()) == estimate
