"""Halving by trees or epochs: the luck that carries over is that of the oracle, and is taken."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import GradientBoostingClassifier, RandomForestRegressor
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    RepeatedKFold,
    ShuffleSplit,
)

import bbc
from bbc.adapters._iterations import Iterations, correct_iterations
from reference.iterations import replicates

N_ROWS, N_BOOTSTRAPS = 60, 40


def made(metric, seed):
    """Truth, predictions of three iterations that share luck, and the survivors of each."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, N_ROWS) if metric == "accuracy" else rng.normal(size=N_ROWS)
    common = rng.normal(size=(N_ROWS, 12))
    tables, survivors, alive = [], [], np.arange(12)
    for n_left in (6, 3, 0):
        own = common + 0.5 * rng.normal(size=common.shape)
        table = (own > 0).astype(int) if metric == "accuracy" else own
        tables.append(table[:, alive])
        if n_left:
            scores = row_scores(metric, y, tables[-1]).mean(axis=0)
            order = np.argsort(-scores if metric == "accuracy" else scores, kind="stable")
            survivors.append(order[:n_left])
            alive = alive[order[:n_left]]
    return y, tables, survivors


def row_scores(metric, y, table):
    equal = (table == y[:, None]).astype(float)
    return equal if metric == "accuracy" else (table - y[:, None]) ** 2


def iterations(y, tables, survivors, **design):
    kind = "labels" if tables[0].dtype.kind == "i" else "scores"
    kept = [
        bbc.results.OutOfSamplePredictions(y=y, **{kind: each[None]}, **design) for each in tables
    ]
    return Iterations("n_estimators", tuple(kept), tuple(survivors))


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("design", ["rows", "weights", "groups", "weighted groups"])
@pytest.mark.parametrize("metric", ["accuracy", "mean_squared_error"])
def test_replicates_are_the_oracles(metric, design):
    subtracted = 0
    for seed in range(6):
        y, tables, survivors = made(metric, seed)
        rng = np.random.default_rng(seed + 100)
        given = {}
        if "weight" in design:
            given["weights"] = rng.integers(1, 9, N_ROWS) / 4
        units = np.arange(N_ROWS)
        if "groups" in design:
            given["groups"] = units = np.arange(N_ROWS) // 3
        drawn = rng.integers(0, units.max() + 1, (N_BOOTSTRAPS, units.max() + 1))
        counts = np.stack([np.bincount(each, minlength=units.max() + 1)[units] for each in drawn])
        sign = 1 if metric == "accuracy" else -1
        scores = [row_scores(metric, y, table) for table in tables]
        expected, winners = replicates(scores, survivors, counts, sign, **given)
        own = {"sample_weight" if key == "weights" else key: given[key] for key in given}
        options = {"resamples": drawn, "confidence_level": 0.8}
        kept = iterations(y, tables, survivors, **own)
        e = correct_iterations(kept, metric, dict(options))
        assert e.replicate_winners.tolist() == winners
        low, high = (0, 1) if metric == "accuracy" else (0, np.inf)
        np.testing.assert_allclose(e.replicates, np.clip(expected, low, high), rtol=1e-11)
        assert e.estimate == pytest.approx(np.clip(expected, low, high).mean(), rel=1e-12)
        plain = bbc.correct(y, kept.predictions[-1], metric=metric, **options)
        assert (e.winner, e.apparent) == (plain.winner, plain.apparent)
        gain = sign * (plain.estimate - e.estimate)
        assert gain > -1e-12  # never above the plain correction
        subtracted += gain > 1e-3
    assert subtracted > 2


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_curves_that_cross_raise_nothing():
    """Where the final pick was the worst before, the difference is no luck."""
    rng = np.random.default_rng(0)
    y = np.ones(N_ROWS, int)
    early = (rng.random((N_ROWS, 3)) < [0.9, 0.6, 0.6]).astype(int)
    late = early.copy()
    late[:, 1] = 1
    kept = iterations(y, [early, late], [np.arange(3)])
    options = {"labels": [0, 1], "random_state": 1, "n_bootstraps": 100}
    e = correct_iterations(kept, "accuracy", dict(options))
    assert e.winner == 1
    assert e.estimate == 1
    assert e.notes[-1] == (
        "2 iterations by n_estimators, from whose survivors 0 of luck was taken; that of 1 is not "
        "known, because later picks were worse there"
    )


