"""Predictions of FLAML, which keeps none itself: a custom metric is shown them all."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from .._frozen import as_array, read_only
from .._typing import AnyArray
from ..predictions import OutOfSamplePredictions

__all__ = ["FLAMLMetric"]


class FLAMLMetric:
    """A metric for FLAML's ``AutoML.fit(metric=...)`` that keeps the predictions it scores.

    With ``eval_method="cv"`` FLAML calls it for every fold of every configuration. The inputs must
    be a data frame, whose index identifies the rows. Configurations whose folds FLAML did not
    finish have missing predictions: use ``missing="drop-configurations"``. FLAML proposes
    configurations given earlier scores, which the theory of the correction does not cover: results
    carry finding BBC007.

    Parameters
    ----------
    loss : callable
        ``loss(y, prediction) -> float``, lower is better. Classifiers are scored by their class
        probabilities, those of the second class if there are two.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.dummy import DummyRegressor
    >>> import bbc
    >>> metric = bbc.adapters.FLAMLMetric(lambda y, p: float(np.mean((y - p) ** 2)))
    >>> X, y = pd.DataFrame({"x": [1.0, 2.0]}), pd.Series([3.0, 5.0])
    >>> for rows in ([0], [1]):  # what FLAML does
    ...     model = DummyRegressor(strategy="constant", constant=4.0).fit(X, y)
    ...     loss, log = metric(X.iloc[rows], y.iloc[rows], model, None, X, y, config={"c": 1})
    >>> metric.oos_predictions().values.tolist()
    [[[4.0], [4.0]]]
    """

    def __init__(self, loss: Callable[[AnyArray, AnyArray], float]) -> None:
        self.loss = loss
        self._predictions: dict[str, dict[Any, Any]] = {}
        self._truth: dict[Any, Any] = {}

    def __call__(
        self,
        X_val: Any,
        y_val: Any,
        estimator: Any,
        labels: Any,
        X_train: Any,
        y_train: Any,
        weight_val: Any = None,
        weight_train: Any = None,
        config: Any = None,
        *more: Any,
    ) -> tuple[float, dict[str, float]]:
        if not hasattr(X_val, "index"):
            raise TypeError("FLAMLMetric needs a data frame, whose index identifies the rows")
        predicted = _predicted(estimator, X_val)
        truth = as_array(y_val)
        rows = X_val.index.tolist()
        by_row = self._predictions.setdefault(_name(estimator, config), {})
        by_row.update(zip(rows, predicted, strict=True))
        self._truth.update(zip(rows, truth.tolist(), strict=True))
        loss = float(self.loss(truth, predicted))
        return loss, {"val_loss": loss}

    def oos_predictions(self) -> OutOfSamplePredictions:
        """Return the predictions kept so far.

        Returns
        -------
        OutOfSamplePredictions
            The rows in the order of FLAML's index.
        """
        if not self._predictions:
            raise ValueError("no predictions yet: FLAML calls this metric while it fits")
        rows = sorted(self._truth)
        models = list(self._predictions.values())
        missing = np.full(np.shape(next(iter(models[0].values()))), np.nan)
        values = [[by_row.get(row, missing) for by_row in models] for row in rows]
        return OutOfSamplePredictions(
            y=np.array([self._truth[row] for row in rows]),
            scores=read_only(np.array(values, dtype=np.float64)[None]),
            names=tuple(self._predictions),
            dynamic_search=True,
        )


def _predicted(estimator: Any, X: Any) -> AnyArray:
    if not hasattr(estimator, "predict_proba"):
        return np.array(estimator.predict(X))
    by_class = np.array(estimator.predict_proba(X))
    return by_class[:, 1] if by_class.shape[1] == 2 else by_class


def _name(estimator: Any, config: Any) -> str:
    learner = type(estimator).__name__
    return f"{learner} {json.dumps(config, sort_keys=True, default=str)}"
