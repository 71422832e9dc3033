"""Negative controls: analyses on permuted truths, where honest ones find nothing."""

from collections import Counter

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline

import bbc
from bbc.study._negative_control import _seeded, permutations
from kinds import of_folds
from reference.negative_control import p_value, value_of_other_rows

pytestmark = pytest.mark.filterwarnings("ignore:The groups parameter is ignored")

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 200)), RNG.integers(0, 2, size=60)
NEAREST = {"n_neighbors": [1, 3, 5]}


def search(learner, **options):
    options = {"scoring": "roc_auc", "refit": False, "n_bootstraps": 100} | options
    return bbc.BBC(learner, cv=5, **options)


def chosen_on_all_rows(X, y):
    return search(GaussianNB()).fit(SelectKBest(k=5).fit_transform(X, y), y)


def test_features_chosen_on_all_rows_are_seen():
    control = bbc.negative_control(chosen_on_all_rows, X, Y, random_state=1)
    assert control.suspect
    assert control.mean_excess > 0.2
    assert control.n_covering == 0
    assert control.summary().count("SUSPECT") == 1
    assert all(each.metric == "roc_auc" for each in control.estimates)


def test_features_chosen_within_folds_pass():
    honest = search(make_pipeline(SelectKBest(k=5), GaussianNB()))
    control = bbc.negative_control(honest, X, Y, random_state=2)
    assert not control.suspect
    assert abs(control.mean_excess) < 0.15
    assert "passed" in control.summary()
    assert not hasattr(honest, "performance_")


def test_a_choice_made_before_on_the_true_outcome_is_not_seen():
    """What the documentation says: X itself is never permuted."""
    chosen = SelectKBest(k=5).fit_transform(X, Y)
    real = search(GaussianNB(), random_state=1).fit(chosen, Y)
    control = bbc.negative_control(search(GaussianNB()), chosen, Y, random_state=1)
    assert real.performance_.estimate > 0.75
    assert not control.suspect


def test_an_uncorrected_score_is_suspect():
    rng = np.random.default_rng(5)
    grid = [
        {"selectkbest__k": [k], "gaussiannb__var_smoothing": [v]}
        for k in (1, 2, 5, 10, 20, 40)
        for v in (1e-9, 0.1, 1.0, 10.0)
    ]
    learner = make_pipeline(SelectKBest(), GaussianNB())
    options = {"cv": 5, "scoring": "balanced_accuracy", "refit": False}
    y = rng.permutation(np.arange(60) % 2)
    uncorrected = bbc.CVT(learner, grid, **options)
    apparent = bbc.negative_control(uncorrected, X, y, n_permutations=12, random_state=1)
    assert apparent.suspect
    assert apparent.chance == (0.5,) * 12


@pytest.fixture(scope="module")
def patients():
    """Four rows of each of 30 patients, who differ in nothing but themselves."""
    rng = np.random.default_rng(1)
    X = np.repeat(rng.normal(size=(30, 4)), 4, axis=0) + 0.01 * rng.normal(size=(120, 4))
    return X, np.repeat(rng.integers(0, 2, 30), 4), np.repeat(np.arange(30), 4)


def test_groups_in_several_folds_are_seen_if_groups_are_given(patients):
    X, y, groups = patients
    grid = GridSearchCV(KNeighborsClassifier(), NEAREST, cv=KFold(5, shuffle=True, random_state=0))
    seen = bbc.negative_control(grid, X, y, groups=groups, random_state=0)
    assert seen.suspect
    assert seen.mean_excess > 0.3
    unseen = bbc.negative_control(grid, X, y, random_state=0)
    assert unseen.mean_excess < 0.15


def test_groups_kept_together_pass(patients):
    X, y, groups = patients
    for kept in (
        GridSearchCV(KNeighborsClassifier(), NEAREST, cv=GroupKFold(5)),
        bbc.BBC(KNeighborsClassifier(), NEAREST, cv=5, n_bootstraps=100),
    ):
        control = bbc.negative_control(kept, X, y, groups=groups, random_state=0)
        assert not control.suspect


