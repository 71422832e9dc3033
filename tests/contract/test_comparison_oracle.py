"""Comparisons agree with the oracle: differences of every replicate, then everything made of them.

The reference draws, selects and scores each family by itself; nothing is shared with the package.
"""

import itertools
import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import bbc
from data import make_predictions, make_truth
from families import compared_arrays
from nightly import covering
from reference.bbc import bbc as one_level
from reference.choices import BestThreshold, GreedyEnsemble, TopK, choose, column
from reference.comparison import compare as oracle
from reference.comparison import contributions, largest_loss, left_out_ratio
from reference.drawn_limits import hidden_of_difference
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
    weights = both.get("sample_weight", np.ones(N_ROWS))
    scored = partial(score, metric, y)
    return hidden_of_difference(scored, y, sides, weights, both["folds"], both.get("groups"))


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


@pytest.mark.parametrize(("metric", "plan", "method"), covering(CASES, every=8))
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
    ("metric", "plan", "method"), covering(list(itertools.product(OTHERS, PLANS, METHODS)), every=6)
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


CHOICES = {
    "a cut-off": (bbc.best_threshold(), BestThreshold(), ("accuracy", "f1_macro", "mcc")),
    "a greedy ensemble": (
        bbc.greedy_ensemble(3),
        GreedyEnsemble(3),
        ("accuracy", "kappa", "brier_score", "log_loss"),
    ),
    "the best two": (bbc.top_k(2), TopK(2), ("accuracy", "log_loss", "brier_score")),
}
DESIGNS = {
    "plain": {},
    "weights": {"sample_weight": np.arange(1, 61) % 4 / 2 + 0.25},
    "groups": {"groups": np.arange(60) // 2},
}


def events(kind, n_classes, rng):
    """Folds of equal shares of classes, in each of which one half of the models is better."""
    n = 60
    y = np.array([7, 2, 5])[np.minimum(np.arange(n) // 24, n_classes - 1)]
    folds = np.stack([np.arange(n) // 2 % N_FOLDS, np.arange(n)[::-1] // 2 % N_FOLDS])
    skills = np.where(np.arange(6) < 3, [[0.95], [0.6], [0.6]], [[0.6], [0.95], [0.9]])
    right = rng.random((2, n, 6)) < skills[np.arange(n) // 24]
    if kind == "labels":
        return y, folds, np.where(right, y[:, None], np.roll(np.unique(y), 1)[0])
    codes = np.searchsorted(np.unique(y), y)
    raised = 0.3 + 0.5 * rng.random((2, n, 6, n_classes))
    raised += (np.arange(n_classes) == codes[:, None])[:, None] * right[..., None]
    shares = raised / raised.sum(axis=-1, keepdims=True)
    return y, folds, shares[..., 1] if kind == "scores" else shares


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(
    ("choice", "metric"),
    [(choice, metric) for choice, (_, _, metrics) in CHOICES.items() for metric in metrics],
)
def test_differences_of_choices_hold_the_shares_of_classes(choice, metric, design):
    """The class term is that of the difference between what was chosen on all rows."""
    rule, reference, _ = CHOICES[choice]
    votes = bbc.metrics.get(metric).predicts == "labels" and choice != "a cut-off"
    of_classes = (choice, metric) == ("the best two", "log_loss")
    kind = "labels" if votes else "classes" if of_classes else "scores"
    y, folds, predictions = events(
        kind, 3 if votes or of_classes else 2, np.random.default_rng(len(metric))
    )
    given = {"folds": folds, **DESIGNS[design]}
    families = {"one": predictions[:, :, :3], "other": predictions[:, :, 3:]}
    errors = {}
    for counts in ("sampled", "fixed"):
        found = compared_arrays(
            y, {name: list(each) for name, each in families.items()}, metric=metric,
            selection=rule, method="bbc-two-level", class_counts=counts, n_bootstraps=40,
            random_state=2, **given,
        )  # fmt: skip
        assert found.notes == ()
        errors[counts] = found.differences[0].standard_error
    outputs = []
    for each in families.values():
        shape = {"folds": folds, "sample_weight": given.get("sample_weight"), "n_repeats": 2}
        problem = make_problem(y, each, get(metric), **shape)
        of_all = choose(problem, reference, np.ones(len(y), dtype=int), votes)
        outputs.append(column(problem, of_all, votes).predictions[:, :, 0])
    weights = given.get("sample_weight", np.ones(len(y)))
    scored = partial(score, metric, y)
    hidden = hidden_of_difference(scored, y, outputs, weights, folds, given.get("groups"))
    expected = math.hypot(errors["fixed"], hidden)
    assert expected > 1.0001 * errors["fixed"]
    assert errors["sampled"] == pytest.approx(expected, rel=1e-8)


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
