"""The protocols share one search: how often it validates, and the scores that it keeps."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc import _validation
from kinds import of_folds

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.arange(60) % 2
GRID = {"n_neighbors": [1, 5]}
PROTOCOLS = (bbc.CVT, bbc.TT, bbc.baselines.CVMCV, bbc.NCV, bbc.BBC, of_folds, bbc.BBCD)


@pytest.mark.parametrize("protocol", [bbc.CVT, bbc.BBC, of_folds])
@pytest.mark.parametrize("scoring", [["accuracy"], ["accuracy", "roc_auc"]])
def test_data_are_validated_once_before_training_and_once_for_the_statistics(
    monkeypatch, protocol, scoring
):
    counts = {"without_predictions": 0, "problem": 0}

    def counted(name):
        plain = getattr(_validation, name)

        def call(*given, **options):
            # The comparison with scikit-learn's scorers reads single folds and made-up predictions.
            made = given[0].predictions if name == "problem" else None
            whole = isinstance(made, bbc.results.OutOfSamplePredictions) and made.n_rows == len(Y)
            counts[name] += name != "problem" or whole
            return plain(*given, **options)

        return call

    for name in counts:
        monkeypatch.setattr(_validation, name, counted(name))
    protocol(
        KNeighborsClassifier(), GRID, scoring=scoring, refit="accuracy", cv=5, n_repeats=2
    ).fit(X, Y)
    assert counts == {"without_predictions": len(scoring), "problem": len(scoring)}


@pytest.mark.parametrize("protocol", [one for one in PROTOCOLS if one is not of_folds])
def test_no_protocol_has_more_than_three_ancestors_of_ours(protocol):
    ours = [base for base in protocol.__mro__[1:] if base.__module__.startswith("bbc.")]
    assert len(ours) <= 3


def test_a_fold_that_leaves_the_metric_undefined_has_no_score():
    """The first fold tests one class only; the others have scikit-learn's value."""
    tests = [
        np.arange(0, 20, 2),
        np.setdiff1d(np.arange(30), np.arange(0, 20, 2)),
        np.arange(30, 60),
    ]
    cv = [(np.setdiff1d(np.arange(60), test), test) for test in tests]
    search = bbc.CVT(KNeighborsClassifier(), GRID, scoring="roc_auc", cv=cv, pooling="pooled").fit(
        X, Y
    )
    assert np.isnan(search.cv_results_["split0_test_score"]).all()
    scores = search.oos_predictions_.scores[0]
    for fold in (1, 2):
        expected = [roc_auc_score(Y[tests[fold]], scores[tests[fold], j]) for j in range(2)]
        found = search.cv_results_[f"split{fold}_test_score"]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
