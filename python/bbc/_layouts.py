"""Wide and long tables as predictions, and what was taken as what: see docs/howto_table.md."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._cells import parsed
from ._frozen import as_array, read_only
from ._names import again, without
from ._tables import Table, read
from ._typing import AnyArray, IndexArray
from ._validation import (
    MISSING,
    are_complements,
    copy_of,
    design_column,
    design_name,
    is_real,
    missing_objects,
    refuse_fold_scores,
    refuse_lines,
)
from .errors import Argument, InvalidTypeError, InvalidValueError
from .predictions import OF_ROWS, OutOfSamplePredictions

__all__ = ["Columns", "Taken", "long", "wide"]


class Taken(NamedTuple):
    """Predictions that were read from a table, and the role of each column.

    `decimal` is the decimal mark of the file's numbers, "" if they have none; `left_out` are
    columns.
    """

    predictions: OutOfSamplePredictions
    roles: Mapping[str, str]
    left_out: Sequence[str]
    decimal: str


class Columns(NamedTuple):
    """The roles of a table's columns, and the format of a text file, as in `from_wide`."""

    truth: str | Sequence[str]
    folds: str | None = None
    groups: str | None = None
    stratified_by: str | None = None
    sample_weight: str | None = None
    names: Collection[str] | None = None
    decimal: str | None = None
    header: bool | None = None
    na: str | Collection[str] | None = None

    @property
    def design(self) -> dict[str, str | None]:
        """The columns that describe the rows, by role."""
        return {role: getattr(self, role) for role in OF_ROWS}


def wide(
    table: Any, columns: Columns, *, ignore: Collection[str] = (), ranking: bool = True
) -> Taken:
    """As `from_wide`, and what was taken as what; `ranking` is that of `design_column`."""
    truth, folds, groups, stratified_by, sample_weight, names, decimal, header, na = columns
    _refuse_text(ignore=ignore, names=names)
    _refuse_decimal(decimal)
    data = read(table, header, na)
    truths = _listed(truth)
    roles = columns.design
    design = [name for name in roles.values() if name is not None]
    data.require(truth=truth, **roles, ignore=ignore, names=names)
    taken = [*truths, *design, *ignore]
    listed = without(data.columns, [*taken, *data.index]) if names is None else list(names)
    if not listed:
        raise ValueError(f"{data.source} has no column left that could be a configuration")
    _refuse_twice(listed, taken)
    data = _with_numbers(data, truths, [*listed, sample_weight], decimal)
    read_as = [data.values(name) for name in listed]
    y = _truth([data.values(name) for name in truths])
    if names is None:
        refuse_fold_scores(data.source, data.columns)
        scores = {
            name: column for name, column in zip(listed, read_as, strict=True) if is_real(column)
        }
        others = without(data.columns, [*truths, *design, *scores])
        refuse_lines(data.source, y, scores, others, data.column)
        _refuse_design(read_as, listed, data.source, ranking=ranking)
    _refuse_words(data, listed, read_as)
    _refuse_mixed(read_as, listed, data.source)
    values = np.stack(read_as, axis=1)
    _refuse_truth_and_complements(y, values, listed, data.source, are_listed=names is not None)
    predictions = _predictions(
        y,
        values[None],
        folds=None if folds is None else data.codes(folds)[0][None],
        groups=None if groups is None else data.keys(groups),
        stratified_by=None if stratified_by is None else data.keys(stratified_by),
        sample_weight=None if sample_weight is None else data.values(sample_weight),
        names=listed,
    )
    left_out = without(data.columns, [*truths, *design, *listed])
    return Taken(predictions, _named(truths, roles), left_out, data.decimal)


def truth_of(data: Table, column: str) -> AnyArray:
    """A column of numbers or labels without missing ones."""
    data.require(truth=column)
    return _with_numbers(data, [column], [], None).values(column)


