"""The corrected and the apparent curve of a search."""

from typing import Any, Self

import numpy as np

from .._docstrings import described
from .._titles import metric_title
from ..results import TuningPath
from ._display import APPARENT, AXES, CORRECTED, Display, checked, drawn


class TuningPathDisplay(Display):
    """Corrected and apparent performance of the best of the first t configurations.

    Parameters
    ----------
    path : TuningPath
        What `bbc.tuning_path` returns.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
    >>> path = bbc.tuning_path(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> bbc.plots.TuningPathDisplay.from_path(path).ax_.get_ylabel()
    'accuracy'
    """

    def __init__(self, path: TuningPath) -> None:
        self.path = checked(path, TuningPath, "path", "what bbc.tuning_path returns")

    @classmethod
    @described(AXES)
    def from_path(cls, path: TuningPath, *, ax: Any | None = None) -> Self:
        """Plot a path.

        Parameters
        ----------
        path : TuningPath
            What `bbc.tuning_path` returns.

        Returns
        -------
        TuningPathDisplay
            The display.
        """
        return cls(path).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        path = self.path
        x = path.n_configurations
        ax.plot(x, path.apparent, "x--", color=APPARENT, label="apparent")
        ax.plot(x, path.estimates, "o-", color=CORRECTED, label="corrected")
        if np.isfinite(path.lows).all() and np.isfinite(path.highs).all():
            ax.fill_between(x, path.lows, path.highs, color=CORRECTED, alpha=0.12, linewidth=0)
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, [str(t) for t in x])
        ax.minorticks_off()
        ax.set_xlabel("configurations tried")
        ax.set_ylabel(drawn(metric_title(path.estimate.metric)))
        if path.overtuned:
            ax.set_title(f"overtuned: {path.best} configurations would have done")
        ax.legend(frameon=False)
