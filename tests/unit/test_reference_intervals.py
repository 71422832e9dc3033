"""The oracle's intervals and bounds against SciPy, published numbers and sums by hand."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from scipy import stats

from reference import intervals as oracle
from reference import philox
from reference.tilting import Sample, fitted_influence, tilted_weights
from reference.tilting import importance as likelihood

# SciPy 1.15 renamed it.
_SEED = "rng" if "rng" in inspect.signature(stats.bootstrap).parameters else "random_state"

# The example of Hanley and McNeil (1982): 58 normal and 51 abnormal CT images, A = .893.
NORMAL = np.repeat([1, 2, 3, 4, 5], [33, 6, 6, 11, 2])
ABNORMAL = np.repeat([1, 2, 3, 4, 5], [3, 2, 2, 11, 33])
CT_Y = np.repeat([False, True], [58, 51])
CT = np.concatenate([NORMAL, ABNORMAL])


def test_hanley_mcneil_published_example():
    assert oracle.auc(CT_Y, CT) == pytest.approx(0.893, abs=5e-4)
    assert math.sqrt(oracle.hanley_mcneil_variance(CT_Y, CT)) == pytest.approx(0.032, abs=5e-4)
    low, high = oracle.hanley_mcneil(CT_Y, CT, alternative="greater")
    assert high == 1
    assert low == pytest.approx(0.893 - 1.645 * 0.032, abs=1e-3)


def test_hanley_mcneil_by_hand():
    y, s = [0, 0, 1, 1], [1.0, 3.0, 2.0, 4.0]  # A = 3/4
    q1, q2 = 0.75 / 1.25, 2 * 0.5625 / 1.75
    expected = (0.75 * 0.25 + (q1 - 0.5625) + (q2 - 0.5625)) / 4
    assert oracle.hanley_mcneil_variance(y, s) == pytest.approx(expected)
    # at threshold 0 all are called positive: two right, two wrong
    odd = (0.75 * 0.25 + 3 * (q1 - 0.5625) + 1 * (q2 - 0.5625)) / 4
    assert oracle.hanley_mcneil_variance(y, s, "paraschakis2024") == pytest.approx(odd)


def test_delong_by_hand():
    y, s = [0, 0, 1, 1], [1.0, 3.0, 2.0, 4.0]
    v10, v01 = oracle.placements(y, s)
    assert v10.tolist() == [0.5, 1.0]
    assert v01.tolist() == [1.0, 0.5]
    se = math.sqrt(0.125 / 2 + 0.125 / 2)
    low, high = oracle.delong(y, s, 0.5)
    z = stats.norm.ppf(0.75)
    assert low == pytest.approx(0.75 - z * se)
    assert high == pytest.approx(min(1, 0.75 + z * se))
    assert oracle.delong(y, s, 0.5, "greater") == (pytest.approx(0.75), 1)
    assert oracle.delong(y, s, 0.95)[1] == 1


def test_delong_edges():
    assert oracle.delong([0, 0, 1, 1], [1, 2, 3, 4]) == (1.0, 1.0)
    with pytest.raises(oracle.InfeasibleError, match="fewer than two"):
        oracle.delong([0, 0, 1], [1, 2, 3])


def test_delong_test():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60).astype(bool)
    a, b = y + rng.normal(size=60), rng.normal(size=60)
    z, p = oracle.delong_test(y, a, b)
    (x_a, y_a), (x_b, y_b) = oracle.placements(y, a), oracle.placements(y, b)
    variance = np.var(x_a - x_b, ddof=1) / y.sum() + np.var(y_a - y_b, ddof=1) / (~y).sum()
    assert z == pytest.approx((x_a.mean() - x_b.mean()) / math.sqrt(variance))
    assert p == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert oracle.delong_test(y, a, a) == (0.0, 1.0)


@pytest.mark.parametrize("k", [0, 1, 7, 20])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_proportions_against_scipy(k, level):
    test = stats.binomtest(k, 20)
    for function, method in ((oracle.wilson, "wilson"), (oracle.clopper_pearson, "exact")):
        expected = test.proportion_ci(level, method)
        assert function(k, 20, level) == pytest.approx((expected.low, expected.high), abs=1e-9)
    lower = stats.binomtest(k, 20, alternative="greater").proportion_ci(level, "exact")
    assert oracle.clopper_pearson(k, 20, level, "greater") == pytest.approx((lower.low, 1))


def test_normal_intervals_of_a_learner():
    losses = [0.0, 1.0, 1.0, 0.0, 1.0]
    se = math.sqrt(0.3 / 5)
    assert oracle.wald(losses, 0.9) == pytest.approx(stats.norm.interval(0.9, 0.6, se))
    error = math.sqrt((1 / 4 + 10 / 90) * np.var([1, 2, 3, 4], ddof=1))
    expected = stats.t.interval(0.95, 3, 2.5, error)
    assert oracle.corrected_t([1, 2, 3, 4], 90, 10) == pytest.approx(expected)
    z = oracle.conservative_z(0.3, [0.1, 0.4], [0.3, 0.2], 0.95, "less")
    assert z == (-math.inf, pytest.approx(0.3 + 1.6448536 * math.sqrt(0.08 / 4)))
    iterations = ([[0.0, 0.2], [0.5, 0.3]], [[0.1, 0.5], [0.2, 0.2]])
    assert oracle.conservative_z(0.3, *iterations, 0.95, "less") == pytest.approx(z)


def test_bates_by_hand():
    inner = [np.array([0.0, 1.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0, 1.0])]
    outer = [np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])]
    estimate, error, low, high = oracle.bates(inner, outer, n_folds=2, n_rows=6)
    assert estimate == 0.625
    sd = np.std(np.concatenate(inner), ddof=1)
    assert error == pytest.approx(sd / math.sqrt(6))  # a - b is negative: kept at the floor
    assert (low + high) / 2 == pytest.approx(estimate)
    far = [np.full(3, 9.0), np.full(3, -9.0)]
    assert oracle.bates(inner, far, 2, 6)[1] == pytest.approx(math.sqrt(2) * sd / math.sqrt(6))
    corrected = oracle.bates(inner, outer, 3, 6, cv_error=0.5)[0]
    assert corrected == pytest.approx(0.625 - (1 + 1 / 3) * 0.125)
    a = np.array([(0.5 - 0.9) ** 2, (0.75 - 0.9) ** 2])
    middle = oracle.bates(inner, [np.full(3, 0.9)] * 2, 2, 6)[1]
    assert middle == pytest.approx(min(max(math.sqrt(a.mean() / 2), sd / 6**0.5), sd / 3**0.5))


def test_bootstrap_intervals():
    replicates = np.arange(1.0, 101.0)
    assert oracle.percentile(replicates, 0.9) == (5.0, 95.0)
    assert oracle.basic(50.0, replicates, 0.9) == (5.0, 95.0)
    assert oracle.basic(40.0, replicates, 0.9, "greater", (0, 200)) == (80.0 - 90.0, 200)
    assert oracle.basic(40.0, replicates, 0.9, "less", (0, 200)) == (0, 80.0 - 10.0)
    t = oracle.studentised(50.0, 2.0, replicates, np.full(100, 4.0), 0.9)
    assert t == (50 - 2 * 45 / 4, 50 + 2 * 45 / 4)


def test_bca_without_bias_is_percentile_and_follows_scipy():
    replicates = np.arange(1.0, 100.0)
    assert oracle.bca(50.0, replicates, [1, 2, 3], 0.9) == oracle.percentile(replicates, 0.9)
    data = np.random.default_rng(0).exponential(size=30)
    peer = stats.bootstrap(
        (data,), np.mean, n_resamples=20000, method="BCa", **{_SEED: np.random.default_rng(1)}
    )
    jackknife = [np.delete(data, i).mean() for i in range(30)]
    low, high = oracle.bca(data.mean(), peer.bootstrap_distribution, jackknife)
    assert low == pytest.approx(peer.confidence_interval.low, rel=1e-3)
    assert high == pytest.approx(peer.confidence_interval.high, rel=1e-3)
    with pytest.raises(oracle.InfeasibleError):
        oracle.bca(1000.0, replicates, jackknife)


def test_nb_bootstraps_the_winners_folds():
    bound = oracle.nb([0.5, 0.7, 0.9], [[0, 0, 0], [1, 1, 1], [0, 1, 2]], confidence_level=0.6)
    assert bound == (pytest.approx(0.7), 1.0)


def test_sidak():
    assert oracle.sidak(0.05, 1) == pytest.approx(0.05)
    assert (1 - oracle.sidak(0.05, 7)) ** 7 == pytest.approx(0.95)


# --- tilting --------------------------------------------------------------------------------------


def stratified_counts(is_positive, n_replicates, seed=1):
    n = len(is_positive)
    return np.array(
        [
            philox.draw_counts(seed, b, n_rows=n, strata=list(is_positive))
            for b in range(n_replicates)
        ]
    )


def test_tilted_weights_and_importance():
    strata = [np.array([True, True, False]), np.array([False, False, True])]
    w = tilted_weights(-1.0, np.array([1.0, 0.0, 5.0]), strata)
    e = math.exp(-1)
    assert w == pytest.approx([e / (1 + e), 1 / (1 + e), 1.0])
    i = likelihood(np.array([[2, 0, 1], [1, 1, 1]]), w, strata)
    assert i == pytest.approx([(2 * w[0]) ** 2, 4 * w[0] * w[1]])


def test_tilting_accuracy_nears_the_exact_bound():
    right = np.repeat([1, 0], [80, 20])
    counts = np.array([philox.draw_counts(1, b, n_rows=100) for b in range(2000)])
    result = oracle.bt("accuracy", None, right, counts)
    assert result.p <= 0.05
    assert result.tau < 0
    # for a share, tilting inverts the (mid-p) binomial test
    mid_p = stats.binom.sf(80, 100, result.bound) + 0.5 * stats.binom.pmf(80, 100, result.bound)
    assert mid_p == pytest.approx(0.05, abs=0.01)
    assert 0 < result.effective_size < 2000


def test_tilting_auc():
    rng = np.random.default_rng(6)
    y = np.repeat([True, False], [15, 25])
    scores = y + rng.normal(size=40)
    counts = stratified_counts(y, 500)
    result = oracle.bt("roc_auc", y, scores, counts)
    low, _ = oracle.delong(y, scores, alternative="greater")
    assert result.bound == pytest.approx(low, abs=0.05)
    published = oracle.bt("roc_auc", y, scores, counts, variant="published")
    assert published.bound == pytest.approx(result.bound, abs=0.05)
    looser = oracle.bt("roc_auc", y, scores, counts, confidence_level=0.8)
    assert looser.bound > result.bound


def test_fitted_influence_is_near_the_true_one():
    rng = np.random.default_rng(7)
    y = np.repeat([True, False], [8, 8])
    sample = Sample("roc_auc", y, y + rng.normal(size=16))
    counts = stratified_counts(y, 1500)
    statistics = np.array([float(sample.exact(c)) for c in counts])
    fitted = fitted_influence(sample, counts, statistics)
    assert np.corrcoef(fitted, sample.influence())[0, 1] > 0.99
    # Fitted values are placements less AUC, without the factor n / n_class = 2.
    assert fitted.std() == pytest.approx(sample.influence().std() / 2, rel=0.1)


def test_mabt_is_below_bt():
    rng = np.random.default_rng(8)
    y = np.repeat([True, False], [20, 30])
    columns = y[:, None] + rng.normal(size=(50, 6))
    counts = stratified_counts(y, 400)
    aucs = [oracle.auc(y, columns[:, c]) for c in range(6)]
    best = int(np.argmax(aucs))
    alone = oracle.mabt("roc_auc", y, columns[:, [best]], 0, counts)
    many = oracle.mabt("roc_auc", y, columns, best, counts)
    assert many.bound < alone.bound < aucs[best]
    assert alone.bound == pytest.approx(
        oracle.bt("roc_auc", y, columns[:, best], counts).bound, abs=0.03
    )


def test_perfect_scores_are_infeasible():
    y = np.repeat([True, False], [5, 5])
    with pytest.raises(oracle.InfeasibleError, match="never reaches"):
        oracle.bt("roc_auc", y, y * 1.0, stratified_counts(y, 50))
    with pytest.raises(oracle.InfeasibleError, match="not above"):
        oracle.mabt("roc_auc", y, np.column_stack([y * 1.0]), 0, stratified_counts(y, 50))


def test_selection_before_a_bound():
    y = np.array([1, 0] * 12, dtype=bool)
    folds, learn = np.repeat([0, 1], 12), np.tile([True, True, True, True, False, False], 4)
    rng = np.random.default_rng(9)
    p = y[:, None] * 0.5 + rng.normal(size=(24, 20))
    assert oracle.acceptable(y, folds, learn)
    assert not oracle.acceptable(y, folds, learn & y)
    scores = oracle.learn_scores(y, p, folds, learn)
    assert oracle.select(y, p, folds, learn).selected == int(np.argmax(scores))
    top = oracle.select(y, p, folds, learn, "top10%")
    assert all(scores[c] >= np.quantile(scores, 0.9) for c in top.candidates)
    assert len(top.candidates) >= 2
    on_evaluation = [oracle.auc(y[~learn], p[~learn, c]) for c in top.candidates]
    assert top.selected == top.candidates[int(np.argmax(on_evaluation))]
