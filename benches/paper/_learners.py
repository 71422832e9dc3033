"""Configurations of the real-data studies: logistic regression, trees, support vector machines.

The kinds and ranges are those of paper 004, section 8.1, thinned out to 46 configurations.
"""

from typing import Any

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

COSTS = [0.1, 1, 10]


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
