"""Only selection moves the estimate: with one configuration it is the apparent score."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import bbc
from families import compared_arrays
from golden.bits import generate
from streams import in_order

N_ROWS, N_BOOTSTRAPS = 40, 400
METRICS = [case for case in generate.make_cases() if generate.is_plain(case)]


def data_of(case):
    """The truth and one configuration of a case, on more rows than the table has."""
    rng = np.random.default_rng(7)
    data = generate.make_data()
    rows = np.concatenate([np.arange(generate.N_ROWS), rng.integers(0, generate.N_ROWS, 4)])
    y = generate.truth_of(data, case)[rows]
    (predictions,) = generate.predictions_of(data, case)
    return y, predictions[rows][:, 2:3]


@pytest.mark.parametrize("case", METRICS, ids=lambda case: f"{case.metric}-{case.truth}")
def test_the_estimate_is_the_apparent_score(case):
    y, prediction = data_of(case)
    e = bbc.correct(
        y, prediction, metric=case.metric, n_bootstraps=N_BOOTSTRAPS, random_state=case.seed
    )
    assert e.estimate == e.apparent
    assert e.optimism == 0
    published = bbc.correct(
        y,
        prediction,
        metric=case.metric,
        n_bootstraps=N_BOOTSTRAPS,
        random_state=case.seed,
        size_correction=False,
    )
    assert published.size_bias is None
    assert published.estimate == pytest.approx(np.mean(published.replicates), rel=1e-12)
    if e.size_bias is not None:
        assert e.size_bias == pytest.approx(published.estimate - e.apparent, abs=1e-12)
        return
    if case.metric != "r2":  # which is divided by another variance
        assert np.array_equal(e.replicates, published.replicates)
    # Scores of means scatter around the apparent score: five standard errors of their mean.
    error = e.replicate_sd / np.sqrt(N_BOOTSTRAPS)
    assert abs(np.mean(e.replicates) - e.apparent) <= 5 * error + 1e-12


def accuracy_of_one(**options):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 41)
    prediction = np.where(rng.random(41) < 0.8, y, 1 - y)[:, None]
    options = {"metric": "accuracy", "n_bootstraps": 99, "random_state": 1} | options
    return bbc.correct(y, options.pop("predictions", prediction), **options), y, prediction


def share_of_hits(y, labels):
    return float(np.mean(y == labels))


FUNCTION = bbc.metrics.from_callable(share_of_hits, predicts="labels")


@pytest.mark.parametrize("method", ["bbc", "bbc-two-level", "bbc-f"])
@pytest.mark.parametrize("metric", ["accuracy", FUNCTION], ids=["named", "function"])
def test_of_every_method(method, metric):
    folds = np.arange(41) % 6
    e, y, prediction = accuracy_of_one(method=method, folds=folds, metric=metric)
    assert e.estimate == e.apparent
    # Of these only one is in a metric's own fields: identical columns are two configurations.
    twice = bbc.correct(
        y, np.repeat(prediction, 2, axis=1), metric=metric, n_bootstraps=99, random_state=1,
        method=method, folds=folds,
    )  # fmt: skip
    assert twice.estimate == pytest.approx(np.mean(e.replicates), rel=1e-12)
    assert twice.estimate != e.estimate
    assert np.array_equal(twice.replicates, e.replicates)


def test_of_what_is_left_of_several():
    _, y, prediction = accuracy_of_one()
    scores = np.hstack([prediction, prediction]) + 0.0
    scores[3, 1] = np.nan
    e = bbc.correct(
        y, scores, metric="roc_auc", missing="drop-configurations", n_bootstraps=99, random_state=1
    )
    assert e.estimate == e.apparent
    assert "BBC027" in [each.code for each in e.findings]


def test_draws_that_are_given_keep_their_mean():
    rng = np.random.default_rng(0)
    e, *_ = accuracy_of_one(resamples=rng.integers(0, 41, (80, 41)))
    assert e.estimate == pytest.approx(np.mean(e.replicates), rel=1e-12)
    assert e.estimate != e.apparent


def test_a_limit_beyond_the_score_is_moved_to_it():
    """At a level of one per cent the limits are the median, which need not be the score."""
    found = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y, prediction = rng.normal(size=30), rng.normal(size=(30, 1)) ** 3
        e = bbc.correct(
            y, prediction, metric="mean_squared_error", n_bootstraps=200, confidence_level=0.01,
            random_state=1,
        )  # fmt: skip
        low, high = e.confidence_interval.low, e.confidence_interval.high
        assert low <= e.estimate <= high
        found += [e.estimate in (low, high)]
    assert any(found)


def test_a_chosen_cut_off_was_selected():
    rng = np.random.default_rng(5)
    y = (np.arange(60) % 3 == 0).astype(int)
    scores = y[:, None] + rng.normal(size=(60, 1))
    e = bbc.correct(
        y, scores, metric="balanced_accuracy", selection=bbc.best_threshold(), secondary=["recall"],
        n_bootstraps=99, random_state=1,
    )  # fmt: skip
    for each in (e, e.secondary["recall"]):
        assert each.estimate == pytest.approx(np.mean(each.replicates), rel=1e-12)
        assert each.estimate != each.apparent
    assert "BBC027" not in [each.code for each in e.findings]


@pytest.mark.parametrize("metric", ["f1", "average_precision", "spearman", "explained_variance"])
@pytest.mark.parametrize(
    "plan", ["repeats", "folds", "two-level", "weights", "groups", "stratified"]
)
def test_under_every_plan_a_shift_is_taken_whole(metric, plan):
    rng = np.random.default_rng(3)
    n = 60
    y = (np.arange(n) % 3 == 0).astype(int)
    scores = y[:, None] + rng.normal(size=(2, n, 1))
    if metric in ("spearman", "explained_variance"):
        y = rng.normal(size=n)
        scores = y[:, None] + scores
    predictions = (scores > 0.5).astype(int) if metric == "f1" else scores
    folds = np.stack([np.arange(n) // 3 % 5, np.arange(n) // 6 % 5])
    options = {
        "repeats": {"predictions": list(predictions)},
        "folds": {"folds": folds[0], "pooling": "fold"},
        "two-level": {"predictions": list(predictions), "folds": folds, "method": "bbc-two-level"},
        "weights": {"sample_weight": rng.integers(1, 9, n) / 7},
        "groups": {"groups": np.arange(n) // 2},
        "stratified": {"stratify_bootstrap": metric in ("f1", "average_precision")},
    }[plan]
    given = {"predictions": predictions[0], **options}
    e = bbc.correct(
        y, given.pop("predictions"), metric=metric, n_bootstraps=99, random_state=1, **given
    )
    assert e.estimate == pytest.approx(e.apparent, rel=1e-12)
    assert abs(e.size_bias) > 1e-6


def test_a_metric_read_of_the_winners_has_a_shift_of_its_own():
    rng = np.random.default_rng(5)
    y = (rng.random(50) < 0.4).astype(int)
    prediction = (y[:, None] + rng.normal(size=(50, 1)) > 0.5).astype(int)
    both = bbc.correct(
        y, prediction, metric="accuracy", secondary=["f1", "recall"], n_bootstraps=99,
        random_state=1,
    )  # fmt: skip
    f1 = both.secondary["f1"]
    assert f1.estimate == pytest.approx(f1.apparent, rel=1e-12)
    assert f1.size_bias is not None
    assert both.size_bias is None
    assert both.secondary["recall"].size_bias is None


def test_a_function_of_all_rows_has_a_shift():
    rng = np.random.default_rng(5)
    y = rng.normal(size=40)
    predictions = y[:, None] + rng.normal(size=(40, 3))

    def root(truth, prediction):
        return -float(np.sqrt(np.mean((truth - prediction) ** 2)))

    metric = bbc.metrics.from_callable(root, highest=0)
    own = bbc.correct(y, predictions, metric=metric, n_bootstraps=60, random_state=1)
    kernel = bbc.correct(
        y,
        predictions,
        metric="neg_root_mean_squared_error",
        n_bootstraps=60,
        random_state=1,
    )
    assert own.estimate == pytest.approx(kernel.estimate, rel=1e-12)
    assert own.size_bias == pytest.approx(kernel.size_bias, rel=1e-9)


def test_a_rule_of_ones_own_and_a_stream_take_the_same_shifts():
    rng = np.random.default_rng(5)
    y = (rng.random(50) < 0.4).astype(int)
    predictions = (y[:, None] + rng.normal(size=(50, 6)) > 0.5).astype(int)
    options = {"metric": "f1", "n_bootstraps": 80, "random_state": 1}
    best = bbc.correct(y, predictions, **options)
    rule = bbc.correct(
        y, predictions, selection=lambda scores, counts: int(np.argmax(scores)), **options
    )
    assert rule.replicate_winners.tolist() == best.replicate_winners.tolist()
    assert rule.replicates == pytest.approx(best.replicates, rel=1e-12)
    assert rule.size_bias == pytest.approx(best.size_bias, rel=1e-12)
    blocks = [(first, predictions[:, first : first + 3]) for first in (3, 0)]
    assert in_order(y, blocks, **options) == best


def test_subgroups_divide_r2_by_their_own_variance():
    rng = np.random.default_rng(8)
    n = 60
    y = np.concatenate([rng.normal(size=n), 20 + 0.1 * rng.normal(size=n)])
    prediction = y[:, None] + 0.05 * rng.normal(size=(2 * n, 1))
    by = np.repeat(["wide", "narrow"], n)
    found = bbc.correct(y, prediction, metric="r2", n_bootstraps=300, random_state=1).subgroups(by)
    for name in ("wide", "narrow"):
        e = found[name].estimate
        assert abs(e.estimate - e.apparent) < 5 * e.replicate_sd / np.sqrt(300)
        assert e.replicates == pytest.approx(np.minimum(e.replicates, 1))


SHIFTED = ["f1", "average_precision", "spearman", "neg_root_mean_squared_error", "mcc"]


def alone(metric, n=60, n_configurations=1, seed=3):
    """Truth and configurations of a metric that depends on the number of rows."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    if metric in ("spearman", "neg_root_mean_squared_error"):
        y = rng.normal(size=n)
    scores = y[:, None] + rng.normal(size=(n, n_configurations))
    return y, (scores > 0.5).astype(int) if metric in ("f1", "mcc") else scores


