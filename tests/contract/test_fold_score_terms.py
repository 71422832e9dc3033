"""What the truth alone tells of scores of folds: the kernel's terms against section 17's oracle."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from bbc import _core
from reference import drawn_limits, score_limits
from reference import fold_score_limits as oracle

LEVEL = 0.95
Z = norm.ppf(1 - (1 - LEVEL) / 2)
CLASS_SHARES, FEW_FOLDS = 7, 8


def truth(n=90, share=0.2, seed=0):
    """Two classes in no order, groups of unequal size, and folds that keep some of the shares."""
    rng = np.random.default_rng(seed)
    y = rng.permutation((np.arange(n) < round(share * n)).astype(np.int32))
    groups = np.sort(rng.integers(0, n // 4, n)).astype(np.int32)
    folds = np.stack([rng.permutation(n) % 5, rng.permutation(n) % 5]).astype(np.int32)
    return y, groups, folds


def options_of(metric, **design):
    return _core.Options(
        metric=metric,
        n_bootstraps=200,
        seed=0,
        stream=0,
        redraw=True,
        confidence_level=LEVEL,
        alternative="two-sided",
        **design,
    )


def terms(name, score, y, *, sign=1.0, groups=None, folds=None, classes=None, n_classes=2, **given):
    metric = _core.Metric(name, sign=sign, **given)
    options = options_of(metric, units=groups, folds=folds, classes=classes)
    target = (
        _core.Target.labels(y, n_classes, np.arange(n_classes), [])
        if classes is None
        else _core.Target.real(np.asarray(y, float))
    )
    return _core.fold_score_terms(score, target, options)


def limits(found, score, own=None, lowest=0.0, highest=1.0):
    """Limits around a score of replicates that have those of `own`, by default none at all."""
    low, high = own or (score, score)
    replicates = np.concatenate([np.full(500, low), np.full(500, high)])
    raw = _core.corrected_limits(replicates, score, found, LEVEL, "two-sided", lowest, highest)
    return raw["low"], raw["high"]


def by_oracle(score, own=None, *, needed=0.0, shown=0.0, hull=None, ends=(0.0, 1.0)):
    low, high = own or (score, score)
    return drawn_limits.drawn_limits(
        score, low, high, needed=needed, shown=shown, hull=hull, metric_range=ends
    )


def same(found, expected):
    assert found == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("score", [0.0, 0.03, 0.31, 0.5, 0.9, 1.0])
def test_hulls_of_rates(score, grouped):
    y, groups, _ = truth()
    groups = groups if grouped else None
    of = {code: None if groups is None else groups[y == code] for code in (0, 1)}
    n1 = oracle.effective(int(y.sum()), of[1])
    n0 = oracle.effective(int((1 - y).sum()), of[0])
    n = oracle.effective(len(y), groups)
    expected = {
        "accuracy": score_limits.wilson(score, n, Z),
        "zero_one_loss": score_limits.wilson(score, n, Z),
        "roc_auc": score_limits.newcombe(score, n1, n0, Z),
        "recall": score_limits.wilson(score, n1, Z),
        "specificity": score_limits.wilson(score, n0, Z),
        "balanced_accuracy": oracle.balanced_hull(score, n1, n0, Z),
    }
    for name, hull in expected.items():
        found = terms(name, score, y, groups=groups)
        assert not (found[:, 0] == CLASS_SHARES).any()  # a hull is never added to
        same(limits(found, score), by_oracle(score, hull=hull))
    a, b = oracle.balanced_hull(score, n1, n0, Z)
    found = terms("youden_index", 2 * score - 1, y, groups=groups)
    same(
        limits(found, 2 * score - 1, lowest=-1.0),
        by_oracle(2 * score - 1, hull=(2 * a - 1, 2 * b - 1), ends=(-1, 1)),
    )


def test_a_negated_loss_is_the_mirror_image():
    y, _, folds = truth()
    for name in ("zero_one_loss", "brier_score", "log_loss"):
        found = limits(terms(name, 0.2, y, folds=folds), 0.2)
        low, high = limits(terms(name, -0.2, y, sign=-1.0, folds=folds), -0.2, None, -1.0, 0.0)
        assert (-high, -low) == pytest.approx(found, abs=1e-15)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("score", [0.004, 0.1, 0.3, 0.7, 0.95])
@pytest.mark.parametrize("name", ["brier_score", "log_loss", "f1", "squared"])
def test_shares_of_two_classes(name, score, grouped, known):
    """`squared` is the squared error of a truth of two numbers."""
    y, groups, folds = truth()
    groups, folds = (groups if grouped else None), (folds if known else None)
    share, hull, highest = y.mean(), None, 1.0
    if name == "f1":
        delta = oracle.f1_difference(score, share)
        own = None if groups is None else groups[y == 1]
        hull = score_limits.f1(score, oracle.effective(int(y.sum()), own), Z)
        found = terms("f_beta", score, y, groups=groups, folds=folds)
    elif name == "squared":
        delta, highest = oracle.largest_difference(score, share), math.inf
        codes = np.where(y == 1, 3, -2).astype(np.int32)
        found = terms("mean_squared_error", score, y, groups=groups, folds=folds, classes=codes)
    else:
        highest = 1.0 if name == "brier_score" else math.inf
        delta = oracle.largest_difference(score, share, highest)
        found = terms(name, score, y, groups=groups, folds=folds)
    needed, shown = oracle.two_class_terms(delta, y, groups, folds)
    assert needed > 0
    assert (shown > 0) == known
    (own,) = found[found[:, 0] == CLASS_SHARES]
    assert own[2:4] ** 2 == pytest.approx([needed, shown], rel=1e-11, abs=1e-20)
    replicates = score - 0.02 * score, score + 0.01
    same(
        limits(found, score, replicates, 0.0, highest),
        by_oracle(score, replicates, needed=needed, shown=shown, hull=hull, ends=(0, highest)),
    )


def test_the_bound_of_two_classes_contains_that_of_the_text():
    """All loss in the rarest class, unless it is too much for it."""
    y, _, _ = truth(n=100, share=0.1)
    needed, _ = oracle.two_class_terms(oracle.largest_difference(0.06, 0.1), y)
    assert needed == pytest.approx(0.06**2 * 9 / 100)
    needed, _ = oracle.two_class_terms(oracle.largest_difference(0.3, 0.1, 1.0), y)
    assert needed == pytest.approx(0.09 * (1 - 0.2 / 0.9) ** 2 / 100)
    needed, _ = oracle.two_class_terms(oracle.f1_difference(0.6, 0.1), y)
    assert needed == pytest.approx((0.6 * 0.4) ** 2 / (100 * 0.09))


def test_the_bound_is_never_below_what_rows_need():
    """Losses of any distribution, with the classes and their own means."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(20, 200))
        y = (rng.random(n) < rng.uniform(0.05, 0.5)).astype(np.int32)
        if y.sum() < 2:
            continue
        losses = rng.random(n) ** rng.uniform(0.2, 8) * np.where(y == 1, 1, rng.random())
        psi = drawn_limits.class_influences_of_mean(losses[None], y, np.ones(n))
        own = drawn_limits.needed_variance(psi, np.ones(n))
        (found,) = terms("brier_score", float(losses.mean()), y)
        assert found[2] ** 2 >= own * (1 - 1e-12)


