"""Stored fits of other hyper-parameters or other data are not reused: pairs of each that differ.

Seen to fail where a store compared bytes of arrays and parameters by name: masks, indices,
categories, settings, and models that are fitted before.
"""

import functools
from copy import deepcopy

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.validation import _num_samples

import bbc
from bbc._names import SEEDING
from bbc.errors import StoreError
from instrumented import numbered_data

X, Y = numbered_data(24)


def fit(estimator, store, X=X, y=Y, **fit_params):
    options = {"cv": 3, "refit": False, "random_state": 1}
    return bbc.CVT(estimator, store=store, **options).fit(X, y, **fit_params)


def transformed(function):
    return make_pipeline(FunctionTransformer(function), GaussianNB())


def scaled(X, by=1):
    return X * by


def partial(by):
    return transformed(functools.partial(scaled, by=by))


def frozen(y):
    return make_pipeline(FunctionTransformer(), FrozenEstimator(GaussianNB().fit(X, y)))


def asks(**request):
    with sklearn.config_context(enable_metadata_routing=True):
        return GaussianNB().set_fit_request(**request)


CONFIGURATIONS = {
    "a function of numpy": (transformed(np.sin), transformed(np.cos)),
    "an argument of a partial": (partial(2), partial(3)),
    "the type of a number": (GaussianNB(var_smoothing=1), GaussianNB(var_smoothing=1.0)),
    "a model that is fitted already": (frozen(Y), frozen(1 - Y)),
    "a fitted model within a model": (
        CalibratedClassifierCV(frozen(Y)[-1], cv=2),
        CalibratedClassifierCV(frozen(1 - Y)[-1], cv=2),
    ),
    "what is asked for": (
        asks(sample_weight=True),
        asks(sample_weight=False),
    ),
    "the form of a transformed X": (
        make_pipeline(StandardScaler(), GaussianNB()),
        make_pipeline(StandardScaler().set_output(transform="pandas"), GaussianNB()),
    ),
    "a parameter of a part": (
        make_pipeline(StandardScaler(), GaussianNB()),
        make_pipeline(StandardScaler(with_mean=False), GaussianNB()),
    ),
    "the values of an array": (
        GaussianNB(priors=np.array([0.5, 0.5])),
        GaussianNB(priors=np.array([0.4, 0.6])),
    ),
    "a generator's state": (
        SGDClassifier(random_state=np.random.RandomState(1)),
        SGDClassifier(random_state=np.random.RandomState(2)),
    ),
}


@pytest.mark.parametrize("case", CONFIGURATIONS)
def test_another_configuration_is_refused(case, tmp_path):
    before, after = CONFIGURATIONS[case]
    store = tmp_path / "run.bbc"
    with sklearn.config_context(enable_metadata_routing=True):
        fit(before, store)
        assert fit(before, store).n_models_from_store_ == 3
        with pytest.raises(StoreError, match=r"configuration (Pipeline|GaussianNB|.*Classifier)"):
            fit(after, store)


@pytest.mark.parametrize(
    "setting", [{"transform_output": "pandas"}, {"enable_metadata_routing": True}]
)
def test_other_settings_of_scikit_learn_are_refused(setting, tmp_path):
    fit(GaussianNB(), tmp_path / "run.bbc")
    with (
        sklearn.config_context(**setting),
        pytest.raises(StoreError, match="scikit-learn's configuration differs"),
    ):
        fit(GaussianNB(), tmp_path / "run.bbc")


def test_other_seeds_of_learners_are_refused(tmp_path, monkeypatch):
    fit(GaussianNB(), tmp_path / "run.bbc")
    monkeypatch.setattr("bbc.search._run.RULE", "1: one seed per fold")
    message = rf"{SEEDING} differs \(2: one seed per configuration there, 1: .*; finish the run"
    with pytest.raises(StoreError, match=message):
        fit(GaussianNB(), tmp_path / "run.bbc")


def table(**changes):
    return pd.DataFrame(
        {
            "x": X[:, 1],
            "kind": pd.Categorical(np.where(Y, "b", "a"), ["a", "b", "c"]),
            "whole": pd.array([1, None] * 12, dtype="Int64"),
            "text": ["a", None, "b"] * 8,
            "day": pd.date_range("2020-01-01", periods=24, tz="Europe/Berlin"),
        }
        | changes
    )


def kinds(order, **options):
    return table(kind=pd.Categorical(np.where(Y, "b", "a"), order, **options))


def with_attributes(frame):
    frame.attrs["source"] = "here"
    return frame


def polars(**changes):
    kind = pl.Series(["a", "b"] * 12, dtype=pl.Enum(["a", "b"]))
    return pl.DataFrame({"x": X[:, 1], "kind": kind, "n": [1, None] * 12} | changes)


