"""Lower bounds of a selected configuration: what all methods promise."""

import numpy as np
import pytest

import bbc

METHODS = ("bbc", "bbc-f", "delong", "hanley-mcneil", "bt", "mabt", "nb")
SPLITTING = ("delong", "hanley-mcneil", "bt", "mabt")


def data(n_rows=120, n_configurations=20, n_folds=5, seed=1):
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 2
    predictions = rng.normal(size=(n_rows, n_configurations)) + y[:, None]
    return y, predictions, np.arange(n_rows) // 2 % n_folds


@pytest.mark.parametrize("method", METHODS)
def test_bounds_nest_in_the_level(method):
    lows = []
    for level in (0.8, 0.9, 0.95, 0.99):
        bound = bbc.baselines.bound(*data(), method=method, confidence_level=level, random_state=2)
        assert bound.feasible
        assert bound.infeasible is None
        assert bound.confidence_interval.alternative == "greater"
        assert 0 <= bound.low <= bound.estimate <= bound.confidence_interval.high == 1
        lows.append(bound.low)
    assert lows == sorted(lows, reverse=True)


@pytest.mark.parametrize("method", METHODS)
def test_names_do_not_matter(method):
    y, predictions, folds = data()
    expected = bbc.baselines.bound(y, predictions, folds, method=method, random_state=2)
    named = bbc.baselines.bound(
        np.array(["well", "ill"])[y],
        predictions,
        np.array(["a", "b", "c", "d", "e"])[folds],
        method=method,
        pos_label="ill",
        names=[f"model {j}" for j in range(20)],
        random_state=2,
        n_threads=1,
    )
    assert (named.low, named.winner) == (expected.low, expected.winner)
    assert named.winner_name == f"model {expected.winner}"


@pytest.mark.parametrize("rule", ["best", "top10%"])
@pytest.mark.parametrize("method", SPLITTING)
def test_rules(method, rule):
    bound = bbc.baselines.bound(*data(), method=method, rule=rule, random_state=2)
    assert bound.rule == rule
    assert len(bound.candidates) == (1 if rule == "best" else 2)
    assert bound.winner in bound.candidates
    assert len(bound.evaluation_rows) == 30
    assert bound.n_splits >= 1


def test_the_default_is_bbc_on_all_rows_and_needs_no_folds():
    y, predictions, folds = data()
    bound = bbc.baselines.bound(y, predictions, random_state=2)
    assert bound == bbc.baselines.bound(y, predictions, method="bbc", random_state=2)
    assert bound.low == bbc.baselines.bound(y, predictions, folds, random_state=2).low
    e = bbc.correct(y, predictions, metric="roc_auc", alternative="greater", random_state=2)
    assert (bound.method, bound.low) == ("bbc", e.confidence_interval.low)
    for method in METHODS[1:]:
        with pytest.raises(ValueError, match=f'folds is needed by method="{method}"'):
            bbc.baselines.bound(y, predictions, method=method)


def test_defaults_of_the_paper():
    assert bbc.baselines.bound(*data(), method="mabt", random_state=2).rule == "top10%"
    bound = bbc.baselines.bound(*data(), method="bt", random_state=2)
    assert (bound.rule, bound.n_bootstraps) == ("best", 2000)
    assert 0 < bound.effective_sample_size < 2000


@pytest.mark.parametrize("method", [*SPLITTING, "bbc-f", "nb"])
def test_a_fold_without_a_class_is_infeasible_and_named(method):
    y, predictions, folds = data()
    names = np.array(["north", "east", "south", "west", "sea"])
    y = np.where(folds == 2, 0, y)
    bound = bbc.baselines.bound(y, predictions, names[folds], method=method, random_state=2)
    assert "fold south" in bound.infeasible
    assert "no row of" in bound.infeasible
    assert (bound.estimate, bound.low, bound.winner) == (None, None, None)
    assert not bound.feasible


@pytest.mark.parametrize("method", SPLITTING)
def test_a_class_with_too_few_rows_is_infeasible(method):
    y, predictions, folds = data()
    y = np.zeros(120, int)
    y[[0, 2, 4, 6, 8]] = 1  # one per fold
    bound = bbc.baselines.bound(y, predictions, folds, method=method, random_state=2)
    assert "positive class has 5 rows, no more than the 5 folds" in bound.infeasible
    y[10] = 1  # six rows in five folds, and one must be left to evaluate on
    bound = bbc.baselines.bound(y, predictions, folds, method=method, random_state=2)
    assert bound.n_splits > 1
    assert bound.feasible or bound.infeasible