@pytest.mark.parametrize("score", [0.01, 0.4, 1.3])
@pytest.mark.parametrize("grouped", [False, True])
def test_shares_of_several_classes(score, grouped):
    rng = np.random.default_rng(1)
    y = rng.permutation(np.repeat([0, 1, 2], [60, 30, 10])).astype(np.int32)
    groups = rng.integers(0, 20, 100).astype(np.int32) if grouped else None
    for name, u in (("brier_score", 2.0), ("log_loss", math.inf)):
        found = terms(name, score, y, n_classes=3, groups=groups)
        expected = oracle.many_class_variance(score, y, u, groups)
        assert found[:, 0] == [CLASS_SHARES]
        assert found[0, 2] ** 2 == pytest.approx(expected, rel=1e-12)
        assert found[0, 3] == 0
    hull = score_limits.wilson(0.4, oracle.effective(100, groups), Z)
    same(limits(terms("accuracy", 0.4, y, n_classes=3, groups=groups), 0.4), hull)


def test_what_the_truth_does_not_mend():
    y, _, _ = truth()
    three = np.arange(90, dtype=np.int32) % 3
    for name in ("precision", "mcc", "kappa", "average_precision", "jaccard"):
        assert len(terms(name, 0.4, y)) == 0
    assert len(terms("f_beta", 0.4, y, beta=2.0)) == 0
    for name in ("balanced_accuracy", "mcc"):
        assert len(terms(name, 0.4, three, n_classes=3)) == 0
    assert len(terms("recall", 0.4, three, n_classes=3, average="macro")) == 0
    assert len(terms("root_mean_squared_error", 0.4, y, classes=y)) == 0
    real = _core.Target.real(np.linspace(0, 1, 90))
    options = options_of(_core.Metric("mean_squared_error"))
    assert len(_core.fold_score_terms(0.4, real, options)) == 0  # no classes


def test_facts_of_other_rows_are_refused():
    y, groups, folds = truth()
    for given in ({"groups": groups[:-1]}, {"folds": folds[:, :-1].copy()}):
        with pytest.raises(ValueError, match="values for 90 rows"):
            terms("accuracy", 0.4, y, **given)


def test_few_folds_stay_beside_what_the_truth_tells():
    y, _, folds = truth()
    scores = np.random.default_rng(0).uniform(0.1, 0.3, (1, 3, 4))
    options = options_of(_core.Metric("brier_score"), folds=folds[:1] % 3)
    target = _core.Target.labels(y, 2, np.arange(2), [])
    raw = _core.correct_fold_scores(scores, options, target, 1)
    assert raw["rates"][:, 0].tolist() == [CLASS_SHARES, FEW_FOLDS]
    bare = options_of(_core.Metric("brier_score"))
    alone = _core.correct_fold_scores(scores, bare, None, 1)
    assert alone["rates"][:, 0].tolist() == [FEW_FOLDS]
    assert np.array_equal(raw["replicates"], alone["replicates"])
    needed, shown = oracle.two_class_terms(
        oracle.largest_difference(raw["estimate"], y.mean(), 1.0), y, None, folds[:1] % 3
    )
    distance = drawn_limits.few_folds_distance(scores[0, :, raw["winner"]], 0.025)
    low, high = _core.order_statistic_interval(raw["replicates"], LEVEL, "two-sided", 0.0, 1.0)
    expected = drawn_limits.drawn_limits(
        raw["estimate"],
        low,
        high,
        needed=needed,
        shown=shown,
        distance=distance,
        metric_range=(0, 1),
    )
    same((raw["low"], raw["high"]), expected)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("unit", [1e100, 1e200, 1e300, 1e-165, 1e-300])
def test_the_unit_of_a_loss_is_that_of_its_term(n_classes, unit):
    """Squares of such losses overflow or vanish."""
    y = np.arange(120, dtype=np.int32) % n_classes
    (one,) = terms("log_loss", 0.7, y, n_classes=n_classes)
    (other,) = terms("log_loss", 0.7 * unit, y, n_classes=n_classes)
    assert other[2] / unit == pytest.approx(one[2], rel=1e-12)
    assert one[2] > 0
