"""Races as rules of BBCD: tables worked by hand, the oracle, and what they refuse."""

import math

import numpy as np
import pytest
from scipy import stats

import bbc
from bbc.search.dropping import (
    RULES,
    cochran_q,
    fewest_tops,
    friedman,
    hoeffding,
    paired_t,
    top_configurations,
)
from instrumented import Witness, numbered_data
from reference import racing

X, Y = numbered_data(400)
SHIFTS = {"shift": [0.0, 0.1, 0.3, 1.0, 3.0, 6.0]}
RACES = [rule for rule in RULES if rule != "bootstrap"]


def protocol(dropping, **options):
    options = {"cv": 8, "n_bootstraps": 50, "random_state": 3, "dropping_level": 0.9} | options
    grid = options.pop("param_grid", SHIFTS)
    return bbc.BBCD(Witness(), grid, dropping=dropping, **options)


def tables(n_rows, kind, count=30):
    """Random losses of six configurations, the last ones worse."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        drift = np.linspace(0, 0.8, 6)
        if kind == "zero-one":
            yield (rng.random((n_rows, 6)) < 0.1 + drift).astype(float)
        else:
            yield np.round(rng.normal(size=(n_rows, 6)) + 2 * drift, 1)


def test_hoeffding_by_hand():
    losses = np.zeros((100, 3))
    losses[:27, 1] = 1  # 0.27 below 2 eps = 0.2716, 0.28 above
    losses[:28, 2] = 1
    verdict = hoeffding(losses, level=0.95, width=1.0)
    assert verdict.best == 0
    assert math.isclose(verdict.evidence[1], 0.27 - 2 * math.sqrt(math.log(40) / 200))
    assert verdict.dropped.tolist() == [False, False, True]


def test_friedman_by_hand():
    # Rank sums 6, 12 and 18 of six folds that agree: chi-squared 12, A = 84, no spread.
    verdict = friedman(np.tile([0.1, 0.2, 0.3], (6, 1)), level=0.99)
    assert racing.friedman_statistic([[0.1, 0.2, 0.3]] * 6) == pytest.approx(12)
    assert verdict.evidence.tolist() == [0, 6, 12]
    assert verdict.dropped.tolist() == [False, True, True]
    # Two that alternate and a bad one: sums 9, 9, 18; A = 84, sum R^2 = 486;
    # t(.975, 10) sqrt(2 (504 - 486) / 10) = 2.2281 * 1.8974 = 4.228.
    losses = np.array([[1, 2, 3], [2, 1, 3]] * 3)
    assert friedman(losses, level=0.95).dropped.tolist() == [False, False, True]
    assert friedman(np.ones((6, 3)), level=0.5).dropped.tolist() == [False] * 3


def test_two_configurations_are_compared_by_signed_ranks():
    losses = np.column_stack([np.arange(8.0), np.arange(8.0) + np.arange(1, 9)])
    # All eight differences have one sign: two-sided p = 2 / 2^8.
    assert friedman(losses, level=0.99).dropped.tolist() == [False, True]
    assert friedman(losses, level=1 - 2 / 256).dropped.tolist() == [False, False]
    assert friedman(losses[:, [0, 0]], level=0.5).dropped.tolist() == [False, False]


def test_cochran_by_hand():
    # Column sums 5, 3, 1; row sums 2, 1, 3, 0, 2, 1: Q = 2 (3 * 35 - 81) / (27 - 19) = 6.
    table = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
    q, p = cochran_q(table)
    assert q == 6
    assert p == pytest.approx(math.exp(-3))
    assert cochran_q(np.ones((4, 3))) == (0.0, 1.0)


def test_paired_t_by_hand():
    gaps = np.array([0.1, 0.2, 0.3, 0.2])
    losses = np.column_stack([np.zeros(4), gaps, np.full(4, 0.01), np.zeros(4)])
    verdict = paired_t(losses, level=0.99)
    assert verdict.evidence[1] == pytest.approx(1 - stats.ttest_1samp(gaps, 0).pvalue / 2)
    # A constant gap is certain, and none is no gap.
    assert verdict.dropped.tolist() == [False, True, True, False]


@pytest.mark.parametrize("n_folds", [7, 10, 20])
def test_the_line_of_the_flops_is_walds_lower_boundary(n_folds):
    for n_seen in range(1, n_folds + 1):
        for n_won in range(n_seen + 1):
            trace = [True] * n_won + [False] * (n_seen - n_won)
            assert (n_won <= fewest_tops(n_seen, n_folds)) == racing.is_flop(trace, n_folds)


@pytest.mark.parametrize("level", [0.8, 0.99])
def test_the_oracle_agrees(level):
    for losses in tables(60, "zero-one"):
        found = hoeffding(losses, level=level, width=1.0).dropped.tolist()
        assert found == racing.hoeffding(losses, level)
        assert top_configurations(losses, level=level).tolist() == racing.top(losses, level)
    for losses in tables(7, "rounded"):
        assert friedman(losses, level=level).dropped.tolist() == racing.friedman(losses, level)
        assert paired_t(losses, level=level).dropped.tolist() == racing.paired_t(losses, level)
        own = stats.friedmanchisquare(*losses.T).statistic
        assert racing.friedman_statistic(losses) == pytest.approx(own)


def replayed(dropping, level):
    """Drop sets from the predictions that all configurations would make."""
    whole = bbc.CVT(Witness(), SHIFTS, cv=8, random_state=3).fit(X, Y).oos_predictions_
    wrong = (whole.labels[0] != Y[:, None]).astype(float)
    folds, n_configurations = whole.folds[0], wrong.shape[1]
    dropped, traces = np.full(n_configurations, -1), [[] for _ in range(n_configurations)]
    for fold in range(7):
        alive = np.flatnonzero(dropped < 0)
        if len(alive) < 2 or (folds <= fold).sum() < 50:
            continue
        means = np.array([wrong[folds == k].mean(axis=0) for k in range(fold + 1)])[:, alive]
        rows = wrong[folds <= fold][:, alive]
        if dropping == "hoeffding":
            out = racing.hoeffding(rows, level)
        elif dropping == "cochran":
            top = racing.top(wrong[folds == fold][:, alive], level)
            for c, won in zip(alive, top, strict=True):
                traces[c].append(won)
            out = [racing.is_flop(traces[c], 8) for c in alive]
            order = [
                (-sum(traces[c]), mean) for c, mean in zip(alive, rows.mean(axis=0), strict=True)
            ]
            out[order.index(min(order))] = False
        elif len(means) < {"friedman": 5, "paired_t": 3}[dropping]:
            continue
        else:
            out = getattr(racing, dropping)(means, level)
        dropped[alive[np.array(out)]] = fold
    return dropped


@pytest.mark.parametrize("dropping", RACES)
def test_bbcd_drops_as_the_oracle_does(dropping):
    level = {"hoeffding": 0.6, "cochran": 0.3}.get(dropping, 0.9)
    fitted = protocol(dropping, dropping_level=level).fit(X, Y)
    assert (fitted.dropped_ >= 0).any()
    assert fitted.dropped_.tolist() == replayed(dropping, level).tolist()
    assert fitted.dropped_[fitted.best_index_] == -1
    assert set(fitted.dropping_history_[0]) >= {"fold", "best", "configurations", "evidence"}


@pytest.mark.parametrize("dropping", RACES)
def test_a_race_of_repeats_is_the_same_for_any_number_of_jobs(dropping):
    one, other = (
        protocol(dropping, cv=4, n_repeats=2, n_jobs=n_jobs).fit(X, Y) for n_jobs in (1, 2)
    )
    assert one.dropped_.tolist() == other.dropped_.tolist()
    assert one.performance_ == other.performance_


@pytest.mark.parametrize("dropping", RACES)
def test_nobody_is_dropped_at_level_one(dropping):
    assert (protocol(dropping, dropping_level=1.0).fit(X, Y).dropped_ == -1).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_hoeffding_races_on_brier_scores(n_classes):
    X, y = numbered_data(240, n_classes=n_classes)
    fitted = protocol("hoeffding", scoring="brier_score", dropping_level=0.1)
    fitted.set_params(param_grid={"shift": [0.0, 9.0]}).fit(X, y)
    test = fitted.dropping_history_[0]
    full = bbc.CVT(Witness(), {"shift": [0.0, 9.0]}, cv=8, scoring="brier_score").fit(X, y)
    seen = full.oos_predictions_
    rows = np.flatnonzero(seen.folds[0] <= test["fold"])
    means = [
        bbc.correct(y[rows], seen.scores[0][rows][:, [c]], metric="brier_score").apparent
        for c in (0, 1)
    ]
    eps = (1 if n_classes == 2 else 2) * math.sqrt(math.log(2 / 0.9) / (2 * len(rows)))
    assert test["evidence"][1 - test["best"]] == pytest.approx(abs(means[1] - means[0]) - 2 * eps)


REFUSED = {
    "unknown": ({"dropping": "other"}, "dropping must be"),
    "unbounded": ({"dropping": "hoeffding", "scoring": "roc_auc"}, "bounded per-row loss.*roc_auc"),
    "no zero-one losses": ({"dropping": "cochran", "scoring": "brier_score"}, "zero-one losses"),
    "few folds": ({"dropping": "cochran", "cv": 5}, "at least 7 folds"),
    "a rule": ({"dropping": "paired_t", "selection": lambda s, c: 0}, "selection must be"),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_combinations_are_refused_before_training(options, message):
    search = protocol(**options)

    def fit():
        with pytest.raises(ValueError, match=message):
            search.fit(X, Y)

    assert Witness.count(fit)[1] == 0


@pytest.mark.parametrize("dropping", ["hoeffding", "cochran"])
def test_rows_that_are_not_alike_are_refused(dropping):
    with pytest.raises(ValueError, match="does not support groups"):
        protocol(dropping).fit(X, Y, groups=np.arange(400) // 2)
