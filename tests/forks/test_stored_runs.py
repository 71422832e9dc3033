"""Runs that stop and go on: same models, same bits, and every mismatch named."""

import multiprocessing
import os
import shutil
import signal

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc
from bbc._store import Store
from bbc.errors import StoreError
from instrumented import Witness, numbered_data
from stores import SmallDisk, files

X, Y = numbered_data()
SHIFTS = {"shift": [0.0, 0.3, 0.6]}
# Children start with everything imported.
FORK = multiprocessing.get_context("fork")
PROTOCOLS = [bbc.BBC, bbc.baselines.CVMCV, bbc.CVT, bbc.NCV]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.bbc"


def protocol(kind, path, **options):
    options = {"cv": 4, "store": path} | options
    if kind is bbc.BBC:
        options = {"n_bootstraps": 50} | options
    estimator = options.pop("estimator", Witness())
    return kind(estimator, options.pop("param_grid", SHIFTS), **options)


def same(one, other):
    assert one.performance_ == other.performance_
    for name in ("labels", "scores"):
        a, b = getattr(one.oos_predictions_, name), getattr(other.oos_predictions_, name)
        assert (a is None) == (b is None)
        assert a is None or a.tobytes() == b.tobytes()
    assert one.n_models_trained_ == other.n_models_trained_


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc"])
def test_a_finished_run_trains_the_final_model_only(kind, scoring, path):
    first = protocol(kind, path, scoring=scoring).fit(X, Y)
    second, fits, _ = Witness.count(lambda: protocol(kind, path, scoring=scoring).fit(X, Y))
    assert fits == 1
    assert second.n_models_from_store_ == second.n_models_trained_ - 1
    assert second.seed_ == first.seed_, "a drawn seed is adopted"
    same(first, second)


class Stops(Witness):
    """Raises after some fits, as Ctrl-C does."""

    left = 0

    def fit(self, X, y):
        Stops.left -= 1
        if Stops.left < 0:
            raise KeyboardInterrupt
        return super().fit(X, y)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_an_interrupted_run_goes_on_where_it_stopped(kind, path):
    options = {"estimator": Stops(), "random_state": 5}
    Stops.left = 7
    with pytest.raises(KeyboardInterrupt):
        protocol(kind, path, **options).fit(X, Y)
    Stops.left = 10**6
    resumed, fits, _ = Witness.count(lambda: protocol(kind, path, **options).fit(X, Y))
    assert resumed.n_models_from_store_ == 7
    assert fits == resumed.n_models_trained_ - 7
    same(resumed, protocol(kind, None, **options).fit(X, Y))


class Run:
    """A run in a process of its own; its end is a dict of what must not change."""

    def __init__(self, path, *, seed=None, stops_after=None):
        """If told so it waits once it has stored so many fits, which the constructor waits for."""
        self.pipe, theirs = FORK.Pipe()
        self.process = FORK.Process(target=_run, args=(theirs, path, seed, stops_after))
        self.process.start()
        theirs.close()
        if stops_after is not None:
            assert self.pipe.recv() == "stopped"

    def goes_on(self):
        self.pipe.send("go on")
        return self

    def result(self):
        found = self.pipe.recv()
        self.process.join()
        return found


def _run(pipe, path, seed, stops_after):
    save, saved = Store.save, []

    def save_and_stop(self, key, fit):
        save(self, key, fit)
        saved.append(key)
        if len(saved) == stops_after:
            pipe.send("stopped")
            pipe.recv()

    Store.save = save_and_stop
    fitted = bbc.BBC(
        DecisionTreeClassifier(splitter="random"),  # by chance: the first seed must come back
        {"max_depth": [1, 2, 3, 4, None]},
        scoring="roc_auc",
        n_bootstraps=100,
        store=path,
        random_state=seed,
    ).fit(X, Y)
    pipe.send(
        {
            "trained": fitted.n_models_trained_,
            "from store": fitted.n_models_from_store_,
            "seed": fitted.seed_,
            "estimate": fitted.performance_.to_json(),
            "predictions": fitted.oos_predictions_.scores.tobytes(),
            "model": fitted.predict_proba(X).tobytes(),
        }
    )


def test_a_killed_run_goes_on_with_the_same_bits(path):
    for n_fits in (5, 20, 35):
        run = Run(path, stops_after=n_fits - count(path))
        os.kill(run.process.pid, signal.SIGKILL)
        run.process.join()
        assert run.process.exitcode == -signal.SIGKILL
        assert count(path) == n_fits
    resumed = Run(path).result()
    assert (resumed.pop("trained"), resumed.pop("from store")) == (51, 35)
    undisturbed = Run(path.with_name("other.bbc"), seed=resumed["seed"]).result()
    assert (undisturbed.pop("trained"), undisturbed.pop("from store")) == (51, 0)
    assert resumed == undisturbed


