"""Corrections rung by rung agree with the oracle, replicate by replicate, in every design."""

from itertools import product

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth
from nightly import covering
from reference.philox import draw_counts
from reference.rungs import acceptable, find_rungs, on_draws

N_CONFIGURATIONS, N_BOOTSTRAPS = 6, 12
BY_ROW = (
    "accuracy",
    "zero_one_loss",
    "mean_squared_error",
    "neg_root_mean_squared_error",
    "mean_absolute_error",
    "brier_score",
    "log_loss",
    "r2",
    "f1",
    "f1_macro",
    "balanced_accuracy",
    "mcc",
    "kappa",
)
BY_PAIR = ("roc_auc", "concordance_index")
DESIGNS = {
    "rows": {},
    "groups": {"groups": True},
    "blocks of time": {"blocks": 3},
    "whole weights": {"weights": "whole"},
    "real weights": {"weights": "real"},
    "no burn": {"burn": 0},
    "choose only": {"choose_only": [1]},
    "numbered": {"numbered": True},
}


def with_holes(rng, predictions, sizes):
    """Predictions of a search that ranks at random: floats, NaN where nothing was predicted."""
    n_rows, n = predictions.shape[:2]
    order, alive = rng.permutation(n_rows), np.arange(n)
    holes = predictions.astype(float)
    of_row, start = np.empty(n_rows, int), 0
    for rung, (end, n_alive) in enumerate(sizes):
        rows = order[start:end]
        alive = np.sort(rng.permutation(alive)[:n_alive])
        holes[np.ix_(rows, np.setdiff1d(np.arange(n), alive))] = np.nan
        of_row[rows], start = rung, end
    return holes, of_row