def test_the_verdict_is_the_oracles():
    control = bbc.negative_control(search(GaussianNB()), X[:, :4], Y, random_state=3)
    assert control.p_value == pytest.approx(p_value(control.excess.tolist()), rel=1e-9)
    assert control.suspect == (control.p_value < 0.05)
    assert control.mean_excess == pytest.approx(np.mean(control.excess), rel=1e-12)


@pytest.mark.parametrize("metric", ["accuracy", "brier_score", "r2", "mean_absolute_error"])
def test_chance_is_the_mean_over_all_pairings(metric):
    """One configuration of six rows, whose 720 orders the oracle counts."""
    from bbc.metrics import get
    from bbc.study._negative_control import _Run, _value_of_other_rows

    y = np.array([0, 1, 1, 0, 1, 1])
    prediction = np.array([0.1, 0.8, 0.4, 0.3, 0.9, 0.6])
    if metric == "accuracy":
        prediction = (prediction > 0.5).astype(int)
    estimate = bbc.PerformanceEstimate(0.5, metric, "bbc", True, n_rows=6, n_configurations=1)
    values = [
        _value_of_other_rows(
            _Run(estimate, get(metric), prediction[:, None]),
            get(metric),
            y,
            np.random.default_rng(s),
        )
        for s in range(40)
    ]
    expected = value_of_other_rows(metric, y, prediction)
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values) - expected) < 4 * error


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"groups": np.arange(60) % 20},
        {"folds": np.arange(60) % 5, "pooling": "fold"},
        {"folds": np.arange(60) % 5, "method": "bbc-two-level"},
        {"folds": np.arange(60) % 5, "method": "bbc-f"},
    ],
)
def test_chance_is_that_of_all_rows(options):
    """A squared correlation of n rows of noise is 1 / (n - 1), and so are estimates of n rows."""
    from bbc.metrics import get
    from bbc.study._negative_control import _Run, _value_of_other_rows

    metric, excess = get("squared_pearson"), []
    design = {name: options[name] for name in options.keys() & {"folds", "groups"}}
    if "folds" in design:
        design["folds"] = design["folds"][None]
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y, noise = rng.normal(size=60), rng.normal(size=(60, 5))
        settings = {"metric": metric, "n_bootstraps": 100, "random_state": seed}
        estimate = bbc.correct(y, noise, **settings, **options)
        kept = bbc.results.OutOfSamplePredictions(y, scores=noise[None], **design)
        chance = _value_of_other_rows(_Run(estimate, metric, kept), metric, y, rng)
        excess.append(estimate.estimate - chance)
    assert abs(np.mean(excess)) < 4 * np.std(excess, ddof=1) / np.sqrt(40)


def test_losses_below_chance_are_an_excess():
    y = RNG.normal(size=60)
    grid = GridSearchCV(
        KNeighborsRegressor(), NEAREST, cv=5, scoring="neg_mean_squared_error", refit=False
    )
    control = bbc.negative_control(grid, X[:, :3], y, metric="mean_squared_error", random_state=1)
    assert not control.estimates[0].greater_is_better
    below = [c - e.estimate for c, e in zip(control.chance, control.estimates, strict=True)]
    assert control.excess.tolist() == pytest.approx(below)
    same = bbc.negative_control(grid, X[:, :3], y, metric="mean_squared_error", random_state=1)
    assert same == control
    assert bbc.results.NegativeControl.from_json(control.to_json()) == control


def test_rows_are_permuted_and_none_is_lost():
    rng = np.random.default_rng(0)
    truth = np.arange(12)
    drawn = list(permutations(truth, None, 3, rng))
    assert all(sorted(each) == list(range(12)) for each in drawn)
    assert any((each != truth).any() for each in drawn)


def test_outcomes_of_a_group_stay_together():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(6), 3)[rng.permutation(18)]
    constant = np.array([0, 1, 0, 1, 1, 0])[groups]
    for each in permutations(constant, groups, 5, rng):
        assert all(len(set(each[groups == g])) == 1 for g in range(6))
        assert Counter(each.tolist()) == Counter(constant.tolist())
    varying = np.arange(18)
    for each in permutations(varying, groups, 5, rng):
        blocks = {tuple(each[groups == g]) for g in range(6)}
        assert blocks == {tuple(varying[groups == g]) for g in range(6)}


