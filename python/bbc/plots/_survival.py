"""Configurations that remain after early dropping."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._docstrings import described
from ..search import BBCD
from ._display import APPARENT, AXES, CORRECTED, DARK, Display, checked


class SurvivalDisplay(Display):
    """Number of configurations trained in each fold of BBCD.

    Parameters
    ----------
    protocol : BBCD
        Fitted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> search = bbc.BBCD(KNeighborsClassifier(), {"n_neighbors": [1, 5, 90]}, random_state=0)
    >>> display = bbc.plots.SurvivalDisplay.from_protocol(search.fit(X, y))
    >>> [round(bar.get_height()) for bar in display.ax_.patches]
    [3, 3, 3, 3, 2, 2, 2, 2, 2, 2]
    """

    def __init__(self, protocol: BBCD) -> None:
        self.protocol = checked(protocol, BBCD, "protocol", "a fitted bbc.BBCD")
        check_is_fitted(protocol, "n_trained_")

    @classmethod
    @described(AXES)
    def from_protocol(cls, protocol: BBCD, *, ax: Any | None = None) -> Self:
        """Plot a fitted search.

        Parameters
        ----------
        protocol : BBCD
            Fitted.

        Returns
        -------
        SurvivalDisplay
            The display.
        """
        return cls(protocol).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        performance, trained = self.protocol.performance_, self.protocol.n_trained_
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
        ax.set_title(f"speed-up {self.protocol.speed_up_:.3g}")
        ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.08))
