"""A metric knows its response, and its scores are those of scikit-learn's scorer.

The sample of scorers x classes x doors has few cases; benches/doors has all.
"""

from dataclasses import replace

import numpy as np
import pytest
from benches.doors.scorers import CASES, DOORS, Case, expected, outcome
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    cohen_kappa_score,
    log_loss,
    make_scorer,
    recall_score,
    roc_auc_score,
    top_k_accuracy_score,
)
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc import _engine
from bbc._training._collected import Collected
from bbc._training._responses import Responses
from bbc._validation import _truth
from bbc.search import _cross_validation

X, Y = make_classification(150, 6, n_informative=3, random_state=0, weights=[0.7])
GRID = {"class_weight": [None, {1: 5}]}
FEW = {"n_bootstraps": 20, "confidence_level": 0.8, "random_state": 1}


def cost(y, label):
    return -np.mean(np.where(y == 1, 5 * (label == 0), label == 1))


COST = {"cost": make_scorer(cost), "auc": "roc_auc"}


def run(scoring, refit=True, pooling="fold", **options):
    options = {"scoring": scoring, "refit": refit, "pooling": pooling, **FEW, **options}
    return bbc.BBC(LogisticRegression(), GRID, cv=5, **options).fit(X, Y)


def searched(scoring, refit=True):
    return GridSearchCV(LogisticRegression(), GRID, cv=5, scoring=scoring, refit=refit).fit(X, Y)


@pytest.mark.parametrize(
    ("scoring", "decides"),
    [
        (COST, "cost"),
        ({"own": make_scorer(roc_auc_score), "ll": "neg_log_loss"}, "own"),
        ({"own": make_scorer(recall_score, pos_label=0), "auc": "roc_auc"}, "own"),
        ({"own": make_scorer(cohen_kappa_score, weights="quadratic"), "auc": "roc_auc"}, "own"),
        ({"own": "neg_mean_squared_error", "auc": "roc_auc"}, "own"),
        ({"own": "adjusted_rand_score", "auc": "roc_auc"}, "own"),
    ],
)
def test_a_metric_of_labels_reads_labels_beside_metrics_of_scores(scoring, decides):
    """Seen to fail: the scores were read, and the number and the refitted model were others."""
    plain, own = searched(scoring, decides), run(scoring, decides)
    assert own.performance_.apparent == pytest.approx(plain.best_score_, rel=1e-12)
    assert own.best_params_ == plain.best_params_
    assert own.checked_scores_[decides] == "agrees for 5 models"
    grid = GridSearchCV(LogisticRegression(), GRID, cv=5, scoring=scoring, refit=decides)
    kept = bbc.keep_predictions(grid).fit(X, Y)
    found = kept.correct(pooling="fold", **FEW)
    assert found.apparent == pytest.approx(plain.best_score_, rel=1e-12)


def test_a_response_that_is_not_kept_is_refused():
    scores = run("roc_auc", pooling="pooled").oos_predictions_
    assert scores.responses == ("probabilities",)
    with pytest.raises(ValueError, match="kept as probabilities, metric 'cost' reads labels"):
        bbc.correct(Y, scores, metric=make_scorer(cost), **FEW)
    labels = run("accuracy").oos_predictions_
    assert labels.responses == ("labels",)
    with pytest.raises(ValueError, match="kept as labels, metric 'roc_auc' reads scores"):
        bbc.correct(Y, labels, metric="roc_auc", **FEW)


