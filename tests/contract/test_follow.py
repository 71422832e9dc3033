"""Searches of scikit-learn by our engine: their results are those of their own `fit`.

Every search here is fitted twice, and what it kept is compared with `cross_val_predict`.
"""

import re
import warnings
from pathlib import Path

import numpy as np
import pandas
import pytest
import sklearn
from scipy.stats import loguniform
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier, IsolationForest
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    KFold,
    LeavePGroupsOut,
    LeavePOut,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.model_selection._search import BaseSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, OneClassSVM
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc._training import _follow
from bbc.errors import BBCWarning
from instrumented import Exponential

RNG = np.random.default_rng(0)
N = 120
X = RNG.normal(size=(N, 4))
TWO = (X[:, 0] + RNG.normal(size=N) > 0).astype(int)
THREE = np.digitize(X[:, 0] + X[:, 1] + RNG.normal(size=N), [-1, 1])
REAL = X[:, 0] + RNG.normal(size=N)
COUNTS = RNG.poisson(np.exp(X[:, 0] / 2))
OUTLIERS = np.where(RNG.random(N) < 0.2, -1, 1)
GROUPS = np.arange(N) // 4
WEIGHT = RNG.random(N) + 0.1
SURVIVAL = np.array(
    list(zip(RNG.random(N) < 0.7, RNG.exponential(size=N), strict=True)),
    dtype=[("event", bool), ("time", float)],
)
TREE, DEPTHS = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4]}
NEAR, NUMBERS = KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}
LINEAR, PENALTIES = LogisticRegression(), {"C": [0.01, 1.0, 100.0]}
SCALED = make_pipeline(StandardScaler(), SVC(probability=False, random_state=0))


class Adaptive(BaseSearchCV):
    """Looks at its scores, and tries what resembles the best so far."""

    def __init__(self, estimator, *, scoring=None, cv=None, refit=True):
        super().__init__(estimator, scoring=scoring, cv=cv, refit=refit, return_train_score=False)

    def _run_search(self, evaluate_candidates):
        results = evaluate_candidates([{"C": 0.01}, {"C": 1.0}])
        for _ in range(2):
            best = results["params"][int(np.argmax(results["mean_test_score"]))]
            results = evaluate_candidates([{"C": 3 * best["C"]}], more_results={"new": [1]})


class Sometimes(ClassifierMixin, BaseEstimator):
    """Fails where told: in `fit`, in `predict_proba`, on some rows."""

    def __init__(self, fails=""):
        self.fails = fails

    def fit(self, X, y):
        if self.fails == "fit" or (self.fails == "rows" and X[0, 0] == globals()["X"][0, 0]):
            raise RuntimeError("no fit here")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]

    def predict_proba(self, X):
        if self.fails == "proba":
            raise RuntimeError("no probabilities here")
        p = 1 / (1 + np.exp(-X[:, 0]))
        return np.column_stack([1 - p, p])


def cost(model, X, y):
    return -float(np.mean((model.predict(X) != y) * np.where(y == 1, 5, 1)))


def several(model, X, y):
    labels = model.predict(X)
    return {"accuracy": np.mean(labels == y), "n_ones": np.int64(labels.sum())}


def weighted(model, X, y, sample_weight=None):
    return np.average(model.predict(X) == y, weights=sample_weight)


def simplest(results):
    """The last configuration within .02 of the best."""
    scores = results["mean_test_score"]
    return int(np.flatnonzero(scores >= scores.max() - 0.02)[-1])


def moved(model, X, y):
    """Of other rows than those of the fold."""
    return float(np.mean(model.predict(X + 1.0) == y))


def halving(kind, estimator, grid, **options):
    options = {"factor": 2, "random_state": 0, "return_train_score": False} | options
    return kind(estimator, grid, **options)


def requests(estimator):
    return estimator.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)


def routed():
    with sklearn.config_context(enable_metadata_routing=True):
        accuracy = get_scorer("accuracy").set_score_request(sample_weight=True)
        plain = make_scorer(accuracy_score).set_score_request(sample_weight=False)
        scoring = {"weighted": accuracy, "plain": plain}
        return GridSearchCV(requests(LogisticRegression()), PENALTIES, cv=4, scoring=scoring,
                            refit="weighted")  # fmt: skip


