"""Protocols select and estimate by metrics that weigh rows for censoring."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import bbc
from instrumented import Exponential
from kinds import of_folds

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
        y, fitted.oos_predictions_, metric=UNO, secondary={"auc": AUC}, pooling=pooling,
        random_state=3,
    )  # fmt: skip
    own = fitted.performance_
    np.testing.assert_array_equal(own.replicates, again.replicates)
    other = own.secondary["auc"]
    np.testing.assert_array_equal(other.replicates, again.secondary["auc"].replicates)
    assert (own.metric, other.metric) == (UNO.name, AUC.name)


@pytest.mark.parametrize(
    "protocol", [bbc.CVT, bbc.baselines.CVMCV, bbc.NCV, bbc.TT, of_folds, bbc.BBCD]
)
@pytest.mark.parametrize("scoring", [UNO, AUC], ids=["uno", "auc"])
def test_every_protocol_finds_the_column_that_matters(data, protocol, scoring):
    fitted = search(protocol, scoring=scoring).fit(*data)
    assert fitted.best_params_ == {"column": 2}
    assert 0.6 < fitted.performance_.estimate < 1.0


def concordance(y, risks):
    """Harrell's C-index, from its definition."""
    event, time = y["event"], y["time"]
    pairs = [
        (i, j)
        for i in np.flatnonzero(event)
        for j in range(len(y))
        if time[j] > time[i] or (time[j] == time[i] and not event[j])
    ]
    gains = [(risks[i] > risks[j]) + (risks[i] == risks[j]) / 2 for i, j in pairs]
    return np.mean(gains) if gains else np.nan


class Relative(OneColumn):
    """Its risk is relative to its training rows, as that of a Cox model."""

    def fit(self, X, y):
        self.origin_ = 40 * X[:, self.column].mean()
        return super().fit(X, y)

    def predict(self, X):
        return X[:, self.column] - self.origin_


@pytest.mark.parametrize("protocol", [bbc.BBC, bbc.BBCD, bbc.CVT])
def test_risks_of_several_folds_are_not_ranked_together(data, protocol):
    """Unless one says so, and then a finding does."""
    X, y = data

    def fitted(**options):
        grid = {"column": [2, 3]}
        own = {"scoring": "concordance_index", "cv": KFold(6), "random_state": 3}
        return protocol(Relative(), grid, **own | options).fit(X, y)

    by_fold, pooled = fitted(), fitted(pooling="pooled")
    risks = by_fold.oos_predictions_.scores[0, :, 0]
    parts = [test for _, test in KFold(6).split(X)]
    apart = np.mean([concordance(y[rows], X[rows, 2]) for rows in parts])
    assert by_fold.performance_.apparent == pytest.approx(apart, abs=1e-12)
    assert pooled.performance_.apparent == pytest.approx(concordance(y, risks), abs=1e-12)
    assert apart > concordance(y, risks) + 0.05
    found = [[f.code for f in each.performance_.findings] for each in (by_fold, pooled)]
    assert ["BBC005" in codes for codes in found] == [False, True]
    assert [bbc.correct(each).pooling for each in (by_fold, pooled)] == ["fold", "pooled"]
    grid = GridSearchCV(Relative(), {"column": [2, 3]}, cv=KFold(6), scoring=c_index)
    search = bbc.keep_predictions(grid).fit(X, y)
    own = bbc.correct(search, "concordance_index", random_state=3)
    assert own.pooling == "fold"
    assert own.apparent == pytest.approx(apart, abs=1e-12)


def c_index(model, X, y):
    return concordance(y, model.predict(X))


def test_a_protocol_without_replicates_keeps_its_pooling(data):
    X, y = data
    said = search(bbc.CVT, scoring=UNO, pooling="pooled").fit(X, y)
    assert [each.pooling for each in (said.performance_, bbc.correct(said))] == ["pooled"] * 2
    assert bbc.correct(search(bbc.NCV, scoring=UNO).fit(X, y)).pooling == "fold"


