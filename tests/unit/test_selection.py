"""Selection rules, and the options of replicates."""

import numpy as np
import pytest

import bbc
from bbc import _validation as validation
from bbc.metrics import get as get_metric
from bbc.selection import get


def test_rules():
    assert get("best").rule == "best"
    rule = bbc.one_standard_error([3, 1, 2])
    assert get(rule) is rule
    assert rule.needs_folds
    assert not rule.complexity.flags.writeable
    assert get(max).function is max


@pytest.mark.parametrize(
    ("given", "error"),
    [("worst", ValueError), (3, TypeError), (bbc.one_standard_error, TypeError)],
)
def test_what_is_no_rule(given, error):
    with pytest.raises(error, match="selection"):
        get(given)


@pytest.mark.parametrize(
    ("complexity", "error", "message"),
    [
        ([[1, 2]], ValueError, "shape"),
        ([], ValueError, "shape"),
        ([1, np.nan, 2], ValueError, "configuration 1 is nan"),
        (["a"], TypeError, "numbers"),
    ],
)
def test_complexity_is_checked(complexity, error, message):
    with pytest.raises(error, match=f"complexity.*{message}"):
        bbc.one_standard_error(complexity)


def test_complexity_must_fit_the_configurations():
    with pytest.raises(ValueError, match="complexity has 3 entries for 4 configurations"):
        bbc.one_standard_error([1, 2, 3]).check(4)


Y = np.tile([0, 1], 4)
GIVEN = np.tile([0, 1, 2, 3, 4, 5, 6, 6], (40, 1))


def on_problem(resamples=None, **options):
    problem = validation.problem(
        validation.Data(Y, np.ones((8, 2)), folds=Y), get_metric("roc_auc")
    )
    return validation.options(metric="roc_auc", **options).for_problem(problem, resamples)


def test_given_draws_need_no_seed_and_bring_their_number():
    found = on_problem(GIVEN, n_bootstraps=1000, random_state=1)
    assert (found.n_bootstraps, found.seed) == (40, None)
    assert (found.resamples == GIVEN).all()


@pytest.mark.parametrize(
    ("options", "resamples"),
    [
        ({"method": "bbc-f", "stratify_bootstrap": True}, None),
        ({"stratify_bootstrap": True}, GIVEN),
    ],
)
def test_strata_that_make_no_sense(options, resamples):
    with pytest.raises(ValueError, match="stratify_bootstrap"):
        on_problem(resamples, **options)