# The search, its truth, and what `fit` is given.
SEARCHES = {
    "grid": (GridSearchCV(TREE, DEPTHS, cv=5), TWO, {}),
    "grid of three classes": (
        GridSearchCV(LINEAR, PENALTIES, cv=4, scoring="neg_log_loss"),
        THREE,
        {},
    ),
    "ranks": (GridSearchCV(LINEAR, PENALTIES, scoring="roc_auc"), TWO, {}),
    "text": (GridSearchCV(LINEAR, PENALTIES, cv=3), np.array(["a", "b"])[TWO], {}),
    "numbers": (GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=6), REAL, {}),
    "score of its own": (GridSearchCV(PoissonRegressor(), {"alpha": [0.1, 1.0]}, cv=4), COUNTS, {}),
    "random": (
        RandomizedSearchCV(LINEAR, {"C": loguniform(0.01, 9)}, n_iter=5, random_state=3),
        TWO,
        {},
    ),
    "pipeline": (
        GridSearchCV(SCALED, {"svc__C": [0.1, 1.0], "svc__gamma": [0.1, 1.0]}, cv=4),
        TWO,
        {},
    ),
    "learners of a grid": (
        GridSearchCV(make_pipeline(TREE), {"decisiontreeclassifier": [TREE, NEAR]}),
        TWO,
        {},
    ),
    "repeats": (
        GridSearchCV(
            NEAR, NUMBERS, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=3, random_state=0)
        ),
        TWO,
        {},
    ),
    "hold-outs": (
        GridSearchCV(NEAR, NUMBERS, cv=ShuffleSplit(6, test_size=0.1, random_state=0)),
        TWO,
        {},
    ),
    "time": (GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=TimeSeriesSplit(4)), REAL, {}),
    "groups": (GridSearchCV(NEAR, NUMBERS, cv=GroupKFold(5)), TWO, {"groups": GROUPS}),
    "groups held out": (
        GridSearchCV(NEAR, NUMBERS, cv=GroupShuffleSplit(5, random_state=0)),
        TWO,
        {"groups": GROUPS},
    ),
    "weights": (
        GridSearchCV(LINEAR, PENALTIES, cv=4, scoring=["accuracy", "roc_auc"], refit="roc_auc"),
        TWO,
        {"sample_weight": WEIGHT},
    ),
    "weights of a function": (
        GridSearchCV(LINEAR, PENALTIES, cv=4, scoring=weighted),
        TWO,
        {"sample_weight": WEIGHT},
    ),
    "weights by routing": (routed(), TWO, {"sample_weight": WEIGHT}),
    "several scores": (
        GridSearchCV(TREE, DEPTHS, scoring=["accuracy", "neg_log_loss", "f1"], refit="f1"),
        TWO,
        {},
    ),
    "several scores without a model": (
        GridSearchCV(TREE, DEPTHS, scoring={"a": "accuracy", "c": cost}, refit=False),
        TWO,
        {},
    ),
    "function": (GridSearchCV(TREE, DEPTHS, scoring=cost), TWO, {}),
    "function of other rows": (GridSearchCV(TREE, DEPTHS, scoring=moved), TWO, {}),
    "function of many": (GridSearchCV(TREE, DEPTHS, scoring=several, refit="accuracy"), TWO, {}),
    "rule": (GridSearchCV(TREE, DEPTHS, refit=simplest), TWO, {}),
    "fits that fail": (
        GridSearchCV(Sometimes(), {"fails": ["", "fit", "rows"]}, cv=KFold(4)),
        TWO,
        {},
    ),
    "fits that are worth 0": (
        GridSearchCV(
            Sometimes(),
            {"fails": ["fit", ""]},
            error_score=0,
            scoring=["accuracy", "recall"],
            refit="recall",
        ),
        TWO,
        {},
    ),
    "fits that fail before a function": (
        GridSearchCV(Sometimes(), {"fails": ["fit", ""]}, scoring=several, refit="accuracy"),
        TWO,
        {},
    ),
    "probabilities that fail": (GridSearchCV(Sometimes(), {"fails": ["", "proba"]}), TWO, {}),
    "outliers": (
        GridSearchCV(
            OneClassSVM(), {"gamma": [0.01, 1.0]}, cv=StratifiedKFold(4), scoring="roc_auc"
        ),
        OUTLIERS,
        {},
    ),
    "outliers in a forest": (
        GridSearchCV(
            IsolationForest(n_estimators=9, random_state=0),
            {"max_samples": [8, 32]},
            cv=4,
            scoring="f1",
        ),
        OUTLIERS,
        {},
    ),
    "adaptive": (Adaptive(LINEAR, cv=4), TWO, {}),
    "halving": (
        halving(HalvingGridSearchCV, NEAR, {"n_neighbors": [1, 2, 3, 4, 5]}, cv=3),
        TWO,
        {},
    ),
    "halving by repeats": (
        halving(
            HalvingGridSearchCV,
            TREE,
            DEPTHS,
            cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
        ),
        TWO,
        {},
    ),
    "halving by trees": (
        halving(
            HalvingGridSearchCV,
            GradientBoostingClassifier(random_state=0),
            DEPTHS,
            resource="n_estimators",
            max_resources=8,
            cv=3,
        ),
        TWO,
        {},
    ),
    "random halving": (
        halving(
            HalvingRandomSearchCV,
            TREE,
            {"max_depth": range(1, 9), "min_samples_leaf": range(1, 9)},
            cv=3,
        ),
        TWO,
        {},
    ),
    "survival": (
        GridSearchCV(
            Exponential(),
            {"column": [0, 2]},
            cv=KFold(4),
            scoring=lambda model, X, y: float(model.predict(X).mean()),
        ),
        SURVIVAL,
        {},
    ),
}
COMPARED = ("best_estimator_", "cv_results_", "refit_time_", "scorer_")  # otherwise
PLACES = {"predict": "labels", "predict_proba": "scores", "decision_function": "decisions"}
quiet = pytest.mark.filterwarnings("ignore")


