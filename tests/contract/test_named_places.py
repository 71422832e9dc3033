"""A place in an error has the names that the data give it: of the configuration and of the row."""

import numpy as np
import pandas as pd
import pytest

import bbc

N = 40
Y = np.arange(N) % 2
WRONG = np.random.default_rng(0).random((N, 3))
WRONG[7, 2] = np.inf
FRAME = pd.DataFrame(
    WRONG, columns=["depth=1", "depth=2", "depth=5"], index=[f"patient {i}" for i in range(N)]
)
ROW, COLUMN = r"row 7 \(patient 7\)", r"configuration 2 \(depth=5\)"
PLAIN = FRAME.reset_index(drop=True)
NAMED = pd.Series(Y, FRAME.index)
FAMILIES = {"a": bbc.Predictions(Y, FRAME), "b": bbc.Predictions(Y, WRONG)}


def correct(*given, metric="roc_auc", **options):
    return bbc.correct(*given, metric=metric, n_bootstraps=40, random_state=0, **options)


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda: correct(Y, FRAME), f"{ROW}, {COLUMN}"),
        (lambda: correct(bbc.Predictions(Y, FRAME)), f"{ROW}, {COLUMN}"),
        (lambda: correct(Y, FRAME.replace(np.inf, np.nan)), f"{ROW}, {COLUMN};"),
        (lambda: correct(Y, FRAME.replace(np.inf, 2.0), metric="log_loss"), f"{ROW}, {COLUMN}"),
        (lambda: correct(NAMED, WRONG), f"{ROW}, configuration 2"),
        (lambda: correct(Y, WRONG, names=list(FRAME)), f"row 7, {COLUMN}"),
        (lambda: correct(Y, dict(PLAIN.items())), f"row 7, {COLUMN}"),
        (lambda: correct(Y, PLAIN), f"row 7, {COLUMN}"),
        (lambda: correct(Y, WRONG), "row 7, configuration 2"),
        (lambda: correct(Y, pd.DataFrame(WRONG)), "row 7, configuration 2"),
        (
            lambda: correct(Y, bbc.Blocks([PLAIN.iloc[:, :1], PLAIN.iloc[:, 1:]])),
            f"row 7, {COLUMN}",
        ),
        (lambda: correct(Y, bbc.Blocks([WRONG[:, :2], WRONG[:, 2:]]), names=list(FRAME)), COLUMN),
        (
            lambda: bbc.compare(FAMILIES, metric="roc_auc"),
            f"families\\['a'\\] .*{COLUMN}",
        ),
        (
            lambda: correct(NAMED, WRONG[:, :2], sample_weight=np.where(Y, -1, 1)),
            r"sample_weight is negative at row 1 \(patient 1\)",
        ),
    ],
)
def test_places_have_names(call, place):
    end = "" if place.endswith((";", "1\\)")) else "$"
    with pytest.raises(ValueError, match=place + end):
        call()


def test_functions_of_the_user_are_told_of_by_name():
    good = FRAME.replace(np.inf, 0.5)

    def score(y, predicted):
        return np.nan if predicted[0] == good.iloc[0, 2] else predicted.mean()

    def loss(y, predicted):
        return np.where(predicted == good.iloc[3, 2], np.nan, (y - predicted) ** 2)

    with pytest.raises(ValueError, match=rf"is NaN for {COLUMN} but not for others"):
        correct(Y, good, metric=score)
    with pytest.raises(ValueError, match=rf"is NaN for {COLUMN} but not for others"):
        correct(Y, good, metric=score, selection=lambda scores, counts: 0)
    with pytest.raises(ValueError, match=rf"not finite at row 3, {COLUMN}"):
        correct(Y, good, metric=bbc.metrics.row_loss(loss))


def test_numbers_are_those_of_all_configurations():
    holes = FRAME.replace(np.inf, 0.5)
    holes.iloc[4, 0] = np.nan

    def score(y, predicted):
        return np.nan if predicted[0] == holes.iloc[0, 2] else predicted.mean()

    with pytest.raises(ValueError, match=COLUMN):
        correct(Y, holes, metric=score, missing="drop-configurations")
