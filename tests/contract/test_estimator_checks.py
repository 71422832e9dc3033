"""Every protocol is a scikit-learn estimator by scikit-learn's own checks."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import bbc

PROTOCOLS = [bbc.BBC, bbc.CVMCV, bbc.CVT, bbc.NCV]
# What GridSearchCV fails too.
EXPECTED: dict[str, str] = {}


def small(protocol, learner, grid, scoring):
    options = {"cv": 3 if protocol is bbc.NCV else 2, "error_score": "raise", "scoring": scoring}
    if "n_bootstraps" in protocol.__init__.__code__.co_varnames:
        options["n_bootstraps"] = 40
    return protocol(learner, grid, **options)


ESTIMATORS = [
    small(protocol, learner, grid, scoring)
    for protocol in PROTOCOLS
    for learner, grid, scoring in [
        (LogisticRegression(), {"C": [0.1, 1.0]}, None),
    ]
]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
