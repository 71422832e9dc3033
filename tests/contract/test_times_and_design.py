"""What arrays do not show: the times of survival, and how predictions were made."""

import numpy as np
import pandas
import pytest

import bbc
from bbc.results import Design

AT = [0.5, 1.0, 1.5]
S = bbc.simulate.survival(120, 4, random_state=0)
SURVIVAL = np.exp(-np.exp(S.predictions)[:, :, None] * AT)
ONE = bbc.metrics.survival_brier_score(1.0)
ALL = bbc.metrics.integrated_brier_score(AT)
OPTIONS = {"n_bootstraps": 50, "random_state": 1}


def same(found, expected):
    """Assert that two corrections have the same bits."""
    np.testing.assert_array_equal(found.replicates, expected.replicates)
    np.testing.assert_array_equal(found.replicate_winners, expected.replicate_winners)
    assert (found.apparent, found.estimate) == (expected.apparent, expected.estimate)


def test_metrics_read_their_times_of_an_array():
    p = bbc.Predictions(S.y, SURVIVAL, times=AT)
    assert (p.times, p.n_configurations, p.values.shape) == (tuple(AT), 4, (1, 120, 4, 3))
    c = bbc.correct(p, metric=ONE, secondary={"all": ALL}, **OPTIONS)
    same(c, bbc.correct(S.y, SURVIVAL[:, :, 1], metric=ONE, **OPTIONS))
    same(bbc.correct(p, metric=ALL, **OPTIONS), bbc.correct(S.y, SURVIVAL, metric=ALL, **OPTIONS))
    assert c.secondary["all"] == c.score(ALL)
    beside = bbc.correct(S.y, SURVIVAL, times=AT, metric=ONE, **OPTIONS)
    assert beside == bbc.correct(p, metric=ONE, **OPTIONS)
    assert [each.time for each in beside.clinical(times=AT[:2]).calibrations] == AT[:2]
    with pytest.raises(ValueError, match=r"survival at 0\.5, 1, 1\.5.* reads it at 2, too"):
        bbc.correct(p, metric=bbc.metrics.survival_brier_score(2.0))


def test_one_time_needs_no_axis():
    expected = bbc.correct(S.y, SURVIVAL[:, :, 1], metric=ONE, **OPTIONS)
    frame = pandas.DataFrame(SURVIVAL[:, :, 1], columns=list("abcd"))
    for given in (SURVIVAL[:, :, 1], SURVIVAL[:, :, 1:2], frame):
        found = bbc.correct(S.y, given, times=[1.0], metric=ONE, **OPTIONS)
        same(found, expected)
    assert found.winner_name in "abcd"


def test_repeats_and_configurations_by_name():
    turned = SURVIVAL**1.1
    expected = bbc.correct(S.y, [SURVIVAL, turned], metric=ALL, **OPTIONS)
    for given in ([SURVIVAL, turned], np.stack([SURVIVAL, turned])):
        same(bbc.correct(S.y, given, times=AT, metric=ALL, **OPTIONS), expected)
    named = dict(zip("abcd", np.moveaxis(SURVIVAL, 1, 0), strict=True))
    expected = bbc.correct(S.y, SURVIVAL, metric=ALL, **OPTIONS)
    c = bbc.correct(S.y, named, times=AT, metric=ALL, **OPTIONS)
    same(c, expected)
    assert c.names == tuple("abcd")
    frames = {name: pandas.DataFrame(each, columns=AT) for name, each in named.items()}
    assert bbc.correct(S.y, frames, times=AT, metric=ALL, **OPTIONS) == c
    frames["b"] = frames["b"].set_axis([0.5, 1.0, 2.0], axis=1)
    with pytest.raises(ValueError, match=r"predictions\['b'\] has the columns .* times has"):
        bbc.correct(S.y, frames, times=AT, metric=ALL)
    two = {name: each[:, :2] for name, each in named.items()}  # they need not sum to one
    found = bbc.correct(S.y, two, times=AT[:2], metric=ONE, **OPTIONS)
    same(found, bbc.correct(S.y, SURVIVAL[:, :, 1], metric=ONE, **OPTIONS))


def test_arrays_are_copied_unless_they_are_to_be_taken():
    own, made = SURVIVAL.copy(), Design(splitter="KFold")
    p = bbc.Predictions(S.y, own, times=AT)
    before = bbc.correct(p, metric=ALL, **OPTIONS)
    own[:] = 0.5
    assert bbc.correct(p, metric=ALL, **OPTIONS) == before
    scores = np.random.default_rng(0).random((120, 4))
    for given, more in ((SURVIVAL, {"times": AT}), (scores, {"design": made})):
        taken = bbc.Predictions(S.y, given, copy=False, **more)
        assert np.shares_memory(taken.values, given)
        assert given.flags.writeable
        assert not np.shares_memory(bbc.Predictions(S.y, given, **more).values, given)


@pytest.mark.parametrize(
    ("given", "times", "match"),
    [
        (SURVIVAL, AT[:2], r"predictions must have the axes .* and 2 times, got shape"),
        (SURVIVAL[:, :, 0], AT, r"predictions must have the axes .* and 3 times"),
        (SURVIVAL[:50], AT, "predictions have 50 rows, the truth has 120"),
        (SURVIVAL, [1.0, 0.5, 2.0], "times must be above 0 and ascend"),
        (SURVIVAL, 1.0, "times must be several numbers"),
        ({"scores": S.predictions}, AT, "survival must be given with times"),
        ({"survival": SURVIVAL}, None, "times must be given with survival"),
        ({"survival": SURVIVAL, "times": AT}, None, r"'times' among .*an argument, times=\["),
        (bbc.Blocks([SURVIVAL]), AT, "times is not for a stream"),
    ],
)
def test_times_that_do_not_fit_are_refused(given, times, match):
    with pytest.raises((ValueError, TypeError), match=match):
        bbc.Predictions(S.y, given, times=times)


