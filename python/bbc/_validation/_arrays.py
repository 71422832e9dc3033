"""Array-likes and frames -> numpy arrays, or an error that names the argument."""

import math
from typing import Any

import numpy as np

from .._typing import AnyArray, BoolArray, FloatArray
from ..errors import Argument, InvalidTypeError, InvalidValueError

_MISSING_TYPES = ("NAType", "NaTType")
UNNAMED_CLASSES = ("{} names classes that have no rows", Argument("labels", ...))
_MANY = 10
_EXACT = 2**53  # up to it, whole numbers are float64s
# Rows are numbered in 32 bits, and counted with their sign.
_MOST = 2**31 - 1


def plain_array(value: Any, name: str) -> AnyArray:
    """The array behind an array-like; refuses what numpy would convert silently and wrongly."""
    if type(value) is np.ndarray:
        array = value
    else:
        if isinstance(value, np.ma.MaskedArray):
            raise InvalidTypeError(
                name, "is a masked array", hint="fill it, with NaN for holes in predictions"
            )
        if hasattr(value, "toarray") and hasattr(value, "nnz"):
            raise InvalidTypeError(name, "is sparse", hint=("use {}.toarray()", Argument(name)))
        if value is None or isinstance(value, str | bytes | dict | set):
            raise InvalidTypeError(name, f"must be an array, got {type(value).__name__}")
        try:
            array = np.asarray(value)
        except ValueError:
            raise InvalidValueError(name, "has rows of different lengths") from None
    if array.size > _MOST and max(array.shape) > _MOST:
        raise InvalidValueError(
            name, f"has shape {array.shape}: an axis has at most {_MOST} entries"
        )
    kind = array.dtype.kind
    if kind == "c":
        raise InvalidTypeError(name, "has complex numbers")
    if kind in "mM":
        raise InvalidTypeError(name, f"has dates or times ({array.dtype})", hint="use numbers")
    if kind == "T":  # strings of any length, of which numpy takes no longest
        objects = array.astype(object)
        return objects if missing_objects(objects).any() else objects.astype(np.str_)
    if kind == "O":
        if array.ndim == 0:
            raise InvalidTypeError(name, f"must be an array, got {type(array.item()).__name__}")
        return _settled(array)
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    # The kernel reads whole words: not a field of a packed record, nor bytes from an odd place.
    return array if array.flags.aligned else array.copy()


def is_frame(value: Any) -> bool:
    """Whether this is a table with named columns (pandas, polars, pyarrow)."""
    if type(value) is np.ndarray:
        return False
    return hasattr(value, "columns") and (
        hasattr(value, "to_numpy") or hasattr(value, "column_names")
    )


def frame_array(frame: Any, name: str) -> tuple[AnyArray, tuple[str, ...]]:
    """The values of a frame of shape (n_rows, n_columns) and the names of its columns."""
    if hasattr(frame, "column_names"):  # pyarrow
        columns = [plain_array(column.to_numpy(), name) for column in frame.columns]
        empty = np.empty((frame.num_rows, 0))
        return np.column_stack(columns) if columns else empty, tuple(frame.column_names)
    return plain_array(frame.to_numpy(), name), tuple(str(column) for column in frame.columns)


def _settled(array: AnyArray) -> AnyArray:
    """Objects that are all bools or all numbers (or missing) as such; others unchanged."""
    kinds = {type(item) for item in array.flat}
    present = {kind for kind in kinds if not _is_missing_type(kind)}
    if present and all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return array.astype(np.bool_)
    real = (int, float, np.integer, np.floating)
    if not present or not all(issubclass(k, real) and k is not bool for k in present):
        return array
    if present == kinds and all(issubclass(kind, int | np.integer) for kind in kinds):
        try:
            return array.astype(np.int64)
        except OverflowError:
            return array
    filled = array.copy()
    filled[missing_objects(array)] = math.nan
    return filled.astype(np.float64)


def _is_missing_type(kind: type) -> bool:
    return kind is type(None) or kind.__name__ in _MISSING_TYPES


def missing_objects(array: AnyArray) -> BoolArray:
    """True where an object array has None, NaN or pandas.NA."""
    flags = (
        _is_missing_type(type(item)) or (isinstance(item, float) and math.isnan(item))
        for item in array.flat
    )
    return np.fromiter(flags, np.bool_, array.size).reshape(array.shape)


def refuse_missing(
    array: AnyArray, name: str, axes: tuple[str, ...] = ("row",), part: str = ""
) -> None:
    """Refuse NaN, None and infinity, in a `part` of the argument if it has several."""
    if array.dtype.kind == "O":
        missing, what = missing_objects(array), "missing"
    elif not all_finite(array):
        missing = ~np.isfinite(array)
        what = "NaN" if np.isnan(array[first_true(missing)]) else "infinite"
    else:
        return
    if missing.any():
        raise InvalidValueError(name, f"{part}is {what}", code="missing", **at(missing, axes))


def all_finite(array: AnyArray) -> bool:
    """Whether there is neither NaN nor infinity; one sum where that suffices."""
    if array.dtype.kind != "f":
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.add.reduce(array, axis=None)
    # A sum of finite numbers may overflow, so only a finite sum proves anything.
    return math.isfinite(total) or bool(np.isfinite(array).all())


def real_numbers(
    array: AnyArray, name: str, axes: tuple[str, ...], before: tuple[int, ...] = ()
) -> FloatArray:
    """Numbers as float64; refuses integers that it rounds, which would tie with others.

    `axes` and `before` are those of `at`.
    """
    numbers: FloatArray = array.astype(np.float64, copy=False)
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or array.size == 0:
        return numbers
    if max(abs(int(array.max())), abs(int(array.min()))) > _EXACT:
        whole = array.astype(object)
        rounded: BoolArray = (whole != numbers.astype(object)).astype(np.bool_)
        if rounded.any():
            place = first_true(rounded)
            raise InvalidValueError(
                name,
                f"is {whole[place]}, which float64 rounds to {numbers[place]:.0f}: integers beyond "
                "2^53 may tie",
                **at(rounded, axes, before),
            )
    return numbers


def shown(labels: Any) -> str:
    """Labels for a message, shortened."""
    texts = [str(label) for label in labels[:_MANY]]
    return ", ".join(texts) + (", ..." if len(labels) > _MANY else "")


def first_true(flags: BoolArray) -> tuple[int, ...]:
    """Index of the first True in C order."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(flags)), flags.shape))


def at(flags: BoolArray, axes: tuple[str, ...], before: tuple[int, ...] = ()) -> dict[str, Any]:
    """The place of the first True, and how many there are, as an error takes them.

    `axes` name the axes of a place, `before` has its indices in front of those of `flags`.
    """
    place = dict(zip(axes, (*before, *first_true(flags)), strict=False))
    return {"place": place, "count": int(np.count_nonzero(flags))}