def is_the_apparent_one(e, published):
    assert e.estimate == pytest.approx(e.apparent, rel=1e-12)
    assert abs(e.size_bias) > 1e-6
    assert published.size_bias is None
    assert published.estimate == pytest.approx(e.apparent + e.size_bias, rel=1e-9)


def both(function, *arguments, **options):
    """With the shifts kept apart, and as published."""
    options = {"n_bootstraps": 99, "random_state": 1} | options
    return (function(*arguments, **options, size_correction=given) for given in (True, False))


@pytest.mark.parametrize("metric", SHIFTED)
def test_in_subgroups(metric):
    y, prediction = alone(metric)
    by = np.arange(60) % 2
    c, as_published = both(bbc.correct, y, prediction, metric=metric)
    found, published = c.subgroups(by), as_published.subgroups(by)
    for name in ("0", "1"):
        e, other = found[name].estimate, published[name].estimate
        if other.n_undefined == 0:
            is_the_apparent_one(e, other)
        assert e.estimate == pytest.approx(e.apparent, rel=1e-12)
    (difference,) = found.differences
    first, second = (found[name].estimate for name in ("0", "1"))
    sign = -1 if first.estimate < second.estimate else 1
    better = sign * (first.estimate - second.estimate)
    assert abs(difference.estimate) == pytest.approx(better, abs=0.02)


