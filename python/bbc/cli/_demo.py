"""``bbc demo``: tune on real data, correct, and compare with held-out rows."""

import argparse
import time

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from ..plots import ReplicateDisplay
from ..plots._display import pyplot
from ..search import BBC
from ._output import refuse_place

_SEED = 0


def run_demo(arguments: argparse.Namespace) -> None:
    """Run the demonstration."""
    plot = arguments.plot
    refuse_place(plot)
    pyplot()  # refuses before the tuning if matplotlib is missing
    started = time.perf_counter()
    X, y = load_breast_cancer(return_X_y=True)
    X_tune, X_held_out, y_tune, y_held_out = train_test_split(
        X, y, train_size=100, stratify=y, random_state=_SEED
    )
    estimators = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)),
        "svm": make_pipeline(StandardScaler(), SVC()),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    }
    grids = {
        "logistic": {"logisticregression__C": np.logspace(-3, 3, 20).tolist()},
        "svm": {
            "svc__C": np.logspace(-2, 3, 6).tolist(),
            "svc__gamma": np.logspace(-4, 0, 9).tolist(),
        },
        "neighbours": {
            "kneighborsclassifier__n_neighbors": list(range(1, 20, 2)),
            "kneighborsclassifier__weights": ["uniform", "distance"],
            "kneighborsclassifier__p": [1, 2],
        },
    }
    print(f"Tuning on {len(y_tune)} rows of the breast-cancer data, 10 folds:", flush=True)
    search = BBC(
        estimators, grids, scoring="accuracy", cv=10, n_jobs=-1, random_state=_SEED, verbose=1
    )
    search.fit(X_tune, y_tune)
    estimate = search.performance_

    print()
    print(estimate.summary())
    held_out = float(search.score(X_held_out, y_held_out))
    interval, apparent = estimate.confidence_interval, estimate.apparent
    assert interval is not None
    assert apparent is not None
    low, high = interval
    print()
    print(f"The winner, refitted on all {len(y_tune)} rows, on {len(y_held_out)} held-out rows:")
    print(f"  held out       {held_out:.6g}")
    print(f"  apparent       {apparent:.6g}, off by {apparent - held_out:+.4f}")
    print(f"  corrected      {estimate.estimate:.6g}, off by {estimate.estimate - held_out:+.4f}")
    inside = low <= held_out <= high
    verdict = "contains it" if inside else "misses it, as one in twenty does"
    print(f"  the {100 * interval.confidence_level:g} % interval [{low:.4f}, {high:.4f}] {verdict}")

    display = ReplicateDisplay.from_estimate(estimate)
    display.ax_.axvline(held_out, color="black", linewidth=1.5, label=f"held out {held_out:.3f}")
    display.ax_.legend(frameon=False, loc="upper left")
    display.figure_.savefig(plot, dpi=150)
    print(f"Picture: {plot}  ({time.perf_counter() - started:.0f} s in all)")
