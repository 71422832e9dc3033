"""Two-level BBC agrees with the oracle: winners exactly, numbers to rounding, metric by metric."""

import numpy as np
import pytest
from test_oracle_agreement import ORACLE, assert_agree, stratifiable

import bbc
from data import make_predictions, make_truth
from nightly import covering
from reference.bbc import bbc as one_level
from reference.metrics import METRICS
from reference.two_level import bbc_two_level as oracle

# Few rows, and groups that folds cut: both are said here, and meant.
pytestmark = pytest.mark.filterwarnings("ignore:BBC006", "ignore:BBC010")
PLANS = {
    "rows": {},
    "groups": {"groups": True},
    "stratified": {"stratify": True},
    "stratified groups": {"groups": True, "stratify": True},
    "weights": {"sample_weight": True},
    "folds": {"pooling": "fold"},
    "weighted folds": {"pooling": "fold", "sample_weight": True},
    "repeats": {"n_repeats": 3},
    "repeated folds": {"pooling": "fold", "n_repeats": 3},
    "repeated groups": {"groups": True, "n_repeats": 3},
    "lower bound": {"alternative": "greater"},
}
N_ROWS, N_FOLDS, N_CONFIGURATIONS, N_BOOTSTRAPS = 40, 6, 5, 20
METHOD = {"method": "bbc-two-level"}


def lucky_predictions(metric, y, folds, rng):
    """Predictions whose configurations are better in some folds than in others."""
    predictions = make_predictions(metric, y, rng, N_CONFIGURATIONS)
    for fold in range(N_FOLDS):
        rows = folds == fold
        predictions[rows] = predictions[rows][:, rng.permutation(N_CONFIGURATIONS)]
    return predictions


