"""
The error of one learner, by several methods
============================================

Hold-out, cross-validation, bootstrap and .632+ for a learner without tuning.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import bbc

X, y = load_breast_cancer(return_X_y=True)
rows = np.random.default_rng(3).choice(len(y), 100, replace=False)
X, y = X[rows], y[rows]
tree = DecisionTreeClassifier()

errors = {}
for method in [
    "holdout",
    "cv",
    "loo",
    "subsampling",
    "oob",
    "632",
    "632+",
    "bcv",
]:
    errors[method] = bbc.baselines.resampling_error(
        tree,
        X,
        y,
        method=method,
        metric="zero_one_loss",
        n_resamples=50,
        random_state=0,
    )
    values = errors[method].replicates
    mean_of = "" if values is None else f"  (mean of {len(values)})"
    print(f"{method:<12}{errors[method].estimate:.3f}{mean_of}")

# %%
# "632" and "632+" are made of all samples together, and have no values of single samples.
# A fully grown tree has no training error, so the .632 estimate is 0.632 times the leave-one-out bootstrap
# error. The .632+ estimate detects such overfitting and gives the out-of-bag error more weight.

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
ax.barh(
    list(errors), [error.estimate for error in errors.values()], color="#1b5e8a"
)
ax.invert_yaxis()
ax.set_xlabel("zero_one_loss of a decision tree, 100 rows")
ax.spines[["top", "right"]].set_visible(False)

# %%
# An interval for subsampling, by the corrected resampled t-test:

result = bbc.baselines.resampling_error(
    tree,
    X,
    y,
    method="subsampling",
    metric="zero_one_loss",
    n_resamples=50,
    interval="corrected-resampled-t",
    random_state=0,
)
print(result)
