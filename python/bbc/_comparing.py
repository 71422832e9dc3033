"""From sources, each with its own rule of choice, to the comparison of their winners."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

from . import _validation
from ._finished._claim import NEW_FOLDS
from ._finished._scores import FoldScores, refuse_facts_of_rows
from ._fold_winners import FoldWinners, told
from ._validation import ARGUMENTS, BY_RUNGS, Asked, Pooling
from ._winners import Winners, refuse_secondary, secondary_metrics, selecting_metric
from .comparison import Family, compare_families, split
from .correction import Correction, length_of_blocks
from .errors import Argument, InvalidValueError, NotKeptError, arguments_called
from .metrics import Metric
from .metrics import get as get_metric
from .results import Comparison
from .sources import Predictions, check_selects

#: What each chooses and reads by itself, unless it is said for all.
_OWN = ("selection", "pos_label", "dynamic_search")
#: What a comparison has of its own.
_OF_COMPARISON = (
    *("metric", "n_bootstraps", "resamples", "interval", "confidence_level", "alternative"),
)
#: What all families must have in common, of the options of their own corrections.
_COMMON = (
    *("missing", "block_length"),
    *(
        name
        for name in _validation.Options._fields
        if name in ARGUMENTS and name not in (*_OWN, *_OF_COMPARISON)
    ),
)


class Member(NamedTuple):
    """A source that is compared: what it kept, and how its own correction chooses and scores.

    `metric` and `options` are those of its own correction, if it has one.
    """

    given: Predictions | FoldScores
    metric: Any = None
    options: Mapping[str, Any] = {}
    pooling_of: Callable[[Metric], Pooling] | None = None

    @classmethod
    def of(cls, source: Predictions | Correction, name: str) -> "Member":
        """What is compared of predictions or of a correction, whose draws are its own."""
        if isinstance(source, Predictions):
            own = source._source
            if own.rungs is not None:
                raise InvalidValueError(f"families[{name!r}]", "is corrected by {}", BY_RUNGS)
            pooling_of = None if own.pooling_of is None else source._pooling_of
            return cls(source, own.metric, own.options, pooling_of)
        winners, given = source._winners, source.predictions
        if isinstance(winners, FoldWinners):
            return cls(winners.scores, winners.scores.metric)
        if given is None:
            raise NotKeptError(f"families[{name!r}]", f"needs predictions of rows: {source._why}")
        if not isinstance(winners, Winners):
            found = cls.of(given, name)
            method = {"method": "tt"} if source.record.method == "tt" else {}
            return found._replace(
                metric=found.metric or source.record.metric, options={**found.options, **method}
            )
        options, data = winners.asked.options, winners.asked.data
        if options.selection.rungs is not None:
            raise InvalidValueError(f"families[{name!r}]", "is corrected by {}", BY_RUNGS)
        of_data = ("missing", "block_length", "pos_label")
        made = options._asdict() | {option: getattr(data, option) for option in of_data}
        return cls(given, options.metric, made, winners.pooling_of)


def compare_members(
    members: Mapping[str, Member],
    rules: Mapping[str, Any],
    *,
    metric: Any,
    by: Any,
    reference: str | None,
    options: dict[str, Any],
) -> Comparison:
    """The comparison of members, each by its own rule, or of families inside the only one."""
    members = _pooling_alike(members, said="pooling" in options)
    options["random_state"] = _validation.seed(options.get("random_state"))
    kept = {name: each.given for name, each in members.items()}
    scores = {name: each for name, each in kept.items() if isinstance(each, FoldScores)}
    rows = {name: each for name, each in kept.items() if isinstance(each, Predictions)}
    selects = _selecting(members, metric)
    secondary = options.pop("secondary", None)
    if not scores:
        further = secondary_metrics(secondary, selects)
        calls = _calls(rows, members, rules, selects, further, options)
        return _compared(calls, members, by, reference, further)
    if rows:
        raise InvalidValueError(
            "families",
            f": {next(iter(scores))!r} kept scores by fold, {next(iter(rows))!r} predictions of "
            "rows",
            hint="fit bbc.keep_predictions(search) in place of the first",
        )
    if secondary:
        raise InvalidValueError("secondary", "needs predictions of rows, but scores were kept")
    refuse_facts_of_rows(options)
    _refuse_other_folds(scores)
    calls = {}
    for name, each in scores.items():
        rule = rules.get(name, options.get("selection", "best"))
        calls[name] = each._asked(options | {"selection": rule})
    return told(_compared(calls, members, by, reference, {}), next(iter(scores.values())))


def _compared(
    calls: Mapping[str, Asked],
    members: Mapping[str, Member],
    by: Any,
    reference: str | None,
    secondary: Mapping[str, Metric],
) -> Comparison:
    if by is not None:
        ((name, call),) = calls.items()
        member = members[name]
        learners = () if isinstance(member.given, FoldScores) else member.given._source.learners
        with arguments_called(y_true="families.y"):
            families = split(call, by, learners, member.pooling_of)
        return compare_families(families, reference, secondary, "by")
    families = []
    for name, call in calls.items():
        place = f"families[{name!r}]"
        with arguments_called(predictions=place, y_true=f"{place}.y"):
            problem = call.problem()
        families.append(Family(name, call, problem, call.problem, members[name].pooling_of))
    return compare_families(families, reference, secondary)


def _selecting(members: Mapping[str, Member], metric: Any) -> Metric:
    """The metric that selects all winners: the one that is given, and that of each source."""
    known = {name: each.metric for name, each in members.items() if each.metric is not None}
    if metric is None:
        metric = get_metric(None) if not known else next(iter(known.values()))
    selects = selecting_metric(metric)
    for name, own in known.items():
        hint = f"secondary=[{selects.name!r}] compares its winner by it"
        check_selects(selects, own, f"family {name!r}", hint)
    return selects


def _calls(
    rows: Mapping[str, Predictions],
    members: Mapping[str, Member],
    rules: Mapping[str, Any],
    metric: Metric,
    secondary: Mapping[str, Metric],
    said: dict[str, Any],
) -> dict[str, Asked]:
    """The call that corrects each member, with the options that all have in common."""
    for name, given in rows.items():
        if given._is_stream:
            raise InvalidValueError("families", f": {name!r} is a stream, which has no comparison")
    common = _common(members, said)
    method = said.get("method", common.get("method", "bbc"))
    common["method"] = _validation.choice(method, "method", ("bbc", "bbc-two-level"))
    _refuse_other_pooling(members, metric, common)
    every = {metric.name: metric, **secondary}
    own = {}
    for name, each in members.items():
        made = {option: each.options[option] for option in _OWN if option in each.options}
        # A rule of its own, the one that is said for all, or that of its source.
        rule = {"selection": rules[name]} if name in rules else {}
        own[name] = {"pos_label": rows[name].pos_label, **made, **common, **said, **rule}
        own[name]["metric"] = metric
    if "block_length" in said:
        longest = max(length_of_blocks(given, metric, own[name]) for name, given in rows.items())
        for options in own.values():
            options["block_length"] = longest
    calls = {name: given._asked(own[name], every) for name, given in rows.items()}
    for call in calls.values():
        refuse_secondary(call.options.selection, secondary)
    return calls


def _common(members: Mapping[str, Member], said: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the sources' own corrections that are those of all."""
    found: dict[str, Any] = {}
    for option in _COMMON:
        known = {n: each.options[option] for n, each in members.items() if option in each.options}
        if option in said or not known:
            continue
        first, *others = known
        for other in others:
            if known[other] != known[first]:
                _refuse_unlike(option, first, known[first], other, known[other])
        found[option] = known[first]
    return found


