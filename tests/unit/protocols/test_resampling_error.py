from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc
from instrumented import Witness, numbered_data
from reference import intervals as intervals_oracle
from reference import resampling_error as oracle

RNG = np.random.default_rng(4)
X = RNG.normal(size=(36, 3))
LABELS = np.where(X[:, 0] + RNG.normal(size=36) > 0, "yes", "no")
VALUES = X @ [1.0, 2.0, 0.0] + RNG.normal(size=36)
RESAMPLES = RNG.integers(0, 36, size=(12, 36))


def zero_one(y, prediction):
    return (y != prediction).astype(float)


def squared(y, prediction):
    return (y - prediction) ** 2


def log_loss(y, prediction):
    return -np.log(np.where(y == "yes", prediction, 1 - prediction))


CASES = {
    "labels": (DecisionTreeClassifier(max_depth=3, random_state=0), LABELS, "zero_one_loss"),
    "values": (DecisionTreeRegressor(max_depth=3, random_state=0), VALUES, "mean_squared_error"),
    "probabilities": (LogisticRegression(), LABELS, "log_loss"),
}
LOSSES = {"labels": zero_one, "values": squared, "probabilities": log_loss}


def slow(learner, y, name):
    def fit_predict(train, test):
        model = clone(learner).fit(X[train], y[train])
        if name == "probabilities":
            return model.predict_proba(X[test])[:, 1]
        return model.predict(X[test])

    return fit_predict


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["oob", "632", "632+", "632-per-bag", "632+-per-bag"])
def test_the_bootstrap_estimators_are_the_oracles(name, method):
    learner, y, metric = CASES[name]
    ours = bbc.baselines.resampling_error(
        learner, X, y, method=method, metric=metric, resamples=RESAMPLES
    )
    fit_predict, loss = slow(learner, y, name), LOSSES[name]
    if method == "oob":
        expected = oracle.out_of_bag(fit_predict, y, loss, RESAMPLES)
    else:
        by_bag = method.endswith("per-bag")
        estimator = oracle.bootstrap_632 if by_bag else oracle.leave_one_out_bootstrap
        expected = estimator(fit_predict, y, loss, RESAMPLES, plus="+" in method)
    assert ours.estimate == pytest.approx(expected, rel=1e-12)
    if method in ("632", "632+"):
        assert (ours.replicates, ours.replicate_sd) == (None, None)
    else:
        assert len(ours.replicates) == len(RESAMPLES)


