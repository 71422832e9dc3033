"""What a correction leaves of the optimism: against the oracle, the answer, and refusals."""

import json
import pickle

import numpy as np
import pytest

import bbc
from bbc.results import RemainingOptimism
from data import make_predictions, make_truth
from reference import remaining_optimism as oracle
from reference.bbc import bbc as corrected
from reference.metrics import METRICS, get
from reference.problem import make_problem

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
N_ROWS, N_CONFIGURATIONS, SEED = 66, 13, 3


def has_row_values(name):
    try:
        oracle.kind_of(get(name))
    except ValueError:
        return False
    return True


WITH_ROWS = [
    name
    for name in bbc.metrics.names()
    if name in METRICS and has_row_values(name) and bbc.metrics.get(name).target != "survival"
]


def draw(metric, n_folds=5):
    """Truth, predictions that know nothing of it, and folds of unequal sizes."""
    rng = np.random.default_rng([len(metric), n_folds])
    y = make_truth(metric, rng, N_ROWS)
    guesses = [make_predictions(metric, y, rng, 1) for _ in range(N_CONFIGURATIONS)]
    predictions = np.concatenate([own[rng.permutation(N_ROWS)] for own in guesses], axis=1)
    if bbc.metrics.get(metric).predicts == "probability":
        predictions = np.clip(predictions, 0.1, 0.9)  # no row's loss dominates
    folds = rng.permutation(np.minimum(np.arange(N_ROWS) % (n_folds + 1), n_folds - 1))
    return y, predictions, folds


def ours(metric, y, predictions, folds, **options):
    given = {"n_bootstraps": 60, "confidence_level": 0.5, "random_state": SEED, **options}
    return bbc.correct(y, predictions, metric=metric, folds=folds, **given)


def test_metrics_of_rows():
    kinds = [oracle.kind_of(get(name)) for name in WITH_ROWS]
    assert kinds.count("roc_auc") == 1
    assert kinds.count("accuracy") == 2
    assert kinds.count("loss") > 20


@pytest.mark.parametrize("metric", WITH_ROWS)
@pytest.mark.parametrize("n_folds", [4, 7])
def test_the_oracle_agrees(metric, n_folds):
    y, predictions, folds = draw(metric, n_folds)
    c = ours(metric, y, predictions, folds)
    found = c.remaining_optimism()
    of_labels = metric == "ordinal_mean_absolute_error"  # classes, too
    expected = oracle.remaining_optimism(
        y,
        predictions,
        metric,
        folds=folds,
        estimate=c.estimate,
        distance=found.in_bag_optimism,
        strata=y.tolist() if of_labels else None,
        seed=SEED,
    )
    assert found.kappa == pytest.approx(expected.kappa, rel=1e-11, abs=1e-12)
    assert found.kappa_sd == pytest.approx(expected.sd, rel=1e-11)
    assert found.further_optimism == pytest.approx(expected.further, rel=1e-11, abs=1e-15)
    assert found.coupled_estimate == pytest.approx(expected.coupled, rel=1e-12)


def test_folds_of_a_regression_are_permuted_within_the_labels_that_stratified_them():
    y, predictions, folds = draw("mean_squared_error")
    bins = np.argsort(np.argsort(y)) * 2 // N_ROWS
    c = ours("mean_squared_error", y, predictions, folds, stratified_by=bins)
    found = c.remaining_optimism()
    expected = oracle.remaining_optimism(
        y,
        predictions,
        "mean_squared_error",
        folds=folds,
        estimate=c.estimate,
        distance=found.in_bag_optimism,
        strata=bins.tolist(),
        seed=SEED,
    )
    assert found.kappa_sd == pytest.approx(expected.sd, rel=1e-11)
    freely = ours("mean_squared_error", y, predictions, folds).remaining_optimism()
    assert freely.kappa == found.kappa
    assert freely.kappa_sd != found.kappa_sd


@pytest.mark.parametrize("metric", ["roc_auc", "accuracy", "zero_one_loss", "neg_log_loss"])
def test_winners_in_bag(metric):
    """D is of the draws and winners of the correction."""
    y, predictions, folds = draw(metric)
    found = ours(metric, y, predictions, folds).remaining_optimism()
    result = corrected(y, predictions, metric, n_bootstraps=60, seed=SEED)
    problem = make_problem(y, predictions, get(metric))
    expected = oracle.mean_distance(problem, result)
    assert expected > 0
    assert found.in_bag_optimism == pytest.approx(expected, rel=1e-12)


