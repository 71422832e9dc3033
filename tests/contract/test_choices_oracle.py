"""Cut-offs and ensembles agree with the oracle, replicate by replicate, in every design."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth
from families import by_name
from nightly import covering
from reference.bbc import bbc as oracle_bbc
from reference.choices import BestThreshold, GreedyEnsemble, TopK, described, on_draws
from reference.label_metrics import binary_counts
from reference.metrics import METRICS, Metric
from reference.problem import make_problem
from reference.two_level import bbc_two_level

pytestmark = pytest.mark.filterwarnings("ignore:.*BBC006")  # small samples are often redrawn

N_CONFIGURATIONS, N_FOLDS, N_BOOTSTRAPS = 4, 4, 10
OF_CALLS = [
    metric
    for metric in map(bbc.metrics.get, bbc.metrics.names())
    if metric._facts["form"] in ("zero_one", "confusion")
]
#: Each metric of right and wrong calls by one of its names, and one that is a mean over classes.
CUT = (*{metric.kernel: metric.name for metric in OF_CALLS[::-1]}.values(), "f1_macro")
AVERAGED = (
    "accuracy",
    "f1_macro",
    "ordinal_mean_absolute_error",
    "mean_squared_error",
    "neg_root_mean_squared_error",
    "mean_absolute_error",
    "brier_score",
    "roc_auc",
    "average_precision",
    "roc_auc_ovo",
    "spearman",
    "concordance_index",
)
DESIGNS = {
    "rows": {},
    "groups": {"groups": True},
    "strata": {"stratify": True},
    "whole weights": {"weights": "whole"},
    "real weights": {"weights": "real"},
    "folds": {"pooling": "fold"},
    "repeats": {"n_repeats": 3},
    "repeats by fold": {"n_repeats": 2, "pooling": "fold"},
    "repeats with real weights": {"n_repeats": 2, "weights": "real"},
    "repeats with whole weights": {"n_repeats": 2, "weights": "whole"},
    "two levels": {"method": "bbc-two-level"},
    "two levels, repeats": {"method": "bbc-two-level", "n_repeats": 2},
}


def make_scores(rng, y, n_repeats, n_configurations):
    """Scores with ties, some columns equal, some constant."""
    shape = (n_repeats, len(y), n_configurations)
    scores = np.round(6 * (0.3 * y[None, :, None] + 0.7 * rng.random(shape))) / 6
    scores[..., -1] = scores[..., 0]
    if rng.random() < 0.3:
        scores[..., 1] = 0.5
    return scores


def make_case(rng, design, *, cuts, metric):
    """Truth, predictions (repeat, row, configuration[, class]) and arguments of both sides."""
    n_repeats, n_rows = design.get("n_repeats", 1), int(rng.integers(20, 30))
    if cuts:
        y = np.where(np.arange(n_rows) % 3 == 0, 1, 0)[rng.permutation(n_rows)]
        predictions = make_scores(rng, y, n_repeats, N_CONFIGURATIONS)
    else:
        y = make_truth(metric, rng, n_rows)
        predictions = np.stack(
            [make_predictions(metric, y, rng, N_CONFIGURATIONS) for _ in range(n_repeats)]
        )
    both, ours = {}, {"method": design.get("method", "bbc")}
    if "pooling" in design or "method" in design:
        order = np.argsort(y["event"] if y.dtype.names else y, kind="stable")
        folds = np.empty((n_repeats, n_rows), dtype=np.int64)
        for repeat in folds:
            repeat[order] = (np.arange(n_rows) + rng.integers(N_FOLDS)) % N_FOLDS
        both["folds"] = folds
    if "pooling" in design:
        both["pooling"] = "fold"
    if "groups" in design:
        both["groups"] = rng.integers(0, n_rows // 2, n_rows)
    if "weights" in design:
        whole = rng.integers(0, 4, n_rows).astype(float)
        whole[:2] = 1.0
        both["sample_weight"] = whole if design["weights"] == "whole" else rng.random(n_rows) + 0.1
    theirs = {"stratify": True} if "stratify" in design else {}
    if theirs:
        ours["stratify_bootstrap"] = True
    return y, predictions, both, ours, theirs


def oracle_of(y, predictions, metric, rule, both, ours, theirs, *, labels):
    """The oracle's problem, draws, and what its rule chose in them."""
    n_repeats = len(predictions)
    shape = {name: both[name] for name in ("pooling", "folds", "sample_weight") if name in both}
    problem = make_problem(y, predictions, METRICS[metric], n_repeats=n_repeats, **shape)
    two_level = ours["method"] == "bbc-two-level"
    ask = bbc_two_level if two_level else oracle_bbc
    drawn = ask(
        y,
        predictions,
        metric,
        seed=7,
        n_bootstraps=N_BOOTSTRAPS,
        confidence_level=0.8,
        n_repeats=n_repeats,
        selection=lambda scores, counts: 0,
        **both,
        **theirs,
    )
    return problem, drawn, on_draws(problem, rule, drawn, labels=labels, two_level=two_level)