def test_a_row_that_is_in_every_sample_is_left_out():
    drawn = RESAMPLES.copy()
    drawn[:, 0] = 5
    learner, y, metric = CASES["values"]
    ours = bbc.baselines.resampling_error(
        learner, X, y, method="632+", metric=metric, resamples=drawn
    )
    fit_predict = slow(learner, y, "values")
    expected = oracle.leave_one_out_bootstrap(fit_predict, y, squared, drawn, plus=True)
    assert ours.estimate == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("signal", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("learner", ["nearest", "centroid"])
def test_632_plus_is_ipreds(signal, learner):
    """ipred does not cap the overfitting rate, so without signal it exceeds the ceiling of .5."""
    golden = Path(__file__).parents[2] / "golden" / "resampling"
    data, bags, values = (pd.read_csv(golden / f"{n}.csv") for n in ("data", "bags", "ipred"))
    data, bags, values = (each[each.signal == signal] for each in (data, bags, values))
    row = values[values.learner == learner].iloc[0]
    made = {"nearest": KNeighborsClassifier(1), "centroid": NearestCentroid()}[learner]
    ours = bbc.baselines.resampling_error(
        made, data[["a", "b"]].to_numpy(), data.y.to_numpy(), method="632+", metric="zero_one_loss",
        resamples=bags.drop(columns="signal").to_numpy(),
    )  # fmt: skip
    if signal == 0.0:
        assert row.bootstrap > 0.5
        assert ours.estimate == pytest.approx(0.5, rel=1e-12)
        assert row.plus > ours.estimate
    else:
        assert ours.estimate == pytest.approx(row.plus, rel=1e-12)


def test_the_defaults_suit_regressors_and_classifiers():
    values = bbc.baselines.resampling_error(Ridge(), X, VALUES, n_resamples=10, random_state=0)
    assert (values.metric, values.method) == ("r2", "oob")
    labels = bbc.baselines.resampling_error(
        LogisticRegression(), X, LABELS, n_resamples=10, random_state=0
    )
    assert (labels.metric, labels.method) == ("accuracy", "oob")
    with pytest.raises(ValueError, match="'r2' is not a mean over rows"):
        bbc.baselines.resampling_error(Ridge(), X, VALUES, method="632+")


@pytest.mark.parametrize("method", ["632", "632+", "632-per-bag", "632+-per-bag"])
def test_scores_mirror_losses(method):
    learner, y, _ = CASES["labels"]
    options = {"method": method, "resamples": RESAMPLES}
    score = bbc.baselines.resampling_error(learner, X, y, metric="accuracy", **options)
    loss = bbc.baselines.resampling_error(learner, X, y, metric="zero_one_loss", **options)
    assert score.estimate == pytest.approx(1 - loss.estimate, rel=1e-12)


def test_no_information_is_never_exceeded():
    # A memorising learner on noise: in-bag loss 0, so the weight reaches 1 at the rate itself.
    noise = RNG.integers(0, 2, 36)
    learner = KNeighborsClassifier(1)
    options = {"resamples": RESAMPLES, "metric": "zero_one_loss"}
    gamma = 2 * noise.mean() * (1 - noise.mean())
    for name in ("", "-per-bag"):
        plus = bbc.baselines.resampling_error(learner, X, noise, method=f"632+{name}", **options)
        plain = bbc.baselines.resampling_error(learner, X, noise, method=f"632{name}", **options)
        assert plain.estimate < plus.estimate <= 0.5 + 1e-12
    once = bbc.baselines.resampling_error(learner, X, noise, method="632+", **options)
    assert once.estimate == pytest.approx(gamma, rel=1e-12) or once.estimate < gamma


@pytest.mark.parametrize("name", CASES)
def test_cross_validation_is_scikit_learns(name):
    learner, y, metric = CASES[name]
    ours = bbc.baselines.resampling_error(learner, X, y, method="loo", metric=metric)
    expected = oracle.mean_held_out_loss(
        slow(learner, y, name), y, LOSSES[name], LeaveOneOut().split(X)
    )
    assert ours.estimate == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "n_fits", "n_values"),
    [
        ({"method": "holdout"}, 1, 1),
        ({"method": "cv", "n_folds": 4}, 4, 4),
        ({"method": "cv", "n_folds": 4, "n_repeats": 3}, 12, 12),
        ({"method": "loo"}, 60, 60),
        ({"method": "subsampling", "n_resamples": 7}, 7, 7),
        ({"method": "oob", "n_resamples": 7}, 7, 7),
        ({"method": "632+", "n_resamples": 7}, 8, 0),
        ({"method": "632+-per-bag", "n_resamples": 7}, 7, 7),
        ({"method": "bcv", "n_resamples": 3, "n_folds": 4}, 12, 3),
        ({"method": "bcv-distinct", "n_resamples": 3, "n_folds": 4}, 12, 3),
    ],
)
def test_models_and_leaks(options, n_fits, n_values):
    data, y = numbered_data()
    result, fits, leaks = Witness.count(
        lambda: bbc.baselines.resampling_error(Witness(), data, y, random_state=1, **options)
    )
    assert fits == n_fits
    # Only these look at rows that also train; the first because they must, the last knowingly.
    assert (leaks > 0) == (options["method"] in ("632+", "632+-per-bag", "bcv"))
    if n_values == 0:
        assert result.replicates is None
        return
    assert len(result.replicates) == n_values
    assert result.estimate == pytest.approx(result.replicates.mean())


def test_shares_of_the_rows():
    data, y = numbered_data()
    for method, options, n_train in [
        ("holdout", {}, 40),
        ("subsampling", {}, 54),
        ("subsampling", {"ratio": 0.8}, 48),
    ]:
        Witness.count(
            lambda m=method, o=options: bbc.baselines.resampling_error(
                Witness(), data, y, method=m, n_resamples=2, **o
            )
        )
        assert ("fit", n_train) in Witness.log


def test_bootstrap_cross_validation_is_the_oracles():
    from sklearn.model_selection import KFold

    from bbc._training._configurations import derived_seed

    learner, y, metric = CASES["labels"]
    labels = np.empty(RESAMPLES.shape, dtype=int)
    for number, drawn in enumerate(RESAMPLES):
        cv = KFold(5, shuffle=True, random_state=derived_seed(3, "bag", number))
        for k, (_, test) in enumerate(cv.split(drawn)):
            labels[number, test] = k
    for method in ("bcv", "bcv-distinct"):
        ours = bbc.baselines.resampling_error(
            learner,
            X,
            y,
            method=method,
            metric=metric,
            n_folds=5,
            resamples=RESAMPLES,
            random_state=3,
        )
        expected = oracle.bootstrap_cv(
            slow(learner, y, "labels"),
            y,
            zero_one,
            RESAMPLES,
            labels,
            no_duplicates=method != "bcv",
        )
        assert ours.estimate == pytest.approx(expected, rel=1e-12)


