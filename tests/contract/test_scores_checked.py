"""A metric knows its response, and its scores are those of scikit-learn's scorer.

The sample of scorers x classes x doors has few cases; benches/doors has all.
"""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from benches.doors.mistakes import MISTAKES, SEARCHES
from benches.doors.mistakes import outcome as planted
from benches.doors.scorers import (
    AFTER,
    CASES,
    DOORS,
    Case,
    _Classifier,
    _Margins,
    data,
    expected,
    holds_another,
    outcome,
)
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    hinge_loss,
    log_loss,
    make_scorer,
    precision_score,
    recall_score,
    roc_auc_score,
    top_k_accuracy_score,
)
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc._training._collected import InnerPlan
from bbc._training._scoring import Responses
from families import compared_arrays

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
    found = bbc.correct(kept, pooling="fold", **FEW)
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


SAMPLE = CASES[::53]
# The first scorer of each truth now, and the others every night.
NOW = list({case.truth: case for case in reversed(SAMPLE)}.values())
NIGHT = [case for case in SAMPLE if case not in NOW]


@pytest.mark.parametrize(
    "case",
    [*NOW, *(pytest.param(case, marks=pytest.mark.nightly) for case in NIGHT)],
    ids=[f"{case.scorer} {case.truth}" for case in (*NOW, *NIGHT)],
)
def test_doors_give_the_searchs_number_or_refuse(case):
    wanted = expected(Case(*case))
    if wanted is None:
        return
    for door in DOORS:
        found = outcome(case, door, wanted)
        assert found.kind in ("equal", "refused"), (door, found)
    after = outcome(case, AFTER, wanted)
    assert after.kind == ("refused" if holds_another(case) else "equal"), after


def margins(scoring, **options):
    """A learner whose decision values rank otherwise than its probabilities."""
    own = {"cv": 3, "scoring": scoring, "pooling": "fold"} | FEW | options
    return bbc.BBC(_Margins(), {"penalty": [0.1, 100.0]}, **own)


def test_decision_values_are_kept_beside_probabilities(tmp_path):
    (inputs, y), names = data("{0, 1}, margins"), ["roc_auc", "neg_log_loss"]
    grid = GridSearchCV(_Margins(), {"penalty": [0.1, 100.0]}, cv=3, scoring=names, refit="roc_auc")
    wanted = grid.fit(inputs, y).best_score_
    fitted = margins(names, refit="roc_auc", store=tmp_path / "a.bbc").fit(inputs, y)
    kept = bbc.keep_predictions(grid).fit(inputs, y)
    own = fitted.oos_predictions_
    assert own.responses == ("decisions", "probabilities")
    stored = bbc.StoredRun(tmp_path / "a.bbc")
    found = {
        "protocol": fitted.performance_,
        "store": bbc.correct(stored, **FEW),
        "kept": bbc.correct(kept, metric="roc_auc", pooling="fold", **FEW),
        "copy": bbc.correct(y, own, metric="roc_auc", pooling="fold", **FEW),
        "family": compared_arrays(
            y, own, by=["a", "b"], metric="roc_auc", pooling="fold", **FEW
        ).estimates["a" if fitted.best_index_ == 0 else "b"],
    }
    for name, each in found.items():
        assert each.apparent == pytest.approx(wanted, rel=1e-12), name
    # Folds together are ranked by probabilities.
    pooled = bbc.correct(y, own, metric="roc_auc", **FEW).apparent
    by_probabilities = [roc_auc_score(y, column) for column in own.scores[0].T]
    assert pooled == pytest.approx(max(by_probabilities), rel=1e-12)
    assert kept.checked_scores_["roc_auc"].startswith("agrees for 6 models; the scorer ranks")
    assert fitted.score(inputs, y) == pytest.approx(
        roc_auc_score(y, fitted.best_estimator_.decision_function(inputs)), rel=1e-12
    )
    with pytest.raises(ValueError, match="decisions are kept beside probabilities"):
        bbc.results.OutOfSamplePredictions(y, labels=own.scores, decisions=own.scores)
    with pytest.raises(ValueError, match=r"decisions has shape .*, expected"):
        bbc.results.OutOfSamplePredictions(y, scores=own.scores, decisions=own.scores[:, :, :1])


