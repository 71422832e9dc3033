"""What all pictures share: axes, colours and the import of matplotlib."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from .._docstrings import described, inherit_docstring
from .._names import printable
from .._typing import FloatArray
from ..errors import MissingExtraError
from ..results import PerformanceEstimate

# One colour per meaning, the same in every picture; all pairs differ in lightness too.
CORRECTED = "#1b5e8a"
APPARENT = "#c2491d"
NEUTRAL = "#9aa5ad"
DARK = "#3c464d"

#: The argument that all pictures share.
AXES = """
ax : matplotlib.axes.Axes, optional
    Where to draw; a new figure by default.
"""
_MOST_STEPS = 60
_LONGEST_NAME = 32


class Display(ABC):
    """A picture, drawn by `plot` on the caller's axes or on new ones.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.
    """

    ax_: Any
    figure_: Any

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        inherit_docstring(cls)

    @described(AXES)
    def plot(self, *, ax: Any | None = None) -> Self:
        """Draw on `ax`, or on a new figure.

        Returns
        -------
        Display
            This display, with `ax_` and `figure_`.
        """
        self.ax_ = _new_axes(self._height) if ax is None else ax
        self.figure_ = self.ax_.figure
        self._draw(self.ax_)
        self.ax_.spines[["top", "right"]].set_visible(False)
        return self

    @property
    def _height(self) -> float:
        """Height of a new figure in inches."""
        return 4.0

    @abstractmethod
    def _draw(self, ax: Any) -> None:
        """Draw the picture."""


class EstimateDisplay(Display):
    """A picture of one result with replicates.

    Parameters
    ----------
    estimate : PerformanceEstimate
        A result that has replicates.
    """

    def __init__(self, estimate: PerformanceEstimate) -> None:
        if checked(estimate).replicates is None:
            raise ValueError(
                f"estimate: method {estimate.method!r} has no replicates, so there is nothing to "
                "draw"
            )
        self.estimate = estimate

    @classmethod
    @described(AXES)
    def from_estimate(
        cls, estimate: PerformanceEstimate, *, ax: Any | None = None, **options: Any
    ) -> Self:
        """Draw a result.

        Parameters
        ----------
        estimate : PerformanceEstimate
            A result that has replicates.
        **options
            The display's other parameters.

        Returns
        -------
        Display
            The picture.
        """
        return cls(estimate, **options).plot(ax=ax)


def checked(estimate: Any) -> PerformanceEstimate:
    """A result; a protocol is refused."""
    if not isinstance(estimate, PerformanceEstimate):
        raise TypeError(
            "estimate must be a PerformanceEstimate, such as a protocol's performance_, got "
            f"{type(estimate).__name__}"
        )
    return estimate


def pyplot() -> Any:
    """`matplotlib.pyplot`, or an error that says how to install it."""
    try:
        from matplotlib import pyplot as module
    except ImportError as error:
        raise MissingExtraError(
            "plots need matplotlib: python -m pip install 'bbc-cv[plots]'"
        ) from error
    return module


def _new_axes(height: float) -> Any:
    """The axes of a new figure."""
    return pyplot().subplots(figsize=(6.4, height), layout="constrained")[1]


def histogram(ax: Any, values: FloatArray) -> None:
    """Draw a histogram; values on a coarse grid get one bar each."""
    steps = np.unique(values.round(12))
    bins: Any = "sqrt"
    if 1 < len(steps) <= _MOST_STEPS:
        middle = (steps[1:] + steps[:-1]) / 2
        bins = np.concatenate([[2 * steps[0] - middle[0]], middle, [2 * steps[-1] - middle[-1]]])
    ax.hist(values, bins=bins, color=NEUTRAL, edgecolor="white", linewidth=0.4)
    ax.set_ylabel("replicates")


def legend_above(ax: Any) -> None:
    """Draw the legend above the title, where it hides no interval and no bar."""
    ax.legend(
        frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.08), ncols=3, columnspacing=1.2
    )


def drawn(text: str) -> str:
    """The user's text as it is: matplotlib would read text between dollars as a formula."""
    return printable(text).replace("$", r"\$")


def shortened(name: str) -> str:
    """A name that fits beside a picture; its start and its end are kept."""
    name = printable(name)
    if len(name) > _LONGEST_NAME:
        tail = 2 * _LONGEST_NAME // 3
        name = f"{name[: _LONGEST_NAME - tail - 1]}…{name[-tail:]}"
    return drawn(name)
