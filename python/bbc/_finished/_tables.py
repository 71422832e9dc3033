"""Tables of scores by fold: one row per configuration, or one per configuration and fold."""

import re
from collections.abc import Iterable, Mapping
from numbers import Real
from os import PathLike, fspath
from typing import Any

import numpy as np

from .._design import Lost
from .._frozen import as_array
from .._names import configuration_name
from .._tables import Table, read
from .._typing import AnyArray, BoolArray, FloatArray
from .._validation import PARAMETERS, REPEAT, TRIMMED, fold_column, shown
from ..errors import ArgumentError, InvalidTypeError, InvalidValueError
from ._claim import Claim, Said, known_metric

_OVERLAPPING = re.compile(r"bootstrap|subsampling|insample|apparent", re.IGNORECASE)
#: Columns that tell configurations apart, the first that is there.
_NAMES = ("configuration", ".config", "uhash", "nr", "trial_id", "trial", "number", "model", "name")
_LEARNER = "learner_id"
#: Means in a table differ from those of its folds by what rounding to three decimals leaves.
_ROUNDED = 2e-3
#: What caret's summaries call scores that bbc does not know: of all columns that tell nothing
#: apart, these are the ones that are no parameters.
_SCORES = ("Mean_", "prAUC", "Balanced_Accuracy", "Detection_Rate")
#: Columns of a long table that hold the fold, and the partition.
_FOLDS = ("fold", "split", "Resample", "iteration")
_REPEATS = ("repeat", "rep")
#: What tools write of a trial that has one score: FLAML, AutoGluon, Optuna and Ray Tune.
_ONE_SCORE = ("validation_loss", "val_loss", "score_val", "value", "values_0")
_LACKING = (
    "one validation score per trial is the best of many, and nothing in it tells how much of it is "
    "luck: scores of every fold are needed, or out-of-fold predictions (bbc.Predictions)"
)


def claim_of_table(source: Any) -> Claim:
    """What a table keeps: a dict or frame like `cv_results_`, a CSV of it, or a long table."""
    data, text = _columns(source)
    data = _without_lists({_plain_name(name): values for name, values in data.items()})
    _refuse_unequal_columns(data)
    scores, n_repeats = _by_name(data)
    if scores:
        _refuse_other_means(data, scores)
        alive = _of_last_iteration(data)
        last = {} if alive is None else {"n_last_halving": int(alive.sum())}
        of_search = "split0_test_" in " ".join(data)
        failed = _failed(data)
        if failed:
            there = np.ones(len(data["state"]), np.bool_) if alive is None else alive
            alive = there & ~np.isin(np.arange(len(there)), failed)
        return Claim(
            "table",
            _names(data),
            _said(scores),
            told=_of_trials(data) | last,
            lost=[Lost("fit", None, place, "state FAIL") for place in failed],
            eligible=alive,
            n_repeats=n_repeats,
            form_negates=of_search,
        )
    if any(name in data for name in _FOLDS) or {".metric", ".estimate"} <= data.keys():
        return _of_long(data)
    raise _refuse_without_folds(list(data), text)


def _said(scores: Mapping[str, FloatArray]) -> dict[str, Said]:
    return {key: Said(key, by_fold, known_metric(key)) for key, by_fold in scores.items()}


def scores_by_key(results: Mapping[str, Any]) -> dict[str, FloatArray]:
    """Scores of `cv_results_` by name, of shape (n_splits, n_configurations)."""
    return _by_name(results, fewest=1)[0]


def has_fold_scores(names: Iterable[str]) -> bool:
    """True if columns are, by their names, scores of folds or a log of single scores."""
    listed = [str(name) for name in names]
    if {"model", "score_val"} <= set(listed):
        return True
    found = [fold_column(_plain_name(name)) for name in listed]
    return "params" in listed or sum(each is not None for each in found) > 1


def _columns(source: Any) -> tuple[dict[str, AnyArray], str]:
    """The columns of a source, and what it is called in messages."""
    if isinstance(source, Mapping):
        return {str(name): _array(values) for name, values in source.items()}, "table"
    if isinstance(source, str | PathLike):
        path = fspath(source)
        if path.endswith((".log", ".json", ".jsonl")):
            raise InvalidValueError("search", f": {path} is a log of trials; {_LACKING}")
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


def _without_lists(columns: dict[str, AnyArray]) -> dict[str, AnyArray]:
    """The columns, of which those with a list of numbers in each cell become a column per fold."""
    found: dict[str, AnyArray] = {}
    for name, values in columns.items():
        cells = values.tolist() if values.dtype.kind == "O" else []
        lists = [cell for cell in cells if isinstance(cell, list | tuple)]
        if (
            name.startswith(PARAMETERS)
            or not lists
            or not all(isinstance(each, Real) for cell in lists for each in cell)
        ):
            found[name] = values
            continue
        for fold in range(max(map(len, lists))):
            there = (isinstance(cell, list | tuple) and fold < len(cell) for cell in cells)
            found[f"fold{fold} {name}"] = np.array(
                [cell[fold] if one else np.nan for cell, one in zip(cells, there, strict=True)]
            )
    return found


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


