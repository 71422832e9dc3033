"""Metrics: named ones, scikit-learn's scorers, and your own.

A metric that is undefined for the truth (AUC of one class, R2 of constant values) has no value:
such replicates are redrawn and counted. A metric that is undefined only for a configuration's
predictions (precision without a positive prediction, a correlation of constant predictions) is 0,
the value of scikit-learn's `zero_division`.

Examples
--------
>>> import bbc
>>> bbc.metrics.get("roc_auc").predicts
'score'
"""

from ._resolve import MetricInfo, from_callable, from_scorer, get, names, row_loss
from ._spec import Metric

__all__ = [
    "Metric",
    "MetricInfo",
    "from_callable",
    "from_scorer",
    "get",
    "names",
    "row_loss",
]
