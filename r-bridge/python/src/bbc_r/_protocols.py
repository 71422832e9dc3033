"""Protocols as R calls them: lists of R's in, lists of R's out."""

import inspect
import warnings
from collections import Counter
from dataclasses import asdict
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

import bbc

from . import _session
from .learners import RLearner
from .objects import RData, RObject, RValue

_FACTS = (
    *("estimate", "apparent", "optimism", "size_bias", "winner", "winner_name"),
    "selection_frequency",
    *("replicates", "replicate_winners", "replicate_sd", "n_redrawn", "seed"),
    *("metric", "greater_is_better", "method", "pooling", "unit", "pos_label", "version"),
    *("n_rows", "n_configurations", "n_folds", "n_repeats"),
    *("threshold", "replicate_thresholds", "weights"),
    *("left_out_rows", "left_out_configurations", "undefined_fold_share", "infeasible", "notes"),
)
#: Those of them that count from 0, as their annotations say.
_INDICES = tuple(
    name
    for name, hint in get_type_hints(bbc.PerformanceEstimate, include_extras=True).items()
    if name in _FACTS and "Index(" in str(hint)
)
#: What a correction takes that trains nothing.
_CORRECTED_WITH = {
    name for one in (bbc.correct, bbc.Predictions) for name in inspect.signature(one).parameters
}


def run(request: Any) -> Any:
    """Run a protocol on learners and data of R.

    The request names the protocol and holds the data frame with the name of its target, the
    learners with their grids, the options of the protocol, and what `fit` takes.
    """
    given = _named(request)
    data = RData(RObject(given["frame"]), given["target"][0])
    around = given["around"]
    named = _named(given["learners"])
    learners: Any = {name: _learner(one, data, around) for name, one in named.items()}
    grids: Any = {name: grid for name, one in named.items() if any(grid := _grid(one))}
    if list(learners) == [""]:  # a single learner needs no name
        learners, grids = learners[""], grids[""]
    options = {name: _plain(value) for name, value in _named(given["options"]).items()}
    options["random_state"] = int(options["random_state"])  # 53 bits, which R holds as a double
    name = given["protocol"][0]
    groups = _plain(given["groups"])
    protocol_class = getattr(bbc.baselines if name == "CVMCV" else bbc, name)
    _refuse_unknown(options, protocol_class, name)
    protocol = protocol_class(
        learners,
        grids,
        scoring=bbc.metrics.get(given["metric"][0], **_parameters(given["parameters"])),
        cv=_folds(_plain(given["cv"]), data, groups is not None),
        **options,
    )
    protocol.fit(data.rows, data.y, **({} if groups is None else {"groups": groups}))
    return _result(protocol)


def _named(values: Any) -> dict[str, Any]:
    """The elements of an R list by name."""
    return dict(zip(map(str, values.names), values, strict=True)) if len(values) else {}


def _plain(value: Any) -> Any:
    """An R vector as a Python scalar or list; NULL as None."""
    if value is _session.rinterface().NULL:
        return None
    items = _session.to_numpy(value).tolist()
    return items[0] if len(items) == 1 else items


def _parameters(values: Any) -> dict[str, Any]:
    return {name: _plain(value) for name, value in _named(values).items()}


def _learner(one: Any, data: RData, around: Any) -> RLearner:
    """A learner, whose functions `around`, if it is not NULL, gives others that call them."""
    parts = _named(one)
    fit, predict = RObject(parts["fit"]), RObject(parts["predict"])
    if around is not _session.rinterface().NULL:
        fit, predict = map(RObject, _session.call(around, fit.sexp, predict.sexp))
    for function in (fit, predict):
        function.raw  # noqa: B018  serialized now, as data are
    return RLearner(fit, predict, data=data)


def _grid(one: Any) -> list[dict[str, list[RValue]]]:
    """The configurations one by one."""
    parts = _named(one)
    pairs = zip(map(_named, parts["configurations"]), map(_named, parts["shown"]), strict=True)
    return [
        {name: [RValue(value, str(texts[name][0]))] for name, value in values.items()}
        for values, texts in pairs
    ]