def coupled_scores(seed=0, n_configurations=40):
    """Models of random inputs, which know only what their training rows have in common."""
    rng = np.random.default_rng(seed)
    y, folds = np.arange(60) % 2, np.arange(60) // 2 % 5
    scores = np.empty((60, n_configurations))
    for j in range(n_configurations):
        x = rng.normal(size=(60, 3))
        for fold in range(5):
            train = folds != fold
            scores[~train, j] = x[~train] @ x[train].T @ (2 * y[train] - 1)
    return y, scores, folds


@pytest.fixture(scope="module")
def coupled():
    y, scores, folds = coupled_scores()
    return bbc.correct(y, scores, metric="roc_auc", folds=folds, random_state=1)


def test_the_answer(coupled):
    found = coupled.remaining_optimism()
    assert found.estimate == coupled.record
    assert found.confidence_interval is None
    assert found.kappa > 2 * found.kappa_sd > 0
    assert 0 < found.further_optimism < 0.45 * 0.6 * found.in_bag_optimism
    assert found.coupled_estimate == coupled.estimate - found.further_optimism
    assert RemainingOptimism.from_json(found.to_json()) == found
    frame = found.to_frame()
    assert frame["further_optimism"].tolist() == [found.further_optimism]
    text = " ".join(found.summary().split())
    more = f"of which about {found.further_optimism:.1g} more is likely optimism, because rows that"
    assert more in text
    assert repr(found).endswith(f"{found.further_optimism:.2g} is likely optimism)")
    # The correction itself is as it was.
    assert "BBC028" not in {each.code for each in coupled.findings}
    assert "likely" not in coupled.summary()


def test_limits_are_shifted_on_request(coupled):
    found = coupled.remaining_optimism(shift_limits=True)
    low, high = coupled.confidence_interval
    own = found.confidence_interval
    assert own.confidence_level == coupled.confidence_interval.confidence_level
    assert own.low == pytest.approx(low - found.further_optimism, rel=1e-14)
    assert own.high == pytest.approx(high - found.further_optimism, rel=1e-14)
    assert found.coupled_estimate == coupled.remaining_optimism().coupled_estimate


def test_shifted_limits_stay_in_the_range_of_the_metric():
    y, scores, folds = coupled_scores()
    risks = 1 / (1 + np.exp(-scores))
    c = bbc.correct(y, risks, metric="brier_score", folds=folds, random_state=1)
    found = c.remaining_optimism(shift_limits=True)
    assert found.further_optimism > 0
    assert found.coupled_estimate == c.estimate + found.further_optimism
    assert c.confidence_interval.high < found.confidence_interval.high <= 1


def test_the_finding_is_of_a_tenth_of_the_width(coupled):
    found = coupled.remaining_optimism()
    low, high = coupled.confidence_interval
    for share, expected in ((0.0999, False), (0.1001, True)):
        document = json.loads(found.to_json()) | {"further_optimism": share * (high - low)}
        answer = RemainingOptimism.from_json(json.dumps(document))
        codes = [each.code for each in answer.findings]
        assert ("BBC028" in codes) == expected
        assert set(codes) - {"BBC028"} == {each.code for each in coupled.findings}


def test_nothing_is_found_where_nothing_was_trained():
    rng = np.random.default_rng(3)
    y, folds = np.arange(80) % 2, np.arange(80) // 2 % 5
    c = bbc.correct(y, rng.random((80, 60)), metric="roc_auc", folds=folds, random_state=1)
    found = c.remaining_optimism()
    assert abs(found.kappa) < 3 * found.kappa_sd
    document = json.loads(found.to_json()) | {"further_optimism": 0.0}
    nothing = RemainingOptimism.from_json(json.dumps(document))
    assert "show no optimism that is left" in " ".join(nothing.summary().split())


def test_threads_and_copies_change_no_bit(coupled):
    y, scores, folds = coupled_scores()
    options = {"metric": "roc_auc", "folds": folds, "random_state": 1}
    found = coupled.remaining_optimism()
    for n_threads in (1, 3):
        c = bbc.correct(y, scores, n_threads=n_threads, **options)
        assert c.remaining_optimism() == found
    assert pickle.loads(pickle.dumps(coupled)).remaining_optimism() == found
    order = np.random.default_rng(0).permutation(len(scores[0]))
    other = bbc.correct(y, scores[:, order], **options).remaining_optimism()
    assert other.kappa == pytest.approx(found.kappa, rel=1e-12)


