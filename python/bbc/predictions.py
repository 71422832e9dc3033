"""OutOfSamplePredictions: the result of fitting, and all that statistics read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, Protocol

import numpy as np

from ._design import UNKNOWN, Design
from ._frozen import frozen_copy, read_only
from ._page import Page
from ._rows import refuse_other_rows
from ._typing import AnyArray, BoolArray, CodeArray, IndexArray, Response
from .errors import InvalidTypeError, InvalidValueError

_TO_KEEP = (
    "only models give them: name {!r} among the metrics of `scoring` when they are fitted, or fit "
    "with bbc.keep_predictions, which keeps all that models give"
)


class _Reader(Protocol):
    """The part of a metric that decides which predictions it reads."""

    @property
    def name(self) -> str: ...

    @property
    def response(self) -> Response: ...

    @property
    def response_method(self) -> tuple[str, ...]: ...

    @property
    def times(self) -> tuple[float, ...]: ...

    def reads_decisions(self, *, by_fold: bool) -> bool: ...


#: The outputs of models that are kept, by name.
OUTPUTS = ("labels", "scores", "decisions", "survival")
_READ = ("labels", "scores", "survival")
BY_ROW = ("y", "groups", "stratified_by", "sample_weight")
#: Arguments that say something of rows, and of rows and columns.
OF_ROWS = ("folds", *BY_ROW[1:])
DESIGN = (*OF_ROWS, "pos_label", "labels", "names")
_ARRAYS = (*BY_ROW, *OUTPUTS, "folds", "classes", "places")


@dataclass(frozen=True, eq=False, repr=False)
class OutOfSamplePredictions:
    """Predictions of every row by every configuration, from models that did not train on the row.

    Axes are (repeat, row, configuration), followed by the class for class scores and by the time
    for survival. Arrays are read-only; writeable ones are copied. A metric reads the array that it
    needs, so that metrics of unlike outputs go together in one correction. Protocols and kept
    searches make them (`oos_predictions_`); of arrays of your own make `bbc.Predictions`.

    Attributes
    ----------
    y : array-like
        The truth: of shape (n_rows,), or structured (event, time).
    labels : array-like of shape (n_repeats, n_rows, n_configurations), optional
        Predicted labels of classifiers.
    scores : array-like of shape (n_repeats, n_rows, n_configurations[, n_classes]), optional
        Scores or probabilities of classifiers, predictions of regressors, or risks. NaN is a
        missing prediction.
    reads : {"labels", "scores", "survival"}, optional
        Which of them the selection metric reads; by default scores if there are any, else labels.
    decisions : array-like, optional
        Where scores are probabilities: decision values of models that have both, of the same shape.
        Metrics of ranks within folds read them, as scikit-learn's scorers do, and so do metrics of
        decision values alone.
    folds : array-like of int of shape (n_repeats, n_rows), optional
        The fold in which each row was held out.
    mask : array-like of bool of shape (n_repeats, n_rows, n_configurations), optional
        True where a row was predicted; by default everywhere, or where scores are not NaN.
    names : sequence of str, optional
        Names of the configurations.
    classes : array-like, optional
        The classes, in the order of the scores' last axis; sorted by default.
    groups, stratified_by, sample_weight : array-like of shape (n_rows,), optional
        Groups of the rows, labels within which folds were drawn if these are not the classes, and
        weights.
    pos_label : label, optional
        The positive class of two: the default of `pos_label` in corrections.
    scored_class : label, optional
        The class of two whose scores these are, if they are of one; `pos_label` by default.
    response : sequence of str of length n_configurations, optional
        The method that gave the scores of each configuration: "predict_proba",
        "decision_function" or "predict"; "" if unknown. Decision values of models from different
        folds need not share a scale: finding BBC005.
    dynamic_search : bool, default=False
        Whether configurations were chosen depending on the scores of others, as by Bayesian
        optimisation or successive halving: finding BBC007.
    time_ordered : bool, default=False
        Whether each row was predicted by models of earlier rows only: finding BBC018.
    design : Design, optional
        What is known of the training: the splitter, failed and dropped configurations.
    time_indexed : bool, default=False
        Whether rows have an index of times in order: finding BBC018.
    n_copies : int, optional
        Rows that occur again outside their fold, with the same inputs and truth: finding BBC030.
    survival : array-like of shape (n_repeats, n_rows, n_configurations, n_times), optional
        Probabilities of surviving each of `times`. NaN is a missing prediction.
    times : sequence of float, optional
        The ascending times of `survival`. Metrics of survival read those that they name.
    tried : sequence of str, optional
        Names of all configurations that were tried, where predictions of some were left out, as of
        those that failed. Results number the configurations of this list.
    places : array-like of int of shape (n_configurations,), optional
        The places of the configurations among those that were tried, ascending.

    Examples
    --------
    >>> import bbc
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> search = bbc.TT(DecisionTreeClassifier(), {"max_depth": [1, 3]}, cv=5, random_state=0)
    >>> kept = search.fit(X, y).oos_predictions_
    >>> kept
    OutOfSamplePredictions(n_repeats=1, n_rows=150, n_configurations=2, labels)
    >>> kept.design.splitter, bbc.Predictions(y, kept).n_configurations
    ('StratifiedKFold', 2)
    """

    y: AnyArray
    labels: AnyArray | None = None
    scores: AnyArray | None = None
    reads: Literal["labels", "scores", "survival", ""] = ""
    folds: CodeArray | None = None
    mask: BoolArray = None  # type: ignore[assignment]  # filled in below
    names: tuple[str, ...] | None = None
    classes: AnyArray | None = None
    groups: AnyArray | None = None
    sample_weight: AnyArray | None = None
    pos_label: Any = None
    response: tuple[str, ...] | None = None
    dynamic_search: bool = False
    time_ordered: bool = False
    design: Design = UNKNOWN
    scored_class: Any = None
    decisions: AnyArray | None = None
    time_indexed: bool = False
    survival: AnyArray | None = None
    times: tuple[float, ...] = ()
    n_copies: int | None = None
    tried: tuple[str, ...] | None = None
    places: IndexArray | None = None
    stratified_by: AnyArray | None = None

    def __post_init__(self) -> None:
        refuse_other_rows(**{name: getattr(self, name) for name in BY_ROW})
        for name in _ARRAYS:
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, frozen_copy(value))
        if self.labels is self.scores is self.survival is None:
            raise ValueError("OutOfSamplePredictions needs labels, scores or survival, got neither")
        if not self.reads:
            there = [name for name in ("scores", "labels") if getattr(self, name) is not None]
            object.__setattr__(self, "reads", (*there, "survival")[0])
        if self.reads not in _READ:
            words = ", ".join(map(repr, _READ))
            raise InvalidValueError("reads", f"must be one of {words}, got {self.reads!r}")
        if getattr(self, self.reads) is None:
            raise ValueError(f"reads={self.reads!r}, but there are no {self.reads}")
        for name in ("names", "response", "tried"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, tuple(map(str, value)))
        if self.scored_class is None:
            object.__setattr__(self, "scored_class", self.pos_label)
        self._check_times()
        self._check_shapes()
        mask = (
            read_only(self._default_mask())
            if self.mask is None
            else frozen_copy(self.mask, np.bool_)
        )
        object.__setattr__(self, "mask", mask)
        _check_shape("mask", self.mask, self._shape)

    @property
    def values(self) -> AnyArray:
        """The array that the selection metric reads; of survival at one time without that axis."""
        values = getattr(self, self.reads)
        assert isinstance(values, np.ndarray)
        return values[..., 0] if self.reads == "survival" and len(self.times) == 1 else values

    @cached_property
    def responses(self) -> tuple[str, ...]:
        """The outputs of models that there are.

        Of "labels", "decisions", "scores", "probabilities", "values" and "survival"; "unknown"
        where nothing tells what the scores are.
        """
        held: tuple[str, ...] = () if self.labels is None else ("labels",)
        held = held if self.decisions is None else (*held, "decisions")
        held = held if self.scores is None else (*held, self._kind_of_scores)
        return held if self.survival is None else (*held, "survival")

    @property
    def _kind_of_scores(self) -> str:
        methods = set(self.response or ()) - {""}
        if methods == {"predict"}:
            return "values"
        if methods == {"predict_proba"}:
            return "probabilities"
        return "scores" if methods else "unknown"

    def read_by(self, metric: _Reader, *, by_fold: bool = False) -> AnyArray:
        """Return the array that a metric reads.

        Parameters
        ----------
        metric : Metric
            The metric.
        by_fold : bool, default=False
            Whether scores are ranked within folds.

        Returns
        -------
        ndarray
            `labels`, `scores`, `decisions` or, of `survival`, the metric's times.

        Raises
        ------
        ValueError
            If the metric's response is not there, or one of two must be named.
        """
        labels, scores, held = self.labels, self.scores, self.responses
        response: str = metric.response
        name = metric.name
        if not response:
            arrays = [getattr(self, each) for each in _READ if getattr(self, each) is not None]
            if len(arrays) == 1:
                return self.values
            raise InvalidValueError(
                "metric",
                f": the predictions are kept as {' and as '.join(held)}, and the function "
                f"{name!r} does not say which it takes",
                hint='use bbc.metrics.row_loss or bbc.metrics.from_callable with response="labels" '
                f'or response="{held[-1]}"',
            )
        if response == "survival" and self.survival is not None:
            return survival_at(self.survival, self.times, metric)
        if labels is not None and response in ("predict", "labels"):
            return labels
        if self.decisions is not None and metric.reads_decisions(by_fold=by_fold):
            return self.decisions
        if scores is not None:
            kind = self._kind_of_scores
            if kind == "probabilities" and metric.response_method == ("decision_function",):
                response = "decisions"
            if kind == "unknown":  # taken as they are, and validated
                return scores
            if response in ("predict", "labels", "values"):
                if kind == "values":
                    return scores
            elif response == "scores" or (kind != "scores" and response != "decisions"):
                return scores
        if response == "predict":
            response = "labels" if self.survival is None else "risks"
        if self.names and labels is not None and self.design == UNKNOWN and _is_text(labels):
            raise InvalidTypeError(
                "predictions",
                f": the column of {self.names[0]!r} is text, metric {name!r} reads {response}: "
                "give numbers, or a metric of labels",
            )
        raise InvalidValueError(
            "predictions",
            f"are kept as {' and as '.join(held)}, metric {name!r} reads {response}",
            hint=_TO_KEEP.format(name),
        )

    @property
    def n_repeats(self) -> int:
        """Number of partitions."""
        return self._shape[0]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._shape[1]

    @property
    def n_configurations(self) -> int:
        """Number of configurations."""
        return self._shape[2]

    @cached_property
    def is_complete(self) -> bool:
        """True if every configuration predicted every row in every repeat."""
        return bool(self.mask.all())

    @property
    def training(self) -> Design:
        """What is known of the training and the search."""
        # False is the default of both, and a statement only where the training was seen.
        made = self.design
        seen = made.training != "unknown"
        return replace(
            made,
            time_ordered=self.time_ordered or (False if seen else made.time_ordered),
            dynamic_search=self.dynamic_search or (False if seen else made.dynamic_search),
        )

    @property
    def _shape(self) -> tuple[int, int, int]:
        repeats, rows, configurations = self.values.shape[:3]
        return repeats, rows, configurations

    def _check_times(self) -> None:
        """Refuse survival without its times; at one time the last axis may be missing."""
        named = not (isinstance(self.times, tuple) and self.times == ())
        if (self.survival is not None) != named:
            lacking, there = ("survival", "times") if named else ("times", "survival")
            raise InvalidValueError(lacking, f"must be given with {there}")
        if self.survival is None:
            return
        times = checked_times(self.times)
        object.__setattr__(self, "times", times)
        if self.survival.ndim == 3 and len(times) == 1:
            object.__setattr__(self, "survival", read_only(self.survival[..., np.newaxis]))
        if self.survival.ndim != 4 or self.survival.shape[3] != len(times):
            raise InvalidValueError(
                "survival",
                f"must have the axes (repeat, row, configuration, time) and {len(times)} times, "
                f"got shape {self.survival.shape}",
            )

    def _check_shapes(self) -> None:
        if self.labels is not None and self.labels.ndim != 3:
            raise InvalidValueError(
                "labels",
                "must have the axes (repeat, row, configuration), "
                f"got an array of {self.labels.ndim} dimensions",
            )
        if self.scores is not None and self.scores.ndim not in (3, 4):
            raise InvalidValueError(
                "scores",
                "must have the axes (repeat, row, configuration[, class]), "
                f"got an array of {self.scores.ndim} dimensions",
            )
        repeats, rows, configurations = self._shape
        for name in _READ:
            value = getattr(self, name)
            if value is not None:
                _check_shape(name, value[..., 0] if value.ndim == 4 else value, self._shape)
        if self.decisions is not None:
            if self.scores is None:
                raise InvalidValueError(
                    "decisions", "are kept beside probabilities: scores are missing"
                )
            _check_shape("decisions", self.decisions, self.scores.shape)
        if self.folds is not None:
            _check_shape("folds", self.folds, (repeats, rows))
        for name in BY_ROW:
            value = getattr(self, name)
            if value is not None and len(value) != rows:
                raise InvalidValueError(name, f"has {len(value)} rows, predictions have {rows}")
        if (self.tried is None) != (self.places is None):
            raise InvalidValueError("places", "must be given with tried")
        for name in ("names", "response", "places"):
            value = getattr(self, name)
            if value is not None and len(value) != configurations:
                raise InvalidValueError(
                    name, f"has {len(value)} entries for {configurations} configurations"
                )

    def _default_mask(self) -> BoolArray:
        found: BoolArray = np.broadcast_to(np.True_, self._shape)
        for value in (self.scores, self.survival):
            if value is not None and value.dtype.kind == "f":
                there = ~np.isnan(value)
                found = found & (np.all(there, axis=-1) if there.ndim == 4 else there)
        return found

    def __repr__(self) -> str:
        have = [name for name in _READ if getattr(self, name) is not None]
        return (
            f"OutOfSamplePredictions(n_repeats={self.n_repeats}, n_rows={self.n_rows}, "
            f"n_configurations={self.n_configurations}, {' and '.join(have)})"
        )

    def _repr_html_(self) -> str:
        sizes = zip(("repeats", "rows", "configurations"), map(str, self._shape), strict=True)
        facts = [("predictions", " and ".join(self.responses)), *sizes]
        return Page(type(self).__name__, [*facts, *self.design._page().facts]).html()


def checked_times(given: Any) -> tuple[float, ...]:
    """Ascending times as floats."""
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise InvalidTypeError("times", f"must be several numbers, got {type(given).__name__}")
    try:
        times = tuple(map(float, given))
    except (TypeError, ValueError):
        raise InvalidTypeError("times", "must be numbers") from None
    # Ascending up to infinity, without it: NaN and infinity are no times.
    if not times or not all(before < after for before, after in pairwise((0.0, *times, np.inf))):
        raise InvalidValueError("times", f"must be above 0 and ascend, got {list(times)}")
    return times


def survival_at(kept: AnyArray, times: Sequence[float], metric: _Reader) -> AnyArray:
    """The survival that a metric reads of what is kept at some times, its last axis."""
    missing = [time for time in metric.times if time not in times]
    if missing:
        raise InvalidValueError(
            "predictions",
            f"have survival at {', '.join(f'{time:g}' for time in times)}, metric "
            f"{metric.name!r} reads it at {', '.join(f'{time:g}' for time in missing)}, too",
            hint="survival is not interpolated: predict it at these times; protocols keep those of "
            "their metrics, bbc.keep_predictions takes times=[...]",
        )
    places = [times.index(time) for time in metric.times]
    if places == list(range(len(times))) and len(places) > 1:
        return kept
    return kept[..., places[0]] if len(places) == 1 else kept[..., places]


def is_time_ordered(splits: Iterable[tuple[IndexArray, IndexArray]]) -> bool:
    """True if there are several splits, and each tests on rows after all its training rows."""
    n_splits = 0
    for train, test in splits:
        if train.max() >= test.min():
            return False
        n_splits += 1
    return n_splits > 1


def _check_shape(name: str, value: AnyArray, shape: tuple[int, ...]) -> None:
    if value.shape != shape:
        raise InvalidValueError(name, f"has shape {value.shape}, expected {shape}")


def _is_text(labels: AnyArray) -> bool:
    """Whether these are written in a table: models give what their classes are."""
    return labels.dtype.kind in "UO" and any(isinstance(each, str) for each in labels.flat)
