"""Everything about the data of one correction, validated once and canonical from then on."""

from typing import Any

import numpy as np

from .._frozen import frozen
from .._typing import AnyArray, BoolArray, CodeArray, FloatArray, IndexArray
from . import _design, _options
from ._arrays import first_true, place_text, refuse_other_order
from ._columns import refuse_complements, refuse_other_columns
from ._mistakes import refuse_swapped, transposed
from ._predictions import WORDS, canonical, check_kind, holes, per_repeat
from ._truth import Needs, Truth, check_classes, truth, truth_name

NONE_LEFT_OUT: IndexArray = np.empty(0, np.int64)
NONE_LEFT_OUT.flags.writeable = False  # results share it


@frozen(eq=False)
class Problem:
    """Canonical arrays; rows and configurations that were left out are gone from them.

    Attributes
    ----------
    truth : Truth
        The truth of the rows that stay.
    predictions : tuple of ndarray
        One array per repeat, of shape (n_rows, n_configurations[, n_classes]), any strides.
    label_values : ndarray of int64 or None
        For label predictions: the integer that stands for each code. Membership of integers
        other than these is checked by the kernel while it packs.
    seen : ndarray of bool of shape (n_repeats, n_rows), or None
        Which rows each repeat predicted; None if all did. Predictions of the others are some valid
        ones, not to be read.
    folds : ndarray of int32 of shape (n_repeats, n_rows), or None
        Codes in order of first row, -1 where the repeat did not predict the row.
    fold_labels : tuple of ndarray, or None
        Per repeat, the caller's value for each code.
    groups, strata : ndarray of int32 of shape (n_rows,), or None
        Codes in order of first row.
    sample_weight : ndarray of float64 of shape (n_rows,), or None
        Weights.
    names : tuple of str or None
        Names of all configurations, those left out included.
    n_rows_given, n_configurations_given : int
        Sizes before anything was left out.
    n_repeats : int
        Number of partitions.
    left_out_rows, left_out_configurations : ndarray of int64
        What was left out.
    kept_configurations : ndarray of int64 or None
        The caller's index of each configuration that stays; None if all do.
    """

    truth: Truth
    predictions: tuple[AnyArray, ...]
    label_values: IndexArray | None
    seen: BoolArray | None
    folds: CodeArray | None
    fold_labels: tuple[AnyArray, ...] | None
    groups: CodeArray | None
    strata: CodeArray | None
    sample_weight: FloatArray | None
    names: tuple[str, ...] | None
    n_rows_given: int
    n_configurations_given: int
    n_repeats: int
    left_out_rows: IndexArray
    left_out_configurations: IndexArray
    kept_configurations: IndexArray | None

    @property
    def n_rows(self) -> int:
        """Rows that stay."""
        return len(self.truth.values)

    @property
    def n_configurations(self) -> int:
        """Configurations that stay."""
        return int(self.predictions[0].shape[1])

    def parts(self, pooling: str) -> CodeArray | None:
        """The parts of each repeat over which a score is a mean: folds, or all rows seen.

        None stands for all rows together.
        """
        if pooling == "fold":
            return self.folds
        return None if self.seen is None else self.seen.astype(np.int32) - 1


