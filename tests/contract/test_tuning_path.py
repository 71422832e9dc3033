"""The path of a search: every point is the correction of the first t configurations."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import ArgumentError
from data import make_predictions, make_truth
from reference.bbc import bbc as one_level
from reference.comparison import compare as oracle
from reference.drawn_limits import hidden_of_difference
from reference.metrics import get, score
from reference.problem import make_problem
from reference.several import on_winners
from reference.two_level import bbc_two_level

pytestmark = pytest.mark.filterwarnings(
    "ignore:BBC006", "ignore:BBC010", "ignore:BBC011", "ignore:BBC016"
)
S = bbc.simulate.accuracy(100, 21, random_state=0)
POINTS = [1, 2, 4, 8, 16, 21]
PLANS = {
    "rows": {},
    "groups": {"groups": np.arange(100) // 2},
    "stratified": {"stratify_bootstrap": True},
    "weights": {"sample_weight": np.arange(1, 101) / 8},
    "folds": {"pooling": "fold", "folds": S.folds},
}


@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
@pytest.mark.parametrize("metric", ["accuracy", "zero_one_loss", "roc_auc", "f1"])
@pytest.mark.parametrize("plan", PLANS)
def test_every_point_is_a_correction(plan, metric, method):
    options = {"metric": metric, "method": method, "random_state": 3, "n_bootstraps": 200}
    options |= PLANS[plan] | ({"folds": S.folds} if method == "bbc-two-level" else {})
    predictions = S.predictions + (0.25 * np.arange(21) % 1 if metric == "roc_auc" else 0)
    path = bbc.correct(S.y, predictions, **options).tuning_path()
    assert path.n_configurations.tolist() == POINTS
    assert path.estimate.method == method
    for place, t in enumerate(POINTS):
        alone = bbc.correct(S.y, predictions[:, :t], **options)
        assert (path.estimates[place], path.apparent[place]) == (alone.estimate, alone.apparent)
        assert path.winners[place] == alone.winner
        assert (path.lows[place], path.highs[place]) == tuple(alone.confidence_interval)
    np.testing.assert_array_equal(path.estimate.replicates, alone.replicates)
    np.testing.assert_array_equal(path.estimate.replicate_winners, alone.replicate_winners)
    assert path.estimate.names is None
    assert path.estimate.n_configurations == 21


def hidden_of(metric, y, winners, repeats, design):
    """For each winner, what folds hide of its difference from the last by the classes' shares."""
    if not bbc.metrics.get(metric).has_classes:
        return [0.0 for _ in winners[:-1]]
    weights, groups = design.get("sample_weight", np.ones(len(y))), design.get("groups")
    last = repeats[:, :, winners[-1]]
    return [
        hidden_of_difference(
            partial(score, metric, y),
            y,
            (repeats[:, :, winner], last),
            weights,
            design["folds"],
            groups,
        )
        for winner in winners[:-1]
    ]


