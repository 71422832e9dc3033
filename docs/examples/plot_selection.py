"""
How stable is the winner?
=========================

The share of replicates in which each configuration was selected.

Support vector machines with 40 settings, on 100 rows of the breast-cancer data. If the selection is
spread over many settings, another sample might have selected another one. The estimate remains valid,
because it is about the whole procedure, selection included; only the winner's identity means little.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bbc

X, y = load_breast_cancer(return_X_y=True)
rows = np.random.default_rng(0).choice(len(y), 100, replace=False)
grid = {
    "svc__C": np.logspace(-1, 3, 8).round(3).tolist(),
    "svc__gamma": np.logspace(-4, 0, 5).tolist(),
}
search = bbc.BBC(
    make_pipeline(StandardScaler(), SVC()),
    grid,
    scoring="accuracy",
    cv=5,
    random_state=1,
).fit(X[rows], y[rows])

bbc.plots.selection(search.performance_)

# %%
# The result has a finding about this:

for finding in search.performance_.findings:
    print(finding)
