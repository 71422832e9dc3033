"""Scores of folds with the truth of their rows, by every door that takes them."""

import math
import pickle
import re

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc import _core
from bbc.errors import ArgumentError
from reference import drawn_limits, score_limits
from reference import fold_score_limits as oracle

SEED = {"random_state": 1, "n_bootstraps": 200}
RNG = np.random.default_rng(0)
N = 120
Y = (np.arange(N) % 10 < 2).astype(int)
X = RNG.normal(size=(N, 3)) + 0.7 * Y[:, None]
GROUPS = np.arange(N) // 5
GRID = {"n_neighbors": [1, 3, 9, 15]}
Z = norm.ppf(0.975)


def searched(y=Y, groups=None, **options):
    given = {"cv": 6, "scoring": "accuracy"} | options
    return GridSearchCV(KNeighborsClassifier(), GRID, **given).fit(X, y, groups=groups)


def limits_of_draws(c):
    return _core.order_statistic_interval(c.replicates, 0.95, "two-sided", -math.inf, math.inf)


def fold_codes(cv, y=Y, groups=None, n_repeats=1):
    codes = np.full((n_repeats, len(y)), -1)
    splits = list(cv.split(X, y, groups))
    for number, (_, test) in enumerate(splits):
        codes[number // (len(splits) // n_repeats), test] = number % (len(splits) // n_repeats)
    return codes


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "recall", "balanced_accuracy"])
def test_scores_that_weigh_classes_by_themselves_get_a_hull(scoring):
    search = searched(scoring=scoring)
    alone, c = bbc.correct(search, **SEED), bbc.correct(search, y=Y, **SEED)
    assert np.array_equal(alone.replicates, c.replicates)
    assert (c.estimate, c.winner, alone.n_rows, c.n_rows) == (alone.estimate, alone.winner, 0, N)
    n1, n0 = int(Y.sum()), N - int(Y.sum())
    hull = {
        "accuracy": lambda e: score_limits.wilson(e, N, Z),
        "roc_auc": lambda e: score_limits.newcombe(e, n1, n0, Z),
        "recall": lambda e: score_limits.wilson(e, n1, Z),
        "balanced_accuracy": lambda e: oracle.balanced_hull(e, n1, n0, Z),
    }[scoring](c.estimate)
    expected = drawn_limits.drawn_limits(
        c.estimate, *limits_of_draws(c), needed=0, shown=0, hull=hull, metric_range=(0, 1)
    )
    assert tuple(c.confidence_interval) == pytest.approx(expected, abs=1e-11)


def check_loss(search, cv, y=Y, groups=None, n_repeats=1, known=True, rows=slice(None)):
    """The negated Brier score of a search, by its folds or without them."""
    c = bbc.correct(search, y=y, groups=groups, **SEED)
    folds = fold_codes(cv, y, groups, n_repeats)[:, rows] if known else None
    own = None if groups is None else groups[rows]
    truth = y[rows]
    delta = oracle.largest_difference(-c.estimate, truth.mean(), 1.0)
    needed, shown = oracle.two_class_terms(delta, truth, own, folds)
    low, high = limits_of_draws(c)
    expected = drawn_limits.drawn_limits(
        c.estimate, low, high, needed=needed, shown=shown, metric_range=(-1, 0)
    )
    assert tuple(c.confidence_interval) == pytest.approx(expected, abs=1e-11)
    assert c.n_rows == len(truth)
    return needed, shown


LOSS = {"scoring": "neg_brier_score"}


def test_folds_are_those_of_the_search():
    _, shown = check_loss(searched(cv=6, **LOSS), StratifiedKFold(6))
    assert shown == pytest.approx(0, abs=1e-20)
    cv = KFold(6, shuffle=True, random_state=3)
    _, shown = check_loss(searched(cv=cv, **LOSS), cv)
    assert shown > 1e-5
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    check_loss(searched(cv=cv, **LOSS), cv, n_repeats=2)
    cv = PredefinedSplit(np.arange(N) % 7)
    check_loss(searched(cv=cv, **LOSS), cv)
    check_loss(searched(cv=list(cv.split()), **LOSS), cv)


