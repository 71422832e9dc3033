"""
Which learner, and was tuning worth it?
=======================================

Families of configurations of one search, each by its own winner.

The best of many configurations is more optimistic than one that nobody
selected. Each replicate selects within every family and scores all winners on
the same rows.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import bbc

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:250], y[:250]
learners = {
    "default tree": DecisionTreeClassifier(random_state=0),
    "tuned tree": DecisionTreeClassifier(random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "svm": make_pipeline(StandardScaler(), SVC()),
}
grid = {
    "tuned tree": {
        "max_depth": [1, 2, 3, 4, 6],
        "min_samples_leaf": [1, 5, 20],
    },
    "neighbours": {"kneighborsclassifier__n_neighbors": [1, 3, 5, 9, 15, 25]},
    "svm": {
        "svc__C": [0.1, 1.0, 10.0, 100.0],
        "svc__gamma": [0.001, 0.01, 0.1],
    },
}
search = bbc.BBC(
    learners, grid, scoring="accuracy", cv=10, random_state=1, refit=False
)
search.fit(X, y)

# %%
# Replicates draw rows, the same for all learners. The standard error of a
# difference is from the rows' values of both winners, and allows for training
# rows that the ten folds share.

comparison = bbc.compare(
    search,
    by="learner",
    reference="default tree",
    random_state=1,
)
print(comparison.summary())

# %%
# The estimates, beside the apparent scores, and the differences from the
# default under what they show:

comparison.plot()
plt.show()
