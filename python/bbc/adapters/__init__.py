"""Predictions of other tools: searches and streams as out-of-sample predictions."""

from ..streaming import StreamingCorrection
from ._keep import KeptSearch, keep_predictions
from ._optuna import OptunaObjective

__all__ = [
    "KeptSearch",
    "OptunaObjective",
    "StreamingCorrection",
    "keep_predictions",
]
