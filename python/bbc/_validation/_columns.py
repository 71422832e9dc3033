"""Columns that are no configuration: those that describe the rows, and those that are the truth."""

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np

from .._frozen import as_array
from .._typing import AnyArray, BoolArray, IndexArray
from .._warn import warn
from ..errors import InvalidTypeError, InvalidValueError
from ..metrics import Metric
from ._fold_scores import refuse_fold_scores
from ._lines import refuse_lines
from ._truth import Truth

# The rules of docs/howto_table.md. R's words are the same (a test compares them), and the page in
# the browser is built with these.
#: What a column that is no configuration is called, and the argument that takes it, if one does.
DESIGN_WORDS = {
    **dict.fromkeys(("fold", "folds"), "folds"),
    **dict.fromkeys(("group", "groups", "patient", "subject", "participant"), "groups"),
    **dict.fromkeys(("weight", "weights", "sample_weight"), "sample_weight"),
    **dict.fromkeys(("id", "row", "row_id", "rowid", "row_index", "rowindex"), ""),
    **dict.fromkeys(("index", "unnamed: 0", "repeat", "repeats"), ""),
}
TRUTH_WORDS = frozenset(
    ("y", "y_true", "target", "targets", "label", "labels", "truth", "outcome", "outcomes")
)
#: The last word of what identifies rows, such as patient_id; where not all columns end so.
IDENTIFIER_WORDS = frozenset(("id", "ids", "nr", "number", "index", "idx", "uuid", "guid"))
#: Rows from which on values that only rise, or leave no gap, are no coincidence.
FEWEST_IDENTIFIED = 20
#: What pandas calls an index that it writes as a column.
INDEX = re.compile(r"__index_level_\d+__|unnamed: \d+|level_\d+", re.IGNORECASE)
_WORD_ENDS = re.compile(r"(?<=[a-z])(?=[A-Z])|[ _.-]+")


def design_name(names: Sequence[str]) -> tuple[str, str, str] | None:
    """The first of these names that is no configuration's.

    The name, what is wrong with it, and the argument that takes such a column.
    """
    words = [_words(name) for name in names]
    identified = [len(own) > 1 and own[-1] in IDENTIFIER_WORDS for own in words]
    for name, own, identifies in zip(names, words, identified, strict=True):
        written = name.strip().lower()
        word = "_".join(own)
        if TRUTH_WORDS & {written, word}:
            return name, _problem(name, "be the truth", "by its name"), ""
        known = written if written in DESIGN_WORDS else word
        identifies = (identifies and not all(identified)) or bool(INDEX.fullmatch(written))
        if known in DESIGN_WORDS or identifies:
            why = _problem(name, "describe the rows", "by its name")
            return name, why, DESIGN_WORDS.get(known, "")
    return None


def _words(name: str) -> list[str]:
    """The words of a name, such as "patient" and "id" of patientID, Patient.Id and patient-id."""
    return [word.lower() for word in _WORD_ENDS.split(name) if word]


def design_column(
    names: Sequence[str], columns: Sequence[AnyArray] | AnyArray, *, ranking: bool = True
) -> tuple[str, str, str] | None:
    """The first of these columns that is no configuration by its name, else by its values.

    As `design_name`. `columns` are arrays of shape (n_rows,), or the rows of an array. Where the
    metric is a `ranking` one, or not known, 1 to n in any order are ranks.
    """
    found = design_name(names)
    if found is not None:
        return found
    for name, values in zip(names, columns, strict=True):
        why = numbering(values)
        if why and (_counts(values) or any(map(is_real, columns))):
            if ranking and _are_ranks(values):
                warn(f"column {name!r} holds 1 to {len(values)}, each once: it is taken as ranks")
                continue
            return name, _problem(name, "describe the rows", why), ""
    return None


def numbering(values: AnyArray) -> str:
    """In what way a column numbers the rows; empty if it does not.

    It does if it is 0, 1, 2, ... or 1, 2, 3, ...; or if it holds whole numbers, or text, that are
    all different and only rise, only fall, or are numbers without a gap. Two rows prove nothing of
    the former, and nineteen of the latter.
    """
    if values.dtype.kind == "f" and (len(values) == 0 or values[0] % 1 != 0):
        return ""  # as nearly all scores
    if _counts(values):
        return f"it numbers them from {values[0]:g} on"
    top = values[:FEWEST_IDENTIFIED]
    if len(top) < FEWEST_IDENTIFIED or not _all_differ(top):
        return ""
    text = values.dtype.kind in "UO"
    if not text and not (values.dtype.kind in "iuf" and (values == np.floor(values)).all()):
        return ""
    if text and not all(isinstance(value, str) for value in values.tolist()):
        return ""
    first, last = (str(end) if text else f"{end:.15g}" for end in (values[0], values[-1]))
    for order in (values, values[::-1]):
        if (order[1:] > order[:-1]).all():
            return f"it numbers them in order, from {first} to {last}"
    if text:
        return ""
    ordered = np.sort(values)
    if (ordered[1:] - ordered[:-1] == 1).all():
        return f"it numbers them without a gap, from {ordered[0]:.15g} to {ordered[-1]:.15g}"
    return ""


def _all_differ(top: AnyArray) -> bool:
    """Whether these few values, whole numbers or text, are all different."""
    if top.dtype.kind in "iuf" and not (top == np.floor(top)).all():
        return False
    return top.dtype.kind in "iufUO" and len(set(top.tolist())) == len(top)