def arrow(**changes):
    kind = pa.array(["a", "b"] * 12).dictionary_encode()
    return pa.table({"x": X[:, 1], "kind": kind, "n": [1, None] * 12} | changes)


PLAIN = X[:, 1:].astype(object)
DATA = {
    "a value": (X, X + 1e-9),
    "the sign of zero": (X * 0.0, X * -0.0),
    "another type": (X, X.astype(np.float32)),
    "another class of array": (X, np.asmatrix(X)),
    "a list": (X, X.tolist()),
    "the mask of an array": (np.ma.masked_array(X, X > 1), np.ma.masked_array(X, X > 1.5)),
    "what is behind the mask": (
        np.ma.masked_array(X, X > 1),
        np.ma.masked_array(np.where(X > 1, 7, X), X > 1),
    ),
    "the type of an object": (PLAIN, PLAIN.astype(str).astype(object)),
    "a sparse matrix": (sparse.csr_array(X), sparse.csr_array(X * 2)),
    "extended precision": (X.astype("g"), X.astype("g") + np.longdouble("1e-19")),
    "a field": (
        np.zeros(24, [("a", float), ("b", int)]),
        np.zeros(24, [("a", float), ("c", int)]),
    ),
    "a frame's value": (table(), table(x=X[:, 1] + 1)),
    "a frame's column": (table(), table().rename(columns={"x": "z"})),
    "the order of columns": (table(), table()[["kind", "x", "whole", "text", "day"]]),
    "the name of the columns": (table(), table().rename_axis(columns="name")),
    "the order of categories": (table(), kinds(["b", "a", "c"])),
    "a category without rows": (table(), kinds(["a", "b"])),
    "an order among categories": (table(), kinds(["a", "b", "c"], ordered=True)),
    "the index": (table(), table().set_axis(range(7, 31))),
    "the index's name": (table(), table().rename_axis(index="row")),
    "an index of levels": (
        table(),
        table().set_axis(pd.MultiIndex.from_product([range(24), ["a"]])),
    ),
    "a missing number": (table(), table(whole=pd.array([1, 1, 1, None] * 6, dtype="Int64"))),
    "the type of missing numbers": (table(), table(whole=[1, None] * 12)),
    "a text": (table(), table(text=["a", None, "c"] * 8)),
    "the type of texts": (table(), table(text=pd.Series(["a", None, "b"] * 8, dtype=object))),
    "the zone of a time": (table(), table(day=table().day.dt.tz_convert("UTC"))),
    "the attributes of a frame": (table(), table().pipe(with_attributes)),
    "another kind of frame": (polars(), polars().to_arrow()),
    "a polars value": (polars(), polars(x=X[:, 1] + 1)),
    "the order of polars categories": (
        polars(),
        polars(kind=pl.Series(["a", "b"] * 12, dtype=pl.Enum(["b", "a"]))),
    ),
    "a missing polars number": (polars(), polars(n=[None, 1] * 12)),
    "an arrow value": (arrow(), arrow(x=X[:, 1] + 1)),
    "a missing arrow number": (arrow(), arrow(n=[None, 1] * 12)),
    "the order of arrow categories": (
        arrow(),
        arrow(kind=pa.DictionaryArray.from_arrays(pa.array([1, 0] * 12, pa.int32()), ["b", "a"])),
    ),
}


class Any(ClassifierMixin, BaseEstimator):
    """Takes data of any kind."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(_num_samples(X), dtype=int)


@pytest.mark.parametrize("case", DATA)
def test_other_data_are_refused(case, tmp_path):
    before, after = DATA[case]
    store = tmp_path / "run.bbc"
    fit(Any(), store, before)
    assert fit(Any(), store, deepcopy(before)).n_models_from_store_ == 3
    with pytest.raises(StoreError, match="holds another run: X differs; pass what it began with"):
        fit(Any(), store, after)


def test_the_layout_of_data_is_nothing_to_a_learner(tmp_path):
    store, file = tmp_path / "run.bbc", tmp_path / "X.npy"
    np.save(file, X)
    fit(Any(), store)
    for same in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], np.load(file, mmap_mode="r")):
        assert fit(Any(), store, same).n_models_from_store_ == 3


@pytest.mark.parametrize("name", ["y", "groups", "sample_weight"])
def test_other_truth_and_metadata_are_refused(name, tmp_path):
    data = {"y": Y, "groups": np.arange(24), "sample_weight": np.ones(24)}
    fit(GaussianNB(), tmp_path / "run.bbc", **data)
    changed = {"y": Y.astype(str), "groups": np.arange(24) // 2, "sample_weight": np.arange(1, 25)}
    with pytest.raises(StoreError, match=r"(y|fit parameters) differs"):
        fit(GaussianNB(), tmp_path / "run.bbc", **(data | {name: changed[name]}))