def _with_numbers(
    data: Table, truths: Sequence[str], others: Sequence[str | None], decimal: str | None
) -> Table:
    """The table with one decimal mark; refused are classes that are missing."""
    for name in truths:
        column = data.column(name)
        gaps = data.gaps(name) if column.dtype.kind in "UO" else np.zeros(1, dtype=bool)
        if gaps.any():
            first = int(np.argmax(gaps))
            word = column[first]
            if not isinstance(word, str) or word == "":
                raise ValueError(
                    f"{data.source}: column {name!r} is empty in data row {first} (the first is 0)"
                )
            how = "say {}" if data.is_text else "give it another name"
            raise InvalidValueError(
                data.source,
                ": column {!r} is {!r} in {} rows, which stands for no value: leave these rows out "
                "or, if it is a class, " + how,
                name,
                str(word),
                int((column == word).sum()),
                *([_said(data.na, without=word)] if data.is_text else []),
            )
    numbers = [*truths, *(name for name in others if name is not None)]
    return data.with_numbers(numbers, decimal)


def _said(words: Collection[str], *, without: str = "") -> Argument:
    """How words are said to stand for no value; the usual ones need not be said."""
    listed = [] if words is MISSING else sorted({*words} - {"", without})
    return Argument("na", listed[0] if len(listed) == 1 else listed)


def _refuse_words(data: Table, names: Sequence[str], columns: Sequence[AnyArray]) -> None:
    """Refuse words among the numbers of a text file, which may stand for no value."""
    numeric = [column.dtype.kind in "biuf" for column in columns]
    for name, is_numeric in zip(names, numeric, strict=True):
        found = None if is_numeric else data.words_among_numbers(name)
        if found is None or not (any(numeric) or found[2]):  # whole numbers may be labels
            continue
        words, row, _ = found
        raise InvalidValueError(
            data.source,
            ": column {!r} has {!r} in data row {} (the first is 0), where others are numbers: if "
            "it stands for no value, say {}",
            name,
            str(data.column(name)[row]),
            row,
            _said({*words, *(() if data.na is MISSING else data.na)}),
        )


def _refuse_text(**collections: Collection[str] | None) -> None:
    for argument, value in collections.items():
        if value is not None and (isinstance(value, str) or not isinstance(value, Collection)):
            raise InvalidTypeError(
                argument, f"must be a collection of columns, such as [{value!r}]"
            )


def _refuse_decimal(decimal: str | None) -> None:
    if decimal not in (None, ".", ","):
        raise InvalidValueError("decimal", f"must be '.' or ',', got {decimal!r}")


def _refuse_twice(listed: Sequence[str], taken: Sequence[str]) -> None:
    """Refuse a configuration that is listed twice, or that is something else as well."""
    others = set(taken)
    for name in again([*others, *listed]):
        how = "twice" if name not in others else "and is named as something else"
        raise InvalidValueError("names", f": column {name!r} is listed {how}")


def _named(truths: Sequence[str], roles: Mapping[str, str | None]) -> dict[str, str]:
    """The columns that have a role."""
    named = {role: name for role, name in roles.items() if name is not None}
    return {"truth": " and ".join(truths)} | named


def long(
    table: Any,
    columns: Columns,
    *,
    row: str,
    configuration: str,
    prediction: str | Mapping[Any, str],
    repeat: str | None = None,
    ignore: Collection[str] = (),
) -> Taken:
    """As `from_long`, and what was taken as what."""
    truth, folds, groups, stratified_by, sample_weight, names, decimal, header, na = columns
    _refuse_text(ignore=ignore, names=names)
    _refuse_decimal(decimal)
    data = read(table, header, na)
    roles = {"row": row, "configuration": configuration, "repeat": repeat} | columns.design
    outputs = list(prediction.values()) if isinstance(prediction, Mapping) else [prediction]
    data.require(truth=truth, prediction=outputs, **roles)
    truths = _listed(truth)
    named = _named(truths, roles) | {"prediction": ", ".join(outputs)}
    used = [*truths, *outputs, *(name for name in roles.values() if name is not None)]
    left_out = without(data.columns, used)
    if names is not None or ignore:
        data = _lines_of(data, configuration, names, ignore)
    data = _with_numbers(data, truths, [*outputs, sample_weight], decimal)
    rows, row_keys = data.codes(row)
    configurations, configuration_names = data.codes(configuration)
    if names is None:
        _refuse_molten(configuration_names, data.source)
    repeats, n_repeats = np.zeros_like(rows), 1
    if repeat is not None:
        repeats, repeat_keys = data.codes(repeat)
        n_repeats = len(repeat_keys)
    shape = (n_repeats, len(row_keys), len(configuration_names))
    cells = np.ravel_multi_index((repeats, rows, configurations), shape)
    _refuse_twice_predicted(data, cells, used, row=row, configuration=configuration)

    def of_row(name: str, values: AnyArray) -> AnyArray:
        return values[_first_lines(data.source, name, values, rows, row_keys)]

    def known(name: str | None, read: Callable[[str], AnyArray]) -> AnyArray | None:
        return None if name is None else of_row(name, read(name))

    y = _truth([of_row(name, data.values(name)) for name in truths])
    values, classes = _outputs(data, prediction, y)
    fold_codes = None
    if folds is not None:
        places = np.ravel_multi_index((repeats, rows), shape[:2])
        keys = np.tile(row_keys, n_repeats)
        lines = _first_lines(data.source, folds, data.keys(folds), places, keys)
        fold_codes = np.where(lines < 0, -1, data.codes(folds)[0][lines]).reshape(shape[:2])
    predictions = _predictions(
        y,
        _filled(values, cells, shape),
        mask=_filled(np.ones(len(cells), np.bool_), cells, shape),
        folds=fold_codes,
        groups=known(groups, data.keys),
        stratified_by=known(stratified_by, data.keys),
        sample_weight=known(sample_weight, data.values),
        names=[str(name) for name in configuration_names],
        classes=classes,
    )
    return Taken(predictions, named, left_out, data.decimal)


