"""Subgroups: one winner per replicate, scored on the out-of-bag rows of each subgroup."""

import math

import numpy as np
import pandas as pd
import pytest

import bbc
from classifiers import designs, make_classifiers, oracle_of, read_by
from instrumented import Witness, numbered_data
from reference.comparison import compare as oracle_compare
from reference.comparison import contributions
from reference.drawn_limits import class_term
from reference.metrics import get, score
from reference.problem import make_problem
from reference.subgroups import in_subgroup

N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS, SEED = 60, 6, 50, 4
BY = np.where(np.arange(N_ROWS) // 4 % 3 < 2, "large", "small")


@pytest.fixture(scope="module")
def binary():
    return make_classifiers(N_ROWS, N_CONFIGURATIONS, n_alike=5)


@pytest.mark.parametrize("options", designs(N_ROWS, n_folds=5))
@pytest.mark.parametrize(
    ("decides", "other"), [("accuracy", "roc_auc"), ("roc_auc", "brier_score"), ("mcc", "f1")]
)
def test_the_oracle_agrees(binary, decides, other, options):
    drawn = {"n_bootstraps": N_BOOTSTRAPS, "random_state": SEED} | options
    c = bbc.correct(binary.y, binary, metric=decides, **drawn)
    ours = {decides: c.subgroups(BY), other: c.subgroups(BY, metric=other)}
    decided, shape = oracle_of(binary, decides, options, seed=SEED, n_bootstraps=N_BOOTSTRAPS)
    for name in (decides, other):
        problem = make_problem(binary.y, read_by(name, binary), get(name), **shape)
        theirs = {
            label: in_subgroup(problem, decided, label == BY, two_level="method" in options)
            for label in ("large", "small")
        }
        for label, expected in theirs.items():
            estimate = ours[name][label].estimate
            defined = expected.replicates[~np.isnan(expected.replicates)]
            np.testing.assert_allclose(estimate.replicates, defined, rtol=1e-12)
            assert estimate.estimate == pytest.approx(expected.estimate, rel=1e-12)
            assert estimate.apparent == pytest.approx(expected.apparent, rel=1e-12)
            assert estimate.n_undefined == N_BOOTSTRAPS - len(defined)
            assert estimate.winner == decided.winner
        winner, hidden = decided.winner, 0.0
        if "method" in options:
            hidden = hidden_of(binary.y, read_by(name, binary), winner, name, options)
        check_difference(ours[name], theirs, options, name, problem, winner, hidden)


def hidden_of(y, repeats, winner, metric, options):
    """The root of the class term of the difference, whose classes are those of each subgroup."""

    def apart(weights):
        large, small = (
            np.mean([score(metric, y[own], each[own, winner], weights[own]) for each in repeats])
            for own in (BY == "large", BY == "small")
        )
        return large - small

    weights = options.get("sample_weight", np.ones(N_ROWS))
    classes = 2 * y + (BY == "large")
    needed, shown = class_term(apart, classes, weights, options["folds"], options.get("groups"))
    return math.sqrt(max(0.0, needed - shown))


def check_difference(ours, theirs, options, metric, problem, winner, hidden):
    first, second = theirs["large"].replicates, theirs["small"].replicates
    both = ~np.isnan(first) & ~np.isnan(second)
    of_metric = bbc.metrics.get(metric)
    n_units = 20 // (2 if "groups" in options else 1)
    n_drawn = 5 if "method" in options else N_ROWS // (2 if "groups" in options else 1)
    expected = oracle_compare(
        first[both],
        second[both],
        greater_is_better=of_metric.greater_is_better,
        n_drawn=n_drawn,
        n_units=n_units,
        n_repeats=2 if "method" in options else 1,
        widest=of_metric.range[1] - of_metric.range[0],
        winners=None
        if "method" in options
        else tuple(
            contributions(problem, winner, options.get("groups", np.arange(N_ROWS)), label == BY)
            for label in ("large", "small")
        ),
        hidden=hidden,
    )
    (found,) = ours.differences
    assert found.estimate == pytest.approx(expected.estimate, abs=1e-12)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-9)
    assert found.degrees_of_freedom == pytest.approx(expected.degrees_of_freedom, rel=1e-12)
    assert found.p_value == pytest.approx(expected.p_value, rel=1e-6)
    assert tuple(found.confidence_interval) == pytest.approx(
        (expected.low, expected.high), rel=1e-6
    )