def _plain_name(name: str) -> str:
    """A column's name without what Optuna puts before attributes."""
    return name.removeprefix("user_attrs_")


def _by_name(columns: Mapping[str, Any], fewest: int = 2) -> tuple[dict[str, FloatArray], int]:
    """Scores of wide columns by name, splits in order of partition and fold; and partitions."""
    places: dict[str, dict[tuple[int, int], str]] = {}
    of_text: dict[str, str] = {}
    for name in columns:
        found = fold_column(name)
        if found is None:
            continue
        if not _is_numeric(columns[name]):
            of_text.setdefault(found[0], name)
        elif found[1:] in places.setdefault(found[0], {}):
            other = places[found[0]][found[1:]]
            raise InvalidValueError("search", f": {other!r} and {name!r} are scores of one fold")
        else:
            places[found[0]][found[1:]] = name
    for key, name in of_text.items():
        if key in places:
            raise InvalidValueError(
                "search", f": column {name!r} holds text, where other folds of {key!r} hold numbers"
            )
    scores, n_repeats = {}, 1
    for key, by_place in places.items():
        splits = sorted(by_place)
        repeats = sorted({repeat for repeat, _ in splits})
        folds = sorted({fold for _, fold in splits})
        if len(splits) < fewest:
            continue
        whole = len(splits) == len(repeats) * len(folds)
        if not whole or folds[-1] - folds[0] + 1 != len(folds):
            raise InvalidValueError(
                "search",
                f": the folds of {key!r} have gaps: {shown([by_place[s] for s in splits])}",
            )
        n_repeats = len(repeats)
        scores[key] = np.stack([_numbers(columns[by_place[split]]) for split in splits])
    return scores, n_repeats


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
    """Names of configurations: of their parameters, or of the column that names them."""
    n = len(next(iter(columns.values())))
    params = columns.get("params")
    if params is not None and all(isinstance(each, Mapping) for each in params.tolist()):
        return tuple(configuration_name(each) for each in params.tolist())
    own = {
        name.removeprefix(prefix): values.tolist()
        for prefix in PARAMETERS
        for name, values in columns.items()
        if name.startswith(prefix)
    }
    if own:
        return tuple(
            ", ".join(f"{key}={_cell(own[key][row])}" for key in own if _is_there(own[key][row]))
            or "defaults"
            for row in range(n)
        )
    if params is not None:
        return tuple(map(str, params.tolist()))
    named = next((name for name in _NAMES if name in columns), None)
    if named is not None:
        return tuple(map(_cell, columns[named].tolist()))
    return tuple(f"configuration {row}" for row in range(n))


def _is_there(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and np.isnan(value))


def _cell(value: Any) -> str:
    """A cell as part of a name; numbers as in names of configurations."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else " ".join(repr(value).split())


def _of_trials(columns: Mapping[str, AnyArray]) -> dict[str, Any]:
    """Facts of a table of Optuna's trials, which chose each seeing scores."""
    if "state" not in columns or "number" not in columns:
        return {}
    return {"n_trials": len(columns["state"])}


def _failed(columns: Mapping[str, AnyArray]) -> list[int]:
    """Trials of Optuna that ended with an error, of a table that says so."""
    states = columns.get("state", np.array([])).tolist()
    return [place for place, one in enumerate(states) if str(one).rpartition(".")[2] == "FAIL"]


def _of_long(columns: Mapping[str, AnyArray]) -> Claim:
    """What a table keeps with one row per configuration and fold: of caret, mlr3 or tune."""
    repeats, folds = _long_places(columns)
    _refuse_shared_rows(columns, folds)
    splits = _splits_of(columns, repeats, folds)
    values = _values(columns, {folds, repeats})
    metric_column = columns.get(".metric")
    names = _long_names(columns, {folds, repeats, *values})
    configurations = list(dict.fromkeys(names))
    order = sorted(set(splits))
    row_of = {name: place for place, name in enumerate(configurations)}
    place_of = {split: place for place, split in enumerate(order)}
    scores: dict[str, FloatArray] = {}
    for key, cells in values.items():
        for row, cell in enumerate(cells.tolist()):
            name = key if metric_column is None else str(metric_column[row])
            table = scores.setdefault(name, np.full((len(order), len(configurations)), np.nan))
            place = place_of[splits[row]], row_of[names[row]]
            if not np.isnan(table[place]):
                raise InvalidValueError(
                    "search",
                    f": the table has two scores {name!r} of configuration {names[row]!r} in fold "
                    f"{splits[row][1]!r}: name the configurations in a column 'configuration'",
                )
            table[place] = np.nan if cell is None else float(cell)
    n_repeats = len({repeat for repeat, _ in order})
    if len(order) != n_repeats * len({fold for _, fold in order}):
        raise InvalidValueError("search", ": the partitions of the table have other folds")
    rounds = columns.get(".iter")  # of tune_bayes() and tune_sim_anneal()
    chosen = rounds is not None and _is_numeric(rounds) and bool((_numbers(rounds) > 0).any())
    told = {"n_searched": len(configurations)} if chosen else {}
    return Claim(
        "table",
        tuple(configurations),
        _said(scores),
        told=told,
        n_repeats=n_repeats,
    )