def assert_agree(y, predictions, metric, rules, both, ours, theirs, *, labels):
    """The same draws, choices and scores."""
    rule, oracle_rule = rules
    estimate = bbc.correct(
        y,
        list(predictions),
        metric=metric,
        selection=rule,
        n_bootstraps=N_BOOTSTRAPS,
        confidence_level=0.8,
        random_state=7,
        **both,
        **ours,
    )
    _, drawn, expected = oracle_of(
        y, predictions, metric, oracle_rule, both, ours, theirs, labels=labels
    )
    n = predictions.shape[2]
    assert estimate.n_redrawn == drawn.n_redrawn
    assert estimate.winner == expected.overall.winner(n)
    chosen = [each.winner(n) for each in expected.choices]
    np.testing.assert_array_equal(estimate.replicate_winners, chosen)
    if expected.overall.threshold is None:
        np.testing.assert_array_equal(estimate.weights, expected.overall.weights(n))
        taking_part = np.mean([each.weights(n) > 0 for each in expected.choices], axis=0)
        np.testing.assert_array_equal(estimate.selection_frequency, taking_part)
    else:
        cuts = [each.threshold for each in expected.choices]
        assert estimate.threshold == expected.overall.threshold
        np.testing.assert_array_equal(estimate.replicate_thresholds, cuts)
    np.testing.assert_allclose(estimate.replicates, expected.replicates, rtol=1e-11, atol=1e-12)
    assert estimate.apparent == pytest.approx(expected.apparent, rel=1e-11, abs=1e-12)
    assert estimate.estimate == pytest.approx(np.mean(expected.replicates), rel=1e-11, abs=1e-12)


@pytest.mark.parametrize(("metric", "design"), covering(list(product(CUT, DESIGNS)), every=4))
def test_best_threshold(metric, design):
    rng = np.random.default_rng([len(metric), len(design)])
    y, predictions, both, ours, theirs = make_case(rng, DESIGNS[design], cuts=True, metric=metric)
    rules = bbc.best_threshold(), BestThreshold()
    assert_agree(y, predictions, metric, rules, both, ours, theirs, labels=True)


def gains(truth, called, w):
    """Net benefit at a threshold probability of 0.2, of weighted rows."""
    true, false, _, _ = binary_counts(truth, called, w)
    return (true - false * 0.25) / w.sum()


BESIDE = {
    "sensitivity": METRICS["recall"],
    "specificity": METRICS["specificity"],
    "precision": METRICS["precision"],
    "negative_predictive_value": METRICS["negative_predictive_value"],
    bbc.metrics.net_benefit(0.2): Metric("net_benefit", True, -0.25, 1.0, gains, exact=False),
    "f1_macro": METRICS["f1_macro"],
    "roc_auc": METRICS["roc_auc"],
    "brier_score": METRICS["brier_score"],
}


