"""Columns that are no configuration: those that describe the rows, and those that are the truth."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._typing import AnyArray, BoolArray, IndexArray
from ..errors import InvalidValueError
from ._truth import Truth

# What such a column is called, and the argument that takes it; nothing if none does. R's words are
# the same.
_DESIGN_WORDS = {
    **dict.fromkeys(("fold", "folds"), "folds"),
    **dict.fromkeys(("group", "groups"), "groups"),
    **dict.fromkeys(("weight", "weights", "sample_weight"), "sample_weight"),
    **dict.fromkeys(("id", "row", "row_id", "rowid", "row_index", "rowindex"), ""),
    **dict.fromkeys(("index", "unnamed: 0", "repeat", "repeats"), ""),
}
_TRUTH_WORDS = frozenset(
    ("y", "y_true", "target", "targets", "label", "labels", "truth", "outcome", "outcomes")
)


def design_name(names: Sequence[str]) -> tuple[str, str, str] | None:
    """The first of these names that is no configuration's.

    The name, what is wrong with it, and the argument that takes such a column.
    """
    for name in names:
        word = name.strip().lower()
        if word in _TRUTH_WORDS:
            return name, _problem(name, "be the truth", "by its name"), ""
        if word in _DESIGN_WORDS:
            return name, _problem(name, "describe the rows", "by its name"), _DESIGN_WORDS[word]
    return None


def design_column(
    names: Sequence[str], columns: Sequence[AnyArray] | AnyArray
) -> tuple[str, str, str] | None:
    """The first of these columns that is no configuration by its name, else by its values.

    As `design_name`. `columns` are arrays of shape (n_rows,), or the rows of an array.
    """
    found = design_name(names)
    if found is not None:
        return found
    for name, values in zip(names, columns, strict=True):
        if _counts(values):
            why = f"it numbers them from {values[0]:g} on"
            return name, _problem(name, "describe the rows", why), ""
    return None


def _problem(name: str, what: str, why: str) -> str:
    return f"column {name!r} seems to {what} ({why}), not to be a configuration"


def _counts(values: AnyArray) -> bool:
    """Whether these are 0, 1, 2, ... or 1, 2, 3, ...; two rows prove nothing."""
    if values.dtype.kind not in "iuf" or len(values) < 3 or values[0] not in (0, 1):
        return False
    # The last row decides nearly always, without a look at the others.
    rows: IndexArray = np.arange(len(values))
    return bool(values[-1] == values[0] + rows[-1] and (values == values[0] + rows).all())


def copy_of(
    truth: AnyArray, columns: Sequence[AnyArray] | AnyArray, *, real: bool = False
) -> int | None:
    """Index of the first column that is the truth itself, if the truth is real numbers.

    Labels may be predicted without an error, real numbers may not. They are taken for real if they
    are not all whole or, where the metric reads them as such (`real`), if there are more than two.
    """
    if truth.dtype.kind not in "iuf" or len(truth) == 0:
        return None
    if (truth == np.floor(truth)).all() and not (real and len(np.unique(truth)) > 2):
        return None
    for index, column in enumerate(columns):
        if column.dtype.kind in "iuf" and column[0] == truth[0] and np.array_equal(column, truth):
            return index
    return None


def are_complements(array: AnyArray) -> bool:
    """Whether these are two columns of probabilities, not all 0 or 1, that sum to one by row."""
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind != "f":
        return False
    precision = np.sqrt(np.finfo(array.dtype).eps)
    if abs(array[0].sum() - 1) > precision:  # which is seldom so, and quickly seen
        return False
    there: BoolArray = ~np.isnan(array)
    known = array[there.any(axis=1)]
    return bool(
        np.array_equal(there[:, 0], there[:, 1])
        and ((known >= 0) & (known <= 1)).all()
        and (np.abs(known.sum(axis=1) - 1) <= precision).all()
        and not np.isin(known, (0, 1)).all()
    )


def refuse_complements(arrays: Sequence[AnyArray]) -> None:
    """Refuse the probabilities of one model's two classes in the place of two configurations."""
    if all(are_complements(array) for array in arrays):
        raise InvalidValueError(
            "predictions",
            ": the two columns sum to one in every row, as the probabilities of one model's two "
            "classes do: pass the column of the positive class, or a 3-d array of shape "
            "(n_rows, n_configurations, 2)",
            hint="if they are two configurations, list them in names=",
        )


def refuse_other_columns(
    y_true: Any, truth: Truth, columns: Sequence[str], arrays: Sequence[AnyArray], *, listed: bool
) -> None:
    """Refuse a frame that holds the truth, or whose columns are not all configurations.

    `listed` says that the caller has listed the configurations, which are then as named.
    """
    own = getattr(y_true, "name", None)
    for array in arrays:
        if own is not None and str(own) in columns:
            values = array[:, columns.index(str(own))]
            if np.array_equal(values, np.asarray(y_true)):
                _refuse_truth(str(own))
        same = copy_of(truth.values, array.T, real=truth.real is not None)
        if same is not None:
            _refuse_truth(columns[same])
    found = None if listed else design_column(columns, arrays[0].T)
    if found is not None:
        _, problem, argument = found
        pass_it = f"pass it as {argument}= and drop it" if argument else "drop it"
        raise InvalidValueError(
            "predictions",
            f": {problem}: {pass_it}",
            hint="if it is one, list all configurations in names=",
        )


def _refuse_truth(column: str) -> None:
    raise InvalidValueError(
        "predictions", f"has the column {column!r}, which is the truth itself: drop it"
    )
