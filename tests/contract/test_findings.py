"""Every finding speaks where it should, and only there."""

import dataclasses
import json
import re

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import BBCWarning
from bbc.findings import FINDINGS, finding
from instrumented import Witness, numbered_data
from kinds import of_folds

SIMULATED = bbc.simulate.accuracy(200, 20, true_performance=[0.95] + [0.6] * 19, random_state=1)


def codes(estimate):
    return [one.code for one in estimate.findings]


def estimate(**changes):
    facts = {
        "estimate": 0.8,
        "metric": "accuracy",
        "method": "bbc",
        "greater_is_better": True,
        "n_rows": 100,
        "n_configurations": 3,
    }
    facts |= changes
    if facts["metric"] in bbc.metrics.names():
        facts["metric_range"] = bbc.metrics.get(facts["metric"]).range
    return bbc.PerformanceEstimate(**facts)


def test_a_sound_result_has_no_findings():
    e = bbc.correct(SIMULATED.y, SIMULATED.predictions, metric="accuracy", random_state=1)
    assert codes(e) == []


def test_codes_are_numbered_and_worded():
    assert list(FINDINGS) == sorted(FINDINGS)
    assert all(re.fullmatch(r"BBC\d{3}", code) for code in FINDINGS)
    for code, kind in FINDINGS.items():
        found = finding(code, "a detail; with semicolons: and colons")
        assert (found.code, found.kind) == (code, kind)
        assert str(found) == f"{code} {kind.title}: {found.detail}; {kind.advice}"
        assert kind.why.endswith(".")
        assert not kind.advice.endswith(".")


def test_apparent_scores_of_many_configurations():
    assert codes(estimate(method="cvt")) == ["BBC001"]
    assert codes(estimate(method="cvt", n_configurations=1)) == []


@pytest.mark.parametrize(
    ("n_rows", "n_positive", "groups", "found"),
    [
        (12, 6, None, True),
        (60, 5, None, True),
        (60, 30, None, False),
        (60, 30, np.arange(60) // 4, True),
    ],
)
def test_few_rows(n_rows, n_positive, groups, found):
    y = (np.arange(n_rows) < n_positive).astype(int)
    y = y[np.random.default_rng(0).permutation(n_rows)]
    scores = np.random.default_rng(1).random((n_rows, 2)) + 2 * y[:, None]
    options = {"metric": "roc_auc", "groups": groups, "random_state": 1}
    assert ("BBC002" in codes(bbc.correct(y, scores, **options))) == found


def test_unstable_winner():
    unstable = estimate(replicates=[0.8] * 4, replicate_winners=[0, 1, 2, 2], winner=2)
    assert codes(unstable) == []
    unstable = estimate(replicates=[0.8] * 4, replicate_winners=[0, 1, 1, 2], winner=2)
    assert codes(unstable) == ["BBC003"]
    assert "chosen in 25 % of the replicates" in unstable.summary()


def test_tt_outside_its_range():
    assert codes(estimate(method="tt", estimate=-0.1)) == ["BBC004"]
    assert codes(estimate(method="tt", estimate=0.1)) == []


@pytest.mark.parametrize("metric", ["ordinal_mean_absolute_error", "brier_score"])
def test_losses_whose_range_grows_with_the_classes(metric):
    """A result does not tell how many classes there are: 1.5 may be right, below 0 nothing is."""
    assert codes(estimate(method="tt", metric=metric, estimate=1.5)) == []
    assert codes(estimate(method="tt", metric=metric, estimate=-0.1)) == ["BBC004"]
    for low, high, found in ((0.4, 1.3, []), (0.4, 0.4, ["BBC008"])):
        interval = bbc.ConfidenceInterval(low, high)
        assert codes(estimate(metric=metric, confidence_interval=interval)) == found


def test_a_metric_with_parameters_has_the_findings_of_the_plain_one():
    """Its range is that of f1, whatever it is called."""
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 15)
    predictions = np.where(rng.random((30, 4)) < 0.4, 1 - y[:, None], y[:, None])
    for metric in ("f1", bbc.metrics.get("f_beta", beta=2.0)):
        e = bbc.correct(y, predictions, metric=metric, n_bootstraps=40, random_state=0)
        assert e.metric_range == (0.0, 1.0)
        wide = dataclasses.replace(e.record, confidence_interval=bbc.ConfidenceInterval(0.1, 0.9))
        assert "BBC008" in codes(wide)
        restored = bbc.PerformanceEstimate.from_json(wide.to_json())
        assert restored.findings == wide.findings


def test_findings_among_the_notes_of_earlier_versions_are_read():
    e = estimate()
    text = str(finding("BBC006", "30 draws: many; too many"))
    document = json.loads(e.to_json()) | {"schema": 1, "notes": [text, "a remark"]}
    del document["data_findings"], document["metric_range"]
    read = bbc.PerformanceEstimate.from_json(json.dumps(document))
    assert read.findings == (finding("BBC006", "30 draws: many; too many"),)
    assert read.notes == ("a remark",)
    assert read.metric_range == (0.0, 1.0)


