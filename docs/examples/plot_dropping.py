"""
Dropping configurations that cannot win
=======================================

BBCD stops training what is hardly ever best, fold by fold.

The bootstrap that corrects the estimate can also compare configurations before all folds are
done. A configuration that is worse than the current best in more than 99 % of the replicates is
trained no further.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bbc

X, y = load_breast_cancer(return_X_y=True)
grid = {
    "svc__C": np.logspace(-2, 3, 6).tolist(),
    "svc__gamma": np.logspace(-4, 1, 6).tolist(),
}
search = bbc.BBCD(
    make_pipeline(StandardScaler(), SVC()),
    grid,
    scoring="accuracy",
    cv=10,
    random_state=1,
).fit(X, y)

n_configurations, n_folds = len(search.configurations_), 10
# dropped_ is the fold after which a configuration stopped, or -1.
last = np.where(search.dropped_ < 0, n_folds - 1, search.dropped_)
trained = [(last >= fold).sum() for fold in range(n_folds)]

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
ax.bar(range(1, n_folds + 1), trained, color="#1b5e8a")
ax.set_xticks(range(1, n_folds + 1))
ax.set_xlabel("fold")
ax.set_ylabel("configurations trained")
ax.spines[["top", "right"]].set_visible(False)

# %%
# The correction then runs on the survivors:

print(
    f"models trained  {search.n_models_trained_} instead of {n_configurations * n_folds + 1}"
)
print(f"speed-up        {search.speed_up_:.1f}")
print(search.performance_)
