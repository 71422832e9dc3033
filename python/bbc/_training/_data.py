"""Targets and rows as they are passed to `fit`, checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, column_or_1d

from .. import _validation
from .._rows import refuse_other_rows
from .._typing import AnyArray
from .._warn import warn
from ..errors import InvalidTypeError, InvalidValueError

# What learners call the rows on which they decide when to stop.
_EVALUATED = {"eval_set", "X_val"}


def check_target(y: Any, classifier: bool) -> AnyArray:
    """Return the truth as a new array of one dimension, validated."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    try:
        array = np.asarray(y)
    except ValueError:  # sets of labels
        raise InvalidValueError(
            "y", "has rows of different lengths", hint=_validation.ONE_OUTPUT_FITTED
        ) from None
    if array.dtype.names is not None:
        if array.ndim != 1:
            raise InvalidValueError("y", f"must have one entry per row, got shape {array.shape}")
        return array.copy()
    if array.ndim == 2 and array.shape[1] > 1:
        raise InvalidValueError(
            "y",
            f"should be a 1d array, got an array of shape {array.shape}",
            hint=_validation.ONE_OUTPUT_FITTED,
        )
    array = column_or_1d(y, warn=True)
    _refuse_missing(array)
    if classifier:
        try:
            check_classification_targets(array)
        except ValueError as error:
            raise InvalidValueError("y", f": {error}") from None
    return np.array(array)


def check_rows(X: Any, given: Any, y: AnyArray, params: Mapping[str, Any]) -> Any:
    """Return X in a form whose rows can be taken; refuse lengths and row names that differ.

    `y` is the truth that was `given` as an array.
    """
    by_row = {name: params.get(name) for name in ("groups", "sample_weight")}
    refuse_other_rows(y=given, X=X, **by_row)
    if X is None:
        raise InvalidTypeError("X", "must be an array or a frame, got None")
    X = indexable(X)[0]
    n_rows = _num_samples(X)
    if n_rows != len(y):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} rows, y has {len(y)}"
        )
    for name, value in params.items():
        if name in ("groups", "sample_weight") and value is not None and len(value) != n_rows:
            raise InvalidValueError(name, f"has {len(value)} entries, X has {n_rows} rows")
    warn_of_shared_rows(X, params)
    return X


def warn_of_shared_rows(X: Any, params: Mapping[str, Any]) -> None:
    """Warn of early stopping on rows that are also held out: scores of them are too good."""
    for name in _EVALUATED & set(params):
        given = params[name]
        known = set(_contents(X))
        for part in given if isinstance(given, list) else [given]:
            own = _contents(part[0] if isinstance(part, tuple | list) else part)
            shared = sum(row in known for row in own)
            if shared:
                warn(
                    f"{shared} of {len(own)} rows of {name} are rows of X: where they are held "
                    "out, they decide when training stops, and their scores are too good; split "
                    "the training rows within the learner's fit"
                )


def _contents(X: Any) -> list[Any]:
    """Something equal for rows that are equal; nothing of what is no table."""
    array = np.asarray(X)
    if array.ndim < 2:
        return []
    if array.dtype.kind in "biuf":
        return [row.tobytes() for row in np.ascontiguousarray(array, np.float64)]
    return list(map(repr, array.tolist()))


def _refuse_missing(y: AnyArray) -> None:
    if y.dtype.kind == "O":
        wrong = _validation.missing_objects(y)
    elif y.dtype.kind == "f":
        wrong = ~np.isfinite(y)
    else:
        return
    if wrong.any():
        row = int(np.argmax(wrong))
        what = "infinity" if y.dtype.kind == "f" and np.isinf(y[row]) else "NaN"
        raise ValueError(f"Input y contains {what}: row {row} ({int(wrong.sum())} in all)")
