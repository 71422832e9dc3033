"""Array-likes -> canonical arrays, or one clear error. Inside, arrays are unchecked."""

from ._arrays import missing_objects, plain_array, shown
from ._censoring import refuse_given_censoring
from ._columns import are_complements, copy_of, design_column, design_name, refuse_complements
from ._design import (
    check_fold_classes,
    codes_by_first_row,
    groups,
    resamples,
    row_labels,
    scored_in_every_fold,
)
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
    positive,
    seed,
    share,
    split_arguments,
)
from ._positive import place_of_one, positive_class, reads_one_class, takes_one
from ._predictions import predictions_of
from ._problem import Problem, problem
from ._stream import block, without_predictions
from ._truth import ONE_OUTPUT, ONE_OUTPUT_FITTED, Truth, check_classes

__all__ = [
    "METHODS",
    "ONE_OUTPUT",
    "ONE_OUTPUT_FITTED",
    "IntervalKind",
    "Method",
    "Options",
    "Problem",
    "Truth",
    "Unit",
    "are_complements",
    "block",
    "check_classes",
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
    "place_of_one",
    "plain_array",
    "positive",
    "positive_class",
    "predictions_of",
    "problem",
    "reads_one_class",
    "refuse_complements",
    "refuse_given_censoring",
    "resamples",
    "row_labels",
    "scored_in_every_fold",
    "seed",
    "share",
    "shown",
    "split_arguments",
    "takes_one",
    "without_predictions",
]
