"""All that a paper on a binary outcome reports, from one correction."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._comparison_text import aligned, tables_html
from .._estimate import PerformanceEstimate
from .._text import cut, data_frame, number, wrapped
from ._calibration import Calibration
from ._decision_curve import DecisionCurve
from ._document import WinnerDocument
from ._performance_curve import PerformanceCurve
from ._quantity import cells_of

_TITLES = ("", "corrected", "interval", "apparent", "undefined")
_CURVES = {
    "calibration curve": ("calibration", "curve"),
    "net benefit": ("decision_curve", "net_benefit"),
    "net benefit of treating all": ("decision_curve", "treat_all"),
    "ROC curve": ("roc_curve", "curve"),
    "precision-recall curve": ("precision_recall_curve", "curve"),
}


@dataclass(frozen=True, eq=False)
class ClinicalPerformance(WinnerDocument):
    """Discrimination, calibration and net benefit of the winner, from one correction.

    `bbc.clinical_performance` returns it, and `bbc.report` writes it as a page.

    Attributes
    ----------
    performances : tuple of PerformanceEstimate
        By every metric; the first is the selection metric.
    calibration : Calibration
        Intercept, slope, Brier score and calibration curve.
    decision_curve : DecisionCurve
        Net benefit.
    roc_curve, precision_recall_curve : PerformanceCurve
        The curves.
    n_events : int
        Number of rows of the positive class.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> p = bbc.clinical_performance(s.y, risks, metric="log_loss", random_state=1)
    >>> [each.metric for each in p.performances]
    ['log_loss', 'roc_auc', 'average_precision', 'brier_score']
    """

    performances: tuple[PerformanceEstimate, ...]
    calibration: Calibration
    decision_curve: DecisionCurve
    roc_curve: PerformanceCurve
    precision_recall_curve: PerformanceCurve
    n_events: int

    _parts: ClassVar[dict[str, Any]] = {
        "performances": PerformanceEstimate,
        "calibration": Calibration,
        "decision_curve": DecisionCurve,
        "roc_curve": PerformanceCurve,
        "precision_recall_curve": PerformanceCurve,
    }

    @property
    def performance(self) -> PerformanceEstimate:
        """The correction by the selection metric."""
        return self.performances[0]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Name, corrected value, interval, apparent value and count of undefined replicates."""
        metrics = [cells_of(e.metric, e) for e in self.performances]
        names = {e.metric.replace("_", " ").casefold() for e in self.performances}
        return metrics + [
            each.cells for each in self.calibration.quantities if each.name.casefold() not in names
        ]

    def summary(self) -> str:
        """Describe the performance in at most 80 columns of text.

        Returns
        -------
        str
            A line per metric and quantity of calibration, then notes and findings.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> p = bbc.clinical_performance(s.y, risks, metric="log_loss", random_state=1)
        >>> p.summary().split("\\n")[0]
        'performance of the winner by log_loss, method bbc, 80 rows, 39 events'
        """
        lines = [cut(self._head()), *map(cut, aligned([_TITLES, *self.rows]))]
        for label, text in self._remarks():
            lines.extend(wrapped(label, text))
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """Return all numbers as one pandas frame.

        Returns
        -------
        pandas.DataFrame
            A row per metric, quantity of calibration and point of a curve: columns quantity, x
            (NaN for single numbers), estimate, low, high, apparent and n_undefined.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> p = bbc.clinical_performance(s.y, risks, metric="log_loss", random_state=1)
        >>> p.to_frame()["quantity"].unique()[:2].tolist()
        ['log_loss', 'roc_auc']
        """
        table: list[tuple[Any, ...]] = []
        for e in self.performances:
            interval = e.confidence_interval
            limits = (np.nan, np.nan) if interval is None else (interval.low, interval.high)
            table.append((e.metric, np.nan, e.estimate, *limits, e.apparent, e.n_undefined or 0))
        for line in self.calibration.to_frame().itertuples():
            values = (line.estimate, line.low, line.high, line.apparent, line.n_undefined)
            table.append((line.quantity, np.nan, *values))
        for name, (owner, part) in _CURVES.items():
            for line in getattr(getattr(self, owner), part).to_frame().itertuples():
                values = (line.estimate, line.low, line.high, line.apparent, line.n_undefined)
                table.append((name, line.x, *values))
        titles = ("quantity", "x", "estimate", "low", "high", "apparent", "n_undefined")
        return data_frame(dict(zip(titles, map(list, zip(*table, strict=True)), strict=True)))

    def _head(self) -> str:
        e = self.performance
        return (
            f"performance of the winner by {e.metric}, method {e.method}, {e.n_rows} rows, "
            f"{self.n_events} events"
        )

    def _remarks(self) -> list[tuple[str, str]]:
        """Notes and findings."""
        findings = self.performance.findings
        return [
            *(("note", note) for note in self.calibration.notes),
            *((each.code, str(each).removeprefix(f"{each.code} ")) for each in findings),
        ]

    def __repr__(self) -> str:
        e = self.performance
        return f"ClinicalPerformance({e.metric}={number(e.estimate)}, {self.n_events} events)"

    def _repr_html_(self) -> str:
        return tables_html(self._head(), [[_TITLES, *self.rows]], self._remarks())
