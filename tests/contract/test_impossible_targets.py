"""A truth that no draw can split is refused at once, by the name of what is wrong with it."""

import re
import time

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

import bbc
from bbc.cli import main

PREDICTIONS = np.random.default_rng(0).random((12, 3))
PUBLISHED = {"size_correction": False}  # R2 by the variance of the rows that are scored
PAIRS = {"r2": "two different true values", "spearman": "two different true values"}


def refusal(y, metric, **options):
    start = time.process_time()
    with pytest.raises(bbc.errors.UndefinedMetricError) as raised:
        bbc.correct(y, PREDICTIONS[: len(y)], metric=metric, random_state=0, **options)
    # A thousand futile draws would say so.
    assert "draws" not in str(raised.value)
    assert time.process_time() - start < 5.0
    return str(raised.value)


def survival(events, times):
    y = np.empty(len(events), dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = events, times
    return y


@pytest.mark.parametrize("metric", PAIRS)
def test_constant_truth(metric):
    expected = f"source: the metric needs {PAIRS[metric]}, and the truth has none"
    assert refusal(np.ones(12), metric) == expected


@pytest.mark.parametrize("metric", PAIRS)
@pytest.mark.parametrize(
    "y",
    [np.eye(12)[3], np.array([1.0, 2.0, 3.0])],
    ids=["one row differs", "three rows"],
)
def test_truth_that_varies_on_one_side_only(metric, y):
    assert "both in bag and out of bag" in refusal(y, metric, **PUBLISHED)


def test_r2_by_the_variance_of_all_rows_is_defined_on_any_of_them():
    e = bbc.correct(np.eye(12)[3], PREDICTIONS, metric="r2", n_bootstraps=1000, random_state=0)
    assert np.isfinite(e.replicates).all()
    assert e.n_redrawn == 0


def test_truth_that_varies_within_two_groups_only():
    y = np.array([0.0, 1.0, *[0.0] * 9, 1.0])
    one = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]
    assert "both in bag and out of bag" in refusal(y, "r2", groups=one, **PUBLISHED)
    two = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    options = {"metric": "r2", "groups": two, "n_bootstraps": 1000, "random_state": 0}
    assert bbc.correct(y, PREDICTIONS, **options, **PUBLISHED).n_redrawn > 0
    assert bbc.correct(y, PREDICTIONS, **options).n_redrawn == 0


def test_weights_of_zero_take_rows_away():
    y = np.arange(12.0)
    weights = np.array([1.0, 1.0, 1.0, *[0.0] * 9])
    assert "both in bag and out of bag" in refusal(y, "r2", sample_weight=weights, **PUBLISHED)


@pytest.mark.parametrize(
    ("events", "times"),
    [
        ([0] * 12, range(12)),
        ([0] * 11 + [1], range(12)),
        ([1] * 12, [4] * 12),
        ([1] + [0] * 11, range(12)),
    ],
    ids=["no event", "last is the only event", "all at once", "one event"],
)
def test_survival_without_comparable_pairs(events, times):
    assert "a comparable pair of rows" in refusal(survival(events, times), "concordance_index")


def test_two_events_suffice():
    y = survival([1, 1, *[0] * 10], range(12))
    estimate = bbc.correct(y, PREDICTIONS, metric="concordance_index", random_state=0)
    assert estimate.n_redrawn > 0


def test_no_fold_has_all_that_the_metric_needs():
    y = np.repeat([0, 1], 6)
    message = refusal(y, "roc_auc", folds=y, pooling="fold")
    expected = "the metric needs a row of every class, and no fold of a repeat has it"
    assert message == f"source: {expected}"


@pytest.mark.parametrize(
    ("y", "shown"),
    [
        (["sick"] * 11 + ["well"], "class well has 1 row"),
        ([0.5] * 11 + [1.5], "class 1.5 has 1 row"),
        ([False] * 11 + [True], "class True has 1 row"),
        ([-1] * 11 + [7], "class 7 has 1 row"),
    ],
)
def test_classes_are_called_what_the_user_calls_them(y, shown):
    options = {"pos_label": y[-1]}
    assert shown in refusal(np.array(y), "roc_auc", **options)
    assert shown in refusal(np.array(y, dtype=object), "roc_auc", **options)


def test_a_class_in_one_group_is_named_too():
    y = np.array(["sick"] * 10 + ["well"] * 2)
    assert "class well has 2 rows in a single group" in refusal(
        y, "roc_auc", groups=[*range(10), 10, 10], pos_label="well"
    )


def table(folder, y):
    """A wide CSV table of the truth and the predictions."""
    path = folder / "table.csv"
    np.savetxt(
        path, np.column_stack([y, PREDICTIONS]), delimiter=",", header="t,a,b,c", comments=""
    )
    return str(path)


@pytest.mark.parametrize(
    ("y", "problem"),
    [(np.ones(12), "needs two different"), (np.eye(12)[3], "no draw leaves one on either side")],
    ids=["constant", "one row differs"],
)
def test_errors_call_the_truth_as_the_user_does(y, problem, tmp_path, capsys):
    """Checks of Python and of the kernel alike: as it was given, y in fit, --truth in a shell."""
    assert re.match(f"source: .*{problem}", refusal(y, "spearman"))
    stream = bbc.Blocks([PREDICTIONS])
    with pytest.raises(ValueError, match=f"^source: .*{problem}"):
        bbc.correct(y, stream, metric="spearman", random_state=0)
    with pytest.raises(ValueError, match=r"^source is NaN at row 0"):
        bbc.correct(y * np.nan, PREDICTIONS, folds=np.arange(12) % 2, metric="r2", method="tt")
    search = bbc.BBC(KNeighborsRegressor(2), {"n_neighbors": [1, 2]}, cv=3, scoring="spearman")
    with pytest.raises(ValueError, match=f"^y: .*{problem}"):
        search.fit(PREDICTIONS, y)
    search.set_params(scoring="poisson_deviance").fit(PREDICTIONS, np.arange(1.0, 13))
    with pytest.raises(ValueError, match=r"^y must be in "):
        search.score(PREDICTIONS, -np.ones(12))
    assert main(["correct", table(tmp_path, y), "--truth", "t", "--metric", "spearman"]) == 1
    assert re.match(f"bbc: error: --truth: .*{problem}", capsys.readouterr().err)
    assert re.match("source", refusal(y, "spearman")), "the name ends with the call"
    given = bbc.Predictions(y, PREDICTIONS)
    with pytest.raises(ValueError, match=f"^y: .*{problem}"):
        bbc.correct(given, metric="spearman")
    with pytest.raises(ValueError, match=rf"^(families\['a'\]\.y|families): .*{problem}"):
        bbc.compare({"a": given, "b": given}, metric="spearman")


@pytest.mark.parametrize("asked", ["score", "tuning_path"])
def test_questions_call_the_truth_y(asked):
    options = {"metric": "mean_absolute_error", "n_bootstraps": 40, "random_state": 0}
    corrected = bbc.correct(np.ones(12), PREDICTIONS, **options)
    with pytest.raises(ValueError, match=r"^y: .*needs two different"):
        getattr(corrected, asked)(metric="spearman")


def test_tt_needs_a_second_fold_with_predictions():
    predictions = np.where(np.arange(12)[:, None] < 6, PREDICTIONS, np.nan)
    with pytest.raises(ValueError, match="at least two folds, got one"):
        bbc.correct(
            np.arange(12) % 2,
            predictions,
            metric="mean_squared_error",
            method="tt",
            folds=np.arange(12) // 6,
            missing="drop-rows",
        )
