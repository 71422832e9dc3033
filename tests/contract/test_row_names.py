"""Whatever is passed together and names its rows names the same rows, at every door."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import bbc
from bbc.adapters import from_predictions

N = 40
RNG = np.random.default_rng(0)
Y = RNG.permutation(np.arange(N) % 2)
SCORES = RNG.random((N, 3)) + 0.3 * Y[:, None]
BY_ROW = RNG.permutation(np.arange(N) // 4) + 1
NAMES = [f"patient {i}" for i in RNG.permutation(N)]
OPTIONS = {"metric": "roc_auc", "n_bootstraps": 50, "random_state": 1}
LEARNER = LogisticRegression()
GRID = {"C": [0.1, 1.0]}
correct = partial(bbc.correct, **OPTIONS)


def streamed(y, predictions, more=None):
    stream = bbc.StreamingCorrection(y, **OPTIONS)
    stream.add(predictions)
    if more is not None:
        stream.add(more)


#: A call of each door: which arguments it takes, each as pandas or as an array.
DOORS = {
    "correct": (correct, ("y", "frame")),
    "correct groups": (lambda y, p, g: correct(y, p, groups=g), ("y", "frame", "by")),
    "correct weights": (lambda y, p, w: correct(y, p, sample_weight=w), ("y", "frame", "by")),
    "correct folds": (lambda y, p, f: correct(y, p, folds=f), ("y", "frame", "by")),
    "folds and groups": (lambda f, g: correct(Y, SCORES, folds=f, groups=g), ("by", "by")),
    "repeats": (lambda *repeats: correct(Y, list(repeats)), ("frame", "frame")),
    "blocks": (lambda y, p: correct(y, bbc.Blocks([p])), ("y", "frame")),
    "stream": (streamed, ("y", "frame")),
    "blocks of one stream": (partial(streamed, Y), ("frame", "frame")),
    "several metrics": (
        lambda y, p: bbc.correct(y, p, **OPTIONS | {"metric": ["roc_auc", "average_precision"]}),
        ("y", "frame"),
    ),
    "families": (
        lambda a, b: bbc.compare(Y, {"a": a, "b": b}, **OPTIONS),
        ("frame", "frame"),
    ),
    "families of repeats": (
        lambda a, b: bbc.compare(Y, {"a": [a, a], "b": [SCORES, b]}, **OPTIONS),
        ("frame", "frame"),
    ),
    "compare groups": (
        lambda a, g: bbc.compare(Y, {"a": a, "b": SCORES}, groups=g, **OPTIONS),
        ("frame", "by"),
    ),
    "subgroups": (lambda y, p, by: bbc.subgroups(y, p, by=by, **OPTIONS), ("y", "frame", "by")),
    "subgroups folds": (
        lambda by, f: bbc.subgroups(Y, SCORES, by=by, folds=f, **OPTIONS),
        ("by", "by"),
    ),
    "winner_interval": (
        partial(bbc.winner_interval, metric="roc_auc", random_state=1),
        ("y", "frame"),
    ),
    "possible_winners": (partial(bbc.possible_winners, **OPTIONS), ("y", "frame")),
    "dominated": (partial(bbc.dominated, **OPTIONS), ("y", "frame")),
    "bound": (
        lambda y, p: bbc.bound(y, p, folds=np.arange(N) % 4, method="mabt", random_state=1),
        ("y", "frame"),
    ),
    "tuning_path": (partial(bbc.tuning_path, **OPTIONS), ("y", "frame")),
    "calibration": (partial(bbc.calibration, **OPTIONS), ("y", "probabilities")),
    "from_predictions": (
        lambda y, a, g: from_predictions(y, {"a": a, "b": SCORES[:, 0]}, groups=g),
        ("y", "y", "by"),
    ),
    "entries": (lambda a, b: from_predictions(Y, {"a": a, "b": b}), ("y", "y")),
    "OutOfSamplePredictions": (
        lambda y, g, w: bbc.OutOfSamplePredictions(
            y, scores=SCORES[None], groups=g, sample_weight=w
        ),
        ("y", "by", "by"),
    ),
    "delong": (lambda y, p: bbc.intervals.delong(y, p), ("y", "y")),
    "delong_test": (lambda a, b: bbc.intervals.delong_test(Y, a, b), ("y", "y")),
    "naive_bootstrap": (
        lambda y, p, g: bbc.intervals.naive_bootstrap(y, p, groups=g, metric="roc_auc"),
        ("y", "y", "by"),
    ),
    "plan_rows": (
        lambda y, p: bbc.plan_rows(
            (y, p), metric="roc_auc", width=0.5, n_rows=[N, 2 * N], n_simulations=2, random_state=1
        ),
        ("y", "frame"),
    ),
    "DifferenceDisplay": (
        lambda y, p: bbc.plots.DifferenceDisplay.from_predictions(y, p, metric="roc_auc"),
        ("y", "frame"),
    ),
    "BBC": (bbc.CVT(LEARNER, GRID, cv=4).fit, ("frame", "y")),
    "groups of BBC": (
        lambda y, g: bbc.CVT(LEARNER, GRID, cv=4).fit(SCORES, y, groups=g),
        ("y", "by"),
    ),
    "keep_predictions": (
        bbc.keep_predictions(GridSearchCV(LEARNER, GRID, cv=4)).fit,
        ("frame", "y"),
    ),
    "resampling_error": (
        lambda X, y: bbc.resampling_error(LEARNER, X, y, metric="zero_one_loss", n_resamples=5),
        ("frame", "y"),
    ),
}
ARRAYS = {"y": Y, "frame": SCORES, "by": BY_ROW, "probabilities": SCORES / 2}


def named(kind, names):
    """One of the arrays by pandas; `names` of None are those that pandas makes."""
    make = pd.DataFrame if ARRAYS[kind].ndim == 2 else pd.Series
    return make(ARRAYS[kind], index=names)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_every_door_compares_the_rows(door):
    call, kinds = DOORS[door]
    for names in (NAMES, None):
        call(*[named(kind, names) for kind in kinds])
    # The default index names nothing: a shuffled truth beside a new frame stays legal.
    call(named(kinds[0], NAMES), *[named(kind, None) for kind in kinds[1:]])
    others = {
        "in another order": NAMES[::-1],
        "other rows": [f"someone {i}" for i in range(N)],
        "duplicates": ["a", *NAMES[1:]],
        "several levels": pd.MultiIndex.from_arrays([NAMES, NAMES]),
        "numbers": np.arange(N) + 1,
    }
    for place in range(1, len(kinds)):
        for what, names in others.items():
            given = [named(kind, NAMES) for kind in kinds]
            given[place] = named(kinds[place], names)
            with pytest.raises(bbc.errors.InvalidValueError, match="the index has ") as refused:
                call(*given)
            told = "in another order" if what == "in another order" else "other rows than"
            assert told in str(refused.value)
            # Without the truth or what else came first, the others are compared all the same.
            if place > 1:
                given[0] = ARRAYS[kinds[0]]
                with pytest.raises(bbc.errors.InvalidValueError, match="the index has "):
                    call(*given)


def test_duplicates_and_levels_are_sequences():
    twice = np.repeat(np.arange(N // 2) + 5, 2)
    levels = pd.MultiIndex.from_arrays([twice, np.arange(N) % 2])
    for names in (twice, levels):
        correct(named("y", names), named("frame", names))
        with pytest.raises(bbc.errors.InvalidValueError, match="in another order"):
            correct(named("y", names), named("frame", names[::-1]))


def test_a_list_of_numbers_has_no_rows_to_compare():
    correct(list(Y), named("frame", NAMES))
    correct(Y.tolist(), [named("frame", NAMES), SCORES])
