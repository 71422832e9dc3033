"""The one seam: what a tool said of its search, and the correction of what it chose.

A door gives a `Claim` and, where the tool kept them, predictions. What is decided of the two, for
every door alike, is decided here: whether the predictions give the scores that the tool has, which
of the two is corrected, and whether that is the configuration that the tool deploys.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, NoReturn

import numpy as np

from . import _validation, metrics
from ._finished import claim_of
from ._finished._claim import Claim, Said, key_of, negated_name, said_of
from ._finished._scores import FoldScores, of_lost
from ._fold_winners import FoldWinners
from ._training._check import CheckScores, compared
from ._training._splits import Partition
from ._typing import BoolArray
from ._winners import refuse_several
from .correction import Correction, correct_predictions, with_findings
from .errors import Argument, InvalidValueError, arguments_called
from .findings import Finding
from .findings import found as shown_by
from .predictions import OutOfSamplePredictions
from .results import PerformanceEstimate
from .results._correction import automatic_pooling, warn
from .results._estimate import deployed_facts
from .results._parts import Deployed
from .sources import Predictions, Source, refuse_other_metric, taken_design

#: The tool adds up in another order: of configurations that tie so, its choice is the winner.
_TIE = 1e-9


class Outcome(NamedTuple):
    """What the comparison of one of the tool's scores with its predictions gave.

    `difference` says how they differ, `why` why they were not compared in all folds, and `shown`
    is what `checked_scores_` says; "" of a score that was not read.
    """

    difference: str = ""
    why: str = ""
    shown: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the predictions give the score wherever the tool has one."""
        return not (self.difference or self.why)

    def __str__(self) -> str:
        if self.difference:
            return f"differs: {self.difference}"
        return f"not computed: {self.why}" if self.why else "agrees"


@dataclass(frozen=True)
class Kept:
    """What a tool claims, what it kept of its predictions, and how the two compare, by score."""

    claim: Claim
    predictions: OutOfSamplePredictions
    partitions: Sequence[Partition]
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    #: As of `Source`.
    no_blocks: tuple[str, str] | None = None

    def outcome_of(self, key: str, said: Said) -> Outcome:
        """The comparison of a score, which the caller may have named."""
        if said.metric == self.claim.said[key].metric:
            return self.outcomes[key]
        return self.compared(said.called, said, "warn")

    def compared(self, name: str, said: Said, check: CheckScores) -> Outcome:
        """Compare one score with that of the predictions, model by model."""
        if said.metric is None:
            return Outcome(why="a number of the tool's own, whose metric was not read")
        checks = compared(
            {name: said.metric},
            {name: said.by_fold},
            self.predictions,
            self.partitions,
            weighted=[name] if said.weighted else [],
            on_difference=check,
        )
        n = checks.undefined.get(name)
        undefined = f"undefined for {n} models where the {self.claim.source} has a number"
        return Outcome(
            checks.differences.get(name, ""),
            checks.unchecked.get(name, undefined if n else ""),
            checks.summary()[name],
        )


def kept(
    claim: Claim,
    predictions: OutOfSamplePredictions,
    partitions: Sequence[Partition],
    check: CheckScores,
) -> Kept:
    """Compare every score of a claim with the one that the predictions give.

    A difference in the score by which the tool chose is an error, unless `check` is "warn".
    """
    own = Kept(claim, predictions, partitions)
    outcomes = {
        key: own.compared(key, said, check if key == claim.decides else "warn")
        for key, said in claim.said.items()
    }
    return replace(own, outcomes=outcomes)


