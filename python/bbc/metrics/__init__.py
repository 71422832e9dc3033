"""Metrics: by name, from scikit-learn's scorers, and from Python functions.

Replicates for whose truth a metric is undefined (the AUC of one class, R2 of constant values) are
redrawn and counted. A metric that is undefined only for a configuration's predictions (precision
without a positive prediction, the correlation of constant predictions) is 0, scikit-learn's default
for `zero_division`.

Examples
--------
>>> import bbc
>>> bbc.metrics.get("roc_auc").predicts
'score'
"""

from .._docstrings import show_names
from ._net_benefit import net_benefit
from ._resolve import MetricInfo, from_callable, from_scorer, get, names, row_loss
from ._spec import Metric
from ._survival import (
    cumulative_dynamic_auc,
    integrated_brier_score,
    survival_brier_score,
    uno_concordance,
)

__all__ = [
    "Metric",
    "MetricInfo",
    "cumulative_dynamic_auc",
    "from_callable",
    "from_scorer",
    "get",
    "integrated_brier_score",
    "names",
    "net_benefit",
    "row_loss",
    "survival_brier_score",
    "uno_concordance",
]
show_names(vars())
