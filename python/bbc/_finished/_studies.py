"""Finished Optuna studies: scores of folds that trials keep as attributes or reported."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from .._design import Lost
from .._names import configuration_name
from .._typing import FloatArray
from .._validation import fold_column
from ..errors import InvalidValueError
from ._claim import Claim, Said, known_metric

_BLIND = ("RandomSampler", "GridSampler", "BruteForceSampler", "QMCSampler")
_TO_KEEP = (
    "keep the score of each fold, trial.set_user_attr('fold_scores', scores), or "
    "trial.report(score, fold) of each fold's own score"
)


def claim_of_study(study: Any) -> Claim:
    """What a study says: values of its trials, and the scores of folds that they keep."""
    trials = [trial for trial in study.trials if trial.state.name in ("COMPLETE", "PRUNED")]
    complete = [trial.state.name == "COMPLETE" for trial in trials]
    if not any(complete):
        raise InvalidValueError("search", "has no completed trial")
    of_trials = [_lists(trial) for trial in trials]
    keys = dict.fromkeys(key for lists in of_trials for key in lists)
    single = len(study.directions) == 1
    rises = study.directions[0].name == "MAXIMIZE"
    values = np.array(
        [trial.values[0] if one else np.nan for trial, one in zip(trials, complete, strict=True)]
    )
    said: dict[str, Said] = {}
    for key in keys:
        table = _table([lists.get(key, []) for lists in of_trials])
        if np.isfinite(table).all(axis=0).any() and len(table) > 1:
            said[key] = Said(key, table, known_metric(key))
    if single:
        of_value = {key: replace(one, overall=values, rises=rises) for key, one in said.items()}
        means = [key for key, each in of_value.items() if each.is_of_folds]
        if "reported" in said and "reported" not in means:
            del said["reported"]  # running means, or losses of epochs
        said |= {key: of_value[key] for key in means}
        decides = next((key for key in means if key != "reported"), means[0] if means else "")
        if len(means) > 1 and "reported" in means:
            del said["reported"]  # the same, said twice
        if not decides and len(said) == 1:
            decides = next(iter(said))  # whose mean is not what the study compares
            said[decides] = of_value[decides]
    if not said:
        raise InvalidValueError(
            "search",
            f": no trial keeps scores of folds; {_TO_KEEP}",
            hint="a bbc.adapters.OptunaObjective has what it trained, objective.predictions(study)",
        )
    blind = type(study.sampler).__name__ in _BLIND
    n_pruned = len(trials) - sum(complete)
    numbers = [trial.number for trial in trials]
    return Claim(
        "study",
        tuple(configuration_name(trial.params) for trial in trials),
        said,
        decides=decides if single else "",
        chosen=numbers.index(study.best_trial.number) if single else None,
        eligible=np.array(complete),
        lost=failed_trials(study),
        told={"n_trials": None if blind else len(trials), "n_stopped": n_pruned or None},
    )


def failed_trials(study: Any) -> list[Lost]:
    """The fits that a study lost."""
    failed = (trial for trial in study.trials if trial.state.name == "FAIL")
    return [Lost("fit", None, None, f"trial {trial.number}") for trial in failed]


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
