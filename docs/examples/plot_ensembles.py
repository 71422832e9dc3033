"""
Ensembles
=========

Is an ensemble better than the best configuration, or does it only look better?

Sixty-four trees on two random columns each predict 120 tumours. The best tree,
the average of the ten best and a greedy ensemble are selected anew in every
replicate, and scored on the same out-of-bag rows.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import bbc

X, y = load_breast_cancer(return_X_y=True)
rng = np.random.default_rng(0)
rows = rng.choice(len(y), 120, replace=False)
X, y = X[rows], y[rows]
probabilities = np.column_stack(
    [
        cross_val_predict(
            DecisionTreeClassifier(max_depth=2, random_state=0),
            X[:, rng.choice(X.shape[1], 2, replace=False)],
            y,
            cv=5,
            method="predict_proba",
        )[:, 1]
        for _ in range(64)
    ]
)

rules = {
    "the best tree": "best",
    "ten best, averaged": bbc.top_k(10),
    "greedy ensemble": bbc.greedy_ensemble(25),
}
estimates = {
    name: bbc.correct(
        y, probabilities, metric="brier_score", selection=rule, random_state=1
    )
    for name, rule in rules.items()
}

fig, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
for place, estimate in enumerate(estimates.values()):
    low, high = estimate.confidence_interval
    ax.plot([low, high], [place, place], color="C0", linewidth=2)
    ax.plot(
        estimate.estimate,
        place,
        "o",
        color="C0",
        label="corrected, 95 % interval",
    )
    ax.plot(estimate.apparent, place, "D", color="C1", label="apparent")
ax.set_yticks(range(len(estimates)), estimates)
ax.invert_yaxis()
ax.set_xlabel("Brier score (lower is better)")
ax.margins(y=0.2)
fig.legend(
    *(each[:2] for each in ax.get_legend_handles_labels()),
    loc="outside upper center",
    ncols=2,
)
