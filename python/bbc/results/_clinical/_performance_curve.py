"""ROC and precision-recall curves of the winner."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from .._estimate import PerformanceEstimate
from .._text import number
from ._curve import Curve
from ._document import WinnerDocument
from ._quantity import Quantity

#: Name, range or value, and what it is about -> a quantity from the same replicates.
Reader = Callable[..., Quantity]


@dataclass(frozen=True, eq=False)
class PerformanceCurve(WinnerDocument):
    """A curve of the winner, corrected for selection: `bbc.roc_curve`, `precision_recall_curve`.

    Attributes
    ----------
    performance : PerformanceEstimate
        The correction by the selection metric.
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
    >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
    >>> roc.sensitivity_at(specificity=0.9).name
    'sensitivity at specificity 0.9'
    """

    performance: PerformanceEstimate
    curve: Curve
    kind: Literal["roc", "precision-recall"]
    prevalence: float
    reader: Reader | None = field(default=None, repr=False, compare=False)

    _parts: ClassVar[dict[str, Any]] = {"performance": PerformanceEstimate, "curve": Curve}

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
        >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> roc.partial_auc(specificity=(0.8, 1)).name
        'partial AUC, specificity 0.8 to 1'
        """
        if (specificity is None) == (sensitivity is None):
            raise ValueError("partial_auc: give either specificity=(low, high) or sensitivity=...")
        name, given = (
            ("specificity", specificity) if sensitivity is None else ("sensitivity", sensitivity)
        )
        low, high = _range(given, name)
        return self._quantity(
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
        >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> roc.sensitivity_at(specificity=0.9).n_undefined
        0
        """
        value = _share(specificity, "specificity")
        return self._quantity(
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
        >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> roc.specificity_at(sensitivity=0.9).n_undefined
        0
        """
        value = _share(sensitivity, "sensitivity")
        return self._quantity(
            f"specificity at sensitivity {number(value)}", at=("sensitivity", value)
        )

    def __getstate__(self) -> dict[str, Any]:
        """As in JSON: a copy in another process has no predictions."""
        return vars(self) | {"reader": None}

    def _quantity(self, name: str, **wanted: Any) -> Quantity:
        if self.kind != "roc":
            raise ValueError("a precision-recall curve has no such quantity: use bbc.roc_curve")
        if self.reader is None:
            raise ValueError("a restored curve has no predictions: call bbc.roc_curve again")
        return self.reader(name, **wanted)

    def to_frame(self) -> Any:
        """Return the curve as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            As `Curve.to_frame`.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> len(roc.to_frame())
        101
        """
        return self.curve.to_frame()

    def summary(self) -> str:
        """Describe the curve in at most 80 columns of text.

        Returns
        -------
        str
            A head, and a line per fifth of the curve.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> roc.summary().split("\\n")[0]
        'ROC curve of the winner by roc_auc, method bbc'
        """
        return curve_text(self)

    def __repr__(self) -> str:
        return f"PerformanceCurve({self.kind}, {self.performance!r})"


def curve_text(result: PerformanceCurve) -> str:
    """Head, and some points."""
    from .._comparison_text import aligned, four
    from .._text import cut

    roc = result.kind == "roc"
    x, y = ("1 - specificity", "sensitivity") if roc else ("recall", "precision")
    curve = result.curve
    table: list[tuple[str, ...]] = [(x, y, "interval", "apparent")]
    for i in range(0, len(curve.x), max(1, len(curve.x) // 5)):
        limits = "-"
        if curve.lows is not None and curve.highs is not None:
            limits = f"[{four(curve.lows[i])}, {four(curve.highs[i])}]"
        table.append(
            (f"{curve.x[i]:.4g}", four(curve.estimates[i]), limits, four(curve.apparent[i]))
        )
    title = "ROC curve" if roc else "precision-recall curve"
    head = f"{title} of the winner by {result.performance.metric}, method "
    return "\n".join([cut(head + result.performance.method), *map(cut, aligned(table))])


def _share(value: Any, name: str) -> float:
    try:
        number_given = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number between 0 and 1, got {value!r}") from None
    if not 0 <= number_given <= 1:
        raise ValueError(f"{name} must be between 0 and 1, got {number_given:g}")
    return number_given


def _range(given: Any, name: str) -> tuple[float, float]:
    try:
        low, high = (float(value) for value in given)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be two numbers, (low, high), got {given!r}") from None
    if not 0 <= low < high <= 1:
        raise ValueError(f"{name} must be a range within [0, 1], got ({low:g}, {high:g})")
    return low, high