@quiet
@pytest.mark.parametrize("case", SEARCHES)
def test_a_search_is_that_of_its_own_fit(case):
    search, y, params = SEARCHES[case]
    times = (0.5, 1.0) if case == "survival" else None
    with sklearn.config_context(enable_metadata_routing="routing" in case):
        plain = clone(search).fit(X, y, **params)
        kept = bbc.keep_predictions(search, times=times).fit(X, y, **params)
        own = kept.search_
        wanted, found = (
            {key: each for key, each in one.cv_results_.items() if "time" not in key}
            for one in (plain, own)
        )
        assert list(found) == list(wanted)
        for name, values in wanted.items():
            if name.startswith("param"):  # estimators may be among them, cloned
                assert str(found[name]) == str(values)
            else:
                np.testing.assert_array_equal(found[name], values, err_msg=name)
        for name in {name for name in vars(plain) if name.endswith("_")} - {*COMPARED}:
            assert str(getattr(own, name)) == str(getattr(plain, name)), name
        assert {*vars(plain)} - {*vars(own)} == set()
        assert {*vars(own)} - {*vars(plain)} <= {"_checked_cv_orig"}  # of older versions
        if plain.refit:
            np.testing.assert_array_equal(kept.predict(X), plain.predict(X))
            assert own.refit_time_ > 0
        if hasattr(plain, "classes_"):
            np.testing.assert_array_equal(kept.classes_, plain.classes_)
        assert isinstance(own.scorer_, dict) == isinstance(plain.scorer_, dict)
        compare_predictions(kept, y, {k: v for k, v in params.items() if k == "sample_weight"})


def compare_predictions(kept, y, params):
    """Compare with `cross_val_predict`, or fold by fold where rows are tested in no fold."""
    own, results = kept.oos_predictions_, kept.cv_results_
    last = results.get("iter", np.zeros(len(results["params"])))
    settings = [each for each, of in zip(results["params"], last, strict=True) if of == max(last)]
    assert own.n_configurations == len(settings)
    for place, setting in enumerate(settings):
        model = clone(kept.estimator).set_params(**clone(setting, safe=False))
        for repeat, partition in enumerate(kept._kept.partitions):
            splits = [(fold.train, fold.test) for fold in partition.folds]
            for method, output in PLACES.items():
                array = getattr(own, output)
                if output == "labels" and array is None:
                    output, array = "scores", own.scores
                there = own.mask[repeat, :, place]
                if array is None or not hasattr(model, method) or not there.any():
                    continue
                if partition.is_complete(len(y)) and there.all():
                    wanted = cross_val_predict(model, X, y, cv=splits, method=method, params=params)
                else:
                    wanted = by_hand(model, y, splits, method, there)
                given = array[repeat, :, place]
                if method == "decision_function" and own.decisions is None:
                    given = own.scores[repeat, :, place]
                if given.ndim > wanted.ndim:
                    given = given[:, 1]
                np.testing.assert_array_equal(given[there], wanted[there])


