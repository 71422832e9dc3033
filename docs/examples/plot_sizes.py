"""
Optimism on real data
=====================

Optimism against the number of configurations and rows, for real predictions.

Subsamples of rows and configurations show how optimistic a smaller study or a
smaller grid would have been.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import bbc

# Trees on two random columns each: 64 configurations that differ.
X, y = load_breast_cancer(return_X_y=True)
rng = np.random.default_rng(0)
predictions = np.column_stack(
    [
        cross_val_predict(
            DecisionTreeClassifier(max_depth=2, random_state=0),
            X[:, rng.choice(X.shape[1], 2, replace=False)],
            y,
            cv=5,
        )
        for _ in range(64)
    ]
)

bbc.plots.optimism(
    y, predictions, metric="accuracy", n_rows=[30, 60, 120, 480], random_state=1
)
