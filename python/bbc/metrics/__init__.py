"""Metrics: named ones, scikit-learn's scorers, and your own.

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
