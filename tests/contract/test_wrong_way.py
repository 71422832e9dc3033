"""BBC020 for every metric: predictions that run against the truth within folds."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import rankdata

import bbc
from bbc import _engine, _validation, metrics
from bbc.errors import BBCWarning

N = 90
FOLDS = np.arange(N) % 5


def codes(y, predictions, metric, **options):
    options = {"folds": FOLDS, "n_bootstraps": 60, "random_state": 1} | options
    return [each.code for each in bbc.correct(y, predictions, metric=metric, **options).findings]


def centred(values):
    if not set(np.unique(values)) <= {0.0, 1.0}:
        values = np.column_stack([rankdata(column) for column in values.T])
    return values - values.mean(axis=0)


def association(y, predictions, metric, **design):
    data = _validation.Data(y, predictions, **design)
    metric = metrics.get(metric)
    return _engine.association(_validation.problem(data, metric, _validation.PLAIN), metric, 0)


@pytest.mark.parametrize("metric", ["r2", "roc_auc_ovr"])
def test_the_variance_is_that_of_all_permutations_within_folds(metric):
    rng = np.random.default_rng(1)
    folds = np.repeat([0, 1], 4)
    if metric == "r2":
        y = rng.normal(size=8)
        true, predicted = y[:, None], rng.normal(size=(8, 1)) - y[:, None]
    else:
        y = np.array([0, 1, 2, 0, 1, 1, 2, 0])
        true, predicted = np.eye(3)[y], rng.normal(size=(8, 3)) - np.eye(3)[y]
    given = predicted if metric == "r2" else predicted[:, None]
    correlation, statistic, _ = association(y, given, metric, folds=folds)
    p, t = ([centred(each[folds == k]) for k in (0, 1)] for each in (predicted, true))
    orders = [list(order) for order in permutations(range(4))]
    sums = [
        sum(float((a[order] * b).sum()) for a, b, order in zip(p, t, both, strict=True))
        for both in product(orders, repeat=2)
    ]
    total = sum((a * b).sum() for a, b in zip(p, t, strict=True))
    largest = sum(np.sqrt((a * a).sum() * (b * b).sum()) for a, b in zip(p, t, strict=True))
    assert np.mean(sums) == pytest.approx(0, abs=1e-12)
    # Two folds that share training rows, by the rule of Nadeau and Bengio.
    assert statistic == pytest.approx(total / np.sqrt(3 * np.var(sums)))
    assert correlation == pytest.approx(total / largest)


def of_kind(kind, rng):
    """A truth, predictions that follow it, the same turned round, and a metric of each."""
    signal = rng.normal(size=(N, 2))
    if kind == "numbers":
        return signal[:, 0] + 0.3, signal, 1 - signal, "r2"
    if kind == "correlation":
        return signal[:, 0] ** 3, signal, -signal, "squared_pearson"
    if kind == "risks":
        time = np.exp(-signal[:, 0] + 0.3 * rng.normal(size=N))
        truth = np.array(
            [(each < 2, min(each, 2)) for each in time], dtype=[("event", bool), ("time", float)]
        )
        return truth, signal, -signal, "concordance_index"
    if kind == "classes":
        y = np.digitize(signal[:, 0], [-0.5, 0.5])
        labels = np.column_stack([y, np.digitize(signal[:, 1], [-0.5, 0.5])])
        return y, labels, (labels + 1) % 3, "accuracy"
    if kind == "shares":
        y = np.digitize(signal[:, 0], [-0.5, 0.5])
        shares = np.stack([np.eye(3)[y] * 0.5 + 0.5 / 3] * 2, axis=1)
        return y, shares, shares[:, :, [1, 2, 0]], "log_loss"
    y = (signal[:, 0] > 0).astype(int)
    p = 1 / (1 + np.exp(-signal))
    return (y, (p > 0.5) * 1, 1 - (p > 0.5), "f1") if kind == "labels" else (y, p, 1 - p, kind)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize(
    "kind", ["numbers", "correlation", "risks", "classes", "shares", "labels", "brier_score"]
)
def test_predictions_that_are_turned_round_are_found(kind):
    y, right, turned, metric = of_kind(kind, np.random.default_rng(0))
    assert "BBC020" not in codes(y, right[:, :1], metric)
    assert "BBC020" in codes(y, turned[:, :1], metric)
    assert "BBC020" not in codes(y, turned[:, :1], metric, folds=np.arange(N))
    assert "BBC020" not in codes(y, turned[:, :1], metric, folds=None)


def test_it_is_a_warning_and_says_the_correlation():
    y, _, turned, metric = of_kind("numbers", np.random.default_rng(0))
    with pytest.warns(BBCWarning, match=r"BBC020 .* correlate with the truth by -(0\.\d+|1)"):
        bbc.correct(y, turned[:, :1], metric=metric, folds=FOLDS, random_state=0)


@pytest.mark.parametrize("n_folds", [5, 10, 45])
def test_the_mean_of_the_training_rows_is_no_wrong_way(n_folds):
    """It runs against the truth over all rows, and its r2 is below 0."""
    y = np.random.default_rng(n_folds).normal(size=N)
    folds = np.arange(N) % n_folds
    means = np.array([y[folds != fold].mean() for fold in folds])[:, None]
    e = bbc.correct(y, means, metric="r2", folds=folds, random_state=0)
    assert e.apparent < 0
    assert np.corrcoef(means[:, 0], y)[0, 1] < -0.1
    assert "BBC020" not in [each.code for each in e.findings]


def test_groups_count_as_one_row_each():
    """Thirty rows of one patient say no more than one."""
    rng = np.random.default_rng(4)
    patients = np.repeat(np.arange(10), 30)
    y, noise = (np.repeat(rng.normal(size=10), 30) for _ in range(2))
    p = noise - y
    folds = np.arange(10).repeat(30) % 2

    def found(**design):
        return association(y, p[:, None], "r2", folds=folds, **design)[2]

    assert found()
    assert not found(groups=patients)


def test_the_study_has_no_more_false_alarms_than_it_may(pytestconfig):
    """Of 2,010 nulls of each metric at most two in a thousand, and three standard errors."""
    import csv

    table = pytestconfig.rootpath / "benches" / "findings" / "wrong_way.csv"
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    of_metric = {}
    for row in rows:
        of_metric.setdefault((row["metric"], row["truth"]), []).append(row)
    assert len(of_metric) == 8
    for name, own in of_metric.items():
        n = sum(int(row["repetitions"]) for row in own)
        alarms = sum(float(row["null"]) * int(row["repetitions"]) for row in own)
        assert n >= 2000, name
        assert alarms <= 0.002 * n, name
