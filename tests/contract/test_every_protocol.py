"""Every protocol with every metric on every kind of task."""

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

import bbc
from kinds import draws, of_folds
from nightly import covering

PROTOCOLS = [bbc.BBC, bbc.BBCD, of_folds, bbc.baselines.CVMCV, bbc.CVT, bbc.NCV, bbc.TT]
METRICS = bbc.metrics.names()
TASKS = {
    "binary": ("two classes",),
    "classes": ("two classes", "three classes"),
    "real": ("values",),
    "survival": ("survival",),
}
# Classes in order are numbers: text has none.
ORDINAL = {name for name in METRICS if bbc.metrics.get(name).orders_classes}
CASES = [
    (name, "ordered classes" if name in ORDINAL and task == "three classes" else task)
    for name, info in METRICS.items()
    for task in TASKS[info.target]
    # The multi-class AUCs are refused for two classes.
    if not (name.startswith("roc_auc_") and task == "two classes")
]
# Dropping is tried on few rows here, and says so.
pytestmark = pytest.mark.filterwarnings("ignore:BBC009")
N_ROWS = 60
NOISE = {"noise": [0.9, 0.0, 0.5]}
BEST = 1


class Known(BaseEstimator):
    """What it predicts is a mixture of a good and a useless column: its quality is known."""

    def __init__(self, noise=0.0):
        self.noise = noise

    def fit(self, X, y, sample_weight=None):
        self.weight_ = None if sample_weight is None else len(sample_weight)
        self.n_features_in_ = X.shape[1]
        return self

    def mixture(self, X):
        return (1 - self.noise) * X[:, 0] + self.noise * X[:, 1]


class KnownClassifier(ClassifierMixin, Known):
    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return super().fit(X, y, sample_weight)

    def predict_proba(self, X):
        distance = np.abs(self.mixture(X)[:, None] - np.arange(len(self.classes_)))
        likelihood = np.exp(-3 * distance)
        return likelihood / likelihood.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class KnownRegressor(RegressorMixin, Known):
    def predict(self, X):
        return np.maximum(self.mixture(X), 0.05)


class KnownRisk(Known):
    """Higher means an earlier event; neither a classifier nor a regressor, and has no score."""

    def predict(self, X):
        return -self.mixture(X)


def task_data(task):
    """Learner, inputs and truth of a kind of task."""
    rng = np.random.default_rng(3)
    if task == "survival":
        learner = KnownRisk()
        y = np.empty(N_ROWS, dtype=[("event", bool), ("time", float)])
        y["time"] = signal = rng.exponential(size=N_ROWS) + 0.1
        y["event"] = rng.random(N_ROWS) < 0.7
    elif task == "values":
        learner = KnownRegressor()
        y = signal = np.round(rng.gamma(2, 1, N_ROWS) + 0.1, 2)
    else:
        learner = KnownClassifier()
        codes = rng.permutation(np.arange(N_ROWS) % (2 if task == "two classes" else 3))
        y = codes if task == "ordered classes" else np.array(["a", "b", "c"])[codes]
        signal = codes
    useless = rng.normal(size=(N_ROWS, 2)) + 1
    return learner, np.column_stack([signal + rng.normal(0, 0.3, N_ROWS), useless]), y


def build(kind, learner, scoring, **options):
    # Draws of fewer than four folds have no interval.
    options = {"cv": 4 if kind is of_folds else 3, "random_state": 1} | options
    if METRICS[scoring].target == "binary":
        options = {"pos_label": "b"} | options
    if draws(kind):
        options |= {"n_bootstraps": 60}
    if kind is bbc.BBCD:
        options |= {"min_predictions": 20}
    return kind(learner, NOISE, scoring=scoring, **options)


def check(fitted, X, y):
    """Everything finite and in its range, the best configuration found, the model usable."""
    performance = fitted.performance_
    assert np.isfinite([performance.estimate, performance.apparent, performance.optimism]).all()
    if isinstance(fitted, bbc.BBC):
        low, high = performance.confidence_interval
        assert np.isfinite([low, high]).all()
        assert low <= performance.estimate <= high
    else:
        assert performance.confidence_interval is None
    assert fitted.best_index_ == performance.winner == BEST
    assert fitted.best_score_ == performance.apparent
    assert fitted.cv_results_["rank_test_score"][BEST] == 1
    assert fitted.predict(X).shape == (len(y),)
    assert np.isfinite(fitted.score(X, y))


@pytest.mark.parametrize(
    ("kind", "metric", "task"),
    covering([(kind, *case) for kind in PROTOCOLS for case in CASES], every=5),
)
def test_every_metric(kind, metric, task):
    learner, X, y = task_data(task)
    fitted = build(kind, learner, metric).fit(X, y)
    check(fitted, X, y)
    assert fitted.performance_.metric == metric
    assert fitted.performance_.greater_is_better == (
        METRICS[metric].direction == "higher is better"
    )
    with joblib.parallel_config("threading"):
        again = build(kind, learner, metric, n_jobs=2).fit(X, y)
    assert again.performance_ == fitted.performance_
    assert again.oos_predictions_.values.tobytes() == fitted.oos_predictions_.values.tobytes()


OF_WEIGHTS = [
    ("accuracy", "two classes"),
    ("roc_auc", "two classes"),
    ("log_loss", "three classes"),
    ("roc_auc_ovr", "three classes"),
    ("mean_absolute_error", "values"),
    ("r2", "values"),
    ("spearman", "values"),
    ("concordance_index", "survival"),
]


@pytest.mark.parametrize(
    ("kind", "metric", "task"),
    covering([(kind, *case) for kind in PROTOCOLS for case in OF_WEIGHTS], every=2),
)
def test_weights_and_groups(kind, metric, task):
    learner, X, y = task_data(task)
    X[:, 0] += np.random.default_rng(9).normal(0, 0.3, N_ROWS)  # no fold is ranked perfectly
    plain = build(kind, learner, metric).fit(X, y)
    weight = np.random.default_rng(5).integers(1, 5, N_ROWS)
    weighted = build(kind, learner, metric).fit(X, y, sample_weight=weight)
    check(weighted, X, y)
    assert weighted.best_estimator_.weight_ == N_ROWS, "the final fit gets the weights too"
    # All folds of the winner have an AUC of one, with weights and without.
    perfect = kind is of_folds and plain.performance_.estimate == 1
    assert perfect or weighted.performance_.estimate != plain.performance_.estimate
    scores = (one.cv_results_["mean_test_score"] for one in (weighted, plain))
    assert not np.array_equal(*scores)
    assert weighted.oos_predictions_.sample_weight.tolist() == weight.tolist()
    groups = np.repeat(np.arange(N_ROWS // 2), 2)
    grouped = build(kind, learner, metric).fit(X, y, groups=groups)
    check(grouped, X, y)
    folds = grouped.oos_predictions_.folds[0]
    assert (folds[::2] == folds[1::2]).all()