def _pooling_alike(members: Mapping[str, Member], *, said: bool) -> dict[str, Member]:
    """The members, of which those that say nothing of pooling follow the others."""
    if said:
        return {name: each._replace(pooling_of=None) for name, each in members.items()}
    known = [each.pooling_of for each in members.values() if each.pooling_of is not None]
    if not known:
        return dict(members)
    return {
        name: each
        if each.pooling_of is not None or "pooling" in each.options
        else each._replace(pooling_of=known[0])
        for name, each in members.items()
    }


def _refuse_other_pooling(
    members: Mapping[str, Member], metric: Metric, common: Mapping[str, Any]
) -> None:
    """Refuse winners that their sources' own corrections score in different ways."""
    own = common.get("pooling", "pooled")
    scored = {
        name: own if each.pooling_of is None else each.pooling_of(metric)
        for name, each in members.items()
    }
    first, *others = scored
    for name in others:
        if scored[name] != scored[first]:
            _refuse_unlike("pooling", first, scored[first], name, scored[name])


def _refuse_unlike(option: str, first: str, own: Any, other: str, theirs: Any) -> NoReturn:
    raise InvalidValueError(
        "families",
        f": {option} of {first!r} is {own!r}, of {other!r} {theirs!r}",
        hint=("{} says it for all", Argument(option, theirs)),
    )


def _refuse_other_folds(found: Mapping[str, FoldScores]) -> None:
    """Refuse families that were scored on other folds, as far as it is known."""
    (first, one), *others = found.items()
    for name, other in others:
        ours, theirs = one._claim.splits, other._claim.splits
        unlike = ours and theirs and ours != theirs
        if unlike or ours == NEW_FOLDS or one.n_folds != other.n_folds:
            raise InvalidValueError(
                "families",
                f": {name!r} was not scored on the folds of {first!r}",
                hint="give both searches one list of splits, or a splitter with a random_state",
            )
