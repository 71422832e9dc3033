"""The test of model luck: the kernel against the oracle, and how results carry it."""

import dataclasses
import json
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc.errors import BBCWarning
from bbc.results import ModelLuck, _correction
from data import make_predictions, make_truth
from reference.metrics import METRICS
from reference.model_luck import model_luck as oracle
from reference.model_luck import noise_of_largest, spread_out

N_ROWS, N_CONFIGURATIONS = 45, 7
PLANS = ("folds", "unequal", "weights", "groups", "groups of a class", "repeats", "unlike repeats")
# One of each way of computing, of scaling and of undefined folds.
OF_EVERY_PLAN = (
    "accuracy",
    "mcc",
    "roc_auc",
    "concordance_index",
    "squared_pearson",
    "root_mean_squared_error",
    "log_loss",
)
# The oracle's names where a parameter is part of them.
ORACLE = {
    "f_beta": "f1",
    "f_beta_macro": "f1_macro",
    "f_beta_micro": "f1_micro",
    "f_beta_weighted": "f1_weighted",
}


def folds_of(plan, rng):
    """Three folds or four; groups are three rows, or five of one class."""
    rows = np.arange(N_ROWS)
    if plan == "unequal":
        return rng.permutation(np.repeat(np.arange(4), (18, 12, 9, 6)))
    if plan == "groups":
        return rows // 3 % 3
    return rng.permutation(rows % 3)


def draw(metric, plan):
    """Truth, predictions and design; some of the fitted models are poor."""
    rng = np.random.default_rng([len(metric), *plan.encode()])
    y = make_truth(metric, rng, N_ROWS)
    design = {}
    if plan == "weights":
        design["sample_weight"] = rng.integers(1, 9, N_ROWS) / 8
    if plan == "groups":
        design["groups"] = np.arange(N_ROWS) // 3
    folds = np.stack([folds_of(plan, rng) for _ in range(2 if "repeats" in plan else 1)])
    if plan == "groups of a class":
        order = np.argsort(strata_of(y), kind="stable")
        design["groups"] = np.empty(N_ROWS, int)
        design["groups"][order] = np.arange(N_ROWS) // 3
        folds[0] = design["groups"] % 3
    repeats = []
    for own in folds:
        good = make_predictions(metric, y, rng, N_CONFIGURATIONS)
        poor = make_predictions(metric, y, rng, N_CONFIGURATIONS)[rng.permutation(N_ROWS)]
        lucky = (rng.random((4, N_CONFIGURATIONS)) < 0.85)[own]
        repeats.append(np.where(lucky[..., None] if good.ndim == 3 else lucky, good, poor))
    return y, repeats, {"folds": folds, **design}


def strata_of(y):
    return y["event"] if y.dtype.names else y


def ours(metric, y, repeats, design, **options):
    given = {"n_bootstraps": 40, "confidence_level": 0.5, "random_state": 3, **options}
    return bbc.correct(y, list(repeats), metric=metric, **design, **given)


def assert_agree(luck, theirs):
    assert luck.untestable == theirs.untestable
    if theirs.untestable:
        assert luck.p_value is None
        return
    assert (luck.p_value, luck.n_permutations) == (theirs.p_value, theirs.n_permutations)
    for name in ("luck_variance", "row_variance", "predicted_bias"):
        assert getattr(luck, name) == pytest.approx(getattr(theirs, name), rel=1e-12, abs=1e-13)