def settle(
    kept: Kept,
    *,
    metric: Any = None,
    reselect: bool = False,
    by: Callable[[Any, dict[str, Any]], PerformanceEstimate] | None = None,
    rows: Predictions | None = None,
    **options: Any,
) -> Correction:
    """Correct what a tool chose, on the predictions that it kept; `rows` are these if it gave them.

    Its deciding score and its rule choose in every replicate, and the winner is scored on all rows
    together. `reselect` chooses by another metric, and options may choose by another rule. Where
    the predictions do not give the deciding score, its folds are drawn. `by` corrects in another
    way.
    """
    claim, predictions = kept.claim, kept.predictions
    if not reselect:
        asked = _asked(kept, metric)
        if not asked.outcome.agrees:
            return _by_folds(kept, asked, options)
        metric = asked.metric
        if asked.said is not None and not _is_by_rungs(options):
            predictions = _ranked(predictions, asked.said)
    elif metric is None:
        raise InvalidValueError("metric", "must say what selects, with reselect=True")
    plain = by is None and _is_plain(options)
    by_means = plain and not claim.is_pooled
    extra = (*of_lost(claim.lost, claim.names), *_differing(kept.outcomes.values()))
    if by is not None:
        there = {name: value for name, value in options.items() if value is not None}
        record = with_findings(by(metric, there), {"": extra})
        found = Correction(record, None, why="survivors are of several iterations")
    else:
        if "rungs" in options and "missing" not in options:
            options = by_rungs(metric) | options
        if not predictions.is_complete:
            options.setdefault("missing", "drop-configurations")
        made = Source(no_blocks=kept.no_blocks, in_order=False)
        source = made if rows is None else rows._source
        source = replace(source, findings={"": extra} if extra else {})
        if by_means:  # which select, and all rows together score
            own: dict[str, Any] = {"options": {"pooling": "fold"}, "pooling_of": automatic_pooling}
            source = replace(source, **own)
        if rows is None or predictions is not kept.predictions:
            rows = Predictions._of(predictions, source, **taken_design(options))
        found = correct_predictions(rows, metric, options)
    of_folds = not claim.is_pooled and options.get("method") in ("bbc-f", "tt")
    is_repeated = (plain or of_folds) and not reselect and options.get("selection") is None
    warn(extra)
    record = found.record
    if by_means:
        record = replace(record, design=replace(record.design, selection="means"))
    return found._retold(with_deployed(record, claim, is_repeated=is_repeated))


def settle_predictions(
    rows: Predictions, options: dict[str, Any], *, metric: Any, reselect: bool
) -> Correction:
    """Correct what a tool chose, of predictions that know it."""
    source = rows._source
    if options.get("missing", "") is None:
        del options["missing"]
    if source.rungs is not None and options.get("missing", "rungs") == "rungs":
        options.setdefault("rungs", source.rungs)
    with arguments_called(y_true="y", search=source.called):
        return settle(source.kept, metric=metric, reselect=reselect, rows=rows, **options)


class _Asked(NamedTuple):
    """The tool's deciding score, and what is reported of the configuration that it selects."""

    said: Said | None
    outcome: Outcome
    metric: Any


def _asked(kept: Kept, metric: Any) -> _Asked:
    claim = kept.claim
    refuse_several(metric)
    own = claim.said.get(claim.decides)
    if own is not None and metric is not None and own.metric is not None:
        wanted = metrics.get(metric)
        if wanted.name in (own.called, own.metric.name):
            # As the tool has it, with the class that it takes.
            same = own.metric if isinstance(metric, str) else metric
            return _Asked(own, kept.outcomes[claim.decides], same)
        if wanted.name == negated_name(own.metric.name):  # which selects alike
            return _Asked(own, kept.outcomes[claim.decides], metric)
        _refuse_other_metric(claim, wanted.name, rows=True)
    if claim.chosen is None and metric is not None and not _is_said(claim, metric):
        return _Asked(None, Outcome(), metric)  # nothing was selected, so that any may select
    key, said = said_of(claim, metric)
    outcome = kept.outcome_of(key, said)
    if outcome.difference and said.metric != claim.said[key].metric:  # as the caller says
        raise InvalidValueError("metric", f": {outcome.difference}", code="other_score")
    return _Asked(said, outcome, said.metric if metric is None else metric)