def count(path):
    """Number of stored fits."""
    if not path.exists():
        return 0
    with Store(path, read_only=True) as store:
        return store.n_fits


def test_a_second_process_is_refused(path):
    run = Run(path, stops_after=2)
    with pytest.raises(StoreError, match="is using it"):
        protocol(bbc.BBC, path).fit(X, Y)
    assert run.goes_on().result()["trained"] == 51


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": X + 1e-9}, "X differs; pass what it began with, or pass another path as store"),
        ({"y": 1 - Y}, "y differs"),
        ({"X": X[:-2], "y": Y[:-2]}, r"the number of rows differs \(60 there, 58 here\)"),
        ({"cv": 5}, "the partition differs"),
        ({"random_state": 8}, r"random_state differs \(7 there, 8 here\)"),
        ({"scoring": "roc_auc"}, r"what is predicted differs \(labels.* there, scores.* here\)"),
        (
            {"param_grid": {"shift": [0.0, 0.3, 0.7]}},
            r"the grid lacks 1 of its 3 configurations \(shift=0.6\)",
        ),
        ({"param_grid": {"shift": [0.0]}}, "the grid lacks 2 of its 3 configurations"),
        ({"estimator": LogisticRegression(), "param_grid": {"C": [1, 2, 3]}}, "lacks 3 of its 3"),
        ({"groups": np.arange(60)}, "fit parameters differs"),
    ],
)
def test_another_run_is_refused(path, change, message):
    protocol(bbc.CVT, path, random_state=7).fit(X, Y)
    change = dict(change)
    data = change.pop("X", X), change.pop("y", Y)
    groups = {"groups": change.pop("groups")} if "groups" in change else {}
    with pytest.raises(StoreError, match=message):
        protocol(bbc.CVT, path, **({"random_state": 7} | change)).fit(*data, **groups)


def test_another_version_is_refused(path, monkeypatch):
    protocol(bbc.CVT, path).fit(X, Y)
    monkeypatch.setattr("bbc._engine.kernel_version", lambda: "9.9")
    with pytest.raises(StoreError, match=r"the version of bbc differs \(.* there, 9.9 here\)"):
        protocol(bbc.CVT, path).fit(X, Y)


def test_other_folds_are_refused_before_the_first_of_them_is_fitted(path):
    """An inner loop comes first: the store knows the partition, but no fit of it yet."""
    Stops.left = 3
    with pytest.raises(KeyboardInterrupt):
        protocol(bbc.NCV, path, estimator=Stops(), random_state=5).fit(X, Y)
    assert bbc.StoredRun(path).n_fits == 3
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    with pytest.raises(StoreError, match="the partition differs"):
        protocol(bbc.CVT, path, estimator=Stops(), random_state=5, cv=folds).fit(X, Y)


def test_protocols_share_the_fits_of_the_same_folds(path):
    protocol(bbc.CVT, path, random_state=1).fit(X, Y)
    corrected, fits, _ = Witness.count(lambda: protocol(bbc.BBC, path, random_state=1).fit(X, Y))
    assert fits == 1
    same(corrected, protocol(bbc.BBC, None, random_state=1).fit(X, Y))


def test_a_full_disk_stops_a_run_that_can_go_on(path, monkeypatch):
    keep = Store.start

    def start(self, *arguments):
        keep(self, *arguments)
        monkeypatch.setattr(SmallDisk, "left", 12_000)

    monkeypatch.setattr(Store, "start", start)
    grid = {"shift": np.linspace(0, 1, 40).tolist()}
    with (
        files(SmallDisk),
        pytest.raises(StoreError, match="the disk is full; everything stored so far is kept"),
    ):
        protocol(bbc.BBC, path, param_grid=grid, scoring="roc_auc").fit(X, Y)
    monkeypatch.undo()
    resumed = protocol(bbc.BBC, path, param_grid=grid, scoring="roc_auc").fit(X, Y)
    assert 0 < resumed.n_models_from_store_ < 160
    same(
        resumed,
        protocol(bbc.BBC, None, param_grid=grid, scoring="roc_auc", random_state=resumed.seed_).fit(
            X, Y
        ),
    )


def test_failures_are_stored_too(path):
    options = {"estimator": Witness(fail_on=0.3), "random_state": 0}
    with pytest.warns(FitFailedWarning, match="told to fail"):
        first = protocol(bbc.BBC, path, **options).fit(X, Y)
    with pytest.warns(FitFailedWarning, match="told to fail"):
        second, fits, _ = Witness.count(lambda: protocol(bbc.BBC, path, **options).fit(X, Y))
    assert fits == 1
    same(first, second)
    run = bbc.StoredRun(path)
    assert run.failures == {"shift=0.3": "RuntimeError: told to fail (repeat 0, fold 0)"}
    assert run.oos_predictions().n_configurations == 2


