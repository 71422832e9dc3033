"""A curve with its bands, as the displays of calibration, net benefit and ROC curves draw it."""

from typing import Any

from ..results import Curve
from ._display import APPARENT, CORRECTED


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
