"""What predictions are travels with them: findings and pooling, by whatever door they come."""

from dataclasses import replace

import numpy as np
import optuna
import pandas
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, LeaveOneOut, ShuffleSplit, TimeSeriesSplit
from sklearn.model_selection._search import BaseSearchCV

import bbc
from bbc.errors import BBCWarning
from instrumented import Witness, numbered_data
from kinds import of_folds

pytestmark = pytest.mark.filterwarnings("ignore:BBC0")
X, Y = numbered_data(90)
MARGINS = RidgeClassifier()
GRID = {"alpha": [0.1, 10.0]}
POOLED = [bbc.BBC, bbc.BBCD, bbc.CVT, bbc.baselines.CVMCV]
PROTOCOLS = [*POOLED, of_folds, bbc.NCV, bbc.TT]


class Shifted(ClassifierMixin, BaseEstimator):
    """Decision values that each fit moves by as much as its first row says; no probabilities."""

    def __init__(self, by=0.0, slope=1.0):
        self.by, self.slope = by, slope

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.shift_ = self.by * (X[0, 0] % 7)
        return self

    def decision_function(self, X):
        return self.slope * X[:, 1] + self.shift_

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0.5).astype(int)]


class Adaptive(BaseSearchCV):
    """A search that looks at its scores."""

    def __init__(self, estimator, *, scoring=None, cv=None, refit=True, error_score=np.nan):
        super().__init__(estimator, scoring=scoring, cv=cv, refit=refit, error_score=error_score)

    def _run_search(self, evaluate_candidates):
        results = evaluate_candidates([{"alpha": 0.1}, {"alpha": 1.0}])
        best = results["params"][int(np.argmax(results["mean_test_score"]))]
        evaluate_candidates([{"alpha": 2 * best["alpha"]}])


def codes(estimate):
    return [one.code for one in estimate.findings]


def fit(kind, estimator=MARGINS, grid=GRID, **options):
    options = {"scoring": "roc_auc", "cv": 5, "random_state": 1} | options
    return kind(estimator, grid, **options).fit(X, Y)


@pytest.fixture(scope="module")
def study():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    made = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    made.optimize(lambda trial: trial.suggest_float("alpha", 0.1, 9), n_trials=3)
    return made


@pytest.mark.parametrize("kind", POOLED)
def test_pooled_decision_values_are_told_by_every_door(kind, tmp_path):
    path = tmp_path / "run.bbc"
    with pytest.warns(
        BBCWarning, match="BBC005 pooled decision values or risks: 'alpha=0.1' and 1 other;"
    ):
        search = fit(kind, pooling="pooled", store=path)
    own = search.oos_predictions_
    assert own.response == ("decision_function",) * 2
    run = bbc.StoredRun(path)
    assert run.oos_predictions().response == own.response
    options = {"metric": "roc_auc", "random_state": 1}
    for e in (
        search.performance_,
        bbc.correct(run),
        bbc.correct(Y, own, **options),
        bbc.correct(Y, own, metric="roc_auc", random_state=1).record,
    ):
        assert "BBC005" in codes(e)
        assert "BBC005" in codes(bbc.PerformanceEstimate.from_json(e.to_json()))
    assert "BBC005" not in codes(bbc.correct(Y, own, pooling="fold", **options))
    assert "BBC005" not in codes(bbc.correct(Y, replace(own, response=None), **options))


def test_a_cut_off_of_decision_values_is_told_whatever_the_pooling():
    """One cut-off serves all folds, so the mean over folds is no remedy."""
    with pytest.warns(BBCWarning, match="BBC005"):
        own = fit(bbc.BBC, pooling="pooled").oos_predictions_
    options = {"metric": "f1", "pooling": "fold", "random_state": 1}
    with pytest.warns(BBCWarning, match="no help to a chosen cut-off"):
        cut = bbc.correct(Y, own, selection=bbc.best_threshold(), **options)
    assert "BBC005" in codes(cut)
    sure = replace(own, response=("predict_proba",) * 2)
    assert "BBC005" not in codes(bbc.correct(Y, sure, selection=bbc.best_threshold(), **options))


def test_a_search_that_keeps_its_predictions_knows_what_they_are():
    grid = GridSearchCV(MARGINS, GRID, scoring="roc_auc", cv=5)
    kept = bbc.keep_predictions(grid).fit(X, Y)
    assert kept.oos_predictions_.response == ("decision_function",) * 2
    pooled = bbc.correct(kept, metric="roc_auc", pooling="pooled", random_state=1)
    assert codes(pooled).count("BBC005") == 1
    assert "BBC005" not in codes(bbc.correct(kept, metric="roc_auc", random_state=1))
    logistic = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=5)
    sure = bbc.keep_predictions(logistic).fit(X, Y)
    assert sure.oos_predictions_.response == ("predict_proba",) * 2
    assert "BBC005" not in codes(bbc.correct(sure, metric="roc_auc", reselect=True, random_state=1))
    assert not sure.oos_predictions_.dynamic_search
    adaptive = bbc.keep_predictions(Adaptive(MARGINS, cv=5)).fit(X, Y)
    assert adaptive.oos_predictions_.dynamic_search
    assert "BBC007" in codes(bbc.correct(adaptive, metric="accuracy", random_state=1))


