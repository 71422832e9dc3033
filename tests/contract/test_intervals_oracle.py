"""Every interval and bound equals the slow implementation that was written from the papers."""

import numpy as np
import pytest

import bbc
from reference import intervals as oracle
from reference import philox

LEVELS = (0.8, 0.95)
ALTERNATIVES = ("two-sided", "greater", "less")
SPLIT, TILTING, WINNER_FOLDS, NAIVE_BOOTSTRAP = (2**31 + k for k in range(4))


def limits(estimate):
    return tuple(estimate.confidence_interval)


def sample(seed, n_rows=40, n_configurations=1, shift=1.0, digits=6):
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 3 == 0
    scores = rng.normal(size=(n_rows, n_configurations)) + shift * y[:, None]
    return y, np.round(scores, digits)


@pytest.fixture(params=[(1, 6), (2, 0), (3, 1)], ids=["no ties", "many ties", "some ties"])
def column(request):
    seed, digits = request.param
    y, scores = sample(seed, digits=digits)
    return y, scores[:, 0]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("level", LEVELS)
def test_auc_intervals(column, level, alternative):
    y, scores = column
    how = {"confidence_level": level, "alternative": alternative}
    e = bbc.baselines.intervals.delong(y, scores, **how)
    assert e.estimate == pytest.approx(oracle.auc(y, scores), rel=1e-14)
    assert limits(e) == pytest.approx(oracle.delong(y, scores, level, alternative), rel=1e-12)
    for variant, formula in (("standard", "standard"), ("published", "paraschakis2024")):
        e = bbc.baselines.intervals.hanley_mcneil(y, scores, variant=variant, **how)
        expected = oracle.hanley_mcneil(y, scores, level, alternative, formula)
        assert limits(e) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("k", [0, 1, 9, 22, 23])
