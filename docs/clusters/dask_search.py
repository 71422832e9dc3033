"""One search on a Dask cluster."""

import joblib
from dask.distributed import Client
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier

import bbc

if __name__ == "__main__":  # the workers of a local cluster import this file
    X, y = load_wine(return_X_y=True)
    grid = {"n_neighbors": [1, 3, 5, 9, 15, 25]}
    search = bbc.BBC(KNeighborsClassifier(), grid, cv=10, random_state=1)
    with Client(n_workers=2), joblib.parallel_config("dask"):
        search.fit(X, y)
    print(search.performance_)