TWO = bbc.simulate.auc(80, 6, random_state=0)
LABELS = np.where(TWO.predictions > 0, 1, 0)
THREE = np.random.default_rng(0).dirichlet([1, 1, 1], (80, 6))
ARRAYS = [
    (TWO.y, TWO.predictions, "roc_auc"),
    (TWO.y, LABELS, "accuracy"),
    (TWO.y == 1, LABELS == 1, "accuracy"),
    (np.array(["no", "yes"])[TWO.y], np.array(["no", "yes"])[LABELS], "balanced_accuracy"),
    (np.arange(80) % 3, THREE, "log_loss"),
    (TWO.predictions[:, 0], TWO.predictions[:, 1:], "r2"),
    (S.y, SURVIVAL, ALL),
]


@pytest.mark.parametrize(("y", "predictions", "metric"), ARRAYS)
def test_a_design_changes_no_bit(y, predictions, metric):
    made = Design(splitter="KFold", stratified=True, n_failed=2)
    more = {"times": AT} if metric is ALL else {}
    folds = np.arange(len(y)) % 5
    plain = bbc.correct(y, predictions, metric=metric, folds=folds, **OPTIONS)
    c = bbc.correct(y, predictions, metric=metric, folds=folds, design=made, **more, **OPTIONS)
    same(c, plain)
    assert (c.design.splitter, c.design.stratified, c.design.n_failed) == ("KFold", True, 2)
    assert c.design.n_rows_scored == plain.design.n_rows_scored
    assert c.findings == plain.findings


def test_a_design_is_told_and_has_its_findings():
    made = Design(splitter="TimeSeriesSplit", time_ordered=True, dynamic_search=True)
    p = bbc.Predictions(TWO.y, TWO.predictions, design=made)
    assert p.design == made
    with pytest.warns(bbc.errors.BBCWarning, match="BBC018"):
        c = bbc.correct(p, metric="roc_auc", **OPTIONS)
    assert {"BBC007", "BBC018"} <= {each.kind.code for each in c.findings}
    assert (c.design.time_ordered, c.design.dynamic_search) == (True, True)
    not_so = Design(time_ordered=False)
    assert bbc.Predictions(TWO.y, TWO.predictions, design=not_so).design == not_so
    named = {"a": TWO.predictions[:, 0], "b": TWO.predictions[:, 1]}
    outputs = {"scores": TWO.predictions, "labels": LABELS}
    for given in (named, outputs, pandas.DataFrame(TWO.predictions)):
        assert bbc.Predictions(TWO.y, given, design=made).design == made
    with pytest.warns(bbc.errors.BBCWarning, match="BBC007"):
        e = bbc.correct(TWO.y, TWO.predictions, metric="roc_auc", design=c.design, **OPTIONS)
    assert (e.design, e.findings) == (c.design, c.findings)


def test_a_frame_is_read_as_without_a_design():
    frame = pandas.DataFrame(TWO.predictions[:, :2], columns=["tree", "fold"])
    with pytest.raises(ValueError, match="fold") as plain:
        bbc.correct(TWO.y, frame, metric="roc_auc")
    with pytest.raises(ValueError, match="fold"):
        bbc.correct(TWO.y, frame, metric="roc_auc", design=Design())
    assert "'fold'" in str(plain.value)
    shuffled = frame.set_axis(["tree", "line"], axis=1).sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match="predictions"):
        bbc.correct(pandas.Series(TWO.y), shuffled, metric="roc_auc", design=Design())
    p = np.column_stack([0.5 + TWO.y / 4, 0.5 - TWO.y / 4])
    both = pandas.DataFrame(p, columns=["no", "yes"])
    with pytest.raises(ValueError, match="sum to one"):
        bbc.correct(TWO.y, both, metric="roc_auc", design=Design())


@pytest.mark.parametrize("said", [{"times": AT}, {"design": Design()}])
def test_they_are_said_once(said):
    (name,) = said
    p = bbc.Predictions(S.y, SURVIVAL, times=AT)
    with pytest.raises(
        ValueError, match=f"{name} is of the predictions; give it to bbc.Predictions"
    ):
        bbc.correct(p, metric=ONE, **said)
    kept = bbc.results.OutOfSamplePredictions(TWO.y, scores=TWO.predictions[None])
    with pytest.raises(ValueError, match=f"{name} is known of the predictions"):
        bbc.correct(TWO.y, kept, metric="roc_auc", **said)
    scores = np.random.default_rng(0).random((5, 3))
    with pytest.raises((ValueError, TypeError), match=name):
        bbc.correct(bbc.FoldScores(scores, metric="accuracy"), **said)
    with pytest.raises(ValueError, match=f"{name} is not for a stream"):
        bbc.correct(TWO.y, bbc.Blocks([TWO.predictions]), metric="roc_auc", **said)


def test_what_a_table_has_not_said_is_given_where_it_was_read():
    table = {"truth": list("abab") * 5, "first": np.linspace(0, 1, 20)}
    read = bbc.Predictions.from_wide(table, truth="truth")
    with pytest.raises(
        ValueError, match=r'pos_label="b", given to bbc[.]Predictions, or to what read'
    ):
        bbc.correct(read, metric="roc_auc")
    read = bbc.Predictions.from_wide(table, truth="truth", pos_label="b")
    assert bbc.correct(read, metric="roc_auc", random_state=1).apparent == 0.55


def test_a_design_has_its_class():
    with pytest.raises(TypeError, match=r"design must be a bbc\.results\.Design, got dict"):
        bbc.Predictions(TWO.y, TWO.predictions, design={"splitter": "KFold"})
