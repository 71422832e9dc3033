"""Tables of predictions, wide or long, from files and data frames."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from .._frozen import read_only
from .._typing import AnyArray
from .._validation import (
    are_complements,
    copy_of,
    design_column,
    design_name,
    missing_objects,
)
from ..predictions import OutOfSamplePredictions
from ._read import Table, parsed, read

__all__ = ["from_long", "from_wide"]


def from_wide(
    table: Any,
    *,
    truth: str | Sequence[str],
    folds: str | None = None,
    groups: str | None = None,
    sample_weight: str | None = None,
    ignore: Collection[str] = (),
) -> OutOfSamplePredictions:
    """Read a table with one row per row and one column per configuration.

    Parameters
    ----------
    table : path, data frame or mapping of columns
        A CSV, TSV or Parquet file, an open CSV file, or a pandas, polars or pyarrow table. Empty
        cells and ``NA`` are holes. A first column without a name (R's row names) is left out.
    truth : str or (str, str)
        Column of the truth; two columns (event, time) for survival.
    folds, groups, sample_weight : str, optional
        Columns of the folds, the groups and the weights.
    ignore : collection of str, optional
        Columns that are none of this and no configuration either. Refused as configurations, and
        so to be named here or above, are columns that are called like one of these (fold, group,
        weight, id, row, index, y, target, label, truth, outcome, ...), that number the rows, or
        that are a copy of a real-valued truth; and two columns that are the probabilities of one
        model's two classes.

    Returns
    -------
    OutOfSamplePredictions
        The predictions of all other columns, for `bbc.correct`.

    Examples
    --------
    >>> import bbc
    >>> table = {"y": [0, 1, 1, 0], "fold": [1, 1, 2, 2],
    ...          "C=1": [0.2, 0.7, 0.6, 0.4], "C=10": [0.1, 0.9, 0.3, 0.2]}
    >>> predictions = bbc.adapters.from_wide(table, truth="y", folds="fold")
    >>> predictions.names, predictions.n_rows
    (('C=1', 'C=10'), 4)
    """
    if isinstance(ignore, str):
        raise TypeError(f"ignore must be a collection of columns, such as [{ignore!r}]")
    given = read(table)
    truths = _listed(truth)
    design = [name for name in (folds, groups, sample_weight) if name is not None]
    taken = [*truths, *design, *ignore]
    given.require(taken)
    names = [name for name in given.columns if name not in taken]
    if not names:
        raise ValueError(f"{given.source} has no column left that could be a configuration")
    columns = [given.values(name) for name in names]
    y = _truth(given, truths)
    _refuse_design(columns, names, given)
    _refuse_mixed(columns, names, given)
    values = np.stack(columns, axis=1)
    _refuse_truth_and_complements(y, values, names, given)
    return _predictions(
        y,
        values[None],
        folds=None if folds is None else given.codes(folds)[0][None],
        groups=None if groups is None else given.keys(groups),
        sample_weight=None if sample_weight is None else given.values(sample_weight),
        names=names,
    )


def from_long(
    table: Any,
    *,
    truth: str | Sequence[str],
    row: str = "row",
    configuration: str = "configuration",
    prediction: str | Mapping[Any, str] = "prediction",
    folds: str | None = None,
    repeat: str | None = None,
    groups: str | None = None,
    sample_weight: str | None = None,
) -> OutOfSamplePredictions:
    """Read a table with one row per prediction.

    Rows, configurations and repeats are numbered in order of their first mention. Predictions
    that are not in the table are holes.

    Parameters
    ----------
    table : path, data frame or mapping of columns
        As in `from_wide`.
    truth : str or (str, str)
        Column of the truth, the same wherever the row is mentioned; two columns (event, time)
        for survival.
    row, configuration : str
        Columns that say which row was predicted, and by which configuration.
    prediction : str or dict of class to str, default="prediction"
        Column of the prediction; for class scores the column of each class.
    folds, repeat : str, optional
        Columns of the fold in which the row was held out and, with several partitions, of the
        partition.
    groups, sample_weight : str, optional
        Columns of the groups and the weights, constant for each row.

    Returns
    -------
    OutOfSamplePredictions
        The predictions, for `bbc.correct`.

    Examples
    --------
    >>> import bbc
    >>> table = {"row": ["a", "b", "a", "b"], "configuration": ["lin", "lin", "svm", "svm"],
    ...          "y": [0, 1, 0, 1], "prediction": [0.3, 0.6, 0.1, 0.8]}
    >>> predictions = bbc.adapters.from_long(table, truth="y")
    >>> predictions.values.tolist(), predictions.names
    ([[[0.3, 0.1], [0.6, 0.8]]], ('lin', 'svm'))
    """
    given = read(table)
    rows, row_keys = given.codes(row)
    configurations, names = given.codes(configuration)
    _refuse_molten(names, given)
    repeats, repeat_keys = (
        (np.zeros_like(rows), np.zeros(1)) if repeat is None else given.codes(repeat)
    )
    shape = (len(repeat_keys), len(row_keys), len(names))
    cells = np.ravel_multi_index((repeats, rows, configurations), shape)
    order = np.argsort(cells, kind="stable")
    twice = np.flatnonzero(np.diff(cells[order]) == 0)
    if twice.size:
        first = order[twice[0]]
        raise ValueError(
            f"{given.source}: row {row_keys[rows[first]]} has two predictions of configuration "
            f"{names[configurations[first]]}; name the column of the partitions as repeat"
        )
    per_row = _Constant(given, rows, row_keys)
    values, classes = _outputs(given, prediction)
    truths = [per_row.column(name, given.values(name)) for name in _listed(truth)]
    fold_codes = None
    if folds is not None:
        places = np.ravel_multi_index((repeats, rows), shape[:2])
        per_place = _Constant(given, places, np.tile(row_keys, shape[0]))
        codes = given.codes(folds)[0]
        fold_codes = per_place.column(folds, codes, given.keys(folds)).reshape(shape[:2])
    return _predictions(
        _survival(truths) if len(truths) > 1 else truths[0],
        _filled(values, cells, shape),
        mask=_filled(np.ones(len(cells), np.bool_), cells, shape),
        folds=fold_codes,
        groups=None if groups is None else per_row.column(groups, given.keys(groups)),
        sample_weight=(
            None
            if sample_weight is None
            else per_row.column(sample_weight, given.values(sample_weight))
        ),
        names=[str(name) for name in names],
        classes=classes,
    )


class _Constant:
    """Columns that must say the same wherever a row is mentioned.

    `places` are the rows of the lines (in each repeat, for what differs by repeat), `keys` what the
    table calls them.
    """

    def __init__(self, table: Table, places: AnyArray, keys: AnyArray) -> None:
        self.table, self.places, self.keys = table, places, keys

    def column(self, name: str, values: AnyArray, cells: AnyArray | None = None) -> AnyArray:
        """One value per place; codes of places that are never mentioned are -1.

        `cells` are what the table says, where `values` are codes of it.
        """
        found = np.full(len(self.keys), -1).astype(values.dtype)
        # Reversed, so that the first mention is written last.
        found[self.places[::-1]] = values[::-1]
        again = found[self.places]
        differ = again != values
        if values.dtype.kind == "f":
            differ &= ~(np.isnan(again) & np.isnan(values))
        if differ.any():
            line = int(np.argmax(differ))
            first = int(np.argmax(self.places == self.places[line]))
            told = values if cells is None else cells
            raise ValueError(
                f"{self.table.source}: row {self.keys[self.places[line]]} has "
                f"{name}={told[first]} and {name}={told[line]}"
            )
        return found


def _outputs(table: Table, prediction: str | Mapping[Any, str]) -> tuple[AnyArray, AnyArray | None]:
    """The predictions, and for class scores the classes in the order of the last axis."""
    if isinstance(prediction, str):
        return table.values(prediction), None
    classes = np.asarray(list(prediction))
    if table.is_text and classes.dtype.kind == "U":
        classes = parsed(classes)
    order = np.argsort(classes, kind="stable")
    names = list(prediction.values())
    columns = [table.values(names[index]) for index in order]
    _refuse_mixed(columns, [names[index] for index in order], table)
    return np.stack(columns, axis=1), classes[order]


def _filled(values: AnyArray, cells: AnyArray, shape: tuple[int, ...]) -> AnyArray:
    """An array of `shape` with the values in their cells, and holes elsewhere."""
    n_cells = int(np.prod(shape))
    complete = len(cells) == n_cells
    tail = values.shape[1:]
    if values.dtype.kind == "b":
        filled = np.zeros((n_cells, *tail), np.bool_)
    elif complete or values.dtype.kind == "f":
        filled = np.full((n_cells, *tail), np.nan if values.dtype.kind == "f" else values.flat[0])
        filled = filled.astype(values.dtype)
    elif values.dtype.kind in "iu":
        filled = np.full((n_cells, *tail), np.nan)
    else:
        filled = np.full((n_cells, *tail), None, dtype=object)
    filled[cells] = values
    return filled.reshape(*shape, *tail)


def _predictions(
    y: AnyArray, values: AnyArray, *, mask: Any = None, **design: Any
) -> OutOfSamplePredictions:
    """Numbers are scores, whatever the metric reads; text is labels."""
    values = read_only(values)
    if values.dtype.kind in "iuf":
        if mask is not None and mask.all():
            mask = None
        return OutOfSamplePredictions(y=y, scores=values, mask=mask, **design)
    if values.dtype.kind == "O":
        there = ~missing_objects(values)
        mask = there if mask is None else mask & there
    return OutOfSamplePredictions(y=y, labels=values, mask=mask, **design)


def _listed(truth: str | Sequence[str]) -> list[str]:
    if isinstance(truth, str):
        return [truth]
    if not hasattr(truth, "__len__") or len(truth) not in (1, 2):
        raise ValueError(f"truth must be one column or two (event, time), got {truth!r}")
    return list(truth)


def _truth(table: Table, names: list[str]) -> AnyArray:
    columns = [table.values(name) for name in names]
    return columns[0] if len(columns) == 1 else _survival(columns)


def _survival(columns: list[AnyArray]) -> AnyArray:
    event, time = columns
    truth = np.empty(len(event), dtype=[("event", event.dtype), ("time", np.float64)])
    truth["event"], truth["time"] = event, time
    return truth


def _refuse_mixed(columns: list[AnyArray], names: list[str], table: Table) -> None:
    """Refuse text among numbers: a column that is no configuration after all."""
    numeric = [column.dtype.kind in "biuf" for column in columns]
    if any(numeric) and not all(numeric):
        name = names[numeric.index(False)]
        raise ValueError(
            f"{table.source}: column {name!r} is text and others are numbers; if it is no "
            "configuration, ignore it"
        )


def _refuse_design(columns: list[AnyArray], names: list[str], table: Table) -> None:
    """Refuse what describes the rows among the columns that nobody named."""
    found = design_column(names, columns)
    if found is None:
        return
    name, problem, argument = found
    name_it = f'name it, {argument}="{name}", or ' if argument else ""
    raise ValueError(
        f"{table.source}: {problem}: {name_it}leave it out, "
        f'ignore=["{name}"]; if it is one, rename it'
    )


def _refuse_molten(names: AnyArray, table: Table) -> None:
    """Refuse columns that were no configurations before the table was made long."""
    found = design_name([str(name) for name in names])
    if found is not None:
        raise ValueError(
            f"{table.source}: {found[1]}: leave out its lines; if it is one, rename it"
        )


def _refuse_truth_and_complements(
    y: AnyArray, values: AnyArray, names: list[str], table: Table
) -> None:
    """Refuse a copy of the truth, and one model's probabilities as two configurations."""
    same = copy_of(y, values.T)
    if same is not None:
        raise ValueError(
            f"{table.source}: column {names[same]!r} is the truth itself: leave it out, "
            f'ignore=["{names[same]}"]'
        )
    if are_complements(values):
        raise ValueError(
            f"{table.source}: columns {names[0]!r} and {names[1]!r} sum to one in every row, as "
            "the probabilities of one model's two classes do: leave out that of the negative "
            f'class, such as ignore=["{names[0]}"]'
        )
