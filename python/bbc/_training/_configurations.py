"""From estimators and grids, samplers, lists or a study to the configurations of a run."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.ma import MaskedArray
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid, ParameterSampler

from .._names import configuration_name
from .._warn import warn
from ..errors import InvalidTypeError, InvalidValueError


@dataclass(frozen=True)
class Configuration:
    """One pipeline with fixed hyper-parameters: number `index` of the run.

    `estimator_name` is its name in the dict of estimators, empty for a single estimator; `params`
    are the hyper-parameters that the grid sets on the unfitted `estimator`.
    """

    index: int
    name: str
    estimator_name: str
    params: dict[str, Any]
    estimator: Any

    def build(self) -> Any:
        """Return a fresh, unfitted estimator of this configuration."""
        # Parameters are cloned as well: they may be estimators, and two fits share nothing.
        return clone(self.estimator).set_params(**clone(self.params, safe=False))


def named_estimators(estimator: Any) -> dict[str, Any]:
    """Return the estimators by name; a single one has the empty name."""
    if not isinstance(estimator, Mapping):
        _check_estimator(estimator, "estimator")
        return {"": estimator}
    if not estimator:
        raise InvalidValueError("estimator", ": the dict of estimators is empty")
    for name, learner in estimator.items():
        if not isinstance(name, str) or not name:
            raise InvalidTypeError("estimator", f": names must be non-empty strings, got {name!r}")
        _check_estimator(learner, f"estimator[{name!r}]")
    return dict(estimator)


def make_configurations(
    estimator: Any, param_grid: Any, n_iter: int | None, seed: int
) -> tuple[Configuration, ...]:
    """Return all configurations, in the order of the estimators and of scikit-learn's grids."""
    estimators = named_estimators(estimator)
    grids = _named_grids(estimators, param_grid)
    configurations: list[Configuration] = []
    for name, learner in estimators.items():
        copy = clone(learner)  # the caller may change theirs
        for params in _settings(grids.get(name), name, n_iter, seed):
            shown = name or ("" if params else type(learner).__name__)
            settings = clone(dict(params), safe=False)
            configurations.append(
                Configuration(
                    len(configurations), configuration_name(params, shown), name, settings, copy
                )
            )
    if not configurations:
        raise InvalidValueError("param_grid", ": there is no configuration")
    _check_settable(configurations)
    return tuple(configurations)


def is_dynamic(estimator: Any, param_grid: Any) -> bool:
    """Return whether configurations were chosen given the scores of others."""
    return any(map(_is_study, _named_grids(named_estimators(estimator), param_grid).values()))


def parameter_columns(configurations: Sequence[Configuration]) -> dict[str, MaskedArray[Any, Any]]:
    """Return scikit-learn's ``param_*`` columns of ``cv_results_``."""
    names = dict.fromkeys(key for each in configurations for key in each.params)
    columns = {}
    for name in names:
        column = MaskedArray(np.empty(len(configurations), dtype=object), mask=True)
        for position, configuration in enumerate(configurations):
            if name in configuration.params:
                column[position] = configuration.params[name]
        columns[f"param_{name}"] = _narrowed(column)
    return columns


def _narrowed(column: MaskedArray[Any, Any]) -> MaskedArray[Any, Any]:
    """The column with a number type, if all of its values are numbers of one kind."""
    try:
        values = np.array(column.compressed().tolist())
    except ValueError:  # sequences of different lengths
        return column
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        return column
    narrow = MaskedArray(np.zeros(len(column), dtype=values.dtype), mask=True)
    narrow[~np.ma.getmaskarray(column)] = values
    return narrow


def _check_estimator(estimator: Any, place: str) -> None:
    if isinstance(estimator, type):
        name = estimator.__name__
        raise InvalidTypeError(
            place, f"must be an estimator, not its class {name}: pass {name}(...)"
        )
    if not hasattr(estimator, "fit"):
        raise InvalidTypeError(place, f"must be an estimator with a fit method, got {estimator!r}")