def _folds(cv: Any, data: RData, grouped: bool) -> Any:
    """The partition that a fold number per row describes, or a number of folds of random rows.

    Data in R are often sorted, and R's packages draw folds at random.
    """
    if isinstance(cv, list):
        folds = np.asarray(cv)
        return [
            (np.flatnonzero(folds != one), np.flatnonzero(folds == one)) for one in sorted(set(cv))
        ]
    n_folds = int(cv)
    if not data.is_classification:
        return n_folds if grouped else KFold(n_folds, shuffle=True)
    label, count = min(Counter(data.y.tolist()).items(), key=lambda item: item[1])
    if grouped or count < 2:
        return n_folds  # the protocol keeps groups together, and says what cannot be done
    if count < n_folds:
        warnings.warn(
            f"cv={n_folds}: class {label} has {count} rows, so the number of folds is lowered to "
            f"{count}",
            bbc.errors.BBCWarning,
            stacklevel=2,
        )
    return StratifiedKFold(min(n_folds, count), shuffle=True)


def _refuse_unknown(options: dict[str, Any], protocol_class: type, name: str) -> None:
    known = inspect.signature(protocol_class).parameters
    unknown = [option for option in options if option not in known]
    if unknown:
        later = "; bbc_correct() of the result takes it" if unknown[0] in _CORRECTED_WITH else ""
        raise TypeError(f"`{unknown[0]}`: {name} has no such argument{later}")


def _result(protocol: Any) -> Any:
    predictions = protocol.oos_predictions_
    model = protocol.best_estimator_
    return _session.as_list(
        {
            "performance": _estimate(protocol.performance_),
            "predictions": [_values(predictions, one) for one in range(predictions.n_repeats)],
            "predicted": list(predictions.names),
            "classes": [] if predictions.classes is None else predictions.classes.tolist(),
            "folds": predictions.folds.T + 1,
            "model": model.model_,
            "predict": model.predict_function,
            "dropped": getattr(protocol, "dropped_", np.empty(0, np.int64)),
            "outer_winners": getattr(protocol, "outer_winners_", np.empty(0, np.int64)),
            "outer_scores": getattr(protocol, "outer_scores_", np.empty(0)),
            "n_models_trained": protocol.n_models_trained_,
        }
    )


def _values(predictions: Any, repeat: int) -> NDArray[Any]:
    """What the deciding metric read in one repeat; None or NaN where there is no prediction."""
    values: NDArray[Any] = predictions.values[repeat]
    if predictions.reads == "labels":
        values = values.astype(object)
        values[~predictions.mask[repeat]] = None
    return values


def _estimate(estimate: Any) -> Any:
    """The numbers of an estimate; R builds its own class from them."""
    interval = estimate.confidence_interval
    facts = {name: getattr(estimate, name) for name in _FACTS}
    facts["notes"] = list(estimate.notes)
    luck = estimate.model_luck
    facts["model_luck"] = luck and {
        name: value for name, value in asdict(luck).items() if value is not None
    }
    facts["findings"] = {
        "code": [one.code for one in estimate.findings],
        "title": [one.kind.title for one in estimate.findings],
        "detail": [one.detail for one in estimate.findings],
        "advice": [one.kind.advice for one in estimate.findings],
    }
    facts["names"] = list(estimate.names)
    facts["design"] = asdict(estimate.design)
    facts["confidence_interval"] = interval and {
        "low": interval.low,
        "high": interval.high,
        "confidence_level": interval.confidence_level,
        "alternative": interval.alternative,
        "calibrated": interval.calibrated,
    }
    error = estimate.monte_carlo_error
    facts["monte_carlo_error"] = error and np.array(
        [np.nan if one is None else one for one in (error.estimate, error.low, error.high)]
    )
    facts["indices"] = list(_INDICES)
    return facts