@pytest.fixture(scope="module")
def boosted():
    X, y = load_breast_cancer(return_X_y=True)
    grid = {"learning_rate": [0.01, 0.1, 0.5, 1], "max_depth": [1, 2, 3]}
    search = HalvingGridSearchCV(
        GradientBoostingClassifier(random_state=0), grid, cv=4, random_state=0,
        resource="n_estimators", max_resources=18,
    )  # fmt: skip
    return bbc.keep_predictions(search).fit(X[:160, :5], y[:160]), y[:160]


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_a_search_by_trees_keeps_every_iteration(boosted):
    kept, y = boosted
    found = kept._iterations
    n_evaluated = np.bincount(kept.cv_results_["iter"])
    assert [each.n_configurations for each in found.predictions] == n_evaluated.tolist()
    results = kept.cv_results_
    # The scores of the kept predictions are those that scikit-learn saw.
    for number, each in enumerate(found.predictions):
        own = np.flatnonzero(results["iter"] == number)
        right = each.labels[0] == y[:, None]
        for fold in range(4):
            scores = right[each.folds[0] == fold].mean(axis=0)
            assert scores == pytest.approx(results[f"split{fold}_test_score"][own])
    for before, after, places in zip(
        found.predictions, found.predictions[1:], found.survivors, strict=False
    ):
        for name, place in zip(after.names, places, strict=True):
            assert without_trees(name) == without_trees(before.names[place])
    e = bbc.correct(kept, random_state=1, n_bootstraps=200)
    n = kept.n_iterations_
    assert e.notes[-1].startswith(f"{n} iterations by n_estimators, from whose survivors ")
    assert "BBC007" not in {each.code for each in e.findings}
    plain = bbc.correct(y, kept.oos_predictions_, metric="accuracy", random_state=1)
    assert "BBC007" in {each.code for each in plain.findings}
    assert e.estimate <= plain.estimate
    again = bbc.correct(kept, random_state=1, n_bootstraps=200, n_threads=2)
    assert again.replicates.tobytes() == e.replicates.tobytes()
    assert bbc.PerformanceEstimate.from_json(e.to_json()) == e
    other = bbc.correct(kept, metric="log_loss", reselect=True, random_state=1, n_bootstraps=100)
    assert other.estimate > 0
    assert other.deployed.index == e.deployed.index


def without_trees(name):
    return [part for part in name.split(", ") if "n_estimators" not in part]


def test_words(boosted, tmp_path):
    page = bbc.report(bbc.correct(boosted[0], random_state=1), tmp_path / "page.html").read_text()
    assert "the search dropped configurations on the way" in page
    assert "owed to luck" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "roc_auc", "reselect": True}, 'metric="roc_auc" is no mean over rows'),
        ({"metric": "f1", "reselect": True}, 'metric="f1" is no mean over rows'),
        ({"metric": ["accuracy"]}, "metric must be one, which selects"),
        ({"secondary": ["log_loss"]}, "secondary is not for iterations of n_estimators"),
        ({"method": "bbc-two-level"}, "method is not for iterations of n_estimators"),
        ({"missing": "rungs"}, "missing is not for iterations"),
        ({"pooling": "fold"}, "pooling is not for iterations"),
        ({"selection": bbc.top_k(2)}, "selection is not for iterations"),
        ({"block_length": 3}, "block_length is not for iterations"),
        ({"no_such": 3}, "takes no argument 'no_such'"),
    ],
)
def test_refusals(boosted, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.correct(boosted[0], **options)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_repeats_and_random_candidates_of_regressors():
    X, y = load_diabetes(return_X_y=True)
    search = HalvingRandomSearchCV(
        RandomForestRegressor(random_state=0), {"max_depth": range(1, 9)}, factor=2, random_state=0,
        resource="n_estimators", max_resources=8,
        cv=RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    )  # fmt: skip
    kept = bbc.keep_predictions(search).fit(X[:80], y[:80])
    with pytest.raises(ValueError, match=r'metric="r2" is no mean over rows.*mean_squared_error'):
        bbc.correct(kept)
    e = bbc.correct(
        kept, metric="mean_squared_error", reselect=True, random_state=1, n_bootstraps=100
    )
    plain = bbc.correct(
        y[:80], kept.oos_predictions_, metric="mean_squared_error", random_state=1,
        n_bootstraps=100,
    )  # fmt: skip
    assert e.n_repeats == 2
    assert e.estimate >= plain.estimate


class Failing(ClassifierMixin, BaseEstimator):
    """Says 0 or 1 by a number; one number fails, and no fit knows how many epochs it had."""

    def __init__(self, number=0, epochs=1):
        self.number, self.epochs = number, epochs

    def fit(self, X, y):
        if self.number == 2:
            raise RuntimeError("this one fails")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(np.asarray(X)[:, 0].astype(int) * (self.number + 1) // 3) % 2]


@pytest.mark.filterwarnings("ignore:.*fits failed", "ignore:One or more", "ignore::RuntimeWarning")
def test_configurations_that_fail_early_are_no_survivors():
    X, y = np.arange(60)[:, None], np.arange(60) % 2
    grid = {"number": [0, 1, 2, 3, 4, 5]}
    options = {"resource": "epochs", "max_resources": 9, "random_state": 0, "factor": 3}
    kept = bbc.keep_predictions(HalvingGridSearchCV(Failing(), grid, cv=3, **options)).fit(X, y)
    assert [each.n_configurations for each in kept._iterations.predictions] == [5, 2]
    assert bbc.correct(kept, random_state=1, n_bootstraps=100).n_configurations == 2


def test_rows_that_no_fold_tests():
    X, y = np.arange(60)[:, None], np.arange(60) % 2
    search = HalvingGridSearchCV(
        Failing(), {"number": [0, 1, 3, 4]}, cv=ShuffleSplit(3, random_state=0), random_state=0,
        resource="epochs", max_resources=9,
    )  # fmt: skip
    kept = bbc.keep_predictions(search).fit(X, y)
    with pytest.raises(ValueError, match="iterations of epochs need folds that test every row"):
        bbc.correct(kept)
