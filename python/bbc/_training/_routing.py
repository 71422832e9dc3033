"""Metadata routing to estimators, splitter and metrics."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import GroupKFold
from sklearn.utils import _safe_indexing
from sklearn.utils._metadata_requests import _routing_enabled
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from ..metrics._sklearn import is_scorer
from ._configurations import named_estimators


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
    for number, scorer in enumerate(_scorers(owner.scoring)):
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
    score: dict[str, Any] = {}
    for number in range(len(_scorers(owner.scoring))):
        score |= routed[f"scorer_{number}"]["score"]
    return Routed(
        fit={name: dict(routed[_receiver(name)]["fit"]) for name in names},
        split=dict(routed["splitter"]["split"]),
        score=score,
    )


def take_rows(params: Mapping[str, Any], rows: Any, n_rows: int) -> dict[str, Any]:
    """Return the metadata of some rows; what has no entry per row is unchanged."""
    return {
        name: _safe_indexing(value, rows) if _is_per_row(value, n_rows) else value
        for name, value in params.items()
    }


def _is_per_row(value: Any, n_rows: int) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str) and len(value) == n_rows


def _receiver(name: str) -> str:
    return f"estimator_{name}" if name else "estimator"


def _scorers(scoring: Any) -> list[Any]:
    """The scikit-learn scorers among the metrics: only they can ask for metadata."""
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
