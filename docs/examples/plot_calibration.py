"""
Calibration and net benefit
===========================

Do the risks of the selected model mean what they say, and do decisions gain by them?

Thirty-nine settings of logistic regression predict 100 tumours. The setting with the
best log loss is selected anew in every replicate; its calibration curve, its net
benefit and its ROC curve are computed on the rows out of bag.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bbc

X, y = load_breast_cancer(return_X_y=True)
rng = np.random.default_rng(1)
rows = rng.choice(len(y), 100, replace=False)
# Ten columns with noise, or the tumours would be too easily told apart.
X, y = (
    X[rows, :10] + 2 * X[:, :10].std(axis=0) * rng.normal(size=(100, 10)),
    1 - y[rows],
)
folds = StratifiedKFold(5, shuffle=True, random_state=0)
risks = np.column_stack(
    [
        cross_val_predict(
            make_pipeline(
                StandardScaler(), LogisticRegression(C=C, max_iter=1000)
            ),
            X[:, columns],
            y,
            cv=folds,
            method="predict_proba",
        )[:, 1]
        for C in np.geomspace(1e-3, 1e3, 13)
        for columns in (slice(0, 3), slice(0, 5), slice(0, 10))
    ]
)

c = bbc.correct(y, risks, metric="log_loss", random_state=1)
calibration, roc = c.calibration(), c.roc_curve()
print(calibration.summary())
print(roc.sensitivity_at(specificity=0.9))

# %%
# The apparent calibration curve is that of the setting that looked best on these rows.

calibration.plot()

# %%
# Net benefit against treating all and none.

c.decision_curve().plot()

# %%
# Both bands of the ROC curve: at each point, and of whole curves.

roc.plot()
plt.show()
