"""Limits where folds are drawn, or rows within classes, against the oracle of section 16."""

import math

import numpy as np
import pytest
from scipy.stats import norm

import bbc
from bbc import _core
from reference import drawn_limits as oracle
from reference import metrics as by_formula
from reference import score_limits

LABELS = ("accuracy", "balanced_accuracy", "f1", "precision", "mcc", "kappa")
SCORES = ("brier_score", "log_loss", "roc_auc", "average_precision")
DRAWS = ("bbc-f", "bbc-two-level", "within classes", "calibrated")
OPTIONS = {"n_bootstraps": 200, "random_state": 3}
RANGES = {"mcc": (-1, 1), "kappa": (-1, 1), "log_loss": (0, math.inf)}


def stratified(y, n_folds, n_repeats, seed):
    """Folds with the same shares of all classes."""
    rng = np.random.default_rng(seed)
    folds = np.empty((n_repeats, len(y)), int)
    for own in folds:
        for code in np.unique(y):
            rows = rng.permutation(np.flatnonzero(y == code))
            own[rows] = np.arange(len(rows)) % n_folds
    return folds


def case(metric, *, n=90, share=0.3, n_folds=6, n_repeats=1, n_configurations=4, seed=0):
    rng = np.random.default_rng([seed, n])
    y = (np.arange(n) < round(share * n)).astype(int)
    noise = rng.normal(size=(n_repeats, n, n_configurations))
    scores = 1 / (1 + np.exp(-(noise + 2 * y[:, None] - 1.2)))
    predictions = (scores > 0.4).astype(int) if metric in LABELS else scores
    return y, list(predictions), stratified(y, n_folds, n_repeats, seed)


def corrected(metric, draws, y, predictions, folds, **options):
    given = {"bbc-f": {}, "calibrated": {"interval": "calibrated"}}.get(draws, {})
    method = "bbc-two-level" if draws == "calibrated" else draws
    if draws == "within classes":
        method, given = "bbc", {"stratify_bootstrap": True}
    return bbc.correct(
        y, predictions, metric=metric, method=method, folds=folds, **given, **OPTIONS | options
    )


def own_limits(c, draws, y, predictions, metric, folds, **design):
    """Those of the replicates, or the calibrated ones."""
    interval = c.confidence_interval
    level, alternative = interval.confidence_level, interval.alternative
    if draws != "calibrated":
        return _core.order_statistic_interval(c.replicates, level, alternative, -math.inf, math.inf)
    n_folds, n_repeats = int(folds.max()) + 1, len(folds)
    overlap = 1 if n_repeats == 1 else n_folds / (n_folds - 1)
    kept = sum(
        math.comb(n_folds, j) * surjections(n_folds, j) / n_folds**n_folds
        for j in range(1, n_folds)
    )
    factor = (
        sum(
            math.comb(n_folds, j)
            * surjections(n_folds, j)
            / n_folds**n_folds
            * (n_folds / (n_folds - j) - 1)
            for j in range(1, n_folds)
        )
        / kept
    )
    sd = math.sqrt((1 + overlap) * c.replicate_sd**2 / factor + max(0, c.model_luck.luck_variance))
    z = norm.ppf(1 - oracle.tail(level, alternative))
    return c.estimate - z * sd, c.estimate + z * sd


def surjections(n, k):
    return sum((-1) ** i * math.comb(k, i) * (k - i) ** n for i in range(k + 1))


def of_losses(metric, c, y, predictions, weights, groups, z):
    """Limits of a mean of losses around the estimate."""
    risks = np.array([repeat[:, c.winner] for repeat in predictions])
    squares = (risks - y) ** 2
    values = squares if metric == "brier_score" else -np.log(np.where(y == 1, risks, 1 - risks))
    return oracle.mean_hull(c.estimate, values, weights, groups, z)