def _named_grids(estimators: dict[str, Any], param_grid: Any) -> dict[str, Any]:
    if param_grid is None:
        return {}
    if "" in estimators:
        return {"": param_grid}
    if not isinstance(param_grid, Mapping):
        raise InvalidTypeError(
            "param_grid",
            ": with a dict of estimators, give a dict from their names to grids, got "
            f"{type(param_grid).__name__}",
        )
    unknown = [name for name in param_grid if name not in estimators]
    if unknown:
        raise InvalidValueError(
            "param_grid",
            f": {unknown[0]!r} is not the name of an estimator (they are {', '.join(estimators)})",
        )
    return dict(param_grid)


def _settings(grid: Any, name: str, n_iter: int | None, seed: int) -> Iterator[Mapping[str, Any]]:
    """The hyper-parameters of each configuration of one estimator."""
    place = f"param_grid[{name!r}]" if name else "param_grid"
    if grid is None or (isinstance(grid, Mapping) and not grid):
        yield {}
    elif _is_study(grid):
        yield from _study_settings(grid, place)
    elif isinstance(grid, ParameterGrid | ParameterSampler) or _is_explicit(grid):
        yield from grid
    elif isinstance(grid, str) or not isinstance(grid, Mapping | Sequence):
        raise InvalidTypeError(
            place,
            f"must be a dict, a list of dicts, a sampler or a study, got {type(grid).__name__}",
        )
    elif n_iter is not None:
        yield from _drawn(grid, place, n_iter, seed)
    else:
        _refuse_distributions(grid, place)
        yield from ParameterGrid(grid)


def _drawn(grid: Any, place: str, n_iter: int, seed: int) -> list[Mapping[str, Any]]:
    """The settings that scikit-learn draws; a warning in our words if a grid has fewer."""
    # The seed is reduced: scikit-learn's generators take 32 bits.
    sampler = ParameterSampler(grid, n_iter, random_state=seed % 2**32)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The total space of parameters", UserWarning)
        settings = list(sampler)
    if len(settings) < n_iter:
        warn(
            f"{place} has {len(settings)} configurations, fewer than n_iter={n_iter}: all are "
            "trained, as without n_iter",
            UserWarning,
        )
    return settings


def _is_explicit(grid: Any) -> bool:
    """Whether a list gives configurations one by one: dicts of single values, not of choices."""
    if isinstance(grid, Mapping | str) or not isinstance(grid, Sequence):
        return False
    if not all(isinstance(point, Mapping) for point in grid):
        raise InvalidTypeError("param_grid", ": a list must hold dicts of hyper-parameters")
    return any(grid) and not any(_is_choice(value) for point in grid for value in point.values())


def _is_choice(value: Any) -> bool:
    return hasattr(value, "rvs") or (
        isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)
    )


def _refuse_distributions(grid: Any, place: str) -> None:
    for part in [grid] if isinstance(grid, Mapping) else grid:
        for key, value in part.items() if isinstance(part, Mapping) else ():
            if hasattr(value, "rvs"):
                raise ValueError(
                    f"{place}: {key!r} is a distribution; pass n_iter, the number of "
                    "configurations to draw"
                )


def _is_study(grid: Any) -> bool:
    return type(grid).__module__.split(".")[0] == "optuna" and hasattr(grid, "trials")


def _study_settings(study: Any, place: str) -> Iterator[Mapping[str, Any]]:
    """The distinct settings that a study evaluated, in the order of the trials."""
    settings: dict[tuple[tuple[str, Any], ...], Mapping[str, Any]] = {}
    for trial in study.trials:
        if trial.state.name == "COMPLETE":
            settings.setdefault(tuple(sorted(trial.params.items())), trial.params)
    if not settings:
        raise ValueError(f"{place}: the study has no completed trial")
    yield from settings.values()


def _check_settable(configurations: Sequence[Configuration]) -> None:
    """Refuse a grid with a parameter that its estimator lacks, before any fit."""
    checked: set[tuple[str, ...]] = set()
    for each in configurations:
        key = (each.estimator_name, *each.params)
        if key not in checked:
            checked.add(key)
            each.build()