def arguments(metric, plan):
    """Arguments of `bbc.correct` and of the oracle for the same problem.

    Folds are of unlike sizes, their labels not in the order of their first rows, and they cut
    through groups.
    """
    rng = np.random.default_rng([len(metric), *plan.encode()])
    design = dict(PLANS[plan])
    y = make_truth(metric, rng, N_ROWS)
    n_repeats = design.get("n_repeats")
    folds = [rng.permutation(np.arange(N_ROWS) % N_FOLDS) for _ in range(n_repeats or 1)]
    repeats = [lucky_predictions(metric, y, own, rng) for own in folds]
    ours = {"confidence_level": 0.8, "random_state": 7, "n_bootstraps": N_BOOTSTRAPS}
    theirs = {"confidence_level": 0.8, "seed": 7, "n_bootstraps": N_BOOTSTRAPS}
    both = {key: design[key] for key in ("pooling", "alternative") if key in design}
    both["folds"] = np.stack(folds) if n_repeats else folds[0]
    if design.get("sample_weight"):
        # Multiples of 1/8: sums are exact, so that ties are ties in whatever order they are added.
        both["sample_weight"] = rng.integers(1, 9, N_ROWS) / 8
    groups = rng.permutation(np.arange(N_ROWS) // 3)
    if design.get("stratify"):
        ours["stratify_bootstrap"] = theirs["stratify"] = True
        groups = [f"{stratum}-{i % 8}" for i, stratum in enumerate(y)]
    if design.get("groups"):
        both["groups"] = list(groups)
    if n_repeats:
        theirs["n_repeats"] = n_repeats
    predictions = (repeats, np.stack(repeats)) if n_repeats else (repeats[0], repeats[0])
    return y, predictions, {**ours, **both, **METHOD}, {**theirs, **both}


CASES = [
    (metric, plan)
    for metric in sorted(bbc.metrics.names())
    for plan in PLANS
    if stratifiable(metric) or "stratify" not in PLANS[plan]
]


@pytest.mark.parametrize(("metric", "plan"), covering(CASES, every=2))
def test_every_metric_under_every_plan(metric, plan):
    y, predictions, ours, theirs = arguments(metric, plan)
    measure = METRICS[ORACLE.get(metric, metric)]
    assert_agree(
        bbc.correct(y, predictions[0], metric=metric, **ours),
        oracle(y, predictions[1], measure, **theirs),
    )


def test_every_metric_of_the_oracle_is_compared():
    compared = {ORACLE.get(metric, metric) for metric, _ in CASES}
    assert compared == set(METRICS)


@pytest.mark.parametrize("plan", ["rows", "stratified", "repeats"])
@pytest.mark.parametrize("metric", ["roc_auc", "sensitivity"])
def test_draws_are_thrown_away_alike(metric, plan):
    """Few positives: many draws leave a side without one."""
    y, predictions, ours, theirs = arguments(metric, plan)
    y = np.where(np.arange(N_ROWS) % 11 == 0, 1, 0)
    result = bbc.correct(y, predictions[0], metric=metric, **ours)
    assert_agree(result, oracle(y, predictions[1], metric, **theirs))
    assert result.n_redrawn > 0


@pytest.mark.parametrize("pooling", ["pooled", "fold"])
@pytest.mark.parametrize("metric", ["accuracy", "mcc", "roc_auc", "mean_squared_error", "r2"])
def test_rows_that_a_repeat_did_not_predict(metric, pooling):
    y, (repeats, stacked), ours, theirs = arguments(metric, "repeats")
    rng = np.random.default_rng(len(metric))
    seen = rng.random((len(repeats), N_ROWS)) < 0.8
    seen[0] |= ~seen.any(axis=0)  # every row is predicted by some repeat
    kind = "labels" if stacked.dtype.kind in "iu" else "scores"
    given = bbc.results.OutOfSamplePredictions(
        y=y,
        mask=np.broadcast_to(seen[:, :, None], stacked.shape),
        folds=ours.pop("folds"),
        **{kind: stacked},
    )
    assert_agree(
        bbc.correct(y, given, metric=metric, pooling=pooling, **ours),
        oracle(y, stacked, metric, pooling=pooling, seen=seen, **theirs),
    )


@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
def test_unseen_rows_do_not_hide_the_pairs_of_the_others(method):
    """A metric of pairs of rows, of which the first repeat has some that are not its first rows."""
    y = np.repeat([0.0, 1, 2, 1, 2, 0], [4, 1, 1, 1, 1, 4])
    seen = np.ones((2, len(y)), dtype=bool)
    seen[0, :4] = False
    folds = np.stack([np.arange(12) // 2, np.arange(12) % 4])
    predictions = np.random.default_rng(3).normal(size=(2, len(y), 3))
    mask = np.broadcast_to(seen[:, :, None], predictions.shape)
    groups = np.repeat([0, 1, 2, 3], [4, 2, 2, 4])
    given = bbc.results.OutOfSamplePredictions(y=y, mask=mask, scores=predictions)
    options = {"n_bootstraps": 20, "confidence_level": 0.8, "folds": folds, "groups": groups}
    ask = oracle if method == "bbc-two-level" else one_level
    assert_agree(
        bbc.correct(y, given, metric="r2", random_state=7, method=method, **options),
        ask(y, predictions, "r2", seed=7, seen=seen, n_repeats=2, **options),
    )


@pytest.mark.parametrize("n_folds", [3, 4])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_few_folds_of_one_repeat_are_the_few_of_all(n_folds, alternative):
    y, predictions, ours, theirs = arguments("accuracy", "repeats")
    folds = np.array([(np.arange(N_ROWS) + r) % k for r, k in enumerate((5, n_folds, 5))])
    both = {"folds": folds, "alternative": alternative}
    result = bbc.correct(y, predictions[0], metric="accuracy", **{**ours, **both})
    expected = oracle(y, predictions[1], "accuracy", **{**theirs, **both})
    assert result.replicate_winners.tolist() == expected.replicate_winners.tolist()
    assert result.estimate == pytest.approx(expected.estimate, rel=1e-11)
    low, high = result.confidence_interval  # by Student's t: test_drawn_folds has the values
    assert low < result.estimate < high
