"""Array-likes -> canonical arrays, or one clear error. Inside, arrays are unchecked."""

from ._arrays import missing_objects, plain_array, refuse_other_order
from ._columns import are_complements, copy_of, design_column, design_name, refuse_complements
from ._design import check_fold_classes, codes_by_first_row, groups, resamples, scored_in_every_fold
from ._options import (
    METHODS,
    IntervalKind,
    Method,
    Options,
    Unit,
    choice,
    confidence_level,
    enough_replicates,
    flag,
    integer,
    n_bootstraps,
    n_threads,
    names,
    options,
    seconds,
    seed,
    share,
    split_arguments,
)
from ._problem import Problem, problem
from ._stream import block, without_predictions
from ._truth import Truth, shown

__all__ = [
    "METHODS",
    "IntervalKind",
    "Method",
    "Options",
    "Problem",
    "Truth",
    "Unit",
    "are_complements",
    "block",
    "check_fold_classes",
    "choice",
    "codes_by_first_row",
    "confidence_level",
    "copy_of",
    "design_column",
    "design_name",
    "enough_replicates",
    "flag",
    "groups",
    "integer",
    "missing_objects",
    "n_bootstraps",
    "n_threads",
    "names",
    "options",
    "plain_array",
    "problem",
    "refuse_complements",
    "refuse_other_order",
    "resamples",
    "scored_in_every_fold",
    "seconds",
    "seed",
    "share",
    "shown",
    "split_arguments",
    "without_predictions",
]
