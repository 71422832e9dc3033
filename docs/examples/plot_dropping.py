"""
Dropping configurations that cannot win
=======================================

BBCD drops configurations that are unlikely to be best, fold by fold.

The bootstrap that corrects the estimate can also compare configurations before all folds are
done. A configuration that is worse than the current best in more than 99 % of the replicates is
trained no further.
"""

import numpy as np
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

bbc.plots.dropping(search)

# %%
# The correction is then computed on the survivors:

full = 10 * len(search.configurations_) + 1
print(f"models trained  {search.n_models_trained_} instead of {full}")
print(f"speed-up        {search.speed_up_:.1f}")
print(search.performance_)