@pytest.mark.parametrize("metric", SHIFTED)
@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
def test_along_a_tuning_path(metric, method):
    y, predictions = alone(metric, n_configurations=4)
    predictions[:] = predictions[:, :1]
    folds = np.arange(60) // 6
    c, as_published = both(bbc.correct, y, predictions, metric=metric, method=method, folds=folds)
    path, published = c.tuning_path(), as_published.tuning_path()
    assert path.estimates == pytest.approx(path.apparent, rel=1e-12)
    is_the_apparent_one(path.estimate, published.estimate)


@pytest.mark.parametrize("metric", SHIFTED)
def test_of_families(metric):
    y, first = alone(metric)
    families = {"first": first, "second": alone(metric, seed=4)[1]}
    found, published = both(compared_arrays, y, families, metric=metric)
    for name, e in found.estimates.items():
        is_the_apparent_one(e, published.estimates[name])
    (difference,) = found.differences
    apart = found.estimates["first"].apparent - found.estimates["second"].apparent
    assert difference.estimate == pytest.approx(apart, rel=1e-9)


@pytest.mark.parametrize("metric", ["f1", "average_precision"])
def test_of_protocols(metric):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)

    for kind in (bbc.BBC, bbc.BBCD):
        search = kind(
            LogisticRegression(), {"C": [1.0]}, scoring=metric, n_bootstraps=99, random_state=0,
            cv=5, pooling="pooled", refit=False,
        ).fit(X, y)  # fmt: skip
        published = bbc.correct(search, size_correction=False)
        is_the_apparent_one(search.performance_, published)