def test_metrics_of_decision_values_do_not_read_probabilities():
    inputs, y = data("{0, 1}, margins")
    hinge = make_scorer(hinge_loss, greater_is_better=False, response_method="decision_function")
    fitted = margins({"hinge": hinge, "loss": "neg_log_loss"}, refit="hinge").fit(inputs, y)
    grid = GridSearchCV(_Margins(), {"penalty": [0.1, 100.0]}, cv=3, scoring=hinge)
    assert fitted.best_score_ == pytest.approx(grid.fit(inputs, y).best_score_, rel=1e-12)
    assert fitted.checked_scores_ == dict.fromkeys(["hinge", "loss"], "agrees for 3 models")
    kept = bbc.correct(bbc.keep_predictions(grid).fit(inputs, y), pooling="fold", **FEW)
    assert kept.apparent == pytest.approx(fitted.best_score_, rel=1e-12)
    scores = margins("neg_log_loss").fit(inputs, y).oos_predictions_
    with pytest.raises(ValueError, match="kept as probabilities, metric 'neg_hinge_loss' reads de"):
        bbc.correct(y, scores, metric=hinge, **FEW)
    labels = make_scorer(roc_auc_score, response_method="decision_function")
    pooled = margins({"auc": labels, "loss": "neg_log_loss"}, refit="auc", pooling="auto")
    assert pooled.fit(inputs, y).performance_.pooling == "fold"


def test_a_name_is_read_as_its_scorer():
    """Seen to fail: pooling="fold" took decision values for roc_auc_ovr by its name."""
    inputs, y = data("three")
    grid = GridSearchCV(_Classifier(), {"penalty": [0.1, 100.0]}, cv=3, scoring="roc_auc_ovr")
    fitted = bbc.BBC(_Classifier(), {"penalty": [0.1, 100.0]}, cv=3, scoring="roc_auc_ovr")
    fitted.set_params(pooling="fold", **FEW).fit(inputs, y)
    assert fitted.best_score_ == pytest.approx(grid.fit(inputs, y).best_score_, rel=1e-12)


def test_metrics_of_other_positive_classes_are_stored(tmp_path):
    """Seen to fail: the store could not be read."""
    inputs, y = data("{1, 2}")
    names = ["roc_auc", "average_precision"]
    fitted = margins(names, refit="roc_auc", store=tmp_path / "a.bbc").fit(inputs, y)
    found = fitted.performance_
    assert (found.pos_label, found.secondary["average_precision"].pos_label) == (2, 1)
    assert bbc.correct(bbc.StoredRun(tmp_path / "a.bbc"), **FEW).apparent == fitted.best_score_


class Counted(GaussianNB):
    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight)


def fails(y, label):
    raise KeyError("dose")


def of_all_rows(y, label):
    return float(np.mean(np.arange(150) * (y == label)))


def on_text(y, label):
    return float(np.mean(y == label))


@pytest.mark.parametrize(
    ("metric", "told"),
    [
        (make_scorer(fails), r"fails on predictions that were made up: KeyError: 'dose'"),
        (make_scorer(of_all_rows), "made up on a part of the rows: ValueError: operands could no"),
        (make_scorer(recall_score, pos_label="ill"), "recall.*made up|pos_label|these classes"),
        (make_scorer(f1_score, average="samples"), "fails on these classes: ValueError"),
    ],
)
def test_metrics_that_cannot_be_computed_are_refused_before_training(metric, told):
    Counted.n_fits = 0
    grid = {"var_smoothing": [1e-9, 0.1]}
    with pytest.raises(ValueError, match=told):
        bbc.BBC(Counted(), grid, cv=5, scoring=metric, **FEW).fit(X, Y)
    search = GridSearchCV(Counted(), grid, cv=5, scoring=metric)
    with pytest.raises(ValueError, match=f"search: .*({told})"):
        bbc.keep_predictions(search).fit(X, Y)
    assert Counted.n_fits == 0
    plain = bbc.metrics.row_loss(lambda y, label: (y != label)[np.arange(150)], response="labels")
    with pytest.raises(ValueError, match="on a part of the rows: IndexError"):
        bbc.BBC(Counted(), grid, cv=5, scoring=plain, **FEW).fit(X, Y)
    assert Counted.n_fits == 0


def test_what_may_fail_on_made_up_predictions_goes_on_if_told():
    seen = []

    def careful(y, label):
        if not seen:
            seen.append(1)
            raise RuntimeError("first call")
        return float(np.mean(y == label))

    grid = {"var_smoothing": [1e-9, 0.1]}
    found = bbc.BBC(
        GaussianNB(), grid, cv=5, scoring=make_scorer(careful), check_scores="warn", **FEW
    ).fit(X, Y)
    assert found.best_score_ > 0.5


def test_classes_that_a_scorer_names_reach_the_checks_before_training():
    """Seen to fail: the protocol asked for the pos_label that the scorer has."""
    inputs, y = data("text")
    named = make_scorer(precision_score, pos_label="case")
    found = margins(named).fit(inputs, y)
    assert found.performance_.pos_label == "case"


