"""Configurations of a run: from estimators and grids, with their seeds and their metadata."""

import hashlib
import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
from numpy.ma import MaskedArray
from sklearn.base import clone
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names
from sklearn.model_selection import GroupKFold, ParameterGrid, ParameterSampler
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils._metadata_requests import _routing_enabled
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from .._names import configuration_name
from .._typing import IndexArray
from .._warn import warn
from ..errors import InvalidTypeError, InvalidValueError
from ..metrics._resolve import is_scorer


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
        check_estimator(estimator, "estimator")
        return {"": estimator}
    if not estimator:
        raise InvalidValueError("estimator", ": the dict of estimators is empty")
    for name, learner in estimator.items():
        if not isinstance(name, str) or not name:
            raise InvalidTypeError("estimator", f": names must be non-empty strings, got {name!r}")
        check_estimator(learner, f"estimator[{name!r}]")
    return dict(estimator)


def method_of(model: Any, name: str) -> Any:
    """A method of X, or an attribute; of a pipeline also its last step's, behind the others.

    Scikit-learn's pipelines pass on only what scikit-learn itself calls.
    """
    last = model.steps[-1][1] if isinstance(model, Pipeline) else None
    if hasattr(model, name) or not hasattr(last, name):
        return getattr(model, name)
    before = model[:-1]
    return lambda X: getattr(last, name)(before.transform(X) if before.steps else X)


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
    check_settable(configurations)
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


def check_estimator(estimator: Any, place: str) -> None:
    """Refuse what is no unfitted estimator; `place` names it."""
    if isinstance(estimator, type):
        name = estimator.__name__
        raise InvalidTypeError(
            place, f"must be an estimator, not its class {name}: pass {name}(...)"
        )
    if not hasattr(estimator, "fit"):
        raise InvalidTypeError(place, f"must be an estimator with a fit method, got {estimator!r}")


#: What boosters call the rounds without a better score that end their training.
ROUNDS = ("early_stopping_rounds", "early_stopping_round")
_ROWS_TO_STOP_BY = ("eval_set", "eval_X")


def refuse_stopping(
    estimators: Mapping[str, Any], place: str, params: Collection[str] = ()
) -> None:
    """Refuse a booster that stops early, and is told no rows to stop by among what `fit` takes.

    Those that are held out must not be: their predictions would no longer be out of sample.
    """
    if any(name.rpartition("__")[2] in _ROWS_TO_STOP_BY for name in params):
        return
    for called, estimator in estimators.items():
        model = estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator
        known = model.get_params(deep=False) if hasattr(model, "get_params") else {}
        rounds = next((name for name in ROUNDS if known.get(name)), None)
        if rounds is None or "eval_set" not in signature(model.fit).parameters:
            continue
        raise InvalidValueError(
            f"{place}[{called!r}]" if called else place,
            f": {type(model).__name__} with {rounds}={known[rounds]} needs rows to stop by, and "
            "the held-out fold must not be these, because it scores the model",
            hint="bbc.EarlyStopping(estimator) takes them from the training rows of each fit",
        )


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
    """True if a list gives configurations one by one: dicts of single values, not of choices."""
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
    pruned = [trial for trial in study.trials if trial.state.name == "PRUNED"]
    others = {tuple(sorted(trial.params.items())) for trial in pruned} - settings.keys()
    if others:
        warn(
            f"{place}: {len(others)} of {len(others) + len(settings)} settings are left out, whose "
            "trials the study pruned; the estimate is of a search among the others"
        )
    yield from settings.values()


def check_settable(configurations: Sequence[Configuration]) -> None:
    """Refuse a grid with a parameter that its estimator lacks, before any fit."""
    checked: set[tuple[str, ...]] = set()
    for each in configurations:
        key = (each.estimator_name, *each.params)
        if key not in checked:
            checked.add(key)
            each.build()


#: Changes with the seeds of learners: a store compares it, so that no run mixes two rules.
RULE = "2: one seed per configuration"
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def derived_seed(seed: int, *purpose: object) -> int:
    """Return a seed of 31 bits that depends on the run's seed and the purpose only."""
    text = repr((seed, *purpose)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "little") >> 1


def rows_digest(rows: IndexArray) -> str:
    """Return a digest of a set of rows, independent of their order."""
    return _digest(np.sort(rows).astype("<i8").tobytes())


def configuration_digests(configurations: Sequence[Configuration]) -> list[str]:
    """Return for each configuration a digest of its learner's name and its hyper-parameters.

    It does not depend on the rest of the grid, so a grid can grow. Configurations with the same
    description are told apart by their order.
    """
    n_equal: Counter[str] = Counter()
    digests = []
    for each in configurations:
        text = _description((each.estimator_name, each.params))
        digests.append(_digest(f"{text}, occurrence {n_equal[text]}".encode(errors="replace")))
        n_equal[text] += 1
    return digests