@pytest.mark.parametrize(
    "given",
    [
        "BBC006",
        [["BBC006", "x"]],
        [{"code": "BBC006"}],
        [{"code": "BBC999", "detail": "x"}],
        [{"code": "BBC006", "detail": 1}],
    ],
)
def test_what_is_no_finding_is_refused(given):
    document = json.loads(estimate().to_json()) | {"data_findings": given}
    with pytest.raises(ValueError, match="data_findings"):
        bbc.PerformanceEstimate.from_json(json.dumps(document))


def test_many_redraws():
    y = (np.arange(30) == 3) | (np.arange(30) == 5)
    scores = np.random.default_rng(1).random((30, 3))
    with pytest.warns(BBCWarning, match="BBC006 many redraws"):
        e = bbc.correct(y.astype(int), scores, metric="roc_auc", random_state=1)
    assert "BBC006" in codes(e)
    assert "BBC006" in e._repr_html_()
    assert bbc.PerformanceEstimate.from_json(e.to_json()).findings == e.findings


@pytest.mark.parametrize(
    ("metric", "low", "high", "found"),
    [
        ("accuracy", 0.3, 0.8, True),
        ("accuracy", 0.6, 0.9, False),
        ("mcc", -0.5, 0.4, False),
        ("accuracy", 0.9, 0.9, True),
        ("mean_squared_error", 1.0, 9.0, False),
        ("my_function", 0.1, 0.9, False),
    ],
)
def test_uninformative_intervals(metric, low, high, found):
    interval = bbc.ConfidenceInterval(low, high)
    e = estimate(metric=metric, confidence_interval=interval)
    assert codes(e) == (["BBC008"] if found else [])


@pytest.mark.parametrize(
    ("metric", "greater", "value", "perfect"),
    [("accuracy", True, 1.0, True), ("brier_score", False, 0.0, True), ("mcc", True, 0.0, False)],
)
def test_perfect_scores_are_suspected_of_leakage(metric, greater, value, perfect):
    interval = bbc.ConfidenceInterval(value, value)
    e = estimate(metric=metric, greater_is_better=greater, confidence_interval=interval)
    (found,) = e.findings
    assert ("at the best possible score; check for leakage" in str(found)) == perfect


def test_groups_that_the_folds_tore_apart():
    y, predictions = SIMULATED.y, SIMULATED.predictions
    groups = np.arange(len(y)) // 4
    torn, whole = np.arange(len(y)) % 5, groups % 5
    options = {"metric": "accuracy", "groups": groups, "random_state": 1}
    with pytest.warns(BBCWarning, match="BBC010 groups split between folds: rows of 50 of 50"):
        e = bbc.correct(y, predictions, folds=torn, **options)
    assert codes(e) == ["BBC010"]
    assert codes(bbc.correct(y, predictions, folds=whole, **options)) == []
    held = bbc.results.OutOfSamplePredictions(
        y, labels=predictions[None], folds=torn[None], groups=groups
    )
    with pytest.warns(BBCWarning, match="BBC010"):
        assert "BBC010" in codes(bbc.correct(y, held, metric="accuracy", method="tt"))


def test_dropping_that_begins_early():
    X, y = numbered_data(120)
    grid = {"shift": [0.0, 0.2, 4.0, 6.0]}
    options = {"cv": 6, "n_bootstraps": 200, "random_state": 3}
    with pytest.warns(BBCWarning, match="BBC009 dropping began too early: after 40 predictions"):
        early = bbc.BBCD(Witness(), grid, min_predictions=1, **options).fit(X, y)
    assert "BBC009" in codes(early.performance_)
    assert "BBC009" not in codes(bbc.BBCD(Witness(), grid, **options).fit(X, y).performance_)


def test_uneven_importance_weights():
    assert codes(estimate(method="bt", effective_sample_size=99.9)) == ["BBC012"]
    assert codes(estimate(method="bt", effective_sample_size=100.0)) == []
    rng = np.random.default_rng(1)
    y, folds = np.arange(200) % 2, np.arange(200) // 2 % 5
    scores = y[:, None] + rng.normal(size=(200, 30))
    uneven = bbc.baselines.bound(y, scores, folds, method="mabt", random_state=1)
    assert codes(uneven) == ["BBC012"]
    assert f"an effective sample size of {uneven.effective_sample_size:.3g}" in str(uneven.findings)
    wide = 0.1 * y + rng.normal(size=200)
    one = bbc.baselines.intervals.tilting(y, wide, confidence_level=0.8, random_state=1)
    assert one.effective_sample_size > 100
    assert codes(one) == []
    assert codes(bbc.baselines.bound(y, scores, folds, method="bbc", random_state=1)) == []


