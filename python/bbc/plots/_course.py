"""Displays of a search and its size: its path, early dropping, and the rows that it needs."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._docstrings import described
from .._titles import metric_title
from ..results import RowsPlan, TuningPath
from ..search import BBCD
from ._display import APPARENT, AXES, CORRECTED, DARK, Display, checked, drawn, legend_above


def draw_tuning_path(ax: Any, path: TuningPath) -> None:
    """Corrected and apparent performance of the best of the first t, and which were stopped."""
    x = path.n_configurations
    ax.plot(x, path.apparent, "x--", color=APPARENT, label="apparent")
    ax.plot(x, path.estimates, "o-", color=CORRECTED, label="corrected")
    if np.isfinite(path.lows).all() and np.isfinite(path.highs).all():
        ax.fill_between(x, path.lows, path.highs, color=CORRECTED, alpha=0.12, linewidth=0)
    if path.n_stopped:
        ax.plot(
            path.stopped + 1,
            np.full(path.n_stopped, 0.02),
            "|",
            color=DARK,
            alpha=0.6,
            markersize=9,
            transform=ax.get_xaxis_transform(),
            label=f"stopped early ({path.n_stopped})",
        )
    ax.set_xscale("log", base=2)
    ticks = _apart(x)
    ax.set_xticks(ticks, [str(t) for t in ticks])
    ax.minorticks_off()
    ax.set_xlabel("configurations tried")
    ax.set_ylabel(drawn(metric_title(path.estimate.metric)))
    if path.overtuned:
        ax.set_title(f"overtuned: {path.best} configurations would have done")
    ax.legend(frameon=False)


def _apart(sizes: Iterable[Any]) -> list[Any]:
    """The largest of some sizes, and smaller ones whose labels do not overprint on a log scale."""
    shown: list[Any] = []
    for size in sorted(set(sizes), reverse=True):
        if not shown or size * 1.25 <= shown[-1]:
            shown.append(size)
    return shown[::-1]


def _draw_dropping(ax: Any, protocol: BBCD) -> None:
    """A bar per fold, and a line at the number without dropping."""
    performance, trained = protocol.performance_, protocol.n_trained_
    ax.bar(np.arange(1, len(trained) + 1), trained, color=CORRECTED, width=0.8)
    ax.axhline(
        performance.n_configurations,
        color=APPARENT,
        linestyle="--",
        label=f"without dropping: {performance.n_configurations}",
    )
    for repeat in range(1, performance.n_repeats):
        ax.axvline(repeat * performance.n_folds + 0.5, color=DARK, linewidth=0.8, alpha=0.5)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.yaxis.get_major_locator().set_params(integer=True)
    ax.set_xlabel("fold" if performance.n_repeats == 1 else "fold, repeats one after another")
    ax.set_ylabel("configurations trained")
    ax.set_title(f"speed-up {protocol.speed_up_:.3g}")
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.08))


@described(AXES)
def dropping(protocol: BBCD, *, ax: Any | None = None) -> Display:
    """Draw the number of configurations that BBCD trained in each fold.

    Parameters
    ----------
    protocol : BBCD
        Fitted.

    Returns
    -------
    Display
        The display.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> search = bbc.BBCD(KNeighborsClassifier(), {"n_neighbors": [1, 5, 90]}, random_state=0)
    >>> bbc.plots.dropping(search.fit(X, y)).ax_.get_xlabel()
    'fold'
    """
    given = checked(protocol, BBCD, "protocol", "a fitted bbc.BBCD")
    check_is_fitted(given, "n_trained_")
    return Display(_draw_dropping, given).plot(ax=ax)


def draw_rows_plan(ax: Any, plan: RowsPlan) -> None:
    """Mean width of the interval against the number of rows, on logarithmic axes.

    Bars are two simulation errors; the dashed lines show the wanted width and the rows it needs.
    """
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
    sizes = _apart(plan.n_rows)
    ax.set_xticks(sizes, [str(size) for size in sizes])
    shown = sorted({*plan.widths.tolist(), plan.width})
    ax.set_yticks(shown, [f"{width:.2g}" for width in shown])
    ax.minorticks_off()
    ax.grid(color=DARK, alpha=0.15)
    ax.set_xlabel("rows")
    level = f"{100 * plan.confidence_level:.4g}"
    ax.set_ylabel(f"width of the {level} % interval of {drawn(metric_title(plan.metric))}")
    legend_above(ax)
