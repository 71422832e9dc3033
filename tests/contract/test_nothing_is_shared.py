"""What a call returns or keeps never changes with its arguments, overwritten after the call."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV

import bbc
from kinds import of_folds

N, C = 40, 3


class Slope(ClassifierMixin, BaseEstimator):
    """A logistic function of the first column, trained on nothing."""

    def __init__(self, slope=1.0, shifts=(0.0,)):
        self.slope = slope
        self.shifts = shifts

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        one = 1 / (1 + np.exp(-self.slope * X[:, 0] - sum(self.shifts)))
        return np.column_stack([1 - one, one])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Given:
    """Arguments, freshly made, which `overwrite` spoils in place."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.X = rng.normal(size=(N, 2))
        self.y = np.arange(N) % 2
        self.labels = rng.integers(0, 2, (1, N, C))
        self.scores = rng.random((1, N, C))
        self.folds = (np.arange(N) // 2 % 4)[None]
        self.mask = np.ones((1, N, C), dtype=bool)
        self.classes = np.array([0, 1])
        self.groups = np.arange(N) // 2
        self.sample_weight = rng.random(N)
        self.resamples = rng.integers(0, N, (50, N))
        self.numbers = rng.normal(size=N)
        self.complexity = np.array([3.0, 1.0, 2.0])
        self.names = ["a", "b", "c"]
        self.series = pd.Series(self.y.copy())
        self.frame = pd.DataFrame(self.scores[0].copy(), columns=self.names)
        self.replicates = rng.random(50)
        self.winners = rng.integers(0, C, 50)
        self.table = {"truth": self.y.copy(), "a": rng.random(N), "b": rng.random(N)}
        self.grid = {"slope": np.array([0.5, 2.0]), "shifts": [[0.1], [0.2, 0.3]]}
        self.learner = Slope()
        fold = self.folds[0]
        self.splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]

    def overwrite(self):
        for value in vars(self).values():
            _spoil(value)
        self.learner.set_params(slope=-9.0, shifts=[9.0])


class Shown(Given):
    """The same as views that are read-only, of arrays that are not: pandas gives such views."""

    def __init__(self):
        super().__init__()
        self.owned = []
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                setattr(self, name, self._view(value))
        self.table = {name: self._view(value) for name, value in self.table.items()}

    def _view(self, array):
        self.owned.append(array)
        view = array.view()
        view.flags.writeable = False
        return view

    def overwrite(self):
        for array in self.owned:
            _spoil(array)


def _spoil(value):
    if isinstance(value, np.ndarray):
        value[...] = np.roll(value, 7) if value.ndim == 1 else 1
    elif isinstance(value, pd.Series | pd.DataFrame):
        value.iloc[:] = 1
        value.index = value.index[::-1]
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            _spoil(one)
        if isinstance(value, list):
            value[:] = [7] * len(value)


