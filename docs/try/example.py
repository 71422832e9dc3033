"""The page's example, docs/try/example.csv: 23 configurations, 80 rows, 5 folds.

Real predictions of malignant or benign, from four weak features of a sample of scikit-learn's
breast cancer data.
"""

import csv
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

N_ROWS = 80
FEATURES = ("texture error", "smoothness error", "symmetry error", "mean fractal dimension")


def configurations() -> dict[str, Any]:
    """Learners with fixed parameters."""
    found: dict[str, Any] = {}
    for c in (0.01, 0.1, 1, 10, 100):
        found[f"logistic C={c:g}"] = LogisticRegression(C=c)
    for k in (1, 3, 5, 9, 15, 25):
        found[f"neighbours k={k}"] = KNeighborsClassifier(k)
    for c in (0.1, 1, 10):
        for gamma in (0.01, 0.1, 1):
            svc = SVC(C=c, gamma=gamma, probability=True, random_state=0)
            found[f"svm C={c:g} gamma={gamma:g}"] = svc
    for rows in (1, 5, 20):
        forest = RandomForestClassifier(200, min_samples_leaf=rows, random_state=0)
        found[f"forest leaf={rows}"] = forest
    return found


def main() -> None:
    """Train, predict, write."""
    data = load_breast_cancer()
    rows = np.random.default_rng(0).choice(len(data.target), N_ROWS, replace=False)
    columns = [list(data.feature_names).index(name) for name in FEATURES]
    features, y = data.data[np.ix_(rows, columns)], data.target[rows]
    folds = np.zeros(N_ROWS, int)
    splitter = StratifiedKFold(5, shuffle=True, random_state=0)
    for fold, (_, test) in enumerate(splitter.split(features, y), start=1):
        folds[test] = fold
    split = PredefinedSplit(folds)
    models = configurations()
    predicted = [
        cross_val_predict(
            make_pipeline(StandardScaler(), model), features, y, cv=split, method="predict_proba"
        )[:, 0]  # scikit-learn's class 0 is malignant
        for model in models.values()
    ]
    path = Path(__file__).with_name("example.csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["tumour", "fold", *models])
        for row in range(N_ROWS):
            scores = [f"{column[row]:.3f}" for column in predicted]
            writer.writerow([("malignant", "benign")[y[row]], folds[row], *scores])


if __name__ == "__main__":
    main()