def is_real(values: AnyArray) -> bool:
    """Whether there are numbers that are not whole."""
    if values.dtype.kind != "f":
        return False
    return bool((np.isfinite(values) & (values != np.floor(values))).any())


def _are_ranks(values: AnyArray) -> bool:
    """Whether these, which number the rows, are 1 to n, but not in order."""
    if values.dtype.kind not in "iuf" or _counts(values) or _counts(values[::-1]):
        return False
    return bool(values.min() == 1 and values.max() == len(values))


def _problem(name: str, what: str, why: str) -> str:
    return f"column {name!r} seems to {what} ({why}), not to be a configuration"


def _counts(values: AnyArray) -> bool:
    """Whether these are 0, 1, 2, ... or 1, 2, 3, ...; two rows prove nothing."""
    if values.dtype.kind not in "iuf" or len(values) < 3 or values[0] not in (0, 1):
        return False
    # The last row decides nearly always, without a look at the others.
    rows: IndexArray = np.arange(len(values))
    return bool(values[-1] == values[0] + rows[-1] and (values == values[0] + rows).all())


def copy_of(
    truth: AnyArray, columns: Sequence[AnyArray] | AnyArray, *, real: bool = False
) -> int | None:
    """Index of the first column that is the truth itself, if the truth is real numbers.

    Labels may be predicted without an error, real numbers may not. They are taken for real if they
    are not all whole or, where the metric reads them as such (`real`), if there are more than two.
    """
    if truth.dtype.kind not in "iuf" or len(truth) == 0:
        return None
    if (truth == np.floor(truth)).all() and not (real and len(np.unique(truth)) > 2):
        return None
    for index, column in enumerate(columns):
        if column.dtype.kind in "iuf" and column[0] == truth[0] and np.array_equal(column, truth):
            return index
    return None


def are_complements(array: AnyArray) -> bool:
    """Whether these are two columns of probabilities, not all 0 or 1, that sum to one by row."""
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind != "f":
        return False
    precision = np.sqrt(np.finfo(array.dtype).eps)
    if abs(array[0].sum() - 1) > precision:  # which is seldom so, and quickly seen
        return False
    there: BoolArray = ~np.isnan(array)
    known = array[there.any(axis=1)]
    return bool(
        np.array_equal(there[:, 0], there[:, 1])
        and ((known >= 0) & (known <= 1)).all()
        and (np.abs(known.sum(axis=1) - 1) <= precision).all()
        and not np.isin(known, (0, 1)).all()
    )


def refuse_complements(arrays: Sequence[AnyArray]) -> None:
    """Refuse the probabilities of one model's two classes in the place of two configurations."""
    if all(are_complements(array) for array in arrays):
        raise InvalidValueError(
            "predictions",
            ": the two columns sum to one in every row, as the probabilities of one model's two "
            "classes do: pass the column of the positive class, or a 3-d array of shape "
            "(n_rows, n_configurations, 2)",
            hint="if they are two configurations, list them in names= of bbc.correct",
        )


def refuse_other_columns(
    y_true: Any,
    truth: Truth,
    metric: Metric,
    columns: Sequence[str],
    arrays: Sequence[AnyArray],
    *,
    listed: bool,
) -> None:
    """Refuse a frame that holds the truth, or whose columns are not all configurations.

    `listed` says that the caller has listed the configurations, which are then as named.
    """
    own = getattr(y_true, "name", None)
    for array in arrays:
        if own is not None and str(own) in columns:
            values = array[:, columns.index(str(own))]
            if np.array_equal(values, as_array(y_true)):
                _refuse_truth(str(own))
        same = copy_of(truth.values, array.T, real=truth.real is not None)
        if same is not None:
            _refuse_truth(columns[same])
    found = None
    if not listed:
        array = arrays[0]
        plain = list(map(_plain, array.T)) if array.dtype.kind == "O" else array.T
        refuse_fold_scores("predictions", columns)
        _refuse_lines(dict(zip(columns, plain, strict=True)), truth)
        found = design_column(columns, plain, ranking=metric.family in ("ranking", "callable"))
    if found is not None:
        _, problem, argument = found
        pass_it = f"pass it as {argument}= and drop it" if argument else "drop it"
        raise InvalidValueError(
            "predictions",
            f": {problem}: {pass_it}",
            hint="if it is one, list all configurations in names= of bbc.correct",
        )


def _refuse_lines(columns: Mapping[str, AnyArray], truth: Truth) -> None:
    """Refuse a frame with a line per prediction."""
    scores = {name: column for name, column in columns.items() if is_real(column)}
    others = [name for name in columns if name not in scores]
    if others and len(columns[others[0]]) == len(truth.values):
        refuse_lines("predictions", truth.values, scores, others, columns.__getitem__)


def _plain(column: AnyArray) -> AnyArray:
    """A column of objects as text or numbers, where it is one of these."""
    values = column.tolist()
    if values and all(isinstance(value, str) for value in values):
        return as_array(values)
    if values and all(isinstance(value, int | float) for value in values):
        return as_array(values)
    return column


def _refuse_truth(column: str) -> None:
    raise InvalidValueError(
        "predictions", f"has the column {column!r}, which is the truth itself: drop it"
    )


def refuse_no_predictions(value: Any) -> None:
    """Refuse what holds predictions, or makes them, in another form than arrays."""
    if isinstance(value, Mapping):
        hint = "use pandas.DataFrame(predictions) if each is one configuration's"
    elif hasattr(value, "fit"):
        hint = (
            "bbc.correct takes a fitted search as it is, bbc.keep_predictions makes it keep "
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
    """A hint if predictions are transposed; empty if they are not."""
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