def snapshot(value):
    """A copy of all that a result says."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    if isinstance(value, bbc.Correction):
        return snapshot(value.record)
    if isinstance(value, bbc.Predictions):
        names = ("y", "values", "folds", "groups", "sample_weight", "names")
        return {name: snapshot(getattr(value, name)) for name in names}
    if is_dataclass(value):
        return {one.name: snapshot(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: snapshot(one) for name, one in value.items() if "time" not in str(name)}
    if isinstance(value, list | tuple):
        return [snapshot(one) for one in value]
    return repr(value) if isinstance(value, BaseEstimator) else value


def corrected(predictions):
    given = (predictions,)
    if not isinstance(predictions, bbc.Predictions):
        given = (predictions.y, predictions)
    return bbc.correct(*given, metric="roc_auc", random_state=0)


def predictions(g):
    own = bbc.results.OutOfSamplePredictions(
        y=g.y,
        labels=g.labels,
        scores=g.scores,
        folds=g.folds,
        mask=g.mask,
        names=g.names,
        classes=g.classes,
        groups=g.groups,
        sample_weight=g.sample_weight,
    )
    return lambda: (own, corrected(own))


def protocol(kind):
    def make(g):
        own = kind(g.learner, g.grid, scoring="roc_auc", cv=g.splits, random_state=0)
        own.fit(g.X, g.y, groups=g.groups)
        return lambda: (
            own.oos_predictions_,
            corrected(own.oos_predictions_),
            own.performance_,
            own.best_params_,
            own.best_estimator_,
            own.cv_results_,
            [(one.params, one.build()) for one in own.configurations_],
        )

    return make


def kept(g):
    own = bbc.keep_predictions(GridSearchCV(g.learner, g.grid, cv=g.splits)).fit(g.X, g.y)
    return lambda: (
        own.oos_predictions_,
        bbc.correct(own, metric="roc_auc", reselect=True, random_state=0),
    )


def collected(g):
    columns = {name: g.scores[0, :, j] for j, name in enumerate(g.names)}
    own = bbc.Predictions(
        g.y, columns, folds=g.folds[0], groups=g.groups, sample_weight=g.sample_weight
    )
    return lambda: (own, corrected(own))


def wide(g):
    own = bbc.Predictions.from_wide(g.table, truth="truth")
    return lambda: (own, corrected(own))


def streamed(g):
    """Its blocks are read after the arguments are overwritten."""
    blocks = [g.frame[["a"]].copy(), pd.DataFrame(np.random.default_rng(1).random((N, 2)))]
    draws = np.array([np.random.default_rng(b).integers(0, 20, 20) for b in range(50)])
    own = bbc.Predictions(
        g.series,
        bbc.Blocks(blocks),
        folds=g.folds[0],
        groups=g.groups,
        sample_weight=g.sample_weight,
        names=g.names,
    )
    return lambda: bbc.correct(own, metric="roc_auc", pooling="fold", resamples=draws)


def result(g):
    own = bbc.PerformanceEstimate(
        estimate=0.5,
        metric="roc_auc",
        method="bbc",
        greater_is_better=True,
        n_rows=N,
        n_configurations=C,
        replicates=g.replicates,
        replicate_winners=g.winners,
        left_out_rows=g.winners,
        names=g.names,
    )
    return lambda: (own, own.selection_frequency)


def dominance(g):
    own = bbc.baselines.Dominance(0, g.replicates, g.mask[0, :, 0], 50, 0)
    return lambda: own


def simulation(g):
    own = bbc.simulate.Simulation(
        g.y, g.scores[0], g.complexity, "roc_auc", g.folds[0], {"seed": 0}
    )
    return lambda: own


def rule(g):
    own = bbc.one_standard_error(g.complexity)
    return lambda: own


def calls(g):
    """Results hold nothing but what was computed."""
    options = {"names": g.names, "groups": g.groups, "sample_weight": g.sample_weight}
    named = bbc.correct(g.y, g.scores[0], metric="roc_auc", names=g.names, random_state=0)
    own = (
        bbc.correct(g.y, g.frame, metric="roc_auc", folds=g.folds[0], random_state=0, **options),
        bbc.correct(g.y, g.scores[0], metric="roc_auc", resamples=g.resamples),
        bbc.baselines.dominated(g.y, g.scores[0], metric="roc_auc", random_state=0),
        named.possible_winners(),
        named.possible_winners(test="argmin"),
        named.winner_interval(),
        bbc.baselines.wmc(g.scores[0], n_train=32, n_test=8, names=g.names, random_state=0),
        bbc.baselines.bound(
            g.y, g.scores[0], g.folds[0], method="delong", names=g.names, random_state=0
        ),
        bbc.correct(
            g.y, g.scores[0], folds=g.folds[0], metric="roc_auc", names=g.names, method="tt"
        ),
        bbc.baselines.intervals.delong(g.y, g.scores[0, :, 0]),
    )
    return lambda: own


PROTOCOLS = (bbc.CVT, bbc.NCV, bbc.TT, bbc.BBC, bbc.BBCD)
MAKERS = {
    **{one.__name__: one for one in (predictions, kept, collected, wide, streamed)},
    **{one.__name__: one for one in (result, dominance, simulation, rule, calls)},
    **{kind.__name__: protocol(kind) for kind in PROTOCOLS},
    "BBC of folds": protocol(of_folds),
}


@pytest.mark.parametrize("given", [Given, Shown])
@pytest.mark.parametrize("name", MAKERS)
def test_nothing_changes_with_the_arguments(name, given):
    expected = snapshot(MAKERS[name](Given())())
    given = given()
    result = MAKERS[name](given)
    given.overwrite()
    assert snapshot(result()) == expected


def test_the_arguments_of_the_caller_stay_as_writeable_as_they_were():
    given = Given()
    for make in MAKERS.values():
        make(given)
    for value in vars(given).values():
        assert not isinstance(value, np.ndarray) or value.flags.writeable


def of_pandas(path):
    frame = pd.DataFrame({"y": np.arange(N) % 2, "a": np.linspace(0, 1, N)})
    arrays = frame["y"].to_numpy(), frame["a"].to_numpy()

    def spoil():
        frame.loc[:, "y"] = 0
        frame.loc[:, "a"] = 0.5
        for array in arrays:  # views, which an edit in place reaches
            base = array if array.base is None else array.base
            with suppress(ValueError):
                base[...] = 0

    return (*arrays, spoil)


def of_polars(path):
    frame = pl.DataFrame({"y": np.arange(N) % 2, "a": np.linspace(0, 1, N)})
    return frame["y"].to_numpy(), frame["a"].to_numpy(), lambda: None


def of_files(path):
    maps = []
    for name, values in {"y": np.arange(N) % 2, "a": np.linspace(0, 1, N)}.items():
        np.save(path / f"{name}.npy", values)
        maps.append(np.load(path / f"{name}.npy", mmap_mode="r"))

    def spoil():
        for name in ("y", "a"):
            np.load(path / f"{name}.npy", mmap_mode="r+")[...] = 0

    return (*maps, spoil)


@pytest.mark.parametrize("source", [of_pandas, of_polars, of_files])
def test_views_of_frames_and_files_are_copied(source, tmp_path):
    y, scores, spoil = source(tmp_path)
    expected = y.tolist(), scores.tolist()
    own = bbc.results.OutOfSamplePredictions(y=y, scores=scores[None, :, None], groups=y)
    spoil()
    assert (own.y.tolist(), own.scores[0, :, 0].tolist()) == expected
    assert own.groups.tolist() == expected[0]
    for array, other in ((own.y, y), (own.scores, scores), (own.groups, y)):
        assert not np.may_share_memory(array, other)
        assert not array.flags.writeable


def test_what_is_ours_is_not_copied_again():
    own = bbc.results.OutOfSamplePredictions(y=np.arange(N) % 2, scores=np.ones((1, N, 3)))
    again = replace(own, names=("a", "b", "c"))
    assert np.shares_memory(own.scores, again.scores)
    assert np.shares_memory(own.scores, replace(own, scores=own.scores[:, :, :2], mask=None).scores)