@pytest.mark.parametrize("metric", ["concordance_index", UNO, AUC], ids=str)
def test_risks_are_pooled_where_a_fold_has_no_comparable_pair(data, metric):
    X, y = data
    late = np.argsort(y["time"])[-12:]  # after tau, and after the time of the AUC
    y = y.copy()
    y["event"][late] = False
    rest = np.setdiff1d(np.arange(120), late)
    folds = [(np.setdiff1d(np.arange(120), part), part) for part in [late, *np.split(rest, 4)]]
    for cv, pooling in ((folds, "pooled"), (KFold(6), "fold")):
        grid = {"column": [2, 3]}
        fitted = bbc.BBC(OneColumn(), grid, scoring=metric, cv=cv, random_state=3).fit(X, y)
        assert fitted.performance_.pooling == pooling


def test_results_survive_json(data):
    estimate = search(bbc.BBC, scoring=UNO).fit(*data).performance_
    assert bbc.PerformanceEstimate.from_json(estimate.to_json()) == estimate


@pytest.fixture(scope="module")
def given(data):
    """The true probabilities of being uncensored."""
    return bbc.metrics.uno_concordance(tau=8, censoring_survival=np.exp(-data[1]["time"] / 9))


@pytest.mark.parametrize(
    "protocol", [bbc.CVT, bbc.baselines.CVMCV, bbc.NCV, bbc.TT, bbc.BBC, of_folds]
)
def test_given_probabilities_are_those_of_the_rows_of_fit(data, given, protocol):
    fitted = search(protocol, scoring={"own": given, "other": UNO}, refit="own").fit(*data)
    assert fitted.best_params_ == {"column": 2}
    assert fitted.performance_.metric == given.name
    if protocol is bbc.BBC:
        again = bbc.correct(
            data[1], fitted.oos_predictions_, metric=given, pooling="fold", random_state=3
        )
        np.testing.assert_array_equal(fitted.performance_.replicates, again.replicates)


def test_they_are_refused_where_other_rows_are_scored(data, given):
    X, y = data
    fitted = search(bbc.BBC, scoring=given).fit(X, y)
    refused = "censoring_survival belongs to the rows of one truth, but "
    with pytest.raises(ValueError, match=refused + "a model is scored on other rows"):
        fitted.score(X, y)
    with pytest.raises(ValueError, match=refused + "the tests of BBCD are on the rows"):
        search(bbc.BBCD, scoring=given).fit(X, y)
    with pytest.raises(ValueError, match=refused + "the control permutes the truth"):
        bbc.negative_control(search(bbc.BBC, scoring={"own": given}), X, y)
    with pytest.raises(ValueError, match=refused + "each model is scored on rows of its own"):
        bbc.baselines.resampling_error(OneColumn(), X, y, metric=given)
    halves = [(np.arange(60), np.arange(60, 120))]
    with pytest.raises(ValueError, match=refused + "the folds leave rows without a prediction"):
        bbc.BBC(OneColumn(), {"column": [0, 2]}, scoring=given, cv=halves).fit(X, y)


def test_races_wait_until_the_rows_so_far_reach_tau(data):
    """The last rows are the only ones that are followed up to tau."""
    X, y = data
    order = np.argsort(y["time"])
    last = bbc.metrics.uno_concordance(tau=float(y["time"].max()))
    folds = [(np.setdiff1d(np.arange(120), part), part) for part in np.split(np.arange(120), 4)]
    fitted = bbc.BBCD(
        OneColumn(), {"column": [0, 1, 2, 3, 4]}, scoring=last, cv=folds, random_state=3
    ).fit(X[order], y[order])
    assert (fitted.dropped_ == -1).all()


TIMES = (1.0, 3.0, 6.0)
BRIER = bbc.metrics.survival_brier_score(3)
INTEGRATED = bbc.metrics.integrated_brier_score(TIMES)


def exponential(protocol, **options):
    grid = {"column": [0, 1, 2, 3, 4]}
    return protocol(Exponential(), grid, cv=5, random_state=3, **options)


def by_hand(X, y, times):
    """Out-of-fold probabilities of surviving, of shape (n_rows, 5, n_times)."""
    survival = np.empty((len(y), 5, len(times)))
    for train, test in KFold(5).split(X):
        for column in range(5):
            model = Exponential(column).fit(X[train], y[train])
            curves = model.predict_survival_function(X[test])
            survival[test, column] = [curve(times) for curve in curves]
    return survival