def test_the_direct_bootstrap_keeps_copies_together():
    data, y = numbered_data()
    tuner = bbc.CVT(Witness(), {"shift": [0.0, 0.5]}, cv=3)
    result, fits, leaks = Witness.count(
        lambda: bbc.baselines.resampling_error(
            tuner,
            data,
            y,
            method="direct",
            n_resamples=40,
            random_state=0,
            interval="percentile",
            confidence_level=0.9,
            metric="accuracy",
        )
    )
    assert fits == 40 * (2 * 3 + 1)
    assert leaks == 0
    low, high = result.confidence_interval
    assert low < result.estimate < high


@pytest.mark.parametrize(
    ("method", "interval"),
    [
        ("subsampling", "corrected-resampled-t"),
        ("subsampling", "conservative-z"),
        ("cv", "nested-cv"),
        ("cv", "wald"),
        ("holdout", "wald"),
        ("loo", "wald"),
    ],
)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_intervals(method, interval, alternative):
    ours = bbc.baselines.resampling_error(
        Ridge(),
        X,
        VALUES,
        method=method,
        interval=interval,
        metric="mean_squared_error",
        n_folds=5,
        n_resamples=10,
        ratio=0.8 if method == "subsampling" else None,
        random_state=2,
        alternative=alternative,
    )
    low, high = ours.confidence_interval
    assert 0 <= low < ours.estimate
    assert high > ours.estimate
    assert (high == np.inf) == (alternative == "greater")


@pytest.mark.parametrize(("n_classes", "highest"), [(2, 1.0), (3, 2.0)])
def test_the_range_of_a_loss_that_depends_on_the_classes(n_classes, highest):
    tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    rng = np.random.default_rng(1)
    noise, y = rng.normal(size=(60, 3)), np.arange(60) % n_classes
    options = {"method": "cv", "metric": "brier_score", "n_folds": 5, "random_state": 1}
    for alternative in ("two-sided", "greater"):
        e = bbc.baselines.resampling_error(
            tree, noise, y, interval="wald", alternative=alternative, **options
        )
        assert e.confidence_interval.low < e.estimate < e.confidence_interval.high <= highest
    assert e.confidence_interval.high == highest


def test_the_range_of_a_regressor_of_classes_is_that_of_any_number_of_them():
    highest, y = DummyRegressor(strategy="constant", constant=4.0), np.arange(300) % 5
    options = {"metric": "ordinal_mean_absolute_error", "n_resamples": 10, "random_state": 1}
    e = bbc.baselines.resampling_error(
        highest, y[:, None], y, method="subsampling", interval="corrected-resampled-t", **options
    )
    assert e.confidence_interval.low < e.estimate < e.confidence_interval.high
    assert e.estimate == pytest.approx(2.0, abs=0.3)


def test_repeats_are_no_further_rows():
    options = {"metric": "mean_squared_error", "method": "cv", "interval": "wald", "n_folds": 5}
    once, often = (
        bbc.baselines.resampling_error(Ridge(), X, VALUES, n_repeats=n, random_state=2, **options)
        for n in (1, 16)
    )
    widths = [np.diff(tuple(e.confidence_interval)).item() for e in (once, often)]
    assert widths[1] == pytest.approx(widths[0], rel=0.3)
    assert often.estimate == pytest.approx(often.replicates.mean(), rel=0.02)


def test_a_warning_of_the_interval_is_kept():
    always = {"X": np.zeros((20, 1)), "y": np.full(20, 0.1)}
    options = {"metric": "mean_absolute_error", "method": "cv", "n_folds": 4, "random_state": 1}
    with pytest.warns(bbc.errors.BBCWarning, match="carry no information"):
        e = bbc.baselines.resampling_error(Ridge(), **always, interval="wald", **options)
    assert "carry no information" in e.notes[0]


class Noted(Witness):
    """Notes the rows that each fit trains and tests on, and its share of hits."""

    tests: ClassVar[list] = []

    def predict(self, X):
        rows, labels = X[:, 0].astype(int), super().predict(X)
        hits = np.mean(labels == numbered_data()[1][rows])
        Noted.tests.append((frozenset(self.rows_), frozenset(rows), hits))
        return labels


def test_the_conservative_interval_repeats_all_iterations_in_each_half():
    data, y = numbered_data()
    options = {"ratio": 0.8, "n_resamples": 5, "n_halvings": 4, "random_state": 3}
    Noted.tests.clear()
    ours = bbc.baselines.resampling_error(
        Noted(), data, y, metric="accuracy", method="subsampling", interval="conservative-z",
        **options,
    )  # fmt: skip
    assert len(Noted.tests) == 5 * (1 + 2 * 4)  # models, as the documentation counts them
    halves = {}
    for train, test, hits in Noted.tests:
        half = train | test
        if len(half) == 60:
            continue
        assert (len(half), len(train), len(test)) == (30, 18, 12)  # n / 2, less the test rows
        halves.setdefault(half, {})[test] = hits
    assert [len(iterations) for iterations in halves.values()] == [5] * 8
    everything = frozenset(range(60))
    pairs = {frozenset({half, everything - half}) for half in halves}
    assert len(pairs) == 4
    scores = [[list(halves[half].values()) for half in pair] for pair in pairs]
    expected = intervals_oracle.conservative_z(ours.estimate, *zip(*scores, strict=True))
    assert tuple(ours.confidence_interval) == pytest.approx(np.clip(expected, 0, 1))


