"""Metrics that do not decide are scored on the winners and replicates of the one that does."""

from dataclasses import replace

import numpy as np
import pytest

import bbc
from bbc._training import _splits
from bbc.errors import UndefinedMetricError
from classifiers import designs, make_classifiers, oracle_of, read_by
from instrumented import Witness, numbered_data
from kinds import of_folds
from reference.bbc import bbc_f as oracle_bbc_f
from reference.metrics import get
from reference.problem import make_problem
from reference.several import on_fold_winners, on_winners, tt_of_other

N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS, SEED = 40, 7, 60, 5
FOLDS = np.arange(N_ROWS) % 4


@pytest.fixture(scope="module")
def binary():
    return make_classifiers(N_ROWS, N_CONFIGURATIONS, n_alike=4)


@pytest.mark.parametrize("options", designs(N_ROWS, n_folds=4))
@pytest.mark.parametrize(
    ("decides", "other"),
    [("accuracy", "roc_auc"), ("roc_auc", "brier_score"), ("log_loss", "f1"), ("mcc", "accuracy")],
)
def test_the_oracle_agrees(binary, decides, other, options):
    ours = bbc.correct(
        binary.y,
        binary,
        metric=decides,
        secondary=[other],
        n_bootstraps=N_BOOTSTRAPS,
        random_state=SEED,
        **options,
    )
    decided, shape = oracle_of(binary, decides, options, seed=SEED, n_bootstraps=N_BOOTSTRAPS)
    theirs = on_winners(
        make_problem(binary.y, read_by(other, binary), get(other), **shape),
        decided,
        two_level="method" in options,
    )
    assert list(ours.secondary) == [other]
    scored = ours.secondary[other]
    assert scored.decided_by == decides
    assert scored.winner == ours.winner == decided.winner
    assert (scored.replicate_winners == decided.replicate_winners).all()
    np.testing.assert_allclose(scored.replicates, theirs.replicates, rtol=1e-12)
    assert scored.estimate == pytest.approx(theirs.estimate, rel=1e-12)
    assert scored.apparent == pytest.approx(theirs.apparent, rel=1e-12)
    assert scored == ours.score(other)


def test_the_deciding_metric_is_corrected_as_alone(binary):
    options = {"n_bootstraps": N_BOOTSTRAPS, "random_state": SEED, "selection": lambda s, c: 3}
    both = bbc.correct(binary.y, binary, metric="accuracy", secondary=["roc_auc"], **options)
    alone = bbc.correct(binary.y, binary, metric="accuracy", **options)
    assert replace(both.record, secondary={}) == alone
    assert both != alone
    assert (both.secondary["roc_auc"].replicate_winners == 3).all()


def test_a_metric_beside_itself_changes_nothing(binary):
    options = {"metric": "roc_auc", "n_bootstraps": 60, "random_state": 1}
    alone = bbc.correct(binary.y, binary, **options)
    for beside in (["roc_auc"], {"same": "roc_auc"}):
        assert bbc.correct(binary.y, binary, secondary=beside, **options) == alone


