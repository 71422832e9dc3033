"""Every metric that scikit-learn has too gives scikit-learn's value, and the slow path's."""

from itertools import product

import numpy as np
import pytest
from sklearn import metrics as sk

import bbc
from nightly import covering

N = 60
RNG = np.random.default_rng(7)
BINARY = RNG.integers(0, 2, N)
CLASSES = np.array(["a", "b", "c"])[RNG.choice(3, N, p=[0.5, 0.3, 0.2])]
REAL = np.round(RNG.gamma(2.0, size=N), 1) + 0.1
# Rounded, so that there are ties.
SCORES = np.round(RNG.random((N, 4)), 1)
CLASS_SCORES = np.round(RNG.random((N, 4, 3)) + 0.01, 2)
CLASS_SCORES /= CLASS_SCORES.sum(axis=2, keepdims=True)
WEIGHTS = np.round(RNG.random(N) + 0.1, 2)

NAMED = [name for name in sk.get_scorer_names() if name in bbc.metrics.names()]


def labelled(y):
    """Predicted labels that are right for about half of the rows."""
    classes = np.unique(y)
    guess = classes[RNG.integers(0, len(classes), (N, 4))]
    return np.where(RNG.random((N, 4)) < 0.4, y[:, None], guess)


DATA = {
    ("binary", "labels"): (BINARY, labelled(BINARY)),
    ("binary", "score"): (BINARY, SCORES),
    ("classes", "labels"): (CLASSES, labelled(CLASSES)),
    ("classes", "class_scores"): (CLASSES, CLASS_SCORES),
    ("classes", "class_probabilities"): (CLASSES, CLASS_SCORES),
    ("real", "value"): (REAL, np.round(RNG.gamma(2.0, size=(N, 4)), 1) + 0.1),
}


def data(metric):
    return DATA[metric.target, metric.predicts]


def expected(name, y, prediction, weights=None):
    scorer = sk.get_scorer(name)
    function, kwargs = scorer._score_func, dict(scorer._kwargs)
    if kwargs.get("average") == "binary" or function is sk.average_precision_score:
        kwargs["pos_label"] = 1
    return scorer._sign * function(y, prediction, sample_weight=weights, **kwargs)


WITHOUT_WEIGHTS = {"roc_auc_ovo", "roc_auc_ovo_weighted"}  # in scikit-learn


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_apparent_is_scikit_learns_value(name, weights):
    y, predictions = data(bbc.metrics.get(name))
    if weights is not None and name in WITHOUT_WEIGHTS:
        weights = np.ones(N)
    for column in range(4):
        result = bbc.correct(
            y,
            predictions[:, [column]],
            metric=name,
            sample_weight=weights,
            n_bootstraps=40,
            random_state=0,
        )
        value = expected(
            name, y, predictions[:, column], None if name in WITHOUT_WEIGHTS else weights
        )
        assert result.apparent == pytest.approx(value, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    "name",
    [
        "accuracy",
        "f1",
        "matthews_corrcoef",
        "neg_mean_squared_error",
        "r2",
        "neg_log_loss",
        "roc_auc",
        "average_precision",
        "roc_auc_ovr",
    ],
)
def test_a_callable_sees_the_same_replicates(name):
    metric = bbc.metrics.get(name)
    y, predictions = data(metric)

    def slow(truth, prediction):
        if len(np.unique(truth)) < 2 and metric.needs_classes:
            return np.nan
        return expected(name, truth, prediction)

    wrapped = bbc.metrics.from_callable(slow, predicts=metric.predicts, target=metric.target)
    fast, one_by_one = (
        bbc.correct(
            y, predictions, metric=one, n_bootstraps=40, random_state=3, size_correction=False
        )
        for one in (name, wrapped)
    )
    assert one_by_one.replicates == pytest.approx(fast.replicates, rel=1e-12)
    assert one_by_one.replicate_winners.tolist() == fast.replicate_winners.tolist()
    # Limits of squared errors allow for long tails on the side of large errors.
    side = "high" if name in ("neg_mean_squared_error", "r2") else "low"
    limits = one_by_one.confidence_interval, fast.confidence_interval
    assert getattr(limits[0], side) == pytest.approx(getattr(limits[1], side))


