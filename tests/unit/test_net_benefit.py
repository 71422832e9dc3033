"""Net benefit of calls: what it is, takes and refuses."""

import numpy as np
import pytest

import bbc

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 60)
P = np.clip(RNG.random((60, 5)) * 0.7 + 0.3 * Y[:, None], 0, 1)


@pytest.mark.parametrize("threshold", [0.1, 0.4, 0.75])
def test_calls_by_risk_have_the_net_benefit_of_the_decision_curve(threshold):
    metric = bbc.metrics.net_benefit(threshold)
    calls = (P[:, :1] > threshold).astype(int)
    found = bbc.correct(Y, calls, metric=metric, n_bootstraps=40, random_state=1)
    by_risk = bbc.correct(Y, P[:, :1], metric="roc_auc", n_bootstraps=40, random_state=1)
    curve = by_risk.decision_curve(thresholds=[threshold])
    assert found.apparent == pytest.approx(curve.net_benefit.apparent[0], rel=1e-12)


def test_treating_all_and_none():
    both = np.column_stack([np.ones(60, int), np.zeros(60, int)])
    prevalence = Y.mean()
    for column, expected in ((0, prevalence - 0.25 * (1 - prevalence)), (1, 0.0)):
        found = bbc.correct(
            Y, both[:, [column]], metric=bbc.metrics.net_benefit(0.2), n_bootstraps=40
        )
        assert found.apparent == pytest.approx(expected, abs=1e-12)


def test_the_positive_class_may_be_any_label():
    calls = (P > 0.5).astype(int)
    metric = bbc.metrics.net_benefit(0.3)
    same = {"metric": metric, "random_state": 1, "n_bootstraps": 40}
    plain = bbc.correct(Y, calls, **same)
    words = np.array(["well", "ill"])
    text = bbc.correct(words[Y], words[calls], pos_label="ill", **same)
    turned = bbc.correct(1 - Y, 1 - calls, pos_label=0, **same)
    for other in (text, turned):
        np.testing.assert_array_equal(other.replicates, plain.replicates)


@pytest.mark.parametrize(
    ("calls", "match"),
    [(P, "have the label"), (np.where(P > 0.5, 2, 0), "have the label 2")],
)
def test_other_labels_are_refused(calls, match):
    with pytest.raises(ValueError, match=match):
        bbc.correct(Y, calls, metric=bbc.metrics.net_benefit(0.2))


@pytest.mark.parametrize(
    ("threshold", "error", "match"),
    [
        (0, ValueError, r"threshold must be in \(0, 1\), got 0"),
        (1.0, ValueError, r"threshold must be in \(0, 1\), got 1"),
        (float("nan"), ValueError, "threshold must be in"),
        ("0.2", TypeError, "threshold must be a number, got str"),
        (True, TypeError, "threshold must be a number, got bool"),
    ],
)
def test_thresholds_are_refused(threshold, error, match):
    with pytest.raises(error, match=match):
        bbc.metrics.net_benefit(threshold)


def test_a_protocol_selects_by_it():
    from sklearn.datasets import load_breast_cancer
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_breast_cancer(return_X_y=True)
    metric = bbc.metrics.net_benefit(0.2)
    search = bbc.BBC(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 3]},
        cv=4,
        scoring={"benefit": metric, "auc": "roc_auc"},
        refit="benefit",
        random_state=0,
    ).fit(X[:150], y[:150])
    again = bbc.correct(y[:150], search.oos_predictions_, metric=metric, random_state=0)
    np.testing.assert_array_equal(search.performance_.replicates, again.replicates)
    assert 0 < search.score(X, y) < y.mean()
    assert bbc.PerformanceEstimate.from_json(again.to_json()) == again
