"""Tables of predictions, wide or long, from files and data frames."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..predictions import OutOfSamplePredictions
from ._layouts import Columns, long, wide

__all__ = ["from_long", "from_wide"]


def from_wide(
    table: Any,
    *,
    truth: str | Sequence[str],
    folds: str | None = None,
    groups: str | None = None,
    sample_weight: str | None = None,
    ignore: Collection[str] = (),
    names: Collection[str] | None = None,
    decimal: str | None = None,
    header: bool | None = None,
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
        refused as a configuration if its name says otherwise (fold, group, weight, id, patient_id,
        row, index, y, target, label, truth, outcome, ...), if it numbers or identifies the rows, or
        if it copies a real-valued truth; so are two columns that are the probabilities of one
        model's two classes. The rules are in :doc:`/tables`.
    names : collection of str, optional
        The columns that are configurations, in this order, whatever they are called; by default all
        that are not named above.
    decimal : {".", ","}, optional
        The decimal mark of a text file. By default it is read from the numbers; where they leave it
        open, and where they have thousands separators or different marks, the file is refused.
    header : bool, optional
        Whether the first line of a text file names the columns; without names they are called 0, 1,
        2, ... By default it does, and is refused if it has numbers or a name twice.

    Returns
    -------
    OutOfSamplePredictions
        The predictions of the configurations, for `bbc.correct`.

    Raises
    ------
    ValueError
        If the table is not of this form, or if it is not certain what a column is.

    Examples
    --------
    >>> import bbc
    >>> table = {"y": [0, 1, 1, 0], "fold": [1, 1, 2, 2],
    ...          "C=1": [0.2, 0.7, 0.6, 0.4], "C=10": [0.1, 0.9, 0.3, 0.2]}
    >>> predictions = bbc.adapters.from_wide(table, truth="y", folds="fold")
    >>> predictions.names, predictions.n_rows
    (('C=1', 'C=10'), 4)
    """
    columns = Columns(truth, folds, groups, sample_weight, names, decimal, header)
    return wide(table, columns, ignore=ignore).predictions


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
    names: Collection[str] | None = None,
    decimal: str | None = None,
    header: bool | None = None,
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
    names : collection of str, optional
        The configurations to read, whatever they are called; by default all.
    decimal, header : optional
        As in `from_wide`.

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
    columns = Columns(truth, folds, groups, sample_weight, names, decimal, header)
    return long(
        table,
        columns,
        row=row,
        configuration=configuration,
        prediction=prediction,
        repeat=repeat,
    ).predictions
