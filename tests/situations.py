"""Data that show a finding, and the doors through which it is reached.

A learner that is told its predictions by the number of the row takes the same data through searches
and protocols as through arrays.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import GridSearchCV, PredefinedSplit, TimeSeriesSplit

import bbc


class _Told(BaseEstimator):
    """Predicts a column of a table by the number of the row, its only input."""

    table: ClassVar[Any] = None

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def told(self, X):
        return type(self).table[X[:, 0].astype(int), self.column]


class Risks(ClassifierMixin, _Told):
    """Probabilities of the second class."""

    def predict_proba(self, X):
        return np.column_stack([1 - self.told(X), self.told(X)])

    def predict(self, X):
        return self.classes_[(self.told(X) > 0.5).astype(int)]


class Decisions(ClassifierMixin, _Told):
    """Decision values."""

    def decision_function(self, X):
        return self.told(X)

    def predict(self, X):
        return self.classes_[(self.told(X) > 0).astype(int)]


class Labels(ClassifierMixin, _Told):
    """Labels alone."""

    def predict(self, X):
        return self.told(X).astype(int)


class Values(RegressorMixin, _Told):
    """Numbers."""

    def predict(self, X):
        return self.told(X)


@dataclass(frozen=True)
class Situation:
    """Data and options; folds of None are those of a time series."""

    learner: type
    y: Any
    predictions: Any
    folds: Any
    metric: str
    options: Mapping[str, Any] = field(default_factory=dict)
    groups: Any = None

    def changed(self, **changes: Any) -> "Situation":
        """The same but for these."""
        return replace(self, **changes)

    @property
    def rows(self) -> Any:
        """The inputs: the number of each row, and nothing that repeats."""
        return np.arange(float(len(self.y)))[:, None]

    @property
    def fit_options(self) -> dict[str, Any]:
        """What `fit` is told beside the rows."""
        return {} if self.groups is None else {"groups": self.groups}

    @property
    def cv(self) -> Any:
        """The splitter."""
        return TimeSeriesSplit(5) if self.folds is None else PredefinedSplit(self.folds)

    def grid(self) -> tuple[Any, dict[str, list[int]]]:
        """The learner with its grid, a configuration per column."""
        self.learner.table = self.predictions
        return self.learner(), {"column": list(range(self.predictions.shape[1]))}


#: Names of scikit-learn, where they differ.
_SCORERS = {
    name: f"neg_{name}" for name in ("mean_squared_error", "mean_absolute_error", "brier_score")
} | {"log_loss": "neg_log_loss"}


def _search(s: Situation) -> GridSearchCV:
    return GridSearchCV(*s.grid(), scoring=_SCORERS.get(s.metric, s.metric), cv=s.cv)


def _protocol(kind: Any) -> Callable[[Situation], Any]:
    def fitted(s: Situation) -> Any:
        taken = inspect.signature(kind).parameters
        own = {name: value for name, value in s.options.items() if name in taken}
        made = kind(*s.grid(), scoring=s.metric, cv=s.cv, random_state=1, **own)
        return made.fit(s.rows, s.y, **s.fit_options)

    return fitted


#: How what is corrected is made of a situation.
SOURCES: dict[str, Callable[[Situation], Any]] = {
    "rows": lambda s: bbc.Predictions(s.y, s.predictions, folds=s.folds, groups=s.groups),
    "kept": lambda s: bbc.keep_predictions(_search(s)).fit(s.rows, s.y, **s.fit_options),
    "scores": lambda s: _search(s).fit(s.rows, s.y, **s.fit_options),
    **{kind.__name__: _protocol(kind) for kind in (bbc.BBC, bbc.CVT, bbc.TT, bbc.NCV)},
}


@dataclass(frozen=True)
class Door:
    """A function, by name, and what it is given: `source`, or two of them in a comparison."""

    function: str
    source: str

    def __str__(self) -> str:
        return f"{self.function} {self.source}"

    def made(self, s: Situation) -> Any:
        """What is given."""
        if self.function == "bbc.compare":
            return {"first": SOURCES[self.source](s), "second": SOURCES[self.source](s)}
        return SOURCES[self.source](s)

    def ask(self, given: Any, s: Situation, **advised: Any) -> list[Any]:
        """The estimates of a call; a protocol's own where nothing is advised."""
        if self.function == "fit" and not advised:
            return [given.performance_]
        options = {**s.options, "random_state": 1, **advised}
        if self.source == "rows":
            options.setdefault("metric", s.metric)
        if self.function == "bbc.compare":
            return list(bbc.compare(given, **options).estimates.values())
        return [bbc.correct(given, **options)]

    def codes(self, s: Situation) -> set[str]:
        """The findings of a situation."""
        return codes(self.ask(self.made(s), s))


