"""What all displays share: axes, colours and the import of matplotlib."""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, Self, TypeVar

import numpy as np

from .. import _validation
from .._docstrings import described
from .._names import printable
from .._typing import FloatArray
from ..correction import record_of
from ..errors import InvalidTypeError, MissingExtraError
from ..results import Curve, PerformanceEstimate

# A colour per meaning, the same in all displays; they differ in lightness, too.
CORRECTED = "#1b5e8a"
APPARENT = "#c2491d"
NEUTRAL = "#9aa5ad"
DARK = "#3c464d"

#: The argument that all displays share.
AXES = """
ax : matplotlib.axes.Axes, optional
    Where to draw; a new figure by default.
"""
#: What `checked` is told of a result.
RESULT = (
    PerformanceEstimate,
    "estimate",
    "a PerformanceEstimate, such as a protocol's performance_",
)
_Kind = TypeVar("_Kind")
_MOST_BARS = 60
_LONGEST_NAME = 32


class Display:
    """A picture of something, drawn by `plot` on the caller's axes or on new ones.

    ``result.plot()`` and the functions of `bbc.plots` make it.

    Parameters
    ----------
    draw : callable
        ``draw(ax, shown)`` draws the picture, and returns its panels if there are several.
    shown : object
        What is drawn, such as a result.
    height : float, default=4.0
        Height of a new figure in inches.

    Attributes
    ----------
    shown : object
        What is drawn.
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    axes_ : tuple of matplotlib.axes.Axes
        Its panels, which fill the place of `ax_` where there are several.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> display = c.plot()
    >>> isinstance(display, bbc.plots.Display), display.shown == c.record
    (True, True)
    """

    ax_: Any
    axes_: tuple[Any, ...]
    figure_: Any

    def __init__(
        self, draw: Callable[[Any, Any], tuple[Any, ...] | None], shown: Any, *, height: float = 4.0
    ) -> None:
        self.shown = shown
        self._draw, self._height = draw, height

    @described(AXES)
    def plot(self, *, ax: Any | None = None) -> Self:
        """Draw on `ax`, or on a new figure.

        Returns
        -------
        Display
            This display, with `ax_` and `figure_`.
        """
        if ax is None:
            ax = pyplot().subplots(figsize=(6.4, self._height), layout="constrained")[1]
        self.ax_ = ax
        self.figure_ = self.ax_.figure
        self.axes_ = self._draw(self.ax_, self.shown) or (self.ax_,)
        for each in self.axes_:
            each.spines[["top", "right"]].set_visible(False)
        return self


def panels_within(ax: Any, heights: Sequence[float]) -> tuple[Any, ...]:
    """Axes below each other in the place of others, which are not drawn."""
    ax.set_axis_off()
    place = ax.get_subplotspec()
    shape = {"nrows": len(heights), "ncols": 1, "height_ratios": heights}
    if place is not None:
        grid = place.subgridspec(**shape)
    else:  # at a place of their own in the figure
        box = ax.get_position()
        edges = {"left": box.x0, "right": box.x1, "bottom": box.y0, "top": box.y1}
        grid = ax.figure.add_gridspec(**shape, **edges, hspace=0.8)
    return tuple(ax.figure.add_subplot(cell) for cell in grid)


def generator(random_state: Any) -> np.random.Generator:
    """The generator of a seed that `bbc.correct` takes."""
    if not isinstance(random_state, np.random.Generator):
        _validation.seed(random_state)
    return np.random.default_rng(random_state)


def checked(given: Any, kind: type[_Kind], name: str, wanted: str) -> _Kind:
    """Return what is plotted, or refuse it if it is something else than `wanted`."""
    given = record_of(given)
    if not isinstance(given, kind):
        raise InvalidTypeError(name, f"must be {wanted}, got {type(given).__name__}")
    return given


def pyplot() -> Any:
    """`matplotlib.pyplot`, or an error that says how to install it."""
    try:
        from matplotlib import pyplot as module
    except ImportError as error:
        raise MissingExtraError(
            "plots need matplotlib: python -m pip install 'bbc-cv[plots]'"
        ) from error
    return module


def histogram(ax: Any, values: FloatArray) -> None:
    """Draw a histogram, with a bar for each value if there are few distinct ones."""
    distinct = np.unique(values.round(12))
    bins: Any = "sqrt"
    if 1 < len(distinct) <= _MOST_BARS:
        middle = (distinct[1:] + distinct[:-1]) / 2
        ends = 2 * distinct[[0, -1]] - middle[[0, -1]]
        bins = np.concatenate([ends[:1], middle, ends[1:]])
    ax.hist(values, bins=bins, color=NEUTRAL, edgecolor="white", linewidth=0.4)
    ax.set_ylabel("replicates")


def legend_above(ax: Any) -> None:
    """Draw the legend above the axes, or above their title, where it hides nothing."""
    place = (0.5, 1.08 if ax.get_title() else 1.02)
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=place, ncols=3, columnspacing=1.2)


def drawn(text: str) -> str:
    """Text as it is: between dollars, matplotlib would read a formula."""
    return printable(text).replace("$", r"\$")


def shortened(name: str) -> str:
    """A name that fits beside a plot, with its start and its end; parameters in two lines."""
    name = printable(name)
    if len(name) > _LONGEST_NAME:
        lines = wrap(name, _LONGEST_NAME, break_long_words=False)
        if len(lines) <= 2 and max(map(len, lines)) <= _LONGEST_NAME:
            return "\n".join(map(drawn, lines))
        tail = 2 * _LONGEST_NAME // 3
        name = f"{name[: _LONGEST_NAME - tail - 1]}…{name[-tail:]}"
    return drawn(name)


def draw_curve(ax: Any, curve: Curve) -> None:
    """Draw the apparent curve, and the corrected one with both bands."""
    level = f"{100 * curve.confidence_level:g} %"
    for lows, highs, alpha, part in (
        (curve.simultaneous_lows, curve.simultaneous_highs, 0.12, "of whole curves"),
        (curve.lows, curve.highs, 0.22, "at each point"),
    ):
        if lows is not None and highs is not None:
            style = {"color": CORRECTED, "alpha": alpha, "linewidth": 0}
            ax.fill_between(curve.x, lows, highs, label=f"{level} {part}", **style)
    ax.plot(curve.x, curve.apparent, "--", color=APPARENT, linewidth=1.4, label="apparent")
    ax.plot(curve.x, curve.estimates, color=CORRECTED, linewidth=2, label="corrected")