def hull(metric, c, y, predictions, weights, groups, needed, z):
    """The score interval of the winner's rates or losses around the estimate, or None."""
    if metric in ("brier_score", "log_loss"):
        return of_losses(metric, c, y, predictions, weights, groups, z)
    columns = np.array([repeat[:, c.winner] for repeat in predictions], dtype=float)
    positive = y == 1

    def number(values, rows):
        own = None if groups is None else groups[rows]
        return score_limits.effective_number(values, weights[rows], own)

    everyone = np.ones(len(y), bool)
    if metric == "accuracy":
        right = (columns == y).mean(axis=0)
        return score_limits.wilson(c.estimate, number(right, everyone), z)
    if metric == "roc_auc" and groups is None:
        m, n = (number(y[rows], rows) for rows in (positive, ~positive))
        return score_limits.newcombe(c.estimate, m, n, z)
    if metric in ("balanced_accuracy", "mcc", "kappa"):
        right = (columns == y).mean(axis=0)
        rates = [np.average(right[rows], weights=weights[rows]) for rows in (positive, ~positive)]
        ns = [number(right[rows], rows) for rows in (positive, ~positive)]
        if metric == "balanced_accuracy":
            moved = np.clip(np.array(rates) + c.estimate - np.mean(rates), 0, 1)
            return score_limits.mover(c.estimate, (0.5, 0.5), moved, ns, z)
        share = weights[positive].sum() / weights.sum()
        return oracle.association_hull(metric, c.estimate, *rates, *ns, share, needed, z)
    if metric in ("f1", "precision"):
        called = columns == 1
        counted = called | positive if metric == "f1" else called
        rows = counted.any(axis=0)
        values = (counted & called & positive)[:, rows].sum(axis=0) / counted[:, rows].sum(axis=0)
        own = None if groups is None else groups[rows]
        n = score_limits.effective_number(
            values, weights[rows] * counted[:, rows].mean(axis=0), own
        )
        of = score_limits.f1 if metric == "f1" else score_limits.wilson
        return of(c.estimate, n, z)
    return None


def check(metric, draws, y, predictions, folds, *, weights=None, groups=None, **options):
    design = {} if weights is None else {"sample_weight": weights}
    if groups is not None:
        design["groups"] = groups
    c = corrected(metric, draws, y, predictions, folds, **design, **options)
    interval = c.confidence_interval
    w = np.ones(len(y)) if weights is None else weights
    z = norm.ppf(1 - oracle.tail(interval.confidence_level, interval.alternative))

    def pooled(given):
        return np.mean(
            [by_formula.score(metric, y, repeat[:, c.winner], given) for repeat in predictions]
        )

    of_rows = draws == "within classes"
    needed, shown = oracle.class_term(pooled, y, w, None if of_rows else folds, groups)
    distance = None
    if not of_rows and folds.max() < 4:
        scores = [
            [
                by_formula.score(metric, y[own == k], repeat[own == k, c.winner], w[own == k])
                for k in range(int(folds.max()) + 1)
            ]
            for own, repeat in zip(folds, predictions, strict=True)
        ]
        distance = oracle.few_folds_distance(
            scores, oracle.tail(interval.confidence_level, interval.alternative)
        )
    low, high = own_limits(c, draws, y, predictions, metric, folds)
    expected = oracle.drawn_limits(
        c.estimate,
        low,
        high,
        needed=needed,
        shown=shown,
        distance=distance,
        hull=hull(metric, c, y, predictions, w, groups, needed, z),
        confidence_level=interval.confidence_level,
        alternative=interval.alternative,
        metric_range=RANGES.get(metric, (0, 1)),
    )
    assert tuple(interval) == pytest.approx(expected, abs=2e-11)
    return c, needed - shown


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("metric", LABELS + SCORES)
def test_limits_are_those_of_the_oracle(metric, draws):
    _, hidden = check(metric, draws, *case(metric))
    if metric in ("accuracy", "brier_score", "log_loss", "average_precision", "kappa"):
        assert hidden > 0
    if metric in ("balanced_accuracy", "roc_auc"):
        assert hidden == pytest.approx(0, abs=1e-20)


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc", "log_loss", "average_precision"])
def test_repeats_weights_and_groups(metric, draws):
    rng = np.random.default_rng(4)
    check(metric, draws, *case(metric, n_repeats=3))
    y, predictions, folds = case(metric)
    check(metric, draws, y, predictions, folds, weights=rng.random(len(y)) + 0.1)
    groups = np.empty(len(y), int)
    for code in (0, 1):  # of three rows of one class, in one fold
        rows = np.flatnonzero(y == code)
        groups[rows] = 100 * code + np.arange(len(rows)) // 3
    folds = (groups % 6)[None]
    check(metric, draws, y, predictions, folds, groups=groups)


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("draws", DRAWS)
def test_one_sided_limits(draws, alternative):
    for metric in ("brier_score", "accuracy", "mcc"):
        check(metric, draws, *case(metric), alternative=alternative, confidence_level=0.9)


