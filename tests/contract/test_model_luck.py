"""The test of model luck: the kernel against the oracle, and how results carry it."""

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth
from reference.metrics import METRICS
from reference.model_luck import model_luck as oracle
from reference.model_luck import noise_of_largest, spread_out

N_ROWS, N_CONFIGURATIONS = 45, 7
PLANS = ("folds", "unequal", "weights", "groups", "groups of a class", "repeats", "unlike repeats")
# One of each way of computing, of scaling and of undefined folds.
OF_EVERY_PLAN = (
    "accuracy",
    "mcc",
    "roc_auc",
    "concordance_index",
    "squared_pearson",
    "root_mean_squared_error",
    "log_loss",
)
# The oracle's names where a parameter is part of them.
ORACLE = {
    "f_beta": "f1",
    "f_beta_macro": "f1_macro",
    "f_beta_micro": "f1_micro",
    "f_beta_weighted": "f1_weighted",
}


def folds_of(plan, rng):
    """Three folds or four; groups are three rows, or five of one class."""
    rows = np.arange(N_ROWS)
    if plan == "unequal":
        return rng.permutation(np.repeat(np.arange(4), (18, 12, 9, 6)))
    if plan == "groups":
        return rows // 3 % 3
    return rng.permutation(rows % 3)


def draw(metric, plan):
    """Truth, predictions and design; some of the fitted models are poor."""
    rng = np.random.default_rng([len(metric), *plan.encode()])
    y = make_truth(metric, rng, N_ROWS)
    design = {}
    if plan == "weights":
        design["sample_weight"] = rng.integers(1, 9, N_ROWS) / 8
    if plan == "groups":
        design["groups"] = np.arange(N_ROWS) // 3
    folds = np.stack([folds_of(plan, rng) for _ in range(2 if "repeats" in plan else 1)])
    if plan == "groups of a class":
        order = np.argsort(strata_of(y), kind="stable")
        design["groups"] = np.empty(N_ROWS, int)
        design["groups"][order] = np.arange(N_ROWS) // 3
        folds[0] = design["groups"] % 3
    repeats = []
    for own in folds:
        good = make_predictions(metric, y, rng, N_CONFIGURATIONS)
        poor = make_predictions(metric, y, rng, N_CONFIGURATIONS)[rng.permutation(N_ROWS)]
        lucky = (rng.random((4, N_CONFIGURATIONS)) < 0.85)[own]
        repeats.append(np.where(lucky[..., None] if good.ndim == 3 else lucky, good, poor))
    return y, repeats, {"folds": folds, **design}


def strata_of(y):
    return y["event"] if y.dtype.names else y


def ours(metric, y, repeats, design, **options):
    given = {"n_bootstraps": 40, "confidence_level": 0.5, "random_state": 3, **options}
    return bbc.correct(y, list(repeats), metric=metric, **design, **given)


def assert_agree(luck, theirs):
    assert luck.untestable == theirs.untestable
    if theirs.untestable:
        assert luck.p_value is None
        return
    assert (luck.p_value, luck.n_permutations) == (theirs.p_value, theirs.n_permutations)
    for name in ("luck_variance", "row_variance", "predicted_bias"):
        assert getattr(luck, name) == pytest.approx(getattr(theirs, name), rel=1e-12, abs=1e-13)


def by_class(metric, y):
    return bool(y.dtype.names) or bbc.metrics.get(metric).target in ("binary", "classes")


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize(
    ("metric", "plan"),
    [(metric, "folds") for metric in bbc.metrics.names() if ORACLE.get(metric, metric) in METRICS]
    + [(metric, plan) for metric in OF_EVERY_PLAN for plan in PLANS[1:]],
)
def test_the_oracle_agrees(metric, plan):
    y, repeats, design = draw(metric, plan)
    more = {}
    predictions = repeats
    if plan == "unlike repeats":
        mask = np.ones((2, N_ROWS, N_CONFIGURATIONS), bool)
        mask[0, ::11] = mask[1, 5::9] = False
        more["seen"] = mask[:, :, 0]
        kind = "labels" if bbc.metrics.get(metric).predicts == "labels" else "scores"
        predictions = bbc.OutOfSamplePredictions(
            y, **{kind: np.stack(repeats)}, mask=mask, folds=design["folds"]
        )
        e = bbc.correct(
            y, predictions, metric=metric, random_state=3, n_bootstraps=40, confidence_level=0.5
        )
    else:
        e = ours(metric, y, repeats, design)
    theirs = oracle(
        y,
        np.stack(repeats),
        METRICS[ORACLE.get(metric, metric)],
        by_class=by_class(metric, y),
        seed=3,
        n_repeats=len(repeats),
        **design,
        **more,
    )
    assert_agree(e.model_luck, theirs)
