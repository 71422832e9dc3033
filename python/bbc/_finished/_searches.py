"""Fitted searches in the way of scikit-learn."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import (
    BaseShuffleSplit,
    GridSearchCV,
    LeavePGroupsOut,
    LeavePOut,
    RandomizedSearchCV,
    TimeSeriesSplit,
    check_cv,
)

from .. import metrics
from .._design import Design
from .._names import configuration_name
from .._training._follow import scores_of
from .._training._splits import Partition, as_rows, folds_of, partitioned
from .._typing import AnyArray, BoolArray, FloatArray
from ..errors import InvalidTypeError, InvalidValueError
from ..metrics import Metric
from ..metrics._resolve import is_scorer, own_score
from ..predictions import is_time_ordered
from . import kind_of
from ._claim import DYNAMIC, NEW_FOLDS, Claim, Said
from ._cv_results import scores_by_key

_MADE_UP_ROWS = 240


def claim_of_search(
    search: Any, dynamic: bool = False, *, partitions: Sequence[Partition] = ()
) -> Claim:
    """What a fitted search says; its `partitions` are found from its splitter, if not given."""
    results = _results(search)
    scores = scores_by_key(results)
    names = tuple(configuration_name(parameters) for parameters in results["params"])
    told: dict[str, Any] = dict.fromkeys(DYNAMIC)
    eligible: BoolArray | None = None
    if hasattr(search, "trials_"):
        told["n_trials"] = len(names)
    elif "iter" in results:
        eligible = np.asarray(results["iter"]) == np.max(results["iter"])
        told["n_last_halving"] = int(eligible.sum())
    elif dynamic or _may_see_scores(search):
        told["n_searched"] = len(names)
    n_repeats = len(partitions) or _n_repeats(search.cv)
    decides = _deciding(search)
    if decides and decides not in scores:
        raise InvalidValueError("search", f"keeps no split0_test_{decides}")
    read = metrics_read(search, list(scores))
    refit = getattr(search, "refit", None)
    return Claim(
        "search",
        names,
        {
            key: replace(
                _said(key, by_fold, read[key], results, decides=key == decides),
                weighted=_weighs(search, key),
            )
            for key, by_fold in scores.items()
        },
        decides=decides,
        chosen=_chosen(search),
        chosen_by="a refit that is a function" if callable(refit) and eligible is None else "best",
        eligible=eligible,
        told=told,
        n_repeats=n_repeats,
        design=_design_of(search, scores, told, _is_time_ordered(partitions or search.cv)),
        n_classes=_n_classes(search),
        splits=_splits(search.cv),
        splits_of=partial(_splits_of, search, results),
        is_classifier=is_classifier(getattr(search, "estimator", search)),
    )


class Read(NamedTuple):
    """What a key of a search's scores is: what it is called, its metric, whether it is a scorer's.

    A scorer's numbers rise with quality, whatever it is.
    """

    called: str
    metric: Metric | None
    is_scorer: bool


def metrics_read(search: Any, keys: Sequence[str]) -> dict[str, Read]:
    """What the scores of a search are, as far as it was read.

    Keys of a dict that a function returns are words, which say nothing of the metric.
    """
    scoring = getattr(search, "scoring", None)
    asked = scores_of(scoring)
    if scoring is None:
        asked = {"score": own_score(getattr(search, "estimator", None))}
    elif callable(scoring) and not is_scorer(scoring) and list(keys) != ["score"]:
        asked = {}
    return {key: _read(key, asked[key]) if key in asked else Read(key, None, False) for key in keys}


def _read(key: str, asked: Any) -> Read:
    if not (isinstance(asked, str) or is_scorer(asked)):
        return Read(key, None, True)
    try:
        metric = metrics.get(asked)
    except (TypeError, ValueError):  # of which bbc computes nothing, but it has a name
        return Read(asked if isinstance(asked, str) else key, None, True)
    named = isinstance(asked, str) or key == "score"
    return Read((asked if isinstance(asked, str) else metric.name) if named else key, metric, True)


def _said(
    key: str, by_fold: FloatArray, read: Read, results: Mapping[str, Any], *, decides: bool
) -> Said:
    means = results.get(f"mean_test_{key}")
    return Said(
        read.called,
        by_fold,
        read.metric,
        None if means is None else np.asarray(means, np.float64),
        True if decides or read.is_scorer else None,
    )


def _chosen(search: Any) -> int | None:
    """The configuration that a search trained on all rows, or would have."""
    if hasattr(search, "trials_"):
        complete = [each.number for each in search.trials_ if each.state.name == "COMPLETE"]
        study = getattr(search, "study_", None)
        return None if study is None else complete.index(study.best_trial.number)
    found = getattr(search, "best_index_", None)
    return None if found is None else int(found)


def _design_of(
    search: Any, scores: dict[str, FloatArray], told: dict[str, Any], time_ordered: bool
) -> Design:
    """The design of a fitted search: its folds and configurations."""
    estimator = getattr(search, "estimator", search)
    two_classes = np.arange(2)
    dynamic = any(told[name] is not None for name in DYNAMIC)
    failed = [~np.isfinite(array).all(axis=0) for array in scores.values()]
    return Design(
        training="reported",
        time_ordered=time_ordered,
        dynamic_search=dynamic,
        n_failed=None if dynamic else int(np.any(failed, axis=0).sum()),
        selection="best",
        interval="order-statistics",
        **folds_of(search.cv, two_classes, classifier=is_classifier(estimator), grouped=False),
    )


def _splits(cv: Any) -> str:
    """What tells the folds of a search from those of another on the same rows."""
    if _is_list(cv):
        return repr([(as_rows(test)).tolist() for _, test in cv])
    if getattr(cv, "shuffle", False) and not isinstance(getattr(cv, "random_state", None), int):
        return NEW_FOLDS
    return repr(cv)


def _splits_of(
    search: Any, results: Mapping[str, Any], y: AnyArray, groups: AnyArray | None
) -> list[Any] | None:
    """The test rows of a search's splits; None if they cannot be known.

    Nothing is drawn from a splitter that draws other folds in each call, nor from one that may read
    the inputs.
    """
    _refuse_more_rows(search, results, len(y))
    if _is_list(search.cv):
        return [test for _, test in search.cv]
    classifier = is_classifier(getattr(search, "estimator", search))
    splitter = deepcopy(check_cv(search.cv, y, classifier=classifier))
    seeded = isinstance(getattr(splitter, "random_state", 0), int | np.integer)
    is_known = type(splitter).__module__.startswith("sklearn.")
    if not is_known or (getattr(splitter, "shuffle", True) and not seeded):
        return None
    inputs = np.zeros((len(y), 1))
    try:
        once, again = ([test for _, test in splitter.split(inputs, y, groups)] for _ in range(2))
    except ValueError as error:
        lacking = groups is None and "group" in str(error)
        raise InvalidValueError(
            "groups" if lacking else "y",
            f": the search's {type(splitter).__name__} cannot split these rows",
            hint=str(error),
        ) from error
    same = all(np.array_equal(*pair) for pair in zip(once, again, strict=True))
    return once if same else None


def _refuse_more_rows(search: Any, results: Mapping[str, Any], n_rows: int) -> None:
    """Refuse rows of which the search scored a part only."""
    scored: float = n_rows
    if "iter" in results and getattr(search, "resource", "") == "n_samples":
        scored = np.max(results["n_resources"])
    sample = getattr(search, "subsample", 1.0)  # of Optuna's search: a share, or a number
    if sample != 1.0:
        scored = sample if isinstance(sample, int) else int(sample * n_rows)
    if scored != n_rows:
        raise InvalidValueError(
            "y",
            f"has {n_rows} rows, but the search scored {scored:g} of them at last, and does not "
            "tell which",
            hint="fit bbc.keep_predictions(search) in its place",
        )


def _weighs(search: Any, key: str) -> bool:
    """Whether the scorer of a key takes weights of rows."""
    scorer = getattr(search, "scorer_", None)
    if isinstance(scorer, Mapping):
        scorer = scorer.get(key)
    asked = getattr(getattr(scorer, "_metadata_request", None), "score", None)
    return bool(asked is not None and asked.requests.get("sample_weight"))


def _may_see_scores(search: Any) -> bool:
    """True if a search is of a kind that may choose configurations by the scores of others."""
    return hasattr(search, "_run_search") and not isinstance(
        search, GridSearchCV | RandomizedSearchCV
    )


def _n_repeats(cv: Any) -> int:
    """Number of partitions; splits that share rows within one cannot be drawn."""
    if (
        isinstance(cv, BaseShuffleSplit)
        or (isinstance(cv, LeavePOut) and cv.p > 1)
        or (isinstance(cv, LeavePGroupsOut) and cv.n_groups > 1)
    ):
        raise InvalidValueError(
            "search",
            f": the splits of {type(cv).__name__} share rows, and BBC-F draws folds that do "
            "not; bbc.keep_predictions keeps what draws of rows need",
        )
    if isinstance(cv, Iterator):
        raise InvalidValueError(
            "search",
            ": its cv was a generator, which the search used up, and with it which splits make a "
            "partition; set the same splits as a list, search.set_params(cv=list(...))",
        )
    if not _is_list(cv):
        splits = _made_up_splits(cv)
        if splits is None:
            return int(getattr(cv, "n_repeats", 1))
        cv = splits
    sizes = [len(partition.folds) for partition in _partitions(cv)]
    if len(sizes) > 1 and max(sizes) == 1:
        raise InvalidValueError(
            "search",
            ": the tests of its splits overlap, and BBC-F draws folds that do not; "
            "bbc.keep_predictions keeps what draws of rows need",
        )
    if len(set(sizes)) > 1:
        raise InvalidValueError(
            "search",
            f": the first partition of its splits has {sizes[0]} folds, others differ; BBC-F "
            "requires partitions with equal numbers of folds",
        )
    return len(sizes)


def _made_up_splits(cv: Any) -> list[Any] | None:
    """The splits of another package's splitter for made-up rows; None if it needs the real ones.

    A search does not keep its rows. Splitters of scikit-learn are known by their class.
    """
    if not hasattr(cv, "split") or type(cv).__module__.startswith("sklearn."):
        return None
    n_rows = _MADE_UP_ROWS
    y, groups = np.arange(n_rows) % 2, np.arange(n_rows) % 24
    try:
        return list(deepcopy(cv).split(np.zeros((n_rows, 1)), y, groups))
    except Exception:
        return None


def _is_list(cv: Any) -> bool:
    """True if `cv` holds the splits themselves."""
    return isinstance(cv, Iterable) and not hasattr(cv, "split")


def _partitions(cv: Iterable[Any]) -> tuple[Partition, ...]:
    """The partitions of a list of splits, from which the number of rows is inferred."""
    splits = [(as_rows(train), as_rows(test)) for train, test in cv]
    n_rows = 1 + max(int(rows.max(initial=0)) for split in splits for rows in split)
    return tuple(partitioned(splits, n_rows))


def _is_time_ordered(cv: Any) -> bool:
    """True if a splitter, a list of splits, or partitions train on earlier rows only."""
    if not _is_list(cv):
        return isinstance(cv, TimeSeriesSplit)
    partitions = cv if isinstance(cv, tuple) else _partitions(cv)
    return is_time_ordered(
        (fold.train, fold.test) for partition in partitions for fold in partition.folds
    )


def _n_classes(search: Any) -> float:
    """Number of classes; unknown to a search without a final model."""
    classes = getattr(search, "classes_", None)
    return math.inf if classes is None else len(classes)


def _results(search: Any) -> dict[str, Any]:
    """Parameters and scores of each configuration, under scikit-learn's keys."""
    if hasattr(search, "trials_"):
        return _of_trials(search.trials_)
    results = getattr(search, "cv_results_", None)
    if not isinstance(results, dict) or "params" not in results:
        raise InvalidTypeError(
            "search",
            "must be a fitted search with cv_results_, such as GridSearchCV, "
            f"got {kind_of(search)}",
        )
    return results


def _of_trials(trials: Any) -> dict[str, Any]:
    """The same of an Optuna search, whose trials keep them one by one."""
    complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
    if not complete:
        raise InvalidValueError("search", "has no completed trial")
    keys = [key for key in complete[0].user_attrs if key.startswith("split")]
    scores = {key: [trial.user_attrs[key] for trial in complete] for key in keys}
    return {"params": [trial.params for trial in complete]} | scores


def _deciding(search: Any) -> str:
    """The key of the scores that a search selects by; "" if there is none."""
    if getattr(search, "multimetric_", False):
        return search.refit if isinstance(search.refit, str) else ""
    return "score"
