"""`cv_results_` of scikit-learn's searches: a mapping, a data frame, or a file of one."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .._frozen import as_array
from .._names import configuration_name
from .._tables import Table, read
from .._typing import AnyArray, BoolArray, FloatArray
from .._validation import fold_column, shown
from ..errors import ArgumentError, InvalidValueError
from ._claim import Claim, Said, known_metric

_SCORE = re.compile(r"split(0|[1-9]\d*)_test_(.+)")
_PARAMETER = "param_"
#: Means in a table differ from those of its folds by what rounding to three decimals leaves.
_ROUNDED = 2e-3


def claim_of_results(source: Any) -> Claim:
    """What `cv_results_` keeps."""
    columns, called = _columns(source)
    _refuse_unequal_columns(columns)
    scores = scores_by_key(columns)
    if not scores:
        raise InvalidValueError(
            "search",
            f": {called} has no columns split0_test_score, split1_test_score, as cv_results_ has: "
            f"{shown(list(columns))}",
            hint="a table of predictions is read by bbc.Predictions.from_wide (a column for each "
            "configuration) or from_long (a line for each prediction), an array of scores of "
            "shape (n_splits, n_configurations) by bbc.FoldScores(scores, metric=...)",
        )
    _refuse_other_means(columns, scores)
    alive = _of_last_iteration(columns)
    return Claim(
        "table",
        _names(columns),
        {key: Said(key, by_fold, known_metric(key)) for key, by_fold in scores.items()},
        told={} if alive is None else {"n_last_halving": int(alive.sum())},
        eligible=alive,
        form_negates=True,
    )


def scores_by_key(results: Mapping[str, Any]) -> dict[str, FloatArray]:
    """Scores of `cv_results_` by name, of shape (n_splits, n_configurations)."""
    by_key: dict[str, dict[int, str]] = {}
    for name in results:
        found = _SCORE.fullmatch(name)
        if found is not None:
            by_key.setdefault(found[2], {})[int(found[1])] = name
    scores = {}
    for key, by_split in by_key.items():
        names = [by_split[split] for split in sorted(by_split)]
        if max(by_split) + 1 != len(by_split):
            raise InvalidValueError("search", f": the folds of {key!r} have gaps: {shown(names)}")
        of_text = next((name for name in names if not _is_numeric(results[name])), None)
        if of_text is not None:
            raise InvalidValueError("search", f": column {of_text!r} holds text, where scores are")
        scores[key] = np.stack([_numbers(results[name]) for name in names])
    return scores


def has_fold_scores(names: Iterable[str]) -> bool:
    """True if columns are those of `cv_results_`, or scores of folds under other names."""
    listed = [str(name) for name in names]
    return "params" in listed or sum(fold_column(name) is not None for name in listed) > 1


def _columns(source: Any) -> tuple[dict[str, AnyArray], str]:
    """The columns of a source, and what it is called in messages."""
    if isinstance(source, Mapping):
        return {str(name): _array(values) for name, values in source.items()}, "the table"
    table = table_of_file(source)
    if table.is_text:
        table = table.with_numbers(table.columns, None)
    return {name: table.values(name) for name in table.columns if name}, table.source


def table_of_file(source: Any, na: Any = None) -> Table:
    """A file or frame as a table; `na` are words of text that stand for no value."""
    try:
        return read(source, na=na)
    except ArgumentError:
        raise
    except (OSError, ValueError) as error:  # no such file, or one that holds no table
        raise InvalidValueError("search", f": {error}") from error


def _refuse_unequal_columns(columns: Mapping[str, AnyArray]) -> None:
    """Refuse columns that are not one value per row, in equally many rows."""
    first, size = "", -1
    for name, values in columns.items():
        if values.ndim != 1:
            raise InvalidValueError(
                "search", f": column {name!r} must hold one value per row, got shape {values.shape}"
            )
        if size < 0:
            first, size = name, len(values)
        elif len(values) != size:
            raise InvalidValueError(
                "search", f": column {name!r} has {len(values)} rows, {first!r} has {size}"
            )


def _refuse_other_means(columns: Mapping[str, AnyArray], scores: Mapping[str, FloatArray]) -> None:
    """Refuse means that are not those of the folds, as after sorting a part of the columns."""
    for key, by_fold in scores.items():
        given = columns.get(f"mean_test_{key}")
        if given is None or not _is_numeric(given):
            continue
        means = by_fold.mean(axis=0)
        differs = np.abs(means - _numbers(given)) > _ROUNDED * np.maximum(1.0, np.abs(means))
        if differs.any():
            row = int(np.argmax(differs))
            raise InvalidValueError(
                "search",
                f": mean_test_{key} of row {row} is {given[row]:.6g}, but the mean of its folds is "
                f"{means[row]:.6g}: columns were changed or folds are missing",
            )


def _of_last_iteration(columns: Mapping[str, AnyArray]) -> BoolArray | None:
    """Configurations that a halving search could select, of a table of its `cv_results_`."""
    if "n_resources" not in columns or not _is_numeric(columns.get("iter", [""])):
        return None
    iterations = _numbers(columns["iter"])
    last: BoolArray = iterations == iterations.max(initial=0.0)
    return last


def _array(values: Any) -> AnyArray:
    """A column; lists of dicts, masked arrays and the like stay objects."""
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.filled(None) if values.dtype.kind == "O" else values)
    try:
        return as_array(values)
    except ValueError:
        found = np.empty(len(values), object)
        found[:] = values
        return found


def _is_numeric(values: Any) -> bool:
    array = _array(values)
    if array.dtype.kind in "biuf":
        return True
    return array.dtype.kind == "O" and all(
        value is None or isinstance(value, int | float | np.number) for value in array.tolist()
    )


def _numbers(values: Any) -> FloatArray:
    return np.array(_array(values), dtype=np.float64)  # None becomes NaN


def _names(columns: Mapping[str, AnyArray]) -> tuple[str, ...]:
    """Names of configurations by their parameters, of which a file keeps the columns only."""
    n = len(next(iter(columns.values())))
    params = columns.get("params")
    if params is not None and all(isinstance(each, Mapping) for each in params.tolist()):
        return tuple(configuration_name(each) for each in params.tolist())
    own = {
        name.removeprefix(_PARAMETER): values.tolist()
        for name, values in columns.items()
        if name.startswith(_PARAMETER)
    }
    if own:
        return tuple(
            ", ".join(f"{key}={_cell(own[key][row])}" for key in own if _is_there(own[key][row]))
            or "defaults"
            for row in range(n)
        )
    if params is not None:
        return tuple(map(str, params.tolist()))
    return tuple(f"configuration {row}" for row in range(n))


def _is_there(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and np.isnan(value))


def _cell(value: Any) -> str:
    """A cell as part of a name; numbers as in names of configurations."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else " ".join(repr(value).split())
