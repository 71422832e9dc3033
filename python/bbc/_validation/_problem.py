"""Everything about the data of one correction, validated once and canonical from then on."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .._design import Design
from .._frozen import NO_INDICES, extent
from .._rows import has_time_index, refuse_other_rows, refuse_unordered_times
from .._typing import AnyArray, BoolArray, CodeArray, FloatArray, IndexArray
from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ..predictions import OF_ROWS, OutOfSamplePredictions
from ..selection import Rungs
from . import _design, _values
from ._columns import refuse_complements, refuse_other_columns, refuse_swapped, transposed
from ._design import given_by_row, with_censoring
from ._predictions import AXES, canonical, check_kind, holes, per_repeat
from ._truth import Truth, agreed, check_classes, positive_class, takes_one, truth
from ._values import at, plain_array, shown

_DROP_ROWS = Argument("missing", "drop-rows")
_DROP_CONFIGURATIONS = Argument("missing", "drop-configurations")
#: How a search that dropped configurations on the way is asked for.
BY_RUNGS = Argument("missing", "rungs")
_TO_DROP = (
    "other predictions of that row are there: leave out such configurations or rows, as {} does "
    "with {} or {}; a search that dropped configurations on the way it scores with {}",
    Argument("bbc.correct"),
    _DROP_CONFIGURATIONS,
    _DROP_ROWS,
    BY_RUNGS,
)
_MISSING = ("raise", "drop-rows", "drop-configurations")


class Problem(NamedTuple):
    """Canonical arrays; rows and configurations that were left out are gone from them.

    Attributes
    ----------
    truth : Truth
        The truth of the rows that stay.
    predictions : tuple of ndarray
        One array per repeat, of shape (n_rows, n_configurations[, n_classes]), any strides.
    label_values : ndarray of int64 or None
        For label predictions: the integer that stands for each code. Membership of integers
        other than these is checked by the kernel while it packs.
    seen : ndarray of bool of shape (n_repeats, n_rows), or None
        Which rows each repeat predicted; None if all did. Predictions of the others are some valid
        ones, not to be read.
    folds : ndarray of int32 of shape (n_repeats, n_rows), or None
        Codes in order of first row, -1 where the repeat did not predict the row.
    fold_labels : tuple of ndarray, or None
        Per repeat, the caller's value for each code.
    groups, stratified_by, strata : ndarray of int32 of shape (n_rows,), or None
        Codes in order of first row: of groups, of the labels within which folds were drawn, and of
        those within which rows are.
    sample_weight : ndarray of float64 of shape (n_rows,), or None
        Weights.
    names : tuple of str or None
        Names of all configurations, those left out included.
    n_rows_given, n_configurations_given : int
        Sizes before anything was left out.
    n_repeats : int
        Number of partitions.
    left_out_rows, left_out_configurations : ndarray of int64
        What was left out.
    kept_configurations : ndarray of int64 or None
        The caller's index of each configuration that stays; None if all do.
    predicted : ndarray of uint8 of shape (n_repeats, n_rows, n_configurations), or None
        For ``missing="rungs"``: which configuration predicted which row. Predictions that are not
        there are never read.
    rungs : ndarray of int32 of shape (n_repeats, n_rows), or None
        The number of each row's rung, where the caller gave it.
    choose_only : tuple of int
        Rungs whose rows choose but do not score.
    block_length : int
        Rows of the blocks that take the place of groups; 0 if there are none.
    time_indexed : bool
        Whether rows have an index of times in order.
    n_stopped : int or None
        Configurations left out that stopped one after the other, as a search drops them; None if
        there are no such.
    of_folds : Design or None
        Where rows are folds, whose predictions are their scores: what is known of the training.
    """

    truth: Truth
    predictions: tuple[AnyArray, ...]
    label_values: IndexArray | None = None
    seen: BoolArray | None = None
    folds: CodeArray | None = None
    fold_labels: tuple[AnyArray, ...] | None = None
    groups: CodeArray | None = None
    strata: CodeArray | None = None
    sample_weight: FloatArray | None = None
    names: tuple[str, ...] | None = None
    n_rows_given: int = 0
    n_configurations_given: int = 0
    n_repeats: int = 0
    left_out_rows: IndexArray = NO_INDICES
    left_out_configurations: IndexArray = NO_INDICES
    kept_configurations: IndexArray | None = None
    predicted: AnyArray | None = None
    rungs: CodeArray | None = None
    choose_only: tuple[int, ...] = ()
    n_stopped: int | None = None
    block_length: int = 0
    time_indexed: bool = False
    stratified_by: CodeArray | None = None
    of_folds: Design | None = None

    @property
    def n_rows(self) -> int:
        """Rows that stay."""
        return len(self.truth.values)

    @property
    def n_configurations(self) -> int:
        """Configurations that stay."""
        return int(self.predictions[0].shape[1])

    @property
    def n_units(self) -> int:
        """Rows that stay, or groups where there are groups."""
        return self.n_rows if self.groups is None else int(self.groups.max()) + 1

    @property
    def drawn_classes(self) -> CodeArray | None:
        """Codes of the classes within which folds were drawn; None if there are no classes."""
        return self.truth.class_codes() if self.stratified_by is None else self.stratified_by

    @property
    def n_folds(self) -> int:
        """Folds of the first repeat; 0 if they are not known."""
        if self.folds is None:
            return self.n_rows if self.of_folds else 0
        return int(self.folds[0].max()) + 1

    @property
    def fewest_folds(self) -> int:
        """The smallest number of folds of a repeat."""
        assert self.folds is not None
        return int(self.folds.max(axis=1).min()) + 1

    def among(self, tried: tuple[str, ...], places: IndexArray) -> "Problem":
        """The problem whose configurations are numbered among all that were tried."""
        kept = places if self.kept_configurations is None else places[self.kept_configurations]
        return self._replace(
            names=tried,
            n_configurations_given=len(tried),
            left_out_configurations=_others(kept, len(tried)),
            kept_configurations=kept,
        )

    def index_given(self, configuration: int) -> int:
        """The caller's number of one of the configurations that stay."""
        kept = self.kept_configurations
        return configuration if kept is None else int(kept[configuration])

    def called(self, configuration: int) -> str:
        """The caller's number of one of the configurations that stay, with its name."""
        place = self.index_given(configuration)
        plain = f"configuration {place}"
        name = plain if self.names is None else self.names[place]
        return plain if name in (plain, str(place)) else f"{plain} ({name})"

    def indices_given(self, configurations: IndexArray) -> IndexArray:
        """The caller's numbers of configurations that stay."""
        kept = self.kept_configurations
        return configurations if kept is None else kept[configurations]

    def of_all(self, values: Any, fill: float | bool = 0.0) -> Any:
        """Values of the configurations that stay, if any, with `fill` for the others."""
        if values is None or self.kept_configurations is None:
            return values
        of_all = np.full(self.n_configurations_given, fill)
        of_all[self.kept_configurations] = values
        return of_all

    def index_among_kept(self, configuration: int) -> int:
        """The place, among the configurations that stay, of one of the caller's."""
        if self.kept_configurations is None:
            return configuration
        return int(np.searchsorted(self.kept_configurations, configuration))

    def alone(self, configuration: int) -> "Problem":
        """The problem of one of the configurations that stay, under its number."""
        return self.of_column(
            [array[:, [configuration]] for array in self.predictions],
            self.index_given(configuration),
        )

    def of_column(self, columns: Sequence[AnyArray], configuration: int) -> "Problem":
        """The problem of these predictions, one column per repeat, with the caller's number."""
        return self._replace(
            predictions=tuple(columns), kept_configurations=np.array([configuration])
        )

    def parts(self, pooling: str) -> CodeArray | None:
        """The parts of each repeat over which a score is a mean: folds, or all rows seen.

        None stands for all rows together.
        """
        if pooling == "fold":
            return self.folds
        return None if self.seen is None else self.seen.astype(np.int32, order="C") - 1

    def of_rows(self, rows: IndexArray) -> "Problem":
        """The problem of some of the rows alone, with folds and groups numbered anew."""
        seen = None if self.seen is None else self.seen[:, rows]
        groups = None
        if self.groups is not None:
            groups = _design.codes_by_first_row(self.groups[rows], "groups")[0]
        folds = labels = None
        if self.folds is not None and self.fold_labels is not None:
            folds, found = _design.fold_codes(self.folds[:, rows])
            labels = tuple(
                names[codes] for names, codes in zip(self.fold_labels, found, strict=True)
            )
        return self._replace(
            truth=self.truth.take(rows),
            predictions=tuple(array[rows] for array in self.predictions),
            seen=None if seen is None or seen.all() else seen,
            folds=folds,
            fold_labels=labels,
            groups=groups,
            strata=None if self.strata is None else self.strata[rows],
            stratified_by=None if self.stratified_by is None else self.stratified_by[rows],
            sample_weight=None if self.sample_weight is None else self.sample_weight[rows],
            n_rows_given=len(rows),
            left_out_rows=NO_INDICES,
        )