@pytest.mark.parametrize("n_folds", [2, 3, 4])
@pytest.mark.parametrize("draws", ["bbc-f", "bbc-two-level"])
@pytest.mark.parametrize("metric", ["accuracy", "log_loss", "roc_auc", "mcc"])
def test_few_folds_have_limits_by_students_t(metric, draws, n_folds):
    check(metric, draws, *case(metric, n_folds=n_folds))
    check(metric, draws, *case(metric, n_folds=n_folds, n_repeats=2))


def test_folds_drawn_freely_show_the_shares():
    """What is needed and what is shown agree on average, so that little is added."""
    needed = shown = 0.0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        y = (rng.random(90) < 0.3).astype(int)
        psi = np.where(y == 1, 0.7, -0.3)
        folds = rng.permutation(90) % 6
        needed += oracle.needed_variance(psi, np.ones(90))
        shown += oracle.shown_variance(psi, np.ones(90), folds)
    assert shown / needed == pytest.approx(1, abs=4 * math.sqrt(2 / 5 / 200))


def test_scores_of_folds_tell_no_shares():
    y, predictions, folds = case("accuracy")
    in_order = dict.fromkeys(folds[0].tolist())  # of their first rows, as folds are numbered
    right = predictions[0] == y[:, None]
    scores = np.array([right[folds[0] == k].mean(axis=0) for k in in_order])
    alone = bbc.correct(bbc.FoldScores(scores, metric="accuracy"), **OPTIONS)
    whole = corrected("accuracy", "bbc-f", y, predictions, folds)
    assert alone.estimate == whole.estimate
    assert whole.confidence_interval.low < alone.confidence_interval.low
    assert whole.confidence_interval.high > alone.confidence_interval.high


@pytest.mark.parametrize("n_folds", [2, 3, 4])
def test_few_fold_scores_have_limits_no_closer_than_students_t(n_folds):
    scores = np.random.default_rng(0).normal(0.3, 0.05, (n_folds, 5))
    c = bbc.correct(bbc.FoldScores(scores, metric="mean_squared_error"), **OPTIONS)
    low, high = _core.order_statistic_interval(c.replicates, 0.95, "two-sided", 0.0, math.inf)
    distance = oracle.few_folds_distance(scores[:, c.winner], 0.025)
    expected = oracle.drawn_limits(
        c.estimate, low, high, needed=0, shown=0, distance=distance, metric_range=(0, math.inf)
    )
    assert tuple(c.confidence_interval) == pytest.approx(expected, rel=1e-12)


def test_equal_scores_of_the_winner_in_few_folds_leave_the_limits_of_the_draws():
    scores = np.array([[0.8, 0.7], [0.8, 0.9], [0.8, 0.75]])
    c = bbc.correct(bbc.FoldScores(scores, metric="accuracy"), **OPTIONS)
    low, high = _core.order_statistic_interval(c.replicates, 0.95, "two-sided", 0.0, 1.0)
    assert low < c.estimate < high
    assert tuple(c.confidence_interval) == (low, high)


