"""A store takes more configurations, in any order, and trains those that it lacks."""

import numpy as np
import optuna
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import StoreError
from instrumented import Witness, numbered_data
from kinds import draws, of_folds

X, Y = numbered_data()
PROTOCOLS = [bbc.BBC, bbc.BBCD, of_folds, bbc.baselines.CVMCV, bbc.CVT, bbc.NCV, bbc.TT]
FIRST = [0.0, 0.6]
MORE = [0.9, 0.6, 0.3, 0.0]
pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.bbc"


def search(kind, store, shifts, **options):
    options = {"cv": 4, "scoring": "roc_auc", "refit": False, "random_state": 5} | options
    if draws(kind):
        options = {"n_bootstraps": 50} | options
    return kind(Witness(), {"shift": shifts}, store=store, **options).fit(X, Y)


def same(one, other):
    assert one.performance_ == other.performance_
    a, b = one.oos_predictions_.scores, other.oos_predictions_.scores
    assert a.tobytes() == b.tobytes()
    assert one.oos_predictions_.names == other.oos_predictions_.names


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_only_what_is_new_is_trained(kind, path):
    first = search(kind, path, FIRST)
    grown, fits, _ = Witness.count(lambda: search(kind, path, MORE))
    fresh = search(kind, None, MORE)
    same(grown, fresh)
    assert grown.n_models_from_store_ >= first.n_models_trained_ - 4  # those of its winner
    assert fits == grown.n_models_trained_ - grown.n_models_from_store_
    _, fits, _ = Witness.count(
        lambda: same(search(kind, path, MORE[::-1]), search(kind, None, MORE[::-1]))
    )
    assert fits == fresh.n_models_trained_


def test_a_store_shows_the_last_grid(path):
    search(bbc.BBC, path, FIRST)
    grown = search(bbc.BBC, path, MORE)
    run = bbc.StoredRun(path)
    assert run.names == tuple(f"shift={shift:g}" for shift in MORE)
    assert run.is_complete
    assert bbc.correct(run, n_bootstraps=50) == grown.performance_


def test_an_unfinished_run_grows_too(path):
    class Stops(Witness):
        left = 5

        def fit(self, X, y):
            Stops.left -= 1
            if Stops.left < 0:
                raise KeyboardInterrupt
            return super().fit(X, y)

    def run(shifts):
        options = {"cv": 4, "refit": False, "random_state": 5, "store": path}
        return bbc.CVT(Stops(), {"shift": shifts}, **options).fit(X, Y)

    with pytest.raises(KeyboardInterrupt):
        run(FIRST)
    Stops.left = 10**6
    assert run(MORE).n_models_from_store_ == 5
    assert bbc.StoredRun(path).is_complete


def test_another_learner_may_join(path):
    trees = {"tree": DecisionTreeClassifier()}
    both = {"forest": ExtraTreesClassifier(5), **trees}
    options = {"cv": 4, "refit": False, "random_state": 5}
    bbc.CVT(trees, store=path, **options).fit(X, Y)
    grown = bbc.CVT(both, store=path, **options).fit(X, Y)
    assert (grown.n_models_from_store_, grown.n_models_trained_) == (4, 8)
    same_again = bbc.CVT(both, **options).fit(X, Y)
    np.testing.assert_array_equal(grown.oos_predictions_.labels, same_again.oos_predictions_.labels)


def test_a_learner_that_is_left_out_is_named_as_a_configuration(path):
    """Seen to fail where it was the code of the learner that differed."""
    options = {"cv": 4, "refit": False, "random_state": 5, "store": path}
    bbc.CVT({"witness": Witness(), "tree": DecisionTreeClassifier()}, **options).fit(X, Y)
    with pytest.raises(StoreError, match=r"the grid lacks 1 of its 2 configurations \(witness\)"):
        bbc.CVT({"tree": DecisionTreeClassifier()}, **options).fit(X, Y)


def test_what_a_study_chose_stays_so(path):
    """Seen to fail where the last call alone decided what a store says of its configurations."""
    study = optuna.create_study()
    study.optimize(lambda trial: trial.suggest_float("shift", 0.0, 1.0), n_trials=3)
    options = {"cv": 4, "refit": False, "random_state": 5, "store": path}
    assert bbc.CVT(Witness(), study, **options).fit(X, Y).oos_predictions_.dynamic_search
    again = bbc.CVT(Witness(), [trial.params for trial in study.trials], **options).fit(X, Y)
    assert again.n_models_from_store_ == 12
    assert again.oos_predictions_.dynamic_search
    assert bbc.StoredRun(path).oos_predictions().dynamic_search


def test_a_drawn_grid_grows(path):
    class Uniform:
        """A distribution."""

        def rvs(self, random_state):
            return random_state.uniform()

    def run(n_iter):
        grid, options = {"shift": Uniform()}, {"cv": 4, "refit": False, "store": path}
        return bbc.CVT(Witness(), grid, n_iter=n_iter, **options).fit(X, Y)

    run(3)
    grown = run(5)
    assert (grown.n_models_from_store_, grown.n_models_trained_) == (12, 20)


def test_equal_configurations_are_kept_apart(path):
    equal = [{"shift": 0.3}] * 3

    def run(store, grid):
        options = {"cv": 4, "refit": False, "random_state": 5, "store": store}
        return bbc.CVT(Witness(), grid, **options).fit(X, Y)

    assert run(path, equal[:2]).n_models_trained_ == 8
    grown = run(path, equal)
    assert (grown.n_models_from_store_, grown.n_models_trained_) == (8, 12)
    np.testing.assert_array_equal(
        grown.oos_predictions_.labels, run(None, equal).oos_predictions_.labels
    )


@pytest.mark.parametrize(
    ("shifts", "message"),
    [
        ([0.0], r"the grid lacks 1 of its 2 configurations \(shift=0.6\); a grid may grow"),
        ([0.0, 0.7], r"the grid lacks 1 of its 2 configurations \(shift=0.6\)"),
        ([0.00000001, 0.6000000001], "the configuration shift=0.6 differs from that of"),
    ],
)
def test_a_grid_that_lost_configurations_is_refused(shifts, message, path):
    """What was tried and then left out would make the winner look better than it is."""
    search(bbc.CVT, path, FIRST)
    with pytest.raises(StoreError, match=message + ".*pass another path as store"):
        search(bbc.CVT, path, shifts)
    assert search(bbc.CVT, path, FIRST).n_models_from_store_ == 8


def test_a_refused_call_leaves_the_store_as_it_was(path):
    search(bbc.CVT, path, FIRST)
    before = bbc.StoredRun(path).summary()
    for changes in ({"cv": 5}, {"scoring": "accuracy"}, {"random_state": 6}):
        with pytest.raises(StoreError, match="holds another run"):
            search(bbc.CVT, path, MORE, **changes)
    assert bbc.StoredRun(path).summary() == before