def test_a_real_truth():
    """Folds are permuted within all rows."""
    rng = np.random.default_rng(0)
    y, folds = rng.normal(size=50), np.arange(50) % 5
    p = 0.1 * rng.normal(size=(50, 12))
    c = bbc.correct(y, p, metric="mean_squared_error", folds=folds, random_state=4)
    again = bbc.correct(-y, -p, metric="mean_squared_error", folds=folds, random_state=4)
    assert c.remaining_optimism().kappa == again.remaining_optimism().kappa


Y, SCORES, FOLDS = coupled_scores(n_configurations=12)
GROUPS = np.arange(60) // 2
HOLE = np.where(np.arange(12) == 2, np.nan, SCORES[:1]) * (np.arange(60) == 3)[:, None]
#: What is asked otherwise, and the refusal.
REFUSED = {
    "other metric": ({"metric": "average_precision"}, "metric: must be the AUC of two classes"),
    "root": ({"metric": "root_mean_squared_error"}, "metric: must be the AUC of two classes"),
    "function": ({"metric": lambda y, p: float(p.mean())}, "metric: .* reads single rows"),
    "no folds": ({"folds": None}, "folds: must be known: only rows of one fold"),
    "three folds": ({"folds": FOLDS % 3}, "folds: there are 3, and 4 are needed"),
    "leave-one-out": ({"folds": np.arange(60)}, "folds: must have several rows each"),
    "nine configurations": ({"predictions": SCORES[:, :9]}, "predictions: have 9 configurations"),
    "rare class": (
        {"y": (np.arange(60) < 9).astype(int)},
        "y: has a class of 9 rows: 5 folds need two each",
    ),
    "few rows": (
        {"y": np.arange(8.0), "predictions": SCORES[:8], "folds": np.arange(8) % 5}
        | {"metric": "mean_squared_error"},
        "y: has 8 rows: 5 folds need two each",
    ),
    "repeats": (
        {"predictions": [SCORES, SCORES], "folds": [FOLDS, FOLDS]},
        "predictions: of several repeats were not studied",
    ),
    "groups": ({"groups": GROUPS}, r"groups were not studied for Correction\.remaining_optimism"),
    "blocks": ({"block_length": 3}, "block_length=3 was not studied"),
    "weights": ({"sample_weight": np.arange(60) + 1.0}, "sample_weight is not taken"),
    "strata": ({"stratify_bootstrap": True}, "stratify_bootstrap=True was not studied"),
    "folds pooled": ({"pooling": "fold"}, 'pooling="fold" is how'),
    "two-level": ({"method": "bbc-two-level"}, 'method="bbc-two-level" .* is not for'),
    "rule": (
        {"selection": bbc.one_standard_error(range(12))},
        "selection one_standard_error.* is not followed",
    ),
    "one side": ({"alternative": "greater"}, 'alternative="greater" of the correction is not for'),
    "dropped": (
        {"predictions": SCORES + HOLE, "missing": "drop-configurations"},
        r"some rows or configurations were left out \(missing\)",
    ),
    "alike": ({"predictions": np.repeat(SCORES[:, :1], 12, axis=1)}, "are alike in every row"),
    "one row": (
        {
            "metric": "log_loss",
            "predictions": np.where(np.arange(60) == 3, 0.0, 0.98)[:, None]
            * (2 * Y - 1)[:, None]
            % 1
            * np.ones(12),
        },
        "metric: must not rest on one row",
    ),
    "times": (
        {"y": np.array([(True, t) for t in range(60)], [("event", bool), ("time", float)])}
        | {"metric": "concordance_index"},
        "y of times to an event was not studied",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_was_not_studied_is_refused(name):
    changes, message = REFUSED[name]
    given = {"y": Y, "predictions": SCORES, "metric": "roc_auc", "folds": FOLDS} | changes
    y, predictions = given.pop("y"), given.pop("predictions")
    c = bbc.correct(y, predictions, random_state=1, n_bootstraps=50, **given)
    with pytest.raises((ValueError, TypeError), match=message):
        c.remaining_optimism()


def test_shift_limits_is_a_flag(coupled):
    with pytest.raises(TypeError, match="shift_limits must be True or False, got int 1"):
        coupled.remaining_optimism(shift_limits=1)
