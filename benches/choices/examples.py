"""Real data: where an ensemble's apparent gain goes with the correction, and where it stays.

    python -m benches.choices.examples

Each set of configurations is cross-validated once (5 folds), and both rules choose from
the same predictions. Gains are in the metric's units; positive favours the ensemble.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

import bbc

from .._tables import Line, write_csv


def halves() -> tuple[Any, Any, Any, Any, str]:
    """Whether the disease of 150 patients progressed by more than 140; neighbours of one kind."""
    X, y = load_diabetes(return_X_y=True)
    some = np.random.default_rng(0).permutation(len(y))[:150]
    learner = make_pipeline(StandardScaler(), KNeighborsClassifier())
    grid = {
        "kneighborsclassifier__n_neighbors": [*range(1, 10), 11, 13, 15, 17, 21, 25],
        "kneighborsclassifier__p": [1, 2],
        "kneighborsclassifier__weights": ["uniform", "distance"],
    }
    return X[some], (y[some] > 140).astype(int), learner, grid, "accuracy"


def diabetes() -> tuple[Any, Any, Any, Any, str]:
    """The progression itself, of all 442; learners of four kinds, whose errors differ."""
    X, y = load_diabetes(return_X_y=True)
    learners = {
        "ridge": make_pipeline(StandardScaler(), Ridge()),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor()),
        "vectors": make_pipeline(StandardScaler(), SVR()),
        "trees": ExtraTreesRegressor(n_estimators=50, min_samples_leaf=3),
    }
    grids = {
        "ridge": {"ridge__alpha": [0.1, 1.0, 10.0, 100.0]},
        "neighbours": {"kneighborsregressor__n_neighbors": [5, 10, 20, 40]},
        "vectors": {"svr__C": [1.0, 10.0, 100.0]},
        "trees": {"max_features": [0.3, 1.0]},
    }
    return X, y, learners, grids, "r2"


def run() -> Iterator[Line]:
    """A line for each data set."""
    for make in (halves, diabetes):
        X, y, learner, grid, metric = make()
        search = bbc.BBC(learner, grid, cv=5, scoring=metric, refit=False, random_state=0).fit(X, y)
        single = search.performance_
        ensemble = bbc.correct(
            y,
            search.oos_predictions_,
            metric=metric,
            selection=bbc.greedy_ensemble(25),
            random_state=search.seed_,
        )
        yield {
            "data": make.__name__,
            "rows": len(y),
            "configurations": single.n_configurations,
            "metric": metric,
            "members": int((ensemble.weights > 0).sum()),
            "apparent, configuration": single.apparent,
            "apparent, ensemble": ensemble.apparent,
            "corrected, configuration": single.estimate,
            "corrected, ensemble": ensemble.estimate,
            "apparent gain": ensemble.apparent - single.apparent,
            "corrected gain": ensemble.estimate - single.estimate,
        }


if __name__ == "__main__":
    write_csv(list(run()), Path(__file__).with_name("examples.csv"))