def test_numbers_of_few_rows_are_no_classes():
    """Counts are none, although those of one subgroup have two values."""
    rng = np.random.default_rng(6)
    rows = np.arange(N_ROWS)
    y = np.where(BY == "small", rows % 2, rows % 7)
    options = {"folds": rows // 12, "method": "bbc-two-level", "random_state": SEED}
    predictions = rng.random((N_ROWS, 3)) + 5 * (rows % 2)[:, None]
    found = bbc.correct(y, predictions, metric="mean_squared_error", **options).subgroups(BY)
    expected = oracle_compare(
        found["large"].estimate.replicates,
        found["small"].estimate.replicates,
        greater_is_better=False,
        n_drawn=5,
        n_units=20,
        widest=math.inf,
    )
    assert found.differences[0].standard_error == pytest.approx(expected.standard_error, rel=1e-9)
    # A third value, which changes next to nothing, would end what two classes add to its limits.
    nearly = y + 1e-9 * (rows == np.flatnonzero(BY == "small")[1])
    limits = [
        tuple(
            bbc.correct(truth, predictions, metric="root_mean_squared_error", **options)
            .subgroups(BY)["small"]
            .estimate.confidence_interval
        )
        for truth in (y, nearly)
    ]
    assert limits[0] == pytest.approx(limits[1], rel=1e-6)


def test_all_rows_are_corrected_as_without_subgroups(binary):
    c = bbc.correct(binary.y, binary, metric="roc_auc", random_state=1)
    found = c.subgroups(BY)
    assert found.overall == c
    assert found["large"].estimate.decided_by == ""


def test_a_mean_over_rows_is_the_mean_of_its_subgroups():
    """Out of bag, accuracy is the mean of the subgroups' weighted by their left-out rows."""
    rng = np.random.default_rng(3)
    y, predictions = rng.integers(0, 2, 40), rng.integers(0, 2, (40, 5))
    resamples = rng.integers(0, 40, (50, 40))
    by = np.arange(40) % 2
    found = bbc.correct(y, predictions, metric="accuracy", resamples=resamples).subgroups(by)
    out = np.array([[i not in set(drawn.tolist()) for i in range(40)] for drawn in resamples])
    shares = (out & (by == 0)).sum(axis=1) / out.sum(axis=1)
    mixed = shares * found["0"].estimate.replicates + (1 - shares) * found["1"].estimate.replicates
    np.testing.assert_allclose(found.overall.replicates, mixed, rtol=1e-12)


def test_python_functions_agree_with_the_kernel(binary):
    def root(y, prediction):
        return float(np.sqrt(np.mean((y - prediction) ** 2)))

    own = bbc.metrics.from_callable(root, name="own", greater_is_better=False, lowest=0)
    y, values = binary.y.astype(float), binary.labels[0] + 0.25
    options = {"n_bootstraps": 60, "random_state": SEED}
    by_function, by_kernel = (
        bbc.correct(y, values, metric=metric, **options).subgroups(BY)
        for metric in (own, "root_mean_squared_error")
    )
    for name in ("large", "small"):
        np.testing.assert_allclose(
            by_function[name].estimate.replicates, by_kernel[name].estimate.replicates, rtol=1e-12
        )


def too_small(by, metric="roc_auc", reference=None, **options):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    scores = rng.random((60, 4))
    options = {"n_bootstraps": 200, "random_state": 1} | options
    return bbc.correct(y, scores, metric=metric, **options).subgroups(by, reference=reference)


@pytest.mark.parametrize(
    ("by", "options", "reason"),
    [
        (np.where(np.arange(60) == 3, "b", "a"), {}, "it has one row"),
        (np.where(np.isin(np.arange(60), [1, 3, 5]), "b", "a"), {}, "none of class 0"),
        (np.where(np.arange(60) < 6, "b", "a"), {}, "undefined in .* of 200 replicates"),
        (
            np.where(np.arange(60) < 10, "b", "a"),
            {"groups": np.arange(60) // 10},
            "its rows are of one group",
        ),
        (
            np.where(np.arange(60) < 10, "b", "a"),
            {"folds": np.arange(60) // 10, "method": "bbc-two-level"},
            "its rows are in one fold",
        ),
        (
            np.where(np.arange(60) < 10, "b", "a"),
            {"sample_weight": (np.arange(60) >= 10).astype(float)},
            "its rows have no weight",
        ),
    ],
)
def test_a_subgroup_that_is_too_small_says_so(by, options, reason):
    found = too_small(by, **options)
    assert found["b"].estimate is None
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(found["b"].too_small)
    assert found["a"].estimate is not None
    assert found.differences == ()
    assert "too small" in found.summary()
    assert bbc.results.Subgroups.from_json(found.to_json()) == found


def test_counts_of_classes_and_events():
    found = too_small(np.arange(60) // 30)
    assert dict(found["0"].counts) == {"0": 15, "1": 15}
    rng = np.random.default_rng(1)
    survival = np.column_stack([np.arange(60) % 3 == 0, rng.random(60)])
    risks, halves = rng.random((60, 3)), np.arange(60) // 30
    c = bbc.correct(survival, risks, metric="concordance_index", random_state=1)
    found = c.subgroups(halves)
    assert dict(found["1"].counts) == {"events": 10, "censored": 20}
    real = bbc.correct(rng.random(60), risks, metric="r2", random_state=1).subgroups(halves)
    assert dict(real["1"].counts) == {}


def test_rows_that_are_left_out_belong_to_no_subgroup():
    rng = np.random.default_rng(0)
    y, scores = np.arange(60) % 2, rng.random((60, 4))
    scores[:10] = np.nan
    by, options = np.arange(60) // 20, {"metric": "brier_score", "random_state": 1}
    found = bbc.correct(y, scores, **options).subgroups(by)
    assert [each.n_rows for each in found.groups] == [10, 20, 20]
    same = bbc.correct(y[10:], scores[10:], **options).subgroups(by[10:])
    for ours, theirs in zip(found.groups, same.groups, strict=True):
        np.testing.assert_array_equal(ours.estimate.replicates, theirs.estimate.replicates)


def test_a_reference_is_second_in_each_pair():
    found = too_small(np.arange(60) // 15, metric="brier_score", reference=2)
    assert [(each.first, each.second) for each in found.differences] == [
        ("0", "2"),
        ("1", "2"),
        ("3", "2"),
    ]
    assert found.difference("2", "0").estimate == -found.difference("0", "2").estimate


def test_a_fitted_search_brings_its_predictions():
    X, y = numbered_data(80)
    search = bbc.BBC(Witness(), {"shift": [0.0, 0.4]}, cv=4, scoring="roc_auc", random_state=1)
    search.fit(X, y)
    by = np.arange(80) // 40
    found = bbc.correct(search, random_state=1).subgroups(by)
    assert found.overall.replicates.tobytes() == search.performance_.replicates.tobytes()


FOLDS = np.arange(60) % 5


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"by": np.zeros(60)}, r"by has one label"),
        ({"by": np.arange(59)}, r"by has 59 rows, predictions have 60"),
        ({"by": np.linspace(0, 1, 60)}, "by has 60 different real numbers; cut them"),
        ({"by": np.where(np.arange(60) < 3, np.nan, 1.0)}, "by is NaN at row 0"),
        ({"reference": "none"}, 'reference="none" is none of the subgroups'),
        ({"method": "bbc-f", "folds": FOLDS}, 'method="bbc-f" of the correction is not for'),
        ({"method": "tt", "folds": FOLDS}, 'method="tt" draws no replicates'),
        ({"method": "median"}, "method must be 'bbc' or 'bbc-two-level'"),
        ({"selection": bbc.top_k(2)}, "reads those of a configuration"),
        (
            {"missing": "rungs", "metric": "brier_score"},
            "reads what one configuration predicted for all rows; .*NopPruner",
        ),
    ],
)
def test_bad_input_is_refused(changed, message):
    rng = np.random.default_rng(0)
    options = {"metric": "roc_auc"} | changed
    asked = {"by": np.arange(60) % 2}
    asked |= {name: options.pop(name) for name in ("by", "reference") if name in options}
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.correct(np.arange(60) % 2, rng.random((60, 4)), **options).subgroups(**asked)


def test_labels_in_another_order_are_refused():
    y = pd.Series(np.arange(60) % 2, index=[f"row {i}" for i in range(60)])
    by = pd.Series(np.arange(60) // 30, index=y.index[::-1])
    scores = np.random.default_rng(0).random((60, 4))
    with pytest.raises(ValueError, match=r"^by: the index has the rows"):
        bbc.correct(y, scores, metric="roc_auc").subgroups(by)
    found = bbc.correct(y, scores, metric="roc_auc", random_state=1).subgroups(by[::-1])
    assert [each.n_rows for each in found.groups] == [30, 30]


def test_a_finding_of_the_design_warns_once():
    rng = np.random.default_rng(0)
    with pytest.warns(bbc.errors.BBCWarning) as warned:
        bbc.correct(
            np.arange(60) % 2,
            rng.random((60, 4)),
            metric="brier_score",
            folds=np.arange(60) % 5,
            groups=np.arange(60) // 3,
            random_state=1,
        ).subgroups(np.arange(60) // 30)
    assert [str(each.message)[:6] for each in warned] == ["BBC010"]


def test_a_stream_is_refused():
    blocks = bbc.Blocks([np.random.default_rng(0).random((60, 4))])
    c = bbc.correct(np.arange(60) % 2, blocks, metric="roc_auc")
    with pytest.raises(bbc.errors.NotKeptError, match="they came as a stream"):
        c.subgroups(np.arange(60) % 2)


def test_a_label_without_subgroup_is_named():
    found = too_small(np.arange(60) % 2, metric="brier_score")
    with pytest.raises(KeyError, match="no subgroup 'x'"):
        found["x"]
    with pytest.raises(ValueError, match="were not compared"):
        found.difference("0", "x")


def test_damaged_documents_are_refused():
    text = too_small(np.arange(60) % 2, metric="brier_score").to_json()
    with pytest.raises(ValueError, match="not a complete Subgroups"):
        bbc.results.Subgroups.from_json(text.replace('"too_small": null', '"small": null'))