@pytest.mark.parametrize("n_repeats", [1, 2])
@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
@pytest.mark.parametrize("metric", ["accuracy", "mean_absolute_error", "concordance_index"])
def test_falls_agree_with_the_oracle(metric, method, n_repeats):
    rng = np.random.default_rng(len(metric))
    y = make_truth(metric, rng, 30)
    repeats = [make_predictions(metric, y, rng, 5) for _ in range(n_repeats)]
    folds = np.stack([rng.permutation(np.arange(30) % 5) for _ in range(n_repeats)])
    two_level = method == "bbc-two-level"
    design = {"folds": folds} if two_level else {}
    drawn = {"n_bootstraps": 25, "confidence_level": 0.8, "random_state": 3} | design
    ours = bbc.correct(y, repeats, metric=metric, method=method, **drawn).tuning_path()
    assert ours.n_configurations.tolist() == [1, 2, 4, 5]
    theirs = [
        (bbc_two_level if two_level else one_level)(
            y,
            np.stack(repeats)[:, :, :t],
            metric,
            seed=3,
            n_bootstraps=25,
            confidence_level=0.8,
            n_repeats=n_repeats,
            **design,
        )
        for t in (1, 2, 4, 5)
    ]
    spec = bbc.metrics.get(metric)
    for place, one in enumerate(theirs):
        assert ours.winners[place] == one.winner
        assert ours.estimates[place] == pytest.approx(one.estimate, abs=1e-12)
        assert ours.apparent[place] == pytest.approx(one.apparent, abs=1e-12)
        # The hull with a score interval, where the metric has one.
        assert ours.lows[place] <= one.low + 1e-12
        assert ours.highs[place] >= one.high - 1e-12
    winners = [one.winner for one in theirs]
    hidden = hidden_of(metric, y, winners, np.stack(repeats), design) if two_level else [0.0] * 3
    for fall, one, unseen in zip(ours.falls, theirs, hidden, strict=False):
        expected = oracle(
            one.replicates,
            theirs[-1].replicates,
            greater_is_better=spec.greater_is_better,
            n_drawn=5 if two_level else 30,
            n_units=30,
            n_repeats=n_repeats if two_level else 1,
            confidence_level=0.9,
            alternative="greater",
            widest=spec.highest - spec.lowest,
            hidden=unseen,
        )
        assert fall.estimate == pytest.approx(expected.estimate, abs=1e-12)
        assert fall.standard_error == pytest.approx(expected.standard_error, abs=1e-12)
        low, _ = fall.confidence_interval
        assert low == pytest.approx(expected.low, rel=1e-6, abs=1e-9)
        assert (fall.first_better, fall.second_better) == (
            expected.first_better,
            expected.second_better,
        )


def design_of(plan, method, rng, n_repeats):
    """Options of the call, and those that the oracle's problem has, too."""
    design = {"pooling": "fold"} if plan == "folds" else {}
    if method == "bbc-two-level" or plan == "folds":
        design["folds"] = np.stack([rng.permutation(np.arange(30) % 5) for _ in range(n_repeats)])
    if plan == "weights":
        design["sample_weight"] = rng.integers(1, 9, 30) / 8
    shape = dict(design)
    if plan == "groups":
        design["groups"] = np.arange(30) // 2
    return design, shape


