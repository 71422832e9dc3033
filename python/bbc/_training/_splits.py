"""Rows of a run: target and inputs as passed to `fit`, and partitions, checked for leaks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import (
    BaseShuffleSplit,
    GroupKFold,
    KFold,
    LeavePGroupsOut,
    LeavePOut,
    StratifiedGroupKFold,
    StratifiedKFold,
    check_cv,
)
from sklearn.utils import indexable
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _num_samples, column_or_1d

from .. import _validation
from .._frozen import as_array
from .._rows import refuse_other_rows
from .._typing import AnyArray, IndexArray
from .._warn import warn
from ..errors import Argument, InvalidTypeError, InvalidValueError
from ._configurations import derived_seed

# What learners call the rows on which they decide when to stop.
_EVALUATED = {"eval_set", "X_val"}


def check_target(y: Any, classifier: bool) -> AnyArray:
    """Return the truth as a new array of one dimension, validated."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    try:
        array = as_array(y)
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
            hint=f"{_validation.ONE_OUTPUT_FITTED}; survival is "
            'np.rec.fromarrays([event, time], names=["event", "time"])',
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
        known = set(contents(X))
        for part in given if isinstance(given, list) else [given]:
            own = contents(part[0] if isinstance(part, tuple | list) else part)
            shared = sum(row in known for row in own)
            if shared:
                warn(
                    f"{shared} of {len(own)} rows of {name} are rows of X: where they are held "
                    "out, they decide when training stops, and their scores are too good; split "
                    "the training rows within the learner's fit"
                )


def contents(X: Any) -> list[Any]:
    """A value per row, equal for equal rows; empty if `X` is no table."""
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


@dataclass(frozen=True)
class Fold:
    """The rows that a fold's models train on, and those that they predict."""

    train: IndexArray
    test: IndexArray


@dataclass(frozen=True)
class Partition:
    """The folds of one repeat; no row is tested twice."""

    folds: tuple[Fold, ...]

    def fold_ids(self, n_rows: int) -> IndexArray:
        """Return the fold that tests each row, -1 where none does."""
        fold_ids = np.full(n_rows, -1, dtype=np.int64)
        for number, fold in enumerate(self.folds):
            fold_ids[fold.test] = number
        return fold_ids

    def is_complete(self, n_rows: int) -> bool:
        """True if every row is tested once and trained on in all other folds."""
        return all(len(fold.train) + len(fold.test) == n_rows for fold in self.folds) and (
            sum(len(fold.test) for fold in self.folds) == n_rows
        )


def make_partitions(
    cv: Any,
    X: Any,
    y: AnyArray,
    *,
    classifier: bool,
    n_partitions: int = 1,
    seed: int,
    split_params: Mapping[str, Any],
    fewest_folds: int = 2,
) -> tuple[Partition, ...]:
    """Return the partition of each repeat.

    The splitter is asked `n_partitions` times; one that repeats itself gives several each time.
    An int is scikit-learn's default splitter, as in GridSearchCV; further repeats shuffle.
    `fewest_folds` is the least number of folds that the protocol can work with.
    """
    groups = split_params.get("groups")
    n_rows = len(y)
    partitions: list[Partition] = []
    if cv is None or isinstance(cv, int | np.integer):
        n_folds = _feasible_folds(5 if cv is None else int(cv), y, groups, classifier, fewest_folds)
        stratified = classifier and _is_class_target(y)
        for repeat in range(n_partitions):
            splitter = _default_splitter(n_folds, stratified, groups is not None, repeat, seed)
            partitions += partitioned(splitter.split(X, y, groups), n_rows, groups)
        return tuple(partitions)
    splitter = check_cv(cv, y, classifier=classifier)
    refuse_overlapping(splitter)
    for repeat in range(n_partitions):
        splits = _for_repeat(splitter, repeat, seed).split(X, y, **split_params)
        partitions += repeats_of(splitter, splits, n_rows, groups)
    if n_partitions > 1 and not _differ(partitions):
        raise InvalidValueError(
            Argument("cv", splitter),
            f"gives the same folds each time, but {n_partitions} partitions are "
            "needed; pass a splitter that shuffles, or an int",
        )
    return tuple(partitions)