def test_survival_outcomes_are_permuted_in_pairs():
    truth = np.empty(20, dtype=[("event", bool), ("time", float)])
    truth["event"], truth["time"] = np.arange(20) % 2 == 0, np.arange(20)
    (drawn,) = permutations(truth, None, 1, np.random.default_rng(0))
    assert all((each["time"] % 2 == 0) == each["event"] for each in drawn)


def test_a_function_may_return_an_estimate():
    def analysis(X, y):
        return bbc.correct(y, X[:, :5], metric="roc_auc", n_bootstraps=100, random_state=0)

    control = bbc.negative_control(analysis, X, Y, n_permutations=3, random_state=0)
    assert len(control.estimates) == 3
    assert control.chance == (0.5,) * 3

    def of_accuracy(X, y):
        return bbc.correct(y, X[:, :5] > 0, metric="accuracy", n_bootstraps=100, random_state=0)

    with pytest.raises(ValueError, match="chance is not known for metric 'accuracy'"):
        bbc.negative_control(of_accuracy, X, Y)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_permutations": 1}, "n_permutations must be at least 2"),
        ({"confidence_level": 1.0}, "confidence_level must be between 0 and 1"),
        ({"search": GaussianNB}, "search must be a protocol, .* got GaussianNB"),
        ({"search": 3}, "search must be a protocol, .* got int"),
        ({"search": GaussianNB()}, "search must be a protocol, .* got GaussianNB"),
        ({"metric": "accuracy"}, "metric is for searches of scikit-learn only"),
        ({"search": lambda X, y: 0.5}, "search must return a PerformanceEstimate"),
        ({"groups": np.zeros(60)}, "groups has one group"),
        ({"groups": np.zeros(5)}, "groups has 5 rows"),
        ({"y": 3}, r"y must have shape \(n_rows,\)"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    given = {"search": search(GaussianNB()), "X": X[:, :3], "y": Y} | arguments
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.negative_control(given.pop("search"), given.pop("X"), given.pop("y"), **given)


def test_a_result_needs_two_runs():
    estimate = bbc.PerformanceEstimate(0.5, "roc_auc", "bbc", True, n_rows=6, n_configurations=1)
    with pytest.raises(ValueError, match="needs two estimates"):
        bbc.results.NegativeControl([estimate], [0.5])
    text = bbc.results.NegativeControl([estimate] * 2, [0.5] * 2).to_json()
    with pytest.raises(ValueError, match="not a complete NegativeControl"):
        bbc.results.NegativeControl.from_json(text.replace('"seed"', '"sed"'))
    same = bbc.results.NegativeControl([estimate] * 2, [0.5] * 2)
    assert (same.p_value, same.suspect) == (1.0, False)


@pytest.mark.parametrize("kind", [bbc.BBCD, of_folds, bbc.baselines.CVMCV, bbc.NCV, bbc.TT])
def test_other_protocols_have_a_control(kind):
    grid = {"var_smoothing": [1e-9, 0.1, 1.0]}
    protocol = kind(GaussianNB(), grid, cv=5, scoring="accuracy")
    control = bbc.negative_control(protocol, X[:, :4], Y, n_permutations=3, random_state=1)
    assert all(0.4 < chance < 0.65 for chance in control.chance)
    assert 0 <= control.n_covering <= 3
    assert bbc.results.NegativeControl.from_json(control.to_json()) == control


def test_several_metrics_are_judged_by_the_one_that_decides():
    scoring = ["accuracy", "roc_auc"]
    several = search(GaussianNB(), scoring=scoring, refit="roc_auc")
    control = bbc.negative_control(several, X[:, :4], Y, n_permutations=2, random_state=1)
    assert control.metric == "roc_auc"


def test_runs_use_no_store_and_train_no_final_model(tmp_path):
    stored = search(GaussianNB(), store=tmp_path / "run.bbc", refit=True)
    run = _seeded(stored, 7)
    assert (run.store, run.refit, run.random_state) == (None, False, 7)
    bbc.negative_control(stored, X[:, :4], Y, n_permutations=2, random_state=1)
    assert not (tmp_path / "run.bbc").exists()
    assert stored.store is not None
