"""Ordered classes, counts, quantiles and several outputs: each works, or says what to do."""

import numpy as np
import pytest
from sklearn.linear_model import PoissonRegressor, QuantileRegressor, Ridge
from sklearn.metrics import make_scorer, mean_pinball_loss, mean_poisson_deviance
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

import bbc
from data import make_predictions
from reference.metrics import score

RNG = np.random.default_rng(0)
N_ROWS = 60
X = RNG.normal(size=(N_ROWS, 3))
COUNTS = RNG.poisson(np.exp(0.5 + 0.3 * X[:, 0]))
REAL = X[:, 0] + RNG.normal(size=N_ROWS)
GRADES = np.digitize(REAL, [-0.7, 0.7])
OUTPUTS = np.column_stack([REAL, X[:, 1]])
LABELS = (OUTPUTS > 0).astype(int)


# A. C. Constantinou, N. E. Fenton, "Solving the problem of inadequate scoring rules for assessing
# probabilistic football forecast models", Journal of Quantitative Analysis in Sports 8 (2012),
# Table 2: home win, draw, away win.
PUBLISHED = [
    (0, (1.0, 0.0, 0.0), 0.0),
    (0, (0.9, 0.1, 0.0), 0.005),
    (0, (0.8, 0.1, 0.1), 0.025),
    (0, (0.5, 0.25, 0.25), 0.15625),
    (1, (0.35, 0.30, 0.35), 0.1225),
    (1, (0.60, 0.30, 0.10), 0.185),
    (0, (0.60, 0.25, 0.15), 0.09125),
    (0, (0.60, 0.15, 0.25), 0.11125),
    (1, (0.57, 0.33, 0.10), 0.16745),
    (1, (0.60, 0.20, 0.20), 0.2),
]


@pytest.mark.parametrize(("outcome", "forecast", "published"), PUBLISHED)
def test_ranked_probability_score_of_published_forecasts(outcome, forecast, published):
    y = np.array([outcome] * 8)
    predictions = np.tile(forecast, (8, 1, 1))
    e = bbc.correct(
        y, predictions, metric="ranked_probability_score", labels=[0, 1, 2], random_state=1
    )
    assert e.apparent == pytest.approx(published, abs=1e-15)
    assert score("ranked_probability_score", y, predictions[:, 0], classes=(0, 1, 2)) == (
        pytest.approx(published, abs=1e-15)
    )
    assert e.metric_range == (0.0, 1.0)


def test_two_classes_have_their_brier_score():
    rng = np.random.default_rng(1)
    y, p = rng.integers(0, 2, 50), rng.random((50, 4))
    for predictions in (p, np.stack([1 - p, p], axis=2)):
        ranked = bbc.correct(y, predictions, metric="ranked_probability_score", random_state=1)
        brier = bbc.correct(y, predictions, metric="brier_score", random_state=1)
        assert ranked.replicates.tobytes() == brier.replicates.tobytes()


def test_a_call_beside_the_truth_costs_less_than_one_far_off():
    y = np.zeros(30, dtype=int)
    near, far = [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]
    predictions = np.tile([near, far], (30, 1, 1))
    ranked = bbc.correct(
        y, predictions, metric="ranked_probability_score", labels=[0, 1, 2], random_state=1
    )
    assert (ranked.winner, ranked.greater_is_better) == (0, False)
    assert ranked.apparent == pytest.approx((0.9**2 + 0.1**2) / 2)


@pytest.mark.parametrize("metric", ["ranked_probability_score", "ordinal_mean_absolute_error"])
def test_text_has_no_order(metric):
    y = np.array(["low", "medium", "high"])[GRADES]
    predictions = make_predictions(metric, GRADES, np.random.default_rng(0), 3)
    with pytest.raises(TypeError, match=r"labels that are text.*code the classes 0, 1, 2"):
        bbc.correct(y, predictions, metric=metric)


def test_protocols_ask_for_the_probabilities_that_ordered_classes_need():
    grid = {"n_neighbors": [5, 9, 15]}
    search = bbc.BBC(
        KNeighborsClassifier(), grid, cv=5, scoring="ranked_probability_score", random_state=1
    ).fit(X, GRADES)
    assert search.oos_predictions_.scores.shape[-1] == 3
    assert 0 < search.performance_.estimate < 0.5