def folds_of(cv: Any, y: AnyArray, *, classifier: bool, grouped: bool) -> dict[str, Any]:
    """Fields of a `Design` for the folds that `make_partitions` draws."""
    if cv is None or isinstance(cv, int | np.integer):
        stratified = classifier and _is_class_target(y)
        splitter = _default_splitter(2, stratified, grouped, 0, 0)
    else:
        splitter = check_cv(cv, y, classifier=classifier)
    kind = type(splitter)
    if not kind.__module__.startswith("sklearn.") or kind.__name__.startswith("_"):
        return {"splitter": kind.__name__ if hasattr(cv, "split") else ""}
    name = kind.__name__
    if name.startswith("Repeated"):
        name = name.removeprefix("Repeated")  # the number of repeats is told apart
    return {"splitter": name, "stratified": "Stratified" in name, "grouped": "Group" in name}


def strata_of(cv: Any, y: AnyArray) -> AnyArray | None:
    """The bins of y within which a splitter draws, if it says them; None of a single one."""
    strata = cv.strata(y) if callable(getattr(cv, "strata", None)) else None
    return None if strata is None or len(np.unique(strata)) < 2 else np.asarray(strata)


def _is_class_target(y: AnyArray) -> bool:
    return y.dtype.names is None and type_of_target(y) in ("binary", "multiclass")


def _feasible_folds(
    n_folds: int, y: AnyArray, groups: AnyArray | None, classifier: bool, fewest: int
) -> int:
    """The number of folds, lowered to the rarest class (Tsamardinos et al. 2015, section 8.1)."""
    if n_folds < fewest:
        raise InvalidValueError(Argument("cv", n_folds), f": at least {fewest} folds are needed")
    if len(y) < n_folds:
        raise InvalidValueError(
            Argument("cv", n_folds), f": more folds than rows (n_samples={len(y)})"
        )
    if not classifier or not _is_class_target(y):
        return n_folds
    classes, codes = np.unique(y, return_inverse=True)
    if groups is None:
        counts, unit = np.bincount(codes), "row"
    else:
        counts = np.array([len(np.unique(groups[codes == c])) for c in range(len(classes))])
        unit = "group"
    rarest = int(counts.argmin())
    count = int(counts[rarest])
    if count >= n_folds:
        return n_folds
    shown = f"class {classes[rarest]!s} has {count} {unit}{'s' if count != 1 else ''}"
    if count < fewest:
        raise ValueError(
            f"cv={n_folds}: {shown}, but every fold must hold one, and at least {fewest} folds "
            "are needed"
        )
    warn(
        f"cv={n_folds}: {shown}, so the number of folds is lowered to {count}",
    )
    return count


def _default_splitter(n_folds: int, stratified: bool, grouped: bool, repeat: int, seed: int) -> Any:
    # The first repeat has the folds of GridSearchCV, for comparisons.
    of_groups = StratifiedGroupKFold if stratified else GroupKFold
    splitter: Any = of_groups if grouped else StratifiedKFold if stratified else KFold
    random_state = derived_seed(seed, "folds", repeat) if repeat > 0 else None
    return splitter(n_folds, shuffle=repeat > 0, random_state=random_state)


def _for_repeat(splitter: Any, repeat: int, seed: int) -> Any:
    """The splitter for one repeat, seeded by the run if its `random_state` is None."""
    if not hasattr(splitter, "random_state") or not getattr(splitter, "shuffle", True):
        return splitter
    random_state = splitter.random_state
    is_int = isinstance(random_state, int | np.integer)
    if random_state is not None and (repeat == 0 or not is_int):
        return splitter
    base = seed if random_state is None else int(random_state)
    seeded = clone(splitter, safe=False)
    seeded.random_state = derived_seed(base, "folds", repeat)
    return seeded