def by_hand(model, y, splits, method, there):
    wanted = None
    for train, test in splits:
        if there[test].all():
            made = getattr(clone(model).fit(X[train], y[train]), method)(X[test])
            wanted = np.zeros((len(y), *made.shape[1:]), made.dtype) if wanted is None else wanted
            wanted[test] = made
    return wanted


class Prepared(GridSearchCV):
    """Its own `fit` makes something that the search needs, as that of BayesSearchCV does."""

    def fit(self, X, y=None, **params):
        self.order_ = slice(None, None, -1)
        super().fit(X, y, **params)
        self.ended_ = self.best_score_
        return self

    def _run_search(self, evaluate_candidates):
        evaluate_candidates([{"max_depth": depth} for depth in [1, 2, 4][self.order_]])


def test_a_search_with_a_fit_of_its_own_is_followed():
    search = Prepared(TREE, DEPTHS, cv=3)
    kept, plain = bbc.keep_predictions(search).fit(X, TWO), clone(search).fit(X, TWO)
    assert type(kept.search_) is Prepared
    assert kept.ended_ == plain.ended_
    assert kept.cv_results_["params"] == plain.cv_results_["params"]
    assert kept.oos_predictions_.names == ("max_depth=4", "max_depth=2", "max_depth=1")


class Alone(GridSearchCV):
    def fit(self, X, y=None):
        return self


def test_a_search_that_asks_nobody_is_refused():
    with pytest.raises(TypeError, match="search: the fit of Alone calls none of scikit-learn"):
        bbc.keep_predictions(Alone(TREE, DEPTHS)).fit(X, TWO)


def test_private_names_of_searches_are_few():
    source = Path(_follow.__file__).read_text(encoding="utf-8")
    used = set(re.findall(r"\b(?:own|search|alone|self\.search)\.(_[a-z]\w+)", source))
    assert used == {
        *("_run_search", "_get_routed_params_for_fit", "_check_input_parameters"),
        *("_checked_cv_orig", "_format_results", "_select_best_index"),
    }


def rare():
    """Data with a class of two rows, both of one fold: what it takes to lose a log loss."""
    rng = np.random.default_rng(3)
    y = np.r_[np.zeros(30), np.ones(34), [2, 2]].astype(int)
    inputs = rng.normal(size=(66, 4))
    inputs[:, 0] += y
    rows = rng.permutation(66)
    return inputs[rows], y[rows]


@quiet
def test_a_scorer_that_fails_costs_its_own_score_only():
    inputs, y = rare()
    scoring = ["accuracy", "neg_log_loss"]
    search = GridSearchCV(LINEAR, PENALTIES, cv=KFold(6), scoring=scoring, refit="accuracy")
    kept = bbc.keep_predictions(search).fit(inputs, y)
    plain = clone(search).fit(inputs, y)
    assert kept.best_params_ == plain.best_params_
    for name in ("mean_test_accuracy", "mean_test_neg_log_loss"):
        np.testing.assert_array_equal(kept.cv_results_[name], plain.cv_results_[name])
    assert kept.oos_predictions_.is_complete
    claim = kept._kept.claim
    assert {(each.kind, each.reason.partition(" ")[0]) for each in claim.lost} == {
        ("score", "neg_log_loss")
    }
    n_lost = len(claim.lost)
    assert np.isnan(claim.said["neg_log_loss"].by_fold).sum() == n_lost > 0
    assert not np.isnan(claim.said["accuracy"].by_fold).any()
    with pytest.warns(BBCWarning, match=f"BBC026 .*: {n_lost} scores of 3 configurations missing"):
        found = bbc.correct(kept, random_state=1)
    assert found.winner == plain.best_index_
    assert found.left_out_configurations.size == 0
    assert kept.checked_scores_ == {
        "accuracy": "agrees for 18 models",
        "neg_log_loss": f"agrees for {18 - n_lost} models, lost for {n_lost}",
    }
    search.set_params(error_score="raise")
    with pytest.raises(ValueError, match=r"y_true and .* contain different number of classes"):
        bbc.keep_predictions(search).fit(inputs, y)


