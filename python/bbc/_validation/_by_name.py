"""Predictions in a dict: outputs of the same configurations, or one of each configuration."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from .._frozen import read_only
from .._names import again
from .._rows import has_time_index, refuse_other_rows
from .._typing import AnyArray
from ..errors import Argument, InvalidTypeError, InvalidValueError, arguments_called
from ..predictions import OUTPUTS, OutOfSamplePredictions
from ._columns import design_name, refuse_complements
from ._fold_scores import refuse_fold_scores
from ._predictions import per_repeat
from ._values import frame_array, is_frame, plain_array

_invalid = partial(InvalidValueError, "predictions")


def predictions_of(given: Any, y_true: Any, *, listed: bool = False, **beside: Any) -> Any:
    """Predictions as `bbc.Predictions` takes them: of a fitted search, those that it keeps.

    `listed` says that the caller has named the configurations; `beside` are arguments of the same
    rows.
    """
    if type(given) is np.ndarray:
        return given
    if isinstance(given, Mapping):
        if given.keys() & {*OUTPUTS, "times"}:
            return _of_outputs(given, y_true, beside)
        return _of_columns(given, y_true, beside, listed=listed)
    kept = getattr(given, "oos_predictions_", None)
    if kept is not None:
        return kept
    if hasattr(given, "cv_results_"):
        raise InvalidTypeError(
            "predictions",
            f"is a {type(given).__name__}, which keeps scores but no predictions",
            hint="fit bbc.keep_predictions(search) in its place",
        )
    if hasattr(given, "fit"):
        raise InvalidTypeError("predictions", f"is a {type(given).__name__} that is not fitted")
    return given


def _of_outputs(
    given: Mapping[str, Any], y_true: Any, beside: Mapping[str, Any]
) -> OutOfSamplePredictions:
    """Several outputs of the same configurations, by the name of the output."""
    arrays = {name: value for name, value in given.items() if name != "times"}
    unknown = [name for name in arrays if name not in OUTPUTS]
    if unknown:
        known = ", ".join(map(repr, OUTPUTS))
        raise _invalid(
            f"have {unknown[0]!r} among the names of outputs, which are {known}, and 'times'",
            hint="in a dict with an entry for each configuration none has such a name",
        )
    refuse_other_rows(y_true=y_true, **arrays, **beside)
    truth = _truth(y_true)
    found, columns = {}, None
    for name, value in arrays.items():
        outputs, own = per_repeat(value)
        if own is not None and columns is not None and own != columns:
            raise _invalid(f"have other columns for {name!r} than for the outputs before it")
        columns = own or columns
        if len(outputs[0]) != len(truth):
            raise _invalid(
                f"have {len(outputs[0])} rows for {name!r}, the truth has {len(truth)}",
                hint="a list is one array per repeat",
            )
        found[name] = np.stack(outputs)
    with arguments_called(y="y_true"):
        return OutOfSamplePredictions(
            y=truth,
            **{name: read_only(array) for name, array in found.items()},  # type: ignore[arg-type]
            times=given.get("times", ()),
            names=columns,
            time_indexed=has_time_index(y_true, *arrays.values()),
        )


def _of_columns(
    given: Mapping[Any, Any], y_true: Any, beside: Mapping[str, Any], *, listed: bool
) -> OutOfSamplePredictions:
    """One output of each configuration, by the name of the configuration."""
    if not given:
        raise _invalid("has no configurations")
    names = tuple(map(str, given))
    for name in again(names):
        raise _invalid(f"has two configurations {name!r}: rename one")
    if not listed:
        _refuse_others(names)
    refuse_other_rows(y_true=y_true, predictions=given, **beside)
    truth = _truth(y_true)
    columns: list[AnyArray] = []
    classes: list[Any] | None = None
    for name, predicted in given.items():
        argument = f"predictions[{name!r}]"
        column, own = _column(predicted, argument)
        if columns and column.shape != columns[0].shape:
            first = next(iter(given))
            raise InvalidValueError(
                argument,
                f"has shape {column.shape}, predictions[{first!r}] has {columns[0].shape}",
            )
        if own is not None and classes is not None and own != classes:
            raise InvalidValueError(argument, f"has the classes {own}, not {classes}")
        classes = own if classes is None else classes
        columns.append(column)
    (values,) = per_repeat(np.stack(columns, axis=1))[0]
    if len(names) == 2 and not listed:
        refuse_complements([values])
    labels = None
    if classes is not None:
        labels = plain_array(classes, "labels")
        order = np.argsort(labels, kind="stable")
        values, labels = values[..., order], labels[order]
    kind = "scores" if values.dtype.kind in "iuf" else "labels"
    with arguments_called(y="y_true"):
        return OutOfSamplePredictions(
            y=truth,
            **{kind: read_only(values[None])},  # type: ignore[arg-type]
            names=names,
            classes=labels,
            time_indexed=has_time_index(y_true, *given.values()),
        )


def _refuse_others(names: tuple[str, ...]) -> None:
    """Refuse entries that are, by their names, no configurations."""
    refuse_fold_scores("predictions", names)
    found = design_name(list(names))
    if found is not None:
        hint = ("if it is one, list the configurations, {}", Argument("names", ...))
        raise _invalid(f": {found[1]}: leave it out", hint=hint)


def _column(predicted: Any, argument: str) -> tuple[AnyArray, list[Any] | None]:
    """The predictions of a configuration and, of a frame of class scores, its classes."""
    array = plain_array(predicted, argument)
    if array.ndim not in (1, 2):
        raise InvalidValueError(
            argument, f"must have shape (n_rows,) or (n_rows, n_classes), got {array.shape}"
        )
    named = array.ndim == 2 and hasattr(predicted, "columns")
    if array.ndim == 2 and array.shape[1] == 2 and not named and _are_no_probabilities(array):
        raise InvalidValueError(
            argument,
            "has two columns that do not sum to one, so that they are no scores of two classes",
            hint="a dict has one entry for each configuration; bbc.compare takes families of them",
        )
    return array, list(predicted.columns) if named else None


def _are_no_probabilities(columns: AnyArray) -> bool:
    """Whether these are numbers, but not of two classes: several configurations would be two."""
    if columns.dtype.kind not in "fiu":
        return columns.dtype.kind != "O"
    sums = columns.sum(axis=1)
    return not np.allclose(sums[np.isfinite(sums)], 1.0, atol=1e-3)


def _truth(y_true: Any) -> AnyArray:
    found = frame_array(y_true, "y_true")[0] if is_frame(y_true) else plain_array(y_true, "y_true")
    if found.shape[:1] == (0,):
        raise InvalidValueError("y_true", "has no rows")
    return found
