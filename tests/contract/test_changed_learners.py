"""Stored fits of another learner are not reused: whatever a learner can see is compared.

Each case edits one thing in a project of two modules and makes the same call again. Seen to fail,
all but a few, where a store compared names and parameters of estimators only.
"""

import importlib
import sys

import pytest

import bbc
from bbc.errors import StoreError
from instrumented import numbered_data

X, Y = numbered_data(24)
LEARNERS = """
import functools
import enum
from dataclasses import dataclass
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
import helpers
from helpers import doubled, other, shifted as turned

SIGN = 1
TABLE = {"a": [1, 2]}
ARRAY = np.arange(3)
KNOWN = {"b", "c"}
MEMBER = "member"
RULES = {"plain": lambda values: values + 1}
STEP = functools.partial(helpers.scaled, 2)


class Kind(enum.Enum):
    FIRST = 1


@dataclass
class Options:
    depth: int = 3


def logged(function):
    level = 10

    @functools.wraps(function)
    def call(*values):
        return function(*values) + 0 * level

    return call


@logged
def decorated(values):
    return values + 0


@functools.lru_cache
def remembered(n):
    return n + 4


@functools.singledispatch
def chosen(value):
    return value


@chosen.register
def _(value: int):
    return value + 25


def weighted(a, b):
    return 2 * a + b


def defaults(values, by=5, *, offset=6):
    return values * by + offset


def attributed(values):
    return values + attributed.shift


attributed.shift = 7


class Meta(type):
    def total(cls):
        return 8


class Base(BaseEstimator):
    threshold = 0.5

    def centre(self, X):
        return X - 9

    @property
    def rate(self):
        return 10

    @staticmethod
    def fixed():
        return 11

    @classmethod
    def made(cls):
        return 12

    @functools.cached_property
    def once(self):
        return 13


class Learner(ClassifierMixin, Base):
    @functools.singledispatchmethod
    def picked(self, value):
        return value

    @picked.register
    def _(self, value: int):
        return value + 26

    @picked.register
    def _(self, value: str):
        return value

    def __init__(self, C=1.0, step=None):
        self.C = C
        self.step = step

    def fit(self, X, y):
        from helpers import late

        values = [doubled(1), turned(1), helpers.scaled(1, 2), getattr(helpers, MEMBER)(1), late(1)]
        values += [SIGN, TABLE, ARRAY, "b" in KNOWN, RULES["plain"](1), STEP(1), Kind.FIRST]
        values += [Options(), decorated(1), remembered(1), defaults(1), attributed(1)]
        values += [chosen(1), weighted(1, 2), self.picked(1)]
        values += [self.rate, self.fixed(), self.made(), self.once, Inner.Deeper(), Counted]
        values += [place * 14 for place in range(3) if place in {15, 16}]
        self.model_ = GaussianNB(var_smoothing=self.C).fit(self.centre(X), y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(self.centre(X))


class Inner:
    class Deeper:
        def run(self):
            return 17


class Counted(metaclass=Meta):
    pass


class Callable:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, X):
        return X * self.weight + 18

    def method(self, X):
        return X + 19


def maker(by):
    def made(X):
        return X * by + 20

    return made


def step():
    return [maker(21), functools.partial(helpers.scaled, 22), Callable(23), Callable(24).method]
"""
HELPERS = """
def doubled(value):
    return further(value) * 2

def further(value):
    return value + 30

def shifted(value):
    return value + 31

def other(value):
    return value + 31

def scaled(by, value):
    return by * value + 32

def member(value):
    return value + 33

def late(value):
    return value + 34

def unused(value):
    return value + 35
"""
MORE = """
class Base(BaseEstimator):
    def score(self, X, y):
        return 1
"""
# What is replaced by what, and a name that the message has.
EDITS = {
    "the body of fit": ("fit(self.centre(X), y)", "fit(self.centre(X), 1 - y)", "Learner.fit"),
    "the body of predict": ("predict(self.centre(X))", "predict(X)", "Learner.predict"),
    "a default parameter": ("C=1.0, step", "C=2.0, step", "arguments in learners.Learner.__init__"),
    "a method of a base class": ("X - 9", "X - 90", "Base.centre"),
    "an attribute of a base class": ("threshold = 0.5", "threshold = 0.6", "Base.threshold"),
    "another base class": ("class Counted(", "class Counted(Options, ", "class learners.Counted"),
    "the order of parameters": ("weighted(a, b)", "weighted(b, a)", "learners.weighted"),
    "a function chosen by type": ("return value + 25", "return value + 250", "learners._"),
    "a method chosen by type": ("return value + 26", "return value + 260", "Learner._"),
    "another method": ("class Base(BaseEstimator):", MORE, "class learners.Base"),
    "a property": ("return 10", "return 100", "Base.rate"),
    "a static method": ("return 11", "return 110", "Base.fixed"),
    "a class method": ("return 12", "return 120", "Base.made"),
    "a cached property": ("return 13", "return 130", "Base.once"),
    "a constant": ("SIGN = 1", "SIGN = -1", "learners.SIGN"),
    "a table": ('"a": [1, 2]', '"a": [1, 3]', "learners.TABLE"),
    "an array": ("np.arange(3)", "np.arange(4)", "learners.ARRAY"),
    "a set": ('{"b", "c"}', '{"b", "d"}', "learners.KNOWN"),
    "a set literal": ("{15, 16}", "{15, 2}", "Learner.fit"),
    "a comprehension": ("place * 14", "place * 140", "Learner.fit"),
    "a function in a table": ("values + 1}", "values + 2}", "<lambda>"),
    "an enumeration": ("FIRST = 1", "FIRST = 2", "Kind"),
    "the default of a dataclass": ("depth: int = 3", "depth: int = 4", "Options"),
    "a decorated function": ("return values + 0\n", "return values + 1\n", "decorated"),
    "a decorator": ("0 * level", "1 * level", "decorated"),
    "a closure": ("level = 10", "level = 11", "level in learners.decorated"),
    "a function with a cache": ("n + 4", "n + 40", "remembered"),
    "a default argument": ("by=5", "by=50", "default arguments in learners.defaults"),
    "a keyword's default": ("offset=6", "offset=60", "default arguments in learners.defaults"),
    "an attribute of a function": ("attributed.shift = 7", "attributed.shift = 70", "shift"),
    "a metaclass": ("return 8", "return 80", "Meta.total"),
    "a class in a class": ("return 17", "return 170", "Inner.Deeper.run"),
    "a callable object": ("self.weight + 18", "self.weight + 180", "Callable.__call__"),
    "the state of a callable object": ("Callable(23)", "Callable(230)", "configuration"),
    "a method of an object": ("X + 19", "X + 190", "Callable.method"),
    "the object of a method": ("Callable(24)", "Callable(240)", "configuration"),
    "an inner function": ("X * by + 20", "X * by + 200", "maker.<locals>.made"),
    "what an inner function holds": (
        "maker(21)",
        "maker(210)",
        "by in learners.maker.<locals>.made",
    ),
    "an argument of a partial": ("helpers.scaled, 22", "helpers.scaled, 220", "configuration"),
    "a partial in the module": ("helpers.scaled, 2)", "helpers.scaled, 3)", "learners.STEP"),
    "another function by the same name": ("shifted as turned", "other as turned", "Learner.fit"),
    "an imported function": ("further(value) * 2", "further(value) * 3", "helpers.doubled"),
    "a function that it calls": ("value + 30", "value + 300", "helpers.further"),
    "a renamed function": (
        "value + 31\n\ndef other",
        "value + 310\n\ndef other",
        "helpers.shifted",
    ),
    "a member of a module": ("value + 32", "value + 320", "helpers.scaled"),
    "a member by its name": ("value + 33", "value + 330", "helpers.member"),
    "a late import": ("value + 34", "value + 340", "helpers.late"),
}
HARMLESS = {
    "a docstring": (
        "    def fit(self, X, y):\n",
        '    def fit(self, X, y):\n        """Fit it."""\n',
    ),
    "a comment": ("        self.model_ =", "        # As usual.\n        self.model_ ="),
    "another place in the file": ("SIGN = 1\n", "\n\n\nNOT_USED = 1\nSIGN = 1\n"),
    "the order of a set": ('{"b", "c"}', '{"c", "b"}'),
    "a function that nobody calls": ("class Inner:", "def idle():\n    return 1\n\n\nclass Inner:"),
    "annotations": ("def centre(self, X):", "def centre(self, X: object) -> object:"),
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Writes the two modules, edited, and imports them anew."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(old="", new=""):
        assert LEARNERS.count(old) + HELPERS.count(old) >= 1
        for name, text in (("learners", LEARNERS), ("helpers", HELPERS)):
            (tmp_path / f"{name}.py").write_text(text.replace(old, new) if old else text)
            monkeypatch.delitem(sys.modules, name, raising=False)
        importlib.invalidate_caches()
        return importlib.import_module("learners")

    yield write
    for name in ("learners", "helpers"):
        sys.modules.pop(name, None)


def fit(estimator, store, X=X, y=Y, **fit_params):
    options = {"cv": 3, "refit": False, "random_state": 1, "error_score": 0.0}
    return bbc.CVT(estimator, store=store, **options).fit(X, y, **fit_params)


def learner(module):
    return module.Learner(step=module.step())


@pytest.mark.parametrize("edit", EDITS)
def test_another_learner_is_refused(edit, project, tmp_path):
    old, new, name = EDITS[edit]
    store = tmp_path / "run.bbc"
    fit(learner(project()), store)
    changed = learner(project(old, new))
    with pytest.raises(StoreError, match="holds another run: ") as caught:
        fit(changed, store)
    assert name in str(caught.value)
    assert "pass another path as store" in str(caught.value)


@pytest.mark.parametrize("edit", HARMLESS)
def test_what_changes_no_model_is_no_other_learner(edit, project, tmp_path):
    store = tmp_path / "run.bbc"
    fit(learner(project()), store)
    again = fit(learner(project(*HARMLESS[edit])), store)
    assert again.n_models_from_store_ == again.n_models_trained_ == 3
