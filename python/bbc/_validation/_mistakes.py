"""Hints for common argument mistakes."""

from collections.abc import Generator, Mapping
from typing import Any

from .._typing import AnyArray
from ..errors import InvalidTypeError, InvalidValueError


def refuse_no_predictions(value: Any) -> None:
    """Refuse what holds predictions, or makes them, in another form than arrays."""
    if isinstance(value, Mapping):
        hint = "use pandas.DataFrame(predictions) if each is one configuration's"
    elif hasattr(value, "fit"):
        hint = (
            "bbc.correct_search takes a fitted search as it is, bbc.keep_predictions makes it keep "
            "what its models predict, and a protocol has oos_predictions_"
        )
    else:
        return
    raise InvalidTypeError(
        "predictions", f"must be an array, got {type(value).__name__}", hint=hint
    )


def refuse_swapped(y_true: Any, predictions: Any) -> None:
    """Refuse predictions in the place of the truth."""
    given: tuple[int, ...] = getattr(y_true, "shape", ())
    if len(given) == 2 and given[1] > 1 and getattr(predictions, "ndim", 0) == 1:
        raise InvalidValueError(
            "y_true",
            f"is 2-d, of shape {tuple(given)}, and predictions are 1-d, of shape "
            f"{tuple(predictions.shape)}: are they swapped?",
        )


def transposed(n_true: int, array: AnyArray) -> str:
    """What to do about another number of rows than the truth has."""
    return "use predictions.T" if array.ndim == 2 and array.shape[1] == n_true else ""


def refuse_splits(value: Any) -> None:
    """Refuse a splitter, its splits or their number in the place of the rows' folds."""
    splits = isinstance(value, list | tuple) and any(
        isinstance(one, tuple) and len(one) == 2 and hasattr(one[0], "__len__") for one in value
    )
    if splits or isinstance(value, Generator | int) or hasattr(value, "get_n_splits"):
        raise InvalidTypeError(
            "folds",
            "must be the number of the fold that each row was held out in, got "
            f"{type(value).__name__}",
            hint="with several (train, test) of cv.split(X), folds[test] = number for each",
        )
