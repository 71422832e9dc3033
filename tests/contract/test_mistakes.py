"""Mistakes that are easy to make get an error that names the argument and says what it wants."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc._validation import are_complements
from bbc.cli import main

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 40)
LABELS, SCORES = RNG.integers(0, 2, (40, 5)), RNG.random((40, 5))
FOLDS = np.arange(40) % 5
SEARCH = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]})
TABLE = {"y": Y, "id": FOLDS, "c": SCORES[:, 0]}
OPTIMISM = bbc.plots.optimism
F_BETA = bbc.metrics.get("f_beta")


def correct(predictions):
    return bbc.correct(Y, predictions, metric="accuracy")


def collected(predictions):
    return bbc.Predictions(Y, predictions)


LONG = {name: name for name in ("row", "configuration", "prediction")}


def wide(**columns):
    return bbc.Predictions.from_wide(TABLE, **columns)


def bounds(methods):
    return bbc.baselines.compare_bounds(Y, SCORES, FOLDS, methods=methods)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: correct(SEARCH), TypeError, "predictions is a GridSearchCV that is not fitted"),
        (lambda: correct(bbc.CVT(SEARCH)), TypeError, "predictions is a CVT that is not fitted"),
        (lambda: wide(truth="y", ignore="id"), TypeError, r"ignore must be .* such as \['id'\]"),
        (lambda: wide(truth=None), ValueError, "truth must be one column or two .* got None"),
        (lambda: bounds("bt"), TypeError, r"methods must be .* such as \['bt'\]"),
        (
            lambda: bounds([("bt", "best", 1)]),
            ValueError,
            r"methods: \('bt', 'best', 1\) is neither",
        ),
        (lambda: bbc.report(bbc.CVT(SEARCH), "a.html"), TypeError, "result must be .* got CVT"),
        (lambda: bbc.plots.selection(None), TypeError, "estimate must be .* got NoneType"),
        (lambda: bbc.plots.forest([]), TypeError, "estimates must be a dict .* got list"),
        (lambda: bbc.plots.forest({"a": SEARCH}), TypeError, "estimate must be .* GridS"),
        (lambda: OPTIMISM(Y, LABELS, metric="accuracy", n_rows=[0, 40]), ValueError, "n_rows must"),
        (lambda: F_BETA.with_parameters(beta="2"), TypeError, "beta must be a number, got str"),
        (lambda: F_BETA.with_parameters(average=2), TypeError, "average must be text, got int"),
        (lambda: bbc.simulate.accuracy(9, 2, beta="ab"), ValueError, "beta must be two positive"),
        (lambda: bbc.simulate.accuracy(9, 2, beta=3), ValueError, "beta must be two positive"),
        (lambda: bbc.simulate.accuracy(9, 2, correlation="a"), TypeError, "correlation must be a"),
        (lambda: bbc.simulate.auc(9, 2, minority="a"), TypeError, "minority must be a number"),
        (lambda: bbc.simulate.multiclass(9, 2, shares="ab"), ValueError, "shares must be 3 posit"),
        (lambda: bbc.simulate.survival(9, 2, censored=None), TypeError, "censored must be a numb"),
    ],
)
def test_mistakes_are_named(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()


@pytest.mark.parametrize(
    ("y", "predictions", "error", "message"),
    [
        (
            Y,
            list(SCORES.T),
            ValueError,
            r"predictions\[0\] must .*: a list is one array per repeat; use numpy\.column_stack\(",
        ),
        (Y, SCORES.T, ValueError, r"source has 40 rows, predictions have 5; use predictions\.T$"),
        (Y, SCORES[:30], ValueError, "source has 40 rows, predictions have 30$"),
        (SCORES, Y, ValueError, r"source is 2-d, of shape \(40, 5\), and .* are they swapped\?"),
        (Y, {"a": SCORES[:30, 0]}, ValueError, "source has 40 rows, predictions have 30$"),
        (Y, {"a": SCORES[:, 0], "id": Y}, ValueError, "predictions: column 'id' seems to"),
        (Y, SCORES, ValueError, ".* takes labels and these look like scores: .*'roc_auc'"),
    ],
)
def test_what_was_meant_is_said(y, predictions, error, message):
    with pytest.raises(error, match=f"^{message}"):
        bbc.correct(y, predictions, metric="accuracy")


def test_vectors_of_as_many_rows_as_configurations_are_not_transposed():
    with pytest.raises(ValueError, match="column_stack"):
        bbc.correct(Y[:5], list(LABELS[:5]), metric="accuracy")


@pytest.mark.parametrize("folds", [KFold(5), 5, list(KFold(5).split(Y)), KFold(5).split(Y)])
def test_folds_are_those_of_the_rows(folds):
    message = r"^folds must be the number of the fold that each row .* folds\[test\] = number"
    with pytest.raises(TypeError, match=message):
        bbc.correct(Y, LABELS, metric="accuracy", folds=folds)


def test_folds_of_repeats_may_be_tuples():
    folds = [tuple(FOLDS), tuple(FOLDS[::-1])]
    options = {"metric": "accuracy", "random_state": 0}
    found = bbc.correct(Y, [LABELS, LABELS], folds=folds, **options)
    assert found == bbc.correct(Y, [LABELS, LABELS], folds=np.array(folds), **options)


FRAME = pd.DataFrame({"s": Y, "c": SCORES[:, 0], "d": SCORES[:, 1]})


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"fold": FOLDS}, "predictions: column 'fold' .* pass it as folds= and drop it; if it"),
        ({"Unnamed: 0": FOLDS}, r"predictions: column 'Unnamed: 0' .*: drop it; if it is one"),
        ({"n": np.arange(1, 41)}, r"predictions: column 'n' .*it numbers them from 1 on"),
        ({"Label": 1 - Y}, r"predictions: column 'Label' seems to be the truth .*: drop it; if it"),
    ],
)
def test_columns_that_describe_rows_are_no_configurations(columns, message):
    frame = FRAME.drop(columns="s").assign(**columns)
    with pytest.raises(ValueError, match=f"^{message}"):
        bbc.correct(Y, frame, metric="roc_auc")
    # Who lists the configurations means them.
    listed = bbc.correct(Y, frame, metric="roc_auc", names=list(frame), random_state=0)
    assert listed.n_configurations == 3


def test_the_truth_is_no_configuration():
    for names in (None, list(FRAME)):
        with pytest.raises(
            ValueError, match="has the column 's', which is the truth itself: drop it"
        ):
            bbc.correct(FRAME["s"], FRAME, metric="roc_auc", names=names)
    other = FRAME.assign(s=1 - FRAME["s"])
    assert bbc.correct(FRAME["s"], other, metric="roc_auc", random_state=0).n_configurations == 3


REAL = SCORES @ [5.0, 4, 3, 2, 1]


@pytest.mark.parametrize("truth", [REAL, np.round(10 * REAL), np.round(10 * REAL).astype(int)])
def test_a_copy_of_a_real_truth_is_no_configuration(truth):
    frame = pd.DataFrame(SCORES[:, :2], columns=["a", "b"]).assign(c=truth)
    options = {"metric": "mean_squared_error", "random_state": 0}
    for predictions in (frame, [frame.assign(c=0.5), frame]):
        with pytest.raises(ValueError, match="has the column 'c', which is the truth itself"):
            bbc.correct(truth, predictions, **options)
    # An array has no column that could have been forgotten.
    assert bbc.correct(truth, frame.to_numpy(), **options).n_configurations == 3


def test_labels_without_an_error_are_a_configuration():
    frame = pd.DataFrame({"a": Y, "b": LABELS[:, 0]})
    for metric in ("accuracy", "mean_squared_error"):
        found = bbc.correct(Y, frame, metric=metric, random_state=0)
        assert found.winner == 0


NAMES = ["y", "target", "label", "truth", "outcome", "id", "fold", "group", "Target ", "LABEL"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_other_columns_are_refused_by_every_door(name, tmp_path, capsys):
    frame = pd.DataFrame(SCORES[:, :3], columns=["a", "b", name])
    table = frame.assign(s=Y)
    table.to_csv(tmp_path / "table.csv", index=False)
    molten = table.assign(row=FOLDS + 5 * np.arange(40)).melt(
        ["row", "s"], var_name="configuration", value_name="prediction"
    )
    doors = [
        lambda: bbc.correct(Y, frame, metric="roc_auc"),
        lambda: bbc.correct(Y, [frame, frame], metric="roc_auc"),
        lambda: bbc.correct(Y, bbc.Blocks([frame[["a"]], frame[["b", name]]]), metric="roc_auc"),
        lambda: bbc.correct(Y, frame, metric="roc_auc", secondary=["average_precision"]),
        lambda: bbc.baselines.dominated(Y, frame, metric="roc_auc"),
        lambda: bbc.correct(Y, frame, metric="roc_auc", folds=FOLDS, method="tt"),
        lambda: bbc.baselines.bound(Y, frame, FOLDS, method="delong"),
        lambda: bbc.baselines.compare_bounds(Y, frame, FOLDS),
        lambda: bbc.baselines.intervals.tilting(Y, frame),
        lambda: OPTIMISM(Y, frame, metric="roc_auc"),
        lambda: bbc.plots.difference(Y, frame, metric="roc_auc"),
        lambda: bbc.Predictions(Y, dict(frame.items())),
        lambda: bbc.Predictions.from_wide(table, truth="s"),
        lambda: bbc.Predictions.from_wide(tmp_path / "table.csv", truth="s"),
        lambda: bbc.Predictions.from_long(molten, truth="s", **LONG),
    ]
    for door in doors:
        with pytest.raises(ValueError, match=f"column {name!r} seems to .*by its name"):
            door()
    words = ["correct", str(tmp_path / "table.csv"), "--truth", "s", "--metric", "roc_auc"]
    assert main(words) == 1
    assert f"column {name!r} seems to" in capsys.readouterr().err


POSITIVE = SCORES[:, 0]
BOTH = np.column_stack([1 - POSITIVE, POSITIVE])


def holed(array):
    holes = array.copy()
    holes[3] = np.nan
    return holes


@pytest.mark.parametrize(
    "predictions", [BOTH, BOTH[:, ::-1], BOTH.astype(np.float32), holed(BOTH), [BOTH, BOTH]]
)
def test_classes_of_one_model_are_no_configurations(predictions):
    doors = [
        lambda: bbc.correct(Y, predictions, metric="roc_auc"),
        lambda: bbc.correct(Y, predictions, metric="log_loss"),
        lambda: bbc.correct(Y, predictions, metric=lambda y, p: float(p[y == 1].mean())),
        lambda: bbc.baselines.dominated(Y, predictions, metric="roc_auc"),
        lambda: bbc.correct(
            Y, predictions, metric="roc_auc", folds=[FOLDS] * np.ndim(predictions), method="tt"
        ),
        lambda: bbc.baselines.intervals.tilting(Y, predictions),
        lambda: bbc.baselines.bound(Y, predictions, FOLDS, method="delong"),
    ]
    for door in doors[: 3 if isinstance(predictions, list) else None]:
        with pytest.raises(ValueError, match="predictions: the two columns sum to one in every"):
            door()
    named = bbc.correct(Y, predictions, metric="roc_auc", names=["a", "b"], random_state=0)
    assert named.n_configurations == 2


@pytest.mark.parametrize("cut", [1, 2])
def test_classes_of_one_model_are_no_configurations_of_a_stream(cut):
    blocks = [BOTH[:, first : first + cut] for first in range(0, 2, cut)]
    with pytest.raises(ValueError, match="predictions: the two columns sum to one in every"):
        bbc.correct(Y, bbc.Blocks(blocks), metric="roc_auc")
    for more in ({"names": ["a", "b"]}, {}):
        own = blocks if more else [*blocks, SCORES]
        found = bbc.correct(Y, bbc.Blocks(own), metric="roc_auc", random_state=0, **more)
        assert found.n_configurations == (2 if more else 7)


def test_classes_of_one_model_are_no_configurations_of_a_table(tmp_path, capsys):
    table = pd.DataFrame({"s": Y, "p no": 1 - POSITIVE, "p yes": POSITIVE})
    table.to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(ValueError, match=r"'p no' and 'p yes' sum to one .*ignore=.\"p no\""):
        bbc.Predictions.from_wide(table, truth="s")
    words = ["correct", str(tmp_path / "table.csv"), "--truth", "s", "--metric", "roc_auc"]
    assert main(words) == 1
    assert "--ignore 'p no'" in capsys.readouterr().err
    assert main([*words, "--ignore", "p no"]) == 0
    three = table.assign(c=POSITIVE)
    assert bbc.Predictions.from_wide(three, truth="s").n_configurations == 3


@pytest.mark.parametrize(
    "predictions",
    [
        np.column_stack([Y, 1 - Y]),
        np.column_stack([Y, 1.0 - Y]),
        BOTH + 1e-4,
        np.column_stack([2 - POSITIVE, POSITIVE - 1]),
        np.where(np.arange(40)[:, None] == 7, 0.4, BOTH),
    ],
)
def test_other_pairs_of_columns_are_configurations(predictions):
    assert bbc.correct(Y, predictions, metric="roc_auc", random_state=0).n_configurations == 2


def test_protocols_and_predictions_with_names_are_never_taken_for_classes():
    """Two configurations may well predict one half everywhere; the models are trained by then."""
    search = bbc.CVT(DummyClassifier(), {"strategy": ["uniform", "prior"]}, scoring="roc_auc")
    search.fit(SCORES, np.arange(40) % 2)
    assert are_complements(search.oos_predictions_.values[0])
    again = bbc.correct(search.oos_predictions_.y, search.oos_predictions_, metric="roc_auc")
    assert again.n_configurations == 2


def test_a_directory_is_no_store(tmp_path):
    search = bbc.CVT(DecisionTreeClassifier(), store=tmp_path)
    for call in (lambda: bbc.StoredRun(tmp_path), lambda: search.fit(SCORES, Y)):
        with pytest.raises(bbc.errors.StoreError, match="is a directory; name a file in it"):
            call()


def test_a_search_that_keeps_predictions_must_be_fitted():
    kept = bbc.keep_predictions(SEARCH)
    for call in (lambda: bbc.correct(kept, metric="accuracy"), lambda: kept.predict(SCORES)):
        with pytest.raises(NotFittedError):
            call()


def test_a_wrong_number_of_jobs_names_no_fits():
    search = bbc.CVT(DecisionTreeClassifier(), {"max_depth": [1, 2]}, n_jobs="two")
    with pytest.raises(ValueError, match="n_jobs") as raised:
        search.fit(SCORES, Y)
    assert not hasattr(raised.value, "__notes__")


def test_predictions_that_know_their_truth_refuse_another():
    """They were made row by row; a truth in another order would be paired wrongly in silence."""
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(30) % 2)
    own = bbc.results.OutOfSamplePredictions(y, scores=rng.random((1, 30, 3)))
    bbc.correct(y.tolist(), own, metric="roc_auc")
    with pytest.raises(ValueError, match=r"^predictions were made for another truth than source$"):
        bbc.correct(y[::-1], own, metric="roc_auc")


@pytest.mark.parametrize("kind", ["decisions", "labels", "text"])
def test_two_configurations_of_an_entry_are_not_taken_for_two_classes(kind):
    """Seen to fail: of families of two configurations each the second was scored in silence."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    families = {name: rng.normal(size=(40, 2)) + y[:, None] for name in ("svm", "forest")}
    if kind != "decisions":
        families = {name: (each > 0.5).astype(int) for name, each in families.items()}
    if kind == "text":
        y, families = y.astype(str), {name: each.astype(str) for name, each in families.items()}
    with pytest.raises(ValueError, match=r"'svm'\] has two columns .* bbc\.compare takes families"):
        bbc.correct(y, families, metric="roc_auc" if kind == "decisions" else "accuracy")
    p = 1 / (1 + np.exp(-rng.normal(size=(40, 2)) - np.arange(40)[:, None] % 2))
    of_classes = {name: np.column_stack([1 - p[:, j], p[:, j]]) for j, name in enumerate("ab")}
    found = bbc.correct(np.arange(40) % 2, of_classes, metric="roc_auc", random_state=1)
    plain = bbc.correct(np.arange(40) % 2, p, metric="roc_auc", random_state=1)
    np.testing.assert_array_equal(found.replicates, plain.replicates)