OF_CLASSES = [name for name in bbc.metrics.names() if name.startswith("roc_auc_ov")]


@pytest.mark.parametrize("name", OF_CLASSES)
@pytest.mark.parametrize("pos_label", [1, 0])
def test_one_score_per_row_serves_metrics_of_classes_where_there_are_two(name, pos_label):
    """As in scikit-learn, where they are the AUC of the positive class then."""
    repeats = [SCORES, np.round(RNG.random((N, 4)), 1)]
    options = {"pos_label": pos_label, "random_state": 3, "n_bootstraps": 200}
    for predictions in (SCORES, repeats, bbc.Blocks([SCORES[:, :3], SCORES[:, 3:]])):
        plain, own = (
            bbc.correct(BINARY, predictions, metric=one, **options) for one in ("roc_auc", name)
        )
        assert own.replicates == pytest.approx(plain.replicates, rel=1e-14)
        assert own.replicate_winners.tolist() == plain.replicate_winners.tolist()
        assert (own.metric, own.n_redrawn) == (name, plain.n_redrawn)


@pytest.mark.parametrize("name", OF_CLASSES)
def test_more_classes_need_a_score_each(name):
    with pytest.raises(ValueError, match=r"predictions must have shape \(n_rows, n_conf.*, 3\)"):
        bbc.correct(CLASSES, SCORES, metric=name)


def test_undefined_folds_of_a_callable_are_counted_as_the_kernels():
    def auc(y, scores):
        return sk.roc_auc_score(y, scores) if len(np.unique(y)) == 2 else np.nan

    y, facts = (np.arange(N) % 6 == 0).astype(int), {"folds": np.arange(N) % 7, "pooling": "fold"}
    fast, by_call = (
        bbc.correct(y, SCORES, metric=metric, n_bootstraps=40, random_state=3, **facts)
        for metric in ("roc_auc", bbc.metrics.from_callable(auc, predicts="score"))
    )
    assert fast.undefined_fold_share > 0
    assert by_call.undefined_fold_share == fast.undefined_fold_share


@pytest.mark.parametrize(
    ("alternative", "greater_is_better"),
    covering(list(product(("two-sided", "greater", "less"), (True, False))), every=3),
)
def test_nothing_leaves_a_range_that_nobody_gave(alternative, greater_is_better):
    """Quadratic kappa's limit was 1.0024 and its open end infinite."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 50)
    labels = np.where(rng.random((50, 6)) < 0.9, y[:, None], rng.integers(0, 3, (50, 6)))
    sign = 1 if greater_is_better else -1

    def kappa(truth, predicted):
        return sign * sk.cohen_kappa_score(truth, predicted, weights="quadratic")

    asked = {"random_state": 1, "n_bootstraps": 200, "alternative": alternative}
    ends = dict(zip(("lowest", "highest"), sorted([-sign, sign]), strict=True))
    unknown, known = (
        bbc.correct(
            y,
            labels,
            metric=bbc.metrics.from_callable(kappa, greater_is_better, name="kappa", **given),
            **asked,
        )
        for given in ({}, ends)
    )
    published = bbc.correct(
        y,
        labels,
        metric=bbc.metrics.from_callable(kappa, greater_is_better, name="kappa", **ends),
        size_correction=False,
        **asked,
    )
    assert (unknown.metric_range, known.metric_range) == (None, (-1, 1))
    assert unknown.size_bias is None
    assert known.size_bias != 0
    assert unknown.replicates.tolist() == published.replicates.tolist()
    smallest, largest = unknown.replicates.min(), unknown.replicates.max()
    assert smallest <= unknown.confidence_interval.low
    assert unknown.confidence_interval.high <= largest
    if alternative != "two-sided":
        open_end = {"greater": largest, "less": smallest}[alternative]
        assert open_end in tuple(unknown.confidence_interval)[:2]
    assert ("range", "not known") in unknown.facts
    assert "range" not in dict(known.facts)
    assert bbc.PerformanceEstimate.from_json(unknown.to_json()) == unknown