def test_a_winner_that_calls_nobody_has_an_interval_of_some_width():
    y, predictions, folds = case("mcc", n_configurations=1)
    for metric in ("mcc", "kappa", "f1", "balanced_accuracy"):
        c = corrected(metric, "bbc-f", y, [np.zeros_like(predictions[0])], folds)
        assert np.ptp(c.replicates) == 0
        assert c.confidence_interval.high - c.confidence_interval.low > 0.05


def test_several_classes_have_a_term():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], [60, 30, 10])
    predictions = np.where(rng.random((100, 3)) < 0.3 + 0.2 * y[:, None], 1, y[:, None])
    folds = stratified(y, 5, 1, 0)
    c = corrected("accuracy", "bbc-f", y, [predictions], folds)
    right = (predictions[:, c.winner] == y).astype(float)
    psi = oracle.class_influences_of_mean(right[None], y, np.ones(100))
    needed = oracle.needed_variance(psi, np.ones(100))
    assert needed > 0.0003
    low, high = own_limits(c, "bbc-f", y, [predictions], "accuracy", folds)
    n = score_limits.effective_number(right)
    expected = oracle.drawn_limits(
        c.estimate,
        low,
        high,
        needed=needed,
        shown=oracle.shown_variance(psi, np.ones(100), folds),
        hull=score_limits.wilson(c.estimate, n, norm.ppf(0.975)),
        metric_range=(0, 1),
    )
    assert tuple(c.confidence_interval) == pytest.approx(expected, abs=1e-12)


def test_further_metrics_have_a_term_of_their_own():
    """Secondary metrics, of the winner of the first."""
    y, predictions, folds = case("brier_score")
    for draws in ("bbc-f", "bbc-two-level", "within classes"):
        c = corrected("roc_auc", draws, y, predictions, folds, secondary=["brier_score"])
        second = c.secondary["brier_score"]
        assert second.winner == c.winner
        needed, shown = oracle.class_term(
            lambda w, c=c: by_formula.score("brier_score", y, predictions[0][:, c.winner], w),
            y,
            np.ones(len(y)),
            None if draws == "within classes" else folds,
        )
        low, high = own_limits(second, draws, y, predictions, "brier_score", folds)
        own = of_losses(
            "brier_score", second, y, predictions, np.ones(len(y)), None, norm.ppf(0.975)
        )
        expected = oracle.drawn_limits(
            second.estimate, low, high, needed=needed, shown=shown, hull=own, metric_range=(0, 1)
        )
        assert needed - shown > 0
        assert tuple(second.confidence_interval) == pytest.approx(expected, abs=1e-11)


def test_regression_has_no_classes():
    rng = np.random.default_rng(2)
    y, predictions = rng.normal(size=60), rng.normal(size=(60, 3))
    folds = np.arange(60) % 6
    c = bbc.correct(
        y, predictions, metric="mean_absolute_error", method="bbc-f", folds=folds, **OPTIONS
    )
    low, high = _core.order_statistic_interval(c.replicates, 0.95, "two-sided", 0, math.inf)
    errors = np.abs(predictions[:, c.winner] - y)
    hull = oracle.mean_hull(c.estimate, errors, np.ones(60), None, norm.ppf(0.975))
    expected = oracle.drawn_limits(c.estimate, low, high, needed=0, shown=0, hull=hull)
    assert tuple(c.confidence_interval) == pytest.approx(expected, rel=1e-12)


def test_rows_with_large_losses_reach_the_limits():
    """One row that is certain and wrong, which scores of five folds hardly show."""
    y, predictions, _ = case("log_loss", n=60, share=0.5)
    certain = predictions[0].copy()
    certain[np.flatnonzero(y == 1)[:2]] = 1e-6
    folds = stratified(y, 5, 1, 0)
    c, _ = check("log_loss", "bbc-f", y, [certain], folds)
    by_rows = corrected("log_loss", "within classes", y, [certain], folds)
    reach, of_rows = (each.confidence_interval.high - each.estimate for each in (c, by_rows))
    assert reach > 0.8 * of_rows