def problem(
    y_true: Any,
    predictions: Any,
    metric: Needs,
    *,
    folds: Any = None,
    folds_needed_by: str = "",
    every_fold_scored: bool = False,
    groups: Any = None,
    stratify: Any = False,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    missing: Any = "raise",
    names: Any = None,
    mask: BoolArray | None = None,
) -> Problem:
    """Validate data for a metric.

    `folds_needed_by` is the argument that makes folds necessary, for the message;
    `every_fold_scored` says that each fold's own score is used, so that none may be undefined.
    """
    _options.choice(missing, "missing", ("raise", "drop-rows", "drop-configurations"))
    if metric.target != "survival":
        refuse_swapped(y_true, truth_name(), predictions)
    arrays, columns = per_repeat(predictions)
    n_rows, n_configurations = arrays[0].shape[:2]
    given = truth(y_true, metric, pos_label=pos_label, labels=labels)
    design = {"folds": folds, "groups": groups, "sample_weight": sample_weight}
    refuse_other_order(y_true, given.name, predictions=predictions, **design)
    if columns is not None:
        refuse_other_columns(y_true, given, columns, arrays, listed=names is not None)
    if names is None:
        refuse_complements(arrays)
    if len(given.values) != n_rows:
        raise ValueError(
            f"{given.name} has {len(given.values)} rows, predictions have {n_rows}"
            f"{transposed(len(given.values), arrays[0])}"
        )
    check_kind(arrays, metric, given)
    if folds is None and folds_needed_by:
        raise ValueError(f"folds is needed by {folds_needed_by}")
    gone = holes(arrays, mask)
    arrays, label_values = canonical(arrays, gone, metric, given)
    rows = configurations = seen = None
    if gone is not None:
        rows, configurations, seen = _kept(gone, str(missing), declared=mask is not None)
        arrays = [_taken(array, rows, configurations) for array in arrays]
    if seen is not None:
        arrays = [_filled(array, own) for array, own in zip(arrays, seen, strict=True)]
    if rows is not None:
        given = given.take(rows)
    check_classes(given, metric)
    grouped = None if groups is None else _design.groups(groups, n_rows, rows)
    folded = None if folds is None else _design.folds(folds, len(arrays), n_rows, rows, seen)
    if folded is not None and every_fold_scored:
        _design.check_fold_classes(*folded, given, metric)
    stratified = _options.flag(stratify, "stratify_bootstrap")
    return Problem(
        truth=given,
        predictions=tuple(arrays),
        label_values=label_values,
        seen=seen,
        folds=None if folded is None else folded[0],
        fold_labels=None if folded is None else folded[1],
        groups=None if grouped is None else grouped[0],
        strata=_design.strata(given, grouped) if stratified else None,
        sample_weight=(
            None if sample_weight is None else _design.sample_weight(sample_weight, n_rows, rows)
        ),
        names=_options.names(columns if names is None else names, n_configurations),
        n_rows_given=n_rows,
        n_configurations_given=n_configurations,
        n_repeats=len(arrays),
        left_out_rows=_others(rows, n_rows),
        left_out_configurations=_others(configurations, n_configurations),
        kept_configurations=configurations,
    )


def _kept(
    gone: list[BoolArray], missing: str, *, declared: bool
) -> tuple[IndexArray | None, IndexArray | None, BoolArray | None]:
    """Rows and configurations that stay, and which rows each repeat predicted; None for all.

    Where it is `declared`, by a mask, a repeat may leave out rows that others predicted.
    """
    seen: BoolArray = ~np.stack([np.all(one, axis=1) for one in gone])
    predicted: BoolArray = np.any(seen, axis=0)
    if not predicted.any():
        raise ValueError("predictions are missing in every row")
    if not declared:
        seen = np.broadcast_to(predicted, seen.shape)
    partial = np.stack(gone) & seen[:, :, None]
    configurations = None
    if partial.any():
        if missing == "raise":
            raise ValueError(_hole_text(partial))
        if missing == "drop-rows":
            predicted = predicted & ~np.any(partial, axis=(0, 2))
            if not predicted.any():
                raise ValueError('missing="drop-rows" leaves no rows')
        else:
            configurations = np.flatnonzero(~partial.any(axis=(0, 1)))
            if configurations.size == 0:
                raise ValueError('missing="drop-configurations" leaves no configurations')
    seen = seen[:, predicted]
    empty = np.flatnonzero(~seen.any(axis=1))
    if empty.size:
        raise ValueError(f"predictions are missing in every row of repeat {empty[0]}")
    rows = None if predicted.all() else np.flatnonzero(predicted)
    return rows, configurations, None if seen.all() else seen


def _filled(array: AnyArray, seen: BoolArray) -> AnyArray:
    """Rows that a repeat did not predict hold the predictions of one that it did."""
    if seen.all():
        return array
    filled = array.copy()
    filled[~seen] = array[int(np.argmax(seen))]
    return filled


def _hole_text(partial: BoolArray) -> str:
    place, count = first_true(partial)
    return (
        f"predictions are missing at {place_text(place, WORDS, count)}, though other predictions "
        "of that row are there: leave out such configurations or rows, as bbc.correct does with "
        'missing="drop-configurations" or "drop-rows"'
    )


def _taken(array: AnyArray, rows: IndexArray | None, configurations: IndexArray | None) -> AnyArray:
    if rows is not None:
        array = array[rows]
    return array if configurations is None else array[:, configurations]


def _others(kept: IndexArray | None, count: int) -> IndexArray:
    if kept is None:
        return NONE_LEFT_OUT
    out = np.ones(count, np.bool_)
    out[kept] = False
    return np.flatnonzero(out)
