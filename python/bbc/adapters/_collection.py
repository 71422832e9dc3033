"""Predictions that come as one array or frame per configuration."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._frozen import as_array, read_only
from .._names import again
from .._rows import refuse_other_rows
from .._tables import read
from .._typing import AnyArray
from .._validation import design_name, plain_array
from ..errors import InvalidTypeError, InvalidValueError, arguments_called
from ..predictions import OutOfSamplePredictions

__all__ = ["from_mljar", "from_predictions"]

_MLJAR_FILE = "predictions_out_of_folds.csv"


def from_predictions(
    y_true: ArrayLike,
    predictions: Mapping[str, Any],
    *,
    folds: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    classes: ArrayLike | None = None,
) -> OutOfSamplePredictions:
    """Collect predictions of one array or frame per configuration.

    Such as the results of `sklearn.model_selection.cross_val_predict`, one call per configuration
    with the same `cv`, or AutoGluon's out-of-fold predictions of each model, which are data frames
    with one column per class.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The truth. Series and frames that name their rows must name the same ones.
    predictions : dict of str to array, series or frame
        For each configuration its predictions of all rows, in the order of `y_true`: of shape
        (n_rows,) or, for class scores, (n_rows, n_classes).
    folds, groups, sample_weight : array-like of shape (n_rows,), optional
        As in `bbc.correct`.
    classes : array-like, optional
        The classes in the order of the columns of class scores; by default the column names of a
        frame, or the sorted labels of `y_true`.

    Returns
    -------
    OutOfSamplePredictions
        The predictions, for `bbc.correct`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = {f"k={k}": cross_val_predict(KNeighborsClassifier(k), X, y, cv=5)
    ...         for k in (1, 5, 25)}
    >>> predictions = bbc.adapters.from_predictions(y, kept)
    >>> bbc.correct(y, predictions, metric="accuracy", random_state=1).winner_name
    'k=5'
    """
    if not isinstance(predictions, Mapping):
        raise InvalidTypeError(
            "predictions",
            "must be a dict from configurations to their predictions, got "
            f"{type(predictions).__name__}; bbc.correct takes an array or a frame as it is",
        )
    if not predictions:
        raise InvalidValueError("predictions", "is empty")
    names = tuple(map(str, predictions))
    for name in again(names):
        raise InvalidValueError("predictions", f"has two configurations {name!r}: rename one")
    found = design_name(list(names))
    if found is not None:
        raise InvalidValueError(
            "predictions", f": {found[1]}: leave it out; if it is one, rename it"
        )
    refuse_other_rows(
        y_true=y_true,
        predictions=predictions,
        folds=folds,
        groups=groups,
        sample_weight=sample_weight,
    )
    columns: list[AnyArray] = []
    for name, predicted in predictions.items():
        column, named_classes = _column(predicted, name)
        if named_classes is not None:
            classes = named_classes if classes is None else as_array(classes)
            if list(named_classes) != list(classes):
                raise InvalidValueError(
                    f"predictions[{name!r}]",
                    f"has the classes {named_classes}, not {list(classes)}",
                )
        if columns and column.shape != columns[0].shape:
            first = next(iter(predictions))
            raise InvalidValueError(
                f"predictions[{name!r}]",
                f"has shape {column.shape}, predictions[{first!r}] has {columns[0].shape}",
            )
        columns.append(column)
    values = np.stack(columns, axis=1)[None]
    ordered = None
    if classes is not None:
        labels = _classes(classes, values)
        order = np.argsort(labels, kind="stable")
        values, ordered = values[..., order], labels[order]
    kind = "scores" if values.dtype.kind in "iuf" else "labels"
    with arguments_called(y="y_true"):
        return OutOfSamplePredictions(
            y=_by_row(y_true, "y_true"),
            **{kind: read_only(values)},  # type: ignore[arg-type]
            folds=None if folds is None else _by_row(folds, "folds")[None],
            groups=None if groups is None else _by_row(groups, "groups"),
            sample_weight=(
                None if sample_weight is None else _by_row(sample_weight, "sample_weight")
            ),
            names=names,
            classes=ordered,
        )


def _classes(classes: Any, values: AnyArray) -> AnyArray:
    """The classes of class scores, in the order of their last axis."""
    if values.ndim != 4:
        raise InvalidValueError("classes", "has no meaning: predictions have one entry per row")
    labels, n_classes = plain_array(classes, "classes"), values.shape[3]
    if labels.shape != (n_classes,) or len(set(labels.tolist())) < n_classes:
        raise InvalidValueError("classes", f"must be {n_classes} different labels")
    return labels


def _by_row(value: Any, name: str) -> AnyArray:
    """An array with an entry for each row."""
    array = plain_array(value, name)
    if array.ndim == 0:
        raise InvalidValueError(name, "must have shape (n_rows,), got ()")
    return array


def from_mljar(results_path: str | PathLike[str]) -> OutOfSamplePredictions:
    """Read the out-of-fold predictions that mljar's AutoML saves in its results folder.

    Each cross-validated model is a configuration. mljar's later steps propose models given earlier
    scores, which the theory of the correction does not cover: unless all models came from
    `start_random_models`, pass ``dynamic_search=True`` to `bbc.correct`.

    Parameters
    ----------
    results_path : path
        The folder that AutoML got as `results_path`.

    Returns
    -------
    OutOfSamplePredictions
        The predictions, for `bbc.correct`.

    Raises
    ------
    ValueError
        If no model in the folder has such predictions, or their targets differ.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bbc
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, scores in {"1_Linear": "0,0.2\\n1,0.6", "2_Tree": "0,0.4\\n1,0.9"}.items():
    ...         path = pathlib.Path(folder, name, "predictions_out_of_folds.csv")
    ...         path.parent.mkdir()
    ...         _ = path.write_text("target,prediction\\n" + scores)
    ...     bbc.adapters.from_mljar(folder).names
    ('1_Linear', '2_Tree')
    """
    files = sorted(Path(results_path).glob(f"*/{_MLJAR_FILE}"))
    if not files:
        raise ValueError(f"{results_path} has no folder with a {_MLJAR_FILE}")
    collected: dict[str, AnyArray] = {}
    first = read(files[0])
    outputs = [name for name in first.columns if name.startswith("prediction")]
    wanted = ["target", *outputs]
    y = first.with_numbers(wanted, ".").values("target")
    # One column for two classes or numbers, else one per class.
    for file in files:
        table = read(file).with_numbers(wanted, ".")
        if not np.array_equal(table.values("target"), y):
            raise ValueError(f"{file}: the targets differ from those of {files[0]}")
        columns = [table.values(name) for name in outputs]
        collected[file.parent.name] = columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
    if len(outputs) == 1:
        return from_predictions(y, collected)
    classes = [name.removeprefix("prediction_") for name in outputs]
    if y.dtype.kind not in "iuf":
        return from_predictions(y, collected, classes=classes)
    # Numbers are codes of the classes, in the order of the columns.
    numbers = all(name.lstrip("-").isdigit() for name in classes)
    return from_predictions(y, collected, classes=list(map(int, classes)) if numbers else None)


def _column(predicted: Any, name: str) -> tuple[AnyArray, Any]:
    """The predictions and, for a frame, its column names."""
    argument = f"predictions[{name!r}]"
    array = plain_array(predicted, argument)
    if array.ndim not in (1, 2):
        raise InvalidValueError(
            argument, f"must have shape (n_rows,) or (n_rows, n_classes), got {array.shape}"
        )
    if array.ndim == 1:
        return array, None
    return array, list(predicted.columns) if hasattr(predicted, "columns") else None