def _refuse_shared_rows(columns: Mapping[str, AnyArray], fold: str) -> None:
    """Refuse tables of several tasks, and of bootstraps and random splits, which share rows."""
    tasks = sorted(set(map(str, columns["task_id"].tolist()))) if "task_id" in columns else []
    if len(tasks) > 1:
        raise InvalidValueError(
            "search", f": the table has several tasks, give one at a time: {shown(tasks)}"
        )
    cells = [*map(str, columns[fold].tolist())]
    if "resampling_id" in columns:
        cells += map(str, columns["resampling_id"].tolist())
    found = next((cell for cell in cells if _OVERLAPPING.match(cell)), None)
    if found is None and fold == "Resample":  # caret's name of bootstraps and of random splits
        found = next((cell for cell in cells if cell.startswith("Resample")), None)
    if found is not None:
        raise InvalidValueError(
            "search",
            f": {found!r} is a bootstrap or a random split, which share rows, and BBC-F draws "
            f"folds that do not; if they are folds, call them so in column {fold!r}",
        )


def _long_places(columns: Mapping[str, AnyArray]) -> tuple[str, str]:
    """The columns that hold the partition ("" if there is none) and the fold."""
    if ".estimate" in columns and "id" in columns:  # of tune
        return ("id", "id2") if "id2" in columns else ("", "id")
    fold = next((name for name in _FOLDS if name in columns), "")
    if not fold:
        raise InvalidValueError(
            "search", f": the table has no column of folds: {shown(list(_FOLDS))}"
        )
    return next((name for name in _REPEATS if name in columns), ""), fold


def _splits_of(columns: Mapping[str, AnyArray], repeat: str, fold: str) -> list[tuple[str, str]]:
    """Partition and fold of each row; caret writes both in one cell, "Fold1.Rep2"."""
    if not all(map(_is_there, columns[fold].tolist())):
        raise InvalidValueError("search", f": column {fold!r} has cells without a fold")
    folds = [str(cell) for cell in columns[fold].tolist()]
    width = max(map(len, folds))
    if repeat:
        repeats = [str(cell) for cell in columns[repeat].tolist()]
        return [(one, other.zfill(width)) for one, other in zip(repeats, folds, strict=True)]
    found = []
    for cell in folds:
        number = REPEAT.search(cell)
        found.append(
            ("", cell.zfill(width))
            if number is None
            else (number[0], cell.replace(number[0], "").strip(TRIMMED).zfill(width))
        )
    return found


def _values(columns: Mapping[str, AnyArray], design: set[str]) -> dict[str, AnyArray]:
    """The columns of scores in a long table."""
    if ".estimate" in columns:
        return {".estimate": columns[".estimate"]}
    found = {
        name: values
        for name, values in columns.items()
        if name not in design
        and _is_numeric(values)
        and (known_metric(name) is not None or name in ("score", "value"))
    }
    if not found:
        raise InvalidValueError(
            "search",
            ": no column is called as a metric that bbc knows: call that of the scores 'score', "
            f"and say what it is by metric; there are {shown(list(columns))}",
        )
    return found


def _long_names(columns: Mapping[str, AnyArray], others: set[str]) -> list[str]:
    """The configuration of each row: by its column, or by all parameters."""
    learners = columns.get(_LEARNER)
    named = next((name for name in _NAMES if name in columns and name not in others), None)
    if named is not None:
        cells = [_cell(cell) for cell in columns[named].tolist()]
        if learners is None or named == "configuration":
            return cells
        return [f"{one} {other}" for one, other in zip(learners.tolist(), cells, strict=True)]
    if learners is not None:
        return [str(cell) for cell in learners.tolist()]
    parameters = {
        name: values.tolist()
        for name, values in columns.items()
        if name not in others and not name.startswith((".", *_SCORES))
    }
    n = len(next(iter(columns.values())))
    return [
        ", ".join(f"{name}={_cell(cells[row])}" for name, cells in parameters.items()) or "defaults"
        for row in range(n)
    ]


def _refuse_without_folds(names: list[str], source: str) -> InvalidValueError:
    """The error for a table without scores of folds."""
    single = next((name for name in _ONE_SCORE if name in names), None)
    mean = next((name for name in names if name.startswith("mean_test_")), None)
    if single or mean:
        return InvalidValueError("search", f": {source} has {single or mean!r} only; {_LACKING}")
    return InvalidValueError(
        "search",
        f": {source} has no scores of folds, such as columns split0_test_score, split1_test_score, "
        f"or a column fold: {shown(names)}",
    )


def refuse_automl(source: Any) -> None:
    """Refuse searches of AutoML that log one score per trial."""
    package = type(source).__module__.partition(".")[0]
    if package in ("flaml", "autogluon"):
        raise InvalidTypeError("search", f"is a {type(source).__name__} of {package}: {_LACKING}")
