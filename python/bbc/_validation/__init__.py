"""Array-likes -> canonical arrays, or one clear error. Inside, arrays are unchecked."""

from ._design import resamples
from ._options import (
    choice,
    confidence_level,
    enough_replicates,
    flag,
    integer,
    n_bootstraps,
    n_threads,
    names,
    seed,
)
from ._problem import Problem, problem
from ._stream import block, without_predictions
from ._truth import Needs, Truth

__all__ = [
    "Needs",
    "Problem",
    "Truth",
    "block",
    "choice",
    "confidence_level",
    "enough_replicates",
    "flag",
    "integer",
    "n_bootstraps",
    "n_threads",
    "names",
    "problem",
    "resamples",
    "seed",
    "without_predictions",
]
