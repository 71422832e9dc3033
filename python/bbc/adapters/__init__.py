"""Predictions of other tools: tables, searches and AutoML as out-of-sample predictions."""

from ._collection import from_mljar, from_predictions
from ._flaml import FLAMLMetric
from ._keep import KeptSearch, keep_predictions
from ._optuna import OptunaObjective
from ._tables import from_long, from_wide

__all__ = [
    "FLAMLMetric",
    "KeptSearch",
    "OptunaObjective",
    "from_long",
    "from_mljar",
    "from_predictions",
    "from_wide",
    "keep_predictions",
]