def test_a_long_table_keeps_no_silence_on_the_columns_that_it_leaves_out():
    rows = np.tile(np.arange(40), 2)
    table = {
        "row": rows,
        "model": np.repeat(["a", "b"], 40),
        "p": SCORES[:, :2].T.ravel(),
        "y": Y[rows],
        "fold": rows % 5,
        "patient": rows // 2,
        "depth": rows,
    }
    said = {"row": "row", "configuration": "model", "prediction": "p", "truth": "y"}
    left = "leaves out what no argument names: 'fold', 'patient'; fold=, group= and weight= say"
    with pytest.warns(bbc.errors.BBCWarning, match=left):
        bbc.Predictions.from_long(table, **said)
    bbc.Predictions.from_long(table, **said, fold="fold", group="patient")


def test_the_truth_beside_a_search_and_scores_for_labels_are_answered():
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}).fit(SCORES, Y)
    with pytest.raises(TypeError, match=r"given beside a search, which keeps scores .*: y=y"):
        bbc.correct(search, Y)
    with pytest.raises(ValueError, match=r"as p > 0\.5 does; for both .*\"labels\": labels"):
        correct(SCORES)
    both = bbc.Predictions(Y, {"labels": (SCORES > 0.5).astype(int), "scores": SCORES})
    found = bbc.correct(both, metric="roc_auc", secondary=["accuracy"], random_state=1)
    assert list(found.secondary) == ["accuracy"]


def test_the_methods_of_compared_searches_tell_how_they_chose():
    tree = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4]}, cv=5)
    kept = bbc.keep_predictions(tree.set_params(scoring="roc_auc")).fit(SCORES, Y)
    families = {"one": kept, "other": kept}
    by_means = "averaged over the folds, and is scored on all rows together"
    for pooling, said in (
        ({}, by_means),
        ({"pooling": "pooled"}, "selected by AUC on all rows together"),
    ):
        found = bbc.compare(families, metric="roc_auc", random_state=1, **pooling)
        assert said in bbc.report(found).html
    averaged = bbc.compare(families, selection=bbc.top_k(2), random_state=1, metric="roc_auc")
    assert averaged.estimates["one"].design.selection == "top_k"
    alone = bbc.correct(kept, random_state=1)
    assert by_means in bbc.report(alone).html
