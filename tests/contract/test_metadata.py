"""Metadata, callbacks and sources of configurations reach those whom they are meant for."""

from typing import ClassVar

import numpy as np
import optuna
import pytest
import sklearn
from scipy.stats import uniform
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, ParameterSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bbc
from bbc.errors import BBCWarning
from instrumented import numbered_data
from kinds import draws, of_folds

X, Y = numbered_data()
GROUPS = np.arange(len(X)) // 3
WEIGHT = np.arange(len(X)) % 3 + 1.0
PROTOCOLS = [bbc.BBC, bbc.BBCD, of_folds, bbc.baselines.CVMCV, bbc.CVT, bbc.NCV, bbc.TT]


class Consumer(ClassifierMixin, BaseEstimator):
    """Takes note of the metadata that its fits get."""

    log: ClassVar[list[dict]] = []

    def __init__(self, shift=0.0):
        self.shift = shift

    def fit(self, X, y, sample_weight=None, price=None, tag=None):
        self.classes_ = np.unique(y)
        Consumer.log.append(
            {"rows": X[:, 0], "sample_weight": sample_weight, "price": price, "tag": tag}
        )
        return self

    def predict(self, X):
        return self.classes_[(X[:, 1] > self.shift).astype(int)]


def build(kind, estimator, grid, **options):
    options = {"cv": 3, "random_state": 1} | options
    if draws(kind):
        options = {"n_bootstraps": 60} | options
    return kind(estimator, grid, **options)


def fitted_log(search, **metadata):
    Consumer.log.clear()
    search.fit(X, Y, **metadata)
    assert len(Consumer.log) == search.n_models_trained_
    return Consumer.log


def of_rows(values, rows):
    return np.asarray(values)[rows.astype(int)].tolist()


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_metadata_follow_their_rows(kind):
    search = build(kind, Consumer(), {"shift": [0.0, 0.5]})
    price = [f"{row} pounds" for row in range(len(X))]
    for fit in fitted_log(search, sample_weight=WEIGHT, price=price, tag="whole"):
        assert np.asarray(fit["sample_weight"]).tolist() == of_rows(WEIGHT, fit["rows"])
        assert np.asarray(fit["price"]).tolist() == of_rows(price, fit["rows"])
        assert fit["tag"] == "whole"
    assert search.oos_predictions_.sample_weight.tolist() == WEIGHT.tolist()


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def weighted_share(y_true, y_pred, sample_weight=None):
    return float(np.average(y_true == y_pred, weights=sample_weight))


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_everybody_gets_what_was_asked_for(kind, routing):
    learner = Consumer().set_fit_request(price=True, sample_weight=False)
    accuracy = sklearn.metrics.get_scorer("accuracy").set_score_request(sample_weight=True)
    cv = GroupKFold(3, shuffle=True)
    search = build(kind, learner, {"shift": [0.0, 0.5]}, scoring=accuracy, cv=cv)
    metadata = {"sample_weight": WEIGHT, "price": X[:, 1], "groups": GROUPS}
    for fit in fitted_log(search, **metadata):
        assert fit["sample_weight"] is None
        assert fit["price"].tolist() == of_rows(X[:, 1], fit["rows"])
    predictions = search.oos_predictions_
    assert predictions.groups.tolist() == GROUPS.tolist()
    folds = predictions.folds[0].reshape(-1, 3)
    assert (folds == folds[:, :1]).all(), "the splitter got the groups"
    winner = predictions.labels[0][:, search.best_index_]
    if kind in (bbc.BBC, bbc.BBCD, bbc.CVT):
        expected = weighted_share(Y, winner, WEIGHT)
        assert search.best_score_ == pytest.approx(expected, rel=1e-12)
    else:
        assert predictions.sample_weight.tolist() == WEIGHT.tolist()


@pytest.mark.parametrize("kind", [bbc.BBC, bbc.CVT, bbc.TT])
def test_the_learner_s_own_score_gets_its_weights(kind, routing):
    """Without scoring it is what is scored, and what scikit-learn's search routes to it."""
    learner = LogisticRegression().set_fit_request(sample_weight=False)
    learner.set_score_request(sample_weight=True)
    grid, cv = {"C": [1e-3, 1.0]}, KFold(3)
    search = kind(learner, grid, cv=cv, random_state=1).fit(X, Y, sample_weight=WEIGHT)
    assert search.oos_predictions_.sample_weight.tolist() == WEIGHT.tolist()
    plain = GridSearchCV(learner, grid, cv=cv).fit(X, Y, sample_weight=WEIGHT).cv_results_
    for k in range(3):
        ours, theirs = (r[f"split{k}_test_score"] for r in (search.cv_results_, plain))
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_own_scores_that_request_unlike_metadata_are_no_metric(routing):
    weighs = LogisticRegression().set_fit_request(sample_weight=False)
    learners = {
        "weighs": clone(weighs).set_score_request(sample_weight=True),
        "counts": clone(weighs).set_score_request(sample_weight=False),
    }
    with pytest.raises(ValueError, match="the scores of the learners request different metadata"):
        bbc.CVT(learners, cv=3).fit(X, Y, sample_weight=WEIGHT)


