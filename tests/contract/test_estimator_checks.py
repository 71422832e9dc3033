"""Every protocol is a scikit-learn estimator by scikit-learn's own checks."""

import os
import subprocess
import sys
from functools import cache

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import bbc
from kinds import draws, of_folds
from nightly import covering

POOLED = [bbc.BBC, bbc.BBCD, bbc.baselines.CVMCV, bbc.CVT]
BY_FOLD = [of_folds, bbc.NCV, bbc.TT]
# What GridSearchCV fails too.
EXPECTED: dict[str, str] = {}


def small(protocol, learner, grid, **options):
    # Errors are raised, as in scikit-learn's own checks of its searches.
    options = {"cv": 3 if protocol is bbc.NCV else 2, "error_score": "raise"} | options
    if draws(protocol):
        options["n_bootstraps"] = 40
    return protocol(learner, grid, **options)


ESTIMATORS = [
    *(small(one, GaussianNB(), {"var_smoothing": [1e-9, 0.1]}) for one in POOLED + BY_FOLD),
    *(small(one, Ridge(), {"alpha": [0.1, 1.0]}) for one in POOLED),
    # Some checks have sorted y, constant in the folds of an int: R2 is undefined there, which
    # means over folds refuse.
    *(
        small(one, Ridge(), {"alpha": [0.1, 1.0]}, cv=bbc.baselines.QuantileKFold(3))
        for one in BY_FOLD
    ),
    small(bbc.CVT, LogisticRegression(), {"C": [0.1, 1.0]}),
]


# SciPy reads it when it is imported, and scikit-learn skips these checks without it.
ARRAY_API = {"SCIPY_ARRAY_API": "1"}
EVERY_CHECK = parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED)
NAMES = cache(EVERY_CHECK.kwargs["ids"])
HERE = [
    (estimator, check)
    for estimator, check in EVERY_CHECK.args[1]
    if ("array_api" in NAMES(check)) == (ARRAY_API.items() <= os.environ.items())
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("estimator", "check"),
    # Each protocol takes each check, with the classifier or with the regressor.
    covering(HERE, every=3, part=lambda one: NAMES(one) if callable(one) else one),
    ids=NAMES,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_checks_of_array_api_in_a_process_of_their_own():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0"]
    one = f"{__file__}::{test_scikit_learns_checks.__name__}"
    done = subprocess.run(
        [*command, one], env=os.environ | ARRAY_API, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert f"{len(ESTIMATORS)} passed" in done.stdout
    assert "skipped" not in done.stdout