@pytest.mark.parametrize(
    ("metric", "n_positive", "found"),
    [
        ("average_precision", 9, ["BBC014"]),
        ("average_precision", 10, []),
        ("average_precision", 95, ["BBC002"]),
        ("f1", 9, ["BBC014"]),
        ("f1", 95, []),
        ("f1_macro", 95, ["BBC014"]),
        ("mcc", 95, ["BBC014"]),
        ("balanced_accuracy", 9, ["BBC014"]),
        ("balanced_accuracy", 10, []),
        ("roc_auc", 9, ["BBC002"]),
        ("accuracy", 9, []),
    ],
)
def test_few_rows_of_a_class(metric, n_positive, found):
    y = (np.arange(100) < n_positive).astype(int)
    scores = np.random.default_rng(1).normal(size=(100, 3)) + 2 * y[:, None]
    ranks = metric in ("average_precision", "roc_auc")
    e = bbc.correct(y, scores if ranks else (scores > 1).astype(int), metric=metric, random_state=1)
    assert [code for code in codes(e) if code in ("BBC002", "BBC014")] == found


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("n_folds", [2, 3, 4, 5])
def test_few_folds_to_draw_from(n_folds):
    y, predictions = SIMULATED.y, SIMULATED.predictions
    folds = np.arange(200) % n_folds
    options = {"metric": "accuracy", "method": "bbc-f", "random_state": 1}
    by_function = bbc.one_standard_error([0] * 20), lambda scores, counts: int(scores.argmax())
    X = np.random.default_rng(1).normal(size=(200, 2))
    tree = DecisionTreeClassifier(max_depth=2, random_state=1)
    search = GridSearchCV(tree, {"max_depth": [1, 2]}, cv=n_folds).fit(X, y)
    protocol = of_folds(tree, {"max_depth": [1, 2]}, cv=n_folds, random_state=1).fit(X, y)
    several = options | {"secondary": ["zero_one_loss"]}
    for e in (
        bbc.correct(y, predictions, folds=folds, **options),
        *(bbc.correct(y, predictions, folds=folds, selection=s, **options) for s in by_function),
        bbc.correct(y, predictions, folds=folds, **several).secondary["zero_one_loss"],
        bbc.correct(y, predictions, folds=folds, alternative="less", **options),
        bbc.correct(search, random_state=1),
        protocol.performance_,
    ):
        assert ("BBC015" in codes(e)) == (n_folds < 5)
        assert np.isfinite(e.estimate)
        assert len(e.replicates) == 5000
        assert e.infeasible is None
        assert e.confidence_interval.low <= e.estimate <= e.confidence_interval.high
    scores = predictions + np.random.default_rng(2).normal(size=predictions.shape)
    folds = np.arange(200) // 2 % n_folds
    bound = bbc.baselines.bound(np.arange(200) % 2, scores, folds, method="bbc-f", random_state=1)
    assert bound.feasible
    rows = bbc.correct(y, predictions, metric="accuracy", folds=folds, random_state=1)
    assert "BBC015" not in codes(rows)


def test_groups_and_weights_count_as_what_they_tell():
    """A thousand rows of nine groups are nine; rows without weight are none."""
    y = np.repeat(np.arange(40) < 9, 25).astype(int)
    scores = np.random.default_rng(1).normal(size=(1000, 1)) + y[:, None]
    groups = np.arange(1000) // 25
    few = {}
    for name, design in {
        "groups": {"groups": groups},
        "weights": {"sample_weight": np.where(y == 1, np.where(np.arange(1000) < 8, 1, 1e-9), 1)},
        "all": {},
    }.items():
        e = bbc.correct(y, scores, metric="roc_auc", random_state=1, n_bootstraps=50, **design)
        few[name] = [one.detail for one in e.findings if one.code == "BBC002"]
    assert few == {
        "groups": ["9 groups of class 1"],
        "weights": ["8 effective rows of class 1"],
        "all": [],
    }
    times = np.array(
        [(i < 7, float(i + 1)) for i in range(60)], dtype=[("event", bool), ("time", float)]
    )
    e = bbc.correct(times, -times["time"][:, None], metric="concordance_index", random_state=1)
    assert "7 rows with an event" in [one.detail for one in e.findings if one.code == "BBC002"]


def test_folds_without_a_score_are_told_with_their_share():
    rng = np.random.default_rng(3)
    y = (np.arange(60) < 7).astype(int)
    predictions = rng.random((60, 3)) + 0.3 * y[:, None]
    folds = rng.permutation(np.arange(60) % 6)
    options = {"folds": folds, "metric": "roc_auc", "n_bootstraps": 200, "random_state": 1}
    by_fold = bbc.correct(y, predictions, pooling="fold", **options)
    (found,) = (one for one in by_fold.findings if one.code == "BBC036")
    share = by_fold.undefined_fold_share
    assert share > 0
    assert found.detail == f"means leave out {100 * share:.3g} % of the replicates' folds"
    pooled = bbc.correct(y, predictions, pooling="pooled", **options)
    assert "BBC036" not in [one.code for one in pooled.findings]
