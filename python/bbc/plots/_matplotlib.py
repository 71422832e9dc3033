"""The one place that imports matplotlib, and says how to get it."""

from typing import Any

from ..errors import MissingExtraError

# One colour per meaning, the same in every picture; all pairs differ in lightness too.
CORRECTED = "#1b5e8a"
APPARENT = "#c2491d"
NEUTRAL = "#9aa5ad"


def new_axes(ax: Any | None) -> Any:
    """The axes to draw on: the caller's, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtraError(
            "plots need matplotlib: python -m pip install 'bbc-cv[plots]'"
        ) from error
    return pyplot.subplots(layout="constrained")[1]
