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
from families import compared_arrays

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
    comparison = compared_arrays(S.y, FAMILIES, method=method, folds=S.folds, **OPTIONS, **design)
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
    score = compared_arrays(S.y, FAMILIES, **OPTIONS)
    loss = compared_arrays(S.y, FAMILIES, metric="zero_one_loss", random_state=5)
    for one, other in zip(score.differences, loss.differences, strict=True):
        assert one.estimate == pytest.approx(other.estimate, abs=1e-12)
        assert one.p_value == pytest.approx(other.p_value, rel=1e-9)
        assert tuple(one.confidence_interval) == pytest.approx(tuple(other.confidence_interval))
        assert (one.first_better, one.second_better) == (other.first_better, other.second_better)


def test_equal_families_do_not_differ():
    same = compared_arrays(S.y, {"one": S.predictions, "other": S.predictions}, **OPTIONS)
    one = same.differences[0]
    assert (one.estimate, one.standard_error, one.p_value) == (0.0, 0.0, 1.0)
    assert tuple(one.confidence_interval) == (0.0, 0.0)
    assert (one.first_better, one.second_better) == (0.0, 0.0)


def test_families_that_always_differ_have_a_p_value_all_the_same():
    right = S.y[:, None]
    with pytest.warns(bbc.errors.BBCWarning, match="BBC017"):
        one = compared_arrays(S.y, {"right": right, "wrong": 1 - right}, **OPTIONS).differences[0]
    assert (one.estimate, one.standard_error) == (1.0, 0.0)
    assert 0 < one.p_value < 1e-9
    assert tuple(one.confidence_interval) == (1.0, 1.0)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_the_interval_excludes_zero_exactly_where_the_p_value_is_small(alternative, method, level):
    comparison = compared_arrays(
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
        side: compared_arrays(S.y, FAMILIES, alternative=side, **OPTIONS)
        .difference("a", "b")
        .p_value
        for side in ("greater", "less")
    }
    flipped = compared_arrays(
        S.y, {"b": FAMILIES["b"], "a": FAMILIES["a"]}, alternative="less", **OPTIONS
    )
    assert flipped.differences[0].p_value == pytest.approx(sides["greater"], rel=1e-12)
    back = flipped.difference("a", "b")
    assert back.confidence_interval.alternative == "greater"
    assert sides["greater"] + sides["less"] > 1  # pessimism favours neither


def test_reference_limits_the_pairs():
    comparison = compared_arrays(S.y, FAMILIES, reference="b", **OPTIONS)
    pairs = [(each.first, each.second) for each in comparison.differences]
    assert pairs == [("a", "b"), ("c", "b")]
    everything = compared_arrays(S.y, FAMILIES, **OPTIONS)
    assert comparison.difference("c", "b") == everything.difference("c", "b")
    with pytest.raises(ValueError, match="'a' and 'c' were not compared"):
        comparison.difference("a", "c")


def test_folds_are_drawn_only_where_it_is_said():
    assert compared_arrays(S.y, FAMILIES, folds=S.folds, **OPTIONS).method == "bbc"
    drawn = compared_arrays(S.y, FAMILIES, folds=S.folds, method="bbc-two-level", **OPTIONS)
    assert drawn.method == "bbc-two-level"
    assert drawn.notes == ()
    with pytest.raises(ValueError, match="method must be"):
        compared_arrays(S.y, FAMILIES, folds=S.folds, method="auto", **OPTIONS)


