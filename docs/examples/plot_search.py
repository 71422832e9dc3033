"""
Correcting a GridSearchCV
=========================

Correct an existing search from its fold scores, or from its predictions.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bbc

X, y = load_breast_cancer(return_X_y=True)
rows = np.random.default_rng(1).choice(len(y), 120, replace=False)
X, y = X[rows], y[rows]
pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
grid = {"logisticregression__C": np.logspace(-4, 3, 15).tolist()}
search = GridSearchCV(pipeline, grid, scoring="accuracy", cv=10)

# %%
# A fitted search stores its fold scores. ``correct`` bootstraps the folds (BBC-F) without
# training any model. The truth tells how much longer the interval is because stratified folds hide that
# the shares of the classes are those of a sample:

search.fit(X, y)
by_fold = bbc.correct(search, y=y, random_state=1)
print(by_fold)

# %%
# ``keep_predictions`` makes the same search keep its predictions, so that rows can be resampled:

kept = bbc.keep_predictions(search).fit(X, y)
by_row = bbc.correct(kept, random_state=1)
print(by_row)

# %%
# Side by side. There are only ten folds to draw from, so the interval of BBC-F is rougher.

bbc.plots.forest({"folds drawn (BBC-F)": by_fold, "rows drawn (BBC)": by_row})
plt.show()
