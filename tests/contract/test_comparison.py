"""Families compared: what every comparison promises."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import ArgumentError, UndefinedMetricError

S = bbc.simulate.accuracy(120, 30, random_state=0)
FAMILIES = {"a": S.predictions[:, :20], "b": S.predictions[:, 20:29], "c": S.predictions[:, 29:]}
OPTIONS = {"metric": "accuracy", "random_state": 5}


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:200, :6], y[:200]


@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
@pytest.mark.parametrize(
    "design", [{}, {"stratify_bootstrap": True}, {"groups": np.arange(120) // 2}]
)
@pytest.mark.filterwarnings("ignore:BBC010")
def test_each_estimate_is_that_of_correct(method, design):
    comparison = bbc.compare(S.y, FAMILIES, method=method, folds=S.folds, **OPTIONS, **design)
    for name, predictions in FAMILIES.items():
        alone = bbc.correct(S.y, predictions, method=method, folds=S.folds, **OPTIONS, **design)
        assert comparison.estimates[name] == alone
    pairs = [(each.first, each.second) for each in comparison.differences]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    one = comparison.difference("a", "c")
    drawn = comparison.estimates["a"].replicates - comparison.estimates["c"].replicates
    np.testing.assert_array_equal(comparison.replicates("a", "c"), drawn)
    assert one.estimate == pytest.approx(drawn.mean(), abs=1e-15)
    assert comparison.method == method


def test_positive_favours_the_first_whatever_the_direction():
    score = bbc.compare(S.y, FAMILIES, **OPTIONS)
    loss = bbc.compare(S.y, FAMILIES, metric="zero_one_loss", random_state=5)
    for one, other in zip(score.differences, loss.differences, strict=True):
        assert one.estimate == pytest.approx(other.estimate, abs=1e-12)
        assert one.p_value == pytest.approx(other.p_value, rel=1e-9)
        assert tuple(one.confidence_interval) == pytest.approx(tuple(other.confidence_interval))
        assert (one.first_better, one.second_better) == (other.first_better, other.second_better)


def test_equal_families_do_not_differ():
    same = bbc.compare(S.y, {"one": S.predictions, "other": S.predictions}, **OPTIONS)
    one = same.differences[0]
    assert (one.estimate, one.standard_error, one.p_value) == (0.0, 0.0, 1.0)
    assert tuple(one.confidence_interval) == (0.0, 0.0)
    assert (one.first_better, one.second_better) == (0.0, 0.0)


def test_families_that_always_differ_have_a_p_value_all_the_same():
    right = S.y[:, None]
    with pytest.warns(bbc.errors.BBCWarning, match="BBC017"):
        one = bbc.compare(S.y, {"right": right, "wrong": 1 - right}, **OPTIONS).differences[0]
    assert (one.estimate, one.standard_error) == (1.0, 0.0)
    assert 0 < one.p_value < 1e-9
    assert tuple(one.confidence_interval) == (1.0, 1.0)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_the_interval_excludes_zero_exactly_where_the_p_value_is_small(alternative, method, level):
    comparison = bbc.compare(
        S.y,
        FAMILIES,
        method=method,
        folds=S.folds,
        alternative=alternative,
        confidence_level=level,
        **OPTIONS,
    )
    for one in comparison.differences:
        low, high = one.confidence_interval
        assert (one.p_value < 1 - level) == (low > 0 or high < 0)
        assert one.confidence_interval.alternative == alternative


def test_one_sided_p_values_are_of_the_better_family():
    sides = {
        side: bbc.compare(S.y, FAMILIES, alternative=side, **OPTIONS).difference("a", "b").p_value
        for side in ("greater", "less")
    }
    flipped = bbc.compare(
        S.y, {"b": FAMILIES["b"], "a": FAMILIES["a"]}, alternative="less", **OPTIONS
    )
    assert flipped.differences[0].p_value == pytest.approx(sides["greater"], rel=1e-12)
    back = flipped.difference("a", "b")
    assert back.confidence_interval.alternative == "greater"
    assert sides["greater"] + sides["less"] > 1  # pessimism favours neither


def test_reference_limits_the_pairs():
    comparison = bbc.compare(S.y, FAMILIES, reference="b", **OPTIONS)
    pairs = [(each.first, each.second) for each in comparison.differences]
    assert pairs == [("a", "b"), ("c", "b")]
    everything = bbc.compare(S.y, FAMILIES, **OPTIONS)
    assert comparison.difference("c", "b") == everything.difference("c", "b")
    with pytest.raises(ValueError, match="'a' and 'c' were not compared"):
        comparison.difference("a", "c")


def test_folds_are_drawn_only_where_it_is_said():
    assert bbc.compare(S.y, FAMILIES, folds=S.folds, **OPTIONS).method == "bbc"
    drawn = bbc.compare(S.y, FAMILIES, folds=S.folds, method="bbc-two-level", **OPTIONS)
    assert drawn.method == "bbc-two-level"
    assert drawn.notes == ()
    with pytest.raises(ValueError, match="method must be"):
        bbc.compare(S.y, FAMILIES, folds=S.folds, method="auto", **OPTIONS)


def test_too_few_folds_give_an_estimate_without_an_interval():
    comparison = bbc.compare(
        S.y, FAMILIES, method="bbc-two-level", folds=np.arange(120) % 3, **OPTIONS
    )
    for one in comparison.differences:
        assert "at least 4 folds" in one.infeasible
        assert (one.p_value, one.confidence_interval, one.standard_error) == (None, None, None)
        assert np.isfinite(one.estimate)
    assert "no interval" in comparison.summary()
    assert bbc.Comparison.from_json(comparison.to_json()) == comparison


def unnamed(comparison):
    """Without the names of configurations, which families of one matrix have from the whole."""
    plain = {k: replace(e, names=None, winner_name="") for k, e in comparison.estimates.items()}
    return replace(comparison, estimates=plain)


def test_families_of_one_matrix_by_a_list():
    names = ["a"] * 20 + ["b"] * 9 + ["c"]
    order = np.random.default_rng(1).permutation(30)
    listed = bbc.compare(S.y, S.predictions, families=names, **OPTIONS)
    assert unnamed(listed) == unnamed(bbc.compare(S.y, FAMILIES, **OPTIONS))
    assert listed.estimates["c"].winner_name == "configuration 29"
    frame = pd.DataFrame(S.predictions, columns=[f"{name}{j}" for j, name in enumerate(names)])
    shuffled = bbc.compare(S.y, frame.iloc[:, order], families=[names[j] for j in order], **OPTIONS)
    assert set(shuffled.estimates) == set("abc")
    expected = listed.estimates["c"]
    np.testing.assert_array_equal(shuffled.estimates["c"].replicates, expected.replicates)
    assert shuffled.estimates["c"].winner_name == "c29"


def test_holes_of_one_family_stay_in_it():
    predictions = S.predictions.astype(float)
    predictions[3, 21] = np.nan
    names = ["a"] * 20 + ["b"] * 10
    both = {"metric": "mean_squared_error", "random_state": 5, "missing": "drop-configurations"}
    comparison = bbc.compare(S.y.astype(float), predictions, families=names, **both)
    assert comparison.estimates["b"].left_out_configurations.tolist() == [1]
    alone = bbc.correct(S.y.astype(float), predictions[:, 20:], **both)
    assert unnamed(comparison).estimates["b"] == alone
    with pytest.raises(ValueError, match="leaves none of family 'one'"):
        bbc.compare(
            S.y.astype(float), predictions, families=["all"] * 21 + ["one"] + ["all"] * 8, **both
        )


def test_learners_inside_one_search(cancer):
    X, y = cancer
    learners = {
        "neighbours": KNeighborsClassifier(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    grid = {"neighbours": {"n_neighbors": [1, 5, 9]}, "tree": {"max_depth": [1, 3]}}
    search = bbc.BBC(learners, grid, scoring="roc_auc", cv=5, random_state=2, refit=False)
    search.fit(X, y)
    comparison = bbc.compare(y, search, families="learner", metric="roc_auc", random_state=2)
    assert list(comparison.estimates) == ["neighbours", "tree"]
    assert comparison.method == "bbc"
    sizes = [each.n_configurations for each in comparison.estimates.values()]
    assert sizes == [3, 2]
    kept = search.oos_predictions_
    alone = bbc.correct(
        y,
        kept.scores[0][:, 3:],
        metric="roc_auc",
        folds=kept.folds,
        random_state=2,
    )
    np.testing.assert_array_equal(comparison.estimates["tree"].replicates, alone.replicates)


def test_fitted_searches_on_the_same_folds(cancer):
    X, y = cancer
    svm = bbc.CVT(LogisticRegression(max_iter=5000), {"C": [0.1, 1.0]}, cv=5, refit=False)
    grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=5)
    kept = bbc.keep_predictions(grid).fit(X, y)
    svm.fit(X, y)
    comparison = bbc.compare(y, {"logistic": svm, "neighbours": kept}, **OPTIONS)
    assert comparison.method == "bbc"
    other = bbc.CVT(KNeighborsClassifier(), {"n_neighbors": [1]}, cv=4, refit=False).fit(X, y)
    with pytest.raises(ValueError, match="family 'other' has other folds than family 'logistic'"):
        bbc.compare(y, {"logistic": svm, "other": other}, **OPTIONS)
    with pytest.raises(ValueError, match=r"'logistic'\] were made for another truth than y_true"):
        bbc.compare(1 - y, {"logistic": svm, "neighbours": kept}, **OPTIONS)
    with pytest.raises(TypeError, match=r"keeps scores but no predictions; fit bbc\.keep"):
        bbc.compare(y, {"logistic": svm, "grid": grid.fit(X, y)}, **OPTIONS)
    with pytest.raises(TypeError, match="is a CVT that is not fitted"):
        bbc.compare(y, {"logistic": svm, "new": bbc.CVT(KNeighborsClassifier())}, **OPTIONS)


def test_truths_of_survival_may_come_in_two_columns():
    rng = np.random.default_rng(1)
    truth = np.column_stack([rng.random(40) < 0.7, rng.integers(1, 30, 40)]).astype(float)
    structured = np.array([tuple(row) for row in truth], dtype=[("event", bool), ("time", float)])
    risks = rng.random((40, 3))
    own = bbc.OutOfSamplePredictions(structured, scores=risks[None])
    options = {"metric": "concordance_index", "random_state": 1}
    comparison = bbc.compare(truth, {"own": own, "array": risks}, **options)
    assert comparison.differences[0].estimate == 0.0
    with pytest.raises(ValueError, match="another truth"):
        bbc.compare(truth[::-1], {"own": own, "array": risks}, **options)


HOLES = FAMILIES["b"].astype(float)
HOLES[7] = np.nan
REFUSED = {
    "no dict": ({"predictions": S.predictions}, TypeError, "predictions must be a dict from"),
    "one family": ({"predictions": {"a": S.predictions}}, ValueError, "predictions has 1 family"),
    "none": ({"predictions": {}}, ValueError, "predictions has 0 families"),
    "name": ({"predictions": {1: FAMILIES["a"], "b": FAMILIES["b"]}}, TypeError, "family named 1"),
    "rows": (
        {"predictions": FAMILIES | {"b": FAMILIES["b"][:100]}},
        ValueError,
        "y_true has 120 rows, predictions have 100",
    ),
    "holes": (
        {
            "predictions": {"a": FAMILIES["a"].astype(float), "b": HOLES},
            "metric": "brier_score",
        },
        ValueError,
        "family 'b' has predictions of other rows than family 'a'",
    ),
    "repeats": (
        {"predictions": FAMILIES | {"b": [FAMILIES["b"]] * 2}},
        ValueError,
        "family 'b' has 2 repeats, not the 1 of family 'a'",
    ),
    "infinity": (
        {
            "predictions": {"a": FAMILIES["a"], "b": np.full((120, 2), np.inf)},
            "metric": "roc_auc",
        },
        ValueError,
        r"predictions\['b'\] are infinite at repeat 0, row 0",
    ),
    "metric": ({"metric": "roc_auk"}, ValueError, "roc_auk"),
    "method": ({"method": "bbc-f"}, ValueError, "method must be 'bbc' or 'bbc-two-level'"),
    "no folds": ({"method": "bbc-two-level"}, ValueError, "folds is needed by method"),
    "reference": ({"reference": "d"}, ValueError, "is none of the families \\('a', 'b', 'c'\\)"),
    "families of a dict": ({"families": "learner"}, TypeError, "families is for one set"),
    "not a search": (
        {"predictions": S.predictions, "families": "learner"},
        ValueError,
        "is for a fitted protocol of bbc",
    ),
    "other word": (
        {"predictions": S.predictions, "families": "names"},
        ValueError,
        'families must be "learner" or a list',
    ),
    "short list": (
        {"predictions": S.predictions, "families": ["a", "b"]},
        ValueError,
        "families has 2 entries for 30 configurations",
    ),
    "number": ({"predictions": S.predictions, "families": 3}, TypeError, "families must be a list"),
    "no name": (
        {"predictions": S.predictions[:, :2], "families": ["a", np.nan]},
        ValueError,
        "families has no name for configuration 1",
    ),
    "complexity": (
        {"selection": bbc.one_standard_error(range(20)), "folds": S.folds},
        ValueError,
        "selection ranks the configurations of one search by complexity",
    ),
    "level": (
        {"confidence_level": 0.999, "n_bootstraps": 100},
        ValueError,
        "confidence_level=0.999 is too high",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_by_name(case):
    changed, kind, message = REFUSED[case]
    arguments = {"predictions": FAMILIES} | OPTIONS | changed
    with pytest.raises(kind, match=message) as caught:
        bbc.compare(S.y, **arguments)
    assert isinstance(caught.value, ArgumentError) or case == "metric"


def test_a_function_that_is_undefined_for_one_family_only_is_refused():
    def precision(y, predicted):
        called = predicted == 1
        return y[called].mean() if called.any() else float("nan")

    rare = np.zeros((120, 1), int)
    rare[:3] = 1
    metric = bbc.metrics.from_callable(precision, greater_is_better=True)
    with pytest.raises(UndefinedMetricError, match="for some families only"):
        bbc.compare(
            S.y,
            {"usual": FAMILIES["a"], "rare": rare},
            metric=metric,
            n_bootstraps=40,
            random_state=1,
        )


def test_json_keeps_every_bit_and_refuses_what_it_did_not_write():
    comparison = bbc.compare(S.y, FAMILIES, reference="c", alternative="greater", **OPTIONS)
    text = comparison.to_json()
    restored = bbc.Comparison.from_json(text)
    assert restored == comparison
    assert restored != bbc.compare(S.y, FAMILIES, alternative="greater", **OPTIONS)
    np.testing.assert_array_equal(restored.replicates("a", "c"), comparison.replicates("a", "c"))
    unbounded = bbc.compare(
        S.y.astype(float),
        {name: one.astype(float) for name, one in FAMILIES.items()},
        metric="mean_squared_error",
        alternative="less",
        random_state=1,
    )
    assert np.isinf(unbounded.differences[0].confidence_interval.low)
    assert bbc.Comparison.from_json(unbounded.to_json(indent=1)) == unbounded
    document = json.loads(text)
    for damage in (
        {"estimates": {}},
        {"estimates": []},
        {"differences": [{"first": "a"}]},
        {"differences": [document["differences"][0] | {"p_value": "small"}]},
        {"differences": [document["differences"][0] | {"second": "z"}]},
        {"unknown": 1},
    ):
        with pytest.raises(ValueError, match="not a complete Comparison"):
            bbc.Comparison.from_json(json.dumps(document | damage))
    for other in ("{}", "[1]", comparison.estimates["a"].to_json()):
        with pytest.raises(ValueError, match="not a Comparison written by to_json"):
            bbc.Comparison.from_json(other)


def test_texts_tables_and_html():
    names = {"<b>": FAMILIES["a"], "a long name of a family that does not fit": FAMILIES["b"]}
    comparison = bbc.compare(S.y, names, folds=S.folds, **OPTIONS)
    text = comparison.summary()
    assert max(map(len, text.split("\n"))) <= 80
    one = comparison.differences[0]
    assert f"{one.estimate:+.4f}" in text
    assert f"{one.p_value:.3f}" in text
    assert repr(comparison).startswith("Comparison(accuracy, families=[<b>, a long")
    shown = comparison._repr_html_()
    assert "&lt;b&gt;" in shown
    assert not re.search(r"<b>", shown)
    frame = comparison.to_frame()
    assert len(frame) == 1
    assert frame.loc[0, "p_value"] == one.p_value
    assert frame.loc[0, "first_estimate"] == comparison.estimates["<b>"].estimate


def test_the_result_is_frozen():
    comparison = bbc.compare(S.y, FAMILIES, **OPTIONS)
    with pytest.raises(AttributeError):
        comparison.reference = "a"
    with pytest.raises(TypeError):
        comparison.estimates["d"] = comparison.estimates["a"]
    with pytest.raises(ValueError, match="read-only"):
        comparison.replicates("a", "b")[0] = 1.0
    with pytest.raises(ValueError, match="there is no family 'd', only 'a', 'b', 'c'"):
        comparison.replicates("a", "d")


def test_a_replicate_that_one_metric_cannot_score_is_left_out_for_all_families():
    rng = np.random.default_rng(2)
    y = (np.arange(40) < 4).astype(int)
    labels = (rng.random((40, 6)) < 0.3).astype(int)
    families = {"a": labels[:, :3], "b": labels[:, 3:]}
    found = bbc.compare(y, families, metric=["accuracy", "recall"], random_state=1)
    ours = found["recall"]
    undefined = {each.n_undefined for each in ours.estimates.values()}
    assert len(undefined) == 1
    (n_undefined,) = undefined
    assert n_undefined > 0
    assert len(ours.replicates("a", "b")) == 1000 - n_undefined
    alone = bbc.correct(y, families["a"], metric=["accuracy", "recall"], random_state=1)
    assert ours.estimates["a"] == alone["recall"]  # where the truth alone leaves it undefined


def test_several_metrics_of_one_set_of_predictions_split_into_families():
    s = bbc.simulate.auc(80, 12, random_state=0)
    risks = 1 / (1 + np.exp(-s.predictions))
    listed = ["a"] * 5 + ["b"] * 7
    metric = {"auc": "roc_auc", "brier": "brier_score"}
    found = bbc.compare(
        s.y, risks, families=listed, metric=metric, decided_by="brier", random_state=1
    )
    given = {"a": risks[:, :5], "b": risks[:, 5:]}
    again = bbc.compare(s.y, given, metric=metric, decided_by="brier", random_state=1)
    for name in ("auc", "brier"):
        assert unnamed(found[name]) == unnamed(again[name])
    assert list(found) == ["auc", "brier"]
    assert again["brier"] == bbc.compare(s.y, given, metric="brier_score", random_state=1)
    assert found["auc"].estimates["a"].decided_by == "brier_score"
    assert list(found.to_frame()["metric"]) == ["auc", "brier"]
    assert bbc.results.Comparisons.from_json(found.to_json()) == found
    assert "selected by brier_score" in found.summary()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": []}, "metric is empty"),
        ({"metric": ["accuracy", "accuracy"]}, "two have the same name"),
        ({"metric": ["accuracy", "f1"], "decided_by": "auc"}, "names none of the metrics"),
        ({"metric": "accuracy", "decided_by": "accuracy"}, "is for several metrics"),
        (
            {"metric": ["accuracy", "f1"], "selection": bbc.top_k(2)},
            "takes one metric, got accuracy, f1",
        ),
    ],
)
def test_several_metrics_that_cannot_be_compared_are_refused(options, message):
    s = bbc.simulate.accuracy(60, 8, random_state=0)
    halves = {"a": s.predictions[:, :4], "b": s.predictions[:, 4:]}
    with pytest.raises(ValueError, match=message):
        bbc.compare(s.y, halves, random_state=1, **options)


def test_scores_of_folds_are_of_one_metric():
    X, y = load_iris(return_X_y=True)
    grid = {"max_depth": [1, 2, 3]}
    searches = {
        name: GridSearchCV(
            DecisionTreeClassifier(random_state=seed), grid, cv=10, scoring="accuracy"
        ).fit(X, y)
        for name, seed in (("a", 0), ("b", 1))
    }
    with pytest.raises(TypeError, match="metric must be one score of a search that kept no"):
        bbc.compare(None, searches, metric=["accuracy", "f1_macro"])