def make_case(metric, design, seed):
    """Truth, predictions with holes, arguments of bbc.correct, and those of the oracle."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(30, 40))
    y = make_truth(metric, rng, n_rows)
    holes, of_row = with_holes(
        rng, make_predictions(metric, y, rng, N_CONFIGURATIONS), [(12, 6), (21, 4), (n_rows, 2)]
    )
    options = {name: design[name] for name in ("burn", "choose_only") if name in design}
    ours, theirs = {}, dict(options)
    if "numbered" in design:
        numbers = np.array([3, 5, 9])[of_row]
        options["of_row"] = theirs["of_row"] = numbers
        options["choose_only"] = theirs["choose_only"] = [5]
    if options:
        ours["rungs"] = bbc.results.Rungs(**options)
    if "groups" in design:
        ours["groups"] = theirs["groups"] = rng.integers(0, n_rows // 2, n_rows)
    if "blocks" in design:
        ours["block_length"] = design["blocks"]
        theirs["groups"] = np.arange(n_rows) // design["blocks"]
    if "weights" in design:
        whole = rng.integers(1, 4, n_rows).astype(float)
        weights = (
            whole if design["weights"] == "whole" else rng.integers(1, 40, n_rows) / 16
        )  # sums are exact
        ours["sample_weight"] = theirs["weights"] = weights
    predicted = ~np.isnan(holes if holes.ndim == 2 else holes[..., 0])
    return rng, y, holes, predicted, ours, theirs


def draws(rng, units, is_acceptable):
    """Drawn units of each replicate, and the counts of the rows, of replicates that will do."""
    found = []
    while len(found) < N_BOOTSTRAPS:
        drawn = rng.integers(0, units.max() + 1, units.max() + 1)
        counts = np.bincount(drawn, minlength=units.max() + 1)[units]
        if is_acceptable(counts):
            found.append((drawn, counts))
    return np.array([drawn for drawn, _ in found]), np.array([counts for _, counts in found])


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize(
    ("metric", "design"), covering(list(product(BY_ROW + BY_PAIR, DESIGNS)), every=2)
)
def test_replicates_are_the_oracles(metric, design):
    for seed in range(4):
        rng, y, holes, predicted, ours, theirs = make_case(metric, DESIGNS[design], seed)
        shifts = bbc.metrics.get(metric)._compiled.size_dependent
        case = (y, holes, predicted, metric)
        groups = theirs.get("groups", np.arange(len(y)))
        _, first, codes = np.unique(groups, return_index=True, return_inverse=True)
        units = np.argsort(np.argsort(first))[codes]
        resamples, counts = draws(rng, units, lambda c, t=theirs, k=case: acceptable(*k, c, **t))
        expected = on_draws(*case, counts, **theirs, size_shift=shifts)
        if metric in BY_PAIR:
            ours["pooling"] = "rung"
        e = bbc.correct(
            y,
            holes,
            metric=metric,
            missing="rungs",
            resamples=resamples,
            confidence_level=0.8,
            **ours,
        )
        assert e.winner == expected.winner
        assert e.apparent == pytest.approx(expected.apparent, rel=1e-13)
        assert e.replicate_winners.tolist() == expected.replicate_winners.tolist()
        np.testing.assert_allclose(e.replicates, expected.replicates, rtol=1e-12, atol=1e-14)
        assert e.estimate == pytest.approx(expected.estimate, rel=1e-12)
        assert e.optimism == pytest.approx(expected.optimism, rel=1e-11, abs=1e-14)
        if expected.size_bias is not None:
            assert e.size_bias == pytest.approx(expected.size_bias, rel=1e-10, abs=1e-14)


STRATIFIED = {
    "rows": {},
    "weights": {"weights": "whole"},
    "groups of one class": {"groups": True},
    "choose only": {"choose_only": [1]},
}


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("design", STRATIFIED)
@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1", "mcc", "roc_auc"])
def test_draws_within_classes_are_the_oracles(metric, design):
    """Strata are the classes of all rows, of which a rung may have any number."""
    for seed in range(3):
        rng, y, holes, predicted, ours, theirs = make_case(metric, STRATIFIED[design], seed)
        groups = None
        if "groups" in STRATIFIED[design]:
            ours["groups"] = groups = y * 100 + rng.integers(0, len(y) // 3, len(y))
        theirs["groups"] = groups
        case = (y, holes, predicted, metric)
        counts = []
        for b in range(N_BOOTSTRAPS):
            for attempt in range(100):
                own = draw_counts(
                    seed, b, attempt, n_rows=len(y),
                    groups=None if groups is None else groups.tolist(), strata=y.tolist(),
                )  # fmt: skip
                if acceptable(*case, own, **theirs):
                    counts.append(own)
                    break
        shifts = bbc.metrics.get(metric)._compiled.size_dependent
        expected = on_draws(*case, np.array(counts), **theirs, size_shift=shifts)
        e = bbc.correct(
            y, holes, metric=metric, missing="rungs", stratify_bootstrap=True, random_state=seed,
            n_bootstraps=N_BOOTSTRAPS, confidence_level=0.8,
            pooling="rung" if metric in BY_PAIR else "pooled", **ours,
        )  # fmt: skip
        assert e.winner == expected.winner
        assert e.replicate_winners.tolist() == expected.replicate_winners.tolist()
        np.testing.assert_allclose(e.replicates, expected.replicates, rtol=1e-12, atol=1e-14)
        assert e.estimate == pytest.approx(expected.estimate, rel=1e-12)
        if expected.size_bias is not None:
            assert e.size_bias == pytest.approx(expected.size_bias, rel=1e-10, abs=1e-14)
        if groups is None:  # each class is drawn as often as it has rows
            for label in np.unique(y):
                own = np.array(counts)[:, y == label]
                assert (own.sum(axis=1) == own.shape[1]).all()


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("design", ["rows", "groups", "weights", "strata"])
@pytest.mark.parametrize("metric", ["accuracy", "f1", "roc_auc", "mean_squared_error", "log_loss"])
def test_repeats_are_rows_of_one_repeat_with_common_units(metric, design):
    """Of a race over repeats, in any order of its folds."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        n_rows = 24
        y = make_truth(metric, rng, n_rows)
        twice = np.tile(y, 2)
        predictions = make_predictions(metric, twice, rng, N_CONFIGURATIONS)
        holes, _ = with_holes(rng, predictions, [(14, 6), (30, 4), (2 * n_rows, 2)])
        units, ours, theirs = np.arange(n_rows), {}, {}
        if design == "groups":
            ours["groups"] = units = np.arange(n_rows) // 2
        if design == "weights":
            ours["sample_weight"] = rng.integers(1, 40, n_rows) / 16
            theirs["weights"] = np.tile(ours["sample_weight"], 2)
        theirs["groups"] = np.tile(units, 2)
        predicted = ~np.isnan(holes if holes.ndim == 2 else holes[..., 0])
        case = (twice, holes, predicted, metric)
        if design == "strata" and metric != "mean_squared_error":
            ours |= {"stratify_bootstrap": True, "random_state": seed, "n_bootstraps": N_BOOTSTRAPS}
            counts = [
                next(
                    own
                    for own in (
                        np.tile(draw_counts(seed, b, i, n_rows=n_rows, strata=y.tolist()), 2)
                        for i in range(100)
                    )
                    if acceptable(*case, own, **theirs)
                )
                for b in range(N_BOOTSTRAPS)
            ]
        else:
            drawn, counts = draws(
                rng, units, lambda c, t=theirs, k=case: acceptable(*k, np.tile(c, 2), **t)
            )
            ours["resamples"], counts = drawn, np.tile(counts, 2)
        shifts = bbc.metrics.get(metric)._compiled.size_dependent
        expected = on_draws(*case, np.array(counts), **theirs, size_shift=shifts)
        e = bbc.correct(
            y, [holes[:n_rows], holes[n_rows:]], metric=metric, missing="rungs",
            pooling="rung" if metric in BY_PAIR else "pooled", confidence_level=0.8, **ours,
        )  # fmt: skip
        assert e.winner == expected.winner
        assert e.apparent == pytest.approx(expected.apparent, rel=1e-13)
        assert e.replicate_winners.tolist() == expected.replicate_winners.tolist()
        np.testing.assert_allclose(e.replicates, expected.replicates, rtol=1e-12, atol=1e-14)
        if expected.size_bias is not None:
            assert e.size_bias == pytest.approx(expected.size_bias, rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("seed", range(30))
def test_rungs_are_found_as_the_oracle_finds_them(seed):
    rng = np.random.default_rng(seed)
    n_rows, n = int(rng.integers(4, 30)), int(rng.integers(2, 9))
    ends = np.sort(rng.permutation(n_rows - 1)[: rng.integers(0, 3)] + 1)
    alive = np.sort(rng.integers(1, n + 1, len(ends) + 1))[::-1]
    sizes = list(zip([*ends.tolist(), n_rows], alive.tolist(), strict=True))
    holes, _ = with_holes(rng, rng.random((n_rows, n)), sizes)
    predicted = ~np.isnan(holes)
    groups = rng.integers(0, n_rows, n_rows) if seed % 2 else None
    burn = float(rng.choice([0, 0.25, 0.5]))
    try:
        expected = find_rungs(predicted, None, groups, burn, ())
    except ValueError:
        with pytest.raises(ValueError, match="no row to score"):
            bbc._core.find_rungs(predicted.view(np.uint8), None, codes_of(groups), burn, ())
        return
    found = bbc._core.find_rungs(predicted.view(np.uint8), None, codes_of(groups), burn, ())
    for ours, theirs in zip((found.of_row, found.reached, found.scores), expected, strict=True):
        assert list(ours) == np.asarray(theirs).astype(int).tolist()


def codes_of(groups):
    """Groups as the kernel takes them."""
    return None if groups is None else groups.astype(np.int32)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "roc_auc", "r2"])
def test_a_single_rung_is_the_plain_correction(metric):
    """Complete predictions are one rung, in which nothing was dropped."""
    rng = np.random.default_rng(1)
    y = make_truth(metric, rng, 60)
    predictions = make_predictions(metric, y, rng, 8).astype(float)
    asked = {"metric": metric, "random_state": 3, "n_bootstraps": 200}
    plain = bbc.correct(y, predictions, **asked)
    pooling = "rung" if metric == "roc_auc" else "pooled"
    rungs = bbc.correct(y, predictions, missing="rungs", pooling=pooling, **asked)
    assert rungs.replicate_winners.tolist() == plain.replicate_winners.tolist()
    np.testing.assert_allclose(rungs.replicates, plain.replicates, rtol=1e-13, atol=1e-15)
    assert rungs.confidence_interval.low == pytest.approx(plain.confidence_interval.low, rel=1e-12)
