"""Selection rules and resampling plans."""

import numpy as np
import pytest

import bbc
from bbc.resampling import Resampling
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


def test_plans():
    given = Resampling(unit="row", n_bootstraps=10, seed=1, resamples=np.zeros((3, 5), np.int32))
    assert (given.n_bootstraps, given.seed) == (3, None)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"unit": "row", "seed": None}, "seed or resamples"),
        ({"unit": "fold", "seed": 1, "stratified": True}, "stratify_bootstrap"),
        (
            {"unit": "row", "seed": 1, "stratified": True, "resamples": np.zeros((1, 2), np.int32)},
            "stratify_bootstrap",
        ),
    ],
)
def test_plans_that_make_no_sense(fields, message):
    with pytest.raises(ValueError, match=message):
        Resampling(n_bootstraps=10, **fields)
