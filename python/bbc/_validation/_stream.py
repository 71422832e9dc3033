"""The same checks for predictions that come in blocks: the design once, then each block."""

from typing import Any

import numpy as np

from .._rows import refuse_other_rows
from .._typing import AnyArray
from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ._arrays import at, plain_array
from ._censoring import given_by_row
from ._columns import refuse_other_columns
from ._positive import agreed
from ._predictions import AXES, canonical, check_kind, holes, per_repeat
from ._problem import NONE_LEFT_OUT, Problem, checked_design
from ._truth import truth


def without_predictions(
    y_true: Any,
    metric: Metric,
    *,
    folds: Any,
    groups: Any,
    sample_weight: Any,
    pos_label: Any,
    labels: Any,
    classes: Any = None,
    folds_needed_by: str | Argument = "",
    every_fold_scored: bool = False,
    by_fold: bool = False,
    stratify: Any = False,
) -> Problem:
    """Everything of a problem but its predictions, names and numbers of configurations.

    `by_fold` says which of several predictions a metric reads, as in `problem`: none are kept here.
    """
    design = {"folds": folds, "groups": groups, "sample_weight": sample_weight}
    target = truth(
        y_true, metric, pos_label=agreed(metric, pos_label), labels=labels, classes=classes
    )
    refuse_other_rows(y_true=y_true, **design, **given_by_row(metric))
    if folds is None and folds_needed_by:
        raise InvalidValueError("folds", "is needed by {}", folds_needed_by)
    n_repeats = 1
    if folds is not None:
        design["folds"] = array = plain_array(folds, "folds")
        n_repeats = len(array) if array.ndim > 1 else 1
    n_rows = len(target.values)
    return Problem(
        **checked_design(target, metric, design, stratify, every_fold_scored, n_repeats, n_rows),
        predictions=(),
        label_values=target.integer_labels,
        seen=None,
        names=None,
        n_rows_given=n_rows,
        n_configurations_given=0,
        n_repeats=0,
        left_out_rows=NONE_LEFT_OUT,
        left_out_configurations=NONE_LEFT_OUT,
        kept_configurations=None,
    )


def block(
    predictions: Any, problem: Problem, metric: Metric, y_true: Any, *, listed: bool
) -> list[AnyArray]:
    """One block of configurations in canonical form, one array per repeat.

    `y_true` is what the caller passed; `listed` says that the caller names the configurations.
    """
    arrays, columns = per_repeat(predictions)
    if columns is not None:
        refuse_other_columns(y_true, problem.truth, metric, columns, arrays, listed=listed)
    n_rows = problem.n_rows_given
    if len(arrays[0]) != n_rows:
        raise InvalidValueError("y_true", f"has {n_rows} rows, predictions have {len(arrays[0])}")
    if problem.folds is not None and len(problem.folds) != len(arrays):
        raise InvalidValueError(
            "folds", f"has {len(problem.folds)} repeats, predictions have {len(arrays)}"
        )
    check_kind(arrays, metric, problem.truth)
    gone = holes(arrays, None)
    if gone is not None:
        raise InvalidValueError(
            "predictions",
            "are missing",
            code="missing",
            **at(np.stack(gone), AXES),
            hint="a stream takes complete predictions",
        )
    arrays, label_values = canonical(arrays, None, metric, problem.truth)
    ours = problem.label_values
    if label_values is not None and ours is not None and not np.array_equal(label_values, ours):
        # Codes of labels that came as objects, as the integers that other blocks use.
        arrays = [ours[codes] for codes in arrays]
    return arrays