@pytest.mark.parametrize("pooling", ["pooled", "fold"])
@pytest.mark.parametrize("metric", [BRIER, INTEGRATED], ids=["brier", "integrated"])
def test_survival_functions_are_read_at_the_times_of_the_metric(data, metric, pooling):
    X, y = data
    fitted = exponential(bbc.BBC, scoring=metric, pooling=pooling).fit(X, y)
    survival = by_hand(X, y, metric.times)
    np.testing.assert_array_equal(fitted.oos_predictions_.survival, survival[None])
    assert fitted.oos_predictions_.times == metric.times
    assert fitted.oos_predictions_.scores is None
    if metric is BRIER:
        survival = survival[:, :, 0]
    np.testing.assert_array_equal(fitted.oos_predictions_.values, survival[None])
    folds = fitted.oos_predictions_.folds[0]
    alone = bbc.correct(y, survival, metric=metric, folds=folds, pooling=pooling, random_state=3)
    np.testing.assert_array_equal(fitted.performance_.replicates, alone.replicates)
    assert fitted.best_params_ == {"column": 2}
    again = bbc.correct(y, fitted.oos_predictions_, metric=metric, pooling=pooling, random_state=3)
    np.testing.assert_array_equal(again.replicates, alone.replicates)


@pytest.mark.parametrize(
    "protocol", [bbc.CVT, bbc.baselines.CVMCV, bbc.NCV, bbc.TT, of_folds, bbc.BBCD]
)
@pytest.mark.parametrize("scoring", [BRIER, INTEGRATED], ids=["brier", "integrated"])
def test_every_protocol_takes_survival_functions(data, protocol, scoring):
    fitted = exponential(protocol, scoring=scoring).fit(*data)
    assert fitted.best_params_ == {"column": 2}
    assert 0 < fitted.performance_.estimate < 0.25


def test_the_winner_predicts_survival_and_is_scored_by_it(data):
    X, y = data
    fitted = exponential(bbc.CVT, scoring=INTEGRATED).fit(X, y)
    curves = fitted.predict_survival_function(X)
    at = np.array([curve(TIMES) for curve in curves])[:, None]
    expected = bbc.correct(y, at, metric=INTEGRATED, n_bootstraps=40).apparent
    assert fitted.score(X, y) == -expected
    with pytest.raises(AttributeError):
        _ = search(bbc.CVT).predict_survival_function


@pytest.mark.parametrize("before", [[], [np.negative, np.negative]], ids=["alone", "behind others"])
def test_pipelines_pass_survival_functions_on(data, before):
    X, y = data
    steps = make_pipeline(*map(FunctionTransformer, before), Exponential())
    grid = {"exponential__column": [0, 1, 2, 3, 4]}
    options = {"scoring": INTEGRATED, "cv": 5, "random_state": 3}
    fitted = bbc.BBC(steps, grid, **options).fit(X, y)
    bare = exponential(bbc.BBC, scoring=INTEGRATED).fit(X, y)
    np.testing.assert_array_equal(fitted.performance_.replicates, bare.performance_.replicates)
    of_three = fitted.predict_survival_function(X[:3])
    expected = bare.predict_survival_function(X[:3])
    assert [curve(2.0) for curve in of_three] == [curve(2.0) for curve in expected]
    searched = GridSearchCV(steps, grid, cv=KFold(5), scoring=lambda *_: 0.0)
    kept = bbc.keep_predictions(searched, times=TIMES).fit(X, y)
    np.testing.assert_array_equal(kept.oos_predictions_.survival, by_hand(X, y, TIMES)[None])


def test_survival_functions_are_kept_in_a_store(data, tmp_path):
    X, y = data
    path = tmp_path / "run.bbc"
    first = exponential(bbc.BBC, scoring=INTEGRATED, store=path).fit(X, y)
    again = exponential(bbc.BBC, scoring=INTEGRATED, store=path).fit(X, y)
    assert again.n_models_from_store_ == first.n_models_trained_ - 1
    np.testing.assert_array_equal(again.performance_.replicates, first.performance_.replicates)
    stored = bbc.correct(bbc.StoredRun(path), metric=INTEGRATED, reselect=True)
    np.testing.assert_array_equal(stored.replicates, first.performance_.replicates)
    with pytest.raises(bbc.errors.StoreError, match="what is predicted"):
        exponential(bbc.BBC, scoring=BRIER, store=path).fit(X, y)


