"""Interval width against the number of rows."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from .._drawable import Drawable
from .._page import Page
from .._result import POSITIVE, Level, PerEntry, Result
from .._typing import FloatArray, IndexArray


@dataclass(frozen=True, eq=False)
class RowsPlan(Drawable, Result):
    """Rows that an interval of a given width needs: what `bbc.plan_rows` returns.

    Rows of `to_frame` are sizes.

    Attributes
    ----------
    width : float
        The wanted width.
    n_rows : ndarray of shape (n_sizes,)
        The sizes that were tried, ascending.
    widths, standard_errors : ndarray of shape (n_sizes,)
        Mean width of the intervals at each size, and its simulation error.
    metric : str
        What is estimated.
    confidence_level : float
        Level of the intervals.
    n_simulations : int
        Data sets per size.
    seed : int or None
        Seed of all that was drawn.

    Examples
    --------
    >>> from bbc.results import RowsPlan
    >>> plan = RowsPlan(0.15, [100, 400], [0.2, 0.1], [0.002, 0.001], "roc_auc")
    >>> plan.n_needed, round(plan.n_needed_error, 1)
    (178, 2.6)
    >>> print(plan.summary())
    95 % interval of roc_auc: mean width against rows
      rows  width   error
      100   0.2000  0.0020
      400   0.1000  0.0010
      needed         178 rows give an interval of width 0.15 (simulation error 2.6)
    """

    width: Annotated[float, POSITIVE]
    n_rows: IndexArray
    widths: Annotated[FloatArray, PerEntry("n_rows")]
    standard_errors: Annotated[FloatArray, PerEntry("n_rows")]
    metric: str
    confidence_level: Level = 0.95
    n_simulations: int = 0
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        shapes = {values.shape for values in (self.n_rows, self.widths, self.standard_errors)}
        if len(shapes) != 1 or len(self.n_rows) < 2 or (np.diff(self.n_rows) <= 0).any():
            raise ValueError("a plan needs at least two sizes, ascending, with a width for each")

    @property
    def n_needed(self) -> int | None:
        """The smallest number of rows that reaches the width; None if no size does.

        If the smallest size does, that size.
        """
        found = self._crossing()
        return None if found is None else math.ceil(found[0] - 1e-9)

    @property
    def n_needed_error(self) -> float | None:
        """Standard error of `n_needed` by simulation; None if it is not between two sizes."""
        found = self._crossing()
        return None if found is None else found[1]

    @property
    def expected(self) -> float:
        """Rows needed if the width falls with the root of the rows after the last size."""
        return float(self.n_rows[-1] * (self.widths[-1] / self.width) ** 2)

    def _crossing(self) -> tuple[float, float | None] | None:
        """Where the curve reaches the width for good, with its standard error."""
        above = np.flatnonzero(self.widths > self.width)
        if not above.size:
            return float(self.n_rows[0]), None
        last = int(above[-1])
        if last == len(self.n_rows) - 1:
            return None
        if self.widths[last + 1] == 0:  # which no logarithm interpolates
            return float(self.n_rows[last + 1]), None
        x, y = np.log(self.n_rows[last : last + 2]), np.log(self.widths[last : last + 2])
        errors = (self.standard_errors / self.widths)[last : last + 2]
        fall = y[0] - y[1]
        share = (y[0] - math.log(self.width)) / fall
        place = math.exp(x[0] + share * (x[1] - x[0]))
        # d share / d y0 = (1 - share) / fall, and d share / d y1 = share / fall.
        of_share = math.hypot((1 - share) * errors[0], share * errors[1]) / fall
        return place, float(place * (x[1] - x[0]) * of_share)

    @property
    def answer(self) -> str:
        """The result in one sentence."""
        wanted = f"an interval of width {self.width:g}"
        if self.n_needed is None:
            return (
                f"no size reaches {wanted}; by the square-root law it needs about "
                f"{self.expected:.3g} rows"
            )
        if self.n_needed_error is None:
            return f"{self.n_needed} rows or fewer give {wanted}"
        return f"{self.n_needed} rows give {wanted} (simulation error {self.n_needed_error:.2g})"

    def _page(self) -> Page:
        lines = zip(self.n_rows, self.widths, self.standard_errors, strict=True)
        shown = [(str(size), f"{width:.4f}", f"{error:.4f}") for size, width, error in lines]
        level = 100 * self.confidence_level
        return Page(
            f"{level:.4g} % interval of {self.metric}: mean width against rows",
            tables=[[("rows", "width", "error"), *shown]],
            remarks=[("needed", self.answer)],
        )

    def _frame(self) -> Any:
        columns = (self.n_rows, self.widths, self.standard_errors)
        return dict(zip(("n_rows", "width", "standard_error"), columns, strict=True))

    def __repr__(self) -> str:
        return f"RowsPlan({self.metric}, width={self.width:g}, n_needed={self.n_needed})"