class Needs(NamedTuple):
    """What a method requires of data.

    `folds_needed_by` is the argument that makes folds necessary, for the message;
    `every_fold_scored` says that each fold's own score is used, so that none may be undefined,
    `by_fold` that scores of a fold are compared with each other only, and `stratify` that draws are
    made within classes. `rungs` says how a search that dropped configurations is scored.
    """

    folds_needed_by: str | Argument = ""
    every_fold_scored: bool = False
    by_fold: bool = False
    stratify: Any = False
    rungs: Rungs | None = None

    def check(self, folds: Any) -> None:
        """Refuse that there are no folds, if they are needed."""
        if folds is None and self.folds_needed_by:
            raise InvalidValueError("folds", "is needed by {}", self.folds_needed_by)


#: Nothing but rows.
PLAIN = Needs()


class Data(NamedTuple):
    """Truth, predictions and what is known of the rows and classes, as they were passed.

    `classes` are those of which OutOfSamplePredictions have scores, `mask` what they predicted.
    Blocks of `block_length` rows take the place of groups; 0 if there are none.
    """

    y_true: Any
    predictions: Any = None
    folds: Any = None
    groups: Any = None
    sample_weight: Any = None
    pos_label: Any = None
    labels: Any = None
    missing: Any = "raise"
    names: Any = None
    classes: Any = None
    mask: BoolArray | None = None
    block_length: int = 0
    stratified_by: Any = None

    @property
    def by_row(self) -> dict[str, Any]:
        """What is said of the rows, by argument."""
        return {name: getattr(self, name) for name in OF_ROWS}

    def check_rows(self, metric: Metric) -> None:
        """Refuse arguments that name the same rows differently."""
        given = {"y_true": self.y_true, "predictions": self.predictions}
        refuse_other_rows(**given, **self.by_row, **given_by_row(metric))