def check_path(ours, apparent, replicates, draws, hidden):
    """A path is what the oracle scored at each point, and the differences from the last."""
    np.testing.assert_allclose(ours.estimate.replicates, replicates[-1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.apparent, apparent, rtol=0, atol=1e-12)
    # The first point is one configuration, of which the score is told.
    means = [apparent[0]] + [values.mean() for values in replicates[1:]]
    np.testing.assert_allclose(ours.estimates, means, rtol=0, atol=1e-12)
    spec = bbc.metrics.get(ours.estimate.metric)
    for fall, own, unseen in zip(ours.falls, replicates, hidden, strict=False):
        expected = oracle(
            own,
            replicates[-1],
            greater_is_better=spec.greater_is_better,
            confidence_level=0.9,
            alternative="greater",
            widest=spec.highest - spec.lowest,
            hidden=unseen,
            **draws,
        )
        assert fall.estimate == pytest.approx(expected.estimate, abs=1e-12)
        assert fall.standard_error == pytest.approx(expected.standard_error, abs=1e-12)
        low, _ = fall.confidence_interval
        assert low == pytest.approx(expected.low, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("plan", ["rows", "groups", "folds", "weights", "repeats"])
@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
@pytest.mark.parametrize(
    ("metric", "others"),
    [
        ("accuracy", ("mcc", "recall_macro")),
        ("mean_squared_error", ("spearman", "root_mean_squared_error")),
        ("roc_auc", ("average_precision",)),
    ],
)
def test_paths_by_several_metrics_agree_with_the_oracle(metric, others, method, plan):
    rng = np.random.default_rng([len(metric), *plan.encode()])
    y, n_repeats = make_truth(metric, rng, 30), 2 if plan == "repeats" else 1
    repeats = np.stack([make_predictions(metric, y, rng, 5) for _ in range(n_repeats)])
    design, shape = design_of(plan, method, rng, n_repeats)
    options = {"n_bootstraps": 25, "confidence_level": 0.8, **design}
    c = bbc.correct(y, list(repeats), metric=metric, method=method, random_state=3, **options)
    two_level = method == "bbc-two-level"
    first = [repeats[:, :, :t] for t in (1, 2, 4, 5)]
    reference = bbc_two_level if two_level else one_level
    decided = [reference(y, own, metric, seed=3, n_repeats=n_repeats, **options) for own in first]
    n_units = 15 if plan == "groups" else 30
    draws = {"n_drawn": 5 if two_level else n_units, "n_units": n_units}
    draws["n_repeats"] = n_repeats if two_level else 1
    for other in others:
        scored = [
            on_winners(
                make_problem(y, own, get(other), n_repeats=n_repeats, **shape),
                one,
                two_level=two_level,
            )
            for own, one in zip(first, decided, strict=True)
        ]
        # A replicate counts for all points or for none.
        defined = np.all([~np.isnan(one.replicates) for one in scored], axis=0)
        ours = c.tuning_path(metric=other)
        assert ours.estimate.decided_by == metric
        assert ours.estimate.n_undefined == np.count_nonzero(~defined)
        assert ours.winners.tolist() == [one.winner for one in decided]
        replicates = [one.replicates[defined] for one in scored]
        winners = [one.winner for one in decided]
        hidden = hidden_of(other, y, winners, repeats, design) if two_level else [0.0] * 3
        check_path(ours, [one.apparent for one in scored], replicates, draws, hidden)


RISKS = 1 / (1 + np.exp(-np.random.default_rng(2).normal(S.y[:, None], 2, (100, 21))))


@pytest.mark.parametrize("options", [{}, {"block_length": 5}, {"folds": S.folds}])
def test_a_point_by_several_metrics_is_a_correction_by_several(options):
    names = [f"c{index}" for index in range(21)]
    options = {"metric": "brier_score", "random_state": 1} | options
    c = bbc.correct(S.y, RISKS, names=names, **options)
    found = {name: c.tuning_path(metric=name) for name in ("log_loss", "roc_auc", "brier_score")}
    assert found["brier_score"] == c.tuning_path()
    for place, t in enumerate(POINTS):
        alone = bbc.correct(S.y, RISKS[:, :t], names=names[:t], **options)
        for name, path in found.items():
            estimate = alone.score(name)
            assert path.estimates[place] == estimate.estimate
            assert path.apparent[place] == estimate.apparent
            assert (path.lows[place], path.highs[place]) == tuple(estimate.confidence_interval)
    for name, path in found.items():
        estimate = alone.score(name)
        np.testing.assert_array_equal(path.estimate.replicates, estimate.replicates)
        assert path.estimate.decided_by == estimate.decided_by


def test_a_path_by_several_metrics_knows_the_callers_configurations():
    predictions = np.array(S.predictions, dtype=float)
    predictions[:3, 1] = np.nan
    options = {"missing": "drop-configurations", "n_bootstraps": 100, "random_state": 1}
    c = bbc.correct(S.y, predictions, metric="accuracy", **options)
    own, other = c.tuning_path(), c.tuning_path(metric="mcc")
    np.testing.assert_array_equal(other.winners, own.winners)
    for path in (own, other):
        assert path.n_configurations[-1] == 21
        assert path.estimate.left_out_configurations.tolist() == [1]


@pytest.mark.parametrize(
    ("options", "metric", "message"),
    [
        ({"metric": "accuracy", "missing": "rungs"}, "f1", "missing"),
        ({"metric": lambda y, p: 0.5}, "f1", "which has no path"),
        ({"metric": "accuracy"}, "roc_auc", "roc_auc"),
    ],
)
def test_another_metric_without_a_path_is_refused(options, metric, message):
    y, labels = (np.array(["no", "yes"])[values.astype(int)] for values in (S.y, S.predictions))
    c = bbc.correct(y, labels, random_state=1, **options)
    with pytest.raises(ArgumentError, match=message):
        c.tuning_path(metric=metric)


def test_a_fall_by_a_metric_that_did_not_select_is_no_finding():
    path = make_path((0.8, 0.9), 0.05)
    assert [each.code for each in path.findings] == ["BBC019"]
    told = replace(path, estimate=replace(path.estimate, decided_by="log_loss"))
    assert (told.findings, told.overtuned) == ((), False)


def test_one_configuration_has_a_path_of_one_point():
    path = bbc.correct(S.y, S.predictions[:, :1], metric="accuracy", random_state=1).tuning_path()
    assert path.n_configurations.tolist() == [1]
    assert path.falls == ()
    assert not path.overtuned
    assert path.best == 1


def overtuned():
    """Two stable learners, then many whose fitted models vary, some of which look better."""
    rng = np.random.default_rng(4)
    folds, n_configurations = np.arange(600) % 10, 120
    stable = np.arange(n_configurations) < 2
    fitted = np.where(stable, 0.85, 0.65 + 0.2 * rng.normal(size=(10, n_configurations)))
    y = rng.integers(0, 2, 600)
    right = rng.random((600, n_configurations)) < fitted[folds]
    return y, np.where(right, y[:, None], 1 - y[:, None]), folds


def make_path(apparent, low, estimates=(0.8, 0.7)):
    fall = bbc.results.Difference(
        "first 1",
        "all 2",
        estimates[0] - estimates[1],
        confidence_interval=bbc.ConfidenceInterval(low, 1.0, 0.95, "greater"),
        p_value=0.01,
    )
    whole = bbc.PerformanceEstimate(
        estimate=estimates[1],
        metric="accuracy",
        method="bbc",
        greater_is_better=True,
        apparent=apparent[1],
        n_rows=100,
        n_configurations=2,
        metric_range=(0, 1),
    )
    limits = (np.full(2, 0.5), np.full(2, 0.9))
    return bbc.results.TuningPath(
        np.array([1, 2]),
        np.array(estimates),
        np.array(apparent),
        *limits,
        np.array([0, 1]),
        whole,
        (fall,),
    )


@pytest.mark.parametrize(
    ("apparent", "low", "estimates", "found"),
    [
        ((0.80, 0.85), 0.02, (0.8, 0.7), True),
        ((0.80, 0.85), -0.02, (0.8, 0.7), False),
        ((0.80, 0.80), 0.02, (0.8, 0.7), False),
        ((0.80, 0.85), 0.02, (0.7, 0.8), False),
    ],
)
def test_overtuned_where_the_corrected_curve_falls_and_the_apparent_one_rises(
    apparent, low, estimates, found
):
    path = make_path(apparent, low, estimates)
    assert path.overtuned == found
    assert ("BBC019" in [each.code for each in path.findings]) == found
    assert ("BBC019" in path.summary()) == found
    if found:
        detail = path.findings[-1].detail
        assert detail == (
            "from 1 to 2 configurations the corrected performance worsens by 0.1 (at least 0.02), "
            "while the apparent one improves by 0.05"
        )
        assert path.best == 1


def test_folds_that_are_drawn_must_be_four_for_falls():
    y, predictions, folds = overtuned()
    options = {"metric": "accuracy", "method": "bbc-two-level", "random_state": 1}
    path = bbc.correct(y, predictions, folds=folds, **options).tuning_path()
    assert path.estimate.method == "bbc-two-level"
    assert all(not fall.infeasible for fall in path.falls)
    few = bbc.correct(y, predictions, folds=folds % 3, **options).tuning_path()
    assert all("at least 4 folds" in fall.infeasible for fall in few.falls)
    assert (few.lows < few.estimates).all()  # by Student's t of so few
    assert not few.overtuned
    assert bbc.results.TuningPath.from_json(few.to_json()) == few


def test_configurations_that_are_left_out_keep_their_numbers():
    predictions = S.predictions.astype(float)
    predictions[5, [0, 4]] = np.nan
    options = {"metric": "brier_score", "random_state": 1, "missing": "drop-configurations"}
    c = bbc.correct(S.y, predictions, **options)
    path = c.tuning_path()
    kept = np.setdiff1d(np.arange(21), [0, 4])
    assert path.n_configurations.tolist() == [*(kept[[0, 1, 3, 7, 15]] + 1), 21]
    assert path.estimate == c
    assert set(path.winners) <= set(kept)


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"metric": lambda y, p: 0.0}, ValueError, "is a Python function of all rows"),
        ({"method": "tt"}, ValueError, "folds is needed by method"),
        ({"method": "bbc-two-level"}, ValueError, "folds is needed by method"),
        ({"predictions": S.predictions[:50]}, ValueError, "source has 100 rows"),
        ({"predictions": S.predictions[:, 0]}, ValueError, "predictions"),
        ({"n_bootstraps": 0}, ValueError, "n_bootstraps must be at least 1"),
        ({"confidence_level": 1.0}, ValueError, "confidence_level must be between 0 and 1"),
        ({"names": ["a"]}, ValueError, "names has 1 entries"),
    ],
)
def test_bad_input_is_refused_by_name(changed, kind, message):
    arguments = {"predictions": S.predictions, "metric": "accuracy"} | changed
    with pytest.raises(kind, match=message) as caught:
        bbc.correct(S.y, **arguments).tuning_path()
    assert isinstance(caught.value, ArgumentError)


