"""
All protocols on one data set
=============================

Estimates, intervals and the number of models that each protocol trains.

Nearest neighbours with 20 settings on 80 rows of the breast-cancer data; the other 489 rows tell
what the winner is worth.
"""

import time

from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

import bbc

X, y = load_breast_cancer(return_X_y=True)
X_tune, X_new, y_tune, y_new = train_test_split(X, y, train_size=80, stratify=y, random_state=1)
grid = {"n_neighbors": list(range(1, 30, 3)), "weights": ["uniform", "distance"]}

estimates = {}
print("protocol  models   on new rows  estimate")
for name in ["CVT", "CVMCV", "TT", "NCV", "BBC", "BBCF", "BBCD"]:
    protocol = getattr(bbc, name)
    search = protocol(KNeighborsClassifier(), grid, scoring="accuracy", cv=10, random_state=1)
    started = time.perf_counter()
    search.fit(X_tune, y_tune)
    estimates[name] = search.performance_
    print(
        f"{name:<10}{search.n_models_trained_:>6}{search.score(X_new, y_new):>14.3f}"
        f"{search.performance_.estimate:>10.3f}"
    )

# %%
# The cross is the winner's own score. Only the three bootstrapped protocols have an interval.

display = bbc.plots.ForestDisplay.from_estimates(estimates)
display.ax_.axvline(search.score(X_new, y_new), color="black", linewidth=1, linestyle=":")
plt.show()