def problem(data: Data, metric: Metric, needs: Needs = PLAIN, n_threads: int = 1) -> Problem:
    """Validate data for a metric; OutOfSamplePredictions bring their own design."""
    if isinstance(data.predictions, OutOfSamplePredictions):
        return _of_own_design(data, metric, needs, n_threads)
    arrays_only = type(data.y_true) is type(data.predictions) is np.ndarray  # which name no rows
    time_indexed = not arrays_only and has_time_index(data.y_true, data.predictions)
    allowed = _MISSING if needs.rungs is None else ("rungs",)
    if type(data.missing) is not str or data.missing not in allowed:
        _values.choice(data.missing, "missing", _MISSING)
    if metric.target != "survival" and getattr(data.predictions, "ndim", 0) == 1:
        refuse_swapped(data.y_true, data.predictions)
    arrays, columns = per_repeat(data.predictions)
    n_rows, n_configurations = arrays[0].shape[:2]
    target = truth(data.y_true, metric, data.pos_label, data.labels, data.classes)
    plain = data.folds is data.groups is data.stratified_by is data.sample_weight is None
    plain = plain and not (metric.censoring or data.block_length)
    if not (plain and arrays_only):
        data.check_rows(metric)
    names = data.names
    if columns is not None:
        listed = names is not None
        refuse_other_columns(data.y_true, target, metric, columns, arrays, listed=listed)
    if names is None:
        if n_configurations == 2:
            refuse_complements(arrays)
        names = columns
    if len(target.values) != n_rows:
        _refuse_other_length(target, arrays[0])
    check_kind(arrays, metric, target, columns)
    if target.by_category and arrays[0].ndim == 2:
        target = target._replace(by_category=False)
    if needs is not PLAIN:
        needs.check(data.folds)
    whole = data.mask is None and all(array.dtype.kind in "biu" for array in arrays)
    extents = [None if whole else extent(array, n_threads) for array in arrays]
    gone = None if whole else holes(arrays, data.mask, extents)
    arrays, label_values = canonical(arrays, gone, metric, target, extents, n_threads)
    rows = kept = seen = None
    if gone is not None:
        rows, kept, seen = _kept(gone, data.missing, declared=data.mask is not None)
        arrays, target = _without_holes(arrays, target, rows, kept, seen)
    found = Problem(
        truth=target,
        predictions=tuple(arrays),
        label_values=label_values,
        seen=seen,
        names=None if names is None else _values.names(names, n_configurations),
        n_rows_given=n_rows,
        n_configurations_given=n_configurations,
        n_repeats=len(arrays),
        left_out_rows=NO_INDICES if rows is None else _others(rows, n_rows),
        left_out_configurations=NO_INDICES if kept is None else _others(kept, n_configurations),
        kept_configurations=kept,
        n_stopped=None if gone is None else _n_stopped(gone, data.missing, data.folds),
        time_indexed=time_indexed,
    )
    if needs.rungs is not None:
        found = _by_rungs(found, gone, rows, needs.rungs)
    if metric.needs_classes:
        check_classes(target, metric)
    return found if plain and not needs.stratify else _with_design(found, data, metric, needs, rows)