def codes(estimates: list[Any]) -> set[str]:
    """The findings of all of these."""
    return {one.code for each in estimates for one in each.findings}


DOORS = {
    str(door): door
    for door in (
        *(Door("bbc.correct", name) for name in ("rows", "kept", "scores")),
        *(Door("fit", name) for name in ("BBC", "CVT", "TT", "NCV")),
        *(Door("bbc.compare", name) for name in ("rows", "kept", "scores")),
    )
}


_OF_ROWS = "bbc.correct rows, bbc.correct kept, fit BBC, bbc.compare rows, bbc.compare kept"
_TRAINED = f"{_OF_ROWS}, fit CVT, fit TT, fit NCV"
_OF_FOLDS = "bbc.correct scores, bbc.compare scores"
#: The doors that show the finding of a situation.
SHOWN_BY = {
    "BBC002": _TRAINED,
    "BBC003": "bbc.correct kept, bbc.compare kept",
    "BBC005": "bbc.correct kept, fit BBC, fit CVT, bbc.compare kept",
    "BBC006": _OF_ROWS,
    "BBC008": f"{_OF_ROWS}, {_OF_FOLDS}",
    "BBC010": "bbc.correct rows, bbc.correct kept, bbc.compare rows, bbc.compare kept",
    "BBC011": _OF_ROWS,
    "BBC013 values": _TRAINED,
    "BBC013 risks": _TRAINED,
    "BBC014 risks": _TRAINED,
    "BBC014 labels": _TRAINED,
    "BBC015 folds": "bbc.correct rows, bbc.correct kept, bbc.correct scores, fit BBC",
    "BBC015 two levels": _OF_ROWS,
    "BBC015 plain": _OF_FOLDS,
    "BBC016": _TRAINED,
    "BBC017": _TRAINED,
    "BBC018": "bbc.correct kept, fit BBC, fit CVT, fit TT, bbc.compare kept, " + _OF_FOLDS,
    "BBC020": _TRAINED,
    "BBC027": f"{_OF_ROWS}, {_OF_FOLDS}",
    "BBC029": "bbc.correct rows, fit BBC, fit CVT, fit TT, fit NCV, bbc.compare rows",
    "BBC030": _TRAINED,
    "BBC031": f"{_OF_ROWS}, fit CVT, fit TT",
    "BBC032 mean": _TRAINED,
    "BBC032 folds": "bbc.correct rows, bbc.correct kept, fit BBC, fit TT, fit NCV",
    "BBC032 calls": _TRAINED,
    "BBC033": _OF_ROWS,
    "BBC034": _OF_ROWS,
    "BBC036": "bbc.correct rows, fit BBC, bbc.compare rows",
}


