"""The winner's performance in each subgroup."""

from typing import Any, Self

from .._docstrings import described
from ..results import PerformanceEstimate, Subgroups
from ._display import AXES, DARK, Display, checked, shortened
from ._forest import draw_estimates

_ROW = 0.4  # inches per line


class SubgroupDisplay(Display):
    """A line for all rows and one per subgroup, with the numbers of rows.

    The dashed line is the estimate on all rows. A subgroup that is too small says so.

    Parameters
    ----------
    subgroups : Subgroups
        What `bbc.subgroups` returns.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> s = bbc.simulate.accuracy(120, 20, random_state=0)
    >>> found = bbc.subgroups(
    ...     s.y, s.predictions, by=np.arange(120) % 2, metric="accuracy", random_state=1)
    >>> bbc.plots.SubgroupDisplay.from_subgroups(found).ax_.get_xlabel()
    'accuracy'
    """

    def __init__(self, subgroups: Subgroups) -> None:
        self.subgroups = checked(subgroups, Subgroups, "subgroups", "what bbc.subgroups returns")

    @classmethod
    @described(AXES)
    def from_subgroups(cls, subgroups: Subgroups, *, ax: Any | None = None) -> Self:
        """Plot subgroups.

        Parameters
        ----------
        subgroups : Subgroups
            What `bbc.subgroups` returns.

        Returns
        -------
        SubgroupDisplay
            The display.
        """
        return cls(subgroups).plot(ax=ax)

    @property
    def _height(self) -> float:
        return 1.4 + _ROW * (1 + len(self.subgroups.groups))

    def _draw(self, ax: Any) -> None:
        groups = self.subgroups.groups
        overall, n_rows = self.subgroups.overall, sum(each.n_rows for each in groups)
        lines: list[tuple[str, int, PerformanceEstimate | None]] = [
            ("all rows", n_rows, overall),
            *((each.name, each.n_rows, each.estimate) for each in groups),
        ]
        draw_estimates(ax, [estimate for _, _, estimate in lines])
        ax.axvline(overall.estimate, color=DARK, linewidth=0.8, linestyle="--", zorder=0)
        names = [f"{shortened(name)} ({count})" for name, count, _ in lines]
        ax.set_yticks(range(len(lines)), names)
        for place, (_, _, estimate) in enumerate(lines):
            if estimate is None:
                ax.annotate(
                    "too small for this metric",
                    (0.02, place),
                    xycoords=("axes fraction", "data"),
                    va="center",
                    color=DARK,
                    fontsize=9,
                )