def test_a_plain_function_says_its_response_where_there_are_two():
    def wrong(y, label):
        return y != label

    plain = bbc.metrics.row_loss(wrong)
    alone = run(plain, pooling="pooled").performance_
    with pytest.raises(ValueError, match=r"scoring: 'wrong' is a plain function.*response="):
        run({"wrong": plain, "auc": "roc_auc"}, "wrong")
    said = bbc.metrics.row_loss(wrong, response="labels")
    both = run({"wrong": said, "auc": "roc_auc"}, "wrong", pooling="pooled")
    assert both.performance_.apparent == alone.apparent
    with pytest.raises(ValueError, match=r"kept as labels and as probabilities.*response="):
        bbc.correct(Y, both.oos_predictions_, metric=plain, **FEW)
    brier = bbc.metrics.row_loss(lambda y, p: (y - p) ** 2, response="probabilities")
    found, named = (
        bbc.correct(Y, both.oos_predictions_, metric=metric, **FEW)
        for metric in (brier, "brier_score")
    )
    assert found.estimate == pytest.approx(named.estimate, rel=1e-12)
    with pytest.raises(ValueError, match="response=\"predict\" must be 'labels' or"):
        bbc.metrics.row_loss(wrong, response="predict")


SAMPLE = [case for case in CASES if case.truth in ("{0, 1}", "text", "three")][::23]


@pytest.mark.parametrize("case", SAMPLE, ids=[f"{case.scorer} {case.truth}" for case in SAMPLE])
def test_doors_give_the_searchs_number_or_refuse(case):
    wanted = expected(Case(*case))
    if wanted is None:
        return
    for door in DOORS:
        found = outcome(case, door, wanted)
        assert found.kind in ("equal", "refused"), (door, found)


def test_outside_scorers_are_undefined_without_a_class():
    rng = np.random.default_rng(0)
    y = rng.permutation(np.r_[np.zeros(28, int), np.ones(28, int), [2] * 3])
    scores = rng.random((59, 3, 3))
    scores /= scores.sum(axis=2, keepdims=True)

    def negative(truth, prediction):
        return -log_loss(truth, prediction)

    plain = bbc.metrics.from_callable(negative, predicts="class_probabilities")
    assert bbc.correct(y, scores, metric=plain, **FEW).n_redrawn > 0
    takes = make_scorer(top_k_accuracy_score, response_method="predict_proba")
    assert bbc.correct(y, scores, metric=takes, **FEW).n_redrawn == 0

    def broken(truth, prediction):
        raise RuntimeError("always")

    with pytest.raises(RuntimeError, match="always"):
        bbc.correct(y, scores, metric=bbc.metrics.from_callable(broken), **FEW)


def test_log_loss_of_single_precision_is_clipped_as_in_scikit_learn():
    single = np.array([0, 1, 0.25, 0.75] * 9, dtype=np.float32)
    y = np.array([0, 0, 1, 1] * 9)
    found = bbc.correct(y, single[:, None], metric="neg_log_loss", **FEW).apparent
    assert found == pytest.approx(-log_loss(y, single), rel=1e-6)


def test_an_error_score_is_no_prediction():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [3, 140]}, cv=5, error_score=0)
    with pytest.warns(UserWarning, match="n_neighbors = 140"):
        kept = bbc.keep_predictions(search).fit(X, Y)
    assert kept.oos_predictions_.mask.mean(axis=1).tolist() == [[1.0, 0.0]]


class Twice:
    """A splitter of one's own."""

    def __init__(self, times):
        self.times = times

    def get_n_splits(self, *data, **params):
        return 3 * self.times

    def split(self, X, y=None, groups=None):
        for train, test in KFold(3).split(X):
            yield from [(train, test)] * self.times


def test_splitters_of_any_class_are_asked_for_their_tests():
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, cv=Twice(1)).fit(X, Y)
    bbc.correct_search(search, **FEW)
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, cv=Twice(2)).fit(X, Y)
    with pytest.raises(ValueError, match="partition"):
        bbc.correct_search(search, **FEW)