def seed_estimator(estimator: Any, seed: int, luck: str) -> Any:
    """Set every `random_state` of the estimator that is None.

    The seed depends on the run's seed, on `luck`, and on the parameter's name: fits with the same
    `luck`, such as those of a configuration, get the same seeds.
    """
    params = estimator.get_params(deep=True)
    unset = sorted(
        key
        for key, value in params.items()
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    )
    if unset:
        estimator.set_params(**{key: derived_seed(seed, luck, key) for key in unset})
    return estimator


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _description(value: Any) -> str:
    """Describe a value by its content, equally in all processes and versions of Python.

    Different values may have the same description, such as two functions of the same name.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        items = (f"{_description(key)}: {_description(item)}" for key, item in value.items())
        return f"{{{', '.join(sorted(items))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_description, value))}]"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_description, value)))}}}"
    if isinstance(value, partial):
        return f"partial{_description([value.func, value.args, value.keywords])}"
    if hasattr(value, "get_params") and not isinstance(value, type):
        return f"{type(value).__name__}{_description(value.get_params(deep=False))}"
    return _ADDRESS.sub("", repr(value))


@dataclass(frozen=True)
class Routed:
    """Metadata by receiver; `fit` by the name of the estimator."""

    fit: dict[str, dict[str, Any]] = field(default_factory=dict)
    split: dict[str, Any] = field(default_factory=dict)
    score: dict[str, Any] = field(default_factory=dict)


def make_router(owner: Any) -> MetadataRouter:
    """Return scikit-learn's description of the metadata that each receiver requests."""
    router = MetadataRouter(owner=owner)
    for name, learner in named_estimators(owner.estimator).items():
        router.add(
            **{_receiver(name): learner},
            method_mapping=MethodMapping().add(caller="fit", callee="fit"),
        )
    for number, scorer in enumerate(_scorers(owner)):
        router.add(
            **{f"scorer_{number}": scorer},
            method_mapping=MethodMapping().add(caller="fit", callee="score"),
        )
    router.add(
        # With a number of folds, groups are kept together by our splitter.
        splitter=GroupKFold() if isinstance(owner.cv, int | np.integer) else owner.cv,
        method_mapping=MethodMapping().add(caller="fit", callee="split"),
    )
    return router


def route(owner: Any, params: Mapping[str, Any]) -> Routed:
    """Route the metadata passed to `fit` to its receivers.

    Without scikit-learn's metadata routing, `groups` goes to the splitter, everything else to
    the estimators, and `sample_weight` to the metrics as well.
    """
    metadata = {name: value for name, value in params.items() if value is not None}
    names = named_estimators(owner.estimator)
    if not _routing_enabled():
        groups = metadata.pop("groups", None)
        weight = metadata.get("sample_weight")
        return Routed(
            fit={name: dict(metadata) for name in names},
            split={} if groups is None else {"groups": groups},
            score={} if weight is None else {"sample_weight": weight},
        )
    routed = process_routing(owner, "fit", **metadata)
    asked = [routed[f"scorer_{number}"]["score"] for number in range(len(_scorers(owner)))]
    if owner.scoring is None and any(each.keys() != asked[0].keys() for each in asked):
        raise InvalidValueError(
            "scoring", "must be given: the scores of the learners request different metadata"
        )
    score: dict[str, Any] = {}
    for each in asked:
        score |= each
    return Routed(
        fit={name: dict(routed[_receiver(name)]["fit"]) for name in names},
        split=dict(routed["splitter"]["split"]),
        score=score,
    )


def take_rows(params: Mapping[str, Any], rows: Any, n_rows: int) -> dict[str, Any]:
    """Return the metadata of some rows; what has no entry per row is unchanged."""
    taken = dict(params)
    for name, value in params.items():
        if hasattr(value, "__len__") and not isinstance(value, str) and len(value) == n_rows:
            taken[name] = _safe_indexing(value, rows)
    return taken


def _receiver(name: str) -> str:
    return f"estimator_{name}" if name else "estimator"


def _scorers(owner: Any) -> list[Any]:
    """The scorers of scikit-learn among the metrics, which alone can ask for metadata.

    Without `scoring` they are the learners' own scores.
    """
    scoring = owner.scoring
    if scoring is None:
        return [check_scoring(each) for each in named_estimators(owner.estimator).values()]
    if isinstance(scoring, Mapping):
        metrics = list(scoring.values())
    elif isinstance(scoring, list | tuple | set | frozenset):
        metrics = list(scoring)
    else:
        metrics = [scoring]
    known = set(get_scorer_names())
    return [
        get_scorer(metric) if isinstance(metric, str) else metric
        for metric in metrics
        if is_scorer(metric) or (isinstance(metric, str) and metric in known)
    ]