def test_one_model_alone_is_on_one_scale():
    """A hold-out pools the decision values of one model of each configuration."""
    hold_outs = ShuffleSplit(2, test_size=0.5, random_state=0)
    e = fit(bbc.BBC, cv=hold_outs).performance_
    assert (e.pooling, codes(e)) == ("pooled", ["BBC011"])  # a single hold-out


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_dynamic_search_is_told_by_every_door(kind, study, tmp_path):
    path = tmp_path / "run.bbc"
    scoring = ["accuracy"] if kind is bbc.TT else ["accuracy", "f1"]
    with pytest.warns(BBCWarning, match="BBC007") as caught:
        search = fit(kind, grid=study, scoring=scoring, refit="accuracy", store=path)
    assert sum("BBC007" in str(one.message) for one in caught) == 1
    own = search.oos_predictions_
    assert own.dynamic_search
    assert bbc.StoredRun(path).oos_predictions().dynamic_search
    for e in (
        search.performance_,
        bbc.correct(bbc.StoredRun(path)),
        bbc.correct(Y, own, metric="accuracy", random_state=1),
        bbc.correct(Y, own, metric="accuracy", method="tt"),
    ):
        assert codes(e).count("BBC007") == 1
    listed = [{"alpha": one.params["alpha"]} for one in study.trials]
    assert "BBC007" not in codes(fit(kind, grid=listed, scoring="accuracy").performance_)