def test_fold_scores_of_the_oracle_agree(binary):
    folds = np.stack([FOLDS, (FOLDS + np.arange(N_ROWS) // 20) % 4])
    ours = bbc.correct(
        binary.y,
        binary,
        metric="roc_auc",
        secondary=["accuracy"],
        method="bbc-f",
        folds=folds,
        n_bootstraps=N_BOOTSTRAPS,
        random_state=SEED,
    )
    tables = [
        make_problem(
            binary.y, read_by(name, binary), get(name), folds=folds, n_repeats=2
        ).fold_scores()
        for name in ("roc_auc", "accuracy")
    ]
    decided = oracle_bbc_f(tables[0], "roc_auc", seed=SEED, n_bootstraps=N_BOOTSTRAPS)
    theirs = on_fold_winners(tables[1], decided, SEED)
    accuracy = ours.secondary["accuracy"]
    assert (accuracy.replicate_winners == decided.replicate_winners).all()
    np.testing.assert_allclose(accuracy.replicates, theirs.replicates, rtol=1e-12)
    assert accuracy.apparent == pytest.approx(theirs.apparent, rel=1e-12)


def test_python_functions_on_either_side_agree_with_the_kernel(binary):
    def accuracy(y, labels):
        return float(np.mean(y == labels))

    def function(name):
        return bbc.metrics.from_callable(accuracy, name=name, greater_is_better=True)

    labels = bbc.results.OutOfSamplePredictions(y=binary.y, labels=binary.labels[:1])
    # The kernel knows that accuracy does not depend on the number of rows.
    options = {"n_bootstraps": 40, "random_state": SEED, "size_correction": False}
    own = function("own")
    plain = bbc.correct(binary.y, labels, metric="accuracy", secondary=["f1"], **options)
    decides = bbc.correct(binary.y, labels, metric=own, secondary=["f1"], **options)
    shown = bbc.correct(binary.y, labels, metric="accuracy", secondary=[own], **options)
    f1 = [each.secondary["f1"].replicates for each in (decides, plain)]
    np.testing.assert_allclose(*f1, rtol=1e-12)
    np.testing.assert_allclose(shown.secondary["own"].replicates, plain.replicates, rtol=1e-12)


def rare_class():
    rng = np.random.default_rng(0)
    y = np.zeros(30, dtype=int)
    y[:2] = 1
    scores = rng.random((30, 4))
    return bbc.results.OutOfSamplePredictions(
        y=y, labels=(scores > 0.5)[None].astype(int), scores=scores[None]
    )


def test_undefined_replicates_are_counted_and_left_out():
    predictions = rare_class()
    both = bbc.correct(
        predictions.y,
        predictions,
        metric="accuracy",
        secondary=["roc_auc"],
        n_bootstraps=200,
        random_state=3,
    )
    auc = both.secondary["roc_auc"]
    assert both.n_undefined == 0
    assert f"roc_auc: {auc.n_undefined} replicates, left out" in both.summary()
    # Both rows of the rare class are drawn in about (1 - 1/e)^2 of the replicates.
    assert 50 < auc.n_undefined < 120
    assert auc.n_bootstraps == 200 - auc.n_undefined
    assert np.isfinite(auc.replicates).all()
    assert "left out" in auc.summary()
    assert bbc.PerformanceEstimate.from_json(auc.to_json()) == auc


def test_too_few_defined_replicates_give_no_interval():
    predictions = rare_class()
    both = bbc.correct(
        predictions.y,
        predictions,
        metric="accuracy",
        secondary=["roc_auc"],
        n_bootstraps=40,
        random_state=3,
    )
    auc = both.secondary["roc_auc"]
    assert auc.confidence_interval is None
    assert "n_bootstraps" in auc.infeasible
    assert "no interval    roc_auc: " in both.summary()


def test_a_metric_that_is_impossible_is_an_error():
    y = np.zeros(20, dtype=int)
    predictions = bbc.results.OutOfSamplePredictions(
        y=y, labels=np.zeros((1, 20, 2), int), scores=np.zeros((1, 20, 2))
    )
    with pytest.raises(UndefinedMetricError, match="class"):
        bbc.correct(y, predictions, metric="zero_one_loss", secondary=["roc_auc"], labels=[0, 1])


@pytest.mark.parametrize(
    ("metric", "secondary", "error"),
    [
        (["accuracy", "roc_auc"], None, r"metric must be one, .*; others are secondary=\[...\]"),
        ({"a": "accuracy"}, None, "metric must be one"),
        ("accuracy", ["roc_auc", "roc_auc"], "secondary has a second metric named 'roc_auc'"),
        ("accuracy", {"accuracy": "f1"}, "secondary has a second metric named 'accuracy'"),
        ("accuracy", "roc_auc", "secondary must be a list of metrics, got 'roc_auc'"),
        ("accuracy", ["roc_auk"], "secondary: unknown name .roc_auk"),
    ],
)
def test_bad_metrics_are_refused(binary, metric, secondary, error):
    with pytest.raises((TypeError, ValueError), match=error):
        bbc.correct(binary.y, binary, metric=metric, secondary=secondary)


X, Y = numbered_data(80)
SHIFTS = {"shift": [0.0, 0.4, 0.8]}


@pytest.mark.parametrize(
    "kind", [bbc.BBC, bbc.BBCD, of_folds, bbc.baselines.CVMCV, bbc.CVT, bbc.NCV, bbc.TT]
)
def test_every_protocol_reports_every_metric(kind):
    scoring = {"auc": "roc_auc", "wrong": "zero_one_loss"}
    search = kind(Witness(), SHIFTS, cv=4, scoring=scoring, refit="auc", random_state=1).fit(X, Y)
    auc, wrong = search.performance_, search.performance_.secondary["wrong"]
    assert list(auc.secondary) == ["wrong"]
    assert wrong.decided_by == "roc_auc"
    assert wrong.winner == auc.winner
    assert not wrong.greater_is_better
    assert (wrong.confidence_interval is None) == (auc.confidence_interval is None)


@pytest.mark.parametrize("kind", [bbc.BBC, bbc.CVT, bbc.TT])
def test_names_of_scoring_are_the_callers(kind):
    """Seen to fail: a name that is also the deciding metric's was refused after all training."""
    scoring = {"a": "roc_auc", "roc_auc": "f1", "again": "roc_auc"}
    search = kind(Witness(), SHIFTS, cv=4, scoring=scoring, refit="a", random_state=1).fit(X, Y)
    found = search.performance_
    assert {name: each.metric for name, each in found.secondary.items()} == {
        "roc_auc": "f1",
        "again": "roc_auc",
    }
    assert found.secondary["again"].estimate == found.estimate
    assert bbc.PerformanceEstimate.from_json(found.to_json()) == found.record
    assert len(found.to_frame()) == 3


def test_bbc_gives_what_correct_gives():
    scoring = ["roc_auc", "accuracy"]
    search = bbc.BBC(Witness(), SHIFTS, cv=4, scoring=scoring, refit="roc_auc", random_state=1)
    found = search.fit(X, Y).performance_.secondary["accuracy"]
    given = {"metric": "roc_auc", "secondary": ["accuracy"], "random_state": 1}
    again = bbc.correct(Y, search.oos_predictions_, **given).secondary["accuracy"]
    assert found.replicates.tobytes() == again.replicates.tobytes()
    assert bbc.correct(search) == search.performance_
    assert bbc.correct(search, secondary=()).secondary == {}
    assert list(bbc.correct(search, secondary=["f1"]).secondary) == ["f1"]


def test_a_metric_that_the_truth_leaves_undefined_is_refused_before_training():
    y = np.where(np.arange(80) < 79, Y, 2)
    known = np.arange(40, 80)
    folds = [(known, np.arange(20)), (known, np.arange(20, 40))]
    search = bbc.BBC(Witness(), SHIFTS, cv=folds, random_state=1)
    search.set_params(scoring=["accuracy", "roc_auc_ovr"], refit="accuracy")

    def fit():
        with pytest.raises(UndefinedMetricError, match="roc_auc_ovr"):
            search.fit(X, y)

    assert Witness.count(fit)[1] == 0


def test_a_metric_without_value_is_left_out_with_a_warning(monkeypatch):
    # Repeats that test other rows are refused, but those of an older store are read.
    monkeypatch.setattr(
        _splits, "repeats_of", lambda _, splits, *given: list(_splits.partitioned(splits, *given))
    )
    known, tested = np.arange(40, 80), np.arange(40)
    # In the second repeat a fold has one class only.
    tests = [tested[:20], tested[20:], tested[:20:2], tested[1::2]]
    search = of_folds(Witness(), SHIFTS, cv=[(known, rows) for rows in tests], random_state=1)
    search.set_params(scoring=["accuracy", "roc_auc"], refit="accuracy")
    with pytest.warns(bbc.errors.BBCWarning, match="secondary metric 'roc_auc' is missing"):
        search.fit(X, Y)
    found = search.performance_
    assert found.secondary == {}
    assert "secondary metric 'roc_auc' is missing" in found.notes[-1]
    with pytest.warns(bbc.errors.BBCWarning, match="secondary metric 'roc_auc' is missing"):
        assert bbc.correct(search) == found


def test_tt_by_another_metric(binary):
    folds = np.stack([FOLDS, FOLDS])
    given = {"metric": "brier_score", "secondary": ["accuracy"], "method": "tt"}
    ours = bbc.correct(binary.y, binary, folds=folds, **given).secondary["accuracy"]
    tables = [
        make_problem(binary.y, read_by(name, binary), get(name), folds=folds, n_repeats=2)
        .fold_scores()
        .reshape(-1, N_CONFIGURATIONS)
        for name in ("brier_score", "accuracy")
    ]
    estimate, winner = tt_of_other(*tables, decides=-1.0, sign=1.0)
    assert (ours.winner, ours.decided_by) == (winner, "brier_score")
    assert ours.estimate == pytest.approx(estimate, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resamples": np.zeros((2, 8), int)}, "resamples has no effect"),
        ({"stratify_bootstrap": True}, "stratify_bootstrap has no effect"),
        ({"selection": lambda scores, counts: 0}, "selection: method"),
        ({"folds": None}, 'folds is needed by method="tt"'),
    ],
)
@pytest.mark.parametrize("secondary", [(), ["mcc"]])
def test_tt_draws_nothing(secondary, options, message):
    y = np.tile([0, 1], 4)
    both = {"folds": np.repeat([0, 1], 4), "method": "tt", "secondary": secondary} | options
    with pytest.raises(ValueError, match=message):
        bbc.correct(y, np.column_stack([y, 1 - y, y]), metric="accuracy", **both)


def test_a_stream_takes_one_metric():
    y = np.tile([0, 1], 4)
    with pytest.raises(ValueError, match="one metric"):
        bbc.correct(y, bbc.Blocks([y[:, None]]), metric="accuracy", secondary=["mcc"])


def test_tt_numbers_configurations_as_the_caller_does():
    """Seen to fail where the winner was numbered among the configurations that stay."""
    y, folds = np.arange(40) % 2, np.arange(40) // 2 % 5
    scores = np.random.default_rng(0).normal(size=(40, 4))
    scores[:, 3] += 3 * y
    scores[3, 0] = np.nan
    options = {"folds": folds, "method": "tt", "missing": "drop-configurations"}
    options["names"] = list("abcd")
    alone = bbc.correct(y, scores, metric="roc_auc", **options)
    both = bbc.correct(y, scores, metric="roc_auc", secondary=["average_precision"], **options)
    for e in (alone, both, *both.secondary.values()):
        assert (e.winner, e.winner_name) == (3, "d")
        assert e.left_out_configurations.tolist() == [0]


def test_ties_of_a_fold_go_to_the_lowest_index_of_the_deciding_metric():
    """In fold 0 both have accuracy .75, at recall .5 and 1; `low` wins by fold 1."""
    y, folds = np.array([1, 1, 0, 0] * 2), np.repeat([0, 1], 4)
    low, high = [1, 0, 0, 0, 1, 1, 0, 0], [1, 1, 1, 0, 1, 1, 1, 0]
    for columns, optimism in (((low, high), 0.0), ((high, low), 0.25)):
        options = {"metric": "accuracy", "secondary": ["recall"], "folds": folds, "method": "tt"}
        of_recall = bbc.correct(y, np.column_stack(columns), **options).secondary["recall"]
        assert (of_recall.apparent, of_recall.optimism) == (0.75, optimism)


@pytest.mark.parametrize("method", ["bbc", "tt"])
def test_metrics_that_lack_other_rows_are_refused(method):
    """Labels lack a row that scores have: the metrics would be of different rows."""
    rng = np.random.default_rng(0)
    y, folds = np.tile([0, 1], 20), np.arange(40) // 8
    scores = rng.random((1, 40, 3))
    labels = (scores > 0.5).astype(int).astype(object)
    labels[0, 3, 1] = None
    predictions = bbc.results.OutOfSamplePredictions(
        y=y, labels=labels, scores=scores, folds=folds[None]
    )
    with pytest.raises(ValueError, match=r"'roc_auc' reads other rows .* than 'accuracy'"):
        bbc.correct(
            y,
            predictions,
            metric="accuracy",
            secondary=["roc_auc"],
            method=method,
            folds=folds,
            missing="drop-rows",
        )
