"""The kernel and the oracle agree: winners exactly, numbers to rounding, metric by metric."""

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth
from nightly import covering
from reference.bbc import bbc as oracle_bbc
from reference.metrics import METRICS, f_beta, pinball

# The names differ where a parameter is part of the oracle's name.
ORACLE = {
    "f_beta": "f1",
    "f_beta_macro": "f1_macro",
    "f_beta_micro": "f1_micro",
    "f_beta_weighted": "f1_weighted",
}
PLANS = {
    "rows": {},
    "groups": {"groups": True},
    "stratified": {"stratify": True},
    "stratified groups": {"groups": True, "stratify": True},
    "weights": {"sample_weight": 8},
    "unrounded weights": {"sample_weight": 7},
    "unrounded weights of repeats": {"sample_weight": 7, "n_repeats": 2},
    "folds": {"pooling": "fold", "folds": True},
    "repeats": {"n_repeats": 2},
    "repeated folds": {"pooling": "fold", "folds": True, "n_repeats": 2},
    "weighted folds": {"pooling": "fold", "folds": True, "sample_weight": 8},
    "lower bound": {"alternative": "greater"},
    "upper bound": {"alternative": "less"},
    "resamples": {"resamples": True},
}
N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS = 36, 9, 20


def arguments(metric, plan):
    """Arguments of `bbc.correct` and of the oracle for the same problem."""
    rng = np.random.default_rng([len(metric), *plan.encode()])
    design = dict(PLANS[plan])
    y = make_truth(metric, rng, N_ROWS)
    n_repeats = design.pop("n_repeats", None)
    repeats = [make_predictions(metric, y, rng, N_CONFIGURATIONS) for _ in range(n_repeats or 1)]
    ours = {"confidence_level": 0.8, "random_state": 7, "n_bootstraps": N_BOOTSTRAPS}
    theirs = {"confidence_level": 0.8, "seed": 7, "n_bootstraps": N_BOOTSTRAPS}
    both = {key: design[key] for key in ("pooling", "alternative") if key in design}
    if design.get("folds"):
        both["folds"] = np.arange(N_ROWS) // (N_ROWS // 3)
    if design.get("sample_weight"):
        # Eighths are multiples of a step and decide exactly. Sevenths are rounded, each by itself.
        both["sample_weight"] = rng.integers(1, 9, N_ROWS) / design["sample_weight"]
    if design.get("stratify"):
        strata = y["event"] if y.dtype.names else y
        ours["stratify_bootstrap"] = theirs["stratify"] = True
        if design.get("groups"):
            both["groups"] = np.array([f"{s}-{i % 4}" for i, s in enumerate(strata)]).tolist()
    elif design.get("groups"):
        both["groups"] = (np.arange(N_ROWS) // 2).tolist()
    if design.get("resamples"):
        # Halves of the rows, several times: what is left out has every class that is drawn.
        halves = np.argsort(rng.random((N_BOOTSTRAPS, 2)), axis=1)[:, :1]
        both["resamples"] = 2 * rng.integers(0, N_ROWS // 2, (N_BOOTSTRAPS, N_ROWS)) + halves
    if n_repeats:
        theirs["n_repeats"] = n_repeats
        if "folds" in both:
            both["folds"] = np.stack([both["folds"], np.arange(N_ROWS) % 3])
    predictions = (repeats, np.stack(repeats)) if n_repeats else (repeats[0], repeats[0])
    return y, predictions, {**ours, **both}, {**theirs, **both}


def assert_agree(ours, theirs):
    assert ours.winner == theirs.winner
    np.testing.assert_array_equal(ours.replicate_winners, theirs.replicate_winners)
    np.testing.assert_allclose(ours.replicates, theirs.replicates, rtol=1e-11, atol=1e-12)
    for name in ("estimate", "apparent", "optimism", "replicate_sd"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-10, abs=1e-11)
    interval = ours.confidence_interval
    # The score interval may reach farther (see test_score_limits), never less far.
    farther = [min(interval.low, theirs.low), max(interval.high, theirs.high)]
    np.testing.assert_allclose([interval.low, interval.high], farther, rtol=1e-11)
    assert ours.n_redrawn == theirs.n_redrawn


def stratifiable(metric):
    return bbc.metrics.get(metric).target in ("binary", "classes")


CASES = [
    (metric, plan)
    for metric in sorted(bbc.metrics.names())
    for plan in PLANS
    if (stratifiable(metric) or "stratify" not in PLANS[plan])
    and (METRICS[ORACLE.get(metric, metric)].mean_of_rows or "unrounded" not in plan)
]


@pytest.mark.parametrize(
    ("metric", "plan"), covering(CASES, every=3), ids=[" ".join(case) for case in CASES]
)
def test_every_metric_under_every_plan(metric, plan):
    y, predictions, ours, theirs = arguments(metric, plan)
    measure = METRICS[ORACLE.get(metric, metric)]
    assert_agree(
        bbc.correct(y, predictions[0], metric=metric, **ours),
        oracle_bbc(y, predictions[1], measure, **theirs),
    )


@pytest.mark.parametrize(
    ("metric", "measure"),
    [
        (bbc.metrics.get("f_beta", beta=2.0), f_beta(2.0)),
        (bbc.metrics.get("f_beta", beta=0.5), f_beta(0.5)),
        (bbc.metrics.get("pinball_loss", alpha=0.9), pinball(0.9)),
    ],
    ids=lambda case: case.name,
)
def test_parameters(metric, measure):
    y, predictions, ours, theirs = arguments(metric.name.partition("(")[0], "rows")
    assert_agree(
        bbc.correct(y, predictions[0], metric=metric, **ours),
        oracle_bbc(y, predictions[1], measure, **theirs),
    )


@pytest.mark.parametrize("metric", ["accuracy", "zero_one_loss"])
@pytest.mark.parametrize("seed", range(6))
def test_few_weights_of_unlike_size(metric, seed):
    """Small weights are lost in the sum of right labels, so that others tie than by errors."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 60)
    predictions = np.where(rng.random((60, 30)) < 0.1, 1 - y[:, None], y[:, None])
    weights = (10.0 ** rng.integers(-12, 12, 4))[rng.integers(0, 4, 60)]
    options = {"n_bootstraps": 60, "confidence_level": 0.8, "sample_weight": weights}
    assert_agree(
        bbc.correct(y, predictions, metric=metric, random_state=3, **options),
        oracle_bbc(y, predictions, METRICS[metric], seed=3, **options),
    )


@pytest.mark.parametrize("metric", ["accuracy", "zero_one_loss", "mean_absolute_error"])
@pytest.mark.parametrize("stratify", [False, True])
def test_rounded_sums_decide_between_weights_that_repeat(metric, stratify):
    rng = np.random.default_rng(10)
    y = rng.integers(0, 2, 24)
    predictions = np.where(rng.random((24, 40)) < 0.35, 1 - y[:, None], y[:, None])
    if metric == "mean_absolute_error":
        y, predictions = y * 0.1, predictions * 0.1
    weights = rng.integers(1, 5, 24) / 7
    options = {"n_bootstraps": 150, "confidence_level": 0.8, "sample_weight": weights}
    stratify = stratify and metric != "mean_absolute_error"
    assert_agree(
        bbc.correct(
            y, predictions, metric=metric, random_state=3, stratify_bootstrap=stratify, **options
        ),
        oracle_bbc(y, predictions, METRICS[metric], seed=3, stratify=stratify, **options),
    )