def test_a_failure_takes_no_other_configuration_of_the_same_name_along(path):
    """Names show six digits."""
    alike = {"shift": [0.1234567, 0.12345671, 0.6]}
    with pytest.warns(FitFailedWarning, match="1 of 3 configurations failed"):
        search = protocol(
            bbc.CVT, path, param_grid=alike, estimator=Witness(fail_on=0.1234567), random_state=0
        ).fit(X, Y)
    run = bbc.StoredRun(path)
    assert run.names == ("shift=0.123457", "shift=0.123457", "shift=0.6")
    kept = run.oos_predictions()
    assert kept.names == search.oos_predictions_.names == ("shift=0.123457", "shift=0.6")
    np.testing.assert_array_equal(kept.labels, search.oos_predictions_.labels)


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc"])
def test_a_store_is_corrected_without_refitting(kind, scoring, path):
    fitted = protocol(kind, path, scoring=scoring, random_state=3).fit(X, Y)
    run, fits, _ = Witness.count(lambda: bbc.StoredRun(path))
    assert fits == 0
    assert run.is_complete
    assert run.protocol == kind.__name__
    assert run.metrics == (scoring,)
    own = bbc.correct(Y, fitted.oos_predictions_, metric=scoring, random_state=3)
    assert bbc.correct(run) == own
    assert "60 rows, complete" in run.summary()


@pytest.mark.parametrize("scoring", ["roc_auc", "f1", "log_loss"])
def test_the_positive_class_comes_back(scoring, path):
    options = {"scoring": scoring, "pos_label": 0, "cv": 4, "random_state": 3, "store": path}
    fitted = bbc.BBC(Witness(), {"shift": [0.2, 1.0]}, **options).fit(X, Y)
    kept = bbc.correct(Y, fitted.oos_predictions_, metric=scoring, random_state=3)
    for again in (kept, bbc.correct(bbc.StoredRun(path))):
        assert again.estimate == fitted.performance_.estimate
        assert again.pos_label == fitted.performance_.pos_label
    if scoring != "f1":
        with pytest.raises(ValueError, match="pos_label is known of the run; leave it out"):
            bbc.correct(bbc.StoredRun(path), pos_label=1)


def test_strings_and_many_classes_come_back(path):
    y = np.array(["one", "two", "three"], dtype=object)[np.arange(60) % 3]
    trees = DecisionTreeClassifier(), {"max_depth": [1, 2]}
    fitted = bbc.BBC(
        *trees, cv=3, scoring="neg_log_loss", n_bootstraps=50, store=path, random_state=1
    ).fit(X, y)
    run = bbc.StoredRun(path)
    assert run.y.tolist() == y.tolist()
    assert bbc.correct(run, n_bootstraps=50) == fitted.performance_


def test_regression_comes_back(path):
    y = X[:, 1] * 2 + 1
    fitted = bbc.BBC(
        {"ridge": Ridge(), "tree": DecisionTreeRegressor()},
        scoring="neg_mean_squared_error",
        cv=3,
        n_repeats=2,
        n_bootstraps=50,
        store=path,
        random_state=1,
    ).fit(X, y)
    run = bbc.StoredRun(path)
    assert bbc.correct(run, n_bootstraps=50) == fitted.performance_


def test_an_unfinished_store_can_be_looked_at(path):
    Stops.left = 5
    with pytest.raises(KeyboardInterrupt):
        protocol(bbc.CVT, path, estimator=Stops()).fit(X, Y)
    run = bbc.StoredRun(path)
    assert "42 % complete" in run.summary()
    assert repr(run).endswith("CVT, 5 of 12 fits)")
    with pytest.raises(StoreError, match="no configuration has finished all folds yet"):
        run.oos_predictions()


def test_a_store_without_a_run_cannot_be_opened(path):
    """Its process was killed before it wrote anything of the run."""
    with Store(path):
        shutil.copy(path, path.with_name("new.bbc"))
    with pytest.raises(StoreError, match="is empty: no run was started in it"):
        bbc.StoredRun(path.with_name("new.bbc"))


def test_a_call_that_is_refused_leaves_no_store(path):
    with pytest.raises(ValueError, match="at least 2 folds are needed"):
        protocol(bbc.CVT, path, cv=1).fit(X, Y)
    assert not path.exists()


def test_functions_as_parameters_are_told_apart(path):
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    def build(function):
        return make_pipeline(FunctionTransformer(function), DecisionTreeClassifier())

    bbc.CVT(build(lambda X: X + 1), cv=3, store=path).fit(X, Y)
    bbc.CVT(build(lambda X: X + 1), cv=3, store=path).fit(X, Y)
    with pytest.raises(StoreError, match=r"the code of .*<lambda> differs"):
        bbc.CVT(build(lambda X: X + 2), cv=3, store=path).fit(X, Y)
