"""Results about binary outcomes: calibration, net benefit and curves of the winner."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from .._digits import decimals_by_width, number, shown
from .._drawable import Drawable
from .._page import Page, Table, limits, remarks, short
from .._result import Level, PerEntry, Result, Share
from .._typing import FloatArray, IndexArray
from ..errors import InvalidTypeError, InvalidValueError
from ._estimate import PerformanceEstimate, cells
from ._of_winner import OfWinner
from ._parts import ConfidenceInterval

#: A value for each point of a curve.
PerPoint: TypeAlias = Annotated[FloatArray, PerEntry("x")]
#: Name, range or value, and what it is about -> a quantity from the same replicates.
Reader: TypeAlias = Callable[..., "Quantity"]
TITLES = ("", "corrected", "interval", "apparent", "undefined")
_MANY = 0.02  # of the replicates
_PLACES = 4
_SHOWN = (0.05, 0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True, eq=False)
class Quantity(Result):
    """A number that describes the winner, corrected for selection.

    Attributes
    ----------
    name : str
        What it is.
    estimate : float or None
        Mean of the replicates; None if it is undefined in all of them.
    apparent : float or None
        Its uncorrected value on all rows; None if it is undefined there.
    confidence_interval : ConfidenceInterval or None
        Order statistics of the replicates; None if too few are defined, or if the draws give no
        interval.
    n_undefined : int
        Replicates that are left out because it is undefined in them.
    ideal : float or None
        The value of perfect calibration, if there is one.
    replicates : ndarray
        The defined replicates.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
    >>> c = c.calibration()
    >>> c.slope.name, c.slope.ideal
    ('calibration slope', 1.0)
    """

    name: str
    estimate: float | None
    apparent: float | None
    confidence_interval: ConfidenceInterval | Any
    n_undefined: int
    replicates: FloatArray
    ideal: float | None = None

    def __repr__(self) -> str:
        return f"Quantity({self.name} = {', '.join(self.cells[1:3])})"

    @property
    def cells(self) -> tuple[str, ...]:
        """Name, estimate, interval, apparent value and count of undefined replicates as text."""
        return cells_of(self.name, self)

    def _page(self) -> Page:
        return Page(self.name, tables=[[TITLES, self.cells]])

    def _row(self) -> dict[str, Any]:
        low, high = self.confidence_interval or (None, None)
        return {
            "quantity": self.name,
            "estimate": or_nan(self.estimate),
            "low": or_nan(low),
            "high": or_nan(high),
            "apparent": or_nan(self.apparent),
            "ideal": or_nan(self.ideal),
            "n_undefined": self.n_undefined,
        }


def cells_of(name: str, found: Quantity | PerformanceEstimate) -> tuple[str, ...]:
    """What `Quantity.cells` has, of a quantity or a metric."""
    if isinstance(found, PerformanceEstimate):
        return (name, *cells(found), str(found.n_undefined))
    n = len(found.replicates) + found.n_undefined
    places = decimals_by_width([found.confidence_interval], n)
    text = partial(_shown, places=places)
    interval = limits(found.confidence_interval, text)
    undefined = str(found.n_undefined or 0)
    return (name, text(found.estimate), interval, text(found.apparent), undefined)


@dataclass(frozen=True, eq=False)
class Curve(Result):
    """A curve of the winner, corrected for selection, with its bands.

    Rows of `to_frame` are points; limits are NaN where there is no band.

    Attributes
    ----------
    x : ndarray of shape (n_points,)
        Where it is evaluated.
    estimates : ndarray of shape (n_points,)
        At each point the mean of the replicates that are defined there.
    apparent : ndarray of shape (n_points,)
        The uncorrected curve, on all rows.
    lows, highs : ndarray of shape (n_points,) or None
        Pointwise band: order statistics of the replicates at each point, and at least the score
        interval of as many events. None if the draws give no interval.
    simultaneous_lows, simultaneous_highs : ndarray of shape (n_points,) or None
        The band within which a share `confidence_level` of the replicates lies wholly, and that
        holds the score intervals.
    n_undefined : ndarray of int of shape (n_points,)
        Replicates that are undefined at each point, and left out there.
    n_bootstraps : int
        Number of replicates.
    confidence_level : float
        Level of both bands.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
    >>> roc = c.roc_curve()
    >>> roc.curve.x.shape, bool((roc.curve.simultaneous_lows <= roc.curve.lows).all())
    ((101,), True)
    """

    x: FloatArray
    estimates: PerPoint
    apparent: PerPoint
    lows: PerPoint | None
    highs: PerPoint | None
    simultaneous_lows: PerPoint | None
    simultaneous_highs: PerPoint | None
    n_undefined: Annotated[IndexArray, PerEntry("x")]
    n_bootstraps: int
    confidence_level: Level = 0.95

    def _interval(self, point: int) -> tuple[float, float] | None:
        if self.lows is None or self.highs is None:
            return None
        return self.lows[point], self.highs[point]

    def _text(self, points: Iterable[int]) -> Callable[[float], str]:
        """The function that writes the values at some points, with as many decimals each."""
        places = decimals_by_width(map(self._interval, points), self.n_bootstraps)
        return partial(_shown, places=places)

    def _cells(self, points: Sequence[int]) -> list[tuple[str, ...]]:
        """Where each point is, the estimate there, its interval and the apparent value."""
        text = self._text(points)
        return [
            (
                f"{self.x[point]:.4g}",
                text(self.estimates[point]),
                limits(self._interval(point), text),
                text(self.apparent[point]),
            )
            for point in points
        ]

    def _table(self, *titles: str) -> Table:
        """Six points."""
        points = range(0, len(self.x), max(1, len(self.x) // 5))
        return [(*titles, "interval", "apparent"), *self._cells(points)]

    def _page(self) -> Page:
        return Page(
            f"curve of {len(self.x)} points, {self.n_bootstraps} replicates",
            tables=[self._table("x", "corrected")],
        )

    def _frame(self) -> dict[str, Any]:
        none = np.full(len(self.x), np.nan)
        bands = {
            "low": self.lows,
            "high": self.highs,
            "simultaneous_low": self.simultaneous_lows,
            "simultaneous_high": self.simultaneous_highs,
        }
        return {
            "x": self.x,
            "estimate": self.estimates,
            **{name: none if values is None else values for name, values in bands.items()},
            "apparent": self.apparent,
            "n_undefined": self.n_undefined,
        }

    def __repr__(self) -> str:
        return f"Curve({len(self.x)} points, {self.n_bootstraps} replicates)"


class OfQuantities:
    """A result of several quantities, which are the rows of its frame."""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """All that are one number."""
        return tuple(value for value in vars(self).values() if isinstance(value, Quantity))

    def _frame(self) -> Any:
        return [each._row() for each in self.quantities]


@dataclass(frozen=True, eq=False)
class Calibration(OfQuantities, OfWinner, Drawable, Result):
    """Calibration of the winner, corrected for selection: what `Correction.calibration` returns.

    Rows of `to_frame` are quantities; `curve` has a frame of its own.

    Attributes
    ----------
    intercept : Quantity
        Calibration in the large: a in logit P(event) = a + logit p. Ideally 0; negative where
        risks are too high.
    slope, slope_intercept : Quantity
        b and a in logit P(event) = a + b logit p. Ideally 1 and 0; a slope below 1 means that
        risks are too extreme.
    observed_expected : Quantity
        Number of events over the sum of the probabilities. Ideally 1.
    brier_score : Quantity
        Mean squared difference of probability and event.
    reliability, resolution, uncertainty, within_bins : Quantity
        Its decomposition: Brier score = reliability - resolution + uncertainty + within_bins.
    calibration_error : Quantity
        Expected calibration error: mean absolute difference of a bin's observed and mean
        predicted risk, weighted by the rows.
    curve : Curve
        Observed against predicted risk, smoothed, over the range of the winner's predictions.
    n_bins : int
        Number of bins of equal size for the decomposition and the calibration error.
    share_certain : float
        Share of the rows that the winner gives a probability of exactly 0 or 1. These have no
        logit: intercept and slope leave them out.
    event_counts, other_counts : ndarray of int of shape (50,)
        How many events, and how many other rows, have a probability of 0 to 0.02, 0.02 to 0.04 and
        so on; with repeats a row counts in each.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
    >>> c = c.calibration()
    >>> [quantity.ideal for quantity in (c.intercept, c.slope, c.observed_expected)]
    [0.0, 1.0, 1.0]
    """

    performance: PerformanceEstimate
    intercept: Quantity
    slope: Quantity
    slope_intercept: Quantity
    observed_expected: Quantity
    brier_score: Quantity
    reliability: Quantity
    resolution: Quantity
    uncertainty: Quantity
    within_bins: Quantity
    calibration_error: Quantity
    curve: Curve
    event_counts: IndexArray
    other_counts: Annotated[IndexArray, PerEntry("event_counts")]
    n_bins: int = 10
    share_certain: Share = 0.0
    of_class: str | None = None
    shares_left_out: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the numbers."""
        found = []
        if self.share_certain > 0:
            found.append(
                f"{100 * self.share_certain:.3g} % of the winner's probabilities are exactly 0 or "
                "1; intercept and slope leave them out"
            )
        n, n_bootstraps = self.slope.n_undefined, self.curve.n_bootstraps
        if n > 0:
            note = (
                f"the slope is undefined in {n} of {n_bootstraps} replicates, in which a cut-off "
                "separates the classes or all probabilities with a logit are equal"
            )
            if _MANY * n_bootstraps < n < n_bootstraps:
                note += "; the others are those with smaller slopes"
            found.append(note)
        return tuple(found)

    def _page(self) -> Page:
        return Page(
            head_of("calibration", self.performance, self.of_class),
            tables=[[TITLES, *(each.cells for each in self.quantities)]],
            remarks=[*remarks(notes=self.notes), *self._remarks],
        )

    def __repr__(self) -> str:
        parts = ", ".join(repr(each)[9:-1] for each in (self.intercept, self.slope))
        return f"Calibration({parts})"


