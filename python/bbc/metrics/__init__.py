"""Metrics: named ones, scikit-learn's scorers, and your own.

A metric that the truth leaves undefined (AUC of one class, R2 of constant values) has no value:
such replicates are drawn again and counted. A metric that only one configuration's predictions
leave undefined (precision without a positive call, a correlation of constant predictions) is 0,
as scikit-learn's `zero_division` has it.

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
