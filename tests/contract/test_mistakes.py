"""Mistakes that are easy to make get an error that names the argument and says what it wants."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.tree import DecisionTreeClassifier

import bbc

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 40)
LABELS, SCORES = RNG.integers(0, 2, (40, 5)), RNG.random((40, 5))
FOLDS = np.arange(40) % 5
SEARCH = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]})
TABLE = {"y": Y, "id": FOLDS, "c": SCORES[:, 0]}
OPTIMISM = bbc.plots.OptimismDisplay.from_predictions
F_BETA = bbc.metrics.get("f_beta")


def correct(predictions):
    return bbc.correct(Y, predictions, metric="accuracy")


def many(*problem):
    return bbc.correct_many([problem], metric="accuracy")


def collected(predictions):
    return bbc.adapters.from_predictions(Y, predictions)


def wide(**columns):
    return bbc.adapters.from_wide(TABLE, **columns)


def bounds(methods):
    return bbc.compare_bounds(Y, SCORES, FOLDS, methods=methods)


def merged(other):
    return bbc.StreamingCorrection(Y, metric="accuracy", random_state=1).merge(other)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: correct(SEARCH), TypeError, "predictions must .* GridSearchCV: bbc.correct_s"),
        (lambda: correct(bbc.CVT(SEARCH)), TypeError, "predictions must be an array, got CVT"),
        (lambda: many(Y, LABELS, FOLDS), TypeError, "problems: each must be a pair .* got tuple"),
        (lambda: bbc.correct_many(Y), TypeError, "problems: each must be a pair .* got int64"),
        (lambda: collected(LABELS), TypeError, "predictions must be a dict .* got ndarray"),
        (lambda: collected(pd.DataFrame(LABELS)), TypeError, "predictions must be a dict .*Frame"),
        (lambda: wide(truth="y", ignore="id"), TypeError, r"ignore must be .* such as \['id'\]"),
        (lambda: wide(truth=None), ValueError, "truth must be one column or two .* got None"),
        (lambda: bounds("bt"), TypeError, r"methods must be .* such as \['bt'\]"),
        (
            lambda: bounds([("bt", "best", 1)]),
            ValueError,
            r"methods: \('bt', 'best', 1\) is neither",
        ),
        (lambda: merged(5), TypeError, "other must be a StreamingCorrection or .* got int"),
        (lambda: bbc.report(bbc.CVT(SEARCH), "a.html"), TypeError, "estimate must be .* got CVT"),
        (lambda: bbc.plots.ReplicateDisplay(None), TypeError, "estimate must be .* got NoneType"),
        (lambda: bbc.plots.ForestDisplay([]), TypeError, "estimates must be a dict .* got list"),
        (lambda: bbc.plots.ForestDisplay({"a": SEARCH}), TypeError, "estimate must be .* GridS"),
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
        (Y, SCORES.T, ValueError, r"y_true has 40 rows, predictions have 5; use predictions\.T$"),
        (Y, SCORES[:30], ValueError, "y_true has 40 rows, predictions have 30$"),
        (SCORES, Y, ValueError, r"y_true is 2-d, of shape \(40, 5\), and .* are they swapped\?"),
        (Y, {"a": SCORES[:, 0]}, TypeError, "predictions must .* got dict: use pandas.DataFrame"),
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


FRAME = pd.DataFrame({"y": Y, "c": SCORES[:, 0], "d": SCORES[:, 1]})


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"fold": FOLDS}, "predictions: column 'fold' .* pass it as folds= and drop it; if it"),
        ({"Unnamed: 0": FOLDS}, r"predictions: column 'Unnamed: 0' .*: drop it; if it is one"),
        ({"n": np.arange(1, 41)}, r"predictions: column 'n' .*it numbers them from 1 on"),
    ],
)
def test_columns_that_describe_rows_are_no_configurations(columns, message):
    frame = FRAME.drop(columns="y").assign(**columns)
    with pytest.raises(ValueError, match=f"^{message}"):
        bbc.correct(Y, frame, metric="roc_auc")
    # Who lists the configurations means them.
    listed = bbc.correct(Y, frame, metric="roc_auc", names=list(frame), random_state=0)
    assert listed.n_configurations == 3


def test_the_truth_is_no_configuration():
    for names in (None, list(FRAME)):
        with pytest.raises(ValueError, match="has the column 'y', which is y_true itself: drop it"):
            bbc.correct(FRAME["y"], FRAME, metric="roc_auc", names=names)
    other = FRAME.assign(y=1 - FRAME["y"])
    assert bbc.correct(FRAME["y"], other, metric="roc_auc", random_state=0).n_configurations == 3


def test_a_directory_is_no_store(tmp_path):
    search = bbc.CVT(DecisionTreeClassifier(), store=tmp_path)
    for call in (lambda: bbc.open(tmp_path), lambda: search.fit(SCORES, Y)):
        with pytest.raises(bbc.errors.StoreError, match="is a directory; name a file in it"):
            call()


def test_a_search_that_keeps_predictions_must_be_fitted():
    kept = bbc.keep_predictions(SEARCH)
    for call in (lambda: kept.correct("accuracy"), lambda: kept.predict(SCORES)):
        with pytest.raises(NotFittedError):
            call()


def test_a_wrong_number_of_jobs_names_no_fits():
    search = bbc.CVT(DecisionTreeClassifier(), {"max_depth": [1, 2]}, n_jobs="two")
    with pytest.raises(ValueError, match="n_jobs") as raised:
        search.fit(SCORES, Y)
    assert not hasattr(raised.value, "__notes__")


@pytest.mark.parametrize(
    "call",
    [
        lambda y, frame: bbc.StreamingCorrection(y, metric="roc_auc", random_state=1).add(frame),
        lambda y, frame: bbc.intervals.delong(y, frame[0]),
        lambda y, frame: bbc.intervals.delong_test(y, SCORES[:, 1], frame[0]),
        lambda y, frame: bbc.intervals.naive_bootstrap(y, frame[[0]], metric="roc_auc"),
        lambda y, frame: OPTIMISM(y, frame, metric="roc_auc", n_rows=[40], n_configurations=[2]),
    ],
)
def test_rows_in_another_order_are_refused_everywhere(call):
    y, frame = pd.Series(Y), pd.DataFrame(SCORES)
    call(y, frame)
    with pytest.raises(ValueError, match=r"^predictions: the index has the rows of y_true"):
        call(y, frame.iloc[::-1])
