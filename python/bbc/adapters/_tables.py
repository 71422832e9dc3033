"""Tables of predictions, wide or long, from files and data frames."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from .._frozen import read_only
from .._typing import AnyArray, IndexArray
from .._validation import (
    are_complements,
    copy_of,
    design_column,
    design_name,
    missing_objects,
)
from ..errors import Argument, InvalidTypeError, InvalidValueError
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
        A CSV, TSV or Parquet file, an open CSV file, or a pandas, polars or pyarrow table. Text may
        be separated by semicolons, and compressed by gzip (``.csv.gz``). Empty cells and ``NA``
        are missing values. A first column without a name (R's row names) is left
        out.
    truth : str or (str, str)
        Column of the truth; two columns (event, time) for survival.
    folds, groups, sample_weight : str, optional
        Columns of the folds, the groups and the weights.
    ignore : collection of str, optional
        Other columns that are not configurations. A column that is not named here or above is
        refused as a configuration if its name says otherwise (fold, group, weight, id, row, index,
        y, target, label, truth, outcome, ...), if it numbers the rows, or if it copies a
        real-valued truth; so are two columns that are the probabilities of one model's two classes.

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
        raise InvalidTypeError("ignore", f"must be a collection of columns, such as [{ignore!r}]")
    data = read(table)
    truths = _listed(truth)
    design = [name for name in (folds, groups, sample_weight) if name is not None]
    taken = [*truths, *design, *ignore]
    data.require(taken)
    names = [name for name in data.columns if name not in taken]
    if not names:
        raise ValueError(f"{data.source} has no column left that could be a configuration")
    columns = [data.values(name) for name in names]
    y = _truth([data.values(name) for name in truths])
    _refuse_design(columns, names, data.source)
    _refuse_mixed(columns, names, data.source)
    values = np.stack(columns, axis=1)
    _refuse_truth_and_complements(y, values, names, data.source)
    return _predictions(
        y,
        values[None],
        folds=None if folds is None else data.codes(folds)[0][None],
        groups=None if groups is None else data.keys(groups),
        sample_weight=None if sample_weight is None else data.values(sample_weight),
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
    that are not in the table are missing.

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
    data = read(table)
    rows, row_keys = data.codes(row)
    configurations, names = data.codes(configuration)
    _refuse_molten(names, data.source)
    repeats, n_repeats = np.zeros_like(rows), 1
    if repeat is not None:
        repeats, repeat_keys = data.codes(repeat)
        n_repeats = len(repeat_keys)
    shape = (n_repeats, len(row_keys), len(names))
    cells = np.ravel_multi_index((repeats, rows, configurations), shape)
    order = np.argsort(cells, kind="stable")
    twice = np.flatnonzero(np.diff(cells[order]) == 0)
    if twice.size:
        first = order[twice[0]]
        raise ValueError(
            f"{data.source}: row {row_keys[rows[first]]} has two predictions of configuration "
            f"{names[configurations[first]]}; name the column of the partitions as repeat"
        )

    def of_row(name: str, values: AnyArray) -> AnyArray:
        return values[_first_lines(data.source, name, values, rows, row_keys)]

    y = _truth([of_row(name, data.values(name)) for name in _listed(truth)])
    values, classes = _outputs(data, prediction, y)
    fold_codes = None
    if folds is not None:
        places = np.ravel_multi_index((repeats, rows), shape[:2])
        keys = np.tile(row_keys, n_repeats)
        lines = _first_lines(data.source, folds, data.keys(folds), places, keys)
        fold_codes = np.where(lines < 0, -1, data.codes(folds)[0][lines]).reshape(shape[:2])
    return _predictions(
        y,
        _filled(values, cells, shape),
        mask=_filled(np.ones(len(cells), np.bool_), cells, shape),
        folds=fold_codes,
        groups=None if groups is None else of_row(groups, data.keys(groups)),
        sample_weight=(
            None if sample_weight is None else of_row(sample_weight, data.values(sample_weight))
        ),
        names=[str(name) for name in names],
        classes=classes,
    )


def _first_lines(
    source: str, name: str, values: AnyArray, places: AnyArray, keys: AnyArray
) -> IndexArray:
    """The first line of each place (a row, or a row of a repeat), -1 where there is none.

    Refuses values that differ between lines of the same place. `keys` name the rows of the places.
    """
    first = np.full(len(keys), -1)
    first[places[::-1]] = np.arange(len(places))[::-1]  # the first line is written last
    expected = values[first[places]]
    differ = expected != values
    if values.dtype.kind == "f":
        differ &= ~(np.isnan(expected) & np.isnan(values))
    if differ.any():
        line = int(np.argmax(differ))
        raise ValueError(
            f"{source}: row {keys[places[line]]} has {name}={expected[line]} and "
            f"{name}={values[line]}"
        )
    return first


def _outputs(
    table: Table, prediction: str | Mapping[Any, str], y: AnyArray
) -> tuple[AnyArray, AnyArray | None]:
    """The predictions, and for class scores the classes in the order of the last axis."""
    if isinstance(prediction, str):
        return table.values(prediction), None
    classes = np.asarray(list(prediction))
    if classes.dtype.kind == "U" and y.dtype.kind in "iuf":
        classes = parsed(classes)
    order = np.argsort(classes, kind="stable")
    names = list(prediction.values())
    columns = [table.values(names[index]) for index in order]
    _refuse_mixed(columns, [names[index] for index in order], table.source)
    return np.stack(columns, axis=1), classes[order]


def _filled(values: AnyArray, cells: AnyArray, shape: tuple[int, ...]) -> AnyArray:
    """An array of `shape` with the values in their cells, and missing ones elsewhere."""
    tail, kind = values.shape[1:], values.dtype.kind
    n_cells = int(np.prod(shape))
    dtype, missing = values.dtype, values.flat[0]
    if kind == "b":
        missing = False
    elif kind == "f":
        missing = np.nan
    elif len(cells) < n_cells:
        dtype, missing = (np.dtype(float), np.nan) if kind in "iu" else (np.dtype(object), None)
    filled = np.full((n_cells, *tail), missing, dtype)
    filled[cells] = values
    return filled.reshape(*shape, *tail)


def _predictions(
    y: AnyArray, values: AnyArray, *, mask: Any = None, **design: Any
) -> OutOfSamplePredictions:
    """Numbers are scores, whatever the metric reads; text is predicted labels."""
    values = read_only(values)
    if values.dtype.kind in "iuf":
        if mask is not None and mask.all():
            mask = None
        return OutOfSamplePredictions(y=y, scores=values, mask=mask, **design)
    if values.dtype.kind == "O":
        present = ~missing_objects(values)
        mask = present if mask is None else mask & present
    return OutOfSamplePredictions(y=y, labels=values, mask=mask, **design)


def _listed(truth: str | Sequence[str]) -> list[str]:
    if isinstance(truth, str):
        return [truth]
    if not hasattr(truth, "__len__") or len(truth) not in (1, 2):
        raise InvalidValueError("truth", f"must be one column or two (event, time), got {truth!r}")
    return list(truth)


def _truth(columns: list[AnyArray]) -> AnyArray:
    """One column as it is; event and time as one structured array."""
    if len(columns) == 1:
        return columns[0]
    event, time = columns
    truth = np.empty(len(event), dtype=[("event", event.dtype), ("time", np.float64)])
    truth["event"], truth["time"] = event, time
    return truth


def _refuse_mixed(columns: list[AnyArray], names: list[str], source: str) -> None:
    """Refuse text among numbers: a column that is no configuration after all."""
    numeric = [column.dtype.kind in "biuf" for column in columns]
    if any(numeric) and not all(numeric):
        name = names[numeric.index(False)]
        raise ValueError(
            f"{source}: column {name!r} is text and others are numbers; if it is no "
            "configuration, ignore it"
        )


def _refuse_design(columns: list[AnyArray], names: list[str], source: str) -> None:
    """Refuse a column that describes the rows among those taken as configurations."""
    found = design_column(names, columns)
    if found is not None:
        name, problem, argument = found
        arguments = [Argument(argument, name)] if argument else []
        name_it = "name it, {}, or " if argument else ""
        raise InvalidValueError(
            source,
            ": {}: " + name_it + "leave it out, {}",
            problem,
            *arguments,
            Argument("ignore", [name]),
            hint="if it is one, rename it",
        )


def _refuse_molten(names: AnyArray, source: str) -> None:
    """Refuse columns that described the rows before the table was made long."""
    found = design_name([str(name) for name in names])
    if found is not None:
        raise ValueError(f"{source}: {found[1]}: leave out its lines; if it is one, rename it")


def _refuse_truth_and_complements(
    y: AnyArray, values: AnyArray, names: list[str], source: str
) -> None:
    """Refuse a copy of the truth, and one model's probabilities as two configurations."""
    same = copy_of(y, values.T)
    if same is not None:
        raise InvalidValueError(
            source,
            ": column {!r} is the truth itself: leave it out, {}",
            names[same],
            Argument("ignore", [names[same]]),
        )
    if are_complements(values):
        raise InvalidValueError(
            source,
            ": columns {!r} and {!r} sum to one in every row, as the probabilities of one model's "
            "two classes do: leave out that of the negative class, such as {}",
            *names,
            Argument("ignore", names[:1]),
        )