class Numbers(Exponential):
    """It gives an array where functions are needed."""

    def predict_survival_function(self, X):
        return np.array([curve(TIMES) for curve in super().predict_survival_function(X)])


@pytest.mark.parametrize(
    ("learner", "error", "match"),
    [
        (OneColumn(), AttributeError, "OneColumn has no predict_survival_function, which gives a"),
        (Exponential(wrong=0.5), ValueError, r"gave 1\.\d* at time 1 for row \d+ of the fold"),
        (Exponential(wrong=np.nan), ValueError, "predict_survival_function gave NaN"),
        (Numbers(), TypeError, "one function of time for each row is needed"),
    ],
)
def test_learners_without_survival_functions_are_refused(data, learner, error, match):
    scoring = {"scoring": INTEGRATED, "cv": 5}
    with pytest.raises(error, match=match):
        bbc.BBC(learner, {"column": [0, 2]}, error_score="raise", **scoring).fit(*data)
    with pytest.raises(ValueError, match=match):
        bbc.BBC(learner, {"column": [0, 2]}, **scoring).fit(*data)


class Times(OneColumn):
    """Predicts times, and says so as scikit-survival's learners do; some do by their parameters."""

    @property
    def _predict_risk_score(self):
        return self.column < 3

    def score(self, X, y):
        risks = self.predict(X) if self._predict_risk_score else -self.predict(X)
        earlier = (y["time"][:, None] < y["time"]) & y["event"][:, None]
        right = (risks[:, None] > risks) + (risks[:, None] == risks) / 2
        return right[earlier].mean()


TOLD = "predicts times of survival, but 'concordance_index' reads risks"


def test_learners_that_predict_times_are_refused_before_training(data):
    X, y = data
    for learner, grid in (
        (Times(4), {"column": [3, 4]}),
        (Times(0), {"column": [0, 4]}),
        (make_pipeline(FunctionTransformer(), Times(4)), {}),
    ):
        with pytest.raises(bbc.errors.ArgumentError, match=TOLD) as refused:
            bbc.BBC(learner, grid, cv=5, scoring="concordance_index", random_state=1).fit(X, y)
        assert "whose predict gives -time" in str(refused.value)
    with pytest.raises(bbc.errors.ArgumentError, match=TOLD):
        bbc.baselines.resampling_error(
            Times(4), X, y, metric="concordance_index", n_resamples=2, random_state=1
        )
    fitted = bbc.BBC(
        Times(0), {"column": [0, 2]}, cv=5, scoring="concordance_index", random_state=1
    ).fit(X, y)
    assert fitted.best_params_ == {"column": 2}


def test_their_search_is_corrected_by_its_own_score(data):
    """Under a name that says nothing of the metric; as risks its predictions are refused."""
    X, y = data
    search = GridSearchCV(Times(), {"column": [3, 4]}, cv=KFold(5))
    kept = bbc.keep_predictions(search).fit(X, y)
    own = bbc.correct(kept, random_state=1)
    assert own.metric == "score"
    assert own.winner == kept.best_index_
    told = r"is 0\.44\d*, its scorer gives 0\.55\d*: the predictions are times, not risks"
    with pytest.warns(bbc.errors.BBCWarning), pytest.raises(bbc.errors.ArgumentError, match=told):
        bbc.correct(kept, metric="concordance_index", random_state=1)


def test_two_columns_of_survival_are_answered(data):
    X, y = data
    columns = np.column_stack([y["event"], y["time"]])
    with pytest.raises(ValueError, match=r"survival is np\.rec\.fromarrays\(\[event, time\]"):
        search(bbc.BBC, scoring="concordance_index").fit(X, columns)
    alone = search(bbc.BBC, scoring="concordance_index").fit(X, y)
    with pytest.raises(ValueError, match="protocols keep it for a metric that reads it, such as"):
        alone.performance_.survival_calibration(3)
