"""Comparisons agree with the oracle: differences of every replicate, then everything made of them.

The reference draws, selects and scores each family by itself; nothing is shared with the package.
"""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth
from families import compared_arrays
from nightly import covering
from reference.bbc import bbc as one_level
from reference.comparison import compare as oracle
from reference.comparison import contributions, largest_loss, left_out_ratio
from reference.drawn_limits import class_term
from reference.metrics import get, score
from reference.problem import make_problem
from reference.several import on_winners
from reference.two_level import bbc_two_level

pytestmark = pytest.mark.filterwarnings("ignore:BBC006", "ignore:BBC010", "ignore:BBC011")
N_ROWS, N_FOLDS, SIZES = 40, 6, (4, 1, 2)
METRICS = (
    *("accuracy", "roc_auc", "mean_squared_error", "concordance_index", "mcc"),
    *("average_precision", "root_mean_squared_error", "spearman", "log_loss"),
)
PLANS = {
    "rows": {},
    "groups": {"groups": True},
    "stratified": {"stratify": True},
    "folds": {"pooling": "fold"},
    "weights": {"sample_weight": True},
    "better": {"alternative": "greater"},
    "worse": {"alternative": "less"},
    "repeats": {"n_repeats": 3},
}
METHODS = ("bbc", "bbc-two-level")
CASES = [
    (metric, plan, method)
    for metric in METRICS
    for plan in PLANS
    for method in METHODS
    if plan != "stratified" or bbc.metrics.get(metric).has_classes
]


def arguments(metric, plan, method):
    rng = np.random.default_rng([len(metric), *plan.encode()])
    design = dict(PLANS[plan])
    y = make_truth(metric, rng, N_ROWS)
    n_repeats = design.get("n_repeats", 1)
    repeats = np.stack([make_predictions(metric, y, rng, sum(SIZES)) for _ in range(n_repeats)])
    both = {key: design[key] for key in ("alternative", "pooling") if key in design}
    if method == "bbc-two-level" or "pooling" in both:
        folds = [rng.permutation(np.arange(N_ROWS) % N_FOLDS) for _ in range(n_repeats)]
        both["folds"] = np.stack(folds)
    if design.get("groups"):
        both["groups"] = np.arange(N_ROWS) // 2
    if design.get("sample_weight"):
        both["sample_weight"] = rng.integers(1, 9, N_ROWS) / 8
    ends = np.cumsum((0, *SIZES))
    names = ("large", "single", "pair")
    families = {
        name: repeats[:, :, low:high]
        for name, (low, high) in zip(names, itertools.pairwise(ends), strict=True)
    }
    return y, families, both, design


def expected_estimates(y, families, both, design, metric, method):
    reference = bbc_two_level if method == "bbc-two-level" else one_level
    return {
        name: reference(
            y,
            one,
            metric,
            seed=3,
            n_bootstraps=25,
            confidence_level=0.8,
            stratify=design.get("stratify", False),
            n_repeats=len(one),
            **both,
        )
        for name, one in families.items()
    }


def contributions_of(y, families, both, metric, ours):
    """What the rows contribute to the score of each family's best."""
    shape = {key: both[key] for key in ("pooling", "folds", "sample_weight") if key in both}
    units = both.get("groups", np.arange(N_ROWS))
    return {
        name: contributions(
            make_problem(y, one, get(metric), n_repeats=len(one), **shape),
            ours.estimates[name].winner,
            units,
        )
        for name, one in families.items()
    }


def compared(y, families, both, design, metric, method, secondary=()):
    given = {name: list(repeats) for name, repeats in families.items()}
    return compared_arrays(
        y,
        given,
        metric=metric,
        secondary=secondary,
        method=method,
        stratify_bootstrap=design.get("stratify", False),
        n_bootstraps=25,
        confidence_level=0.8,
        random_state=3,
        **both,
    )


def hidden_of(pair, ours, y, families, both, metric):
    """The root of the class term of the difference between the winners of both."""
    if not bbc.metrics.get(metric).has_classes:
        return 0.0
    sides = [
        families[name][:, :, ours.estimates[name].winner] for name in (pair.first, pair.second)
    ]

    def apart(weights):
        one, other = (
            np.mean([score(metric, y, repeat, weights) for repeat in each]) for each in sides
        )
        return one - other

    weights = both.get("sample_weight", np.ones(N_ROWS))
    needed, shown = class_term(apart, y, weights, both["folds"], both.get("groups"))
    return math.sqrt(max(0.0, needed - shown))


