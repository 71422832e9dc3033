"""A learner that is left to chance has one seed per configuration, in all folds and the refit."""

from collections import defaultdict
from functools import partial
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import bbc
from bbc._training._configurations import configuration_digests, derived_seed, make_configurations
from instrumented import numbered_data
from kinds import of_folds

X, Y = numbered_data()
SETTINGS = {"setting": [0, 1, 2]}


class Recorder(ClassifierMixin, BaseEstimator):
    """Writes down its setting, its seed and how many rows train it; predicts by its seed."""

    log: ClassVar[list[tuple[object, int, int]]] = []

    def __init__(self, setting=None, random_state=None):
        self.setting = setting
        self.random_state = random_state

    def fit(self, X, y):
        Recorder.log.append((self.setting, self.random_state, len(X)))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        drawn = np.random.default_rng(self.random_state).integers(0, 2, len(Y))
        return drawn[X[:, 0].astype(int)]


def seeds_by_setting(kind, grid, **options):
    """Fit a protocol; return the seeds of each setting's fits, their number, and the protocol."""
    Recorder.log.clear()
    options = {"cv": 4, "random_state": 7} | options
    fitted = kind(options.pop("estimator", Recorder()), grid, **options).fit(X, Y)
    seeds = defaultdict(set)
    for setting, seed, _ in Recorder.log:
        seeds[setting].add(seed)
    return seeds, len(Recorder.log), fitted


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (bbc.BBC, {"n_repeats": 2}),
        (bbc.BBCD, {"min_predictions": 50}),
        (of_folds, {}),
        (bbc.baselines.CVMCV, {}),
        (bbc.CVT, {}),
        (bbc.NCV, {}),
        (bbc.NCV, {"share_fits": False}),
        (bbc.NCV, {"inner_cv": 3, "n_repeats": 2}),
        (bbc.TT, {}),
    ],
)
def test_each_configuration_has_one_seed_for_all_fits(kind, options):
    seeds, n_fits, fitted = seeds_by_setting(kind, SETTINGS, **options)
    assert n_fits == fitted.n_models_trained_ > len(SETTINGS["setting"])
    assert all(len(own) == 1 for own in seeds.values()), "folds, inner folds, repeats and refit"
    assert len(set.union(*seeds.values())) == 3, "each configuration its own"
    refit = Recorder.log[-1]
    assert refit[2] == len(Y)
    assert {fitted.best_estimator_.random_state} == seeds[fitted.best_params_["setting"]]
    other, *_ = seeds_by_setting(kind, SETTINGS, random_state=8, **options)
    assert not set.union(*seeds.values()) & set.union(*other.values())


def test_another_order_or_a_larger_grid_changes_no_seed():
    first, *_ = seeds_by_setting(bbc.CVT, SETTINGS)
    other, *_ = seeds_by_setting(bbc.CVT, {"setting": [5, 2, 1, 0, 4]})
    named, *_ = seeds_by_setting(bbc.CVT, [{"setting": 2}, {"setting": np.int64(1)}])
    assert {setting: other[setting] for setting in first} == first
    assert named == {2: first[2], 1: first[1]}


def test_equal_configurations_have_unlike_seeds_and_keep_them():
    few = configuration_digests(make_configurations(Recorder(), [{"setting": 1}] * 3, None, 0))
    settings = [{"setting": 0}, *[{"setting": 1}] * 2, {"setting": 2}, *[{"setting": 1}] * 2]
    many = configuration_digests(make_configurations(Recorder(), settings, None, 0))
    assert len(set(many)) == 6
    assert [many[place] for place in (1, 2, 4)] == few


def test_sharing_threads_and_stores_change_no_bit(tmp_path):
    tree = ExtraTreeClassifier(max_features=1)
    grid = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 4]}
    rng = np.random.default_rng(0)
    inputs = rng.normal(Y[:, None] * [1, 0, 0, 0], 1.0)

    def run(**options):
        return bbc.NCV(tree, grid, cv=4, random_state=3, **options).fit(inputs, Y)

    path = tmp_path / "run.bbc"
    first = run()
    others = [run(share_fits=False), run(n_jobs=2), run(store=path), run(store=path)]
    assert others[-1].n_models_from_store_ == first.n_models_trained_ - 1
    for other in others:
        assert other.performance_ == first.performance_
        assert other.outer_scores_.tobytes() == first.outer_scores_.tobytes()
        assert (other.outer_winners_ == first.outer_winners_).all()
        assert other.best_estimator_.random_state == first.best_estimator_.random_state


def test_every_part_of_a_learner_has_a_seed_of_its_own():
    learner = make_pipeline(
        RBFSampler(n_components=4),
        Nystroem(n_components=4, random_state=5),
        BaggingClassifier(LogisticRegression(), n_estimators=2),
    )
    fitted, again = (
        bbc.CVT(learner, cv=cv, random_state=0).fit(X[:, 1:], Y).best_estimator_.get_params()
        for cv in (3, 4)
    )
    names = [name for name in fitted if name.endswith("random_state")]
    assert len(names) == 4
    assert fitted["nystroem__random_state"] == 5
    assert len({fitted[name] for name in names}) == 4
    assert [fitted[name] for name in names] == [again[name] for name in names]


