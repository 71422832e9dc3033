"""Scores of folds as a source of their own: an array says what a search of the same scores does."""

import pickle
import warnings

import numpy as np
import pytest

import bbc
from bbc.errors import ArgumentError, NotKeptError

SEED = {"random_state": 1, "n_bootstraps": 200}
RNG = np.random.default_rng(3)
#: Of ten folds and eight configurations.
SCORES = RNG.normal(0.8, 0.05, (10, 8)).round(3)
NAMES = [f"max_depth={place}" for place in range(8)]


def results(scores=SCORES):
    """What `cv_results_` would be of them."""
    columns = {f"split{k}_test_score": row for k, row in enumerate(scores)}
    return {"params": [{"max_depth": place} for place in range(scores.shape[1])]} | columns


def test_an_array_and_the_table_of_a_search_are_one():
    of_array = bbc.FoldScores(SCORES, metric="accuracy", names=NAMES)
    wanted = bbc.correct(results(), metric="accuracy", **SEED)
    assert bbc.correct(of_array, **SEED).record == wanted.record
    assert bbc.correct(bbc.FoldScores(results(), metric="accuracy"), **SEED) == wanted
    assert wanted.names == of_array.names == tuple(NAMES)


def test_folds_of_several_partitions_follow_each_other():
    scores = bbc.FoldScores(SCORES, metric="accuracy", n_repeats=2)
    assert (scores.n_repeats, scores.n_folds, scores.n_configurations) == (2, 5, 8)
    assert scores.values.tolist() == SCORES.reshape(2, 5, 8).tolist()
    again = bbc.FoldScores(results(), metric="accuracy", n_repeats=2)
    found = [bbc.correct(each, **SEED) for each in (scores, again)]
    assert found[0].replicates.tobytes() == found[1].replicates.tobytes()
    assert found[0].n_repeats == 2


def test_losses_fall():
    scores = bbc.FoldScores(SCORES, metric="log_loss")
    assert bbc.correct(scores, **SEED).winner == SCORES.mean(axis=0).argmin()
    assert not bbc.FoldScores(
        SCORES, metric="mine", greater_is_better=False
    ).metric.greater_is_better


def test_what_misses_a_fold_is_left_out_and_numbers_stay():
    holes = SCORES.copy()
    holes[3, [0, 2]] = np.nan
    scores = bbc.FoldScores(holes, metric="accuracy", names=NAMES)
    assert scores.configurations.tolist() == [1, 3, 4, 5, 6, 7]
    with pytest.warns(bbc.errors.BBCWarning, match="BBC0"):
        c = bbc.correct(scores, **SEED)
    best = np.nanargmax(np.where(np.isnan(holes).any(axis=0), np.nan, holes.mean(axis=0)))
    assert (c.winner, c.winner_name) == (best, NAMES[best])
    assert c.left_out_configurations.tolist() == [0, 2]
    assert c.possible_winners().winner == best


@pytest.mark.parametrize("given", [SCORES, results()], ids=["array", "table"])
def test_they_are_copied(given):
    own = given.copy()
    scores = bbc.FoldScores(own, metric="accuracy")
    wanted = bbc.correct(scores, **SEED)
    for column in own.values() if isinstance(own, dict) else [own]:
        if isinstance(column, np.ndarray):
            kept, column[...] = column.copy(), 0
            assert bbc.correct(scores, **SEED).record == wanted.record
            column[...] = kept
    with pytest.raises(ValueError, match="read-only"):
        scores.values[...] = 0


def test_questions_take_folds_for_rows():
    scores = bbc.FoldScores(SCORES, metric="accuracy", names=NAMES)
    c = bbc.correct(scores, **SEED)
    wanted = bbc.correct(results(), metric="accuracy", **SEED)
    for question in ("tuning_path", "possible_winners", "winner_interval"):
        assert getattr(c, question)() == getattr(wanted, question)()
    with pytest.raises(NotKeptError, match="calibration needs predictions of rows"):
        c.calibration()
    families = {"a": scores, "b": bbc.FoldScores(SCORES[:, :4], metric="accuracy")}
    found = bbc.compare(families, metric="accuracy", **SEED)
    assert found.estimates["a"].estimate == c.estimate


def test_no_other_metric_is_read_of_them():
    """They have no rows: a squared error would be that of the scores themselves."""
    c = bbc.correct(bbc.FoldScores(SCORES, metric="accuracy"), **SEED)
    families = ["a", "b"] * 4
    for metric in ("neg_mean_squared_error", "f1"):
        with pytest.raises(NotKeptError, match="metric needs predictions of rows: a table"):
            c.compare(families, metric=metric)
        with pytest.raises(NotKeptError, match="metric needs predictions of rows: a table"):
            c.tuning_path(metric=metric)
    assert c.compare(families, metric="accuracy") == c.compare(families)
    assert c.tuning_path(metric="accuracy") == c.tuning_path()


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_a_path_warns_of_nothing_that_its_answer_does_not_say():
    """Its means over folds are drawn as rows are, of which findings would tell."""
    scores = bbc.FoldScores(SCORES[:3], metric="accuracy")
    c = bbc.correct(scores, dynamic_search=True, **SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = c.tuning_path()
    assert path.estimate == c.record
    assert "BBC006" not in {each.code for each in path.findings}


def test_pickled_scores_give_the_same():
    scores = bbc.FoldScores(results(), metric="accuracy")
    again = pickle.loads(pickle.dumps(scores))
    assert bbc.correct(again, **SEED) == bbc.correct(scores, **SEED)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_a_dynamic_search_is_said():
    c = bbc.correct(bbc.FoldScores(SCORES, metric="accuracy"), dynamic_search=True, **SEED)
    assert "BBC007" in {each.code for each in c.findings}


@pytest.mark.parametrize(
    ("scores", "given", "message"),
    [
        (SCORES, {}, "metric is missing"),
        (SCORES[0], {"metric": "accuracy"}, r"scores must have the shape .*, got \(8,\)"),
        (SCORES.astype(str), {"metric": "accuracy"}, "scores must be numbers"),
        (SCORES + 1, {"metric": "accuracy"}, r"^scores: a score of 'accuracy' is 1\."),
        (SCORES[:1], {"metric": "accuracy"}, "two or more per repeat"),
        (SCORES * np.nan, {"metric": "accuracy"}, "^scores: no configuration has a score"),
        (SCORES, {"metric": "mine"}, "greater_is_better must say"),
        (SCORES, {"metric": "accuracy", "names": NAMES[1:]}, "names has 7 entries for 8"),
        (SCORES, {"metric": "accuracy", "n_repeats": 3}, "n_repeats=3 does not divide the 10"),
    ],
)
def test_wrong_scores_are_refused_when_they_are_given(scores, given, message):
    with pytest.raises(ArgumentError, match=message):
        bbc.FoldScores(scores, **given)


def test_what_they_say_is_not_said_again():
    scores = bbc.FoldScores(SCORES, metric="accuracy")
    with pytest.raises(ArgumentError, match="greater_is_better is said in"):
        bbc.correct(scores, greater_is_better=True)
    with pytest.raises(ArgumentError, match="metric must be that of the scores, 'accuracy'"):
        bbc.correct(scores, metric="f1")
    with pytest.raises(ArgumentError, match="folds is for predictions of rows"):
        bbc.correct(scores, folds=[0, 1])