def by_class(metric, y):
    return bool(y.dtype.names) or bbc.metrics.get(metric).target in ("binary", "classes")


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize(
    ("metric", "plan"),
    [(metric, "folds") for metric in bbc.metrics.names() if ORACLE.get(metric, metric) in METRICS]
    + [(metric, plan) for metric in OF_EVERY_PLAN for plan in PLANS[1:]],
)
def test_the_oracle_agrees(metric, plan):
    y, repeats, design = draw(metric, plan)
    more = {}
    predictions = repeats
    if plan == "unlike repeats":
        mask = np.ones((2, N_ROWS, N_CONFIGURATIONS), bool)
        mask[0, ::11] = mask[1, 5::9] = False
        more["seen"] = mask[:, :, 0]
        kind = "labels" if bbc.metrics.get(metric).predicts == "labels" else "scores"
        predictions = bbc.results.OutOfSamplePredictions(
            y, **{kind: np.stack(repeats)}, mask=mask, folds=design["folds"]
        )
        e = bbc.correct(
            y, predictions, metric=metric, random_state=3, n_bootstraps=40, confidence_level=0.5
        )
    else:
        e = ours(metric, y, repeats, design)
    theirs = oracle(
        y,
        np.stack(repeats),
        METRICS[ORACLE.get(metric, metric)],
        by_class=by_class(metric, y),
        winners=e.replicate_winners,
        seed=3,
        n_repeats=len(repeats),
        **design,
        **more,
    )
    assert_agree(e.model_luck, theirs)


@pytest.mark.parametrize(("n_folds", "most"), [(8, 99), (12, 39)])
def test_many_folds_take_fewer_permutations(n_folds, most):
    y, predictions, folds = lucky(n_rows=96, n_folds=n_folds, luck=0.3)
    e = bbc.correct(y, predictions, metric="accuracy", folds=folds, random_state=1)
    theirs = oracle(
        y, predictions, "accuracy", winners=e.replicate_winners, folds=folds, seed=1, by_class=True
    )
    assert e.model_luck.n_permutations == most
    assert_agree(e.model_luck, theirs)


def test_many_configurations_are_represented_by_some():
    y, predictions, folds = lucky(n_rows=60, n_folds=3, luck=0.2, n_configurations=300)
    e = bbc.correct(y, predictions, metric="accuracy", folds=folds, random_state=1)
    theirs = oracle(
        y, predictions, "accuracy", winners=e.replicate_winners, folds=folds, seed=1, by_class=True
    )
    assert_agree(e.model_luck, theirs)
    chosen = np.array(spread_out(1600))
    runs = np.arange(129) * 1600 // 128
    assert np.all((runs[:-1] <= chosen) & (chosen < runs[1:]))
    for period in (2, 3, 4, 8, 10):
        assert np.bincount(chosen % period).min() > 0.6 * 128 / period


def test_the_bias_is_that_of_a_tuned_maximum():
    """The expected largest of two, three and ten standard normal numbers."""
    for n, expected in ((2, 0.5641896), (3, 0.8462844), (10, 1.5387527)):
        assert noise_of_largest(np.zeros(n), 1.0, 1.0) == pytest.approx(expected, abs=1e-6)
    assert noise_of_largest(np.zeros(2), 1.0, 5.0) == pytest.approx(1.5387527, abs=1e-6)


def lucky(*, n_rows=500, n_folds=5, luck=0.05, n_configurations=40, seed=0):
    """Models that are right with a probability of their own."""
    rng = np.random.default_rng(seed)
    folds = np.arange(n_rows) % n_folds
    y = rng.integers(0, 2, n_rows)
    skill = rng.normal(0.75, luck, size=(n_folds, n_configurations))
    right = rng.random((n_rows, n_configurations)) < skill[folds]
    return y, np.where(right, y[:, None], 1 - y[:, None]), folds


def codes(estimate):
    return [one.code for one in estimate.findings]


def test_luck_that_matters_is_found():
    y, predictions, folds = lucky()
    options = {"metric": "accuracy", "random_state": 1}
    with pytest.warns(BBCWarning, match="BBC011 fitted models differ: the estimate is predicted"):
        e = bbc.correct(y, predictions, folds=folds, **options)
    (found,) = [one for one in e.findings if one.code == "BBC011"]
    assert f"too good by {e.model_luck.predicted_bias:.2g} (p = 0.01)" in found.detail
    assert "bbc-two-level" in str(found)
    assert "BBC011" in e.summary()
    # Without folds, nobody knows which rows a model predicted; other methods draw models.
    assert bbc.correct(y, predictions, **options).model_luck is None
    for method in ("bbc-f", "bbc-two-level"):
        assert bbc.correct(y, predictions, folds=folds, method=method, **options).model_luck is None