def test_of_what_a_clinical_paper_reports():
    """Parts of the Brier score, calibration error, observed over expected, standardised benefit."""
    rng = np.random.default_rng(2)
    risk = rng.beta(1, 2, size=(60, 1))
    y = (rng.random(60) < risk[:, 0]).astype(int)
    options = {"metric": "log_loss", "n_bootstraps": 99, "random_state": 1}
    corrected = bbc.correct(y, risk, **options)
    c = corrected.calibration()
    published = bbc.correct(y, risk, **options, size_correction=False).calibration()
    parts = ("reliability", "resolution", "uncertainty", "within_bins", "calibration_error")
    for name in (*parts, "observed_expected"):
        quantity = getattr(c, name)
        assert quantity.estimate == pytest.approx(quantity.apparent, rel=1e-10)
        assert abs(getattr(published, name).estimate - quantity.apparent) > 1e-6
    d = corrected.decision_curve(thresholds=[0.2, 0.5])
    assert d.standardized.estimates == pytest.approx(d.standardized.apparent, rel=1e-10)
    # Means keep their replicates.
    assert c.brier_score == published.brier_score
    assert c.reliability.estimate < 0.7 * published.reliability.estimate


@pytest.mark.parametrize("selection", [bbc.best_threshold(), bbc.top_k(2)])
def test_chosen_cut_offs_and_ensembles_have_no_shift(selection):
    """Each replicate makes predictions of its own: no configuration whose shift it could lose."""
    rng = np.random.default_rng(5)
    y = (np.arange(60) % 3 == 0).astype(int)
    scores = y[:, None] + rng.normal(size=(60, 4))
    metric = "f1" if "threshold" in str(selection) else "average_precision"
    found, published = both(bbc.correct, y, scores, metric=metric, selection=selection)
    assert found.size_bias is None
    assert found == published


@pytest.mark.parametrize("metric", [None, "recall"])
def test_of_the_first_of_a_tuning_path(metric):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 41)
    predictions = np.where(rng.random((41, 4)) < 0.8, y[:, None], 1 - y[:, None])
    path = bbc.correct(
        y, predictions, metric="accuracy", n_bootstraps=99, random_state=1
    ).tuning_path(metric=metric)
    assert path.estimates[0] == path.apparent[0]
    assert path.estimates[1] != path.apparent[1]
