"""Right and wrong calls in 1000 rows: against the oracle, the other questions, and their limits."""

import math

import numpy as np
import pytest
from scipy.stats import norm

import bbc
from bbc import _core
from reference import clinical as oracle
from reference import score_limits

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
N_ROWS, N_BOOTSTRAPS, AT = 80, 60, 0.3
ROWS = np.arange(N_ROWS)
RNG = np.random.default_rng(0)
LOGIT = RNG.normal(-0.8, 1.2, N_ROWS)
Y = (RNG.random(N_ROWS) < 1 / (1 + np.exp(-LOGIT))).astype(int)
# With ties, some of them at the cut-off.
RISKS = np.round(1 / (1 + np.exp(-LOGIT[:, None] - RNG.normal(0, 0.8, (N_ROWS, 6)))), 1)
OTHER_RISKS = np.roll(RISKS, 1, axis=1)
DRAWS = RNG.integers(0, N_ROWS, (N_BOOTSTRAPS, N_ROWS))
COUNTS = np.array([np.bincount(drawn, minlength=N_ROWS) for drawn in DRAWS])
WEIGHTS = {
    "none": np.ones(N_ROWS),
    "any": RNG.uniform(0.5, 3, N_ROWS),
    "some zero": ROWS % 3.0,
}
KIND = np.array(["high", "low", "mid"])[RNG.integers(0, 3, N_ROWS)]
OPTIONS = {"resamples": DRAWS, "confidence_level": 0.9}


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def check(answer, called, y=Y, weights=WEIGHTS["none"]):
    """Counts, of what ``called(configuration, replicate)`` says of each row (None: of all rows)."""
    c = answer.performance

    def counts(replicate, winner):
        rows = weights > 0 if replicate is None else (weights > 0) & (COUNTS[replicate] == 0)
        calls = called(winner, replicate)[rows]
        return oracle.per_1000(oracle.Rows(y[rows], 1.0 * calls, weights[rows]), 0.5)

    replicates = np.array([counts(b, winner) for b, winner in enumerate(c.replicate_winners)])
    whole = counts(None, c.winner)
    for each, own, apparent in zip(answer.quantities, replicates.T, whole, strict=True):
        same(each.replicates, own)
        same(each.apparent, apparent)
        same(each.estimate, math.fsum(own) / len(own))
    same(answer.prevalence, np.average(y, weights=weights))


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("threshold", [None, AT])
def test_probabilities_are_cut_where_it_is_said(threshold, weights):
    given = {} if weights == "none" else {"sample_weight": WEIGHTS[weights]}
    answer = bbc.correct(Y, RISKS, metric="log_loss", **OPTIONS, **given).per_1000(
        threshold=threshold
    )
    assert answer.threshold == (threshold or 0.5)
    cut = answer.threshold
    check(answer, lambda winner, _: RISKS[:, winner] >= cut, weights=WEIGHTS[weights])


def test_labels_are_taken_as_they_are():
    words = np.where(RISKS > AT, "ill", "well")
    answer = bbc.correct(
        np.where(Y == 1, "ill", "well"), words, metric="f1", pos_label="ill", **OPTIONS
    ).per_1000()
    assert answer.threshold is None
    check(answer, lambda winner, _: words[:, winner] == "ill")


def test_each_replicate_has_the_cut_off_that_it_chose():
    c = bbc.correct(Y, RISKS, metric="f1", selection=bbc.best_threshold(), **OPTIONS)
    answer = c.per_1000()
    assert answer.threshold == c.threshold
    assert len(set(c.replicate_thresholds)) > 1

    def called(winner, replicate):
        cut = c.threshold if replicate is None else c.replicate_thresholds[replicate]
        return RISKS[:, winner] > cut

    check(answer, called)
    check(c.per_1000(threshold=AT), lambda winner, _: RISKS[:, winner] >= AT)


@pytest.mark.parametrize("name", ["high", "low", "mid"])
def test_one_class_of_several_is_counted_against_the_others(name):
    labels = np.where(
        RNG.random((N_ROWS, 6)) < 0.6, KIND[:, None], KIND[RNG.permutation(ROWS)][:, None]
    )
    c = bbc.correct(KIND, labels, metric="accuracy", **OPTIONS)
    answer = c.per_1000(of_class=name)
    assert (answer.of_class, answer.threshold) == (name, None)
    check(answer, lambda winner, _: labels[:, winner] == name, y=1 * (name == KIND))
    shares = RNG.dirichlet([1, 1, 1], (N_ROWS, 6))
    c = bbc.correct(KIND, shares, metric="log_loss", labels=["high", "low", "mid"], **OPTIONS)
    place = ["high", "low", "mid"].index(name)
    answer = c.per_1000(of_class=name)
    check(answer, lambda winner, _: shares[:, winner, place] >= 0.5, y=1 * (name == KIND))
    with pytest.raises(ValueError, match=r"^y has 3 classes .* of_class= sets one"):
        c.per_1000()


