"""Values as passed -> numbers, words and numpy arrays, or an error that names the argument."""

import math
import numbers
import os
import secrets
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from .._counts import integer as integer
from .._counts import told
from .._frozen import as_array
from .._typing import AnyArray, BoolArray, FloatArray
from ..errors import Argument, InvalidTypeError, InvalidValueError
from ..predictions import DESIGN

MAX_SEED = 2**53 - 1  # the largest that R's doubles hold with all smaller ones


def n_bootstraps(value: Any) -> int | None:
    """Number of replicates; None, if it depends on what else is asked."""
    return None if value is None else integer(value, "n_bootstraps", lowest=1)


def choice(value: Any, name: str, allowed: Iterable[str]) -> str:
    """One of the words that the argument takes."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        shown = " or ".join(repr(word) for word in words)
        raise InvalidValueError(name, f"must be {shown}, got {value!r}")
    return value


def flag(value: Any, name: str) -> bool:
    """A bool, so that strings do not count as True."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidTypeError(name, f"must be True or False, got {type(value).__name__} {value!r}")
    return bool(value)


def confidence_level(value: Any) -> float:
    """A level strictly between 0 and 1."""
    level = value if type(value) is float else _number(value, "confidence_level")
    if not 0 < level < 1:
        raise InvalidValueError(
            "confidence_level",
            f"must be between 0 and 1, got {level:g}",
            hint=f"write {level:g} % as {level / 100:g}" if 1 < level < 100 else "",
        )
    return level


def share(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    number = _number(value, name)
    if not 0 <= number <= 1:
        raise InvalidValueError(name, f"must be between 0 and 1, got {number:g}")
    return number


def positive(value: Any, name: str) -> float:
    """A finite number above 0."""
    number = _number(value, name)
    if not 0 < number < math.inf:
        raise InvalidValueError(name, f"must be above 0 and finite, got {number:g}")
    return number


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InvalidTypeError(name, f"must be a number, got {type(value).__name__}")
    return float(value)


def enough_replicates(level: float, alternative: str, n_bootstraps: int) -> None:
    """Refuse a level whose tail holds less than one replicate."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    # Rounded as the ranks of the interval are: 1 - 0.95 is not exactly 0.05.
    if round(tail * n_bootstraps, 9) < 1:
        needed = math.ceil((1 - 5e-10) / tail)
        raise InvalidValueError(
            Argument("confidence_level", level),
            "is too high for {}",
            Argument("n_bootstraps", n_bootstraps),
            hint=("use at least {}", Argument("n_bootstraps", needed)),
        )


def seed(random_state: Any) -> int:
    """The seed of all replicates, 0 to 2^53 - 1; drawn if `random_state` is None."""
    if type(random_state) is int and 0 <= random_state <= MAX_SEED:
        return random_state
    if random_state is None:
        return secrets.randbelow(MAX_SEED + 1)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, MAX_SEED, endpoint=True))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, MAX_SEED + 1, dtype=np.int64))
    if isinstance(random_state, bool) or not isinstance(random_state, numbers.Integral):
        raise InvalidTypeError(
            "random_state",
            f"must be None, an integer or a numpy Generator, got {type(random_state).__name__}",
        )
    given = int(random_state)
    if not 0 <= given <= MAX_SEED:
        raise InvalidValueError(
            "random_state", f"must be between 0 and 2**53 - 1, got {told(given)}"
        )
    return given


def n_threads(value: Any) -> int:
    """Number of threads; None means the processors that this process may use."""
    if value is None:
        return len(os.sched_getaffinity(0))
    return integer(value, "n_threads", lowest=1)


def names(value: Any, n_configurations: int) -> tuple[str, ...] | None:
    """Names of the configurations."""
    if value is None:
        return None
    if isinstance(value, str) or not hasattr(value, "__len__"):
        raise InvalidTypeError("names", f"must be a sequence of names, got {type(value).__name__}")
    if len(value) != n_configurations:
        raise InvalidValueError(
            "names", f"has {len(value)} entries for {n_configurations} configurations"
        )
    return tuple(map(str, value))


_MISSING_TYPES = ("NAType", "NaTType")
UNNAMED_CLASSES = (
    "{} of bbc.correct or bbc.Predictions names classes that have no rows",
    Argument("labels", ...),
)
_MANY = 10
_EXACT = 2**53  # up to it, whole numbers are float64s
#: Rows are numbered in 32 bits, and counted with their sign.
MOST = 2**31 - 1


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
            array = as_array(value)
        except ValueError:
            raise InvalidValueError(name, "has rows of different lengths") from None
    if array.size > MOST:
        refuse_size(array, name)
    kind = array.dtype.kind
    if kind == "c":
        raise InvalidTypeError(name, "has complex numbers")
    if kind in "mM":
        raise InvalidTypeError(name, f"has dates or times ({array.dtype})", hint="use numbers")
    if kind == "T":  # strings of any length, of which numpy takes no longest
        objects = array.astype(object)
        return objects if missing_objects(objects).any() else as_array(objects.tolist())
    if kind == "O":
        if array.ndim == 0:
            raise InvalidTypeError(name, f"must be an array, got {type(array.item()).__name__}")
        return _settled(array)
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    # The kernel reads whole words: not a field of a packed record, nor bytes from an odd place.
    return array if array.flags.aligned else array.copy()


def refuse_size(array: AnyArray, name: str) -> None:
    """Refuse more rows or columns than can be numbered, of an array of more than `MOST` values."""
    if max(array.shape) > MOST:
        raise InvalidValueError(
            name, f"has shape {array.shape}: an axis has at most {MOST} entries"
        )


def own_array(value: Any, name: str) -> AnyArray:
    """A copy of what is known of rows: classes, times, folds, groups.

    Another process may write to the caller's memory during the call, and masks and indices that
    numpy has checked it uses without another look.
    """
    return plain_array(value, name).copy()


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
    return np.fromiter(map(is_missing, array.flat), np.bool_, array.size).reshape(array.shape)


def is_missing(item: Any) -> bool:
    """Whether an object is None, NaN or pandas.NA."""
    return _is_missing_type(type(item)) or (isinstance(item, float) and math.isnan(item))


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
    texts = map(str, labels[:_MANY])
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


#: What scikit-learn and scipy call otherwise, or do otherwise.
_WORDS = {
    "scoring": "it is called metric=",
    "rng": "it is called random_state=",
    "n_resamples": "it is called n_bootstraps=",
    "cv": "it is called folds=, the fold in which each row was held out",
    "y_true": "it is called source, the first argument",
    "threshold": "selection=bbc.best_threshold() chooses one; of a fixed one give the labels, "
    "scores > threshold",
}


def refuse_argument(function: str, name: str) -> NoReturn:
    """Refuse an argument that a function does not have, with the word for it here."""
    hint = _WORDS.get(name, "")
    if name in DESIGN:
        hint = "say it in bbc.Predictions"
    raise InvalidTypeError(function, f"takes no argument {name!r}", hint=hint)