@pytest.mark.parametrize("cv", [GroupKFold(6), StratifiedGroupKFold(6)])
def test_groups_are_the_units(cv):
    needed, _ = check_loss(searched(groups=GROUPS, cv=cv, **LOSS), cv, groups=GROUPS)
    plain = oracle.two_class_terms(1.0, Y)[0] / oracle.two_class_terms(1.0, Y, GROUPS)[0]
    assert needed > 0
    assert plain != 1
    with pytest.raises(ValueError, match=r"groups: the search's .*GroupKFold cannot split"):
        bbc.correct(searched(groups=GROUPS, cv=cv, **LOSS), y=Y, **SEED)


def test_rows_that_no_fold_tested_are_none():
    cv = TimeSeriesSplit(5)
    check_loss(searched(cv=cv, **LOSS), cv, rows=slice(20, None))


@pytest.mark.parametrize(
    "cv",
    [
        StratifiedKFold(6, shuffle=True),
        KFold(6, shuffle=True, random_state=np.random.RandomState(0)),
        RepeatedStratifiedKFold(n_splits=6, n_repeats=1),
    ],
)
def test_folds_that_are_not_known_show_nothing(cv):
    search = searched(cv=cv, **LOSS)
    state = getattr(cv, "random_state", None)
    before = None if state is None else state.get_state()[1].copy()
    check_loss(search, cv, known=False)
    if before is not None:  # nothing was drawn from what belongs to the caller
        assert np.array_equal(state.get_state()[1], before)


def test_arrays_and_tables_take_the_truth():
    search = searched(**LOSS)
    columns = [search.cv_results_[f"split{k}_test_score"] for k in range(6)]
    by_array = bbc.FoldScores(np.array(columns), metric="neg_brier_score", y=Y)
    c = bbc.correct(by_array, **SEED)
    of_table = bbc.correct(search.cv_results_, metric="neg_brier_score", y=Y, **SEED)
    assert c.confidence_interval == of_table.confidence_interval
    of_search = bbc.FoldScores(search, y=Y)
    known = bbc.correct(of_search, **SEED)
    assert known == bbc.correct(search, y=Y, **SEED)
    assert (c.n_rows, c.estimate) == (N, known.estimate)
    # Stratified folds show nothing, as do unknown ones.
    assert tuple(c.confidence_interval) == pytest.approx(tuple(known.confidence_interval))


def test_labels_of_text_and_the_positive_class_of_the_scorer():
    from sklearn.metrics import f1_score, make_scorer

    names = np.where(Y == 1, "ill", "well")
    scorer = make_scorer(f1_score, pos_label="ill")
    search = searched(y=names, scoring=scorer)
    c = bbc.correct(search, y=names, **SEED)
    share = Y.mean()
    needed, shown = oracle.two_class_terms(
        oracle.f1_difference(c.estimate, share), Y, None, fold_codes(StratifiedKFold(6))
    )
    hull = score_limits.f1(c.estimate, Y.sum(), Z)
    expected = drawn_limits.drawn_limits(
        c.estimate, *limits_of_draws(c), needed=needed, shown=shown, hull=hull, metric_range=(0, 1)
    )
    assert tuple(c.confidence_interval) == pytest.approx(expected, abs=1e-11)


def test_they_keep_no_search():
    search = searched()
    search.scorer_ = lambda *given: 0.5  # which no pickle takes
    scores = bbc.FoldScores(search, y=Y)
    again = pickle.loads(pickle.dumps(scores))
    assert bbc.correct(again, **SEED) == bbc.correct(scores, **SEED)


