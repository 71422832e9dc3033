"""Families of configurations: by name, inside one search, or by a list of names."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .._typing import AnyArray, IndexArray
from .._validation import Problem, missing_objects, predictions_of
from ..errors import Argument, InvalidTypeError, InvalidValueError, arguments_called
from ..predictions import OutOfSamplePredictions

_BY_LEARNER = "learner"
_SAME = ("folds", "groups", "sample_weight")


class Family(NamedTuple):
    """A family: its name, its validated data, and its predictions as the caller passed them."""

    name: str
    problem: Problem
    predictions: Any


def collected(
    predictions: Any, families: Any, problem_of: Callable[[Any], Problem]
) -> list[Family]:
    """The families, whose rows, folds and units must be the same; `problem_of` validates."""
    if families is not None:
        found = _split(predictions, families, problem_of)
    elif isinstance(predictions, Mapping):
        found = list(_named(predictions, problem_of))
    else:
        raise InvalidTypeError(
            "predictions",
            "must be a dict from the names of families to their predictions, got "
            f"{type(predictions).__name__}",
            hint=(
                "{} splits a search over several learners, and a list with the family of each "
                "configuration splits other predictions",
                Argument("families", _BY_LEARNER),
            ),
        )
    if len(found) < 2:
        count = f"{len(found)} famil{'y' if len(found) == 1 else 'ies'}"
        raise InvalidValueError("predictions", f"has {count}, but a comparison needs two")
    for family in found:
        _check_same(found[0], family)
    return found


def _named(
    predictions: Mapping[Any, Any], problem_of: Callable[[Any], Problem]
) -> Iterator[Family]:
    for name, given in predictions.items():
        if not isinstance(name, str) or not name:
            raise InvalidTypeError("predictions", f"has a family named {name!r}, which is no text")
        with arguments_called(predictions=f"predictions[{name!r}]"):
            own = predictions_of(given)
            yield Family(name, problem_of(own), own)


def _split(predictions: Any, families: Any, problem_of: Callable[[Any], Problem]) -> list[Family]:
    """Families inside one matrix of configurations, in order of their first one."""
    if isinstance(predictions, Mapping):
        raise InvalidTypeError("families", "is for one set of predictions, not for a dict of them")
    own = predictions_of(predictions)
    if isinstance(families, str):
        if families != _BY_LEARNER:
            raise InvalidValueError(
                "families",
                f'must be "{_BY_LEARNER}" or a list with the family of each configuration, got '
                f"{families!r}",
            )
        families = _learners(predictions)
    whole = problem_of(own)
    names = _listed(families, whole.n_configurations_given)
    return [
        _part(name, whole, own, np.flatnonzero([each == name for each in names]))
        for name in dict.fromkeys(names)
    ]


def _learners(search: Any) -> list[str]:
    """The learner of each configuration whose predictions a search keeps."""
    configurations = getattr(search, "configurations_", ())
    kept = getattr(search, "oos_predictions_", None)
    learner_of = {each.name: each.estimator_name for each in configurations}
    if kept is None or not learner_of or "" in learner_of.values():
        raise InvalidValueError(
            Argument("families", _BY_LEARNER),
            "is for a fitted protocol of bbc, such as bbc.BBC, whose estimator is a dict",
        )
    return [learner_of[name] for name in kept.names]


def _listed(families: Any, n_configurations: int) -> list[str]:
    if np.ndim(families) != 1:
        raise InvalidTypeError("families", f"must be a list of names, got {families!r}")
    listed = [str(name) for name in families]
    nameless = np.flatnonzero(missing_objects(np.array(list(families), dtype=object)))
    if nameless.size:
        raise InvalidValueError("families", f"has no name for configuration {nameless[0]}")
    if len(listed) != n_configurations:
        raise InvalidValueError(
            "families", f"has {len(listed)} entries for {n_configurations} configurations"
        )
    return listed


def _part(name: str, whole: Problem, predictions: Any, chosen: IndexArray) -> Family:
    """The family of the `chosen` configurations."""
    kept = whole.kept_configurations
    stay = np.arange(whole.n_configurations_given) if kept is None else kept
    inside = np.isin(stay, chosen)
    if not inside.any():
        raise InvalidValueError(
            Argument("missing", "drop-configurations"), f"leaves none of family {name!r}"
        )
    places = np.searchsorted(chosen, stay[inside])
    problem = whole._replace(
        predictions=tuple(array[:, inside] for array in whole.predictions),
        names=None if whole.names is None else tuple(whole.names[index] for index in chosen),
        n_configurations_given=len(chosen),
        left_out_configurations=np.setdiff1d(np.arange(len(chosen)), places),
        kept_configurations=None if kept is None else places,
    )
    if isinstance(predictions, OutOfSamplePredictions):
        predictions = _of_configurations(predictions, chosen)
    return Family(name, problem, predictions)


def _of_configurations(own: OutOfSamplePredictions, chosen: IndexArray) -> OutOfSamplePredictions:
    parts: dict[str, Any] = {}
    for name in ("labels", "scores", "decisions", "mask"):
        array: AnyArray | None = getattr(own, name)
        parts[name] = None if array is None else array[:, :, chosen]
    for name in ("names", "response"):
        listed = getattr(own, name)
        parts[name] = None if listed is None else tuple(listed[index] for index in chosen)
    return replace(own, **parts)


def _check_same(first: Family, other: Family) -> None:
    """Refuse families whose replicates would not draw the same rows."""
    ours, theirs = first.problem, other.problem
    if not _equal(ours.left_out_rows, theirs.left_out_rows) or not _equal(ours.seen, theirs.seen):
        _refuse(first, other, "predictions of other rows than")
    for name in _SAME:
        if not _equal(getattr(ours, name), getattr(theirs, name)):
            _refuse(first, other, f"other {name} than")
    if ours.n_repeats != theirs.n_repeats:
        _refuse(first, other, f"{theirs.n_repeats} repeats, not the {ours.n_repeats} of")


def _equal(ours: AnyArray | None, theirs: AnyArray | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return np.array_equal(ours, theirs)


def _refuse(first: Family, other: Family, what: str) -> None:
    raise InvalidValueError(
        "predictions",
        f": family {other.name!r} has {what} family {first.name!r}",
        hint="families are compared on the same rows, folds, groups and weights",
    )