@pytest.mark.parametrize(
    ("decides", "design"), covering(list(product(("balanced_accuracy", "f1"), DESIGNS)), every=2)
)
def test_other_metrics_describe_the_same_choice(decides, design):
    rng = np.random.default_rng([len(decides), len(design), 1])
    y, predictions, both, ours, theirs = make_case(rng, DESIGNS[design], cuts=True, metric=decides)
    found = bbc.correct(
        y,
        list(predictions),
        metric=decides,
        secondary=list(BESIDE),
        selection=bbc.best_threshold(),
        n_bootstraps=N_BOOTSTRAPS,
        confidence_level=0.8,
        random_state=7,
        **both,
        **ours,
    )
    problem, drawn, chosen = oracle_of(
        y, predictions, decides, BestThreshold(), both, ours, theirs, labels=True
    )
    cuts = np.array([each.threshold for each in chosen.choices])
    for asked, oracle in BESIDE.items():
        metric = bbc.metrics.get(asked)
        labels, own = metric.predicts == "labels", by_name(found)[metric.name]
        expected = described(
            replace(problem, metric=oracle),
            chosen,
            drawn,
            labels=labels,
            two_level=ours["method"] == "bbc-two-level",
        )
        defined = ~np.isnan(expected.replicates)
        np.testing.assert_allclose(
            own.replicates, expected.replicates[defined], rtol=1e-11, atol=1e-12
        )
        assert own.apparent == pytest.approx(expected.apparent, rel=1e-11, abs=1e-12)
        assert own.n_undefined == np.count_nonzero(~defined)
        assert (own.winner, own.decided_by) == (found.winner, decides)
        assert own.threshold == (found.threshold if labels else None)
        if labels:
            np.testing.assert_array_equal(own.replicate_thresholds, cuts[defined])


@pytest.mark.parametrize(
    ("rule", "metric", "design"),
    covering(list(product(("greedy", "top"), AVERAGED, DESIGNS)), every=4),
)
def test_ensembles(rule, metric, design):
    spec = bbc.metrics.get(metric)
    if "stratify" in DESIGNS[design] and spec.target in ("real", "survival"):
        design = "rows"  # there are no classes
    if "real weights" in design and spec.family == "ranking":
        design = design.replace("real", "whole")  # floats decide between ties
    rng = np.random.default_rng([len(metric), len(design), len(rule)])
    y, predictions, both, ours, theirs = make_case(rng, DESIGNS[design], cuts=False, metric=metric)
    rules = {
        "greedy": (bbc.greedy_ensemble(4), GreedyEnsemble(4)),
        "top": (bbc.top_k(3), TopK(3)),
    }
    labels = spec.predicts == "labels"
    assert_agree(y, predictions, metric, rules[rule], both, ours, theirs, labels=labels)


@pytest.mark.parametrize("metric", CUT)
def test_best_threshold_of_scores_without_ties(metric):
    rng = np.random.default_rng(len(metric))
    y, predictions, *arguments = make_case(rng, {}, cuts=True, metric=metric)
    predictions = predictions + 1e-3 * rng.random(predictions.shape)
    rules = bbc.best_threshold(), BestThreshold()
    assert_agree(y, predictions, metric, rules, *arguments, labels=True)


def test_cut_offs_of_extreme_scores():
    """Midpoints that round to the upper score, overflow in a sum, signed zeros, subnormals."""
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    near = np.nextafter(1.0, 2.0)
    palette = np.array([1.0, near, np.nextafter(near, 2.0), 1e308, 1.7e308, -1.7e308, 0.0, -0.0])
    palette = np.concatenate([palette, [5e-324, 1e-323, 1.5e-323, -5e-324]])
    predictions = palette[rng.integers(0, len(palette), (1, 40, N_CONFIGURATIONS))]
    rules = bbc.best_threshold(), BestThreshold()
    ours = {"method": "bbc"}
    assert_agree(y, predictions, "f1", rules, {}, ours, {}, labels=True)
