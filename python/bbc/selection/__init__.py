"""Selection rules: from scores, or predictions, to what is chosen."""

from .._docstrings import show_names
from ._rules import (
    BEST,
    Rungs,
    Selection,
    best_threshold,
    get,
    greedy_ensemble,
    one_standard_error,
    standard_error,
    top_k,
)

__all__ = [
    "BEST",
    "Rungs",
    "Selection",
    "best_threshold",
    "get",
    "greedy_ensemble",
    "one_standard_error",
    "standard_error",
    "top_k",
]
show_names(vars())