def test_what_nobody_asked_for_is_refused(routing):
    search = build(bbc.CVT, Consumer(), {"shift": [0.0]})
    with pytest.raises(UnsetMetadataPassedError, match=r"\[price\] are passed but"):
        search.fit(X, Y, price=WEIGHT)
    assert build(bbc.BBC, Consumer(), {"shift": [0.0]}).fit(X, Y, groups=GROUPS).performance_.unit


def test_each_learner_has_its_own_requests(routing):
    learners = {
        "asks": Consumer().set_fit_request(price=True, sample_weight=False),
        "weighs": Consumer().set_fit_request(price=False, sample_weight=True),
    }
    for each in learners.values():
        each.set_score_request(sample_weight=False)
    grids = {"asks": {"shift": [0.0]}, "weighs": {"shift": [0.5]}}
    log = fitted_log(build(bbc.CVT, learners, grids), price=WEIGHT, sample_weight=WEIGHT)
    got = [(fit["price"] is not None, fit["sample_weight"] is not None) for fit in log]
    assert sorted(set(got)) == [(False, True), (True, False)]


def test_through_a_pipeline(routing):
    learner = Consumer().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
    scaler = StandardScaler().set_fit_request(sample_weight=False)
    outer = make_pipeline(scaler, build(bbc.CVT, learner, {"shift": [0.0]}))
    Consumer.log.clear()
    outer.fit(X, Y, sample_weight=WEIGHT)
    assert [len(fit["sample_weight"]) for fit in Consumer.log] == [40, 40, 40, 60]


class Listener:
    """A callback that keeps account of the tasks begun and ended."""

    def __init__(self):
        self.begun, self.ended, self.torn_down = [], [], 0

    def setup(self, estimator, context):
        assert not self.begun

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context, **state):
        self.ended.append(context.task_name)
        return False

    def teardown(self, estimator, context):
        self.torn_down += 1


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_callbacks_hear_of_every_model(kind, n_jobs):
    listener = Listener()
    search = build(kind, Consumer(), {"shift": [0.0, 0.5]}, n_jobs=n_jobs)
    search.set_callbacks(listener).fit(X, Y)
    models = listener.begun.count("configuration")
    assert models == search.n_models_trained_ - 1, "all but the final one"
    assert sorted(listener.ended) == sorted(listener.begun)
    assert listener.torn_down == 1


def test_callbacks_are_torn_down_after_an_error():
    listener = Listener()
    search = build(bbc.CVT, Consumer(), {"shift": ["no number"]}, error_score="raise")
    with pytest.raises(TypeError):
        search.set_callbacks(listener).fit(X, Y)
    assert listener.torn_down == 1


def test_the_progress_bar_ends(capfd):
    from sklearn.callback import ProgressBar

    for kind in PROTOCOLS:
        search = build(kind, Consumer(), {"shift": [0.0, 0.5]})
        search.set_callbacks(ProgressBar()).fit(X, Y)
        shown = capfd.readouterr().out
        assert f"{kind.__name__} - fold 3 of 3" in shown
        assert " 0%" not in shown.splitlines()[0], "the bar of the whole run has ended"


@pytest.fixture(scope="module")
def study():
    def objective(trial):
        shift = trial.suggest_float("shift", -1, 1)
        if trial.number == 1:
            raise optuna.TrialPruned
        if trial.number == 2:
            raise RuntimeError("a failed trial")
        return shift

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    made = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    made.optimize(objective, n_trials=6, catch=(RuntimeError,))
    made.enqueue_trial(made.trials[0].params)
    made.optimize(objective, n_trials=1)
    return made


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_study_is_a_source_of_configurations(kind, study):
    search = build(kind, Consumer(), study)
    with pytest.warns(BBCWarning, match="BBC007 dynamic search: configurations were chosen"):
        search.fit(X, Y)
    complete = [study.trials[number].params for number in (0, 3, 4, 5)]
    assert [one.params for one in search.configurations_] == complete
    listed = [{"shift": [one["shift"]]} for one in complete]
    assert search.performance_.estimate == (
        build(kind, Consumer(), listed).fit(X, Y).performance_.estimate
    )


def test_sources_of_configurations_agree():
    sampler = ParameterSampler({"shift": uniform(-1, 2)}, 5, random_state=3)
    drawn = [dict(one) for one in sampler]
    expected = build(bbc.BBC, Consumer(), [{"shift": [one["shift"]]} for one in drawn]).fit(X, Y)
    for source in (
        sampler,
        {"shift": [one["shift"] for one in drawn]},
    ):
        fitted = build(bbc.BBC, Consumer(), source).fit(X, Y)
        assert fitted.performance_ == expected.performance_
    named = build(
        bbc.BBC, {"a": Consumer(), "b": Consumer()}, {"a": sampler, "b": {"shift": [9.0]}}
    )
    assert [one.params for one in named.fit(X, Y).configurations_] == [*drawn, {"shift": 9.0}]
    assert named.cv_results_["estimator"].tolist() == ["a"] * 5 + ["b"]


def test_weights_for_a_python_function_are_refused_before_any_fit(routing):
    scorer = make_scorer(weighted_share).set_score_request(sample_weight=True)
    learner = Consumer().set_fit_request(sample_weight=False)
    search = build(bbc.CVT, learner, {"shift": [0.0, 0.5]}, scoring=scorer)
    Consumer.log.clear()
    with pytest.raises(ValueError, match=r"sample_weight: .* is a Python function"):
        search.fit(X, Y, sample_weight=WEIGHT)
    assert not Consumer.log