def risks_of(n, k=3, n_positive=None, skill=1.0, seed=0):
    """Classes, and probabilities of several models that know something of them."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2 if n_positive is None else (np.arange(n) < n_positive).astype(int)
    y = y[rng.permutation(n)]
    return y, 1 / (1 + np.exp(-(skill * (y[:, None] - 0.5) + rng.normal(size=(n, k)))))


def _dealt(y, n_folds):
    """Folds that share out the classes."""
    folds = np.empty(len(y), int)
    folds[np.argsort(y, kind="stable")] = np.arange(len(y)) % n_folds
    return folds


def _shuffled(n, n_folds):
    return np.random.default_rng(3).permutation(np.arange(n) % n_folds)


def of_risks(n, n_folds, metric="roc_auc", learner=Risks, options=None, **data):
    """A situation of such probabilities, by folds that share out the classes."""
    y, risks = risks_of(n, **data)
    return Situation(learner, y, risks, _dealt(y, n_folds), metric, options or {})


def _labelled(s, cut):
    return s.changed(learner=Labels, predictions=(s.predictions > cut).astype(int))


def _lucky():
    """Models whose skill differs between folds."""
    rng = np.random.default_rng(1)
    y, folds = np.arange(200) % 2, np.arange(200) // 2 % 5
    skill = 0.5 + 1.2 * rng.normal(size=(5, 12))
    logits = (y[:, None] - 0.5) * skill[folds] + 0.3 * rng.normal(size=(200, 12))
    return Situation(Risks, y, 1 / (1 + np.exp(-logits)), folds, "brier_score")


def _outlier():
    rng = np.random.default_rng(5)
    y, errors = rng.normal(size=200), np.full(200, 0.1)
    errors[100] = 1.9
    predictions = y[:, None] + np.outer(errors * rng.choice([-1, 1], 200), [2, 1, 3])
    return Situation(Values, y, predictions, np.arange(200) % 5, "mean_squared_error")


def _too_sure():
    y = np.arange(200) % 2
    risks = np.clip(y + 0.001 * (1 - 2 * y), 0, 1)
    risks[7] = 1 - risks[7]
    columns = np.column_stack([risks, np.clip(risks, 0.0005, 0.9995)])
    return Situation(Risks, y, columns, np.arange(200) // 2 % 5, "log_loss")


def _series():
    rng = np.random.default_rng(2)
    y = rng.normal(size=200).cumsum()
    predictions = y[:, None] + rng.normal(size=(200, 3))
    return Situation(Values, y, predictions, None, "mean_squared_error")


def _few_sizes():
    rng = np.random.default_rng(6)
    y, errors = rng.normal(size=200), np.where(rng.random((200, 2)) < 0.97, 0.1, 3.0)
    return Situation(Values, y, y[:, None] + errors, np.arange(200) % 5, "mean_squared_error")


def _rescaled():
    rng = np.random.default_rng(6)
    y = rng.normal(size=80)
    predictions = np.column_stack([2 * y + 1, y + rng.normal(size=80)])
    return Situation(Values, y, predictions, np.arange(80) % 4, "spearman")


def _some_folds_lack_a_class():
    rng = np.random.default_rng(3)
    y = (np.arange(60) < 7).astype(int)
    risks = np.clip(0.35 + 0.3 * rng.random((60, 3)) + 0.3 * y[:, None], 0, 1)
    folds = rng.permutation(np.arange(60) % 6)
    return Situation(Risks, y, risks, folds, "roc_auc", {"pooling": "fold"})


def _twice(s):
    doubled = np.tile(s.y, 2), np.tile(s.predictions, (2, 1))
    return s.changed(y=doubled[0], predictions=doubled[1], folds=_shuffled(len(doubled[0]), 5))


def _by_copies(s):
    """The same with groups of a row and its copy, and folds that keep them together."""
    groups = np.tile(np.arange(len(s.y) // 2), 2)
    return s.changed(groups=groups, folds=groups % 4)


def _as_risks(s):
    """Probabilities in the place of labels or decision values."""
    return s.changed(learner=Risks, predictions=risks_of(len(s.y))[1], metric="roc_auc")


#: What is done about data and models: what the advice says, and the situation then.
MENDED: dict[str, dict[str, Callable[[Situation], Situation]]] = {
    "BBC002": {"collect more rows": lambda s: of_risks(60, 3)},
    "BBC003": {},
    "BBC005": {"use probabilities": _as_risks},
    "BBC006": {"collect more rows of the rarer class": lambda s: of_risks(60, 2, skill=2)},
    "BBC008": {"otherwise collect more rows": lambda s: of_risks(200, 4, skill=0.3)},
    "BBC010": {"keep each group together": lambda s: s.changed(folds=s.groups % 5)},
    "BBC011": {},
    "BBC013 values": {
        "mean_absolute_error of values": lambda s: s.changed(metric="mean_absolute_error")
    },
    "BBC013 risks": {"brier_score of probabilities": lambda s: s.changed(metric="brier_score")},
    "BBC014 risks": {"report roc_auc of scores": lambda s: s.changed(metric="roc_auc")},
    "BBC014 labels": {"report roc_auc of scores": _as_risks},
    "BBC015": {"use five folds": lambda s: s.changed(folds=_dealt(s.y, 5))},
    "BBC016": {"pass probabilities": _as_risks},
    "BBC017": {},
    "BBC018": {},
    "BBC020": {"or their sign": lambda s: s.changed(predictions=1 - s.predictions)},
    "BBC027": {"give all of them": lambda s: s.changed(predictions=risks_of(80)[1])},
    "BBC029": {},
    "BBC030": {
        "drop the copies": lambda s: of_risks(80, 4),
        "keep each row and its copies together": _by_copies,
    },
    "BBC031": {"folds that hold all outcomes": lambda s: s.changed(folds=_dealt(s.y, 4))},
    "BBC032": {},
    "BBC033": {"n_bootstraps": lambda s: s.changed(options={"n_bootstraps": 10000})},
    "BBC034": {"mean_absolute_error": lambda s: s.changed(metric="mean_absolute_error")},
    "BBC036": {
        "fewer folds, that hold many rows": lambda s: of_risks(120, 3, options=s.options),
    },
}


def situations() -> dict[str, Situation]:
    """By code, of several with what distinguishes them."""
    groups = np.arange(120) // 4
    told = of_risks(80, 4)
    few = of_risks(120, 5, "average_precision", n_positive=25, skill=2)
    return {
        "BBC002": of_risks(18, 3),
        "BBC003": of_risks(60, 5, k=12, skill=0.2),
        "BBC005": of_risks(60, 5, options={"pooling": "pooled"}, learner=Decisions),
        "BBC006": of_risks(30, 2, n_positive=5, skill=2),
        "BBC008": of_risks(24, 4, skill=0.3),
        "BBC010": of_risks(120, 5).changed(groups=groups),
        "BBC011": _lucky(),
        "BBC013 values": _outlier(),
        "BBC013 risks": _too_sure(),
        "BBC014 risks": of_risks(100, 5, "average_precision", n_positive=9, skill=2),
        "BBC014 labels": _labelled(of_risks(100, 5, "f1", n_positive=9, skill=2), 0.7),
        "BBC015 folds": of_risks(90, 3, options={"method": "bbc-f"}),
        "BBC015 two levels": of_risks(90, 3, options={"method": "bbc-two-level"}),
        "BBC015 plain": of_risks(90, 3),
        "BBC016": of_risks(80, 4).changed(predictions=(told.predictions > 0.5).astype(float)),
        "BBC017": told.changed(predictions=np.column_stack([told.y * 1.0, told.predictions])),
        "BBC018": _series(),
        "BBC020": told.changed(predictions=1 - risks_of(80, skill=3)[1]),
        "BBC027": told.changed(predictions=told.predictions[:, :1]),
        "BBC029": _rescaled(),
        "BBC030": _twice(told),
        "BBC031": told.changed(folds=told.y * 2 + np.arange(80) // 2 % 2, metric="brier_score"),
        "BBC032 mean": few.changed(options={"pooling": "fold"}),
        "BBC032 folds": few.changed(options={"method": "bbc-f"}),
        "BBC032 calls": _labelled(few.changed(metric="f1", options={"pooling": "fold"}), 0.9),
        "BBC033": of_risks(60, 5, options={"n_bootstraps": 100}),
        "BBC034": _few_sizes(),
        "BBC036": _some_folds_lack_a_class(),
    }