def _of_own_design(data: Data, metric: Metric, needs: Needs, n_threads: int) -> Problem:
    own = data.predictions
    read = _of_predictions(own, metric, data, needs.by_fold)
    _refuse_other_truth(own.y, data.y_true)
    found = problem(read, metric, needs, n_threads)
    if own.tried is None or own.places is None or data.names is not None:
        return found
    return found.among(own.tried, own.places)


def in_blocks(given: Problem, block_length: int) -> Problem:
    """The problem whose units are blocks of neighbouring rows."""
    n_rows = given.n_rows_given
    rows = np.delete(np.arange(n_rows), given.left_out_rows)
    grouped = _design.groups(np.arange(n_rows) // block_length, n_rows, rows)
    return given._replace(groups=grouped[0], block_length=block_length)


def _refuse_beside_blocks(groups: Any, stratify: Any) -> None:
    """Refuse groups, and draws within classes, where blocks of neighbouring rows are drawn."""
    blocks = Argument("block_length")
    if groups is not None:
        raise InvalidValueError("groups", "are units of their own: give groups, or {}", blocks)
    if stratify:
        raise InvalidValueError(
            Argument("stratify_bootstrap", True),
            "draws within classes, and neighbouring rows are of several: it is not for {}",
            blocks,
        )


def _by_rungs(
    given: Problem, gone: list[BoolArray] | None, rows: IndexArray | None, rungs: Rungs
) -> Problem:
    """The problem with what was predicted, and the rungs that were given, of the rows that stay."""
    n_rows, n_repeats = given.n_rows_given, given.n_repeats
    predicted = np.ones((n_repeats, n_rows, given.n_configurations_given), np.uint8)
    if gone is not None:
        predicted -= np.stack(gone)
    of_row, choose_only = _design.rungs(rungs, n_rows, n_repeats)
    if rows is not None:
        predicted, of_row = predicted[:, rows], None if of_row is None else of_row[:, rows]
    return given._replace(predicted=predicted, rungs=of_row, choose_only=choose_only)


def _n_stopped(gone: list[BoolArray], missing: str, folds: Any) -> int | None:
    """How many configurations stopped one after the other between folds: two or more, or None."""
    if missing == "rungs" or len(gone) > 1:
        return None
    predicted = ~gone[0].all(axis=1)
    have = ~gone[0][predicted]
    sets, of_row = np.unique(have, axis=0, return_inverse=True)
    ordered = sets[np.argsort(-sets.sum(axis=1), kind="stable")]
    n_stopped = int(np.count_nonzero(have.any(axis=0) & ~have.all(axis=0)))
    if n_stopped < 2 or not (ordered[1:] <= ordered[:-1]).all():
        return None
    if folds is not None:
        of_fold = plain_array(folds, "folds").reshape(-1)[predicted].tolist()
        if len(set(zip(of_fold, of_row.ravel().tolist(), strict=True))) > len(set(of_fold)):
            return None
    return n_stopped


def _refuse_other_length(target: Truth, predictions: AnyArray) -> None:
    """Refuse a truth that has more or fewer rows than the predictions."""
    n_truths = len(target.values)
    unlike = f"has {n_truths} rows, predictions have {len(predictions)}"
    raise InvalidValueError("y_true", unlike, hint=transposed(n_truths, predictions))


def _refuse_other_truth(own: AnyArray, y_true: Any) -> None:
    """Refuse predictions that were made for other values; other shapes are refused elsewhere."""
    ours, given = _columns(own), _columns(y_true)
    real = ours.dtype.kind in "biuf" and given.dtype.kind in "biuf"
    if ours.shape == given.shape and not np.array_equal(ours, given, equal_nan=real):
        raise InvalidValueError(
            "predictions", "were made for another truth than {}", Argument("y_true")
        )


def _columns(y_true: Any) -> AnyArray:
    """A truth as an array; pairs of event and time, which may be structured, as two columns."""
    array = plain_array(y_true, "y_true")
    names = array.dtype.names
    return array if names is None else np.column_stack([array[name] for name in names])


def _with_design(
    given: Problem,
    data: Data,
    metric: Metric,
    needs: Needs,
    rows: IndexArray | None = None,
    n_repeats: int | None = None,
) -> Problem:
    """The problem with folds, groups, strata and weights, of which `rows` stay."""
    target, n_rows = given.truth, given.n_rows_given
    folds = labels = grouped = weights = None
    if data.block_length:
        _refuse_beside_blocks(data.groups, needs.stratify)
        refuse_unordered_times(y_true=data.y_true, predictions=data.predictions)
        if data.block_length >= n_rows:
            named = Argument("block_length", data.block_length)
            raise InvalidValueError(named, f"makes one block of all {n_rows} rows")
        grouped = _design.groups(np.arange(n_rows) // data.block_length, n_rows, rows)
    elif data.groups is not None:
        grouped = _design.groups(data.groups, n_rows, rows)
    if data.folds is not None:
        n_repeats = n_repeats or given.n_repeats
        folds, labels = _design.folds(data.folds, n_repeats, n_rows, rows, given.seen)
        if needs.every_fold_scored:
            _design.check_fold_classes(folds, labels, target, metric)
    strata = stratified_by = None
    if data.stratified_by is not None:
        stratified_by = _design.stratified_by(data.stratified_by, n_rows, rows)
    if needs.stratify and _values.flag(needs.stratify, "stratify_bootstrap"):
        strata = _design.strata(target, stratified_by, grouped)
    if data.sample_weight is not None:
        weights = _design.sample_weight(data.sample_weight, n_rows, rows)
    if metric.censoring:
        target = with_censoring(target, metric, weights, n_rows, rows)
    return given._replace(
        truth=target,
        folds=folds,
        fold_labels=labels,
        groups=None if grouped is None else grouped[0],
        block_length=data.block_length,
        strata=strata,
        stratified_by=stratified_by,
        sample_weight=weights,
    )


def _of_predictions(
    own: OutOfSamplePredictions, metric: Metric, given: Data, by_fold: bool
) -> Data:
    """The arrays that a metric reads, and what the predictions know where it is not `given`."""
    wanted = own.read_by(metric, by_fold=by_fold)
    unsaid = [name for name in (*OF_ROWS, "names") if getattr(given, name) is None]
    data = given._replace(
        mask=None if own.is_complete else own.mask,
        **{name: getattr(own, name) for name in unsaid},
    )
    if metric.has_classes:
        data = data._replace(classes=own.classes)
        if own.classes is None or len(own.classes) == 2:
            said = agreed(metric, given.pos_label)
            data = data._replace(pos_label=_positive(own, metric, said, wanted))
        if wanted.ndim == 4 and own.classes is not None:
            _refuse_other_sequence(own.classes, given.labels)
    if metric.function is not None and wanted.ndim == 4 and wanted.shape[3] == 2:
        # As scikit-learn's scorers, functions get the scores of one of two classes.
        wanted = wanted[..., _column_of(own, data.pos_label)]
    return data._replace(predictions=list(wanted))


def _column_of(own: OutOfSamplePredictions, pos_label: Any) -> int:
    """The place of the positive class on the last axis of scores."""
    if pos_label is None or own.classes is None:
        return 1
    return 0 if own.classes.tolist()[0] == pos_label else 1


def _positive(own: OutOfSamplePredictions, metric: Metric, said: Any, read: AnyArray) -> Any:
    """The positive class: what is said, or what the predictions know, whose scores are of one."""
    said = own.pos_label if said is None else said
    scored = own.scored_class
    if read is own.labels or read.ndim != 3 or scored is None:
        return said
    wanted = 1 if said is None and takes_one(metric) and np.any(own.y == 1) else said
    if wanted is not None and wanted != scored:
        raise InvalidValueError(
            "pos_label" if said is None else Argument("pos_label", said),
            f": predictions are scores of class {scored!s}"
            + (f", metric {metric.name!r} takes 1 for positive" if said is None else ""),
            hint=("{}", Argument("pos_label", scored)) if said is None else "",
        )
    return positive_class(metric, said, scored)


def _refuse_other_sequence(classes: AnyArray, labels: Any) -> None:
    """Refuse labels in another order than the class scores that predictions name."""
    if labels is not None and list(labels) != classes.tolist():
        raise InvalidValueError(
            "labels",
            f"has the order {shown(list(labels))}, but predictions have class scores of "
            f"{shown(classes)}",
        )


def _kept(
    gone: list[BoolArray], missing: str, *, declared: bool
) -> tuple[IndexArray | None, IndexArray | None, BoolArray | None]:
    """Rows and configurations that stay, and which rows each repeat predicted; None for all.

    Where it is `declared`, by a mask, a repeat may leave out rows that others predicted.
    """
    seen: BoolArray = ~np.stack([np.all(one, axis=1) for one in gone])
    predicted: BoolArray = np.any(seen, axis=0)
    if not predicted.any():
        raise InvalidValueError("predictions", "are missing in every row", code="missing")
    if not declared:
        seen = np.broadcast_to(predicted, seen.shape)
    partial = np.stack(gone) & seen[:, :, None]
    configurations = None
    if partial.any() and missing != "rungs":
        if missing == "raise":
            raise InvalidValueError(
                "predictions", "are missing", code="missing", **at(partial, AXES), hint=_TO_DROP
            )
        if missing == "drop-rows":
            predicted = predicted & ~np.any(partial, axis=(0, 2))
            if not predicted.any():
                raise InvalidValueError(_DROP_ROWS, "leaves no rows")
        else:
            configurations = np.flatnonzero(~partial.any(axis=(0, 1)))
            if configurations.size == 0:
                raise InvalidValueError(_DROP_CONFIGURATIONS, "leaves no configurations")
    seen = seen[:, predicted]
    empty = np.flatnonzero(~seen.any(axis=1))
    if empty.size:
        raise InvalidValueError(
            "predictions", f"are missing in every row of repeat {empty[0]}", code="missing"
        )
    rows = None if predicted.all() else np.flatnonzero(predicted)
    return rows, configurations, None if seen.all() else seen


def _without_holes(
    arrays: list[AnyArray],
    target: Truth,
    rows: IndexArray | None,
    kept: IndexArray | None,
    seen: BoolArray | None,
) -> tuple[list[AnyArray], Truth]:
    """Predictions and truth of what stays."""
    if rows is not None:
        arrays, target = [array[rows] for array in arrays], target.take(rows)
    if kept is not None:
        arrays = [array[:, kept] for array in arrays]
    if seen is not None:
        arrays = [_filled(array, own) for array, own in zip(arrays, seen, strict=True)]
    return arrays, target


def _filled(array: AnyArray, seen: BoolArray) -> AnyArray:
    """Rows that a repeat did not predict hold the predictions of one that it did."""
    if seen.all():
        return array
    filled = array.copy()
    filled[~seen] = array[int(np.argmax(seen))]
    return filled


def _others(kept: IndexArray, count: int) -> IndexArray:
    out = np.ones(count, np.bool_)
    out[kept] = False
    return np.flatnonzero(out)


def without_predictions(data: Data, metric: Metric, needs: Needs = PLAIN) -> Problem:
    """Everything of a problem but its predictions, names and numbers of configurations."""
    data = data._replace(predictions=None)
    target = truth(data.y_true, metric, data.pos_label, data.labels, data.classes)
    data.check_rows(metric)
    needs.check(data.folds)
    n_repeats = 1
    if data.folds is not None:
        array = plain_array(data.folds, "folds")
        data = data._replace(folds=array)
        n_repeats = len(array) if array.ndim > 1 else 1
    check_classes(target, metric)
    found = Problem(target, (), target.integer_labels, n_rows_given=len(target.values))
    return _with_design(found, data, metric, needs, n_repeats=n_repeats)


def block(
    predictions: Any, problem: Problem, metric: Metric, y_true: Any, *, listed: bool
) -> list[AnyArray]:
    """One block of configurations in canonical form, one array per repeat.

    `y_true` is what the caller passed; `listed` says that the caller names the configurations.
    """
    arrays, columns = per_repeat(predictions)
    if columns is not None:
        refuse_other_columns(y_true, problem.truth, metric, columns, arrays, listed=listed)
    n_rows = problem.n_rows_given
    if len(arrays[0]) != n_rows:
        raise InvalidValueError("y_true", f"has {n_rows} rows, predictions have {len(arrays[0])}")
    if problem.folds is not None and len(problem.folds) != len(arrays):
        raise InvalidValueError(
            "folds", f"has {len(problem.folds)} repeats, predictions have {len(arrays)}"
        )
    check_kind(arrays, metric, problem.truth, columns)
    extents = [None] * len(arrays)
    gone = holes(arrays, None, extents)
    if gone is not None:
        raise InvalidValueError(
            "predictions",
            "are missing",
            code="missing",
            **at(np.stack(gone), AXES),
            hint="a stream takes complete predictions",
        )
    arrays, label_values = canonical(arrays, None, metric, problem.truth, extents, 1)
    ours = problem.label_values
    if label_values is not None and ours is not None and not np.array_equal(label_values, ours):
        # Codes of labels that came as objects, as the integers that other blocks use.
        arrays = [ours[codes] for codes in arrays]
    return arrays