def never(model, X, y):
    raise RuntimeError("no score today")


def test_what_was_lost_is_told():
    search = GridSearchCV(Sometimes(), {"fails": ["", "fit", "proba"]}, cv=3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kept = bbc.keep_predictions(search).fit(X, TWO)
    claim = kept._kept.claim
    assert [each[:3] for each in claim.lost] == [
        ("fit", split, place) for place in (1, 2) for split in range(3)
    ]
    assert "no probabilities here" in claim.lost[-1].reason
    # Accuracy needs no probabilities: the search has its number, and our predictions are a hole.
    np.testing.assert_array_equal(np.isnan(claim.said["score"].by_fold).any(axis=0), [0, 1, 0])
    assert kept.oos_predictions_.mask.all(axis=1).tolist() == [[True, False, False]]
    told = {each.category: str(each.message) for each in caught if each.filename == __file__}
    assert told[FitFailedWarning].startswith("3 of 9 fits failed, and their scores are nan; the")
    assert told[UserWarning].startswith("The predictions of 3 fits cannot be kept; the first with")
    search.set_params(scoring=never, param_grid={"fails": [""]})
    kept = bbc.keep_predictions(search).fit(X, TWO)
    with pytest.raises(ValueError, match=r"in every fold; the first was lost: .*no score today"):
        bbc.correct(kept)
    search.set_params(scoring=None, param_grid={"fails": ["proba"]})
    with pytest.raises(ValueError, match=r"search: no fit gave predictions; .*no probab"):
        bbc.keep_predictions(search).fit(X, TWO)
    search.set_params(param_grid={"fails": ["fit"]})
    with pytest.raises(ValueError, match="search: all 3 fits failed, the first with RuntimeError"):
        bbc.keep_predictions(search).fit(X, TWO)


def test_each_hold_out_is_a_repeat():
    """Seen to fail: disjoint hold-outs were packed into one repeat."""
    cv = ShuffleSplit(20, test_size=0.05, random_state=3)
    search = GridSearchCV(TREE, DEPTHS, cv=cv)
    kept = bbc.keep_predictions(search).fit(X, TWO)
    own = bbc.BBC(TREE, DEPTHS, cv=cv, random_state=1).fit(X, TWO)
    assert kept.oos_predictions_.n_repeats == 20
    ours, theirs = bbc.correct(kept, random_state=1), own.performance_
    assert ours.apparent == theirs.apparent
    np.testing.assert_array_equal(ours.replicates, theirs.replicates)


def untrained(self, X, y, sample_weight=None, check_input=True):
    raise AssertionError("trained")


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (LeavePOut(2), r"cv=LeavePOut\(p=2\) tests every row in many overlapping folds"),
        (LeavePGroupsOut(2), r"cv=LeavePGroupsOut\(n_groups=2\) tests every group in many"),
        ([(np.r_[3:N], [0, 1]), (np.r_[5:N], [2, 3]), (np.r_[5:N], [3, 4])], "overlap in no order"),
    ],
)
@pytest.mark.parametrize("door", ["keep_predictions", "BBC"])
def test_splits_that_are_no_partition_are_refused_before_training(cv, message, door, monkeypatch):
    monkeypatch.setattr(DecisionTreeClassifier, "fit", untrained)
    search = GridSearchCV(TREE, DEPTHS, cv=cv)
    doors = {"keep_predictions": bbc.keep_predictions(search), "BBC": bbc.BBC(TREE, DEPTHS, cv=cv)}
    given = {"groups": GROUPS} if isinstance(cv, LeavePGroupsOut) else {}
    with pytest.raises(ValueError, match=message):
        doors[door].fit(X, TWO, **given)