def test_functions_may_divide_by_zero_on_rows_that_lack_a_class():
    """Seen to fail: "replicates: NaN has no place among them", after the search."""
    adjusted = make_scorer(balanced_accuracy_score, adjusted=True)
    rare = np.r_[np.zeros(70, int), np.ones(5, int)]
    predicted = np.random.default_rng(0).integers(0, 2, (75, 3))
    folds = np.arange(75) % 5
    found = bbc.correct(rare, predicted, metric=adjusted, folds=folds, pooling="fold", **FEW)
    assert np.isfinite(found.replicates).all()


def test_families_of_text_labels_are_compared_by_functions():
    """Seen to fail: a TypeError about the dtype of predictions."""
    y = np.array(["a", "b", "c"])[np.random.default_rng(0).integers(0, 3, 60)]
    other = np.array(["a", "b", "c"])[np.random.default_rng(1).integers(0, 3, (60, 2))]
    found = compared_arrays(
        y, {"own": other, "first": other[:, :1]}, metric=make_scorer(on_text), **FEW
    )
    assert found.estimates["first"].apparent == np.mean(y == other[:, 0])


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
    bbc.correct(search, **FEW)
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, cv=Twice(2)).fit(X, Y)
    with pytest.raises(ValueError, match="partition"):
        bbc.correct(search, **FEW)


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
    with pytest.raises(
        ValueError, match=r"^scoring: metric 'score' of configuration .*other class"
    ):
        bbc.keep_predictions(grid).fit(X, Y)


def test_inner_loops_are_checked(monkeypatch):
    inputs, y = data("{0, 1}, margins")
    given = {"cv": 3, "scoring": "roc_auc", "pos_label": 1}
    search = bbc.NCV(_Margins(), {"penalty": [0.1, 100.0]}, **given).fit(inputs, y)
    # Three models of pairs of folds, each in two inner loops, and three of the outer folds.
    assert search.checked_scores_ == {"roc_auc": "agrees for 9 models"}
    own = bbc.NCV(_Margins(), {"penalty": [0.1, 100.0]}, inner_cv=2, **given).fit(inputs, y)
    assert own.checked_scores_ == {"roc_auc": "agrees for 9 models"}
    plain = InnerPlan.distribute

    def turned(plan, collected, key, fit):
        outputs = {name: values[::-1] for name, values in fit.outputs.items()}
        plain(plan, collected, key, replace(fit, outputs=outputs))

    monkeypatch.setattr(InnerPlan, "distribute", turned)
    with pytest.raises(ValueError, match=r"fold 0 of the inner loop of outer .* its sc"):
        search.fit(inputs, y)


def test_fits_of_a_store_are_said_to_be_unchecked(tmp_path):
    inputs, y = data("{0, 1}, margins")
    search = margins("roc_auc", store=tmp_path / "a.bbc")
    assert search.fit(inputs, y).checked_scores_ == {"roc_auc": "agrees for 3 models"}
    found = search.set_params(param_grid={"penalty": [0.1, 10.0, 100.0]}).fit(inputs, y)
    left = "6 fits of the store are as they were stored"
    assert found.checked_scores_ == {"roc_auc": f"agrees for 3 models; {left}"}


def test_scorers_that_draw_are_not_checked():
    rng = np.random.default_rng(0)

    def drawn(y, label):
        return rng.random()

    found = run({"drawn": make_scorer(drawn), "acc": "accuracy"}, "acc")
    assert found.checked_scores_ == {
        "drawn": "not checked: a second call of the scorer differs",
        "acc": "agrees for 5 models",
    }


@pytest.fixture(scope="module")
def unbroken():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: run() for name, run in SEARCHES.items()}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_planted_mistakes_are_caught(unbroken, mistake):
    """Where a mistake changes a number, the check stops the run; benches/doors has the errors."""
    kinds = {name: planted(mistake, name, numbers)[0] for name, numbers in unbroken.items()}
    assert "caught" in kinds.values(), kinds
    assert "missed" not in kinds.values(), kinds


@pytest.mark.parametrize("name", ["balanced_accuracy", "recall_macro", "f1_macro"])
def test_functions_average_over_the_classes_that_a_fold_has(name):
    """Seen to fail: macro averages of folds that lack a class were refused."""
    rng = np.random.default_rng(3)
    y = rng.permutation(np.r_[np.zeros(30), np.ones(34), [2, 2]].astype(int))
    inputs = rng.normal(size=(66, 4)) + y[:, None]
    grid, folds = {"C": [0.01, 1.0]}, KFold(6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        protocol = bbc.BBC(LogisticRegression(), grid, cv=folds, scoring=name, random_state=0)
        assert 0 < protocol.fit(inputs, y).performance_.apparent < 1
        search = GridSearchCV(LogisticRegression(), grid, cv=folds, scoring=name)
        kept = bbc.correct(bbc.keep_predictions(search).fit(inputs, y), random_state=0)
    assert kept.apparent == pytest.approx(search.fit(inputs, y).best_score_)
    assert "undefined for" in kept.notes[-1]
