"""The same search on a Ray cluster."""

import joblib
from ray.util.joblib import register_ray
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier

import bbc

register_ray()
X, y = load_wine(return_X_y=True)
grid = {"n_neighbors": [1, 3, 5, 9, 15, 25]}
search = bbc.BBC(KNeighborsClassifier(), grid, cv=10, random_state=1)
with joblib.parallel_config("ray", n_jobs=-1):
    search.fit(X, y)
print(search.performance_)