def test_proportions(k, alternative):
    y = np.arange(23) % 2
    labels = np.where(np.arange(23) < k, y, 1 - y)
    for method in ("wilson", "clopper_pearson"):
        e = getattr(bbc.baselines.intervals, method)(y, labels, alternative=alternative)
        expected = getattr(oracle, method)(k, 23, alternative=alternative)
        assert limits(e) == pytest.approx(expected, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("level", LEVELS)
def test_intervals_of_one_learner(level, alternative):
    rng = np.random.default_rng(4)
    how = {"confidence_level": level, "alternative": alternative}
    scores, halves = rng.random(12), rng.random((2, 10))
    e = bbc.baselines.intervals.corrected_resampled_t(scores, n_train=80, n_test=20, **how)
    assert limits(e) == pytest.approx(oracle.corrected_t(scores, 80, 20, level, alternative))
    e = bbc.baselines.intervals.conservative_z(0.4, *halves, n_rows=100, **how)
    assert limits(e) == pytest.approx(oracle.conservative_z(0.4, *halves, level, alternative))
    e = bbc.baselines.intervals.wald(scores, **how)
    assert limits(e) == pytest.approx(oracle.wald(scores, level, alternative))


@pytest.mark.parametrize("cv_loss", [None, 0.47])
@pytest.mark.parametrize("spread", [0.0, 0.3, 5.0])  # naive, free and largest standard error
def test_nested_cv(spread, cv_loss):
    rng = np.random.default_rng(5)
    outer = [rng.random(6) + spread * rng.normal() for _ in range(10)]
    inner = [rng.random(24) for _ in range(10)]
    e = bbc.baselines.intervals.nested_cv(outer, inner, n_rows=30, n_folds=5, cv_loss=cv_loss)
    estimate, _, low, high = oracle.bates(inner, outer, 5, 30, cv_error=cv_loss)
    assert (e.estimate, *limits(e)) == pytest.approx((estimate, low, high), rel=1e-12)


def jackknife(y, scores, rows):
    return [oracle.auc(y[r], scores[r]) for r in (np.delete(rows, i) for i in range(len(rows)))]


def jackknife_error(values):
    return np.sqrt((len(values) - 1) * np.var(values))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_bootstrap_of_one_configuration(column, alternative):
    y, scores = column
    bags = []
    for replicate in range(60):
        counts = philox.draw_counts(6, replicate, stream=NAIVE_BOOTSTRAP, n_rows=len(y))
        bags.append(np.repeat(np.arange(len(y)), counts))
    replicates = [oracle.auc(y[bag], scores[bag]) for bag in bags]
    estimate, left_out = oracle.auc(y, scores), jackknife(y, scores, np.arange(len(y)))
    errors = [jackknife_error(jackknife(y, scores, bag)) for bag in bags]
    unit, how = (0.0, 1.0), (0.9, alternative)
    expected = {
        "percentile": oracle.percentile(replicates, *how, unit),
        "basic": oracle.basic(estimate, replicates, *how, unit),
        "bca": oracle.bca(estimate, replicates, left_out, *how, unit),
        "studentized": oracle.studentised(
            estimate, jackknife_error(left_out), replicates, errors, *how, unit
        ),
    }
    for kind, interval in expected.items():
        e = bbc.baselines.intervals.naive_bootstrap(
            y,
            scores,
            metric="roc_auc",
            kind=kind,
            n_bootstraps=60,
            confidence_level=0.9,
            alternative=alternative,
            random_state=6,
        )
        np.testing.assert_allclose(e.replicates, replicates, rtol=1e-14)
        assert limits(e) == pytest.approx(np.clip(interval, *unit), rel=1e-11), kind


def tilting_counts(n_replicates, n_rows, strata, seed=7):
    return [
        philox.draw_counts(seed, b, stream=TILTING, n_rows=n_rows, strata=strata)
        for b in range(n_replicates)
    ]


@pytest.mark.parametrize("variant", ["standard", "published"])
def test_tilting_of_the_auc(column, variant):
    y, scores = column
    counts = tilting_counts(300, len(y), y.tolist())
    e = bbc.baselines.intervals.tilting(
        y, scores, n_bootstraps=300, variant=variant, random_state=7
    )
    expected = oracle.bt("roc_auc", y, scores, counts, variant=variant)
    assert e.confidence_interval.low == pytest.approx(expected.bound, rel=1e-9)
    assert e.effective_sample_size == pytest.approx(expected.effective_size, rel=1e-6)


def test_tilting_up_is_tilting_down_of_the_other_class(column):
    y, scores = column
    facts = {"n_bootstraps": 300, "random_state": 7}
    upper = bbc.baselines.intervals.tilting(y, scores, alternative="less", **facts)
    mirrored = bbc.baselines.intervals.tilting(y, -scores, **facts)
    high = 1 - mirrored.confidence_interval.low
    assert upper.confidence_interval.high == pytest.approx(high, rel=1e-9)


@pytest.mark.parametrize("variant", ["standard", "published"])
def test_mabt_of_the_auc(variant):
    y, scores = sample(8, n_configurations=4)
    counts = tilting_counts(300, len(y), y.tolist())
    e = bbc.baselines.intervals.tilting(
        y, scores, n_bootstraps=300, variant=variant, random_state=7
    )
    assert e.winner == int(np.argmax([oracle.auc(y, s) for s in scores.T]))
    expected = oracle.mabt("roc_auc", y, scores, e.winner, counts, variant=variant)
    assert e.confidence_interval.low == pytest.approx(expected.bound, rel=1e-9)


def test_tilting_of_the_accuracy():
    y, scores = sample(9, n_rows=50, n_configurations=3)
    labels = (scores > 0.5).astype(int)
    right = (labels == y[:, None]).astype(int)
    counts = tilting_counts(400, len(y), None)
    facts = {"metric": "accuracy", "n_bootstraps": 400, "random_state": 7}
    e = bbc.baselines.intervals.tilting(y, labels[:, 0], **facts)
    expected = oracle.bt("accuracy", None, right[:, 0], counts)
    assert e.confidence_interval.low == pytest.approx(expected.bound, rel=1e-9)
    e = bbc.baselines.intervals.tilting(y, labels, **facts)
    expected = oracle.mabt("accuracy", None, right, e.winner, counts)
    assert e.confidence_interval.low == pytest.approx(expected.bound, rel=1e-9)


def learn_mask(y, folds, seed):
    """The first acceptable split of the documented stream."""
    n = len(y)
    for attempt in range(1000):
        source = philox.words(seed, 0, attempt, SPLIT)
        rows = list(range(n))
        for i in range(3 * n // 4):
            j = i + philox.bounded(source, n - i)
            rows[i], rows[j] = rows[j], rows[i]
        learn = np.isin(np.arange(n), rows[: 3 * n // 4])
        if oracle.acceptable(y, folds, learn):
            return learn, attempt + 1
    raise AssertionError("no split")


@pytest.mark.parametrize("rule", ["best", "top10%"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bounds_of_a_selected_configuration(rule, seed):
    y, predictions = sample(10 + seed, n_rows=90, n_configurations=25)
    folds = np.random.default_rng(seed).permutation(90) % 5
    learn, n_splits = learn_mask(y, folds, seed)
    selected = oracle.select(y, predictions, folds, learn, rule)
    held_out = y[~learn], predictions[~learn]
    scores = held_out[1][:, selected.selected]
    level = 1 - oracle.sidak(0.05, len(selected.candidates))
    expected = {
        "delong": oracle.delong(held_out[0], scores, level, "greater")[0],
        "hanley-mcneil": oracle.hanley_mcneil(held_out[0], scores, 0.95, "greater")[0],
    }
    for method, low in expected.items():
        bound = bbc.baselines.bound(
            y, predictions, folds, method=method, rule=rule, random_state=seed
        )
        assert bound.low == pytest.approx(low, rel=1e-11)
        assert bound.winner == selected.selected
        assert bound.candidates == tuple(selected.candidates)
        assert bound.evaluation_rows == tuple(np.flatnonzero(~learn))
        assert bound.n_splits == n_splits
    counts = tilting_counts(300, len(scores), held_out[0].tolist(), seed)
    facts = {"rule": rule, "n_bootstraps": 300, "random_state": seed}
    bound = bbc.baselines.bound(y, predictions, folds, method="bt", **facts)
    low = oracle.bt("roc_auc", held_out[0], scores, counts, level).bound
    assert bound.low == pytest.approx(low, rel=1e-9)
    columns = held_out[1][:, selected.candidates]
    winner = selected.candidates.index(selected.selected)
    bound = bbc.baselines.bound(y, predictions, folds, method="mabt", **facts)
    low = oracle.mabt("roc_auc", held_out[0], columns, winner, counts).bound
    assert bound.low == pytest.approx(low, rel=1e-9)


def test_published_hanley_mcneil_counts_all_rows():
    y, predictions = sample(20, n_rows=90, n_configurations=5)
    folds = np.arange(90) // 3 % 5
    bound = bbc.baselines.bound(
        y, predictions, folds, method="hanley-mcneil", variant="published", random_state=4
    )
    rows = list(bound.evaluation_rows)
    low, _ = oracle.hanley_mcneil(
        y[rows], predictions[rows, bound.winner], 0.95, "greater", "paraschakis2024", n_total=90
    )
    assert bound.low == pytest.approx(low, rel=1e-12)


def test_naive_bound_resamples_the_winners_folds():
    y, predictions = sample(21, n_rows=90, n_configurations=8)
    folds = np.arange(90) // 3 % 6
    scores = [[oracle.auc(y[folds == k], p[folds == k]) for k in range(6)] for p in predictions.T]
    winner = int(np.argmax(np.mean(scores, axis=1)))
    drawn = []
    for replicate in range(1000):
        source = philox.words(5, replicate, 0, WINNER_FOLDS)
        drawn.append([philox.bounded(source, 6) for _ in range(6)])
    bound = bbc.baselines.bound(y, predictions, folds, method="nb", random_state=5)
    assert bound.winner == winner
    assert bound.estimate == pytest.approx(np.mean(scores[winner]), rel=1e-14)
    assert bound.low == pytest.approx(oracle.nb(scores[winner], drawn)[0], rel=1e-13)


@pytest.mark.parametrize("method", ["bbc", "bbc-f"])
def test_bbc_is_the_correction_on_all_rows(method):
    y, predictions = sample(22, n_rows=60, n_configurations=8)
    folds = np.arange(60) // 3 % 6
    bound = bbc.baselines.bound(y, predictions, folds, method=method, random_state=6)
    e = bbc.correct(
        y,
        predictions,
        metric="roc_auc",
        method=method,
        folds=folds,
        alternative="greater",
        random_state=6,
    )
    assert (bound.estimate, bound.confidence_interval) == (e.estimate, e.confidence_interval)
