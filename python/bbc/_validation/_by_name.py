"""Predictions in a dict: outputs of the same configurations, or one of each configuration."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from .._design import Design
from .._frozen import read_only
from .._names import again
from .._rows import has_time_index, refuse_other_rows
from .._typing import AnyArray
from ..errors import Argument, InvalidTypeError, InvalidValueError, arguments_called
from ..predictions import OUTPUTS, OutOfSamplePredictions, checked_times
from ._columns import design_name, refuse_complements
from ._fold_scores import refuse_fold_scores
from ._predictions import per_repeat
from ._values import frame_array, is_frame, plain_array

_invalid = partial(InvalidValueError, "predictions")


def predictions_of(
    given: Any,
    y_true: Any,
    *,
    listed: bool = False,
    times: Any = None,
    design: Any = None,
    copy: bool = True,
    **beside: Any,
) -> Any:
    """Predictions as `bbc.Predictions` takes them: of a fitted search, those that it keeps.

    `listed` says that the caller has named the configurations; `beside` are arguments of the same
    rows.
    """
    unsaid = times is None and design is None
    if unsaid and type(given) is np.ndarray:
        return given
    made = {} if unsaid else _made(times, design)
    if isinstance(given, Mapping):
        if given.keys() & {*OUTPUTS}:
            return _of_outputs(given, y_true, beside, made, copy=copy)
        return _of_columns(given, y_true, beside, made, listed=listed)
    kept = getattr(given, "oos_predictions_", given)
    if isinstance(kept, OutOfSamplePredictions):
        if not unsaid:
            name = "design" if times is None else "times"
            raise InvalidValueError(name, "is known of the predictions", hint="leave it out here")
        return kept
    if hasattr(given, "cv_results_"):
        raise InvalidTypeError(
            "predictions",
            f"is a {type(given).__name__}, which keeps scores but no predictions",
            hint="fit bbc.keep_predictions(search) in its place",
        )
    if hasattr(given, "fit"):
        raise InvalidTypeError("predictions", f"is a {type(given).__name__} that is not fitted")
    return given if unsaid else _of_array(given, y_true, beside, made, listed=listed, copy=copy)


def _made(times: Any, design: Any) -> dict[str, Any]:
    """What is said of how predictions were made, as `OutOfSamplePredictions` take it."""
    made: dict[str, Any] = {} if times is None else {"times": checked_times(times)}
    if design is None:
        return made
    if not isinstance(design, Design):
        kind = type(design).__name__
        raise InvalidTypeError("design", f"must be a bbc.results.Design, got {kind}")
    seen = {name: bool(getattr(design, name)) for name in ("dynamic_search", "time_ordered")}
    return made | seen | {"design": design}


def _of_array(
    given: Any,
    y_true: Any,
    beside: Mapping[str, Any],
    made: Mapping[str, Any],
    *,
    listed: bool,
    copy: bool,
) -> OutOfSamplePredictions:
    """One output of all configurations: survival if its times are said."""
    arrays, columns = per_repeat(given)
    if columns is not None and not listed:
        _refuse_others(columns)
        if len(columns) == 2 and "times" not in made:
            refuse_complements(arrays)
    name = "survival" if "times" in made else _kind(arrays[0])
    with arguments_called(**{name: "predictions"}):
        return _of_outputs({name: given}, y_true, beside, made, copy=copy)


def _kind(values: AnyArray) -> str:
    """The output that an array without a name is."""
    return "scores" if values.dtype.kind in "iuf" else "labels"


def _of_outputs(
    given: Mapping[str, Any],
    y_true: Any,
    beside: Mapping[str, Any],
    made: Mapping[str, Any],
    *,
    copy: bool,
) -> OutOfSamplePredictions:
    """Several outputs of the same configurations, by the name of the output."""
    unknown = [name for name in given if name not in OUTPUTS]
    if unknown:
        known = ", ".join(map(repr, OUTPUTS))
        raise _invalid(
            f"have {unknown[0]!r} among the names of outputs, which are {known}",
            hint="the times of survival are an argument, times=[...]"
            if unknown[0] == "times"
            else "in a dict with an entry for each configuration none has such a name",
        )
    refuse_other_rows(y_true=y_true, **given, **beside)
    truth = _truth(y_true)
    found, columns = {}, None
    for name, value in given.items():
        of_name = f" for {name!r}" if len(given) > 1 else ""
        outputs, own = per_repeat(value)
        if own is not None and columns is not None and own != columns:
            raise _invalid(f"have other columns for {name!r} than for the outputs before it")
        columns = own or columns
        if len(outputs[0]) != len(truth):
            raise _invalid(
                f"have {len(outputs[0])} rows{of_name}, the truth has {len(truth)}",
                hint="a list is one array per repeat",
            )
        alone = len(outputs) == 1 and not copy
        found[name] = outputs[0][np.newaxis] if alone else np.stack(outputs)
    with arguments_called(y="y_true"):
        return OutOfSamplePredictions(
            y=truth,
            **{name: read_only(array) for name, array in found.items()},  # type: ignore[arg-type]
            **made,
            names=columns,
            time_indexed=has_time_index(y_true, *given.values()),
        )


def _of_columns(
    given: Mapping[Any, Any],
    y_true: Any,
    beside: Mapping[str, Any],
    made: Mapping[str, Any],
    *,
    listed: bool,
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
    times = made.get("times")
    for name, predicted in given.items():
        argument = f"predictions[{name!r}]"
        column, own = _column(predicted, argument, times)
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
    if len(names) == 2 and not listed and times is None:
        refuse_complements([values])
    labels = None
    if classes is not None:
        labels = plain_array(classes, "labels")
        order = np.argsort(labels, kind="stable")
        values, labels = values[..., order], labels[order]
    kind = _kind(values) if times is None else "survival"
    with arguments_called(y="y_true"):
        return OutOfSamplePredictions(
            y=truth,
            **{kind: read_only(values[None])},  # type: ignore[arg-type]
            **made,
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


def _column(
    predicted: Any, argument: str, times: Sequence[float] | None
) -> tuple[AnyArray, list[Any] | None]:
    """The predictions of a configuration and, of a frame of class scores, its classes."""
    array = plain_array(predicted, argument)
    last = "n_classes" if times is None else "n_times"
    if array.ndim not in (1, 2):
        raise InvalidValueError(
            argument, f"must have shape (n_rows,) or (n_rows, {last}), got {array.shape}"
        )
    named = array.ndim == 2 and hasattr(predicted, "columns")
    if times is not None:
        if named and list(predicted.columns) != list(times):
            raise InvalidValueError(
                argument, f"has the columns {list(predicted.columns)}, times has {list(times)}"
            )
        return array, None
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
