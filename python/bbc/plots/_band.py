"""A curve with its bands, as the displays of calibration, net benefit and ROC curves draw it."""

from typing import Any

from ..results import Curve
from ._display import APPARENT, CORRECTED


def draw_curve(ax: Any, curve: Curve) -> None:
    """Draw the apparent curve, and the corrected one with both bands."""
    level = f"{100 * curve.confidence_level:g} %"
    if curve.simultaneous_lows is not None and curve.simultaneous_highs is not None:
        ax.fill_between(
            curve.x,
            curve.simultaneous_lows,
            curve.simultaneous_highs,
            color=CORRECTED,
            alpha=0.12,
            linewidth=0,
            label=f"{level} of whole curves",
        )
    if curve.lows is not None and curve.highs is not None:
        ax.fill_between(
            curve.x,
            curve.lows,
            curve.highs,
            color=CORRECTED,
            alpha=0.22,
            linewidth=0,
            label=f"{level} at each point",
        )
    ax.plot(curve.x, curve.apparent, "--", color=APPARENT, linewidth=1.4, label="apparent")
    ax.plot(curve.x, curve.estimates, color=CORRECTED, linewidth=2, label="corrected")