def refuse_overlapping(splitter: Any) -> None:
    """Refuse a splitter of scikit-learn that leaves out all sets of rows or groups of a size."""
    size, unit = 1, ""
    if isinstance(splitter, LeavePOut):
        size, unit = splitter.p, "row"
    elif isinstance(splitter, LeavePGroupsOut):
        size, unit = splitter.n_groups, "group"
    if size > 1:
        raise InvalidValueError(
            Argument("cv", splitter),
            f"tests every {unit} in many overlapping folds, which no correction takes apart",
            hint="use KFold or GroupKFold, or ShuffleSplit or GroupShuffleSplit, whose splits are "
            "repeats",
        )


def repeats_of(
    splitter: Any, splits: Iterable[tuple[Any, Any]], n_rows: int, groups: AnyArray | None = None
) -> list[Partition]:
    """Group a splitter's splits into repeats, before a model is trained.

    Hold-outs drawn one by one do not partition the rows: each is a repeat, even where they are
    disjoint.
    """
    alone = isinstance(splitter, BaseShuffleSplit)
    found = list(partitioned(splits, n_rows, groups, alone))
    tested = [each.fold_ids(n_rows) >= 0 for each in found]
    if any(len(each.folds) > 1 for each in found) and (np.diff(tested, axis=0) != 0).any():
        raise InvalidValueError(
            "cv",
            ": its folds overlap in no order of repeats: some repeats test rows that others do not",
            hint="use a splitter of scikit-learn that partitions the rows, such as KFold or "
            "RepeatedKFold, or one of hold-outs, such as ShuffleSplit",
        )
    return found


def partitioned(
    splits: Iterable[tuple[Any, Any]],
    n_rows: int,
    groups: AnyArray | None = None,
    alone: bool = False,
) -> Iterator[Partition]:
    """Group a splitter's folds into repeats: a new one starts when a row is tested again."""
    folds: list[Fold] = []
    tested = np.zeros(n_rows, dtype=bool)
    for number, (train, test) in enumerate(splits):
        fold = Fold(as_rows(train, n_rows), as_rows(test, n_rows))
        _check_fold(fold, number, n_rows, groups)
        if folds and (alone or tested[fold.test].any()):
            yield Partition(tuple(folds))
            folds, tested = [], np.zeros(n_rows, dtype=bool)
        tested[fold.test] = True
        folds.append(fold)
    if not folds:
        raise InvalidValueError("cv", "gives no folds")
    yield Partition(tuple(folds))


def as_rows(rows: Any, n_rows: int | None = None) -> IndexArray:
    """Row numbers, which a splitter may give as a mask."""
    array = np.asarray(rows)
    if array.dtype == bool:
        if n_rows is not None and array.shape != (n_rows,):
            raise InvalidValueError(
                "cv", f": a mask of rows has shape {array.shape}, there are {n_rows} rows"
            )
        array = np.flatnonzero(array)
    return array.astype(np.int64, copy=False)


def _check_fold(fold: Fold, number: int, n_rows: int, groups: AnyArray | None) -> None:
    for what, rows in (("train", fold.train), ("test", fold.test)):
        if rows.size == 0:
            raise InvalidValueError("cv", f": fold {number} has no {what} rows")
        if rows.min() < 0 or rows.max() >= n_rows:
            raise InvalidValueError(
                "cv", f": fold {number} names a {what} row outside 0 to {n_rows - 1}"
            )
    if len(np.unique(fold.test)) != len(fold.test):
        raise InvalidValueError("cv", f": fold {number} tests a row twice")
    both = np.intersect1d(fold.train, fold.test)
    if both.size:
        raise InvalidValueError(
            "cv",
            f": fold {number} tests rows that it trains on ({both.size}, the first is {both[0]})",
        )
    if groups is not None:
        spans = np.intersect1d(groups[fold.train], groups[fold.test])
        if spans.size:
            raise InvalidValueError(
                "groups",
                f": group {spans[0]!s} is on both sides of fold {number}; use a splitter "
                "that keeps groups together, such as sklearn.model_selection.GroupKFold",
            )