@dataclass(frozen=True, eq=False)
class DecisionCurve(OfWinner, Drawable, Result):
    """Net benefit of the winner, corrected for selection: what `Correction.decision_curve` returns.

    The net benefit of treating none is 0.

    Rows of `to_frame` are thresholds of each of the curves.

    Attributes
    ----------
    net_benefit : Curve
        Net benefit of treating the rows whose probability is at least the threshold, in true
        positives per row.
    treat_all : Curve
        Net benefit of treating every row.
    over_treat_all : Curve
        The difference of the two on the same rows.
    standardized : Curve
        Net benefit over the prevalence: 1 is that of perfect predictions.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
    >>> d = c.decision_curve()
    >>> d.thresholds.shape
    (99,)
    """

    performance: PerformanceEstimate
    net_benefit: Curve
    treat_all: Curve
    over_treat_all: Curve
    standardized: Curve
    of_class: str | None = None
    shares_left_out: bool = False

    @property
    def thresholds(self) -> Any:
        """Threshold probabilities of the curves."""
        return self.net_benefit.x

    @property
    def _curves(self) -> dict[str, Curve]:
        return {name: value for name, value in vars(self).items() if isinstance(value, Curve)}

    def _page(self) -> Page:
        table: list[tuple[str, ...]] = [
            ("threshold", "corrected", "interval", "apparent", "treat all")
        ]
        points = sorted({int(np.argmin(np.abs(self.thresholds - at))) for at in _SHOWN})
        text = self.net_benefit._text(points)
        for point, cells_of_point in zip(points, self.net_benefit._cells(points), strict=True):
            table.append((*cells_of_point, text(self.treat_all.apparent[point])))
        head = head_of("net benefit", self.performance, self.of_class)
        return Page(head, tables=[table], remarks=self._remarks)

    def _frame(self) -> dict[str, Any]:
        frames = [curve._frame() for curve in self._curves.values()]
        columns = {
            "threshold" if name == "x" else name: np.concatenate([one[name] for one in frames])
            for name in frames[0]
        }
        return {"curve": np.repeat(list(self._curves), len(self.thresholds))} | columns

    def __repr__(self) -> str:
        return f"DecisionCurve({self.performance.metric}, {len(self.thresholds)} thresholds)"


