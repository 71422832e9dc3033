"""A truth that no draw can split is refused at once, by the name of what is wrong with it."""

import time

import numpy as np
import pytest

import bbc

PREDICTIONS = np.random.default_rng(0).random((12, 3))
PAIRS = {"r2": "two different values of y", "spearman": "two different values of y"}


def refusal(y, metric, **options):
    start = time.perf_counter()
    with pytest.raises(bbc.errors.UndefinedMetricError) as raised:
        bbc.correct(y, PREDICTIONS[: len(y)], metric=metric, random_state=0, **options)
    # A thousand futile draws would say so.
    assert "draws" not in str(raised.value)
    assert time.perf_counter() - start < 5.0
    return str(raised.value)


def survival(events, times):
    y = np.empty(len(events), dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = events, times
    return y


@pytest.mark.parametrize("metric", PAIRS)
def test_constant_truth(metric):
    assert refusal(np.ones(12), metric) == f"y: the metric needs {PAIRS[metric]}, and y has none"


@pytest.mark.parametrize("metric", PAIRS)
@pytest.mark.parametrize(
    "y",
    [np.eye(12)[3], np.array([1.0, 2.0, 3.0])],
    ids=["one row differs", "three rows"],
)
def test_truth_that_varies_on_one_side_only(metric, y):
    assert "both in bag and out of bag" in refusal(y, metric)


def test_truth_that_varies_within_two_groups_only():
    y = np.array([0.0, 1.0, *[0.0] * 9, 1.0])
    one = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]
    assert "both in bag and out of bag" in refusal(y, "r2", groups=one)
    two = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert bbc.correct(y, PREDICTIONS, metric="r2", groups=two, random_state=0).n_redrawn > 0


def test_weights_of_zero_take_rows_away():
    y = np.arange(12.0)
    weights = np.array([1.0, 1.0, 1.0, *[0.0] * 9])
    assert "both in bag and out of bag" in refusal(y, "r2", sample_weight=weights)


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
    assert message == "y: the metric needs a row of every class, and no fold of a repeat has it"


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
    assert shown in refusal(np.array(y), "roc_auc")
    assert shown in refusal(np.array(y, dtype=object), "roc_auc")


def test_a_class_in_one_group_is_named_too():
    y = np.array(["sick"] * 10 + ["well"] * 2)
    assert "class well has 2 rows in a single group" in refusal(
        y, "roc_auc", groups=[*range(10), 10, 10]
    )
