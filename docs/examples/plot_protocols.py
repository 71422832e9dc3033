"""
All protocols on the same data
==============================

The estimate of each protocol, its mean error, and the number of models trained.

Nearest neighbours with 12 settings are tuned on ten small data sets of the same kind. The data are
simulated, and the performance of each winner is measured on 5000 further rows.
"""

from functools import partial

import numpy as np
from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier

import bbc

PROTOCOLS = {
    "CVT": bbc.CVT,
    "CVM-CV": bbc.baselines.CVMCV,
    "TT": bbc.TT,
    "NCV": bbc.NCV,
    "BBC": bbc.BBC,
    "BBC-F": partial(bbc.BBC, method="bbc-f"),
    "BBCD": bbc.BBCD,
}
grid = {"n_neighbors": [1, 3, 5, 9, 15, 25], "weights": ["uniform", "distance"]}
X, y = make_classification(
    5600, 12, n_informative=3, flip_y=0.3, random_state=0
)
X_new, y_new = X[600:], y[600:]

optimism = {name: [] for name in PROTOCOLS}
for start in range(0, 600, 60):
    rows = slice(start, start + 60)
    searches = {}
    for name, protocol in PROTOCOLS.items():
        search = protocol(
            KNeighborsClassifier(),
            grid,
            scoring="accuracy",
            cv=5,
            random_state=1,
        ).fit(X[rows], y[rows])
        searches[name] = search
        truth = search.score(X_new, y_new)
        optimism[name].append(search.performance_.estimate - truth)

print("protocol  models  estimate less truth, mean of ten")
for name in PROTOCOLS:
    print(
        f"{name:<10}{searches[name].n_models_trained_:>6}{np.mean(optimism[name]):>+10.3f}"
        f" (s.e. {np.std(optimism[name], ddof=1) / np.sqrt(10):.3f})"
    )

# %%
# The last of the ten data sets: circles are estimates, crosses apparent scores of the winners. Only
# the bootstrap protocols have an interval.

bbc.plots.forest(
    {name: search.performance_ for name, search in searches.items()}
)
