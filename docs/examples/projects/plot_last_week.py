"""
Last week's search
==================

A search has finished, and what is left of it is a table of scores. What can still be said?
"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bbc

# %%
# Last week somebody tuned support vector machines on 150 tumours, by accuracy, and kept this file:

file = Path(tempfile.mkdtemp()) / "cv_results.csv"
X, y = load_breast_cancer(return_X_y=True)
rows = np.random.default_rng(2).choice(len(y), 150, replace=False)
C = [0.01, 0.1, 1.0, 10.0, 100.0]
gamma = [0.001, 0.01, 0.03, 0.1, 0.3, 1.0]
search = GridSearchCV(
    make_pipeline(StandardScaler(), SVC()),
    [
        {"svc__kernel": ["linear"], "svc__C": C},
        {"svc__kernel": ["rbf"], "svc__C": C, "svc__gamma": gamma},
    ],
    scoring=["accuracy", "roc_auc"],
    refit="accuracy",
    cv=10,
)
search = search.fit(X[rows, :5], 1 - y[rows])
pd.DataFrame(search.cv_results_).to_csv(file, index=False)
del search, X, y

# %%
# Today there is the file. Its best accuracy is that of a selected configuration, and so is its best AUC:

table = pd.read_csv(file)
print(table[["mean_test_accuracy", "mean_test_roc_auc"]].max())

# %%
# The table has the scores of ten folds. Folds are drawn instead of rows, each metric selects its own winner,
# and nothing is trained:

accuracy = bbc.correct(file, metric="accuracy", random_state=0)
auc = bbc.correct(file, metric="roc_auc", random_state=0)
print(accuracy)
print(auc)

# %%
# Were 35 configurations too many? The apparent accuracy can only rise with their number:

path = accuracy.tuning_path()
path.plot()

# %%
# Is the radial kernel better than the linear one, or only tried more often?

kernels = accuracy.compare(table["param_svc__kernel"])
print(kernels.summary())

# %%
# Whatever needs the patients themselves, such as calibration, is refused: scores are not enough.

try:
    accuracy.calibration()
except TypeError as error:
    print(error)

# %%
# The page to publish:

# sphinx_gallery_capture_repr_block = ("_repr_html_",)
bbc.report(
    {
        "Accuracy": accuracy,
        "AUC": auc,
        "Linear and radial kernels": kernels,
        "Length of the search": path,
    }
)
