"""Repeats that predicted different rows: repeated hold-out, and tests within a later repeat."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import mean_squared_error
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

import bbc
from data import make_predictions, make_truth
from fuzz.kernel import check, draw_case
from instrumented import Witness, numbered_data
from kinds import of_folds
from reference.bbc import bbc as oracle_bbc
from reference.dominated import bbcd_dropping

N_ROWS, N_CONFIGURATIONS, N_REPEATS = 45, 6, 3
X, Y = numbered_data(90)
SHIFTS = {"shift": [0.0, 0.2, 1.0, 4.0, 6.0]}
HOLD_OUTS = StratifiedShuffleSplit(4, test_size=0.4, random_state=0)
METRICS = ["accuracy", "mcc", "roc_auc", "mean_squared_error", "r2", "spearman", "log_loss"]


def unlike(metric):
    """Truth, predictions, and which rows each repeat predicted; row 0 by none."""
    rng = np.random.default_rng(len(metric))
    y = make_truth(metric, rng, N_ROWS)
    repeats = np.stack([make_predictions(metric, y, rng, N_CONFIGURATIONS) for _ in range(3)])
    seen = rng.random((N_REPEATS, N_ROWS)) < 0.7
    seen[:, 0] = False
    return y, repeats, seen


def given(y, predictions, seen, **more):
    name = "labels" if predictions.dtype.kind in "iu" else "scores"
    mask = np.broadcast_to(seen[:, :, None], (*seen.shape, N_CONFIGURATIONS))
    return bbc.results.OutOfSamplePredictions(y=y, mask=mask, **{name: predictions}, **more)


@pytest.mark.parametrize("pooling", ["pooled", "fold"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_oracle_agrees(metric, pooling):
    y, predictions, seen = unlike(metric)
    folds = np.stack([(np.arange(N_ROWS) + r) % 2 for r in range(N_REPEATS)])
    options = {"n_bootstraps": 40, "pooling": pooling}
    ours = bbc.correct(
        y, given(y, predictions, seen, folds=folds), metric=metric, random_state=4, **options
    )
    rows = seen.any(axis=0)
    theirs = oracle_bbc(
        y[rows],
        predictions[:, rows],
        metric,
        seed=4,
        folds=folds[:, rows],
        seen=seen[:, rows],
        n_repeats=N_REPEATS,
        **options,
    )
    assert ours.winner == theirs.winner
    assert (ours.replicate_winners == theirs.replicate_winners).all()
    np.testing.assert_allclose(ours.replicates, theirs.replicates, rtol=1e-12)
    assert ours.apparent == pytest.approx(theirs.apparent, rel=1e-12)
    assert ours.n_redrawn == theirs.n_redrawn
    assert ours.left_out_rows.tolist() == np.flatnonzero(~rows).tolist()
    assert any("different rows" in note for note in ours.notes)


def test_a_python_function_scores_the_rows_of_each_repeat():
    y, predictions, seen = unlike("mean_squared_error")
    own = bbc.metrics.from_callable(
        lambda y, p: float(np.mean((y - p) ** 2)), name="own", greater_is_better=False
    )
    one, other = (
        bbc.correct(
            y,
            given(y, predictions, seen),
            metric=metric,
            n_bootstraps=40,
            random_state=4,
            size_correction=False,
        )
        for metric in (own, "mean_squared_error")
    )
    np.testing.assert_allclose(one.replicates, other.replicates, rtol=1e-12)


def test_a_python_function_of_repeats_with_unlike_numbers_of_folds():
    y, predictions, _ = unlike("mean_squared_error")
    folds = np.stack([np.arange(N_ROWS) % k for k in (5, 4, 5)])
    own = bbc.metrics.from_callable(mean_squared_error, greater_is_better=False)
    rule = bbc.one_standard_error(range(N_CONFIGURATIONS))
    for method in (partial(bbc.correct, method=name) for name in ("tt", "bbc-f")):
        with pytest.raises(ValueError, match="fold 4 of repeat 1 has no rows"):
            method(y, list(predictions), folds=folds, metric=own)
    one, other = (
        bbc.correct(
            y,
            list(predictions),
            folds=folds,
            metric=metric,
            selection=rule,
            n_bootstraps=40,
            random_state=4,
            size_correction=False,
        )
        for metric in (own, "mean_squared_error")
    )
    np.testing.assert_allclose(one.replicates, other.replicates, rtol=1e-12)


def test_a_hole_of_one_configuration_is_still_an_error():
    y, predictions, seen = unlike("r2")
    scores = np.where(seen[:, :, None], predictions, np.nan)
    with pytest.raises(ValueError, match="missing at repeat 0, row"):
        bbc.correct(y, list(scores), metric="r2")  # no mask says that this is meant
    scores[1, int(np.argmax(seen[1])), 2] = np.nan
    holes = bbc.results.OutOfSamplePredictions(y=y, scores=scores)
    with pytest.raises(ValueError, match=r"missing at repeat 1.*configuration 2"):
        bbc.correct(y, holes, metric="r2")
    scores[1] = np.where(seen[1][:, None], predictions[1], np.nan)
    scores[2] = np.nan
    with pytest.raises(ValueError, match="every row of repeat 2"):
        bbc.correct(y, bbc.results.OutOfSamplePredictions(y=y, scores=scores), metric="r2")


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_dropping_goes_on_in_later_repeats_as_the_oracle_drops(metric, pooling):
    options = {"n_repeats": 2, "random_state": 3, "scoring": metric, "pooling": pooling}
    whole = bbc.CVT(Witness(), SHIFTS, cv=5, **options).fit(X, Y).oos_predictions_
    ours = bbc.BBCD(Witness(), SHIFTS, cv=5, n_bootstraps=100, dropping_level=0.9, **options)
    ours.fit(X, Y)
    theirs = bbcd_dropping(
        Y,
        whole.values,
        whole.folds,
        metric,
        seed=3,
        n_bootstraps=100,
        dropping_level=0.9,
        pooling=pooling,
        n_repeats=2,
    )
    assert ours.dropped_.tolist() == theirs.dropped.tolist()
    assert max(test["fold"] for test in ours.dropping_history_) >= 5
    # The oracle goes on testing a single survivor.
    tests = [test for test in theirs.tests if len(test[1]) > 1]
    for own, (fold, alive, result) in zip(ours.dropping_history_, tests, strict=True):
        assert own["fold"] == fold
        assert own["configurations"].tolist() == alive
        assert own["share_worse"].tolist() == result.share_worse.tolist()


@pytest.mark.parametrize("kind", [bbc.BBC, bbc.BBCD, bbc.CVT, bbc.baselines.CVMCV, bbc.TT])
def test_repeated_hold_out(kind):
    search = kind(Witness(), SHIFTS, cv=HOLD_OUTS, scoring="roc_auc", random_state=0)
    fitted, _, leaks = Witness.count(lambda: search.fit(X, Y))
    assert leaks == 0
    assert fitted.performance_.n_repeats == 4
    assert 0.5 < fitted.performance_.estimate < 1


def test_repeated_hold_out_is_corrected_from_its_predictions():
    fitted = bbc.BBC(Witness(), SHIFTS, cv=HOLD_OUTS, random_state=0).fit(X, Y)
    again = bbc.correct(Y, fitted.oos_predictions_, metric="accuracy", random_state=0)
    assert again.replicates.tobytes() == fitted.performance_.replicates.tobytes()


@pytest.mark.parametrize("kind", [bbc.BBC, bbc.BBCD])
def test_one_hold_out(kind):
    cv = ShuffleSplit(1, test_size=0.5, random_state=0)
    estimate = kind(Witness(), SHIFTS, cv=cv, random_state=0).fit(X, Y).performance_
    assert len(estimate.left_out_rows) == 45
    assert estimate.n_folds == 1


@pytest.mark.parametrize("n_splits", [1, 4])
def test_bbc_f_needs_folds(n_splits):
    cv = ShuffleSplit(n_splits, test_size=0.4, random_state=0)
    with pytest.raises(ValueError, match=r"folds.*two"):
        of_folds(Witness(), SHIFTS, cv=cv, random_state=0).fit(X, Y)


def test_tt_needs_folds():
    cv = ShuffleSplit(1, test_size=0.4, random_state=0)
    with pytest.raises(ValueError, match="needs two folds"):
        bbc.TT(Witness(), SHIFTS, cv=cv, random_state=0).fit(X, Y)


def test_a_secondary_metric_that_a_repeat_leaves_undefined_is_refused():
    """Found by the fuzzer, where the apparent performance was NaN: y is constant in one repeat."""
    check(draw_case(2701, 11419))
