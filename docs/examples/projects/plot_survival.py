"""
Survival after a diagnosis
==========================

228 patients with advanced lung cancer were followed for up to three years. How well can their survival be
predicted from what was known at the start, and do the risks at one year mean what they say?

The data are those of Loprinzi et al. (Journal of Clinical Oncology 12, 1994), as R's package survival has
them (``lung``): age, sex, scores of the patient's condition by physician and patient, and what was eaten.
"""

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from sklearn.base import BaseEstimator
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import bbc

patients = pd.read_csv("../../../benches/definitions/lung.csv")
X = patients.drop(columns=["time", "event"])
y = patients[["event", "time"]].astype({"event": bool}).to_records(index=False)
print(f"{len(y)} patients, {y['event'].sum()} deaths")

# %%
# A learner gives a risk by ``predict`` and a function of time for each patient by
# ``predict_survival_function``, as those of scikit-survival do. Weibull regression with a ridge penalty is
# short enough to be written here:


class Weibull(BaseEstimator):
    """S(t) = exp(-exp(a + x b) t^k), with a ridge penalty on b."""

    def __init__(self, penalty=1.0):
        self.penalty = penalty

    def fit(self, X, y):
        event, log_time = y["event"], np.log(y["time"] / 365)

        def loss(w):
            shape, b = np.exp(w[1]), w[2:]
            log_hazard = w[0] + X @ b + shape * log_time
            hazard = np.exp(log_hazard)
            left = hazard - event
            by_shape = left @ log_time * shape - event.sum()
            value = hazard.sum() - (log_hazard + w[1])[event].sum()
            return value + self.penalty / 2 * b @ b, np.concatenate(
                [[left.sum(), by_shape], X.T @ left + self.penalty * b]
            )

        start = np.zeros(2 + X.shape[1])
        self.weights_ = minimize(loss, start, jac=True, method="BFGS").x
        return self

    def predict(self, X):
        return self.weights_[0] + X @ self.weights_[2:]

    def predict_survival_function(self, X):
        shape = np.exp(self.weights_[1])
        return [
            lambda t, risk=risk: np.exp(-np.exp(risk) * (t / 365) ** shape)
            for risk in self.predict(X)
        ]


learner = make_pipeline(
    SimpleImputer(strategy="median"),
    StandardScaler(),
    PolynomialFeatures(include_bias=False),
    Weibull(),
)
grid = {
    "polynomialfeatures__degree": [1, 2],
    "weibull__penalty": [0.1, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0],
}

# %%
# Uno's concordance tunes; the integrated Brier score and the AUC at half a year and one year describe
# the same winner. Each model is asked once for risks and survival. Rows are in order of hospital, and shuffled
# into folds.

scoring = {
    "concordance": bbc.metrics.uno_concordance(tau=730),
    "integrated Brier": bbc.metrics.integrated_brier_score([182, 365, 730]),
    "AUC, half a year": bbc.metrics.cumulative_dynamic_auc(182),
    "AUC, one year": bbc.metrics.cumulative_dynamic_auc(365),
}
search = bbc.BBC(
    learner,
    grid,
    scoring=scoring,
    refit="concordance",
    cv=KFold(5, shuffle=True, random_state=0),
    random_state=0,
)
search = search.fit(X, y)
print(search.performance_.summary())

# %%
# Do the risks mean what they say? The calibration at one year, on the draws and winners of the search:

calibration = search.performance_.survival_calibration(365)
print(calibration.summary())
calibration.plot()

# %%
# The page to publish has the calibration at each time of the metrics:

# sphinx_gallery_capture_repr_block = ("_repr_html_",)
bbc.report(search, kind="clinical")
