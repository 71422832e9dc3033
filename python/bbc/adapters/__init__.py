"""Predictions of other tools: tables, searches and AutoML as out-of-sample predictions."""

from ..streaming import StreamingCorrection
from ._flaml import FLAMLMetric
from ._keep import KeptSearch, keep_predictions
from ._optuna import OptunaObjective

__all__ = [
    "FLAMLMetric",
    "KeptSearch",
    "OptunaObjective",
    "StreamingCorrection",
    "keep_predictions",
]
