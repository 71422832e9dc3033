import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
)

from bbc._training._splits import make_partitions
from bbc.errors import BBCWarning

X = np.zeros((30, 1))
Y = np.repeat([0, 1, 1], 10)


def partitions(cv, y=Y, *, classifier=True, groups=None, **options):
    split_params = {} if groups is None else {"groups": groups}
    return make_partitions(
        cv,
        np.zeros((len(y), 1)),
        y,
        classifier=classifier,
        seed=1,
        split_params=split_params,
        **options,
    )


def held_out(partition):
    return [fold.test.tolist() for fold in partition.folds]


@pytest.mark.parametrize(
    ("classifier", "splitter"), [(True, StratifiedKFold(5)), (False, KFold(5))]
)
def test_an_int_gives_the_folds_of_grid_search(classifier, splitter):
    (one,) = partitions(5, classifier=classifier)
    assert held_out(one) == [test.tolist() for _, test in splitter.split(X, Y)]


def test_further_repeats_are_shuffled_and_depend_on_the_seed_only():
    first, again = partitions(5, n_partitions=3), partitions(5, n_partitions=3)
    assert [held_out(one) for one in first] == [held_out(one) for one in again]
    assert held_out(first[0]) != held_out(first[1]) != held_out(first[2])


def test_splitters_left_to_chance_follow_the_seed():
    cv = KFold(3, shuffle=True)
    assert held_out(partitions(cv)[0]) == held_out(partitions(cv)[0])
    assert cv.random_state is None


def test_repeated_splitters_become_repeats():
    made = partitions(RepeatedKFold(n_splits=3, n_repeats=2, random_state=0))
    assert [len(one.folds) for one in made] == [3, 3]


def test_every_hold_out_is_a_repeat_of_its_own():
    made = partitions(ShuffleSplit(n_splits=4, test_size=2, random_state=0))
    assert [len(one.folds) for one in made] == [1, 1, 1, 1]


def test_leave_one_out():
    (one,) = partitions(LeaveOneOut())
    assert len(one.folds) == 30
    assert one.is_complete(30)


def test_folds_are_lowered_to_the_rarest_class():
    y = np.array([0] * 20 + [1] * 3)
    with pytest.warns(BBCWarning, match="class 1 has 3 rows, so the number of folds is lowered to"):
        (one,) = partitions(10, y)
    assert len(one.folds) == 3


@pytest.mark.parametrize(("fewest", "count"), [(2, 1), (3, 2)])
def test_a_class_that_is_too_rare_is_an_error(fewest, count):
    y = np.array(["a"] * 20 + ["b"] * count)
    with pytest.raises(ValueError, match=f"cv=10: class b has {count} row"):
        partitions(10, y, fewest_folds=fewest)


def test_groups_stay_together_with_an_int():
    groups = np.arange(30) // 3
    (one,) = partitions(4, groups=groups)
    for fold in one.folds:
        assert not set(groups[fold.train]) & set(groups[fold.test])


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ([([0, 1, 2], [2, 3])], r"fold 0 tests rows that it trains on \(1, the first is 2\)"),
        ([([0], [1]), ([], [2])], "fold 1 has no train rows"),
        ([([0], [99])], "names a test row outside 0 to 29"),
        ([([0], [1, 1])], "fold 0 tests a row twice"),
    ],
)
def test_wrong_folds_are_refused(cv, message):
    with pytest.raises(ValueError, match=message):
        partitions(cv)


def test_groups_that_span_folds_are_refused():
    with pytest.raises(ValueError, match=r"group 0 is on both sides of fold 0.*GroupKFold"):
        partitions(KFold(3, shuffle=True, random_state=0), groups=np.arange(30) // 5)
    partitions(GroupKFold(3), groups=np.arange(30) // 5)


def test_repeating_the_same_folds_is_refused():
    with pytest.raises(ValueError, match=r"cv=KFold.* gives the same folds each time, but 2"):
        partitions(KFold(3), n_partitions=2)


@pytest.mark.parametrize("cv", [1, 0])
def test_too_few_folds(cv):
    with pytest.raises(ValueError, match=f"cv={cv}: at least 2 folds are needed"):
        partitions(cv)


def test_more_folds_than_rows():
    with pytest.raises(ValueError, match=r"more folds than rows \(n_samples=4\)"):
        partitions(5, np.array([0.1, 0.2, 0.3, 0.4]), classifier=False)