def test_the_nested_interval_equals_a_loop_without_sharing():
    from sklearn.model_selection import KFold

    from bbc._training._configurations import derived_seed

    ours = bbc.baselines.resampling_error(
        Ridge(),
        X,
        VALUES,
        method="cv",
        interval="nested-cv",
        n_folds=4,
        n_repeats=2,
        metric="mean_squared_error",
        random_state=2,
    )

    def losses(out, test, tests):
        train = np.setdiff1d(np.arange(36), np.concatenate([tests[j] for j in out]))
        model = Ridge().fit(X[train], VALUES[train])
        return (model.predict(X[test]) - VALUES[test]) ** 2

    outer, inner, plain = [], [], []
    for repeat in range(2):
        cv = KFold(4, shuffle=True, random_state=derived_seed(2, "cv", repeat))
        tests = [test for _, test in cv.split(X)]
        for k in range(4):
            outer.append(losses([k], tests[k], tests))
            plain.append(outer[-1].mean())
            others = [j for j in range(4) if j != k]
            inner.append(np.concatenate([losses([k, j], tests[j], tests) for j in others]))
    expected = bbc.baselines.intervals.nested_cv(
        outer,
        inner,
        n_rows=36,
        n_folds=4,
        cv_loss=float(np.mean(plain)),
        metric="mean_squared_error",
    )
    assert ours.estimate == pytest.approx(expected.estimate, rel=1e-9)
    assert ours.confidence_interval.low == pytest.approx(expected.confidence_interval.low, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "jackknife"}, ValueError, "method must be 'holdout' or"),
        ({"method": "632", "metric": "balanced_accuracy"}, ValueError, "not a mean over rows"),
        ({"method": "cv", "interval": "percentile"}, ValueError, "it has 'nested-cv' or 'wald'"),
        ({"method": "oob", "interval": "wald"}, ValueError, "does not fit method='oob'"),
        ({"method": "cv", "resamples": RESAMPLES}, ValueError, "resamples has no meaning"),
        ({"method": "oob", "ratio": 0.5, "stratify": "bins"}, ValueError, 'belong to method="cv"'),
        ({"n_halvings": 0}, ValueError, "n_halvings must be"),
        ({"method": "loo", "ratio": 0.5}, ValueError, "ratio has no meaning"),
        ({"method": "holdout", "ratio": 0.001}, ValueError, "leaves no rows to train on"),
        ({"method": "cv", "stratify": "sort"}, ValueError, "stratify must be"),
        ({"method": "loo", "metric": "roc_auc"}, ValueError, "undefined on the rows of test set 0"),
        ({"metric": ["accuracy", "roc_auc"]}, TypeError, "a single metric"),
    ],
)
def test_what_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        bbc.baselines.resampling_error(LogisticRegression(), X, LABELS, **options)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_seed_decides(n_jobs):
    tree = DecisionTreeClassifier(splitter="random")
    one = bbc.baselines.resampling_error(tree, X, LABELS, n_resamples=6, random_state=5)
    other = bbc.baselines.resampling_error(
        tree, X, LABELS, n_resamples=6, random_state=5, n_jobs=n_jobs
    )
    assert one == other


def test_a_rare_class_is_in_every_bag():
    y = np.r_[np.zeros(33, int), np.ones(3, int)]
    result = bbc.baselines.resampling_error(
        KNeighborsClassifier(1), X, y, method="oob", n_resamples=50, random_state=0
    )
    assert np.isfinite(result.replicates).all()


def test_classifiers_have_stratified_folds_by_default():
    data, y = load_iris(return_X_y=True)
    ours = bbc.baselines.resampling_error(KNeighborsClassifier(), data, y, method="cv", n_folds=50)
    theirs = cross_val_score(KNeighborsClassifier(), data, y, cv=50)
    assert len(ours.replicates) == len(theirs)


@pytest.mark.parametrize("n_resamples", [1, 4])
def test_the_spread_is_that_of_a_sample(n_resamples):
    facts = {"method": "subsampling", "n_resamples": n_resamples, "random_state": 0}
    result = bbc.baselines.resampling_error(KNeighborsClassifier(1), X, LABELS, **facts)
    spread = np.std(result.replicates, ddof=1) if n_resamples > 1 else 0.0
    assert (len(result.replicates), result.replicate_sd) == (n_resamples, spread)