def test_counts_are_scored_as_scikit_learn_scores_them():
    search = bbc.BBC(
        PoissonRegressor(), {"alpha": [0.1, 1.0]}, cv=5, scoring="poisson_deviance", random_state=1
    ).fit(X, COUNTS)
    predicted = search.oos_predictions_.values[0][:, search.best_index_]
    assert search.best_score_ == pytest.approx(mean_poisson_deviance(COUNTS, predicted), rel=1e-12)
    negative = np.where(np.arange(N_ROWS)[:, None] == 7, -0.5, 1.0)
    with pytest.raises(ValueError, match=r"must be in \(0, inf\).* row 7"):
        bbc.correct(COUNTS, negative, metric="poisson_deviance")


def test_quantiles_are_scored_at_their_level():
    scoring = bbc.metrics.get("pinball_loss", alpha=0.9)
    search = bbc.BBC(
        QuantileRegressor(quantile=0.9),
        {"alpha": [0.0, 0.1]},
        cv=5,
        scoring=scoring,
        random_state=1,
    ).fit(X, REAL)
    predicted = search.oos_predictions_.values[0][:, search.best_index_]
    theirs = mean_pinball_loss(REAL, predicted, alpha=0.9)
    assert search.best_score_ == pytest.approx(theirs, rel=1e-12)
    scorer = make_scorer(mean_pinball_loss, alpha=0.9, greater_is_better=False)
    same = bbc.correct(REAL, predicted[:, None], metric=scorer, random_state=1)
    assert same.apparent == pytest.approx(-theirs, rel=1e-12)


@pytest.mark.parametrize("y", [OUTPUTS, LABELS], ids=["outputs", "labels"])
@pytest.mark.parametrize(
    ("fit", "advice"),
    [
        (lambda y: bbc.correct(y, RNG.random((N_ROWS, 3)), metric="accuracy"), "correct each"),
        (
            lambda y: bbc.correct(y, RNG.random((N_ROWS, 3, 2)), metric="mean_squared_error"),
            "correct each output in a call of its own, or the mean loss",
        ),
        (lambda y: bbc.BBC(Ridge(), {"alpha": [1.0, 2.0]}, cv=4).fit(X, y), "fit one output"),
        (
            lambda y: bbc.keep_predictions(GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=4)).fit(X, y),
            "fit one output at a time, or correct the fold scores",
        ),
        (lambda y: bbc.baselines.resampling_error(Ridge(), X, y), "fit one output"),
    ],
    ids=["labels", "values", "protocol", "search", "learner"],
)
def test_several_outputs_are_refused_with_what_to_do(y, fit, advice):
    match = rf"\(60, 2\)[ a-z.]*; several outputs, real or labels, are not supported: {advice}"
    with pytest.raises(ValueError, match=match):
        fit(y)


def test_sets_of_labels_and_their_metrics_are_refused():
    sets = [[0, 1], [1]] * (N_ROWS // 2)
    with pytest.raises(ValueError, match="y has rows of different lengths; several outputs"):
        bbc.CVT(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, cv=4).fit(X, sets)
    with pytest.raises(ValueError, match="'f1_samples' is for several labels of a row, which are"):
        bbc.correct(LABELS[:, 0], LABELS, metric="f1_samples")


@pytest.mark.parametrize("y", [OUTPUTS, LABELS], ids=["outputs", "labels"])
def test_the_fold_scores_of_several_outputs_are_corrected_as_advised(y):
    """A search over all outputs has one score per fold, which is all that BBC-F reads."""
    search = GridSearchCV(Ridge(), {"alpha": [1.0, 10.0, 100.0]}, cv=5).fit(X, y)
    corrected = bbc.correct(search, random_state=1)
    by_fold = [search.cv_results_[f"split{k}_test_score"] for k in range(5)]
    assert corrected.apparent == pytest.approx(np.mean(by_fold, axis=0).max(), rel=1e-12)
    assert corrected.winner == search.best_index_


def test_the_mean_loss_over_outputs_is_corrected_as_advised():
    predictions = OUTPUTS[:, None, :] + RNG.normal(size=(N_ROWS, 5, 2))
    losses = ((predictions - OUTPUTS[:, None, :]) ** 2).mean(axis=2)
    mean = bbc.metrics.row_loss(lambda y, loss: loss, name="mean of outputs")
    e = bbc.correct(np.zeros(N_ROWS), losses, metric=mean, random_state=1)
    assert e.winner == losses.mean(axis=0).argmin()
    assert e.apparent == pytest.approx(losses.mean(axis=0).min(), rel=1e-12)