@pytest.mark.parametrize(
    ("p_value", "bias", "interval", "found"),
    [
        (0.05, 0.0101, bbc.ConfidenceInterval(0.7, 0.9), True),
        (0.05, 0.0099, bbc.ConfidenceInterval(0.7, 0.9), False),
        (0.06, 0.1, bbc.ConfidenceInterval(0.7, 0.9), False),
        (0.005, 0.0101, bbc.ConfidenceInterval(0.7, 1.0, alternative="greater"), True),
        (0.005, 0.0099, bbc.ConfidenceInterval(0.7, 1.0, alternative="greater"), False),
        (0.005, 0.0101, bbc.ConfidenceInterval(0.0, 0.9, alternative="less"), True),
        (0.005, 0.0099, bbc.ConfidenceInterval(0.0, 0.9, alternative="less"), False),
    ],
)
def test_luck_counts_if_it_is_likely_and_large(p_value, bias, interval, found):
    """Beyond a tenth of the half-width .1."""
    luck = ModelLuck(p_value, bias, 0.01, 0.01, 99)
    assert bool(_correction.luck_findings(luck, 0.8, interval)) == found


def test_the_luck_of_configurations_that_cannot_win_makes_no_estimate_too_good():
    """A path: 20 models alike, and 20 whose losses are large and differ from fold to fold.

    With the luck of all, the prediction was .6 for an estimate of .9 to 1.
    """
    rng = np.random.default_rng(0)
    y, folds = rng.normal(size=100), np.arange(100) % 5
    good = y[:, None] + rng.normal(size=(100, 1)) + 0.02 * rng.normal(size=(100, 20))
    wild = y[:, None] + 3 + (3 * rng.normal(size=(5, 20)))[folds]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        e = bbc.correct(
            y,
            np.hstack([good, wild]),
            metric="mean_absolute_error",
            folds=folds,
            random_state=1,
        )
    assert e.model_luck.p_value == 0.01
    assert 0 <= e.model_luck.predicted_bias < 0.01
    assert e.selection_frequency[20:].max() == 0
    theirs = oracle(
        y,
        np.hstack([good, wild]),
        "mean_absolute_error",
        winners=e.replicate_winners,
        folds=folds,
        seed=1,
    )
    assert_agree(e.model_luck, theirs)
    everyone = oracle(y, np.hstack([good, wild]), "mean_absolute_error", folds=folds, seed=1)
    assert everyone.predicted_bias > 0.1


def test_a_winner_without_rivals_has_nothing_of_its_luck():
    y, predictions, folds = lucky(n_configurations=4)
    best = np.where(np.arange(500) % 50 == 0, 1 - y, y)
    e = bbc.correct(
        y,
        np.column_stack([predictions, best]),
        metric="accuracy",
        folds=folds,
        random_state=1,
        n_bootstraps=100,
    )
    assert set(e.replicate_winners.tolist()) == {4}
    assert e.model_luck.predicted_bias == 0 < e.model_luck.p_value <= 0.05


def test_losses_are_too_small():
    y, predictions, folds = lucky()
    with pytest.warns(BBCWarning, match="BBC011"):
        loss = bbc.correct(
            y, predictions, folds=folds, metric="zero_one_loss", random_state=1
        ).model_luck
    score = bbc.correct(y, predictions, folds=folds, metric="accuracy", random_state=1).model_luck
    for one, other in zip(
        dataclasses.astuple(loss)[:-1], dataclasses.astuple(score)[:-1], strict=True
    ):
        assert one == pytest.approx(other, rel=1e-12)