@dataclass(frozen=True, eq=False)
class PerformanceCurve(OfWinner, Drawable, Result):
    """A curve of the winner, corrected for selection: ROC or precision-recall.

    Rows of `to_frame` are points.

    Attributes
    ----------
    curve : Curve
        Sensitivity against 1 - specificity, or precision against recall.
    kind : {"roc", "precision-recall"}
        Which of the two.
    prevalence : float
        Share of events: the precision of guesses.
    reader : callable or None
        Reads further quantities from the same replicates; None in a curve restored from JSON or
        sent to another process. It is no part of the value.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
    >>> roc = c.roc_curve()
    >>> roc.sensitivity_at(specificity=0.9).name
    'sensitivity at specificity 0.9'
    """

    performance: PerformanceEstimate
    curve: Curve
    kind: Literal["roc", "precision-recall"]
    prevalence: Share
    reader: Reader | None = field(default=None, repr=False, compare=False)
    of_class: str | None = None
    shares_left_out: bool = False

    def partial_auc(
        self,
        *,
        specificity: tuple[float, float] | None = None,
        sensitivity: tuple[float, float] | None = None,
        standardized: bool = True,
    ) -> Quantity:
        """Return the area under the ROC curve over a range of specificity or sensitivity.

        Computed out of bag in each replicate, not from the mean curve.

        Parameters
        ----------
        specificity, sensitivity : tuple of float, optional
            The range, (low, high); one of the two.
        standardized : bool, default=True
            McClish's standardisation: 0.5 for guesses and 1 for the largest possible area, as the
            partial.auc.correct of R's pROC. A curve below the diagonal gives less than 0.5.

        Returns
        -------
        Quantity
            The partial area.

        Raises
        ------
        ValueError
            If the range is not one within [0, 1], or the curve is no ROC curve.

        References
        ----------
        .. [1] D. K. McClish, "Analyzing a portion of the ROC curve", Medical Decision Making 9
           (1989).

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
        >>> roc = c.roc_curve()
        >>> roc.partial_auc(specificity=(0.8, 1)).name
        'partial AUC, specificity 0.8 to 1'
        """
        if (specificity is None) == (sensitivity is None):
            raise ValueError("partial_auc: give either specificity=(low, high) or sensitivity=...")
        name, given = (
            ("specificity", specificity) if sensitivity is None else ("sensitivity", sensitivity)
        )
        low, high = _range(given, name)
        return self._reading(
            f"partial AUC, {name} {number(low)} to {number(high)}",
            over=(name, (low, high)),
            standardized=bool(standardized),
        )

    def sensitivity_at(self, *, specificity: float) -> Quantity:
        """Return the sensitivity at a fixed specificity.

        The cut-off that has the specificity is found in each replicate's out-of-bag rows.

        Parameters
        ----------
        specificity : float
            In [0, 1].

        Returns
        -------
        Quantity
            The sensitivity.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
        >>> roc = c.roc_curve()
        >>> roc.sensitivity_at(specificity=0.9).n_undefined
        0
        """
        value = _share(specificity, "specificity")
        return self._reading(
            f"sensitivity at specificity {number(value)}", at=("specificity", value)
        )

    def specificity_at(self, *, sensitivity: float) -> Quantity:
        """Return the specificity at a fixed sensitivity.

        Parameters
        ----------
        sensitivity : float
            In [0, 1].

        Returns
        -------
        Quantity
            The specificity.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
        >>> roc = c.roc_curve()
        >>> roc.specificity_at(sensitivity=0.9).n_undefined
        0
        """
        value = _share(sensitivity, "sensitivity")
        return self._reading(
            f"specificity at sensitivity {number(value)}", at=("sensitivity", value)
        )

    @property
    def _reading(self) -> Reader:
        """The reader of replicates, or why there is none."""
        if self.kind != "roc":
            raise ValueError("a precision-recall curve has no such quantity: use roc_curve")
        if self.reader is None:
            raise ValueError("a restored curve has no predictions: call Correction.roc_curve again")
        return self.reader

    def _page(self) -> Page:
        roc = self.kind == "roc"
        titles = ("1 - specificity", "sensitivity") if roc else ("recall", "precision")
        return Page(
            head_of(
                "ROC curve" if roc else "precision-recall curve", self.performance, self.of_class
            ),
            tables=[self.curve._table(*titles)],
            remarks=self._remarks,
        )

    def _frame(self) -> Any:
        return self.curve._frame()

    def __repr__(self) -> str:
        return f"PerformanceCurve({self.kind}, {self.performance!r})"


def head_of(what: str, e: PerformanceEstimate, of_class: str | None = None) -> str:
    one = f" for {short(of_class)}" if of_class else ""
    return f"{what}{one} of the winner by {e.metric}, method {e.method}"


def or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _shown(value: float | None, places: int | None) -> str:
    """Without an interval, four decimals."""
    if value is None:
        return "-"
    return number(round(value, _PLACES) + 0.0) if places is None else shown(value, places)


def _share(value: Any, name: str) -> float:
    try:
        number_given = float(value)
    except (TypeError, ValueError):
        raise InvalidTypeError(name, f"must be a number between 0 and 1, got {value!r}") from None
    if not 0 <= number_given <= 1:
        raise InvalidValueError(name, f"must be between 0 and 1, got {number_given:g}")
    return number_given


def _range(given: Any, name: str) -> tuple[float, float]:
    try:
        low, high = (float(value) for value in given)
    except (TypeError, ValueError):
        raise InvalidValueError(name, f"must be two numbers, (low, high), got {given!r}") from None
    if not 0 <= low < high <= 1:
        raise InvalidValueError(name, f"must be a range within [0, 1], got ({low:g}, {high:g})")
    return low, high
