"""What a tool says of its search: its scores as it computed them, and what it chose by them.

Doors read claims and decide nothing. Which of the scores is meant, and in which direction it goes,
is settled here for all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .. import metrics
from .._design import UNKNOWN, Design, Lost
from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from .._validation import shown
from .._validation._truth import agreed
from ..errors import Argument, InvalidValueError
from ..metrics import Metric

#: What is said of the splits of a splitter that draws other folds in each call.
NEW_FOLDS = "each call draws other folds"
#: Facts that only a search that saw scores has.
DYNAMIC = ("n_trials", "n_last_halving", "n_searched", "n_stopped")
#: Sums of floats, and maps of them that keep the order of configurations.
_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Said:
    """One score, as the tool computed it.

    Attributes
    ----------
    called : str
        What it is: the metric's name if it was read, else the tool's word.
    by_fold : ndarray of shape (n_splits, n_configurations)
        NaN where it was lost; the splits of one partition follow each other.
    metric : Metric or None
        None unless it was read, or its name is that of a metric.
    overall : ndarray of shape (n_configurations,) or None
        The numbers that the tool compares.
    rises : bool or None
        Whether larger is better; None if the tool did not choose by it and its metric is not known.
    weighted : bool
        Whether the rows of a fold had weights in it.
    """

    called: str
    by_fold: FloatArray
    metric: Metric | None = None
    overall: FloatArray | None = None
    rises: bool | None = None
    weighted: bool = False

    @property
    def is_of_folds(self) -> bool:
        """Whether what the tool compares orders configurations as the means over folds do.

        That are the means, the sums and the means in per cent.
        """
        if self.overall is None:
            return True
        there = np.isfinite(self.overall) & np.isfinite(self.by_fold).all(axis=0)
        if not there.any():
            return True
        means, own = self.by_fold[:, there].mean(axis=0), self.overall[there]
        factors = (1, len(self.by_fold), 100)
        return any(np.allclose(f * means, own, rtol=_EQUAL, atol=1e-12) for f in factors)


@dataclass(frozen=True, eq=False)
class Claim:
    """What a tool says of its search; what is not known is None or empty, never a default.

    Attributes
    ----------
    source : str
        What the source is, for messages.
    names : tuple of str
        Names of all configurations.
    said : dict of str to Said
        Its scores, by the names that the source gives them.
    decides : str
        The score that the tool chose by; "" if it is not known.
    chosen : int or None
        The configuration that the tool deploys.
    chosen_by : str
        "best", or what the rule is, in words.
    eligible : ndarray of bool of shape (n_configurations,), or None
        Configurations that the tool could choose; all by default.
    lost : sequence of Lost
        Fits and scores that the tool lost.
    told : dict
        Facts of the search that findings name.
    n_repeats : int
        Number of partitions.
    is_pooled : bool
        Whether the tool compares scores on all rows together rather than means over folds.
    form_negates : bool
        Whether the form of a table promises that larger scores are better, as scikit-learn's.
    design : Design
        What is known of the folds.
    n_classes : float
        Number of classes; infinity where it is not known.
    splits : str
        Which folds they were, where the source tells, so that two searches can be compared.
    splits_of : callable or None
        Gives the test rows of the splits again, from the truth and the groups that the search was
        fitted on, or None where they cannot be known.
    is_classifier : bool or None
        Whether the models predict classes.
    """

    source: str
    names: tuple[str, ...]
    said: Mapping[str, Said]
    decides: str = ""
    chosen: int | None = None
    chosen_by: str = "best"
    eligible: BoolArray | None = None
    lost: Sequence[Lost] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    n_repeats: int = 1
    is_pooled: bool = False
    form_negates: bool = False
    design: Design = UNKNOWN
    n_classes: float = np.inf
    splits: str = ""
    splits_of: Callable[[AnyArray, AnyArray | None], Sequence[Any] | None] | None = None
    is_classifier: bool | None = None

    @property
    def is_table(self) -> bool:
        """Whether it is a table, which names no search."""
        return self.source == "table"

    def of(self, places: IndexArray) -> "Claim":
        """What it says of some configurations alone, which are those that it could choose."""

        def at(values: FloatArray | None) -> FloatArray | None:
            return None if values is None else values[places]

        said = {
            key: replace(each, by_fold=each.by_fold[:, places], overall=at(each.overall))
            for key, each in self.said.items()
        }
        place_of = {int(place): number for number, place in enumerate(places)}
        return replace(
            self,
            names=tuple(self.names[place] for place in places),
            said=said,
            chosen=None if self.chosen is None else place_of.get(self.chosen),
            eligible=None,
            lost=[
                each._replace(configuration=place_of[each.configuration])
                for each in self.lost
                if each.configuration in place_of
            ],
        )


def known_metric(name: str) -> Metric | None:
    """The metric of a name; None of others."""
    try:
        return metrics.get(name)
    except ValueError:
        return None


def negated_name(name: str) -> str:
    """The name of the same metric with the other sign: of a loss its scorer's, or the reverse."""
    return name.removeprefix("neg_") if name.startswith("neg_") else f"neg_{name}"