def _differ(partitions: list[Partition]) -> bool:
    first = partitions[0].folds
    return any(
        len(other.folds) != len(first)
        or any(
            not np.array_equal(np.sort(a.test), np.sort(b.test))
            for a, b in zip(first, other.folds, strict=True)
        )
        for other in partitions[1:]
    )


#: Distinct rows, and the share of them that occurs again: of fewer nothing is said.
_FEWEST, _SHARE = 20, 0.02
#: Shares of distinct rows that both halves of the columns, or one of them, tell apart.
_BOTH, _ONE = 0.9, 0.99
#: Rows whose inputs occur with another truth, relative to those that occur with the same.
_OTHERWISE = 0.05


def copies_across_folds(X: Any, y: AnyArray, partitions: Sequence[Partition]) -> int | None:
    """Return how many rows have copies outside their fold, of inputs and truth; None of no table.

    Rows can be equal by chance if values are few: then equal inputs have different truths, or half
    of the columns does not tell other rows apart. Of such rows it is 0, unless all occur equally
    often.
    """
    table = _table(X)
    if table is None:
        return None
    inputs = _digests(table)
    whole = 31 * inputs + _digests(y.reshape(len(y), -1))
    _, first, own, counts = np.unique(
        whole, return_index=True, return_inverse=True, return_counts=True
    )
    copied = counts[own] > 1
    if len(first) < _FEWEST or (counts > 1).mean() < _SHARE:
        return 0
    _, of_inputs, n_alike = np.unique(inputs, return_inverse=True, return_counts=True)
    otherwise = (n_alike[of_inputs] > 1) & ~copied
    if otherwise.sum() > _OTHERWISE * copied.sum():
        return 0
    if np.gcd.reduce(counts) == 1 and not _tells_apart(table[first]):
        return 0
    across = np.zeros(len(y), dtype=bool)
    for partition in partitions:
        fold = partition.fold_ids(len(y))
        lowest = np.full(len(first), len(partition.folds))
        highest = np.full(len(first), -1)
        np.minimum.at(lowest, own, fold)
        np.maximum.at(highest, own, fold)
        across |= (fold >= 0) & (lowest < highest)[own]
    return int(across.sum())


def _table(X: Any) -> Any:
    """Inputs whose rows and columns can be taken; None of texts and other objects."""
    if sparse.issparse(X):
        table = sparse.csr_array(X, copy=True)
        table.sum_duplicates()
        return table
    try:
        array = np.asarray(X)
    except (TypeError, ValueError):  # rows of unlike lengths, and what only its learner reads
        return None
    return array.reshape(len(array), -1) if array.ndim > 1 else None


def _digests(table: Any) -> IndexArray:
    """A number per row, equal for equal rows."""
    if sparse.issparse(table):
        parts = (slice(*ends) for ends in pairwise(table.indptr.tolist()))
        rows: Any = ((table.indices[at].tobytes(), table.data[at].tobytes()) for at in parts)
    else:
        rows = contents(table)
    return np.fromiter(map(hash, rows), np.int64, table.shape[0])


def _tells_apart(distinct: Any) -> bool:
    """Whether so much of the columns tells rows apart that chance makes no two of them equal."""
    n_rows, n_columns = distinct.shape
    if n_columns < 2:
        return False
    columns = np.arange(n_columns)
    # Neighbouring columns may be of one category, and the later ones derived from the earlier.
    for first in (columns < n_columns // 2, columns % 2 == 0):
        halves = (distinct[:, columns[half]] for half in (first, ~first))
        shares = sorted(len(np.unique(_digests(half))) / n_rows for half in halves)
        if shares[0] < _BOTH and shares[1] < _ONE:
            return False
    return True