def test_text_tables_and_json():
    names = [f"<{j}>" for j in range(21)]
    c = bbc.correct(S.y, S.predictions, metric="accuracy", names=names, random_state=1)
    path = c.tuning_path()
    lines = path.summary().split("\n")
    assert max(map(len, lines)) <= 80
    assert f"{path.estimates[2]:.3f}" in lines[4]
    assert repr(path).startswith("TuningPath(accuracy, 21 configurations, best of the first")
    assert "<0>" not in path._repr_html_()
    frame = path.to_frame()
    assert frame["n_configurations"].tolist() == POINTS
    assert frame["fall"].tolist()[:-1] == [fall.estimate for fall in path.falls]
    assert bbc.results.TuningPath.from_json(path.to_json()) == path
    document = json.loads(path.to_json())
    for damage in (
        {"falls": []},
        {"winners": [0.5] * 6},
        {"estimates": "high"},
        {"estimates": document["estimates"][1:]},
        {"unknown": 1},
        {"estimate": {}},
    ):
        with pytest.raises(ValueError, match="not a complete TuningPath"):
            bbc.results.TuningPath.from_json(json.dumps(document | damage))
    with pytest.raises(ValueError, match="not a TuningPath written by to_json"):
        bbc.results.TuningPath.from_json(path.estimate.to_json())
    with pytest.raises(ValueError, match="read-only"):
        path.estimates[0] = 1.0


@pytest.mark.parametrize("scoring", ["roc_auc", "f1", "neg_log_loss"])
def test_the_path_of_a_kept_search_ends_in_its_correction(scoring):
    """It selects by the mean of the folds and is scored on all rows; the path showed the former."""
    X, y = load_breast_cancer(return_X_y=True)
    grid = {"max_depth": [1, 2, 3, 4], "min_samples_leaf": [1, 5]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=8, scoring=scoring)
    kept = bbc.keep_predictions(search).fit(X[:120], y[:120])
    c = bbc.correct(kept, n_bootstraps=200, random_state=1)
    assert (
        c.estimate != bbc.correct(kept, pooling="fold", n_bootstraps=200, random_state=1).estimate
    )
    limits = (c.confidence_interval.low, c.confidence_interval.high)
    for path in (c.tuning_path(), c.tuning_path(metric=c.metric)):
        last = (path.estimates[-1], path.apparent[-1], path.lows[-1], path.highs[-1])
        assert last == (c.estimate, c.apparent, *limits)
        assert path.estimate.pooling == c.pooling == "pooled"