def test_a_single_hold_out_is_called_one():
    X, y = load_breast_cancer(return_X_y=True)
    search = bbc.BBC(
        KNeighborsClassifier(),
        {"n_neighbors": [1, 5]},
        cv=ShuffleSplit(1, test_size=0.4, random_state=0),
        n_repeats=2,
        random_state=1,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search.fit(X[:200], y[:200])
    assert search.performance_.model_luck == ModelLuck(untestable="a single hold-out")
    (found,) = [one for one in search.performance_.findings if one.code == "BBC011"]
    assert found.detail.startswith("one hold-out has one fitted model per configuration")


def test_protocols_test_the_metric_that_decides():
    X, y = load_breast_cancer(return_X_y=True)
    search = bbc.BBC(
        KNeighborsClassifier(),
        {"n_neighbors": [1, 5, 9]},
        scoring=["roc_auc", "brier_score"],
        refit="roc_auc",
        cv=4,
        random_state=1,
    ).fit(X[:120], y[:120])
    again = bbc.correct(
        y[:120], search.oos_predictions_, metric="roc_auc", random_state=1
    ).model_luck
    assert search.performance_.model_luck == again
    assert again.p_value is not None
    assert search.performance_.secondary["brier_score"].model_luck is None


def plain(**changes):
    y, predictions, folds = lucky(n_rows=24, n_folds=3, n_configurations=4)
    return {"source": y, "predictions": predictions, "folds": folds, "metric": "accuracy"} | changes


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"predictions": np.zeros((24, 1), int)}, "a single configuration"),
        ({"folds": np.arange(24)}, "a fold of a single row"),
        ({"groups": np.arange(24) % 3}, "a fold of a single group"),
        ({"groups": np.arange(24) // 4}, "a group with rows in several folds"),
        (
            {"metric": "roc_auc", "predictions": np.eye(24, 3), "folds": [0, 0] + [1] * 22}
            | {"source": np.arange(24) // 12},
            "a fold that leaves the metric undefined",
        ),
        (
            {"metric": lambda y, p: float(np.mean(y == p)), "n_bootstraps": 100},
            "a metric that is a Python function",
        ),
        (
            {"predictions": bbc.Blocks([np.zeros((24, 2), int)])},
            "predictions that come in blocks",
        ),
    ],
)
def test_what_cannot_be_tested_says_why(changes, why):
    e = bbc.correct(**plain(random_state=1, **changes))
    assert e.model_luck == ModelLuck(untestable=why)
    assert "BBC011" not in codes(e)


def test_permutations_that_hardly_ever_define_the_metric():
    """Ten folds of two groups, one of which has the only positive rows."""
    groups = np.arange(60) // 3
    y = ((np.arange(60) % 3 == 0) & (groups % 2 == 0)).astype(int)
    scores = np.random.default_rng(0).random((60, 3))
    design = {"groups": groups, "folds": groups // 2, "random_state": 1}
    e = bbc.correct(y, scores, metric="roc_auc", **design)
    assert e.model_luck == ModelLuck(untestable="permuted folds that leave the metric undefined")


def test_results_keep_it_in_json():
    y, predictions, folds = lucky()
    e = bbc.correct(y, predictions, metric="accuracy", folds=folds, random_state=1)
    again = bbc.PerformanceEstimate.from_json(e.to_json())
    assert again == e
    assert again.model_luck == e.model_luck
    assert isinstance(again.model_luck, ModelLuck)
    for damage in ({"p_value": "small"}, {"luck": 1}, [1]):
        document = json.loads(e.to_json()) | {"model_luck": damage}
        with pytest.raises(ValueError, match="not a complete PerformanceEstimate"):
            bbc.PerformanceEstimate.from_json(json.dumps(document))


def test_threads_change_nothing():
    y, predictions, folds = lucky(luck=0.01)
    options = {"metric": "accuracy", "folds": folds, "random_state": 1}
    one = bbc.correct(y, predictions, n_threads=1, **options)
    assert 0.05 < one.model_luck.p_value < 1
    for n_threads in (2, 5):
        assert bbc.correct(y, predictions, n_threads=n_threads, **options) == one
