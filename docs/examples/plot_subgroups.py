"""
One model, several kinds of rows
================================

The performance of the tuned model in subgroups, and what it may not be compared with.

A single configuration will serve all patients. It is selected on all of them, and its out-of-bag
rows are scored by tercile of tumour texture.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bbc

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:250, :5], y[:250]
search = bbc.BBC(
    make_pipeline(StandardScaler(), SVC()),
    {"svc__C": [0.1, 1.0, 10.0, 100.0], "svc__gamma": [0.001, 0.01, 0.1]},
    scoring="accuracy",
    cv=10,
    random_state=1,
).fit(X, y)

texture = np.digitize(X[:, 1], np.quantile(X[:, 1], [1 / 3, 2 / 3]))
found = search.performance_.subgroups(
    np.array(["1 smooth", "2 medium", "3 coarse"])[texture]
)
print(found.summary())

# %%
# The dashed line is the estimate on all rows.

found.plot()
plt.show()
