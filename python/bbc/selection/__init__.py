"""Selection rules: from scores, or predictions, to what is chosen."""

from ._derived import best_threshold, get, greedy_ensemble, top_k
from ._rules import BEST, Selection, one_standard_error, standard_error
from ._rungs import Rungs

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