def _is_said(claim: Claim, metric: Any) -> bool:
    try:
        key_of(claim, metric)
    except InvalidValueError:
        return False
    return True


def _ranked(predictions: OutOfSamplePredictions, said: Said) -> OutOfSamplePredictions:
    """The predictions of configurations that the tool could rank: no score of theirs was lost."""
    there: BoolArray = np.all(np.isfinite(said.by_fold), axis=0)
    if predictions.places is not None:
        there = there[predictions.places]
    if not there.any():
        raise InvalidValueError(
            "search",
            f": no configuration has its score {said.called!r} in every fold, so that it selected "
            "none",
            hint="reselect=True selects by a metric on all rows",
        )
    return predictions if there.all() else replace(predictions, mask=predictions.mask & there)


def by_rungs(metric: Any) -> dict[str, Any]:
    """Arguments of `bbc.correct` that score by rungs."""
    pairs = _validation.compares_pairs(metrics.get(metric))
    return {"missing": "rungs", "pooling": "rung" if pairs else "pooled"}


def _is_by_rungs(given: Mapping[str, Any]) -> bool:
    return "rungs" in given or given.get("missing") == "rungs"


def _is_plain(given: Mapping[str, Any]) -> bool:
    """Whether nothing is asked that selects otherwise than the tool."""
    if given.get("method", "bbc") != "bbc" or _is_by_rungs(given):
        return False
    return given.get("pooling") is given.get("selection") is None


def _by_folds(kept: Kept, asked: _Asked, given: Mapping[str, Any]) -> Correction:
    """BBC-F of the tool's own numbers, under its word."""
    assert asked.said is not None
    claim, called = kept.claim, asked.said.called
    options = {name: value for name, value in given.items() if value is not None}
    for name in sorted(options.keys() - {*_OF_FOLDS}):
        raise InvalidValueError(
            name,
            f"needs predictions that give {called!r}, by which the {claim.source} selects: "
            f"{asked.outcome}",
            hint="leave it out, to draw folds; or select by another metric, with reselect=True",
        )
    rows: dict[str, Any] = {}
    if asked.outcome.why and kept.predictions.y.dtype.names is None:
        tests = [fold.test for each in kept.partitions for fold in each.folds]
        claim = replace(claim, splits_of=lambda y, groups: tests)
        rows = {"y": kept.predictions.y, "groups": kept.predictions.groups}
    scores = FoldScores._of(claim, called, **rows)
    if asked.outcome.why:
        why = f"folds are drawn, because {called!r} was {asked.outcome}"
        scores = scores._with(_notes=(*scores._notes, why))
    found = _of_scores(scores, options)
    extra = _differing([asked.outcome])
    warn(extra)
    return found._found({"": extra})


def _differing(outcomes: Iterable[Outcome]) -> tuple[Finding, ...]:
    differences = [each.difference for each in outcomes if each.difference]
    return tuple(
        found for text in differences for found in shown_by("scorers", {"score_difference": text})
    )


def settle_scores(
    source: Any,
    *,
    metric: Any = None,
    greater_is_better: bool | None = None,
    reselect: bool = False,
    dynamic_search: bool = False,
    y: Any = None,
    groups: Any = None,
    **options: Any,
) -> Correction:
    """Correct a tool's choice from its scores of folds (BBC-F).

    Its own metric and rule choose in every replicate, unless `reselect` asks for another choice.
    """
    _validation.flag(dynamic_search, "dynamic_search")
    refuse_several(metric)
    if isinstance(source, FoldScores):
        beside = {"greater_is_better": greater_is_better, "y": y, "groups": groups}
        for name, value in beside.items():
            if value is not None:
                raise InvalidValueError(name, "is said in bbc.FoldScores")
        scores, own = source, source.metric.name
        named = metric if isinstance(metric, str | None) else metrics.get(metric).name
        if named not in (None, own):
            raise InvalidValueError("metric", f"must be that of the scores, {own!r}")
        if reselect:
            scores = scores._with(_as_chosen=False)
        if dynamic_search:
            scores = scores._with(_told={"n_searched": len(scores.names)} | dict(scores._told))
    else:
        claim = claim_of(source, dynamic_search)
        key = claim.decides if reselect else key_of(claim, metric)
        if claim.decides and key != claim.decides:
            _refuse_other_metric(claim, claim.said[key].called)
        scores = FoldScores._of(
            claim,
            metric,
            greater_is_better=greater_is_better,
            reselect=reselect,
            y=y,
            groups=groups,
        )
    return _of_scores(scores, options)