def test_classes_that_are_read_as_numbers():
    """The squared error of a classifier's labels is a loss of classes; that of a number is not."""
    search = searched(scoring="neg_mean_squared_error")
    alone, c = bbc.correct(search, **SEED), bbc.correct(search, y=Y, **SEED)
    assert c.confidence_interval.low < alone.confidence_interval.low
    real = np.random.default_rng(1).normal(size=N)
    scores = -RNG.uniform(0.5, 1, (6, 4))
    c = bbc.correct(bbc.FoldScores(scores, metric="neg_mean_squared_error", y=real), **SEED)
    plain = bbc.correct(bbc.FoldScores(scores, metric="neg_mean_squared_error"), **SEED)
    assert c.confidence_interval == plain.confidence_interval
    assert c.n_rows == N


def other_rows():
    search = searched(cv=6)
    yield search, Y[:-10], "y does not have the rows that the search saw: 'accuracy' of split"
    yield searched(cv=list(KFold(6).split(X))), Y[:90], "y has 90 rows, but split"
    yield searched(cv=PredefinedSplit(np.arange(N) % 4)), Y[:90], "y: the search's|has 90 rows"
    yield search, Y[:3], "y: the search's StratifiedKFold cannot split these rows"
    yield search, np.column_stack([Y, Y]), "y must have shape"
    yield search, np.zeros(N), "y does not have the classes .*: 1 in the place of 2"


@pytest.mark.parametrize("case", other_rows(), ids=str)
def test_a_truth_of_other_rows_is_refused(case):
    search, y, message = case
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(search, y=y, **SEED)


def test_what_takes_no_truth_says_so():
    search = searched()
    with pytest.raises(ValueError, match=r"^y is for scores of folds"):
        bbc.correct(Y, np.tile(Y[:, None], 3), y=Y, metric="accuracy", **SEED)
    with pytest.raises(ValueError, match=r"^y is said in bbc.FoldScores"):
        bbc.correct(bbc.FoldScores(search), y=Y, **SEED)
    with pytest.raises(ValueError, match=r"^groups are those of the rows of y"):
        bbc.correct(search, groups=GROUPS, **SEED)
    with pytest.raises(ValueError, match=r"^groups has 119 rows"):
        bbc.correct(search, y=Y, groups=GROUPS[1:], **SEED)


def test_a_halving_search_that_ended_on_some_rows():
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    search = HalvingGridSearchCV(
        LogisticRegression(), {"C": [0.01, 0.1, 1, 10]}, cv=3, factor=4, min_resources=24
    ).fit(X, Y)
    with pytest.raises(ValueError, match="y has 120 rows, but the search scored"):
        bbc.correct(search, y=Y, **SEED)


def test_weights_of_the_scorer_allow_any_share():
    import sklearn
    from sklearn.metrics import accuracy_score, make_scorer

    weights = np.random.default_rng(2).random(N) + 0.2
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        learner = LogisticRegression().set_fit_request(sample_weight=False)
        search = GridSearchCV(learner, {"C": [0.1, 1]}, scoring=scorer, cv=6)
        search.fit(X, Y, sample_weight=weights)
    assert bbc.correct(search, y=Y, **SEED).n_rows == N