def check_differences(ours, replicates, y, families, both, design, metric, method):
    """All that is said of each pair, from the replicates of each family."""
    spec = bbc.metrics.get(metric)
    n_units = N_ROWS // 2 if "groups" in both else N_ROWS
    rows_drawn = method == "bbc"
    by_family = contributions_of(y, families, both, metric, ours) if rows_drawn else {}
    n_repeats = design.get("n_repeats", 1)
    overlap = 1.0 if n_repeats == 1 else 5 / 4  # folds that are not known count as five
    for pair in ours.differences:
        expected = oracle(
            replicates[pair.first],
            replicates[pair.second],
            greater_is_better=spec.greater_is_better,
            n_drawn=N_FOLDS if method == "bbc-two-level" else n_units,
            n_units=n_units,
            n_repeats=1 if rows_drawn else n_repeats,
            n_configurations=(families[pair.first].shape[2], families[pair.second].shape[2]),
            confidence_level=0.8,
            alternative=both.get("alternative", "two-sided"),
            widest=spec.highest - spec.lowest,
            winners=(by_family[pair.first], by_family[pair.second]) if rows_drawn else None,
            overlap=overlap,
            hidden=0.0 if rows_drawn else hidden_of(pair, ours, y, families, both, metric),
        )
        drawn = ours.replicates(pair.first, pair.second)
        np.testing.assert_allclose(drawn, expected.differences, rtol=0, atol=1e-12)
        numbers = ("estimate", "standard_error", "degrees_of_freedom")
        for name in (*numbers, "first_better", "second_better"):
            assert getattr(pair, name) == pytest.approx(
                getattr(expected, name), rel=1e-9, abs=1e-12
            )
        assert pair.p_value == pytest.approx(expected.p_value, rel=1e-6, abs=1e-9)
        assert tuple(pair.confidence_interval) == pytest.approx(
            (expected.low, expected.high), rel=1e-6, abs=1e-9
        )


@pytest.mark.parametrize(("metric", "plan", "method"), covering(CASES, every=4))
def test_differences_agree(metric, plan, method):
    y, families, both, design = arguments(metric, plan, method)
    ours = compared(y, families, both, design, metric, method)
    theirs = expected_estimates(y, families, both, design, metric, method)
    for name, one in theirs.items():
        assert ours.estimates[name].winner == one.winner
        np.testing.assert_array_equal(ours.estimates[name].replicate_winners, one.replicate_winners)
    replicates = {name: one.replicates for name, one in theirs.items()}
    check_differences(ours, replicates, y, families, both, design, metric, method)


OTHERS = {
    "accuracy": ("mcc", "recall_macro"),
    "mean_squared_error": ("spearman", "root_mean_squared_error"),
    "roc_auc": ("average_precision",),
}


@pytest.mark.parametrize(
    ("metric", "plan", "method"), covering(list(itertools.product(OTHERS, PLANS, METHODS)), every=3)
)
def test_differences_by_several_metrics_agree(metric, plan, method):
    if plan == "stratified" and not bbc.metrics.get(metric).has_classes:
        plan = "rows"
    y, families, both, design = arguments(metric, plan, method)
    found = compared(y, families, both, design, metric, method, OTHERS[metric])
    alone = compared(y, families, both, design, metric, method)
    assert replace(found, secondary={}) == alone
    theirs = expected_estimates(y, families, both, design, metric, method)
    shape = {key: both[key] for key in ("pooling", "folds", "sample_weight") if key in both}
    for other in OTHERS[metric]:
        scored = {
            name: on_winners(
                make_problem(y, one, get(other), n_repeats=len(one), **shape),
                theirs[name],
                two_level=method == "bbc-two-level",
            ).replicates
            for name, one in families.items()
        }
        # A replicate counts for all families or for none.
        defined = np.all([~np.isnan(values) for values in scored.values()], axis=0)
        replicates = {name: values[defined] for name, values in scored.items()}
        ours = found.secondary[other]
        for name, one in theirs.items():
            assert ours.estimates[name].winner == one.winner
            assert ours.estimates[name].n_undefined == np.count_nonzero(~defined)
            assert ours.estimates[name].decided_by == metric
        check_differences(ours, replicates, y, families, both, design, other, method)


@pytest.mark.parametrize("n_drawn", [2, 3, 4, 5, 6])
def test_the_share_left_out_by_counting_all_draws(n_drawn):
    ratios = [
        n_drawn / left_out - 1
        for draw in itertools.product(range(n_drawn), repeat=n_drawn)
        if (left_out := n_drawn - len(set(draw)))
    ]
    assert left_out_ratio(n_drawn) == pytest.approx(np.mean(ratios), rel=1e-12)


def test_the_allowance_for_selection_in_bag():
    assert largest_loss() == pytest.approx(0.112, abs=1e-5)