def _refuse_other_metric(claim: Claim, name: str, *, rows: bool = False) -> NoReturn:
    own = claim.said[claim.decides].called
    hint = f"reselect=True corrects a selection by {name!r} in its place"
    if rows:
        hint = f"secondary=[{name!r}] tells it of what that selects; {hint}"
    refuse_other_metric(name, claim.source, own, hint)


#: What a correction of fold scores takes.
_OF_FOLDS = ("n_bootstraps", "confidence_level", "alternative", "random_state", "n_threads")


def _of_scores(scores: FoldScores, given: Mapping[str, Any]) -> Correction:
    """The correction of the best mean, with what the tool deploys."""
    for name, value in given.items():
        if name not in _OF_FOLDS and value is not None:
            _refuse_of_rows(name, value)
    options = _validation.options(
        metric=scores.metric,
        method="bbc-f",
        **{name: given[name] for name in _OF_FOLDS[:-1] if name in given},
    )
    n_threads = _validation.n_threads(given.get("n_threads"))
    winners = FoldWinners(scores, options, n_threads)
    record = with_deployed(winners.estimate, scores._claim, is_repeated=scores._as_chosen)
    source = scores._claim.source
    why = f"a {source} keeps scores by fold" + (
        "; fit bbc.keep_predictions(search)" if source == "search" else ""
    )
    return Correction(record, winners, why=why)


def _refuse_of_rows(name: str, value: Any) -> None:
    """Refuse an argument of rows, unless it says what is so."""
    if value is False or (name, value) == ("method", "bbc-f"):
        return
    raise InvalidValueError(
        Argument(name, value) if name == "method" else name,
        "is for predictions of rows, but the search kept scores by fold",
        hint="fit bbc.keep_predictions(search) in its place, or pass out-of-fold predictions",
    )


def with_deployed(
    estimate: PerformanceEstimate, claim: Claim, *, is_repeated: bool
) -> PerformanceEstimate:
    """Say of an estimate what the tool deploys, and whether it is of that.

    A choice that `is_repeated` by the tool's metric and rule must be the tool's.
    """
    if claim.chosen is None:
        return estimate
    said = claim.said.get(claim.decides)
    scores = None if said is None else said.overall
    if said is not None and scores is None:
        scores = said.by_fold.mean(axis=0)
    chosen, winner = claim.chosen, estimate.winner
    same = winner == chosen
    if is_repeated and scores is not None and not same:
        same = bool(np.isclose(scores[winner], scores[chosen], rtol=_TIE, atol=_TIE))
    won = estimate.replicate_winners
    deployed = Deployed(
        index=chosen,
        name=claim.names[chosen],
        source=claim.source,
        score=None if scores is None or np.isnan(scores[chosen]) else float(scores[chosen]),
        frequency=None if won is None else float(np.mean(won == chosen)),
        is_corrected=same,
    )
    if same:
        return replace(estimate, winner=chosen, winner_name=deployed.name, deployed=deployed)
    estimate = replace(estimate, deployed=deployed)
    found = shown_by("deployed", deployed_facts(estimate))
    if is_repeated:
        raise InvalidValueError("search", f": its choice cannot be repeated: {found[0].detail}")
    warn(found)
    return replace(estimate, data_findings=(*estimate.data_findings, *found))