def test_no_split_is_infeasible():
    # One row of each class in nearly every fold, and all of them would have to stay.
    y, predictions, _ = data(n_rows=120)
    folds = np.minimum(np.arange(120) // 2, 57)
    bound = bbc.baselines.bound(y, predictions, folds, method="delong", random_state=2)
    assert "none of 1000 random splits" in bound.infeasible
    assert bound.n_splits == 1000


@pytest.mark.parametrize("method", ["bt", "mabt"])
def test_a_perfect_winner_is_infeasible(method):
    y, predictions, folds = data()
    predictions[:, 4] = y
    bound = bbc.baselines.bound(y, predictions, folds, method=method, random_state=2)
    assert "the score is perfect" in bound.infeasible
    assert (bound.winner, bound.estimate, bound.low) == (4, 1.0, None)


def test_a_perfect_winner_without_variance_warns():
    y, predictions, folds = data()
    predictions[:, 4] = y
    with pytest.warns(bbc.errors.BBCWarning, match="carry no information"):
        bound = bbc.baselines.bound(y, predictions, folds, method="delong", random_state=2)
    assert bound.low == 1
    assert bound.notes


def test_constant_and_tied_configurations_go_to_the_lowest_index():
    y, predictions, folds = data()
    with pytest.warns(bbc.errors.BBCWarning):
        constant = bbc.baselines.bound(y, 0 * predictions, folds, method="delong", random_state=2)
    assert (constant.winner, constant.estimate) == (0, 0.5)
    tied = bbc.baselines.bound(
        y, np.repeat(predictions[:, :1], 6, axis=1), folds, method="mabt", random_state=2
    )
    assert tied.winner == 0
    assert tied.candidates == tuple(range(6))


def test_rows_without_predictions_are_left_out():
    y, predictions, folds = data()
    predictions[7] = np.nan
    bound = bbc.baselines.bound(y, predictions, folds, method="delong", random_state=2)
    assert 7 not in bound.evaluation_rows
    assert max(bound.evaluation_rows) > 89
    rows = list(bound.evaluation_rows)
    e = bbc.baselines.intervals.delong(
        y[rows], predictions[rows, bound.winner], alternative="greater"
    )
    assert bound.low == e.confidence_interval.low


def test_wrong_use_is_refused():
    y, predictions, folds = data()
    for arguments, message in (
        ({"method": "bayes"}, "method must be 'bbc' or"),
        ({"method": "nb", "rule": "top10%"}, "rule must be 'best'"),
        ({"method": "bbc", "rule": "best"}, "takes no rule"),
        ({"variant": "old"}, "variant must be"),
        ({"n_bootstraps": 10}, "confidence_level=0.95 is too high for n_bootstraps=10"),
        ({"confidence_level": 1}, "confidence_level must be between 0 and 1"),
    ):
        with pytest.raises(ValueError, match=message):
            bbc.baselines.bound(y, predictions, folds, **arguments)
    with pytest.raises(ValueError, match="2 repeats"):
        bbc.baselines.bound(y, [predictions] * 2, [folds] * 2)
    with pytest.raises(ValueError, match=r"y_true has one class \(1\)"):
        bbc.baselines.bound(np.ones(120, int), predictions, folds)
    predictions[3, 5] = np.nan
    with pytest.raises(ValueError, match="missing at repeat 0, row 3, configuration 5"):
        bbc.baselines.bound(y, predictions, folds)


def test_comparison_prints_and_becomes_a_frame():
    y, predictions, folds = data()
    comparison = bbc.baselines.compare_bounds(y, predictions, folds, random_state=2)
    assert [(bound.method, bound.rule) for bound in comparison] == [
        ("bbc", "all rows"),
        ("bbc-f", "all rows"),
        ("delong", "best"),
        ("hanley-mcneil", "best"),
        ("bt", "best"),
        ("delong", "top10%"),
        ("hanley-mcneil", "top10%"),
        ("bt", "top10%"),
        ("mabt", "top10%"),
        ("nb", "best"),
    ]
    splits = {bound.evaluation_rows for bound in comparison if bound.method in SPLITTING}
    assert len(splits) == 1
    frame = comparison.to_frame()
    columns = ["method", "rule", "estimate", "bound", "feasible", "reason"]
    assert frame.columns.tolist() == columns
    assert frame["feasible"].all()
    y[folds == 1] = 0
    methods = ["bbc", "bbc-f", "delong", "nb"]
    comparison = bbc.baselines.compare_bounds(
        y, predictions, folds, methods=methods, random_state=2
    )
    assert [bound.feasible for bound in comparison] == [True, False, False, False]
    assert "fold 1 has no row" in str(comparison)