def test_survival_has_questions_of_its_own():
    s = bbc.simulate.survival(60, 3, random_state=0)
    c = bbc.correct(s.y, s.predictions, metric="concordance_index", random_state=1)
    for asked in (c.per_1000, c.calibration, c.decision_curve, c.roc_curve, c.clinical):
        with pytest.raises(ValueError, match=r"^y has times and events.*survival_calibration[(]"):
            asked()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"groups": ROWS // 2},
        {"method": "bbc-two-level", "folds": ROWS % 8},
        {"method": "bbc-f", "folds": ROWS % 8},
        {"sample_weight": WEIGHTS["any"]},
    ],
    ids=["rows", "groups", "two-level", "folds", "weights"],
)
@pytest.mark.parametrize("repeats", [1, 2])
def test_right_calls_are_those_of_the_accuracy(options, repeats):
    """Also where folds or groups are drawn, and rows are predicted twice."""
    labels = [1 * (RISKS > AT), 1 * (OTHER_RISKS > AT)][:repeats]
    if "folds" in options:
        options = options | {"folds": np.stack([ROWS % 8, ROWS // 10][:repeats])}
    given = {"n_bootstraps": 100, "random_state": 1, "metric": "accuracy"} | options
    c = bbc.correct(Y, labels, **given)
    answer = c.per_1000()
    same(answer.found.replicates + answer.left_alone.replicates, 1000 * c.replicates)
    same(sum(each.replicates for each in answer.quantities), np.full(100, 1000.0))
    same(answer.found.apparent + answer.left_alone.apparent, 1000 * c.apparent)


@pytest.mark.parametrize("metric", ["f1", "accuracy"])
def test_limits_are_the_hull_of_replicates_and_of_a_proportions(metric):
    """Nobody missed in 80 rows does not mean that nobody will be."""
    labels = np.where(RNG.random((N_ROWS, 3)) < 0.02, 1 - Y[:, None], Y[:, None])
    labels[Y == 1] = 1
    answer = bbc.correct(Y, labels, metric=metric, **OPTIONS).per_1000()
    for each in answer.quantities:
        shares = each.replicates / 1000
        order = _core.order_statistic_interval(shares, 0.9, "two-sided", -math.inf, math.inf)
        z = norm.ppf(0.95)
        low, high = score_limits.hull(order, score_limits.wilson(shares.mean(), N_ROWS, z))
        assert tuple(each.confidence_interval) == pytest.approx((1000 * low, 1000 * high))
    assert answer.missed.estimate == 0
    assert answer.missed.confidence_interval.high > 20


def test_it_says_which_rows_these_are():
    answer = bbc.correct(Y, RISKS, metric="log_loss", **OPTIONS).per_1000()
    (note,) = answer.notes
    n_events = round(1000 * Y.mean())
    assert note.startswith(f"of 1000 rows that were seen {n_events} are events; where a share p is")
    text = answer.summary()
    assert text.startswith("per 1000 rows at the cut-off 0.5, of the winner by log_loss")
    assert f"{answer.found.estimate:.0f}" in text
    assert bbc.results.Per1000.from_json(answer.to_json()) == answer


@pytest.mark.parametrize(
    ("threshold", "message"),
    [
        (0, "threshold must be between 0 and 1, got 0"),
        (1.0, "threshold must be between 0 and 1, got 1"),
        (20, "write 20 % as 0.2"),
        (np.nan, "threshold must be between 0 and 1"),
        ("some", "threshold must be a number, got str"),
        ([0.5], "threshold must be a number, got list"),
    ],
)
def test_other_cut_offs_are_refused(threshold, message):
    c = bbc.correct(Y, RISKS, metric="log_loss", **OPTIONS)
    with pytest.raises((TypeError, ValueError), match=message):
        c.per_1000(threshold=threshold)


def test_labels_have_no_other_cut_off():
    c = bbc.correct(Y, 1 * (RISKS > AT), metric="f1", **OPTIONS)
    with pytest.raises(ValueError, match=r"^threshold=0.2 is for probabilities; these predictions"):
        c.per_1000(threshold=0.2)
    decisions = 10 * RISKS
    with pytest.raises(ValueError, match="predictions"):
        bbc.correct(Y, decisions, metric="roc_auc", **OPTIONS).per_1000()
