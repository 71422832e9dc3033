"""Finished Optuna studies: scores of folds that trials keep as attributes or reported."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from .._names import configuration_name
from .._typing import FloatArray
from ..errors import InvalidValueError
from ._scores import Record
from ._tables import fold_column

_BLIND = ("RandomSampler", "GridSampler", "BruteForceSampler", "QMCSampler")
_TO_KEEP = (
    "keep the score of each fold, trial.set_user_attr('fold_scores', scores), or "
    "trial.report(score, fold) of each fold's own score"
)


def record_of_study(study: Any) -> Record:
    """What the trials of a study keep, pruned ones included."""
    trials = [trial for trial in study.trials if trial.state.name in ("COMPLETE", "PRUNED")]
    complete = [trial.state.name == "COMPLETE" for trial in trials]
    if not any(complete):
        raise InvalidValueError("search", "has no completed trial")
    of_trials = [_lists(trial) for trial in trials]
    keys = dict.fromkeys(key for lists in of_trials for key in lists)
    scores = {}
    for key in keys:
        table = _table([lists.get(key, []) for lists in of_trials])
        if np.isfinite(table).all(axis=0).any() and len(table) > 1:
            scores[key] = table
    single = len(study.directions) == 1
    values = np.array(
        [trial.values[0] if one else np.nan for trial, one in zip(trials, complete, strict=True)]
    )
    means = [key for key, table in scores.items() if single and _is_mean(table, values)]
    if "reported" in scores and "reported" not in means:
        del scores["reported"]  # running means, or losses of epochs
    if not scores:
        raise InvalidValueError("search", f": no trial keeps scores of folds; {_TO_KEEP}")
    decides = next((key for key in means if key != "reported"), means[0] if means else "")
    if len(means) > 1 and "reported" in means:
        del scores["reported"]  # the same, said twice
    blind = type(study.sampler).__name__ in _BLIND
    n_pruned = len(trials) - sum(complete)
    told = {"n_trials": None if blind else len(trials), "n_stopped": n_pruned or None}
    rises = dict.fromkeys(means, study.directions[0].name == "MAXIMIZE")
    return Record(
        tuple(configuration_name(trial.params) for trial in trials),
        scores,
        source="study",
        decides=decides,
        directions=rises,
        told=told,
        alive=np.array(complete),
    )


def _lists(trial: Any) -> dict[str, Sequence[float]]:
    """Numbers by fold that a trial keeps, by name."""
    found: dict[str, Any] = {}
    numbered: dict[str, dict[int, float]] = {}
    for name, value in trial.user_attrs.items():
        place = fold_column(name)
        if place is not None and isinstance(value, Real):
            numbered.setdefault(place[0], {})[place[2]] = float(value)
        elif isinstance(value, list | tuple) and value and all(isinstance(v, Real) for v in value):
            found[name] = list(map(float, value))
        elif isinstance(value, Mapping) and all(isinstance(v, Real) for v in value.values()):
            found[name] = list(map(float, value.values()))
    for key, by_fold in numbered.items():
        found[key] = [by_fold[fold] for fold in sorted(by_fold)]
    reported = trial.intermediate_values
    if reported:
        found["reported"] = [reported[step] for step in sorted(reported)]
    return found


def _table(lists: Sequence[Sequence[float]]) -> FloatArray:
    """Scores of shape (n_folds, n_trials), NaN after the fold that a trial was stopped in."""
    n_folds = max(map(len, lists))
    table = np.full((n_folds, len(lists)), np.nan)
    for column, values in enumerate(lists):
        table[: len(values), column] = values
    return table


def _is_mean(table: FloatArray, values: FloatArray) -> bool:
    """True if the values of completed trials are the means of these scores."""
    there = np.isfinite(values) & np.isfinite(table).all(axis=0)
    means = table[:, there].mean(axis=0)
    return bool(there.any() and np.allclose(means, values[there], rtol=1e-9, atol=1e-12))
