"""Columns of a table that describe its rows and are no configuration."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._typing import AnyArray, IndexArray

# What such a column is called, and the argument that takes it; nothing if none does.
_DESIGN_WORDS = {
    **dict.fromkeys(("fold", "folds"), "folds"),
    **dict.fromkeys(("group", "groups"), "groups"),
    **dict.fromkeys(("weight", "weights", "sample_weight"), "sample_weight"),
    **dict.fromkeys(("id", "row", "row_id", "rowid", "row_index", "rowindex"), ""),
    **dict.fromkeys(("index", "unnamed: 0", "repeat", "repeats"), ""),
}


def design_column(
    names: Sequence[str], columns: Sequence[AnyArray] | AnyArray
) -> tuple[str, str, str] | None:
    """The first of these columns that is no configuration by its name, else by its values.

    Its name, what is wrong with it, and the argument that takes it. `columns` are arrays of shape
    (n_rows,), or the rows of an array.
    """
    for name in names:
        argument = _DESIGN_WORDS.get(name.strip().lower())
        if argument is not None:
            return name, _problem(name, "by its name"), argument
    for name, values in zip(names, columns, strict=True):
        if _counts(values):
            return name, _problem(name, f"it numbers them from {values[0]:g} on"), ""
    return None


def _problem(name: str, why: str) -> str:
    return f"column {name!r} seems to describe the rows ({why}), not to be a configuration"


def _counts(values: AnyArray) -> bool:
    """Whether these are 0, 1, 2, ... or 1, 2, 3, ...; two rows prove nothing."""
    if values.dtype.kind not in "iuf" or len(values) < 3 or values[0] not in (0, 1):
        return False
    # The last row decides nearly always, without a look at the others.
    rows: IndexArray = np.arange(len(values))
    return bool(values[-1] == values[0] + rows[-1] and (values == values[0] + rows).all())


def refuse_truth_column(y_true: Any, name: str, columns: Sequence[str], array: AnyArray) -> None:
    """Refuse a frame of predictions that holds the truth."""
    own = getattr(y_true, "name", None)
    if own is None or str(own) not in columns:
        return
    if np.array_equal(array[:, columns.index(str(own))], np.asarray(y_true)):
        raise ValueError(f"predictions has the column {own!r}, which is {name} itself: drop it")


def refuse_design_columns(columns: Sequence[str], array: AnyArray) -> None:
    """Refuse a frame whose columns are not all configurations; names= would have listed them."""
    found = design_column(columns, array.T)
    if found is None:
        return
    _, problem, argument = found
    pass_it = f"pass it as {argument}= and drop it" if argument else "drop it"
    raise ValueError(
        f"predictions: {problem}: {pass_it}; if it is one, list all configurations in names="
    )
