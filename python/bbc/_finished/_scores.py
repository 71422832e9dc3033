"""Scores of folds: one score of a claim, with what is known of its search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _validation, metrics
from .._design import Design, Lost
from .._typing import BoolArray, FloatArray, IndexArray
from ..errors import Argument, InvalidValueError
from ..findings import Finding
from ..findings import found as shown_by
from ..metrics import Metric
from ._claim import DYNAMIC, Claim, Said, limits_of, said_of

#: As many folds are likely to be those of several partitions.
_MANY_FOLDS = 20
#: What is known of a search beside that configurations stopped on the way.
_OF_STOPPED: dict[str, Any] = {
    **dict.fromkeys(("dynamic_search", "time_ordered", "block_draws"), False),
    **dict.fromkeys(("first_mixed", "n_mixed", "n_more_mixed")),
}


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores of folds, which a finished search kept in the place of predictions.

    Attributes
    ----------
    metric : Metric
        What was scored: its name, direction and range. It is never called.
    values : ndarray of shape (n_repeats, n_folds, n_configurations)
        Scores of the configurations that have one in every fold.
    configurations : ndarray of int
        Their places among all configurations of the search.
    claim : Claim
        All that the tool says of its search.
    told : dict
        Facts of the search that findings name.
    lost : tuple
        Fits and scores that the tool lost.
    notes : tuple of str
        Remarks.
    as_chosen : bool
        Whether these are the scores that the tool chose by, and its rule is repeated.

    Examples
    --------
    >>> import bbc
    >>> table = {"model": ["a", "b"], "fold1": [0.7, 0.8], "fold2": [0.6, 0.9]}
    >>> scores = bbc.adapters.from_scores(table, metric="accuracy")
    >>> scores.values.shape, scores.names, scores.metric.greater_is_better
    ((1, 2, 2), ('a', 'b'), True)
    """

    metric: Metric
    values: FloatArray
    configurations: IndexArray
    claim: Claim
    told: Mapping[str, Any]
    lost: tuple[Lost, ...] = ()
    notes: tuple[str, ...] = ()
    as_chosen: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all configurations."""
        return self.claim.names

    @property
    def design(self) -> Design:
        """What is known of the folds."""
        return self.claim.design

    @property
    def n_classes(self) -> float:
        """Number of classes; infinity where it is not known."""
        return self.claim.n_classes

    @property
    def splits(self) -> str:
        """Which folds they were, where the source tells, to compare two searches."""
        return self.claim.splits

    @property
    def n_folds(self) -> int:
        """Folds of each partition."""
        return int(self.values.shape[1])

    def __repr__(self) -> str:
        repeats, folds, configurations = self.values.shape
        return (
            f"FoldScores({self.metric.name!r}, n_repeats={repeats}, n_folds={folds}, "
            f"n_configurations={configurations})"
        )


def findings_of(scores: FoldScores) -> tuple[Finding, ...]:
    """What the facts of the search show."""
    facts = dict.fromkeys((*DYNAMIC, "time_ordered_folds")) | dict(scores.told)
    n_stopped = facts.pop("n_stopped")
    found = shown_by("search", facts)
    if n_stopped and facts["n_trials"] is None:
        found += shown_by("origin", _OF_STOPPED | {"n_stopped": n_stopped})
    return found + of_lost(scores.lost, scores.names)


def of_lost(lost: Sequence[Lost], names: Sequence[str]) -> tuple[Finding, ...]:
    """A finding for each kind of what a tool lost: how much, and the first with its reason."""
    found: tuple[Finding, ...] = ()
    for kind in dict.fromkeys(each.kind for each in lost):
        own = [each for each in lost if each.kind == kind]
        first = own[0]
        where = [first.reason] if first.reason else []
        if first.split is not None:
            where.insert(0, f"split {first.split}")
        if first.configuration is not None:
            where.insert(0, f"configuration {names[first.configuration]!r}")
        facts = {
            "lost_kind": kind,
            "n_lost": len(own),
            "n_losing": len({each.configuration for each in own}),
            "first_lost": ", ".join(where),
        }
        found += shown_by("lost", facts)
    return found


def never_called(y: Any, prediction: Any) -> float:
    """The function of a metric whose scores are computed already."""
    raise AssertionError("scores of folds are computed already")


def picked(
    claim: Claim,
    metric: Any = None,
    *,
    greater_is_better: bool | None = None,
    n_repeats: int | None = None,
    reselect: bool = False,
) -> FoldScores:
    """One score of a claim, with its metric; configurations that miss a fold are left out.

    A selection that means over folds do not repeat is refused, unless another one is asked for.
    """
    if greater_is_better is not None:
        _validation.flag(greater_is_better, "greater_is_better")
    if n_repeats is not None:
        _validation.integer(n_repeats, "n_repeats", lowest=1)
    key, said = said_of(claim, metric, greater_is_better)
    if not _validation.flag(reselect, "reselect"):
        _refuse_unrepeatable(claim, key, said)
    scores, found = said.by_fold, metric_of(said, metric)
    complete: BoolArray = np.all(np.isfinite(scores), axis=0)
    best = np.inf if found.greater_is_better else -np.inf
    infinite = np.argwhere(scores == best)
    if infinite.size:
        fold, place = infinite[0].tolist()
        raise InvalidValueError(
            "search",
            f": split{fold}_test_{key} of configuration {place} is infinite, the best score there "
            "is; BBC-F averages scores of folds and requires finite ones",
        )
    if claim.eligible is not None:
        complete &= claim.eligible
    if not complete.any():
        why = next((each.reason for each in claim.lost if each.reason), "")
        raise InvalidValueError(
            "search",
            ": no configuration has a score in every fold",
            hint=f"the first was lost: {why}" if why else "",
        )
    is_said = n_repeats is not None or not claim.is_table or claim.n_repeats > 1
    n_repeats = _repeats(claim, len(scores), n_repeats)
    configurations = np.flatnonzero(complete)
    values = np.ascontiguousarray(scores[:, configurations])
    told = dict(claim.told)
    stopped = np.zeros(scores.shape[1], np.bool_)
    if claim.is_table and not claim.form_negates:  # scikit-learn's searches stop nothing
        stopped = _stopped(
            scores if claim.eligible is None else np.where(claim.eligible, scores, np.nan)
        )
    if stopped.any() and not any(told.get(name) for name in DYNAMIC):
        told["n_stopped"] = int(stopped.sum())
    notes = []
    if not is_said and len(scores) >= _MANY_FOLDS:
        notes.append(f"the {len(scores)} splits are taken for folds of one partition (n_repeats)")
    return FoldScores(
        found,
        values.reshape(n_repeats, -1, len(configurations)),
        configurations,
        claim,
        told,
        _lost(claim, said, stopped),
        tuple(notes),
        as_chosen=key == claim.decides and not reselect,
    )


def _refuse_unrepeatable(claim: Claim, key: str, said: Said) -> None:
    hint = "reselect=True corrects the selection of the best mean over folds in its place"
    if claim.chosen_by != "best":
        raise InvalidValueError(
            "search",
            f": it selects by {claim.chosen_by}, which replicates of its scores cannot repeat",
            hint=hint,
        )
    if key == claim.decides and not said.is_of_folds:
        raise InvalidValueError(
            "search",
            f": what the {claim.source} compares is neither the mean nor the sum of its scores of "
            f"folds, {said.called!r}, so replicates cannot repeat its selection",
            hint=f"keep the scores whose mean it is; or {hint}",
        )


def metric_of(said: Said, given: Any) -> Metric:
    """The metric of a score under the name that it has here; it is never called."""
    known = said.metric
    same = known is not None and known.greater_is_better == said.rises
    if known is not None and same and (known is given or known.name == said.called):
        return known
    low, high = limits_of(said)
    return metrics.from_callable(
        never_called,
        greater_is_better=bool(said.rises),
        name=said.called,
        lowest=low,
        highest=high,
    )


def _repeats(claim: Claim, n_splits: int, given: int | None) -> int:
    n_repeats = claim.n_repeats if given is None else given
    if n_splits % n_repeats:
        raise InvalidValueError(
            Argument("n_repeats", n_repeats), f"does not divide the {n_splits} splits"
        )
    if n_splits < 2 * n_repeats:
        raise InvalidValueError(
            "search", ": BBC-F draws folds and requires two or more per repeat; the search has one"
        )
    return n_repeats


def _stopped(scores: FloatArray) -> BoolArray:
    """Configurations that have scores of the first folds only, as a pruner leaves several."""
    there = np.isfinite(scores)
    counts = there.sum(axis=0)
    first = np.arange(len(scores))[:, None] < counts
    stopped: BoolArray = (there == first).all(axis=0) & (counts > 0) & (counts < len(scores))
    # A single one may have crashed there.
    return stopped if stopped.sum() > 1 else np.zeros_like(stopped)


def _lost(claim: Claim, said: Said, stopped: BoolArray) -> tuple[Lost, ...]:
    """What the tool says that it lost, and scores that are missing without a word."""
    missing = ~np.isfinite(said.by_fold) & ~stopped
    if claim.eligible is not None:
        missing &= claim.eligible
    for each in claim.lost:
        if each.split is not None:
            missing[each.split, each.configuration] = False
    scores = (Lost("score", int(i), int(j)) for i, j in np.argwhere(missing))
    return (*claim.lost, *scores)