def test_a_difference_is_an_error_or_a_finding(monkeypatch):
    plain = Responses._scores
    monkeypatch.setattr(Responses, "_scores", lambda *given: 1 - plain(*given))
    told = r"metric 'roc_auc' of configuration '.*', repeat 0, fold 0 is .*other class"
    with pytest.raises(ValueError, match=told):
        run("roc_auc")
    with pytest.warns(bbc.errors.BBCWarning, match="BBC022"):
        found = run("roc_auc", check_scores="warn")
    assert [each.code for each in found.performance_.data_findings][-1] == "BBC022"
    assert found.checked_scores_["roc_auc"].startswith("differs")
    grid = GridSearchCV(LogisticRegression(), GRID, cv=5, scoring="roc_auc")
    with pytest.raises(ValueError, match=r"search: scoring: metric 'score'.*other class"):
        bbc.keep_predictions(grid).fit(X, Y)


def test_scorers_that_draw_are_not_checked():
    rng = np.random.default_rng(0)

    def drawn(y, label):
        return rng.random()

    found = run({"drawn": make_scorer(drawn), "acc": "accuracy"}, "acc")
    assert found.checked_scores_ == {
        "drawn": "not checked: a second call of the scorer differs",
        "acc": "agrees for 5 models",
    }


def _wrapped(owner, name, change):
    plain = getattr(owner, name)

    def broken(*given, **options):
        return change(plain, *given, **options)

    return owner, name, broken


def _add_reversed(plain, self, key, fit):
    outputs = {name: values[::-1] for name, values in fit.outputs.items()}
    return plain(self, key, replace(fit, outputs=outputs))


def _read_other(plain, self, metric, **how):
    return self.scores if metric.response == "labels" else plain(self, metric, **how)


def _roll_rows(plain, predictions, repeats, rows):
    return replace(plain(predictions, repeats, rows), y=np.roll(predictions.y[rows], 1))


def _roll_weights(plain, self, *given, **design):
    return plain(self, *given, **design | {"sample_weight": np.roll(design["sample_weight"], 5)})


MISTAKES = {
    "scores of the other class": _wrapped(Responses, "_scores", lambda f, *a: 1 - f(*a)),
    "codes of the other class": _wrapped(Responses, "_codes", lambda f, *a: 1 - f(*a)),
    "labels of the other class": _wrapped(
        Collected, "_labels", lambda f, s, c: f(s, np.abs(1 - c) % 2)
    ),
    "rows of a fold in reverse": _wrapped(Collected, "add", _add_reversed),
    "configurations in reverse": _wrapped(
        Collected,
        "add",
        lambda f, s, key, fit: f(s, key._replace(configuration=1 - key.configuration), fit),
    ),
    "another fold": _wrapped(
        Collected, "add", lambda f, s, key, fit: f(s, key._replace(fold=4 - key.fold), fit)
    ),
    "scores read as labels": _wrapped(bbc.OutOfSamplePredictions, "read_by", _read_other),
    "the other class positive": _wrapped(
        _truth, "_place_of_positive", lambda f, *given: 1 - f(*given)
    ),
    "truth shifted by a row": _wrapped(_cross_validation, "part_of", _roll_rows),
    "weights shifted": _wrapped(Collected, "predictions", _roll_weights),
    "another metric": _wrapped(_engine, "score", lambda f, *a, **o: (1 - f(*a, **o)[0], 0)),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_planted_mistakes_are_caught(monkeypatch, mistake):
    weight = np.random.default_rng(0).random(150) + 0.1
    protocol = bbc.BBC(
        LogisticRegression(),
        {"C": [0.01, 1.0]},
        cv=5,
        scoring=["f1", "roc_auc"],
        refit="f1",
        pos_label=1,
        **FEW,
    )
    protocol.fit(X, Y, sample_weight=weight)
    assert protocol.checked_scores_ == dict.fromkeys(["f1", "roc_auc"], "agrees for 5 models")
    monkeypatch.setattr(*MISTAKES[mistake])
    with pytest.raises(ValueError, match=r"its scorer gives|are missing|which the truth does not"):
        protocol.fit(X, Y, sample_weight=weight)
