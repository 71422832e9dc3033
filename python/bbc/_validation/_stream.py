"""The same checks for predictions that come in blocks: the design once, then each block."""

from typing import Any

import numpy as np

from .._typing import AnyArray
from . import _design, _options
from ._arrays import first_true, place_text, plain_array, refuse_other_order
from ._columns import refuse_other_columns
from ._predictions import WORDS, canonical, check_kind, holes, per_repeat
from ._problem import NONE_LEFT_OUT, Problem
from ._truth import Needs, check_classes, truth


def without_predictions(
    y_true: Any,
    metric: Needs,
    *,
    folds: Any,
    folds_needed_by: str,
    groups: Any,
    stratify: Any,
    sample_weight: Any,
    pos_label: Any,
    labels: Any,
) -> Problem:
    """Everything of a problem but its predictions, names and numbers of configurations."""
    given = truth(y_true, metric, pos_label=pos_label, labels=labels)
    check_classes(given, metric)
    refuse_other_order(y_true, given.name, folds=folds, groups=groups, sample_weight=sample_weight)
    n_rows = len(given.values)
    if folds is None and folds_needed_by:
        raise ValueError(f"folds is needed by {folds_needed_by}")
    folded = None
    if folds is not None:
        array = plain_array(folds, "folds")
        folded = _design.folds(array, 1 if array.ndim == 1 else len(array), n_rows, None)
    grouped = None if groups is None else _design.groups(groups, n_rows, None)
    return Problem(
        truth=given,
        predictions=(),
        label_values=given.integer_labels,
        seen=None,
        folds=None if folded is None else folded[0],
        fold_labels=None if folded is None else folded[1],
        groups=None if grouped is None else grouped[0],
        strata=(
            _design.strata(given, grouped)
            if _options.flag(stratify, "stratify_bootstrap")
            else None
        ),
        sample_weight=(
            None if sample_weight is None else _design.sample_weight(sample_weight, n_rows, None)
        ),
        names=None,
        n_rows_given=n_rows,
        n_configurations_given=0,
        n_repeats=0,
        left_out_rows=NONE_LEFT_OUT,
        left_out_configurations=NONE_LEFT_OUT,
        kept_configurations=None,
    )


def block(
    predictions: Any, problem: Problem, metric: Needs, y_true: Any, *, listed: bool
) -> list[AnyArray]:
    """One block of configurations in canonical form, one array per repeat.

    `y_true` names the rows, where pandas made it; `listed` says that the caller names the
    configurations.
    """
    refuse_other_order(y_true, problem.truth.name, predictions=predictions)
    arrays, columns = per_repeat(predictions)
    if columns is not None:
        refuse_other_columns(y_true, problem.truth, columns, arrays, listed=listed)
    n_rows = problem.n_rows_given
    if len(arrays[0]) != n_rows:
        raise ValueError(
            f"{problem.truth.name} has {n_rows} rows, predictions have {len(arrays[0])}"
        )
    if problem.folds is not None and len(problem.folds) != len(arrays):
        raise ValueError(f"folds has {len(problem.folds)} repeats, predictions have {len(arrays)}")
    check_kind(arrays, metric, problem.truth)
    gone = holes(arrays, None)
    if gone is not None:
        place, count = first_true(np.stack(gone))
        raise ValueError(
            f"predictions are missing at {place_text(place, WORDS, count)}: a stream takes "
            "complete predictions"
        )
    arrays, label_values = canonical(arrays, None, metric, problem.truth)
    ours = problem.label_values
    if label_values is not None and ours is not None and not np.array_equal(label_values, ours):
        # Codes of labels that came as objects, as the integers that other blocks use.
        arrays = [ours[codes] for codes in arrays]
    return arrays
