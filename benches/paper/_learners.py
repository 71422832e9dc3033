"""Configurations of the real-data studies: logistic regression, trees, support vector machines.

The kinds and ranges are those of paper 004, section 8.1, thinned out to 46 configurations.
"""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

COSTS = [0.1, 1, 10]
THRESHOLDS = (0.01, 0.05)


class Univariate(SelectorMixin, BaseEstimator):
    """Keep the inputs whose class means differ with a p-value below the threshold, or the best."""

    def __init__(self, threshold: float = 0.05) -> None:
        self.threshold = threshold

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Univariate":
        p = np.nan_to_num(f_classif(X, y)[1], nan=1.0)
        self.kept_ = p < max(self.threshold, np.nextafter(p.min(), 1))
        self.n_features_in_ = X.shape[1]
        return self

    def _get_support_mask(self) -> np.ndarray:
        return np.asarray(self.kept_)


def learners(n_features: int, *, quick: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Estimators and grids, by name; kernel widths are per feature of unit variance."""
    estimators = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "tree": DecisionTreeClassifier(random_state=0),
        "svm": make_pipeline(StandardScaler(), SVC(cache_size=20)),
    }
    widths = [width / n_features for width in (0.1, 1, 10)]
    grids: dict[str, Any] = {
        "logistic": {},
        "tree": {"min_samples_leaf": [1, 2, 3, 5, 8, 10, 20], "min_samples_split": [2, 10, 30]},
        "svm": [
            {"svc__kernel": ["linear"], "svc__C": COSTS},
            {"svc__kernel": ["rbf"], "svc__C": COSTS, "svc__gamma": widths},
            {
                "svc__kernel": ["poly"],
                "svc__C": COSTS,
                "svc__gamma": widths[1:],
                "svc__degree": [2, 3],
            },
        ],
    }
    if quick:
        grids["tree"] = {"min_samples_leaf": [1, 5]}
        grids["svm"] = {"svc__kernel": ["linear", "rbf"]}
    return estimators, grids


def with_selection(
    estimators: dict[str, Any], grids: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same, and each again after univariate selection of inputs at both thresholds."""
    more, more_grids = dict(estimators), dict(grids)
    for threshold in THRESHOLDS:
        for name, estimator in estimators.items():
            parts = grids[name] if isinstance(grids[name], list) else [grids[name]]
            more[f"{name}, selected at {threshold}"] = Pipeline(
                [("select", Univariate(threshold)), ("model", estimator)]
            )
            more_grids[f"{name}, selected at {threshold}"] = [
                {f"model__{key}": values for key, values in part.items()} for part in parts
            ]
    return more, more_grids