def test_a_dynamic_search_can_be_declared():
    predictions = np.random.default_rng(0).random((90, 3)) + 0.5 * Y[:, None]
    options = {"metric": "roc_auc", "dynamic_search": True, "random_state": 1}
    declared = bbc.correct(Y, predictions, **options)
    assert codes(declared) == ["BBC007"]
    assert bbc.correct(Y, bbc.Blocks([predictions]), **options) == declared
    held = bbc.results.OutOfSamplePredictions(Y, scores=predictions[None], dynamic_search=True)
    e = bbc.correct(Y, held, metric="roc_auc", random_state=1)
    assert codes(e) == ["BBC007"]
    assert (e.replicates == declared.replicates).all()
    by_folds = options | {"method": "tt", "folds": np.arange(90) // 2 % 5}
    assert "BBC007" in codes(bbc.correct(Y, predictions, **by_folds))
    several = bbc.correct(Y, predictions, secondary=["average_precision"], **by_folds)
    assert "BBC007" in codes(several)
    assert "BBC007" in codes(several.secondary["average_precision"])
    search = GridSearchCV(MARGINS, GRID, cv=5).fit(X, Y)
    assert "BBC007" in codes(bbc.correct(search, dynamic_search=True))
    assert "BBC007" not in codes(bbc.correct(search))
    assert "BBC007" in codes(bbc.correct(Adaptive(MARGINS, cv=5).fit(X, Y)))
    for wrong in ("yes", 1, None):
        with pytest.raises(TypeError, match="dynamic_search must be True or False"):
            bbc.correct(Y, predictions, metric="roc_auc", dynamic_search=wrong)
        with pytest.raises(TypeError, match="dynamic_search must be True or False"):
            bbc.correct(search, dynamic_search=wrong)


@pytest.mark.parametrize("kind", [bbc.BBC, bbc.CVT, bbc.baselines.CVMCV])
def test_time_order_is_kept_in_a_store(kind, tmp_path):
    path = tmp_path / "run.bbc"
    cv = TimeSeriesSplit(4) if kind is not bbc.baselines.CVMCV else 4
    search = fit(kind, scoring="accuracy", cv=cv, store=path)
    found = kind is not bbc.baselines.CVMCV
    assert search.oos_predictions_.time_ordered == found
    assert bbc.StoredRun(path).oos_predictions().time_ordered == found
    assert ("BBC018" in codes(bbc.correct(bbc.StoredRun(path)))) == found


@pytest.mark.parametrize("named", ["inputs", "truth", "nothing"])
def test_an_index_of_times_is_kept_in_a_store(named, tmp_path):
    days = pandas.date_range("2024-01-01", periods=len(Y))
    inputs = pandas.DataFrame(X, index=days) if named == "inputs" else X
    truth = pandas.Series(Y, index=days) if named == "truth" else Y
    path, found = tmp_path / "run.bbc", named != "nothing"
    options = {"scoring": "accuracy", "cv": 4, "random_state": 0, "store": path}
    search = bbc.BBC(MARGINS, GRID, **options).fit(inputs, truth)
    assert search.oos_predictions_.time_indexed == found
    assert bbc.StoredRun(path).oos_predictions().time_indexed == found
    assert ("BBC018" in codes(search.performance_)) == found
    assert ("BBC018" in codes(bbc.correct(bbc.StoredRun(path)))) == found
    assert "BBC018" not in codes(bbc.correct(bbc.StoredRun(path), block_length=5))
    again = bbc.BBC(MARGINS, GRID, **options).fit(inputs, truth)
    assert again.n_models_from_store_ > 0
    assert again.performance_ == search.performance_


@pytest.mark.parametrize("kind", POOLED)
def test_decision_values_are_not_pooled_unasked(kind):
    """Folds' models that differ by a shift rank their own rows well, and each other's badly."""
    slopes = {"slope": [1.0, 0.9]}
    found = {
        pooling: fit(kind, Shifted(by=3.0), slopes, pooling=pooling).performance_
        for pooling in ("auto", "pooled", "fold")
    }
    assert found["auto"].pooling == found["fold"].pooling == "fold"
    assert found["pooled"].pooling == "pooled"
    assert "BBC005" in codes(found["pooled"])
    assert "BBC005" not in codes(found["auto"])
    assert found["auto"] == found["fold"]
    assert found["auto"].apparent > found["pooled"].apparent + 0.03


@pytest.mark.parametrize("kind", POOLED)
def test_what_need_not_be_taken_by_fold_is_pooled(kind):
    probabilities = fit(kind, LogisticRegression(), {"C": [0.1, 1.0]})
    assert probabilities.performance_.pooling == "pooled"
    assert fit(kind, scoring="accuracy").performance_.pooling == "pooled"
    # A fold of one row has no AUC.
    alone = fit(kind, cv=LeaveOneOut()) if kind is not bbc.baselines.CVMCV else None
    if alone is not None:
        assert alone.performance_.pooling == "pooled"
        assert "BBC005" in codes(alone.performance_)


@pytest.mark.parametrize("kind", POOLED)
def test_each_metric_is_pooled_as_it_needs(kind):
    search = fit(kind, scoring=["accuracy", "roc_auc", "average_precision"], refit="accuracy")
    found = search.performance_
    pooling = {name: one.pooling for name, one in found.secondary.items()}
    assert found.pooling == "pooled"
    assert pooling == {"roc_auc": "fold", "average_precision": "fold"}
    plain = fit(kind, scoring="accuracy").performance_
    assert replace(found.record, secondary={}) == plain, "other metrics change nothing"


def test_a_mixture_of_learners_is_taken_by_fold():
    mixed = {"margins": MARGINS, "probabilities": LogisticRegression()}
    search = fit(bbc.BBC, mixed, {"margins": GRID})
    assert search.performance_.pooling == "fold"
    assert search.oos_predictions_.response == ("decision_function",) * 2 + ("predict_proba",)
    e = bbc.correct(Y, search.oos_predictions_, metric="roc_auc", random_state=1)
    assert any("BBC005 pooled decision values or risks: 'margins" in str(one) for one in e.findings)


def test_dropping_tests_pool_as_the_correction_does():
    """Though the decision values may all be dropped: pooling is chosen once."""
    grid = {"by": [0.0, 3.0], "slope": [1.0, -1.0]}
    search = fit(bbc.BBCD, Shifted(), grid, min_predictions=20, n_bootstraps=300)
    assert (search.dropped_ >= 0).tolist() == [False, True, False, True]
    pooled = fit(bbc.BBCD, Shifted(), grid, min_predictions=20, n_bootstraps=300, pooling="pooled")
    assert (pooled.dropped_ >= 0).tolist() == [False, True, True, True]
    mixed = {"bad margins": Shifted(slope=-1.0), "probabilities": LogisticRegression()}
    survivors = fit(bbc.BBCD, mixed, None, min_predictions=20, n_bootstraps=300)
    assert survivors.oos_predictions_.response == ("predict_proba",)
    assert survivors.performance_.pooling == "fold"


@pytest.mark.parametrize("pooling", ["auto", "pooled", "fold"])
def test_a_store_is_pooled_as_its_run(pooling, tmp_path):
    path = tmp_path / "run.bbc"
    search = fit(bbc.BBC, Shifted(by=3.0), {"slope": [1.0, 0.9]}, pooling=pooling, store=path)
    run = bbc.StoredRun(path)
    assert run.pooling == pooling
    again = bbc.correct(run)
    assert (again.pooling, again.estimate) == (
        search.performance_.pooling,
        search.performance_.estimate,
    )
    assert bbc.correct(run, pooling="pooled").pooling == "pooled"


@pytest.mark.parametrize("value", ["mean", None, 1])
def test_other_poolings_are_refused_before_any_fit(value):
    with pytest.raises(ValueError, match="pooling must be 'auto' or 'pooled' or 'fold'"):
        bbc.BBC(Witness(), {"shift": [0.0]}, pooling=value).fit(X, Y)
    with pytest.raises(ValueError, match="'pooled' or 'fold' or 'rung', got 'auto'"):
        bbc.correct(Y, X[:, 1:], metric="roc_auc", pooling="auto")
