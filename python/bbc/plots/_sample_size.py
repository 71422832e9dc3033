"""Interval width against the number of rows."""

from typing import Any, Self

from .._docstrings import described
from .._titles import metric_title
from ..results import RowsPlan
from ._display import APPARENT, AXES, CORRECTED, DARK, Display, checked, drawn, legend_above


class SampleSizeDisplay(Display):
    """Mean width of the interval against the number of rows, on logarithmic axes.

    Bars are two simulation errors; the dashed lines show the wanted width and the rows it needs.

    Parameters
    ----------
    plan : RowsPlan
        What `bbc.plan_rows` returns.

    Examples
    --------
    >>> import bbc
    >>> plan = bbc.RowsPlan(0.15, [100, 400], [0.2, 0.1], [0.002, 0.001], "roc_auc")
    >>> bbc.plots.SampleSizeDisplay.from_plan(plan).ax_.get_xlabel()
    'rows'
    """

    def __init__(self, plan: RowsPlan) -> None:
        self.plan = checked(plan, RowsPlan, "plan", "what bbc.plan_rows returns")

    @classmethod
    @described(AXES)
    def from_plan(cls, plan: RowsPlan, *, ax: Any | None = None) -> Self:
        """Plot a plan.

        Parameters
        ----------
        plan : RowsPlan
            What `bbc.plan_rows` returns.

        Returns
        -------
        SampleSizeDisplay
            The display.
        """
        return cls(plan).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        plan = self.plan
        ax.errorbar(
            plan.n_rows,
            plan.widths,
            yerr=2 * plan.standard_errors,
            fmt="o-",
            color=CORRECTED,
            capsize=3,
            label="mean width",
        )
        ax.axhline(
            plan.width, color=APPARENT, linestyle="--", linewidth=1, label=f"wanted: {plan.width:g}"
        )
        if plan.n_needed is not None:
            ax.axvline(
                plan.n_needed,
                color=DARK,
                linestyle="--",
                linewidth=1,
                label=f"needed: {plan.n_needed} rows",
            )
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xticks(plan.n_rows, [str(size) for size in plan.n_rows])
        shown = sorted({*plan.widths.tolist(), plan.width})
        ax.set_yticks(shown, [f"{width:.2g}" for width in shown])
        ax.minorticks_off()
        ax.grid(color=DARK, alpha=0.15)
        ax.set_xlabel("rows")
        level = f"{100 * plan.confidence_level:.4g}"
        ax.set_ylabel(f"width of the {level} % interval of {drawn(metric_title(plan.metric))}")
        legend_above(ax)
