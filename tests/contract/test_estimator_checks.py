"""Every protocol is a scikit-learn estimator by scikit-learn's own checks."""

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import bbc

POOLED = [bbc.BBC, bbc.BBCD, bbc.CVMCV, bbc.CVT]
BY_FOLD = [bbc.BBCF, bbc.NCV, bbc.TT]
# What GridSearchCV fails too.
EXPECTED: dict[str, str] = {}


def small(protocol, learner, grid, **options):
    # Errors are raised, as in scikit-learn's own checks of its searches.
    options = {"cv": 3 if protocol is bbc.NCV else 2, "error_score": "raise"} | options
    if issubclass(protocol, (bbc.BBC, bbc.BBCF)):
        options["n_bootstraps"] = 40
    return protocol(learner, grid, **options)


ESTIMATORS = [
    *(small(one, GaussianNB(), {"var_smoothing": [1e-9, 0.1]}) for one in POOLED + BY_FOLD),
    small(bbc.CVT, LogisticRegression(), {"C": [0.1, 1.0]}),
    *(small(one, Ridge(), {"alpha": [0.1, 1.0]}) for one in POOLED),
    # Some checks have sorted y, constant in the folds of an int: R2 is undefined there, which
    # means over folds refuse.
    *(small(one, Ridge(), {"alpha": [0.1, 1.0]}, cv=bbc.QuantileKFold(3)) for one in BY_FOLD),
]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
