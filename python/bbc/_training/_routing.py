"""Which metadata go to whom: estimators, splitter, metrics."""

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
    """Return scikit-learn's description of who wants what."""
    router = MetadataRouter(owner=owner)
    for name, one in named_estimators(owner.estimator).items():
        router.add(
            **{_receiver(name): one}, method_mapping=MethodMapping().add(caller="fit", callee="fit")
        )
    for number, scorer in enumerate(_scorers(owner.scoring)):
        router.add(
            **{f"scorer_{number}": scorer},
            method_mapping=MethodMapping().add(caller="fit", callee="score"),
        )
    router.add(
        # With a number of folds, groups are kept together by a splitter of our own choice.
        splitter=GroupKFold() if isinstance(owner.cv, int | np.integer) else owner.cv,
        method_mapping=MethodMapping().add(caller="fit", callee="split"),
    )
    return router


def route(owner: Any, params: Mapping[str, Any]) -> Routed:
    """Send what `fit` got to its receivers.

    Without scikit-learn's metadata routing, `groups` goes to the splitter, everything else to
    the estimators, and `sample_weight` to the metrics as well.
    """
    given = {name: value for name, value in params.items() if value is not None}
    names = named_estimators(owner.estimator)
    if not _routing_enabled():
        groups = given.pop("groups", None)
        weight = given.get("sample_weight")
        return Routed(
            fit={name: dict(given) for name in names},
            split={} if groups is None else {"groups": groups},
            score={} if weight is None else {"sample_weight": weight},
        )
    routed = process_routing(owner, "fit", **given)
    score: dict[str, Any] = {}
    for number in range(len(_scorers(owner.scoring))):
        score |= routed[f"scorer_{number}"]["score"]
    return Routed(
        fit={name: dict(routed[_receiver(name)]["fit"]) for name in names},
        split=dict(routed["splitter"]["split"]),
        score=score,
    )


def take_rows(params: Mapping[str, Any], rows: Any, n_rows: int) -> dict[str, Any]:
    """Return metadata for some rows; what has no entry per row is passed on as it is."""
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
        given = list(scoring.values())
    elif isinstance(scoring, list | tuple | set | frozenset):
        given = list(scoring)
    else:
        given = [scoring]
    known = set(get_scorer_names())
    return [
        get_scorer(one) if isinstance(one, str) else one
        for one in given
        if is_scorer(one) or (isinstance(one, str) and one in known)
    ]