def test_too_few_folds_give_an_estimate_without_an_interval():
    comparison = compared_arrays(
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
    listed = compared_arrays(S.y, S.predictions, by=names, **OPTIONS)
    assert unnamed(listed) == unnamed(compared_arrays(S.y, FAMILIES, **OPTIONS))
    assert listed.estimates["c"].winner_name == "configuration 29"
    frame = pd.DataFrame(S.predictions, columns=[f"{name}{j}" for j, name in enumerate(names)])
    shuffled = compared_arrays(S.y, frame.iloc[:, order], by=[names[j] for j in order], **OPTIONS)
    assert set(shuffled.estimates) == set("abc")
    expected = listed.estimates["c"]
    np.testing.assert_array_equal(shuffled.estimates["c"].replicates, expected.replicates)
    assert shuffled.estimates["c"].winner_name == "c29"


def test_holes_of_one_family_stay_in_it():
    predictions = S.predictions.astype(float)
    predictions[3, 21] = np.nan
    names = ["a"] * 20 + ["b"] * 10
    both = {"metric": "mean_squared_error", "random_state": 5, "missing": "drop-configurations"}
    comparison = compared_arrays(S.y.astype(float), predictions, by=names, **both)
    assert comparison.estimates["b"].left_out_configurations.tolist() == [1]
    alone = bbc.correct(S.y.astype(float), predictions[:, 20:], **both)
    assert unnamed(comparison).estimates["b"] == alone
    with pytest.raises(ValueError, match="leaves none of family 'one'"):
        compared_arrays(
            S.y.astype(float), predictions, by=["all"] * 21 + ["one"] + ["all"] * 8, **both
        )


@pytest.mark.parametrize("protocol", [bbc.BBC, bbc.CVT])
def test_learners_inside_one_search(cancer, protocol):
    X, y = cancer
    learners = {
        "neighbours": KNeighborsClassifier(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    grid = {"neighbours": {"n_neighbors": [1, 5, 9]}, "tree": {"max_depth": [1, 3]}}
    search = protocol(learners, grid, scoring="roc_auc", cv=5, random_state=2, refit=False)
    search.fit(X, y)
    comparison = bbc.compare(search, by="learner", pooling="pooled", random_state=2)
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
    comparison = bbc.compare({"logistic": svm, "neighbours": kept}, **OPTIONS)
    assert comparison.method == "bbc"
    other = bbc.CVT(KNeighborsClassifier(), {"n_neighbors": [1]}, cv=4, refit=False).fit(X, y)
    with pytest.raises(ValueError, match="'other' has other folds than 'logistic'"):
        bbc.compare({"logistic": svm, "other": other}, **OPTIONS)
    turned = bbc.keep_predictions(grid).fit(X, 1 - y)
    with pytest.raises(ValueError, match="'neighbours' has another truth than 'logistic'"):
        bbc.compare({"logistic": svm, "neighbours": turned}, **OPTIONS)
    with pytest.raises(ValueError, match=r"'grid' kept scores by fold, 'logistic' predictions of"):
        bbc.compare({"logistic": svm, "grid": grid.fit(X, y)}, **OPTIONS)
    with pytest.raises(
        TypeError, match=r"families\['new'\] must be a fitted search .* got CVT before fit"
    ):
        bbc.compare({"logistic": svm, "new": bbc.CVT(KNeighborsClassifier())}, **OPTIONS)


def test_truths_of_survival_may_come_in_two_columns():
    rng = np.random.default_rng(1)
    truth = np.column_stack([rng.random(40) < 0.7, rng.integers(1, 30, 40)]).astype(float)
    structured = np.array([tuple(row) for row in truth], dtype=[("event", bool), ("time", float)])
    risks = rng.random((40, 3))
    own = bbc.results.OutOfSamplePredictions(structured, scores=risks[None])
    options = {"metric": "concordance_index", "random_state": 1}
    comparison = compared_arrays(truth, {"own": own, "array": risks}, **options)
    assert comparison.differences[0].estimate == 0.0
    with pytest.raises(ValueError, match="another truth"):
        compared_arrays(truth[::-1], {"own": own, "array": risks}, **options)


HOLES = FAMILIES["b"].astype(float)
HOLES[7] = np.nan
REFUSED = {
    "no dict": ({"predictions": S.predictions}, TypeError, "families must be a dict from"),
    "one family": ({"predictions": {"a": S.predictions}}, ValueError, "families has 1 family"),
    "none": ({"predictions": {}}, ValueError, "families has 0 families"),
    "name": (
        {"predictions": {1: FAMILIES["a"], "b": FAMILIES["b"]}},
        TypeError,
        "families has a name 1",
    ),
    "rows": (
        {"predictions": FAMILIES | {"b": FAMILIES["b"][:100]}},
        ValueError,
        r"families\['\w+'\]\.y has 120 rows, predictions have 100",
    ),
    "holes": (
        {
            "predictions": {"a": FAMILIES["a"].astype(float), "b": HOLES},
            "metric": "brier_score",
        },
        ValueError,
        "'b' has predictions of other rows than 'a'",
    ),
    "repeats": (
        {"predictions": FAMILIES | {"b": [FAMILIES["b"]] * 2}},
        ValueError,
        "'b' has 2 repeats, not the 1 of 'a'",
    ),
    "infinity": (
        {
            "predictions": {"a": FAMILIES["a"], "b": np.full((120, 2), np.inf)},
            "metric": "roc_auc",
        },
        ValueError,
        r"families\['b'\] are infinite at repeat 0, row 0",
    ),
    "metric": ({"metric": "roc_auk"}, ValueError, "roc_auk"),
    "method": ({"method": "bbc-f"}, ValueError, "method must be 'bbc' or 'bbc-two-level'"),
    "no folds": ({"method": "bbc-two-level"}, ValueError, "folds is needed by method"),
    "reference": ({"reference": "d"}, ValueError, "is none of the families \\('a', 'b', 'c'\\)"),
    "by of a dict": ({"by": "learner"}, TypeError, "by splits one source, not a dict"),
    "not a search": (
        {"predictions": S.predictions, "by": "learner"},
        ValueError,
        "is for a fitted protocol of bbc",
    ),
    "other word": (
        {"predictions": S.predictions, "by": "names"},
        ValueError,
        'must be "learner" or a list',
    ),
    "short list": (
        {"predictions": S.predictions, "by": ["a", "b"]},
        ValueError,
        "by has 2 entries for 30 configurations",
    ),
    "number": ({"predictions": S.predictions, "by": 3}, TypeError, "by must be a list"),
    "no name": (
        {"predictions": S.predictions[:, :2], "by": ["a", np.nan]},
        ValueError,
        "by has no name for configuration 1",
    ),
    "complexity": (
        {
            "predictions": S.predictions,
            "by": ["a", "b"] * 15,
            "selection": bbc.one_standard_error(range(30)),
            "folds": S.folds,
        },
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
        compared_arrays(S.y, **arguments)
    assert isinstance(caught.value, ArgumentError) or case == "metric"


def test_a_function_that_is_undefined_for_one_family_only_is_refused():
    def precision(y, predicted):
        called = predicted == 1
        return y[called].mean() if called.any() else float("nan")

    rare = np.zeros((120, 1), int)
    rare[:3] = 1
    metric = bbc.metrics.from_callable(precision, greater_is_better=True)
    with pytest.raises(UndefinedMetricError, match="for some families only"):
        compared_arrays(
            S.y,
            {"usual": FAMILIES["a"], "rare": rare},
            metric=metric,
            n_bootstraps=40,
            random_state=1,
        )


def test_json_keeps_every_bit_and_refuses_what_it_did_not_write():
    comparison = compared_arrays(S.y, FAMILIES, reference="c", alternative="greater", **OPTIONS)
    text = comparison.to_json()
    restored = bbc.Comparison.from_json(text)
    assert restored == comparison
    assert restored != compared_arrays(S.y, FAMILIES, alternative="greater", **OPTIONS)
    np.testing.assert_array_equal(restored.replicates("a", "c"), comparison.replicates("a", "c"))
    unbounded = compared_arrays(
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
    comparison = compared_arrays(S.y, names, folds=S.folds, **OPTIONS)
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
    comparison = compared_arrays(S.y, FAMILIES, **OPTIONS)
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
    options = {"metric": "accuracy", "secondary": ["recall"], "random_state": 1}
    ours = compared_arrays(y, families, **options).secondary["recall"]
    undefined = {each.n_undefined for each in ours.estimates.values()}
    assert len(undefined) == 1
    (n_undefined,) = undefined
    assert n_undefined > 0
    assert len(ours.replicates("a", "b")) == 5000 - n_undefined
    alone = bbc.correct(y, families["a"], **options)
    # Where the truth alone leaves it undefined.
    assert ours.estimates["a"] == alone.secondary["recall"]


def test_secondary_metrics_of_one_set_of_predictions_split_into_families():
    s = bbc.simulate.auc(80, 12, random_state=0)
    risks = 1 / (1 + np.exp(-s.predictions))
    listed = ["a"] * 5 + ["b"] * 7
    options = {"metric": "brier_score", "secondary": {"auc": "roc_auc"}, "random_state": 1}
    found = compared_arrays(s.y, risks, by=listed, **options)
    given = {"a": risks[:, :5], "b": risks[:, 5:]}
    again = compared_arrays(s.y, given, **options)
    assert unnamed(replace(found, secondary={})) == unnamed(replace(again, secondary={}))
    assert unnamed(found.secondary["auc"]) == unnamed(again.secondary["auc"])
    alone = compared_arrays(s.y, given, metric="brier_score", random_state=1)
    assert replace(again, secondary={}) == alone
    assert found.secondary["auc"].estimates["a"].decided_by == "brier_score"
    assert list(found.to_frame()["metric"]) == ["brier_score", "auc"]
    assert bbc.Comparison.from_json(found.to_json()) == found
    assert "auc: difference" in found.summary()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": ["accuracy", "f1"]}, r"must be one, which selects; others are secondary"),
        ({"metric": "accuracy", "secondary": ["f1", "f1"]}, "a second metric named 'f1'"),
        ({"metric": "accuracy", "secondary": "f1"}, "secondary must be a list of metrics"),
        (
            {"metric": "accuracy", "secondary": ["f1"], "selection": bbc.top_k(2)},
            "secondary is not for selection=top_k",
        ),
    ],
)
def test_several_metrics_that_cannot_be_compared_are_refused(options, message):
    s = bbc.simulate.accuracy(60, 8, random_state=0)
    halves = {"a": s.predictions[:, :4], "b": s.predictions[:, 4:]}
    with pytest.raises((TypeError, ValueError), match=message):
        compared_arrays(s.y, halves, random_state=1, **options)


def test_scores_of_folds_are_of_one_metric():
    X, y = load_iris(return_X_y=True)
    grid = {"max_depth": [1, 2, 3]}
    searches = {
        name: GridSearchCV(
            DecisionTreeClassifier(random_state=seed), grid, cv=10, scoring="accuracy"
        ).fit(X, y)
        for name, seed in (("a", 0), ("b", 1))
    }
    with pytest.raises(ValueError, match="secondary needs predictions of rows"):
        bbc.compare(searches, secondary=["f1_macro"])


HALVES = {"a": S.predictions[:, :10], "b": S.predictions[:, 10:]}


@pytest.mark.parametrize(
    "made",
    [
        {},
        {"method": "bbc-two-level"},
        {"pooling": "fold"},
        {"selection": bbc.top_k(2)},
        {"stratify_bootstrap": True},
        {"size_correction": False, "metric": "f1"},
        {"missing": "drop-rows"},
    ],
)
def test_corrections_bring_what_they_were_made_with_but_not_their_draws(made):
    """Each family is corrected as it was, on draws that all share."""
    options = {"metric": "accuracy"} | made
    given = {name: bbc.Predictions(S.y, each, folds=S.folds) for name, each in HALVES.items()}
    corrections = {
        name: bbc.correct(each, random_state=place, n_bootstraps=50, **options)
        for place, (name, each) in enumerate(given.items())
    }
    found = bbc.compare(corrections, random_state=9)
    for name, each in given.items():
        assert found.estimates[name] == bbc.correct(each, random_state=9, **options).record
    said = bbc.compare(given, random_state=9, **options)
    assert said == found


def test_each_family_may_have_a_rule_of_its_own():
    s = bbc.simulate.auc(120, 20, random_state=0)
    labels = (s.predictions[:, :8] > 0).astype(int)
    given = {"a": bbc.Predictions(s.y, labels), "b": bbc.Predictions(s.y, s.predictions[:, 8:])}
    cut = bbc.best_threshold()
    found = bbc.compare(
        {"a": given["a"], "b": (given["b"], cut)}, metric="accuracy", random_state=3
    )
    plain = bbc.correct(given["a"], metric="accuracy", random_state=3)
    tuned = bbc.correct(given["b"], metric="accuracy", selection=cut, random_state=3)
    assert found.estimates["a"] == plain.record
    assert found.estimates["b"] == tuned.record
    drawn = plain.replicates - tuned.replicates
    np.testing.assert_array_equal(found.replicates("a", "b"), drawn)
    assert bbc.compare({"a": plain, "b": tuned}, random_state=3) == found
    ranks = bbc.one_standard_error(range(8))
    a = bbc.Predictions(s.y, labels, folds=s.folds)
    b = bbc.Predictions(s.y, labels[:, ::-1], folds=s.folds)
    simple = bbc.compare({"a": (a, ranks), "b": b}, metric="accuracy", random_state=3)
    alone = bbc.correct(a, metric="accuracy", selection=ranks, random_state=3)
    assert simple.estimates["a"] == alone.record
    assert simple.estimates["b"] == bbc.correct(b, metric="accuracy", random_state=3).record


def test_corrections_that_were_made_in_other_ways_are_not_compared_in_silence():
    given = {name: bbc.Predictions(S.y, each, folds=S.folds) for name, each in HALVES.items()}
    two = bbc.correct(given["a"], metric="accuracy", method="bbc-two-level")
    one = bbc.correct(given["b"], metric="accuracy")
    with pytest.raises(ValueError, match="method of 'a' is 'bbc-two-level', of 'b' 'bbc'"):
        bbc.compare({"a": two, "b": one})
    assert bbc.compare({"a": two, "b": one}, method="bbc").method == "bbc"
    loss = bbc.correct(given["b"], metric="zero_one_loss")
    with pytest.raises(ValueError, match="is not what the family 'b' selects by, which is 'zero"):
        bbc.compare({"a": one, "b": loss})
    with pytest.raises(TypeError, match="metric is missing"):
        bbc.compare(given)
    unread = bbc.Correction.from_json(one.to_json())
    with pytest.raises(bbc.errors.NotKeptError, match=r"families\['b'\] needs predictions of rows"):
        bbc.compare({"a": one, "b": unread})
    tt = bbc.correct(given["b"], metric="accuracy", method="tt")
    with pytest.raises(ValueError, match="method must be 'bbc' or 'bbc-two-level'"):
        bbc.compare({"a": tt, "b": tt})
    with pytest.raises(TypeError, match=r"bbc.compare takes no argument 'folds'; say it in bbc"):
        bbc.compare(given, metric="accuracy", folds=S.folds)
    with pytest.raises(TypeError, match=r"families\['a'\] is an array, without its truth"):
        bbc.compare(HALVES, metric="accuracy")


def test_rows_that_truths_name_otherwise_are_refused():
    index = [f"r{i}" for i in range(120)]
    truth = pd.Series(S.y, index=index)
    a = bbc.Predictions(truth, HALVES["a"])
    b = bbc.Predictions(truth.iloc[::-1], HALVES["b"])
    with pytest.raises(ValueError, match="the index has the rows of the truth of 'a' in another"):
        bbc.compare({"a": a, "b": b}, metric="accuracy")
