"""Predictions of other tools: searches as out-of-sample predictions."""

from .._docstrings import show_names
from ._early_stopping import EarlyStopping
from ._keep import KeptSearch, keep_predictions
from ._optuna import OptunaObjective

__all__ = [
    "EarlyStopping",
    "KeptSearch",
    "OptunaObjective",
    "keep_predictions",
]
show_names(vars())
