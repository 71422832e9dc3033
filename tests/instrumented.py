"""Estimators that count their fits and notice leaks, and what they are fitted to."""

from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Witness(ClassifierMixin, BaseEstimator):
    """Nearest neighbour on the second column; the first column is the number of the row.

    Everything is written to `log`, so it works with one process only.
    """

    log: ClassVar[list[tuple[str, int]]] = []

    def __init__(self, shift=0.0, groups=None, fail_on=None):
        self.shift = shift
        self.groups = groups
        self.fail_on = fail_on

    def fit(self, X, y):
        if self.fail_on is not None and self.shift == self.fail_on:
            raise RuntimeError("told to fail")
        Witness.log.append(("fit", len(X)))
        self.classes_ = np.unique(y)
        self.rows_ = set(X[:, 0].astype(int).tolist())
        if self.groups is not None:
            self.groups_ = {self.groups[row] for row in self.rows_}
        self.X_, self.y_ = X, y
        return self

    def predict_proba(self, X):
        rows = set(X[:, 0].astype(int).tolist())
        leaked = rows & self.rows_
        if self.groups is not None:
            leaked |= {self.groups[row] for row in rows} & self.groups_
        Witness.log.append(("leak", len(leaked)))
        distance = np.abs(X[:, 1:2] + self.shift - self.X_[:, 1][None, :])
        weight = 1.0 / (0.1 + distance)
        scores = np.stack([weight[:, self.y_ == label].sum(axis=1) for label in self.classes_], 1)
        return scores / scores.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    @classmethod
    def count(cls, run):
        """Run a function; return its result, the number of fits, and that of leaked rows."""
        cls.log.clear()
        result = run()
        fits = sum(kind == "fit" for kind, _ in cls.log)
        leaks = sum(value for kind, value in cls.log if kind == "leak")
        return result, fits, leaks


def numbered_data(n_rows=60, n_classes=2, seed=0):
    """Rows that carry their number, with classes that overlap."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % n_classes
    return np.column_stack([np.arange(n_rows), rng.normal(y, 1.0)]), y


class Curve:
    """The probability of surviving a time at a constant hazard."""

    def __init__(self, rate, wrong):
        self.rate, self.wrong = rate, wrong

    def __call__(self, times):
        return np.exp(-self.rate * np.asarray(times)) + self.wrong


class Exponential(BaseEstimator):
    """Survival with a constant hazard, which depends on one of the columns.

    `wrong` spoils a probability: it is added to all.
    """

    def __init__(self, column=0, wrong=0.0):
        self.column, self.wrong = column, wrong

    def fit(self, X, y):
        exposure = y["time"] * np.exp(X[:, self.column])
        self.rate_ = y["event"].sum() / exposure.sum()
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return X[:, self.column]

    def predict_survival_function(self, X):
        rates = self.rate_ * np.exp(self.predict(X))
        return [Curve(rate, self.wrong) for rate in rates]