@pytest.mark.parametrize("own", [0, 7])
def test_a_seed_of_the_user_is_kept(own):
    seeds, *_ = seeds_by_setting(bbc.CVT, SETTINGS, estimator=Recorder(random_state=own))
    assert set.union(*seeds.values()) == {own}
    seeds, *_ = seeds_by_setting(bbc.CVT, SETTINGS | {"random_state": [own]})
    assert set.union(*seeds.values()) == {own}


def test_a_generator_of_the_user_is_kept():
    tree = DecisionTreeClassifier(random_state=np.random.RandomState(3))
    fitted = bbc.CVT(tree, cv=3, random_state=1).fit(X, Y)
    assert isinstance(fitted.best_estimator_.random_state, np.random.RandomState)


def test_seeds_of_learners_that_compete():
    learners = {"a": Recorder("a"), "b": Recorder("b")}
    seeds, *_ = seeds_by_setting(bbc.BBC, None, estimator=learners)
    assert len(seeds["a"]) == len(seeds["b"]) == 1
    assert seeds["a"] != seeds["b"]
    alone, *_ = seeds_by_setting(bbc.BBC, None, estimator={"b": Recorder("b")})
    assert alone["b"] == seeds["b"]


def test_resampling_of_one_learner_draws_a_seed_for_each_training_set():
    Recorder.log.clear()
    options = {"method": "cv", "n_folds": 5, "random_state": 2, "interval": "nested-cv"}
    bbc.baselines.resampling_error(Recorder(), X, Y, **options)
    seeds = [seed for _, seed, _ in Recorder.log]
    # The folds' models are trained for the estimate and for the interval, with the same seeds.
    assert len(seeds) == 5 + 5 + 10
    assert seeds[:5] == seeds[-5:]
    assert len(set(seeds)) == 5 + 10
    Recorder.log.clear()
    bbc.baselines.resampling_error(Recorder(random_state=4), X, Y, **options)
    assert {seed for _, seed, _ in Recorder.log} == {4}


class Opaque:
    """Shown with its address."""


def weights(y):
    return np.ones(len(y))


VALUES = {
    "none": None,
    "text": "auto",
    "whole": 1,
    "real": 1.0,
    "flag": True,
    "array": np.array([[1.0, 0.1], [2.0, 3.0]]),
    "nested": {"b": (1, [2.5, None]), "a": set("abcdefgh")},
    "learner": Recorder(Recorder((1, 2)), 3),
    "type": Opaque,
    "function": weights,
    "partial": partial(weights, y=frozenset("abcdefgh")),
    "object": Opaque(),
}
# Written down once: seeds depend neither on the process (addresses, the order of sets), nor on the
# machine, nor on the version of Python.
RECORDED = {
    "none": "940ffa5369589bc9ddb90c27a2a998ae",
    "text": "7f5073cb71cdcafd968911e091d02d02",
    "whole": "0415bb28ffb32da8399881bef0ac3896",
    "real": "240c189fa317338786d6dce2df812d11",
    "flag": "e08319bbc6f17bde071b8f7ab849a47c",
    "array": "a2bd294e44b690da4d89e2c3a1050bb1",
    "nested": "d7d235338193c86be2efd255a9baae32",
    "learner": "1d9e3d59a04bfef56b11095da0223a68",
    "type": "ec35fb258144fb7d55f57fb160db0d43",
    "function": "1a84a145c2f35571bb29ecf7644873a4",
    "partial": "4dac392186ba6b72a1c96a672e3cf2f7",
    "object": "86ba59d1e3b6e5448540a772d44bf17a",
}


def digest_of(value):
    return configuration_digests(make_configurations(Recorder(), {"setting": [value]}, None, 0))[0]


def digests():
    return {name: digest_of(value) for name, value in VALUES.items()}


def test_seeds_are_the_same_on_all_machines():
    assert digests() == RECORDED
    assert len(set(RECORDED.values())) == len(VALUES)
    assert derived_seed(7, RECORDED["whole"], "random_state") == 1570375832


def test_equal_values_of_other_types_are_described_alike():
    pairs = [
        ({"a": np.float64(0.1), "b": [1, 2]}, {"b": (1, 2), "a": 0.1}),
        ({"a": np.array([1, 2])}, {"a": [1, 2]}),
        ({"a": np.str_("x"), "b": np.bool_(True)}, {"a": "x", "b": True}),
        ({"a": LogisticRegression(C=np.int32(3))}, {"a": LogisticRegression(C=3)}),
    ]
    for one, other in pairs:
        assert digest_of(one) == digest_of(other)
    assert digest_of(np.longdouble(1)) != digest_of(np.longdouble(2))