def _lines_of(
    data: Table, configuration: str, names: Collection[str] | None, ignore: Collection[str]
) -> Table:
    """The lines of some configurations."""
    found = list(map(str, data.keys(configuration)))
    for argument, given in (("names", names or ()), ("ignore", ignore)):
        for name in without(given, found):
            raise InvalidValueError(argument, f": {data.source} has no configuration {name!r}")
    wanted = set(without(found if names is None else names, ignore))
    return data.rows(np.array([name in wanted for name in found], dtype=np.bool_))


def _refuse_twice_predicted(
    data: Table, cells: AnyArray, used: Sequence[str], *, row: str, configuration: str
) -> None:
    """Refuse a second line of the same place; `used` are the columns that are read."""
    order = np.argsort(cells, kind="stable")
    twice = np.flatnonzero(np.diff(cells[order]) == 0)
    if not twice.size:
        return
    first, second = order[twice[0]], order[twice[0] + 1]
    alike = all(data.keys(name)[first] == data.keys(name)[second] for name in used)
    what = "; name the column of the partitions as repeat, or leave one out"
    if alike:
        what = ", which are equal: leave one out (drop_duplicates() of a data frame)"
    raise ValueError(
        f"{data.source}: row {data.keys(row)[first]} has two predictions of configuration "
        f"{data.keys(configuration)[first]}, in data rows {first} and {second} (the first is 0)"
        f"{what}"
    )


def _first_lines(
    source: str, name: str, values: AnyArray, places: AnyArray, keys: AnyArray
) -> IndexArray:
    """The first line of each place (a row, or a row of a repeat), -1 where there is none.

    Refuses values that differ between lines of the same place. `keys` name the rows of the places.
    """
    first = np.full(len(keys), -1)
    first[places[::-1]] = np.arange(len(places))[::-1]  # the first line is written last
    expected = values[first[places]]
    differ = expected != values
    if values.dtype.kind == "f":
        differ &= ~(np.isnan(expected) & np.isnan(values))
    if differ.any():
        line = int(np.argmax(differ))
        raise ValueError(
            f"{source}: row {keys[places[line]]} has {name}={expected[line]} and "
            f"{name}={values[line]}"
        )
    return first


def _outputs(
    table: Table, prediction: str | Mapping[Any, str], y: AnyArray
) -> tuple[AnyArray, AnyArray | None]:
    """The predictions, and for class scores the classes in the order of the last axis."""
    if isinstance(prediction, str):
        values = table.values(prediction)
        _refuse_words(table, [prediction], [values])
        return values, None
    classes = as_array(list(prediction))
    if classes.dtype.kind == "U" and y.dtype.kind in "iuf":
        classes = parsed(classes)
    order = np.argsort(classes, kind="stable")
    names = list(prediction.values())
    columns = [table.values(names[index]) for index in order]
    ordered = [names[index] for index in order]
    _refuse_words(table, ordered, columns)
    _refuse_mixed(columns, ordered, table.source)
    return np.stack(columns, axis=1), classes[order]


