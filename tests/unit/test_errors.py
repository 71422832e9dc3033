"""Errors are data, which each interface words."""

import pickle

import numpy as np
import pytest

import bbc
from bbc.cli import main
from bbc.errors import (
    Argument,
    ArgumentError,
    InvalidTypeError,
    InvalidValueError,
    UndefinedMetricError,
    arguments_called,
    worded,
)

Y = np.array([0, 1] * 6)
SCORES = np.random.default_rng(0).random((12, 3))
FOLDS = Argument("folds", "week")
ERROR = InvalidValueError(
    "y_true", "is {!r} by {}", "{odd}", FOLDS, place={"row": 3}, count=2, hint=("see {}", FOLDS)
)


def test_an_error_has_its_parts():
    holes = np.where(SCORES[4, 1] == SCORES, np.nan, SCORES)
    with pytest.raises(ValueError, match="predictions are missing at repeat 0, row 4") as raised:
        bbc.correct(Y, holes, metric="roc_auc")
    error = raised.value
    assert isinstance(error, ArgumentError)
    assert (error.argument, error.problem, error.code) == ("predictions", "are missing", "missing")
    assert error.place == {"repeat": 0, "row": 4, "configuration": 1}
    assert 'missing="drop-configurations" or missing="drop-rows"' in error.hint


def test_an_error_of_the_kernel_has_its_parts():
    draws = np.tile(np.arange(12) // 2 * 2, (10, 1))
    with pytest.raises(ValueError, match=r"^resamples: .* at replicate 0$") as raised:
        bbc.correct(Y, SCORES, metric="roc_auc", resamples=draws, confidence_level=0.5)
    error = raised.value
    assert isinstance(error, ArgumentError)
    assert (error.argument, error.place) == ("resamples", {"replicate": 0})
    with pytest.raises(UndefinedMetricError) as raised:
        bbc.correct(np.arange(12) // 11, SCORES, metric="roc_auc")
    assert (raised.value.argument, raised.value.code) == ("source", "undefined_metric")


def test_interfaces_name_arguments():
    said = """is '{odd}' by folds="week" at row 3 (2 in total); see folds="week\""""
    assert str(ERROR) == f"y_true {said}"
    assert str(pickle.loads(pickle.dumps(ERROR))) == str(ERROR)
    assert worded(ERROR, lambda one: f"--{one.name}").startswith("--y_true ")
    # A hint that mentions what has no name is left out.
    named = worded(ERROR, lambda one: "the truth" if one.name == "y_true" else "")
    assert named == """the truth is '{odd}' by folds="week" at row 3 (2 in total)"""
    with pytest.raises(ValueError, match=r"^y is ") as raised, arguments_called(y_true="y"):
        raise pickle.loads(pickle.dumps(ERROR))
    assert raised.value.argument == "y"


def test_arguments_that_a_message_mentions_are_renamed_too():
    truth = Argument("y_true")
    with pytest.raises(ValueError, match="predictions") as raised, arguments_called(y_true="y"):
        raise InvalidValueError("predictions", "are of {}", truth, hint=("use {}.T", truth))
    error = raised.value
    assert (str(error), error.problem, error.hint) == (
        "predictions are of y; use y.T", "are of y", "use y.T"
    )  # fmt: skip
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_text_without_values_is_no_format_string():
    assert str(InvalidTypeError("names", "has {0}")) == "names has {0}"


def test_options_stand_in_the_place_of_arguments(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text("y,a,b\n0,1,2\n0,2,1\n1,3,4\n1,1,3\n")
    words = ["correct", str(path), "--truth", "y", "--metric", "accuracy"]
    for more, said in (
        (["--n-bootstraps", "0"], "--n-bootstraps must be at least 1, got 0"),
        (["--seed", "-1"], "--seed must be between 0 and 2**53 - 1"),
        (["--pos-label", "7"], "--pos-label 7 is not a class of the truth"),
        (["--n-bootstraps", "9"], "--confidence-level 0.95 is too high for --n-bootstraps 9; use"),
    ):
        assert main([*words, *more]) == 1
        assert f"error: {said}" in capsys.readouterr().err