def test_what_is_asked_for_is_refused_before_training(monkeypatch):
    monkeypatch.setattr(DecisionTreeClassifier, "fit", untrained)
    for options, message in (
        ({"return_train_score": True}, "return_train_score=True: the scores of training rows"),
        ({"scoring": ["accuracy", "f1"]}, r"refit=True: .* must name the one .* \(accuracy, f1\)"),
        ({"param_grid": {"depth": [1]}}, "Invalid parameter 'depth'"),
        ({"param_grid": []}, "no configurations"),
    ):
        search = GridSearchCV(TREE, DEPTHS, cv=3).set_params(**options)
        with pytest.raises(ValueError, match=message):
            bbc.keep_predictions(search).fit(X, TWO)


def test_outlier_detectors_predict_labels():
    """Seen to fail: labels of 1 and -1 were taken for scores."""
    search = SEARCHES["outliers"][0]
    kept = bbc.keep_predictions(search).fit(X, OUTLIERS)
    assert kept.checked_scores_ == {"score": "agrees for 8 models"}
    assert kept.oos_predictions_.responses == ("labels", "scores")
    by_fold = bbc.correct(kept, pooling="fold", random_state=1)
    assert by_fold.apparent == pytest.approx(kept.best_score_, abs=1e-15)
    assert bbc.correct(kept, metric="accuracy", reselect=True, random_state=1).apparent > 0
    # If y has 0 and 1, the labels 1 and -1 are no classes of it, and only the scores are kept.
    other = bbc.keep_predictions(search).fit(X, (OUTLIERS + 1) // 2)
    assert other.oos_predictions_.labels is None
    assert bbc.correct(other, pooling="fold", random_state=1).apparent == by_fold.apparent


def test_learners_without_a_seed_get_one():
    search = RandomizedSearchCV(DummyClassifier(strategy="uniform"), {"constant": [0, 1]}, n_iter=2,
                                cv=3, random_state=5)  # fmt: skip
    first, second = (bbc.keep_predictions(search).fit(X, TWO) for _ in range(2))
    assert isinstance(first.best_estimator_.random_state, int)
    labels = first.oos_predictions_.labels
    np.testing.assert_array_equal(labels, second.oos_predictions_.labels)
    np.testing.assert_array_equal(first.cv_results_["mean_test_score"],
                                  second.cv_results_["mean_test_score"])  # fmt: skip
    assert (labels[:, :, 0] != labels[:, :, 1]).any()


@quiet
@pytest.mark.parametrize("case", ["weights", "halving", "function of many"])
def test_worker_processes_give_the_same(case):
    search, y, params = SEARCHES[case]
    one = bbc.keep_predictions(search).fit(X, y, **params)
    two = bbc.keep_predictions(clone(search).set_params(n_jobs=2)).fit(X, y, **params)
    for array in ("labels", "scores", "folds", "mask"):
        np.testing.assert_array_equal(
            getattr(one.oos_predictions_, array), getattr(two.oos_predictions_, array)
        )
    assert one.best_params_ == two.best_params_


def test_which_scores_have_weights():
    search, y, params = SEARCHES["weights by routing"]
    with sklearn.config_context(enable_metadata_routing=True):
        kept = bbc.keep_predictions(search).fit(X, y, **params)
    said = kept._kept.claim.said
    assert [key for key, each in said.items() if each.weighted] == ["weighted"]
    np.testing.assert_array_equal(kept.oos_predictions_.sample_weight, WEIGHT)
    assert kept.checked_scores_ == dict.fromkeys(["weighted", "plain"], "agrees for 12 models")


def test_frames_reach_learners_and_functions_as_they_are():
    frame, truth = pandas.DataFrame(X, columns=list("abcd")), pandas.Series(TWO, name="y")
    seen = set()

    def scored(model, X, y):
        seen.add((type(X), type(y), tuple(model[-1].classes_)))
        return model.score(X, y)

    search = GridSearchCV(SCALED, {"svc__C": [0.1, 1.0]}, cv=3, scoring=scored)
    kept = bbc.keep_predictions(search).fit(frame, truth)
    assert seen == {(pandas.DataFrame, pandas.Series, (0, 1))}
    assert kept.feature_names_in_.tolist() == list("abcd")


def test_a_line_for_each_fold(capsys):
    bbc.keep_predictions(GridSearchCV(TREE, DEPTHS, cv=3, verbose=1)).fit(X, TWO)
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("[GridSearchCV] fold 1 of 3: 3 of 10 models trained")
    assert said[-1].startswith("[GridSearchCV] winner max_depth=")
