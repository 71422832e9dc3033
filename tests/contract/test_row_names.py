"""Whatever is passed together and names its rows names the same rows, at every door."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import bbc
from families import compared_arrays

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
    blocks = [predictions] if more is None else [predictions, more]
    return correct(y, bbc.Blocks(blocks))


#: A call of each door: which arguments it takes, each as pandas or as an array.
DOORS = {
    "correct": (correct, ("y", "frame")),
    "correct groups": (lambda y, p, g: correct(y, p, groups=g), ("y", "frame", "by")),
    "correct weights": (lambda y, p, w: correct(y, p, sample_weight=w), ("y", "frame", "by")),
    "correct folds": (lambda y, p, f: correct(y, p, folds=f), ("y", "frame", "by")),
    "folds and groups": (lambda f, g: correct(Y, SCORES, folds=f, groups=g), ("by", "by")),
    "repeats": (lambda *repeats: correct(Y, list(repeats)), ("frame", "frame")),
    "blocks": (streamed, ("y", "frame")),
    "blocks of one stream": (partial(streamed, Y), ("frame", "frame")),
    "several metrics": (
        lambda y, p: correct(y, p, secondary=["average_precision"]),
        ("y", "frame"),
    ),
    "families": (
        lambda a, b: compared_arrays(Y, {"a": a, "b": b}, **OPTIONS),
        ("frame", "frame"),
    ),
    "families of repeats": (
        lambda a, b: compared_arrays(Y, {"a": [a, a], "b": [SCORES, b]}, **OPTIONS),
        ("frame", "frame"),
    ),
    "compare groups": (
        lambda a, g: compared_arrays(Y, {"a": a, "b": SCORES}, groups=g, **OPTIONS),
        ("frame", "by"),
    ),
    "subgroups": (
        lambda y, p, by: bbc.correct(y, p, **OPTIONS).subgroups(by),
        ("y", "frame", "by"),
    ),
    "subgroups folds": (
        lambda by, f: bbc.correct(Y, SCORES, folds=f, **OPTIONS).subgroups(by),
        ("by", "by"),
    ),
    "dominated": (partial(bbc.baselines.dominated, **OPTIONS), ("y", "frame")),
    "bound": (
        lambda y, p: bbc.baselines.bound(
            y, p, folds=np.arange(N) % 4, method="mabt", random_state=1
        ),
        ("y", "frame"),
    ),
    "dict of configurations": (
        lambda y, a, g: bbc.Predictions(y, {"a": a, "b": SCORES[:, 0]}, groups=g),
        ("y", "y", "by"),
    ),
    "entries": (lambda a, b: bbc.Predictions(Y, {"a": a, "b": b}), ("y", "y")),
    "OutOfSamplePredictions": (
        lambda y, g, w: bbc.results.OutOfSamplePredictions(
            y, scores=SCORES[None], groups=g, sample_weight=w
        ),
        ("y", "by", "by"),
    ),
    "delong": (lambda y, p: bbc.baselines.intervals.delong(y, p), ("y", "y")),
    "delong_test": (lambda a, b: bbc.baselines.intervals.delong_test(Y, a, b), ("y", "y")),
    "naive_bootstrap": (
        lambda y, p, g: bbc.baselines.intervals.naive_bootstrap(y, p, groups=g, metric="roc_auc"),
        ("y", "y", "by"),
    ),
    "plan_rows": (
        lambda y, p: bbc.plan_rows(
            (y, p), metric="roc_auc", width=0.5, n_rows=[N, 2 * N], n_simulations=2, random_state=1
        ),
        ("y", "frame"),
    ),
    "difference": (
        lambda y, p: bbc.plots.difference(y, p, metric="roc_auc"),
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
        lambda X, y: bbc.baselines.resampling_error(
            LEARNER, X, y, metric="zero_one_loss", n_resamples=5
        ),
        ("frame", "y"),
    ),
}
ARRAYS = {"y": Y, "frame": SCORES, "by": BY_ROW}


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


SHUFFLED = np.random.default_rng(5).permutation(N)
OTHER = np.random.default_rng(6).permutation(N)
INT64 = pd.Index(np.arange(N), dtype="Int64")
#: The index of the truth, that of what stands beside it, and what comes of it; None is an array.
ORDERS = {
    "folds joined by concat": ("default", SHUFFLED, "refused"),
    "the same default": ("default", "default", "taken"),
    "a shuffled truth and a frame of an array": (SHUFFLED, "default", "taken"),
    "shuffled together": (SHUFFLED, SHUFFLED, "taken"),
    "shuffled twice": (SHUFFLED, OTHER, "refused"),
    "names": (NAMES, NAMES, "taken"),
    "names in another order": (NAMES, NAMES[::-1], "refused"),
    "names and a default": (NAMES, "default", "taken"),
    "a default and names": ("default", NAMES, "taken"),
    "names and another order of numbers": (NAMES, SHUFFLED, "refused"),
    "another order of numbers and names": (SHUFFLED, NAMES, "refused"),
    "an array and another order": (None, SHUFFLED, "warned"),
    "an array and a default": (None, "default", "taken"),
    "an array and names": (None, NAMES, "taken"),
    "whole numbers that may be missing": (INT64, SHUFFLED, "refused"),
    "numbers in order": (np.arange(N), SHUFFLED, "refused"),
    "another order and an array": (SHUFFLED, None, "taken"),
}


FITS = ("BBC", "keep_predictions", "resampling_error")  # of X and the truth
LOST_BY_ENCODERS = {
    "folds joined by concat",
    "a shuffled truth and a frame of an array",
    "whole numbers that may be missing",
    "numbers in order",
}
#: Doors whose truth can have an index.
ROOTED = [door for door, (_, kinds) in DOORS.items() if kinds[0] == "y" or door in FITS]
ROOTED = [door for door in ROOTED if door not in ("entries", "delong_test")]


def ordered(kind, names):
    if names is None:
        return ARRAYS[kind]
    return named(kind, None if isinstance(names, str) else names)


def outcome(call, *given):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call(*given)
        except bbc.errors.InvalidValueError as error:
            return "refused" if "the index has " in str(error) else str(error)
    told = any("rows are paired as they stand" in str(one.message) for one in caught)
    return "warned" if told else "taken"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("door", ROOTED)
def test_numbers_in_another_order_are_the_names_of_rows(door, order):
    call, kinds = DOORS[door]
    root, beside, expected = ORDERS[order]
    if door in FITS:
        if order in LOST_BY_ENCODERS:
            expected = "warned"
        assert outcome(call, ordered(kinds[0], beside), ordered(kinds[1], root)) == expected
        return
    for place in range(1, len(kinds)):
        given = [ordered(kind, root) for kind in kinds]
        given[place] = ordered(kinds[place], beside)
        assert outcome(call, *given) == expected, place


def test_one_of_several_in_another_order_is_refused():
    """Also beside an array, which is in the order of one of them."""
    frame, other = named("frame", None), named("frame", SHUFFLED)
    for call in (
        lambda: correct(Y, [frame, other]),
        lambda: correct(Y, frame, groups=named("by", SHUFFLED)),
        lambda: compared_arrays(Y, {"a": other, "b": frame}, **OPTIONS),
    ):
        with pytest.raises(bbc.errors.InvalidValueError, match=r"sort_index\(\), as after pandas"):
            call()


def test_frames_of_folds_joined_by_concat_give_the_sorted_number():
    """What is refused gave .448 for .821 in silence."""
    order = np.argsort(np.arange(N) % 5, kind="stable")
    joined = named("frame", None).iloc[order]
    with pytest.raises(bbc.errors.InvalidValueError) as refused:
        correct(named("y", None), joined)
    assert "predictions: the index has the numbers of the rows of the truth in" in str(
        refused.value
    )
    assert "predictions.sort_index(), as after pandas.concat" in str(refused.value)
    assert correct(named("y", None), joined.sort_index()) == correct(Y, named("frame", None))


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