def said_of(claim: Claim, metric: Any, greater_is_better: bool | None = None) -> tuple[str, Said]:
    """The score that a metric asks for, by default what decides, with its direction.

    Its metric is the caller's if the tool gave none. Scores that it cannot have are refused.
    """
    key, said = _named(claim, metric)
    if not (metric is None or isinstance(metric, str)):
        said = replace(said, metric=_of_one_class(metrics.get(metric), said.metric))
    said = replace(said, rises=_direction(claim, key, said, greater_is_better))
    _refuse_outside(claim, said)
    return key, said


def key_of(claim: Claim, metric: Any) -> str:
    """The tool's name of the score that a metric asks for."""
    return _named(claim, metric)[0]


def _named(claim: Claim, metric: Any) -> tuple[str, Said]:
    keys = list(claim.said)
    if metric is None:
        key = claim.decides or (keys[0] if len(keys) == 1 else "")
        if not key:
            raise InvalidValueError(
                "metric", f"must name one of the scores of the {claim.source}: {shown(keys)}"
            )
        return key, claim.said[key]
    asked = metric if isinstance(metric, str) else metrics.get(metric).name
    for key, said in claim.said.items():
        own = () if said.metric is None else (said.metric.name,)
        if asked in (key, said.called, *own):
            return key, said
    only = claim.said[keys[0]]
    if len(keys) == 1 and only.metric is None:  # of which only the caller knows what it is
        known = known_metric(asked) if isinstance(metric, str) else None
        return keys[0], replace(only, called=asked, metric=known)
    called = [said.called for said in claim.said.values()]
    negative = [name for name in called if name == negated_name(asked)]
    raise InvalidValueError(
        Argument("metric", asked),
        f"is none of the scores of the {claim.source}: {shown(called)}",
        hint=f"{negative[0]!r} is the same with the other sign" if negative else "",
    )


def _of_one_class(given: Metric, own: Metric | None) -> Metric:
    """The caller's metric, with the positive class that the tool's scorer says."""
    if own is None or own.pos_label is None:
        return given
    return replace(given, pos_label=agreed(own, given.pos_label))


def _direction(claim: Claim, key: str, said: Said, asked: bool | None) -> bool:
    """Whether larger is better: as the tool chose, as the caller says, or as the metric is."""
    label, known = said.called, said.metric
    values = said.by_fold[np.isfinite(said.by_fold)]
    own = said.rises
    if own is not None and asked not in (None, own):
        raise InvalidValueError(
            Argument("greater_is_better", asked),
            f"contradicts the {claim.source}, which takes the {_end(own)} {label!r}",
        )
    if asked is not None:  # negated losses are under 0
        if known is None or known.greater_is_better == asked or (values <= 0).all():
            return asked
        better = "larger" if known.greater_is_better else "smaller"
        raise InvalidValueError(
            Argument("greater_is_better", asked),
            f"contradicts {label!r}, which is better if it is {better}, and has values above 0",
        )
    if own is not None:
        if known is not None and known.greater_is_better != own:
            raise InvalidValueError(
                Argument("metric", label),
                f"is better at the other end, but the {claim.source} takes the {_end(own)} of its "
                f"scores {key!r}",
                hint=f"greater_is_better={own} says that they were negated",
            )
        return own
    if claim.form_negates:
        if known is not None and not known.greater_is_better and (values > 0).any():
            raise _contradicts(label, "is a loss, but has values above 0 in a table", "negates")
        return True
    if known is None:
        raise InvalidValueError(
            "greater_is_better",
            f"must say whether larger values of {label!r} are better: bbc does not know it",
            hint="or, if it is one of bbc.metrics.names() in other words, give that name",
        )
    if (values < 0).any() and known.range == (0.0, np.inf):
        raise _contradicts(label, "is a loss, but has values below 0", "does not negate")
    return known.greater_is_better


def _end(rises: bool) -> str:
    return "largest" if rises else "smallest"


def _contradicts(label: str, what: str, does: str) -> InvalidValueError:
    return InvalidValueError(
        "greater_is_better",
        f"must say whether larger values are better: {label!r} {what} whose form {does} losses",
    )


def _refuse_outside(claim: Claim, said: Said) -> None:
    """Refuse scores that the metric cannot have, such as per cent, or a loss called a score."""
    low, high = limits_of(said)
    values = said.by_fold
    outside = np.isfinite(values) & ((values < low - _EQUAL) | (values > high + _EQUAL))
    if outside.any():
        split, place = np.argwhere(outside)[0].tolist()
        raise InvalidValueError(
            "search",
            f": a score of {said.called!r} is {values[split, place]:.6g} (configuration "
            f"{claim.names[place]!r}, split {split}), outside [{low:g}, {high:g}]: is it another "
            "metric, in per cent, or negated?",
        )


def limits_of(said: Said) -> tuple[float, float]:
    """The least and the largest value that a score can have."""
    if said.metric is None:
        return -np.inf, np.inf
    low, high = said.metric.limits(np.inf)
    return (low, high) if said.metric.greater_is_better == said.rises else (-high, -low)