def _filled(values: AnyArray, cells: AnyArray, shape: tuple[int, ...]) -> AnyArray:
    """An array of `shape` with the values in their cells, and missing ones elsewhere."""
    tail, kind = values.shape[1:], values.dtype.kind
    n_cells = int(np.prod(shape))
    dtype, missing = values.dtype, values.flat[0]
    if kind == "b":
        missing = False
    elif kind == "f":
        missing = np.nan
    elif len(cells) < n_cells:
        dtype, missing = (np.dtype(float), np.nan) if kind in "iu" else (np.dtype(object), None)
    filled = np.full((n_cells, *tail), missing, dtype)
    filled[cells] = values
    return filled.reshape(*shape, *tail)


def _predictions(
    y: AnyArray, values: AnyArray, *, mask: Any = None, **design: Any
) -> OutOfSamplePredictions:
    """Numbers are scores, whatever the metric reads; text is predicted labels."""
    values = read_only(values)
    if values.dtype.kind in "iuf":
        if mask is not None and mask.all():
            mask = None
        return OutOfSamplePredictions(y=y, scores=values, mask=mask, **design)
    if values.dtype.kind == "O":
        present = ~missing_objects(values)
        mask = present if mask is None else mask & present
    return OutOfSamplePredictions(y=y, labels=values, mask=mask, **design)


def _listed(truth: str | Sequence[str]) -> list[str]:
    if isinstance(truth, str):
        return [truth]
    if not hasattr(truth, "__len__") or len(truth) not in (1, 2):
        raise InvalidValueError("truth", f"must be one column or two (event, time), got {truth!r}")
    return list(truth)


def _truth(columns: list[AnyArray]) -> AnyArray:
    """One column as it is; event and time as one structured array."""
    if len(columns) == 1:
        return columns[0]
    event, time = columns
    truth = np.empty(len(event), dtype=[("event", event.dtype), ("time", np.float64)])
    truth["event"], truth["time"] = event, time
    return truth


def _refuse_mixed(columns: list[AnyArray], names: list[str], source: str) -> None:
    """Refuse text among numbers: a column that is no configuration after all."""
    numeric = [column.dtype.kind in "biuf" for column in columns]
    if any(numeric) and not all(numeric):
        name = names[numeric.index(False)]
        raise ValueError(
            f"{source}: column {name!r} is text and others are numbers; if it is no "
            "configuration, ignore it"
        )


def _refuse_design(
    columns: list[AnyArray], names: list[str], source: str, *, ranking: bool
) -> None:
    """Refuse a column that describes the rows among those taken as configurations."""
    found = design_column(names, columns, ranking=ranking)
    if found is not None:
        name, problem, argument = found
        arguments = [Argument(argument, name)] if argument else []
        name_it = "name it, {}, or " if argument else ""
        raise InvalidValueError(
            source,
            ": {}: " + name_it + "leave it out, {}",
            problem,
            *arguments,
            Argument("ignore", [name]),
            hint=("if it is one, list the configurations, {}", Argument("names", ...)),
        )


def _refuse_molten(names: AnyArray, source: str) -> None:
    """Refuse columns that described the rows before the table was made long."""
    found = design_name([str(name) for name in names])
    if found is not None:
        raise InvalidValueError(
            source,
            ": {}: leave out its lines, {}",
            found[1],
            Argument("ignore", [found[0]]),
            hint=("if it is one, list the configurations, {}", Argument("names", ...)),
        )


def _refuse_truth_and_complements(
    y: AnyArray, values: AnyArray, names: list[str], source: str, *, are_listed: bool
) -> None:
    """Refuse a copy of the truth, and one model's probabilities as two configurations."""
    same = copy_of(y, values.T)
    if same is not None:
        raise InvalidValueError(
            source,
            ": column {!r} is the truth itself: leave it out, {}",
            names[same],
            Argument("ignore", [names[same]]),
        )
    if not are_listed and are_complements(values):
        raise InvalidValueError(
            source,
            ": columns {!r} and {!r} sum to one in every row, as the probabilities of one model's "
            "two classes do: leave out that of the negative class, such as {}",
            *names,
            Argument("ignore", names[:1]),
        )