def test_a_scorer_says_which_class_it_reads():
    """Of fold scores and tables it is the caller's, of a search its own."""
    scores = np.clip(np.random.default_rng(3).normal(0.8, 0.02, (5, 4)), 0, 1)
    y = 1 - Y
    of_rare = make_scorer(recall_score, pos_label=0)
    expected = bbc.correct(bbc.FoldScores(scores, metric="recall", y=Y), **SEED)
    found = bbc.correct(bbc.FoldScores(scores, metric=of_rare, y=y), **SEED)
    assert found.confidence_interval == expected.confidence_interval
    common = bbc.correct(bbc.FoldScores(scores, metric="recall", y=y), **SEED)
    assert common.confidence_interval.low > expected.confidence_interval.low
    search = GridSearchCV(KNeighborsClassifier(), GRID, cv=6, scoring=of_rare).fit(X, y)
    plain = GridSearchCV(KNeighborsClassifier(), GRID, cv=6, scoring="recall").fit(X, Y)
    expected = bbc.correct(plain, y=Y, **SEED).confidence_interval
    assert bbc.correct(search, y=y, **SEED).confidence_interval == expected
    for metric in ("recall", of_rare, make_scorer(recall_score)):  # no class: the search's own
        assert bbc.correct(search, y=y, metric=metric, **SEED).confidence_interval == expected
    table = bbc.correct(search.cv_results_, metric=of_rare, y=y, **SEED)
    assert table.confidence_interval == expected
    other = make_scorer(recall_score, pos_label=1)
    with pytest.raises(ValueError, match="the scorer of metric 'recall' says 0"):
        bbc.correct(search, y=y, metric=other, **SEED)


def test_a_function_is_not_taken_for_the_metric_of_its_name():
    def accuracy(y, prediction):
        return float(np.mean(y == prediction)) ** 2

    scores = np.full((5, 2), 0.8) + np.arange(5)[:, None] / 100
    for metric in (accuracy, make_scorer(accuracy)):
        c = bbc.correct(bbc.FoldScores(scores, metric=metric, y=Y), **SEED)
        alone = bbc.correct(bbc.FoldScores(scores, metric=metric), **SEED)
        assert c.confidence_interval == alone.confidence_interval


def test_what_is_advised_where_no_class_is_known_to_be_positive():
    """The advice, as it is written, gives limits."""
    y = np.array(["no", "yes"])[Y]
    scores = np.clip(np.random.default_rng(3).normal(0.8, 0.02, (5, 4)), 0, 1)
    told = re.escape("y has the classes no, yes, of which none is known to be the positive one")
    with pytest.raises(ValueError, match=told) as refused:
        bbc.FoldScores(scores, metric="recall", y=y)
    with pytest.raises(ValueError, match=told):
        bbc.correct(
            {f"split{k}_test_recall": row for k, row in enumerate(scores)}, metric="recall", y=y
        )
    (code,) = re.findall(r"pass (.*) if it is 'yes'", refused.value.hint)
    assert refused.value.hint.endswith("a scorer with pos_label='yes'")
    expected = bbc.FoldScores(scores, metric="recall", y=Y)
    expected = bbc.correct(expected, **SEED).confidence_interval
    by_code = bbc.FoldScores(scores, metric="recall", y=eval(code, {"numpy": np, "y": y.tolist()}))
    by_scorer = bbc.FoldScores(scores, metric=make_scorer(recall_score, pos_label="yes"), y=y)
    for said in (by_code, by_scorer):
        assert bbc.correct(said, **SEED).confidence_interval == expected


def test_a_truth_of_fewer_rows_than_folds_is_refused():
    scores = np.full((5, 2), 0.8)
    with pytest.raises(ValueError, match="y has fewer rows, 1, than the scores have folds, 5"):
        bbc.FoldScores(scores, metric="accuracy", y=[1])
    assert bbc.FoldScores(scores, metric="accuracy", y=[1, 0, 1, 0, 1]).n_folds == 5


def test_training_rows_of_the_splits_are_not_kept():
    """Of many groups they take a hundred times the memory of the test rows."""
    import tracemalloc

    from bbc._finished import claim_of

    n, groups = 4000, np.arange(4000) // 8
    learner = DummyClassifier()
    search = GridSearchCV(learner, {"constant": [0]}, cv=GroupKFold(500), scoring="accuracy")
    search.cv_results_ = {"params": [{}]} | {f"split{k}_test_score": [0.5] for k in range(500)}
    search.best_index_ = 0
    claim = claim_of(search)
    tracemalloc.start()
    splits = claim.splits_of(np.arange(n) % 2, groups)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(map(len, splits)) == n
    assert peak < 0.1 * 8 * n * 500
