"""The one place that imports matplotlib, and says how to get it."""

from typing import Any, Self

from ..errors import MissingExtraError

# One colour per meaning, the same in every picture; all pairs differ in lightness too.
CORRECTED = "#1b5e8a"
APPARENT = "#c2491d"
NEUTRAL = "#9aa5ad"
DARK = "#3c464d"


class Display:
    """What all pictures share: made by `plot`, on axes of the caller's or new ones."""

    ax_: Any
    figure_: Any

    def _on(self, ax: Any | None, height: float = 4.0) -> Any:
        """The axes to draw on, remembered."""
        self.ax_ = new_axes(height) if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_

    def _finished(self) -> Self:
        self.ax_.spines[["top", "right"]].set_visible(False)
        return self


def new_axes(height: float = 4.0) -> Any:
    """The axes of a new figure."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtraError(
            "plots need matplotlib: python -m pip install 'bbc-cv[plots]'"
        ) from error
    return pyplot.subplots(figsize=(6.4, height), layout="constrained")[1]


def shortened(name: str, most: int = 32) -> str:
    """A name that fits beside a picture: parameters differ at the end, estimators at the start."""
    if len(name) <= most:
        return name
    tail = 2 * most // 3
    return f"{name[: most - tail - 1]}…{name[-tail:]}"
